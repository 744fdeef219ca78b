"""IDA: the integrator of implicit systems F(t, y, y') = 0, with everything it owns.

The method is the variable-order BDF in its form for differential-algebraic equations. The components of y are
the states and the algebraic unknowns of loops (`saltus.emit.implicit`), so that one Newton iteration solves
the step and all loops in it. Values to start from are consistent already: initialisation and event iteration
have solved the same equations, and they are in the model's memory.

The loop unknowns take no part in the error test: the results are not made of them, since the run computes all
outputs from the states alone. With them a diode's exponential took two to four times as many steps, for
errors in the states that nobody had asked to be so small.

The first step is chosen as CVODE does it, so that its error h^2/2 |y''| is a part of what the tolerance
allows; y'' is a difference of derivatives along an explicit Euler step. IDA itself starts with h |y'| = 1/2,
a change of half the tolerance, and doubles from there: at events that makes twice as many steps and four
times as many Jacobians.
"""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Callable
from ctypes import POINTER, byref, c_double, c_int, c_int64, c_long, c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.run.cvode import STEPS_PER_CALL
from saltus.run.linear_solvers import LAPACK_FROM
from saltus.run.memory import TIME_SLOT
from saltus.run.sundials import SUCCESS, SundialsError, flag_name, lapack_dense, library

_NORMAL = 1

#: The Euler step along which y'' is measured changes the states by this part of their size.
PROBE = 0.01

#: What is counted, and by which function.
_COUNTERS = (
    ("steps", "IDAGetNumSteps"),
    ("residual_evaluations", "IDAGetNumResEvals"),
    ("residual_evaluations_for_jacobians", "IDAGetNumLinResEvals"),
)

_SWEEP = ctypes.CFUNCTYPE(
    c_int,
    c_void_p,
    c_void_p,
    c_void_p,
    POINTER(c_double),
    c_void_p,
    c_void_p,
    c_int64,
    c_void_p,
    POINTER(c_int64),
)

#: Of one step. IDA allows 4 on its own; the exponential of a diode that begins to conduct needs more.
NEWTON_ITERATIONS = 10


class Ida:
    """`y` are the states at the last return (a view of the integrator's own: write new states into it before
    `reinit`). What a start needs besides them is read from `memory`, the model's: `components` are its slots
    of the states, then of the loop unknowns, `derivatives` those of the derivatives of the states; `rhs`
    computes these from the time and the states there.

    `residual` and `roots` are addresses of compiled functions with IDA's signatures, `user_data` what they
    get as their last argument.
    """

    sweep_function = "saltus_ida_sweep"

    def __init__(
        self,
        residual: int,
        rhs: Callable[[], int],
        memory: NDArray[np.float64],
        components: NDArray[np.intp],
        derivatives: slice,
        time: float,
        *,
        relative: float,
        absolute: NDArray[np.float64],
        user_data: int = 0,
        roots: int = 0,
        n_roots: int = 0,
        max_step: float = 0.0,
    ) -> None:
        lib = self._lib = library()
        self._model_memory = memory
        self._derivatives = memory[derivatives]
        n_states = len(self._derivatives)
        self._state_slots, self._loop_slots = components[:n_states], components[n_states:]
        self._rhs, self._relative = rhs, relative
        n = len(components)
        self._all = memory[components]
        self._rates = np.zeros(n)
        self.y: NDArray[np.float64] = self._all[:n_states]
        self._loops, self._state_rates = self._all[n_states:], self._rates[:n_states]
        self._state_rates[:] = self._derivatives
        differential = np.zeros(n)
        differential[:n_states] = 1.0
        self._arrays = {
            "y": self._all,
            "rates": self._rates,
            "absolute": np.array(absolute, dtype=np.float64),
            "differential": differential,
            "scratch": np.zeros(n),
        }
        self.roots: NDArray[np.intc] = np.zeros(max(n_roots, 1), dtype=np.intc)
        self.flag = SUCCESS
        handles: dict[str, c_void_p] = {}
        # Registered first, so that whatever has been made is freed even when a later call fails.
        self._finaliser = weakref.finalize(self, _free, lib, handles, tuple(self._arrays))

        context = handles["context"] = c_void_p()
        self._do("SUNContext_Create", 0, byref(context))
        # Without handlers SUNDIALS is silent; every flag is looked at here.
        lib["SUNContext_ClearErrHandlers"](context)
        for name, array in self._arrays.items():
            handles[name] = c_void_p(lib["N_VMake_Serial"](n, array.ctypes.data, context))
        ida = handles["memory"] = c_void_p(lib["IDACreate"](context))
        if not ida:
            raise SundialsError("IDACreate", -20)
        matrix = handles["matrix"] = c_void_p(lib["SUNDenseMatrix"](n, n, context))
        dense = (lapack_dense() if n >= LAPACK_FROM else None) or lib["SUNLinSol_Dense"]
        solver = handles["solver"] = c_void_p(dense(handles["y"], matrix, context))

        self._do("IDAInit", ida, residual, time, handles["y"], handles["rates"])
        self._do("IDASVtolerances", ida, relative, handles["absolute"])
        self._do("IDASetUserData", ida, user_data)
        self._do("IDASetId", ida, handles["differential"])
        self._do("IDASetSuppressAlg", ida, 1)
        self._do("IDASetLinearSolver", ida, solver, matrix)
        self._do("IDASetMaxNonlinIters", ida, NEWTON_ITERATIONS)
        self._do("IDASetMaxNumSteps", ida, STEPS_PER_CALL)
        if n_roots:
            self._do("IDARootInit", ida, n_roots, roots)
            lib["IDASetNoInactiveRootWarn"](ida)
        if max_step > 0.0:
            self._do("IDASetMaxStep", ida, max_step)
        self._do("IDASetInitStep", ida, self._first_step(time))

        self._handles = handles
        self._ida = ida
        self._y, self._yp = handles["y"], handles["rates"]
        self._time = c_double(time)
        self._time_reference = byref(self._time)
        # Counters are read before every restart, so everything about the calls is prepared here.
        self._counters: list[tuple[str, Any, c_long, Any]] = []
        for name, function in _COUNTERS:
            count = c_long()
            self._counters.append((name, lib[function], count, byref(count)))
        self._totals = dict.fromkeys((name for name, _ in _COUNTERS), 0)
        self._solve = lib["IDASolve"]
        self._sweep: Any = None
        self._stop = lib["IDASetStopTime"]

    def _do(self, function: str, *arguments: Any) -> None:
        flag = self._lib[function](*arguments)
        if flag != SUCCESS:
            raise SundialsError(function, flag)

    @property
    def time(self) -> float:
        """Time of the last return."""
        return self._time.value

    @property
    def flag_name(self) -> str:
        """IDA's name of the last flag."""
        return flag_name(self.flag, "IDASolve")

    @property
    def step_size(self) -> float:
        """The step size to be tried next."""
        value = c_double()
        self._lib["IDAGetCurrentStep"](self._ida, byref(value))
        return value.value

    def set_max_step(self, step: float) -> None:
        """No step will be longer; 0 for no limit."""
        self._do("IDASetMaxStep", self._ida, step)

    def set_stop_time(self, time: float) -> bool:
        """No step will pass `time`. False if the integrator is already beyond it (then `reinit`)."""
        return bool(self._stop(self._ida, time) == SUCCESS)

    def advance(self, target: float) -> int:
        """Integrates to `target` at most; `y` and `time` then say how far. Returns IDA's flag."""
        self.flag = flag = int(
            self._solve(self._ida, target, self._time_reference, self._y, self._yp, _NORMAL)
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
                self._ida,
                self._y,
                self._yp,
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
        """Starts anew at `time` from `y`; loop unknowns and derivatives are as the memory has them."""
        self._collect()
        self._time.value = time
        self._loops[:] = self._model_memory[self._loop_slots]
        self._state_rates[:] = self._derivatives
        self._rates[len(self.y) :] = 0.0  # not known, and only a guess that the first step starts from
        self._do("IDASetInitStep", self._ida, self._first_step(time))
        self._do("IDAReInit", self._ida, time, self._y, self._yp)

    def _first_step(self, time: float) -> float:
        """The step size to start with from `y`; 0 leaves it to IDA."""
        memory, rates = self._model_memory, self._state_rates
        weights = 1.0 / (self._relative * np.abs(self.y) + self._arrays["absolute"][: len(self.y)])
        speed = _norm(weights * rates)
        if not speed:
            return 0.0
        # In these weights, the size of any state is 1 / relative.
        probe = PROBE / (self._relative * speed)
        before = memory.copy()
        memory[TIME_SLOT] = time + probe
        memory[self._state_slots] = self.y + probe * rates
        failed = self._rhs()
        bend = _norm(weights * (self._derivatives - rates)) / probe
        memory[:] = before
        if failed or not math.isfinite(bend):
            return 0.0
        largest = probe / PROBE
        return min(largest, math.sqrt(0.5 / bend)) if bend else largest

    def root_info(self) -> NDArray[np.intc]:
        """After a root return: for each crossing function +1 (rising), -1 (falling) or 0."""
        self._lib["IDAGetRootInfo"](self._ida, self.roots.ctypes.data)
        return self.roots

    def derivative(self, time: float, order: int) -> NDArray[np.float64]:
        """Derivatives of the states' interpolating polynomial; order 0 is the solution itself."""
        self._do("IDAGetDky", self._ida, time, order, self._handles["scratch"])
        return self._arrays["scratch"][: len(self.y)].copy()

    def error_ratios(self) -> NDArray[np.float64]:
        """Estimated local errors of the last step, the states' first, in units of what tolerances allow."""
        scratch, handle = self._arrays["scratch"], self._handles["scratch"]
        ratios = np.zeros(len(scratch))
        if self._lib["IDAGetErrWeights"](self._ida, handle) == SUCCESS:
            ratios[:] = scratch
        if self._lib["IDAGetEstLocalErrors"](self._ida, handle) == SUCCESS:
            ratios *= np.abs(scratch)
        return ratios

    def _collect(self) -> None:
        # IDAReInit sets the counters to zero.
        for name, function, count, reference in self._counters:
            function(self._ida, reference)
            self._totals[name] += count.value

    def statistics(self) -> dict[str, int]:
        """Steps, evaluations of the residuals (those for Jacobians apart), over all restarts."""
        found = dict(self._totals)
        for name, function, count, reference in self._counters:
            function(self._ida, reference)
            found[name] += count.value
        return found

    def close(self) -> None:
        """Frees everything; the object is of no use afterwards."""
        self._finaliser()


def _norm(x: NDArray[np.float64]) -> float:
    """Root mean square"""
    return math.sqrt(float(x @ x) / len(x))


def _free(lib: dict[str, Any], handles: dict[str, c_void_p], vectors: tuple[str, ...]) -> None:
    if handles.get("memory"):
        lib["IDAFree"](byref(handles["memory"]))
    if handles.get("solver"):
        lib["SUNLinSolFree"](handles["solver"])
    if handles.get("matrix"):
        lib["SUNMatDestroy"](handles["matrix"])
    for name in vectors:
        if handles.get(name):
            lib["N_VDestroy"](handles[name])
    if handles.get("context"):
        lib["SUNContext_Free"](byref(handles["context"]))
    handles.clear()
