"""Fixed steps (`saltus.emit.driver.fixed_step`) and the numbers that are kept from one to the next.

The formula of the method is a part of the equations, and steps are native code that only the driver calls:
there is nothing to be done here but to hold what they need.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import pre, ref
from saltus.ir.hybrid import Inlining
from saltus.ir.inline import INSTANT, Formula
from saltus.ir.native.contract import ARRIVE_FIXED, MARCH
from saltus.ir.native.drive import FIXED_STEP
from saltus.ir.program import Layout
from saltus.ir.structure import Structure
from saltus.run.integrators.step_watch import StepWatch

_TYPES: dict[str, Any] = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double}


class _Kept(ctypes.Structure):
    _fields_ = [(name, _TYPES[kind]) for name, kind in FIXED_STEP]


class Places(NamedTuple):
    """Where inlined variables are: their carriers' places among the states; those of the carriers of what is
    held at events, and the slots of this; and the slots of the weight that is zero then, now and before an
    event."""

    carriers: NDArray[np.int64]
    held_states: NDArray[np.int64]
    held_slots: NDArray[np.int64]
    briefly: NDArray[np.float64]
    ahead: tuple[int, int]


def places_of(inlining: Inlining, structure: Structure, layout: Layout) -> Places:
    """The places of what is inlined in the memory of a program."""
    place = {v.symbol: k for k, v in enumerate(structure.states)}
    held = [i for i in inlining.variables if i.held]
    assert inlining.ahead is not None, "steps are those of another integrator"
    ahead = ref(inlining.ahead)
    return Places(
        np.array([place[i.carrier] for i in inlining.variables], dtype=np.int64),
        np.array([place[i.carrier] for i in held], dtype=np.int64),
        np.array([layout.slots[ref(i.symbol)] for i in held], dtype=np.int64),
        np.array([INSTANT if i.briefly else 0.0 for i in held]),
        (layout.slots[ahead], layout.slots[pre(ahead)]),
    )


class FixedStep:
    """Steps of one length from `time` on, which end at multiples of it after `origin`, by a `formula`. `row`
    is how long a row of the result is. With `locates`, events are located inside of steps."""

    def __init__(
        self,
        y: NDArray[np.float64],
        time: float,
        *,
        origin: float,
        step: float,
        formula: Formula,
        inlined: Places | None,
        row: int,
        locates: bool,
        watch: StepWatch | None = None,
    ) -> None:
        n = max(len(y), 1)
        self.y = np.zeros(n)
        self.y[: len(y)] = y
        self.flag = 0
        self._time = time
        self._arrays: dict[str, NDArray[Any]] = {
            "old": np.zeros(n),
            "last": np.zeros(n),
            "row": np.zeros(row),
            "carries": np.zeros(n),
        }
        self._kept = kept = _Kept()
        if inlined is not None:
            self._arrays["carries"][inlined.carriers] = 1.0
            self._arrays |= {"held_states": inlined.held_states, "held_slots": inlined.held_slots}
            self._arrays["briefly"] = inlined.briefly
            kept.n_held, kept.ahead, kept.pre_ahead = len(inlined.held_slots), *inlined.ahead
            kept.begins_anew = int(
                bool(inlined.briefly.any()) or len(inlined.held_slots) < len(inlined.carriers)
            )
        for name, array in self._arrays.items():
            setattr(kept, name, array.ctypes.data)
        kept.instant = INSTANT if inlined is not None and inlined.briefly.any() else 1.0
        kept.origin, kept.step, kept.weight = origin, step, formula.weight * step
        kept.locates = int(locates)
        kept.watch = watch.address if watch is not None else 0
        kept.two_steps, kept.begun = int(formula.two_steps), time

    @property
    def time(self) -> float:
        """Time of the end of the last step."""
        return self._time

    @property
    def flag_name(self) -> str:
        """Such steps do not fail."""
        return ""

    @property
    def step_size(self) -> float:
        """The step."""
        return float(self._kept.step)

    def set_max_step(self, step: float) -> None:
        """Steps are as long as the user wants them."""

    def wake(self) -> None:
        """Inputs have got other values: an event is to happen before the next step."""
        self._kept.woken = 1

    def reinit(self, time: float, first_step: float = 0.0) -> None:
        """Continues at `time` with the states in memory."""
        self._time = time
        self._kept.fresh, self._kept.regular, self._kept.pending = self._kept.begins_anew, 0, 0

    def told(self, flag: int, time: float) -> None:
        """Takes over the flag and the time with which the native driver returned."""
        self.flag, self._time = flag, time

    def handles(self, address: Callable[[str], int]) -> dict[str, float]:
        """What the native driver needs to know (`saltus.ir.native.drive`), with its functions' addresses."""
        return {
            "solver": ctypes.addressof(self._kept),
            "y_data": int(self.y.ctypes.data),
            "arrive": address(ARRIVE_FIXED),
            "march": address(MARCH),
        }

    def error_ratios(self) -> NDArray[np.float64]:
        """Errors of such steps are not estimated."""
        return np.zeros(len(self.y))

    def statistics(self) -> dict[str, int]:
        """What was counted, over all events."""
        return {"steps": int(self._kept.steps), "rhs_evaluations": int(self._kept.rhs_evaluations)}

    def close(self) -> None:
        """There is nothing to be freed."""
