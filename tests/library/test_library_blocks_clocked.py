"""Clocked controllers follow their recurrences, and a drive with two loops that of plant and programs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import saltus
from translated_models import translated

COVERS = (
    "Saltus.Blocks.Clocked.Estimator",
    "Saltus.Blocks.Clocked.Faster",
    "Saltus.Blocks.Clocked.FirstOrder",
    "Saltus.Blocks.Clocked.Hold",
    "Saltus.Blocks.Clocked.Noise",
    "Saltus.Blocks.Clocked.PI",
    "Saltus.Blocks.Clocked.Sampler",
    "Saltus.Blocks.Clocked.Slower",
)


def after(result: saltus.Result, name: str, times: list[float]) -> list[float]:
    """Values after what happens at these times."""
    rows = np.searchsorted(result.time, np.array(times) + 1e-9, side="right") - 1
    return [float(result[name][k]) for k in rows]


def test_controller_filter_and_rates() -> None:
    result = saltus.load("""
        model Chain
          Saltus.Blocks.Clocked.Sampler sampler(ticks = 3, resolution = 50);
          Saltus.Blocks.Clocked.PI pi(k = 2, Ti = 0.4);
          Saltus.Blocks.Clocked.FirstOrder filter(T = 0.2);
          Saltus.Blocks.Clocked.Slower slower(factor = 5);
          Saltus.Blocks.Clocked.Hold hold(y0 = -1);
          Real u = sin(4*time);
        equation
          connect(sampler.y, pi.u);
          connect(sampler.y, filter.u);
          connect(filter.y, slower.u);
          connect(slower.y, hold.u);
          sampler.u = u;
        end Chain;
    """).simulate(stop_time=2.0)
    x = y = held = 0.0
    for k in range(34):
        t = 3 * k / 50
        u = np.sin(4 * t)
        x += 0.06 * u / 0.4
        y += (1 - np.exp(-0.06 / 0.2)) * (u - y)
        held = y if k % 5 == 0 else held
        assert after(result, "pi.y", [t]) == pytest.approx([2 * (u + x)], abs=1e-9)
        assert after(result, "filter.y", [t]) == pytest.approx([y], abs=1e-9)
        assert after(result, "hold.y", [t]) == pytest.approx([held], abs=1e-9)
    assert result["hold.y"][0] == -1


def test_cascade_control() -> None:
    """The plant from tick to tick is a matrix exponential; the programs are recurrences at two rates."""
    result = translated("Saltus.Examples.Blocks.CascadeControl").simulate(tolerance=1e-9)
    plant = np.array([[-100.0, 0.0, 100.0], [2.0, -2.0, 0.0], [0.0, 0.0, 0.0]])  # current, speed, voltage
    step = scipy.linalg.expm(plant * 1e-3)
    state, slow, fast, wanted, smooth = np.zeros(3), 0.0, 0.0, 0.0, 0.0
    for k in range(1001):
        current, speed, _ = state
        smooth += (1 - np.exp(-1e-3 / 0.002)) * (speed - smooth)
        if k % 4 == 0:
            error = (1.0 if k > 105 else 0.0) - smooth
            slow += 4e-3 * error / 0.2
            wanted = 4 * (error + slow)
        error = wanted - current
        fast += 1e-3 * error / 0.01
        state[2] = 0.5 * (error + fast)
        if k % 50 == 0:
            assert after(result, "voltage.y", [k / 1000]) == pytest.approx([state[2]], abs=1e-6)
            assert after(result, "rotor.y", [k / 1000]) == pytest.approx([speed], abs=1e-6)
        state = step @ state
    assert result["rotor.y"][-1] == pytest.approx(1, abs=0.1)


def normal_numbers(seed: int, count: int) -> list[float]:
    """L'Ecuyer's two congruences with integers of any size, and Box and Muller's transformation."""
    s1 = s2 = seed
    numbers = []
    for _ in range(count):
        pair = []
        for _ in range(2):
            s1, s2 = 40014 * s1 % 2147483563, 40692 * s2 % 2147483399
            pair.append(((s1 - s2 - 1) % 2147483562 + 1) / 2147483563)
        numbers.append(float(np.sqrt(-2 * np.log(pair[0])) * np.cos(2 * np.pi * pair[1])))
    return numbers


def test_noise() -> None:
    """The numbers are those of the generator; mean, variance and correlations lie within four standard errors
    of what independent normal numbers have (1/n, 2/n and 1/n are the variances of these estimates)."""
    n = 4000
    result = saltus.load(f"""
        model Noisy
          Saltus.Blocks.Clocked.Sampler sampler(ticks = 1, resolution = {n});
          Saltus.Blocks.Clocked.Noise one(sigma = 0.5, seed = 7), other(seed = 2147483398);
        equation
          sampler.u = 3;
          connect(sampler.y, one.u);
          connect(sampler.y, other.u);
        end Noisy;
    """).simulate(stop_time=1.0 - 0.5 / n)
    times = [k / n for k in range(n)]
    one = (np.array(after(result, "one.y", times)) - 3) / 0.5
    other = np.array(after(result, "other.y", times)) - 3
    assert one == pytest.approx(normal_numbers(7, n), abs=1e-9)
    assert other == pytest.approx(normal_numbers(2147483398, n), abs=1e-9)
    for numbers in (one, other):
        assert abs(numbers.mean()) < 4 / n**0.5
        assert abs(np.mean(numbers**2) - 1) < 4 * (2 / n) ** 0.5
        assert abs(np.mean(numbers[1:] * numbers[:-1])) < 4 / n**0.5
    assert abs(np.mean(one * other)) < 4 / n**0.5


OBSERVED = """
    model Observed "A cart that is pushed, of which only the place is measured"
      Saltus.Blocks.Clocked.Sampler place(ticks = 1, resolution = 10);
      Saltus.Blocks.Clocked.Estimator estimator(
        A = [1, 0.1; 0, 1], B = {0.005, 0.1}, C = {1, 0}, K = {0.75, 2.5}, x0 = {-1, 2});
      Saltus.Blocks.Clocked.Hold force;
      Real x(start = 1, fixed = true), v(start = -2, fixed = true);
    equation
      der(x) = v;
      der(v) = force.y;
      place.u = x;
      connect(place.y, estimator.y);
      estimator.u = -2*estimator.x[1] - 3*estimator.x[2];
      connect(estimator.u, force.u);
    end Observed;
"""


def test_error_of_an_estimator_does_not_depend_on_the_input() -> None:
    """The cart from tick to tick is known in closed form. The error is multiplied by (1 - K C) A from tick to
    tick, whose eigenvalues are 1/2 twice with this gain."""
    result = saltus.load(OBSERVED).simulate(stop_time=3.0, tolerance=1e-10)
    dynamics = (np.eye(2) - np.outer([0.75, 2.5], [1, 0])) @ np.array([[1, 0.1], [0, 1]])
    assert np.trace(dynamics) == pytest.approx(1) and np.linalg.det(dynamics) == pytest.approx(0.25)
    error = (np.eye(2) - np.outer([0.75, 2.5], [1, 0])) @ np.array([1 + 1, -2 - 2])
    for k in range(30):
        t = [k / 10]
        estimated = after(result, "estimator.x[1]", t) + after(result, "estimator.x[2]", t)
        plant = after(result, "x", t) + after(result, "v", t)
        assert np.subtract(plant, estimated) == pytest.approx(error, abs=1e-7)
        error = dynamics @ error


@pytest.mark.parametrize("r", [0.02, 3.0])
def test_gain_of_kalman(r: float) -> None:
    """The solution of Riccati's equation by scipy gives the same gain."""
    a, c = np.array([[1.1, 0.2, 0], [0, 0.9, 0.3], [-0.1, 0, 0.8]]), np.array([1.0, 0.5, 0])
    q = np.diag([0.1, 0.2, 0.3])
    p = scipy.linalg.solve_discrete_are(a.T, c[:, None], q, np.array([[r]]))
    result = saltus.load("""
        model Gain
          parameter Real r = 1;
          parameter Real K[3] = Saltus.Blocks.Clocked.kalmanGain(
            [1.1, 0.2, 0; 0, 0.9, 0.3; -0.1, 0, 0.8], {1, 0.5, 0}, diagonal({0.1, 0.2, 0.3}), r);
        end Gain;
    """).simulate(stop_time=0.1, set={"r": r})
    found = [result[f"K[{k}]"][-1] for k in (1, 2, 3)]
    assert found == pytest.approx(p @ c / (c @ p @ c + r), rel=1e-9)


def test_gain_that_does_not_settle_is_told() -> None:
    """A state that grows and is not measured."""
    model = saltus.load("""
        model Blind
          parameter Real K[2] = Saltus.Blocks.Clocked.kalmanGain([1.5, 0; 0, 2], {0, 1}, identity(2), 1);
        end Blind;
    """)
    with pytest.raises(saltus.SaltusError, match="does not settle"):
        model.simulate(stop_time=0.1)


def test_gain_without_parameters_is_the_golden_ratio() -> None:
    """One state that wanders as much as the noise: p = 1 + p - p^2/(p + 1), so p/(p + 1) = 0.618."""
    result = saltus.load("""
        model Wandering
          Saltus.Blocks.Clocked.Sampler sampler;
          Saltus.Blocks.Clocked.Estimator estimator;
        equation
          sampler.u = 1;
          estimator.u = 0;
          connect(sampler.y, estimator.y);
        end Wandering;
    """).simulate(stop_time=0.055)
    golden = (5**0.5 - 1) / 2
    assert after(result, "estimator.x[1]", [0, 0.05]) == pytest.approx([golden, 1 - (1 - golden) ** 6])


def test_speed_estimation() -> None:
    """Plant, noise and filter once more in ten lines, with Riccati's equation solved by scipy."""
    result = translated("Saltus.Examples.Blocks.SpeedEstimation").simulate()
    a, b, c = np.array([[1, 0.01], [0, 1]]), np.array([0.5e-4, 0.01]), np.array([1.0, 0.0])
    p = scipy.linalg.solve_discrete_are(a.T, c[:, None], np.diag([0, 1e-4]), np.array([[4e-4]]))
    gain = p @ c / (c @ p @ c + 4e-4)
    noise = normal_numbers(3, 601)
    plant, ahead, errors = np.zeros(2), np.zeros(2), []
    for k in range(601):
        estimate = ahead + gain * (plant[0] + 0.02 * noise[k] - ahead[0])
        if k % 20 == 3:
            t = [k / 100]
            assert after(result, "place.y", t) + after(result, "speed.y", t) == pytest.approx(plant, abs=1e-6)
            found = after(result, "estimator.x[1]", t) + after(result, "estimator.x[2]", t)
            assert found == pytest.approx(estimate, abs=1e-6)
        errors.append(estimate - plant)
        force = 1.0 if k > 0 and (k - 1) % 200 < 100 else -1.0
        plant, ahead = a @ plant + b * force, a @ estimate + b * force
    assert np.abs(np.array(errors)[100:, 1]).max() < 0.2  # differences of measurements: 2.8 m/s
