"""Hydraulic circuits with square-root flows: their Modelica text, and the flows found with SciPy.

The truth has the pressures of the junctions as unknowns, and asks that the flows at each balance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from integrators import Simulate
from numpy.typing import NDArray
from scipy.optimize import root

from translated_models import translated

Vector = NDArray[np.float64]

#: The same law in the forms in use: as it stands, smoothed, with a laminar piece, solved for the pressure.
LAWS = {
    "raw": "port_a.q = k*sign(dp)*sqrt(abs(dp))",
    "smooth": "port_a.q = k*dp/sqrt(sqrt(dp^2 + small^2))",
    "pieces": "port_a.q = if noEvent(abs(dp) > small) then k*sign(dp)*sqrt(abs(dp)) else k*dp/sqrt(small)",
    "inverse": "dp = port_a.q*abs(port_a.q)/k^2",
}
SMALL = 1e-3  # of pressures of about 50 kPa

#: Start values, as one gives them where a law has no slope at zero, or none but a zero one.
STARTS = {"raw": "dp(start = 1)", "inverse": "port_a(q(start = 1))"}


def flow(law: str, k: float, dp: float) -> float:
    if law == "smooth":
        return float(k * dp / np.sqrt(np.sqrt(dp**2 + SMALL**2)))
    if law == "pieces" and abs(dp) <= SMALL:
        return float(k * dp / np.sqrt(SMALL))
    return float(k * np.sign(dp) * np.sqrt(abs(dp)))


def library(law: str, start: str) -> str:
    return f"""
connector Port
  Real p(nominal = 10) "kPa above the surroundings";
  flow Real q "l/s";
end Port;
partial model TwoPort
  Port port_a, port_b;
  Real dp;
end TwoPort;
model Pipe
  extends TwoPort{start and f"({start})"};
  parameter Real k = 1, small = {SMALL};
equation
  dp = port_a.p - port_b.p;
  port_a.q + port_b.q = 0;
  {LAWS[law]};
end Pipe;
model Pump "A characteristic that falls with the square of the flow"
  Port port_a, port_b;
  parameter Real head = 80, drop = 2;
equation
  port_a.q + port_b.q = 0;
  port_b.p - port_a.p = head - drop*port_a.q*abs(port_a.q);
end Pump;
model Tank "Open, with vertical walls"
  Port port;
  parameter Real area = 2;
  Real h, volume;
equation
  volume = area*h;
  der(volume) = port.q;
  port.p = 9.81*h;
end Tank;
model Reservoir
  Port port;
  parameter Real p = 0;
equation
  port.p = p;
end Reservoir;
"""


@dataclass(frozen=True)
class Pipe:
    start: str
    end: str
    k: float


#: A pump feeds junction A; three branches in parallel, two of them with a bridge between their middles, meet
#: at B. From there a pipe leads to the outlet.
PIPES = (
    Pipe("A", "C", 1.0),
    Pipe("C", "B", 0.6),
    Pipe("A", "D", 0.5),
    Pipe("D", "B", 0.9),
    Pipe("C", "D", 0.3),
    Pipe("A", "B", 0.4),
)
HEAD, DROP = 80.0, 2.0


def circuit(law: str, start: str, pipes: Sequence[Pipe], ends: Mapping[str, str], declared: str) -> str:
    """`ends` are the ports that stand at named nodes; all other nodes are junctions of pipes."""
    ports: dict[str, list[str]] = {name: [port] for name, port in ends.items()}
    lines = [library(law, start), "model Circuit", declared]
    for k, pipe in enumerate(pipes):
        lines.append(f"  Pipe p{k}(k = {pipe.k});")
        ports.setdefault(pipe.start, []).append(f"p{k}.port_a")
        ports.setdefault(pipe.end, []).append(f"p{k}.port_b")
    lines.append("equation")
    for group in ports.values():
        lines += [f"  connect({a}, {b});" for a, b in pairwise(group)]
    return "\n".join([*lines, "end Circuit;", ""])


def junction_pressures(
    law: str,
    pipes: Sequence[Pipe],
    known: Mapping[str, float],
    pump: tuple[str, str] | None = None,
    guess: Vector | None = None,
) -> tuple[dict[str, float], float]:
    """Pressures such that the flows at every junction balance; the pump's flow is an unknown more."""
    names = sorted({n for p in pipes for n in (p.start, p.end)} - set(known))
    if pump and pump[1] not in known and pump[1] not in names:
        names.append(pump[1])

    def balances(x: Vector) -> Vector:
        pressure = dict(known) | dict(zip(names, x, strict=False))
        sums = dict.fromkeys(pressure, 0.0)
        for pipe in pipes:
            q = flow(law, pipe.k, pressure[pipe.start] - pressure[pipe.end])
            sums[pipe.start] += q
            sums[pipe.end] -= q
        rest = []
        if pump:
            q = x[-1]
            sums[pump[0]] += q
            sums[pump[1]] -= q
            rest = [pressure[pump[1]] - pressure[pump[0]] - HEAD + DROP * q * abs(q)]
        return np.array([*(sums[n] for n in names), *rest])

    if guess is None:
        guess = np.array([*np.linspace(60, 30, len(names)), *([3.0] if pump else [])])
    found = root(balances, guess, tol=1e-13)
    assert np.abs(found.fun).max() < 1e-9, found.message
    return dict(known) | dict(zip(names, found.x, strict=False)), float(found.x[-1])


def check_bridge(simulate: Simulate, law: str, start: str) -> None:
    pipes = (*PIPES, Pipe("B", "out", 1.5))
    declared = "  Reservoir low(p = 0), out(p = 5);\n  Pump pump;"
    text = circuit(law, start, pipes, {"A": "pump.port_b", "out": "out.port"}, declared)
    text = text.replace("end Circuit;", "  connect(low.port, pump.port_a);\nend Circuit;")
    result = simulate(translated(text), stop_time=1.0, interval=1.0)
    pressure, through = junction_pressures(law, pipes, {"in": 0.0, "out": 5.0}, ("in", "A"))
    assert result["pump.port_a.q"][-1] == pytest.approx(through, rel=1e-8)
    for k, pipe in enumerate(pipes):
        dp = pressure[pipe.start] - pressure[pipe.end]
        assert result[f"p{k}.dp"][-1] == pytest.approx(dp, abs=1e-7), f"p{k}.dp"
        assert result[f"p{k}.port_a.q"][-1] == pytest.approx(flow(law, pipe.k, dp), rel=1e-6)
