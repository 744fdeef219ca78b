"""HDF5 files: an array for each variable, one number for each parameter, units and descriptions as
attributes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from saltus.core.option import usage_error
from saltus.result.exchange.attributes import attributes, curves_with
from saltus.result.exchange.curves import Column, Curves

#: Most rows of a chunk.
_CHUNK = 8192


class Hdf5Stream:
    """An array for each variable, in chunks of as many rows as come at first."""

    def __init__(self, head: Curves, path: Path) -> None:
        # Each array has a cache of its own, for one chunk.
        self._file = _h5py().File(path, "w", track_order=True, rdcc_nbytes=8 * _CHUNK)
        self._file.attrs["model"] = head.model
        self._head = head
        self._arrays: dict[str, Any] = {}

    def _begin(self, count: int) -> None:
        """Creates the arrays, with room for a number of rows."""
        chunk = (min(max(count, 1), _CHUNK),)
        for name in ("time", *self._head.names):
            made = self._file.create_dataset(name, (0,), "f8", maxshape=(None,), chunks=chunk)
            column = self._head.column(name) if name != "time" else Column("s")
            made.attrs.update(dict(attributes(column)))
            self._arrays[name] = made
        for name, value in self._head.parameters.items():
            made = self._file.create_dataset(name, data=float(value))
            made.attrs.update(dict(attributes(self._head.column(name))))

    def write(self, rows: Curves) -> None:
        """Appends rows."""
        if not self._arrays:
            self._begin(len(rows.time))
        for name, array in self._arrays.items():
            first = len(array)
            array.resize((first + len(rows.time),))
            array[first:] = rows[name]

    def close(self) -> None:
        """The file is complete."""
        if not self._arrays:
            self._begin(0)
        self._file.close()


def read_hdf5(path: Path) -> Curves:
    """Reads such a file."""
    h5py = _h5py()
    try:
        with h5py.File(path, "r", track_order=True) as file:
            kept = {
                name: (item[()], dict(item.attrs)) for name, item in file.items() if hasattr(item, "shape")
            }
            model = file.attrs.get("model", "")
    except OSError as error:
        raise usage_error(f"{path} is not a readable HDF5 file: {error}") from error
    return curves_with(path, model, kept)


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as error:
        raise usage_error("HDF5 files need h5py", hint="pip install saltus[files]") from error
    return h5py
