"""Reading a result at and around its leaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

import saltus

Vector = NDArray[np.float64]


def limits(result: saltus.Result, time: float, names: Sequence[str]) -> tuple[Vector, Vector]:
    """The left and right limits of variables at the event that is nearest to a time."""
    moment = nearest_event(result, time)
    first = int(np.searchsorted(result.time, moment, side="left"))
    last = int(np.searchsorted(result.time, moment, side="right")) - 1
    assert last > first, f"there is no event at {time}"
    columns = [result[name] for name in names]
    return np.array([c[first] for c in columns]), np.array([c[last] for c in columns])


def nearest_event(result: saltus.Result, time: float) -> float:
    """The time of the event that is nearest to a time."""
    when = event_times(result)
    return when[int(np.argmin(np.abs(np.array(when) - time)))]


def event_times(result: saltus.Result) -> list[float]:
    """When there were leaps of the model: not its start, nor other states for the same equations."""
    return [e.time for e in result.events if e.kind in ("state", "time")]


def between(result: saltus.Result, leaps: Iterable[float], margin: float = 1e-7) -> NDArray[np.bool_]:
    """Which rows are away from leaps, so that a small error of their times does not matter."""
    away = np.ones(len(result.time), dtype=bool)
    for t in leaps:
        away &= np.abs(result.time - t) > margin
    return away


def impulses_at(result: saltus.Result, time: float) -> dict[str, float]:
    """The weights of all impulses at the event that is nearest to a time, by the names of the variables."""
    moment = nearest_event(result, time)
    return {i.name: i.weight for i in result.impulses if i.time == moment}


def impulse(result: saltus.Result, time: float, name: str) -> float:
    """The weight of the impulse of a variable at the event nearest to a time; 0 where it has none."""
    moment = nearest_event(result, time)
    return sum(i.weight for i in result.impulses[name] if i.time == moment)
