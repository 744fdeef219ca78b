"""Blocks against dense linear algebra and closed forms; discrete equations and their loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from analyse_models import Model, places, refusal, solve_blocks, with_aliases
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.analyse.analysis import analyse
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import (
    TIME,
    ZERO,
    Op,
    Type,
    add,
    and_,
    apply,
    call,
    const,
    der,
    if_,
    item,
    mul,
    no_event,
    not_,
    or_,
    pre,
    relation,
)
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.balance import is_inferred
from saltus.ir.sorted.blocks import Explicit, Linear, Nonlinear


@settings(deadline=None)
@given(st.integers(1, 14), st.integers(0, 2**32 - 1), st.floats(0.0, 0.4))
def test_random_linear_systems(count: int, seed: int, density: float) -> None:
    random = np.random.default_rng(seed)
    matrix = np.where(random.random((count, count)) < density, random.uniform(-1, 1, (count, count)), 0.0)
    matrix += np.diag(2.0 + np.abs(matrix).sum(axis=1))
    matrix = matrix[random.permutation(count)]
    right = random.uniform(-5, 5, count)
    m = Model()
    x = [m.algebraic(f"x{i}") for i in range(count)]
    for row, b in zip(matrix, right, strict=True):
        terms = [mul(const(float(c)), v) for c, v in zip(row, x, strict=True)]
        side = random.integers(0, count)
        m.equation(add(*terms[:side], ZERO), const(float(b)) - add(*terms[side:], ZERO))
    structure = analyse(m.build())
    structure.verify()
    found = with_aliases(structure, solve_blocks(structure.blocks, {}))
    expected = np.linalg.solve(matrix, right)
    assert [found[f"x{i}"] for i in range(count)] == pytest.approx(expected.tolist(), rel=1e-9, abs=1e-9)


def test_triangular_system_is_explicit_in_reverse() -> None:
    m = Model()
    x, a, b = m.state("x"), m.algebraic("a"), m.algebraic("b")
    m.equation(der(x), a + 1.0)
    m.equation(a, b * x)
    m.equation(3.0 * b, TIME)
    structure = analyse(m.build())
    structure.verify()
    assert [show(block.unknowns[0]) for block in structure.blocks] == ["b", "a", "der(x)"]
    assert all(isinstance(block, Explicit) for block in structure.blocks)
    assert solve_blocks(structure.blocks, {TIME: 6.0, x: 5.0})[der(x)] == 11.0


def test_independent_equations_keep_the_order_of_the_source() -> None:
    m = Model()
    v = [m.algebraic(f"v{i}") for i in range(6)]
    for i in (3, 1, 5, 0, 4, 2):
        m.equation(v[i], const(float(i)))
    assert [show(b.unknowns[0]) for b in analyse(m.build()).blocks] == ["v3", "v1", "v5", "v0", "v4", "v2"]


def test_linear_loop_with_switch_has_coefficients_of_both_positions() -> None:
    # Source E, resistor R and an ideal switch in series.
    m = Model()
    u, i, e = m.algebraic("u"), m.algebraic("i"), m.algebraic("e")
    closed = m.relation(Op.GT, TIME - 1.0)
    m.equation(e, const(12.0))
    m.equation(e, 4.0 * i + u)
    m.equation(ZERO, if_(closed, u, i))
    structure = analyse(m.build())
    structure.verify()
    assert [type(b) for b in structure.blocks] == [Explicit, Linear]
    assert solve_blocks(structure.blocks, {closed: True})[i] == 3.0
    assert solve_blocks(structure.blocks, {closed: False})[u] == 12.0


def test_nonlinear_loop_has_its_jacobian_and_nominals() -> None:
    m = Model()
    x, y = m.algebraic("x", nominal=const(10.0)), m.algebraic("y")
    m.equation(x * x + y * y, const(25.0))
    m.equation(x * y, const(12.0))
    structure = analyse(m.build())
    structure.verify()
    (block,) = structure.blocks
    assert isinstance(block, Nonlinear) and block.jacobian is not None
    nominals = dict(zip(block.unknowns, block.nominals, strict=True))
    assert nominals[x] is const(10.0) and is_inferred(nominals[y])  # which is found when a run begins
    at = {x: 3.5, y: 3.0}
    for row, column, slope in block.jacobian:
        value = {}
        for step in (-1e-6, 1e-6):
            moved = at | {block.unknowns[column]: at[block.unknowns[column]] + step}
            value[step] = evaluate(block.residuals[row], moved.__getitem__)
        difference = (value[1e-6] - value[-1e-6]) / 2e-6
        assert evaluate(slope, at.__getitem__) == pytest.approx(difference, rel=1e-6)
    assert len(block.jacobian) == 4


def test_single_nonlinear_equation_and_single_invertible_one() -> None:
    m = Model()
    a, b = m.algebraic("a"), m.algebraic("b")
    m.equation(call("cos", a), a)
    m.equation(call("exp", b), const(5.0))
    structure = analyse(m.build())
    kinds = {show(block.unknowns[0]): type(block) for block in structure.blocks}
    assert kinds == {"a": Nonlinear, "b": Explicit}
    values = solve_blocks(structure.blocks, {})
    assert values[a] == pytest.approx(0.7390851332151607)
    assert values[b] == pytest.approx(math.log(5.0))


def test_user_function_without_derivative_has_no_jacobian() -> None:
    class Opaque:
        name = "f"

    m = Model()
    a, b = m.algebraic("a"), m.algebraic("b")
    m.equation(item(apply(Opaque(), (a,)), 0), b)
    m.equation(a + b, const(1.0))
    (block,) = analyse(m.build()).blocks
    assert isinstance(block, Nonlinear) and block.jacobian is None


def test_derivative_inside_a_loop() -> None:
    # der(x) + a = 0, der(x) = a + 2x: a = -x, der(x) = x.
    m = Model()
    x, a = m.state("x"), m.algebraic("a")
    m.equation(der(x) + a, ZERO)
    m.equation(der(x), a + 2.0 * x)
    structure = analyse(m.build())
    structure.verify()
    assert solve_blocks(structure.blocks, {x: 3.0})[der(x)] == pytest.approx(3.0)


# ---------------------------------------------------------------- discrete equations


def test_discrete_equations_are_sorted_with_the_continuous_ones() -> None:
    m = Model()
    y, d, z = m.algebraic("y"), m.discrete("d"), m.algebraic("z")
    c = m.discrete("c", Type.BOOLEAN)
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(z, d + 1.0)
    m.equation(d, if_(and_(c, not_(pre(c))), y, pre(d)))
    m.equation(c, r)
    m.equation(y, 2.0 * TIME)
    structure = analyse(m.build())
    structure.verify()
    known = {TIME: 1.5, r: True, pre(c): False, pre(d): 0.0}
    assert solve_blocks(structure.blocks, known)[z] == 4.0
    assert solve_blocks(structure.blocks, known | {pre(c): True, pre(d): 7.0})[z] == 8.0


def test_discrete_equations_are_turned_round() -> None:
    m = Model()
    a, b = m.discrete("a", Type.BOOLEAN), m.discrete("b", Type.BOOLEAN)
    d, k = m.discrete("d"), m.discrete("k", Type.INTEGER)
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(and_(r, not_(pre(a))), a)
    m.equation(not_(b), a)
    m.equation(2.0 * d, TIME)
    m.equation(pre(k) + const(1), k)
    structure = analyse(m.build())
    structure.verify()
    known = {TIME: 3.0, r: True, pre(a): False, pre(k): 4}
    values = solve_blocks(structure.blocks, known)
    assert (values[a], values[b], values[d], values[k]) == (True, False, 1.5, 5)


@pytest.mark.parametrize("swapped", [False, True])
def test_connection_of_a_discrete_real_to_a_continuous_one(swapped: bool) -> None:
    m = Model()
    d, y = m.discrete("d"), m.algebraic("y")
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(*((y, d) if swapped else (d, y)))
    m.equation(d, if_(r, TIME, pre(d)))
    structure = analyse(m.build())
    structure.verify()
    assert solve_blocks(structure.blocks, {TIME: 2.0, r: True, pre(d): 0.0})[y] == 2.0


def test_discrete_variable_that_copies_a_continuous_one() -> None:
    m = Model()
    d, y = m.discrete("d"), m.algebraic("y")
    m.equation(y, TIME)
    m.equation(d, y)
    structure = analyse(m.build())
    structure.verify()
    assert solve_blocks(structure.blocks, {TIME: 2.0})[d] == 2.0


def test_loop_among_discrete_equations_without_solution_is_refused() -> None:
    m = Model()
    a, b, x = (m.discrete(f"s.{name}", Type.BOOLEAN) for name in "abx")
    m.equation(x, m.relation(Op.GT, TIME))
    m.equation(a, not_(or_(b, and_(x, b))))  # not b
    m.equation(b, and_(a, or_(x, a)))  # a
    d = refusal(m)
    assert d.code == "E305"
    assert "`s.a`" in d.message and "`s.b`" in d.message and "pre(" in (d.hint or "")
    assert places(d) == [q.span.text for q in m.build().equations[1:]]


def test_loop_among_discrete_equations_is_opened() -> None:
    """a = not b, b = a and pre(b): one of them is presumed, and the other is computed from that."""
    m = Model()
    a, b = m.discrete("a", Type.BOOLEAN), m.discrete("b", Type.BOOLEAN)
    m.equation(a, not_(b))
    m.equation(b, and_(a, pre(b)))
    structure = analyse(m.build())
    structure.verify()
    (presumption,) = structure.presumptions
    assert presumption.variable in (a, b) and set(presumption.loop) == {a, b}
    for old in (False, True):
        for guess in (False, True):
            found = solve_blocks(structure.blocks, {pre(b): old, presumption.presumed: guess})
            if found[presumption.variable] == guess:  # consistent: then it solves the equations
                assert found[a] == (not found[b]) and found[b] == (found[a] and old)


def test_mixed_loop_falls_apart_into_a_linear_system_and_an_assignment() -> None:
    """Two continuous unknowns that depend on an Integer which depends on one of them."""
    m = Model()
    x, y, n = m.algebraic("x"), m.algebraic("y"), m.discrete("n", Type.INTEGER)
    m.equation(x + y, TIME)
    m.equation(x - 2.0 * y, if_(relation(Op.EQ, n, const(1)), const(3.0), const(6.0)))
    m.equation(n, if_(no_event(relation(Op.GT, x, const(3.0))), const(1), const(2)))
    structure = analyse(m.build())
    structure.verify()
    (presumption,) = structure.presumptions
    system, assignment = structure.blocks
    assert isinstance(system, Linear) and set(system.unknowns) == {x, y}
    assert isinstance(assignment, Explicit) and assignment.unknown is n
    found = solve_blocks(structure.blocks, {TIME: 4.0, presumption.presumed: 1})
    assert found[x] == pytest.approx(11 / 3) and found[n] == 1


def test_loop_through_a_continuous_variable_is_solved_at_events() -> None:
    """d = y and y = d/2 + t give d = 2*t at the event; before and after it, y follows from d."""
    m = Model()
    d, y = m.discrete("d"), m.algebraic("y")
    r = m.relation(Op.GT, TIME - 1.0)
    m.equation(d, if_(r, y, pre(d)))
    m.equation(y, 0.5 * d + TIME)
    structure = analyse(m.build())
    structure.verify()
    together, alone = structure.blocks
    (echo,) = structure.echoes
    assert isinstance(together, Linear) and together.unknowns == (d, echo)
    assert isinstance(alone, Explicit) and alone.unknown is y
    found = solve_blocks(structure.blocks, {TIME: 3.0, r: True, pre(d): 7.0})
    assert found[d] == pytest.approx(6.0) and found[y] == pytest.approx(6.0)
    found = solve_blocks(structure.blocks, {TIME: 3.0, r: False, pre(d): 7.0})
    assert found[d] == pytest.approx(7.0) and found[y] == pytest.approx(6.5)


def test_own_new_value_is_refused() -> None:
    m = Model()
    a = m.discrete("a", Type.BOOLEAN)
    m.equation(a, not_(and_(a, pre(a))))
    d = refusal(m)
    assert d.code == "E305" and "`a`" in d.message and d.span is not None


def test_discrete_variable_without_formula_is_refused() -> None:
    m = Model()
    d = m.discrete("d")
    m.equation(call("sin", d), TIME)
    assert refusal(m).code == "E305"


def test_constants_are_inserted_into_later_blocks():
    """`k = 2*p` makes `k*x + y = 1, x - k*y = 0` linear; neither k nor c is needed in a step."""
    import saltus

    model = saltus.load(
        """
        model M
          parameter Real p = 3;
          Real c, k, x, y, z(start = 1, fixed = true);
        equation
          c = 4;
          k = 2*p;
          k*x + sin(c)*y = z;
          x - k*k*y*c = 0;
          der(z) = -x;
        end M;
        """
    )
    loop = next(b for b in model.structure.blocks if not isinstance(b, Explicit))
    assert isinstance(loop, Linear)
    used = {str(leaf) for _, _, e in loop.matrix for leaf in leaves(e)}
    assert used == {"p"}
    result = model.simulate(stop_time=1.0, tolerance=1e-9, set={"p": 0.5})
    # k = 1: x = 4 y, y (4 + sin 4) = z, z' = -x
    rate = 4 / (4 + math.sin(4))
    assert result["z"][-1] == pytest.approx(math.exp(-rate), rel=1e-5)
    assert result["c"][-1] == 4 and result["k"][-1] == 1


def test_a_constant_zero_that_makes_an_unknown_vanish_is_told_by_the_run():
    import saltus

    model = saltus.load("model M Real a, x; equation a = 0; a*x = time; end M;")
    with pytest.raises(saltus.RunError, match="divisor `a` is 0"):
        model.simulate(stop_time=1.0)
