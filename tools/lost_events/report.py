"""What was lost, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from tools.lost_events.trial import Record, drawn

KINDS = ("lost", "displaced", "spurious", "inaccurate", "miscounted", "failed")


def summary(records: Sequence[Record], shown: int) -> str:
    """The faults, the first of each model, and a table of the families."""
    lines = []
    wrong = [r for r in records if r.faults]
    for record in wrong[:shown]:
        how = f"{record.structure} {record.method} {record.tolerance:.2g}"
        lines.append(f"{_name(record)} {how}: {record.faults[0]}")
    if len(wrong) > shown:
        lines.append(f"... and {len(wrong) - shown} more models")
    heads = ("family", "models", "wrong", "%", "excursions", *KINDS, "longest lost", "s")
    lines.append("".join(f"{h:>12}" for h in heads))
    families = list(dict.fromkeys(r.trial.family for r in records))
    for family in families:
        lines.append(_row(family, [r for r in records if r.trial.family == family]))
    if len(families) > 1:
        lines.append(_row("all", records))
    return "\n".join(lines)


def _row(name: str, records: Sequence[Record]) -> str:
    wrong = sum(bool(r.faults) for r in records)
    kinds = Counter(f.kind for r in records for f in r.faults)
    longest = max((f.relative for r in records for f in r.faults if f.kind == "lost"), default=0.0)
    excursions = sum(r.excursions for r in records)
    cells = [name, len(records), wrong, f"{100 * wrong / len(records):.2f}", excursions]
    cells += [kinds[k] for k in KINDS] + [f"{longest:.3g}", f"{sum(r.seconds for r in records):.1f}"]
    return "".join(f"{c!s:>12}" for c in cells)


def _name(record: Record) -> str:
    return f"{record.trial.family}-{record.trial.seed}-{record.trial.number}"


def keep(records: Sequence[Record], folder: Path) -> None:
    """Writes `faults.jsonl`, and each model that went wrong as a file that `saltus simulate` runs."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for record in records:
        if not record.faults:
            continue
        case, method, tolerance = drawn(record.trial)
        name = _name(record)
        row = {
            "seed": record.trial.seed, "class": record.trial.family, "number": record.trial.number,
            "model": case.name, "method": method, "tolerance": tolerance, "stop": case.stop,
            "max_step": None if record.trial.steps is None else record.trial.steps * case.shortest,
            "parameters": dict(case.parameters), "file": f"{name}.mo",
            "faults": [asdict(f) for f in record.faults],
        }  # fmt: skip
        rows.append(json.dumps(row))
        inner = case.text.split()[1]
        values = ", ".join(_modifications(case.parameters))
        command = f"saltus simulate {name}.mo --method {method}"
        text = (
            f"// {record.faults[0]}\n// {command}\n{case.text}\nmodel Case\n  extends {inner}({values});\n"
            f"  annotation(experiment(StopTime = {case.stop!r}, Tolerance = {tolerance!r}));\nend Case;\n"
        )
        (folder / f"{name}.mo").write_text(text, encoding="utf-8")
    (folder / "faults.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _modifications(parameters: Mapping[str, float]) -> list[str]:
    """Parameters as modifications of Modelica: a matrix is set as a whole, not by its elements."""
    matrices: dict[str, dict[str, list[float]]] = {}
    found = []
    for name, value in parameters.items():
        matrix, bracket, place = name.partition("[")
        if bracket:
            matrices.setdefault(matrix, {}).setdefault(place.split(",")[0], []).append(value)
        else:
            found.append(f"{name} = {value!r}")
    for matrix, rows in matrices.items():
        found.append(f"{matrix} = [{'; '.join(', '.join(map(repr, row)) for row in rows.values())}]")
    return found
