"""MATLAB files of version 4 in the layout in which Modelica tools write results, and scripts expect them.

    Aclass       what it is: a trajectory, and whether matrices are stored transposed
    name         the names, a column of letters for each
    description  their descriptions, with the unit in brackets
    dataInfo     for each name: 1 or 2, the row there (negative: with the other sign), and how to go on
    data_1       what does not change: at the first and the last time
    data_2       what changes, a column for each row of the result, time first

Aliases share a row, so that a file has the size of what is really different.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error
from saltus.expr.nodes import Type
from saltus.result.exchange.curves import Column, Curves, named_after

#: Kinds of numbers in the header of a matrix: doubles, whole numbers of 32 bits, and letters as bytes.
_DOUBLE, _INTEGER, _TEXT = 0, 20, 51

_UNIT = re.compile(r"\s*\[([^\[\]|]*)(?:\|[^\[\]]*)?\]\s*$")


def write_matlab(curves: Curves, path: Path) -> None:
    """Writes the file."""
    rows: list[NDArray[np.float64]] = [curves.time]
    constants: list[float] = []
    places: dict[str, int] = {}
    info: list[tuple[int, int, int, int]] = [(0, 1, 0, -1)]
    for name in curves.names:
        column = curves.column(name)
        source = column.source or name
        # A negated Boolean is no negative number: it has a row of its own.
        shared = column.type is not Type.BOOLEAN or not column.negated
        key = source if shared else name
        if key not in places:
            rows.append(-curves[name] if column.negated and shared else curves[name])
            places[key] = len(rows)
        info.append((2, -places[key] if column.negated and shared else places[key], 0, -1))
    for value in curves.parameters.values():
        constants.append(float(value))
        info.append((1, len(constants) + 1, 0, 0))
    ends = curves.time[[0, -1]] if len(curves.time) else np.zeros(2)
    names = ["time", *curves.names, *curves.parameters]
    described = ["Time [s]", *(_described(curves.column(name)) for name in names[1:])]
    with path.open("wb") as file:
        _write(file, "Aclass", _letters(["Atrajectory", "1.1", "", "binTrans"]), _TEXT)
        _write(file, "name", _letters(names).T, _TEXT)
        _write(file, "description", _letters(described).T, _TEXT)
        _write(file, "dataInfo", np.array(info, dtype=np.int32).T, _INTEGER)
        _write(file, "data_1", np.vstack([ends, *([[c, c]] for c in constants)]), _DOUBLE)
        _write(file, "data_2", np.vstack(rows), _DOUBLE)


def _described(column: Column) -> str:
    return f"{column.description} [{column.unit}]".strip() if column.unit else column.description


def _letters(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Texts as the rows of a matrix of bytes."""
    encoded = [text.encode("latin-1", "replace") for text in texts]
    width = max(1, *map(len, encoded))
    return np.frombuffer(b"".join(e.ljust(width) for e in encoded), np.uint8).reshape(len(encoded), width)


def _write(file: BinaryIO, name: str, matrix: NDArray[Any], kind: int) -> None:
    rows, columns = matrix.shape
    file.write(struct.pack("<5i", kind, rows, columns, 0, len(name) + 1))
    file.write(name.encode() + b"\0")
    types = {_DOUBLE: "<f8", _INTEGER: "<i4", _TEXT: "u1"}
    file.write(np.asarray(matrix, dtype=types[kind]).tobytes(order="F"))


def read_matlab(path: Path) -> Curves:
    """Reads a file in this layout, of whichever tool."""
    from scipy.io import loadmat  # only who reads such files waits for it
    from scipy.io.matlab import MatReadError

    try:
        found = loadmat(path, chars_as_strings=False)
    except (MatReadError, ValueError, TypeError, NotImplementedError) as error:
        raise usage_error(f"{path} is not a MATLAB file that can be read: {error}") from error
    if not {"Aclass", "name", "dataInfo"} <= found.keys():
        raise usage_error(f"{path} is a MATLAB file, but not one of results of a Modelica tool")
    transposed = _texts(found["Aclass"])[3:4] == ["binTrans"]

    def matrix(key: str) -> NDArray[Any]:
        values: NDArray[Any] = found[key]
        return values if transposed else values.T

    names = _texts(matrix("name").T)
    described = _texts(matrix("description").T) if "description" in found else [""] * len(names)
    info = matrix("dataInfo").astype(int)
    data = {k: matrix(f"data_{k}").astype(float) for k in (1, 2) if f"data_{k}" in found}
    values: dict[str, NDArray[np.float64]] = {}
    parameters: dict[str, float] = {}
    columns: dict[str, Column] = {}
    for k, name in enumerate(names):
        table, place = int(info[0, k]), int(info[1, k])
        if name.lower() == "time" and k == 0:
            continue
        row = data[table or 2][abs(place) - 1]
        row = -row if place < 0 else row
        unit = _UNIT.search(described[k])
        columns[name] = Column(
            unit[1] if unit else "", described[k][: unit.start()] if unit else described[k].strip()
        )
        if table == 1:
            parameters[name] = float(row[0])
        else:
            values[name] = row
    return Curves(named_after(path), data[2][0], values, columns, parameters)


def _texts(letters: NDArray[Any]) -> list[str]:
    """The rows of a matrix of letters."""
    if letters.dtype.kind == "U":
        return ["".join(row).rstrip(" \0") for row in letters]
    return [bytes(row.astype(np.uint8)).decode("latin-1").rstrip(" \0") for row in letters]
