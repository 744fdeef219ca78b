"""Continuous blocks against SciPy's linear systems, closed forms and integrations written by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import saltus

COVERS = (
    "Saltus.Blocks.Continuous.Integrator",
    "Saltus.Blocks.Continuous.LimitedIntegrator",
    "Saltus.Blocks.Continuous.Derivative",
    "Saltus.Blocks.Continuous.FirstOrder",
    "Saltus.Blocks.Continuous.SecondOrder",
    "Saltus.Blocks.Continuous.PI",
    "Saltus.Blocks.Continuous.PID",
    "Saltus.Blocks.Continuous.TransferFunction",
    "Saltus.Blocks.Continuous.StateSpace",
    "Saltus.Blocks.Continuous.Delay",
    "Saltus.Blocks.Continuous.LowPass",
)

LINEAR = """
model Linear "A unit step through everything that is linear"
  import Saltus.Blocks.Continuous.*;
  Real u = 1;
  Integrator integrator(k = 2, y0 = 1, u = u);
  Derivative derivative(k = 3, T = 0.2, u = if time < 0.5 then 0 else u);
  FirstOrder firstOrder(k = 2, T = 0.5, y0 = -1, u = u);
  SecondOrder secondOrder(k = 2, w = 4, D = 0.3, u = u), rest(w = 4, D = 0.3, y0 = 1, v0 = 2, u = 0);
  PI pi(k = 3, Ti = 0.7, x0 = 0.2, u = u);
  TransferFunction gain(b = {3}, a = {2}), lag(b = {2}, a = {0.5, 1}), third(b = {1, 5, 2}, a = {2, 3, 4, 5});
  TransferFunction through(b = {2, 1, 4}, a = {1, 2, 8});
  StateSpace system(A = [0, 1; -4, -0.5], B = [0, 1; 1, 0], C = [1, 0; 0, 1; 1, 1], D = [0, 0; 0, 0; 2, 0]);
  LowPass low1(order = 1, f = 0.8, u = u), low2(f = 0.8, u = u), low3(order = 3, f = 0.8, u = u);
  LowPass low4(order = 4, f = 0.8, u = u);
  LowPass critical(order = 3, f = 0.8, damping = Damping.critical, u = u), full(order = 4, y0 = 1, u = u);
equation
  gain.u = u;
  lag.u = u;
  third.u = u;
  through.u = u;
  system.u = {u, 2};
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end Linear;
"""


@pytest.fixture(scope="module")
def linear() -> saltus.Result:
    return saltus.load(LINEAR).simulate()


def step_response(b: list[float], a: list[float], time: NDArray[np.float64]) -> NDArray[np.float64]:
    """By the matrix exponential, which knows no steps; at most at rows with different times."""
    found = scipy.signal.lsim((b, a), np.ones_like(time), time)[1]
    return np.asarray(found)


@pytest.mark.parametrize(
    ("name", "b", "a"),
    [
        ("lag.y", [2.0], [0.5, 1]),
        ("third.y", [1.0, 5, 2], [2.0, 3, 4, 5]),
        ("through.y", [2.0, 1, 4], [1.0, 2, 8]),
        ("secondOrder.y", [32.0], [1, 2.4, 16]),
    ],
)
def test_step_responses(linear: saltus.Result, name: str, b: list[float], a: list[float]) -> None:
    time = np.linspace(0, 3, 301)
    found = np.interp(time, linear.time, linear[name])
    same = np.isin(np.round(time, 9), np.round(linear.time, 9))
    assert same.sum() > 50
    assert np.abs(found - step_response(b, a, time))[same].max() < 1e-6


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_butterworth(linear: saltus.Result, order: int) -> None:
    b, a = scipy.signal.butter(order, 2 * np.pi * 0.8, analog=True)
    time = np.linspace(0, 3, 301)
    same = np.isin(np.round(time, 9), np.round(linear.time, 9))
    found = np.interp(time, linear.time, linear[f"low{order}.y"])
    assert np.abs(found - step_response(list(b), list(a), time))[same].max() < 1e-6


def test_critical_damping(linear: saltus.Result) -> None:
    """Three lags with the same corner, so that 0.8 Hz is where 1/sqrt(2) is left; no overshoot."""
    corner = 2 * np.pi * 0.8 / np.sqrt(2 ** (1 / 3) - 1)
    wt = corner * linear.time
    expected = 1 - np.exp(-wt) * (1 + wt + wt**2 / 2)
    assert np.abs(linear["critical.y"] - expected).max() < 1e-7
    assert abs(1 / (1 + 2j * np.pi * 0.8 / corner) ** 3) == pytest.approx(2**-0.5, rel=1e-12)
    assert linear["critical.y"].max() <= 1 + 1e-9
    assert np.abs(linear["full.y"] - 1).max() < 1e-9  # at rest from the start


def test_closed_forms(linear: saltus.Result) -> None:
    t = linear.time
    late = np.maximum(t - 0.5, 0)
    w = 4 * np.sqrt(1 - 0.3**2)
    free = np.exp(-1.2 * t) * (np.cos(w * t) + (2 + 1.2) / w * np.sin(w * t))
    expected = {
        "integrator.y": 1 + 2 * t,
        "firstOrder.y": 2 - 3 * np.exp(-t / 0.5),
        "rest.y": free,
        "pi.y": 3 * (1 + 0.2 + t / 0.7),
        "gain.y": np.full_like(t, 1.5),
    }
    for name, values in expected.items():
        assert np.abs(linear[name] - values).max() < 1e-6, name
    peak = 3 / 0.2 * np.exp(-late / 0.2)
    before, after = t < 0.5, t > 0.5
    assert np.abs(linear["derivative.y"])[before].max() < 1e-9
    assert np.abs(linear["derivative.y"] - peak)[after].max() < 1e-6


def test_state_space(linear: saltus.Result) -> None:
    """Outputs by the eigenvectors of the matrix."""
    a, b = np.array([[0, 1], [-4, -0.5]]), np.array([[0, 1], [1, 0]])
    c, d = np.array([[1, 0], [0, 1], [1, 1]]), np.array([[0, 0], [0, 0], [2, 0]])
    u = np.array([1.0, 2.0])
    settled = np.linalg.solve(a, -b @ u)
    values, vectors = np.linalg.eig(a)
    weights = np.linalg.solve(vectors, -settled.astype(complex))
    x = (vectors @ (weights[:, None] * np.exp(np.outer(values, linear.time)))).real + settled[:, None]
    y = c @ x + (d @ u)[:, None]
    for k in range(3):
        assert np.abs(linear[f"system.y[{k + 1}]"] - y[k]).max() < 1e-6


def test_a_low_pass_keeps_71_percent_at_its_cutoff() -> None:
    text = """model M
      Saltus.Blocks.Continuous.LowPass a(order = 5, f = 2, u = sin(2*2*Saltus.Units.pi*time));
      Saltus.Blocks.Continuous.LowPass b(order = 2, f = 2, u = sin(2*2*Saltus.Units.pi*time),
        damping = Saltus.Blocks.Continuous.Damping.critical);
      annotation(experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.001));
    end M;"""
    result = saltus.load(text).simulate()
    settled = result.time > 8
    for name in ("a.y", "b.y"):
        assert result[name][settled].max() == pytest.approx(2**-0.5, abs=1e-4)


def test_integrator_with_reset() -> None:
    text = """model M
      Saltus.Blocks.Continuous.Integrator i(k = 2, y0 = 0.5, useReset = true, u = 1,
        reset = sample(0.3, 0.4));
      annotation(experiment(StopTime = 2, Tolerance = 1e-9));
    end M;"""
    result = saltus.load(text).simulate()
    since = np.where(result.time < 0.3, result.time, np.mod(result.time - 0.3, 0.4))
    between = np.minimum(since, 0.4 - since) > 1e-6
    assert np.abs(result["i.y"] - (0.5 + 2 * since))[between & (result.time > 0)].max() < 1e-7
    assert len(result.events.of("i.y")) == 5


LIMITED = """
model Limited
  parameter Real a = 2, w = 3, low = -0.3, high = 0.8;
  Saltus.Blocks.Continuous.LimitedIntegrator integrator(k = 1.5, yMin = low, yMax = high,
    u = a*sin(w*time) + (if time < 1 then 0.5 else -0.5));
  annotation(experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01));
end Limited;
"""


@pytest.fixture(scope="module")
def limited() -> saltus.Model:
    return saltus.load(LIMITED)


@settings(max_examples=8)
@given(a=st.floats(0.6, 4), w=st.floats(1, 6), low=st.floats(-0.9, -0.1), high=st.floats(0.1, 0.9))
def test_limited_integrator(limited: saltus.Model, a: float, w: float, low: float, high: float) -> None:
    """Against steps of the exact integral, cut off after each."""
    result = limited.simulate(set={"a": a, "w": w, "low": low, "high": high})
    t = np.unique(np.concatenate([np.linspace(0, 5, 50001), result.time]))
    whole = 1.5 * (a / w * (1 - np.cos(w * t)) + np.where(t < 1, 0.5 * t, 1 - 0.5 * t))
    y, found = 0.0, np.zeros_like(t)
    for k, step in enumerate(np.diff(whole)):
        y = min(max(y + step, low), high)
        found[k + 1] = y
    assert np.abs(result["integrator.y"] - found[np.searchsorted(t, result.time)]).max() < 1e-5
    assert low - 1e-9 < result["integrator.y"].min() and result["integrator.y"].max() < high + 1e-9


def test_limited_integrator_does_not_wind_up(limited: saltus.Model) -> None:
    """It leaves the limit when the input changes its sign, not later."""
    result = limited.simulate(set={"a": 2, "w": 3, "high": 0.5})
    stays = [stay for stay in result.modes if not stay.mode.states]
    assert stays[0].stop == 1  # 2 sin(3 t) + 0.5 would be positive until 1.13, less one it is negative
    back = [(np.arcsin(0.25) + 2 * np.pi) / 3, (3 * np.pi - np.arcsin(0.25)) / 3]  # -0.3 is left, 0.5 is left
    assert [stay.stop for stay in stays[1:3]] == pytest.approx(back, abs=1e-7)


def test_delay() -> None:
    text = """model M
      Real u = if time < 0.4 then sin(5*time) else 2 + cos(time);
      Saltus.Blocks.Continuous.Delay d(T = 0.25, u = u);
      annotation(experiment(StopTime = 2, Tolerance = 1e-8));
    end M;"""
    result = saltus.load(text).simulate()
    then = result.time - 0.25
    expected = np.where(then < 0, 0, np.where(then < 0.4, np.sin(5 * then), 2 + np.cos(then)))
    between = np.abs(then - 0.4) > 1e-9
    assert np.abs(result["d.y"] - expected)[between].max() < 1e-5
    assert any(event.time == pytest.approx(0.65, abs=1e-9) for event in result.events)


CONTROLLED = """
model Controlled "A plant of second order with an actuator that has limits"
  parameter Real Tt = 0.5, Td = 0.2, b = 0.8, c = 0.1;
  Saltus.Blocks.Continuous.PID pid(k = 6, Ti = 0.5, Td = Td, N = 8, Tt = Tt, b = b, c = c,
    yMin = -0.5, yMax = 1);
  Real r = if time < 3 then 1.2 else 0.4, v(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  pid.setpoint = r;
  pid.measurement = m;
  der(m) = v;
  der(v) = 1.5*pid.y - v;
  annotation(experiment(StopTime = 8, Tolerance = 1e-9, Interval = 0.01));
end Controlled;
"""


def by_hand(tt: float, td: float, b: float, c: float, h: float = 1e-4) -> NDArray[np.float64]:
    """The loop in steps of Heun's method: the integral part, the filtered input of the derivative, plant."""

    def slopes(s: NDArray[np.float64], t: float) -> NDArray[np.float64]:
        integral, x, v, m = s
        r = 1.2 if t < 3 else 0.4
        d = 6 * 8 * ((c * r - m) - x) if td else 0.0
        wanted = 6 * (b * r - m) + integral + d
        y = min(max(wanted, -0.5), 1.0)
        filtered = 8 * ((c * r - m) - x) / td if td else 0.0
        return np.array([6 * (r - m) / 0.5 + (y - wanted) / tt, filtered, 1.5 * y - v, v])

    s, rows = np.array([0.0, c * 1.2, 0.0, 0.0]), []
    for k in range(80000):
        t = k * h
        if k % 100 == 0:
            rows.append(s)
        k1 = slopes(s, t)
        s = s + h / 2 * (k1 + slopes(s + h * k1, t + h * (1 - 1e-9)))
    return np.array(rows)


@pytest.fixture(scope="module")
def controlled() -> saltus.Model:
    return saltus.load(CONTROLLED)


@pytest.mark.parametrize(
    ("tt", "td", "b", "c"), [(0.5, 0.2, 0.8, 0.1), (0.1, 0.3, 1.0, 0.0), (2.0, 0.0, 1.0, 1.0)]
)
def test_pid(controlled: saltus.Model, tt: float, td: float, b: float, c: float) -> None:
    result = controlled.simulate(set={"Tt": tt, "Td": td, "b": b, "c": c})
    rows = by_hand(tt, td, b, c)
    time = np.arange(len(rows)) * 0.01
    for name, column in (("pid.I", 0), ("v", 2), ("m", 3)):
        found = np.interp(time, result.time, result[name])
        assert np.abs(found - rows[:, column]).max() < 2e-6, name
    assert result["pid.y"].max() == pytest.approx(1) and result["pid.y"].min() == pytest.approx(-0.5)


def test_a_pid_that_winds_up_overshoots_more(controlled: saltus.Model) -> None:
    kind = controlled.simulate(set={"b": 1, "c": 0})
    wound = controlled.simulate(set={"b": 1, "c": 0, "Tt": 1e6})
    assert wound["m"].max() - 1.2 > 2 * max(kind["m"].max() - 1.2, 0.05)
