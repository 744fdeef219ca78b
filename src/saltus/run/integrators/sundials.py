"""The SUNDIALS libraries that the scikit-sundae wheel carries, through ctypes.

The wheel's own Cython interface calls back into Python at every step. Here right-hand side and crossing
functions are native function pointers (made by `emit`), so no Python runs inside a step.

`sunindextype` is 32 bit in that wheel and 64 bit elsewhere. Indices are only ever passed, never read, and
both calling conventions in use put a small positive integer into the same register, so `c_int64` serves
both.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_long, c_void_p
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.ir.native.contract import DENSE_DATA, GET_DATA, SUNDIALS

SUCCESS = 0
TSTOP_RETURN = 1
TOO_MUCH_WORK = -1
CONV_FAILURE = -4
FIRST_RHSFUNC_ERR = -9

#: Name of the library, in the order in which they depend on each other.
_LIBRARIES = ("core", "nvecserial", "sunmatrixdense", "sunlinsoldense", "cvode", "ida")

_context_p = POINTER(c_void_p)
_SIGNATURES: dict[str, tuple[str, Any, tuple[Any, ...]]] = {
    "SUNContext_Create": ("core", c_int, (c_int, _context_p)),
    "SUNContext_Free": ("core", c_int, (_context_p,)),
    "SUNContext_ClearErrHandlers": ("core", c_int, (c_void_p,)),
    "N_VDestroy": ("core", None, (c_void_p,)),
    "N_VMake_Serial": ("nvecserial", c_void_p, (c_int64, c_void_p, c_void_p)),
    "SUNDenseMatrix": ("sunmatrixdense", c_void_p, (c_int64, c_int64, c_void_p)),
    "SUNMatDestroy": ("core", None, (c_void_p,)),
    "SUNMatNewEmpty": ("core", c_void_p, (c_void_p,)),
    "SUNMatFreeEmpty": ("core", None, (c_void_p,)),
    "SUNLinSol_Dense": ("sunlinsoldense", c_void_p, (c_void_p, c_void_p, c_void_p)),
    "SUNLinSolGetType_Dense": ("sunlinsoldense", c_int, (c_void_p,)),
    "SUNLinSolSetup_Dense": ("sunlinsoldense", c_int, (c_void_p, c_void_p)),
    "SUNLinSolSolve_Dense": ("sunlinsoldense", c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_double)),
    "SUNLinSolFree": ("core", c_int, (c_void_p,)),
    "SUNLinSolNewEmpty": ("core", c_void_p, (c_void_p,)),
    "SUNLinSolFreeEmpty": ("core", None, (c_void_p,)),
    "CVodeCreate": ("cvode", c_void_p, (c_int, c_void_p)),
    "CVodeFree": ("cvode", None, (_context_p,)),
    "CVodeInit": ("cvode", c_int, (c_void_p, c_void_p, c_double, c_void_p)),
    "CVodeReInit": ("cvode", c_int, (c_void_p, c_double, c_void_p)),
    "CVodeSVtolerances": ("cvode", c_int, (c_void_p, c_double, c_void_p)),
    "CVodeSetLinearSolver": ("cvode", c_int, (c_void_p, c_void_p, c_void_p)),
    "CVodeSetJacFn": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeSetJacEvalFrequency": ("cvode", c_int, (c_void_p, c_long)),
    "CVodeSetLinSysFn": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeSetUserData": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeSetStopTime": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetMaxStep": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetMinStep": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetInitStep": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetEtaMaxFirstStep": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetEtaMaxEarlyStep": ("cvode", c_int, (c_void_p, c_double)),
    "CVodeSetNumStepsEtaMaxEarlyStep": ("cvode", c_int, (c_void_p, c_long)),
    "CVodeSetMaxNumSteps": ("cvode", c_int, (c_void_p, c_long)),
    "CVodeSetMaxHnilWarns": ("cvode", c_int, (c_void_p, c_int)),
    "CVode": ("cvode", c_int, (c_void_p, c_double, c_void_p, POINTER(c_double), c_int)),
    "CVodeGetDky": ("cvode", c_int, (c_void_p, c_double, c_int, c_void_p)),
    "CVodeGetNumSteps": ("cvode", c_int, (c_void_p, POINTER(c_long))),
    "CVodeGetNumRhsEvals": ("cvode", c_int, (c_void_p, POINTER(c_long))),
    "CVodeGetNumLinRhsEvals": ("cvode", c_int, (c_void_p, POINTER(c_long))),
    "CVodeGetNumJacEvals": ("cvode", c_int, (c_void_p, POINTER(c_long))),
    "CVodeGetCurrentTime": ("cvode", c_int, (c_void_p, POINTER(c_double))),
    "CVodeGetCurrentStep": ("cvode", c_int, (c_void_p, POINTER(c_double))),
    "CVodeGetLastStep": ("cvode", c_int, (c_void_p, POINTER(c_double))),
    "CVodeGetErrWeights": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeGetEstLocalErrors": ("cvode", c_int, (c_void_p, c_void_p)),
    "CVodeGetReturnFlagName": ("cvode", c_char_p, (c_long,)),
    "SUNNonlinSol_FixedPoint": ("cvode", c_void_p, (c_void_p, c_int, c_void_p)),
    "SUNNonlinSolFree": ("core", c_int, (c_void_p,)),
    "CVodeSetNonlinearSolver": ("cvode", c_int, (c_void_p, c_void_p)),
    "IDACreate": ("ida", c_void_p, (c_void_p,)),
    "IDAFree": ("ida", None, (_context_p,)),
    "IDAInit": ("ida", c_int, (c_void_p, c_void_p, c_double, c_void_p, c_void_p)),
    "IDAReInit": ("ida", c_int, (c_void_p, c_double, c_void_p, c_void_p)),
    "IDASVtolerances": ("ida", c_int, (c_void_p, c_double, c_void_p)),
    "IDASetId": ("ida", c_int, (c_void_p, c_void_p)),
    "IDASetSuppressAlg": ("ida", c_int, (c_void_p, c_int)),
    "IDASetLinearSolver": ("ida", c_int, (c_void_p, c_void_p, c_void_p)),
    "IDASetUserData": ("ida", c_int, (c_void_p, c_void_p)),
    "IDASetStopTime": ("ida", c_int, (c_void_p, c_double)),
    "IDASetMaxNonlinIters": ("ida", c_int, (c_void_p, c_int)),
    "IDASetMaxStep": ("ida", c_int, (c_void_p, c_double)),
    "IDASetInitStep": ("ida", c_int, (c_void_p, c_double)),
    "IDASetMaxNumSteps": ("ida", c_int, (c_void_p, c_long)),
    "IDASolve": ("ida", c_int, (c_void_p, c_double, POINTER(c_double), c_void_p, c_void_p, c_int)),
    "IDAGetDky": ("ida", c_int, (c_void_p, c_double, c_int, c_void_p)),
    "IDAGetNumSteps": ("ida", c_int, (c_void_p, POINTER(c_long))),
    "IDAGetNumResEvals": ("ida", c_int, (c_void_p, POINTER(c_long))),
    "IDAGetNumLinResEvals": ("ida", c_int, (c_void_p, POINTER(c_long))),
    "IDAGetCurrentStep": ("ida", c_int, (c_void_p, POINTER(c_double))),
    "IDAGetErrWeights": ("ida", c_int, (c_void_p, c_void_p)),
    "IDAGetEstLocalErrors": ("ida", c_int, (c_void_p, c_void_p)),
    "IDAGetReturnFlagName": ("ida", c_char_p, (c_long,)),
}

#: What integrates runs long enough to let go of the interpreter lock, which costs 0.3 us a call.
_LONG_CALLS = frozenset({"CVode", "IDASolve"})


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
def library() -> dict[str, Any]:
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
        function = getattr((loaded if name in _LONG_CALLS else quick)[library], name)
        function.restype = result
        function.argtypes = arguments
        functions[name] = function
    functions["N_VGetArrayPointer"] = loaded["core"].N_VGetArrayPointer
    functions["SUNDenseMatrix_Data"] = loaded["sunmatrixdense"].SUNDenseMatrix_Data
    return functions


@cache
def lapack_dense() -> Any | None:
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
    for name in (GET_DATA, DENSE_DATA, *(name for name, _ in SUNDIALS)):
        found[name] = address(name)
    return found


def address(name: str) -> int:
    """Where a library function is."""
    pointer = ctypes.cast(library()[name], c_void_p).value
    assert pointer is not None
    return pointer


class SundialsError(Exception):
    """A call that must not fail did; carries SUNDIALS' own number and its name."""

    def __init__(self, function: str, flag: int) -> None:
        self.flag = flag
        super().__init__(f"{function} returned {flag} ({flag_name(flag, function)})")


def flag_name(flag: int, function: str = "CVode") -> str:
    """`CV_CONV_FAILURE` and the like, by the function that returned the flag."""
    family = "IDA" if function.startswith("IDA") else "CVode"
    text: bytes | None = library()[f"{family}GetReturnFlagName"](flag)
    return text.decode() if text else str(flag)
