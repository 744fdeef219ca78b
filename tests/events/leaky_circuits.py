"""Rectifiers with leaky diodes: the Modelica text, and the same circuits by hand in numpy.

By hand, a diode is a resistor of 1e-5 or of 1e5 ohms. Of all combinations one is consistent: currents through
the small resistors are positive, voltages at the large ones negative. The node voltages are those of modified
nodal analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from linear_elements import LINEAR

RON = GOFF = 1e-5

PACKAGE = f"""
package Leaky{LINEAR}
  model Source
    extends TwoPin;
    parameter Real V = 1, f = 50, phase = 0;
  equation
    v = V*sin(2*3.14159265358979323846*f*time + phase);
  end Source;
  model Diode
    extends TwoPin;
    parameter Real Ron = 1e-5, Goff = 1e-5;
    Real s;
    Boolean off;
  equation
    off = s < 0;
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Diode;
end Leaky;
"""


@dataclass(frozen=True, eq=False)
class Circuit:
    """Sources and diodes between nodes (from, to), node 0 is the ground; the load is between `p` and `n`."""

    sources: tuple[tuple[int, int], ...]
    phases: tuple[float, ...]
    diodes: tuple[tuple[int, int], ...]
    p: int
    n: int

    @property
    def nodes(self) -> int:
        ends = [*self.sources, *self.diodes, (self.p, self.n)]
        return 1 + max(max(e) for e in ends)

    def voltages(self, time: float, amplitude: float, f: float) -> list[float]:
        """Of the sources."""
        return [amplitude * float(np.sin(2 * np.pi * f * time + phase)) for phase in self.phases]

    def modelica(self, load: str, declarations: str) -> str:
        """The model `Rectifier` with a load given as declarations and connections to `%p%` and `%n%`."""
        lines = [
            f"  Leaky.Source V{k + 1}(V = V, f = f, phase = {float(phase)!r});"
            for k, phase in enumerate(self.phases)
        ]
        lines += [f"  Leaky.Diode D{k + 1};" for k in range(len(self.diodes))]
        at: dict[int, list[str]] = {k: [] for k in range(self.nodes)}
        at[0].append("ground.p")
        for kind, edges in (("V", self.sources), ("D", self.diodes)):
            for k, (a, b) in enumerate(edges):
                at[a].append(f"{kind}{k + 1}.p")
                at[b].append(f"{kind}{k + 1}.n")
        connections = [f"  connect({pins[0]}, {other});" for pins in at.values() for other in pins[1:]]
        load = load.replace("%p%", at[self.p][0]).replace("%n%", at[self.n][0])
        return "\n".join(
            [
                PACKAGE,
                "model Rectifier",
                "  parameter Real V = 10, f = 50;",
                "  Leaky.Ground ground;",
                *lines,
                declarations,
                "equation",
                *connections,
                load,
                "end Rectifier;",
            ]
        )

    @cached_property
    def modes(self) -> list[tuple[bool, ...]]:
        """Which diodes conduct, in all combinations."""
        return list(product((False, True), repeat=len(self.diodes)))

    def linear_map(self, mode: Sequence[bool], conductance: float) -> NDArray[np.float64]:
        """From the source voltages and a current drawn from p to n: the voltages of the diodes, the voltage
        of the load (one of this conductance beside the current), the currents of the diodes."""
        nodes, sources = self.nodes, len(self.sources)
        matrix, right = np.zeros((nodes + sources,) * 2), np.zeros((nodes + sources, sources + 1))
        conductances = [1 / RON if on else GOFF for on in mode]
        for (a, b), g in [*zip(self.diodes, conductances, strict=True), ((self.p, self.n), conductance)]:
            matrix[a, a] += g
            matrix[b, b] += g
            matrix[a, b] -= g
            matrix[b, a] -= g
        right[self.p, -1] -= 1.0
        right[self.n, -1] += 1.0
        for k, (a, b) in enumerate(self.sources):
            row = nodes + k
            matrix[row, a] = matrix[a, row] = right[row, k] = 1.0
            matrix[row, b] = matrix[b, row] = -1.0
        solution = np.zeros((nodes + sources, sources + 1))
        solution[1:] = np.linalg.solve(matrix[1:, 1:], right[1:])  # the ground is at 0
        u = np.array([solution[a] - solution[b] for a, b in (*self.diodes, (self.p, self.n))])
        return np.concatenate([u, u[:-1] * np.array(conductances)[:, None]])


class Modes:
    """A circuit with a load, in all its modes."""

    def __init__(self, circuit: Circuit, conductance: float = 0.0) -> None:
        self.count = len(circuit.diodes)
        self.modes = circuit.modes
        self.maps = np.array([circuit.linear_map(mode, conductance) for mode in self.modes])
        conducting = np.array(self.modes)
        #: Currents of conducting diodes and minus the voltages of the others must not be negative.
        volts, amperes = self.maps[:, : self.count], self.maps[:, self.count + 1 :]
        self.margins = np.where(conducting[:, :, None], amperes, -volts)

    def consistent(self, sources: Sequence[float], current: float = 0.0) -> int:
        """The number of the mode in which nothing is negative; rounding may leave a little."""
        return int(np.argmax((self.margins @ [*sources, current]).min(axis=1)))

    def load_voltage(self, mode: int, sources: Sequence[float], current: float = 0.0) -> float:
        """Between p and n."""
        return float(self.maps[mode, self.count] @ [*sources, current])


TWO_THIRDS = 2 * np.pi / 3

#: By the number of diodes.
CIRCUITS = {
    1: Circuit(((1, 0),), (0.0,), ((1, 2),), 2, 0),
    2: Circuit(((1, 0), (0, 2)), (0.0, 0.0), ((1, 3), (2, 3)), 3, 0),
    4: Circuit(((1, 2),), (0.0,), ((1, 3), (2, 3), (0, 1), (0, 2)), 3, 0),
    6: Circuit(
        ((1, 5), (2, 5), (3, 5)),
        (0.0, -TWO_THIRDS, -2 * TWO_THIRDS),
        ((1, 4), (2, 4), (3, 4), (0, 1), (0, 2), (0, 3)),
        4,
        0,
    ),
}
