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

_UNIT = re.compile(r"\s*\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\s*$")


class MatlabStream:
    """A row of the result is a column of `data_2`, and columns follow each other in the file. How many there
    are is written into the head of that matrix at the end, and so are the first and the last time."""

    def __init__(self, head: Curves, path: Path) -> None:
        #: The variables that have rows of their own, and whether these have the other sign.
        self._rows: list[tuple[str, bool]] = []
        places: dict[str, int] = {}
        info: list[tuple[int, int, int, int]] = [(0, 1, 0, -1)]
        for name in head.names:
            column = head.column(name)
            # A negated Boolean is no negative number: it has a row of its own.
            shared = column.type is not Type.BOOLEAN or not column.negated
            key = (column.source or name) if shared else name
            negated = column.negated and shared
            if key not in places:
                self._rows.append((name, negated))
                places[key] = 1 + len(self._rows)
            info.append((2, -places[key] if negated else places[key], 0, -1))
        constants = np.array([0.0, *head.parameters.values()])
        info += [(1, k, 0, 0) for k in range(2, len(constants) + 1)]
        names = ["time", *head.names, *head.parameters]
        described = ["Time [s]", *(_described(head.column(name)) for name in names[1:])]
        self._count, self._ends = 0, np.zeros(2)
        self._file = file = path.open("wb")
        _write(file, "Aclass", _letters(["Atrajectory", "1.1", "", "binTrans"]), _TEXT)
        _write(file, "name", _letters(names).T, _TEXT)
        _write(file, "description", _letters(described).T, _TEXT)
        _write(file, "dataInfo", np.array(info, dtype=np.int32).T, _INTEGER)
        self._constants = np.column_stack([constants, constants])
        self._at_constants = file.tell()
        _write(file, "data_1", self._constants, _DOUBLE)
        self._at_rows = file.tell()
        _write_head(file, "data_2", (1 + len(self._rows), 0), _DOUBLE)

    def write(self, rows: Curves) -> None:
        """Appends rows."""
        if not len(rows.time):
            return
        values = (-rows[name] if negated else rows[name] for name, negated in self._rows)
        self._file.write(np.column_stack([rows.time, *values]).astype("<f8").tobytes())
        if not self._count:
            self._ends[0] = rows.time[0]
        self._ends[1] = rows.time[-1]
        self._count += len(rows.time)

    def close(self) -> None:
        """The file is complete."""
        self._constants[0] = self._ends
        self._file.seek(self._at_constants)
        _write(self._file, "data_1", self._constants, _DOUBLE)
        self._file.seek(self._at_rows)
        _write_head(self._file, "data_2", (1 + len(self._rows), self._count), _DOUBLE)
        self._file.close()


def _described(column: Column) -> str:
    if not column.unit:
        return column.description
    unit = f"{column.unit}|{column.display}" if column.display else column.unit
    return f"{column.description} [{unit}]".strip()


def _letters(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Texts as the rows of a matrix of bytes, in UTF-8."""
    encoded = [text.encode() for text in texts]
    width = max(1, *map(len, encoded))
    return np.frombuffer(b"".join(e.ljust(width) for e in encoded), np.uint8).reshape(len(encoded), width)


def _write(file: BinaryIO, name: str, matrix: NDArray[Any], kind: int) -> None:
    _write_head(file, name, matrix.shape, kind)
    types = {_DOUBLE: "<f8", _INTEGER: "<i4", _TEXT: "u1"}
    file.write(np.asarray(matrix, dtype=types[kind]).tobytes(order="F"))


def _write_head(file: BinaryIO, name: str, shape: tuple[int, ...], kind: int) -> None:
    file.write(struct.pack("<5i", kind, *shape, 0, len(name) + 1))
    file.write(name.encode() + b"\0")


def read_matlab(path: Path) -> Curves:
    """Reads a file in this layout, of whichever tool."""
    from scipy.io import loadmat  # only who reads such files waits for it
    from scipy.io.matlab import MatReadError

    try:
        found = loadmat(path, chars_as_strings=False)
    except (MatReadError, ValueError, TypeError, NotImplementedError) as error:
        raise usage_error(f"{path} is not a readable MATLAB file: {error}") from error
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
            unit[1] if unit else "",
            described[k][: unit.start()] if unit else described[k].strip(),
            display=(unit[2] or "") if unit else "",
        )
        if table == 1:
            parameters[name] = float(row[0])
        else:
            values[name] = row
    return Curves(named_after(path), data[2][0], values, columns, parameters)


def _texts(letters: NDArray[Any]) -> list[str]:
    """The rows of a matrix of letters, each of which is a byte."""
    if letters.dtype.kind == "U":
        rows = ["".join(row).encode("latin-1", "replace") for row in letters]
    else:
        rows = [bytes(row.astype(np.uint8)) for row in letters]
    return [_decoded(row.rstrip(b" \0")) for row in rows]


def _decoded(row: bytes) -> str:
    """UTF-8, as it is written here and by newer tools, or else letters of one byte."""
    try:
        return row.decode()
    except UnicodeDecodeError:
        return row.decode("latin-1")
