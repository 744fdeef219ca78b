"""One model: drawn, solved, run, and judged."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import process_time

from tools.differential.case import Case
from tools.differential.draw import Draw
from tools.differential.families import FAMILIES
from tools.differential.judge import WELL, Judge, Judgement
from tools.differential.parameters import Parameterised, parameterised

import saltus
from saltus.core.diagnostics import SaltusError
from saltus.emit.llvm.modules import hasten

METHODS = ("bdf", "ida", "adams", "rk45", "auto")

#: Models of one structure, with other numbers, that share a translation.
VARIANTS = 10

#: One structure of so many is written with its numbers in the equations, which is translated for each model.
WRITTEN_OUT = 10

#: Families whose models are structures of their own: their numbers are few, and decide about all.
UNVARIED = ("logic",)

TOLERANCES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)


@dataclass(frozen=True)
class Trial:
    """Which model, and the methods that are tried."""

    family: str
    seed: int
    number: int
    methods: Sequence[str] = METHODS
    tolerance: float | None = None

    @property
    def key(self) -> str:
        return f"{self.family}-{self.seed}-{self.number}"


@dataclass(frozen=True)
class Record:
    """What came of one run, as plain data. `course` stands for the sequence of modes of the truth."""

    key: str
    structure: str
    method: str
    tolerance: float
    verdict: str
    text: str = ""
    events: int = 0
    seconds: float = 0.0
    course: int = 0

    @property
    def is_well(self) -> bool:
        return self.verdict in WELL


def drawn(trial: Trial) -> tuple[Case, list[float]]:
    """The case, and a tolerance for each method; the same whatever else is tried."""
    family = zlib.crc32(trial.family.encode())
    if trial.family in UNVARIED:
        draw = Draw((trial.seed, family, trial.number), ())
    else:
        draw = Draw((trial.seed, family, trial.number // VARIANTS), (trial.seed, family, trial.number, 1))
    case = FAMILIES[trial.family](draw)
    choice = Draw((trial.seed, family, trial.number, 2), ())
    tolerances = {m: min(choice.one_of(TOLERANCES), case.loosest) for m in METHODS}
    return case, [trial.tolerance or tolerances[m] for m in trial.methods]


def structure_of(key: str) -> str:
    """Which structure a model has: the same for those that differ by numbers only."""
    family, seed, number = key.split("-")
    return key if family in UNVARIED else f"{family}-{seed}-{int(number) // VARIANTS}"


def in_turn(number: int, methods: Sequence[str], every: int) -> Sequence[str]:
    """Which methods run a model: all of them every so often, and otherwise one, which is another one for the
    next model and for the same number in the next structure."""
    if number % every == 0:
        return methods
    return (methods[(number + number // VARIANTS) % len(methods)],)


def text_of(trial: Trial, case: Case) -> Parameterised:
    """What is given to Saltus. One structure of `WRITTEN_OUT` is written with its numbers in the equations,
    and so is what has one model a structure."""
    if trial.family in UNVARIED or trial.number // VARIANTS % WRITTEN_OUT == 0:
        return Parameterised(case.text, {})
    return parameterised(case.text)


@lru_cache(maxsize=2 * len(FAMILIES))  # families take turns
def _loaded(text: str) -> saltus.Model | SaltusError:
    try:
        return saltus.load(text)
    except SaltusError as error:
        return error


def recorded(trial: Trial) -> list[Record]:
    """Runs a model with each method and compares it with its truth."""
    hasten()
    began = process_time()
    case, tolerances = drawn(trial)
    given = text_of(trial, case)
    model = _loaded(given.shared)
    judge = Judge(case, model, given.values)
    records: list[Record] = []

    def note(method: str, tolerance: float, found: Judgement) -> None:
        nonlocal began
        seconds, began = process_time() - began, process_time()
        truth = judge.first
        records.append(
            Record(trial.key, case.structure, method, tolerance, found.verdict, found.text, truth.events,
                   round(seconds, 4), truth.course)
        )  # fmt: skip

    if isinstance(model, SaltusError):
        note("translation", 0.0, judge.of_translation(str(model).splitlines()[0]))
        return records
    for method, tolerance in zip(trial.methods, tolerances, strict=True):
        try:
            found = judge.of_run(method, tolerance)
        except Exception as error:  # whatever is not a message of Saltus is a fault of it
            found = Judgement("died", f"{type(error).__name__}: {error}")
        note(method, tolerance, found)
    return records


def late(trial: Trial, why: str) -> list[Record]:
    """The record of a model whose process was ended, or has ended itself."""
    verdict = "died" if "died" in why else "late"
    return [Record(trial.key, "", "any", 0.0, verdict, why)]
