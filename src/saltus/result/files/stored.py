"""The result of a run that has not kept all: it has the variables that were stored, and all events.

What is decoded from rows, such as events and modes, needs them whole. The run has kept those from which it
can be decoded, and they are a result of their own, of fewer rows: `whole`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error
from saltus.core.wording import listed
from saltus.ir.flat import Variable
from saltus.result.events.events import EventTable
from saltus.result.events.impulses import Impulses
from saltus.result.exchange.curves import Curves, columns_of
from saltus.result.exchange.formats import write_result
from saltus.result.exchange.outlets import FileOutlet, Outlet
from saltus.result.exchange.state import State
from saltus.result.modes.modes import Modes
from saltus.result.result import Result
from saltus.result.steps.steps import Steps
from saltus.result.trajectories.trajectories import UnknownVariable

#: Names that a message lists.
_NAMED = 6


class NotStored(UnknownVariable):
    """There is a variable of that name, but it was not stored."""

    def __init__(self, name: str, stored: Sequence[str]) -> None:
        super().__init__(name, [])
        self._stored = stored

    def __str__(self) -> str:
        return f"`{self.name}` was not stored, only {listed(self._stored, _NAMED)}"


class StoredResult(Result):
    """A result that has the curves that were stored: they are read when they are first asked for."""

    def __init__(self, whole: Result, stored: Callable[[], Curves]) -> None:
        self.__dict__.update({k: v for k, v in whole.__dict__.items() if k not in _DECODED})
        self._whole, self._stored = whole, stored

    @property
    def whole(self) -> Result:
        """The rows that have all variables: those of the start, of the end and of events."""
        return self._whole

    @cached_property
    def _curves(self) -> Curves:
        return self._stored()

    # ------------------------------------------------------------ what was stored

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """Variables by name, in the order of declaration, of those that were stored."""
        return {name: v for name, v in self._whole.variables.items() if name in self._curves.arrays}

    @property
    def time(self) -> NDArray[np.float64]:
        """Times of the rows: events appear twice, with their left and right limits."""
        return self._curves.time.copy()

    def __len__(self) -> int:
        return len(self._curves.time)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A variable that was stored, over time; parameters as constant arrays."""
        if not isinstance(name, str):
            raise TypeError(f"a result is looked up by the name of a variable, not by {name!r}")
        if name == "time" or name in self._curves.arrays:
            return self._curves[name].copy()
        if name in self.unvarying:
            return np.full(len(self), float(self.unvarying[name]))
        self._whole[name]  # refuses what is no variable
        raise NotStored(name, self.names)

    def curves(self, patterns: Sequence[str] | None = None) -> Curves:
        """The variables that were stored, and all parameters; or those that fit one of the patterns."""
        for name in patterns or ():
            if name in self._whole.variables and name not in self.variables:
                raise usage_error(str(NotStored(name, self.names)), code="E502")
        found = replace(
            self._curves,
            model=self.model,
            arrays={name: self._curves.arrays[name] for name in self.names},
            columns=dict(columns_of(self._whole, [*self.names, *self.unvarying])),
            parameters=dict(self.unvarying),
        )
        return found if patterns is None else found.choose(patterns)

    # ------------------------------------------------------------ what is decoded from whole rows

    @cached_property
    def events(self) -> EventTable:
        """What happened at each event, decoded when looked at."""
        return self._whole.events

    @cached_property
    def modes(self) -> Modes:
        """Which branches of the equations were in force, from when to when."""
        return self._whole.modes

    @cached_property
    def impulses(self) -> Impulses:
        """Variables that were infinite for an instant, each with its integral over it."""
        return self._whole.impulses

    @property
    def steps(self) -> Steps:
        """Such a run has none."""
        self._refuse("has kept no steps")

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Such a run does not know."""
        self._refuse("does not know where variables are left open")

    def state_at(self, time: float | None = None, *, left: bool = False) -> State:
        """What another run needs to continue from a time: the start, the end, or that of an event."""
        if time is not None and time not in self._whole.time:
            self._refuse(f"does not know its state at time {time:g}, only at events, start and end")
        return self._whole.state_at(time, left=left)

    def _refuse(self, what: str) -> NoReturn:
        raise usage_error(f"a run that stores some variables only {what}", hint="leave `store` away")


#: What is decoded once, and what a result of fewer variables has otherwise.
_DECODED = ("variables", "events", "modes", "impulses")


def stored_result(result: Result, outlet: Outlet, *, owned: bool) -> Result:
    """The result of a run that had an outlet. If it was too short to use it, the result is what it would have
    been otherwise, and a file is written now if the outlet is `owned`: made for this run."""
    if outlet.has_begun:
        return StoredResult(result, outlet.curves)
    if not owned:
        return result
    if isinstance(outlet, FileOutlet):
        write_result(result, outlet.path, outlet.patterns, outlet.parameters)
    if outlet.patterns is None:
        return result
    return StoredResult(result, partial(result.curves, outlet.patterns))
