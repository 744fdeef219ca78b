"""Bridges of diodes that hardly leak, against ideal ones by hand; and what made them fail.

A leak of 1e-8 S makes a voltage of 10 mV of an error of 1e-10 A. So a diode may be found to conduct some
nanoseconds too early, and its current sets out in the wrong direction: below zero, but for less than the band
within which it counts as zero. That is no event. Where somebody remembers it, a small hop is one.
"""

from __future__ import annotations

import math

import pytest
from event_by_event import Vector, Walk

from saltus.core.diagnostics import RunError
from translated_models import translated

V, F = 325.0, 50.0

LEAKY = """
model Leaky "Four diodes behind a coil, with a capacitor and a resistor as load"
  parameter Real V = 325, f = 50, L = 5e-3, C = 1e-3, R = 50, leak = 1e-8;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), u[4], id[4], s[4], a, p, n;
equation
  L*der(i) = V*sin(2*3.141592653589793*f*time) - a;
  u = {a - p, n - a, -p, n};
  for k in 1:4 loop
    u[k] = s[k]*(if s[k] < 0 then 1 else leak);
    id[k] = s[k]*(if s[k] < 0 then leak else 1);
  end for;
  i = id[1] - id[2];
  id[1] + id[3] = C*der(v) + v/R;
  id[1] + id[3] = id[2] + id[4];
  p - n = v;
end Leaky;
"""


def source(t: float) -> float:
    return V * math.sin(2 * math.pi * F * t)


def ideal(stop: float, coil: float = 5e-3, capacity: float = 1e-3, resistance: float = 50.0) -> Walk:
    """The state is (i, v). Either diagonal of the bridge conducts, or nothing does."""
    walk, way = Walk([0.0, 0.0], 1e-4), 1.0

    def conducting(t: float, x: Vector) -> list[float]:
        return [(source(t) - way * x[1]) / coil, (way * x[0] - x[1] / resistance) / capacity]

    def discharging(t: float, x: Vector) -> list[float]:
        return [0.0, -float(x[1]) / (resistance * capacity)]

    def ended(t: float, x: Vector) -> float:
        return -way * float(x[0])

    while walk.time < stop:
        walk.follow(conducting, stop, ended)
        walk.state[0] = 0.0
        if abs(source(walk.time)) <= walk.state[1]:
            walk.follow(discharging, stop, lambda t, x: abs(source(t)) - x[1])
        way = math.copysign(1.0, source(walk.time))
    return walk


@pytest.mark.parametrize("method", ["bdf", "auto"])
@pytest.mark.parametrize(
    ("leak", "tolerance"), [(1e-6, 1e-9), (1e-7, 1e-9), (1e-8, 1e-9), (1e-8, 1e-10), (1e-8, 1e-11)]
)
def test_leaky_bridge(leak: float, tolerance: float, method: str) -> None:
    """The voltage of the load is that of the ideal bridge, but for what leaks."""
    run = translated(LEAKY).simulate(stop_time=0.1, tolerance=tolerance, method=method, set={"leak": leak})
    assert run["v"][-1] == pytest.approx(ideal(0.1).state[1], abs=2e3 * leak + 1e4 * tolerance)


@pytest.mark.parametrize("method", ["bdf", "auto"])
@pytest.mark.parametrize("tolerance", [6.089065550664421e-07, 1e-7, 1e-8])
def test_leaky_bridge_that_begins_with_zero(tolerance: float, method: str) -> None:
    """All diodes are at zero, and two of them leave it within picoseconds, the time constants of the leak."""
    coil, capacity, resistance, leak = 0.0027699612769705425, 3.860304762961927e-05, 405.18680864582376, 1e-8
    load = {"L": coil, "C": capacity, "R": resistance, "leak": leak}
    run = translated(LEAKY).simulate(stop_time=0.3, tolerance=tolerance, method=method, set=load)
    truth = ideal(0.3, coil, capacity, resistance).state[1]
    # What leaks at the voltage of the source flows through the load, at worst.
    assert run["v"][-1] == pytest.approx(truth, abs=2 * V * leak * resistance + 1e4 * tolerance)


DIP = """
model Dip "Sets out across zero, and is back soon"
  parameter Real a = 1.2e-5;
  Real z(start = 0, fixed = true), y(start = 0, fixed = true);
  {declared}
equation
  der(z) = time - a;
  der(y) = if z < 0 then -1 else 1;
  {remembered}
end Dip;
"""


@pytest.mark.parametrize("a", [1.2e-5, 1.3e-5, 1.4e-5])
@pytest.mark.parametrize("method", ["bdf", "auto"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_a_dip_inside_the_band_is_no_event(a: float, method: str, tolerance: float) -> None:
    """At worst z is -a^2/2, which counts as zero, 1e-10 wide."""
    text = DIP.format(declared="", remembered="")
    run = translated(text).simulate(stop_time=1, tolerance=tolerance, method=method, set={"a": a})
    error = 10 * tolerance  # the tolerance is that of a step
    assert run["z"][-1] == pytest.approx(0.5 - a, abs=error)
    assert 1 - 4 * a - error <= run["y"][-1] <= 1 + error


def test_a_dip_that_is_remembered_is_not_passed_over() -> None:
    text = DIP.format(
        declared="Integer n(start = 0, fixed = true);",
        remembered="when z < 0 then n = pre(n) + 1; end when;",
    )
    with pytest.raises(RunError) as caught:
        translated(text).simulate(stop_time=1)
    assert "faster than can be resolved" in caught.value.diagnostics[0].message


def test_a_dip_below_the_band_is_seen() -> None:
    """It lasts for 2 ms."""
    run = translated(DIP.format(declared="", remembered="")).simulate(
        stop_time=1, tolerance=1e-10, method="auto", set={"a": 1e-3}
    )
    assert run["y"][-1] == pytest.approx(1 - 4e-3, abs=1e-6)
