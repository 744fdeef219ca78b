"""The content of a `spatialDistribution` during a run: owns the numbers of `ir.transport`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.history import BEGIN, END, FIRST_PANEL, NEVER, ORDER, POSITIONS, SEGMENT, VALUE, Header
from saltus.ir.native.transport import CARRIED_PANEL, Carrier

#: Panels and segments that there is room for at first: in a history; at each end of a content.
FIRST_PANELS, FIRST_SEGMENTS = 256, 32

#: Slopes of the content at the start that differ by this part make a kink.
STRAIGHT = 1e-12

#: Fields that are kept with the panels and segments.
_NUMBERS = slice(Carrier.POSITION, Carrier.LARGEST_STEP)


@dataclass(frozen=True)
class SavedContent:
    """A content, as plain arrays; `first` are the numbers of the first panel and the first segment."""

    panels: NDArray[np.float64]
    segments: NDArray[np.float64]
    first: tuple[int, int]
    numbers: NDArray[np.float64]


class Content:
    """One of them, with its buffers; `header` is a row of numbers that native code reads. There is room
    before what is used, and after it."""

    def __init__(self, header: NDArray[np.int64]) -> None:
        self.header = header
        self.reals = header.view(np.float64)
        self._kept: dict[Header, NDArray[Any]] = {}
        self.begin([0.0, 1.0], [0.0, 0.0], 0.0, (0.0, 0.0))

    def set(self, at: Header | Carrier, value: float) -> None:
        """A field that is a double."""
        self.reals[at] = value

    def point(self, at: Header, array: NDArray[Any]) -> None:
        """A field that is the address of an array, which is kept alive."""
        self._kept[at] = array
        self.header[at] = array.ctypes.data

    def begin(
        self, points: Sequence[float], values: Sequence[float], position: float, inflows: tuple[float, float]
    ) -> None:
        """The content at the start: straight lines between points, constant beyond the first and the last."""
        where = [0.0, *points, 1.0]
        what = [values[0], *values, values[-1]]
        panels: list[list[float]] = []
        segments = [[-NEVER, what[0], 0.0, 1.0]]
        slope = 0.0
        for a, b, u, v in zip(where[:-1], where[1:], what[:-1], what[1:], strict=True):
            if b <= a:
                if v != u:  # a jump; two of them at one point are one
                    _border(segments, a - position, v, len(panels), 0.0)
                continue
            steeper = abs((v - u) / (b - a) - slope) > STRAIGHT * (abs(slope) + 1.0)
            if steeper and panels and panels[-1][END] == a - position:
                _border(segments, a - position, u, len(panels), 1.0)
            slope = (v - u) / (b - a)
            labels = [a - position + (b - a) * p for p in POSITIONS]
            panels.append([labels[0], b - position, *labels, *(u + (v - u) * p for p in POSITIONS)])
        numbers = np.zeros(_NUMBERS.stop - _NUMBERS.start)
        numbers[:5] = position, *inflows, what[0], what[-1]
        self.restore(SavedContent(np.array(panels), np.array(segments), (0, 0), numbers))

    def save(self) -> SavedContent:
        """All that is inside."""
        first, last = int(self.header[Carrier.FIRST]), int(self.header[Carrier.LAST])
        skipped = first - int(self.header[Carrier.ROOM_BEFORE])
        panels = self._panels[skipped : skipped + last - first]
        rows = int(self.header[Carrier.SEGMENTS_BEFORE])
        segments = self._segments[rows : rows + int(self.header[Header.SEGMENT_COUNT])]
        number = int(self.header[Header.DROPPED])
        return SavedContent(panels.copy(), segments.copy(), (first, number), self.reals[_NUMBERS].copy())

    def restore(self, saved: SavedContent) -> None:
        """Has inside what `save` gave."""
        count, rows = len(saved.panels), len(saved.segments)
        room, row_room = 2 * count + FIRST_PANELS, 2 * rows + FIRST_SEGMENTS
        self._panels = np.zeros((2 * room + count, CARRIED_PANEL))
        self._panels[room : room + count] = saved.panels
        self._segments = np.zeros((2 * row_room + rows, SEGMENT))
        self._segments[row_room : row_room + rows] = saved.segments
        first, number = saved.first
        header = self.header
        header[Header.PANELS] = self._panels.ctypes.data + 8 * CARRIED_PANEL * (room - first)
        header[Carrier.FIRST], header[Carrier.LAST] = first, first + count
        header[Carrier.ROOM_BEFORE], header[Carrier.ROOM_AFTER] = first - room, first + count + room
        header[Header.SEGMENTS] = self._segments.ctypes.data + 8 * SEGMENT * row_room
        header[Header.SEGMENT_COUNT], header[Header.SEGMENT_ROOM] = rows, rows + row_room
        header[Carrier.SEGMENTS_BEFORE] = row_room
        header[Header.DROPPED] = number
        self.reals[_NUMBERS] = saved.numbers

    def notice(self, memory: NDArray[np.float64]) -> None:
        """Notes what an event may change, as native code does after every step."""
        notice(self._kept, memory)

    def make_room(self, now: float) -> None:
        """Forgets what has come out, at the end that it came out of."""
        saved = self.save()
        position, direction = float(self.reals[Carrier.POSITION]), float(self.reals[Carrier.DIRECTION])
        panels, segments, (first, number) = saved.panels, saved.segments, saved.first
        if direction > 0.0:  # what is last may be asked still: a little more is kept
            inside = int(np.searchsorted(panels[:, BEGIN], 1.0 - position)) + 1
            panels = panels[:inside]
            segments = segments[segments[:, FIRST_PANEL] <= first + len(panels)]
        elif direction < 0.0:
            gone = max(0, int(np.searchsorted(panels[:, END], -position)) - 1)
            border = max(0, int(np.searchsorted(segments[:, FIRST_PANEL], first + gone, side="right")) - 1)
            panels, segments = panels[gone:], segments[border:].copy()
            first, number = first + gone, number + border
            segments[0, BEGIN], segments[0, FIRST_PANEL] = -NEVER, first
        self.restore(SavedContent(panels, segments, (first, number), saved.numbers))


def notice(kept: Mapping[Header, NDArray[Any]], memory: NDArray[np.float64]) -> None:
    """Copies what a history or a content watches in the memory."""
    slots = kept[Header.WATCHED]
    kept[Header.WATCHED_BEFORE][: len(slots)] = memory[slots]
    asked = kept[Header.SOURCES].reshape(-1, 2)[:, 0]
    kept[Header.SOURCES_BEFORE][: len(asked)] = memory[asked]


def _border(segments: list[list[float]], label: float, value: float, panel: int, order: float) -> None:
    """Begins a segment; one that begins at the same label is changed."""
    if segments[-1][BEGIN] == label:
        segments[-1][VALUE] = value
        segments[-1][ORDER] = min(order, segments[-1][ORDER])
    else:
        segments.append([label, value, float(panel), order])
