"""Printed text reads back, by another reader, as the same value to the last bit."""

from __future__ import annotations

import math

import pytest
from expr_reader import read_value
from expr_recipes import LEAVES, Unsuitable, build, compute, points, recipes
from hypothesis import assume, given
from hypothesis import strategies as st

from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import (
    INITIAL,
    TERMINAL,
    Op,
    Symbol,
    Type,
    and_,
    apply,
    array,
    call,
    change,
    const,
    der,
    edge,
    if_,
    index,
    item,
    mul,
    no_event,
    not_,
    or_,
    pre,
    ref,
    relation,
    sample,
    smooth,
)
from saltus.expr.show import literal, show

X, Y, Z = LEAVES.values()
B, C = (ref(Symbol(name, Type.BOOLEAN)) for name in "bc")
N = ref(Symbol("n", Type.INTEGER))
S = ref(Symbol("s", Type.STRING))
A = ref(Symbol("a", Type.REAL, (2, 3)))
LESS = relation(Op.LT, X, Y)


class Function:
    name = "Pkg.f"


@given(recipes, points)
def test_text_reads_back_as_the_same_value(recipe, point):
    e = build(recipe)
    try:
        compute(recipe, point)
    except Unsuitable:
        assume(False)
    value = evaluate(e, lambda leaf: point[leaf.data.name])
    assert read_value(show(e), point) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_real_literals_round_trip_and_look_like_reals(value):
    text = literal(value)
    assert float(text) == value
    assert "." in text or "e" in text


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (X - Y, "x - y"),
        (X - (Y - Z), "x - y + z"),
        (X - 2.0 * Y, "x - 2.0*y"),
        (-X, "-x"),
        (-(X * Y), "-x*y"),
        (X * (-Y + 1.0), "x*(1.0 - y)"),
        (X / (Y / Z), "x/(y/z)"),
        (X / Y / Z, "x/y/z"),
        (X * (Y / Z), "x*(y/z)"),
        (X / Y * Z, "x/y*z"),
        (X / (Y * Z), "x/(y*z)"),
        ((X**Y) ** Z, "(x^y)^z"),
        (X ** (-Y), "x^(-y)"),
        ((-X) ** 2, "(-x)^2"),
        (const(-2.0) ** Y, "(-2.0)^y"),
        (-(X**2), "-x^2"),
        (const(1.0) / X - 1e-6, "1.0/x - 1e-6"),
        (const(1e300) * X, "1e300*x"),
        (if_(B, X, Y) * Z, "(if b then x else y)*z"),
        (if_(B, X, if_(C, Y, Z)), "if b then x elseif c then y else z"),
        (if_(B, if_(C, X, Y), Z), "if b then (if c then x else y) else z"),
        (not_(LESS), "not x < y"),
        (not_(and_(B, C)), "not (b and c)"),
        (and_(or_(B, C), not_(B)), "(b or c) and not b"),
        (or_(and_(B, C), LESS), "b and c or x < y"),
        (relation(Op.EQ, LESS, B), "(x < y) == b"),
        (relation(Op.NE, N, const(3)), "n <> 3"),
        (relation(Op.GE, X + Y, -Z), "x + y >= -z"),
        (no_event(if_(LESS, X, Y)), "noEvent(if x < y then x else y)"),
        (smooth(2, X * Y), "smooth(2, x*y)"),
        (der(X) + pre(Y), "der(x) + pre(y)"),
        (edge(B), "edge(b)"),
        (change(N), "change(n)"),
        (sample(const(0.0), const(0.5)), "sample(0.0, 0.5)"),
        (INITIAL, "initial()"),
        (TERMINAL, "terminal()"),
        (call("max", X, Y - 1.0), "max(x, y - 1.0)"),
        (call("real", N) * X, "n*x"),
        (call("real", N + 1) * X, "(n + 1)*x"),
        (call("concat", const('say "a\\b"\n'), call("String", X)), '"say \\"a\\\\b\\"\\n" + String(x)'),
        (call("concat", S, call("concat", S, S)), "s + (s + s)"),
        (item(apply(Function, [X, Y + 1.0]), 0), "Pkg.f(x, y + 1.0)"),
        (item(apply(Function, [array((2, 2), [X, Y, Z, X])]), 3), "Pkg.f({{x, y}, {z, x}})[4]"),
        (index(A, N, N + 1), "a[n, n + 1]"),
        (const(True), "true"),
        (const(7), "7"),
        (const(-7), "-7"),
        (const(math.inf), "inf"),
    ],
)
def test_text(e, text):
    assert show(e) == text


def test_a_shared_expression_is_cut_not_exploded():
    e = X
    for _ in range(200):
        e = call("sin", mul(e, e + 1.0))
    text = show(e)
    assert len(text) == 100_003
    assert text.endswith("...")
    assert show(X + Y, limit=3) == "x +..."
