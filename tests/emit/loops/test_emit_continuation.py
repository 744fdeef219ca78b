"""Continuation on both back ends: systems that Newton's method does not solve from where it begins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.expr.nodes import const, power
from saltus.ir.native.contract import Counter
from saltus.run.memory.memory import Memory
from saltus.run.start.initialise import set_parameters, set_starts


def allow(m) -> None:
    program = m.machine.program
    m.machine.memory[program.layout.sections["counters"][0] + Counter.CONTINUATION] = 1.0


def cube(x):
    return power(x, const(3.0))


def test_past_a_local_minimum(model, machine):
    # 2 is a local maximum's height: from the right the residual has a minimum at sqrt(2/3) that is no root.
    x = model.algebraic("x")
    model.nonlinear([x], [cube(x) - 2.0 * x + 2.0], [(0, 0, 3.0 * x * x - 2.0)])
    m = machine(model)
    m[x] = 2.0
    assert m.run("outputs") != 0
    assert m[x] == 2.0  # put back: a shorter step has to begin on the branch that is followed
    allow(m)
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(-1.7692923542386314)
    # the integrator's routines never jump
    m[x] = 2.0
    assert m.run("outputs") == 0


def test_many_unknowns(model, machine):
    # A chain of tunnel diodes, each with three voltages for some currents, and a supply.
    n = 8
    v = [model.algebraic(f"v{k}") for k in range(n)]
    i = model.algebraic("i")
    residuals = [i - (cube(u) - 6.0 * u * u + 9.5 * u + const(0.2 * k)) for k, u in enumerate(v)]
    slopes = [(k, k, -1.0 * (3.0 * u * u - 12.0 * u + 9.5)) for k, u in enumerate(v)]
    total = 2.0 * i - const(5.0 * n)
    for k, u in enumerate(v):
        total = total + u
        slopes += [(k, n, const(1.0)), (n, k, const(1.0))]
    slopes.append((n, n, const(2.0)))
    model.nonlinear([*v, i], [*residuals, total], slopes)
    m = machine(model)
    # From one start chance decides, by the last digit, whether Newton's method finds its way.
    starts = 1e-7 * np.random.default_rng(1).standard_normal((20, n + 1))

    def solved(start: np.ndarray) -> bool:
        for u, value in zip((*v, i), start, strict=True):
            m[u] = value
        return m.run("outputs") == 0

    assert not all(solved(start) for start in starts)
    allow(m)
    for start in starts:
        assert solved(start)
        voltages = np.array([m[u] for u in v])
        np.testing.assert_allclose(
            voltages**3 - 6 * voltages**2 + 9.5 * voltages + 0.2 * np.arange(n), m[i], rtol=1e-9
        )
        assert voltages.sum() + 2 * m[i] == pytest.approx(5.0 * n)


def test_no_solution_ends_where_newton_ended(model, machine):
    x = model.algebraic("x")
    block = model.nonlinear([x], [x * x + 1.0], [(0, 0, 2.0 * x)])
    m = machine(model)
    m[x] = 3.0
    allow(m)
    status = m.run("outputs")
    assert m.machine.program.failures[status] is block
    assert abs(m[x]) < 0.1


def test_a_curve_that_cannot_begin_where_the_jacobian_is_singular(model, machine):
    # At 1 the slope is zero; Newton's method is nudged to the wrong side of a hump.
    x = model.algebraic("x")
    model.nonlinear([x], [cube(x) - 3.0 * x + 5.0], [(0, 0, 3.0 * x * x - 3.0)])
    m = machine(model)
    m[x] = 1.0
    allow(m)
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(np.roots([1, 0, -3, 5]).real.min())


CUBIC = """
model Cubic
  parameter Real a = 0, b = 0, c = 0, s = 0;
  Real x(start = s);
equation
  x^3 + a*x^2 + b*x + c = 0;
end Cubic;
"""


def test_every_cubic_is_solved_from_anywhere():
    model = saltus.load(CUBIC)
    plain_failures = 0
    number = st.floats(-5, 5).map(lambda z: round(z, 2))

    @settings(max_examples=150, deadline=None)
    @given(number, number, number, st.floats(-20, 20).map(lambda z: round(z, 1)))
    def check(a, b, c, s):
        nonlocal plain_failures
        values = {"a": a, "b": b, "c": c, "s": s}
        x = model.simulate(stop_time=0.1, set=values)["x"][0]
        sizes = abs(x) ** 3 + abs(a * x * x) + abs(b * x) + abs(c)
        assert abs(x**3 + a * x * x + b * x + c) <= 1e-12 * (1 + sizes)
        memory = Memory(model.structure, model._translation.machine.clone())
        set_parameters(memory, values)
        set_starts(memory, 0.0)
        plain_failures += memory.routines["settle_initial"]() != 0

    check()
    assert plain_failures > 5  # else this test says nothing about continuation
