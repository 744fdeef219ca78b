"""One model: drawn, run, and judged."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from time import process_time
from typing import Any

import numpy as np
from tools.lost_events.cases import Case, Draw, Signal
from tools.lost_events.families import FAMILIES
from tools.lost_events.judge import Fault, Observed, compared
from tools.lost_events.resolution import BAND, BETWEEN_POINTS, PLACING, resolution_of
from tools.lost_events.truth import Timeline

import saltus
from saltus.core.diagnostics import SaltusError

METHODS = ("bdf", "adams", "ida", "rk45", "auto")


@dataclass(frozen=True)
class Trial:
    """Which model, and how it is run: `steps` is the largest step in shortest time scales, None for as long
    as the engine likes."""

    family: str
    seed: int
    number: int
    methods: Sequence[str] = METHODS
    tolerance: float | None = None
    steps: float | None = None


@dataclass(frozen=True)
class Record:
    """What came of it, as plain data. `excursions` is the number that had to be found."""

    trial: Trial
    structure: str
    method: str
    tolerance: float
    excursions: int
    faults: tuple[Fault, ...]
    seconds: float


@cache
def _loaded(text: str) -> saltus.Model:
    return saltus.load(text)


def drawn(trial: Trial) -> tuple[Case, str, float]:
    """The case with its method and tolerance; the same whatever else is tried."""
    draw = Draw(trial.seed, zlib.crc32(trial.family.encode()), trial.number)
    case = draw.one_of(FAMILIES[trial.family])(draw)
    method = draw.one_of(trial.methods)
    tolerance = draw.decades(1e-10, max(case.loosest, 2e-10))
    return case, method, trial.tolerance or tolerance


def recorded(trial: Trial) -> Record:
    """Runs a model and compares it with its truth."""
    began = process_time()
    case, method, tolerance = drawn(trial)
    excursions, faults = _tried(trial, case, method, tolerance)
    seconds = process_time() - began
    return Record(trial, case.name, method, tolerance, excursions, tuple(faults), seconds)


def _run(case: Case, method: str, tolerance: float, steps: float | None) -> tuple[saltus.Result | None, str]:
    """What was computed, and why it did not go on."""
    try:
        result = _loaded(case.text).simulate(
            stop_time=case.stop,
            tolerance=tolerance,
            method=method,
            max_step=None if steps is None else steps * case.shortest,
            set=dict(case.parameters),
            **case.settings,  # type: ignore[arg-type]
        )
    except SaltusError as error:
        return getattr(error, "partial", None), str(error).splitlines()[0]
    return result, ""


def _tried(trial: Trial, case: Case, method: str, tolerance: float) -> tuple[int, list[Fault]]:
    result, failure = _run(case, method, tolerance, trial.steps)
    if result is None:
        return 0, [Fault("failed", 0, 0.0, 0.0, 0.0, failure)]
    faults: list[Fault] = []
    excursions = 0
    resolution = resolution_of(trial.family)
    for number, truth, more in _truths(case, result, tolerance):
        end = float(result.time[-1])
        kept = truth.until(end).resolved(resolution.of_scale, resolution.of_run * case.stop)
        if failure and len(truth) and truth.ends[-1] > end:  # otherwise nobody knows better
            faults.append(Fault("failed", number, end, 0.0, 0.0, failure))
        seen = Observed.of(result.time, np.asarray(result[f"b{number}"]))
        excursions += len(kept)
        faults += [*more, *compared(number, kept, seen, PLACING), *_miscounted(number, seen, result)]
    return excursions, faults


def _truths(case: Case, result: saltus.Result, tolerance: float) -> list[tuple[int, Timeline, list[Fault]]]:
    """The number of each relation, what is certain about it, and what is wrong with its residue."""
    truths: list[tuple[int, Timeline, list[Fault]]] = []
    for number, signal in enumerate(case.signals, 1):
        margin, faults = _margin(number, signal, result, tolerance)
        truths.append((number, signal.truth(margin), faults))
    # Truths are made for a hundred steps from event to event; errors grow with their number.
    excess = result.statistics["steps"] / (50.0 * (len(result.events) + 1))
    for number, instants in enumerate(case.instants(tolerance * max(excess, 1.0)), len(case.signals) + 1):
        truths.append((number, instants.truth(), []))
    return truths


def _margin(
    number: int, signal: Signal, result: saltus.Result, tolerance: float
) -> tuple[float, list[Fault]]:
    """How well the run knows the residue: the error of its states is no matter of events.

    It is measured at the points of the result, and must not be larger than the tolerance explains, which is
    the error that each of the steps may make."""
    errors = np.abs(np.asarray(result[f"y{number}"]) - signal.formula(result.time))
    worst = int(np.argmax(errors))
    error, size = float(errors[worst]), 1.0 + abs(signal.threshold)
    margin = 2 * BAND * size + BETWEEN_POINTS * error
    if error <= signal.accuracy * result.statistics["steps"] * tolerance + 1e-9 * size:
        return margin, []
    text = f"the residue is wrong by {error:.3g}"
    return margin, [Fault("inaccurate", number, float(result.time[worst]), 0.0, 0.0, text)]


def _miscounted(number: int, seen: Observed, result: saltus.Result) -> list[Fault]:
    """Counters and the log must tell the same as the Boolean."""
    rises, falls = len(seen.changes[int(seen.first) :: 2]), len(seen.changes[int(not seen.first) :: 2])
    counted = (float(result[f"up{number}"][-1]), float(result[f"down{number}"][-1]))
    logged: Any = len(result.events.of(f"up{number}")), len(result.events.of(f"down{number}"))
    if counted == (rises, falls) == logged:
        return []
    text = f"changes {(rises, falls)}, counters {counted}, log {logged}"
    return [Fault("miscounted", number, 0.0, 0.0, 0.0, text)]
