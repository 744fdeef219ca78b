"""Files of values for parameters and start values: JSON, TOML and CSV.

In JSON and TOML values stand by name, those of a component together if one likes:

    [motor]
    R = "50 mOhm"
    phi.start = 0.2

A CSV file has a name and a value in each row, and a unit in a third column if need be; a first row of
headings is skipped.
"""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from saltus.core.diagnostics import UsageError
from saltus.core.option import usage_error
from saltus.run.schedule.assignments import parse_value

_HEADINGS = ("value", "values")


def values_from(given: Mapping[str, Any] | str | Path) -> dict[str, Any]:
    """Values by full name: of a file, or of a mapping in which those of a component may stand together."""
    return dict(_named(given if isinstance(given, Mapping) else _read(Path(given))))


def _named(values: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        path = f"{within}.{name}" if within else str(name)
        if isinstance(value, Mapping):
            yield from _named(value, path)
        else:
            yield path, value


def _read(file: Path) -> Mapping[str, Any]:
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        known = ", ".join(_READERS)
        raise usage_error(f"values are not read from {str(file)!r}", hint=f"its name should end with {known}")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise usage_error(f"cannot read {str(file)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise usage_error(f"{str(file)!r} is not text in UTF-8") from None
    try:
        values = reader(text)
    except ValueError as error:
        raise usage_error(f"{str(file)!r} cannot be read: {error}") from None
    if not isinstance(values, Mapping):
        raise usage_error(f"{str(file)!r} has no values by name", hint='for example {"R": 10, "x.start": 2}')
    return values


def _from_csv(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, row in enumerate(csv.reader(text.splitlines(), skipinitialspace=True), start=1):
        entries = [cell.strip() for cell in row]
        is_heading = number == 1 and len(entries) > 1 and entries[1].lower() in _HEADINGS
        if not any(entries) or entries[0].startswith("#") or is_heading:
            continue
        if len(entries) not in (2, 3) or not entries[0] or not entries[1]:
            raise ValueError(f"line {number} is not a name, a value and maybe a unit")
        if entries[0] in found:
            raise ValueError(f"line {number} gives {entries[0]} again")
        try:
            found[entries[0]] = parse_value(" ".join(entries[1:]).rstrip())
        except UsageError as error:
            raise ValueError(f"line {number}: {error.diagnostics[0].message}") from None
    return found


_READERS: dict[str, Callable[[str], Any]] = {".json": json.loads, ".toml": tomllib.loads, ".csv": _from_csv}
