"""CVODE through ctypes, on the shared libraries that the scikit-sundae wheel carries.

The wheel's own Cython interface calls back into Python at every step. Here right-hand side and crossing
functions are native function pointers (made by `emit`), so no Python runs inside a step. The method is the
variable-order BDF with Newton iteration; crossings are located by CVODE's own Illinois search, which
returns the right end of the bracket, so that an event is always found on the far side.

`sunindextype` is 32 bit in that wheel and 64 bit elsewhere. Indices are only ever passed, never read, and
both calling conventions in use put a small positive integer into the same register, so `c_int64` serves
both.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from contextlib import suppress
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_long, c_void_p
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError

SUCCESS = 0
TSTOP_RETURN = 1
ROOT_RETURN = 2
TOO_MUCH_WORK = -1
FIRST_RHSFUNC_ERR = -9

_BDF = 2
_NORMAL = 1

#: From this size on, LAPACK's blocked LU beats the plain one of SUNDIALS.
LAPACK_FROM = 50

#: Steps per call before control comes back to Python (for progress and Ctrl-C).
STEPS_PER_CALL = 1000

#: Name of the library, in the order in which they depend on each other.
_LIBRARIES = ("core", "nvecserial", "sunmatrixdense", "sunlinsoldense", "cvode")

#: What is counted, and by which function.
_COUNTERS = (
    ("steps", "CVodeGetNumSteps"),
    ("rhs_evaluations", "CVodeGetNumRhsEvals"),
    ("rhs_evaluations_for_jacobians", "CVodeGetNumLinRhsEvals"),
)

_context_p = POINTER(c_void_p)
_SIGNATURES: dict[str, tuple[str, Any, tuple[Any, ...]]] = {
    "SUNContext_Create": ("core", c_int, (c_int, _context_p)),
    "SUNContext_Free": ("core", c_int, (_context_p,)),
    "SUNContext_ClearErrHandlers": ("core", c_int, (c_void_p,)),
    "N_VDestroy": ("core", None, (c_void_p,)),
    "N_VMake_Serial": ("nvecserial", c_void_p, (c_int64, c_void_p, c_void_p)),
    "SUNDenseMatrix": ("sunmatrixdense", c_void_p, (c_int64, c_int64, c_void_p)),
    "SUNMatDestroy": ("core", None, (c_void_p,)),
    "SUNLinSol_Dense": ("sunlinsoldense", c_void_p, (c_void_p, c_void_p, c_void_p)),
    "SUNLinSolFree": ("core", c_int, (c_void_p,)),
    "CVodeCreate": ("cvode", c_void_p, (c_int, c_void_p)),
    "CVodeFree": ("cvode", None, (_context_p,)),
    "CVodeInit": ("cvode", c_int, (c_void_p, c_void_p, c_double, c_void_p)),
    "CVodeReInit": ("cvode", c_int, (c_void_p, c_double, c_void_p)),
    "CVodeSVtolerances": ("cvode", c_int, (c_void_p, c_double, c_void_p)),
    "CVodeSetLinearSolver": ("cvode", c_int, (c_void_p, c_void_p, c_void_p)),
    "CVodeSetUserData": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeRootInit": ("cvode", c_int, (c_void_p, c_int, c_void_p)),
    "CVodeSetNoInactiveRootWarn": ("cvode", c_int, (c_void_p,)),
    "CVodeSetStopTime": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetMaxStep": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetInitStep": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetMaxNumSteps": ("cvode", c_int, (c_void_p, c_long)),
    "CVodeSetMaxHnilWarns": ("cvode", c_int, (c_void_p, c_int)),
    "CVode": ("cvode", c_int, (c_void_p, c_double, c_void_p, POINTER(c_double), c_int)),
    "CVodeGetDky": ("cvode", c_int, (c_void_p, c_double, c_int, c_void_p)),
    "CVodeGetRootInfo": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeGetNumSteps": ("cvode", c_int, (c_void_p, POINTER(c_long))),
    "CVodeGetNumRhsEvals": ("cvode", c_int, (c_void_p, POINTER(c_long))),
    "CVodeGetNumLinRhsEvals": ("cvode", c_int, (c_void_p, POINTER(c_long))),
    "CVodeGetCurrentTime": ("cvode", c_int, (c_void_p, POINTER(c_double))),
    "CVodeGetCurrentStep": ("cvode", c_int, (c_void_p, POINTER(c_double))),
    "CVodeGetLastStep": ("cvode", c_int, (c_void_p, POINTER(c_double))),
    "CVodeGetErrWeights": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeGetEstLocalErrors": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeGetReturnFlagName": ("cvode", c_char_p, (c_long,)),
}


def _missing(what: str) -> UsageError:
    return UsageError(
        Diagnostic(
            "E501",
            f"the integrator's libraries were not found: {what}",
            hint="install the wheel again: pip install --force-reinstall scikit-sundae",
        )
    )


def _folders() -> list[Path]:
    """Where wheels keep what they carry: beside the package on Linux and Windows (auditwheel, delvewheel),
    inside it on macOS (delocate); an installation without a wheel uses the environment's own lib."""
    spec = find_spec("sksundae")
    if spec is None or spec.origin is None:
        raise _missing("the package scikit-sundae is not installed")
    package = Path(spec.origin).parent
    prefix = Path(sys.prefix)
    candidates = (
        package.parent / "scikit_sundae.libs",
        package / ".dylibs",
        package.parent / ".dylibs",
        prefix / "lib",
        prefix / "Library" / "bin",
    )
    return [folder for folder in candidates if folder.is_dir()]


def _find(name: str, folders: list[Path]) -> Path:
    """The library's file. Wheels put a hash into the name: `libsundials_core-943007ef.so.7.9.0`."""
    for folder in folders:
        for pattern in (f"libsundials_{name}[-.]*", f"sundials_{name}[-.]*"):
            for path in sorted(folder.glob(pattern)):
                if any(end in path.name for end in (".so", ".dylib", ".dll")):
                    return path
    raise _missing(f"no file of libsundials_{name} in {', '.join(f.name for f in folders) or 'any folder'}")


@cache
def _library() -> dict[str, Any]:
    """All functions used, by name, with their types declared."""
    folders = _folders()
    if sys.platform == "win32":  # pragma: no cover - other platform
        import os

        for folder in folders:
            os.add_dll_directory(str(folder))
    loaded = {}
    quick = {}
    for name in _LIBRARIES:
        path = _find(name, folders)
        try:
            loaded[name] = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
            quick[name] = ctypes.PyDLL(str(path))
        except OSError as error:
            raise _missing(str(error)) from error
    functions: dict[str, Any] = {}
    for name, (library, result, arguments) in _SIGNATURES.items():
        # Only what integrates runs long enough to let go of the interpreter lock, which costs 0.3 us a call.
        function = getattr((loaded if name == "CVode" else quick)[library], name)
        function.restype = result
        function.argtypes = arguments
        functions[name] = function
    functions["N_VGetArrayPointer"] = loaded["core"].N_VGetArrayPointer
    return functions


@cache
def _lapack() -> Any | None:
    """The dense solver on LAPACK, where the wheel has it."""
    try:
        library = ctypes.CDLL(str(_find("sunlinsollapackdense", _folders())))
        function = library.SUNLinSol_LapackDense
    except (OSError, UsageError):
        return None
    function.restype = c_void_p
    function.argtypes = (c_void_p, c_void_p, c_void_p)
    # The wheel's own OpenBLAS starts as many threads as there are cores. On matrices of a few hundred rows
    # they mostly wait for each other (measured: 0.1 s alone, 1.8 s on two busy cores), so one is used.
    with suppress(AttributeError):
        library.openblas_set_num_threads(1)
    return function


def symbols() -> dict[str, int]:
    """Addresses of library functions that compiled call-backs use, for the JIT."""
    found: dict[str, int] = {}
    for name in ("N_VGetArrayPointer", "CVode"):
        pointer = ctypes.cast(_library()[name], c_void_p).value
        assert pointer is not None
        found[name] = pointer
    return found


class CvodeError(Exception):
    """A call that must not fail did; carries SUNDIALS' own number and its name."""

    def __init__(self, function: str, flag: int) -> None:
        self.flag = flag
        super().__init__(f"{function} returned {flag} ({flag_name(flag)})")


def flag_name(flag: int) -> str:
    """`CV_CONV_FAILURE` and the like."""
    text: bytes | None = _library()["CVodeGetReturnFlagName"](flag)
    return text.decode() if text else str(flag)


_SWEEP = ctypes.CFUNCTYPE(
    c_int, c_void_p, c_void_p, POINTER(c_double), c_void_p, c_void_p, c_int64, c_void_p, POINTER(c_int64)
)


class Cvode:
    """One integrator with everything it owns. `y` is the state vector at the last return (a view of the
    integrator's own: write new states into it before `reinit`), `roots` the directions of the crossing
    functions that fired, as of the last `root_info`.

    `rhs` and `roots` are addresses of compiled functions with CVODE's signatures, `user_data` what they get
    as their last argument.
    """

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
    ) -> None:
        lib = self._lib = _library()
        n = len(y)
        self.y: NDArray[np.float64] = np.array(y, dtype=np.float64)
        self._absolute = np.array(absolute, dtype=np.float64)
        self.roots: NDArray[np.intc] = np.zeros(max(n_roots, 1), dtype=np.intc)
        self._scratch = np.zeros(n)
        self.flag = SUCCESS
        handles: dict[str, c_void_p] = {}
        # Registered first, so that whatever has been made is freed even when a later call fails.
        self._finaliser = weakref.finalize(self, _free, lib, handles)

        context = handles["context"] = c_void_p()
        self._check("SUNContext_Create", lib["SUNContext_Create"](0, byref(context)))
        # Without handlers SUNDIALS is silent; every flag is looked at here.
        lib["SUNContext_ClearErrHandlers"](context)
        vector = handles["y"] = self._vector(self.y, context)
        tolerance = handles["absolute"] = self._vector(self._absolute, context)
        handles["scratch"] = self._vector(self._scratch, context)
        memory = handles["memory"] = c_void_p(lib["CVodeCreate"](_BDF, context))
        if not memory:
            raise CvodeError("CVodeCreate", -20)
        matrix = handles["matrix"] = c_void_p(lib["SUNDenseMatrix"](n, n, context))
        dense = (_lapack() if n >= LAPACK_FROM else None) or lib["SUNLinSol_Dense"]
        solver = handles["solver"] = c_void_p(dense(vector, matrix, context))

        self._check("CVodeInit", lib["CVodeInit"](memory, rhs, time, vector))
        self._check("CVodeSVtolerances", lib["CVodeSVtolerances"](memory, relative, tolerance))
        self._check("CVodeSetUserData", lib["CVodeSetUserData"](memory, user_data))
        self._check("CVodeSetLinearSolver", lib["CVodeSetLinearSolver"](memory, solver, matrix))
        self._check("CVodeSetMaxNumSteps", lib["CVodeSetMaxNumSteps"](memory, STEPS_PER_CALL))
        self._check("CVodeSetMaxHnilWarns", lib["CVodeSetMaxHnilWarns"](memory, -1))
        if n_roots:
            self._check("CVodeRootInit", lib["CVodeRootInit"](memory, n_roots, roots))
            lib["CVodeSetNoInactiveRootWarn"](memory)
        if max_step > 0.0:
            self._check("CVodeSetMaxStep", lib["CVodeSetMaxStep"](memory, max_step))

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
            raise CvodeError("N_VMake_Serial", -20)
        return c_void_p(made)

    @staticmethod
    def _check(function: str, flag: int) -> None:
        if flag != SUCCESS:
            raise CvodeError(function, flag)

    @property
    def time(self) -> float:
        """Time of the last return."""
        return self._time.value

    def set_stop_time(self, time: float) -> bool:
        """No step will pass `time`. False if the integrator is already beyond it (then `reinit`)."""
        return bool(self._stop(self._memory, time) == SUCCESS)

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


def _free(lib: dict[str, Any], handles: dict[str, c_void_p]) -> None:
    if handles.get("memory"):
        lib["CVodeFree"](byref(handles["memory"]))
    if handles.get("solver"):
        lib["SUNLinSolFree"](handles["solver"])
    if handles.get("matrix"):
        lib["SUNMatDestroy"](handles["matrix"])
    for name in ("y", "absolute", "scratch"):
        if handles.get(name):
            lib["N_VDestroy"](handles[name])
    if handles.get("context"):
        lib["SUNContext_Free"](byref(handles["context"]))
    handles.clear()
