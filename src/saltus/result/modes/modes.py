"""The timeline of modes of a run: which branches of the equations were in force, from when to when.

    0         0.5236    1   body.v > 0 is false
    0.5236    3.4328    2   body.v > 0 is true

A *mode* (`saltus.result.modes.stays`) is given by the values of its guards (`saltus.result.modes.guards`) and
by what the equations are then: how many states they have, their index, what they leave open. Most models run
with one program for all modes; then they differ in their guards only. Where the structure depends on the
mode, the run changes programs, and each part of the recording has the structure of its own
(`saltus.result.trajectories.recording`).

Everything is read from what the run has recorded anyway (`saltus.result.modes.timeline`), when it
is first needed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.wording import number
from saltus.result.modes.components import Component, components
from saltus.result.modes.stays import Mode, Stay
from saltus.result.modes.timeline import Timeline
from saltus.result.trajectories.trajectories import Trajectories

#: Stays and modes that the text of a timeline shows.
_SHOWN = 20

#: Columns of the table of stays.
COLUMNS = ("start", "stop", "mode", "guards", "states", "index", "largest_block", "open")


class Modes(Sequence[Stay]):
    """The modes of a run in the order of time.

    result.modes[0]           the first stay: start, stop, mode
    result.modes.visited      all modes, in the order of the first visit
    result.modes.at(0.5)      the mode at a time
    result.modes.components   each part that decides for itself, with stays of its own
    result.modes.table()      rows for a table; to_pandas() for a DataFrame
    """

    def __init__(self, result: Trajectories) -> None:
        self._result = result

    # ------------------------------------------------------------ the timeline

    @cached_property
    def _stays(self) -> list[Stay]:
        return list(Timeline(self._result).stays())

    @cached_property
    def visited(self) -> tuple[Mode, ...]:
        """All modes, in the order of the first visit."""
        return tuple(dict.fromkeys(stay.mode for stay in self._stays))

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """The parts of the model that decide for themselves, each with the stays of its own guards. Where
        many parts switch, every event has a combined mode of its own, and this is what to look at."""
        return tuple(components(self._result))

    def at(self, time: float) -> Mode:
        """The mode at a time; at an event, the one after it."""
        if not self._stays or not self._stays[0].start <= time <= self._stays[-1].stop:
            span = f"from time {self[0].start:.9g} to {self[-1].stop:.9g}" if self._stays else "nowhere"
            raise UsageError(Diagnostic("E501", f"the run went {span}, and {time:.9g} is outside"))
        return self._stays[bisect_right(self._stays, time, key=lambda stay: stay.start) - 1].mode

    def duration(self, mode: Mode) -> float:
        """All the time that was spent in a mode."""
        return float(sum(stay.stop - stay.start for stay in self._stays if stay.mode is mode))

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Where stays of some length begin, and where the last one ends."""
        return np.array([*(s.start for s in self._lasting), *(s.stop for s in self._stays[-1:])])

    @property
    def numbers(self) -> NDArray[np.intp]:
        """The modes of the stays of some length, by number; one entry less than `bounds`."""
        return np.array([s.mode.number for s in self._lasting], dtype=np.intp)

    @property
    def _lasting(self) -> list[Stay]:
        return [s for s in self._stays if s.stop > s.start]

    def __len__(self) -> int:
        return len(self._stays)

    @overload
    def __getitem__(self, index: int) -> Stay: ...
    @overload
    def __getitem__(self, index: slice) -> list[Stay]: ...
    def __getitem__(self, index: int | slice) -> Stay | list[Stay]:
        return self._stays[index]

    # ------------------------------------------------------------ as a table

    def table(self) -> list[dict[str, Any]]:
        """One row a stay, with plain values."""
        return [{"start": s.start, "stop": s.stop, **s.mode.row()} for s in self._stays]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each stay."""
        try:
            import pandas
        except ImportError as error:
            raise UsageError(
                Diagnostic("E501", "pandas is not installed", hint="pip install saltus[pandas]")
            ) from error
        return pandas.DataFrame(self.table(), columns=COLUMNS)

    def __repr__(self) -> str:
        """The modes with what the equations are in each, and the first stays."""
        visited, stays = self.visited, self._stays
        lines = [f"<{number(len(visited), 'mode')}, {number(len(stays), 'stay')}>"]
        lines += aligned(
            [("mode", "states", "index", "largest block", "guards")]
            + [
                (f"{m.number}", f"{len(m.states)}", f"{m.index}", f"{m.largest_block}", m.brief)
                for m in visited[:_SHOWN]
            ]
        )
        lines += _more(visited)
        lines += aligned(
            [("from", "to", "mode")]
            + [(f"{s.start:.9g}", f"{s.stop:.9g}", str(s.mode.number)) for s in stays[:_SHOWN]]
        )
        return "\n".join(lines + _more(stays))


def _more(entries: Sequence[Any]) -> list[str]:
    return [f"  ... and {len(entries) - _SHOWN} more"] if len(entries) > _SHOWN else []


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows of a table, as wide as they have to be; the last column has no end."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
