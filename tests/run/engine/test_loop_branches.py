"""Where the solution that a run follows ends, it leaps to another one: amplifiers with positive feedback, and
relaxation oscillators whose periods are known in closed form."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import RunError
from saltus.result.files.eventlog import event_lines, json_lines
from saltus.result.log import records
from saltus.result.log.records import EventRecord, Records

TRIGGER = """
model Trigger "An amplifier with limits, part of whose output is fed back to its input"
  parameter Real A = 1000 "gain", V = 10 "limit", k = 0.25 "what is fed back";
  Real u = 5*cos(2*{PI}*time), d(start = -1), y(start = -10);
  Integer rises(start = 0, fixed = true);
equation
  d = k*y - u;
  y = noEvent(if A*d > V then V elseif A*d < -V then -V else A*d);
  when y > 0 then
    rises = pre(rises) + 1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 0.013));
end Trigger;
""".replace("{PI}", "3.141592653589793")

OSCILLATOR = """
model Oscillator "A capacitor that is charged by such an amplifier, to and fro"
  parameter Real A = 1000, V = 10, k = 0.5, tau = 0.1;
  Real x(start = 0, fixed = true) "at the capacitor", d(start = 1), y(start = 10);
equation
  tau*der(x) = y - x;
  d = k*y - x;
  y = noEvent(if A*d > V then V elseif A*d < -V then -V else A*d);
  annotation(experiment(StopTime = 1, Interval = 0.01));
end Oscillator;
"""

FOLDS = """
model Folds "The oscillator of van der Pol, without its fast state"
  Real x(start = 2/3, fixed = true), y(start = 2);
equation
  x = y^3/3 - y;
  der(x) = -y;
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end Folds;
"""


def leaps(result: saltus.Result) -> list[float]:
    return [e.time for e in result.events if e.kind == records.LEAP]


def test_a_trigger_leaps_at_its_thresholds() -> None:
    result = saltus.load(TRIGGER).simulate()
    # Both rails are left where the amplifier begins to amplify: |u| = k V - V / A.
    first = math.acos(-(0.25 * 10 - 0.01) / 5) / (2 * math.pi)
    expected = [first + n / 2 for n in range(4)]
    # Newton's method solves for d to 1e-9: that is 1e-6 of y, 2.5e-7 of u, which changes by 27 a second.
    assert np.allclose(leaps(result), expected, rtol=0, atol=1e-8)
    for n, event in enumerate(result.events[1:]):
        at = np.flatnonzero(result.time == event.time)
        rail = -10.0 if n % 2 == 0 else 10.0
        assert np.allclose(result["y"][at[[0, -1]]], [rail, -rail], rtol=1e-6)
    assert result["rises"][-1] == 2  # what depends on the output has its event with the leap
    assert len(result.events) == 5


@pytest.mark.parametrize("method", ["bdf", "adams", "rk45", "ida"])
@pytest.mark.parametrize("interval", [0.01, 0.3])
def test_a_relaxation_oscillator_has_its_period(method: str, interval: float) -> None:
    result = saltus.load(OSCILLATOR).simulate(method=method, tolerance=1e-8, interval=interval)
    far = 0.5 * 10 - 0.01  # where x turns round
    first, half = 0.1 * math.log(10 / (10 - far)), 0.1 * math.log((10 + far) / (10 - far))
    found = leaps(result)
    assert np.allclose(found, [first + n * half for n in range(9)], rtol=0, atol=2e-6)
    for n, time in enumerate(found):
        left, right = np.flatnonzero(result.time == time)[[0, -1]]
        rail = 10.0 if n % 2 == 0 else -10.0
        assert np.allclose(result["y"][[left, right]], [rail, -rail], rtol=1e-6)
        assert result["x"][left] == result["x"][right]  # states stay
        assert abs(result["x"][left] - math.copysign(far, rail)) < 1e-5


def test_a_smooth_fold_is_left_for_the_other_branch() -> None:
    result = saltus.load(FOLDS).simulate()
    # y' = -y / (y^2 - 1) from 2 to the fold at 1, where the equation has y = -2 too, and so on.
    half = 1.5 - math.log(2)
    found = leaps(result)
    assert np.allclose(found, [half * n for n in range(1, 5)], rtol=0, atol=1e-5)
    right = np.flatnonzero(result.time == found[0])[-1]
    assert abs(result["y"][right] + 2) < 1e-5


@pytest.mark.parametrize(
    "equation",
    [
        "y^4 + y^2 = 1 - time",
        "(y^2 - (1 - time))*((y - 5)^2 - (1 - time)) = 0",  # the other branch ends at the same instant
    ],
)
def test_without_another_solution_the_run_ends(equation: str) -> None:
    model = saltus.load(f"""
        model Ends
          Real y(start = 1), x(start = 0, fixed = true);
        equation
          {equation};
          der(x) = y;
          annotation(experiment(StopTime = 2, Interval = 0.01));
        end Ends;""")
    with pytest.raises(RunError, match="E403") as caught:
        model.simulate()
    partial = caught.value.partial
    assert partial is not None and 0.98 < partial.time[-1] < 1.0 + 1e-6
    assert not leaps(partial)
    assert np.all(np.isfinite(partial["x"]))


def test_a_leap_is_told() -> None:
    result = saltus.load(OSCILLATOR).simulate(stop_time=0.1)
    lines = list(event_lines(result))
    assert any(line.startswith("The solution followed for `d` and `y` ends here") for line in lines)
    (start, leap) = map(json.loads, json_lines(result))
    assert start["kind"] == "initial" and leap["kind"] == "leap"
    assert "`d` and `y`" in leap["causes"][0]["text"]


def test_a_leap_is_stored_and_loaded() -> None:
    written, read = Records(), Records()
    leap = EventRecord(0.5, records.LEAP, (), (), 3, 4, (), (("i", 2.0),), ("d", "y"))
    plain = EventRecord(0.7, records.TIME, (), (1,), 5, 6, ())
    written.append(leap)
    written.append(plain)
    read.load(written.stored())
    assert list(read) == [leap, plain]
