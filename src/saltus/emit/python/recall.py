"""Asking histories (`ir.history`) in Python: the reference that native code is compared with.

A handle is the address of a header, as the bits of a double; numbers are read where it says they are.
"""

from __future__ import annotations

import ctypes
import math
import struct
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from saltus.ir.native.history import (
    BEGIN,
    END,
    FIRST_PANEL,
    HEADER,
    LATE_BY_ROUNDING,
    NEVER,
    NODES,
    PANEL,
    POSITIONS,
    SEGMENT,
    VALUE,
    VALUES,
    WEIGHTS,
    Header,
)
from saltus.ir.native.transport import ANYWHERE, CARRIED_PANEL, CARRIER, Carrier


@dataclass(frozen=True)
class _History:
    """What a handle leads to: rows of numbers."""

    panels: list[list[float]]
    segments: list[list[float]]
    dropped: int

    def place(self, number: float) -> int:
        """The place of a segment, by its number, among those that are there."""
        return min(max(int(number) - self.dropped, 0), len(self.segments) - 1)

    def panel(self, place: int, time: float) -> list[float] | None:
        """The panel of a segment in which a time lies, or the nearest one."""
        first = int(self.segments[place][FIRST_PANEL])
        is_last = place + 1 == len(self.segments)
        end = len(self.panels) if is_last else int(self.segments[place + 1][FIRST_PANEL])
        own = self.panels[first:end]
        return own[max(bisect_right([p[BEGIN] for p in own], time) - 1, 0)] if own else None


def _open(handle: float) -> _History:
    (address,) = struct.unpack("q", struct.pack("d", handle))
    if not address:  # a memory that no run has prepared
        return _History([], [[-NEVER, 0.0, 0.0, 0.0]], 0)
    fields = (ctypes.c_int64 * HEADER).from_address(address)

    def rows(at: Header, count: Header, width: int) -> list[list[float]]:
        if not fields[count]:
            return []
        numbers = (ctypes.c_double * (fields[count] * width)).from_address(fields[at])
        return [list(numbers[k : k + width]) for k in range(0, len(numbers), width)]

    panels = rows(Header.PANELS, Header.PANEL_COUNT, PANEL)
    segments = rows(Header.SEGMENTS, Header.SEGMENT_COUNT, SEGMENT)
    return _History(panels, segments, fields[Header.DROPPED])


def _polynomial(panel: list[float], x: float) -> float:
    values = panel[VALUES:]
    above = below = 0.0
    for position, weight, v in zip(POSITIONS, WEIGHTS, values, strict=True):
        if x == position:
            return v
        q = weight / (x - position)
        above += q * (v - values[0])
        below += q
    return values[0] + above / below


def _part(panel: list[float], time: float) -> float:
    return (time - panel[BEGIN]) / (panel[END] - panel[BEGIN])


def _inside(part: float) -> float:
    return min(max(part, 0.0), 1.0)


def value(handle: float, segment: float, time: float) -> float:
    """The value in a segment at a time."""
    history = _open(handle)
    place = history.place(segment)
    panel = history.panel(place, time)
    if panel is None:
        return history.segments[place][VALUE]
    return _polynomial(panel, _inside(_part(panel, time)))


def slope(handle: float, segment: float, time: float) -> float:
    """The derivative in a segment at a time."""
    history = _open(handle)
    panel = history.panel(history.place(segment), time)
    if panel is None:
        return 0.0
    return _gradient(panel[VALUES:], _inside(_part(panel, time))) / (panel[END] - panel[BEGIN])


def _gradient(values: list[float], x: float) -> float:
    """The derivative of the polynomial through these values: Newton's divided differences, then Horner's
    scheme."""
    differences = list(values)
    for k in range(1, NODES):
        for j in range(NODES - 1, k - 1, -1):
            differences[j] = (differences[j] - differences[j - 1]) / (POSITIONS[j] - POSITIONS[j - k])
    p, gradient = differences[-1], 0.0
    for k in range(NODES - 2, -1, -1):
        gradient = gradient * (x - POSITIONS[k]) + p
        p = p * (x - POSITIONS[k]) + differences[k]
    return gradient


def share(handle: float, segment: float, time: float, now: float) -> float:
    """How much of the present value there is in `recent`."""
    history = _open(handle)
    place = history.place(segment)
    panel = history.panel(place, time)
    if place < len(history.segments) - 1:
        return 0.0
    if panel is None:
        begin = history.segments[place][BEGIN]
        return 0.0 if time <= begin else 1.0 if time >= now else (time - begin) / (now - begin)
    x, x_now = _part(panel, time), _part(panel, now)
    if x <= 1.0:
        return 0.0
    if x >= x_now:
        return 1.0
    return math.prod((x - position) / (x_now - position) for position in POSITIONS)


def recent(handle: float, segment: float, time: float, now: float, present: float) -> float:
    """The value in a segment at a time that may be after the last step: up to the present value."""
    part = share(handle, segment, time, now)
    if part == 0.0:
        return value(handle, segment, time)
    if part == 1.0:
        return present
    history = _open(handle)
    place = history.place(segment)
    panel = history.panel(place, time)
    if panel is None:
        first = history.segments[place][VALUE]
        return first + part * (present - first)
    there, here = (_polynomial(panel, _part(panel, t)) for t in (time, now))
    return there + (present - here) * part


def end(handle: float, segment: float) -> float:
    """When a segment ended."""
    history = _open(handle)
    following = int(segment) - history.dropped + 1
    if following < 1:
        return -NEVER
    return history.segments[following][BEGIN] if following < len(history.segments) else NEVER


def passed(handle: float, past: float, now: float) -> float:
    """The last segment that began `past` or more before `now`."""
    history = _open(handle)
    now += abs(now) * LATE_BY_ROUNDING
    begun = [k for k, row in enumerate(history.segments) if past + row[BEGIN] <= now]
    return float(history.dropped + (begun[-1] if begun else 0))


def _carried(handle: float, segment: float, label: float) -> tuple[_History, list[float] | None, float]:
    """The content, the panel that a label lies in, and where in it."""
    history = _open(handle)
    (address,) = struct.unpack("q", struct.pack("d", handle))
    if not address:
        return history, None, 0.0
    fields = (ctypes.c_int64 * CARRIER).from_address(address)
    first, last = fields[Carrier.FIRST], fields[Carrier.LAST]
    if segment < ANYWHERE:
        place = history.place(segment)
        first = int(history.segments[place][FIRST_PANEL])
        last = int(history.segments[place + 1][FIRST_PANEL]) if place + 1 < len(history.segments) else last
    base = fields[Header.PANELS] + 8 * CARRIED_PANEL * first
    numbers = (ctypes.c_double * (CARRIED_PANEL * max(last - first, 0))).from_address(base)
    panels = [list(numbers[k : k + CARRIED_PANEL]) for k in range(0, len(numbers), CARRIED_PANEL)]
    if not panels:
        return history, None, 0.0
    panel = panels[max(bisect_right([p[BEGIN] for p in panels], label) - 1, 0)]
    there = min(max(label, panel[BEGIN]), panel[END])
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2.0
        if _polynomial(panel[: 2 + NODES], middle) < there:
            low = middle
        else:
            high = middle
    return history, panel, (low + high) / 2.0


def content(handle: float, segment: float, label: float) -> float:
    """What is at a label in a segment."""
    history, panel, x = _carried(handle, segment, label)
    if panel is None:
        return history.segments[history.place(segment)][VALUE]
    return _polynomial([0.0, 1.0, *panel[2 + NODES :]], x)


def content_gradient(handle: float, segment: float, label: float) -> float:
    """The derivative by the label of what is at a label in a segment."""
    _, panel, x = _carried(handle, segment, label)
    if panel is None:
        return 0.0
    speed = _gradient(panel[2 : 2 + NODES], x)
    return _gradient(panel[2 + NODES :], x) / speed if speed else 0.0


#: By name, as `expr.nodes.QUESTIONS` has them.
QUESTIONS: dict[str, Callable[..., float]] = {
    "value": value,
    "recent": recent,
    "slope": slope,
    "share": share,
    "end": end,
    "passed": passed,
    "content": content,
    "content.gradient": content_gradient,
}
