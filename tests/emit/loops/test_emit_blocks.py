"""Explicit, linear and nonlinear blocks on both back ends, against closed forms and numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from saltus.expr.nodes import ONE, TIME, ZERO, call, const, der, power
from saltus.ir.program import Invoke


def test_explicit_chain(model, machine):
    p, x = model.parameter("p"), model.state("x")
    a, b, unused = (model.algebraic(n) for n in ("a", "b", "unused"))
    model.explicit(a, 2.0 * x + p)
    model.explicit(unused, TIME * 10.0)
    model.explicit(b, power(a, const(3.0)))
    model.explicit(der(x), b - x)
    m = machine(model)
    m[p], m[x], m[TIME] = 0.5, 1.5, 4.0
    assert m.run("derivatives") == 0
    assert m[a] == 3.5
    assert m[b] == 3.5**3
    assert m[der(x)] == 3.5**3 - 1.5
    assert m[unused] == 0.0  # not needed, not computed
    assert m.run("outputs") == 0
    assert m[unused] == 40.0


def test_dependent_parameters_and_bands(model, machine):
    from saltus.expr.nodes import Op
    from saltus.ir.sorted.blocks import Explicit

    p, q = model.parameter("p"), model.parameter("q")
    model.dependent.append(Explicit(q, p * p, None))
    model.relation(Op.GT, TIME - 1.0, nominal=q)
    model.relation(Op.GT, TIME - 1.0, slope=ONE, offset=const(-1.0))
    m = machine(model)
    m[p] = -30.0
    assert m.run("parameters") == 0
    assert m[q] == 900.0
    assert m.section("bands") == pytest.approx([1e-10 * 900.0, 0.0], abs=0)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 40])
def test_linear_block_needs_pivoting(model, machine, n):
    rng = np.random.default_rng(n)
    a = rng.normal(size=(n, n))
    if n > 1:
        np.fill_diagonal(a, 0.0)
    b = rng.normal(size=n)
    x = [model.algebraic(f"x{i}") for i in range(n)]
    s = model.parameter("s")
    entries = [(i, j, s * float(a[i, j])) for i in range(n) for j in range(n) if a[i, j] != 0]
    model.linear(x, entries, [const(float(v)) for v in b])
    m = machine(model)
    m[s] = 2.0
    assert m.run("outputs") == 0
    np.testing.assert_allclose([m[v] for v in x], np.linalg.solve(2.0 * a, b), rtol=1e-11)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_singular_linear_block_is_named(model, machine, n):
    x = [model.algebraic(f"x{i}") for i in range(n)]
    s = model.parameter("s")
    entries = [(i, j, s) for i in range(n) for j in range(n)]
    block = model.linear(x, entries, [ONE] * n)
    m = machine(model)
    m[s] = 1.0
    status = m.run("outputs")
    assert status > 0
    assert m.machine.program.failures[status] is block


def newton_system(model, *, symbolic):
    """x^2 + y^2 = c, x y = 1: for c = 4.25 the roots are (2, 0.5) and its mirror images."""
    c = model.parameter("c")
    x, y = model.algebraic("x"), model.algebraic("y")
    residuals = [x * x + y * y - c, x * y - 1.0]
    jacobian = [(0, 0, 2.0 * x), (0, 1, 2.0 * y), (1, 0, y), (1, 1, x)] if symbolic else None
    model.nonlinear([x, y], residuals, jacobian)
    return c, x, y


@pytest.mark.parametrize("symbolic", [True, False])
def test_newton_finds_known_root(model, machine, symbolic):
    c, x, y = newton_system(model, symbolic=symbolic)
    m = machine(model)
    m[c], m[x], m[y] = 4.25, 1.4, 0.3
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(2.0, rel=1e-13)
    assert m[y] == pytest.approx(0.5, rel=1e-13)
    before = m[x], m[y]
    assert m.run("outputs") == 0
    assert (m[x], m[y]) == before  # a solved block stays where it is


def test_newton_damps_back_into_the_domain(model, machine):
    """log(x) = 1 from x = 20: the first full step is to a negative x, where log is not a number."""
    x = model.algebraic("x")
    model.nonlinear([x], [call("log", x) - 1.0], [(0, 0, 1.0 / x)])
    m = machine(model)
    m[x] = 20.0
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(math.e, rel=1e-13)


HARD = {
    # name: residual, derivative, start, root
    "square law from its flat point": (lambda x: x * x - 4.0, lambda x: 2.0 * x, 0.0, 2.0),
    "root at a flat point": (lambda x: x * x, lambda x: 2.0 * x, 0.0, 0.0),
    "undamped it diverges": (
        lambda x: call("atan", x - 1.0),
        lambda x: 1.0 / (1.0 + (x - 1.0) ** 2.0),
        9.0,
        1.0,
    ),
    "not defined at the start": (lambda x: call("log", x), lambda x: 1.0 / x, 0.0, 1.0),
    "diode": (
        lambda x: 1e-12 * (call("exp", 40.0 * x) - 1.0) - 1e-3 * (1.0 - x),
        lambda x: 4e-11 * call("exp", 40.0 * x) + 1e-3,
        0.0,
        None,  # found by bisection below
    ),
}


def bisect(f, low, high):
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return middle


@pytest.mark.parametrize("name", HARD)
def test_newton_on_hard_scalar_equations(model, machine, name):
    residual, derivative, start, root = HARD[name]
    if root is None:
        root = bisect(lambda v: 1e-12 * (math.exp(40.0 * v) - 1.0) - 1e-3 * (1.0 - v), 0.0, 1.0)
    x = model.algebraic("x")
    model.nonlinear([x], [residual(x)], [(0, 0, derivative(x))])
    m = machine(model)
    m[x] = start
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(root, rel=1e-12, abs=1e-12)


def square_root_law(x):
    return call("sign", x) * call("sqrt", call("abs", x))


def slope_of_square_root_law(x):
    """Not a number at 0."""
    return 0.5 * call("sign", x) ** 2.0 / call("sqrt", call("abs", x))


@pytest.mark.parametrize("flow", [2.0, -2.0, 0.0])
def test_newton_leaves_an_infinite_slope(model, machine, flow):
    """A square-root law of a difference: both unknowns have to move, and not alike."""
    p, q = model.algebraic("p"), model.algebraic("q")
    dp = p - q
    slope = slope_of_square_root_law(dp)
    residuals = [square_root_law(dp) + 3.0 * dp - flow, q + 0.5 * p - 1.0]
    jacobian = [(0, 0, slope + 3.0), (0, 1, -slope - 3.0), (1, 0, const(0.5)), (1, 1, ONE)]
    model.nonlinear([p, q], residuals, jacobian)
    m = machine(model)
    assert m.run("outputs") == 0
    root = (math.sqrt(1.0 + 12.0 * abs(flow)) - 1.0) / 6.0  # s + 3 s^2 = |flow|
    assert m[p] - m[q] == pytest.approx(math.copysign(root * root, flow), rel=1e-10, abs=1e-11)
    assert m[q] + 0.5 * m[p] == pytest.approx(1.0, rel=1e-13)
    before = m[p], m[q]
    assert m.run("outputs") == 0
    assert (m[p], m[q]) == before


@pytest.mark.parametrize("symbolic", [True, False])
def test_newton_leaves_a_singular_start(model, machine, symbolic):
    """x + y + x^2 = 3 and x + y + 2 y^2 = 4, with the root (1, 1): at 0 both rows are the same."""
    x, y = model.algebraic("x"), model.algebraic("y")
    residuals = [x + y + x * x - 3.0, x + y + 2.0 * y * y - 4.0]
    jacobian = [(0, 0, 1.0 + 2.0 * x), (0, 1, ONE), (1, 0, ONE), (1, 1, 1.0 + 4.0 * y)]
    model.nonlinear([x, y], residuals, jacobian if symbolic else None)
    m = machine(model)
    assert m.run("outputs") == 0
    a, b = m[x], m[y]
    assert a + b + a * a == pytest.approx(3.0, abs=1e-12)
    assert a + b + 2.0 * b * b == pytest.approx(4.0, abs=1e-12)


def test_newton_does_not_wander_from_a_slope_that_stays_zero(model, machine):
    x, y = model.algebraic("x"), model.algebraic("y")
    block = model.nonlinear([x, y], [x * y - 1.0, 0.0 * x + 1.0], [(0, 0, y), (0, 1, x), (1, 0, 0.0 * x)])
    m = machine(model)
    assert m.machine.program.failures[m.run("outputs")] is block
    assert abs(m[x]) < 5.0
    assert abs(m[y]) < 5.0


def test_newton_without_a_root_fails_by_name(model, machine):
    x = model.algebraic("x")
    block = model.nonlinear([x], [x * x + 1.0], [(0, 0, 2.0 * x)])
    m = machine(model)
    m[x] = 3.0
    status = m.run("outputs")
    assert m.machine.program.failures[status] is block
    assert math.isfinite(m[x])


def test_newton_scales_by_nominals(model, machine):
    """Unknowns of size 1e5 (pressure) and 1e-6 (flow) in one block."""
    p, q = model.algebraic("p"), model.algebraic("q")
    # q = 1e-11 p, p = 2e5 - 1e22/2 q^2: p + 0.5 p^2 = 2e5
    residuals = [q - 1e-11 * p, p + 0.5e22 * q * q - 2e5]
    jacobian = [(0, 0, const(-1e-11)), (0, 1, ONE), (1, 0, ONE), (1, 1, 1e22 * q)]
    model.nonlinear([p, q], residuals, jacobian, [const(1e5), const(1e-6)])
    m = machine(model)
    m[p], m[q] = 1e5, 1e-6
    assert m.run("outputs") == 0
    root = math.sqrt(1 + 4e5) - 1
    assert m[p] == pytest.approx(root, rel=1e-12)
    assert m[q] == pytest.approx(1e-11 * root, rel=1e-12)


def test_large_nonlinear_block(model, machine):
    """x_i + 0.1 x_{i-1}^2 = i, cyclic; each row checked by substitution."""
    n = 12
    x = [model.algebraic(f"x{i}") for i in range(n)]
    residuals = [x[i] + 0.1 * x[i - 1] * x[i - 1] - float(i) / n for i in range(n)]
    jacobian = [(i, i, ONE) for i in range(n)] + [(i, (i - 1) % n, 0.2 * x[i - 1]) for i in range(n)]
    model.nonlinear(x, residuals, jacobian)
    m = machine(model)
    assert m.run("outputs") == 0
    values = [m[v] for v in x]
    for i in range(n):
        assert values[i] + 0.1 * values[i - 1] ** 2 == pytest.approx(i / n, abs=1e-13)


def test_initial_and_run_blocks_have_statuses_of_their_own(model):
    from saltus.ir.sorted.blocks import Linear

    x, y = model.algebraic("x"), model.algebraic("y")
    entries = ((0, 0, ONE), (0, 1, ONE), (1, 0, ONE), (1, 1, -ONE))
    model.linear([x, y], entries, [ONE, ZERO])
    model.initial.append(Linear((x, y), (), entries, (ONE, ZERO)))
    program = model.program()
    assert sorted(program.failures) == [1, 2]
    assert program.failures[1] is model.blocks[0]
    assert program.failures[2] is model.initial[0]


@pytest.mark.parametrize("count", [250, 1000])
def test_long_models_are_cut_into_pieces(model, machine, count):
    """A recurrence a_k = a_{k-1} / 2 + k with a closed form, half of it needed by the derivative."""
    x = model.state("x")
    previous, unknowns = x, []
    for k in range(count):
        a = model.algebraic(f"a{k}")
        model.explicit(a, 0.5 * previous + float(k))
        unknowns.append(a)
        previous = a
    model.explicit(der(x), unknowns[count // 2] * 1.0)
    m = machine(model)
    assert any(isinstance(s, Invoke) for s in m.machine.program.routines["outputs"].body)
    m[x] = 8.0

    def closed(k):
        return 8.0 * 0.5 ** (k + 1) + 2.0 * k - 2.0 + 2.0 * 0.5**k

    assert m.run("derivatives") == 0
    assert m[der(x)] == pytest.approx(closed(count // 2), rel=1e-13)
    assert m[unknowns[-1]] == 0.0
    assert m.run("outputs") == 0
    assert [m[a] for a in unknowns] == pytest.approx([closed(k) for k in range(count)], rel=1e-12)
