"""What CVODE and IDA have in common: how they are made and freed, and everything that is asked of either by
functions that differ in the beginning of their names only.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from ctypes import byref, c_double, c_long, c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.run.integrators.linear_solvers import LinearSolver
from saltus.run.integrators.sundials import SUCCESS, SundialsError, flag_name, library
from saltus.run.integrators.sundials import address as library_address

#: Steps per call before control comes back to Python (for progress and Ctrl-C).
STEPS_PER_CALL = 1000

#: The task of a call: integrate past a time and interpolate.
NORMAL = 1


class Multistep:
    """`family` is what the names of the functions begin with, `counters` says what is counted and by which
    function. `vectors` are the arrays that SUNDIALS works on, by name: among them `y`, `absolute` and
    `scratch`, all of one length."""

    y: NDArray[np.float64]

    def __init__(
        self,
        family: str,
        counters: Sequence[tuple[str, str]],
        vectors: Mapping[str, NDArray[np.float64]],
        time: float,
        solver: LinearSolver,
    ) -> None:
        lib = self._lib = library()
        self._family = family
        self._vectors = vectors
        self.flag = SUCCESS
        self._time = c_double(time)
        self._time_reference = byref(self._time)
        self._solver = solver
        self._handles: dict[str, c_void_p] = {}
        # Registered first, so that whatever has been made is freed even when a later call fails.
        self._finaliser = weakref.finalize(self, _free, lib, family, self._handles, tuple(vectors), solver)
        self._context = self._handles["context"] = c_void_p()
        flag = lib["SUNContext_Create"](0, byref(self._context))
        if flag != SUCCESS:
            raise SundialsError("SUNContext_Create", flag)
        # Without handlers SUNDIALS is silent; every flag is checked here.
        lib["SUNContext_ClearErrHandlers"](self._context)
        for name, array in vectors.items():
            self._make(name, "N_VMake_Serial", len(array), array.ctypes.data)
        # Counters are read before every restart, so everything about the calls is prepared here.
        self._counters: list[tuple[str, Any, c_long, Any]] = []
        for name, function in counters:
            count = c_long()
            self._counters.append((name, lib[function], count, byref(count)))
        self._totals = dict.fromkeys((name for name, _ in counters), 0)
        self._stop = lib[f"{family}SetStopTime"]

    def _make(self, name: str, function: str, *arguments: Any) -> c_void_p:
        """Something that belongs to the context, and is freed at the end."""
        made = self._handles[name] = c_void_p(self._lib[function](*arguments, self._context))
        if not made:
            raise SundialsError(function, -20)
        return made

    def _create(self, *arguments: int) -> None:
        self._memory = self._make("memory", f"{self._family}Create", *arguments)

    def _do(self, function: str, *arguments: Any) -> None:
        """Calls a function of the family that must not fail."""
        name = self._family + function
        flag = self._lib[name](self._memory, *arguments)
        if flag != SUCCESS:
            raise SundialsError(name, flag)

    def _set_up(self, relative: float, user_data: int, max_step: float) -> None:
        """Tolerances, the argument of call-backs, limits of steps."""
        self._relative = relative
        self._do("SVtolerances", relative, self._handles["absolute"])
        self._do("SetUserData", user_data)
        self._do("SetMaxNumSteps", STEPS_PER_CALL)
        if max_step > 0.0:
            self.set_max_step(max_step)

    @property
    def time(self) -> float:
        """Time of the last return."""
        return self._time.value

    @property
    def flag_name(self) -> str:
        """SUNDIALS' name of the last flag."""
        return flag_name(self.flag, self._family)

    @property
    def step_size(self) -> float:
        """The step size to be tried next."""
        value = c_double()
        self._do("GetCurrentStep", byref(value))
        return value.value

    def set_max_step(self, step: float) -> None:
        """No step will be longer; 0 for no limit."""
        self._do("SetMaxStep", step)

    def set_stop_time(self, time: float) -> bool:
        """No step will pass `time`. False if the integrator is already beyond it (then `reinit`)."""
        return bool(self._stop(self._memory, time) == SUCCESS)

    def told(self, flag: int, time: float) -> None:
        """Takes over what SUNDIALS returned to the native driver, and the time it has come to."""
        self.flag, self._time.value = flag, time

    def handles(self, address: Callable[[str], int]) -> dict[str, float]:
        """What the native driver needs to know (`saltus.ir.native.drive`), but for the addresses of its
        functions, which differ."""
        scratch = self._vectors["scratch"]
        return {
            "solver": self._memory.value or 0,
            "y": self._handles["y"].value or 0,
            "y_data": int(self.y.ctypes.data),
            "scratch": self._handles["scratch"].value or 0,
            "scratch_data": int(scratch.ctypes.data),
            "set_max_step": library_address(f"{self._family}SetMaxStep"),
            "flag": SUCCESS,
            "relative": self._relative,
            "absolute": int(self._vectors["absolute"].ctypes.data),
        }

    def derivative(self, time: float, order: int) -> NDArray[np.float64]:
        """Derivatives of the states' interpolating polynomial; order 0 is the solution itself."""
        self._do("GetDky", time, order, self._handles["scratch"])
        return self._vectors["scratch"][: len(self.y)].copy()

    def error_ratios(self) -> NDArray[np.float64]:
        """Estimated local errors of the last step, the states' first, in units of what tolerances allow."""
        lib, scratch, handle = self._lib, self._vectors["scratch"], self._handles["scratch"]
        ratios = np.zeros(len(scratch))
        if lib[f"{self._family}GetErrWeights"](self._memory, handle) == SUCCESS:
            ratios[:] = scratch
        if lib[f"{self._family}GetEstLocalErrors"](self._memory, handle) == SUCCESS:
            ratios *= np.abs(scratch)
        return ratios

    def _collect(self) -> None:
        """Adds up SUNDIALS' counters before a restart, which sets them to zero."""
        memory, totals = self._memory, self._totals
        for name, function, count, reference in self._counters:
            function(memory, reference)
            totals[name] += count.value

    def statistics(self) -> dict[str, int]:
        """What was counted, over all restarts."""
        found = dict(self._totals)
        for name, function, count, reference in self._counters:
            function(self._memory, reference)
            found[name] += count.value
        return found

    def close(self) -> None:
        """Frees everything; the object is of no use afterwards."""
        self._finaliser()


def _free(
    lib: dict[str, Any],
    family: str,
    handles: dict[str, c_void_p],
    vectors: Sequence[str],
    solver: LinearSolver,
) -> None:
    if handles.get("memory"):
        lib[f"{family}Free"](byref(handles["memory"]))
    if handles.get("iteration"):
        lib["SUNNonlinSolFree"](handles["iteration"])
    solver.free()
    for name in vectors:
        if handles.get(name):
            lib["N_VDestroy"](handles[name])
    if handles.get("context"):
        lib["SUNContext_Free"](byref(handles["context"]))
    handles.clear()
