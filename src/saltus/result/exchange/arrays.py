"""Files of named arrays: NetCDF, which `xarray` opens, and HDF5.

Both have an array for each variable along `time`, one number for each parameter, and units and descriptions
as attributes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error
from saltus.expr.nodes import Type
from saltus.result.exchange.curves import Column, Curves, named_after


def write_netcdf(curves: Curves, path: Path) -> None:
    """Writes the file, in the format of version 3 with large offsets, which every reader knows."""
    from scipy.io import netcdf_file

    with netcdf_file(path, "w", version=2) as file:
        file.model = curves.model
        file.createDimension("time", len(curves.time))
        time = file.createVariable("time", "d", ("time",))
        time[:], time.units = curves.time, "s"
        for name in curves.names:
            _describe(file.createVariable(name, "d", ("time",)), curves.column(name), curves[name])
        for name, value in curves.parameters.items():
            _describe(file.createVariable(name, "d", ()), curves.column(name), np.float64(value))


def _describe(variable: Any, column: Column, values: Any) -> None:
    variable.data[...] = values
    for key, kept in _attributes(column):
        setattr(variable, key, kept)


def _attributes(column: Column) -> Iterator[tuple[str, str]]:
    kept = (
        ("units", column.unit),
        ("long_name", column.description),
        ("type", column.type.value if column.is_discrete else ""),
        ("literals", " ".join(column.literals)),
    )
    return ((key, text) for key, text in kept if text)


def read_netcdf(path: Path) -> Curves:
    """Reads such a file."""
    from scipy.io import netcdf_file

    try:
        with netcdf_file(path, "r", mmap=False) as file:
            kept = {name: (v.data.copy(), dict(v._attributes)) for name, v in file.variables.items()}
            model = _text(file._attributes.get("model", b""))
    except (TypeError, ValueError, AssertionError) as error:
        raise usage_error(f"{path} is no NetCDF file of version 3: {error}") from error
    return _curves(path, model, kept)


def write_hdf5(curves: Curves, path: Path) -> None:
    """Writes the file."""
    h5py = _h5py()
    with h5py.File(path, "w", track_order=True) as file:
        file.attrs["model"] = curves.model
        file.create_dataset("time", data=curves.time).attrs["units"] = "s"
        for name in curves.names:
            made = file.create_dataset(name, data=curves[name])
            made.attrs.update(dict(_attributes(curves.column(name))))
        for name, value in curves.parameters.items():
            made = file.create_dataset(name, data=float(value))
            made.attrs.update(dict(_attributes(curves.column(name))))


def read_hdf5(path: Path) -> Curves:
    """Reads such a file."""
    h5py = _h5py()
    try:
        with h5py.File(path, "r", track_order=True) as file:
            kept = {
                name: (item[()], dict(item.attrs)) for name, item in file.items() if hasattr(item, "shape")
            }
            model = _text(file.attrs.get("model", ""))
    except OSError as error:
        raise usage_error(f"{path} is no HDF5 file that can be read: {error}") from error
    return _curves(path, model, kept)


def _curves(path: Path, model: str, kept: dict[str, tuple[NDArray[Any], dict[str, Any]]]) -> Curves:
    if "time" not in kept:
        raise usage_error(f"{path} has no array `time`")
    time = np.asarray(kept.pop("time")[0], dtype=float)
    values: dict[str, NDArray[np.float64]] = {}
    parameters: dict[str, float] = {}
    columns: dict[str, Column] = {}
    for name, (data, attributes) in kept.items():
        said = {key: _text(value) for key, value in attributes.items()}
        columns[name] = Column(
            said.get("units", ""),
            said.get("long_name", ""),
            Type(said.get("type", Type.REAL.value)),
            tuple(said.get("literals", "").split()),
        )
        array = np.asarray(data, dtype=float)
        if array.shape == time.shape:
            values[name] = array
        elif array.shape == ():
            parameters[name] = float(array)
    return Curves(model or named_after(path), time, values, columns, parameters)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as error:
        raise usage_error("HDF5 files need h5py", hint="pip install saltus[files]") from error
    return h5py
