"""Tables with a column for each variable: comma-separated values, and Parquet.

A CSV file is read as people write them: names in the first row, quoted or not, numbers below. In a Parquet
file the schema has units, descriptions and parameters with it.
"""

from __future__ import annotations

import csv
import json
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


def write_csv(curves: Curves, path: Path) -> None:
    """Writes the file: `time`, variables, parameters."""
    columns = [text.Column(curves.time)]
    columns += [text.Column(curves[name], curves.column(name).is_discrete) for name in curves.names]
    for value in curves.parameters.values():
        number = int(value) if isinstance(value, int) else value
        columns.append(text.Column(None, text="" if value != value else repr(number)))
    header = text.header_of(("time", *curves.names, *curves.parameters))
    text.write_lines(path, header, text.lines(columns))


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
            f"{path} is no table of numbers: {reason[1 if len(reason) > 1 else 0].strip()}"
        ) from error
    if not names or names[0].lower() != "time":
        hint = "the first row has the names, and that of the first column is `time`"
        raise usage_error(f"{path} is no table over time", hint=hint)
    if rows.size and rows.shape[1] != len(names):
        raise usage_error(f"{path} has {len(names)} names and {rows.shape[1]} columns")
    if not rows.size:
        rows = np.empty((0, len(names)))
    values = {name: rows[:, k].copy() for k, name in enumerate(names) if k}
    return Curves(named_after(path), rows[:, 0].copy(), values)


def write_parquet(curves: Curves, path: Path) -> None:
    """Writes the file."""
    arrow, parquet = _arrow()
    fields = [arrow.field("time", arrow.float64())]
    arrays: list[Any] = [arrow.array(curves.time)]
    for name in curves.names:
        column = curves.column(name)
        values = _as_typed(curves[name], column)
        kept = json.dumps([column.unit, column.description, column.type.value, column.literals])
        fields.append(arrow.field(name, arrow.from_numpy_dtype(values.dtype), metadata={_COLUMN: kept}))
        arrays.append(arrow.array(values))
    about = json.dumps({"model": curves.model, "parameters": dict(curves.parameters)})
    parquet.write_table(arrow.table(arrays, schema=arrow.schema(fields, metadata={_RESULT: about})), path)


def _as_typed(values: NDArray[np.float64], column: Column) -> NDArray[Any]:
    """Booleans and whole numbers as such, unless some have no value."""
    if not column.is_discrete or not np.isfinite(values).all():
        return values
    return values.astype(np.bool_ if column.type is Type.BOOLEAN else np.int64)


def read_parquet(path: Path) -> Curves:
    """Reads the file; also one that others have written, with a column `time`."""
    arrow, parquet = _arrow()
    try:
        table = parquet.read_table(path)
    except arrow.ArrowInvalid as error:
        raise usage_error(f"{path} is no Parquet file that can be read: {error}") from error
    if "time" not in table.column_names:
        raise usage_error(f"{path} is no table over time", hint="one of its columns should be called `time`")
    about = json.loads((table.schema.metadata or {}).get(_RESULT, b"{}"))
    values: dict[str, NDArray[np.float64]] = {}
    columns: dict[str, Column] = {}
    for field in table.schema:
        values[field.name] = table[field.name].to_numpy().astype(float)
        kept = json.loads((field.metadata or {}).get(_COLUMN, b"null"))
        if kept is not None:
            columns[field.name] = Column(kept[0], kept[1], Type(kept[2]), tuple(kept[3]))
    time = values.pop("time")
    return Curves(about.get("model", named_after(path)), time, values, columns, about.get("parameters", {}))


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise usage_error("Parquet files need pyarrow", hint="pip install saltus[files]") from error
    return pyarrow, pyarrow.parquet
