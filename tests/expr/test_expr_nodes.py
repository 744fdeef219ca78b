"""Interning, the tidying constructors, and traversal."""

from __future__ import annotations

import gc

import pytest
from expr_recipes import LEAVES, build, recipes
from hypothesis import given

from saltus.expr.nodes import (
    FALSE,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    and_,
    call,
    const,
    der,
    div,
    if_,
    mul,
    neg,
    not_,
    or_,
    power,
    pre,
    ref,
    relation,
)
from saltus.expr.traversal import leaves, postorder, rebuild, substitute, walk

X, Y, Z = LEAVES.values()
N = ref(Symbol("n", Type.INTEGER))


@given(recipes)
def test_equal_structure_is_the_same_object(recipe):
    assert build(recipe) is build(recipe)


@given(recipes)
def test_rebuilding_from_other_objects_interns_again(recipe):
    e = build(recipe)
    fresh = {leaf: ref(Symbol(leaf.data.name)) for leaf in leaves(e)}
    there = substitute(e, fresh)
    back = substitute(there, {b: a for a, b in fresh.items()})
    assert back is e
    assert not set(leaves(there)) & set(leaves(e))


@given(recipes)
def test_postorder_visits_each_node_once_and_arguments_first(recipe):
    e = build(recipe)
    visited = list(postorder(e))
    assert len(visited) == len(set(visited))
    assert set(visited) == set(walk(e))
    place = {node: i for i, node in enumerate(visited)}
    assert all(place[a] < place[node] for node in visited for a in node.args)


def test_postorder_leaves_out_what_is_done():
    e = call("sin", X + Y) * Z
    assert list(postorder(e, {X + Y})) == [call("sin", X + Y), Z, e]


def test_integers_and_reals_are_different_constants():
    assert const(1) is not const(1.0)
    assert const(True) is not const(1)
    assert const(-0.0) is const(0.0)


def test_nodes_are_freed_when_nobody_holds_them():
    from saltus.expr import nodes

    gc.collect()
    before = len(nodes._interned)
    e: Expr | None = ref(Symbol("gone"))
    for _ in range(50_000):
        e = call("sin", e)
    assert len(nodes._interned) >= before + 50_000
    del e
    gc.collect()
    assert len(nodes._interned) <= before


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (X + 0.0, X),
        (X * 1.0, X),
        (X * 0.0, ZERO),
        (X - X, ZERO),
        (neg(neg(X)), X),
        (X + (Y + Z), add(X, Y, Z)),
        (2.0 * X * 3.0, mul(const(6.0), X)),
        ((-X) * (-Y), X * Y),
        (X / 1.0, X),
        ((-X) / Y, -(X / Y)),
        (X / const(-2.0), -(X / 2.0)),
        (const(-1.0) / X, -(1.0 / X)),
        (X**0.0, const(1.0)),
        (power(const(2.0), const(3)), const(8.0)),
        (and_(TRUE, not_(not_(relation(Op.LT, X, Y)))), relation(Op.LT, X, Y)),
        (or_(relation(Op.LT, X, Y), TRUE), TRUE),
        (if_(relation(Op.LT, X, Y), FALSE, TRUE), not_(relation(Op.LT, X, Y))),
        (if_(relation(Op.LT, X, Y), Z, Z), Z),
    ],
)
def test_constructors_tidy(found, expected):
    assert found is expected


def test_long_sums_and_products_built_step_by_step_are_cheap():
    # Merging every one of them in full would copy 200 million arguments.
    xs = [ref(Symbol(f"v{i}")) for i in range(20_000)]
    total, product = xs[0], xs[0]
    for x in xs[1:]:
        total, product = total + x, product * x
    for e in (total, product, neg(total), neg(product)):
        assert set(leaves(e)) == set(xs)
        assert sum(len(node.args) for node in walk(e)) < 22_000
        assert neg(neg(e)) is e


def test_division_by_the_constant_zero_stays():
    assert div(X, ZERO).op is Op.DIV
    assert div(ZERO, ZERO).op is Op.DIV
    assert div(X, X).op is Op.DIV


@pytest.mark.parametrize("e", [N * 1.0, N + 0.0, N / 1, N ** const(1), N * -1.0, N / N, N * X])
def test_neutral_elements_do_not_change_the_type(e):
    assert e.type is Type.REAL


def test_integer_arithmetic_stays_integer():
    assert (N + 1).type is Type.INTEGER
    assert (N * 2 - N).type is Type.INTEGER
    assert (N + 0) is N


def test_leaves_are_found_once_in_order_and_are_not_entered():
    e = der(Y) * pre(X) + X / der(Y) + const(3.0)
    assert leaves(e) == (der(Y), pre(X), X)


@given(recipes)
def test_rebuild_with_the_same_arguments_is_the_node(recipe):
    for node in walk(build(recipe)):
        assert rebuild(node, (*node.args,)) is node
