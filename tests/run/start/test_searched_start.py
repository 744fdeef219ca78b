"""A mode to begin in that has to be sought knows that it begins: `initial()` is true there.

Frictions with phases say `initial() and v > 0` of a body that moves at the start. Where others hold one mass
together, so that the start has to be searched for, such a friction was taken for locked, with the speed that
it had. Truth: Radau steps with a complementarity problem at each event (`tools/differential`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tools.differential.families.circuits import Signal
from tools.differential.families.friction import Joint, Mechanism, mechanism_case
from tools.differential.judge import judged

import saltus

THREE = Mechanism(
    [2.02, 3.11, 0.443],
    [1.75, 0.0, 0.0],
    [
        Joint("spring", "spring2", 2, 0, 1.05, 0.0),
        Joint("spring", "spring3", 3, 2, 10.0, 1.86),
        Joint("friction", "friction1", 2, 0, 0.398),
        Joint("friction", "friction2", 1, 3, 2.87),
        Joint("friction", "friction3", 2, 0, 0.505),
    ],
    [(3, Signal("-7.21*sin(6.505*time)", lambda t: -7.21 * np.sin(6.505 * t)))],
)

TWO = Mechanism(
    [2.32, 0.613],
    [1.07, 0.0],
    [
        Joint("spring", "spring2", 2, 1, 17.6, 0.0623),
        Joint("friction", "friction1", 2, 0, 0.516),
        Joint("friction", "friction2", 2, 0, 1.59),
        Joint("friction", "friction3", 1, 2, 0.609),
        Joint("friction", "friction4", 2, 0, 3.61),
    ],
    [(1, Signal("-9.75*sin(3.207*time)", lambda t: -9.75 * np.sin(3.207 * t)))],
)


@pytest.mark.parametrize("method", ["bdf", "rk45"])
@pytest.mark.parametrize("mechanism", [THREE, TWO], ids=["three masses", "two masses"])
def test_what_moves_slides_from_the_start(mechanism: Mechanism, method: str) -> None:
    case = mechanism_case(mechanism, "phases", 4.0)
    verdict = judged(case, saltus.load(case.text), method, 1e-8)
    assert verdict.verdict == "agree", verdict.text


@pytest.mark.parametrize("speeds", [(1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
def test_phases_are_those_of_the_speeds(speeds: Sequence[float]) -> None:
    """Two brakes hold each mass where they can; each friction begins in the phase of its speed."""
    mechanism = Mechanism(
        [1.0, 2.0],
        list(speeds),
        [Joint("friction", f"friction{k}", mass, 0, 1.0 + k) for k, mass in enumerate((1, 1, 2, 2), 1)],
        [(1, Signal("0.5*cos(time)", lambda t: 0.5 * np.cos(t)))],
    )
    result = saltus.load(mechanism_case(mechanism, "phases", 1.0).text).simulate(stop_time=0.01)
    begun = int(np.flatnonzero(result.time == 0.0)[-1])
    for k, mass in enumerate((0, 0, 1, 1), 1):
        assert result[f"friction{k}.mode"][begun] == np.sign(speeds[mass])
        assert result[f"friction{k}.locked"][begun] == (speeds[mass] == 0.0)
        if speeds[mass]:
            force = (1.0 + k) * np.sign(speeds[mass])  # up to the last digit of an elimination
            assert result[f"friction{k}.f"][begun] == pytest.approx(force, rel=1e-14)
