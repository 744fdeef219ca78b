"""Inertias, springs, ideal gears, sources and sensors of `Saltus.Rotational`, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from rotational_rigs import run, start

from translated_models import translated

COVERS = (
    "Saltus.Rotational.Inertia",
    "Saltus.Rotational.Fixed",
    "Saltus.Rotational.Spring",
    "Saltus.Rotational.Damper",
    "Saltus.Rotational.SpringDamper",
    "Saltus.Rotational.Gear",
    "Saltus.Rotational.PlanetaryGear",
    "Saltus.Rotational.Differential",
    "Saltus.Rotational.Sources.ConstantTorque",
    "Saltus.Rotational.Sources.SignalTorque",
    "Saltus.Rotational.Sources.ConstantSpeed",
    "Saltus.Rotational.Sources.SignalSpeed",
    "Saltus.Rotational.Sources.SignalAngle",
    "Saltus.Rotational.Sources.SignalAcceleration",
    "Saltus.Rotational.Sensors.AngleSensor",
    "Saltus.Rotational.Sensors.SpeedSensor",
    "Saltus.Rotational.Sensors.AccelerationSensor",
    "Saltus.Rotational.Sensors.TorqueSensor",
    "Saltus.Rotational.Sensors.PowerSensor",
)


def test_constant_torque_accelerates_an_inertia() -> None:
    """w = w0 + tau t / J, phi = phi0 + w0 t + tau t^2 / (2 J)."""
    result = run(
        f"""
  R.Sources.ConstantTorque drive(tau = 3);
  R.Inertia body(J = 2, {start(phi=0.5, w=-1)});
equation
  connect(drive.flange, body.flange_a);
""",
        stop=2.0,
    )
    t = result.time
    np.testing.assert_allclose(result["body.w"], -1 + 1.5 * t, atol=1e-8)
    np.testing.assert_allclose(result["body.phi"], 0.5 - t + 0.75 * t**2, atol=1e-8)
    np.testing.assert_allclose(result["body.a"], 1.5, rtol=1e-9)


def test_spring_between_two_inertias_swings_about_their_common_motion() -> None:
    """The relative angle swings with omega^2 = c (1/J1 + 1/J2) about phi_rel0; the momentum stays."""
    result = run(
        f"""
  R.Inertia a(J = 2, {start(w=3)});
  R.Inertia b(J = 3, {start(phi=0.4)});
  R.Spring spring(c = 30, phi_rel0 = 0.1);
equation
  connect(a.flange_b, spring.flange_a);
  connect(spring.flange_b, b.flange_a);
""",
        stop=4.0,
    )
    t, omega = result.time, 5.0
    np.testing.assert_allclose(
        result["spring.phi_rel"], 0.1 + 0.3 * np.cos(omega * t) - 3 / omega * np.sin(omega * t), atol=1e-6
    )
    np.testing.assert_allclose(result["spring.tau"], 30 * (result["spring.phi_rel"] - 0.1), atol=1e-9)
    np.testing.assert_allclose(2 * result["a.w"] + 3 * result["b.w"], 6, atol=1e-8)


def test_damper_brings_two_inertias_to_one_speed() -> None:
    """The difference of speeds decays with d (1/J1 + 1/J2)."""
    result = run(
        f"""
  R.Inertia a(J = 2, {start(w=5)});
  R.Inertia b(J = 3, {start()});
  R.Damper damper(d = 1.2);
equation
  connect(a.flange_b, damper.flange_a);
  connect(damper.flange_b, b.flange_a);
""",
        stop=5.0,
    )
    np.testing.assert_allclose(result["damper.w_rel"], -5 * np.exp(-result.time), atol=1e-7)
    np.testing.assert_allclose(result["b.w"], 2 * (1 - np.exp(-result.time)), atol=1e-7)


def test_spring_and_damper_to_a_fixed_point() -> None:
    """A damped oscillation about the angle phi0 + phi_rel0, with a decay of d / (2 J)."""
    result = run(
        f"""
  R.Fixed wall(phi0 = 0.2);
  R.SpringDamper shaft(c = 50, d = 4, phi_rel0 = 0.1);
  R.Inertia body(J = 2, {start(phi=1.3)});
equation
  connect(wall.flange, shaft.flange_a);
  connect(shaft.flange_b, body.flange_b);
""",
        stop=4.0,
    )
    t, decay = result.time, 1.0
    omega = np.sqrt(50 / 2 - decay**2)
    exact = 0.3 + np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))
    np.testing.assert_allclose(result["body.phi"], exact, atol=1e-6)
    np.testing.assert_allclose(result["wall.flange.phi"], 0.2)


def test_gear_is_one_body_with_its_inertias() -> None:
    """Seen from the first shaft the inertia is J1 + J2 / ratio^2; the torque in the teeth follows."""
    result = run(
        f"""
  R.Sources.ConstantTorque drive(tau = 7);
  R.Inertia a(J = 1, {start()});
  R.Gear gear(ratio = -2);
  R.Inertia b(J = 10);
equation
  connect(drive.flange, a.flange_a);
  connect(a.flange_b, gear.flange_a);
  connect(gear.flange_b, b.flange_a);
""",
        stop=3.0,
    )
    np.testing.assert_allclose(result["a.w"], 2 * result.time, atol=1e-8)
    np.testing.assert_allclose(result["b.w"], -result.time, atol=1e-8)
    np.testing.assert_allclose(result["gear.flange_a.tau"], 5, rtol=1e-9)
    np.testing.assert_allclose(result["gear.flange_b.tau"], 10, rtol=1e-9)
    assert len(result.modes[0].mode.states) == 2  # one angle, one speed


def planetary_accelerations(ratio: float, inertias: np.ndarray, torques: np.ndarray) -> np.ndarray:
    """Accelerations of sun, carrier and ring by Lagrange: M a + g lambda = torques, g a = 0."""
    g = np.array([1.0, -(1 + ratio), ratio])
    matrix = np.block([[np.diag(inertias), g[:, None]], [g[None, :], np.zeros((1, 1))]])
    return np.asarray(np.linalg.solve(matrix, np.append(torques, 0.0))[:3])


@pytest.mark.parametrize("ratio", [2.0, 3.5])
def test_planetary_gear_with_three_free_shafts(ratio: float) -> None:
    result = run(
        f"""
  R.Sources.ConstantTorque drive(tau = 4), brake(tau = -1);
  R.PlanetaryGear planets(ratio = {ratio});
  R.Inertia sun(J = 0.5, {start()});
  R.Inertia carrier(J = 2, {start()});
  R.Inertia ring(J = 1);
equation
  connect(drive.flange, sun.flange_a);
  connect(sun.flange_b, planets.sun);
  connect(planets.carrier, carrier.flange_a);
  connect(planets.ring, ring.flange_a);
  connect(brake.flange, carrier.flange_b);
""",
        stop=2.0,
    )
    exact = planetary_accelerations(ratio, np.array([0.5, 2.0, 1.0]), np.array([4.0, -1.0, 0.0]))
    for name, acceleration in zip(("sun", "carrier", "ring"), exact, strict=True):
        np.testing.assert_allclose(result[f"{name}.w"], acceleration * result.time, atol=1e-8)


def test_planetary_gear_with_a_held_ring_and_with_a_held_carrier() -> None:
    """1 + ratio to 1 in the same direction; ratio to 1 in the opposite one."""
    for held, driven, expected in (("ring", "carrier", 12 / 3), ("carrier", "ring", -12 / 2)):
        result = run(
            f"""
  R.Sources.ConstantSpeed drive(w = 12, phi(fixed = true));
  R.PlanetaryGear planets(ratio = 2);
  R.Fixed housing;
  R.Damper load(d = 3);
equation
  connect(drive.flange, planets.sun);
  connect(planets.{held}, housing.flange);
  connect(planets.{driven}, load.flange_a);
  connect(load.flange_b, housing.flange);
""",
            stop=1.0,
        )
        np.testing.assert_allclose(result["load.w_rel"], -expected, rtol=1e-9)
        np.testing.assert_allclose(-result["drive.flange.tau"] * 12, 3 * expected**2, rtol=1e-9)  # power


def test_differential_shares_torques_and_means_speeds() -> None:
    """Each wheel has half of the torque, and the wheels run away from each other as their inertias allow."""
    result = run(
        f"""
  R.Sources.ConstantTorque drive(tau = 6);
  R.Differential differential(ratio = 4);
  R.Inertia left(J = 2, {start()}), right(J = 6, {start()});
equation
  connect(drive.flange, differential.flange_in);
  connect(differential.flange_left, left.flange_a);
  connect(differential.flange_right, right.flange_a);
""",
        stop=1.0,
    )
    np.testing.assert_allclose(result["left.w"], 12 / 2 * result.time, atol=1e-8)
    np.testing.assert_allclose(result["right.w"], 12 / 6 * result.time, atol=1e-8)
    np.testing.assert_allclose(
        result["differential.flange_in.phi"], 4 * (result["left.phi"] + result["right.phi"]) / 2, atol=1e-12
    )


def test_given_motions_need_the_torque_of_the_motion() -> None:
    """phi = sin(2 t) given as angle, speed or acceleration: the torque is J phi''."""
    result = run(
        f"""
  R.Sources.SignalAngle by_angle(phi = sin(2*time));
  R.Sources.SignalSpeed by_speed(w = 2*cos(2*time), phi(fixed = true));
  R.Sources.SignalAcceleration by_acceleration(a = -4*sin(2*time), {start(w=2)});
  R.Inertia body[3](each J = 3);
equation
  connect(by_angle.flange, body[1].flange_a);
  connect(by_speed.flange, body[2].flange_a);
  connect(by_acceleration.flange, body[3].flange_a);
""",
        stop=3.0,
        tolerance=1e-10,
    )
    t = result.time
    for source, k in (("by_angle", 1), ("by_speed", 2), ("by_acceleration", 3)):
        np.testing.assert_allclose(result[f"{source}.flange.tau"], 3 * 4 * np.sin(2 * t), atol=1e-9)
        np.testing.assert_allclose(result[f"body[{k}].phi"], np.sin(2 * t), atol=1e-7)


def test_sensors_tell_and_take_nothing() -> None:
    """A shaft driven by tau = 5 cos(t) with J = 2, measured in every way."""
    result = run(
        f"""
  R.Sources.SignalTorque drive(tau = 5*cos(time));
  R.Sensors.TorqueSensor torque;
  R.Sensors.PowerSensor power;
  R.Inertia body(J = 2, {start(phi=1)});
  R.Sensors.AngleSensor angle;
  R.Sensors.SpeedSensor speed;
  R.Sensors.AccelerationSensor acceleration;
equation
  connect(drive.flange, torque.flange_a);
  connect(torque.flange_b, power.flange_a);
  connect(power.flange_b, body.flange_a);
  connect(body.flange_b, angle.flange);
  connect(body.flange_b, speed.flange);
  connect(body.flange_b, acceleration.flange);
""",
        stop=6.0,
    )
    t = result.time
    np.testing.assert_allclose(result["torque.tau"], 5 * np.cos(t), atol=1e-9)
    np.testing.assert_allclose(result["acceleration.a"], 2.5 * np.cos(t), atol=1e-9)
    np.testing.assert_allclose(result["speed.w"], 2.5 * np.sin(t), atol=1e-7)
    np.testing.assert_allclose(result["angle.phi"], 1 + 2.5 * (1 - np.cos(t)), atol=1e-7)
    np.testing.assert_allclose(result["power.P"], 12.5 * np.sin(t) * np.cos(t), atol=1e-6)


def test_example_gear_train_settles_where_the_oil_takes_all() -> None:
    """At the end the load turns with ratio*tau/d, and all power of the motor becomes heat."""
    result = translated("Saltus.Examples.Rotational.GearTrain").simulate(stop_time=30)
    assert result["speed.w"][-1] == pytest.approx(5.0, rel=1e-5)
    assert result["torque.tau"][-1] == pytest.approx(100.0, rel=1e-4)
    assert result["power.P"][-1] == pytest.approx(500.0, rel=1e-4)
    assert result["acceleration.a"][-1] == pytest.approx(0.0, abs=1e-2)
    assert result["angle.phi"][-1] == pytest.approx(np.trapezoid(result["speed.w"], result.time), rel=1e-4)
