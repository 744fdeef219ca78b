"""Clocked continuous equations are the steps of their methods, which are written out here by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from test_clock_runs import at, run

import saltus

METHODS = ["ExplicitEuler", "ExplicitMidPoint2", "ExplicitRungeKutta4", "ImplicitEuler", "ImplicitTrapezoid"]

Slope: TypeAlias = Callable[[np.ndarray, float], np.ndarray]  # of the state and the input

#: A pendulum with a torque, and damping that is not linear.
PENDULUM = "der(phi) = w; der(w) = -9.81*sin(phi) - 0.1*w*abs(w) + u;"


def slope(state: np.ndarray, u: float) -> np.ndarray:
    phi, w = state
    return np.array([w, -9.81 * np.sin(phi) - 0.1 * w * abs(w) + u])


def solved(residual: Callable[[np.ndarray], np.ndarray], guess: np.ndarray) -> np.ndarray:
    """Newton's method with differences."""
    z = guess.copy()
    for _ in range(50):
        r = residual(z)
        columns = [(residual(z + 1e-7 * e) - residual(z - 1e-7 * e)) / 2e-7 for e in np.eye(len(z))]
        z = z - np.linalg.solve(np.array(columns).T, r)
    return z


def stepped(method: str, state: np.ndarray, before: float, now: float, h: float) -> np.ndarray:
    """One step, from the input at the tick before to the input now."""
    k1, middle = slope(state, before), (before + now) / 2
    if method == "ExplicitEuler":
        return state + h * k1
    if method == "ExplicitMidPoint2":
        return state + h * slope(state + h / 2 * k1, middle)
    if method == "ExplicitRungeKutta4":
        k2 = slope(state + h / 2 * k1, middle)
        k3 = slope(state + h / 2 * k2, middle)
        k4 = slope(state + h * k3, now)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    weight, constant = (1.0, state) if method == "ImplicitEuler" else (0.5, state + h / 2 * k1)
    return solved(lambda z: z - constant - weight * h * slope(z, now), state)


@pytest.mark.parametrize("method", METHODS)
def test_methods_take_the_steps_of_their_formulas(method: str) -> None:
    result = run(
        f'Clock c = Clock(Clock(1, 20), solverMethod = "{method}"); Real u = sample(3*sin(5*time), c);'
        f"Real phi(start = 1, fixed = true), w(start = 0, fixed = true); equation {PENDULUM}",
        2.0,
        tolerance=1e-10,
    )
    state, before = np.array([1.0, 0.0]), 0.0
    for k in range(41):
        now = 3 * np.sin(5 * k / 20)
        if k:
            state = stepped(method, state, before, now, 0.05)
        before = now
        assert at(result, "phi", [k / 20])[0] == pytest.approx(state[0], abs=1e-7)
        assert at(result, "der(w)", [k / 20])[0] == pytest.approx(slope(state, now)[1], abs=1e-6)


@pytest.mark.parametrize(
    ("method", "order"),
    [
        ("ExplicitEuler", 1),
        ("ImplicitEuler", 1),
        ("ImplicitTrapezoid", 2),
        ("ExplicitMidPoint2", 2),
        ("ExplicitRungeKutta4", 4),
    ],
)
def test_errors_fall_with_the_order_of_the_method(method: str, order: int) -> None:
    """x' = -x cos t, so x = exp(-sin t); time is used without being sampled."""
    errors = []
    for n in (10, 20):
        result = run(
            f'Real x(start = 1, fixed = true); equation when Clock(Clock(1, {n}), "{method}") then '
            "der(x) = -x*cos(time); end when;",
            1.0,
        )
        errors.append(abs(result["x"][-1] - np.exp(-np.sin(1.0))))
    assert errors[0] / errors[1] == pytest.approx(2**order, rel=0.2)


def test_initial_equations_hold_at_the_first_tick() -> None:
    """A controller that begins at rest, at a tick that is not the first instant."""
    result = run(
        'Clock c = shiftSample(Clock(Clock(1, 10), "ImplicitEuler"), 2); Real u = sample(2 + time, c), x, y;'
        "equation der(x) = u - 4*x; y = 3*x; initial equation der(x) = 0;",
        0.75,
    )
    state = 2.2 / 4
    for k in range(2, 8):
        if k > 2:
            state = (state + 0.1 * (2 + k / 10)) / 1.4
        assert at(result, "y", [k / 10])[0] == pytest.approx(3 * state, abs=1e-9)


def test_the_inference_of_methods() -> None:
    """The example of section 16.8.3: `z` has the method of `x`, and both have rates of their own."""
    result = run(
        'Real x(start = 3), y, z; '
        'equation der(x) = -x + sample(1, Clock(Clock(1, 10), solverMethod = "ExplicitEuler"));'
        'der(y) = subSample(x, 2) + sample(1, Clock(Clock(2, 10), solverMethod = "ImplicitEuler"));'
        "der(z) = subSample(x, 2) + 1;",
        1.0,
    )
    x, y, z, slope_of_z = 3.0, 0.0, 0.0, 4.0
    for k in range(11):
        if k:
            x += 0.1 * (1 - x)
        if k % 2 == 0 and k:
            y += 0.2 * (x + 1)
            z += 0.2 * slope_of_z
        if k % 2 == 0:
            slope_of_z = x + 1
            assert at(result, "y", [k / 10])[0] == pytest.approx(y)
            assert at(result, "z", [k / 10])[0] == pytest.approx(z)
        assert at(result, "x", [k / 10])[0] == pytest.approx(x)


def test_events_in_a_discretised_partition_are_looked_at_at_ticks() -> None:
    """A count of how often a saw passes 1, which resets it one tick later."""
    result = run(
        'Clock c = Clock(Clock(1, 10), "ExplicitEuler"); Real x(start = 0, fixed = true); '
        'Integer n(start = 0);'
        "Boolean high = x > 0.45, up = edge(high); equation when c then "
        "der(x) = if high then -10*x else 1; end when; when x > 0.45 then n = pre(n) + 1; end when;",
        2.0,
    )
    x, slope_before, high, n = 0.0, 0.0, False, 0
    for k in range(21):
        if k:
            x += 0.1 * slope_before
        became, high = (x > 0.45) and not high, x > 0.45
        n += became
        slope_before = -10 * x if high else 1.0
        assert at(result, "x", [k / 10])[0] == pytest.approx(x, abs=1e-12)
        assert at(result, "n", [k / 10]) == [n]
        assert at(result, "up", [k / 10]) == [became]
    assert n > 2


# ---------------------------------------------------------------- control


def test_a_drive_three_ways() -> None:
    """A drive with a PI controller: continuous, clocked, and discretised by hand. The first two agree to the
    sampling error, which is halved with the interval; the last two agree to rounding."""
    plant = (
        "parameter Real J = 0.1, T = 0.3, k = 0.5; Real w(start = 0, fixed = true), M;"
        "equation J*der(w) = M - 0.05*w;"
    )
    controller = "e = 1 - %s; der(I) = e/T; m = k*(e + I);"
    shared = "Real e, I(start = 0, fixed = true), m(start = 0);"
    through = run(f"{shared} {plant} {controller % 'w'} M = m;", 2.0)
    differences = []
    for n in (50, 100):
        clock = f'Clock(Clock(1, {n}), "ImplicitEuler")'
        clocked = run(f"{shared} {plant} {controller % f'sample(w, {clock})'} M = hold(m);", 2.0)
        by_hand = run(
            f"Real e, I(start = 0), m(start = 0); {plant} when Clock(1, {n}) then e = 1 - sample(w);"
            "I = if firstTick() then 0 else previous(I) + interval()*e/T; m = k*(e + I); end when; "
            "M = hold(m);",
            2.0,
        )
        times = [k / 10 for k in range(1, 20)]
        assert at(clocked, "w", times) == pytest.approx(at(by_hand, "w", times), abs=1e-6)
        differences.append(np.abs(np.array(at(clocked, "w", times)) - at(through, "w", times)).max())
    assert differences[0] < 0.05
    assert differences[0] / differences[1] == pytest.approx(2, rel=0.15)


def test_an_inverse_plant_as_a_controller() -> None:
    """The inverse of T x' + x + x^3 = u behind a filter of second order, both clocked. The filter follows its
    recurrence, u is what the plant's equation says of that, and the plant follows."""
    result = run(
        'parameter Real T = 0.5, w0 = 4; Clock c = Clock(Clock(1, 100), solverMethod = "ImplicitEuler");'
        "Real r = sample(if time < 0.1 then "
        "0 else 1, c), xf(start = 0, fixed = true), vf(start = 0, fixed = true);"
        "Real x(start = 0), u(start = 0), plant(start = 0, fixed = true); equation "
        "der(xf) = vf; der(vf) = w0^2*(r - xf) - 2*w0*vf;"
        "x = xf; T*der(x) + x + x^3 = u;"
        "T*der(plant) + plant + plant^3 = hold(u);",
        2.0,
        tolerance=1e-9,
    )
    h, w0, lag = 0.01, 4.0, 0.5
    matrix = np.array([[1.0, -h], [h * w0**2, 1 + 2 * h * w0]])
    state = np.zeros(2)
    for k in range(200):
        r = 0.0 if k <= 10 else 1.0
        if k:
            state = np.linalg.solve(matrix, state + np.array([0.0, h * w0**2 * r]))
        assert at(result, "xf", [k / 100])[0] == pytest.approx(state[0], abs=1e-9)
        u = lag * state[1] + state[0] + state[0] ** 3
        assert at(result, "u", [k / 100])[0] == pytest.approx(u, abs=1e-7)
    times = [k / 100 for k in range(200)]
    difference = np.array(at(result, "plant", times)) - at(result, "xf", times)
    assert np.abs(difference).max() < 0.02


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("body", "code", "word"),
    [
        ("Real x = sample(time, Clock(1)), y; equation der(y) = x;", "E310", "solver method"),
        ('Clock c = Clock(Clock(1), "Rosenbrock"); Real x = sample(time, c), y; '
        'equation der(y) = x;', "E204", "Rosenbrock"),
        (
            'Real x(start = 3), y, z; equation der(x) = -x + sample(1, Clock(Clock(1, 10), "ExplicitEuler"));'
            'der(y) = subSample(x, 2) + sample(1, Clock(Clock(2, 10), "ImplicitEuler"));'
            "der(z) = subSample(x, 4) + 1 + subSample(y);",
            "E310",
            "two solver methods",
        ),
        (
            'Clock c = Clock(Clock(1), "ExplicitEuler"); Real x = sample(time, c), u; equation u = der(x);',
            "E302",
            "ImplicitEuler",
        ),
        (
            'Real x(start = 0, fixed = true); equation when Clock(Clock(1), "ImplicitEuler") then '
            'der(x) = 1; end when;'
            "initial equation x = 1;",
            "E303",
            "too many",
        ),
        (
            'Real x(start = 0); equation when Clock(Clock(1), "ImplicitEuler") then der(x) = delay(x, 1); '
            'end when;',
            "E204",
            "delay",
        ),
    ],
)
def test_refusals(body: str, code: str, word: str) -> None:
    with pytest.raises(saltus.ModelError, match=word) as caught:
        saltus.load(f"model M {body} end M;")
    assert caught.value.diagnostics[0].code == code
    assert caught.value.diagnostics[0].span is not None
