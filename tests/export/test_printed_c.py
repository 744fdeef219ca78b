"""Expressions as C: brackets, order, literals; and what is computed once."""

from __future__ import annotations

import math

from saltus.export.names import Names, mangled
from saltus.export.values import Values, number
from saltus.expr.nodes import Expr, Op, Symbol, Type, and_, const, if_, neg, not_, or_, ref, relation
from saltus.ir.program import Layout

X, Y, B = Symbol("x"), Symbol("y"), Symbol("b", Type.BOOLEAN)
LAYOUT = Layout({ref(X): 1, ref(Y): 2, ref(B): 3}, {"states": (1, 2), "discretes": (3, 1)}, 4)
x, y, b = ref(X), ref(Y), ref(B)


def printed(e: Expr) -> str:
    return Values(Names(LAYOUT)).value(e)


def test_names_say_what_something_is() -> None:
    assert [Names(LAYOUT)[slot] for slot in (1, 2, 3)] == ["x_x", "x_y", "d_b"]
    assert mangled("motor.shaft[3].'a b'") == "motor_shaft_3_a_b"


def test_operators_have_the_brackets_that_they_need() -> None:
    assert printed(x - 2.0 * (y + x)) == "m[x_x] - 2.0 * (m[x_y] + m[x_x])"
    assert printed((x + y) * x) == "(m[x_x] + m[x_y]) * m[x_x]"
    assert printed(x / (y * x)) == "m[x_x] / (m[x_y] * m[x_x])"
    assert printed(x / neg(y + x)) == "m[x_x] / (-m[x_y] - m[x_x])"
    assert printed(x * neg(y)) in ("m[x_x] * -m[x_y]", "-(m[x_x] * m[x_y])")


def test_truths_are_numbers_where_they_are_stored() -> None:
    low = relation(Op.LT, x, y)
    assert printed(b) == "m[d_b]"
    assert printed(low) == "m[x_x] < m[x_y] ? 1.0 : 0.0"
    assert printed(if_(or_(and_(low, b), not_(b)), x, const(-1.0))) == (
        "(m[x_x] < m[x_y] && m[d_b] != 0.0) || !(m[d_b] != 0.0) ? m[x_x] : -1.0"
    )


def test_literals_are_exact() -> None:
    for value in (0.1, 1e300, 5e-324, -0.25, 3.0):
        assert float(number(value)) == value
    assert (number(math.inf), number(-math.inf), number(math.nan)) == ("INFINITY", "-INFINITY", "NAN")


def test_what_occurs_often_is_computed_once() -> None:
    """Without that the text of this one would have two to the power of thirty factors."""
    e = x + 2.0 * y + 1.0
    for _ in range(30):
        e = e * e + x
    values, lines = Values(Names(LAYOUT)), []
    names = iter(f"s{k}" for k in range(100))
    values.share([e], lambda: next(names), lines.append)
    assert len(lines) <= 31 and len(values.value(e)) < 100
