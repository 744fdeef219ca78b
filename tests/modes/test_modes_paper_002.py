"""The four systems of paper 002 (Mosterman, Biswas, Otter): clutches, a mythical mode, a pinnacle.

A weight m1 hangs on a rope round a wheel and drives an inertia I1 through the clutch Sw2; the brake Sw1 can
hold the connecting rod. The paper gives gravity as 9.8 and the times of switching, 0.5 s and 1 s in Fig. 5
and Fig. 6, 0.2 s in Fig. 8, 0.6 s in Fig. 10, and the angle 0.5 at which the collision starts. All motions
are lines and parabolas.
"""

from __future__ import annotations

import numpy as np
import pytest
from leap_readings import between, event_times, impulse, impulses_at, limits
from mechanical_elements import SPEED_ELEMENTS

import saltus
from saltus.result.files.eventlog import event_lines

G = 9.8

SOURCE = """
model VelocitySource "Fig. 5: the weight is much heavier than the inertia, its speed is given"
  parameter Real I1 = INERTIA;
  Speed m1(w = 9.8*time);
  Inertia i1(J = I1);
  Clutch sw2(locked = time < 0.5 or time >= 1);
equation
  connect(m1.flange, sw2.a);
  connect(sw2.b, i1.flange);
  annotation(experiment(StopTime = 1.5));
end VelocitySource;
"""


@pytest.mark.parametrize("inertia", [1.0, 0.25])
def test_clutch_with_velocity_source(inertia: float) -> None:
    """The state vector has dimension 0, then 1, then 0: the inertia follows, coasts at 4.9, and is jerked
    to 9.8."""
    result = saltus.load(SPEED_ELEMENTS + SOURCE.replace("INERTIA", str(inertia))).simulate()
    t = result.time
    away = between(result, [1.0])
    exact = np.where((t < 0.5) | (t > 1), G * t, G / 2)
    np.testing.assert_allclose(result["i1.w"][away], exact[away], rtol=1e-9, atol=1e-9)
    before, after = limits(result, 1.0, ["i1.w"])
    assert before[0] == pytest.approx(4.9, rel=1e-9) and after[0] == pytest.approx(9.8, rel=1e-12)
    assert impulse(result, 1.0, "sw2.tau") == pytest.approx(inertia * (after[0] - before[0]), rel=1e-12)
    assert impulses_at(result, 0.5) == {}
    closed = (t < 0.5) | (t > 1)
    np.testing.assert_allclose(result["sw2.tau"][closed], inertia * G, rtol=1e-9)
    assert result.statistics["programs"] == 2


MOMENTUM = """
model Momentum "Fig. 6: weight and inertia share their momentum"
  parameter Real k = GAIN "speed of the wheel over that of the weight: 2*pi*r in the paper";
  Inertia m1(J = 1, w(start = 0, fixed = true)) "the weight: w is its velocity, tau a force";
  Torque gravity(tau = 9.8);
  Gear wheel(ratio = 1/k);
  Inertia i1(J = 1);
  Clutch sw2(locked = time < 0.5 or time >= 1);
equation
  connect(gravity.flange, m1.flange);
  connect(m1.flange, wheel.a);
  connect(wheel.b, sw2.a);
  connect(sw2.b, i1.flange);
  annotation(experiment(StopTime = 1.5));
end Momentum;
"""


@pytest.mark.parametrize("gain", [1.0, 3.0])
def test_clutch_with_conservation_of_momentum(gain: float) -> None:
    """Where m1 = I1 and 2 pi r = 1, momentum is distributed equally at 1 s: 7.35 and 2.45 become 4.9. With
    another gain, gain*(change of L1) + (change of p1) = 0."""
    result = saltus.load(SPEED_ELEMENTS + MOMENTUM.replace("GAIN", str(gain))).simulate()
    together = G / (1 + gain**2)  # acceleration of the weight
    v_open = 0.5 * together
    v_before, w_before = v_open + 0.5 * G, gain * v_open
    v_after = (v_before + gain * w_before) / (1 + gain**2)
    if gain == 1:
        assert (v_before, w_before, v_after) == pytest.approx((7.35, 2.45, 4.9))
    before, after = limits(result, 1.0, ["m1.w", "i1.w"])
    np.testing.assert_allclose(before, [v_before, w_before], rtol=1e-9)
    np.testing.assert_allclose(after, [v_after, gain * v_after], rtol=1e-9)
    change = after - before
    assert change[0] + gain * change[1] == pytest.approx(0, abs=1e-10 * v_before)
    assert impulse(result, 1.0, "sw2.tau") == pytest.approx(change[1], rel=1e-10)
    t = result.time
    away = between(result, [1.0])
    velocity = np.where(t < 0.5, together * t, v_open + G * (t - 0.5))
    velocity = np.where(t > 1, v_after + together * (t - 1), velocity)
    np.testing.assert_allclose(result["m1.w"][away], velocity[away], rtol=1e-9, atol=1e-9)


FREEWHEELING = """
model Freewheeling "Fig. 7: the brake stops the weight, the inertia runs on"
  Inertia m1(J = 1, w(start = 0, fixed = true));
  Inertia i1(J = 2);
  Torque gravity(tau = 9.8);
  Brake sw1(locked = time >= 0.2);
  Freewheel sw2;
equation
  connect(gravity.flange, m1.flange);
  connect(m1.flange, sw1.flange);
  connect(sw1.flange, sw2.a);
  connect(sw2.b, i1.flange);
  annotation(experiment(StopTime = 0.4));
end Freewheeling;
"""


def test_freewheeling_clutch_passes_a_mythical_mode() -> None:
    """Both speeds are 9.8/3*0.2 when the brake closes at 0.2 s. The weight stops, the inertia keeps its
    speed; the configuration with both closed, where it would lose it, is in no row, in no impulse and in no
    line of the log."""
    result = saltus.load(SPEED_ELEMENTS + FREEWHEELING).simulate()
    speed = G / 3 * 0.2
    before, after = limits(result, 0.2, ["m1.w", "i1.w"])
    np.testing.assert_allclose(before, speed, rtol=1e-9)
    np.testing.assert_allclose(after, [0, before[1]], rtol=1e-13)
    assert event_times(result) == [0.2]
    assert impulse(result, 0.2, "sw1.flange.tau") == pytest.approx(before[0], rel=1e-12)  # the weight's own
    assert impulse(result, 0.2, "sw2.tau") == 0
    t = result.time
    away = between(result, [0.2])
    np.testing.assert_allclose(
        result["i1.w"][away], np.where(t < 0.2, G / 3 * t, speed)[away], rtol=1e-9, atol=1e-9
    )
    assert np.all(result["sw2.free"][away] == (t > 0.2)[away])
    assert not any("reinitialised" in line and "i1" in line for line in event_lines(result))
    event = next(e for e in result.events if e.time == 0.2)
    assert {c.name: (c.old, c.new) for c in event.changes} == {
        "sw1.locked": (False, True),
        "sw2.free": (False, True),
    }


COLLISION = """
model ElasticCollision "Fig. 9 to 11: a rod that gives way for an instant"
  parameter Real e = RESTITUTION;
  parameter Real J = 2;
  Real phi(start = 0.5, fixed = true), w(start = -0.5/0.6, fixed = true);
  Real tau "of the wall";
  discrete Real w_after(start = 0, fixed = true);
  Boolean touching(start = false, fixed = true) = phi <= 0;
  Boolean contact = pre(touching) "decided by values before the instant";
equation
  der(phi) = w;
  J*der(w) = tau;
  when touching then
    w_after = -e*pre(w);
  end when;
  if contact then
    w = w_after;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 1.2));
end ElasticCollision;
"""


@pytest.mark.parametrize("restitution", [1.0, 0.5])
def test_elastic_collision_is_a_pinnacle(restitution: float) -> None:
    """At 0.6 s the wall is touched. The mode of contact lasts for an instant and changes the state."""
    result = saltus.load(COLLISION.replace("RESTITUTION", str(restitution))).simulate(tolerance=1e-9)
    speed = 0.5 / 0.6
    before, after = limits(result, 0.6, ["phi", "w"])
    np.testing.assert_allclose(before, [0, -speed], atol=1e-8)
    np.testing.assert_allclose(after, [0, restitution * speed], atol=1e-8)
    assert impulse(result, 0.6, "tau") == pytest.approx(2 * (1 + restitution) * speed, rel=1e-8)
    t = result.time
    exact = np.where(t < 0.6, 0.5 - speed * t, restitution * speed * (t - 0.6))
    np.testing.assert_allclose(result["phi"], exact, atol=1e-7)
    assert np.all(result["contact"] == 0)  # it has no place in time ...


def test_pinnacle_is_in_the_event_log() -> None:
    """... but one in the log: in one round the contact closes, in the next one it opens."""
    result = saltus.load(COLLISION.replace("RESTITUTION", "1")).simulate(tolerance=1e-9)
    log = [line for line in event_lines(result) if "Variable contact changed" in line]
    assert log == ["Variable contact changed to true", "Variable contact changed to false"]
    event = next(e for e in result.events if abs(e.time - 0.6) < 1e-8)
    assert event.rounds >= 2
    assert [stay.stop - stay.start > 0 for stay in result.modes] == [True, False, True]
