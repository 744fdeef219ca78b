"""Bond graphs of other fields, each against a simulation of its own."""

from __future__ import annotations

import numpy as np
import pytest
from bond_texts import example, run
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import saltus


def linear(a: np.ndarray, b: np.ndarray, x: np.ndarray, time: float) -> np.ndarray:
    """x' = a x + b after a time."""
    whole = np.block([[a, b[:, None]], [np.zeros((1, len(x) + 1))]])
    return (expm(whole * time) @ [*x, 1])[:-1]


def test_ladder() -> None:
    """Currents and voltages of three cells, by the exponential of a matrix."""
    el, c, inner, load = 1e-3, 1e-6, 30, 50
    a = np.zeros((6, 6))
    a[0, 0] = -inner / el
    for k in range(3):
        a[k, 3 + k] = -1 / el
        a[3 + k, k] = 1 / c
        if k:
            a[k, 2 + k] = 1 / el
            a[2 + k, k] = -1 / c
    a[5, 5] -= 1 / (load * c)
    b = np.array([10 / el, 0, 0, 0, 0, 0])
    expected = linear(a, b, np.zeros(6), 1e-3)
    result = run("Ladder")
    names = ["l_1.f", "l_2.f", "l_3.f", "c_1.e", "c_2.e", "c_3.e"]
    found = [result[name][-1] for name in names]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_motor_with_brake_and_gear() -> None:
    """Rotor and load are one body, whose speed the brake takes at once; the coil's current goes on."""
    el, r, k, j, d, n, jl, dl = 2e-3, 0.5, 0.05, 1e-4, 1e-4, 0.1, 0.02, 0.01
    whole, loss = j + n**2 * jl, d + n**2 * dl
    turning = np.array([[-r / el, -k / el], [k / whole, -loss / whole]])
    held = np.array([[-r / el, 0], [0, 0]])
    b = np.array([24 / el, 0])
    first = linear(turning, b, np.zeros(2), 0.1)
    second = linear(held, b, np.array([first[0], 0]), 0.05)
    third = linear(turning, b, second, 0.15)
    result = run("Motor")
    np.testing.assert_allclose([result["coil.f"][-1], result["rotor.f"][-1]], third, rtol=1e-6)
    assert result["load.f"][-1] == pytest.approx(n * third[1], rel=1e-6)
    (impulse,) = result.impulses["rotor.e"]
    assert impulse.weight == pytest.approx(-j * first[1], rel=1e-6)


def test_accumulator_with_check_valve() -> None:
    """The valve opens where the pump is stronger than the gas: a right-hand side with a maximum."""

    def rate(t: float, q: np.ndarray) -> list[float]:
        p = 1 / (1 - q[0] / 2) - 1
        return [max(0.0, (3 * np.sin(2 * t) - p) / 0.5) - p / 4]

    expected = solve_ivp(rate, (0, 10), [0.1], rtol=1e-10, atol=1e-12, max_step=0.01).y[0, -1]
    result = run("Accumulator")
    assert result["gas.q"][-1] == pytest.approx(expected, rel=1e-6)
    assert result["valve.f"].min() > -1e-9
    assert len(result.impulses) == 0


def test_boost_converter() -> None:
    """By matrix exponentials from one instant of the switch to the next; the current never comes to zero."""
    el, r, c, load, period, d = 1e-3, 0.1, 1e-4, 20, 1e-4, 0.4
    closed = np.array([[-r / el, 0], [0, -1 / (load * c)]])
    open_ = np.array([[-r / el, -1 / el], [1 / c, -1 / (load * c)]])
    b = np.array([12 / el, 0])
    x = np.array([0.0, 12.0])
    for _ in range(50):
        x = linear(open_, b, linear(closed, b, x, d * period), (1 - d) * period)
        assert x[0] > 0
    result = run("Boost")
    np.testing.assert_allclose([result["coil.f"][-1], result["smoothing.e"][-1]], x, rtol=1e-6)
    assert len(result.impulses) == 0
    assert np.abs(result["node.e"][result["node.on"] == 0]).max() == 0
    assert np.abs(result["diode.f"][result["diode.on"] == 0]).max() < 1e-12


def test_gearbox_with_five_clutches() -> None:
    """In a gear engine and load are one body; when it is engaged p + m*L is shared; all linear."""
    j, d, big, air = 0.2, 0.05, 5, 0.4
    b = np.array([10 / j, 0])
    x = linear(np.diag([-d / j, -air / big]), b, np.zeros(2), 1)
    for m in (0.2, 0.35, 0.55, 0.8, 1.1):
        whole = j + m**2 * big
        speed = (j * x[0] + m * big * x[1]) / whole
        one = np.array([[-(d + m**2 * air) / whole]])
        speed = linear(one, np.array([10 / whole]), np.array([speed]), 0.8)[0]
        x = linear(np.diag([-d / j, -air / big]), b, np.array([speed, m * speed]), 0.2)
    result = run("Gearbox")
    np.testing.assert_allclose([result["engine.f"][-1], result["load.f"][-1]], x, rtol=1e-6)
    assert len({stay.mode.number for stay in result.modes}) == 6


def test_motor_without_load_agrees_with_its_library_model() -> None:
    """The same from `Saltus.Electrical` and `Saltus.Rotational`."""
    library = saltus.load("""
    model Motor
      Saltus.Electrical.Sources.ConstantVoltage battery(V = 24);
      Saltus.Electrical.Inductor coil(L = 2e-3, i(fixed = true));
      Saltus.Electrical.Resistor windings(R = 0.5);
      Saltus.Electrical.EMF field(k = 0.05);
      Saltus.Electrical.Ground ground;
      Saltus.Rotational.Inertia rotor(J = 1e-4, phi(fixed = true), w(fixed = true));
      Saltus.Rotational.Damper bearing(d = 1e-4);
      Saltus.Rotational.Gear gear(ratio = 10);
      Saltus.Rotational.Inertia load(J = 0.02);
      Saltus.Rotational.Damper air(d = 0.01);
      Saltus.Rotational.Fixed housing;
      Saltus.Rotational.IdealClutch brake(closed = time >= 0.1 and time < 0.15);
    equation
      connect(battery.p, coil.p); connect(coil.n, windings.p); connect(windings.n, field.p);
      connect(field.n, battery.n); connect(battery.n, ground.p);
      connect(field.flange, rotor.flange_a); connect(rotor.flange_b, gear.flange_a);
      connect(bearing.flange_a, rotor.flange_a); connect(bearing.flange_b, housing.flange);
      connect(gear.flange_b, load.flange_a);
      connect(air.flange_a, load.flange_b); connect(air.flange_b, housing.flange);
      connect(brake.flange_a, rotor.flange_a); connect(brake.flange_b, housing.flange);
      annotation(experiment(StopTime = 0.3, Tolerance = 1e-12));
    end Motor;
    """).simulate()
    graph = example("Motor").simulate(tolerance=1e-12)
    for bond, part in (("coil.f", "coil.i"), ("rotor.f", "rotor.w"), ("load.f", "load.w")):
        assert graph[bond][-1] == pytest.approx(library[part][-1], rel=1e-9)
