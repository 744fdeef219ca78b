"""One model: drawn, solved, run, and judged."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time

from tools.differential.case import Case
from tools.differential.families import FAMILIES
from tools.differential.judge import WELL, Judgement, judged, refused_translation
from tools.lost_events.cases import Draw

import saltus
from saltus.core.diagnostics import SaltusError

METHODS = ("bdf", "ida", "adams", "rk45", "auto")
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
    """What came of one run, as plain data."""

    key: str
    structure: str
    method: str
    tolerance: float
    verdict: str
    text: str = ""
    events: int = 0
    seconds: float = 0.0

    @property
    def is_well(self) -> bool:
        return self.verdict in WELL


def drawn(trial: Trial) -> tuple[Case, list[float]]:
    """The case, and a tolerance for each method; the same whatever else is tried."""
    draw = Draw(trial.seed, zlib.crc32(trial.family.encode()), trial.number)
    case = FAMILIES[trial.family](draw)
    tolerances = {m: min(draw.one_of(TOLERANCES), case.loosest) for m in METHODS}
    return case, [trial.tolerance or tolerances[m] for m in trial.methods]


def recorded(trial: Trial) -> list[Record]:
    """Runs a model with each method and compares it with its truth."""
    began = process_time()
    case, tolerances = drawn(trial)
    truth = case.truth()
    records: list[Record] = []

    def note(method: str, tolerance: float, found: Judgement) -> None:
        nonlocal began
        seconds, began = process_time() - began, process_time()
        given = trial.key, case.structure, method, tolerance, found.verdict, found.text, truth.events, seconds
        records.append(Record(*given))

    try:
        model = saltus.load(case.text)
    except SaltusError as error:
        note("translation", 0.0, refused_translation(case, truth, str(error).splitlines()[0]))
        return records
    for method, tolerance in zip(trial.methods, tolerances, strict=True):
        try:
            found = judged(case, truth, model, method, tolerance)
        except Exception as error:  # whatever is not a message of Saltus is a fault of it
            found = Judgement("died", f"{type(error).__name__}: {error}")
        note(method, tolerance, found)
    return records


def late(trial: Trial, why: str) -> list[Record]:
    """The record of a model whose process was ended, or has ended itself."""
    verdict = "died" if "died" in why else "late"
    return [Record(trial.key, "", "any", 0.0, verdict, why)]
