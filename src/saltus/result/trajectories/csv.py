"""Results as comma-separated values: exact numbers, Booleans as 0 and 1, Integers without a point.

Parameters and constants are columns too, the last ones, so that a file tells what it was made with. Their
text is made once.

A number is written with as few digits as read back to the same double. The formatting of whole rows is left
to one `%` operation with a format made once, which is several times faster than the csv module on floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.expr.nodes import Type
from saltus.result.trajectories.trajectories import Trajectories

#: Rows that are turned into text at a time.
_BATCH = 2000


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
    columns, cells = [result.time[since:]], ["%r"]
    for name in _chosen(result, names):
        if name in result.unvarying:
            cells.append(_text(result.unvarying[name]))
            continue
        columns.append(result[name][since:])
        variable = result.variables.get(name)
        # %r of a float is its shortest exact text; Integers and Booleans are whole numbers.
        cells.append("%r" if variable is None or variable.symbol.type is Type.REAL else "%d")
    line = ",".join(cells) + "\n"
    for first in range(0, len(columns[0]), _BATCH):
        table = np.column_stack([c[first : first + _BATCH] for c in columns])
        if np.isnan(table).any():
            yield "".join([_with_gaps(cells, row) for row in table.tolist()])
        else:
            yield "".join([line % tuple(row) for row in table.tolist()])


def _text(value: float) -> str:
    """The cell that stands in every row, of a parameter or constant; empty where it has no value."""
    return "" if value != value else repr(float(value) if isinstance(value, float) else int(value))


def _with_gaps(cells: Sequence[str], row: Sequence[float]) -> str:
    """A line in which cells of variables that have no value, because the mode has none, are empty."""
    values = iter(row)
    texts = []
    for cell in cells:
        x = next(values) if cell.startswith("%") else None
        texts.append(cell if x is None else "" if x != x else cell % x)
    return ",".join(texts) + "\n"


def quoted(name: str) -> str:
    """A field of a CSV file; quoted where it has to be."""
    if any(c in name for c in ',"\n\r'):
        return '"' + name.replace('"', '""') + '"'
    return name
