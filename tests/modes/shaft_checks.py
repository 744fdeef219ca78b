"""Comparing a run of shafts and locks with the closed form: speeds, impulses and books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from leap_readings import between, impulse, limits
from rigid_shafts import RigidShafts

import saltus

#: Of what is integrated: all accelerations are constant, so the integrator is exact up to rounding.
INTEGRATED = 1e-8

#: Of angles, which are integrated with a relative tolerance of 1e-10.
TURNED = 1e-7

#: Of what is balanced at a leap.
BOOKS = 1e-10


def check_shafts(
    result: saltus.Result,
    motion: RigidShafts,
    inertias: Sequence[str],
    torques: Mapping[str, str],
    *,
    angles: bool = False,
) -> None:
    """All speeds are those of the closed form; at each leap momentum is handed over by the locks alone, and
    as much energy is lost as should be. `inertias` and `torques` (by the names of the locks; a minus sign
    where a lock's torque is counted the other way) are the names of components and variables."""
    speeds = [f"{name}.w" for name in inertias]
    away = between(result, (leap.time for leap in motion.leaps))
    exact = motion.speeds(result.time)
    scale = np.abs(exact).max()
    for name, row in zip(speeds, exact, strict=True):
        np.testing.assert_allclose(result[name][away], row[away], atol=INTEGRATED * scale, err_msg=name)
    if angles:
        for name, row in zip(inertias, motion.angles(result.time), strict=True):
            np.testing.assert_allclose(
                result[f"{name}.phi"], row, atol=TURNED * max(scale, np.abs(row).max()), err_msg=name
            )
    for leap in motion.leaps:
        check_leap(result, motion, leap.time, speeds, torques)


def check_leap(
    result: saltus.Result, motion: RigidShafts, time: float, speeds: Sequence[str], torques: Mapping[str, str]
) -> None:
    """The books at one leap."""
    leap = next(x for x in motion.leaps if x.time == time)
    phase = next(p for p in motion.phases if p.start == time)
    before, after = limits(result, time, speeds)
    speed = max(np.abs(x.before).max() for x in motion.leaps)
    momentum = np.abs(motion.inertias).max() * speed
    np.testing.assert_allclose(before, leap.before, atol=INTEGRATED * speed)
    np.testing.assert_allclose(after, leap.after, atol=INTEGRATED * speed)
    change = motion.inertias * (after - before)
    told = {lock: signed_impulse(result, time, torques[lock]) for lock in phase.locks}
    given = sum((told[lock] * row for lock, row in phase.locks.items()), np.zeros(len(speeds)))
    np.testing.assert_allclose(change, given, atol=BOOKS * momentum)
    for lock, row in phase.locks.items():
        np.testing.assert_allclose(row @ after, 0, atol=BOOKS * speed, err_msg=lock)
        assert told[lock] == pytest.approx(leap.weights[lock], abs=INTEGRATED * momentum), lock
    energy = momentum * speed
    lost = 0.5 * motion.inertias @ before**2 - 0.5 * motion.inertias @ after**2
    assert lost == pytest.approx(leap.loss, abs=INTEGRATED * energy)
    # A lock takes its impulse times the mean of the slip before and after: exact for these very numbers.
    slips = [row @ (before + after) / 2 for row in phase.locks.values()]
    assert lost == pytest.approx(-np.dot(slips, list(told.values())), abs=BOOKS * energy)


def signed_impulse(result: saltus.Result, time: float, name: str) -> float:
    """Of a variable, or of its negative."""
    return -impulse(result, time, name[1:]) if name.startswith("-") else impulse(result, time, name)
