"""A ladder of 20 ideal diodes with inductors: 2^20 modes, of which a run visits a few dozen.

Along the ladder are inductors; at each node a diode leads through a resistor and a small battery to the
ground. Where the diode blocks, two inductors carry one current. The batteries differ, so one diode after the
other begins to conduct and, when the source turns, ceases to.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
from electrical_elements import Vector, circuit, conserved, run
from event_by_event import Walk

N = 20
V, F = 10.0, 50.0
W, T = 2 * np.pi * F, 1 / F
L, R0, R = 2e-4, 0.2, 4.0
#: The batteries: the diodes turn on in another order than they stand.
E = 0.3 + 0.1 * ((7 * np.arange(N)) % N)
STOP = 1.5 * T

LADDER = circuit(
    f"  parameter Integer N = {N};\n  SineVoltage V(V = {V}, f = {F});\n  Resistor R0(R = {R0});\n"
    f"  Inductor L[N](each L = {L}, each i(start = 0, fixed = true));\n"
    f"  IdealDiode D[N];\n  Resistor R[N](each R = {R});\n"
    f"  ConstantVoltage E[N](V = {{{', '.join(repr(round(float(e), 6)) for e in E)}}});\n",
    """
  connect(V.n, ground.p);
  connect(V.p, R0.p);
  connect(R0.n, L[1].p);
  for k in 1:N - 1 loop
    connect(L[k].n, L[k + 1].p);
  end for;
  for k in 1:N loop
    connect(L[k].n, D[k].p);
    connect(D[k].n, R[k].p);
    connect(R[k].n, E[k].p);
    connect(E[k].n, ground.p);
  end for;
""",
)


class Ladder:
    """The currents x of the inductors in one mode. The potential u of node k is E + R (x[k] - x[k + 1]) where
    the diode conducts; where it blocks, it is such that x[k]' = x[k + 1]' (no current leaves the last)."""

    def __init__(self, conducts: list[bool]) -> None:
        self.on = np.array(conducts)
        #: From potentials to the rates of the currents that leave the nodes: tridiagonal.
        self.rates = np.zeros((N, N))
        for k in range(N):  # x[k]' = (u[k - 1] - u[k]) / L, u[-1] being the potential behind R0
            self.rates[k, k] -= 1 / L
            if k:
                self.rates[k, k - 1] += 1 / L
        self.leaving = np.eye(N) - np.eye(N, k=1)
        blocked = np.flatnonzero(~self.on)
        self.inverse = np.linalg.inv((self.leaving @ self.rates)[np.ix_(blocked, blocked)])

    def potentials(self, t: float, x: Vector) -> Vector:
        u = np.where(self.on, E + R * (self.leaving @ x), 0.0)
        push = np.zeros(N)
        push[0] = (V * np.sin(W * t) - R0 * x[0]) / L
        imbalance = self.leaving @ (self.rates @ u + push)
        u[~self.on] = -self.inverse @ imbalance[~self.on]
        return u

    def rate(self, t: float, x: Vector) -> Vector:
        found = self.rates @ self.potentials(t, x)
        found[0] += (V * np.sin(W * t) - R0 * x[0]) / L
        return np.asarray(found)

    def guard(self, k: int) -> object:
        """Rises through zero where diode k must change."""
        if self.on[k]:
            return lambda t, x: -float(self.leaving[k] @ x)
        return lambda t, x: float(self.potentials(t, x)[k] - E[k])


def ladder_walk() -> tuple[Walk, set[tuple[bool, ...]]]:
    """And the modes that it visits."""
    walk, on, seen = Walk([0.0] * N, T / 200), [False] * N, set()
    while walk.time < STOP:
        seen.add(tuple(on))
        mode = Ladder(on)
        changed = walk.follow(mode.rate, STOP, *(mode.guard(k) for k in range(N)))  # type: ignore[arg-type]
        if changed is not None:
            on[changed] = not on[changed]
    return walk, seen


def test_ladder_visits_few_modes(record_property: Callable[[str, object], None]) -> None:
    began = perf_counter()
    result = run(LADDER, STOP, points=300)
    record_property("seconds from text to result", perf_counter() - began)
    walk, seen = ladder_walk()
    expected = walk.after(result.time)
    for k in range(N):
        np.testing.assert_allclose(result[f"L[{k + 1}].i"], expected[k], atol=1e-6)
    assert any(all(mode) for mode in seen) and not all(any(mode) for mode in seen)  # all on, and all off
    assert len(result.modes.visited) == len(seen)  # of a million
    assert result.statistics["programs"] <= len(seen) + 10
    conserved(result, **{f"L[{k}]_i": L for k in range(1, N + 1)})
