"""The formats of results: what a suffix means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from saltus.core.option import one_of, usage_error
from saltus.result.exchange import hdf5, matlab, netcdf, tables
from saltus.result.exchange.curves import Curves, curves_of
from saltus.result.exchange.stream import Opener, Stream, write_at_once
from saltus.result.exchange.where import IN_ROWS, NOWHERE, ONCE, WHERE
from saltus.result.trajectories.trajectories import Trajectories

#: What has curves: a run, a file, or the curves themselves.
Given: TypeAlias = Trajectories | Curves | str | Path


@dataclass(frozen=True)
class Format:
    """How files with a suffix are written and read."""

    name: str
    open: Opener
    read: Callable[[Path], Curves]

    def write(self, curves: Curves, path: Path) -> None:
        """A file of all rows."""
        write_at_once(self.open, curves, path)


FORMATS = {
    ".csv": Format("comma-separated values", tables.CsvStream, tables.read_csv),
    ".mat": Format("MATLAB 4, as Modelica tools write it", matlab.MatlabStream, matlab.read_matlab),
    ".nc": Format("NetCDF", netcdf.NetcdfStream, netcdf.read_netcdf),
    ".h5": Format("HDF5", hdf5.Hdf5Stream, hdf5.read_hdf5),
    ".parquet": Format("Parquet", tables.ParquetStream, tables.read_parquet),
}


def format_of(path: str | Path, suffix: str | None = None) -> Format:
    """The format that the suffix of a name means, or one that is given. An unknown one is refused."""
    suffix = Path(path).suffix.lower() if suffix is None else suffix
    if suffix not in FORMATS:
        what = f"with the suffix {suffix!r}" if suffix else "without a suffix"
        known = ", ".join(FORMATS)
        raise usage_error(
            f"{str(path)!r}: there is no format for results {what}", hint=f"the formats are {known}"
        )
    return FORMATS[suffix]


def opener_of(path: str | Path, parameters: str = IN_ROWS, suffix: str | None = None) -> Opener:
    """Begins files of the format that the suffix of a name means, or one that is given, with parameters where
    they are wanted: in all rows of a table, once, or nowhere. Formats that are no tables of text have them
    once in any case."""
    return partial(_begin, format_of(path, suffix).open, parameters)


def _begin(opener: Opener, parameters: str, head: Curves, path: Path) -> Stream:
    if parameters == NOWHERE:
        head = replace(head, parameters={})
    if opener is tables.CsvStream:
        return tables.CsvStream(head, path, once=parameters == ONCE)
    return opener(head, path)


def write_result(
    result: Trajectories | Curves,
    path: str | Path,
    patterns: Sequence[str] | None = None,
    parameters: str = IN_ROWS,
    suffix: str | None = None,
) -> None:
    """Writes a run, or curves, to a file of the format that its suffix says, or one that is given: all
    variables and parameters, or those that fit one of the patterns."""
    one_of(WHERE)("parameters", parameters)
    opener = opener_of(path, parameters, suffix)
    if isinstance(result, Curves):
        curves = result if patterns is None else result.choose(patterns)
    else:
        curves = curves_of(result, patterns)
    with told_where(path):
        write_at_once(opener, curves, Path(path))


@contextmanager
def told_where(path: str | Path) -> Iterator[None]:
    """Reports a file that cannot be written."""
    try:
        yield
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
