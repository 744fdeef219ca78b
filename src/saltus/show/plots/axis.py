"""What curves are drawn over: time, the numbers of steps, or another variable.

Over time the modes that an event passes through lie one upon the other. Over the numbers of the steps each
has a place of its own; instants that have any are shaded, and their mythical modes and pinnacles are marked.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import NDArray

from saltus.core.nearest import did_you_mean
from saltus.core.option import usage_error
from saltus.expr.nodes import Op, leaf_symbol
from saltus.result.log.records import BOOKKEEPING
from saltus.result.result import Result
from saltus.result.steps.passed import MYTHICAL, PINNACLE
from saltus.show.plots.drawn import Drawn

#: More events than this are not marked: the lines would only turn the picture grey.
MARKED_EVENTS = 60

#: More impulses of one variable than this have no arrows.
MARKED_IMPULSES = 12

#: More ticks than this of one clock have no dots.
MARKED_TICKS = 120

#: How modes are marked that are passed through, and whether they are hollow: what has no effect is.
_MARKS = {MYTHICAL: ("o", True), PINNACLE: ("^", False)}
_SHADE = "0.92"


class Axis(Protocol):
    """Values of a run along an axis."""

    #: Places on the axis.
    places: NDArray[np.float64]
    #: What the axis is called.
    label: str
    #: How lines of what switches are drawn.
    switching: str
    #: Whether places go from left to right, and are the same for all runs.
    ascends: bool

    def values(self, name: str) -> NDArray[np.float64]:
        """A variable at these places."""

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Where the equations leave a variable open."""

    def mark(self, axes: Axes, names: list[str], colours: list[str]) -> None:
        """Marks what is special about places, on the curves of some variables."""


class OverTime:
    """Time, with a thin line at each event, an arrow for each impulse, and a dot for each tick of a clock."""

    label, switching, ascends = "time [s]", "steps-post", True

    def __init__(self, drawn: Drawn) -> None:
        self._drawn, self.places = drawn, drawn.time

    def values(self, name: str) -> NDArray[np.float64]:
        """A variable over time."""
        return self._drawn.values(name)

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Where the equations leave a variable open."""
        return self._drawn.undetermined(name)

    def mark(self, axes: Axes, names: list[str], colours: list[str]) -> None:
        """Marks events, ticks and impulses."""
        result = self._drawn.result
        if result is None:
            return
        mark_events(axes, result)
        for name, colour in zip(names, colours, strict=True):
            if name in result.variables:
                mark_ticks(axes, self._drawn, name, colour)
                mark_impulses(axes, self._drawn, name, colour)


class OverSteps:
    """Numbers of steps."""

    label, switching, ascends = "step k", "steps-mid", True

    def __init__(self, drawn: Drawn) -> None:
        if drawn.result is None:
            raise usage_error("a file of results has no steps to draw over")
        self._drawn, self._steps = drawn, drawn.result.steps
        self.places = self._steps.k.astype(np.float64)

    def values(self, name: str) -> NDArray[np.float64]:
        """A variable at each step."""
        return self._drawn.shown(name, self._steps[name])

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Nothing: it is not known for modes that are passed through."""
        return np.zeros(len(self.places), dtype=bool)

    def mark(self, axes: Axes, names: list[str], colours: list[str]) -> None:
        """Shades instants that pass through something, and marks what that is."""
        instants = self._steps.instants
        if len(instants) <= MARKED_EVENTS:
            for first, last in instants:
                axes.axvspan(first - 0.5, last + 0.5, color=_SHADE, linewidth=0, zorder=-1)
        for kind, (marker, hollow) in _MARKS.items():
            own = self._steps.kind == kind
            for number, (name, colour) in enumerate(zip(names, colours, strict=True)):
                if own.any():
                    axes.plot(
                        self.places[own],
                        self.values(name)[own],
                        color=colour,
                        linestyle="none",
                        marker=marker,
                        markersize=5.0,
                        markerfacecolor="none" if hollow else colour,
                        label=kind if not number else None,
                    )


class OverVariable:
    """Another variable: a phase plot. Between the two limits of an event there is no course, only a jump,
    which is a thin dotted line; a dot is where the run begins."""

    switching, ascends = "default", False

    def __init__(self, drawn: Drawn, name: str) -> None:
        self._drawn = drawn
        self.label = drawn.titled(name)
        x = drawn.values(name)
        self._jumps = np.flatnonzero(np.diff(drawn.time) == 0) + 1
        self._x = x
        self.places = np.insert(x, self._jumps, np.nan)

    def values(self, name: str) -> NDArray[np.float64]:
        """A variable where the other one has the values of `places`, with gaps at jumps."""
        return np.insert(self._drawn.values(name), self._jumps, np.nan)

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Where the equations leave a variable open."""
        return np.insert(self._drawn.undetermined(name), self._jumps, False)

    def mark(self, axes: Axes, names: list[str], colours: list[str]) -> None:
        """Draws jumps, and the begin."""
        for name, colour in zip(names, colours, strict=True):
            y = self._drawn.values(name)
            ends = np.stack([self._jumps - 1, self._jumps], axis=1)
            lines = np.stack([self._x[ends], y[ends]], axis=2)
            moved = (lines[:, 0] != lines[:, 1]).any(axis=1)
            axes.add_collection(
                LineCollection(list(lines[moved]), colors=colour, linewidths=1.0, linestyles=":", alpha=0.8)
            )
            axes.plot(self._x[:1], y[:1], color=colour, marker="o", markersize=4.0, label="_begin")


def axis_of(drawn: Drawn, against: str) -> Axis:
    """The axis of that name: `time`, `k` for the numbers of steps, or that of a variable."""
    match against:
        case "time":
            return OverTime(drawn)
        case "k" if "k" not in drawn or (drawn.result is not None and drawn.result.passed is not None):
            return OverSteps(drawn)
        case _ if against in drawn:
            return OverVariable(drawn, against)
        case _:
            hint = did_you_mean(against, drawn.names) or "choose time, k, or a variable"
            raise usage_error(f"curves are not drawn against {against!r}", hint=hint)


def mark_ticks(axes: Axes, drawn: Drawn, name: str, colour: str) -> None:
    """Dots on the curve of a variable with a clock, where that ticks, unless there are too many. Between them
    it has no value of its own."""
    assert drawn.result is not None
    times = tick_times(drawn.result, name)
    if 0 < len(times) <= MARKED_TICKS:
        rows = np.searchsorted(drawn.time, times, side="right") - 1
        axes.plot(times, drawn.values(name)[rows], "o", color=colour, markersize=3.0, label="_ticks")


def tick_times(result: Result, name: str) -> NDArray[np.float64]:
    """When the clock of a variable has ticked; never, if it has none."""
    for base in result.structure.model.partitions:
        for sub in base.subs:
            if name in sub.variables and sub.tick.op is Op.REF:
                return result.events.when_true(leaf_symbol(sub.tick))
    return np.empty(0)


def mark_impulses(axes: Axes, drawn: Drawn, name: str, colour: str) -> None:
    """Arrows from the curve of a variable to the edge on whose side it was infinite, with what it adds up to,
    unless there are too many."""
    assert drawn.result is not None
    own = drawn.result.impulses[name]
    if not own or len(own) > MARKED_IMPULSES:
        return
    values, low, high = drawn.values(name), *axes.get_ylim()
    room = 0.35 * (high - low)
    axes.set_ylim(low - room * any(i.weight < 0 for i in own), high + room * any(i.weight > 0 for i in own))
    for one in own:
        row = min(int(np.searchsorted(drawn.time, one.time)), len(values) - 1)
        up = one.weight > 0
        axes.annotate(
            f"{one.weight:.3g}{f' {one.unit}' if one.unit else ''}",
            xy=(one.time, values[row]),
            xytext=(one.time, 0.97 if up else 0.03),
            textcoords=axes.get_xaxis_transform(),
            ha="center",
            va="top" if up else "bottom",
            color=colour,
            fontsize="x-small",
            arrowprops={"arrowstyle": "<|-", "color": colour, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0},
        )


def mark_events(axes: Axes, result: Result) -> None:
    """Thin vertical lines at events, unless there are too many."""
    # The columns are enough: decoding thousands of events would only cost time.
    columns = result.events.columns
    times = np.unique(columns.times[~np.isin(columns.kinds, list(BOOKKEEPING))])
    if 0 < len(times) <= MARKED_EVENTS:
        axes.vlines(
            times,
            0,
            1,
            transform=axes.get_xaxis_transform(),
            colors="0.5",
            linewidth=0.5,
            alpha=0.35,
            zorder=0,
        )
