"""Linear parts put together again give the expression; solutions satisfy their equations."""

from __future__ import annotations

import numpy as np
import pytest
from expr_recipes import LEAVES, Unsuitable, build, compute, points, recipes, recipes_over
from hypothesis import assume, given
from hypothesis import strategies as st

from saltus.expr.evaluate import evaluate
from saltus.expr.linear import Solution, linear, linear_system, solve
from saltus.expr.nodes import (
    ONE,
    ZERO,
    Op,
    Symbol,
    Type,
    add,
    and_,
    apply,
    call,
    const,
    der,
    if_,
    item,
    neg,
    no_event,
    not_,
    pre,
    ref,
    relation,
    smooth,
)
from saltus.expr.traversal import leaves, substitute

X, Y, Z = LEAVES.values()
P, Q = (ref(Symbol(name)) for name in "pq")
B, C = (ref(Symbol(name, Type.BOOLEAN)) for name in "bc")
N, M = (ref(Symbol(name, Type.INTEGER)) for name in "nm")
LESS = relation(Op.LT, P, Q)

numbers = st.floats(-3, 3).map(lambda v: round(v, 3))
without_x = recipes_over(("y", "z"), max_leaves=3)


def at(point):
    return lambda leaf: point[leaf.data.name]


@st.composite
def linear_recipes(draw, depth=3):
    """Recipes that are linear in x by construction."""
    inner = linear_recipes(depth - 1) if depth else st.just(("leaf", "x"))
    kind = draw(st.sampled_from(["x", "+", "-", "*", "/", "neg", "if", "noEvent", "free"]))
    match kind:
        case "x":
            return ("leaf", "x")
        case "free":
            return draw(without_x)
        case "+" | "-":
            return (kind, draw(inner), draw(inner))
        case "*":
            pair = draw(inner), draw(without_x)
            return ("*", *(pair if draw(st.booleans()) else reversed(pair)))
        case "/":
            return ("/", draw(inner), draw(without_x))
        case "if":
            return ("if", ("<", draw(without_x), draw(without_x)), draw(inner), draw(inner))
        case _:
            return (kind, draw(inner))


@given(linear_recipes(), points)
def test_linear_by_construction_is_found_and_reconstructs(recipe, point):
    found = linear(build(recipe), X)
    assert found is not None
    a, b = found
    assert X not in leaves(a) and X not in leaves(b)
    try:
        value, slope = compute(recipe, point, "x")
    except Unsuitable:
        assume(False)
    assert evaluate(a, at(point)) == pytest.approx(slope, rel=1e-9, abs=1e-9)
    assert evaluate(a * X + b, at(point)) == pytest.approx(value, rel=1e-9, abs=1e-9)


@given(recipes, points, points)
def test_what_is_called_linear_has_a_constant_slope(recipe, point, other):
    found = linear(build(recipe), X)
    assume(found is not None)
    other = {**point, "x": other["x"]}
    try:
        (v1, s1), (v2, s2) = compute(recipe, point, "x"), compute(recipe, other, "x")
    except Unsuitable:
        assume(False)
    assert s1 == pytest.approx(s2, rel=1e-9, abs=1e-9)
    a, b = (evaluate(part, at(point)) for part in found)
    assert [a * point["x"] + b, a * other["x"] + b] == pytest.approx([v1, v2], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (P * X + Q, (P, Q)),
        (Q, (ZERO, Q)),
        (der(X) + pre(X), (ZERO, der(X) + pre(X))),
        (if_(LESS, 2.0 * X, Q), (if_(LESS, const(2.0), ZERO), if_(LESS, ZERO, Q))),
        (if_(LESS, X, X + P), (ONE, if_(LESS, ZERO, P))),
        (no_event(if_(LESS, X * P, X)), (no_event(if_(LESS, P, ONE)), ZERO)),
        (smooth(1, P * X), (P, ZERO)),
        (P * X - X * P + Q, (ZERO, Q)),
        (call("sin", P) * X, (call("sin", P), ZERO)),
    ],
)
def test_linear_parts(e, expected):
    assert linear(e, X) == expected


@pytest.mark.parametrize(
    "e",
    [
        X * X,
        X * (X + P),
        P / X,
        X**2,
        P**X,
        call("abs", X),
        if_(relation(Op.LT, X, P), X, P),
        if_(and_(B, relation(Op.LT, X, P)), ONE, P),
        item(apply(max, [X]), 0),
        call("real", call("integer", X)),
    ],
)
def test_not_linear(e):
    assert linear(e, X) is None
    assert linear(e + P * X, X) is None
    assert linear(e, Z) == (ZERO, e)


def test_integers_stay_integers():
    a, b = linear(2 * N + M, N)
    assert (a, b) == (const(2), M)
    assert linear(call("real", N) * X, N) == (X, ZERO)
    assert solve(N + 1, M, N) == Solution(M - 1, ONE)
    assert solve(N + 1, M, N).value.type is Type.INTEGER
    assert solve(2 * N, M, N) is None


# ---------------------------------------------------------------- systems


def dense(system, size, values):
    entries, right = system
    matrix = np.zeros((size, size))
    for row, column, coefficient in entries:
        assert matrix[row, column] == 0
        matrix[row, column] = evaluate(coefficient, values)
    return matrix, np.array([evaluate(b, values) for b in right])


@given(st.lists(numbers, min_size=12, max_size=12))
def test_a_system_written_in_many_ways(c):
    values = {P: c[0], Q: 1.5}.__getitem__
    residuals = [
        c[1] * (X + P * (Y - Z)) - (c[2] + Q),
        if_(relation(Op.LT, P, ZERO), c[3] * X, c[4] * Y) + neg(Z) / Q,
        add(c[5] * X, c[6] * Y, c[7] * Z, -1.0 * X, const(c[8])),
    ]
    p = c[0]
    second = [c[3], 0, -1 / 1.5] if p < 0 else [0, c[4], -1 / 1.5]
    matrix, right = dense(linear_system(residuals, [X, Y, Z]), 3, values)
    expected = [[c[1], c[1] * p, -c[1] * p], second, [c[5] - 1, c[6], c[7]]]
    assert matrix == pytest.approx(np.array(expected))
    assert right == pytest.approx(np.array([c[2] + 1.5, 0, -c[8]]))


def test_rows_are_sorted_and_have_no_zeros():
    entries, right = linear_system([Z + X - Z, Y - X], [X, Y, Z])
    assert entries == [(0, 0, ONE), (1, 0, const(-1.0)), (1, 1, ONE)]
    assert right == [ZERO, ZERO]


def test_a_product_of_two_unknowns_is_not_a_linear_system():
    assert linear_system([X * Y - 1.0, X + Y], [X, Y]) is None
    assert linear_system([X * Y - 1.0], [X]) == ([(0, 0, Y)], [ONE])


def test_a_large_system_is_one_pass():
    # A chain of 3000 unknowns; the product of size and unknowns would take minutes.
    xs = [ref(Symbol(f"v{i}")) for i in range(3000)]
    residuals = [
        P * (xs[i] - xs[i - 1]) + Q * (xs[i] + (xs[i + 1] if i < 2999 else ZERO)) for i in range(3000)
    ]
    entries, right = linear_system(residuals, xs)
    assert len(entries) == 3 * 3000 - 1
    assert all(b is ZERO for b in right)


# ---------------------------------------------------------------- one equation


@given(linear_recipes(), linear_recipes(), points)
def test_solutions_satisfy_their_equations(lhs, rhs, point):
    left, right = build(lhs), build(rhs)
    solution = solve(left, right, X)
    assume(solution is not None)
    assert X not in leaves(solution.value) and X not in leaves(solution.divisor)
    try:
        assume(abs(evaluate(solution.divisor, at(point))) > 1e-2)
        solved = {**point, "x": evaluate(solution.value, at(point))}
        assume(abs(solved["x"]) < 100)
        (a, slope), (b, other) = compute(lhs, solved), compute(rhs, solved)
    except (Unsuitable, ArithmeticError, ValueError):
        assume(False)
    assert a == pytest.approx(b, rel=1e-8, abs=1e-8 * (1 + abs(slope) + abs(other)))


@pytest.mark.parametrize(
    ("lhs", "rhs", "value", "divisor"),
    [
        (X, P * Q, P * Q, ONE),
        (P / Q, X, P / Q, ONE),
        (P * X, Q, Q / P, P),
        (X + P, Q, Q - P, ONE),
        (Q, X + P, Q - P, ONE),
        (P - X, Q, P - Q, ONE),
        (-X, P, -P, ONE),
        (ZERO, P * X + Q, -Q / P, P),
        (P * (X - Q), Z, (Z + P * Q) / P, P),
        (3.0 * X + P, X, -P / 2.0, const(2.0)),
        (der(Y), X * P, der(Y) / P, P),
        (X / P, Q, None, None),
        (call("exp", P * X), Q, call("log", Q) / P, P),
        (Q, call("log", X + P), call("exp", Q) - P, ONE),
        (call("log10", X), Q, const(10.0) ** Q, ONE),
    ],
)
def test_neat_solutions(lhs, rhs, value, divisor):
    solution = solve(lhs, rhs, X)
    assert solution is not None
    if value is None:  # x/p = q may be printed in more than one way; its value is what counts
        values = {P: 4.0, Q: 0.5}.__getitem__
        assert evaluate(solution.value, values) == 2.0
        return
    assert (solution.value, solution.divisor) == (value, divisor)


@pytest.mark.parametrize(
    ("lhs", "rhs"),
    [
        (X * X, P),
        (X, P * X * X),
        (X, call("sin", X)),
        (P, Q),
        (P * X, X * P),
        (X + P, X),
        (call("sqrt", X), P),
        (call("exp", X), X),
        (X**3, P),
    ],
)
def test_no_solution(lhs, rhs):
    assert solve(lhs, rhs, X) is None


def test_the_users_right_hand_side_is_kept():
    e = (P + Q) * (P - Q) + 0.1 * P + 0.2 * P
    assert solve(X, e, X).value is e
    assert solve(e, X, X).value is e


def test_booleans_are_solved_only_when_they_stand_alone():
    assert solve(B, not_(C), B) == Solution(not_(C), ONE)
    assert solve(LESS, B, B) == Solution(LESS, ONE)
    assert solve(not_(B), C, B) is None
    assert solve(C, if_(LESS, B, not_(C)), B) is None
    assert linear(if_(LESS, B, C), B) is None


def test_solution_matches_substitution():
    solution = solve(P * X + Q, 2.0 * X - 1.0, X)
    residual = substitute(P * X + Q - (2.0 * X - 1.0), {X: solution.value})
    assert evaluate(residual, {P: 3.5, Q: 0.75}.__getitem__) == pytest.approx(0, abs=1e-12)
