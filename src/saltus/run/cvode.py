"""CVODE: the integrator of explicit systems, with everything it owns.

The method is the variable-order BDF with Newton iteration, or Adams-Moulton with fixed-point iteration, which
needs no Jacobian and is quick where nothing is stiff; crossings are located by CVODE's own Illinois
search, which returns the right end of the bracket, so that an event is always found on the far side.
"""

from __future__ import annotations

import ctypes
import weakref
from ctypes import POINTER, byref, c_double, c_int, c_int64, c_long, c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.run.linear_solvers import DenseSolver, LinearSolver
from saltus.run.sundials import SUCCESS, SundialsError, flag_name, library

_ADAMS, _BDF = 1, 2
_NORMAL = 1

#: Steps per call before control comes back to Python (for progress and Ctrl-C).
STEPS_PER_CALL = 1000

#: What is counted, and by which function.
_COUNTERS = (
    ("steps", "CVodeGetNumSteps"),
    ("rhs_evaluations", "CVodeGetNumRhsEvals"),
    ("rhs_evaluations_for_jacobians", "CVodeGetNumLinRhsEvals"),
    ("jacobians", "CVodeGetNumJacEvals"),
)

_SWEEP = ctypes.CFUNCTYPE(
    c_int, c_void_p, c_void_p, POINTER(c_double), c_void_p, c_void_p, c_int64, c_void_p, POINTER(c_int64)
)


class Cvode:
    """One integrator with everything it owns. `y` is the state vector at the last return (a view of the
    integrator's own: write new states into it before `reinit`), `roots` the directions of the crossing
    functions that fired, as of the last `root_info`.

    `rhs` and `roots` are addresses of compiled functions with CVODE's signatures, `user_data` what they get
    as their last argument. The linear `solver` has the function that computes the Jacobian; without one,
    CVODE takes differences for a dense matrix.
    """

    sweep_function = "saltus_sweep"

    def __init__(
        self,
        rhs: int,
        y: NDArray[np.float64],
        time: float,
        *,
        relative: float,
        absolute: NDArray[np.float64],
        user_data: int = 0,
        roots: int = 0,
        n_roots: int = 0,
        max_step: float = 0.0,
        min_step: float = 0.0,
        solver: LinearSolver | None = None,
        adams: bool = False,
    ) -> None:
        lib = self._lib = library()
        n = len(y)
        self.y: NDArray[np.float64] = np.array(y, dtype=np.float64)
        self._absolute = np.array(absolute, dtype=np.float64)
        self.roots: NDArray[np.intc] = np.zeros(max(n_roots, 1), dtype=np.intc)
        self._scratch = np.zeros(n)
        self.flag = SUCCESS
        handles: dict[str, c_void_p] = {}
        self._solver = solver or DenseSolver()
        # Registered first, so that whatever has been made is freed even when a later call fails.
        self._finaliser = weakref.finalize(self, _free, lib, handles, self._solver)

        context = handles["context"] = c_void_p()
        self._check("SUNContext_Create", lib["SUNContext_Create"](0, byref(context)))
        # Without handlers SUNDIALS is silent; every flag is looked at here.
        lib["SUNContext_ClearErrHandlers"](context)
        vector = handles["y"] = self._vector(self.y, context)
        tolerance = handles["absolute"] = self._vector(self._absolute, context)
        handles["scratch"] = self._vector(self._scratch, context)
        memory = handles["memory"] = c_void_p(lib["CVodeCreate"](_ADAMS if adams else _BDF, context))
        if not memory:
            raise SundialsError("CVodeCreate", -20)

        self._check("CVodeInit", lib["CVodeInit"](memory, rhs, time, vector))
        self._check("CVodeSVtolerances", lib["CVodeSVtolerances"](memory, relative, tolerance))
        self._check("CVodeSetUserData", lib["CVodeSetUserData"](memory, user_data))
        if adams:
            iteration = handles["iteration"] = c_void_p(lib["SUNNonlinSol_FixedPoint"](vector, 0, context))
            self._check("CVodeSetNonlinearSolver", lib["CVodeSetNonlinearSolver"](memory, iteration))
        else:
            self._solver.attach(memory, vector, n, context)
        self._check("CVodeSetMaxNumSteps", lib["CVodeSetMaxNumSteps"](memory, STEPS_PER_CALL))
        self._check("CVodeSetMaxHnilWarns", lib["CVodeSetMaxHnilWarns"](memory, -1))
        if n_roots:
            self._check("CVodeRootInit", lib["CVodeRootInit"](memory, n_roots, roots))
            lib["CVodeSetNoInactiveRootWarn"](memory)
        if max_step > 0.0:
            self._check("CVodeSetMaxStep", lib["CVodeSetMaxStep"](memory, max_step))
        self._check("CVodeSetMinStep", lib["CVodeSetMinStep"](memory, min_step))

        self._handles = handles
        self._memory = memory
        self._vector_handle = vector
        self._time = c_double(time)
        self._time_reference = byref(self._time)
        # Counters are read before every restart, so everything about the calls is prepared here.
        self._counters: list[tuple[str, Any, c_long, Any]] = []
        for name, function in _COUNTERS:
            count = c_long()
            self._counters.append((name, lib[function], count, byref(count)))
        self._totals = dict.fromkeys((name for name, _ in _COUNTERS), 0)
        self._roots_address = self.roots.ctypes.data
        self._call = lib["CVode"]
        self._sweep: Any = None
        self._reinit = lib["CVodeReInit"]
        self._stop = lib["CVodeSetStopTime"]
        self._root_info = lib["CVodeGetRootInfo"]

    def _vector(self, array: NDArray[np.float64], context: c_void_p) -> c_void_p:
        made = self._lib["N_VMake_Serial"](len(array), array.ctypes.data, context)
        if not made:
            raise SundialsError("N_VMake_Serial", -20)
        return c_void_p(made)

    @staticmethod
    def _check(function: str, flag: int) -> None:
        if flag != SUCCESS:
            raise SundialsError(function, flag)

    @property
    def time(self) -> float:
        """Time of the last return."""
        return self._time.value

    def set_stop_time(self, time: float) -> bool:
        """No step will pass `time`. False if the integrator is already beyond it (then `reinit`)."""
        return bool(self._stop(self._memory, time) == SUCCESS)

    def set_max_step(self, step: float) -> None:
        """No step will be longer; 0 for no limit."""
        self._check("CVodeSetMaxStep", self._lib["CVodeSetMaxStep"](self._memory, step))

    def advance(self, target: float) -> int:
        """Integrates to `target` at most; `y` and `time` then say how far. Returns CVODE's flag."""
        self.flag = flag = int(
            self._call(self._memory, target, self._vector_handle, self._time_reference, _NORMAL)
        )
        return flag

    def sweep(self, function: int, times: NDArray[np.float64], rows: int, user_data: int) -> tuple[int, int]:
        """Integrates over output points with the compiled function (`saltus.emit.sweep`) at an address, and
        writes a row for each. Gives the flag it ended with and the number of rows."""
        if self._sweep is None:
            self._sweep = _SWEEP(function)
        done = c_int64()
        self.flag = flag = int(
            self._sweep(
                self._memory,
                self._vector_handle,
                self._time_reference,
                times.ctypes.data,
                rows,
                len(times),
                user_data,
                byref(done),
            )
        )
        return flag, done.value

    def reinit(self, time: float) -> None:
        """Starts anew from `y` at `time`."""
        self._collect()
        self._time.value = time
        self._check("CVodeReInit", self._reinit(self._memory, time, self._vector_handle))

    def root_info(self) -> NDArray[np.intc]:
        """After a root return: for each crossing function +1 (rising), -1 (falling) or 0."""
        self._root_info(self._memory, self._roots_address)
        return self.roots

    def derivative(self, time: float, order: int) -> NDArray[np.float64]:
        """Derivatives of the interpolating polynomial; order 0 is the solution itself."""
        flag = self._lib["CVodeGetDky"](self._memory, time, order, self._handles["scratch"])
        self._check("CVodeGetDky", flag)
        return self._scratch.copy()

    def error_ratios(self) -> NDArray[np.float64]:
        """Estimated local errors of the last step, each in units of what its tolerance allows."""
        weights = np.zeros(len(self.y))
        if self._lib["CVodeGetErrWeights"](self._memory, self._handles["scratch"]) == SUCCESS:
            weights[:] = self._scratch
        if self._lib["CVodeGetEstLocalErrors"](self._memory, self._handles["scratch"]) == SUCCESS:
            weights *= np.abs(self._scratch)
        return weights

    @property
    def flag_name(self) -> str:
        """CVODE's name of the last flag."""
        return flag_name(self.flag)

    @property
    def step_size(self) -> float:
        """The step size to be tried next."""
        value = c_double()
        self._lib["CVodeGetCurrentStep"](self._memory, byref(value))
        return value.value

    def _collect(self) -> None:
        # CVodeReInit sets the counters to zero.
        memory, totals = self._memory, self._totals
        for name, function, count, reference in self._counters:
            function(memory, reference)
            totals[name] += count.value

    def statistics(self) -> dict[str, int]:
        """Steps, evaluations of the right-hand side (those for Jacobians apart), over all restarts."""
        found = dict(self._totals)
        for name, function, count, reference in self._counters:
            function(self._memory, reference)
            found[name] += count.value
        return found

    def close(self) -> None:
        """Frees everything; the object is of no use afterwards."""
        self._finaliser()


def _free(lib: dict[str, Any], handles: dict[str, c_void_p], solver: LinearSolver) -> None:
    if handles.get("memory"):
        lib["CVodeFree"](byref(handles["memory"]))
    if handles.get("iteration"):
        lib["SUNNonlinSolFree"](handles["iteration"])
    solver.free()
    for name in ("y", "absolute", "scratch"):
        if handles.get(name):
            lib["N_VDestroy"](handles[name])
    if handles.get("context"):
        lib["SUNContext_Free"](byref(handles["context"]))
    handles.clear()
