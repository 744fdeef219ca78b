"""Sampled blocks against difference equations carried out in Python and by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from signal_limits import NEAR, jumps, limit_error

import saltus

COVERS = (
    "Saltus.Blocks.Discrete.ZeroOrderHold",
    "Saltus.Blocks.Discrete.Sampler",
    "Saltus.Blocks.Discrete.UnitDelay",
    "Saltus.Blocks.Discrete.PI",
    "Saltus.Blocks.Discrete.PID",
    "Saltus.Blocks.Discrete.TransferFunction",
    "Saltus.Blocks.Discrete.MovingAverage",
)

MODEL = """
model Sampled "Two sines, sampled"
  import Saltus.Blocks.Discrete.*;
  parameter Real a = 1, w = 7, start = 0.05, period = 0.1;
  parameter Real b[2] = {0.5, 0.3}, d[3] = {2, -1, 0.4};
  Real u = a*sin(w*time) + cos(3*time);
  ZeroOrderHold hold(samplePeriod = period, startTime = start, y0 = 9, u = u);
  Sampler sampler(y0 = -9, u = u, trigger = sin(10*time) > 0.5);
  UnitDelay before(samplePeriod = period, startTime = start, y0 = 9, u = u);
  UnitDelay two(samplePeriod = period, startTime = start, u = before.y);
  PI pi(samplePeriod = period, startTime = start, k = 2, Ti = 0.3, x0 = 0.1, u = u);
  TransferFunction filter(samplePeriod = period, startTime = start, b = b, a = d, u = u);
  TransferFunction gain(samplePeriod = period, startTime = start, b = {3}, a = {2}, u = u);
  MovingAverage mean(samplePeriod = period, startTime = start, n = 5, y0 = 1, u = u);
  MovingAverage same(samplePeriod = period, startTime = start, n = 1, u = u);
  annotation(experiment(StopTime = 3.013, Tolerance = 1e-8, Interval = 0.02));
end Sampled;
"""


@pytest.fixture(scope="module")
def sampled() -> saltus.Model:
    return saltus.load(MODEL)


@settings(max_examples=15)
@given(
    a=st.floats(-2, 2),
    w=st.floats(1, 20),
    start=st.sampled_from([0.0, 0.05, 0.33]),
    period=st.sampled_from([0.1, 0.07, 0.25]),
    b=st.lists(st.floats(-2, 2), min_size=2, max_size=2),
    d=st.lists(st.floats(-0.4, 0.4), min_size=2, max_size=2),
)
def test_difference_equations(
    sampled: saltus.Model, a: float, w: float, start: float, period: float, b: list[float], d: list[float]
) -> None:
    given = {"a": a, "w": w, "start": start, "period": period, "b": b, "d": [2.0, *d]}
    result = sampled.simulate(set=given)
    ticks = start + period * np.arange(int((3.013 - start) / period) + 1)
    u = a * np.sin(w * ticks) + np.cos(3 * ticks)
    padded = np.concatenate([np.ones(4), u])
    expected = {
        "hold": (9, u),
        "before": (9, np.append(9, u[:-1])),
        "two": (0, np.concatenate([[0, 9], u])[: len(u)]),
        "pi": (0.2, 2 * (u + 0.1 + period / 0.3 * np.cumsum(u))),
        "filter": (0, scipy.signal.lfilter([0.0, *b], [2.0, *d], u)),
        "gain": (0, 1.5 * u),
        "mean": (1, np.convolve(padded, np.full(5, 0.2), mode="valid")),
        "same": (0, u),
    }
    for name, (first, values) in expected.items():
        stairs = np.append(first, values)

        def staircase(t: NDArray[np.float64], stairs: NDArray[np.float64] = stairs) -> NDArray[np.float64]:
            return np.asarray(stairs[np.searchsorted(ticks, t)])

        error = limit_error(result, f"{name}.y", staircase)
        assert error < 1e-9, name


def test_sampler_takes_the_input_at_the_edge(sampled: saltus.Model) -> None:
    result = sampled.simulate()
    edges = [(np.arcsin(0.5) + 2 * np.pi * k) / 10 for k in range(5)]
    found = jumps(result, "sampler.y")
    assert found[0] == (0, -9)
    assert [time for time, _ in found[1:]] == pytest.approx(edges, abs=1e-9)
    taken = [np.sin(7 * t) + np.cos(3 * t) for t in edges]
    assert [value for _, value in found[1:]] == pytest.approx(taken, abs=1e-8)


PID = """
model Loop "A sampled controller and a plant of first order"
  parameter Real k = 3, Ti = 0.4, Td = 0.1, period = 0.1;
  Saltus.Blocks.Discrete.PID pid(k = k, Ti = Ti, Td = Td, N = 5, samplePeriod = period,
    yMin = -0.5, yMax = 1.5);
  Real m(start = 0.2, fixed = true), r = if time < 2 then 1 else -0.2;
equation
  pid.setpoint = r;
  pid.measurement = m;
  0.5*der(m) = pid.y - m;
  annotation(experiment(StopTime = 3.99, Tolerance = 1e-10));
end Loop;
"""


@pytest.fixture(scope="module")
def loop() -> saltus.Model:
    return saltus.load(PID)


@settings(max_examples=12)
@given(
    k=st.floats(0.5, 8),
    ti=st.floats(0.2, 2),
    td=st.sampled_from([0.0, 0.05, 0.2]),
    period=st.sampled_from([0.05, 0.1, 0.21]),
)
def test_pid_in_a_loop(loop: saltus.Model, k: float, ti: float, td: float, period: float) -> None:
    """The plant between ticks has a closed form, so the loop is a recursion."""
    result = loop.simulate(set={"k": k, "Ti": ti, "Td": td, "period": period})
    m = last = 0.2
    integral = derivative = 0.0
    ticks, outputs = [], []
    for step in range(int(3.99 / period) + 1):
        t = step * period
        r = 1.0 if t < 2 - NEAR else -0.2
        error = r - m
        derivative = (td * derivative + k * 5 * td * (last - m)) / (td + 5 * period)
        wanted = k * error + integral + derivative
        y = min(max(wanted, -0.5), 1.5)
        if not (wanted > 1.5 and error > 0) and not (wanted < -0.5 and error < 0):
            integral += k * period / ti * error
        last = m
        m = y + (m - y) * np.exp(-period / 0.5)
        ticks.append(t)
        outputs.append(y)
    stairs, times = np.append(0.0, outputs), np.array(ticks)
    assert limit_error(result, "pid.y", lambda t: stairs[np.searchsorted(times, t)]) < 1e-6


def test_blocks_with_one_clock_see_each_others_new_values() -> None:
    """A loop of sampled blocks: an accumulator, sum of its last value and the input."""
    text = """model M
      Saltus.Blocks.Discrete.ZeroOrderHold hold(u = time + last.y);
      Saltus.Blocks.Discrete.UnitDelay last(u = hold.y);
      annotation(experiment(StopTime = 0.55));
    end M;"""
    result = saltus.load(text).simulate()
    totals = np.cumsum(np.arange(6) / 10)
    assert [value for _, value in jumps(result, "hold.y")][-5:] == pytest.approx(totals[1:].tolist())
