"""The modes that an event passes through on its way from the left limits to the right ones.

Two kinds, as in paper 002: a mode is *mythical* if it was tried, and its own values contradict what it takes
for granted; a round that is over has changed states or remembered values, and is a *pinnacle* if another
round leads out of it. Modes that a search tries out one by one (`saltus.run.iteration.search`,
`saltus.run.modes.mode_search`) are none of them: the model does not pass through those.

There is a trail only if the steps of a run are requested. It copies numbers, and changes none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from saltus.result.steps.passed import MYTHICAL, PINNACLE


class Walker(Protocol):
    """The memory of a program, of which only the numbers matter here."""

    array: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Footprint:
    """The numbers of a program in a mode that was passed through."""

    memory: Walker
    numbers: NDArray[np.float64]
    kind: str


class Trail:
    """The trail of one event at a time."""

    def __init__(self) -> None:
        self._found: list[Footprint] = []
        self._round = 0  # where the present one begins
        self._goes = False

    def begin(self) -> None:
        """An event begins, or begins anew."""
        self._found, self._round, self._goes = [], 0, True

    def end(self) -> Sequence[Footprint]:
        """The event is over. Returns all modes that were passed through, in order; the last one is where the
        event has ended. What is computed until the next event is part of none."""
        found, self._found, self._goes = self._found, [], False
        return found

    def begin_choice(self) -> None:
        """The mode of a round is chosen anew: what was tried for it is forgotten."""
        del self._found[self._round :]

    def tries(self, memory: Walker) -> None:
        """All values of a mode have been computed, with the truths that it takes for granted."""
        if self._goes:
            self._found.append(Footprint(memory, memory.array.copy(), MYTHICAL))

    def stays(self) -> None:
        """The last one that was tried agrees with its values, and is not left."""
        if len(self._found) > self._round:
            self._found.pop()

    def ends_round(self, memory: Walker) -> None:
        """A round is over: its values become those before the next one."""
        if self._goes:
            self._found.append(Footprint(memory, memory.array.copy(), PINNACLE))
            self._round = len(self._found)
