"""Joints with dry friction whose velocities are tied by products of what may jump. Where nothing jumps the
mode is decided by values, not by what the last digits of an earlier event have left of jumps."""

from __future__ import annotations

import numpy as np
from tests.modes.test_modes_jointed_arm import ARM, BESIDE, FRICTION

import saltus

POSITIONS = """
    vx[i] = der(x[i]);
    vy[i] = der(y[i]);
"""

VELOCITIES = """
    turn[i] = (if i == 1 then 0 else turn[max(i - 1, 1)]) + w[i];
    vx[i] = (if i == 1 then 0 else vx[max(i - 1, 1)]) - ey[i]*turn[i];
    vy[i] = (if i == 1 then 0 else vy[max(i - 1, 1)]) + ex[i]*turn[i];
"""


def test_what_earlier_jumps_have_left_decides_nothing() -> None:
    tied = BESIDE.replace("Beside", "Tied").replace(POSITIONS[1:], VELOCITIES[1:])
    tied = tied.replace("Real fx[n + 1]", "Real turn[n], fx[n + 1]")
    run = saltus.load(FRICTION + tied, "Tied").simulate()
    arm = saltus.load(FRICTION + ARM, "Arm").simulate()
    for k in (1, 2, 3):
        expected = np.interp(run.time, arm.time, arm[f"phi[{k}]"])
        assert np.abs(run[f"phi[{k}]"] - expected).max() < 1e-4
    assert len(run.events) < 2 * len(arm.events) + 100
