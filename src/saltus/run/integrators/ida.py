"""IDA: the integrator of implicit systems F(t, y, y') = 0, with everything it owns.

The method is the variable-order BDF in its form for differential-algebraic equations. The components of y are
the states and the algebraic unknowns of loops (`saltus.emit.layout.implicit`), so that one Newton iteration
solves the step and all loops in it. Values to start from are consistent already: initialisation and event
iteration have solved the same equations, and they are in the model's memory.

The loop unknowns take no part in the error test: the results are not made of them, since the run computes all
outputs from the states alone. With them a diode's exponential took two to four times as many steps, for
errors in the states smaller than the tolerance asks for.

The first step is chosen as CVODE does it, so that its error h^2/2 |y''| is a part of what the tolerance
allows; y'' is a difference of derivatives along an explicit Euler step. IDA itself starts with h |y'| = 1/2,
a change of half the tolerance, and doubles from there: at events that makes twice as many steps and four
times as many Jacobians.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.contract import ARRIVE_IDA, MOST_PROBES, OFFER, PROBE_PART, STEP_IDA, TIME_SLOT
from saltus.run.integrators.linear_solvers import DenseSolver
from saltus.run.integrators.multistep import NORMAL, Multistep

#: What is counted, and by which function.
_COUNTERS = (
    ("steps", "IDAGetNumSteps"),
    ("residual_evaluations", "IDAGetNumResEvals"),
    ("residual_evaluations_for_jacobians", "IDAGetNumLinResEvals"),
)

#: Of one step. IDA allows 4 on its own; the exponential of a diode that begins to conduct needs more.
NEWTON_ITERATIONS = 10


class Ida(Multistep):
    """`y` are the states at the last return (a view of the integrator's own: write new states into it before
    `reinit`). What a start needs besides them is read from `memory`, the model's: `components` are its slots
    of the states, then of the loop unknowns, `derivatives` those of the derivatives of the states; `rhs`
    computes these from the time and the states there.

    `residual` is the address of a compiled function with IDA's signature, `user_data` what it gets as its
    last argument.
    """

    def __init__(
        self,
        residual: int,
        rhs: Callable[[], int],
        memory: NDArray[np.float64],
        components: NDArray[np.intp],
        derivatives: slice,
        time: float,
        *,
        relative: float,
        absolute: NDArray[np.float64],
        user_data: int = 0,
        max_step: float = 0.0,
    ) -> None:
        n, n_states = len(components), derivatives.stop - derivatives.start
        differential = np.zeros(n)
        differential[:n_states] = 1.0
        vectors = {
            "y": memory[components],
            "rates": np.zeros(n),
            "absolute": np.array(absolute, dtype=np.float64),
            "differential": differential,
            "scratch": np.zeros(n),
            "scratch_rates": np.zeros(n),
        }
        super().__init__("IDA", _COUNTERS, vectors, time, DenseSolver(family="IDA"))
        self._model_memory = memory
        self._derivatives = memory[derivatives]
        self._state_slots, self._loop_slots = components[:n_states], components[n_states:]
        self._rhs, self._relative = rhs, relative
        self.y, self._loops = vectors["y"][:n_states], vectors["y"][n_states:]
        self._state_rates, self._loop_rates = vectors["rates"][:n_states], vectors["rates"][n_states:]
        self._state_rates[:] = self._derivatives
        self._y, self._yp = self._handles["y"], self._handles["rates"]

        self._create()
        self._do("Init", residual, time, self._y, self._yp)
        self._set_up(relative, user_data, max_step)
        self._do("SetId", self._handles["differential"])
        self._do("SetSuppressAlg", 1)
        self._solver.attach(self._memory, self._y, n, self._context)
        self._do("SetMaxNonlinIters", NEWTON_ITERATIONS)
        self._do("SetInitStep", self._first_step(time))
        self._solve = self._lib["IDASolve"]

    def advance(self, target: float) -> int:
        """Integrates to `target` at most; `y` and `time` then say how far. Returns IDA's flag."""
        self.flag = flag = int(
            self._solve(self._memory, target, self._time_reference, self._y, self._yp, NORMAL)
        )
        return flag

    def handles(self, address: Callable[[str], int]) -> dict[str, float]:
        """What the native driver needs to know, with the addresses of its functions."""
        return super().handles(address) | {
            "yp": self._yp.value or 0,
            "scratch_yp": self._handles["scratch_rates"].value or 0,
            "step": address(STEP_IDA),
            "arrive": address(ARRIVE_IDA),
            "offer": address(OFFER),
            "has_loops": int(self._loops.size > 0),
            "restart_by_hand": 1,
        }

    def reinit(self, time: float, first_step: float = 0.0) -> None:
        """Starts anew at `time` from `y`; loop unknowns and derivatives are as the memory has them."""
        self._collect()
        self._time.value = time
        self._loops[:] = self._model_memory[self._loop_slots]
        self._state_rates[:] = self._derivatives
        self._loop_rates[:] = 0.0  # not known, and only a guess that the first step starts from
        self._do("SetInitStep", first_step or self._first_step(time))
        self._do("ReInit", time, self._y, self._yp)

    def _first_step(self, time: float) -> float:
        """The step size to start with from `y`; 0 leaves it to IDA."""
        memory, rates = self._model_memory, self._state_rates.copy()
        weights = 1.0 / (self._relative * np.abs(self.y) + self._vectors["absolute"][: len(self.y)])
        speed = _norm(weights * rates)
        if not speed:
            return 0.0
        # In these weights, the size of any state is 1 / relative.
        probe = PROBE_PART / (self._relative * speed)
        largest = step = probe / PROBE_PART
        before = memory.copy()
        for _ in range(MOST_PROBES):
            memory[TIME_SLOT] = time + probe
            memory[self._state_slots] = self.y + probe * rates
            failed = self._rhs()
            bend = _norm(weights * (self._derivatives - rates)) / probe
            memory[:] = before
            if failed or not math.isfinite(bend):
                return 0.0
            step = min(largest, math.sqrt(0.5 / bend)) if bend else largest
            # A longer way than that may have gone past what was to be seen.
            if step >= probe:
                break
            probe = step
        return step


def _norm(x: NDArray[np.float64]) -> float:
    """Root mean square"""
    return math.sqrt(float(x @ x) / len(x))
