"""A run by number: the rows of its result, and between the two limits of an event the modes that it has
passed through (paper 002).

    steps = result.steps
    steps["shaft.w"][steps.kind == "mythical"]

A step of kind `left limit` or `continuous` is a row of the result. Between them are `mythical` modes, whose
values are those that the mode would have given, and `pinnacles`, which the model has been in for no time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.core.wording import number
from saltus.result.log.records import TURNS, by_python
from saltus.result.modes.timeline import Timeline
from saltus.result.steps.csv import write_steps
from saltus.result.steps.passed import (
    CONTINUOUS,
    KINDS,
    LEFT_LIMIT,
    MYTHICAL,
    PINNACLE,
    Impulses,
    Passed,
)
from saltus.result.trajectories.trajectories import Trajectories

#: The event of a row that belongs to none.
NO_EVENT = -1

#: Instants that the text of steps shows, and signs of each line.
_SHOWN, _LONGEST = 10, 160


class Step(NamedTuple):
    """One step: its number, time, kind, the number of its event (-1 if it is of none), the mode in words, and
    by name the impulses with which the mode was entered; at the end of an event, those of all of it."""

    k: int
    time: float
    kind: str
    event: int
    mode: str
    impulses: dict[str, float]

    def __str__(self) -> str:
        impulses = "".join(f"  [impulse of {name}: {x:.6g}]" for name, x in self.impulses.items())
        return f"{self.k:<6}  {self.time:<12.9g}  {self.kind:<10}  {self.mode}{impulses}"


class Steps(Sequence[Step]):
    """The steps of a run in their order.

    steps["body.v"]           a variable over all steps; also "time", derivatives and parameters
    steps.time, steps.kind    arrays, like steps.k (0, 1, 2, ...) and steps.event, the number of the event
    steps.mode                the mode of each step in words, as in `result.modes`
    steps.impulses("body.f")  an array: the impulse with which each step was entered
    steps[7]                  one step
    steps.at(0.6)             the steps of an instant
    steps.to_csv(path), steps.to_pandas()
    """

    def __init__(self, result: Trajectories, passed: Passed) -> None:
        self._result, self._passed = result, passed
        timeline = Timeline(result, [part.structure for part in passed.recording.parts])
        self._modes = timeline.words_of_rows(), timeline.words_of_others(passed.recording, passed.truths)
        #: The numbers of what was passed through, among all that the run has kept.
        self._left = self._left_again()
        #: The rows of the result before which that is.
        self._places = result.event_columns.rights[passed.events[self._left]]

    def _left_again(self) -> NDArray[np.intp]:
        """A mode that was tried is none that was passed through if it is that of the step before it, from
        where the event comes, or of the one after it: then other variables have followed."""
        events, kinds, (of_rows, of_passed) = self._passed.events, self._passed.kinds, self._modes
        columns, found, before = self._result.event_columns, list[int](), ""
        for k, kind in enumerate(kinds):
            if k == 0 or events[k - 1] != events[k]:
                before = of_rows[columns.lefts[events[k]]]
            is_last = k + 1 == len(kinds) or events[k + 1] != events[k]
            after = of_rows[columns.rights[events[k]]] if is_last else of_passed[k + 1]
            if kind != MYTHICAL or of_passed[k] not in (before, after):
                found.append(k)
                before = of_passed[k]
        return np.array(found, dtype=np.intp)

    # ------------------------------------------------------------ columns

    def _joined(self, rows: NDArray[Any], passed: Any) -> NDArray[Any]:
        """What rows of the result have, and between them what modes have that were passed through."""
        return np.insert(rows, self._places, np.asarray(passed)[self._left])

    @property
    def k(self) -> NDArray[np.intp]:
        """Numbers of the steps."""
        return np.arange(len(self), dtype=np.intp)

    @cached_property
    def time(self) -> NDArray[np.float64]:
        """Times of the steps; all steps of an event have the same."""
        return self.column("time")

    @cached_property
    def kind(self) -> NDArray[np.str_]:
        """`left limit`, `mythical`, `pinnacle` or `continuous`, for each step."""
        columns = self._result.event_columns
        kinds = np.full(len(self._result), CONTINUOUS, dtype=f"<U{max(map(len, KINDS))}")
        leaps = ~np.isin(columns.kinds, list(TURNS)) & (columns.lefts < columns.rights)
        kinds[columns.lefts[leaps]] = LEFT_LIMIT
        return self._joined(kinds, self._passed.kinds)

    @cached_property
    def event(self) -> NDArray[np.intp]:
        """The number of the event in `result.events` that each step belongs to; -1 between events."""
        columns = self._result.event_columns
        events = np.full(len(self._result), NO_EVENT, dtype=np.intp)
        numbers = np.arange(len(columns.times), dtype=np.intp)
        events[columns.lefts] = numbers
        events[columns.rights] = numbers
        return self._joined(events, self._passed.events)

    @cached_property
    def mode(self) -> NDArray[np.object_]:
        """The mode of each step in words."""
        rows, passed = self._modes
        return self._joined(np.array(rows, dtype=object), np.array(passed, dtype=object))

    # ------------------------------------------------------------ variables

    @property
    def names(self) -> list[str]:
        """Names of all variables that change, in the order of declaration."""
        return self._result.names

    def column(self, name: str) -> NDArray[np.float64]:
        """A variable over all steps; also `time`, derivatives and parameters."""
        return self._joined(self._result[name], self._result.along(self._passed.recording, name))

    @overload
    def __getitem__(self, index: str) -> NDArray[np.float64]: ...
    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice | str) -> NDArray[np.float64] | Step | list[Step]:
        if isinstance(index, str):
            return self.column(index)
        if isinstance(index, slice):
            return [self._step(k) for k in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._step(index % len(self))

    def __iter__(self) -> Iterator[Step]:
        return map(self._step, range(len(self)))

    def __contains__(self, name: object) -> bool:
        return name in self._result

    def __len__(self) -> int:
        return len(self._result) + len(self._left)

    def _step(self, k: int) -> Step:
        event = int(self.event[k])
        told = ((*self._result.users_names.get(name, (name, False)), x) for name, x in self._weights[k])
        hidden = self._result.hidden_names
        impulses = {name: -x if negated else x for name, negated, x in told if name not in hidden}
        return Step(k, float(self.time[k]), str(self.kind[k]), event, str(self.mode[k]), impulses)

    @cached_property
    def _weights(self) -> list[Impulses]:
        """For each step the impulses with which it was entered, by internal names."""
        found: list[Impulses] = [()] * len(self)
        own = {number: record.impulses for number, record in by_python(self._result.records)}
        ends = np.flatnonzero((self.kind == CONTINUOUS) & (self.event != NO_EVENT)).tolist()
        for k in ends:
            found[k] = own.get(int(self.event[k]), ())
        between = np.flatnonzero(np.isin(self.kind, (MYTHICAL, PINNACLE))).tolist()
        for k, place in zip(between, self._left.tolist(), strict=True):
            found[k] = self._passed.impulses[place]
        return found

    def impulses(self, name: str) -> NDArray[np.float64]:
        """The impulse of a variable with which each step was entered: its integral over the instant, 0 where
        there was none."""
        if name not in self._result.variables:
            message = f"there is no variable `{name}` that could have impulses"
            raise UsageError(Diagnostic("E502", message, hint=did_you_mean(name, self.names)))
        source, negated = self._result.source(name)
        sign = -1.0 if negated else 1.0
        return np.array([sum(sign * x for of, x in found if of == source) for found in self._weights])

    # ------------------------------------------------------------ choosing

    def at(self, time: float) -> list[Step]:
        """The steps of the instant that is nearest to a time, of all its events."""
        of_events = np.flatnonzero(self.event != NO_EVENT)
        if not len(of_events):
            return []
        times = self.time[of_events]
        nearest = times[np.argmin(np.abs(times - time))]
        return [self._step(k) for k in of_events[times == nearest].tolist()]

    @property
    def instants(self) -> list[tuple[int, int]]:
        """The first and the last step of each event that has passed through something."""
        chosen = np.flatnonzero(np.isin(self.event, self._passed.events[self._left]))
        _, firsts, counts = np.unique(self.event[chosen], return_index=True, return_counts=True)
        lasts = chosen[firsts + counts - 1]
        return list(zip(chosen[firsts].tolist(), lasts.tolist(), strict=True))

    # ------------------------------------------------------------ elsewhere

    def to_csv(self, path: str | Path, names: Sequence[str] | None = None) -> None:
        """Writes `k`, `time`, `kind` and the variables (all, or those named) as comma-separated values. If
        there is a variable `k` or `kind`, the columns of the steps are `step.k` and `step.kind`."""
        write_steps(self, self._result, path, names)

    def to_pandas(self, names: Sequence[str] | None = None) -> Any:
        """A pandas DataFrame with the variables; its index has the levels `k`, `time` and `kind`."""
        try:
            import pandas
        except ImportError as error:
            raise UsageError(
                Diagnostic("E501", "pandas is not installed", hint="pip install saltus[pandas]")
            ) from error
        chosen = self.names if names is None else list(names)
        levels = (self.k, self.time, self.kind)
        index = pandas.MultiIndex.from_arrays(levels, names=("k", "time", "kind"))
        return pandas.DataFrame({name: self[name] for name in chosen}, index=index)

    def __repr__(self) -> str:
        """How many there are, and the first instants at which modes were passed through."""
        mythical, pinnacles = (int(np.count_nonzero(self.kind == kind)) for kind in (MYTHICAL, PINNACLE))
        passed = f"{mythical} {MYTHICAL}, {number(pinnacles, PINNACLE)}"
        lines = [f"<{number(len(self), 'step')}: {passed}>"]
        instants = self.instants
        for first, last in instants[:_SHOWN]:
            lines += [_cut(f"  {self._step(k)}") for k in range(first, last + 1)]
        if len(instants) > _SHOWN:
            lines.append(f"  ... and {number(len(instants) - _SHOWN, 'more instant')}")
        return "\n".join(lines)


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
