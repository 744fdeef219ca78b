"""Refusals of models that cannot be sorted: numbers, names, places."""

from __future__ import annotations

import pytest
from analyse_models import Model, places, refusal

from saltus.analyse.analysis import analyse
from saltus.core.diagnostics import ModelError
from saltus.expr.nodes import TIME, ZERO, Type, add, const, der, not_
from saltus.ir.flat import Causality


def test_one_equation_too_few() -> None:
    m = Model()
    x, i, u = m.state("c.u"), m.algebraic("r.i"), m.algebraic("r.u")
    m.equation(der(x), i)
    m.equation(u, 5.0 * i)
    d = refusal(m)
    assert d.code == "E301"
    assert d.message.startswith("1 equation too few (2 equations for 3 unknowns)")
    assert "`r.i`" in d.message and "`r.u`" in d.message and "`der(c.u)`" in d.message
    assert places(d) == ["Real c.u;", "Real r.i;", "Real r.u;"]
    assert "one of 3 variables that share 2 equations" in d.notes[0].message


def test_only_what_is_undetermined_is_named() -> None:
    m = Model()
    a, b = m.algebraic("a"), m.algebraic("b.s")
    m.algebraic("b.t")
    m.equation(a, TIME)
    m.equation(b, a + 1.0)
    d = refusal(m)
    assert d.message.endswith("undetermined: `b.t`")
    assert [n.message for n in d.notes] == ["`b.t` appears in no equation"]


def test_input_without_a_value() -> None:
    m = Model()
    u, y = m.algebraic("u", causality=Causality.INPUT), m.algebraic("y")
    m.equation(y, 2.0 * u)
    d = refusal(m)
    assert d.code == "E301" and "`u`" in (d.hint or "") and "`y`" not in (d.hint or "")


def test_numbers_count_eliminated_equations_too() -> None:
    m = Model()
    a, b, c = (m.algebraic(n) for n in "abc")
    m.equation(a, b)
    m.equation(b, c)
    d = refusal(m)
    assert "(2 equations for 3 unknowns)" in d.message


def test_one_equation_too_many() -> None:
    m = Model()
    a, b = m.algebraic("a"), m.algebraic("b")
    m.equation(a, TIME)
    m.equation(b, a + 1.0)
    m.equation(b, 3.0 * TIME)
    d = refusal(m)
    assert d.message == "1 equation too many (3 equations for 2 unknowns)"
    assert places(d) == [q.span.text for q in m.build().equations]
    assert "one of 3, of which 1 in excess" in d.notes[0].message


def test_equation_without_unknowns_is_in_excess() -> None:
    m = Model()
    p, a = m.parameter("p", binding=const(1.0)), m.algebraic("a")
    m.equation(p, const(2.0))
    m.equation(a, TIME)
    d = refusal(m)
    assert d.code == "E301" and places(d) == ["p = 2.0;"] and "is in excess" in d.notes[0].message


def test_balanced_but_singular_lists_both() -> None:
    m = Model()
    a, b, c = (m.algebraic(n) for n in "abc")
    m.equation(a, TIME)
    m.equation(2.0 * a, const(3.0))
    m.equation(b + c, ZERO * a)
    d = refusal(m)
    assert d.code == "E301" and "the numbers agree (3 equations for 3 unknowns)" in d.message
    assert "`b`" in d.message or "`c`" in d.message
    assert any("a = time" in p for p in places(d)) and any(p.startswith("Real ") for p in places(d))


def test_long_lists_are_cut() -> None:
    m = Model()
    for i in range(20):
        m.algebraic(f"v{i}")
    d = refusal(m)
    assert d.message.startswith("20 equations too few (0 equations for 20 unknowns)")
    assert "and 12 more" in d.message
    assert len(d.notes) == 9 and d.notes[-1].message == "... and 12 more variables"


def test_discrete_variable_without_and_with_two_equations() -> None:
    m = Model()
    a, b = m.discrete("a", Type.BOOLEAN), m.discrete("b", Type.BOOLEAN)
    m.equation(a, const(True))
    m.equation(a, not_(b))
    d = refusal(m)
    assert d.code == "E301" and "`b`" in d.message
    assert [p for p in places(d) if "=" in p] == ["a = true;", "a = not b;"]


def test_continuous_variable_cannot_be_taken_from_a_boolean_equation() -> None:
    m = Model()
    b = m.discrete("b", Type.BOOLEAN)
    m.algebraic("y")
    m.equation(b, const(True))
    m.equation(not_(b), const(False))
    d = refusal(m)
    assert d.code == "E301" and "`y`" in d.message


def test_constraint_on_a_state_with_a_variable_in_no_equation_is_not_high_index() -> None:
    m = Model()
    x = m.state("x")
    m.algebraic("lost")
    m.equation(der(x), TIME)
    m.equation(x, 2.0 * TIME)
    d = refusal(m)
    assert d.code == "E301" and "`lost`" in d.message


def test_too_many_equations_on_a_state() -> None:
    m = Model()
    x = m.state("x")
    m.equation(der(x), -x)
    m.equation(x, const(5.0))
    assert refusal(m).code == "E301"


def test_constraints_of_states_are_not_told_beside_an_equation_too_many() -> None:
    """A rigid shaft asks for derivatives of its equation; the fault is the second equation of `a`."""
    m = Model()
    x, y = m.state("x"), m.state("y")
    f, a = m.algebraic("f"), m.algebraic("a")
    m.equation(der(x), f)
    m.equation(der(y), -f)
    m.equation(x, y)
    m.equation(a, TIME)
    m.equation(a, 2.0 * TIME)
    d = refusal(m)
    assert d.message == "1 equation too many (5 equations for 4 unknowns)"
    assert places(d) == ["a = time;", "a = 2.0*time;"]


def test_regular_model_passes() -> None:
    m = Model()
    a, b = m.algebraic("a"), m.algebraic("b")
    m.equation(add(a, b), TIME)
    m.equation(a - b, const(1.0))
    try:
        analyse(m.build()).verify()
    except ModelError as error:  # pragma: no cover
        pytest.fail(str(error))
