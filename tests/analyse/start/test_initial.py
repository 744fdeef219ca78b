"""The initial system: chosen starts, initial equations, free parameters, discrete variables."""

from __future__ import annotations

import pytest
from analyse_models import Model, places, refusal, solve_blocks
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.analyse.analysis import analyse
from saltus.core.diagnostics import ModelError
from saltus.expr.nodes import (
    INITIAL,
    TIME,
    ZERO,
    Expr,
    Op,
    Type,
    add,
    and_,
    call,
    const,
    der,
    if_,
    not_,
    or_,
    pre,
    ref,
)
from saltus.ir.structure import Structure


def determined(structure: Structure) -> set[Expr]:
    return {x for block in structure.initial for x in block.unknowns}


def test_states_start_where_they_are_told_and_nothing_is_said() -> None:
    m = Model()
    x, y, a = m.state("x", start=const(2.0), fixed=True), m.state("y", start=const(3.0)), m.algebraic("a")
    m.equation(der(x), a)
    m.equation(der(y), x * y)
    m.equation(a, x + y)
    structure = analyse(m.build())
    assert not structure.warnings
    assert determined(structure) == {x, y, der(x), der(y), a}
    values = solve_blocks(structure.initial, {})
    assert (values[x], values[y], values[der(x)], values[der(y)]) == (2.0, 3.0, 5.0, 6.0)


def test_missing_starts_are_told_in_one_warning() -> None:
    m = Model()
    x, y, z = m.state("x"), m.state("c.y"), m.state("z", start=const(1.0))
    for s in (x, y, z):
        m.equation(der(s), -s)
    (w,) = analyse(m.build()).warnings
    assert w.code == "W301"
    assert w.message == "the initial values of `x` and `c.y` are not given: 0 is used"
    assert w.span is not None and w.span.text == "Real x;"


def test_one_missing_start() -> None:
    m = Model()
    x = m.state("x")
    m.equation(der(x), -x)
    (w,) = analyse(m.build()).warnings
    assert w.message == "the initial value of `x` is not given: 0 is used"


def test_steady_state() -> None:
    m = Model()
    x = m.state("x", start=const(7.0))
    m.equation(der(x), 3.0 - 2.0 * x)
    m.initially(der(x), ZERO)
    structure = analyse(m.build())
    assert not structure.warnings
    values = solve_blocks(structure.initial, {})
    assert values[x] == pytest.approx(1.5) and values[der(x)] == pytest.approx(0.0)


def test_nonlinear_initial_equation() -> None:
    m = Model()
    x = m.state("x", start=const(1.0))
    m.equation(der(x), -x)
    m.initially(x + call("exp", x), const(3.0))
    values = solve_blocks(analyse(m.build()).initial, {})
    assert values[x] + 2.718281828459045 ** values[x] == pytest.approx(3.0)


def test_given_starts_complete_initial_equations_before_missing_ones_do() -> None:
    m = Model()
    x, y = m.state("x"), m.state("y", start=const(2.0))
    m.equation(der(x), -x)
    m.equation(der(y), -y)
    m.initially(x + y, const(5.0))
    structure = analyse(m.build())
    values = solve_blocks(structure.initial, {})
    assert (values[x], values[y]) == (3.0, 2.0)
    (w,) = structure.warnings
    assert w.code == "W301" and "`y = 2.0`" in w.message and "`x" not in w.message


def test_preferred_variables_with_a_start_come_before_states_without() -> None:
    """The mass of a tank is the state, its level is what somebody has given: m = 1000*2*0.8."""
    text = """
model Tank
  Real m, U;
  Real level(start = 0.8, stateSelect = StateSelect.prefer);
  Real T(start = 300, stateSelect = StateSelect.prefer);
  Real p(start = 7, stateSelect = StateSelect.prefer) = 5;
equation
  der(m) = -100;
  der(U) = -100*4000*T;
  m = 1000*2*level;
  U = m*4000*T;
end Tank;
"""
    result = saltus.load(text).simulate(stop_time=1.0)
    assert result["m"] == pytest.approx(1600.0 - 100.0 * result["time"])
    assert result["T"] == pytest.approx(300.0)
    assert result["p"] == pytest.approx(5.0)


def test_but_not_before_states_with_a_start() -> None:
    text = """
model Tank
  Real m(start = 500);
  Real level(start = 0.8, stateSelect = StateSelect.prefer);
equation
  der(m) = -100;
  m = 1000*2*level;
end Tank;
"""
    assert saltus.load(text).simulate(stop_time=1.0)["m"][0] == 500.0


def test_fixed_false_is_used_last() -> None:
    m = Model()
    x, y = m.state("x", start=const(1.0), fixed=False), m.state("y")
    m.equation(der(x), -x)
    m.equation(der(y), -y)
    m.initially(x - 2.0 * y, const(4.0))
    values = solve_blocks(analyse(m.build()).initial, {})
    assert (values[x], values[y]) == (4.0, 0.0)


def test_fixed_algebraic_variable_determines_a_state() -> None:
    m = Model()
    x, a = m.state("x"), m.algebraic("a", start=const(6.0), fixed=True)
    m.equation(der(x), -a)
    m.equation(a, 2.0 * x)
    structure = analyse(m.build())
    assert solve_blocks(structure.initial, {})[x] == 3.0
    assert not structure.warnings


def test_too_many_initial_conditions_are_named() -> None:
    m = Model()
    x, y = m.state("x", start=const(1.0), fixed=True), m.state("y", start=const(1.0), fixed=True)
    m.equation(der(x), -x)
    m.equation(der(y), -y)
    m.initially(x, const(2.0))
    d = refusal(m)
    assert d.code == "E303"
    assert "`x = 2.0`" in d.message and "`x = 1.0`" in d.message and "`y" not in d.message
    assert set(places(d)) == {"x = 2.0;", "Real x;"}


def test_conflicting_fixed_aliases() -> None:
    m = Model()
    x, a = m.state("x", start=const(1.0), fixed=True), m.algebraic("a", start=const(2.0), fixed=True)
    m.equation(der(x), -x)
    m.equation(a, x)
    d = refusal(m)
    assert d.code == "E303" and "`a = 2.0`" in d.message and "`x = 1.0`" in d.message


def test_initial_equation_without_unknowns_in_excess() -> None:
    m = Model()
    p, x = m.parameter("p", binding=const(1.0)), m.state("x", start=const(0.0), fixed=True)
    m.equation(der(x), -x)
    m.initially(p, const(3.0))
    d = refusal(m)
    assert d.code == "E303" and places(d) == ["p = 3.0;"]


def test_free_parameter_and_what_depends_on_it() -> None:
    m = Model()
    p = m.parameter("p", fixed=False)
    q = m.parameter("q", binding=2.0 * p)
    r = m.parameter("r", binding=const(3.0))
    x = m.state("x", start=q, fixed=True)
    m.equation(der(x), r - x)
    m.initially(der(x), const(-5.0))
    structure = analyse(m.build())
    assert [b.unknown for b in structure.parameters] == [r]
    assert {p, q, x} <= determined(structure)
    values = solve_blocks(structure.initial, {r: 3.0})
    assert (values[x], values[q], values[p]) == (8.0, 8.0, 4.0)


def test_free_parameter_that_nothing_determines() -> None:
    m = Model()
    p, x = m.parameter("p", fixed=False), m.state("x", start=const(1.0), fixed=True)
    m.equation(der(x), p * x)
    structure = analyse(m.build())
    assert solve_blocks(structure.initial, {})[p] == 0.0
    (w,) = structure.warnings
    assert "`p`" in w.message


def test_discrete_variables_keep_their_start() -> None:
    m = Model()
    d, c = m.discrete("d", start=const(4.0), fixed=True), m.discrete("c", Type.BOOLEAN)
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(c, r)
    m.equation(d, if_(and_(c, not_(pre(c))), TIME, pre(d)))
    structure = analyse(m.build())
    assert solve_blocks(structure.initial, {TIME: 0.0, r: False, pre(c): False, pre(d): 4.0})[d] == 4.0


def test_initial_is_true() -> None:
    # `when {initial(), c} then d = y`, and y needs d only at other times.
    m = Model()
    d, y, c = m.discrete("d"), m.algebraic("y"), m.discrete("c", Type.BOOLEAN)
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(c, r)
    m.equation(d, if_(or_(INITIAL, and_(c, not_(pre(c)))), TIME + 9.0, pre(d)))
    m.equation(y, if_(INITIAL, const(1.0), d))
    structure = analyse(m.build())
    structure.verify()
    known = {TIME: 0.0, r: False, pre(c): False, pre(d): 0.0}
    values = solve_blocks(structure.initial, known)
    assert (values[d], values[y]) == (9.0, 1.0)


def test_initial_equations_for_discrete_variables() -> None:
    m = Model()
    d, e = m.discrete("d"), m.discrete("e")
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(d, if_(r, TIME, pre(d)))
    m.equation(e, if_(r, TIME, pre(e) + 1.0))
    m.initially(d, const(3.0))
    m.initially(pre(e), const(5.0))
    structure = analyse(m.build())
    structure.verify()
    assert pre(e) in determined(structure)
    values = solve_blocks(structure.initial, {TIME: 0.0, r: False, pre(d): 0.0})
    assert (values[d], values[e]) == (3.0, 6.0)


def test_initial_equations_for_negated_aliases_of_discrete_variables() -> None:
    m = Model()
    d, e = m.discrete("d", start=const(1.0)), m.discrete("e", start=const(1.0))
    copy, other = m.discrete("copy"), m.discrete("other")
    m.equation(copy, -d)
    m.equation(other, -e)
    m.equation(d, pre(d) + TIME)
    m.equation(e, pre(e) + TIME)
    m.initially(copy, const(3.0))
    m.initially(pre(e), const(5.0))
    structure = analyse(m.build())
    values = solve_blocks(structure.initial, {TIME: 2.0, pre(d): 1.0})
    assert (values[d], values[e]) == (-3.0, 7.0)


def test_initial_equation_against_a_boolean_equation() -> None:
    m = Model()
    b = m.discrete("b", Type.BOOLEAN)
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(b, r)
    m.initially(b, const(True))
    d = refusal(m)
    assert d.code == "E303" and "`b = true`" in d.message


def test_variable_that_is_open_only_at_the_start_takes_its_start_value() -> None:
    # Later the second equation gives z; at the start it gives the state.
    m = Model()
    x, y, z = m.state("x"), m.algebraic("y"), m.algebraic("z", start=const(8.0))
    m.equation(der(x), -x)
    m.equation(y, TIME + 3.0)
    m.equation(2.0 * y, if_(INITIAL, x, z))
    structure = analyse(m.build())
    structure.verify()
    values = solve_blocks(structure.initial, {TIME: 0.0})
    assert (values[x], values[z]) == (6.0, 8.0)


def test_equations_that_agree_only_later_are_in_excess_at_the_start() -> None:
    m = Model()
    y, z = m.algebraic("y"), m.algebraic("z")
    m.equation(y, if_(INITIAL, ZERO, z))
    m.equation(if_(INITIAL, y, z + TIME), ZERO)
    assert refusal(m).code == "E303"


@settings(deadline=None)
@given(st.integers(1, 8), st.data())
def test_random_initial_equations(count: int, data: st.DataObject) -> None:
    """Prescribed derivatives and values in any mixture; the solution satisfies every given condition."""
    m = Model()
    fixed = [data.draw(st.booleans()) for _ in range(count)]
    x = [m.state(f"x{i}", start=const(float(i + 1)), fixed=True if f else None) for i, f in enumerate(fixed)]
    for i in range(count):  # der(x_i) depends on x_i and on one earlier state
        m.equation(der(x[i]), add(-2.0 * x[i], x[data.draw(st.integers(0, i))] * (0.5 if i else 1.0)))
    steady = [i for i in range(count) if not fixed[i] and data.draw(st.booleans())]
    for i in steady:
        m.initially(der(x[i]), ZERO)
    structure = analyse(m.build())
    values = solve_blocks(structure.initial, {})
    for i in range(count):
        if i in steady:
            assert values[der(x[i])] == pytest.approx(0.0, abs=1e-9)
        else:
            assert values[x[i]] == i + 1
    assert determined(structure) == {*x, *map(der, x)}
    assert {ref(v.symbol) for v in structure.states} == set(x)


def test_discrete_variables_that_no_equation_determines_are_refused() -> None:
    """A damaged model: `discrete` in front of what two continuous equations were to determine."""
    text = """
    model Tow
      Real x(start = 0, fixed = true), v(start = 0, fixed = true);
      discrete Real F, s;
      Boolean slack = s > 0;
    equation
      der(x) = v;
      der(v) = 1 - F;
      5 - x = if slack then s else 0;
      F = if slack then 0 else -s;
    end Tow;
    """
    with pytest.raises(ModelError, match="no equation determines `s` at the start"):
        saltus.load(text)
