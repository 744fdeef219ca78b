"""Files that are read before a run, by the C names of the standard library. Nothing is written, removed or
renamed: translating a model changes no file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from saltus.expr.evaluate import Value
from saltus.functions.external.objects import ExternalError
from saltus.functions.external.table_files import read_table

#: As the standard library numbers kinds of files.
_NO_FILE, _REGULAR_FILE, _DIRECTORY, _SPECIAL_FILE = 1, 2, 3, 4


def full_path_name(locate: Callable[[str], str], name: str) -> list[Value]:
    """The absolute name of a file; `locate` says where a URI leads."""
    return [str(Path(locate(name)).absolute().as_posix())]


def stat(name: str) -> list[Value]:
    """What kind of file this is."""
    path = Path(name)
    if not path.exists():
        return [_NO_FILE]
    return [_REGULAR_FILE if path.is_file() else _DIRECTORY if path.is_dir() else _SPECIAL_FILE]


def _lines(name: str) -> list[str]:
    try:
        return Path(name).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise ExternalError(f"the file {name} cannot be read: {error.strerror}", "E102") from None


def count_lines(name: str) -> list[Value]:
    """How many lines a text file has."""
    return [len(_lines(name))]


def read_file(name: str, count: int) -> list[Value]:
    """The lines of a text file."""
    lines = _lines(name)
    return [*lines[:count], *[""] * (count - len(lines))]


def read_line(name: str, number: int) -> list[Value]:
    """A line, and whether the file has ended before it."""
    lines = _lines(name)
    return [lines[number - 1], False] if 1 <= number <= len(lines) else ["", True]


def environment_variable(name: str, convert: bool) -> list[Value]:
    """Its text, and whether there is one."""
    return [os.environ.get(name, ""), name in os.environ]


def current_directory(_: int = 0) -> list[Value]:
    """Where relative names begin."""
    return [Path.cwd().as_posix()]


def matrix_sizes(file: str, name: str) -> list[Value]:
    """Rows and columns of a matrix in a MAT-file."""
    return list(read_table(file, name).shape)


def real_matrix(file: str, name: str, rows: int, columns: int, verbose: bool = False) -> list[Value]:
    """The numbers of a matrix in a MAT-file."""
    matrix = read_table(file, name)
    if matrix.shape != (rows, columns):
        found = f"{matrix.shape[0]} by {matrix.shape[1]}"
        raise ExternalError(f"`{name}` of {file} is of size {found}, not {rows} by {columns}")
    return [*matrix.ravel().tolist()]


def error(message: str) -> list[Value]:
    """ModelicaError: the end of everything."""
    raise ExternalError(message, "E406")
