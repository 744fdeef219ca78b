"""Networks of two-pin elements: their Modelica text, and nodal analysis of them in NumPy.

A network is a list of branches between numbered nodes; node 0 is ground. `modelica` writes it with components
and connectors, as users do. `operating_point` solves it without Saltus: unknowns are the potentials of the
nodes and the currents of ideal voltage sources (modified nodal analysis), and each other branch has a
characteristic `i(v)`. All of these increase, so the solution is unique.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linear_elements import LINEAR

Vector = NDArray[np.float64]

ELEMENTS = f"""{LINEAR}
model Conductor
  extends TwoPin;
  parameter Real G = 1;
equation
  i = G*v;
end Conductor;
model Cubic "A resistor whose conductance grows with its voltage"
  extends TwoPin;
  parameter Real G = 1, H = 1;
equation
  i = G*v + H*v^3;
end Cubic;
model Diode "Shockley's law"
  extends TwoPin;
  parameter Real Is = 1e-12, Vt = 0.02585;
equation
  i = Is*(exp(v/Vt) - 1);
end Diode;
model LeakyDiode "Shockley's law and a leak beside it: something determines the voltage where nothing flows"
  extends TwoPin;
  parameter Real Is = 1e-12, Vt = 0.02585, Gmin = 1e-12;
equation
  i = Is*(exp(v/Vt) - 1) + Gmin*v;
end LeakyDiode;
model Battery
  extends TwoPin;
  parameter Real V = 1;
equation
  v = V;
end Battery;
model Sine
  extends TwoPin;
  parameter Real V = 1, f = 1;
equation
  v = V*sin(2*3.14159265358979*f*time);
end Sine;
model Current "A given current out of p, through the network, into n"
  extends TwoPin;
  parameter Real I = 1;
equation
  i = -I;
end Current;
"""


@dataclass(frozen=True)
class Branch:
    """An element from node `start` (its pin p) to node `end`; `values` are its parameters."""

    kind: str
    start: int
    end: int
    values: Mapping[str, float]


def branch(kind: str, start: int, end: int, **values: float) -> Branch:
    return Branch(kind, start, end, values)


def modelica(branches: Sequence[Branch], modifiers: Mapping[int, str] | None = None) -> str:
    """The network as a user writes it: element `k` is called `b<k>`, and all pins of a node are connected
    in a chain. `modifiers` are further modifications of an element."""
    lines = [ELEMENTS, "model Network", "  Ground ground;"]
    pins: dict[int, list[str]] = {0: ["ground.p"]}
    for k, b in enumerate(branches):
        given = [f"{name} = {value!r}" for name, value in b.values.items()]
        more = (modifiers or {}).get(k)
        lines.append(f"  {b.kind} b{k}({', '.join([*given, more] if more else given)});")
        pins.setdefault(b.start, []).append(f"b{k}.p")
        pins.setdefault(b.end, []).append(f"b{k}.n")
    lines.append("equation")
    for _, group in sorted(pins.items()):
        lines += [f"  connect({a}, {b});" for a, b in pairwise(group)]
    return "\n".join([*lines, "end Network;", ""])


def characteristic(b: Branch, v: float) -> tuple[float, float]:
    """Current and conductance of a branch at a voltage."""
    p = b.values
    with np.errstate(over="ignore"):
        match b.kind:
            case "Resistor":
                return v / p["R"], 1 / p["R"]
            case "Conductor":
                return p["G"] * v, p["G"]
            case "Cubic":
                return p["G"] * v + p["H"] * v**3, p["G"] + 3 * p["H"] * v**2
            case "Diode" | "LeakyDiode":
                grown, leak = p["Is"] * np.exp(v / p["Vt"]), p.get("Gmin", 0.0)
                return float(grown - p["Is"] + leak * v), float(grown / p["Vt"] + leak)
            case "Current":
                return -p["I"], 0.0
    raise ValueError(b.kind)


def operating_point(
    branches: Sequence[Branch],
    sources: Mapping[int, float] | None = None,
    guess: Vector | None = None,
) -> tuple[Vector, Vector, Vector]:
    """Voltages and currents of all branches, and the unknowns (a guess for the next call).

    `sources` are branches held at a voltage; batteries are taken from their parameters. Damped Newton: a
    step is halved until the scaled residual is smaller. Sources are raised from nothing, the
    usual way of circuit simulators, so that no diode gets more than it can take.
    """
    held = {k: b.values["V"] for k, b in enumerate(branches) if b.kind == "Battery"} | dict(sources or {})
    nodes = max(max(b.start, b.end) for b in branches)
    order = list(held)
    size = nodes + len(order)
    x = np.zeros(size) if guess is None else guess.copy()
    stages = [1.0] if guess is not None else [0.0, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0]
    for fraction in stages:
        x = _newton(branches, held, order, nodes, x, fraction)
    potentials = np.concatenate([[0.0], x[:nodes]])
    voltages = np.array([potentials[b.start] - potentials[b.end] for b in branches])
    currents = np.array(
        [
            x[nodes + order.index(k)] if k in held else characteristic(b, voltages[k])[0]
            for k, b in enumerate(branches)
        ]
    )
    return voltages, currents, x


def _newton(
    branches: Sequence[Branch],
    held: Mapping[int, float],
    order: list[int],
    nodes: int,
    x: Vector,
    fraction: float,
) -> Vector:
    def system(x: Vector) -> tuple[Vector, NDArray[np.float64]]:
        r, jacobian = np.zeros(len(x)), np.zeros((len(x), len(x)))
        potentials = np.concatenate([[0.0], x[:nodes]])
        for k, b in enumerate(branches):
            ends = [(n - 1, s) for n, s in ((b.start, 1.0), (b.end, -1.0)) if n]
            v = potentials[b.start] - potentials[b.end]
            if k in held:
                row = nodes + order.index(k)
                r[row] = v - fraction * held[k]
                for n, sign in ends:
                    r[n] += sign * x[row]
                    jacobian[n, row] += sign
                    jacobian[row, n] += sign
                continue
            i, g = characteristic(b, v)
            if b.kind == "Current":
                i *= fraction
            for n, sign in ends:
                r[n] += sign * i
                for m, other in ends:
                    jacobian[n, m] += sign * other * g
        return r, jacobian

    r, jacobian = system(x)
    best = None
    for _ in range(400):
        step = np.linalg.solve(jacobian, r)
        # Measured by the step it would still take, which does not depend on the units of the equations.
        length = float(np.max(np.abs(step) / (1e-3 + np.abs(x))))
        if best is not None and length >= best and length < 1e-8:
            return x
        best, damping = length, 1.0
        while damping > 1e-12:
            trial = x - damping * step
            r, new = system(trial)
            if np.all(np.isfinite(new)) and np.all(np.isfinite(r)):
                left = np.linalg.solve(jacobian, r)  # natural monotonicity test with the old Jacobian
                if np.linalg.norm(left) < np.linalg.norm(step) or length < 1e-8:
                    break
            damping /= 2
        x, jacobian = trial, new
    raise AssertionError("the reference has not converged")
