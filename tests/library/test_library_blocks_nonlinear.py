"""Limits, zones, steps, relays, rate limits and play against their definitions, computed separately."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from signal_limits import jumps

import saltus

COVERS = (
    "Saltus.Blocks.Nonlinear.Limiter",
    "Saltus.Blocks.Nonlinear.VariableLimiter",
    "Saltus.Blocks.Nonlinear.DeadZone",
    "Saltus.Blocks.Nonlinear.Deadband",
    "Saltus.Blocks.Nonlinear.Quantizer",
    "Saltus.Blocks.Nonlinear.RateLimiter",
    "Saltus.Blocks.Nonlinear.Relay",
    "Saltus.Blocks.Nonlinear.Backlash",
)

STATIC = """
model Static "Three sines through blocks that have no memory, or that remember what they last sent"
  import Saltus.Blocks.Nonlinear.*;
  parameter Real a[3] = {1, 0.5, 0.25}, w[3] = {3, 7, 11}, low = -0.5, high = 0.7, quantum = 0.3, band = 0.2;
  Real u = a*sin(w*time);
  Limiter limiter(yMin = low, yMax = high, u = u), twice(yMin = low, yMax = high, u = limiter.y);
  VariableLimiter variable(u = u, upper = high + sin(2*time), lower = low + sin(2*time));
  DeadZone zone(uMin = low, uMax = high, u = u);
  Quantizer quantizer(quantum = quantum, u = u), again(quantum = quantum, u = quantizer.y);
  Deadband deadband(band = band, u = u);
  annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.01));
end Static;
"""

RATE = """
model Rate "A signal with steps and oscillations"
  parameter Real a = 1, w = 5, step1 = 1, step2 = -1, rising = 1, falling = -2;
  Real u = if time < 1 then a*sin(w*time) elseif time < 2.5 then step1 elseif time < 4 then step2
    else 0.3*a*sin(3*time);
  Saltus.Blocks.Nonlinear.RateLimiter limiter(rising = rising, falling = falling, u = u);
  annotation(experiment(StopTime = 7, Tolerance = 1e-8, Interval = 0.01));
end Rate;
"""

PLAY = """
model Play "A sine that grows and a jump"
  parameter Real b = 0.5, w = 5;
  Real u = if time < 3 then sin(w*time) elseif time < 4 then 2 else sin(3*time)*(1 + time/4);
  Saltus.Blocks.Nonlinear.Backlash backlash(b = b, u = u);
  annotation(experiment(StopTime = 8, Tolerance = 1e-8, Interval = 0.01));
end Play;
"""


#: Seconds of a step by hand.
STEP = 1e-4


@pytest.fixture(scope="module")
def static() -> saltus.Model:
    return saltus.load(STATIC)


@pytest.fixture(scope="module")
def rate() -> saltus.Model:
    return saltus.load(RATE)


@settings(max_examples=25)
@given(
    a=st.lists(st.floats(-2, 2), min_size=3, max_size=3),
    low=st.floats(-1, 0),
    high=st.floats(0.1, 1),
    quantum=st.floats(0.1, 1),
)
def test_blocks_without_memory(
    static: saltus.Model, a: list[float], low: float, high: float, quantum: float
) -> None:
    result = static.simulate(set={"a": a, "low": low, "high": high, "quantum": quantum})
    u, t = result["u"], result.time
    assert np.abs(result["limiter.y"] - np.clip(u, low, high)).max() < 1e-8
    assert np.array_equal(result["twice.y"], result["limiter.y"])  # idempotent
    assert np.abs(result["limiter.y"] + result["zone.y"] - u).max() < 1e-9
    bounds = low + np.sin(2 * t), high + np.sin(2 * t)
    assert np.abs(result["variable.y"] - np.clip(u, *bounds)).max() < 1e-8
    steps = result["quantizer.y"] / quantum
    assert np.abs(steps - np.round(steps)).max() < 1e-9
    assert np.abs(result["quantizer.y"] - u).max() < quantum / 2 + 1e-8
    assert np.array_equal(result["again.y"], result["quantizer.y"])  # idempotent


@settings(max_examples=15)
@given(a=st.lists(st.floats(-2, 2), min_size=3, max_size=3), band=st.floats(0.1, 0.5))
def test_deadband_sends_what_has_changed(static: saltus.Model, a: list[float], band: float) -> None:
    result = static.simulate(set={"a": a, "band": band})
    sent = jumps(result, "deadband.y")
    for (_, before), (_, after) in itertools.pairwise(sent):
        assert abs(after - before) == pytest.approx(band, abs=1e-7)
    assert np.abs(result["deadband.y"] - result["u"]).max() < band + 1e-7
    w = np.array([3, 7, 11])
    for time, value in sent:
        assert value == pytest.approx(float(np.dot(a, np.sin(w * time))), abs=1e-7)


def limited(u: np.ndarray, h: float, rising: float, falling: float) -> np.ndarray:
    """Step by step towards the input, no further than the rates allow: of first order in h."""
    y, found = 0.0, np.empty_like(u)
    for k, target in enumerate(u):
        y += min(max(target - y, falling * h), rising * h)
        found[k] = y
    return found


@settings(max_examples=8)
@given(
    a=st.floats(0.2, 2),
    w=st.floats(1, 6),
    steps=st.tuples(st.floats(-2, 2), st.floats(-2, 2)),
    rising=st.floats(0.3, 3),
    falling=st.floats(-3, -0.3),
)
def test_rate_limiter(
    rate: saltus.Model, a: float, w: float, steps: tuple[float, float], rising: float, falling: float
) -> None:
    given = {"a": a, "w": w, "step1": steps[0], "step2": steps[1], "rising": rising, "falling": falling}
    result = rate.simulate(set=given)
    h = 1e-4
    t = np.arange(0, 7, h) + h
    u = np.where(t < 1, a * np.sin(w * t), np.where(t < 2.5, steps[0], steps[1]))
    u = np.where(t < 4, u, 0.3 * a * np.sin(3 * t))
    y = np.interp(result.time, np.append(0, t), np.append(0, limited(u, h, rising, falling)))
    assert np.abs(result["limiter.y"] - y).max() < 10 * h
    slope = np.diff(result["limiter.y"])[np.diff(result.time) > 1e-6]
    slope /= np.diff(result.time)[np.diff(result.time) > 1e-6]
    assert falling - 1e-5 < slope.min() and slope.max() < rising + 1e-5


def test_rate_limiter_catches_up_exactly(rate: saltus.Model) -> None:
    """From 0 after a step to 1 with rate 2: it arrives half a second later, and is the input from then on."""
    result = rate.simulate(set={"a": 0, "rising": 2})
    arrived = (result.time > 1.5) & (result.time < 2.5)
    assert np.array_equal(result["limiter.y"][arrived], result["u"][arrived])
    under_way = (result.time > 1) & (result.time < 1.5)
    assert np.abs(result["limiter.y"] - 2 * (result.time - 1))[under_way].max() < 1e-7
    assert result.modes.at(1.2).states != result.modes.at(2).states  # while it follows it is not a state


@pytest.mark.parametrize(("b", "w"), [(0.5, 5.0), (0.1, 3.0), (1.2, 4.0)])
def test_backlash(b: float, w: float) -> None:
    result = saltus.load(PLAY).simulate(set={"b": b, "w": w})
    t = np.unique(np.concatenate([np.linspace(0, 8, 80001), result.time]))
    u = np.where(t < 3, np.sin(w * t), np.where(t < 4, 2, np.sin(3 * t) * (1 + t / 4)))
    y, found = 0.0, np.empty_like(u)
    for k, value in enumerate(u):
        y = min(max(y, value - b / 2), value + b / 2)  # carried along by either side of the gap
        found[k] = y
    between = np.minimum(np.abs(result.time - 3), np.abs(result.time - 4)) > 1e-9
    expected = found[np.searchsorted(t, result.time)]
    assert np.abs(result["backlash.y"] - expected)[between].max() < 1e-6
    assert np.abs(result["backlash.y"] - result["u"]).max() < b / 2 + 1e-9


def test_relay() -> None:
    text = """model M
      Saltus.Blocks.Nonlinear.Relay relay(low = -0.5, high = 0.8, yOff = -2, yOn = 3, u = sin(time));
      Saltus.Blocks.Nonlinear.Relay on(low = -0.5, high = 0.8, on0 = true, u = sin(time));
      annotation(experiment(StopTime = 13, Tolerance = 1e-9));
    end M;"""
    result = saltus.load(text).simulate()
    rises, falls = np.arcsin(0.8), np.pi + np.arcsin(0.5)
    turns = [rises, falls, rises + 2 * np.pi, falls + 2 * np.pi]
    found = jumps(result, "relay.y")
    assert [value for _, value in found] == [-2, 3, -2, 3, -2]
    assert [time for time, _ in found] == pytest.approx([0, *turns], abs=1e-8)
    assert [value for _, value in jumps(result, "on.y")] == [1, -1, 1, -1]


LOOP = """
model Loop "The output comes back to the input of a block with corners"
  import Saltus.Blocks.*;
  Real r = if mod(time, 8) < 4 then 1 else 0;
  {parts}
  annotation(experiment(StopTime = 12, Tolerance = 1e-8, Interval = 0.05));
end Loop;
"""

RATE_IN_LOOP = """
  Nonlinear.RateLimiter valve(rising = 0.8, falling = -0.5, u = pi.y);
  Continuous.PI pi(k = 2, Ti = 1, u = r - lag.y);
  Continuous.FirstOrder lag(T = 0.5, u = valve.y);
"""

PLAY_IN_LOOP = """
  Nonlinear.Backlash play(b = 0.3, u = motor.y);
  Continuous.PI pi(k = 2, Ti = 1, u = r - play.y);
  Continuous.Integrator motor(u = pi.y);
"""

LIMITS_IN_LOOP = (
    "Continuous.LimitedIntegrator tank(k = 3, yMin = -0.2, yMax = 0.6, u = sin(2*time) - tank.y);"
)

LOOPS = [(RATE_IN_LOOP, ("valve", "lag")), (PLAY_IN_LOOP, ("motor", "play")), (LIMITS_IN_LOOP, ("tank",))]


@cache
def loops_by_hand() -> dict[str, list[float]]:
    """Small steps, each followed by what the corner allows: of first order."""
    h = STEP
    found: dict[str, list[float]] = {name: [] for _, names in LOOPS for name in names}
    x = valve = lag = x2 = motor = play = tank = 0.0
    for k in range(120001):
        t = k * h
        if k % 500 == 0:
            for values, value in zip(found.values(), (valve, lag, motor, play, tank), strict=True):
                values.append(value)
        r = 1.0 if t % 8 < 4 - h / 2 or t % 8 > 8 - h / 2 else 0.0
        error, error2 = r - lag, r - play
        lag += h * (valve - lag) / 0.5
        x += h * error
        valve += min(max(2 * (r - lag + x) - valve, -0.5 * h), 0.8 * h)
        motor += h * 2 * (error2 + x2)
        x2 += h * error2
        play = min(max(play, motor - 0.15), motor + 0.15)
        tank = min(max(tank + h * 3 * (np.sin(2 * t) - tank), -0.2), 0.6)
    return found


@pytest.mark.parametrize(("parts", "names"), LOOPS, ids=["rate", "play", "limits"])
def test_in_a_loop(parts: str, names: tuple[str, ...]) -> None:
    result = saltus.load(LOOP.format(parts=parts)).simulate()
    for name in names:
        expected = loops_by_hand()[name]
        found = np.interp(np.arange(len(expected)) * 0.05, result.time, result[f"{name}.y"])
        assert np.abs(found - expected).max() < 20 * STEP, name
