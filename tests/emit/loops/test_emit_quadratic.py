"""Quadratic equations: the root on the side of the value in memory, to the last digits, in both back ends."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saltus.emit.loops.quadratic import curvature
from saltus.expr.nodes import TIME, call, const
from saltus.ir.program import While

numbers = st.floats(-10, 10).filter(lambda v: abs(v) > 1e-3)


def quadratic(model):
    """p*x^2 + q*x + r*time = 0"""
    p, q, r = (model.parameter(n) for n in "pqr")
    x = model.algebraic("x")
    block = model.nonlinear([x], [p * x * x + q * x + r * TIME], [(0, 0, 2.0 * p * x + q)])
    return block, x, (p, q, r)


def test_what_is_quadratic(model):
    block, _, (p, _, _) = quadratic(model)
    assert curvature(block) is not None
    y = model.algebraic("y")
    cubic = model.nonlinear([y], [y * y * y - p], [(0, 0, 3.0 * y * y)])
    assert curvature(cubic) is None
    sine = model.nonlinear([y], [call("sin", y) - p], [(0, 0, call("cos", y))])
    assert curvature(sine) is None
    line = model.nonlinear([y], [y * p - 1.0], [(0, 0, p)])
    assert curvature(line) is None


@given(numbers, numbers, numbers, st.floats(-20, 20))
def test_the_root_on_the_same_side(p, q, c, guess):
    from emit_models import Model, Runner

    from saltus.emit.python.python import python_machine

    discriminant = q * q - 4 * p * c
    vertex = -q / (2 * p)
    if discriminant < 1e-3 or abs(guess - vertex) < 1e-6:
        return
    model = Model()
    _, x, parameters = quadratic(model)
    m = Runner(python_machine(model.program()))
    for leaf, value in zip(parameters, (p, q, c), strict=True):
        m[leaf] = value
    m[TIME], m[x] = 1.0, guess
    assert m.run("outputs") == 0
    offset = math.copysign(math.sqrt(discriminant) / (2 * abs(p)), guess - vertex)
    assert m[x] == pytest.approx(vertex + offset, rel=1e-9, abs=1e-9)
    once = m[x]
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(once, rel=1e-13, abs=1e-13)


def test_a_rod_keeps_its_length_to_the_last_digit(model, machine):
    """x^2 + time^2 = 1 for x on either side; solving again changes nothing; beyond 1 there is no solution."""
    x = model.algebraic("x")
    model.nonlinear([x], [x * x + TIME * TIME - 1.0], [(0, 0, 2.0 * x)])
    m = machine(model)
    for side in (-1.0, 1.0):
        for k in range(1, 99):
            m[TIME], m[x] = k / 100, side * 0.9
            assert m.run("outputs") == 0
            assert m[x] == pytest.approx(side * math.sqrt(1 - (k / 100) ** 2), rel=1e-14)
            once = m[x]
            assert m.run("outputs") == 0 and m[x] == once
    m[TIME] = 1.1
    assert m.run("outputs") != 0


def test_no_iteration_in_the_ordinary_case(model):
    """The loop of Newton's method stands in a branch of its own."""
    x = model.algebraic("x")
    model.nonlinear([x], [x * x - TIME], [(0, 0, 2.0 * x)], [const(1.0)])
    body = model.program().routines["outputs"].body
    assert not any(isinstance(s, While) for s in body)
