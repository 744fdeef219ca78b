"""Chattering: a relation that changes its truth back and forth without end, seen from the events alone.

Where both sides of a surface push towards it, a run that locates every crossing makes one after the other:
the residue is never further from zero than the band within which it counts as zero, 1e-10 of its nominal
value, so the crossings follow each other at about that part of the run. Genuine oscillations are slower by
many powers of ten: ten thousand periods in a run have half-periods of 5e-5 of it.

The rate only says where to look. What decides is the dynamics (`saltus.run.sliding`): how fast the residue
moves with the truths of one side and of the other, at one and the same position. Only if both move it towards
zero is sliding the solution (Filippov), and then it is so whatever the rate was. A relay with hysteresis or
delay, and pulse width modulation, never pass that test: there the other truth alone does not turn the motion
round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError
from saltus.ir.hybrid import Relation

#: So many changes of one relation within this part of the run are looked into.
FLIPS = 8
FLIPS_SPAN = 1e-5


class Crossing(NamedTuple):
    """A relation became true or false. `left` and `right` are the rows of the event's two limits."""

    time: float
    relation: int
    truth: bool
    left: int = 0
    right: int = 0


class FlipTimes:
    """When each relation changed lately."""

    def __init__(self, span: float) -> None:
        self._within = FLIPS_SPAN * span
        self._times: dict[int, deque[float]] = {}

    def add(self, crossing: Crossing) -> None:
        """Takes note of a change."""
        self._times.setdefault(crossing.relation, deque(maxlen=FLIPS)).append(crossing.time)

    def fast(self, relations: Iterable[int]) -> list[int]:
        """Which of the relations change so fast that they may be chattering."""
        return [k for k in relations if self._is_fast(self._times.get(k, deque()))]

    def _is_fast(self, times: deque[float]) -> bool:
        return len(times) == FLIPS and times[-1] - times[0] <= self._within

    def interval(self, relation: int) -> float:
        """The mean time between two changes."""
        times = self._times[relation]
        return (times[-1] - times[0]) / (len(times) - 1)

    def forget(self, relation: int) -> None:
        """From here on the relation begins anew."""
        self._times.pop(relation, None)


def frequency(interval: float) -> str:
    """`5 GHz`: periods of two changes, in words."""
    if interval <= 0.0:
        return "any frequency"
    hertz = 0.5 / interval
    for size, unit in ((1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz")):
        if hertz >= size:
            return f"{hertz / size:.3g} {unit}"
    return f"{hertz:.3g} Hz"


def chattering(relation: Relation, time: float, interval: float, reason: ModelError) -> RunError:
    """E404: both sides push towards a surface, but there is no motion along it."""
    notes = [Note(d.message, d.span) for d in reason.diagnostics]
    return RunError(
        Diagnostic(
            "E404",
            f"`{relation.text}` is chattering at time {time:.9g}, at about {frequency(interval)}: "
            "both sides push towards each other",
            relation.span,
            tuple(notes),
            "for this reason the run cannot slide along the surface in between; give the relation "
            "hysteresis, or let nothing that remembers depend on it",
        )
    )
