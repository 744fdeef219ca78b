"""Derivatives against dual numbers, central differences and closed forms."""

from __future__ import annotations

import math

import pytest
from expr_recipes import LEAVES, NAMES, Unsuitable, build, compute, points, recipes
from hypothesis import assume, given
from hypothesis import strategies as st

from saltus.expr.differentiate import NotDifferentiable, differentiate, time_derivative
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import (
    BUILTINS,
    ONE,
    TIME,
    ZERO,
    Op,
    Symbol,
    Type,
    add,
    apply,
    array,
    call,
    const,
    der,
    if_,
    item,
    mul,
    no_event,
    pre,
    ref,
    relation,
    smooth,
)
from saltus.expr.traversal import walk

X, Y, Z = LEAVES.values()
N = ref(Symbol("n", Type.INTEGER))
P = ref(Symbol("p"))


def is_parameter(symbol):
    return symbol is P.data


@given(recipes, points, st.sampled_from(NAMES))
def test_partial_derivative_agrees_with_dual_numbers(recipe, point, by):
    try:
        _, expected = compute(recipe, point, by)
    except Unsuitable:
        assume(False)
    slope = differentiate(build(recipe), LEAVES[by])
    found = evaluate(slope, lambda leaf: point[leaf.data.name])
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-7)


@given(recipes, points)
def test_time_derivative_is_the_sum_of_partials(recipe, point):
    speeds = {"x": 0.7, "y": -1.3, "z": 2.1}
    try:
        expected = sum(compute(recipe, point, by)[1] * speeds[by] for by in NAMES)
    except Unsuitable:
        assume(False)

    def values(leaf):
        return speeds[leaf.args[0].data.name] if leaf.op is Op.DER else point[leaf.data.name]

    found = evaluate(time_derivative(build(recipe), is_parameter), values)
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-7)


POINT = {X: 0.37, Y: 0.83}


# `peek` reads the memory of the process: its first argument is no number.
NUMERIC = [n for n, (_, kind) in BUILTINS.items() if kind is not Type.STRING and n != "peek"]


@pytest.mark.parametrize("name", sorted(NUMERIC))
def test_every_builtin_against_central_differences(name):
    arity = BUILTINS[name][0]
    if name == "real":
        assert differentiate(call("real", N) * X, N) is X
        return
    e = call(name, *(2.3 * X, -1.1 * Y) if arity == 2 else (X,))
    h = 1e-6
    for leaf in (X, Y):
        high, low = (evaluate(e, {**POINT, leaf: POINT[leaf] + s * h}.__getitem__) for s in (1, -1))
        found = evaluate(differentiate(e, leaf), POINT.__getitem__)
        assert found == pytest.approx((high - low) / (2 * h), abs=1e-7), leaf


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (X**2, 2.0 * X),
        (X * Y, Y),
        (X / Y, ONE / Y),
        (call("sin", X), call("cos", X)),
        (3.0 * X + Y, const(3.0)),
        (Y * Z, ZERO),
        (der(X) + pre(X), ZERO),
        (call("exp", X), call("exp", X)),
        (call("floor", X) + call("sign", X), ZERO),
        (if_(relation(Op.LT, X, ZERO), X, Y), if_(relation(Op.LT, X, ZERO), ONE, ZERO)),
        (no_event(X * Y), Y),
        (no_event(X * Y * Z), no_event(Y * Z)),
        (smooth(2, X * Y * Z), smooth(1, Y * Z)),
        (smooth(0, X * Y * Z), Y * Z),
    ],
)
def test_closed_form(e, expected):
    assert differentiate(e, X) is expected


def test_a_general_power():
    e = X**Y
    at = {X: 1.7, Y: 2.3}.__getitem__
    assert evaluate(differentiate(e, X), at) == pytest.approx(2.3 * 1.7**1.3)
    assert evaluate(differentiate(e, Y), at) == pytest.approx(1.7**2.3 * math.log(1.7))


def test_der_and_pre_are_leaves_of_their_own():
    e = der(X) * X * pre(X)
    assert differentiate(e, der(X)) is X * pre(X)
    assert differentiate(e, pre(X)) is der(X) * X


def test_the_case_distinction_of_abs_makes_no_events():
    inside = [n.op for n in walk(differentiate(call("abs", X), X))]
    assert inside.index(Op.NOEVENT) < inside.index(Op.GE)


def test_conditions_are_not_differentiated():
    user = item(apply(max, [X]), 0)
    e = if_(relation(Op.GT, user, ZERO), X, -X)
    assert evaluate(differentiate(e, X), lambda _: 1.0, lambda *_: [1.0]) == 1.0


def test_user_functions():
    e = item(apply(max, [Y, array((2,), [Z, ONE])]), 1)
    assert differentiate(e * X, X) is e
    with pytest.raises(NotDifferentiable) as caught:
        differentiate(e * X, Z)
    assert caught.value.node is e


def test_time_derivative_of_leaves():
    assert time_derivative(TIME * P + pre(X) + N * const(1.0), is_parameter) is P
    assert time_derivative(P * X, is_parameter) is P * der(X)
    with pytest.raises(NotDifferentiable) as caught:
        time_derivative(X + der(X), is_parameter)
    assert caught.value.node is der(X)
    assert time_derivative(P * der(X), is_parameter, lambda leaf: Y) is P * Y


def test_a_shared_expression_has_a_small_derivative():
    e = X
    for _ in range(60):
        e = call("sin", mul(e, add(e, ONE)))
    slope = differentiate(e, X)
    assert sum(1 for _ in walk(slope)) < 1000


def test_memo_is_used_between_calls():
    memo = {}
    inner = call("sin", X * Y)
    slope = differentiate(inner, X, memo)
    assert memo[inner] is slope
    assert differentiate(inner + X, X, memo) is slope + 1.0
