"""Rules keep value and type, end, and do what their names say."""

from __future__ import annotations

import math

import pytest
from expr_recipes import LEAVES, Unsuitable, build, compute, points, recipes
from hypothesis import assume, given

from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import (
    FALSE,
    TRUE,
    ZERO,
    Op,
    Symbol,
    Type,
    and_,
    call,
    const,
    der,
    if_,
    not_,
    or_,
    pre,
    ref,
    relation,
)
from saltus.expr.simplify import simplify

X, Y, Z = LEAVES.values()
B, C = (ref(Symbol(name, Type.BOOLEAN)) for name in "bc")
N, M = (ref(Symbol(name, Type.INTEGER)) for name in "nm")
LESS = relation(Op.LT, X, Y)


@given(recipes, points)
def test_value_is_kept(recipe, point):
    try:
        expected, _ = compute(recipe, point)
    except Unsuitable:
        assume(False)
    found = evaluate(simplify(build(recipe)), lambda leaf: point[leaf.data.name])
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(recipes)
def test_idempotent_and_of_the_same_type(recipe):
    once = simplify(build(recipe))
    assert simplify(once) is once
    assert once.type is build(recipe).type


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (X + X, 2.0 * X),
        (2.0 * X - X, X),
        (X + Y - X, Y),
        (X * Y + Z - X * Y, Z),
        (0.1 * X + 0.2 * X - 0.3 * X, ZERO),
        (3.0 * der(X) - der(X) + 1.0, 2.0 * der(X) + 1.0),
        (X * X, X ** const(2)),
        (X * Y * X**2.0, X ** const(3.0) * Y),
        ((X**2) ** 3, X**6),
        (X / X, X / X),
        (X / Y / Z, X / (Y * Z)),
        (X / (Y / Z), X / (Y / Z)),
        (4.0 * X / 2.0, 2.0 * X),
        (N * N, N * N),
        (N + N, 2 * N),
        (N - N + M, M),
        (call("sin", const(0.0)) + X, X),
        (call("max", const(2), const(3)), const(3)),
        (call("sqrt", const(-1.0)), call("sqrt", const(-1.0))),
        (call("exp", const(1e6)), call("exp", const(1e6))),
        (call("min", X, X), X),
        (call("abs", -call("abs", -X)), call("abs", X)),
        (call("integer", call("floor", call("real", N))), N),
        (not_(LESS), not_(LESS)),
        (not_(relation(Op.LT, N, M)), relation(Op.GE, N, M)),
        (not_(relation(Op.EQ, N, M)), relation(Op.NE, N, M)),
        (relation(Op.LE, X + Y - Y, X), TRUE),
        (and_(B, C, not_(B)), FALSE),
        (or_(not_(B), C, B), TRUE),
        (if_(not_(B), X, Y), if_(B, Y, X)),
        (if_(B, if_(B, X, Y), Z), if_(B, X, Z)),
        (if_(B, X, if_(B, Y, Z)), if_(B, X, Z)),
        (if_(B, TRUE, C), or_(B, C)),
        (if_(B, C, FALSE), and_(B, C)),
        (if_(B, X + X, 2.0 * X), 2.0 * X),
        (call("concat", const("a"), call("String", const(2.5))), const("a2.5")),
        (pre(N) + 0 * M, pre(N)),
    ],
)
def test_rule(e, expected):
    assert simplify(e) is expected


def test_the_type_survives_a_dropped_branch():
    e = if_(B, if_(B, N, X), M)
    assert e.type is Type.REAL
    assert simplify(e).type is Type.REAL


def test_a_shared_memo_gives_the_same():
    memo = {}
    e = X + X + call("cos", const(0.0))
    assert simplify(e, memo) is simplify(e) is simplify(e, memo)
    assert evaluate(simplify(e, memo), lambda leaf: 2.0) == 5.0


def test_infinite_constants_survive():
    assert simplify(X ** const(math.inf)).op is Op.POW
