"""The judge of rows: lets correct runs be, and finds what contradicts a relation.

Wrong results are made from correct ones, by changing a number in a row or by taking an event out of the log,
so that it is known what has to be found, whatever the engine does."""

from __future__ import annotations

import numpy as np
import pytest
from tools.differential import judge as runs
from tools.differential.families.circuits import Signal
from tools.differential.families.friction import Joint, Mechanism, mechanism_case
from tools.obedience.judge import judged, violations

import saltus
from saltus.result.result import Result

BALL = """
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean falls = v < 0;
  Boolean late = time >= 0.6;
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end Ball;
"""

RELAY = """
model Relay
  Real x(start = 0.1, fixed = true);
equation
  der(x) = 2*sin(time) - (if x > 0 then 1 else -1);
end Relay;
"""

RECTIFIER = """
model Rectifier
  Real i(start = 0, fixed = true), u, s;
  Boolean blocks = s < 0;
equation
  10*sin(2*3.141592653589793*time) = 0.1*der(i) + u + 5*i;
  u = if blocks then s else 0;
  i = if blocks then 0 else s;
end Rectifier;
"""

AT_REST = """
model AtRest "both relations are zero at the start; the second leaves it to a side that no log tells"
  Real x(start = 0, fixed = true), s = x - 1;
  Boolean above = s + 1 >= 0, b = x > 0;
equation
  der(x) = 1;
end AtRest;
"""

STAIRS = """
model Stairs
  Real x(start = 0.3, fixed = true);
  Integer n = integer(3*x);
  Real y = mod(time, 0.4);
equation
  der(x) = cos(5*time);
end Stairs;
"""


@pytest.mark.parametrize("method", ["bdf", "rk45"])
@pytest.mark.parametrize("text", [BALL, RELAY, RECTIFIER, AT_REST, STAIRS], ids=lambda text: text.split()[1])
def test_correct_runs_obey(text: str, method: str) -> None:
    model = saltus.load(text)
    result = model.simulate(stop_time=1.2, tolerance=1e-8, max_step=1e-2, method=method)
    judgement = judged(result, 1e-8)
    assert judgement.violations == []
    assert judgement.unseen == []
    # On a surface its relation is not in force, and the two that say that it stays are.
    assert judgement.looked_at >= len(result)


def ball() -> Result:
    return saltus.load(BALL).simulate(stop_time=1.2, tolerance=1e-8)


def put(result: Result, name: str, row: int, value: float) -> None:
    """Another number in a row."""
    part, local = result.recording.locate(row)
    part.rows.values[local, part.columns[name]] = value


def test_changed_number_is_found() -> None:
    result = ball()
    row = int(np.searchsorted(result.time, 0.2))
    put(result, "h", row, -1e-9)
    assert violations(result, 1e-8) == [(result.time[row], row, "h <= 0", -1e-9, False)]
    put(result, "h", row, -1e-11)  # zero within the band
    assert violations(result, 1e-8) == []


def test_left_limit_is_let_be_within_the_digits_of_time_only() -> None:
    result = ball()
    row = next(r.left for r in result.records if r.fired == (2,))
    assert abs(result["h"][row]) < 1e-12
    put(result, "h", row, -1e-10 - 1e-15)  # the ball falls with 4.4 m/s
    assert violations(result, 1e-8) == []
    put(result, "h", row, -1e-10 - 1e-13)
    assert [v.row for v in violations(result, 1e-8)] == [row]
    put(result, "h", row, 0.0)
    put(result, "v", row, 1e-9)  # a relation that has no part in the event
    assert [v.relation for v in violations(result, 1e-8)] == ["v < 0"]


def test_event_that_is_not_in_the_log_is_found() -> None:
    result = ball()
    lost = next(k for k, r in enumerate(result.records) if r.fired == (0,) and r.time > 0.5)
    event = result.records[lost]
    kept = [r for k, r in enumerate(result.records) if k != lost]
    found = violations(
        Result(recording=result.recording, values={}, records=kept, warnings=[], statistics={}), 1e-8
    )
    # From the top of the first hop to the second impact the ball falls, which nobody has noticed.
    after = next(r for r in kept if r.time > event.time and r.fired == (2,))
    falling = [k for k in range(event.right, after.left + 1) if result["v"][k] < -1e-10]
    assert len(falling) > 10
    assert [v.row for v in found] == falling
    assert all(v.relation == "v < 0" and v.truth is False for v in found)


def test_rows_of_modes_are_looked_at() -> None:
    result = saltus.load(RECTIFIER).simulate(stop_time=1.2, tolerance=1e-8)
    row = int(np.searchsorted(result.time, 0.9))
    assert result["blocks"][row] == 1.0
    put(result, "s", row, 0.5)
    assert [(v.row, v.truth) for v in violations(result, 1e-8)] == [(row, True)]


def test_errors_of_states_where_structure_is_found_by_numbers() -> None:
    """Springs of 79 and 73 N/m press two frictions that stick beside each other. What is known of positions
    to a tolerance is known of their forces to so many tolerances, and a row in which one of them is beyond
    its limit by less is right. (Radau steps agree with the run.) More than that is not."""
    mechanism = Mechanism(
        [0.37, 1.41, 0.955],
        [0.0, 0.0, -2.5],
        [
            Joint("spring", "spring1", 1, 0, 72.8, 0.0),
            Joint("spring", "spring2", 2, 1, 10.4, 0.0),
            Joint("spring", "spring3", 3, 2, 78.9, 0.0),
            Joint("friction", "friction1", 2, 1, 3.2, 0.344),
            Joint("friction", "friction2", 1, 0, 3.5),
            Joint("friction", "friction3", 1, 0, 1.26),
        ],
        [
            (1, Signal("(if time < 2.149 then 0 else -6.42)", _late_push, (2.149,))),
            (3, Signal("-2.58*sin(3.976*time)", lambda t: -2.58 * np.sin(3.976 * t))),
        ],
    )
    case = mechanism_case(mechanism, "curve", 4.0)
    model = saltus.load(case.text)
    verdict = runs.judged(case, model, "bdf", 1e-9)
    assert verdict.verdict == "agree", verdict.text
    result = model.simulate(stop_time=4, interval=0.1, tolerance=1e-9)
    judgement = judged(result, 1e-9)
    assert judgement.violations == [] and judgement.exempted["room"][0] > 0
    put(result, "friction3.s", int(np.argmin(np.abs(result.time - 3.4))), -1 + 1e-5)
    assert [v.relation for v in violations(result, 1e-9)] == ["friction3.s < -1"]


def test_room_of_an_event_long_ago() -> None:
    """Two masses lock while they are faster than when they part: what is known of their speeds by then is
    what it was when they locked. (Radau steps agree with the run.)"""
    mechanism = Mechanism(
        [0.457, 1.24, 2.36],
        [0.0, -2.25, -2.51],
        [
            Joint("spring", "spring1", 1, 0, 7.23, 0.0),
            Joint("spring", "spring2", 2, 0, 1.01, 0.0),
            Joint("spring", "spring3", 3, 1, 4.29, 0.149),
            Joint("friction", "friction1", 1, 0, 1.08, 0.0132),
            Joint("friction", "friction2", 2, 0, 3.83),
            Joint("friction", "friction3", 2, 3, 0.785, 0.429),
            Joint("friction", "friction4", 1, 3, 3.0),
        ],
        [
            (1, Signal("(if time < 0.641 then 0 else -5.02)", _push, (0.641,))),
            (2, Signal("7.34*sin(5.975*time + 3.17)", lambda t: 7.34 * np.sin(5.975 * t + 3.17))),
        ],
    )
    case = mechanism_case(mechanism, "phases", 4.0)
    verdict = runs.judged(case, saltus.load(case.text), "bdf", 1e-9)
    assert verdict.verdict == "agree", verdict.text


def _push(t: np.ndarray) -> np.ndarray:
    return np.where(t < 0.641, 0.0, -5.02)


def _late_push(t: np.ndarray) -> np.ndarray:
    return np.where(t < 2.149, 0.0, -6.42)
