"""Native right-hand side against the same equations in C at -O2, called the same way.

The model is a chain of pendulums with coupling and nonlinear damping, four equations each. Both functions
have CVODE's signature and are called by one loop in C, so that neither call nor loop differs. Vectors are
plain arrays here: `N_VGetArrayPointer` is given to both as a function that returns its argument.

The C text is written from the formulas, as one would by hand: a local variable for each quantity, each
quantity computed once, parameters read from the user data.
"""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import saltus
from benchmarks.measure import best_of, report, skipped
from saltus.emit.llvm.jit import native_machine
from saltus.expr.nodes import Op

CELLS = 50  # times four equations
CALLS = 20_000
REPEATS = 7
NAME = "right-hand side, 200 equations, speed relative to C"

DRIVER = """
typedef int (*rhs_t)(double, void *, void *, void *);
double *(*array_of)(void *);
double *same(void *v) { return (double *)v; }
void use(double *(*f)(void *)) { array_of = f; }
int drive(rhs_t f, double t, void *y, void *ydot, void *data, long n) {
    int status = 0;
    for (long k = 0; k < n; ++k) status |= f(t + 1e-9 * (double)k, y, ydot, data);
    return status;
}
"""


def modelica_text(cells: int) -> str:
    lines = ["model Chain", "  parameter Real k = 1.5;", "  parameter Real d = 0.2;"]
    for i in range(cells):
        lines += [
            f"  Real x{i}(start = {0.1 + 0.01 * i}, fixed = true);",
            f"  Real v{i}(start = {0.02 * i}, fixed = true);",
            f"  Real s{i};",
            f"  Real f{i};",
        ]
    lines.append("equation")
    for i in range(cells):
        left = f"x{i - 1}" if i else "0"
        right = f"s{i + 1}" if i + 1 < cells else "0"
        lines += [
            f"  s{i} = k*sin(x{i} - {left});",
            f"  f{i} = d*sqrt(1 + v{i}^2);",
            f"  der(x{i}) = v{i};",
            f"  der(v{i}) = {right} - s{i} - f{i}*v{i} + 0.01*x{i}*{left};",
        ]
    return "\n".join([*lines, "end Chain;", ""])


def c_text(cells: int, order: list[str]) -> str:
    """`order` gives the place of each state in the vectors."""
    place = {name: i for i, name in enumerate(order)}
    lines = ["#include <math.h>", DRIVER, "int rhs(double t, void *yv, void *dv, void *data) {"]
    lines += ["    const double *y = array_of(yv);", "    double *dy = array_of(dv);"]
    lines += ["    const double *p = data;", "    const double k = p[0], d = p[1];", "    (void)t;"]
    for i in range(cells):
        lines += [f"    const double x{i} = y[{place[f'x{i}']}], v{i} = y[{place[f'v{i}']}];"]
    for i in range(cells):
        lines += [f"    const double s{i} = k * sin(x{i}{f' - x{i - 1}' if i else ''});"]
    for i in range(cells):
        right = f"s{i + 1} " if i + 1 < cells else ""
        product = f" + 0.01 * x{i} * x{i - 1}" if i else ""
        lines += [
            f"    const double f{i} = d * sqrt(1 + v{i} * v{i});",
            f"    dy[{place[f'x{i}']}] = v{i};",
            f"    dy[{place[f'v{i}']}] = {right}- s{i} - f{i} * v{i}{product};",
        ]
    return "\n".join([*lines, "    return 0;", "}", ""])


def run() -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        skipped(NAME, "there is no C compiler")
        return
    with tempfile.TemporaryDirectory() as folder:
        _compare(compiler, Path(folder))


def _compare(compiler: str, folder: Path) -> None:
    program = saltus.load(modelica_text(CELLS)).program
    states = program.layout.section("states")
    names = {slot: str(leaf) for leaf, slot in program.layout.slots.items() if leaf.op is Op.REF}
    order = [names[slot] for slot in range(states.start, states.stop)]
    source = folder / "chain.c"
    library = folder / "chain.so"
    source.write_text(c_text(CELLS, order), encoding="utf-8")
    subprocess.run([compiler, "-O2", "-fPIC", "-shared", "-o", library, source, "-lm"], check=True)
    c = ctypes.CDLL(str(library))
    identity = ctypes.cast(c.same, ctypes.c_void_p).value
    assert identity is not None
    c.use(ctypes.c_void_p(identity))
    c.drive.argtypes = (ctypes.c_void_p, ctypes.c_double, *[ctypes.c_void_p] * 3, ctypes.c_long)

    machine = native_machine(program, {"N_VGetArrayPointer": identity})
    values = {"k": 1.5, "d": 0.2}
    slots = {name: slot for slot, name in names.items()}
    for name, value in values.items():  # others are sizes of variables, which no derivative contains
        machine.memory[slots[name]] = value
    user_data = np.array([1.5, 0.2])
    y = np.linspace(-1.0, 1.0, len(order))
    ours, theirs = np.zeros(len(order)), np.zeros(len(order))

    def call(function: int | None, out: np.ndarray, data: int, times: int) -> None:
        status = c.drive(function, 0.0, y.ctypes.data, out.ctypes.data, data, times)
        assert status == 0

    native = machine.address("saltus_rhs")
    data = machine.pointer
    hand = ctypes.cast(c.rhs, ctypes.c_void_p).value
    call(native, ours, data, 1)
    call(hand, theirs, user_data.ctypes.data, 1)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)  # the same equations indeed
    assert math.isfinite(ours.sum()) and np.ptp(ours) > 0

    # In turns, so that a change of the processor's clock meets both.
    times = [
        (
            best_of(1, lambda: call(native, ours, data, CALLS)),
            best_of(1, lambda: call(hand, theirs, user_data.ctypes.data, CALLS)),
        )
        for _ in range(REPEATS)
    ]
    ours_s, theirs_s = (min(column) / CALLS for column in zip(*times, strict=True))
    ratio = theirs_s / ours_s
    measured = f"{ratio:.2f} ({ours_s * 1e6:.2f} us against {theirs_s * 1e6:.2f} us)"
    report(NAME, measured, "at least 0.70", ratio >= 0.7)
