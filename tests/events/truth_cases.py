"""Methods and tolerances with which models are compared with their truth.

What a bound means: the integrator keeps the error of each step below the tolerance times the scale of the
state. Where errors do not grow (the systems here contract, or keep their energy), a run of n steps is wrong
by at most n tolerances. Between events a run takes some hundred steps, so `STEPS` tolerances are the bound of
a state of scale 1 over a phase. An event is displaced by the error of its residue over the residue's slope.
"""

from __future__ import annotations

import pytest

#: Steps of a phase between two events, and so its error in tolerances.
STEPS = 100

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)

#: Every tolerance with the default method, and the others at a loose and at a tight one.
CASES = [("bdf", t) for t in TOLERANCES] + [(m, t) for m in ("adams", "ida") for t in (1e-4, 1e-8)]

every_case = pytest.mark.parametrize(("method", "tolerance"), CASES)
every_tolerance = pytest.mark.parametrize("tolerance", TOLERANCES)
