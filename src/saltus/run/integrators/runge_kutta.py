"""The explicit integrator (`saltus.emit.driver.runge_kutta`) and the numbers that it keeps from step to step.

Steps are native code that only the driver calls: there is nothing to be done here but to hold what they need.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.contract import ARRIVE_RK, BEGIN_RK, LONGEST_RK, STEP_RK
from saltus.ir.native.drive import RK_COEFFICIENTS, RK_ERRORS, RK_FAILURES, RK_STAGES, RUNGE_KUTTA

_NAMES = {RK_ERRORS: "errors too large at the smallest step", RK_FAILURES: "the right-hand side fails"}

_TYPES: dict[str, Any] = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double}


class _Kept(ctypes.Structure):
    _fields_ = [(name, _TYPES[kind]) for name, kind in RUNGE_KUTTA]


class RungeKutta:
    """One integrator with everything it owns. `y` is the state vector at the end of the last step: write new
    states into it before `reinit`. With `watches` it detects stiffness."""

    def __init__(
        self,
        y: NDArray[np.float64],
        time: float,
        *,
        relative: float,
        absolute: NDArray[np.float64],
        max_step: float = 0.0,
        min_step: float = 0.0,
        watches: bool = False,
    ) -> None:
        n = len(y)
        self.y = np.array(y, dtype=np.float64)
        self.flag = 0
        self._time = time
        self._relative, self._absolute = relative, np.array(absolute, dtype=np.float64)
        self._errors = np.zeros(n)
        lengths = {"slopes": RK_STAGES * n, "old": n, "sixth": n, "polynomial": RK_COEFFICIENTS * n}
        self._arrays = {name: np.zeros(length) for name, length in lengths.items()}
        self._arrays["errors"] = self._errors
        self._kept = kept = _Kept()
        for name, array in self._arrays.items():
            setattr(kept, name, array.ctypes.data)
        kept.shortest, kept.watches, kept.fresh = min_step, int(watches), 1
        self.set_max_step(max_step)

    @property
    def time(self) -> float:
        """Time of the end of the last step."""
        return self._time

    @property
    def flag_name(self) -> str:
        """What the last flag means."""
        return _NAMES.get(self.flag, "")

    @property
    def step_size(self) -> float:
        """The step size to be tried next."""
        return float(self._kept.step)

    def set_max_step(self, step: float) -> None:
        """No step will be longer; 0 sets no limit."""
        self._kept.longest = step if step > 0.0 else math.inf

    def reinit(self, time: float, first_step: float = 0.0) -> None:
        """Starts anew from `y` at `time`; 0 for the step that was good when something moved last."""
        self._time, self._kept.fresh = time, 1
        self._kept.step = first_step if first_step > 0.0 else self._kept.moving_step

    def told(self, flag: int, time: float) -> None:
        """Takes over the flag and the time with which the native driver returned."""
        self.flag, self._time = flag, time

    def handles(self, address: Callable[[str], int]) -> dict[str, float]:
        """What the native driver needs to know (`saltus.ir.native.drive`), with its functions' addresses."""
        return {
            "solver": ctypes.addressof(self._kept),
            "y_data": int(self.y.ctypes.data),
            "step": address(STEP_RK),
            "arrive": address(ARRIVE_RK),
            "begin": address(BEGIN_RK),
            "set_max_step": address(LONGEST_RK),
            "relative": self._relative,
            "absolute": int(self._absolute.ctypes.data),
        }

    def error_ratios(self) -> NDArray[np.float64]:
        """Estimated errors of the last step that was tried, in units of what tolerances allow."""
        return np.abs(self._errors)

    def statistics(self) -> dict[str, int]:
        """What was counted, over all restarts."""
        kept = self._kept
        return {"steps": int(kept.steps), "rhs_evaluations": int(kept.rhs_evaluations)}

    def close(self) -> None:
        """There is nothing to be freed."""
