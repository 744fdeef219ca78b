"""Stacked hysteresis: relays in parallel on one input, and relays in series through lags.

Truth: of a sine the relays in parallel switch at arcsines. In series each stage is a first-order lag between
constants, so the next switching of each is a logarithm; the earliest is taken, event by event.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from event_runs import steps, times
from truth_cases import every_case

import saltus

THRESHOLDS = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
OMEGA, STOP = 2.0, 20.0

PARALLEL = """
model Parallel "six relays on one sine wave: a staircase that differs on its way up and down"
  parameter Real H[6] = {0.15, 0.3, 0.45, 0.6, 0.75, 0.9};
  discrete Real y[6](each start = -1, each fixed = true);
  Real staircase;
  %s
equation
  %s
  for k in 1:6 loop
    when u > H[k] or u < -H[k] then
      y[k] = if u > H[k] then 1 else -1;
    end when;
  end for;
  staircase = sum(y);
end Parallel;
"""
OF_TIME = PARALLEL % ("Real u;", "u = sin(2*time);")
OF_STATES = PARALLEL % (
    "Real u(start = 0, fixed = true); Real v(start = 1, fixed = true);",
    "der(u) = 2*v; der(v) = -2*u;",
)


def sine_switches(threshold: float) -> list[float]:
    """Up at asin(H), down half a period later, and so on."""
    found = (math.asin(threshold) + math.pi * np.arange(100)) / OMEGA
    return [float(t) for t in found if t < STOP]


@pytest.fixture(scope="module")
def of_time() -> saltus.Model:
    return saltus.load(OF_TIME)


@pytest.fixture(scope="module")
def of_states() -> saltus.Model:
    return saltus.load(OF_STATES)


@every_case
def test_relays_in_parallel_on_a_function_of_time(
    of_time: saltus.Model, method: str, tolerance: float
) -> None:
    # Nothing is integrated: the times are those of the sine, to the width of the zero band over the slope.
    result = of_time.simulate(stop_time=STOP, tolerance=tolerance, method=method)
    for k, threshold in enumerate(THRESHOLDS):
        found = [t for t, _ in steps(result, f"y[{k + 1}]")[1:]]
        slope = OMEGA * math.sqrt(1 - threshold**2)
        np.testing.assert_allclose(found, sine_switches(threshold), atol=1e-9 / slope)
    # Each relay moves once in each half period, at an instant of its own; u < -H and u > H become false again
    # at other instants, where nothing moves.
    moved = {t for k in range(6) for t, _ in steps(result, f"y[{k + 1}]")[1:]}
    assert len(moved) == sum(len(sine_switches(h)) for h in THRESHOLDS)
    assert len(times(result)) == sum(_crossings(h) for h in THRESHOLDS)


def _crossings(threshold: float) -> int:
    """How often sin(2 t) passes through H or through -H."""
    first = math.asin(threshold)
    ways = [first, math.pi - first, math.pi + first, 2 * math.pi - first]
    return sum((w + 2 * math.pi * k) / OMEGA < STOP for k in range(20) for w in ways)


@every_case
def test_relays_in_parallel_on_an_oscillator(of_states: saltus.Model, method: str, tolerance: float) -> None:
    result = of_states.simulate(stop_time=STOP, tolerance=tolerance, method=method)
    # Without damping the errors of all steps add up. A step may be wrong by the tolerance in the root mean
    # square of both states.
    drift = math.sqrt(2) * result.statistics["steps"] * tolerance
    for k, threshold in enumerate(THRESHOLDS):
        found = [t for t, _ in steps(result, f"y[{k + 1}]")[1:]]
        slope = OMEGA * math.sqrt(1 - threshold**2)
        np.testing.assert_allclose(found, sine_switches(threshold), rtol=0, atol=drift / slope)
    switches = sorted(t for h in THRESHOLDS for t in sine_switches(h))
    slowest = OMEGA * math.sqrt(1 - max(THRESHOLDS) ** 2)
    away = np.array([min(abs(t - s) for s in switches) > drift / slowest for t in result.time])
    assert np.mean(away) > 0.5
    expected = [_staircase(t) for t in result.time[away]]
    np.testing.assert_array_equal(result["staircase"][away], expected)


def _staircase(t: float) -> float:
    return sum(-1 + 2 * (sum(s <= t for s in sine_switches(h)) % 2) for h in THRESHOLDS)


SERIES = """
model Series "three relays; each drives a lag, whose output the next one watches; the last closes the ring"
  parameter Real H[3] = {0.5, 0.35, 0.2};
  parameter Real T[3] = {1, 0.7, 0.4};
  Real x[3](start = {0.1, -0.2, 0}, each fixed = true);
  discrete Real y[3](start = {1, -1, 1}, each fixed = true);
equation
  T[1]*der(x[1]) = -y[3] - x[1];
  T[2]*der(x[2]) = y[1] - x[2];
  T[3]*der(x[3]) = y[2] - x[3];
  for k in 1:3 loop
    when x[k] > H[k] then
      y[k] = 1;
    elsewhen x[k] < -H[k] then
      y[k] = -1;
    end when;
  end for;
end Series;
"""
H, T = (0.5, 0.35, 0.2), (1.0, 0.7, 0.4)


def series(
    stop: float,
) -> tuple[list[list[tuple[float, float]]], list[tuple[float, list[float], list[float]]]]:
    """Switches of each relay, and (start, x, y) of every phase."""
    x, y, now = [0.1, -0.2, 0.0], [1.0, -1.0, 1.0], 0.0
    switches: list[list[tuple[float, float]]] = [[], [], []]
    found = [(now, list(x), list(y))]
    while True:
        goals = [-y[2], y[0], y[1]]
        waits = []
        for k in range(3):
            # x reaches the threshold on the other side of the relay's present position, if it is on the way.
            threshold = -y[k] * H[k]
            remaining = (threshold - goals[k]) / (x[k] - goals[k])
            waits.append(-T[k] * math.log(remaining) if 0 < remaining < 1 else math.inf)
        k = int(np.argmin(waits))
        if now + waits[k] > stop:
            return switches, found
        x = [g + (v - g) * math.exp(-waits[k] / t) for g, v, t in zip(goals, x, T, strict=True)]
        now += waits[k]
        y[k] = -y[k]
        switches[k].append((now, y[k]))
        found.append((now, list(x), list(y)))


@pytest.fixture(scope="module")
def model() -> saltus.Model:
    return saltus.load(SERIES)


def test_the_truth_satisfies_the_equations() -> None:
    switches, found = series(STOP)
    assert all(len(s) >= 5 for s in switches)
    for (t0, x0, y0), (t1, x1, _) in pairwise(found):
        # The average slope of a lag over a phase is its mean distance to the goal.
        for k, goal in enumerate((-y0[2], y0[0], y0[1])):
            mean = goal + (x0[k] - goal) * T[k] * (1 - math.exp(-(t1 - t0) / T[k])) / (t1 - t0)
            assert (x1[k] - x0[k]) * T[k] == pytest.approx((goal - mean) * (t1 - t0), abs=1e-12)


@every_case
def test_relays_in_series(model: saltus.Model, method: str, tolerance: float) -> None:
    result = model.simulate(stop_time=STOP, tolerance=tolerance, method=method)
    switches, found = series(STOP)
    # At its threshold x moves with at least (1 - H)/T. An error of a switching time goes on to the next
    # relay; lags forget, so the sum of what all steps may contribute is more than enough.
    drift = math.sqrt(3) * result.statistics["steps"] * tolerance
    for k in range(3):
        slope = (1 - H[k]) / T[k]
        changes = steps(result, f"y[{k + 1}]")[1:]
        assert [v for _, v in changes] == [v for _, v in switches[k]]
        np.testing.assert_allclose(
            [t for t, _ in changes], [t for t, _ in switches[k]], rtol=0, atol=drift / slope
        )
    starts = np.array([t for t, _, _ in found])
    rows = np.arange(0, len(result.time), 7)
    for row in rows:
        t = float(result.time[row])
        t0, x0, y0 = found[int(np.searchsorted(starts, t, side="right")) - 1]
        goals = (-y0[2], y0[0], y0[1])
        for k in range(3):
            expected = goals[k] + (x0[k] - goals[k]) * math.exp(-(t - t0) / T[k])
            assert result[f"x[{k + 1}]"][row] == pytest.approx(expected, abs=drift)
