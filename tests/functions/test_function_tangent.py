"""Tangents of functions: random programs against differences, some against closed forms."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from saltus.expr.differentiate import differentiate
from saltus.expr.evaluate import evaluate
from saltus.expr.linear import linear_system
from saltus.expr.nodes import (
    ONE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    apply,
    array,
    call,
    const,
    div,
    if_,
    index,
    item,
    mul,
    power,
    ref,
    relation,
    sub,
)
from saltus.expr.traversal import walk
from saltus.functions.interpret import call_function
from saltus.functions.tangent import tangent
from saltus.ir.program import Assign, Break, CallFunction, Fill, For, Function, If, Return, Statement, While

X, Y = Symbol("x"), Symbol("y")
V = Symbol("v", Type.REAL, (3,))
N = Symbol("n", Type.INTEGER)
A, B = Symbol("a"), Symbol("b")
W = Symbol("w", Type.REAL, (3,))
K = Symbol("k", Type.INTEGER)
L, J = Symbol("i", Type.INTEGER), Symbol("j", Type.INTEGER)

# ---------------------------------------------------------------- random programs

#: A function of its own to be called: (p, q) -> (p q, an Integer, {sin p, q^2}).
P, Q = Symbol("p"), Symbol("q")
R, M, S = Symbol("r"), Symbol("m", Type.INTEGER), Symbol("s", Type.REAL, (2,))
INNER = Function(
    "inner",
    (P, Q),
    (R, M, S),
    (),
    (
        Assign(R, mul(ref(P), ref(Q))),
        Assign(M, const(7)),
        Assign(S, call("sin", ref(P)), (const(1),)),
        Assign(S, power(ref(Q), const(2)), (const(2),)),
    ),
)


def _tamed(e: Expr) -> Expr:
    """Bounded, so that loops do not run away."""
    return call("tanh", e)


def _expressions(loops: tuple[Symbol, ...]) -> st.SearchStrategy[Expr]:
    places = [const(k) for k in (1, 2, 3)] + [ref(i) for i in loops]
    at = st.sampled_from(places)
    atoms = st.one_of(
        st.sampled_from([ref(X), ref(Y), ref(A), ref(B)]),
        st.builds(lambda i: index(ref(V), i), at),
        st.builds(lambda i: index(ref(W), i), at),
        st.floats(-2, 2).map(lambda c: const(round(c, 2))),
        st.sampled_from([call("real", ref(i)) for i in (N, K, *loops)]),
    )

    def grow(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        pair = st.tuples(inner, inner)
        return st.one_of(
            pair.map(lambda p: add(*p)),
            pair.map(lambda p: _tamed(mul(*p))),
            pair.map(lambda p: div(p[0], add(const(2.0), power(p[1], const(2))))),
            pair.map(lambda p: call("min", *p)),
            pair.map(lambda p: call("max", *p)),
            pair.map(lambda p: call("atan2", p[0], add(const(3.0), power(p[1], const(2))))),
            pair.map(lambda p: item(apply(INNER, p), 0)),
            pair.map(lambda p: item(apply(INNER, p), 2)),
            st.tuples(inner, st.sampled_from([ref(i) for i in (N, *loops)])).map(
                lambda p: power(_tamed(p[0]), p[1])
            ),
            pair.map(lambda p: if_(relation(Op.GT, p[0], p[1]), p[0], mul(p[1], const(0.5)))),
            inner.map(lambda e: call("abs", e)),
            inner.map(lambda e: call("sin", e)),
        )

    return st.recursive(atoms, grow, max_leaves=5)


KINDS = ("assign", "element", "fill", "if", "for", "while", "call", "leave")


@st.composite
def _statements(draw: st.DrawFn, loops: tuple[Symbol, ...] = (), depth: int = 0) -> tuple[Statement, ...]:
    found: list[Statement] = []
    expressions = _expressions(loops)
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(KINDS if depth < 2 else KINDS[:1]))
        inner = _statements(loops, depth + 1)
        match kind:
            case "assign":
                found.append(Assign(draw(st.sampled_from([A, B])), _tamed(draw(expressions))))
            case "element":
                place = draw(st.sampled_from([const(2), *(ref(i) for i in loops)]))
                found.append(Assign(W, _tamed(draw(expressions)), (place,)))
            case "fill":
                found.append(Fill(W, draw(expressions)))
            case "if":
                condition = relation(Op.LT, draw(expressions), draw(expressions))
                found.append(
                    If(
                        ((condition, draw(inner)), (relation(Op.EQ, ref(N), const(2)), draw(inner))),
                        draw(inner),
                    )
                )
            case "for":
                i = (L, J)[len(loops)] if len(loops) < 2 else Symbol("m", Type.INTEGER)
                found.append(For(i, const(1), const(1), const(3), draw(_statements((*loops, i), depth + 1))))
            case "while":
                grow = Assign(K, add(ref(K), const(1)))
                found.append(While(relation(Op.LT, ref(K), const(4)), (grow, *draw(inner))))
            case "call":
                found.append(
                    CallFunction((A, None, None), INNER, (_tamed(draw(expressions)), draw(expressions)))
                )
            case "leave":
                out = Break() if loops else Return()
                found.append(If(((relation(Op.GT, ref(A), draw(expressions)), (out,)),)))
    return tuple(found)


def _function(body: tuple[Statement, ...]) -> Function:
    return Function("random", (X, N, V, Y), (A, K, W), (B,), body)


DIRECTION = (0.7, [0.3, -1.1, 0.4], -0.6)
SMALL = 1e-6


@settings(max_examples=80, deadline=None)
@given(_statements(), st.integers(1, 3))
def test_random_functions_against_differences(body, n):
    function = _function(body)

    def at(h: float) -> list[float]:
        v = [0.35 + h * DIRECTION[1][0], -0.8 + h * DIRECTION[1][1], 1.3 + h * DIRECTION[1][2]]
        values = call_function(function, [0.45 + h * DIRECTION[0], n, v, -0.75 + h * DIRECTION[2]])
        return [values[0], *values[2:]]  # without the Integer

    middle, ahead, behind = at(0.0), at(SMALL), at(-SMALL)
    # At a kink or a jump there is no derivative to compare with.
    for m, a, b in zip(middle, ahead, behind, strict=True):
        assume(abs((a - m) - (m - b)) < 1e-4 * SMALL * max(1.0, abs(a - b) / SMALL))
    differences = [(a - b) / (2 * SMALL) for a, b in zip(ahead, behind, strict=True)]
    slopes = call_function(tangent(function), [0.45, n, [0.35, -0.8, 1.3], -0.75, *DIRECTION])
    assert slopes == pytest.approx(differences, rel=1e-4, abs=1e-6)


# ---------------------------------------------------------------- closed forms


def test_second_derivative_of_a_polynomial_in_a_loop():
    # y = sum of x^k for k = 0 .. 4, also at 0, where x^(k - 1) is not finite for k = 0
    y = Symbol("y")
    body = (For(K, const(0), const(1), const(4), (Assign(y, add(ref(y), power(ref(X), ref(K)))),)),)
    f = Function("f", (X,), (y,), (), body)
    for x in (0.0, 0.5, -1.5):
        first = call_function(tangent(f), [x, 1.0])[0]
        assert first == pytest.approx(sum(k * x ** (k - 1) for k in range(1, 5)))
        # d/dt of f'(x) dx with x' = dx = 1 and dx' = 0 is f''
        second = call_function(tangent(tangent(f)), [x, 1.0, 1.0, 0.0])[0]
        assert second == pytest.approx(sum(k * (k - 1) * x ** (k - 2) for k in range(2, 5)))


def test_recursion():
    # f(x, n) = x f(x, n - 1), f(x, 0) = 1: a power
    y = Symbol("y")
    f = Function("f", (X, N), (y,), (), ())
    again = item(apply(f, [ref(X), sub(ref(N), const(1))]), 0)
    enough = relation(Op.LE, ref(N), const(0))
    object.__setattr__(f, "body", (If(((enough, (Assign(y, ONE),)),), (Assign(y, mul(ref(X), again)),)),))
    assert call_function(tangent(f), [1.3, 5, 1.0])[0] == pytest.approx(5 * 1.3**4)
    assert call_function(tangent(tangent(f)), [1.3, 5, 1.0, 1.0, 0.0])[0] == pytest.approx(20 * 1.3**3)


def test_newton_iteration_in_a_while():
    # The square root by Heron's method: the derivative converges with the iterate.
    y = Symbol("y")
    error = call("abs", sub(mul(ref(y), ref(y)), ref(X)))
    step = Assign(y, mul(const(0.5), add(ref(y), div(ref(X), ref(y)))))
    f = Function(
        "heron", (X,), (y,), (), (Assign(y, ONE), While(relation(Op.GT, error, const(1e-14)), (step,)), step)
    )
    assert call_function(tangent(f), [7.0, 1.0])[0] == pytest.approx(0.5 / math.sqrt(7), rel=1e-12)


def test_a_tangent_is_made_once_and_is_of_no_other_function():
    body = (Assign(A, call("sin", ref(X))),)
    f, g = Function("f", (X,), (A,), (), body), Function("f", (X,), (A,), (), body)
    assert tangent(f) is tangent(f)
    assert tangent(f) is not tangent(g)


def test_partial_derivatives_in_an_expression():
    f = Function("f", (X, V), (A,), (), (Assign(A, mul(ref(X), index(ref(V), const(2)))),))
    u, z = ref(Symbol("u")), ref(Symbol("z"))
    e = item(apply(f, [mul(u, z), array((3,), [u, z, ONE])]), 0)  # u z z
    point = {u: 1.7, z: -0.4}
    by_u, by_z = differentiate(e, u), differentiate(e, z)
    assert evaluate(by_u, point.__getitem__, call_function) == pytest.approx(0.16)
    assert evaluate(by_z, point.__getitem__, call_function) == pytest.approx(2 * 1.7 * -0.4)
    twice = differentiate(by_z, u)
    assert evaluate(twice, point.__getitem__, call_function) == pytest.approx(2 * -0.4)
    # The function is linear in its derivatives: no third function is needed for them.
    slope = item(apply(tangent(f), [u, array((3,), [ONE] * 3), z, array((3,), [z, z, ONE])]), 0)
    assert {n.data for n in walk(differentiate(slope, z)) if n.op is Op.APPLY} == {tangent(f)}


def test_integer_outputs_do_not_vary():
    e = item(apply(INNER, [ref(X), ref(Y)]), 1, Type.INTEGER)
    assert differentiate(mul(ref(X), call("real", e)), ref(X)) is call("real", e)


def test_a_derivative_is_linear_in_the_derivatives():
    # da = cos(x) v[2] dx + sin(x) dv[2]
    f = Function("f", (X, V), (A,), (), (Assign(A, mul(call("sin", ref(X)), index(ref(V), const(2)))),))
    du, dw = ref(Symbol("du")), ref(Symbol("dw"))
    slope = item(
        apply(
            tangent(f), [const(0.5), array((3,), [ONE, const(2.0), ONE]), du, array((3,), [ONE, dw, ZERO])]
        ),
        0,
    )
    found = linear_system([sub(slope, ONE)], [du, dw])
    assert found is not None
    entries, right = found
    values = [evaluate(e, {}.__getitem__, call_function) for _, _, e in entries]
    assert values == pytest.approx([2 * math.cos(0.5), math.sin(0.5)])
    assert evaluate(right[0], {}.__getitem__, call_function) == pytest.approx(1.0)
    # but not in the arguments themselves
    nonlinear = item(apply(tangent(f), [du, array((3,), [ONE] * 3), dw, array((3,), [ONE] * 3)]), 0)
    assert linear_system([nonlinear], [du]) is None
