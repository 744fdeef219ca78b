"""Ten thousand nested operations: nothing here may use Python's own stack."""

from __future__ import annotations

import pytest
from expr_recipes import LEAVES

from saltus.expr.differentiate import differentiate, time_derivative
from saltus.expr.evaluate import evaluate
from saltus.expr.linear import linear, linear_system, solve
from saltus.expr.nodes import Op, add, call, if_, neg, relation
from saltus.expr.show import show
from saltus.expr.simplify import simplify
from saltus.expr.traversal import leaves, substitute

X, Y, Z = LEAVES.values()
DEPTH = 10_000


def alternating_sum():
    """((x/y + z)/y + z)/y + z ...: sums that cannot be flattened."""
    e = X
    for _ in range(DEPTH):
        e = e / Y + Z
    return e


def chained_if():
    e = X
    for _ in range(DEPTH):
        e = if_(relation(Op.LT, Y, Z), Y, e)
    return e


def chained_condition():
    e = X
    for _ in range(DEPTH):
        e = if_(relation(Op.LT, e, Y), Z, X)
    return e


def nested_calls():
    e = X
    for _ in range(DEPTH):
        e = call("atan", e + Y)
    return e


def long_sum():
    return add(*(neg(X * Y) if i % 2 else call("sin", X * float(i)) for i in range(DEPTH)))


POINT = {X: 1.0, Y: 2.0, Z: 1.0}


@pytest.fixture(params=[alternating_sum, chained_if, chained_condition, nested_calls, long_sum])
def deep(request):
    return request.param()


def test_evaluate_show_and_rewrite(deep):
    value = evaluate(deep, POINT.__getitem__)
    assert value == value
    assert len(show(deep)) > 10_000
    assert evaluate(simplify(deep), POINT.__getitem__) == pytest.approx(value, rel=1e-9)
    assert set(leaves(substitute(deep, {X: Y, Z: Y}))) == {Y}


def test_differentiate(deep):
    evaluate(differentiate(deep, X), POINT.__getitem__)
    time_derivative(deep, lambda symbol: False)


def test_linear(deep):
    linear(deep, X)
    linear_system([deep, deep - X], [X, Z])
    solve(deep, Y, X)


def test_known_values():
    # The fixed point of v -> v/2 + 1 is 2, approached from 1.
    assert evaluate(alternating_sum(), POINT.__getitem__) == pytest.approx(2.0)
    slope, rest = linear(alternating_sum(), Z)
    assert evaluate(slope, POINT.__getitem__) == pytest.approx(2.0)
    assert evaluate(rest, {**POINT, X: 0.0}.__getitem__) == 0.0
