"""The judge of rows: lets correct runs be, and finds what contradicts a relation.

Wrong results are made from correct ones, by changing a number in a row or by taking an event out of the log,
so that it is known what has to be found, whatever the engine does."""

from __future__ import annotations

import numpy as np
import pytest
from tools.obedience import judge as judge_module
from tools.obedience.judge import judged, violations

import saltus
from saltus.ir.structure import Leading
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


#: Two equal frictions hold a mass whose speed is known to ten tolerances, so the force of each is known to
#: these times the damping: where structure is found by numbers, too.
SHARED = """
model Shared "five frictions in two parts, so that their structure is found by numbers"
  parameter Real damping = 40, size = 30;
  Real u(start = size, fixed = true), w[2](each start = 0, each fixed = true), s[5], f[5];
  Boolean forward[5] = {s[k] > 1 for k in 1:5}, backward[5] = {s[k] < -1 for k in 1:5};
equation
  der(u) = -0.01*u;
  for j in 1:2 loop
    der(w[j]) = damping*u/1e3 - (if j == 1 then f[1] + f[2] else f[3] + f[4] + f[5]);
  end for;
  for k in 1:5 loop
    w[if k < 3 then 1 else 2] = if forward[k] then s[k] - 1 elseif backward[k] then s[k] + 1 else 0;
    f[k] = if forward[k] then 2 elseif backward[k] then -2 else 2*s[k];
  end for;
end Shared;
"""


def test_reach_where_structure_is_found_by_numbers() -> None:
    """A force that a friction has moves with the state from which it is computed, by as much as the friction's
    share: half of it each, a third of it each."""
    result = saltus.load(SHARED).simulate(stop_time=1, tolerance=1e-8)
    judge = judge_module._Judge(result, 1e-8, look=False)
    found = 0
    for part, places in judge.parts():
        if not any(isinstance(block, Leading) for block in part.structure.blocks):
            continue
        for k, r in enumerate(result.structure.relations):
            case = judge.case_of(k, part, places)
            share = 2 if r.text.startswith(("s[1]", "s[2]")) else 3
            assert case is not None
            reach = case.reach(np.arange(len(places)))
            force = 0.04 * result["u"][places]
            assert np.allclose(reach, force / share / 2.0, rtol=1e-9)
            found += 1
    assert found == 10
