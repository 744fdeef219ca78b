"""Masses, springs, dampers, rigid links, sources and sensors of Saltus.Translational.

Everything here is linear, so the truth is a closed form, or the matrix exponential of equations that are
written down again in the test.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import saltus
from translated_models import translated

COVERS = (
    "Saltus.Translational.Mass",
    "Saltus.Translational.Fixed",
    "Saltus.Translational.Spring",
    "Saltus.Translational.Damper",
    "Saltus.Translational.SpringDamper",
    "Saltus.Translational.Rod",
    "Saltus.Translational.Lever",
    "Saltus.Translational.RackAndPinion",
    "Saltus.Translational.Gravity",
    "Saltus.Translational.Sources.ConstantForce",
    "Saltus.Translational.Sources.SignalForce",
    "Saltus.Translational.Sources.ConstantSpeed",
    "Saltus.Translational.Sources.SignalSpeed",
    "Saltus.Translational.Sources.SignalPosition",
    "Saltus.Translational.Sensors.PositionSensor",
    "Saltus.Translational.Sensors.SpeedSensor",
    "Saltus.Translational.Sensors.AccelerationSensor",
    "Saltus.Translational.Sensors.ForceSensor",
    "Saltus.Translational.Sensors.PowerSensor",
)

Vector = NDArray[np.float64]
EXAMPLES = "Saltus.Examples.Translational."


def linear(a: list[list[float]], b: list[float], x0: list[float], times: Vector) -> Vector:
    """The solution of x' = A x + b, one row for each time."""
    n = len(x0)
    whole = np.zeros((n + 1, n + 1))
    whole[:n, :n] = a
    whole[:n, n] = b
    start = np.array([*x0, 1.0])
    return np.array([(expm(whole * t) @ start)[:n] for t in times])


def test_oscillator_and_its_sensors() -> None:
    """s - 0.01 = exp(-t)*(0.09*cos(w*t) + 0.09/w*sin(w*t)) with w^2 = 100 - 1."""
    result = translated(EXAMPLES + "Oscillator").simulate(tolerance=1e-10)
    t, w = np.asarray(result.time), math.sqrt(99.0)
    fade, sine, cosine = np.exp(-t), np.sin(w * t), np.cos(w * t)
    s = 0.01 + 0.09 * fade * (cosine + sine / w)
    v = -0.09 * fade * (w + 1 / w) * sine
    a = -(100 * (s - 0.01) + 2 * v)
    np.testing.assert_allclose(result["position.s"], s, atol=1e-8)
    np.testing.assert_allclose(result["speed.v"], v, atol=1e-7)
    np.testing.assert_allclose(result["acceleration.a"], a, atol=1e-6)
    np.testing.assert_allclose(result["wall.flange.f"], 100 * s + 2 * v, atol=1e-6)


def test_spring_has_no_force_at_its_own_length() -> None:
    result = saltus.load(
        """model Hung
          Saltus.Translational.Fixed ceiling(s0 = 3);
          Saltus.Translational.Spring spring(c = 50, s_rel0 = -0.4);
          Saltus.Translational.Mass load(m = 2, s(start = 2.6, fixed = true), v(fixed = true));
          Saltus.Translational.Gravity weight(m = 2, g = 10);
        equation
          connect(ceiling.flange, spring.flange_a);
          connect(spring.flange_b, load.flange_a);
          connect(weight.flange, load.flange_b);
        end Hung;"""
    ).simulate(stop_time=2, tolerance=1e-10)
    t = np.asarray(result.time)
    # It falls from the unloaded spring and swings about 0.4 m below with w = 5.
    np.testing.assert_allclose(result["load.s"], 2.6 - 0.4 * (1 - np.cos(5 * t)), atol=1e-8)
    assert result["spring.f"][0] == pytest.approx(0, abs=1e-12)


def test_weight_on_an_incline() -> None:
    result = saltus.load(
        """model Slide
          Saltus.Translational.Mass box(m = 3, s(start = 1, fixed = true), v(start = 4, fixed = true));
          Saltus.Translational.Gravity weight(m = 3, angle = 0.5235987755982988);
        equation
          connect(weight.flange, box.flange_a);
        end Slide;"""
    ).simulate(stop_time=1, tolerance=1e-10)
    t = np.asarray(result.time)
    np.testing.assert_allclose(result["box.s"], 1 + 4 * t - 9.81 / 4 * t**2, atol=1e-6)


def test_quarter_car() -> None:
    """The same equations by hand; the mean power of the road is the mean heat in the damper."""
    result = translated(EXAMPLES + "QuarterCar").simulate(tolerance=1e-10)
    m1, m2, c1, c2, d = 40.0, 300.0, 200e3, 20e3, 1500.0
    w, bump = 8.0, 0.02
    # States: wheel, its speed, car, its speed; and the road's cosine with its derivative.
    a: list[list[float]] = [
        [0, 1, 0, 0, 0, 0],
        [-(c1 + c2) / m1, -d / m1, c2 / m1, d / m1, -c1 * bump / m1, 0],
        [0, 0, 0, 1, 0, 0],
        [c2 / m2, d / m2, -c2 / m2, -d / m2, 0, 0],
        [0, 0, 0, 0, 0, 1],
        [0, 0, 0, 0, -w * w, 0],
    ]
    x = linear(a, [0, c1 * bump / m1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0], np.asarray(result.time))
    np.testing.assert_allclose(result["wheel.s"], x[:, 0], atol=1e-8)
    np.testing.assert_allclose(result["car.s"], x[:, 2], atol=1e-8)
    np.testing.assert_allclose(result["suspension.lossPower"], d * (x[:, 3] - x[:, 1]) ** 2, atol=1e-4)
    road, speed = bump * (1 - x[:, 4]), -bump * x[:, 5]
    np.testing.assert_allclose(result["power.P"], c1 * (road - x[:, 0]) * speed, atol=1e-3)


def test_tow_rope_and_the_bar() -> None:
    result = translated(EXAMPLES + "TowRope").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    # Elongation l of the rope and the speed of the sledge.
    x = linear([[0, -1], [2000 / 80, -400 / 80]], [2, 400 * 2 / 80], [0, 0], t)
    pull = 2000 * x[:, 0] + 400 * (2 - x[:, 1])
    np.testing.assert_allclose(result["front.v"], x[:, 1], atol=1e-7)
    np.testing.assert_allclose(result["force.f"], -pull, atol=1e-4)
    np.testing.assert_allclose(result["front.s"] - result["rear.s"], 1.5, atol=1e-12)
    np.testing.assert_allclose(result["bar.flange_b.f"], pull * 20 / 80, atol=1e-4)
    assert result["force.f"][0] == pytest.approx(-800)


def test_seesaw() -> None:
    result = translated(EXAMPLES + "Seesaw").simulate(tolerance=1e-11)
    t = np.asarray(result.time)
    np.testing.assert_allclose(result["heavy.s"], -9.81 / 121 * t**2 / 2, atol=1e-9)
    np.testing.assert_allclose(result["light.s"], 9.81 / 121 * t**2, atol=1e-9)
    # What holds the light one up, and what the heavy one feels of it.
    np.testing.assert_allclose(result["board.flange_b.f"], -20 * 9.81 * (1 + 2 / 121), rtol=1e-9)
    np.testing.assert_allclose(result["board.flange_a.f"], 2 * result["board.flange_b.f"], rtol=1e-12)


def test_pinion_moves_a_rack() -> None:
    """A shaft with an inertia J and a torque moves a mass: (J/r + m*r) a = tau."""
    result = saltus.load(
        """model Feed
          model Motor "An inertia with a torque"
            Saltus.Rotational.Interfaces.Flange flange;
            Real w = der(flange.phi);
          equation
            0.01*der(w) = 0.6 + flange.tau;
          end Motor;
          Motor motor;
          Saltus.Translational.RackAndPinion gear(r = 0.05);
          Saltus.Translational.Mass table(m = 8, s(start = 0.2, fixed = true), v(fixed = true));
        equation
          connect(motor.flange, gear.pinion);
          connect(gear.rack, table.flange_a);
        end Feed;"""
    ).simulate(stop_time=2, tolerance=1e-10)
    t = np.asarray(result.time)
    a = 0.6 / (0.01 / 0.05 + 8 * 0.05)
    np.testing.assert_allclose(result["table.s"], 0.2 + a * t**2 / 2, rtol=1e-6)
    np.testing.assert_allclose(result["gear.pinion.phi"], (0.2 + a * t**2 / 2) / 0.05, rtol=1e-6)
    np.testing.assert_allclose(result["gear.pinion.tau"], 0.05 * 8 * a, rtol=1e-9)


def test_sources_by_signal() -> None:
    result = saltus.load(
        """model Driven
          Saltus.Translational.Sources.SignalForce push(f = 3*cos(2*time));
          Saltus.Translational.Mass body(m = 0.5, s(fixed = true), v(start = 1, fixed = true));
          Saltus.Translational.Sources.SignalSpeed belt(v = 1 - time, s(start = 0.3));
          Saltus.Translational.Damper damper(d = 4);
          Saltus.Translational.Fixed ground;
          Saltus.Translational.Sources.SignalPosition cam(s = time^3);
          Saltus.Translational.Mass follower(m = 2);
        equation
          connect(push.flange, body.flange_a);
          connect(belt.flange, damper.flange_b);
          connect(ground.flange, damper.flange_a);
          connect(cam.flange, follower.flange_a);
        end Driven;"""
    ).simulate(stop_time=2, tolerance=1e-10)
    t = np.asarray(result.time)
    np.testing.assert_allclose(result["body.v"], 1 + 3 * np.sin(2 * t), atol=1e-7)
    np.testing.assert_allclose(result["belt.flange.s"], 0.3 + t - t**2 / 2, atol=1e-7)
    np.testing.assert_allclose(result["belt.flange.f"], -4 * (1 - t), atol=1e-9)
    np.testing.assert_allclose(result["cam.flange.f"], -2 * 6 * t, atol=1e-9)
