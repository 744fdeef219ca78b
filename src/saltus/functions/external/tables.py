"""The tables of the standard library, made by the C functions' names: from a matrix in memory or in a file.

A table is a row of numbers, which native code reads (`lower/functions/external.mo` has the functions that
do). It begins with

    0  abscissas n          (of two inputs: of the first)
    1  columns m            (of two inputs: abscissas of the second)
    2  1 if it is an error to ask outside of the abscissas
    3  1 if the table is repeated periodically
    4  place of the coefficients
    5  time before which the value is 0      } of time tables
    6  time that is added to the abscissas   }
    7  place of the event times              }
    8  number of event times                 }
    9  place of the index of the abscissas   (of two inputs: of the first)
   10  place of the index of the second ones

and goes on at 11 with the abscissas (first those of the first input), coefficients, event times and indices.

An index tells where to look: of n - 1 intervals of equal width, from the first to the last abscissa, how
many abscissas are not after the beginning of each. So the search takes the same time for any number of rows,
unless very many are crowded together; and for equidistant ones it is no search at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from saltus.expr.evaluate import Nested
from saltus.functions.external.compiled import user_table
from saltus.functions.external.objects import ExternalError, ExternalObject
from saltus.functions.external.pieces import Extrapolation, Numbers, Smoothness, cells, pieces
from saltus.functions.external.table_files import read_table

#: Places of these numbers in the row.
ABSCISSAS, COLUMNS, REFUSES_OUTSIDE, IS_PERIODIC, COEFFICIENTS = 0, 1, 2, 3, 4
START, SHIFT, EVENT_TIMES, EVENT_COUNT = 5, 6, 7, 8
INDEX = 9  # and the next one, for the second input

#: How many they are: the place of the first abscissa.
HEADER = 11

#: What stands for no name of a file or a table.
_NO_NAME = ("", "NoName")
#: Time events of time tables, as the standard library numbers them.
ON_POINTS, AT_JUMPS, NO_EVENTS = 1, 2, 3
#: Abscissas that differ by less, in relation to their size, count as equal: there is a jump.
SAME = 1e-10


def _numbers(header: dict[int, float], *parts: Numbers, index: Sequence[Numbers]) -> ExternalObject:
    """A table of these parts, and of the indices of these abscissas."""
    head = np.zeros(HEADER)
    for place, value in header.items():
        head[place] = value
    row = [head, *(np.ravel(part) for part in parts)]
    for k, x in enumerate(index):
        if len(x) > 2 and x[-1] > x[0]:
            head[INDEX + k] = sum(map(len, row))
            row.append(_index(x))
    return ExternalObject(np.concatenate(row))


def _index(x: Numbers) -> Numbers:
    """How many abscissas are not after the beginning of each of n - 1 intervals, and at last not the end;
    taken a little later, since rounding may put what is asked for into the interval before."""
    n = len(x)
    begin = x[0] + (np.arange(n) + 1e-6) * (x[-1] - x[0]) / (n - 1)
    found: Numbers = np.minimum(np.searchsorted(x, begin, side="right"), n - 1).astype(np.float64)
    return found


def _matrix(
    file: str, name: str, given: Nested, rows: int, columns: int, inputs: int
) -> tuple[Numbers, str]:
    """The matrix of a table, and what it is called in messages."""
    if file not in _NO_NAME:
        return read_table(file, name), f"the table `{name}` of {file}"
    if name not in _NO_NAME:
        found = user_table(name, inputs)
        if found is None:
            raise ExternalError(f"the table `{name}` should come from C code (usertab), but there is none")
        return np.array(found, dtype=np.float64), f"the table `{name}` of `usertab`"
    matrix = np.array(given, dtype=np.float64).reshape(int(rows), int(columns))
    return matrix, "the table"


def _choices(smoothness: int, extrapolation: int) -> tuple[Smoothness, Extrapolation]:
    try:
        return Smoothness(smoothness), Extrapolation(extrapolation)
    except ValueError as error:
        raise ExternalError(f"a table has no such kind of interpolation or extrapolation: {error}") from None


def _check(x: Numbers, what: str, *, strictly: bool, periodic: bool = False) -> None:
    if not np.all(np.isfinite(x)):
        raise ExternalError(f"{what} has abscissas that are not finite")
    falls = np.diff(x) <= 0 if strictly else np.diff(x) < 0
    if np.any(falls):
        k = int(np.argmax(falls))
        word = "strictly increasing" if strictly else "increasing"
        raise ExternalError(f"the abscissas of {what} are not {word}: {x[k]:g} is followed by {x[k + 1]:g}")
    if periodic and len(x) > 1 and not x[-1] > x[0]:
        raise ExternalError(f"{what} has no positive period")


def _columns(matrix: Numbers, columns: Nested, what: str) -> Numbers:
    chosen = np.array(columns, dtype=np.int64).ravel()
    if len(matrix) < 1 or matrix.shape[1] < 2:
        raise ExternalError(
            f"{what} is of size {len(matrix)} by {matrix.shape[1]}; it needs a row and two columns"
        )
    for column in chosen:
        if not 1 <= column <= matrix.shape[1]:
            raise ExternalError(f"{what} has {matrix.shape[1]} columns, but column {column} is asked for")
    return matrix[:, chosen - 1]


def _header(n: int, m: int, extrapolation: Extrapolation, coefficients: int) -> dict[int, float]:
    return {
        ABSCISSAS: n,
        COLUMNS: m,
        REFUSES_OUTSIDE: extrapolation is Extrapolation.NONE and n > 1,
        IS_PERIODIC: extrapolation is Extrapolation.PERIODIC and n > 1,
        COEFFICIENTS: coefficients,
    }


def table_1d(
    file: str,
    name: str,
    table: Nested,
    rows: int,
    columns: int,
    chosen: Nested,
    count: int,
    smoothness: int,
    extrapolation: int,
    verbose: bool = False,
) -> list[ExternalObject]:
    """ModelicaStandardTables_CombiTable1D_init2"""
    matrix, what = _matrix(file, name, table, rows, columns, 1)
    kind, outside = _choices(smoothness, extrapolation)
    y = _columns(matrix, chosen, what)
    x = matrix[:, 0]
    _check(x, what, strictly=True)
    header = _header(len(x), y.shape[1], outside, HEADER + len(x))
    return [_numbers(header, x, pieces(x, y, kind, outside), index=(x,))]


def time_table(
    file: str,
    name: str,
    table: Nested,
    rows: int,
    columns: int,
    start: float,
    chosen: Nested,
    count: int,
    smoothness: int,
    extrapolation: int,
    shift: float = 0.0,
    events: int = ON_POINTS,
    verbose: bool = False,
) -> list[ExternalObject]:
    """ModelicaStandardTables_CombiTimeTable_init2"""
    matrix, what = _matrix(file, name, table, rows, columns, 0)
    kind, outside = _choices(smoothness, extrapolation)
    return [made_time_table(matrix, what, start, chosen, kind, outside, shift, int(events))]


def made_time_table(
    matrix: Numbers,
    what: str,
    start: float,
    chosen: Nested,
    kind: Smoothness,
    outside: Extrapolation,
    shift: float,
    events: int,
) -> ExternalObject:
    """The time table of a matrix, which messages call `what`."""
    y = _columns(matrix, chosen, what)
    x = matrix[:, 0]
    smooth = kind not in (Smoothness.LINEAR, Smoothness.CONSTANT)
    _check(x, what, strictly=smooth, periodic=outside is Extrapolation.PERIODIC)
    coefficients = pieces(x, y, kind, outside)
    header = _header(len(x), y.shape[1], outside, HEADER + len(x))
    times = _event_times(x, events)
    header |= {START: start, SHIFT: shift}
    header |= {EVENT_TIMES: HEADER + len(x) + coefficients.size, EVENT_COUNT: len(times)}
    return _numbers(header, x, coefficients, times, index=(x,))


def _event_times(x: Numbers, events: int) -> Numbers:
    """The abscissas at which there is an event: at both ends and, as wanted, between all pieces or where
    there are jumps."""
    if len(x) == 1:
        return np.zeros(0)
    jump = np.diff(x) <= SAME * np.maximum(np.abs(x[:-1]), np.abs(x[1:]))
    inner = x[1:-1]
    if events == AT_JUMPS:
        inner = x[1:][jump]
    elif events != ON_POINTS:
        inner = inner[:0]
    return np.unique(np.concatenate([x[:1], inner, x[-1:]]))


def table_2d(
    file: str,
    name: str,
    table: Nested,
    rows: int,
    columns: int,
    smoothness: int,
    extrapolation: int,
    verbose: bool = False,
) -> list[ExternalObject]:
    """ModelicaStandardTables_CombiTable2D_init2"""
    matrix, what = _matrix(file, name, table, rows, columns, 2)
    kind, outside = _choices(smoothness, extrapolation)
    if matrix.shape[0] < 2 or matrix.shape[1] < 2:
        size = f"{len(matrix)} by {matrix.shape[1]}"
        raise ExternalError(f"{what} is of size {size}; it needs two rows and two columns")
    if kind not in (Smoothness.LINEAR, Smoothness.AKIMA, Smoothness.CONSTANT):
        raise ExternalError(f"{what} has two inputs; monotone and modified splines are for one input only")
    x, y, z = matrix[1:, 0], matrix[0, 1:], matrix[1:, 1:]
    _check(x, what, strictly=True)
    _check(y, what, strictly=True)
    header = _header(len(x), len(y), outside, HEADER + len(x) + len(y))
    header[REFUSES_OUTSIDE] = outside is Extrapolation.NONE
    header[IS_PERIODIC] = outside is Extrapolation.PERIODIC
    return [_numbers(header, x, y, cells(x, y, z, kind, outside), index=(x, y))]


# ---------------------------------------------------------------- as older versions of the library call them


def old_table_1d(
    name: str, file: str, table: Nested, rows: int, columns: int, chosen: Nested, count: int, smoothness: int
) -> list[ExternalObject]:
    """ModelicaStandardTables_CombiTable1D_init"""
    return table_1d(file, name, table, rows, columns, chosen, count, smoothness, Extrapolation.LINEAR)


def old_time_table(
    name: str,
    file: str,
    table: Nested,
    rows: int,
    columns: int,
    start: float,
    chosen: Nested,
    count: int,
    smoothness: int,
    extrapolation: int,
) -> list[ExternalObject]:
    """ModelicaStandardTables_CombiTimeTable_init: the table begins when its output does."""
    return time_table(
        file, name, table, rows, columns, start, chosen, count, smoothness, extrapolation, shift=start
    )


def old_table_2d(
    name: str, file: str, table: Nested, rows: int, columns: int, smoothness: int
) -> list[ExternalObject]:
    """ModelicaStandardTables_CombiTable2D_init"""
    return table_2d(file, name, table, rows, columns, smoothness, Extrapolation.LINEAR)
