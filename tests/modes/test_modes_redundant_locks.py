"""Locks that hold a shaft twice: how they share a load is open, what they hold is not.

The torques of a ring of locked clutches are known up to one that goes round. Of all values those are taken
that change least: from what they were before, or, of impulses, from zero.
"""

from __future__ import annotations

import numpy as np
import pytest
from leap_readings import impulse, limits
from mechanical_elements import SPEED_ELEMENTS

import saltus

RING = """
model Ring "Three inertias, each with a clutch to the next one"
  Inertia j[3](J = {1, 2, 3}, w(start = {3, 0, -1}, each fixed = true));
  Clutch c[3](locked = {time >= 1, time >= 1, time >= LAST});
  Torque drive(tau = 1);
equation
  for k in 1:3 loop
    connect(j[k].flange, c[k].a);
    connect(c[k].b, j[mod(k, 3) + 1].flange);
  end for;
  connect(drive.flange, j[1].flange);
  annotation(experiment(StopTime = 2));
end Ring;
"""
CLUTCHES = [f"c[{k}].tau" for k in (1, 2, 3)]


def test_ring_that_is_locked_at_once() -> None:
    """4, 0 and -1 become 1/6. Without the last clutch the others would take the impulses 23/6 and 7/2; a
    third of their sum goes round the other way."""
    result = saltus.load(SPEED_ELEMENTS + RING.replace("LAST", "1")).simulate()
    before, after = limits(result, 1.0, [f"j[{k}].w" for k in (1, 2, 3)])
    np.testing.assert_allclose(before, [4, 0, -1], atol=1e-9)
    np.testing.assert_allclose(after, 1 / 6, rtol=1e-9)
    weights = [impulse(result, 1.0, name) for name in CLUTCHES]
    np.testing.assert_allclose(weights, np.array([23 / 6, 7 / 2, 0]) - 22 / 9, rtol=1e-9)
    late = result.time > 1
    for k in (1, 2, 3):
        np.testing.assert_allclose(result[f"j[{k}].w"][late], 1 / 6 * result.time[late], rtol=1e-9)
    # The drive's torque of 1 accelerates all with 1/6: 5/6 and 1/2 would be handed on by two clutches.
    found = np.array([result[name][late] for name in CLUTCHES])
    np.testing.assert_allclose(found, np.array([[5 / 6], [1 / 2], [0]]) - 4 / 9 + 0 * found, rtol=1e-9)
    assert set(result.modes.at(1.5).open) == {f"c[{k}].a.tau" for k in (1, 2, 3)}
    assert all(result.undetermined(name)[late].all() for name in CLUTCHES)
    assert not any(result.undetermined(f"j[{k}].w").any() for k in (1, 2, 3))


def test_ring_that_is_closed_at_last() -> None:
    """The last clutch closes at equal speeds: no impulse, and no torque has a reason to change."""
    result = saltus.load(SPEED_ELEMENTS + RING.replace("LAST", "1.5")).simulate()
    late = result.time > 1
    found = np.array([result[name][late] for name in CLUTCHES])
    np.testing.assert_allclose(found, np.array([[5 / 6], [1 / 2], [0]]) + 0 * found, atol=1e-9)
    assert [i.time for i in result.impulses] == [1.0] * len(result.impulses)
    np.testing.assert_allclose(result["j[2].w"][late], result.time[late] / 6, rtol=1e-9)


BRAKES = """
model Brakes "On both sides of a gear"
  Inertia j1(J = 1, w(start = 4, fixed = true)), j2(J = 2);
  Gear gear(ratio = 2);
  Brake b1(locked = time >= 1 and time < 3), b2(locked = time >= 2);
  Torque drive(tau = 1);
equation
  connect(drive.flange, j1.flange);
  connect(j1.flange, gear.a);
  connect(gear.b, j2.flange);
  connect(b1.flange, j1.flange);
  connect(b2.flange, j2.flange);
  annotation(experiment(StopTime = 4));
end Brakes;
"""


def test_brake_takes_over_from_another() -> None:
    """At 1 s the first brake takes (1 + 2/4)*(4 + 2/3); at 2 s the second one closes and carries nothing yet;
    when the first one is released, it carries the drive's torque through the gear."""
    result = saltus.load(SPEED_ELEMENTS + BRAKES).simulate()
    assert impulse(result, 1.0, "b1.flange.tau") == pytest.approx(1.5 * (4 + 2 / 3), rel=1e-9)
    for start, first, second in [(1, 1, 0), (2, 1, 0), (3, 0, 2)]:
        held = (result.time > start) & (result.time < start + 1)
        np.testing.assert_allclose(result["b1.flange.tau"][held], first, atol=1e-9)
        np.testing.assert_allclose(result["b2.flange.tau"][held], second, atol=1e-9)
        np.testing.assert_allclose(result["j1.w"][held], 0, atol=1e-12)
    assert {i.time for i in result.impulses} == {1.0}
