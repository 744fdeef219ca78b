"""Functions of files, folders and the environment, by the C names of the standard library. They see and
change the `surroundings` of a translation: that changes no file on the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from saltus.expr.evaluate import Nested, Value
from saltus.functions.external.objects import ExternalError
from saltus.functions.external.pieces import Numbers
from saltus.functions.external.surroundings import Surroundings
from saltus.functions.external.table_files import mat_file, matrix_in, read_table

#: As the standard library numbers kinds of files.
_NO_FILE, _REGULAR_FILE, _DIRECTORY, _SPECIAL_FILE = 1, 2, 3, 4


def full_path_name(locate: Callable[[str], str], name: str) -> list[Value]:
    """The absolute name of a file; `locate` says where a URI leads."""
    return [str(Path(locate(name)).absolute().as_posix())]


def stat(around: Surroundings, name: str) -> list[Value]:
    """What kind of file this is."""
    if not around.exists(name):
        return [_NO_FILE]
    return [
        _REGULAR_FILE if around.is_file(name) else _DIRECTORY if around.is_folder(name) else _SPECIAL_FILE
    ]


def _lines(around: Surroundings, name: str) -> list[str]:
    return around.content(name).decode(errors="replace").splitlines()


def count_lines(around: Surroundings, name: str) -> list[Value]:
    """How many lines a text file has."""
    return [len(_lines(around, name))]


def read_file(around: Surroundings, name: str, count: int) -> list[Value]:
    """The lines of a text file."""
    lines = _lines(around, name)
    return [*lines[:count], *[""] * (count - len(lines))]


def read_line(around: Surroundings, name: str, number: int) -> list[Value]:
    """A line, and whether the file has ended before it."""
    lines = _lines(around, name)
    return [lines[number - 1], False] if 1 <= number <= len(lines) else ["", True]


def environment_variable(around: Surroundings, name: str, convert: bool) -> list[Value]:
    """Its text, and whether there is one."""
    found = around.variable(name)
    return [found or "", found is not None]


def current_directory(around: Surroundings, _: int = 0) -> list[Value]:
    """Where relative names begin."""
    return [around.folder]


def matrix_sizes(around: Surroundings, file: str, name: str) -> list[Value]:
    """Rows and columns of a matrix in a MAT-file."""
    return list(_matrix(around, file, name).shape)


def real_matrix(
    around: Surroundings, file: str, name: str, rows: int, columns: int, verbose: bool = False
) -> list[Value]:
    """The numbers of a matrix in a MAT-file."""
    matrix = _matrix(around, file, name)
    if matrix.shape != (rows, columns):
        found = f"{matrix.shape[0]} by {matrix.shape[1]}"
        raise ExternalError(f"`{name}` of {file} is of size {found}, not {rows} by {columns}")
    return [*matrix.ravel().tolist()]


def _matrix(around: Surroundings, file: str, name: str) -> Numbers:
    if not around.is_changed(file):
        return read_table(str(around.place(file)), name)
    return matrix_in(around.content(file), file, name)


def number_of_files(around: Surroundings, name: str) -> list[Value]:
    """How many names there are in a folder."""
    return [len(around.listed(name))]


def names_in(around: Surroundings, name: str, count: int) -> list[Value]:
    """The names in a folder."""
    names = around.listed(name)
    return [*names[:count], *[""] * (count - len(names))]


# ---------------------------------------------------------------- what changes something


def print_line(around: Surroundings, text: str, file: str) -> list[Value]:
    """A line for the screen, or at the end of a file."""
    if file:
        before = around.content(file) if around.is_file(file) else b""
        around.write(file, before + f"{text}\n".encode())
    else:
        around.say(text)
    return []


def close(around: Surroundings, file: str) -> list[Value]:
    """Nothing is ever open."""
    return []


def write_real_matrix(
    around: Surroundings,
    file: str,
    name: str,
    matrix: Nested,
    rows: int,
    columns: int,
    append: bool,
    format: str,
) -> list[Value]:
    """A matrix in a MAT-file of version 4, 6 or 7. Whether it could be written."""
    before = around.content(file) if append and around.is_file(file) else None
    numbers = np.array(matrix, dtype=np.float64).reshape(rows, columns)
    content = mat_file(name, numbers, format, before)
    if content is None:
        return [False]
    around.write(file, content)
    return [True]


def remove(around: Surroundings, name: str) -> list[Value]:
    """A file is removed, or an empty folder."""
    around.remove(name)
    return []


def make_folder(around: Surroundings, name: str) -> list[Value]:
    """A new folder."""
    around.make_folder(name)
    return []


def rename(around: Surroundings, old: str, new: str) -> list[Value]:
    """A file or a folder gets another name."""
    around.rename(old, new)
    return []


def copy(around: Surroundings, old: str, new: str) -> list[Value]:
    """A file, under another name besides."""
    if around.exists(new):
        raise ExternalError(f"{old} cannot be copied to {new}: something of that name exists already")
    around.write(new, around.content(old))
    return []


def enter(around: Surroundings, name: str) -> list[Value]:
    """Relative names begin there."""
    around.enter(name)
    return []


def set_variable(around: Surroundings, name: str, content: str, convert: bool) -> list[Value]:
    """An environment variable gets another text."""
    around.set_variable(name, content)
    return []


def error(message: str) -> list[Value]:
    """ModelicaError: the end of everything."""
    raise ExternalError(message, "E406")
