"""What events pass through: against modes and rounds that follow by hand from the equations; and a run is the
same with and without its steps."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import RunError
from saltus.result.result import Result
from saltus.run.course.course import Course
from saltus.run.resume.checkpoint import Checkpoint
from saltus.run.steps.keeper import StepKeeper
from translated_models import translated

CHAIN = """
model Chain "Each when-clause fires in the round after the one before it"
  Boolean a(start = false, fixed = true), b(start = false, fixed = true), c(start = false, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Real x(start = 1, fixed = true);
equation
  der(x) = 0;
  when time >= 0.5 then
    a = true;
    n = pre(n) + 1;
  end when;
  when pre(a) then
    b = true;
    m = 10*pre(n);
  end when;
  when pre(b) then
    c = true;
    reinit(x, pre(m) + 0.5);
  end when;
end Chain;
"""

CRADLE = """
model Cradle "One ball hits two that touch: it stops, the second hands the blow on, the third goes"
  Real x(start = -1, fixed = true), v[3](start = {2, 0, 0}, each fixed = true);
  Boolean first = x >= 0 and v[1] > v[2], second = v[2] > v[3];
equation
  der(x) = v[1];
  der(v) = zeros(3);
  when first then
    reinit(v[1], pre(v[2]));
    reinit(v[2], pre(v[1]));
  elsewhen second then
    reinit(v[2], pre(v[3]));
    reinit(v[3], pre(v[2]));
  end when;
end Cradle;
"""

LEAKY = """
model Leaky "A diode that leaks; its source is turned round"
  parameter Real G = 1e-3;
  Real v = if time < 1 then -10 else 10, i, u(start = 0, fixed = true);
  Boolean off = v - u < 0;
equation
  i = (v - u)*(if off then G else 1);
  der(u) = i;
end Leaky;
"""

#: In continuous conduction the diode blocks when the switch opens, as far as anybody knows.
BUCK = """
model Buck "ideal switch and diode"
  parameter Real Vin = 24, L = 1e-4, C = 1e-4, R = 1, T = 1e-4, duty = 0.5;
  Real i(start = 20, fixed = true), v(start = 12, fixed = true), x, sw, d, iD;
  Boolean closed(start = false, fixed = true), off;
  discrete Real opens(start = 0, fixed = true);
equation
  off = d < 0;
  Vin - x = if closed then 0 else sw;
  -x = if off then d else 0;
  iD = if off then 0 else d;
  i = (if closed then sw else 0) + iD;
  L*der(i) = x - v;
  C*der(v) = i - v/R;
  when sample(0, T) then
    opens = time + duty*T;
  end when;
  closed = time < opens;
end Buck;
"""


def values(result: Result, names: str, time: float) -> list[tuple[object, ...]]:
    """Kinds of the steps of an instant, with the values of variables."""
    columns = {name: result.steps[name] for name in names.split()}
    return [(s.kind, *(float(column[s.k]) for column in columns.values())) for s in result.steps.at(time)]


# ---------------------------------------------------------------- rounds


def test_each_round_of_a_chain_is_a_pinnacle() -> None:
    """The last but one changes what the last one sees: x is set when c becomes true, and follows a round
    later."""
    result = translated(CHAIN).simulate(steps=True)
    assert values(result, "a b c n m x", 0.5) == [
        ("left limit", 0, 0, 0, 0, 0, 1),
        ("pinnacle", 1, 0, 0, 1, 0, 1),
        ("pinnacle", 1, 1, 0, 1, 10, 1),
        ("pinnacle", 1, 1, 1, 1, 10, 1),
        ("continuous", 1, 1, 1, 1, 10, 10.5),
    ]


def test_a_blow_that_is_handed_on() -> None:
    result = translated(CRADLE).simulate(steps=True)
    assert values(result, "v[1] v[2] v[3] first second", 0.5) == [
        ("left limit", 2, 0, 0, 0, 0),
        ("pinnacle", 2, 0, 0, 1, 0),
        ("pinnacle", 0, 2, 0, 0, 1),
        ("continuous", 0, 0, 2, 0, 0),
    ]


def test_an_ordinary_event_passes_through_nothing() -> None:
    """A clock sets a variable: a second round confirms what the first one has come to."""
    source = "model M discrete Real u(start = 0); Real x(start = 0, fixed = true); equation der(x) = u - x; "
    source += "when sample(0, 0.25) then u = pre(u) + 1; end when; end M;"
    result = saltus.load(source).simulate(steps=True)
    assert set(result.steps.kind) == {"left limit", "continuous"}
    assert len(result.steps) == len(result)


@st.composite
def networks(draw: st.DrawFn) -> list[list[int]]:
    """Of each signal those before it that set it off, one at least; the first has none."""
    count = draw(st.integers(2, 7))
    return [[], *(draw(st.lists(st.integers(0, k - 1), min_size=1, max_size=3)) for k in range(1, count))]


@settings(max_examples=12)
@given(networks())
def test_signals_that_set_each_other_off(network: list[list[int]]) -> None:
    """Each a round after the first of those that set it off: breadth first."""
    clauses = [
        f"when {{{', '.join(f'pre(b[{j + 1}])' for j in own)}}} then b[{k + 1}] = true; end when;"
        for k, own in enumerate(network)
        if own
    ]
    n = len(network)
    source = f"""model Network
      Boolean b[{n}](each start = false, each fixed = true);
    equation
      when time >= 0.5 then b[1] = true; end when;
      {" ".join(clauses)}
    end Network;"""
    result = saltus.load(source).simulate(steps=True)
    levels = [0]
    for own in network[1:]:
        levels.append(1 + min(levels[j] for j in own))
    expected = [tuple(float(level < round_) for level in levels) for round_ in range(max(levels) + 2)]
    found = values(result, " ".join(f"b[{k + 1}]" for k in range(n)), 0.5)
    assert [numbers for _, *numbers in found] == [list(numbers) for numbers in expected]
    assert [kind for kind, *_ in found] == ["left limit", *["pinnacle"] * max(levels), "continuous"]


def blows(masses: list[int]) -> list[list[float]]:
    """The speeds of balls that touch, after each blow: the first two that approach each other throw each
    other back without a loss, until none do."""
    v = [2.0, *[0.0] * (len(masses) - 1)]
    found = [list(v)]
    while (k := next((k for k in range(len(v) - 1) if v[k] > v[k + 1]), None)) is not None:
        m, n, a, b = masses[k], masses[k + 1], v[k], v[k + 1]
        v[k], v[k + 1] = ((m - n) * a + 2 * n * b) / (m + n), ((n - m) * b + 2 * m * a) / (m + n)
        found.append(list(v))
    return found


@settings(max_examples=8)
@given(st.lists(st.integers(1, 6), min_size=3, max_size=4))
def test_balls_of_several_masses_throw_each_other_back(masses: list[int]) -> None:
    """Each blow is a round. Momentum and energy are those of the first ball at every step."""
    expected = blows(masses)
    assume(all(abs(a - b) > 1e-6 for v in expected[1:] for a, b in pairwise(v) if a or b))
    n = len(masses)

    def thrown(k: int, other: int) -> str:
        own, its = f"(m[{k}] - m[{other}])*pre(v[{k}])", f"2*m[{other}]*pre(v[{other}])"
        return f"reinit(v[{k}], ({own} + {its})/(m[{k}] + m[{other}]));"

    clauses = [f"when hit[{k}] then {thrown(k, k + 1)} {thrown(k + 1, k)} " for k in range(1, n)]
    first = [f"not hit[{j}] and " for j in range(1, n)]
    hits = [f"{''.join(first[: k - 1])}arrived and v[{k}] > v[{k + 1}]" for k in range(1, n)]
    source = f"""model Balls
      parameter Real m[{n}] = {{{", ".join(map(str, masses))}}};
      Real x(start = -1, fixed = true);
      Real v[{n}](start = {{{", ".join(["2", *"0" * (n - 1)])}}}, each fixed = true);
      Boolean arrived = x >= 0, hit[{n - 1}] = {{{", ".join(hits)}}};
    equation
      der(x) = v[1];
      der(v) = zeros({n});
      {"else".join(clauses)} end when;
    end Balls;"""
    result = saltus.load(source).simulate(steps=True, stop_time=0.6)
    found = values(result, " ".join(f"v[{k}]" for k in range(1, n + 1)), 0.5)
    speeds = np.array([numbers for _, *numbers in found])
    assert [kind for kind, *_ in found] == ["left limit", *["pinnacle"] * (len(expected) - 1), "continuous"]
    # The first pinnacle has the contact, and the speeds from before.
    np.testing.assert_allclose(speeds, [expected[0], *expected], atol=1e-12)
    weights = np.array(masses)
    np.testing.assert_allclose(speeds @ weights, 2.0 * masses[0], rtol=1e-12)
    np.testing.assert_allclose(speeds**2 @ weights, 4.0 * masses[0], rtol=1e-12)


# ---------------------------------------------------------------- modes that are tried


def test_a_mode_whose_values_contradict_it_in_one_program() -> None:
    result = translated(LEAKY).simulate(steps=True, tolerance=1e-10)
    steps = result.steps.at(1)
    assert [s.kind for s in steps] == ["left limit", "mythical", "continuous"]
    assert [s.mode for s in steps] == ["time < 1, off", "not time < 1, off", "not time < 1, not off"]
    u = -10 * (1 - np.exp(-1e-3))
    left, tried, right = (result.steps["i"][s.k] for s in steps)
    assert left == pytest.approx((-10 - u) * 1e-3, rel=1e-8)
    assert tried == pytest.approx((10 - u) * 1e-3, rel=1e-8)
    assert right == pytest.approx(10 - u, rel=1e-8)
    assert [result.steps["off"][s.k] for s in steps] == [1, 1, 0]
    at_once = result["i"][result.time == 1]
    assert len(at_once) == 2 and tried not in at_once  # it has no row in the result


def test_a_diode_that_commutates_with_an_impulse() -> None:
    """Were the diode to block when the switch opens, the current would end at once: L*der(i) = x - v says
    that the voltage would be an impulse of -L*i. Native code goes round that mode, and has no program for
    it."""
    model = saltus.load(BUCK)
    options = {"stop_time": 1e-3, "interval": 1e-5, "tolerance": 1e-9}
    result = model.simulate(**options, steps=True)
    steps, tried = result.steps, np.flatnonzero(result.steps.kind == "mythical")
    opening = tried[(steps["closed"][tried] == 0) & (steps["closed"][tried - 1] == 1)]
    assert len(opening) == 10  # one a period
    before = steps["i"][opening - 1]
    assert np.all(before > 5) and np.all(steps["i"][opening] == 0)
    np.testing.assert_allclose(steps.impulses("x")[opening], -1e-4 * before, rtol=1e-9)
    np.testing.assert_allclose(steps["i"][opening + 1], before, rtol=1e-12)
    assert np.all(steps["off"][opening] == 1) and np.all(steps["off"][opening + 1] == 0)
    assert set(steps.mode[opening]) == {"not closed, off"}
    assert result.statistics["programs"] == saltus.load(BUCK).simulate(**options).statistics["programs"]


def test_a_source_that_steps_leads_from_one_mode_to_the_next() -> None:
    """What the mode before would have with the new source is none that lies between."""
    source = LEAKY.replace("v = if time < 1 then -10 else 10", "v").replace(
        "i = (v", "when time >= 1 then v = 10; end when; i = (v"
    )
    source = source.replace("Real v, i", "discrete Real v(start = -10, fixed = true); Real i")
    result = saltus.load(source).simulate(steps=True, stop_time=2.0)
    assert [(s.kind, s.mode) for s in result.steps.at(1)] == [
        ("left limit", "off"),
        ("continuous", "not off"),
    ]


def test_modes_that_a_search_tries_are_not_passed_through() -> None:
    """Each of two switches turns the other off. With both off both would turn on, with both on both would
    turn off: that goes round in a circle, and a search finds what is right, one of them on."""
    source = """
    model FlipFlop
      Real x, y, s = if time < 0.5 then -10 else 0.5;
      Boolean p = x > 0, q = y > 0;
    equation
      x = s + (if q then -2 else 1);
      y = s + (if p then -2 else 1);
    end FlipFlop;"""
    result = saltus.load(source).simulate(steps=True)
    found = values(result, "p q", 0.5)
    assert found[:3] == [("left limit", 0, 0), ("mythical", 0, 0), ("mythical", 1, 1)]
    assert found[3:] in ([("continuous", 1, 0)], [("continuous", 0, 1)])


# ---------------------------------------------------------------- the run itself


DELAYED = """
model Delayed
  Real x(start = 1, fixed = true), y = delay(x, 0.1);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = -y + u;
  when sample(0, 0.15) then
    u = if x > 0.5 then -1 else 1;
  end when;
end Delayed;
"""

CLUTCHES = """
model Clutches "Bodies that are coupled two and two: structure that varies, followed by one program"
  Real w[4](start = {1, 2, 3, 5}, each fixed = true), tau[3];
  Boolean locked[3] = {sin((7 + k)*time) > 0.3 for k in 1:3};
equation
  for k in 1:4 loop
    k*der(w[k]) = (if k > 1 then tau[max(k - 1, 1)] else sin(5*time)) - (if k < 4 then tau[min(k, 3)] else 0);
  end for;
  for k in 1:3 loop
    0 = if locked[k] then w[k] - w[k + 1] else tau[k];
  end for;
end Clutches;
"""

BALL = """
model Ball "It comes to rest after infinitely many impacts"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;
"""

OPTIONS = {
    "chain": (CHAIN, {}),
    "cradle": (CRADLE, {}),
    "leaky": (LEAKY, {"stop_time": 2.0}),
    "buck": (BUCK, {"stop_time": 1e-3, "interval": 1e-5, "tolerance": 1e-8}),
    "buck, one step at a time": (BUCK, {"stop_time": 5e-4, "tolerance": 1e-6, "method": "rk45"}),
    "delayed": (DELAYED, {"stop_time": 2.0}),
    "clutches": (CLUTCHES, {"stop_time": 2.0}),
    "ball": (BALL, {"stop_time": 5.0, "zeno": "rest"}),
}


def assert_same_run(one: Result, other: Result) -> None:
    assert one.names == other.names
    for name in ("time", *one.names):
        assert one[name].tobytes() == other[name].tobytes(), name
    assert list(one.events) == list(other.events)
    assert repr(one.modes) == repr(other.modes)
    assert one.warnings == other.warnings
    # The second run finds the programs that the first one has compiled.
    of_process = {"seconds", "programs compiled during the run"}
    counted = [{k: n for k, n in r.statistics.items() if k not in of_process} for r in (one, other)]
    assert counted[0] == counted[1]


def assert_same_steps(one: Result, other: Result) -> None:
    ours, theirs = one.steps, other.steps
    assert list(ours) == list(theirs)
    for name in one.names:
        assert ours[name].tobytes() == theirs[name].tobytes(), name


@pytest.mark.parametrize("name", OPTIONS)
def test_a_run_is_the_same_with_its_steps(name: str) -> None:
    """To the last bit. Its rows are the steps that are left limits or continuous."""
    source, options = OPTIONS[name]
    plain = translated(source).simulate(**options)
    result = translated(source).simulate(**options, steps=True)
    assert_same_run(result, plain)
    rows = np.isin(result.steps.kind, ("left limit", "continuous"))
    for variable in ("time", *result.names):
        assert result.steps[variable][rows].tobytes() == plain[variable].tobytes()
    assert np.all(np.diff(result.steps.time) >= 0)


@pytest.mark.parametrize("name", ["chain", "cradle", "leaky", "buck", "clutches", "ball"])
def test_the_same_modes_where_python_does_all_events(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is gone through again at the end is what Python would have seen at once."""
    source, options = OPTIONS[name]
    native = translated(source).simulate(**options, steps=True)
    monkeypatch.setattr(Course, "_is_by_hand", lambda run, engine: True)
    by_hand = translated(source).simulate(**options, steps=True)
    assert native.steps.kind.tolist() == by_hand.steps.kind.tolist()
    assert native.steps.mode.tolist() == by_hand.steps.mode.tolist()
    for variable in native.names:
        np.testing.assert_allclose(native.steps[variable], by_hand.steps[variable], rtol=1e-4, atol=1e-5)


DICE = """
model Dice "A number is drawn, and another one in the next round"
  function begin
    input Integer seed;
    output Integer id;
  protected
    function set
      input Integer state[33];
      input Integer id;
      external "C" ModelicaRandom_setInternalState_xorshift1024star(state, size(state, 1), id);
    end set;
  algorithm
    set({seed*i for i in 1:33}, seed);
    id := seed;
  end begin;
  function drawn
    input Integer id;
    output Real y;
    external "C" y = ModelicaRandom_impureRandom_xorshift1024star(id);
  end drawn;
  parameter Integer id(fixed = false);
  discrete Real first(start = 0, fixed = true), second(start = 0, fixed = true);
  Boolean thrown(start = false, fixed = true);
initial equation
  id = begin(123457);
equation
  when sample(0.1, 0.1) then
    first = drawn(id);
    thrown = not pre(thrown);
  end when;
  when {pre(thrown), not pre(thrown)} then
    second = drawn(id);
  end when;
end Dice;
"""


@pytest.mark.parametrize("by_hand", [False, True])
def test_what_is_drawn_is_the_same(by_hand: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator's state is no number of the model: it is put back where something is done once more."""
    if by_hand:
        monkeypatch.setattr(Course, "_is_by_hand", lambda run, engine: True)
    plain = translated(DICE).simulate()
    result = translated(DICE).simulate(steps=True)
    assert_same_run(result, plain)
    assert len(set(plain["first"])) > 8
    passed = np.flatnonzero(result.steps.kind == "pinnacle")
    assert len(passed) >= 9
    for k in passed:  # what is drawn first is drawn, when the second is
        assert result.steps["first"][k] == result.steps["first"][k + 1]


def test_nothing_is_kept_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("nobody has asked")

    monkeypatch.setattr(StepKeeper, "__init__", refuse)
    result = translated(BUCK).simulate(stop_time=1e-4)
    assert result.passed is None


class Killed(BaseException):
    """The end of a process, in a test."""


class Deadly(Checkpoint):
    """Writes at the first opportunity, and ends the run."""

    def write(self, *arguments: object) -> None:
        super().write(*arguments)  # type: ignore[arg-type]
        raise Killed


@pytest.mark.parametrize("name", ["buck", "clutches", "ball"])
def test_a_run_that_goes_on_has_all_its_steps(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("LONGEST_STRETCH", "SHORTEST_STRETCH"):
        monkeypatch.setattr(f"saltus.run.simulate.{limit}", 150)
    source, options = OPTIONS[name]
    whole = translated(source).simulate(**options, steps=True, checkpoint=tmp_path / "whole")
    deaths = 0
    while True:
        try:
            saved = Deadly(tmp_path / "killed", seconds=0.0)
            result = translated(source).simulate(**options, steps=True, checkpoint=saved)
            break
        except Killed:
            deaths += 1
    assert deaths >= 1
    assert_same_run(result, whole)
    assert_same_steps(result, whole)


def test_a_run_that_fails_has_the_steps_until_then() -> None:
    source = CHAIN.replace("der(x) = 0;", 'der(x) = 0; assert(time < 0.75, "enough");')
    with pytest.raises(RunError) as caught:
        translated(source).simulate(steps=True)
    partial = caught.value.partial
    assert isinstance(partial, Result)
    assert [s.kind for s in partial.steps.at(0.5)].count("pinnacle") == 3


def test_a_run_that_does_not_begin_has_no_steps() -> None:
    """The start values suggest that the bodies are free. They are tied, and begin apart: the program that the
    run was to begin with is given up for another one, which cannot begin either."""
    source = """
    model M
      parameter Real p = 2;
      Real x(start = 1, fixed = true), y(start = p, fixed = true), f, z;
      Boolean tied = z > 0;
    equation
      der(x) = f;
      der(y) = -f;
      z = exp(x) - 1;
      0 = if tied then x - y else f;
    end M;"""
    with pytest.raises(RunError) as caught:
        saltus.load(source).simulate(steps=True)
    partial = caught.value.partial
    assert isinstance(partial, Result) and len(partial) == len(partial.steps) == 0


def test_ctrl_c_while_native_code_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is heard as soon as Python is, which is when an event is told of; native code cannot hand it on."""
    calls = []
    happens = StepKeeper._happens

    def interrupted(keeper: StepKeeper, *arguments: object) -> None:
        calls.append(arguments)
        if len(calls) == 5:
            raise KeyboardInterrupt
        happens(keeper, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(StepKeeper, "_happens", interrupted)
    result = translated(BUCK).simulate(stop_time=5e-3, steps=True)
    assert result.interrupted and result.time[-1] < 5e-3
    monkeypatch.undo()
    whole = translated(BUCK).simulate(stop_time=5e-3, steps=True)
    # All events that were noted have their steps, and those of other events were not taken for theirs.
    known = result.steps.time < result.steps.time[np.flatnonzero(result.steps.kind == "mythical")[-1] + 1]
    count = int(np.count_nonzero(known))
    assert np.count_nonzero(result.steps.kind == "mythical") >= 1
    assert result.steps["i"][:count].tobytes() == whole.steps["i"][:count].tobytes()


def test_others_hear_of_their_own_troubles() -> None:
    """While native code is at work somebody else may have something that cannot be raised."""
    heard: list[object] = []
    usual, sys.unraisablehook = sys.unraisablehook, lambda raised: heard.append(raised.exc_type)
    try:
        keeper = StepKeeper(None, lambda *_: None)  # type: ignore[arg-type]

        class Broken:
            def __del__(self) -> None:
                raise ValueError

        with keeper.listening():
            Broken()
        keeper.number(0, 0)
    finally:
        sys.unraisablehook = usual
    assert heard == [ValueError]
