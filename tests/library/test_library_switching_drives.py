"""The EMF and the DC motor: run-up, braking, generator, a lock by a short circuit, a drive with pulses."""

from __future__ import annotations

import numpy as np
import pytest
from linear_phases import Phases
from scipy.integrate import simpson

import saltus
from saltus.result.result import Result
from translated_models import translated

COVERS = ("Saltus.Electrical.EMF", "Saltus.Electrical.DCMotor")

R, L, K, J = 0.5, 1e-3, 0.05, 1e-4  # the defaults of the motor


def run(declarations: str, equations: str, stop: float, points: int = 400) -> Result:
    text = (
        "model M\n  import E = Saltus.Electrical;\n  import Saltus.Rotational.*;\n  E.Ground ground;\n"
        f"{declarations}\nequation\n{equations}\nend M;\n"
    )
    return saltus.load(text).simulate(stop_time=stop, interval=stop / points, tolerance=1e-10)


def machine(resistance: float, inductance: float, k: float, inertia: float) -> list[list[float]]:
    """States: current, speed, angle."""
    return [
        [-resistance / inductance, -k / inductance, 0],
        [k / inertia, 0, 0],
        [0, 1, 0],
    ]


FIXED = "i(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0, fixed = true)"
SUPPLY = "  connect(V.p, motor.p); connect(motor.n, V.n); connect(V.n, ground.p);\n"


def test_motor_runs_up() -> None:
    """At 12 V, with nothing at the shaft: to 240 rad/s."""
    result = run(f"  E.Sources.ConstantVoltage V(V = 12);\n  E.DCMotor motor({FIXED});", SUPPLY, 0.2)
    walk = Phases([0, 0, 0], 1e-3)
    walk.follow(machine(R, L, K, J), [12 / L, 0, 0], 0.2)
    i, w, phi = walk.at(result.time)
    np.testing.assert_allclose(result["motor.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["motor.w"], w, atol=1e-6)
    np.testing.assert_allclose(result["motor.phi"], phi, atol=1e-6)
    assert result["motor.w"][-1] == pytest.approx(12 / K, rel=1e-3)


def test_inertia_may_be_at_the_shaft() -> None:
    """`J = 0` leaves it to the load: the same as a rotor that has it all."""
    result = run(
        "  E.Sources.ConstantVoltage V(V = 12);\n  E.DCMotor motor(J = 0, i(start = 0, fixed = true));\n"
        "  Inertia load(J = 2e-4, w(start = 0, fixed = true), phi(start = 0, fixed = true));",
        SUPPLY + "  connect(motor.flange, load.flange_a);",
        0.2,
    )
    walk = Phases([0, 0, 0], 1e-3)
    walk.follow(machine(R, L, K, 2e-4), [12 / L, 0, 0], 0.2)
    i, w, _ = walk.at(result.time)
    np.testing.assert_allclose(result["motor.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["load.w"], w, atol=1e-6)


def test_motor_as_generator() -> None:
    """Driven at 100 rad/s into 2 ohm: the induced voltage divides, and the shaft needs what the circuit turns
    into heat."""
    result = run(
        "  E.DCMotor motor(i(start = 0, fixed = true));\n  E.Resistor load(R = 2);\n"
        "  Sources.ConstantSpeed drive(w = 100);",
        "  connect(motor.p, load.p); connect(load.n, motor.n); connect(load.n, ground.p);\n"
        "  connect(drive.flange, motor.flange);",
        0.01,
    )
    final = 100 * K / (R + 2)
    current = final * (1 - np.exp(-result.time * (R + 2) / L))
    np.testing.assert_allclose(result["load.i"], current, atol=1e-8)
    np.testing.assert_allclose(result["motor.flange.tau"], K * current, atol=1e-9)  # against the rotation
    heat = (R + 2) * final**2
    assert 100 * result["motor.flange.tau"][-1] == pytest.approx(heat, rel=1e-6)


def test_braked_flywheel() -> None:
    """Resistance, inductance and EMF apart: the battery drives for a second, then 1 ohm more brakes."""
    result = translated("Saltus.Examples.Electrical.DynamicBraking").simulate(tolerance=1e-10)
    walk = Phases([0, 0, 0], 1e-2)
    walk.follow(machine(0.5, 1e-3, 0.1, 2e-3), [24 / 1e-3, 0, 0], 1.0)
    walk.follow(machine(1.5, 1e-3, 0.1, 2e-3), [0, 0, 0], 2.5)
    i, w, phi = walk.at(result.time)
    np.testing.assert_allclose(result["L.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["flywheel.w"], w, atol=1e-6)
    np.testing.assert_allclose(result["flywheel.phi"], phi, atol=1e-5)
    np.testing.assert_allclose(result["emf.v"], 0.1 * w, atol=1e-6)
    np.testing.assert_allclose(result["emf.tau"], 0.1 * i, atol=1e-6)
    late = 1 + np.concatenate([np.linspace(0, 0.01, 201)[:-1], np.linspace(0.01, 1.5, 301)])
    i, w, _ = walk.at(late)
    heat = simpson(1.0 * i**2, x=late)
    stored = 2e-3 / 2 * w**2 + 1e-3 / 2 * i**2
    assert heat == pytest.approx(2 / 3 * (stored[0] - stored[-1]), rel=1e-4)  # as the example says


def test_short_circuit_without_resistance_locks_the_shaft() -> None:
    """The speed jumps to zero; the momentum goes into an impulse of the current, J w/k = 0.2 C."""
    result = run(
        "  E.EMF emf(k = 0.1);\n  E.Switch S(closed = time >= 0.5);\n"
        "  Inertia wheel(J = 0.002, w(start = 10, fixed = true), phi(start = 0, fixed = true));",
        "  connect(emf.p, S.p); connect(S.n, emf.n); connect(emf.n, ground.p);\n"
        "  connect(emf.flange, wheel.flange_a);",
        1.0,
    )
    free, locked = result.time < 0.5, result.time > 0.5
    np.testing.assert_allclose(result["emf.v"][free], 1, rtol=1e-12)
    np.testing.assert_allclose(result["wheel.w"][locked], 0, atol=1e-14)
    np.testing.assert_allclose(result["wheel.phi"][locked], 5, rtol=1e-9)
    assert [abs(one.weight) for one in result.impulses["emf.i"]] == pytest.approx([0.2], rel=1e-12)


def test_drive_with_pulses() -> None:
    """The bridge connects the motor one way or the other, and the mean of the voltage decides."""
    result = translated("Saltus.Examples.Electrical.HBridgeDrive").simulate(tolerance=1e-9)
    period, inertia = 1e-3, 2e-4
    walk = Phases([0, 0, 0, 0], period)  # the last one: energy that the battery has given
    matrix = np.zeros((4, 4))
    matrix[:3, :3] = machine(R, L, K, inertia)
    for k in range(350):
        # the pulse ends where k*period + duty*period is reached; from 0.1 s on the duty falls by 6/s
        begin = k * period
        if k < 100:
            end = begin + 0.8 * period
        elif k < 200:
            end = (begin + period * (0.8 + 0.6)) / (1 + 6 * period)
        else:
            end = begin + 0.2 * period
        for way, until in ((24, end), (-24, begin + period)):
            matrix[3, 0] = way
            walk.follow(matrix, [way / L, 0, 0, 0], until)
    i, w, phi, given = walk.at(result.time)
    np.testing.assert_allclose(result["motor.i"], i, atol=1e-5)
    np.testing.assert_allclose(result["motor.w"], w, atol=1e-5)
    np.testing.assert_allclose(result["motor.phi"], phi, atol=1e-5)
    last = result.time >= 0.349
    mean = np.trapezoid(result["motor.v"][last], result.time[last]) / period
    assert mean == pytest.approx(-0.6 * 24, rel=1e-6)
    np.testing.assert_allclose(result["E"], given, atol=1e-5)
    slowing = [given[np.searchsorted(result.time, moment)] for moment in (0.105, 0.145)]
    assert slowing[1] < slowing[0] - 1  # some of it comes back
