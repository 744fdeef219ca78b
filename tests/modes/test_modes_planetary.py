"""A planetary gear with two clutches and a brake through a sequence of shifts, against the closed form.

The first clutch joins the engine with the sun, the second one with the ring; the brake holds the ring.
Brake and first clutch make the low gear, both clutches the direct one, and all three together hold
everything: a car that is parked. Between them are neutral and half-shifted modes.
"""

from __future__ import annotations

import numpy as np
import pytest
from leap_readings import between, event_times, impulse, impulses_at
from mechanical_elements import ANGLE_ELEMENTS, SPEED_ELEMENTS
from rigid_shafts import Phase, RigidShafts
from shaft_checks import check_shafts

import saltus

GEARBOX = """
model Gearbox
  Inertia engine(J = 0.4, w(start = 30, fixed = true)ANGLE), sun(J = 0.05, w(start = 0, fixed = true)ANGLE);
  Inertia ring(J = 0.2, w(start = 0, fixed = true)ANGLE), car(J = 5);
  Planetary gear(ratio = 2.5);
  Clutch c1(locked = time >= 1 and time < 4 or time >= 6);
  Clutch c2(locked = time >= 3 and time < 5 or time >= 6);
  Brake brake(locked = time >= 0.5 and time < 3 or time >= 6);
  Torque drive(tau = 3), load(tau = -0.5);
equation
  connect(drive.flange, engine.flange);
  connect(engine.flange, c1.a);
  connect(c1.b, sun.flange);
  connect(engine.flange, c2.a);
  connect(c2.b, ring.flange);
  connect(brake.flange, ring.flange);
  connect(gear.sun, sun.flange);
  connect(gear.ring, ring.flange);
  connect(gear.carrier, car.flange);
  connect(car.flange, load.flange);
  annotation(experiment(StopTime = 7));
end Gearbox;
"""


def motion() -> RigidShafts:
    """Shafts: engine, sun, ring, car. The torque of the gear is the one that its sun gives to the shaft."""
    gear = {"gear": np.array([0.0, 1.0, 2.5, -3.5])}
    c1, c2 = {"c1": np.array([-1.0, 1.0, 0.0, 0.0])}, {"c2": np.array([-1.0, 0.0, 1.0, 0.0])}
    brake = {"brake": np.array([0.0, 0.0, 1.0, 0.0])}
    sequence = {
        0.0: gear,  # neutral
        0.5: gear | brake,
        1.0: gear | brake | c1,  # low
        3.0: gear | c1 | c2,  # direct
        4.0: gear | c2,
        5.0: gear,  # neutral
        6.0: gear | c1 | c2 | brake,  # parked
    }
    torques = np.array([3.0, 0.0, 0.0, -0.5])
    phases = [Phase(t, locks, torques) for t, locks in sequence.items()]
    return RigidShafts([0.4, 0.05, 0.2, 5.0], [30.0, 0.0, 0.0, 0.0], phases)


TORQUES = {"gear": "-gear.sun.tau", "c1": "c1.tau", "c2": "c2.tau", "brake": "-brake.flange.tau"}


@pytest.mark.parametrize("angles", [False, True])
def test_shift_sequence(angles: bool) -> None:
    elements = ANGLE_ELEMENTS if angles else SPEED_ELEMENTS
    text = elements + GEARBOX.replace("ANGLE", ", phi(start = 0, fixed = true)" if angles else "")
    result = saltus.load(text).simulate(tolerance=1e-10)
    exact = motion()
    check_shafts(result, exact, ["engine", "sun", "ring", "car"], TORQUES, angles=angles)
    assert event_times(result) == [0.5, 1.0, 3.0, 4.0, 5.0, 6.0]
    # Neutral, braked, low, direct, second clutch, parked.
    assert result.statistics["programs"] == 6
    # In the direct gear all turn as one; parked, all stand.
    direct = (result.time > 3) & (result.time < 4)
    for name in ("sun", "ring", "car"):
        np.testing.assert_allclose(result[f"{name}.w"][direct], result["engine.w"][direct], rtol=1e-9)
    parked = result.time > 6
    for name in ("engine", "sun", "ring", "car"):
        np.testing.assert_allclose(result[f"{name}.w"][parked], 0, atol=1e-9)
    assert impulses_at(result, 4.0) == {} and impulses_at(result, 5.0) == {}


def test_torques_between_shifts() -> None:
    """Clutches and brake hold what the closed form says, in every mode."""
    result = saltus.load(SPEED_ELEMENTS + GEARBOX.replace("ANGLE", "")).simulate()
    exact = motion()
    away = between(result, [p.start for p in exact.phases])
    ends = [*(p.start for p in exact.phases[1:]), 7.0]
    for k, (phase, end) in enumerate(zip(exact.phases, ends, strict=True)):
        rows = away & (result.time > phase.start) & (result.time < end)
        held = exact.torques(k)
        for lock, name in TORQUES.items():
            sign, name = (-1, name[1:]) if name.startswith("-") else (1, name)
            np.testing.assert_allclose(
                sign * result[name][rows], held.get(lock, 0.0), atol=1e-8, err_msg=lock
            )


LIGHT = """
model Light "Sun and ring have no inertia"
  Inertia engine(J = 0.4, w(start = 30, fixed = true)), car(J = 5, w(start = 0, fixed = true));
  Planetary gear(ratio = 2.5);
  Clutch c1(locked = time >= 1 and time < 4), c2(locked = time >= 3 and time < 5);
  Brake brake(locked = time >= 0.5 and time < 3);
  Torque drive(tau = 3), load(tau = -0.5);
equation
  connect(drive.flange, engine.flange);
  connect(engine.flange, c1.a);
  connect(c1.b, gear.sun);
  connect(engine.flange, c2.a);
  connect(c2.b, gear.ring);
  connect(brake.flange, gear.ring);
  connect(gear.carrier, car.flange);
  connect(car.flange, load.flange);
  annotation(experiment(StopTime = 7));
end Light;
"""


def test_shafts_without_inertia() -> None:
    """In neutral, nothing says how sun and ring share the motion of the car: the run goes on, with a warning.
    The low gear has the ratio 3.5, the direct one 1; with one clutch or the brake alone no torque is handed
    on."""
    result = saltus.load(SPEED_ELEMENTS + LIGHT).simulate()
    low, direct = {"low": np.array([1.0, -3.5])}, {"direct": np.array([1.0, -1.0])}
    torques = np.array([3.0, -0.5])
    sequence = {0.0: {}, 1.0: low, 3.0: direct, 4.0: {}}
    exact = RigidShafts([0.4, 5.0], [30.0, 0.0], [Phase(t, locks, torques) for t, locks in sequence.items()])
    away = between(result, sequence)
    for name, row in zip(("engine.w", "car.w"), exact.speeds(result.time), strict=True):
        np.testing.assert_allclose(result[name][away], row[away], atol=1e-8 * 30)
    # What the engine gives when the low gear is engaged goes through the first clutch.
    assert impulse(result, 1.0, "c1.tau") == pytest.approx(-exact.leaps[0].weights["low"], rel=1e-9)
    assert impulse(result, 1.0, "brake.flange.tau") == pytest.approx(
        2.5 * exact.leaps[0].weights["low"], rel=1e-9
    )
    np.testing.assert_allclose(
        3.5 * result["car.w"], result["gear.sun.w"] + 2.5 * result["gear.ring.w"], atol=1e-8
    )
    neutral = (result.time < 0.5) | (result.time > 5)
    assert result.undetermined("gear.sun.w")[neutral].all()
    assert not result.undetermined("gear.sun.w")[(result.time > 0.5) & (result.time < 5)].any()
    assert [w.code for w in result.warnings] == ["W406"]
