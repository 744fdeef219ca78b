"""Modes are local: of independent parts each does what it does alone, by one program for all of them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.analyse.analysis import Analysis
from saltus.analyse.modes import following
from saltus.expr.traversal import leaves
from saltus.ir.sorted.blocks import Switched, block_expressions
from saltus.ir.sorted.modes import Mode
from saltus.ir.structure import Structure
from saltus.run.engine.engine import Engine
from saltus.run.modes.choices import Choices, NotFollowed

RECTIFIER = """
model Rectifier
  parameter Real f = 50, L = 0.02;
  Real i(start = 0, fixed = true), u, s, v;
  Boolean off = s < 0;
equation
  10*sin(6.283185307179586*f*time) = v + 5*i + u;
  L*der(i) = v;
  u = if off then s else 0;
  i = if off then 0 else s;
end Rectifier;
"""

FRICTION = """
model Friction
  parameter Real f = 1, L = 0.5;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), r, s;
equation
  der(x) = v;
  L*der(v) = 3*sin(6.283185307179586*f*time) - 20*x - r;
  v = if s > 1 then s - 1 elseif s < -1 then s + 1 else 0;
  r = if s > 1 then 1 + 0.1*(s - 1) elseif s < -1 then -1 + 0.1*(s + 1) else s;
end Friction;
"""

#: Two inertias that are locked together at some times: then one speed follows from the other, and the torque
#: has an impulse.
CLUTCH = """
model Clutch
  parameter Real f = 1, L = 2;
  Real w1(start = 0, fixed = true), w2(start = 1, fixed = true), tau;
  Boolean locked = sin(6.283185307179586*f*time) > 0.3;
equation
  L*der(w1) = 3*cos(time) - w1 - tau;
  3*der(w2) = tau - w2;
  0 = if locked then w1 - w2 else tau;
end Clutch;
"""

#: A mass on a rope: slack it moves freely, taut it stops with an impulse.
ROPE = """
model Rope
  parameter Real f = 1, L = 1;
  Real x(start = 0.2, fixed = true), v(start = 0, fixed = true), force(start = 0);
  Boolean taut(start = false, fixed = true);
equation
  der(x) = v;
  L*der(v) = 4*sin(6.283185307179586*f*time) + 0.5 - force;
  when x >= 1 then
    taut = true;
  elsewhen force < 0 then
    taut = false;
  end when;
  0 = if taut then v else force;
end Rope;
"""

#: What follows from an equation while it sticks is reinitialised.
HAMMER = """
model Hammer
  parameter Real at = 0.7;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), r, s;
equation
  der(x) = v;
  der(v) = 0.5*sin(3*time) - r;
  v = if s > 1 then s - 1 elseif s < -1 then s + 1 else 0;
  r = if s > 1 then 1 elseif s < -1 then -1 else s;
  when time > at then
    reinit(v, 3);
  end when;
end Hammer;
"""

#: Slides along a surface.
SLIDE = """
model Slide
  Real x(start = 1, fixed = true);
equation
  der(x) = (if x > 0.2*sin(time) then -1 else 1) + 0.3*cos(2*time);
end Slide;
"""

#: Two switches of which one alone is enough to interrupt a current; with both open something is left open.
SERIES = """
model Series
  parameter Real f = 7;
  Real i(start = 0, fixed = true), u1, i1, u2, ud, id, s, v;
  Boolean a = sin(f*time) > 0, b = sin(1.7*f*time) > -0.3, off = s < 0;
equation
  10 = u1 + u2 + v + 1*i;
  0 = if a then u1 else i1;
  0 = if b then u2 else i1;
  i1 + id = i;
  0.1*der(i) = v;
  ud = -(v + i);
  ud = if off then s else 0;
  id = if off then 0 else s;
end Series;
"""

#: While a diode conducts, the voltage of its capacitor is that of the source.
PEAK = """
model Peak
  parameter Real f = 5;
  Real u(start = 0, fixed = true), i, s, d;
  Boolean off = s < 0;
equation
  0.1*der(u) = i - u/3;
  d = 5*sin(f*time) - u;
  d = if off then s else 0;
  i = if off then 0 else s;
end Peak;
"""

#: Diodes that share a load: each is a component, but what one does changes the values that others see.
LOAD = """
model Load
  Real i[3](each start = 0, each fixed = true), u[3], s[3], V;
  Boolean off[3];
equation
  V = 2*sum(i);
  for k in 1:3 loop
    10*sin((5 + k)*time) = 0.2*der(i[k]) + i[k] + u[k] + V;
    off[k] = s[k] < 0;
    u[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
end Load;
"""

#: Masses with friction, joined by dampers: speeds that follow from equations are needed by others.
DAMPERS = """
model Dampers
  Real v[4](each start = 0, each fixed = true), f[4], s[4], d[5];
equation
  d[1] = 6*sin(3*time);
  d[5] = 0;
  for k in 2:4 loop
    d[k] = 2*(v[k - 1] - v[k]);
  end for;
  for k in 1:4 loop
    der(v[k]) = d[k] - d[k + 1] - f[k];
    v[k] = if s[k] > 1 then s[k] - 1 elseif s[k] < -1 then s[k] + 1 else 0;
    f[k] = if s[k] > 1 then 1 elseif s[k] < -1 then -1 else s[k];
  end for;
end Dampers;
"""

TOGETHER = {
    "hammers": (HAMMER, "Hammer a(at = 0.7), b(at = 1.9);", 6.0),
    "hammer and rectifiers": (
        HAMMER + RECTIFIER,
        "Hammer a; Rectifier r(f = 1, L = 0.2), q(f = 1.3, L = 0.2);",
        4.0,
    ),
    "sliding beside rectifiers": (
        SLIDE + RECTIFIER,
        "Slide a; Rectifier r(f = 1, L = 0.2), q(f = 1.3, L = 0.2);",
        2.0,
    ),
    "switches in series beside rectifiers": (
        SERIES + RECTIFIER,
        "Series a; Rectifier r(f = 1, L = 0.2), q(f = 1.3, L = 0.2);",
        2.0,
    ),
    "peaks": (PEAK, "Peak a(f = 5), b(f = 7.3);", 3.0),
    "a common load": (LOAD, "Load a;", 3.0),
    "dampers": (DAMPERS, "Dampers a;", 5.0),
    "all kinds": (CLUTCH + ROPE + FRICTION, "Clutch c, d(f = 1.7); Rope r; Friction f;", 3.0),
}

PARTS = {"Rectifier": RECTIFIER, "Friction": FRICTION, "Clutch": CLUTCH, "Rope": ROPE}
LENGTH = {"Rectifier": 0.05, "Friction": 2.0, "Clutch": 2.5, "Rope": 4.0}
WATCHED = {"Rectifier": ("i", "u"), "Friction": ("x", "v", "r"), "Clutch": ("w1", "w2"), "Rope": ("x", "v")}


def without_following(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on each combination of guards has a program of its own."""
    monkeypatch.setattr(following, "LEAST_GROUPS", 1000)
    monkeypatch.setattr(following, "LEAST_GUARDS", 1000)


def copies(part: str, parameters: list[tuple[float, float]]) -> str:
    """A model of independent parts."""
    names = [f"  {part} part{k}(f = {f}, L = {size});" for k, (f, size) in enumerate(parameters)]
    return "\n".join([PARTS[part], "model Copies", *names, "end Copies;"])


def events_of(result: saltus.Result, part: str = "") -> np.ndarray:
    """When the equations of a part changed."""
    found = [
        event.time
        for event in result.events
        if event.restructured is not None and any(part in cause.text for cause in event.causes)
    ]
    return np.array(found)


def sampled(result: saltus.Result, name: str, times: np.ndarray) -> np.ndarray:
    return np.interp(times, result.time, result[name])


@pytest.mark.parametrize("part", PARTS)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_copies_do_what_the_single_one_does(part: str, data: st.DataObject) -> None:
    base = 50.0 if part == "Rectifier" else 1.0
    factors = st.floats(0.6, 1.7).map(lambda x: round(base * x, 3))
    sizes = st.sampled_from((0.02, 0.05)) if part == "Rectifier" else st.sampled_from((0.7, 1.3))
    parameters = data.draw(st.lists(st.tuples(factors, sizes), min_size=2, max_size=3, unique=True))
    stop = LENGTH[part]
    together = saltus.load(copies(part, parameters)).simulate(stop_time=stop, tolerance=1e-8)
    alone = saltus.load(PARTS[part])
    times = np.linspace(0.0, stop, 57)
    for k, (f, size) in enumerate(parameters):
        single = alone.simulate(stop_time=stop, tolerance=1e-8, set={"f": f, "L": size})
        own = events_of(together, f"part{k}.")
        expected = events_of(single)
        assert len(own) == len(expected)
        assert np.abs(own - expected).max(initial=0.0) <= 1e-5 * stop
        away = np.abs(times[:, None] - expected[None, :]).min(axis=1, initial=stop) > 1e-3 * stop
        for name in WATCHED[part]:
            have = sampled(together, f"part{k}.{name}", times[away])
            wanted = sampled(single, name, times[away])
            size_of = np.abs(single[name]).max()
            assert np.abs(have - wanted).max() <= 2e-3 * size_of, name


@pytest.mark.parametrize("part", PARTS)
def test_number_of_programs_does_not_depend_on_copies(part: str) -> None:
    base = 50.0 if part == "Rectifier" else 1.0
    counts = []
    for n in (2, 6):
        text = copies(part, [(base * (1 + 0.07 * k), 0.7) for k in range(n)])
        result = saltus.load(text).simulate(stop_time=LENGTH[part])
        counts.append(result.statistics["programs"])
    assert counts[0] == counts[1] <= 3


@pytest.mark.parametrize("part", PARTS)
def test_a_program_for_each_combination_comes_to_the_same(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    base = 50.0 if part == "Rectifier" else 1.0
    text = copies(part, [(base * (1 + 0.31 * k), 0.7) for k in range(3)])
    local = saltus.load(text).simulate(stop_time=LENGTH[part], tolerance=1e-8)
    without_following(monkeypatch)
    whole = saltus.load(text).simulate(stop_time=LENGTH[part], tolerance=1e-8)
    assert whole.statistics["programs"] > local.statistics["programs"]
    for one, other in zip(local.events, whole.events, strict=True):
        assert abs(one.time - other.time) <= 1e-6 * LENGTH[part]
        assert [c.text for c in one.causes] == [c.text for c in other.causes]
        told = [r and (r.given_up, r.gained) for r in (one.restructured, other.restructured)]
        assert told[0] == told[1]
        weights = [{i.name: round(i.weight, 4) for i in event.impulses} for event in (one, other)]
        assert weights[0] == weights[1]
    for stay, other_stay in zip(local.modes, whole.modes, strict=True):
        assert stay.mode.states == other_stay.mode.states
        assert stay.mode.index == other_stay.mode.index
        assert {g.text: g.value for g in stay.mode.guards} == {
            g.text: g.value for g in other_stay.mode.guards
        }


@pytest.mark.parametrize("name", TOGETHER)
def test_parts_of_different_kinds_come_to_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a program for each combination."""
    text, stop = together(name)
    local = saltus.load(text).simulate(stop_time=stop, tolerance=1e-8)
    without_following(monkeypatch)
    whole = saltus.load(text).simulate(stop_time=stop, tolerance=1e-8)
    # Along a surface each combination has a program of its own, and an event there asks in one without the
    # surface whether it leads to another mode.
    fewer = local.statistics["programs"] < whole.statistics["programs"]
    assert fewer or (name == "sliding beside rectifiers" and local.statistics["programs"] == 8)
    compare(local, whole, stop)


@pytest.mark.parametrize("name", TOGETHER)
def test_structure_by_numbers_comes_to_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a program for each combination."""
    text, stop = together(name)
    without_following(monkeypatch)
    whole = saltus.load(text).simulate(stop_time=stop, tolerance=1e-8)
    monkeypatch.setattr(following, "LEAST_GUARDS", 1)
    one = saltus.load(text).simulate(stop_time=stop, tolerance=1e-8)
    assert any(program.signature is not None for program in one.programs)
    compare(one, whole, stop)


@pytest.mark.parametrize("name", ["hammers", "a common load", "dampers"])
def test_a_run_may_stop_following(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it comes to a mode in which no program follows guards, each combination has one from then on."""
    text, stop = together(name)
    model, refusals = saltus.load(text), []
    in_mode = Choices.in_mode

    def refusing(self: Choices, *arguments: Any) -> Engine:
        if any(engine.structure.local for engine in self.followed.values()) and not refusals:
            refusals.append(True)
            raise NotFollowed
        return in_mode(self, *arguments)

    monkeypatch.setattr(Choices, "in_mode", refusing)
    stopped = model.simulate(stop_time=stop, tolerance=1e-8)
    assert refusals
    monkeypatch.undo()
    without_following(monkeypatch)
    compare(stopped, saltus.load(text).simulate(stop_time=stop, tolerance=1e-8), stop)


def together(name: str) -> tuple[str, float]:
    """A model of different parts, and how long it is simulated."""
    classes, parts, stop = TOGETHER[name]
    return f"{classes}\nmodel Whole\n  {parts}\nend Whole;\n", stop


def compare(local: saltus.Result, whole: saltus.Result, stop: float) -> None:
    """Two runs of a model have the same events and states."""
    times = [np.array([event.time for event in run.events]) for run in (local, whole)]
    assert len(times[0]) == len(times[1])
    assert np.abs(times[0] - times[1]).max() <= 1e-6 * stop
    points = np.linspace(0.0, stop, 211)
    away = np.abs(points[:, None] - times[1][None, :]).min(axis=1) > 1e-4 * stop
    for variable in whole.structure.states:
        have, wanted = (np.interp(points[away], run.time, run[variable.name]) for run in (local, whole))
        assert np.abs(have - wanted).max() <= 1e-5 * (1e-6 + np.abs(wanted).max()), variable.name


# ---------------------------------------------------------------- blocks


def followed(text: str) -> tuple[Analysis, Structure]:
    """The analysis of a model, and the one program for its modes."""
    translation = saltus.load(text)._translation
    known = Analysis(translation.hybrid)
    found = known.following(known.fixing, lambda guard: 0.0, {})
    assert found is not None
    structure, rest = found
    assert not rest
    return known, structure


@pytest.mark.parametrize("part", ["Rectifier", "Friction", "Clutch"])
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_analysing_the_whole_model_changes_no_block(part: str, data: st.DataObject) -> None:
    """In any mode, not only in those that the rounds have looked at."""
    known, structure = followed(copies(part, [(1.0 + k, 0.7) for k in range(4)]))
    values = {guard: float(data.draw(st.booleans())) for guard in sorted(structure.local, key=str)}
    whole = known.in_round(Mode.of(values), {}).structure
    local = structure.when(values.__getitem__)
    assert {v.name for v in local.states} == {v.name for v in whole.states}
    assert unknowns_of(local) >= unknowns_of(whole)
    sizes = sorted(len(b.unknowns) for b in whole.blocks)
    assert sorted(len(b.unknowns) for b in local.blocks) == sizes


def unknowns_of(structure: Structure) -> set[frozenset[str]]:
    """What is solved for together; a derivative by the name of its variable."""
    return {
        frozenset(repr(x).replace("der(", "").replace(")", "") for x in b.unknowns) for b in structure.blocks
    }


def test_a_switch_touches_few_equations() -> None:
    """Four equations of a diode with its inductor, three of a mass with friction, however many there are."""
    for part, touched in (("Rectifier", 4), ("Friction", 3)):
        for n in (2, 5):
            _, structure = followed(copies(part, [(1.0 + k, 0.7) for k in range(n)]))
            switched = [b for b in structure.blocks if isinstance(b, Switched)]
            rows = {x for b in switched for x in b.unknowns}
            names = {repr(x).replace("der(", "").replace(")", "") for x in rows}
            assert len(names) == n * touched
            cases = {len(b.cases) for b in switched}
            assert cases <= {1, 2, 3}


def test_cases_exclude_each_other() -> None:
    _, structure = followed(copies("Friction", [(1.0, 0.7), (2.0, 0.7)]))
    for block in structure.blocks:
        if isinstance(block, Switched):
            guards = sorted({leaf for c in block.cases for leaf in leaves(c.condition)}, key=str)
            for truths in itertools.product((0.0, 1.0), repeat=len(guards)):
                value = dict(zip(guards, truths, strict=True)).__getitem__
                assert sum(case.holds(value) for case in block.cases) <= 1


def test_expressions_of_a_switched_block_are_those_of_all_cases() -> None:
    _, structure = followed(copies("Clutch", [(1.0, 2.0), (2.0, 2.0)]))
    for block in structure.blocks:
        if isinstance(block, Switched):
            inner = {e for b in block.inner for e in block_expressions(b)}
            assert inner <= set(block_expressions(block))
