"""NetCDF files of version 3 with large offsets, which every reader knows.

    CDF 2, number of rows, dimensions, attributes, variables | what has no rows | one row after the other

Time is the unlimited dimension: a row has one number of each variable over time, all doubles with the most
significant byte first, so that rows can be appended, and their number is set at the end.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from saltus.core.option import usage_error
from saltus.result.exchange.attributes import attributes, curves_with
from saltus.result.exchange.curves import Column, Curves

#: Tags of lists, and types of values.
_DIMENSIONS, _VARIABLES, _ATTRIBUTES = 10, 11, 12
_LETTERS, _DOUBLES = 2, 6

#: Where the number of rows stands.
_NUMBER_OF_ROWS = 4

_SIZE = 8  # of a number


class NetcdfStream:
    """Time and variables along `time`, one number for each parameter, with attributes."""

    def __init__(self, head: Curves, path: Path) -> None:
        self._count = 0
        self._file = path.open("wb")
        self._file.write(_head(head))

    def write(self, rows: Curves) -> None:
        """Appends rows."""
        table = np.column_stack([rows.time, *(rows[name] for name in rows.names)])
        self._file.write(table.astype(">f8").tobytes())
        self._count += len(table)

    def close(self) -> None:
        """The file is complete."""
        self._file.seek(_NUMBER_OF_ROWS)
        self._file.write(struct.pack(">i", self._count))
        self._file.close()


def _head(head: Curves) -> bytes:
    """All that comes before the rows."""
    fixed = [(name, head.column(name), False) for name in head.parameters]
    along = [("time", Column("s"), True), *((name, head.column(name), True) for name in head.names)]
    begin = b"CDF\2" + struct.pack(">i", 0)
    begin += struct.pack(">ii", _DIMENSIONS, 1) + _text("time") + struct.pack(">i", 0)  # 0: without an end
    begin += _attributes([("model", head.model)])
    variables = [*fixed, *along]

    def listed(first: int) -> bytes:
        """The list of variables, when their numbers begin at this place."""
        found = struct.pack(">ii", _VARIABLES, len(variables))
        for k, (name, column, has_rows) in enumerate(variables):
            dimensions = struct.pack(">ii", 1, 0) if has_rows else struct.pack(">i", 0)
            found += _text(name) + dimensions + _attributes(attributes(column))
            found += struct.pack(">iiq", _DOUBLES, _SIZE, first + _SIZE * k)
        return found

    begin += listed(len(begin) + len(listed(0)))
    return begin + np.array([*head.parameters.values()], dtype=">f8").tobytes()


def _text(text: str) -> bytes:
    letters = text.encode()
    return struct.pack(">i", len(letters)) + letters + b"\0" * (-len(letters) % 4)


def _attributes(texts: Iterable[tuple[str, str]]) -> bytes:
    packed = [_text(key) + struct.pack(">i", _LETTERS) + _text(value) for key, value in texts]
    return struct.pack(">ii", _ATTRIBUTES if packed else 0, len(packed)) + b"".join(packed)


def read_netcdf(path: Path) -> Curves:
    """Reads a file of version 3, also one that others have written."""
    from scipy.io import netcdf_file

    try:
        with netcdf_file(path, "r", mmap=False) as file:
            kept = {_name(key): (v.data.copy(), dict(v._attributes)) for key, v in file.variables.items()}
            model: Any = file._attributes.get("model", b"")
    except (TypeError, ValueError, AssertionError) as error:
        raise usage_error(f"{path} is not a NetCDF file of version 3: {error}") from error
    return curves_with(path, model, kept)


def _name(read: str) -> str:
    """A name as it was written: SciPy takes each byte for a letter."""
    try:
        return read.encode("latin-1").decode()
    except UnicodeError:
        return read
