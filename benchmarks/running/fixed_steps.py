"""Steps of a fixed length: an ideal rectifier by inlined implicit Euler steps against a leaky one by CVODE,
both as exact as is wanted; and the gearbox with 11 clutches, brakes and freewheels over its driving cycle,
100,000 steps, each by a clock in native code.

The rectifier is that of docs/modes.md. What leaks is chosen with the tolerance: of all pairs that are exact
enough the fastest counts, and so does the longest step that is. Errors are means against a run at a tolerance
of 1e-12.

The clock is that on the wall, and the machine may be busy: beside what one run has measured there is the
least of several runs for each step, which are the same to the last bit."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from numpy.typing import NDArray

import saltus
from benchmarks.measure import report, skipped
from saltus.model import Model
from saltus.result.log.step_times import StepTimes
from saltus.result.result import Result
from saltus.show.listings.counts import reductions

STOP, POINTS = 2.0, 2000
STEPS = (4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5)
LEAKS, TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5), (1e-3, 1e-4, 1e-5)
#: Mean errors that are allowed, as parts of the largest current.
ACCURACIES = (2e-2, 2e-3)
REPEATS = 5

IDEAL = """
model Ideal "Source, inductor, diode and resistor in series"
  parameter Real L = 0.02, R = 5;
  Real i(start = 0, fixed = true), u, s;
  Boolean blocks = s < 0;
equation
  10*sin(100*3.141592653589793*time) = L*der(i) + u + R*i;
  u = if blocks then s else 0;
  i = if blocks then 0 else s;
end Ideal;
"""
LEAKY = (
    IDEAL.replace("Ideal", "Leaky")
    .replace("R = 5;", "R = 5, Ron = 1e-5, Goff = 1e-5;")
    .replace("else 0;", "else Ron*s;")
    .replace("then 0 else", "then Goff*s else")
)

#: What is told in paper 003 of a gearbox with as many clutches.
PAPER = (212, 55, 23, 14, 9)
CYCLE = 100_000
#: Gearboxes with as many: the shipped one over its driving cycle, and one of fewer parts.
GEARBOXES = (
    ("Saltus.Examples.Powertrain.DrivingCycle", ("mixed",)),
    (str(Path(__file__).parent / "Gear11.mo"), ("mixed", "inline:euler")),
)


def run() -> None:
    rectifier()
    for name, methods in GEARBOXES:
        gearbox(saltus.load(name), methods)


# ---------------------------------------------------------------- the rectifier


def rectifier() -> None:
    ideal, leaky = saltus.load(IDEAL), saltus.load(LEAKY)
    at = np.arange(1, POINTS) * STOP / POINTS

    def current(result: Result) -> NDArray[np.float64]:
        return np.interp(at, result.time, result["i"])

    truth = current(_simulated(ideal, method="rk45", tolerance=1e-12))
    size = np.abs(truth).max()

    def tried(model: Model, **options: object) -> tuple[float, float]:
        """The error, and the time that a run takes."""
        error = float(np.abs(current(_simulated(model, **options)) - truth).mean() / size)
        return error, _seconds(lambda: _simulated(model, **options))

    inlined = {method: [tried(ideal, method=method, step=h) for h in STEPS] for method in METHODS}
    with_cvode = [
        tried(leaky, tolerance=r, set={"Ron": leak, "Goff": leak}) for leak in LEAKS for r in TOLERANCES
    ]
    for accuracy in ACCURACIES:
        other = min(seconds for error, seconds in with_cvode if error <= accuracy)
        for method, found in inlined.items():
            own = min((seconds for error, seconds in found if error <= accuracy), default=np.inf)
            report(
                f"ideal rectifier by {method} against leaky with CVODE, error {accuracy:g}, times faster",
                f"{other / own:.1f} ({own * 1e3:.2f} and {other * 1e3:.2f} ms)",
                "more than 1",
                own < other,
            )


METHODS = ("inline:implicit-euler", "inline:trapezoid")


def _simulated(model: Model, **options: object) -> Result:
    return model.simulate(stop_time=STOP, interval=STOP / POINTS, **options)  # type: ignore[arg-type]


def _seconds(work: Callable[[], object]) -> float:
    """Of the processor, the least of several repeats."""
    found = []
    for _ in range(REPEATS):
        began = process_time()
        work()
        found.append(process_time() - began)
    return min(found)


# ---------------------------------------------------------------- the gearbox


def gearbox(model: Model, methods: tuple[str, ...]) -> None:
    name = model.name.rpartition(".")[2]
    step = (model.experiment.stop_time - model.experiment.start_time) / CYCLE
    for method in methods:
        kept: dict[str, object] = {"method": method, "step": step, "speed": 0.0}
        kept["locate"] = method == "inline:euler"
        first = model.simulate(**kept)  # type: ignore[arg-type]  # programs are made
        own = {"modes": first.modes, "freeze": "*"}
        last = model.simulate(**kept, **own)  # type: ignore[arg-type]
        compiled = last.statistics["programs compiled during the run"]
        report(
            f"{name} by {method}, programs compiled after the start where modes are listed",
            f"{compiled:g}", "0", compiled == 0,
        )  # fmt: skip
        if method == "mixed":
            _report_sizes(name, first, last)
        medians = {}
        for words, more in (("general program", {}), ("code per mode", own)):
            times = _measured(model, {**kept, **more})
            medians[words] = times[-1].median
            for runs, found in zip(("one run", f"least of {REPEATS} runs"), times, strict=True):
                _report_times(f"{name} by {method}, {words}, {runs}, us", found, wanted=bool(more))
        ratio = medians["general program"] / medians["code per mode"]
        report(
            f"{name} by {method}, median of general program over code per mode",
            f"{ratio:.1f}",
            "none: printed",
            True,
        )
        if method == "mixed":
            exported(model, step, "", medians["general program"])
            exported(model, step, ", code per mode", medians["code per mode"], **own)


def _measured(model: Model, options: dict[str, object]) -> tuple[StepTimes, StepTimes]:
    """What the steps of one run take, the last of several, and the least that each step has taken."""
    runs = []
    for _ in range(REPEATS):
        found = model.simulate(**options).step_times  # type: ignore[arg-type]
        assert found is not None
        runs.append(found)
    one = runs[-1]
    return one, StepTimes(np.min([r.nanoseconds for r in runs], axis=0), one.step, one.speed)


def _report_times(name: str, times: StepTimes, *, wanted: bool) -> None:
    late, printed = times.at(0.999), "none: printed"
    name = f"{name} ({len(times.nanoseconds)} steps)"
    report(
        f"{name}, median",
        f"{times.median * 1e6:.2f}",
        "below 3" if wanted else printed,
        not wanted or times.median < 3e-6,
    )
    report(
        f"{name}, 99.9 %", f"{late * 1e6:.1f}", "below 20" if wanted else printed, not wanted or late < 20e-6
    )
    report(f"{name}, worst", f"{times.worst * 1e6:.0f}", printed, True)


def _report_sizes(name: str, general: Result, own: Result) -> None:
    """The five sizes beside those of the paper."""
    modes = [part.structure for part in own.recording.parts if part.structure.mode.fixed]
    for (words, size), paper in zip(reductions(general.general, own.general, modes), PAPER, strict=True):
        report(f"{name}, unknowns of its loop {words}; paper 003: {paper}", size, "none: printed", True)


#: Takes all steps of exported code, each by the clock, and writes nanoseconds.
TIMED = """
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "MODEL.h"

static MODEL model;
static long nanoseconds[200000];

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(int argc, char **argv)
{
    size_t n = 0;
    MODEL_init(&model);
    model.stop = argc > 1 ? atof(argv[1]) : 1.0;
    for (;;) {
        const long began = now();
        const MODEL_status code = MODEL_advance(&model);
        if (code != MODEL_OK || n == sizeof nanoseconds / sizeof *nanoseconds) break;
        nanoseconds[n++] = now() - began;
    }
    fwrite(nanoseconds, sizeof *nanoseconds, n, stdout);
    return 0;
}
"""


def exported(model: Model, step: float, words: str, median: float, **own: object) -> None:
    """The same steps by exported C, against the median in this process."""
    called = model.name.rpartition(".")[2]
    name = f"{called}, exported C at -O2{words}, against native code in this process, median of a step"
    if which("gcc") is None:
        skipped(name, "there is no gcc")
        return
    with TemporaryDirectory() as folder:
        files = model.export_c(folder, step=step, **own)
        program, timed = Path(folder) / "timed", Path(folder) / "timed.c"
        timed.write_text(TIMED.replace("MODEL", called))
        flags = ("-std=c99", "-O2", "-ffp-contract=off")
        sources = [timed, *(file for file in files if file.suffix == ".c" and file.name != "main.c")]
        subprocess.run(["gcc", *flags, "-o", program, *sources, "-lm"], check=True)
        runs = [
            np.frombuffer(
                subprocess.run(
                    [program, repr(model.experiment.stop_time)], capture_output=True, check=True
                ).stdout,
                np.int64,
            )
            for _ in range(REPEATS)
        ]
    least = np.min(runs, axis=0)
    took = float(np.median(least)) * 1e-9
    report(
        name,
        f"{took / median:.2f} ({took * 1e6:.2f} and {median * 1e6:.2f} us)",
        "at most 1.3",
        took <= 1.3 * median,
    )
    worst = f"{np.max(runs[-1]) * 1e-3:.0f} and {np.max(least) * 1e-3:.0f}"
    name = f"{called}, exported C{words}, worst step, one run and least of {REPEATS}, us"
    report(name, worst, "none: printed", True)
