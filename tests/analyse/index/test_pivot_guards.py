"""The smallest pivot that guards watch, against NumPy; and states chosen at given values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.analyse.analysis import Analysis, analyse
from saltus.analyse.index.pivot_guards import elimination
from saltus.core.diagnostics import ModelError
from saltus.emit.llvm.jit import NativeMachine, native_machine
from saltus.emit.llvm.llvm import printed
from saltus.expr.nodes import ZERO, Expr, Symbol, array, ref
from saltus.ir.program import CallFunction, Layout, Program, Routine, Store
from saltus.ir.sorted.modes import GENERAL

PENDULUM = """
model Pendulum
  Real x(start = 0, fixed = true), y(start = -1), u(start = 1, fixed = true), v, f;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -f*x;
  der(v) = -f*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
"""


def smallest_pivot(matrix: np.ndarray, sizes: np.ndarray) -> float:
    """Complete pivoting, written for arrays."""
    m = np.divide(matrix, sizes[:, None], where=sizes[:, None] > 0, out=np.zeros_like(matrix))
    smallest = 1.0
    while m.size:
        i, j = np.unravel_index(np.argmax(np.abs(m)), m.shape)
        pivot = m[i, j]
        smallest = min(smallest, abs(pivot))
        if pivot == 0.0:
            return 0.0
        m = m - np.outer(m[:, j], m[i]) / pivot
        m = np.delete(np.delete(m, i, axis=0), j, axis=1)
    return smallest


def machine_for(matrix: np.ndarray, sizes: np.ndarray, *, sparse: bool = False) -> NativeMachine:
    """The function in native code, its arguments in the memory; where `sparse`, zeros are known to be."""
    n = len(sizes)
    numbers = [*matrix.ravel(), *sizes]
    leaves: list[Expr] = [ref(Symbol(f"a{k}")) for k in range(len(numbers))]
    entries = [ZERO if sparse and not x else leaf for x, leaf in zip(numbers, leaves, strict=True)]
    function, result = elimination(n), Symbol("result")
    call = CallFunction((result,), function, (array((n, n), entries[: n * n]), array((n,), entries[n * n :])))
    slots = {leaf: k + 1 for k, leaf in enumerate(leaves)}
    size = len(numbers) + 2
    routine = Routine("run", (call, Store(size - 1, ref(result))), (result,))
    program = Program("test", Layout(slots, {"time": (0, 1)}, size), {"run": routine}, (function,))
    machine = native_machine(program)
    machine.memory[1:-1] = numbers
    return machine


def compiled(matrix: np.ndarray, sizes: np.ndarray, *, sparse: bool = False) -> float:
    machine = machine_for(matrix, sizes, sparse=sparse)
    assert machine.routines["run"]() == 0
    return float(machine.memory[-1])


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_the_smallest_pivot(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(n, n)) * random.choice([0, 1], p=[0.3, 0.7], size=(n, n))
    sizes = np.abs(matrix).max(axis=1) * random.choice([1.0, 3.0], size=n)
    assert compiled(matrix, sizes) == pytest.approx(smallest_pivot(matrix, sizes), abs=1e-12)


def test_zeros_of_a_large_matrix_are_no_code_of_their_own() -> None:
    """A matrix with three diagonals: three times as many rows are three times as much code, not nine times,
    and the pivot is the same."""
    random = np.random.default_rng(1)
    lines = []
    for n in (20, 60):
        matrix = np.triu(np.tril(random.normal(size=(n, n)), 1), -1)
        sizes = np.abs(matrix).max(axis=1)
        assert compiled(matrix, sizes, sparse=True) == pytest.approx(smallest_pivot(matrix, sizes), abs=1e-12)
        _, routines = printed(machine_for(matrix, sizes, sparse=True).program)
        lines.append(routines["run"].text.count("\n"))
    assert lines[1] < 3.2 * lines[0]


def test_a_singular_matrix_has_no_pivot() -> None:
    matrix = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 0.5], [3.0, 3.0, 3.5]])  # the third row is the sum
    assert compiled(matrix, np.abs(matrix).max(axis=1)) == pytest.approx(0, abs=1e-15)
    assert compiled(np.zeros((2, 2)), np.zeros(2)) == 0.0


def test_states_are_those_that_are_best_at_given_values() -> None:
    hybrid = saltus.load(PENDULUM).hybrid
    for x, y, expected in ((0.1, -0.995, {"x", "u"}), (0.995, 0.1, {"y", "v"}), (-0.9, -0.4, {"y", "v"})):
        structure = analyse(hybrid, at={"x": x, "y": y, "u": 1.0, "v": 1.0})
        assert {v.name for v in structure.states} == expected
        assert not structure.initial
        structure.verify()


def test_one_choice_is_told_from_another() -> None:
    analysis = Analysis(saltus.load(PENDULUM).hybrid).in_mode(GENERAL)
    assert analysis.choice is not None
    below = analysis.choose({"x": 0.2, "y": -0.98})
    assert below.dummies == analysis.choice.dummies
    assert analysis.choose({"x": 0.2, "y": 0.98}).dummies == below.dummies
    assert analysis.choose({"x": 0.98, "y": 0.2}).dummies != below.dummies


def test_no_choice_where_the_gradient_vanishes() -> None:
    analysis = Analysis(saltus.load(PENDULUM).hybrid).in_mode(GENERAL)
    with pytest.raises(ModelError, match="depend on each other in this position"):
        analysis.choose({"x": 0.0, "y": 0.0})


def test_constant_pivots_need_no_guard() -> None:
    gears = """
    model Gears
      parameter Real ratio = 2;
      Real a(start = 0, fixed = true), b, wa(start = 1, fixed = true), wb, t;
    equation
      der(a) = wa;
      der(b) = wb;
      der(wa) = t;
      der(wb) = -ratio*t - b;
      a = ratio*b;
    end Gears;
    """
    structure = saltus.load(gears).structure
    assert structure.reduction is not None and structure.pivot_guards == ()
    assert structure.relations == structure.model.relations


def test_each_rod_of_a_chain_has_its_own_guard() -> None:
    """Positions and velocities share it; what connects the rods is triangular."""
    count = 4
    text = [f"model Rods Real x[{count}](start = {{1, 2, 3, 4}}), y[{count}](each start = 0);"]
    text.append(f"Real u[{count}], v[{count}], f[{count}];\nequation")
    for k in range(1, count + 1):
        x, y = (f"x[{k}] - x[{k - 1}]", f"y[{k}] - y[{k - 1}]") if k > 1 else ("x[1]", "y[1]")
        text.append(f"der(x[{k}]) = u[{k}]; der(y[{k}]) = v[{k}]; ({x})^2 + ({y})^2 = 1;")
        text.append(f"der(u[{k}]) = -f[{k}]*({x}); der(v[{k}]) = -f[{k}]*({y}) - 1;")
    structure = saltus.load("\n".join([*text, "end Rods;"])).structure
    assert sorted(guard.names for guard in structure.pivot_guards) == [
        (f"x[{k}]",) for k in range(1, count + 1)
    ]
    lines = {guard.equation.span.line for guard in structure.pivot_guards}
    assert len(lines) == count  # each at its own constraint
    assert len(structure.relations) == 0 and len(structure.model.relations) == count


def test_a_loop_is_guarded_as_a_whole() -> None:
    """In a four-bar linkage coupler and rocker follow from two equations together."""
    text = """
    model FourBar
      Real phi(start = 1, fixed = true), w(start = 0, fixed = true), psi(start = 0.5), theta(start = 1.6);
      Real wt, lx, ly;
    equation
      der(phi) = w;
      der(theta) = wt;
      der(w) = 0.5 + sin(phi)*lx - cos(phi)*ly;
      2*der(wt) = 2.5*(cos(theta)*ly - sin(theta)*lx);
      0 = sin(psi)*lx - cos(psi)*ly;
      cos(phi) + 3*cos(psi) = 3.2 + 2.5*cos(theta);
      sin(phi) + 3*sin(psi) = 2.5*sin(theta);
    end FourBar;
    """
    structure = saltus.load(text).structure
    assert {frozenset(guard.names) for guard in structure.pivot_guards} == {frozenset({"psi", "theta"})}
