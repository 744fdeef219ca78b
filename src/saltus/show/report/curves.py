"""Variables over time, for the page: a choice of them.

Variables that change at events only are stored exactly, as the times of their changes. All other curves have
the same rows. Where these are more than fit, the time is cut into stretches of equally many rows, and of each
stretch the first and the last row are kept, and of every curve those of its minimum and its maximum: drawn in
a picture with as many columns as there are stretches, that is the same to the pixel (M4; Jugel and others,
VLDB 2014). Rows of events are kept beside these as long as they fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Type
from saltus.result.result import Result
from saltus.show.plots.choice import default_names, depth, is_decoration, select_names
from saltus.show.plots.drawn import Drawn
from saltus.show.report.packing import NONE, packed, smallest_kind

#: Bytes before they are written as text: of all curves with common rows, and of all that switch.
ROOM, SWITCHING = 1_600_000, 400_000

#: The largest number of curves, and the number with common rows in any case: rows are dropped before curves.
CURVES, SMOOTH = 150, 24

#: Curves whose minima and maxima decide which rows are kept.
_DECIDING = 16

_KINDS = {Type.REAL: "real", Type.BOOLEAN: "boolean", Type.INTEGER: "integer"}

Rows = NDArray[np.intp]
Numbers = NDArray[np.float64]


def curves(result: Result, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The curves of a result; those shown initially are the `names`, or the most informative ones."""
    drawn = Drawn(result)
    shown = select_names(drawn.names, names) if names else default_names(result)
    chosen = _chosen(result, shown)
    switching = [name for name in chosen if drawn.is_discrete(name)]
    told = _switching(drawn, switching, shown)
    # Variables that switch too often are drawn as curves if requested.
    smooth = [name for name in chosen if name not in switching or (name in shown and name not in told)]
    time = drawn.time
    fitting = max(SMOOTH, len(shown), ROOM // (4 * max(len(time), 1)))
    smooth = smooth[:fitting]
    rows = chosen_rows(
        time, [drawn.values(name) for name in smooth[:_DECIDING]], ROOM // (4 * max(len(smooth), 1))
    )
    real = "f8" if 8 * len(rows) * len(smooth) <= ROOM else "f4"
    told |= {name: {"values": packed(drawn.values(name)[rows], real)} for name in smooth}
    chosen = [name for name in chosen if name in told]
    return {
        "time": packed(time[rows], "f8"),
        "rows": len(time),
        "all": len(drawn.names),
        "shown": [chosen.index(name) for name in shown],
        "list": [_described(drawn, name) | told[name] for name in chosen],
    }


def _chosen(result: Result, shown: Sequence[str]) -> list[str]:
    """What is on the page: what is shown at first, and then others, parts within parts last. Of names for the
    same curve one is enough."""
    sources = {result.source(name) for name in shown}
    others: dict[tuple[str, bool], str] = {}
    for name in sorted((n for n in result.names if not is_decoration(n)), key=depth):
        if (source := result.source(name)) not in sources:
            others.setdefault(source, name)
    return [*shown, *others.values()][: max(CURVES, len(shown))]


def chosen_rows(time: Numbers, values: Sequence[Numbers], most: int) -> Rows:
    """A selection of rows of about the given number: all, if they fit."""
    count = len(time)
    if count <= most:
        return np.arange(count, dtype=np.intp)
    twice = np.flatnonzero(time[1:] == time[:-1])
    at_events = np.union1d(twice, twice + 1)
    if len(at_events) > most // 2:
        at_events = at_events[:0]  # their extremes are kept as those of all rows
    stretches = max(1, (most - len(at_events)) // (2 + 2 * len(values)))
    bounds = np.unique(np.linspace(0, count, stretches + 1).astype(np.intp))
    kept = [at_events, bounds[:-1], bounds[1:] - 1]
    for one in values:
        finite = np.where(np.isfinite(one), one, 0.0)
        kept += [_extreme(finite, bounds), _extreme(-finite, bounds)]
    return np.unique(np.concatenate(kept)).astype(np.intp)


def _extreme(values: Numbers, bounds: Rows) -> Rows:
    """For each stretch, the first row with the largest values."""
    largest = np.repeat(np.maximum.reduceat(values, bounds[:-1]), np.diff(bounds))
    rows = np.flatnonzero(values == largest)
    stretch = np.searchsorted(bounds, rows, "right")
    _, first = np.unique(stretch, return_index=True)
    return rows[first]


def _described(drawn: Drawn, name: str) -> dict[str, Any]:
    """What is known of a variable beside its values."""
    column = drawn.column(name)
    kind = "enumeration" if column.literals else _KINDS.get(column.type, "real")
    told: dict[str, Any] = {"name": name, "unit": drawn.unit(name), "kind": kind}
    if column.description:
        told["about"] = column.description
    if column.literals:
        told["literals"] = list(column.literals)
    return told


def _switching(drawn: Drawn, names: Sequence[str], shown: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The switching variables whose changes fit, those shown first."""
    told: dict[str, dict[str, Any]] = {}
    room = SWITCHING
    for name in sorted(names, key=lambda name: name not in shown):
        one = _steps(drawn, name)
        size = sum(len(part["data"]) for part in one.values()) * 3 // 4
        if size <= room:
            told[name] = one
            room -= size
    return told


def _steps(drawn: Drawn, name: str) -> dict[str, Any]:
    """The times at which a variable takes another value, and the values. What it has for an instant only is
    left out."""
    time, values, column = drawn.time, np.asarray(drawn.values(name)), drawn.column(name)
    last = np.append(np.flatnonzero(time[1:] != time[:-1]), len(time) - 1)  # of each instant
    times, values = time[last], values[last]
    differs = (values[1:] != values[:-1]) & ~(np.isnan(values[1:]) & np.isnan(values[:-1]))
    rows = np.append(0, np.flatnonzero(differs) + 1)
    if column.type is Type.BOOLEAN or column.literals:
        largest = len(column.literals) if column.literals else 1
        told = packed(np.where(np.isfinite(values[rows]), values[rows], NONE), smallest_kind(largest))
    else:
        told = packed(values[rows], "f8")
    return {"at": packed(times[rows], "f8"), "values": told}
