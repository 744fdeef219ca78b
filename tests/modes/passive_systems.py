"""Random passive linear complementarity systems, and their solutions by small steps.

    x' = A x + B lam + E u(t),   z = B' x + D lam,   0 <= lam, 0 <= z, lam' z = 0

With A + A' and -D negative semidefinite this is a network of resistors, coils, capacitors and ideal diodes:
it has one solution from x = 0 on (Camlibel, Heemels, Schumacher, "On linear passive complementarity systems",
European Journal of Control 8, 2002). D = G G' may have any rank, and has it up to rounding only.

The truth is an implicit method of first order in which each step is a complementarity problem, solved by
trying all choices; two step sizes together are of second order between changes of the mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Passive:
    """One of them: its matrices, and the frequencies of its two inputs, sin(w1 t) and cos(w2 t) - 1."""

    a: Matrix
    b: Matrix
    d: Matrix
    e: Matrix
    w: tuple[float, float]

    def modelica(self, *, parameters: bool = False) -> str:
        """The model `Passive`, with complementarity along curves; matrices are constants or parameters."""
        n, m = self.b.shape
        kind = "parameter" if parameters else "constant"
        return f"""
model Passive
  {kind} Real A[{n}, {n}] = {_text(self.a)}, B[{n}, {m}] = {_text(self.b)};
  {kind} Real D[{m}, {m}] = {_text(self.d)}, E[{n}, 2] = {_text(self.e)};
  Real x[{n}](each start = 0, each fixed = true), lam[{m}], z[{m}], s[{m}], u[2];
  Boolean c[{m}];
equation
  u = {{sin({self.w[0]!r}*time), cos({self.w[1]!r}*time) - 1}};
  der(x) = A*x + B*lam + E*u;
  z = transpose(B)*x + D*lam;
  for k in 1:{m} loop
    c[k] = s[k] > 0;
    lam[k] = if c[k] then s[k] else 0;
    z[k] = if c[k] then 0 else -s[k];
  end for;
end Passive;
"""

    def by_steps(self, stop: float, count: int) -> Matrix:
        """x at `count` + 1 equidistant points of time, by steps of two sizes."""
        coarse, fine = self._by_steps(stop, count), self._by_steps(stop, 2 * count)[::2]
        return 2 * fine - coarse

    def _by_steps(self, stop: float, count: int) -> Matrix:
        n = len(self.a)
        h = stop / count
        step = np.linalg.inv(np.eye(n) - h * self.a)
        matrix = self.d + h * self.b.T @ step @ self.b
        x = np.zeros((count + 1, n))
        for k in range(count):
            t = (k + 1) * h
            u = np.array([np.sin(self.w[0] * t), np.cos(self.w[1] * t) - 1.0])
            free = step @ (x[k] + h * self.e @ u)
            x[k + 1] = free + h * step @ self.b @ _complementary(matrix, self.b.T @ free)
        return x


def _complementary(matrix: Matrix, q: Matrix) -> Matrix:
    """lam >= 0 with q + matrix lam >= 0, one of both zero in each place: the choice that is least wrong."""
    best, found = np.inf, np.zeros(len(q))
    for choice in product((False, True), repeat=len(q)):
        on = np.array(choice)
        lam = np.zeros(len(q))
        if on.any():
            lam[on] = np.linalg.lstsq(matrix[np.ix_(on, on)], -q[on], rcond=None)[0]
        z = q + matrix @ lam
        wrong = max(-lam.min(), -z.min(), float(np.abs(z[on]).max(initial=0.0)))
        if wrong < best - 1e-13:
            best, found = wrong, lam
    return np.maximum(found, 0.0)


def random_passive(seed: int) -> Passive:
    """Two or three complementary pairs, D of a rank below that."""
    numbers = np.random.default_rng(seed)
    m = int(numbers.integers(2, 4))
    n = int(numbers.integers(m, 5))
    rank = int(numbers.integers(0, m))
    loss = numbers.normal(size=(n, n))
    skew = numbers.normal(size=(n, n))
    g = 10 ** numbers.uniform(-1, 1) * numbers.normal(size=(m, rank))
    a = skew - skew.T - loss @ loss.T / n
    w = (float(numbers.uniform(1, 3)), float(numbers.uniform(2, 4)))
    return Passive(a, numbers.normal(size=(n, m)), g @ g.T, 3 * numbers.normal(size=(n, 2)), w)


def _text(matrix: Matrix) -> str:
    return "[" + "; ".join(", ".join(repr(float(x)) for x in row) for row in matrix) + "]"
