"""The modes that events have passed through, as a run leaves them behind (paper 002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.result.trajectories.recording import Recording

#: A row before an event; a mode that was tried and left, without an effect; a mode that has changed states or
#: remembered values, and was left at the same instant; everything else.
LEFT_LIMIT, MYTHICAL, PINNACLE, CONTINUOUS = "left limit", "mythical", "pinnacle", "continuous"

#: All kinds of steps, in the order of an instant.
KINDS = (LEFT_LIMIT, MYTHICAL, PINNACLE, CONTINUOUS)

#: Variables with the integrals over the instant that they had when a mode was entered.
Impulses: TypeAlias = tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class Passed:
    """A row of the `recording` for each mode that was passed through, in the order of time, with the number
    of its event, its kind, the truths of the relations (a row each) and the impulses with which it was
    entered. The first part of the recording is that of the program with which the run began."""

    recording: Recording
    events: NDArray[np.intp]
    kinds: tuple[str, ...]
    truths: NDArray[np.float64]
    impulses: tuple[Impulses, ...]

    def __len__(self) -> int:
        return len(self.kinds)
