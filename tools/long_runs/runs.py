"""Runs that are longer than anybody has tried: is any event stepped over?

    python -m tools.long_runs shipped [WORD ...]
        the examples, those of the library and the gallery, at 1, 5 and 20 times their length, compared with
        runs of short steps
    python -m tools.long_runs trust [WORD ...]
        the models of `tools/long_runs/stepped_over.py`, compared with their truths

Both take `--methods`, `--factors`, `--workers` (two at most are sensible on a small machine), `--seconds` for
one run, and `--record FILE`: rows are appended to it, and what is in there already is not run again. A table
is printed as it grows; the status is 1 if a row is not well.

A row of `shipped` says

    same          every relation changes and every clock ticks as often as with steps of a hundredth of the
                  output interval; where the times differ by more than is usual, it says how much
    drifts apart  the times differ more and more until they cannot be compared: a chaotic model, or events
                  that accumulate
    within tolerance
                  a relation changes more or less often, but its residue is as small as the tolerance there
    a tie         a relation changes in one of the runs while its residue is zero: it may be either, and what
                  comes after depends on that
    ends alike    both runs end with the same message (a model may end by terminate, an assertion, or Zeno),
                  and all was the same until then
    not by this method
                  it fails with short steps as well, and another method does not
    no truth      the run with short steps fails, or is too long for the limit of time

All else is not well: an event is LOST or EXTRA, rows do not obey (`tools/obedience/judge.py`), a run FAILS
that does not with short steps, or is LATE.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import groupby, product
from pathlib import Path
from time import perf_counter
from typing import cast

from tools.long_runs import stepped_over
from tools.long_runs.event_sequences import largest_difference, parting, switchings
from tools.long_runs.shipped_models import shipped_models
from tools.long_runs.time_limited import TimeLimited
from tools.obedience.judge import judged

import saltus
from saltus.core.diagnostics import RunError
from saltus.model import Model
from saltus.result.result import Result
from saltus.run.schedule.settings import Settings
from saltus.run.schedule.stepping import METHODS

#: Times the length of a model's experiment.
FACTORS = (1.0, 5.0, 20.0)

#: Steps of the run that tells the truth, as part of the output interval.
SHORT = 0.01

#: Differences of the times of events that are tolerated, in tolerances of the length of the run.
SLACK = 1e3

#: The method of the run with short steps; where another comes to other events, its own tells the truth.
REFERENCE = "bdf"

#: Beginnings of what is said of a row that is well.
EQUAL = ("same", "ends alike")
WELL = (*EQUAL, "drifts apart", "within tolerance", "a tie", "no truth", "not by this method")


@dataclass(frozen=True)
class Job:
    """One run. `tolerance` None: that of the model."""

    kind: str
    name: str
    factor: float
    method: str
    tolerance: float | None = None

    @property
    def key(self) -> str:
        at = "" if self.tolerance is None else f" {self.tolerance:g}"
        return f"{self.kind} {self.name} {self.factor:g} {self.method}{at}"

    def row(
        self, tolerance: float, events: int, expected: int, violations: int, seconds: float, status: str
    ) -> Row:
        """What came of it."""
        own = self.key, self.name, self.factor, self.method
        return Row(*own, tolerance, events, expected, violations, seconds, status)


@dataclass(frozen=True)
class Row:
    """What came of it. `expected` are the events with short steps, or by the truth; -1 where unknown."""

    key: str
    name: str
    factor: float
    method: str
    tolerance: float
    events: int
    expected: int
    violations: int
    seconds: float
    status: str

    @property
    def is_well(self) -> bool:
        return self.violations == 0 and self.status.startswith(WELL)

    def __str__(self) -> str:
        mark = " " if self.is_well else "!"
        name = (
            Path(self.name).stem if self.name.endswith(".mo") else self.name.removeprefix("Saltus.Examples.")
        )
        options = f"{self.factor:>5g} {self.method:<5} {self.tolerance:<6g}"
        numbers = f"{self.events:>7} {self.expected:>7} {self.violations:>6} {self.seconds:>6.1f}"
        return f"{mark} {name:<46.46} {options} {numbers}  {self.status}"


_OPTIONS = f"{'times':>5} {'by':<5} {'tol':<6}"
HEAD = f"  {'model':<46} {_OPTIONS} {'events':>7} {'short':>7} {'rows!':>6} {'s':>6}  status"


# ---------------------------------------------------------------- one run


@dataclass(frozen=True)
class Outcome:
    """A run: to its end, or as far as it came, with the code and message of what ended it."""

    result: Result | None
    ending: str = ""

    @property
    def events(self) -> int:
        """Changes of relations, and ticks."""
        return 0 if self.result is None else sum(map(len, switchings(self.result).values()))


@lru_cache(maxsize=1)
def _model(name: str) -> Model:
    case = stepped_over.CASES.get(name)
    return saltus.load(name if case is None else case.text)


def _simulate(model: Model, **options: object) -> Outcome:
    try:
        return Outcome(model.simulate(**options))  # type: ignore[arg-type]
    except RunError as error:
        first = error.diagnostics[0]
        return Outcome(cast(Result | None, error.partial), f"{first.code} {first.message}")


@lru_cache(maxsize=8)
def _with_short_steps(name: str, factor: float, method: str) -> Outcome:
    settings = Settings.of(_model(name).experiment)
    interval = settings.output_interval
    return _simulate(
        _model(name),
        stop_time=_stop(settings, factor),
        interval=interval,
        method=method,
        max_step=SHORT * interval,
    )


def _stop(settings: Settings, factor: float) -> float:
    return settings.start_time + factor * (settings.stop_time - settings.start_time)


def do(job: Job) -> Row:
    """Runs and judges."""
    return _trust(job) if job.kind == "trust" else _shipped(job)


def late(job: Job, why: str) -> Row:
    """The row of a run that did not end in time."""
    return job.row(job.tolerance or 0.0, 0, -1, 0, 0.0, f"LATE: {why}")


def _trust(job: Job) -> Row:
    assert job.tolerance is not None
    case = stepped_over.CASES[job.name]
    stop = job.factor * case.length
    options = {"tolerance": job.tolerance, "method": job.method, "interval": case.interval(stop)}
    began = perf_counter()
    run = _simulate(_model(job.name), stop_time=stop, **options)
    seconds = perf_counter() - began
    changes = case.changes(stop)
    expected = sum(map(len, changes.values()))
    found = broken = 0
    status = "FAILS"
    if run.result is not None:
        status = "; ".join(stepped_over.faults(case, run.result, stop, job.tolerance)) or "same"
        broken = len(judged(run.result, job.tolerance).violations)
        found = sum(len(stepped_over.changes_of(run.result, name)) for name in changes)
    return job.row(job.tolerance, found, expected, broken, seconds, f"{status} {run.ending}".strip())


def _shipped(job: Job) -> Row:
    model = _model(job.name)
    settings = Settings.of(model.experiment)
    stop, interval = _stop(settings, job.factor), settings.output_interval
    began = perf_counter()
    run = _simulate(model, stop_time=stop, interval=interval, method=job.method)
    seconds = perf_counter() - began
    broken = 0 if run.result is None else len(judged(run.result, settings.tolerance).violations)
    slack = SLACK * settings.tolerance * (stop - settings.start_time)
    eventful = bool(model.hybrid.relations or model.hybrid.clocks)  # else nothing can be lost
    reference = _with_short_steps(job.name, job.factor, REFERENCE) if eventful else run
    status = _compared(run, reference, slack, settings.tolerance)
    differs = run.events != reference.events or not status.startswith(EQUAL)
    if differs and job.method != REFERENCE:
        # Methods may differ where the tolerance is all that they have in common; steps may not.
        own = _with_short_steps(job.name, job.factor, job.method)
        status = _compared(run, own, slack, settings.tolerance)
        if own.ending and not reference.ending:
            status = f"not by this method: {own.ending}"
        reference = own
    return job.row(settings.tolerance, run.events, reference.events, broken, seconds, status)


def _compared(run: Outcome, reference: Outcome, slack: float, tolerance: float) -> str:
    if reference.result is None:
        return f"no truth: {reference.ending}"
    if run.result is None:
        return f"FAILS: {run.ending}"
    parted = parting(run.result, reference.result, slack, tolerance)
    if parted is not None:
        difference = largest_difference(run.result, reference.result)
        return str(parted) if difference is None else f"same, but for {difference:.2g} s"
    ends = run.result.time[-1], reference.result.time[-1]
    if abs(ends[0] - ends[1]) <= slack and run.ending[:4] == reference.ending[:4]:
        return f"ends alike: {run.ending}" if run.ending else "same"
    if not run.ending:
        return f"no truth after {ends[1]:.6g}: {reference.ending}"
    return f"FAILS at {ends[0]:.6g}: {run.ending}"


# ---------------------------------------------------------------- all of them


def jobs_of(kind: str, words: Sequence[str], options: argparse.Namespace) -> Iterator[Job]:
    """What is to be run, models one after the other."""
    names = shipped_models() if kind == "shipped" else list(stepped_over.CASES)
    chosen = [name for name in names if not words or any(word.lower() in name.lower() for word in words)]
    if kind == "shipped":
        for name, factor, method in product(chosen, options.factors or FACTORS, options.methods):
            yield Job(kind, name, factor, method)
        return
    factors = options.factors or stepped_over.FACTORS
    for name, factor, tolerance, method in product(chosen, factors, options.tolerances, options.methods):
        yield Job(kind, name, factor, method, tolerance)


def recorded(path: Path | None) -> list[Row]:
    """The rows of earlier runs."""
    if path is None or not path.exists():
        return []
    return [Row(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def main(arguments: list[str]) -> int:
    """Runs what is asked for; 1 if something is not well."""
    numbers, texts = _list_of(float), _list_of(str)
    parser = argparse.ArgumentParser(description="Is any event stepped over in long runs?")
    parser.add_argument("kind", choices=("shipped", "trust"))
    parser.add_argument("words", nargs="*", help="parts of the names of models")
    parser.add_argument("--factors", type=numbers, help="times the length, with commas between")
    parser.add_argument("--methods", type=texts, default=list(METHODS))
    parser.add_argument("--tolerances", type=numbers, default=list(stepped_over.TOLERANCES))
    parser.add_argument(
        "--seconds", type=float, default=120.0, help="for one run and what it is compared with"
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--record", type=Path, help="rows are kept here, and not run again")
    options = parser.parse_args(arguments)
    jobs = list(jobs_of(options.kind, options.words, options))
    wanted = {job.key for job in jobs}
    rows = [row for row in recorded(options.record) if row.key in wanted]
    done = {row.key for row in rows}
    left = [job for job in jobs if job.key not in done]
    groups = [list(group) for _, group in groupby(left, key=lambda job: job.name)]
    print(HEAD)
    for row in rows:
        print(row)
    for row in TimeLimited(do, late, options.seconds, options.workers).run(groups):
        print(row, flush=True)
        rows.append(row)
        if options.record is not None:
            with options.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row)) + "\n")
    bad = [row for row in rows if not row.is_well]
    print(f"{len(rows)} runs, {len(bad)} not well")
    return 1 if bad else 0


def _list_of(kind: type) -> type:
    return cast(type, lambda text: [kind(part) for part in text.split(",")])
