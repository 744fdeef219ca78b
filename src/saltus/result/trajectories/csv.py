"""Results as comma-separated values: exact numbers, Booleans as 0 and 1, Integers without a point.

Parameters and constants are columns too, the last ones, so that a file tells what it was made with. Their
text is made once.

A number is written with as few digits as read back to the same double. Wide tables have millions of them, so
neighbouring columns of one kind become text together, by a library that does this in native code: Python
takes half a microsecond for each number, and writing would take longer than the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.expr.nodes import Type
from saltus.result.trajectories.trajectories import Trajectories

#: About so many numbers are turned into text at a time.
_BATCH = 2**19


def write_csv(result: Trajectories, path: str | Path, names: Sequence[str] | None = None) -> None:
    """Writes `time` and what is named (default: all variables, parameters and constants)."""
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            file.write(csv_header(result, names))
            file.writelines(csv_lines(result, names))
    except OSError as error:
        raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error


def csv_header(result: Trajectories, names: Sequence[str] | None = None) -> str:
    """The first line."""
    return ",".join(quoted(name) for name in ("time", *_chosen(result, names))) + "\n"


def _chosen(result: Trajectories, names: Sequence[str] | None) -> list[str]:
    """The columns after `time`: what changes comes first, then parameters and constants."""
    return [*result.names, *result.unvarying] if names is None else list(names)


def csv_lines(result: Trajectories, names: Sequence[str] | None = None, since: int = 0) -> Iterator[str]:
    """The rows from the one numbered `since` on, many lines at a time."""
    time = result.time[since:]
    columns = [_Column(time), *(_column(result, name, since) for name in _chosen(result, names))]
    runs = [list(run) for _, run in groupby(columns, key=lambda c: (c.values is None, c.whole))]
    rows = max(1, _BATCH // len(columns))
    for first in range(0, len(time), rows):
        texts = [_texts(run, slice(first, first + rows)) for run in runs]
        # Constant cells are repeated without end; time, which is not constant, ends the lines.
        yield "".join([",".join(cells) + "\n" for cells in zip(*texts, strict=False)])


@dataclass(frozen=True)
class _Column:
    """Values over time, of whole numbers perhaps; or if there are none, a text that stands in every row."""

    values: NDArray[np.float64] | None
    whole: bool = False
    text: str = ""


def _column(result: Trajectories, name: str, since: int) -> _Column:
    if name in result.unvarying:
        value = result.unvarying[name]
        number = float(value) if isinstance(value, float) else int(value)
        return _Column(None, text="" if value != value else repr(number))
    variable = result.variables.get(name)
    whole = variable is not None and variable.symbol.type is not Type.REAL
    return _Column(result[name][since:], whole)


def _texts(run: Sequence[_Column], rows: slice) -> Iterable[str]:
    """The cells of neighbouring columns of one kind, a text for each row. A variable that has no value, since
    the mode has none, leaves its cell empty."""
    columns = [column.values[rows] for column in run if column.values is not None]
    if not columns:
        return repeat(",".join(column.text for column in run))
    table = np.column_stack(columns)
    if run[0].whole and np.isfinite(table).all():
        return _native(table.astype(np.int64))
    if run[0].whole or np.isinf(table).any():
        return [",".join(_cell(x, whole=run[0].whole) for x in row) for row in table.tolist()]
    return (line.replace("null", "") for line in _native(table)) if np.isnan(table).any() else _native(table)


def _native(table: NDArray[np.float64] | NDArray[np.int64]) -> list[str]:
    """A text for each row. Numbers that are not finite become `null`."""
    import orjson  # seven milliseconds: many runs write no file

    text = orjson.dumps(table, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return text[2:-2].split("],[")


def _cell(x: float, *, whole: bool) -> str:
    return "" if x != x else str(int(x)) if whole else repr(x)


def quoted(name: str) -> str:
    """A field of a CSV file; quoted where it has to be."""
    if any(c in name for c in ',"\n\r'):
        return '"' + name.replace('"', '""') + '"'
    return name
