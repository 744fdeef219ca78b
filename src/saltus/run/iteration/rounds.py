"""How many rounds an event may take: as many as it needs, while each of them makes progress.

A cascade of a thousand delays by `pre` takes a thousand rounds and is right. A cycle never ends. To detect
one, one earlier round is kept to compare with, and after twice as many rounds a later one (the cycle finding
of R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980). Numbers that grow without
end never come back; so there is a bound, far beyond what the model could need.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.contract import MAX_ROUNDS, MOST_ROUNDS
from saltus.run.memory.memory import Memory

#: What the next round follows from: `pre` values are equal to the discrete variables when a round is over.
_DECIDING = ("relations", "discretes", "states", "pre_algebraics")


class Rounds:
    """Counts the rounds at one instant."""

    def __init__(self) -> None:
        self.done = 0
        self._kept: NDArray[np.float64] | None = None
        self._next = MAX_ROUNDS

    def endless(self, memory: Memory) -> bool:
        """One more round is over, and another one has to follow. Whether that would never end."""
        self.done += 1
        if self.done < MAX_ROUNDS:
            return False
        now = np.concatenate([memory.section(name) for name in _DECIDING])
        if self._kept is not None and np.array_equal(now, self._kept):
            return True
        if self.done >= self._next:
            self._kept, self._next = now, 2 * self.done
        return self.done >= max(MOST_ROUNDS, MAX_ROUNDS * len(memory.section("discretes")))
