"""The context of the native driver (`saltus.ir.native.drive`), and what it says between two calls."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.drive import FIELDS

_TYPES: dict[str, Any] = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double}


class Context(ctypes.Structure):
    """The fields that native code and Python share."""

    _fields_ = [(name, _TYPES[kind]) for name, kind in FIELDS]


class Standing:
    """Where a driver has come to, and what holds it up."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def now(self) -> float:
        """Up to where the run has come."""
        return float(self._context.now)

    @property
    def reached(self) -> float:
        """Up to where the integrator has come."""
        return float(self._context.reached)

    @property
    def accepted(self) -> tuple[float, float]:
        """Up to where all has been looked at; and where the step began that the integrator did last."""
        context = self._context
        return (context.begun, context.earlier) if context.moves else (context.now, -math.inf)

    @property
    def limit(self) -> float:
        """The next event, or the end of the run."""
        return float(self._context.limit)

    @property
    def probes(self) -> bool:
        """Whether it will look where residues set out to, since there was an event."""
        return bool(self._context.probe)

    @property
    def status(self) -> int:
        """The status of the routine that failed, if one did."""
        return int(self._context.status)

    @property
    def unresolved(self) -> int:
        """The relation that could not be resolved, if there was one."""
        return int(self._context.unresolved)


class LastCall:
    """What the last call of a driver has done, in all engines to which the run has turned in it. `turns` is
    where native code writes these down, with the rows that were written by then."""

    def __init__(self, context: Context, turns: NDArray[np.int64]) -> None:
        self._end, self._turns, self._allowed = context, turns, 0

    def ended(self, context: Context, allowed: int) -> None:
        """A call has ended in the engine of a context; it was allowed so many steps."""
        self._end, self._allowed = context, allowed

    @property
    def stays(self) -> tuple[int, tuple[NDArray[np.int64], NDArray[np.int64]] | None]:
        """Rows that the first engine has written, before the run turned to another one; and then the gates of
        those that went on, by number, and how many rows each has written."""
        end = self._end
        if not end.n_turns:
            return int(end.n_written), None
        gates, written = self._turns[: end.n_turns].T
        counts = np.empty(len(written), dtype=np.int64)
        np.subtract(written[1:], written[:-1], out=counts[:-1])
        counts[-1] = end.n_written - written[-1]
        return int(written[0]), (gates.copy(), counts)

    @property
    def was_low_hop(self) -> bool:
        """Whether it has ended since something hopped no higher than errors may be."""
        return bool(self._end.low_hop)

    @property
    def used(self) -> tuple[int, int]:
        """Rows and events."""
        return self._end.n_written, self._end.n_events

    @property
    def steps(self) -> int:
        """Steps of the integrators."""
        return self._allowed - int(self._end.steps_left)

    @property
    def work(self) -> int:
        """Steps, rows and events, and the call itself."""
        return 1 + self.steps + sum(self.used)
