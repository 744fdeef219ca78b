"""The little tables of the documentation about entering a mode, for mechanics, with their exact numbers."""

from __future__ import annotations

import numpy as np
import pytest
from leap_readings import event_times, impulse, limits
from mechanical_elements import SPEED_ELEMENTS

import saltus
from saltus.result.files.eventlog import event_lines

CLUTCH = """
model TwoInertias
  Inertia j1(J = 2, w(start = 5, fixed = true)), j2(J = 3, w(start = 0, fixed = true));
  Clutch clutch(locked = time >= 1);
equation
  connect(j1.flange, clutch.a);
  connect(clutch.b, j2.flange);
  annotation(experiment(StopTime = 2));
end TwoInertias;
"""


def test_clutch_closes() -> None:
    """Inertias 2 and 3 at speeds 5 and 0: both at 2, torque impulse 6, and 15 of 25 J are lost."""
    result = saltus.load(SPEED_ELEMENTS + CLUTCH).simulate()
    before, after = limits(result, 1.0, ["j1.w", "j2.w"])
    assert before.tolist() == [5, 0]
    np.testing.assert_allclose(after, [2, 2], rtol=1e-14)
    assert impulse(result, 1.0, "clutch.tau") == pytest.approx(6, rel=1e-14)
    inertias = np.array([2.0, 3.0])
    assert 0.5 * inertias @ (before**2 - after**2) == pytest.approx(15, rel=1e-13)
    np.testing.assert_allclose(result["j2.w"][result.time > 1], 2, rtol=1e-12)
    log = list(event_lines(result))
    assert {"State j1.w jumps from 5 to 2", "State j2.w jumps from 0 to 2"} <= set(log)
    assert sum(line.startswith("Impulse of") for line in log) == 1  # all torques here are one variable


ROPE = """
model Rope "Of length 1; nothing pulls at the body until it is taut"
  parameter Real L = 1, m = 1;
  Real x(start = 0.1, fixed = true), y(start = -0.3, fixed = true);
  Real vx(start = 1, fixed = true), vy(start = -1, fixed = true);
  Real r = sqrt(x^2 + y^2);
  Real F "tension";
  Real s;
  Boolean slack = s > 0;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/r;
  m*der(vy) = -F*y/r;
  L - r = if slack then s else 0;
  F = if slack then 0 else -s;
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end Rope;
"""


def test_rope_goes_taut() -> None:
    """At (0.6, -0.8) with velocity (1, -1): (0.16, 0.12) after it, impulse 1.4; then round and round at 0.2
    m/s."""
    result = saltus.load(ROPE).simulate()
    assert event_times(result) == pytest.approx([0.5], abs=1e-8)
    before, after = limits(result, 0.5, ["x", "y", "vx", "vy"])
    np.testing.assert_allclose(before, [0.6, -0.8, 1, -1], atol=1e-8)
    np.testing.assert_allclose(after, [0.6, -0.8, 0.16, 0.12], atol=1e-8)
    assert impulse(result, 0.5, "F") == pytest.approx(1.4, abs=1e-8)
    # Momentum: what the rope took, along the rope.
    np.testing.assert_allclose(after[2:] - before[2:], -impulse(result, 0.5, "F") * before[:2], atol=1e-10)
    taut = result.time > 0.5 + 1e-7
    angle = np.arctan2(-0.8, 0.6) + 0.2 * (result.time[taut] - 0.5)
    np.testing.assert_allclose(result["x"][taut], np.cos(angle), atol=1e-7)
    np.testing.assert_allclose(result["y"][taut], np.sin(angle), atol=1e-7)
    np.testing.assert_allclose(result["F"][taut], 0.04, atol=1e-7)
    assert result.statistics["programs"] == 2


GEARS = """
model ThreeInertias "Locked with ratios 2 and 1"
  Inertia j1(J = 1, w(start = 6, fixed = true)), j2(J = 1, w(start = 0, fixed = true));
  Inertia j3(J = 3, w(start = 0, fixed = true));
  Gear g1(ratio = 2), g2(ratio = 1);
  Clutch c1(locked = time >= 1), c2(locked = time >= 1);
equation
  connect(j1.flange, c1.a);
  connect(c1.b, g1.a);
  connect(g1.b, j2.flange);
  connect(j2.flange, c2.a);
  connect(c2.b, g2.a);
  connect(g2.b, j3.flange);
  annotation(experiment(StopTime = 2));
end ThreeInertias;
"""


def test_inertias_are_locked_with_ratios() -> None:
    """Inertias 1, 1, 3, the first at speed 6: 3, 1.5 and 1.5."""
    result = saltus.load(SPEED_ELEMENTS + GEARS).simulate()
    before, after = limits(result, 1.0, ["j1.w", "j2.w", "j3.w"])
    assert before.tolist() == [6, 0, 0]
    np.testing.assert_allclose(after, [3, 1.5, 1.5], rtol=1e-14)
    assert impulse(result, 1.0, "c1.tau") == pytest.approx(3, rel=1e-14)  # what the first one has lost
    assert impulse(result, 1.0, "c2.tau") == pytest.approx(4.5, rel=1e-14)  # what the last one has got
    assert impulse(result, 1.0, "g1.b.tau") == pytest.approx(-6, rel=1e-14)
    assert len(event_times(result)) == 1


ROD = """
model BrakedRod "A brake stops the rod of a one-way clutch that carries an inertia"
  Inertia j(J = 4, w(start = 2, fixed = true));
  Freewheel clutch;
  Brake brake(locked = time >= 1);
  Torque drive(tau = if time < 1 then TORQUE else 0);
equation
  connect(drive.flange, clutch.a);
  connect(brake.flange, clutch.a);
  connect(clutch.b, j.flange);
  annotation(experiment(StopTime = 2));
end BrakedRod;
"""


@pytest.mark.parametrize("torque", [0.0, 8.0])
def test_one_way_clutch_opens_as_the_rod_is_stopped(torque: float) -> None:
    """If the clutch stayed closed, it would take the impulse -8 of the inertia: it opens, and the inertia
    keeps its speed. The mode in which both are closed is passed through without a trace."""
    text = SPEED_ELEMENTS + ROD.replace("TORQUE", str(torque))
    result = saltus.load(text).simulate()
    speed = 2 + torque / 4
    before, after = limits(result, 1.0, ["j.w", "clutch.a.w", "clutch.s"])
    np.testing.assert_allclose(before, [speed, speed, -torque], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(after, [before[0], 0, before[0]], rtol=1e-14)
    assert impulse(result, 1.0, "clutch.tau") == 0
    assert impulse(result, 1.0, "brake.flange.tau") == 0
    late = result.time > 1
    assert np.all(result["clutch.free"][late] == 1) and np.all(result["clutch.free"][result.time < 1] == 0)
    np.testing.assert_allclose(result["j.w"][late], speed, rtol=1e-9)
    assert len(event_times(result)) == 1
    event = next(e for e in result.events if e.time == 1.0)
    assert {c.name: c.new for c in event.changes} == {"clutch.free": True, "brake.locked": True}
