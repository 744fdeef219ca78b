"""What curves are drawn over: time, or the numbers of steps.

Over time the modes that an event passes through lie one upon the other. Over the numbers of the steps each
has a place of its own; instants that have any are shaded, and their mythical modes and pinnacles are marked.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.result.log.records import BOOKKEEPING
from saltus.result.result import Result
from saltus.result.steps.passed import MYTHICAL, PINNACLE

#: More events than this are not marked: the lines would only turn the picture grey.
MARKED_EVENTS = 60

#: How modes are marked that are passed through, and whether they are hollow: what has no effect is.
_MARKS = {MYTHICAL: ("o", True), PINNACLE: ("^", False)}
_SHADE = "0.92"


class Axis(Protocol):
    """Values along an axis."""

    #: Places on the axis.
    places: NDArray[np.float64]
    #: What the axis is called.
    label: str
    #: How lines of what switches are drawn.
    switching: str

    def values(self, name: str) -> NDArray[np.float64]:
        """A variable at these places."""

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Where the equations leave a variable open."""

    def mark(self, axes: Axes, names: list[str], colours: list[str]) -> None:
        """Marks what is special about places, on the curves of some variables."""


class OverTime:
    """Time, with a thin line at each event."""

    label, switching = "time [s]", "steps-post"

    def __init__(self, result: Result) -> None:
        self._result, self.places = result, result.time

    def values(self, name: str) -> NDArray[np.float64]:
        """A variable over time."""
        return self._result[name]

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Where the equations leave a variable open."""
        return self._result.undetermined(name)

    def mark(self, axes: Axes, names: list[str], colours: list[str]) -> None:
        """Marks events."""
        mark_events(axes, self._result)


class OverSteps:
    """Numbers of steps."""

    label, switching = "step k", "steps-mid"

    def __init__(self, result: Result) -> None:
        self._steps = result.steps
        self.places = self._steps.k.astype(np.float64)

    def values(self, name: str) -> NDArray[np.float64]:
        """A variable at each step."""
        return self._steps[name]

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Of modes that are passed through it is not told."""
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


def axis_of(result: Result, against: str) -> Axis:
    """The axis of that name: `time`, or `k`."""
    match against:
        case "time":
            return OverTime(result)
        case "k":
            return OverSteps(result)
        case _:
            raise UsageError(
                Diagnostic("E501", f"curves are not drawn against {against!r}", hint="choose time or k")
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
