"""A compiled program with its memory. Both back ends give the same thing behind this protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from saltus.ir.program import Program


class Machine(Protocol):
    """`routines[name]()` runs a routine on `memory` (float64, length `program.layout.size`) and returns its
    status. The memory array is the machine's own: it is never replaced, only written to."""

    @property
    def program(self) -> Program: ...

    @property
    def memory(self) -> NDArray[np.float64]: ...

    @property
    def routines(self) -> Mapping[str, Callable[[], int]]: ...

    def clone(self) -> Self:
        """A machine with the same code and a memory of its own, all zero."""
        ...
