"""Models on a surface: the transformation alone, its unknowns compared with equivalent controls worked out by
hand. A program is made, given a position, and asked for its values; nothing is integrated."""

from __future__ import annotations

import math

import pytest

import saltus
from saltus.analyse.analysis import Analysis
from saltus.core.diagnostics import ModelError
from saltus.emit.build import build
from saltus.emit.llvm.jit import native_machine
from saltus.expr.nodes import Symbol, ref
from saltus.ir.sorted.modes import GENERAL
from saltus.ir.sorted.surfaces import OnSurface
from saltus.ir.structure import Structure
from saltus.run.integrators.sundials import symbols


def on(text: str, *wanted: OnSurface, **at: float) -> Structure:
    analysis = Analysis(saltus.load(text).hybrid).on(GENERAL, wanted)
    structure = analysis.sorted_with(analysis.choose(at))
    structure.verify()
    structure.model.verify()
    return structure


def values(structure: Structure, time: float = 0.0, **given: float) -> dict[str, float]:
    """Everything by name where the states and hidden parameters have the given values; parameters of the
    surfaces are 1 unless given."""
    program = build(structure)
    program.verify()
    machine = native_machine(program, symbols())
    slots, memory = program.layout.slots, machine.memory
    memory[:] = 0.0
    memory[0] = time
    by_name = {leaf.data.name: slot for leaf, slot in slots.items() if isinstance(leaf.data, Symbol)}
    for surface in structure.surfaces:
        for hidden in (surface.side, *surface.directions.values()):
            memory[slots[ref(hidden)]] = 1.0
    for v in structure.model.relations:
        memory[slots[ref(v.symbol)]] = 1.0
    for name, value in given.items():
        memory[by_name[name]] = value
    machine.routines["parameters"]()
    assert machine.routines["evaluate"]() == 0
    return {name: float(memory[slot]) for name, slot in by_name.items()}


def weight(structure: Structure) -> float:
    return values(structure)[structure.surfaces[0].multiplier.name]


PLANT = """model M parameter Real c = 2; Real x(start = 1, fixed = true), v(start = 0, fixed = true), s, u;
  {declared} equation der(x) = v; der(v) = u + 0.5*sin(time); s = c*x + v; {control} end M;"""


@pytest.mark.parametrize(
    ("declared", "control"),
    [
        ("", "u = if s > 0 then -3 else 3;"),
        ("", "u = if s > 0 then -3 elseif s < 0 then 3 else 0;"),  # three-valued: never on the surface itself
        ("Boolean b;", "b = s > 0; u = if b then -3 else 3;"),
        ("Boolean b, d;", "b = not s > 0; d = b or 0 > s; u = if d then 3 else -3;"),
        ("Integer k;", "k = if s > 0 then 1 else -1; u = -3*k;"),
        ("Integer k;", "k = if s > 0 then 1 elseif s < 0 then -1 else 0; u = -3*k;"),
        ("Integer k;", "k = if s > 0 then 2 else 1; u = 3*(3 - 2*k);"),
        ("Boolean b;", "b = s > 0; u = noEvent(if b then -3 else 3);"),
        ("Boolean b;", "b = s > 0; u = if b and time < 100 then -3 else 3;"),
        ("", "if s > 0 then u = -3; else u = 3; end if;"),
    ],
)
def test_the_equivalent_control_however_the_relay_is_written(declared: str, control: str) -> None:
    structure = on(PLANT.format(declared=declared, control=control), OnSurface(0))
    assert len(structure.states) == 1
    x, time = 0.7, 0.4
    name = structure.states[0].name
    found = values(structure, time, **{name: x if name == "x" else -2 * x}, c=2.0)
    # s = 0 and s' = 0:  v = -c x,  u = -c v - d(t).
    assert found["x"] == pytest.approx(x) and found["v"] == pytest.approx(-2 * x)
    u = 2 * 2 * x - 0.5 * math.sin(time)
    assert found["u"] == pytest.approx(u, rel=1e-13)
    # -3 with the weight of s > 0 and 3 with the rest.
    assert found["$weight1"] == pytest.approx((3 - u) / 6, rel=1e-13)


def test_a_product_of_switching_terms_is_one_term() -> None:
    # On the side x > 0 the product is 2*3, on the other (-1)*(-5): der(x) = a - (6 u + 5 (1 - u)).
    structure = on(
        """model M Real x(start = 1, fixed = true); equation
        der(x) = 5.25 - (if x > 0 then 2 else -1)*(if x > 0 then 3 else -5); end M;""",
        OnSurface(0),
    )
    assert weight(structure) == pytest.approx(0.25)


def test_two_surfaces_at_once() -> None:
    # s1' = 1 - 3 k1 - k2 = 0 and s2' = 0.5 + k1 - 2 k2 = 0 with k = 2 u - 1.
    structure = on(
        """model M Real a(start = 1, fixed = true), b(start = 1, fixed = true); equation
        der(a) = 1 - (if a > 0 then 3 else -3) - (if b > 0 then 1 else -1);
        der(b) = 0.5 + (if a > 0 then 1 else -1) - (if b > 0 then 2 else -2); end M;""",
        OnSurface(0),
        OnSurface(1),
    )
    assert structure.states == ()
    k1, k2 = 1.5 / 7, 2.5 / 7
    found = values(structure)
    weights = {structure.model.relations[s.leader].text: found[s.multiplier.name] for s in structure.surfaces}
    assert weights["a > 0"] == pytest.approx((k1 + 1) / 2, rel=1e-13)
    assert weights["b > 0"] == pytest.approx((k2 + 1) / 2, rel=1e-13)


def test_a_term_on_two_surfaces_is_weighted_by_both() -> None:
    # A switch that is closed for a > 0 and b > 0: its mean value is the product of the weights.
    structure = on(
        """model M Real a(start = 1, fixed = true), b(start = 1, fixed = true), y; equation
        y = if a > 0 and b > 0 then 10 else 2;
        der(a) = if a > 0 then -1 else 3; der(b) = if b > 0 then -3 else 1; end M;""",
        OnSurface(0),
        OnSurface(1),
    )
    found = values(structure)
    names = [s.multiplier.name for s in structure.surfaces]
    weights = [found[name] for name in names]
    assert sorted(weights) == pytest.approx([0.25, 0.75])
    assert found["y"] == pytest.approx(2 + 8 * 0.25 * 0.75)


def test_relations_of_the_same_surface_are_known_by_their_residues() -> None:
    model = saltus.load(
        """model M Real a(start = 1, fixed = true), b(start = 0, fixed = true); Boolean p[5]; equation
        der(a) = 1; der(b) = 2;
        p = {a > b, b >= a, a - b < 0, a > 2*b, time > 1}; end M;"""
    )
    hybrid = model.hybrid
    texts = [r.text for r in hybrid.relations]
    surface = {texts[k]: sign for k, sign in hybrid.surface(texts.index("b >= a")).items()}
    assert surface == {"a > b": 1, "b >= a": -1, "a - b < 0": 1}
    assert hybrid.surface(texts.index("time > 1")) == {}


def test_what_hangs_on_the_frozen_truth_keeps_it() -> None:
    structure = on(
        """model M Real x(start = 1, fixed = true); Boolean b; equation b = x > 0;
        der(x) = if b then -1 else 1; end M;""",
        OnSurface(0),
    )
    assert values(structure)["b"] == 1.0  # as the relation was
    assert not any(not r.is_time_event for r in structure.relations)  # nothing of it is watched any more


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            """model M Real x(start = 1, fixed = true); Integer n; equation
            der(x) = if x > 0 then -1 else 1; when x > 0 then n = pre(n) + 1; end when; end M;""",
            "`n`, whose past counts",
        ),
        (
            """model M Real x(start = 1, fixed = true), y(start = 1, fixed = true); equation
            der(x) = if x > 0 then -1 else 1; der(y) = 1; when x > 0 then reinit(y, 0); end when; end M;""",
            "when-clause",
        ),
        (
            """model M Real x(start = 1, fixed = true); Boolean b; equation
            b = x > 0 or pre(b) and x > -1; der(x) = if b then -1 else 1; end M;""",
            "`b`, whose past counts",
        ),
        (
            """model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); equation
            der(y) = if x > 0 then -1 else 1; der(x) = 1; end M;""",
            "depends on `x > 0` has no influence",
        ),
    ],
)
def test_where_there_is_no_motion_along_the_surface_it_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ModelError) as caught:
        on(text, OnSurface(0))
    assert reason in caught.value.diagnostics[0].message


BALL = """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); {declared} equation
  der(h) = v; der(v) = -9.81; when h <= {floor} then reinit(v, -0.7*pre(v)); end when; {more} end M;"""


def test_a_reaction_holds_a_ball_on_a_moving_table() -> None:
    structure = on(BALL.format(declared="", floor="0.3*sin(2*time)", more=""), OnSurface(0, resting=True))
    time = 0.6
    found = values(structure, time)
    assert found["h"] == pytest.approx(0.3 * math.sin(1.2), rel=1e-13)
    assert found["v"] == pytest.approx(0.6 * math.cos(1.2), rel=1e-13)
    assert found["$reaction1"] == pytest.approx(9.81 - 1.2 * math.sin(1.2), rel=1e-13)


def test_a_reaction_shares_itself_between_two_bodies_as_their_jumps_did() -> None:
    # Masses 1 and 3 that fall with accelerations -1 and 2 towards each other: momenta change alike.
    structure = on(
        """model M Real a(start = 1, fixed = true), b(start = 0, fixed = true);
        Real u(start = 0, fixed = true), w(start = 0, fixed = true); equation
        der(a) = u; der(b) = w; der(u) = -1; der(w) = 2;
        when a <= b then reinit(u, pre(u) + 3); reinit(w, pre(w) - 1); end when; end M;""",
        OnSurface(0, resting=True),
    )
    (surface,) = structure.surfaces
    given = {d.name: {"u": 3.0, "w": -1.0}[v.name] for v, d in surface.directions.items()}
    found = values(structure, **given)
    assert found[surface.multiplier.name] == pytest.approx(0.75)  # -1 + 3 r = 2 - r
    rates = [found[name] for name in ("der(u)", "der(w)") if name in found]
    assert rates and rates == pytest.approx([1.25] * len(rates))


def test_nothing_rests_where_nothing_is_reinitialised() -> None:
    with pytest.raises(ModelError) as caught:
        on(
            "model M Real x(start = 1, fixed = true); equation der(x) = if x > 0 then -1 else 1; end M;",
            OnSurface(0, resting=True),
        )
    assert "nothing can rest" in caught.value.diagnostics[0].message
