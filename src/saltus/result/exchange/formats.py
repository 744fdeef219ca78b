"""The formats of results: what a suffix means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from saltus.core.option import usage_error
from saltus.result.exchange import arrays, matlab, tables
from saltus.result.exchange.curves import Curves, curves_of
from saltus.result.trajectories.trajectories import Trajectories

#: What has curves: a run, a file, or the curves themselves.
Given: TypeAlias = Trajectories | Curves | str | Path


@dataclass(frozen=True)
class Format:
    """How files with a suffix are written and read."""

    name: str
    write: Callable[[Curves, Path], None]
    read: Callable[[Path], Curves]


FORMATS = {
    ".csv": Format("comma-separated values", tables.write_csv, tables.read_csv),
    ".mat": Format("MATLAB 4, as Modelica tools write it", matlab.write_matlab, matlab.read_matlab),
    ".nc": Format("NetCDF", arrays.write_netcdf, arrays.read_netcdf),
    ".h5": Format("HDF5", arrays.write_hdf5, arrays.read_hdf5),
    ".parquet": Format("Parquet", tables.write_parquet, tables.read_parquet),
}


def format_of(path: str | Path) -> Format:
    """The format that the suffix of a name means. An unknown one is refused."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        what = f"with the suffix {suffix!r}" if suffix else "without a suffix"
        known = ", ".join(FORMATS)
        raise usage_error(
            f"{str(path)!r}: there is no format for results {what}", hint=f"the formats are {known}"
        )
    return FORMATS[suffix]


def write_result(
    result: Trajectories | Curves, path: str | Path, patterns: Sequence[str] | None = None
) -> None:
    """Writes a run, or curves, to a file of the format that its suffix says: all variables and parameters, or
    those that fit one of the patterns."""
    found = format_of(path)
    try:
        if isinstance(result, Curves):
            curves = result if patterns is None else result.choose(patterns)
        else:
            curves = curves_of(result, patterns)
        found.write(curves, Path(path))
    except OSError as error:
        raise usage_error(f"{path}: {error.strerror or error}", code="E503") from error


def curves_from(given: Given) -> Curves:
    """The curves of a run, of a file, or as they are."""
    if isinstance(given, Curves):
        return given
    return curves_of(given) if isinstance(given, Trajectories) else read_result(given)


def read_result(path: str | Path) -> Curves:
    """Reads the curves of a file: one that Saltus has written, or another tool in one of these formats."""
    found = format_of(path)
    try:
        return found.read(Path(path))
    except OSError as error:
        raise usage_error(f"cannot read {str(path)!r}: {error.strerror or error}") from error
