"""Exported C (docs/export.md) against runs in this process: the same steps, events and numbers.

    python -m tools.exported_c [WORDS]

takes the models below, or those with one of the words in their names. Each is exported, compiled as strictly
as gcc can with the sanitisers for addresses and undefined behaviour, and run. Every row at a time that the
run in this process has, too, is compared with it, and so is the number of events. `tests/export` does so with
all of them.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

import saltus
from saltus.model import Model

#: As strict as a compiler can be, with what looks at every address and every operation.
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off")
SANITISERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")

#: What is the same, as a part of the largest value of a variable.
SAME = 1e-12

_EXAMPLES = "Saltus.Examples."


@dataclass(frozen=True)
class Case:
    """A model, and how it is exported: so many steps in the time of its experiment, or in another; with code
    for each of the modes that such a run visits, or for all modes together."""

    name: str
    steps: int = 1000
    stop: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    per_mode: bool = False


#: Clutches, friction, converters, tables, sampled control, machines of states, loops; modes with programs of
#: their own.
CASES = (
    Case(str(Path(__file__).parents[1] / "benchmarks" / "running" / "Gear11.mo"), 4000),
    Case(_EXAMPLES + "Powertrain.GearboxOnBench", per_mode=True),
    Case(_EXAMPLES + "Electrical.BuckConverter"),
    Case(_EXAMPLES + "Electrical.BoostConverter"),
    Case(_EXAMPLES + "Electrical.CukConverter"),
    Case(_EXAMPLES + "Electrical.GTOChopper"),
    Case(_EXAMPLES + "Electrical.DynamicBraking"),
    Case(_EXAMPLES + "Electrical.BridgeRectifier"),
    Case(_EXAMPLES + "Rotational.FlywheelsMeet"),
    Case(_EXAMPLES + "Rotational.FlywheelsMeet", options={"method": "inline:euler"}),
    Case(_EXAMPLES + "Rotational.BrakeSqueal"),
    Case(_EXAMPLES + "Blocks.EngineMap"),
    Case(_EXAMPLES + "Blocks.SampledControl"),
    Case(_EXAMPLES + "Blocks.CascadeControl"),
    Case(_EXAMPLES + "Blocks.AnalogueToDigital"),
    Case(_EXAMPLES + "Blocks.SpeedEstimation"),
    Case(_EXAMPLES + "Blocks.PulseWidthModulation"),
    Case(_EXAMPLES + "Blocks.AntiWindup", options={"method": "inline:trapezoid"}),
    Case(_EXAMPLES + "Blocks.RelayOscillation", options={"method": "inline:bdf2", "locate": True}),
    Case(_EXAMPLES + "Blocks.SixPulse", options={"method": "inline:implicit-euler"}),
    Case(_EXAMPLES + "Thermal.Thermostat", options={"method": "inline:euler", "locate": True}),
    Case(_EXAMPLES + "Thermal.HeatSink"),
    Case(_EXAMPLES + "Fluid.LevelControl"),
    Case(_EXAMPLES + "StateMachines.Kettle"),
    Case(_EXAMPLES + "Logic.Blinker"),
)


@dataclass(frozen=True)
class Comparison:
    """Rows of both, those at the same times; events of both; the largest difference, and of what."""

    rows: int
    compared: int
    events: tuple[int, int]
    worst: float
    of: str

    @property
    def agrees(self) -> bool:
        """Whether the two runs are one. Output points that no step ends at are not compared."""
        return self.compared >= 0.95 * self.rows and self.events[0] == self.events[1] and self.worst <= SAME

    def __str__(self) -> str:
        difference = f"differs by {self.worst:.2g} ({self.of})" if self.worst else "the same to the last bit"
        return f"{self.compared} of {self.rows} rows, {self.events[0]}/{self.events[1]} events, {difference}"


def build(files: Sequence[Path], *flags: str) -> Path:
    """The program of an export, compiled."""
    sources = [str(file) for file in files if file.suffix == ".c"]
    program = files[0].parent / "program"
    subprocess.run(["gcc", *STRICT, *flags, "-o", str(program), *sources, "-lm"], check=True)
    return program


def table(text: str) -> tuple[list[str], NDArray[np.float64]]:
    """Names and rows of CSV."""
    lines = text.splitlines()
    names = next(csv.reader(lines[:1]))
    return names, np.array([line.split(",") for line in lines[1:]], dtype=np.float64)


def compared(model: Model, case: Case, folder: Path, *flags: str) -> Comparison:
    """One model, exported into a folder, run there and here."""
    stop = case.stop if case.stop is not None else model.experiment.stop_time
    options = {"method": "mixed", "step": stop / case.steps, "stop_time": stop, **case.options}
    if case.per_mode:
        options["modes"] = model.simulate(**options).modes
    program = build(model.export_c(folder, **options), *flags)
    done = subprocess.run([str(program), repr(stop)], capture_output=True, text=True, check=True)
    names, rows = table(done.stdout)
    run = model.simulate(**options, interval=options["step"])
    first = int(len(run.time) > 1 and run.time[0] == run.time[1])  # C begins after the event at the start
    here, there = _together(run.time[first:], rows[:, 0])
    worst, of = 0.0, ""
    known = {v.name for v in model.shown}
    for k, name in enumerate(names[1:], 1):
        if name in known:
            own = np.asarray(run[name], dtype=np.float64)[first:][here]
            apart = float(np.abs(own - rows[there, k]).max()) / (float(np.abs(own).max()) or 1.0)
            if not apart <= worst:
                worst, of = apart, name
    events = int((np.diff(rows[:, 0]) == 0.0).sum())
    happened = sum(1 for time in run.events.times if time > run.time[0])
    return Comparison(len(rows), len(here), (events, happened), worst, of)


def _together(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """The places of rows at the same times."""
    i = j = 0
    here: list[int] = []
    there: list[int] = []
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            here.append(i)
            there.append(j)
        i, j = i + int(a[i] <= b[j]), j + int(b[j] <= a[i])
    return here, there


def main(words: Sequence[str]) -> int:
    """Compares the models; the number of those that do not agree."""
    failures = 0
    for case in CASES:
        if words and not any(word in case.name for word in words):
            continue
        with TemporaryDirectory() as folder:
            found = compared(saltus.load(case.name), case, Path(folder), "-O1", *SANITISERS)
        failures += not found.agrees
        said = "" if found.agrees else "  DIFFERENT"
        print(f"{Path(case.name).name:45} {found}{said}", flush=True)
    return failures


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
