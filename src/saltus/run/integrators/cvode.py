"""CVODE: the integrator of explicit systems, with everything it owns.

The method is the variable-order BDF with Newton iteration, or Adams-Moulton with fixed-point iteration, which
needs no Jacobian and is quick where nothing is stiff. Crossings are not CVODE's business: the driver
(`saltus.emit.driver`) looks for them on its interpolation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.contract import ARRIVE_CVODE, BEGIN_CVODE, STEP_CVODE
from saltus.ir.native.drive import CVODE_COUNTERS
from saltus.run.integrators.linear_solvers import DenseSolver, LinearSolver
from saltus.run.integrators.multistep import NORMAL, Multistep

_ADAMS, _BDF = 1, 2


#: By how much a step may be longer than the one before, in the first steps after a restart. These are of low
#: order, with errors of the same sign after every event. With CVODE's own bounds, ten thousand and ten, the
#: switching times of a hundred thermostats were four times as far off, for a third fewer steps.
EARLY_GROWTH = 2.0
EARLY_STEPS = 3

#: The greatest age of a Jacobian, in steps, when the matrix is factorised again. With CVODE's own bound, 51,
#: runs were silently wrong behind a point where a slope is infinite. With the slope of sqrt(h) at h = 0 no
#: correction is large, so Newton's method seems to have converged wherever h is predicted to be: no error is
#: seen, steps grow tenfold, and the Jacobian stays. It costs less than the factorisation that follows. One
#: that only events change is computed at each restart, and is never old.
JACOBIAN_EVERY = 1


class Cvode(Multistep):
    """One integrator with everything it owns. `y` is the state vector at the last return (a view of the
    integrator's own: write new states into it before `reinit`).

    `rhs` is the address of a compiled function with CVODE's signature, `user_data` what it gets as its last
    argument. The linear `solver` has the function that computes the Jacobian, which is the same from one
    restart to the next if it `jacobian_is_fixed`; without one, CVODE takes differences for a dense matrix.
    """

    def __init__(
        self,
        rhs: int,
        y: NDArray[np.float64],
        time: float,
        *,
        relative: float,
        absolute: NDArray[np.float64],
        user_data: int = 0,
        max_step: float = 0.0,
        min_step: float = 0.0,
        solver: LinearSolver | None = None,
        adams: bool = False,
        jacobian_is_fixed: bool = False,
    ) -> None:
        vectors = {
            "y": np.array(y, dtype=np.float64),
            "absolute": np.array(absolute, dtype=np.float64),
            "scratch": np.zeros(len(y)),
        }
        super().__init__("CVode", CVODE_COUNTERS, vectors, time, solver or DenseSolver())
        self.y = vectors["y"]
        self._vector = vector = self._handles["y"]
        self._create(_ADAMS if adams else _BDF)
        self._do("Init", rhs, time, vector)
        self._set_up(relative, user_data, max_step)
        if adams:
            self._do("SetNonlinearSolver", self._make("iteration", "SUNNonlinSol_FixedPoint", vector, 0))
        else:
            self._solver.attach(self._memory, vector, len(y), self._context)
            if not jacobian_is_fixed:
                self._do("SetJacEvalFrequency", JACOBIAN_EVERY)
        self._do("SetMaxHnilWarns", -1)
        self._do("SetMinStep", min_step)
        self._do("SetEtaMaxFirstStep", EARLY_GROWTH)
        self._do("SetEtaMaxEarlyStep", EARLY_GROWTH)
        self._do("SetNumStepsEtaMaxEarlyStep", EARLY_STEPS)
        self._call = self._lib["CVode"]

    def handles(self, address: Callable[[str], int]) -> dict[str, float]:
        """What the native driver needs to know, with the addresses of its functions; among them that with
        which it starts CVODE anew."""
        return super().handles(address) | {
            "step": address(STEP_CVODE),
            "arrive": address(ARRIVE_CVODE),
            "begin": address(BEGIN_CVODE),
        }

    def advance(self, target: float) -> int:
        """Integrates to `target` at most; `y` and `time` then say how far. Returns CVODE's flag."""
        self.flag = flag = int(self._call(self._memory, target, self._vector, self._time_reference, NORMAL))
        return flag

    def reinit(self, time: float, first_step: float = 0.0) -> None:
        """Starts anew from `y` at `time`; 0 lets CVODE find the first step."""
        self._do("SetInitStep", first_step)
        self._collect()
        self._time.value = time
        self._do("ReInit", time, self._vector)
