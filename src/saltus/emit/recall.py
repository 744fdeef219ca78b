"""Asking histories (`ir.history`) in Python: the reference that native code is compared with.

A handle is the address of a header, as the bits of a double; numbers are read where it says they are.
"""

from __future__ import annotations

import ctypes
import struct
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from saltus.ir.history import HEADER, NEVER, NODES, PANEL, POSITIONS, SEGMENT, WEIGHTS, Header


@dataclass(frozen=True)
class _History:
    """What a handle leads to: rows of numbers."""

    panels: list[list[float]]
    segments: list[list[float]]
    dropped: int

    def place(self, number: float) -> int:
        """Of a segment, among those that are there."""
        return min(max(int(number) - self.dropped, 0), len(self.segments) - 1)

    def panel(self, place: int, time: float) -> list[float] | None:
        """That of a segment in which a time lies, or the nearest one."""
        first = int(self.segments[place][2])
        end = int(self.segments[place + 1][2]) if place + 1 < len(self.segments) else len(self.panels)
        own = self.panels[first:end]
        return own[max(bisect_right([p[0] for p in own], time) - 1, 0)] if own else None


def _open(handle: float) -> _History:
    (address,) = struct.unpack("q", struct.pack("d", handle))
    if not address:  # a memory that no run has prepared
        return _History([], [[-NEVER, 0.0, 0.0, 0.0]], 0)
    fields = (ctypes.c_int64 * HEADER).from_address(address)

    def rows(at: Header, count: Header, width: int) -> list[list[float]]:
        numbers = (ctypes.c_double * (fields[count] * width)).from_address(fields[at])
        return [list(numbers[k : k + width]) for k in range(0, len(numbers), width)]

    panels = rows(Header.PANELS, Header.PANEL_COUNT, PANEL)
    segments = rows(Header.SEGMENTS, Header.SEGMENT_COUNT, SEGMENT)
    return _History(panels, segments, fields[Header.DROPPED])


def _polynomial(panel: list[float], x: float) -> float:
    values = panel[2:]
    above = below = 0.0
    for position, weight, v in zip(POSITIONS, WEIGHTS, values, strict=True):
        if x == position:
            return v
        q = weight / (x - position)
        above += q * (v - values[0])
        below += q
    return values[0] + above / below


def _part(panel: list[float], time: float) -> float:
    return (time - panel[0]) / (panel[1] - panel[0])


def _inside(part: float) -> float:
    return min(max(part, 0.0), 1.0)


def value(handle: float, segment: float, time: float) -> float:
    """The value in a segment at a time."""
    history = _open(handle)
    place = history.place(segment)
    panel = history.panel(place, time)
    return history.segments[place][1] if panel is None else _polynomial(panel, _inside(_part(panel, time)))


def slope(handle: float, segment: float, time: float) -> float:
    """The derivative of that."""
    history = _open(handle)
    panel = history.panel(history.place(segment), time)
    if panel is None:
        return 0.0
    x = _inside(_part(panel, time))
    p = _polynomial(panel, x)
    nodes = list(zip(POSITIONS, WEIGHTS, panel[2:], strict=True))
    others = [(w, (p - v) / (x - position), x - position) for position, w, v in nodes if position != x]
    if len(others) < NODES:
        (own,) = (w for position, w, _ in nodes if position == x)
        gradient = -sum(w * d for w, d, _ in others) / own
    else:
        gradient = sum(w / away * d for w, d, away in others) / sum(w / away for w, _, away in others)
    return gradient / (panel[1] - panel[0])


def recent(handle: float, segment: float, time: float, now: float, present: float) -> float:
    """The value in a segment at a time that may be after the last step: up to the present value."""
    history = _open(handle)
    place = history.place(segment)
    panel = history.panel(place, time)
    if place < len(history.segments) - 1 or (panel is not None and _part(panel, time) <= 1.0):
        return value(handle, segment, time)
    if panel is None:
        begin, first = history.segments[place][:2]
        if time <= begin:
            return first
        return present if time >= now else first + (time - begin) / (now - begin) * (present - first)
    x, x_now = _part(panel, time), _part(panel, now)
    if x >= x_now:
        return present
    product = 1.0
    for position in POSITIONS:
        product *= (x - position) / (x_now - position)
    return _polynomial(panel, x) + (present - _polynomial(panel, x_now)) * product


def end(handle: float, segment: float) -> float:
    """When a segment ended."""
    history = _open(handle)
    following = int(segment) - history.dropped + 1
    if following < 1:
        return -NEVER
    return history.segments[following][0] if following < len(history.segments) else NEVER


def passed(handle: float, past: float, now: float) -> float:
    """The last segment that began `past` or more before `now`."""
    history = _open(handle)
    begun = [k for k, row in enumerate(history.segments) if past + row[0] <= now]
    return float(history.dropped + (begun[-1] if begun else 0))


#: By name, as `expr.nodes.QUESTIONS` has them.
QUESTIONS: dict[str, Callable[..., float]] = {
    "value": value,
    "recent": recent,
    "slope": slope,
    "end": end,
    "passed": passed,
}
