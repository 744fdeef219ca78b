"""Tables with a column for each variable: comma-separated values, and Parquet.

A CSV file is read as people write them: names in the first row, quoted or not, numbers below. In a Parquet
file the schema has units, descriptions and parameters with it.
"""

from __future__ import annotations

import csv
import json
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error
from saltus.expr.nodes import Type
from saltus.result.exchange.curves import Column, Curves, named_after
from saltus.result.trajectories import csv as text

#: Where the schema of a Parquet file keeps what is known of the result, and of one column.
_RESULT, _COLUMN = b"saltus", b"saltus.column"


class CsvStream:
    """`time`, variables, parameters; these are in every row, or `once`, in the first one only."""

    def __init__(self, head: Curves, path: Path, *, once: bool = False) -> None:
        values = (int(x) if isinstance(x, int) else x for x in head.parameters.values())
        self._parameters = ["" if value != value else repr(value) for value in values]
        self._once = once
        self._file = path.open("w", encoding="utf-8", newline="")
        self._file.write(text.header_of(("time", *head.names, *head.parameters)))

    def write(self, rows: Curves) -> None:
        """Appends rows."""
        if self._once and len(rows.time):
            self._write(rows.rows(slice(0, 1)))
            self._parameters, self._once = [""] * len(self._parameters), False
            rows = rows.rows(slice(1, None))
        self._write(rows)

    def _write(self, rows: Curves) -> None:
        columns = [text.Column(rows.time)]
        columns += [text.Column(rows[name], rows.column(name).is_discrete) for name in rows.names]
        columns += [text.Column(None, text=words) for words in self._parameters]
        self._file.writelines(text.lines(columns))

    def close(self) -> None:
        """The file is complete."""
        self._file.close()


def read_csv(path: Path) -> Curves:
    """Reads numbers in columns; empty cells have no value."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            names = [name.strip() for name in next(csv.reader([first]), [])]
            rows = np.genfromtxt(file, delimiter=",", dtype=float, ndmin=2) if names else np.empty((0, 0))
    except UnicodeDecodeError:
        raise usage_error(f"{path} is not text in UTF-8") from None
    except ValueError as error:
        reason = str(error).splitlines()
        raise usage_error(
            f"{path} is not a table of numbers: {reason[1 if len(reason) > 1 else 0].strip()}"
        ) from error
    if not names or names[0].lower() != "time":
        hint = "the first row has the names, and that of the first column is `time`"
        raise usage_error(f"{path} is not a table over time", hint=hint)
    if rows.size and rows.shape[1] != len(names):
        raise usage_error(f"{path} has {len(names)} names and {rows.shape[1]} columns")
    if not rows.size:
        rows = np.empty((0, len(names)))
    values = {name: rows[:, k].copy() for k, name in enumerate(names) if k}
    once = set(takewhile(lambda name: _is_once(values[name]), reversed(values)))
    return Curves(
        named_after(path),
        rows[:, 0].copy(),
        {name: column for name, column in values.items() if name not in once},
        parameters={name: float(values[name][0]) for name in names if name in once},
    )


def _is_once(column: NDArray[np.float64]) -> bool:
    """Whether a column has a value in its first row and in no other. The last columns of a table that are
    like that are parameters; a table of two rows is too short to decide."""
    return len(column) > 2 and not np.isnan(column[0]) and bool(np.isnan(column[1:]).all())


class ParquetStream:
    """Columns with their types; Booleans and whole numbers may have no value."""

    def __init__(self, head: Curves, path: Path) -> None:
        self._arrow, parquet = _arrow()
        fields = [self._arrow.field("time", self._arrow.float64())]
        for name in head.names:
            column = head.column(name)
            kept = json.dumps(
                [column.unit, column.description, column.type.value, column.literals, column.display]
            )
            fields.append(self._arrow.field(name, self._type(column), metadata={_COLUMN: kept}))
        about = json.dumps({"model": head.model, "parameters": dict(head.parameters)})
        self._schema = self._arrow.schema(fields, metadata={_RESULT: about})
        self._writer = parquet.ParquetWriter(path, self._schema)

    def _type(self, column: Column) -> Any:
        if not column.is_discrete:
            return self._arrow.float64()
        return self._arrow.bool_() if column.type is Type.BOOLEAN else self._arrow.int64()

    def write(self, rows: Curves) -> None:
        """Appends rows."""
        arrays = [self._arrow.array(rows.time)]
        arrays += [self._typed(rows[name], rows.column(name)) for name in rows.names]
        self._writer.write_table(self._arrow.table(arrays, schema=self._schema))

    def _typed(self, values: NDArray[np.float64], column: Column) -> Any:
        if not column.is_discrete:
            return self._arrow.array(values)
        missing = ~np.isfinite(values)
        numbers = np.where(missing, 0.0, values)
        typed = numbers.astype(np.bool_ if column.type is Type.BOOLEAN else np.int64)
        return self._arrow.array(typed, mask=missing)

    def close(self) -> None:
        """The file is complete."""
        self._writer.close()


def read_parquet(path: Path) -> Curves:
    """Reads the file; also one that others have written, with a column `time`."""
    arrow, parquet = _arrow()
    try:
        table = parquet.read_table(path)
    except arrow.ArrowInvalid as error:
        raise usage_error(f"{path} is not a readable Parquet file: {error}") from error
    if "time" not in table.column_names:
        raise usage_error(f"{path} is not a table over time", hint="name one of its columns `time`")
    about = json.loads((table.schema.metadata or {}).get(_RESULT, b"{}"))
    values: dict[str, NDArray[np.float64]] = {}
    columns: dict[str, Column] = {}
    for field in table.schema:
        values[field.name] = table[field.name].cast(arrow.float64()).to_numpy().copy()
        kept = json.loads((field.metadata or {}).get(_COLUMN, b"null"))
        if kept is not None:
            unit, description, kind, literals, *display = kept
            columns[field.name] = Column(
                unit, description, Type(kind), tuple(literals), display="".join(display)
            )
    time = values.pop("time")
    return Curves(about.get("model", named_after(path)), time, values, columns, about.get("parameters", {}))


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise usage_error("Parquet files need pyarrow", hint="pip install saltus[files]") from error
    return pyarrow, pyarrow.parquet
