"""Results as comma-separated values: exact numbers, Booleans as 0 and 1, Integers without a point.

Parameters and constants are columns too, the last ones, so that a file records the values that produced it.
Their text is made once.

A number is written with as few digits as read back to the same double. Wide tables have millions of them, so
neighbouring columns of one kind become text together, by a library that does this in native code: Python
takes half a microsecond for each number, and writing would take longer than the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.expr.nodes import Type
from saltus.result.trajectories.trajectories import Trajectories

#: About this many numbers are turned into text at a time.
_BATCH = 2**19


def write_csv(result: Trajectories, path: str | Path, names: Sequence[str] | None = None) -> None:
    """Writes `time` and what is named (default: all variables, parameters and constants)."""
    write_lines(path, csv_header(result, names), csv_lines(result, names))


def write_lines(path: str | Path, header: str, texts: Iterable[str]) -> None:
    """Writes a file."""
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            file.write(header)
            file.writelines(texts)
    except OSError as error:
        raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error


def csv_header(result: Trajectories, names: Sequence[str] | None = None) -> str:
    """The first line."""
    return header_of(("time", *chosen_names(result, names)))


def header_of(names: Sequence[str]) -> str:
    """The first line of columns with these names."""
    return ",".join(map(quoted, names)) + "\n"


def chosen_names(result: Trajectories, names: Sequence[str] | None) -> list[str]:
    """The columns after `time`: what changes comes first, then parameters and constants."""
    return [*result.names, *result.unvarying] if names is None else list(names)


def csv_lines(result: Trajectories, names: Sequence[str] | None = None, since: int = 0) -> Iterator[str]:
    """The rows from the one numbered `since` on, many lines at a time."""
    chosen = (
        column_of(result, name, lambda name: result[name][since:]) for name in chosen_names(result, names)
    )
    return lines([Column(result.time[since:]), *chosen])


def lines(columns: Sequence[Column]) -> Iterator[str]:
    """Lines of columns, the first of which has values; many lines at a time."""
    assert columns[0].values is not None
    count, rows = len(columns[0].values), max(1, _BATCH // len(columns))
    runs = [
        list(run) for _, run in groupby(columns, key=lambda c: (c.values is None, c.whole, bool(c.words)))
    ]
    for first in range(0, count, rows):
        texts = [_texts(run, slice(first, first + rows)) for run in runs]
        # Constant cells are repeated without end; the first column, which is not constant, ends the lines.
        yield "".join([",".join(cells) + "\n" for cells in zip(*texts, strict=False)])


@dataclass(frozen=True)
class Column:
    """Values over time, of whole numbers perhaps; or if there are none, words, or a text that stands in every
    row."""

    values: NDArray[np.float64] | None
    whole: bool = False
    text: str = ""
    words: Sequence[str] = ()


def column_of(result: Trajectories, name: str, values: Callable[[str], NDArray[np.float64]]) -> Column:
    """The column of a variable, which has these `values`, or of a parameter."""
    if name in result.unvarying:
        value = result.unvarying[name]
        number = float(value) if isinstance(value, float) else int(value)
        return Column(None, text="" if value != value else repr(number))
    variable = result.variables.get(name)
    whole = variable is not None and variable.symbol.type is not Type.REAL
    return Column(values(name), whole)


def _texts(run: Sequence[Column], rows: slice) -> Iterable[str]:
    """The cells of neighbouring columns of one kind, a text for each row. A variable that has no value, since
    the mode has none, leaves its cell empty."""
    columns = [column.values[rows] for column in run if column.values is not None]
    if run[0].words:
        return map(",".join, zip(*(column.words[rows] for column in run), strict=True))
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
