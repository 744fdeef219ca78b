"""What was found, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tools.differential.judge import VERDICTS
from tools.differential.trial import Record, Trial, drawn, structure_of, text_of


def line(record: Record) -> str:
    how = f"{record.method} {record.tolerance:g} [{record.structure}]"
    return f"{record.key} {how} {record.verdict}: {record.text}"


def summary(records: Sequence[Record]) -> str:
    """Counts by verdict: runs of each family, and of each method. Models are `other` than those before them
    if their structure or their sequence of modes is."""
    heads = ("", "models", "other", "structures", "runs", "events", *VERDICTS, "s")
    lines = ["".join(f"{h:>16}" for h in heads)]
    for family in dict.fromkeys(_family(r) for r in records):
        lines.append(_row(family, [r for r in records if _family(r) == family]))
    for method in dict.fromkeys(r.method for r in records):
        lines.append(_row(method, [r for r in records if r.method == method]))
    return "\n".join(lines)


def _family(record: Record) -> str:
    return record.key.split("-")[0]


def _row(name: str, records: Sequence[Record]) -> str:
    counts = Counter(r.verdict for r in records)
    models = {r.key: r.events for r in records}
    structures = {structure_of(r.key) for r in records}
    others = {(structure_of(r.key), r.course) for r in records}
    kinds = [len(models), len(others), len(structures)]
    cells = [name, *kinds, len(records), sum(models.values()), *(counts[v] for v in VERDICTS)]
    return "".join(f"{c!s:>16}" for c in [*cells, f"{sum(r.seconds for r in records):.0f}"])


def keep(record: Record, folder: Path) -> None:
    """Writes a model that went wrong as a file that `saltus simulate` runs."""
    folder.mkdir(parents=True, exist_ok=True)
    family, seed, number = record.key.split("-")
    trial = Trial(family, int(seed), int(number))
    case, _ = drawn(trial)
    options = " ".join(f"--{k} {v}" for k, v in case.settings.items())
    command = f"saltus simulate {record.key}.mo --stop-time {case.stop!r} {options}"
    head = f"// {line(record)}\n// {command} --method {record.method} --tolerance {record.tolerance!r}\n"
    (folder / f"{record.key}.mo").write_text(head + text_of(trial, case).text, encoding="utf-8")
