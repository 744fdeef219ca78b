"""Signal sources against formulas of NumPy and SciPy, on both sides of every jump."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st
from signal_limits import Formula, Values, jumps, limit_error

import saltus

COVERS = (
    "Saltus.Blocks.Sources.Constant",
    "Saltus.Blocks.Sources.Clock",
    "Saltus.Blocks.Sources.Step",
    "Saltus.Blocks.Sources.Ramp",
    "Saltus.Blocks.Sources.Sine",
    "Saltus.Blocks.Sources.Pulse",
    "Saltus.Blocks.Sources.SawTooth",
    "Saltus.Blocks.Sources.Trapezoid",
    "Saltus.Blocks.Sources.Exponential",
    "Saltus.Blocks.Sources.Chirp",
    "Saltus.Blocks.Sources.TimeTable",
)

MODEL = """
model AllSources
  import Saltus.Blocks.Sources.*;
  Constant constant1(k = -2.5);
  Clock clock(startTime = 0.4, offset = 1, slope = 3);
  Step step(height = 2, offset = -1, startTime = 0.7);
  Step early(height = 2, startTime = -1);
  Ramp ramp(height = -3, offset = 1, startTime = 0.25, duration = 0.5);
  Ramp sudden(startTime = 0.6, duration = 0);
  Sine sine(amplitude = 2, f = 1.5, phase = 0.3, offset = 0.5, startTime = 0.1);
  Pulse pulse(amplitude = 3, period = 0.3, width = 0.25, offset = -1, startTime = 0.1);
  Pulse running(period = 0.3, startTime = -0.37), never(width = 0), ever(width = 1, period = 0.2);
  SawTooth saw(amplitude = 2, period = 0.35, offset = 1, startTime = 0.2);
  SawTooth runningSaw(period = 0.35, startTime = -0.9);
  Trapezoid trapezoid(amplitude = 2, rising = 0.1, staying = 0.15, falling = 0.05, period = 0.45, offset = -1,
    startTime = 0.12);
  Trapezoid box(rising = 0, staying = 0.2, falling = 0, period = 0.5, startTime = 0.12);
  Exponential exponential(height = 2, T = 0.3, offset = 1, startTime = 0.35);
  Chirp chirp(amplitude = 2, f1 = 1, f2 = 6, duration = 1.5, offset = 0.5);
  Chirp late(f1 = 3, f2 = 1, duration = 0.5, startTime = 0.8);
  TimeTable curve(table = [0.1, 1; 0.3, 2; 0.3, -1; 0.9, 0; 1.2, 5], startTime = 0.05);
  TimeTable round(table = [0, 0; 0.2, 1; 0.2, 2; 0.5, -1], periodic = true, startTime = 0.1);
  annotation(experiment(StopTime = 1.93, Tolerance = 1e-8));
end AllSources;
"""


def after(t: Values, start: float, then: Values) -> Values:
    return np.where(t < start, 0.0, then)


def pulse(t: Values, period: float, width: float, start: float) -> Values:
    return after(t, start, (np.mod(t - start, period) < width * period).astype(float))


def trapezoid(t: Values) -> Values:
    corners = [0, 0.1, 0.25, 0.3, 0.45]
    return -1 + after(t, 0.12, 2 * np.interp(np.mod(t - 0.12, 0.45), corners, [0, 1, 1, 0, 0]))


def late_chirp(t: Values) -> Values:
    """The frequency is 3 - 4 t for half a second and 1 afterwards: the phase is its integral."""
    t = np.maximum(t - 0.8, 0.0)
    turns = np.where(t < 0.5, 3 * t - 2 * t**2, 1.0 + (t - 0.5))
    return np.sin(2 * np.pi * turns)


def curve(t: Values) -> Values:
    t = t - 0.05
    return np.where(t < 0.3, np.interp(t, [0.1, 0.3], [1, 2]), np.interp(t, [0.3, 0.9, 1.2], [-1, 0, 5]))


def round_table(t: Values) -> Values:
    place = np.mod(t - 0.1, 0.5)
    there = np.where(place < 0.2, place / 0.2, 2 - (place - 0.2) / 0.1)
    return after(t, 0.1, there)


FORMULAS: dict[str, Formula] = {
    "constant1": lambda t: np.full_like(t, -2.5),
    "clock": lambda t: 1 + 3 * np.maximum(t - 0.4, 0),
    "step": lambda t: -1 + 2 * np.heaviside(t - 0.7, 1),
    "early": lambda t: np.full_like(t, 2.0),
    "ramp": lambda t: np.interp(t, [0.25, 0.75], [1, -2]),
    "sudden": lambda t: np.heaviside(t - 0.6, 1),
    "sine": lambda t: 0.5 + after(t, 0.1, 2 * np.sin(2 * np.pi * 1.5 * (t - 0.1) + 0.3)),
    "pulse": lambda t: -1 + 3 * pulse(t, 0.3, 0.25, 0.1),
    "running": lambda t: pulse(t, 0.3, 0.5, -0.37),
    "never": np.zeros_like,
    "ever": np.ones_like,
    "saw": lambda t: 1 + after(t, 0.2, 1 + scipy.signal.sawtooth(2 * np.pi * (t - 0.2) / 0.35)),
    "runningSaw": lambda t: np.mod(t + 0.9, 0.35) / 0.35,
    "trapezoid": trapezoid,
    "box": lambda t: pulse(t, 0.5, 0.4, 0.12),
    "exponential": lambda t: 1 + after(t, 0.35, -2 * np.expm1(-(t - 0.35) / 0.3)),
    "late": late_chirp,
    "curve": curve,
    "round": round_table,
}


@pytest.fixture(scope="module")
def result() -> saltus.Result:
    return saltus.load(MODEL).simulate()


@pytest.mark.parametrize("name", FORMULAS)
def test_source(result: saltus.Result, name: str) -> None:
    assert limit_error(result, f"{name}.y", FORMULAS[name]) < 1e-6  # slopes times the distance of limits


def test_chirp(result: saltus.Result) -> None:
    swept = result.time <= 1.5
    expected = 0.5 + 2 * scipy.signal.chirp(result.time[swept], 1, 1.5, 6, phi=-90)
    assert np.abs(result["chirp.y"][swept] - expected).max() < 1e-9


def test_edges_that_should_coincide_do() -> None:
    """0.1 + 0.2 is not 0.3 in floating point; the edges of these pulses are at one instant all the same."""
    text = """model M
      Saltus.Blocks.Sources.Pulse a(period = 0.2), b(period = 0.3), c(period = 0.1, startTime = 0.05);
      Boolean glitch = a.y > 0.5 and b.y > 0.5 and c.y > 0.5;
    end M;"""
    result = saltus.load(text).simulate(stop_time=0.62)
    assert jumps(result, "glitch") == [(0, 0), (0.05, 1), (0.1, 0)]
    assert 0.3 in jumps_times(result, "a.y") and 0.3 in jumps_times(result, "b.y")


def jumps_times(result: saltus.Result, name: str) -> list[float]:
    return [time for time, _ in jumps(result, name)]


@pytest.fixture(scope="module")
def pulses() -> saltus.Model:
    return saltus.load("model M Saltus.Blocks.Sources.Pulse p(startTime = 0); end M;")


@settings(max_examples=40)
@given(
    period=st.integers(1, 20).map(lambda k: k / 10),
    width=st.integers(0, 8).map(lambda k: k / 8),
    start=st.integers(-20, 20).map(lambda k: k / 8),
)
def test_any_pulse(pulses: saltus.Model, period: float, width: float, start: float) -> None:
    result = pulses.simulate(
        stop_time=3.01, set={"p.period": period, "p.width": width, "p.startTime": start}, interval=0.1
    )
    assert limit_error(result, "p.y", lambda t: pulse(t, period, width, start)) == 0


@pytest.fixture(scope="module")
def tables() -> saltus.Model:
    return saltus.load("""model M
      parameter Real points[6, 2] = [0, 0; 1, 1; 2, 2; 3, 3; 4, 4; 5, 5], start = 0;
      Saltus.Blocks.Sources.TimeTable once(table = points, startTime = start);
      Saltus.Blocks.Sources.TimeTable round(table = points, startTime = start, periodic = true);
    end M;""")


@settings(max_examples=40)
@given(
    times=st.lists(st.integers(0, 10), min_size=6, max_size=6).map(sorted).filter(lambda t: t[-1] > t[0]),
    values=st.lists(st.integers(-5, 5), min_size=6, max_size=6),
    start=st.integers(-30, 15).map(lambda k: k / 8),
)
def test_any_time_table(tables: saltus.Model, times: list[int], values: list[int], start: float) -> None:
    """Rows with equal times are jumps, also at the ends and when a table begins anew."""
    x, y = np.array(times) / 4, np.array(values, dtype=float)

    def line(t: Values) -> Values:
        k = np.searchsorted(x, t, side="right")  # rows that are past
        a, b = np.clip(k - 1, 0, 5), np.clip(k, 0, 5)
        share = np.where(x[b] > x[a], (t - x[a]) / np.where(x[b] > x[a], x[b] - x[a], 1), 0)
        return np.where(k == 0, y[0], np.where(k == 6, y[5], y[a] + share * (y[b] - y[a])))

    def again(t: Values) -> Values:
        here = t - start
        return np.where(here < x[0], y[0], line(x[0] + np.mod(here - x[0], x[-1] - x[0])))

    points = np.column_stack([x, y]).tolist()
    result = tables.simulate(stop_time=6.01, set={"points": points, "start": start}, interval=0.1)
    assert limit_error(result, "once.y", lambda t: line(t - start)) < 1e-6
    assert limit_error(result, "round.y", again) < 1e-6
