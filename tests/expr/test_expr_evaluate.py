"""The meaning of every operator, against plain Python and the definitions of the language."""

from __future__ import annotations

import math

import pytest
from expr_recipes import LEAVES, Unsuitable, build, compute, points, recipes
from hypothesis import assume, given
from hypothesis import strategies as st

from saltus.expr.evaluate import BUILTIN_FUNCTIONS, NotEvaluable, evaluate
from saltus.expr.nodes import (
    BUILTINS,
    INITIAL,
    TERMINAL,
    TRUE,
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
    div,
    edge,
    if_,
    index,
    item,
    no_event,
    or_,
    pre,
    ref,
    relation,
    sample,
    smooth,
)

X, Y, Z = LEAVES.values()
B = ref(Symbol("b", Type.BOOLEAN))
N = ref(Symbol("n", Type.INTEGER))


def no_leaf(leaf):
    raise AssertionError(leaf)


def value(e):
    return evaluate(e, no_leaf)


def builtin(name, *args):
    return value(call(name, *map(const, args)))


@given(recipes, points)
def test_agrees_with_plain_python(recipe, point):
    try:
        expected, _ = compute(recipe, point)
    except Unsuitable:
        assume(False)
    found = evaluate(build(recipe), lambda leaf: point[leaf.data.name])
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert type(found) is float


@given(st.integers(-50, 50), st.integers(-50, 50).filter(bool))
def test_integer_division(x, y):
    quotient, rest, modulo = builtin("div", x, y), builtin("rem", x, y), builtin("mod", x, y)
    assert all(type(v) is int for v in (quotient, rest, modulo))
    assert quotient == math.trunc(x / y)
    assert quotient * y + rest == x
    assert modulo == x - math.floor(x / y) * y
    assert modulo == 0 or (modulo < 0) == (y < 0)


@given(st.floats(-50, 50), st.floats(-50, 50).filter(lambda v: abs(v) > 0.1))
def test_real_division(x, y):
    quotient, rest, modulo = builtin("div", x, y), builtin("rem", x, y), builtin("mod", x, y)
    assert all(type(v) is float for v in (quotient, rest, modulo))
    assert quotient == math.trunc(x / y)
    assert rest == pytest.approx(x - quotient * y, abs=1e-12)
    assert modulo == pytest.approx(x - math.floor(x / y) * y, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("div", (-7, 2), -3),
        ("mod", (-7, 2), 1),
        ("rem", (-7, 2), -1),
        ("mod", (3.0, -1.4), -1.2),
        ("rem", (3.0, -1.4), 0.2),
        ("integer", (-0.5,), -1),
        ("floor", (-0.5,), -1.0),
        ("ceil", (-0.5,), 0.0),
        ("sign", (-0.5,), -1),
        ("sign", (0,), 0),
        ("abs", (-3,), 3),
        ("min", (1, 2.5), 1.0),
        ("max", (1, 2), 2),
        ("real", (3,), 3.0),
        ("atan2", (-1.0, -1.0), -0.75 * math.pi),
        ("exp", (1000.0,), math.inf),
        ("sinh", (-1000.0,), -math.inf),
        ("cosh", (-1000.0,), math.inf),
    ],
)
def test_builtin(name, args, expected):
    found = builtin(name, *args)
    assert found == pytest.approx(expected)
    assert type(found) is type(expected)


def test_every_numeric_builtin_has_a_function():
    assert set(BUILTIN_FUNCTIONS) == {name for name, (_, kind) in BUILTINS.items() if kind is not Type.STRING}


@pytest.mark.parametrize(
    ("argument", "text"),
    [(0.1 + 0.2, "0.3"), (1234567.0, "1.23457e+06"), (2.0, "2"), (-42, "-42"), (True, "true"), ("a", "a")],
)
def test_string(argument, text):
    assert builtin("String", argument) == text
    assert builtin("concat", "v = ", text) == "v = " + text


@pytest.mark.parametrize(
    ("e", "error"),
    [
        (div(X, const(0.0)), ZeroDivisionError),
        (div(N, N - N), ZeroDivisionError),
        (X ** const(-1.0), ZeroDivisionError),
        ((X - 1.0) ** const(0.5), ValueError),
        (call("sqrt", X - 1.0), ValueError),
        (call("log", X), ValueError),
        (call("asin", X + 2.0), ValueError),
        (call("integer", X + 1e300 * const(1e300)), ValueError),
        (call("mod", N, N), ZeroDivisionError),
        (call("div", X, X), ZeroDivisionError),
    ],
)
def test_errors(e, error):
    with pytest.raises(error):
        evaluate(e, lambda leaf: 0)


def test_overflow_of_a_power_is_infinite():
    assert evaluate(X ** const(3.0), lambda leaf: -1e200) == -math.inf
    assert evaluate(X ** const(2.0), lambda leaf: -1e200) == math.inf


def test_conditions_guard_their_branches():
    positive = relation(Op.GT, X, const(0.0))
    root = call("sqrt", X)
    assert evaluate(if_(positive, root, X), lambda leaf: -4.0) == -4.0
    assert evaluate(if_(positive, root, X), lambda leaf: 4.0) == 2.0
    big = relation(Op.GT, root, const(1.0))
    assert evaluate(and_(positive, big), lambda leaf: -4.0) is False
    assert evaluate(and_(positive, big), lambda leaf: 4.0) is True
    assert evaluate(or_(relation(Op.LE, X, const(0.0)), big), lambda leaf: -4.0) is True
    with pytest.raises(ValueError, match=r"domain|nonnegative"):
        evaluate(and_(big, positive), lambda leaf: -4.0)


def test_leaves_are_asked_once_and_typed():
    asked = []

    def values(leaf):
        asked.append(leaf)
        return 1.0

    e = if_(and_(B, relation(Op.EQ, N, const(1))), X + der(X) + pre(X) + X, Y)
    assert evaluate(e, values) == 4.0
    assert sorted(map(repr, asked)) == ["b", "der(x)", "n", "pre(x)", "x"]
    assert evaluate(N, values) == 1
    assert type(evaluate(N, values)) is int
    assert evaluate(B, values) is True
    assert type(evaluate(X, lambda leaf: 3)) is float


def test_a_mixed_if_is_a_real():
    assert type(evaluate(if_(B, N, X), lambda leaf: 1)) is float


def test_no_event_and_smooth_are_transparent():
    assert evaluate(no_event(smooth(1, X + 1.0)), lambda leaf: 2.0) == 3.0


@pytest.mark.parametrize("e", [INITIAL, TERMINAL, edge(B), change(N), sample(X, Y), item(apply(max, [X]), 0)])
def test_what_needs_a_run_is_refused(e):
    with pytest.raises(NotEvaluable) as caught:
        evaluate(e, lambda leaf: 1)
    assert caught.value.node is (e.args[0] if e.op is Op.ITEM else e)


def test_user_functions_get_nested_lists_and_give_flat_ones():
    calls = []

    def applied(function, args):
        calls.append((function, args))
        return [1.5, 2]

    call_ = apply(max, [X, array((2, 2), [X, Y, const(3.0), const(4.0)]), array((0,), [])])
    e = item(call_, 0) + item(call_, 1, Type.INTEGER)
    assert evaluate(e, {X: 1, Y: 2}.__getitem__, applied) == 3.5
    assert calls == [(max, [1.0, [[1.0, 2.0], [3.0, 4.0]], []])]


def test_index_counts_from_one():
    matrix = ref(Symbol("a", Type.REAL, (2, 2)))
    values = {matrix: [[1, 2], [3, 4]], N: 2}.__getitem__
    assert evaluate(index(matrix, N, const(1)), values) == 3.0
    for outside in (0, 3):
        with pytest.raises(IndexError):
            evaluate(index(matrix, const(outside), N), values)


def test_constants_need_no_values():
    assert value(TRUE) is True
    assert value(const("a")) == "a"
