"""The hand-written peer: CVODE driven by a right-hand side in C, as a careful programmer would write it.

The C text is compiled with `cc -O2` in a temporary folder and linked against the same SUNDIALS libraries that
Saltus uses. One call integrates over all output points and copies the states at each; nothing of it runs in
Python. Method (BDF), tolerances and output points are those of the run of Saltus; the matrix is dense, with
LAPACK where it is large, and Jacobians are CVODE's difference quotients.

The wheel brings no headers, so the few functions used are declared here.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_double, c_int, c_long
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import saltus
from benchmarks.measure import best_of
from saltus.run.integrators.sundials import _find, _folders, lapack_dense

_LIBRARIES = (
    "core", "nvecserial", "sunmatrixdense", "sunmatrixband", "sunlinsoldense", "sunlinsolband",
    "sunlinsollapackdense", "cvode",
)  # fmt: skip

#: From this size on LAPACK's blocked LU beats the plain one of SUNDIALS.
_LAPACK_FROM = 50

#: `rhs` of the C text has this signature: `int rhs(double t, const double *y, double *ydot)`.
_DRIVER = """
typedef void *N_Vector, *SUNMatrix, *SUNLinearSolver, *SUNContext, *Memory;
typedef long sunindextype;  /* 32 bit in the wheel; passed in a register, never read back */
int SUNContext_Create(int, SUNContext *);
int SUNContext_Free(SUNContext *);
N_Vector N_VMake_Serial(sunindextype, double *, SUNContext);
double *N_VGetArrayPointer(N_Vector);
void N_VDestroy(N_Vector);
SUNMatrix SUNDenseMatrix(sunindextype, sunindextype, SUNContext);
SUNMatrix SUNBandMatrix(sunindextype, sunindextype, sunindextype, SUNContext);
void SUNMatDestroy(SUNMatrix);
SUNLinearSolver SUNLinSol_Dense(N_Vector, SUNMatrix, SUNContext);
SUNLinearSolver SUNLinSol_LapackDense(N_Vector, SUNMatrix, SUNContext);
SUNLinearSolver SUNLinSol_Band(N_Vector, SUNMatrix, SUNContext);
int SUNLinSolFree(SUNLinearSolver);
Memory CVodeCreate(int, SUNContext);
int CVodeInit(Memory, int (*)(double, N_Vector, N_Vector, void *), double, N_Vector);
int CVodeSVtolerances(Memory, double, N_Vector);
int CVodeSetLinearSolver(Memory, SUNLinearSolver, SUNMatrix);
int CVodeSetMaxNumSteps(Memory, long);
int CVode(Memory, double, N_Vector, double *, int);
int CVodeGetNumSteps(Memory, long *);
void CVodeFree(Memory *);

static int right_hand_side(double t, N_Vector y, N_Vector ydot, void *unused) {
    (void)unused;
    return rhs(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));
}

/* band < 0: dense; otherwise the half bandwidth. rows: points x n. Gives CVODE's flag. */
int integrate(int n, double *y0, double relative, double *absolute, long band, int lapack,
              int points, const double *times, double *rows, long *steps) {
    SUNContext context;
    int flag = SUNContext_Create(0, &context);
    if (flag) return flag;
    N_Vector y = N_VMake_Serial(n, y0, context), tolerance = N_VMake_Serial(n, absolute, context);
    SUNMatrix matrix = band < 0 ? SUNDenseMatrix(n, n, context) : SUNBandMatrix(n, band, band, context);
    SUNLinearSolver solver = band >= 0 ? SUNLinSol_Band(y, matrix, context)
        : lapack ? SUNLinSol_LapackDense(y, matrix, context) : SUNLinSol_Dense(y, matrix, context);
    Memory memory = CVodeCreate(2 /* BDF */, context);
    CVodeInit(memory, right_hand_side, times[0], y);
    CVodeSVtolerances(memory, relative, tolerance);
    CVodeSetLinearSolver(memory, solver, matrix);
    CVodeSetMaxNumSteps(memory, 1000000);
    double t = times[0];
    for (int k = 0; k < points && flag >= 0; ++k) {
        if (k) flag = CVode(memory, times[k], y, &t, 1 /* normal */);
        for (int i = 0; i < n; ++i) rows[(long)k * n + i] = y0[i];
    }
    CVodeGetNumSteps(memory, steps);
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    N_VDestroy(tolerance);
    SUNContext_Free(&context);
    return flag;
}
"""


@dataclass
class Peer:
    """A compiled right-hand side with its start values."""

    library: ctypes.CDLL
    start: NDArray[np.float64]
    steps: int = 0

    def integrate(self, times: NDArray[np.float64], tolerance: float, band: int = -1) -> NDArray[np.float64]:
        """The states at the times, a row for each. `band` is the half bandwidth; dense LU without it."""
        n = len(self.start)
        y, absolute = self.start.copy(), np.full(n, tolerance)
        rows, steps = np.empty((len(times), n)), c_long()
        flag = self.library.integrate(
            n, y.ctypes.data, tolerance, absolute.ctypes.data, band, int(n >= _LAPACK_FROM),
            len(times), times.ctypes.data, rows.ctypes.data, ctypes.byref(steps),
        )  # fmt: skip
        if flag < 0:
            raise RuntimeError(f"CVODE returned {flag} to the peer")
        self.steps = steps.value
        return rows


def compiler() -> str | None:
    """The C compiler of this machine, if there is one."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def compile_peer(rhs: str, start: Sequence[float], folder: Path) -> Peer:
    """`rhs` is the C text of `static int rhs(double t, const double *y, double *ydot)`."""
    command = compiler()
    assert command is not None
    folders = _folders()
    libraries = [str(_find(name, folders)) for name in _LIBRARIES]
    source, target = folder / "peer.c", folder / "peer.so"
    source.write_text(f"#include <math.h>\n{rhs}\n{_DRIVER}", encoding="utf-8")
    search = [f"-Wl,-rpath,{place}" for place in {str(Path(library).parent) for library in libraries}]
    flags = ["-O2", "-fPIC", "-shared"]
    subprocess.run([command, *flags, "-o", target, source, *libraries, *search, "-lm"], check=True)
    lapack_dense()  # lets its BLAS use one thread, for both
    library = ctypes.CDLL(str(target))
    pointer = ctypes.c_void_p
    library.integrate.restype = c_int
    library.integrate.argtypes = [
        c_int, pointer, c_double, pointer, c_long, c_int, c_int, pointer, pointer, POINTER(c_long),
    ]  # fmt: skip
    return Peer(library, np.array(start, dtype=np.float64))


def in_turns(repeats: int, *works: Callable[[], object]) -> list[float]:
    """The fastest time of each, measured in turns: the speed of a shared machine drifts. Three repeats a
    turn, since the collection of garbage before the first leaves the caches cold."""
    turns = [[best_of(3, work) for work in works] for _ in range(repeats)]
    return [min(column) for column in zip(*turns, strict=True)]


def steps(result: saltus.Result) -> int:
    """Steps of the integrator in a run of Saltus."""
    return int(result.statistics["steps"])
