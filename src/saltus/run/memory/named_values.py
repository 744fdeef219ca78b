"""Everything in a memory that has a name, and its values by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Op
from saltus.result.trajectories.recording import leaf_name
from saltus.run.memory.memory import Memory
from saltus.run.memory.moves import names

#: Sections of quantities that vary continuously, and of all that have names.
CONTINUOUS = ("states", "derivatives", "algebraics")
_NAMED = ("time", "parameters", *CONTINUOUS, "discretes", "relations", "clocks")


class NamedValues:
    """The named numbers of one memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def slots(self, sections: Sequence[str]) -> list[tuple[str, int]]:
        """Names with their slots. A state that is the derivative of another has two; its own comes last."""
        layout = self._memory.layout
        inside = {slot for s in sections for slot in range(layout.section(s).start, layout.section(s).stop)}
        found = [
            (leaf, slot) for leaf, slot in layout.slots.items() if slot in inside and leaf.op is not Op.PRE
        ]
        found.sort(key=lambda entry: entry[0].op is not Op.DER)
        return [(leaf_name(leaf), slot) for leaf, slot in found]

    @cached_property
    def places(self) -> dict[str, int]:
        """The slot of each name."""
        return names(self._memory.layout, lambda: dict(self.slots(_NAMED)))

    def now(self) -> dict[str, float]:
        """The values of everything that has a name."""
        return self.among(self._memory.array)

    def among(self, numbers: NDArray[np.float64]) -> dict[str, float]:
        """The values of everything that has a name, in a copy of the memory."""
        plain = numbers.tolist()
        return {name: plain[slot] for name, slot in self.places.items()}
