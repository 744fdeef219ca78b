"""Matrices in files: the text format of the standard library, and MAT-files."""

from __future__ import annotations

import re
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import numpy as np

from saltus.functions.external.objects import ExternalError
from saltus.functions.external.pieces import Numbers

#: `double name(rows, columns)`, at the beginning of a line.
_HEAD = re.compile(
    r"^[ \t]*(?:double|float)[ \t]+([^\s(]+)[ \t]*\([ \t]*(\d+)[ \t]*,[ \t]*(\d+)[ \t]*\)", re.MULTILINE
)
_COMMENT = re.compile(r"#.*$", re.MULTILINE)
_SEPARATOR = re.compile(r"[\s,;]+")


def read_table(file: str, name: str) -> Numbers:
    """The matrix of that name in a file. It is read again when the file has changed."""
    path = Path(file)
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise ExternalError(f"the file {file} cannot be read: {error.strerror}", "E102") from None
    return _read(path, name, stamp)


@lru_cache(maxsize=16)
def _read(path: Path, name: str, stamp: int) -> Numbers:
    read = _from_mat if path.suffix.lower() == ".mat" else _from_text
    matrix = read(path, name)
    matrix.setflags(write=False)
    return matrix


def _from_text(path: Path, name: str) -> Numbers:
    """A file that begins with `#1` has any number of matrices: a head `double name(rows, columns)`, then the
    numbers row by row, separated by white space, commas or semicolons. `#` begins a comment."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise ExternalError(f"the file {path} cannot be read: {error.strerror}", "E102") from None
    if not text.startswith("#1"):
        raise ExternalError(f"the file {path} does not begin with `#1`, as a text file of tables does")
    text = _COMMENT.sub("", text)
    heads = list(_HEAD.finditer(text))
    for k, head in enumerate(heads):
        if head[1] != name:
            continue
        end = heads[k + 1].start() if k + 1 < len(heads) else len(text)
        rows, columns = int(head[2]), int(head[3])
        words = [w for w in _SEPARATOR.split(text[head.end() : end]) if w][: rows * columns]
        try:
            numbers = np.array(words, dtype=np.float64)
        except ValueError as error:
            raise ExternalError(
                f"the table `{name}` of {path} contains something that is not a number: {error}"
            ) from None
        if len(numbers) < rows * columns:
            raise ExternalError(
                f"the table `{name}` of {path} is to have {rows} times {columns} numbers, "
                f"but there are {len(numbers)}"
            )
        return numbers.reshape(rows, columns)
    raise _unknown(path, name, [head[1] for head in heads])


def matrix_in(content: bytes, file: str, name: str) -> Numbers:
    """A matrix of a MAT-file that is not on the disk."""
    return _from_mat(Path(file), name, content)


def mat_file(name: str, matrix: Numbers, version: str, before: bytes | None) -> bytes | None:
    """A MAT-file with a matrix, and what was in it `before`; None where that cannot be."""
    from scipy.io import loadmat, savemat  # large, and few models need it
    from scipy.io.matlab import MatReadError

    if version not in ("4", "6", "7"):
        return None
    try:
        old = loadmat(BytesIO(before)) if before else {}
    except (MatReadError, NotImplementedError, ValueError):
        return None
    values = {n: v for n, v in old.items() if not n.startswith("__")}
    made = BytesIO()
    form = "4" if version == "4" else "5"
    savemat(made, {**values, name: matrix}, format=form, do_compression=version == "7")
    return made.getvalue()


def _from_mat(path: Path, name: str, content: bytes | None = None) -> Numbers:
    """A matrix of a MAT-file of version 4, 6 or 7; `record.field` is a field of a structure."""
    from scipy.io import loadmat  # large, and few models need it
    from scipy.io.matlab import MatReadError

    first, *fields = name.split(".")
    source = path if content is None else BytesIO(content)
    try:
        found = loadmat(source, variable_names=[first], chars_as_strings=False)
    except (MatReadError, NotImplementedError, ValueError, OSError) as error:
        raise ExternalError(f"the file {path} cannot be read as a MAT-file: {error}", "E102") from None
    value = found.get(first)
    if value is None:
        raise _unknown(path, name, [n for n in loadmat(path) if not n.startswith("__")])
    for field in fields:
        if value.dtype.names is None or field not in value.dtype.names:
            raise _unknown(path, name, list(value.dtype.names or ()))
        value = value[field][0, 0]
    if value.ndim != 2 or value.dtype.kind not in "fiu":
        raise ExternalError(f"`{name}` of {path} is not a matrix of real numbers")
    return np.array(value, dtype=np.float64)


def _unknown(path: Path, name: str, known: list[str]) -> ExternalError:
    listed = ", ".join(f"`{n}`" for n in known[:8]) + (" and more" if len(known) > 8 else "")
    return ExternalError(
        f"there is no table `{name}` in {path}; " + (f"it has {listed}" if known else "it has none")
    )
