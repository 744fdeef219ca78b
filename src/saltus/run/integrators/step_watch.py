"""How long fixed steps take, by a clock of the system; and their pace, where they are to keep up with the
wall.

Native code reads the clock where a step begins and where it ends, events included, and waits until it is time
for the next one (`saltus.emit.driver.fixed_step`)."""

from __future__ import annotations

import ctypes
import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error
from saltus.ir.native.drive import WATCH
from saltus.result.log.step_times import StepTimes

_TYPES: dict[str, Any] = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double}

#: Room for additional steps beyond those that follow from the length of a run: those that events cause.
MORE, LEAST_ROOM, MOST_ROOM = 1.5, 100_000, 100_000_000


#: The time in nanoseconds before a step during which Python waits actively: no system wakes a process to the
#: microsecond.
AWAKE = 200_000


class _Kept(ctypes.Structure):
    _fields_ = [(name, _TYPES[kind]) for name, kind in WATCH]


class StepWatch:
    """Measures the steps of one run. `speed` is its pace relative to the wall clock: 1 for real time, 0 for
    as fast as possible."""

    def __init__(self, steps: float, step: float, speed: float) -> None:
        if not math.isfinite(steps) or steps * MORE > MOST_ROOM:
            raise usage_error(f"step times are kept of {MOST_ROOM} steps at most", hint="choose longer steps")
        self._times: NDArray[np.int64] = np.zeros(max(LEAST_ROOM, int(steps * MORE)), dtype=np.int64)
        self._step, self._speed = step, speed
        self._kept = kept = _Kept()
        kept.clock, kept.sleep = _address("clock_gettime"), _address("clock_nanosleep")
        kept.times, kept.most_times = self._times.ctypes.data, len(self._times)
        kept.pace = 1e9 / speed if speed > 0 else 0.0
        self.address = ctypes.addressof(kept)

    def begin(self, now: float) -> None:
        """Python begins the step from a time of the model, as native code does (`fixed_begin_step`)."""
        kept, began = self._kept, time.monotonic_ns()
        if kept.pace > 0:
            if not kept.wall:
                kept.wall, kept.paced_from = began, now
            due = kept.wall + int((now - kept.paced_from) * kept.pace)
            if began > due:
                kept.overruns += 1
                kept.latest = max(kept.latest, began - due)
            while (rest := due - time.monotonic_ns()) > 0:
                if rest > AWAKE:
                    time.sleep((rest - AWAKE) * 1e-9)
            began = time.monotonic_ns()
        kept.began, kept.ahead = began, 1

    @property
    def times(self) -> StepTimes:
        """What was measured so far."""
        kept = self._kept
        return StepTimes(
            self._times[: kept.n_times].copy(), self._step, self._speed, int(kept.overruns), int(kept.latest)
        )


def _address(name: str) -> int:
    """Where a function of the C library is."""
    try:
        found = ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value
    except (AttributeError, OSError, TypeError):
        found = None
    if not found:
        raise usage_error(f"step times need the function `{name}` of POSIX, which this system does not have")
    return found
