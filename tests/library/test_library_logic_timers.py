"""Timers, delays, pulses of given length, and what is between numbers and truth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from signal_limits import Values, jumps, limit_error

import saltus

COVERS = (
    "Saltus.Logic.Timer",
    "Saltus.Logic.OnDelay",
    "Saltus.Logic.OffDelay",
    "Saltus.Logic.Monoflop",
    "Saltus.Logic.Hysteresis",
    "Saltus.Logic.Greater",
    "Saltus.Logic.Less",
    "Saltus.Logic.Switch",
    "Saltus.Logic.BooleanToReal",
    "Saltus.Logic.RealToBoolean",
)

COUNT = 8

TIMED = f"""
model Timed
  import Saltus.Logic.*;
  parameter Real times[{COUNT}] = 1:{COUNT};
  parameter Boolean before = false;
  parameter Real span = 1;
  Sources.BooleanTable table(table = times, before = before);
  Timer timer(u = table.y);
  OnDelay on(delayTime = span, u = table.y);
  OffDelay off(delayTime = span, u = table.y);
  Monoflop mono(pulseTime = span, u = table.y), again(pulseTime = span, u = table.y, retriggerable = true);
  annotation(experiment(StopTime = 20, Interval = 0.5));
end Timed;
"""


@pytest.fixture(scope="module")
def timed() -> saltus.Model:
    return saltus.load(TIMED)


@settings(max_examples=50)
@given(
    times=st.lists(st.integers(1, 60), min_size=COUNT, max_size=COUNT, unique=True).map(sorted),
    before=st.booleans(),
    span=st.integers(1, 30),
)
def test_timers(timed: saltus.Model, times: list[int], before: bool, span: int) -> None:
    """Edges are at multiples of 0.25 s and spans half way between these, so that nothing coincides."""
    length = (span + 0.5) / 4
    result = timed.simulate(set={"times": [t / 4 for t in times], "before": before, "span": length})
    changes = [0.0, *(t / 4 for t in times), 20.0]
    stretches = [(a, b) for k, (a, b) in enumerate(itertools.pairwise(changes)) if (k % 2 == 1) != before]
    # What is true when, as pieces of time; those after the end of the run are cut off.
    on = [(a + length, b) for a, b in stretches if a + length < b]
    off = joined([(a, b + length) for a, b in stretches])
    single: list[tuple[float, float]] = []
    for a, _ in stretches:
        if a > 0 and (not single or a >= single[-1][1]):
            single.append((a, a + length))
    anew = joined([(a, a + length) for a, _ in stretches if a > 0])
    for name, pieces in (("on", on), ("off", off), ("mono", single), ("again", anew)):
        found = jumps(result, f"{name}.y")
        edges = [t for a, b in pieces for t in (a, b) if 0 < t < 20]
        assert [time for time, _ in found[1:]] == pytest.approx(edges, abs=1e-9), name
        assert found[0][1] == any(a <= 0 < b for a, b in pieces), name

    def since(t: Values) -> Values:
        """The time since the input has become true."""
        return np.sum([np.where((a <= t) & (t < b), t - a, 0) for a, b in stretches], axis=0)

    last = result.time[-1]
    assert limit_error(result, "timer.y", lambda t: since(np.minimum(t, last - 1e-9))) < 1e-8


def joined(pieces: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Pieces of time with those that overlap made one."""
    found: list[tuple[float, float]] = []
    for a, b in pieces:
        if found and a <= found[-1][1]:
            found[-1] = (found[-1][0], max(b, found[-1][1]))
        else:
            found.append((a, b))
    return found


def test_numbers_and_truth() -> None:
    text = """model M
      import Saltus.Logic.*;
      Real u = sin(time);
      Hysteresis hysteresis(low = -0.3, high = 0.6, u = u), on(low = -0.3, high = 0.6, y0 = true, u = u);
      Greater greater(threshold = 0.25, u = u);
      Less less(threshold = -0.5, u = u);
      RealToBoolean truth(u = u), again(u = number.y);
      BooleanToReal number(whenTrue = 3, whenFalse = -2, u = greater.y);
      Switch choice(u1 = u, u2 = 10*u, on = less.y);
      annotation(experiment(StopTime = 12, Tolerance = 1e-9));
    end M;"""
    result = saltus.load(text).simulate()
    turn = 2 * np.pi

    def rising(x: float) -> float:
        return float(np.arcsin(x)) % turn

    def falling(x: float) -> float:
        return float(np.pi - np.arcsin(x)) % turn

    expected = {
        "hysteresis.y": [rising(0.6), falling(-0.3), rising(0.6) + turn, falling(-0.3) + turn],
        "on.y": [falling(-0.3), rising(0.6) + turn, falling(-0.3) + turn],
        "greater.y": [rising(0.25), falling(0.25), rising(0.25) + turn, falling(0.25) + turn],
        "less.y": [falling(-0.5), rising(-0.5), falling(-0.5) + turn, rising(-0.5) + turn],
        "truth.y": [rising(0.5), falling(0.5), rising(0.5) + turn, falling(0.5) + turn],
    }
    for name, times in expected.items():
        found = jumps(result, name)
        assert [t for t, _ in found[1:]] == pytest.approx([t for t in times if t < 12], abs=1e-8), name
        assert found[0][1] == (name == "on.y"), name
    assert [value for _, value in jumps(result, "number.y")] == [-2, 3, -2, 3, -2]
    assert np.array_equal(result["again.y"], result["greater.y"])
    chosen = np.where(result["less.y"] == 1, 1, 10) * np.sin(result.time)
    assert np.abs(result["choice.y"] - chosen).max() < 1e-9
