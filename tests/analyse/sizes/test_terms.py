"""Equations as sums of terms."""

from saltus.analyse.sizes.terms import Terms
from saltus.expr.nodes import TIME, Symbol, Type, call, const, der, if_, no_event, power, ref

x, y, p, b = (ref(Symbol(n, t)) for n, t in zip("xypb", [Type.REAL] * 3 + [Type.BOOLEAN], strict=True))
terms = Terms({x: 0, y: 1, der(x): 2}, {p.data})


def shape(e):
    return [(t.powers, t.choices) for t in terms.of(e)]


def test_products_are_written_out():
    assert shape(p * (x + 2.0 * power(y, const(2.0)))) == [(((0, 1.0),), ()), (((1, 2.0),), ())]
    assert shape(x / (y * p) + der(x)) == [(((0, 1.0), (1, -1.0)), ()), (((2, 1.0),), ())]


def test_branches_are_choices():
    e = x - if_(b, y, no_event(if_(b, x, p)))
    assert shape(e) == [(((0, 1.0),), ()), (((1, 1.0),), ((b, True),)), ((), ((b, False),))]


def test_zero_is_no_term():
    assert shape(if_(b, const(0.0), x)) == [(((0, 1.0),), ((b, False),))]


def test_what_is_no_power_is_the_rest():
    (term,) = terms.of(x * call("sin", TIME) / (1.0 + y))
    assert term.powers == ((0, 1.0),)
    assert term.rest == ((call("sin", TIME), 1.0), (1.0 + y, -1.0))
