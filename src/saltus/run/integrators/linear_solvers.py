"""Dense and sparse linear algebra for the integrator, and the choice between them.

Each Newton iteration of an implicit method solves a system with the matrix I - gamma J. To factorise it as a
dense matrix takes n^3/3 multiplications, however many of them are with zero. As a sparse one it takes what
order and fill say, but each of them takes longer, since it has to be looked up where the numbers are. Which
is quicker is decided by `analyse/blocks/fill.py`.

The dense solver is that of SUNDIALS, or LAPACK's for larger systems. The sparse one is native code of Saltus
(`emit/callbacks/sparse_lu.py`): SUNDIALS is given a matrix and a solver without contents of their own, which
refer to it.
"""

from __future__ import annotations

import ctypes
from ctypes import c_void_p
from functools import cache
from itertools import accumulate, chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.contract import PLAN_FIELDS
from saltus.ir.sorted.jacobian import Jacobian
from saltus.run.integrators.sundials import SUCCESS, SundialsError, address, lapack_dense, library

#: From this size on, LAPACK's blocked LU beats the plain one of SUNDIALS.
LAPACK_FROM = 50


def choose(jacobian: Jacobian, wanted: str = "auto") -> str:
    """`dense` or `sparse`: what is wanted where it is possible, or what is quicker."""
    sparse = jacobian.sparse if wanted == "auto" else wanted == "sparse" and jacobian.elimination is not None
    return "sparse" if sparse else "dense"


class LinearSolver(Protocol):
    """What an integrator needs of a linear solver."""

    def attach(self, memory: c_void_p, vector: c_void_p, n: int, context: c_void_p) -> None:
        """Gives the integrator the solver, for vectors like `vector`."""

    def free(self) -> None:
        """Gives back what was made; the integrator's memory is gone already."""


def _checked(function: str, result: int | None) -> c_void_p:
    if not result:
        raise SundialsError(function, -20)
    return c_void_p(result)


def _call(function: str, *arguments: Any) -> None:
    flag = library()[function](*arguments)
    if flag != SUCCESS:
        raise SundialsError(function, flag)


class DenseSolver:
    """A full matrix. `jacobian` is the address of `saltus_jacobian`; without it the integrator, CVODE or IDA,
    takes differences."""

    def __init__(self, jacobian: int = 0, family: str = "CVode") -> None:
        self._jacobian = jacobian
        self._family = family
        self._matrix: c_void_p | None = None
        self._solver: c_void_p | None = None

    def attach(self, memory: c_void_p, vector: c_void_p, n: int, context: c_void_p) -> None:
        """Gives the integrator the solver."""
        lib = library()
        self._matrix = _checked("SUNDenseMatrix", lib["SUNDenseMatrix"](n, n, context))
        dense = (lapack_dense() if n >= LAPACK_FROM else None) or lib["SUNLinSol_Dense"]
        self._solver = _checked("SUNLinSol_Dense", dense(vector, self._matrix, context))
        _call(f"{self._family}SetLinearSolver", memory, self._solver, self._matrix)
        if self._jacobian:
            _call(f"{self._family}SetJacFn", memory, self._jacobian)

    def free(self) -> None:
        """Gives back solver and matrix."""
        if self._solver:
            library()["SUNLinSolFree"](self._solver)
        if self._matrix:
            library()["SUNMatDestroy"](self._matrix)
        self._solver = self._matrix = None


class SparseSolver:
    """A matrix with a known pattern. The addresses are those of `saltus_system`, `saltus_factorise` and
    `saltus_solve`."""

    def __init__(self, jacobian: Jacobian, system: int, factorise: int, solve: int) -> None:
        self._addresses = (system, factorise, solve)
        self._plan = _Plan(jacobian)
        self._matrix: c_void_p | None = None
        self._solver: c_void_p | None = None

    def attach(self, memory: c_void_p, vector: c_void_p, n: int, context: c_void_p) -> None:
        """Gives CVODE the solver."""
        lib = library()
        system, factorise, solve = self._addresses
        self._matrix = _checked("SUNMatNewEmpty", lib["SUNMatNewEmpty"](context))
        self._solver = _checked("SUNLinSolNewEmpty", lib["SUNLinSolNewEmpty"](context))
        for made in (self._matrix, self._solver):
            _words(made)[0] = self._plan.address
        table_at, type_at, factorise_at, solve_at = _places_of_operations()
        operations = _words(c_void_p(_words(self._solver)[table_at]))
        operations[type_at] = address("SUNLinSolGetType_Dense")  # says that the solver is a direct one
        operations[factorise_at] = factorise
        operations[solve_at] = solve
        _call("CVodeSetLinearSolver", memory, self._solver, self._matrix)
        _call("CVodeSetLinSysFn", memory, system)

    def free(self) -> None:
        """Gives back solver and matrix; what they refer to is Python's."""
        for made, function in ((self._solver, "SUNLinSolFreeEmpty"), (self._matrix, "SUNMatFreeEmpty")):
            if made:
                library()[function](made)
        self._solver = self._matrix = None


#: The least number of operations of a solver; the required ones are among the first of them.
_OPERATIONS = 15


def _words(pointer: c_void_p) -> Any:
    """The memory at an address as words of 64 bits."""
    return ctypes.cast(pointer, ctypes.POINTER(ctypes.c_uint64))


@cache
def _places_of_operations() -> tuple[int, int, int, int]:
    """Where a solver has its table of operations, and where in the table are those for its type, for
    factorising and for solving. Both have grown from version to version (the content is always the first),
    so they are looked up in a solver whose operations are known by name."""
    lib = library()
    context = c_void_p()
    number = np.zeros(1)
    lib["SUNContext_Create"](0, ctypes.byref(context))
    vector = c_void_p(lib["N_VMake_Serial"](1, number.ctypes.data, context))
    matrix = c_void_p(lib["SUNDenseMatrix"](1, 1, context))
    solver = c_void_p(lib["SUNLinSol_Dense"](vector, matrix, context))
    kind, setup, solve = (address(f"SUNLinSol{name}_Dense") for name in ("GetType", "Setup", "Solve"))
    fields = _words(solver)
    table = next(k for k in (1, 2) if fields[k] and _words(c_void_p(fields[k]))[0] == kind)
    operations = list(_words(c_void_p(fields[table]))[:_OPERATIONS])
    places = (table, operations.index(kind), operations.index(setup), operations.index(solve))
    lib["SUNLinSolFree"](solver)
    lib["SUNMatDestroy"](matrix)
    lib["N_VDestroy"](vector)
    lib["SUNContext_Free"](ctypes.byref(context))
    return places


class _Plan:
    """The plan of `emit/callbacks/sparse_lu.py`, a structure of pointers, and what they point to."""

    def __init__(self, jacobian: Jacobian) -> None:
        elimination = jacobian.elimination
        assert elimination is not None
        n = jacobian.size
        order, lower = elimination.order, elimination.below
        position = {state: p for p, state in enumerate(order)}
        upper: list[list[int]] = [[] for _ in range(n)]
        for k, column in enumerate(lower):
            for j in column:
                upper[j].append(k)
        entries = [[position[i] for i in jacobian.rows[j]] for j in order]
        self._arrays: dict[str, NDArray[Any]] = {
            "entries": np.zeros(jacobian.entries),
            "entry_first": _first(entries),
            "entry_row": _joined(entries),
            "upper_first": _first(upper),
            "upper_row": _joined(upper),
            "upper": np.zeros(sum(map(len, upper))),
            "lower_first": _first(lower),
            "lower_row": _joined(lower),
            "lower": np.zeros(sum(map(len, lower))),
            "pivots": np.zeros(n),
            "order": np.array(order, dtype=np.int32),
            "column": np.zeros(n),
            "solution": np.zeros(n),
        }
        words = {"n": n, "gamma": 0, **{name: a.ctypes.data for name, a in self._arrays.items()}}
        self._words = np.array([words[name] for name in PLAN_FIELDS], dtype=np.uint64)
        self.address = self._words.ctypes.data


def _first(parts: Any) -> NDArray[np.int32]:
    return np.array(list(accumulate(map(len, parts), initial=0)), dtype=np.int32)


def _joined(parts: Any) -> NDArray[np.int32]:
    return np.fromiter(chain.from_iterable(parts), dtype=np.int32)
