"""What happened, for the page: events with their causes, modes from when to when.

Causes and names occur repeatedly; they are stored once, and events have their numbers.

    cause  {"kind": "relation", "text": "h <= 0", "place": [0, 7, 8, 6]}
    event  {"why": [[3, 1]], "turned": [...], "set": [[name, old, new]], "jumped": [...],
            "impulses": [[name, weight, unit]], "equations": "state v is given up", "rounds": 2}

In `why` and `turned` there are a cause, its truth (0, 1, or -1 where it has none) and in `turned` the
residues of the two limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.source import Span
from saltus.result.events.events import Cause, Change, Event
from saltus.result.log import records
from saltus.result.modes.stays import Mode
from saltus.result.result import Result
from saltus.show.report.packing import packed, plain, smallest_kind
from saltus.show.report.texts import Texts

#: The number of events with all their changes; of the others the page has times and kinds, and of several in
#: the same stretch of the run only the first.
DETAILED, STRETCHES = 10_000, 50_000

#: Kinds of events, in the order of their numbers on the page.
KINDS = (records.STATE, records.TIME, records.INITIAL, records.TERMINAL, records.LEAP, *sorted(records.TURNS))

#: Parts that have a row of their own in the time line, modes that are explained, and stays of all rows.
PARTS, MODES, STAYS = 24, 400, 60_000


class _Told:
    """Causes and names, each once."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._causes: dict[tuple[str, str, Span | None], int] = {}
        self._names: dict[str, int] = {}
        self.causes: list[dict[str, Any]] = []

    @property
    def names(self) -> list[str]:
        return list(self._names)

    def name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def cause(self, cause: Cause) -> int:
        key = cause.kind, cause.text, cause.span
        if key not in self._causes:
            self._causes[key] = len(self.causes)
            place = self.texts.place(cause.span)
            self.causes.append({"kind": cause.kind, "text": cause.text, "place": place})
        return self._causes[key]


def events(result: Result, texts: Texts) -> dict[str, Any]:
    """All events: times and kinds as arrays, the first of them in full."""
    told = _Told(texts)
    table = result.events
    detailed = [_event(event, told) for event in table[:DETAILED]]
    chosen = _chosen(table.times)
    kinds = [KINDS.index(kind) for kind in table.columns.kinds[chosen].tolist()]
    return {
        "all": len(table),
        "times": packed(table.times[chosen], "f8"),
        "kinds": packed(kinds, "u1"),
        "words": list(KINDS),
        "list": detailed,
        "causes": told.causes,
        "names": told.names,
    }


def _chosen(times: NDArray[np.float64]) -> NDArray[np.intp]:
    """The numbers of the events that are on the page."""
    late = times[DETAILED:]
    if len(late) <= STRETCHES:
        return np.arange(len(times), dtype=np.intp)
    stretch = np.floor((late - late[0]) / (late[-1] - late[0] or 1.0) * STRETCHES)
    _, first = np.unique(stretch, return_index=True)
    return np.concatenate([np.arange(DETAILED, dtype=np.intp), DETAILED + first])


def _event(event: Event, told: _Told) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "why": [[told.cause(c), _truth(c)] for c in event.causes],
        "turned": [
            [told.cause(c), _truth(c), plain(c.before), plain(c.after)]
            for c in event.relations
            if c not in event.causes
        ],
        "set": [_change(c, told) for c in event.changes],
        "jumped": [_change(c, told) for c in event.reinitialised],
        "impulses": [[told.name(i.name), plain(i.weight), i.unit] for i in event.impulses],
        "equations": None if event.restructured is None else str(event.restructured),
        "rounds": event.rounds if event.rounds > 1 else 0,
    }
    return {key: value for key, value in parts.items() if value}


def _truth(cause: Cause) -> int:
    return -1 if cause.truth is None else int(cause.truth)


def _change(change: Change, told: _Told) -> list[Any]:
    return [told.name(change.name), plain(change.old), plain(change.new)]


# ---------------------------------------------------------------- modes


def modes(result: Result, texts: Texts) -> dict[str, Any]:
    """The modes as stretches of time, and those of each part that decides for itself."""
    found = result.modes
    visited = found.visited
    turning = [c for c in found.components if len(c.stays) > 1] if len(visited) > 1 else []
    bounds, numbers = found.bounds, found.numbers
    if len(numbers) > STAYS:
        bounds, numbers = bounds[:0], numbers[:0]
    room = STAYS - len(numbers)
    parts = [
        c
        for c, stays in zip(turning, accumulate(len(c.stays) for c in turning), strict=True)
        if stays <= room
    ]
    return {
        "bounds": packed(bounds, "f8"),
        "numbers": packed(numbers, smallest_kind(len(visited))),
        "visited": len(visited),
        "stays": len(found),
        "list": [_mode(mode, found.duration(mode), texts) for mode in visited[:MODES]],
        "left_out": len(turning) - len(parts[:PARTS]),
        "parts": [
            _part(", ".join(c.guards), [(s.start, s.stop, ", ".join(map(str, s.guards))) for s in c.stays])
            for c in parts[:PARTS]
        ],
    }


def _mode(mode: Mode, duration: float, texts: Texts) -> dict[str, Any]:
    return {
        "brief": mode.brief,
        "guards": [[str(g), g.fixed, texts.place(g.span)] for g in mode.guards],
        "states": list(mode.states),
        "index": mode.index,
        "largest": mode.largest_block,
        "open": list(mode.open),
        "duration": plain(duration),
    }


def _part(name: str, stays: Sequence[tuple[float, float, str]]) -> dict[str, Any]:
    """The values that the guards of one part had."""
    words = list(dict.fromkeys(text for _, _, text in stays))
    lasting = [(start, stop, words.index(text)) for start, stop, text in stays if stop > start]
    return {
        "name": name,
        "bounds": packed([*(s[0] for s in lasting), *(s[1] for s in lasting[-1:])], "f8"),
        "numbers": packed([s[2] for s in lasting], smallest_kind(len(words))),
        "words": words,
    }
