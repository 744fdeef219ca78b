"""Bond graphs of other fields, each against a simulation of its own."""

from __future__ import annotations

import numpy as np
import pytest
from bond_texts import example, run
from scipy.integrate import quad, solve_ivp
from scipy.linalg import expm


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


def test_gearbox_with_forty_five_modes() -> None:
    """Four shafts, of which engaged gears make fewer bodies. Written here: in each mode the speeds are B*u,
    where the columns of B are the bodies; transpose(B)*M*B is their inertia, and when a mode begins their
    momentum stays."""
    inertia = np.diag([0.2, 0.05, 0.08, 5])
    loss = np.diag([0.05, 0.02, 0.03, 0.4])
    ratios = ((0, 0.8, 1), (0, 0.25, 0.45, 0.7, 1), (0, 0.5, 1.25))
    speeds, found, run_ = np.zeros(4), [], run("Gearbox")
    for step in range(45):
        gears = step % 3, step // 3 % 5, step // 15
        bodies = np.zeros((4, 0))
        for shaft in range(4):
            ratio = ratios[shaft - 1][gears[shaft - 1]] if shaft else 0
            if ratio:
                bodies[shaft, -1] = ratio * bodies[shaft - 1, -1]
            else:
                bodies = np.hstack([bodies, np.eye(4)[:, [shaft]]])
        mass = bodies.T @ inertia @ bodies
        u = np.linalg.solve(mass, bodies.T @ inertia @ speeds)
        a = np.linalg.solve(mass, -bodies.T @ loss @ bodies)
        b = np.linalg.solve(mass, bodies.T @ [10, 0, 0, 0])
        speeds = bodies @ linear(a, b, u, 0.2)
        row = np.searchsorted(run_.time, 0.2 * (step + 1) - 1e-9)  # the left limit
        found.append([run_[f"{name}.f"][row] for name in ("engine", "lay", "main", "load")])
        np.testing.assert_allclose(found[-1], speeds, rtol=1e-6, atol=1e-6)
    assert len({stay.mode.number for stay in run_.modes}) == 45
    # Each time an engaged gear joins two shafts of different speeds.
    assert len(run_.impulses) > 40


def test_walking_toy() -> None:
    """A wheel without a rim: from one impact to the next an inverted pendulum. At an impact the angular
    momentum about the new foot stays, so that the speed of the hub is multiplied by cos(2*alpha). The squares
    of the speeds before impacts have a linear return map; what it converges to, and how long a step then
    takes, are a formula and an integral."""
    leg, g, alpha, gamma, omega = 0.8, 9.81, 0.3, 0.08, 1.2
    result = example("Walker").simulate(tolerance=1e-13, method="rk45")
    steps = [event for event in result.events if event.impulses]
    keep, gain = np.cos(2 * alpha) ** 2, 4 * g / leg * np.sin(alpha) * np.sin(gamma)
    square = omega**2 + gain
    for number, event in enumerate(steps):
        rows = np.flatnonzero(np.abs(result.time - event.time) < 1e-12)
        before, after = rows[0], rows[-1]
        speed = np.hypot(result["along.f"], result["up.f"]) / leg
        assert speed[before] == pytest.approx(np.sqrt(square), rel=1e-9)
        assert speed[after] == pytest.approx(np.cos(2 * alpha) * speed[before], rel=1e-9)
        # About the new foot, which is leg*sin(alpha) ahead: mass times (y*v_x + leg*sin(alpha)*v_y).
        about = result["s_y"] * result["along.f"] + leg * np.sin(alpha) * result["up.f"]
        assert about[before] == pytest.approx(about[after], rel=1e-9)
        # The leg that lands pushes, the one that is lifted gets no impulse: it was tried and left.
        landed, lifted = ("A", "B") if number % 2 else ("B", "A")
        assert result.impulses[f"force_{lifted}.e"] == [
            i for i in result.impulses[f"force_{lifted}.e"] if i.time != event.time
        ]
        (pushed,) = [i for i in result.impulses[f"force_{landed}.e"] if i.time == event.time]
        assert pushed.weight == pytest.approx(-2 * leg * speed[before] * np.sin(2 * alpha), rel=1e-9)
        square = keep * square + gain
    assert len(steps) >= 8
    fixed = gain / (1 - keep)
    again = example("Walker").simulate(
        set={"omega": float(np.sqrt(keep * fixed))}, tolerance=1e-13, method="rk45"
    )

    def slowness(theta: float) -> float:
        return float((keep * fixed + 2 * g / leg * (np.cos(gamma - alpha) - np.cos(gamma + theta))) ** -0.5)

    period = quad(slowness, -alpha, alpha, epsabs=1e-13)[0]
    times = [0.0, *(event.time for event in again.events if event.impulses)]
    np.testing.assert_allclose(np.diff(times), period, rtol=1e-8)
    feet = np.where(again["A.on"] == 0, again["foot_A"], again["foot_B"])
    length = np.hypot(again["s_x"] - feet, again["s_y"])
    assert np.abs(length - leg).max() < 1e-9, "the leg that stands keeps its length"
