"""A one-way clutch between an oscillating drive and a loaded shaft, against lines and cosines.

Locked, both have the speed of (J1 + J2) w' = A cos(t) - load; the clutch hands on load + J2 w'. Free, each
goes its way. Where it locks by itself, the speeds are equal, and where it opens, the torque is zero: there
are no impulses, unless something else makes one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from leap_readings import event_times, impulse, limits
from mechanical_elements import SPEED_ELEMENTS
from scipy.optimize import brentq

import saltus

J1, J2, A, LOAD = 1.0, 2.0, 3.0, 0.4
STOP = 20.0

RATCHET = """
model Ratchet
  Inertia j1(J = 1, w(start = -1, fixed = true)), j2(J = 2, w(start = 0.5, fixed = true));
  Freewheel freewheel;
  Torque drive(tau = 3*cos(time)), load(tau = -0.4);
equation
  connect(drive.flange, j1.flange);
  connect(j1.flange, freewheel.a);
  connect(freewheel.b, j2.flange);
  connect(j2.flange, load.flange);
  annotation(experiment(StopTime = 20, Tolerance = 1e-9));
end Ratchet;
"""


@dataclass(frozen=True)
class Stretch:
    """From `start` on; speeds then."""

    start: float
    free: bool
    w1: float
    w2: float

    def speeds(self, t: float) -> tuple[float, float]:
        drive = A * (math.sin(t) - math.sin(self.start))
        drag = LOAD * (t - self.start)
        if self.free:
            return self.w1 + drive / J1, self.w2 - drag / J2
        w = self.w1 + (drive - drag) / (J1 + J2)
        return w, w

    def margin(self, t: float) -> float:
        """What is positive until the stretch ends: how far ahead the shaft is, or the torque handed on."""
        w1, w2 = self.speeds(t)
        return w2 - w1 if self.free else LOAD + J2 * (A * math.cos(t) - LOAD) / (J1 + J2)


def stretches() -> list[Stretch]:
    found = [Stretch(0.0, True, -1.0, 0.5)]
    while True:
        now = found[-1]
        t = now.start + 0.01  # past the zero with which it began
        while now.margin(t) > 0 and t < STOP:
            t += 0.01
        if t >= STOP:
            return found
        end = brentq(now.margin, t - 0.01, t, xtol=1e-14)
        found.append(Stretch(end, not now.free, *now.speeds(end)))


def test_drive_and_load() -> None:
    result = saltus.load(SPEED_ELEMENTS + RATCHET).simulate()
    exact = stretches()
    assert len(exact) >= 6
    assert event_times(result) == pytest.approx([s.start for s in exact[1:]], abs=1e-6)
    assert list(result.impulses) == []
    starts = np.array([s.start for s in exact])
    for k, t in enumerate(result.time):
        stretch = exact[int(np.searchsorted(starts, t, side="right")) - 1]
        w1, w2 = stretch.speeds(t)
        assert result["j1.w"][k] == pytest.approx(w1, abs=1e-6)
        assert result["j2.w"][k] == pytest.approx(w2, abs=1e-6)
    # Never both a torque and a difference of speeds, and both of one sign only.
    assert result["freewheel.tau"].min() >= -1e-9 and result["freewheel.w_rel"].min() >= -1e-9
    assert np.abs(result["freewheel.tau"] * result["freewheel.w_rel"]).max() < 1e-9
    assert result.statistics["programs"] == 2


STRUCK = """
model Struck "A clutch throws a third inertia upon the drive"
  Inertia j1(J = 1, w(start = 0, fixed = true)), j2(J = 2, w(start = 3, fixed = true));
  Inertia j3(J = 4, w(start = SPEED, fixed = true));
  Freewheel freewheel;
  Clutch clutch(locked = time >= 1);
equation
  connect(j3.flange, clutch.a);
  connect(clutch.b, j1.flange);
  connect(j1.flange, freewheel.a);
  connect(freewheel.b, j2.flange);
  annotation(experiment(StopTime = 2));
end Struck;
"""


@pytest.mark.parametrize("speed", [10.0, 2.0])
def test_impulse_through_a_freewheel(speed: float) -> None:
    """4 and 1 together turn at 0.8 times the speed. If that is more than 3, the freewheel must hand on a
    part of the impulse in the same instant; otherwise it stays free. Either way the decision is that of the
    result."""
    result = saltus.load(SPEED_ELEMENTS + STRUCK.replace("SPEED", str(speed))).simulate()
    before, after = limits(result, 1.0, ["j1.w", "j2.w", "j3.w"])
    inertias = np.array([1.0, 2.0, 4.0])
    if 0.8 * speed > 3:
        common = (4 * speed + 6) / 7
        np.testing.assert_allclose(after, common, rtol=1e-12)
        assert impulse(result, 1.0, "freewheel.tau") == pytest.approx(2 * (common - 3), rel=1e-12)
    else:
        np.testing.assert_allclose(after, [0.8 * speed, 3, 0.8 * speed], rtol=1e-12)
        assert impulse(result, 1.0, "freewheel.tau") == 0
    assert inertias @ after == pytest.approx(inertias @ before, rel=1e-12)
    assert impulse(result, 1.0, "clutch.tau") == pytest.approx(4 * (speed - after[2]), rel=1e-12)
    np.testing.assert_allclose(result["j2.w"][-1], after[1], rtol=1e-9)


ROW = """
model Row "One-way clutches in a row, a fast inertia strikes the first"
  parameter Integer n = 4;
  Inertia j[n](J = {1, 2, 1, 3}, w(start = {0, 1, 1.5, 4}, each fixed = true));
  Inertia hammer(J = 6, w(start = 7, fixed = true));
  Clutch clutch(locked = time >= 1);
  Freewheel f[n - 1];
equation
  connect(hammer.flange, clutch.a);
  connect(clutch.b, j[1].flange);
  for k in 1:n - 1 loop
    connect(j[k].flange, f[k].a);
    connect(f[k].b, j[k + 1].flange);
  end for;
  annotation(experiment(StopTime = 2));
end Row;
"""


def test_impulse_through_a_row_of_freewheels() -> None:
    """The hammer takes along as many inertias as are slower than those before them: 42/7 = 6, 44/9 with the
    second, 45.5/10 with the third; 4 is less than that, so the fourth is taken along, too: 57.5/13."""
    result = saltus.load(SPEED_ELEMENTS + ROW).simulate()
    names = ["hammer.w", *(f"j[{k}].w" for k in range(1, 5))]
    before, after = limits(result, 1.0, names)
    np.testing.assert_allclose(after, 57.5 / 13, rtol=1e-12)
    assert impulse(result, 1.0, "f[3].tau") == pytest.approx(3 * (57.5 / 13 - 4), rel=1e-11)
    assert impulse(result, 1.0, "f[1].tau") == pytest.approx(57.5 / 13 * 6 - 2 - 1.5 - 12, rel=1e-11)
    inertias = np.array([6.0, 1, 2, 1, 3])
    assert inertias @ after == pytest.approx(inertias @ before, rel=1e-12)


BACKSTOP = """
model Backstop "A winch that must not run backwards"
  Fixed housing;
  Inertia drum(J = 2, w(start = 0, fixed = true));
  Freewheel backstop;
  Torque torque(tau = if time < 1 or time >= 4 then 4 else -6);
equation
  connect(housing.flange, backstop.a);
  connect(backstop.b, drum.flange);
  connect(drum.flange, torque.flange);
  annotation(experiment(StopTime = 5));
end Backstop;
"""


def test_backstop() -> None:
    """It is pulled from rest, runs out, is held without any state of its own, and is pulled again: each
    decision is made at a speed of zero."""
    result = saltus.load(SPEED_ELEMENTS + BACKSTOP).simulate()
    t = result.time
    assert event_times(result) == pytest.approx([1.0, 5 / 3, 4.0], abs=1e-6)
    speed = np.select([t < 1, t < 5 / 3, t < 4], [2 * t, 2 - 3 * (t - 1), 0 * t], 2 * (t - 4))
    np.testing.assert_allclose(result["drum.w"], speed, atol=1e-6)
    held = (t > 5 / 3 + 1e-6) & (t < 4)
    np.testing.assert_allclose(result["backstop.tau"][held], 6, rtol=1e-12)
    assert np.all(result["backstop.tau"][(t < 5 / 3 - 1e-6) | (t > 4)] == 0)
    assert [len(stay.mode.states) for stay in result.modes if stay.stop > stay.start][-2:] == [0, 1]
    assert list(result.impulses) == []
