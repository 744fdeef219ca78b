"""A linear system: what a model is near one position, in the mode that it is in there.

    der(x) = A*x + B*u,   y = C*x + D*u

with the deviations of states, inputs and outputs from their values at the position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error

Matrix: TypeAlias = NDArray[np.float64]

#: A state takes part in an eigenvalue if its share is larger.
_TAKES_PART = 0.05

#: Rows and columns of matrices that the text shows.
_SHOWN = 12

#: A real or imaginary part that is smaller against the other, or the largest of all, is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Eigenvalue:
    """One eigenvalue, or a pair of conjugate ones (the one above the real axis stands for both).

    `shares` says which states take part, those with the largest participation factor first; the factors of
    all states add up to one.
    """

    value: complex
    shares: Mapping[str, float]

    @property
    def time_constant(self) -> float:
        """After which it has died away to 1/e; negative if it grows, infinite if it does neither."""
        return -1 / self.value.real if self.value.real else float("inf")

    @property
    def frequency(self) -> float:
        """The undamped frequency of the oscillation, in hertz; 0 if there is none."""
        return abs(self.value) / (2 * np.pi) if self.value.imag else 0.0

    @property
    def damping(self) -> float:
        """The damping ratio: 1 for what does not oscillate, negative for what grows."""
        return -self.value.real / abs(self.value) if self.value else 1.0

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {share:.0%}" for name, share in self.shares.items() if share > _TAKES_PART)
        if self.value.imag:
            value = f"{self.value.real:.6g} ± {self.value.imag:.6g}i"
            told = f"{self.frequency:.6g} Hz, damping {self.damping:.4g}"
        else:
            value = f"{self.value.real:.6g}"
            told = f"time constant {self.time_constant:.6g} s" if self.value.real else "integrates"
        return f"{value}  ({told})  {parts}"


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """Matrices with the names of their rows and columns. `at` has the values of states, inputs and outputs at
    the position, `mode` says in words which branches are in force there."""

    model: str
    time: float
    mode: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Matrix
    B: Matrix
    C: Matrix
    D: Matrix
    at: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def eigenvalues(self) -> tuple[Eigenvalue, ...]:
        """The eigenvalues of A, the slowest first; one for each conjugate pair."""
        if not self.states:
            return ()
        values, right = np.linalg.eig(self.A)
        rounding = _ROUNDING * float(np.abs(values).max(initial=0.0))
        try:
            factors = np.abs(right * np.linalg.inv(right).T)
        except np.linalg.LinAlgError:  # a chain of integrators has too few eigenvectors
            factors = np.abs(right) ** 2
        found = []
        for k, value in enumerate(values):
            if value.imag < -rounding:
                continue
            real = 0.0 if abs(value.real) <= rounding else float(value.real)
            imaginary = 0.0 if abs(value.imag) <= rounding else float(value.imag)
            share = factors[:, k] / factors[:, k].sum()
            order = np.argsort(-share, kind="stable")
            found.append(
                Eigenvalue(complex(real, imaginary), {self.states[i]: float(share[i]) for i in order})
            )
        return tuple(sorted(found, key=lambda e: (abs(e.value), -e.value.real)))

    @property
    def is_stable(self) -> bool:
        """Whether all deviations die away."""
        return all(e.value.real < 0 for e in self.eigenvalues)

    def response(self, frequencies: Sequence[float] | Matrix) -> NDArray[np.complex128]:
        """The transfer functions at frequencies in hertz: an array over frequencies, outputs and inputs."""
        s = 2j * np.pi * np.asarray(frequencies, dtype=float)
        unit = np.eye(len(self.states))
        return np.array([self.C @ np.linalg.solve(x * unit - self.A, self.B) + self.D for x in s])

    def gain(self) -> Matrix:
        """What outputs come to in the end when an input is one higher, if the system is stable."""
        if not self.states:
            return self.D
        return np.asarray(self.D - self.C @ np.linalg.solve(self.A, self.B))

    def to_scipy(self) -> Any:
        """A `scipy.signal.StateSpace`."""
        from scipy.signal import StateSpace

        if not self.inputs or not self.outputs:
            raise usage_error("a state space has inputs and outputs", hint="name some when you linearise")
        return StateSpace(self.A, self.B, self.C, self.D)

    def to_control(self) -> Any:
        """A `control.StateSpace`, with the names."""
        try:
            import control
        except ImportError as error:
            raise usage_error("python-control is not installed", hint="pip install control") from error
        return control.ss(
            self.A, self.B, self.C, self.D,
            states=list(self.states), inputs=list(self.inputs), outputs=list(self.outputs),
        )  # fmt: skip

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            "model": self.model,
            "time": self.time,
            "mode": self.mode,
            **{name: list(getattr(self, name)) for name in ("states", "inputs", "outputs")},
            **{name: getattr(self, name).tolist() for name in "ABCD"},
            "at": dict(self.at),
            "eigenvalues": [
                {"real": e.value.real, "imaginary": e.value.imag, "shares": dict(e.shares)}
                for e in self.eigenvalues
            ],
        }

    def text(self) -> str:
        """Eigenvalues and matrices, as far as they fit on a page."""
        where = f" in the mode {self.mode}" if self.mode else ""
        lines = [f"{self.model} at time {self.time:g}{where}"]
        lines += ["", f"EIGENVALUES {len(self.eigenvalues)}", *(f"  {e}" for e in self.eigenvalues)]
        names = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        for name, rows, columns in (
            ("A", "states", "states"),
            ("B", "states", "inputs"),
            ("C", "outputs", "states"),
            ("D", "outputs", "inputs"),
        ):
            if names[rows] and names[columns]:
                lines += [
                    "",
                    f"{name}: {rows} by {columns}",
                    *_table(getattr(self, name), names[rows], names[columns]),
                ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.text()


def _table(matrix: Matrix, rows: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Numbers with the names of rows and columns."""
    cells = [["", *columns[:_SHOWN]]]
    cells += [
        [row, *(f"{x:.6g}" for x in line[:_SHOWN])] for row, line in zip(rows[:_SHOWN], matrix, strict=False)
    ]
    widths = [max(len(line[k]) for line in cells) for k in range(len(cells[0]))]
    lines = [
        "  "
        + "  ".join(
            [f"{line[0]:<{widths[0]}}", *(f"{c:>{w}}" for c, w in zip(line[1:], widths[1:], strict=True))]
        )
        for line in cells
    ]
    hidden = max(len(rows), len(columns)) - _SHOWN
    return [*lines, f"  ... and {hidden} more"] if hidden > 0 else lines
