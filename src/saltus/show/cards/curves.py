"""A small plot as SVG text: curves over time, one panel a unit, what switches below, events as thin lines.

It stands beside `saltus.show.plots`, which draws by matplotlib, because it takes milliseconds: a slider that
is dragged has to move its curves along. Text and axes have the colour of the page, so that one picture suits
light and dark themes. It says what these plots say: dotted is what the equations leave open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Type
from saltus.result.log.records import BOOKKEEPING
from saltus.result.result import Result
from saltus.show.plots.drawn import Drawn

Numbers = NDArray[np.float64]

#: Pixels: the whole width, the axes' place in it, and the heights of panels.
WIDTH, LEFT, RIGHT = 760.0, 66.0, 590.0
TALL, LOW, GAP, TOP, BOTTOM = 120.0, 40.0, 22.0, 16.0, 34.0

#: Colours that can be distinguished on white and on black.
COLOURS = ("#3f87cf", "#e08a2e", "#43a35a", "#d8524f", "#9b76d2", "#a97b5e", "#d873b4", "#8a9299")

#: More events than this would only make the picture grey; longer names are cut.
MARKED_EVENTS, LONGEST = 60, 22

#: From this many points per pixel on only the extreme ones are drawn.
_CROWDED = 4

_GRID = 'stroke="currentColor" stroke-opacity="0.15"'
_AXIS = 'stroke="currentColor" stroke-opacity="0.55"'


def curves_svg(result: Result, names: Sequence[str]) -> str:
    """The plot, as an element of a page."""
    drawn = Drawn(result)
    panels = _panels(drawn, names)
    top = TOP
    body: list[str] = []
    span = _span(drawn.time)
    for panel in panels:
        body += panel.elements(top, span)
        top += panel.height + GAP
    bottom = top - GAP
    body += [*_time_axis(span, bottom), *_events(result, span, bottom)]
    size = f'viewBox="0 0 {WIDTH:g} {bottom + BOTTOM:g}" width="{WIDTH:g}"'
    # In a narrow cell it becomes smaller, in place of a bar to scroll by.
    size += ' style="display: block; max-width: 100%; height: auto"'
    told = escape(f"{', '.join(names)} over time")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{told}" fill="currentColor" '
        f'font-size="11" font-family="system-ui, sans-serif">{"".join(body)}</svg>'
    )


# ---------------------------------------------------------------- panels


@dataclass
class _Panel:
    """Curves with one vertical axis; one curve only, if it is of a variable that switches."""

    drawn: Drawn
    names: list[str]
    colours: list[str]
    unit: str
    switches: bool

    @property
    def height(self) -> float:
        return LOW if self.switches else TALL

    def elements(self, top: float, span: tuple[float, float]) -> Iterator[str]:
        values = [self.drawn.values(name) for name in self.names]
        low, high = self._limits(values)
        bottom, height = top + self.height, self.height
        x = _placed(self.drawn.time, *span, LEFT, RIGHT)
        for value, text in self._ticks(low, high):
            y = bottom - height * (value - low) / (high - low)
            yield f'<path d="M{LEFT:g} {y:.1f}H{RIGHT:g}" {_GRID}/>'
            yield f'<text x="{LEFT - 6:g}" y="{y + 3.7:.1f}" text-anchor="end">{escape(text)}</text>'
        yield f'<path d="M{LEFT:g} {top:g}V{bottom:g}" {_AXIS}/>'
        if self.unit:
            yield f'<text x="{LEFT:g}" y="{top - 5:g}" text-anchor="end">[{escape(self.unit)}]</text>'
        for k, (name, own) in enumerate(zip(self.names, values, strict=True)):
            y_of = _placed(np.clip(own, low, high), low, high, bottom, top)
            steps, open_ = self.drawn.is_discrete(name), self.drawn.undetermined(name)
            colour = f'fill="none" stroke="{self.colours[k]}" stroke-linejoin="round"'
            solid = _path(x, np.where(open_, np.nan, y_of), steps=steps)
            yield f'<path d="{solid}" {colour} stroke-width="1.6"/>'
            if open_.any():
                dotted = _path(x, np.where(open_, y_of, np.nan), steps=steps)
                yield f'<path d="{dotted}" {colour} stroke-dasharray="1.5 3"/>'
            yield from self._legend(k, name, top)

    def _legend(self, k: int, name: str, top: float) -> Iterator[str]:
        y = top + 8 + 15 * k
        shown = name if len(name) <= LONGEST else "…" + name[1 - LONGEST :]
        colour = f'stroke="{self.colours[k]}" stroke-width="2.5"'
        yield f'<path d="M{RIGHT + 10:g} {y:g}h14" {colour}/>'
        text = f'<text x="{RIGHT + 30:g}" y="{y + 3.7:.1f}">{escape(shown)}'
        yield f"{text}<title>{escape(name)}</title></text>"

    def _limits(self, values: Sequence[Numbers]) -> tuple[float, float]:
        known = [v[np.isfinite(v)] for v in values]
        low = min((float(v.min()) for v in known if len(v)), default=0.0)
        high = max((float(v.max()) for v in known if len(v)), default=1.0)
        if self.switches:
            column = self.drawn.column(self.names[0])
            low, high = (0, 1) if column.type is Type.BOOLEAN else (low, max(high, low + 1))
        if high - low <= 1e-12 * max(abs(low), abs(high)):  # a constant lies in the middle
            room = abs(low) * 0.1 or 1.0
            return low - room, high + room
        room = 0.04 * (high - low)
        return low - room, high + room

    def _ticks(self, low: float, high: float) -> list[tuple[float, str]]:
        column = self.drawn.column(self.names[0])
        if not self.switches:
            return _ticks(low, high, 4)
        if column.type is Type.BOOLEAN:
            return [(0.0, "false"), (1.0, "true")]
        shown = list(range(ceil(low), floor(high) + 1))
        if column.literals:
            return [(float(k), column.literals[k - 1]) for k in shown if 1 <= k <= len(column.literals)]
        return [(float(k), str(k)) for k in shown[:: max(1, ceil(len(shown) / 4))]]


def _panels(drawn: Drawn, names: Sequence[str]) -> list[_Panel]:
    """Reals by unit, above; what counts or switches by itself, below. Reals without a unit do not share."""
    tall: list[_Panel] = []
    low: list[_Panel] = []
    for k, name in enumerate(names):
        colour, unit = COLOURS[k % len(COLOURS)], drawn.unit(name)
        if drawn.switches(name) and drawn.is_discrete(name):
            low.append(_Panel(drawn, [name], [colour], "", switches=True))
            continue
        shared = next((p for p in tall if unit and p.unit == unit), None)
        if shared is None:
            tall.append(_Panel(drawn, [name], [colour], unit, switches=False))
        else:
            shared.names.append(name)
            shared.colours.append(colour)
    return [*tall, *low]


# ---------------------------------------------------------------- axes


def _span(time: Numbers) -> tuple[float, float]:
    begin, end = float(time[0]), float(time[-1])
    return (begin, end) if end > begin else (begin - 0.5, begin + 0.5)


def _time_axis(span: tuple[float, float], bottom: float) -> Iterator[str]:
    yield f'<path d="M{LEFT:g} {bottom:g}H{RIGHT:g}" {_AXIS}/>'
    for value, text in _ticks(*span, 7):
        x = LEFT + (RIGHT - LEFT) * (value - span[0]) / (span[1] - span[0])
        yield f'<path d="M{x:.1f} {bottom:g}v4" {_AXIS}/>'
        yield f'<text x="{x:.1f}" y="{bottom + 16:g}" text-anchor="middle">{escape(text)}</text>'
    yield f'<text x="{RIGHT + 10:g}" y="{bottom + 3.7:g}">time [s]</text>'


def _events(result: Result, span: tuple[float, float], bottom: float) -> Iterator[str]:
    columns = result.events.columns
    times = np.unique(columns.times[~np.isin(columns.kinds, list(BOOKKEEPING))])
    if 0 < len(times) <= MARKED_EVENTS:
        lines = "".join(f"M{x:.1f} {TOP:g}V{bottom:g}" for x in _placed(times, *span, LEFT, RIGHT))
        yield f'<path d="{lines}" stroke="currentColor" stroke-opacity="0.22" stroke-width="0.7"/>'


def _ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Round numbers between two limits, at least two of them if there is room, as text."""
    raw = (high - low) / most
    power = 10.0 ** floor(log10(raw))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= raw * 0.999)
    values = [k * step for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    return [(v, f"{v:.6g}") for v in values]


# ---------------------------------------------------------------- curves


def _placed(values: Numbers, low: float, high: float, first: float, last: float) -> Numbers:
    return first + (last - first) * (values - low) / (high - low)


def _path(x: Numbers, y: Numbers, *, steps: bool) -> str:
    """The `d` of a path, with gaps where there is no number."""
    if steps and len(x) > 1:
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    if len(x) > _CROWDED * (RIGHT - LEFT):
        x, y = _thinned(x, y)
    known = np.isfinite(y)
    begins = known & ~np.append(False, known[:-1])
    marks = np.where(begins, "M", "L")[known].tolist()
    points = zip(marks, x[known].tolist(), y[known].tolist(), strict=True)
    return "".join(f"{mark}{a:.1f} {b:.1f}" for mark, a, b in points)


def _thinned(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """In each column of pixels the first, least, greatest and last point: the picture is the same."""
    column = np.floor(x)
    starts = np.flatnonzero(np.append(True, column[1:] != column[:-1]))
    ends = np.append(starts[1:], len(x)) - 1
    least, most = np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)
    thin = np.stack([y[starts], least, most, y[ends]], axis=1)
    return np.repeat(x[starts], 4), thin.ravel()
