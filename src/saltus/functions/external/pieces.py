"""Tables as piecewise polynomials.

Whatever the kind of interpolation, between two neighbouring abscissas x_k and x_k+1 a table is a cubic
polynomial in u - x_k, and outside of them it is one, too. So all that a run has to do is to find the piece
and to evaluate it; what makes kinds of interpolation different is here, and is done once, when a table is
made.

A column with n abscissas has n + 1 pieces: piece 0 is left of x_1 and written in u - x_1, piece k is right of
x_k and written in u - x_k. Coefficients are in the order of rising powers. A table of two inputs has cells
with 4 times 4 coefficients in the same manner. Equal abscissas, which time tables have for jumps, enclose an
empty piece.

Slopes of cubic pieces: Akima, Journal of the ACM 17 (1970); its modification for makima, Ionita (2019);
Fritsch and Butland, SIAM Journal on Scientific and Statistical Computing 5 (1984); Steffen, Astronomy and
Astrophysics 239 (1990). In two dimensions: Akima, Communications of the ACM 17 (1974).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Smoothness(IntEnum):
    """Kinds of interpolation, numbered as in the standard library."""

    LINEAR = 1
    AKIMA = 2
    CONSTANT = 3
    FRITSCH_BUTLAND = 4
    STEFFEN = 5
    MAKIMA = 6


class Extrapolation(IntEnum):
    """Kinds of extrapolation, numbered as in the standard library."""

    HOLD = 1
    LINEAR = 2
    PERIODIC = 3
    NONE = 4


# ---------------------------------------------------------------- one input


def pieces(x: Numbers, y: Numbers, smoothness: Smoothness, extrapolation: Extrapolation) -> Numbers:
    """The coefficients of all columns of y: an array [piece, column, power]."""
    n, columns = y.shape
    found = np.zeros((n + 1, columns, 4))
    found[0, :, 0] = y[0]
    found[1:, :, 0] = y
    if n == 1:
        return found
    dx, d = _differences(x, y)
    if n == 2 and smoothness is not Smoothness.CONSTANT:
        smoothness = Smoothness.LINEAR
    first, last = d[0], d[-1]
    if smoothness is Smoothness.LINEAR:
        found[1:n, :, 1] = d
    elif smoothness is not Smoothness.CONSTANT:
        s = _SLOPES[smoothness](dx, d)
        first, last = s[0], s[-1]
        found[1:n, :, 1] = s[:-1]
        found[1:n, :, 2] = (3 * d - 2 * s[:-1] - s[1:]) / dx
        found[1:n, :, 3] = (s[:-1] + s[1:] - 2 * d) / dx**2
    if extrapolation is not Extrapolation.HOLD:
        found[0, :, 1], found[n, :, 1] = first, last
    return found


def _differences(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """Widths and slopes of the intervals; an empty one has no slope."""
    dx = np.diff(x)[:, np.newaxis]
    rise = np.diff(y, axis=0)
    return dx, np.divide(rise, dx, out=np.zeros_like(rise), where=dx > 0)


def _continued(d: Numbers) -> Numbers:
    """Slopes with two more at both ends, in arithmetic progression: Akima's condition at the ends. With a
    single interval they are all alike."""
    before = 2 * d[0] - d[1] if len(d) > 1 else d[0]
    after = 2 * d[-1] - d[-2] if len(d) > 1 else d[-1]
    return np.concatenate([[2 * before - d[0], before], d, [after, 2 * after - d[-1]]])


def _weighted(weights_left: Numbers, weights_right: Numbers, d: Numbers, otherwise: Numbers) -> Numbers:
    """Means of neighbouring slopes; where both weights are zero there is another value."""
    total = weights_left + weights_right
    mean = weights_left * d[1:-2] + weights_right * d[2:-1]
    return np.divide(mean, total, out=otherwise, where=total > 0)


def _akima(dx: Numbers, d: Numbers) -> Numbers:
    d = _continued(d)
    change = np.abs(np.diff(d, axis=0))
    return _weighted(change[2:], change[:-2], d, (d[1:-2] + d[2:-1]) / 2)


def _makima(dx: Numbers, d: Numbers) -> Numbers:
    d = _continued(d)
    change = np.abs(np.diff(d, axis=0)) + np.abs(d[1:] + d[:-1]) / 2
    return _weighted(change[2:], change[:-2], d, np.zeros_like(d[1:-2]))


def _monotone(inner: Callable[[Numbers, Numbers, Numbers, Numbers], Numbers]) -> Callable[..., Numbers]:
    """Slopes that are zero at extrema and, at the ends, those of the interval."""

    def slopes(dx: Numbers, d: Numbers) -> Numbers:
        left, right, h, k = d[:-1], d[1:], dx[:-1], dx[1:]
        rising = left * right > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            within = np.where(rising, inner(left, right, h, k), 0.0)
        return np.concatenate([d[:1], within, d[-1:]])

    return slopes


def _fritsch_butland(left: Numbers, right: Numbers, h: Numbers, k: Numbers) -> Numbers:
    """A weighted harmonic mean."""
    return 3 * (h + k) / ((h + 2 * k) / left + (k + 2 * h) / right)


def _steffen(left: Numbers, right: Numbers, h: Numbers, k: Numbers) -> Numbers:
    """The slope of the parabola through three points, limited by the neighbouring slopes."""
    parabola = (left * k + right * h) / (h + k)
    limit = 2 * np.minimum(np.abs(left), np.abs(right))
    slope: Numbers = np.sign(left) * np.minimum(np.abs(parabola), limit)
    return slope


_SLOPES: dict[Smoothness, Callable[[Numbers, Numbers], Numbers]] = {
    Smoothness.AKIMA: _akima,
    Smoothness.MAKIMA: _makima,
    Smoothness.FRITSCH_BUTLAND: _monotone(_fritsch_butland),
    Smoothness.STEFFEN: _monotone(_steffen),
}


# ---------------------------------------------------------------- two inputs


def cells(
    x: Numbers, y: Numbers, z: Numbers, smoothness: Smoothness, extrapolation: Extrapolation
) -> Numbers:
    """The coefficients of z[i, j] at (x[i], y[j]): an array [piece of x, of y, power of x, of y]."""
    small = len(x) <= 2 and len(y) <= 2
    if smoothness is Smoothness.AKIMA and not small:
        if len(x) == 1 or len(y) == 1:
            inner = _akima_along(x, y, z)
        else:
            inner = _akima_cells(x, y, z)
    else:
        inner = _bilinear(x, y, z)
    slope = extrapolation is not Extrapolation.HOLD
    found = _extended(_extended(inner, x, 0, slope), y, 1, slope)
    if smoothness is Smoothness.CONSTANT:
        # In a direction with one abscissa the table is everywhere inside.
        inside = tuple(slice(1, -1) if n > 1 else slice(None) for n in z.shape)
        found[inside] = 0.0
        found[(*inside, 0, 0)] = z[tuple(slice(None, -1) if n > 1 else slice(None) for n in z.shape)]
        if extrapolation is not Extrapolation.LINEAR:
            found[:, :] = 0.0
            rows, columns = (np.r_[0, np.arange(n)] for n in z.shape)
            found[:, :, 0, 0] = z[np.ix_(rows, columns)]
    return found


def _bilinear(x: Numbers, y: Numbers, z: Numbers) -> Numbers:
    """Cells inside the table. In a direction with one abscissa only nothing varies: there is one cell."""
    i = slice(None, -1) if len(x) > 1 else slice(None)
    j = slice(None, -1) if len(y) > 1 else slice(None)
    found = np.zeros((max(len(x) - 1, 1), max(len(y) - 1, 1), 4, 4))
    found[:, :, 0, 0] = z[i, j]
    dx, dy = np.diff(x)[:, np.newaxis], np.diff(y)[np.newaxis, :]
    if len(x) > 1:
        found[:, :, 1, 0] = np.diff(z[:, j], axis=0) / dx
    if len(y) > 1:
        found[:, :, 0, 1] = np.diff(z[i, :], axis=1) / dy
    if len(x) > 1 and len(y) > 1:
        found[:, :, 1, 1] = np.diff(np.diff(z, axis=0), axis=1) / (dx * dy)
    return found


def _akima_along(x: Numbers, y: Numbers, z: Numbers) -> Numbers:
    """Cells of a table that varies in one direction only."""
    varies, values = (y, z.T) if len(x) == 1 else (x, z)
    found = pieces(varies, values, Smoothness.AKIMA, Extrapolation.LINEAR)[1:-1, 0, :]
    inner = np.zeros((max(len(x) - 1, 1), max(len(y) - 1, 1), 4, 4))
    if len(x) == 1:
        inner[0, :, 0, :] = found
    else:
        inner[:, 0, :, 0] = found
    return inner


#: From the values and slopes at both ends of the interval 0 to 1 to the coefficients of a cubic polynomial.
_HERMITE = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [-3, 3, -2, -1], [2, -2, 1, 1]], dtype=np.float64)


def _akima_cells(x: Numbers, y: Numbers, z: Numbers) -> Numbers:
    """Cells from values, slopes and twists at their corners. Each of the latter is a mean of differences with
    Akima's weights, on a table that is continued by two points on all sides."""
    xs, ys = _abscissas_continued(x), _abscissas_continued(y)
    zs = _values_continued(ys, _values_continued(xs, z).T).T
    dx, dy = np.diff(xs)[:, np.newaxis], np.diff(ys)[np.newaxis, :]
    along_x = (np.diff(zs, axis=0) / dx)[:, 2:-2]
    along_y = (np.diff(zs, axis=1) / dy)[2:-2, :]
    twist = np.diff(np.diff(zs, axis=0), axis=1) / (dx * dy)
    before_x, after_x = _akima_weights(along_x)
    before_y, after_y = (w.T for w in _akima_weights(along_y.T))
    zx = before_x * along_x[1:-2] + after_x * along_x[2:-1]
    zy = before_y * along_y[:, 1:-2] + after_y * along_y[:, 2:-1]
    zxy = before_x * (before_y * twist[1:-2, 1:-2] + after_y * twist[1:-2, 2:-1])
    zxy += after_x * (before_y * twist[2:-1, 1:-2] + after_y * twist[2:-1, 2:-1])
    hx, hy = np.diff(x)[:, np.newaxis], np.diff(y)[np.newaxis, :]
    corners = np.zeros((len(x) - 1, len(y) - 1, 4, 4))
    for a, i in enumerate((slice(None, -1), slice(1, None))):
        for b, j in enumerate((slice(None, -1), slice(1, None))):
            corners[:, :, a, b] = z[i, j]
            corners[:, :, 2 + a, b] = zx[i, j] * hx
            corners[:, :, a, 2 + b] = zy[i, j] * hy
            corners[:, :, 2 + a, 2 + b] = zxy[i, j] * hx * hy
    scaled = np.einsum("pa,ijab,qb->ijpq", _HERMITE, corners, _HERMITE)
    powers = np.arange(4)
    width_x = hx[:, :, np.newaxis] ** powers
    width_y = hy[:, :, np.newaxis] ** powers
    found: Numbers = scaled / (width_x[:, :, :, np.newaxis] * width_y[:, :, np.newaxis, :])
    return found


def _akima_weights(d: Numbers) -> tuple[Numbers, Numbers]:
    """The weights, of sum 1, of the slopes before and after each point, along the first axis."""
    change = np.abs(np.diff(d, axis=0))
    before, after = change[2:], change[:-2]
    total = before + after
    half = np.full_like(total, 0.5)
    return (
        np.divide(before, total, out=half.copy(), where=total > 0),
        np.divide(after, total, out=half.copy(), where=total > 0),
    )


def _abscissas_continued(x: Numbers) -> Numbers:
    """Two more abscissas at both ends, as far away as the third is from the first and so on."""
    if len(x) == 2:
        h = x[1] - x[0]
        return np.array([x[0] - 2 * h, x[0] - h, *x, x[1] + h, x[1] + 2 * h])
    before = [2 * x[0] - x[2], x[0] + x[1] - x[2]]
    after = [x[-1] + x[-2] - x[-3], 2 * x[-1] - x[-3]]
    return np.concatenate([before, x, after])


def _values_continued(xs: Numbers, z: Numbers) -> Numbers:
    """Two more rows at both ends of z, with the slopes that `_continued` has."""
    dx = np.diff(xs)[:, np.newaxis]
    d = _continued(np.diff(z, axis=0) / dx[2:-2])
    one_before = z[0] - d[1] * dx[1]
    one_after = z[-1] + d[-2] * dx[-2]
    rows = [one_before - d[0] * dx[0], one_before, *z, one_after, one_after + d[-1] * dx[-1]]
    return np.array(rows)


def _extended(inner: Numbers, x: Numbers, axis: int, slope: bool) -> Numbers:
    """Cells with those outside of the table in one direction: they continue with the value at the edge and,
    if requested, with its slope."""
    found = np.moveaxis(inner, (axis, axis + 2), (0, 1))  # piece, power of this direction, and the others
    first, last = np.zeros_like(found[:1]), np.zeros_like(found[:1])
    width = x[-1] - x[-2] if len(x) > 1 else 0.0
    powers = width ** np.arange(4)
    first[0, 0] = found[0, 0]
    last[0, 0] = np.tensordot(powers, found[-1], axes=1)
    if slope:
        first[0, 1] = found[0, 1]
        last[0, 1] = np.tensordot(np.arange(1, 4) * powers[:3], found[-1, 1:], axes=1)
    parts = [first, found, last] if len(x) > 1 else [first, last]
    return np.moveaxis(np.concatenate(parts), (0, 1), (axis, axis + 2))
