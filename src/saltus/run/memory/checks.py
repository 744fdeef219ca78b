"""The checks of one program, assertions and terminations: is any of them active? They are tested after every
row, and usually none is active, so this has to be fast.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.ir.program import Layout
from saltus.run.memory.memory import Memory

_SECTIONS = ("checks", "endings")


class Checks:
    """The checks in a memory."""

    def __init__(self, memory: Memory) -> None:
        raw = memory.array.data.cast("B")
        self._parts = [
            raw[8 * first : 8 * past] for first, past in _contiguous_runs(memory.layout, _SECTIONS)
        ]
        self._one = self._parts[0] if len(self._parts) == 1 else None
        self._none = bytes(8 * sum(map(memory.length, _SECTIONS)))
        self._compute = memory.routines["checks"]

    def any_active(self) -> bool:
        """Computes all of them. Whether an assertion is violated, or the end of the run is asked for."""
        if not self._none:
            return False
        self._compute()
        numbers = self._one.tobytes() if self._one is not None else b"".join(self._parts)
        return numbers != self._none


def _contiguous_runs(layout: Layout, names: Sequence[str]) -> list[tuple[int, int]]:
    """The sections as (first slot, past last slot), neighbours joined, empty ones left out."""
    runs: list[tuple[int, int]] = []
    for name in names:
        first, length = layout.sections.get(name, (0, 0))
        if not length:
            continue
        if runs and runs[-1][1] == first:
            runs[-1] = (runs[-1][0], first + length)
        else:
            runs.append((first, first + length))
    return runs
