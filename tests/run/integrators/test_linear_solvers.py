"""The integrator's linear algebra: native Jacobians, the sparse factorisation, and whole runs."""

from __future__ import annotations

import ctypes
import gc
import math
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import saltus
from saltus.analyse.blocks.fill import eliminate
from saltus.emit.build import build
from saltus.emit.llvm.jit import NativeMachine, native_machine
from saltus.ir.native.contract import PLAN_FIELDS
from saltus.ir.sorted.jacobian import Jacobian
from saltus.ir.structure import Structure
from saltus.model import Model
from saltus.result.result import Result
from saltus.run.integrators import linear_solvers
from saltus.run.integrators.linear_solvers import SparseSolver, choose
from saltus.run.integrators.sundials import library, symbols
from saltus.run.schedule.settings import Settings
from saltus.run.simulate import simulate

DECAY = "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;"
HEAT = """model Heat parameter Integer n = {n};
  Real T[n](each start = 0, each fixed = true), q[n + 1]; equation
  q[1] = 1 - T[1]; for k in 2:n loop q[k] = T[k - 1] - T[k]; end for; q[n + 1] = T[n]*(1 + 0.1*T[n]^2);
  for k in 1:n loop der(T[k]) = 50*(q[k] - q[k + 1]); end for; end Heat;"""


class Vectors:
    """A SUNDIALS context with serial vectors on NumPy arrays."""

    def __init__(self) -> None:
        self.context = ctypes.c_void_p()
        library()["SUNContext_Create"](0, ctypes.byref(self.context))

    def make(self, array: NDArray[np.float64]) -> int:
        return int(library()["N_VMake_Serial"](len(array), array.ctypes.data, self.context))


def by_callback(machine: NativeMachine, states: NDArray[np.float64], slopes: NDArray[np.float64]):
    """What `saltus_jacobian` writes into a dense matrix."""
    n, vectors = len(states), Vectors()
    machine.memory[machine.program.layout.section("scales")] = 1.0
    matrix = library()["SUNDenseMatrix"](n, n, vectors.context)
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, *[ctypes.c_void_p] * 7)(
        machine.address("saltus_jacobian")
    )
    arguments = (vectors.make(states), vectors.make(slopes), matrix, machine.pointer, None, None, None)
    assert function(0.0, *arguments) == 0
    get = library()["SUNDenseMatrix_Data"]
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    data = ctypes.cast(get(matrix), ctypes.POINTER(ctypes.c_double))
    return np.ctypeslib.as_array(data, (n * n,)).reshape(n, n).T.copy()


def without_tangents(model: Model) -> Structure:
    """As if an equation could not be differentiated."""
    jacobian = model.structure.jacobian
    assert jacobian is not None and jacobian.tangents is not None
    return replace(model.structure, jacobian=replace(jacobian, tangents=None))


def run(structure: Structure, stop: float, **more: object) -> Result:
    program = build(structure)
    machine = native_machine(program, symbols())
    return simulate(structure, program, machine, Settings(stop_time=stop, **more))


@pytest.mark.parametrize("symbolic", [True, False])
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_the_native_jacobian_of_a_rod(n: int, symbolic: bool) -> None:
    model = saltus.load(HEAT.format(n=n))
    structure = model.structure if symbolic else without_tangents(model)
    machine = native_machine(build(structure), symbols())
    temperatures = np.linspace(1.0, 2.0, n)
    first, last = temperatures[0], temperatures[-1]
    between = temperatures[:-1] - temperatures[1:]
    q = np.concatenate([[1 - first], between, [last * (1 + 0.1 * last**2)]])
    by_hand = 50 * (np.diag([-2.0] * n) + np.diag([1.0] * (n - 1), 1) + np.diag([1.0] * (n - 1), -1))
    by_hand[-1, -1] = 50 * (-1 - 1 - 0.3 * last**2)
    found = by_callback(machine, temperatures, 50 * (q[:-1] - q[1:]))
    np.testing.assert_allclose(found, by_hand, rtol=1e-13 if symbolic else 1e-6, atol=0 if symbolic else 1e-4)


@pytest.mark.parametrize("symbolic", [True, False])
def test_the_native_jacobian_of_a_full_model(symbolic: bool) -> None:
    n = 60
    text = f"""model Full parameter Integer n = {n}; Real x[n](each start = 1, each fixed = true), s; equation
      s = sum(x); for k in 1:n loop der(x[k]) = -k*x[k] - s; end for; end Full;"""
    model = saltus.load(text)
    structure = model.structure if symbolic else without_tangents(model)
    machine = native_machine(build(structure), symbols())
    x = np.linspace(0.0, 1.0, n)
    k = np.arange(1, n + 1)
    found = by_callback(machine, x, -k * x - x.sum())
    np.testing.assert_allclose(found, -np.diag(k) - 1.0, rtol=1e-13 if symbolic else 1e-5)


# ---------------------------------------------------------------- the sparse factorisation


@pytest.fixture(scope="module")
def decay() -> NativeMachine:
    return native_machine(saltus.load(DECAY).program, symbols())


def solved(machine: NativeMachine, jacobian: NDArray[np.float64], gamma: float, b: NDArray[np.float64]):
    """(I - gamma J)^-1 b by the native factorisation, or None if it is refused."""
    n = len(b)
    rows = tuple(tuple(np.flatnonzero(jacobian[:, j]).tolist()) for j in range(n))
    elimination = eliminate(rows)
    assert elimination is not None
    plan = linear_solvers._Plan(Jacobian(rows, tuple(range(n)), None, elimination, True))
    entries = [jacobian[i, j] for j in elimination.order for i in rows[j]]
    plan._arrays["entries"][:] = entries
    plan._words.view(np.float64)[PLAN_FIELDS.index("gamma")] = gamma
    content = np.array([plan.address], dtype=np.uint64)
    pointer = ctypes.c_void_p
    factorise = ctypes.CFUNCTYPE(ctypes.c_int, pointer, pointer)(machine.address("saltus_factorise"))
    solve = ctypes.CFUNCTYPE(ctypes.c_int, pointer, pointer, pointer, pointer, ctypes.c_double)(
        machine.address("saltus_solve")
    )
    vectors, x = Vectors(), np.zeros(n)
    flag = factorise(content.ctypes.data, content.ctypes.data)
    assert flag in (0, 1)
    assert not plan._arrays["column"].any()  # the column of the next factorisation begins with zeros
    if flag:
        return None
    assert solve(content.ctypes.data, content.ctypes.data, vectors.make(x), vectors.make(b), 0.0) == 0
    return x


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 30), st.floats(0.0, 0.3), st.integers(0, 10**6), st.floats(1e-6, 1e6))
def test_sparse_solutions_are_numpys(
    decay: NativeMachine, n: int, density: float, seed: int, gamma: float
) -> None:
    """Stable matrices, as an integrator has them: the diagonal of -J dominates."""
    random = np.random.default_rng(seed)
    jacobian = random.normal(size=(n, n)) * (random.random((n, n)) < density)
    jacobian -= np.diag(np.abs(jacobian).sum(axis=1))
    b = random.normal(size=n)
    found = solved(decay, jacobian, gamma, b)
    assert found is not None
    exact = np.linalg.solve(np.eye(n) - gamma * jacobian, b)
    np.testing.assert_allclose(found, exact, rtol=1e-8, atol=1e-10)


def test_oscillators_of_any_stiffness_need_no_pivoting(decay: NativeMachine) -> None:
    for stiffness in (1.0, 1e6, 1e12):
        jacobian = np.array([[0.0, 1.0], [-stiffness, -0.1]])
        b = np.array([1.0, 2.0])
        found = solved(decay, jacobian, 0.01, b)
        exact = np.linalg.solve(np.eye(2) - 0.01 * jacobian, b)
        # To rounding, measured by the largest component: x = 1 + 0.01 v nearly cancels where v is -100.
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-14 * np.abs(exact).max())


def test_a_pivot_that_cancels_is_refused(decay: NativeMachine) -> None:
    jacobian = np.array([[1.0, 1.0], [1.0, 0.0]])
    assert solved(decay, jacobian, 1.0, np.ones(2)) is None  # 1 - gamma = 0
    found = solved(decay, jacobian, 0.5, np.ones(2))
    np.testing.assert_allclose(found, np.linalg.solve(np.eye(2) - 0.5 * jacobian, np.ones(2)), rtol=1e-14)
    assert solved(decay, np.array([[math.nan]]), 1.0, np.ones(1)) is None


# ---------------------------------------------------------------- runs


@pytest.mark.parametrize("symbolic", [True, False])
def test_sparse_and_dense_runs_are_the_same(symbolic: bool) -> None:
    model = saltus.load(HEAT.format(n=120))
    structure = model.structure if symbolic else without_tangents(model)
    dense, sparse, auto = (
        run(structure, 2.0, linear_solver=name, tolerance=1e-8) for name in ("dense", "sparse", "auto")
    )
    for k in (1, 60, 120):
        np.testing.assert_allclose(sparse[f"T[{k}]"], dense[f"T[{k}]"], rtol=1e-6, atol=1e-7)
        np.testing.assert_array_equal(auto[f"T[{k}]"], sparse[f"T[{k}]"])
    assert 0 < sparse.statistics["jacobians"] < sparse.statistics["steps"]
    assert sparse.statistics["rhs_evaluations_for_jacobians"] == 0


def test_an_exact_jacobian_takes_no_more_steps_than_differences() -> None:
    model = saltus.load(HEAT.format(n=30))
    exact, differences = run(model.structure, 2.0), run(without_tangents(model), 2.0)
    assert exact.statistics["steps"] <= 1.05 * differences.statistics["steps"]
    np.testing.assert_allclose(exact["T[30]"], differences["T[30]"], atol=1e-5)


def test_events_and_restarts_with_the_sparse_solver() -> None:
    """A bouncing ball on a spring-damper ground, and a sampled push: the solver survives restarts."""
    text = """model B Real h(start = 1, fixed = true), v(start = 0, fixed = true); discrete Real u(start = 0);
      equation der(h) = v; der(v) = -9.81 + u; when h <= 0 then reinit(v, -0.7*pre(v)); end when;
      when sample(0.5, 0.5) then u = pre(u) + 0.1; end when; end B;"""
    model = saltus.load(text)
    dense, sparse = (model.simulate(stop_time=2.0, linear_solver=name) for name in ("dense", "sparse"))
    assert dense.statistics["events"] == sparse.statistics["events"] > 5
    np.testing.assert_allclose(sparse["h"][-1], dense["h"][-1], atol=1e-6)


@pytest.mark.parametrize("solver", ["dense", "sparse"])
def test_a_slope_that_is_infinite_at_the_start(solver: str) -> None:
    """der(h) = sqrt(h) + 1 from h = 0: the derivative of the root is infinite there, and h still rises."""
    text = "model R Real h(start = 0, fixed = true); equation der(h) = sqrt(h) + 1; end R;"
    result = saltus.load(text).simulate(stop_time=1.0, tolerance=1e-8, linear_solver=solver)
    r = math.sqrt(result["h"][-1])
    assert abs(2 * (r - math.log(1 + r)) - 1.0) < 1e-5  # closed form, by separation


def test_a_user_function_that_has_no_derivative() -> None:
    text = """model M
      function f input Real u; output Real y;
      algorithm y := 0; while y < 2*u loop y := y + u; end while; end f;
      Real x(start = 1, fixed = true), y; equation y = f(x); der(x) = -y; end M;"""
    result = saltus.load(text).simulate(stop_time=1.0, tolerance=1e-8)
    assert abs(result["x"][-1] - math.exp(-2.0)) < 1e-6


def test_the_choice() -> None:
    def chosen(text: str, wanted: str = "auto") -> str:
        jacobian = saltus.load(text).structure.jacobian
        assert jacobian is not None
        return choose(jacobian, wanted)

    assert chosen(DECAY) == "dense"
    assert chosen(DECAY, "sparse") == "sparse"
    assert chosen(HEAT.format(n=200)) == "sparse"
    assert chosen(HEAT.format(n=200), "dense") == "dense"
    full = """model Full Real x[60](each start = 1, each fixed = true), s; equation
      s = sum(x); for k in 1:60 loop der(x[k]) = -x[k] - s; end for; end Full;"""
    assert chosen(full) == chosen(full, "sparse") == "dense"


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(saltus.SaltusError, match="choose one of auto, dense, sparse"):
        saltus.load(DECAY).simulate(linear_solver="quick")


class _MallocTotals(ctypes.Structure):
    """What glibc's `mallinfo2` returns."""

    _fields_: ClassVar = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks"),
            *("uordblks", "fordblks", "keepcost"),
        )
    ]


def allocated() -> int:
    """Bytes that are allocated and not freed. Pages that the process holds would tell less: the allocator
    keeps freed ones, more or fewer of them after each run."""
    mallinfo = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo is None:
        pytest.skip("the C library does not count what is allocated")
    mallinfo.restype = _MallocTotals
    totals = mallinfo()
    return int(totals.uordblks + totals.hblkhd)


def test_solvers_leave_no_memory_behind() -> None:
    model = saltus.load(HEAT.format(n=300))
    jacobian = model.structure.jacobian
    assert jacobian is not None

    def many() -> None:
        for _ in range(60):
            model.simulate(stop_time=1e-3, interval=1e-3, linear_solver="sparse")
        gc.collect()

    many()
    before = allocated()
    many()
    # One vector of the 300 states lost in each run would be 144 kB.
    assert allocated() - before < 100_000
    SparseSolver(jacobian, 0, 0, 0).free()  # one that was never attached


def test_pivots_that_pass_through_zero() -> None:
    """Relaxation oscillators in a ring: in each jump 1 - gamma*J has diagonal entries of either sign."""
    text = """model Ring parameter Integer n = 30; parameter Real mu = 1000;
      Real x[n](start = {2*cos(k) for k in 1:n}, each fixed = true), v[n](each start = 0, each fixed = true);
      equation for k in 1:n loop der(x[k]) = v[k];
        der(v[k]) = mu*(1 - x[k]^2)*v[k] - x[k] + 0.1*(x[if k == n then 1 else k + 1] - x[k]); end for;
      end Ring;"""
    model = saltus.load(text)
    dense, sparse = (model.simulate(stop_time=500.0, linear_solver=name) for name in ("dense", "sparse"))
    assert sparse.statistics["steps"] < 1.1 * dense.statistics["steps"]
    np.testing.assert_allclose(sparse["x[1]"][-1], dense["x[1]"][-1], atol=1e-3)
