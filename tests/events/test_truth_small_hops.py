"""Hops that are small beside the tolerance may be wrong by it, but they end where they began.

A ball leaves the ground with a speed v. Its hop is v^2/(2 g) high, which may be far below what the integrator
need resolve. Still it goes up once and comes down once. A step whose error is larger than the hop must not
make it come down while its speed is upwards, nor bounce it below the ground.
"""

from __future__ import annotations

import math

import pytest
from event_runs import steps, times
from truth_cases import STEPS, every_case

import saltus

G = 9.81

HOP = saltus.load(
    """model Hop
      parameter Real v0 = 1;
      Real h(start = 0, fixed = true), v(start = v0, fixed = true);
      Boolean down; Integer landings(start = 0, fixed = true); discrete Real speed(start = 0, fixed = true);
    equation
      der(h) = v; der(v) = -9.81;
      down = h <= 0;
      when down then landings = pre(landings) + 1; speed = v; end when;
    end Hop;"""
)


@every_case
@pytest.mark.parametrize("v0", [1.0, 0.1, 1e-2, 1e-3, 1e-4])
def test_one_hop(v0: float, method: str, tolerance: float) -> None:
    result = HOP.simulate(stop_time=1, tolerance=tolerance, method=method, set={"v0": v0})
    if v0**2 / (2 * G) < 1e-5 * tolerance and not times(result):
        assert set(result["down"]) == {1.0}  # five bands high, lost in the error of h: then nothing happened
        return
    assert result["landings"][-1] == 1
    left, landed = (t for t, _ in steps(result, "down")[1:])
    assert len(times(result)) == 2
    # It leaves its band of 1e-10 as soon as the error of h allows. It lands when v0 t - g t^2/2 is zero
    # within that error.
    error = STEPS * tolerance
    assert v0 * left <= 2e-10 + tolerance
    assert landed <= (v0 + math.sqrt(v0**2 + 2 * G * error)) / G
    assert landed >= (v0 + math.sqrt(max(v0**2 - 2 * G * error, 0))) / G * (error < v0**2 / (2 * G))
    # It comes down with a speed downwards.
    assert -v0 - 2 * G * error / v0 <= result["speed"][-1] < 0


@every_case
def test_a_hop_inside_the_band_is_none(method: str, tolerance: float) -> None:
    """5e-12 high: `h <= 0` stays true."""
    result = HOP.simulate(stop_time=1, tolerance=tolerance, method=method, set={"v0": 1e-5})
    assert times(result) == [] and set(result["down"]) == {1.0}


@every_case
def test_bounces_down_to_the_tolerance(method: str, tolerance: float) -> None:
    """Ten bounces with the restitution 1/2: the last hop is some micrometres high. None is lost, and none
    goes below the ground, since speeds upwards are halved and never turned."""
    model = saltus.load(
        """model Bounces
          Real h(start = 1, fixed = true), v(start = 0, fixed = true); Integer n(start = 0, fixed = true);
        equation
          der(h) = v; der(v) = if n < 10 then -9.81 else 0;
          when h <= 0 then
            reinit(v, if n < 10 then -0.5*pre(v) else 0);
            n = pre(n) + 1;
          end when;
        end Bounces;"""
    )
    result = model.simulate(stop_time=2, tolerance=tolerance, method=method)
    fall = math.sqrt(2 / G)
    assert result["n"][-1] == 10
    tenth = steps(result, "n")[-1][0]
    # Late bounces may come early or late by as much as their whole flights.
    expected = fall * (1 + 2 * sum(0.5**k for k in range(1, 10)))
    assert tenth == pytest.approx(expected, abs=10 * math.sqrt(2 * STEPS * tolerance / G))
    assert result["h"].min() > -1e-9
    assert abs(result["h"][-1]) < 1e-9 and result["v"][-1] == 0
