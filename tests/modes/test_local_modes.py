"""Modes are local: of independent parts each does what it does alone, by one program for all of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.analyse import analysis
from saltus.analyse.analysis import Analysis
from saltus.expr.nodes import leaves
from saltus.ir.structure import Mode, Structure, Switched, block_expressions

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

PARTS = {"Rectifier": RECTIFIER, "Friction": FRICTION, "Clutch": CLUTCH, "Rope": ROPE}
LENGTH = {"Rectifier": 0.05, "Friction": 2.0, "Clutch": 2.5, "Rope": 4.0}
WATCHED = {"Rectifier": ("i", "u"), "Friction": ("x", "v", "r"), "Clutch": ("w1", "w2"), "Rope": ("x", "v")}


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
    monkeypatch.setattr(analysis, "LEAST_GROUPS", 1000)
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
