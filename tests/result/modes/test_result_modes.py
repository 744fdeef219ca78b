"""The timeline of modes, of runs with one program and of runs that change programs."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from changing_programs import switched_off

import saltus
from saltus.core.diagnostics import UsageError
from saltus.result.result import Result


def run(text: str, **settings: object) -> Result:
    return saltus.load(text).simulate(tolerance=1e-9, **settings)


def values(result: Result) -> list[dict[str, object]]:
    return [{g.text: g.value for g in m.guards} for m in result.modes.visited]


def test_a_limiter_has_three_modes_and_switches_where_the_sine_says() -> None:
    result = run(
        """model Limiter
          Real x = 2*sin(time), y = if x > 1 then 1 elseif x < -1 then -1 else x;
        end Limiter;""",
        stop_time=10.0,
    )
    corner = math.asin(0.5)
    switches = [corner, math.pi - corner, math.pi + corner, 2 * math.pi - corner]
    switches += [s + 2 * math.pi for s in switches[:3]]
    starts, stops = ([getattr(s, end) for s in result.modes] for end in ("start", "stop"))
    assert starts == pytest.approx([0.0, *switches], abs=1e-7)
    assert stops == pytest.approx([*switches, 10.0], abs=1e-7)
    assert [s.mode.number for s in result.modes] == [1, 2, 1, 3, 1, 2, 1, 3]
    assert values(result) == [
        {"x > 1": False, "x < -1": False},
        {"x > 1": True, "x < -1": False},
        {"x > 1": False, "x < -1": True},
    ]
    assert str(result.modes.visited[1]) in ("x > 1, not x < -1", "not x < -1, x > 1")


def test_times_and_durations_of_a_timeline() -> None:
    result = run("model M Real x = if time > 0.25 then time else 0; end M;")
    before, after = result.modes.visited
    assert result.modes.at(0.1) is before and result.modes.at(0.25) is after is result.modes.at(1.0)
    assert result.modes.duration(before) == 0.25 and result.modes.duration(after) == 0.75
    assert result.modes.bounds.tolist() == [0.0, 0.25, 1.0] and result.modes.numbers.tolist() == [1, 2]
    with pytest.raises(UsageError, match="from time 0 to 1, and 2 is outside"):
        result.modes.at(2.0)


@pytest.mark.parametrize(
    "equation",
    ["der(x) = -x", "der(x) = noEvent(if x > 0.5 then -x else 0)", "der(x) = -n"],
)
def test_without_guards_there_is_one_mode(equation: str) -> None:
    """Also where a relation decides a when-clause only, and where a discrete variable is just an input."""
    result = run(
        f"""model M Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true);
        equation {equation}; when x < 0.7 or time > 0.5 then n = pre(n) + 1; end when; end M;"""
    )
    (stay,) = result.modes
    assert (stay.start, stay.stop) == (0.0, 1.0) and stay.mode.guards == () and str(stay.mode) == "no guards"
    assert stay.mode.states == ("x",) and stay.mode.index == 0 and stay.mode.largest_block == 1


def test_guards_that_are_variables() -> None:
    """A Boolean, an enumeration in a condition, an Integer that multiplies, a discrete Real compared."""
    result = run(
        """model M
          type Phase = enumeration(rise, fall);
          parameter Real limit = 0.35;
          Phase phase = if time < 0.55 then Phase.rise else Phase.fall;
          Boolean on = time > 0.75;
          discrete Real u(start = 0, fixed = true);
          Integer m = if time > 0.15 then 1 else 0;
          Real x(start = 0, fixed = true), y, s, z;
        equation
          when sample(0.1, 0.1) then u = pre(u) + 0.1; end when;
          der(x) = if phase == Phase.rise then 1 else -1;
          y = if u > limit then x else 2*x;
          z = if on then y else x;
          0 = m*s + (m - 1)*(s - x);
        end M;""",
        set={"limit": 0.25},
    )
    told = [(s.start, {g.text: g.value for g in s.mode.guards}) for s in result.modes]
    start = {"u > limit": False, "m": 0, "phase": "rise", "on": False}
    assert told[0] == (0.0, start)
    changes = [(t, {k: v for k, v in new.items() if v != old[k]}) for (_, old), (t, new) in pairwise(told)]
    assert [c for _, c in changes] == [{"m": 1}, {"u > limit": True}, {"phase": "fall"}, {"on": True}]
    assert [t for t, _ in changes] == pytest.approx([0.15, 0.3, 0.55, 0.75])


def test_a_mode_passed_through_at_one_instant() -> None:
    """`k` is true in one round that is committed, and false in the next one."""
    result = run(
        """model M Boolean k(start = false, fixed = true); Real x(start = 0, fixed = true);
        equation when {time >= 0.5, pre(k)} then k = not pre(k); end when;
        der(x) = if k then 100 else 1; end M;"""
    )
    assert [(s.start, s.stop, s.mode.guards[0].value) for s in result.modes] == [
        (0.0, 0.5, False), (0.5, 0.5, True), (0.5, 1.0, False),
    ]  # fmt: skip
    assert result.modes.numbers.tolist() == [1, 1] and result.modes.at(0.5).number == 1


def test_sliding_is_a_mode_of_its_own() -> None:
    """x reaches zero, where it is held until 1.2*abs(sin(time)) is greater than 1."""
    result = run(
        """model M Real x(start = 1, fixed = true); equation
        der(x) = (if x > 0 then -1 else 1) + 1.2*sin(time); end M;""",
        stop_time=4.5,
    )
    lasting = [s for s in result.modes if s.stop - s.start > 1e-3]
    assert [s.mode.guards[0].value for s in lasting] == [True, "sliding", False]
    assert lasting[1].stop == pytest.approx(math.pi + math.asin(1 / 1.2), abs=1e-6)
    assert str(lasting[1].mode) == "sliding on x > 0" and len(lasting[1].mode.states) == 0


def test_other_states_are_no_other_mode() -> None:
    """A pendulum that goes over the top changes its states many times."""
    result = run(
        """model Pendulum Real x(start = 1), y(start = 0, fixed = true), vx, vy(start = -7, fixed = true), F;
        equation der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = 1;
        end Pendulum;""",
        stop_time=3.0,
    )
    assert result.statistics["programs"] > 1
    (stay,) = result.modes
    assert stay.mode.index == 3 and len(stay.mode.states) == 2 and stay.mode.largest_block >= 3


def test_programs_that_change_with_the_mode() -> None:
    result = switched_off()
    assert [(s.start, s.stop, s.mode.number) for s in result.modes] == [(0, 1, 1), (1, 3, 2), (3, 4, 1)]
    closed, opened = result.modes.visited
    assert closed.states == ("i",) and opened.states == ()
    assert (closed.index, opened.index) == (0, 2)
    assert closed.open == () and opened.open == ("u",)  # hidden ones are not told
    assert [(g.text, g.value, g.fixed) for g in opened.guards] == [("open", True, True)]
    assert opened.why and str(closed) == "not open" and opened.structure.states == ()


def test_rows_in_which_a_variable_is_open() -> None:
    result = switched_off()
    assert result.undetermined("u").tolist() == [False] * 3 + [True] * 3 + [False] * 2
    assert not result.undetermined("load.j").any() and not result.undetermined("open").any()
    with pytest.raises(KeyError):
        result.undetermined("nothing")


def test_the_table_is_plain_data() -> None:
    result = switched_off()
    rows = json.loads(json.dumps(result.modes.table()))
    assert rows[1] == {
        "start": 1.0, "stop": 3.0, "mode": 2, "guards": {"open": True}, "fixed": ["open"], "states": [],
        "index": 2, "largest_block": 1, "open": ["u"],
    }  # fmt: skip
    frame = result.modes.to_pandas()
    assert frame["mode"].tolist() == [1, 2, 1] and frame["states"].tolist() == [["i"], [], ["i"]]


def test_the_text_of_a_timeline() -> None:
    lines = repr(switched_off().modes).splitlines()
    assert lines[0] == "<2 modes, 3 stays>"
    assert lines[1].split() == ["mode", "states", "index", "largest", "block", "guards"]
    assert lines[3].split() == ["2", "0", "2", "1", "open"]
    assert [line.split() for line in lines[4:]] == [
        ["from", "to", "mode"], ["0", "1", "1"], ["1", "3", "2"], ["3", "4", "1"],
    ]  # fmt: skip


def test_ten_thousand_changes_follow_each_other() -> None:
    result = run(
        """model M Real x(start = 0, fixed = true); Boolean b(start = false, fixed = true);
        equation when sample(1e-4, 1e-4) then b = not pre(b); end when;
        der(x) = if b then 1 else -1; end M;""",
    )
    modes = result.modes
    assert len(modes) == 10_001 and len(modes.visited) == 2
    np.testing.assert_allclose([s.start for s in modes], 1e-4 * np.arange(10_001), rtol=1e-12)
    assert all(a.stop == b.start for a, b in pairwise(modes))
    assert [modes.duration(m) for m in modes.visited] == pytest.approx([0.5, 0.5], abs=1e-9)
    assert repr(modes).endswith("  ... and 9981 more")


def test_many_guards_are_told_by_the_few_that_differ() -> None:
    result = run(
        """model M Boolean b[8] = {time > 0.1*k for k in 1:8}; Real x[8](each start = 0, each fixed = true);
        equation for k in 1:8 loop der(x[k]) = if b[k] then 1 else 0; end for; end M;"""
    )
    told = [m.brief for m in result.modes.visited]
    assert told[:3] == ["none", "b[1]", "b[1], b[2]"]
    assert told[-3:] == ["all but b[7], b[8]", "all but b[8]", "all"]
    assert "all but b[7], b[8]\n" in repr(result.modes)
    assert str(result.modes.visited[0]).count("not b[") == 8
