"""Alias elimination: what is eliminated, what is kept, and that solutions stay the same."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from analyse_models import Model, places, refusal, solve_blocks, with_aliases
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.analyse.analysis import analyse
from saltus.analyse.trivial.alias import eliminate
from saltus.expr.nodes import (
    TIME,
    ZERO,
    Expr,
    Op,
    Type,
    add,
    and_,
    const,
    der,
    if_,
    leaf_symbol,
    neg,
    not_,
    pre,
    ref,
    sub,
)
from saltus.expr.show import show
from saltus.expr.traversal import leaves

Form = Callable[[Expr, Expr], tuple[Expr, Expr]]

EQUAL: list[Form] = [
    lambda a, b: (a, b),
    lambda a, b: (neg(a), neg(b)),
    lambda a, b: (ZERO, sub(a, b)),
    lambda a, b: (sub(a, b), ZERO),
    lambda a, b: (sub(b, a), const(0)),
    lambda a, b: (2.0 * a, 2.0 * b),
]
OPPOSITE: list[Form] = [
    lambda a, b: (a, neg(b)),
    lambda a, b: (neg(a), b),
    lambda a, b: (add(a, b), ZERO),
    lambda a, b: (ZERO, add(a, b)),
    lambda a, b: (ZERO, sub(neg(a), b)),
]
NEITHER: list[Form] = [
    lambda a, b: (a, b + 1.0),
    lambda a, b: (a, 2.0 * b),
    lambda a, b: (a, a),
    lambda a, b: (a * b, ZERO),
    lambda a, b: (a, TIME),
]


def two_algebraics(form: Form) -> Model:
    m = Model()
    a, b = m.algebraic("a"), m.algebraic("b")
    m.equation(*form(a, b))
    return m


@pytest.mark.parametrize("form", EQUAL)
def test_equal(form: Form) -> None:
    (alias,) = eliminate(two_algebraics(form).build()).aliases
    assert (alias.symbol.name, alias.target.name, alias.negated) == ("b", "a", False)


@pytest.mark.parametrize("form", OPPOSITE)
def test_opposite(form: Form) -> None:
    (alias,) = eliminate(two_algebraics(form).build()).aliases
    assert (alias.symbol.name, alias.target.name, alias.negated) == ("b", "a", True)


@pytest.mark.parametrize("form", NEITHER)
def test_not_an_alias(form: Form) -> None:
    assert not eliminate(two_algebraics(form).build()).aliases


def test_parameters_are_never_aliases() -> None:
    m = Model()
    p, a = m.parameter("p", binding=const(1.0)), m.algebraic("a")
    m.equation(a, p)
    assert not eliminate(m.build()).aliases


def test_discrete_and_continuous_are_not_mixed_and_booleans_are_never_negated() -> None:
    m = Model()
    d, a = m.discrete("d"), m.algebraic("a")
    b, c = m.discrete("b", Type.BOOLEAN), m.discrete("c", Type.BOOLEAN)
    e = m.discrete("e", Type.BOOLEAN)
    m.equation(d, a)
    m.equation(b, not_(c))
    m.equation(e, b)
    assert [(x.symbol.name, x.target.name) for x in eliminate(m.build()).aliases] == [("e", "b")]


def test_state_is_the_representative_and_takes_over_attributes_with_their_sign() -> None:
    m = Model()
    a = m.algebraic("a", start=const(3.0), fixed=True, nominal=const(100.0))
    x = m.state("x", start=const(1.0))
    m.equation(a, neg(x))
    m.equation(der(x), a)
    structure = analyse(m.build())
    (state,) = structure.states
    assert state.name == "x" and state.fixed is True
    assert state.start is const(-3.0) and state.nominal is const(100.0)
    assert structure.model.order[0] is state
    values = solve_blocks(structure.initial, {})
    assert with_aliases(structure, values) == {"x": -3.0, "a": 3.0, "der(x)": 3.0}


def test_own_start_is_not_overwritten_by_one_that_is_not_fixed() -> None:
    m = Model()
    x, a = m.state("x", start=const(1.0)), m.algebraic("a", start=const(2.0))
    m.equation(a, x)
    assert eliminate(m.build()).model.states[0].start is const(1.0)


def test_different_fixed_starts_keep_the_equation_and_equal_ones_do_not() -> None:
    for second, kept in ((2.0, 1), (-1.0, 0)):
        m = Model()
        a = m.algebraic("a", start=const(1.0), fixed=True)
        b = m.algebraic("b", start=const(second), fixed=True)
        m.equation(a, neg(b))
        assert len(eliminate(m.build()).model.equations) == kept


def test_two_states_are_kept() -> None:
    m = Model()
    x, y = m.state("x"), m.state("y")
    a = m.algebraic("a")
    m.equation(x, a)
    m.equation(a, y)
    reduced = eliminate(m.build())
    assert [a.symbol.name for a in reduced.aliases] == ["a"]
    (q,) = reduced.model.equations
    assert {show(q.lhs), show(q.rhs)} == {"x", "y"}


def test_contradiction_makes_both_zero() -> None:
    m = Model()
    a, b = m.algebraic("a"), m.algebraic("b")
    m.equation(a, b)
    m.equation(a, neg(b))
    structure = analyse(m.build())
    assert with_aliases(structure, solve_blocks(structure.blocks, {})) == {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize("form", EQUAL)
def test_redundant_equation_is_reported_at_its_place(form: Form) -> None:
    m = Model()
    a, b = m.algebraic("a"), m.algebraic("b")
    m.equation(a, b)
    m.equation(*form(b, a))
    d = refusal(m)
    assert d.code == "E301"
    assert "`a`" in d.message
    written = m.build().equations[1].span.text
    assert written in places(d) and "appears in no equation" not in str(d.notes)


def test_terms_that_cancel_are_no_incidence() -> None:
    m = Model()
    a, b, c = (m.algebraic(n) for n in "abc")
    m.equation(a, neg(b))
    m.equation(add(a, b, c), TIME)  # the component's two pins are on one node
    m.equation(a, 2.0 * TIME)
    structure = analyse(m.build())
    structure.verify()
    values = with_aliases(structure, solve_blocks(structure.blocks, {TIME: 3.0}))
    assert (values["a"], values["b"], values["c"]) == (6.0, -6.0, 3.0)


def test_integer_equations_stay_integer() -> None:
    m = Model()
    k, j = m.discrete("k", Type.INTEGER), m.discrete("j", Type.INTEGER)
    m.equation(j, const(2))
    m.equation(k, add(pre(k), j, neg(j)))
    structure = analyse(m.build())
    structure.verify()
    value = solve_blocks(structure.blocks, {pre(k): 3})[k]
    assert value == 3 and isinstance(value, int)


def test_everything_speaks_of_representatives() -> None:
    m = Model()
    x, a = m.state("x", start=const(1.0)), m.algebraic("a")
    d, e = m.discrete("d", start=const(5.0)), m.discrete("e", start=const(-5.0))
    m.equation(neg(a), x)
    m.equation(der(x), a)
    m.equation(e, neg(d))
    r = m.relation(Op.GT, a - 1.0)
    m.equation(d, if_(r, a + pre(e), pre(d)))
    m.initially(a, const(4.0))
    structure = analyse(m.build())
    structure.verify()
    structure.model.verify()
    for expression in structure.model.expressions():
        assert not {a.data, e.data} & {leaf_symbol(leaf) for leaf in leaves(expression)}
    assert show(structure.model.relations[0].residue) == "-x - 1.0"
    values = solve_blocks(structure.initial, {r: True, pre(d): 5.0})
    assert values[x] == -4.0
    assert values[d] == 4.0 - 5.0


def test_start_of_a_discrete_variable_is_the_value_of_its_own_pre() -> None:
    m = Model()
    b = m.discrete("b", Type.BOOLEAN)
    copy = m.discrete("copy", Type.BOOLEAN, start=const(True))
    m.equation(copy, b)
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(b, and_(r, not_(pre(b))))
    reduced = eliminate(m.build())
    (kept,) = reduced.model.discretes
    assert kept.name == "b" and kept.start is None


def test_discrete_variables_with_different_remembered_starts_are_kept() -> None:
    m = Model()
    a, b = m.discrete("a", start=const(1.0)), m.discrete("b", start=const(2.0))
    m.equation(a, b)
    m.equation(b, pre(a) + pre(b))
    reduced = eliminate(m.build())
    assert not reduced.aliases
    structure = analyse(m.build())
    structure.verify()
    assert solve_blocks(structure.blocks, {pre(a): 1.0, pre(b): 2.0})[a] == 3.0


@st.composite
def networks(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, bool]], int, float]:
    """A random tree of signed equalities, and the node whose value is given."""
    count = draw(st.integers(2, 12))
    names = draw(st.permutations(range(count)))
    edges = [(names[draw(st.integers(0, i - 1))], names[i], draw(st.booleans())) for i in range(1, count)]
    return count, draw(st.permutations(edges)), draw(st.integers(0, count - 1)), draw(st.floats(-9, 9))


@settings(deadline=None)
@given(networks())
def test_signs_of_random_networks(network: tuple[int, list[tuple[int, int, bool]], int, float]) -> None:
    count, edges, given_at, value = network
    m = Model()
    v = [m.algebraic(f"v{i}") for i in range(count)]
    for a, b, negated in edges:
        forms = OPPOSITE if negated else EQUAL
        m.equation(*forms[(a + b) % len(forms)](v[a], v[b]))
    m.equation(v[given_at], const(value))
    structure = analyse(m.build())
    structure.verify()
    assert len(structure.blocks) == 1 and len(structure.aliases) == count - 1
    found = with_aliases(structure, solve_blocks(structure.blocks, {}))
    expected = {given_at: value}
    while len(expected) < count:
        for a, b, negated in edges:
            for near, far in ((a, b), (b, a)):
                if near in expected:
                    expected[far] = -expected[near] if negated else expected[near]
    assert found == {f"v{i}": pytest.approx(x) for i, x in expected.items()}


def test_long_chain_in_any_order_is_quick() -> None:
    m = Model()
    v = [m.algebraic(f"v{i}") for i in range(20_000)]
    for a, b in pairwise(v):
        m.equation(a, neg(b))
    m.equation(v[-1], const(1.0))
    reduced = eliminate(m.build())
    assert len(reduced.aliases) == 19_999
    signs = {a.symbol.name: a.negated for a in reduced.aliases}
    assert signs["v1"] is True and signs["v2"] is False and signs["v19999"] is True
    assert {ref(a.target) for a in reduced.aliases} == {v[0]}
