"""The examples of signals show what their documentation says: numbers by hand, or by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate
import scipy.interpolate
from numpy.typing import NDArray
from signal_limits import jumps

import saltus
from translated_models import translated

Values = NDArray[np.float64]


def example(name: str, **options: float) -> saltus.Result:
    return translated(f"Saltus.Examples.Blocks.{name}").simulate(**options)


def at(result: saltus.Result, name: str, time: float) -> float:
    return float(np.interp(time, result.time, result[name]))


def test_anti_windup() -> None:
    result = example("AntiWindup")
    assert result["plant.y"].max() < 1.05 and result["plant2.y"].max() > 1.15
    assert result["wound.I"].max() > 1.5 * result["pid.I"].max()
    assert result["plant.y"][-1] == pytest.approx(1, abs=1e-3)


def test_sampled_control() -> None:
    """The plant between ticks has a closed form, and the program is a recursion."""
    result = example("SampledControl", tolerance=1e-9)
    plant = total = waiting = 0.0
    for k in range(41):
        t = k / 10
        assert at(result, "plant.y", t) == pytest.approx(plant, abs=1e-6)
        error = (1.0 if t > 0.45 else 0.0) - plant
        total += 0.1 / 0.5 * error
        output, waiting = waiting, error + total  # a tick later
        plant = output + (plant - output) * np.exp(-0.1 / 0.5)
    assert result["plant2.y"][-1] == pytest.approx(1, abs=0.01)


def test_hum_filter() -> None:
    """The mean over a period has no hum: what is left is the signal half a window ago, and stairs."""
    result = example("HumFilter")
    late = result.time > 0.1
    signal = np.sin(np.pi * (result.time - 0.0095))
    stairs = np.pi * 0.001  # slope times period of the samples
    assert np.abs(result["mean.y"] - signal)[late].max() < 1.01 * stairs + 1e-6
    settled = result.time > 1
    corner = 10 / np.sqrt(2**0.25 - 1)
    passed = {"flat.y": 1 / np.sqrt(1 + (50 / 10) ** 8), "calm.y": (1 + (50 / corner) ** 2) ** -2}
    for name, part in passed.items():
        shape = np.column_stack([np.sin(np.pi * result.time), np.cos(np.pi * result.time)])[settled]
        weights, rest, *_ = np.linalg.lstsq(shape, result[name][settled], rcond=None)
        assert np.hypot(*weights) == pytest.approx(1, abs=0.01)
        hum = np.sqrt(2 * rest[0] / settled.sum())
        assert hum == pytest.approx(0.5 * part, rel=0.01)


def test_relay_oscillation() -> None:
    result = example("RelayOscillation")
    times = [time for time, _ in jumps(result, "relay.y")]
    assert np.diff(times[1:]) == pytest.approx(0.5)  # the period is 2*(high - low)/k
    assert result["integrator.y"].max() == pytest.approx(0.5) and result[
        "integrator.y"
    ].min() == pytest.approx(-0.5)
    periods = np.diff([time for time, _ in jumps(result, "relay2.y")])[-4:]
    assert periods == pytest.approx(periods[-1], rel=1e-3)


def test_analogue_to_digital() -> None:
    result = example("AnalogueToDigital")
    assert np.abs(result["error.y"]).max() <= 0.125 + np.pi * 0.05
    assert (
        np.abs(result["clean.y"] - np.pi * np.cos(np.pi * (result.time - 0.02)))[result.time > 0.2].max()
        < 0.02
    )
    assert np.abs(result["noisy.y"]).max() >= 0.25 / 0.02  # one step makes a peak of its height over T
    assert np.abs(result["onChange.y"] - result["signal.y"]).max() < 0.2 + 1e-7
    triggered = [value for _, value in jumps(result, "sampler.y")]
    assert triggered[1:4] == pytest.approx(np.sin(np.pi * np.array([0.1, 0.2, 0.3])).tolist(), abs=1e-9)


def test_engine_map() -> None:
    result = example("EngineMap")
    t = result.time
    pedal = np.where(t < 3, np.interp(t, [0, 2, 3], [0, 0.6, 0.6]), np.interp(t, [3, 7, 9], [1, 1, 0.1]))
    speed = 100 + 45 * t
    rows = [
        [-10, -15, -22, -30, -40],
        [60, 55, 45, 35, 20],
        [110, 120, 115, 100, 80],
        [140, 165, 170, 160, 130],
    ]
    at_speed = np.array([np.interp(speed, [100, 200, 300, 400, 500], row) for row in rows])
    torque = np.array([np.interp(p, [0, 0.3, 0.6, 1], at_speed[:, k]) for k, p in enumerate(pedal)])
    bearable = np.interp(speed, [100, 200, 300, 500], [120, 150, 145, 125])
    away = np.abs(t - 3) > 1e-9
    assert np.abs(result["torque.y"] - torque)[away].max() < 1e-6
    limited = np.clip(torque, -bearable, bearable)
    assert np.abs(result["limited.y"] - limited)[away].max() < 1e-6
    drag = scipy.interpolate.PchipInterpolator([0, 100, 200, 350, 500], [2, 3, 6, 9, 18])(speed)
    inner = away & (speed < 350)  # the last piece depends on what is assumed at the end
    assert np.abs(result["net.y"] - (limited - drag))[inner].max() < 1e-6


def test_steering_chain() -> None:
    result = example("SteeringChain", tolerance=1e-8)
    t, command, actuator = result.time, result["command.y"], result["actuator.y"]
    rising = (t > 0.5 + 1e-6) & (t < 2)  # 3 upwards at the rate 2
    assert np.abs(actuator - (-1.5 + 2 * (t - 0.5)))[rising].max() < 1e-6
    there = (t > 2 + 1e-6) & (t < 4.2)  # and falls with the rate 2, which it can follow
    assert np.abs(actuator - command)[there].max() < 1e-9
    stops = np.clip(actuator, -1, 1)
    assert np.abs(result["joint.y"] - stops).max() < 0.1 + 1e-9
    assert np.abs(result["valve.y"] + result["middle.y"] - result["joint.y"]).max() < 1e-9


def test_smith_predictor() -> None:
    """With an exact model the loop is that without a delay, a second later: two poles at -1 and -1/1.5."""
    result = example("SmithPredictor", tolerance=1e-8)
    assert result["sensor.y"].max() > 1.5
    late = np.maximum(result.time - 1.5, 0)
    assert np.abs(result["sensor2.y"] - (1 - np.exp(-late * 2 / 1.5))).max() < 1e-4


def test_pulse_width_modulation() -> None:
    result = example("PulseWidthModulation")
    assert set(result["pulses.y"]) == {-1.0, 1.0}
    last = result.time > 1
    shape = np.column_stack([np.sin(2 * np.pi * result.time), np.cos(2 * np.pi * result.time)])[last]
    weights = np.linalg.lstsq(shape, result["found.y"][last], rcond=None)[0]
    assert np.hypot(*weights) == pytest.approx(0.8, abs=0.02)


def test_test_signals() -> None:
    result = example("TestSignals")
    edges = {round(time, 9) for time, _ in jumps(result, "pulse.y")}
    assert {0.2, 0.4, 0.6, 0.8} <= edges
    assert result["constantly.y"].min() == result["constantly.y"].max() == 0.5


def test_one_system() -> None:
    result = example("OneSystem")
    for name in ("polynomials.y", "matrices.y[1]"):
        assert np.abs(result["order2.y"] - result[name]).max() < 1e-7
    steps = dict(jumps(result, "difference.y"))
    assert len(steps) > 100
    for time, value in steps.items():
        if time > 0:
            assert at(result, "order2.y", time) == pytest.approx(value, abs=1e-6)


def test_lock_in() -> None:
    result = example("LockIn")
    assert result["amplitude.y"][result.time > 5] == pytest.approx(0.1, abs=0.002)
    assert np.abs(result["measured.y"]).max() > 1


def test_form_factor() -> None:
    result = example("FormFactor")
    assert at(result, "mean.y", 4) == pytest.approx(2 / np.pi, abs=1e-5)
    assert at(result, "effective.y", 4) == pytest.approx(2**-0.5, abs=1e-5)
    assert at(result, "factor.y", 4) == pytest.approx(np.pi / np.sqrt(8), abs=1e-5)
    assert np.abs(result["switched.y"] - result["rectified.y"]).max() < 1e-9


def test_six_pulse() -> None:
    result = example("SixPulse", interval=2e-5)
    assert result["bridge.y"].min() == pytest.approx(1.5, abs=1e-6)
    assert result["bridge.y"].max() == pytest.approx(np.sqrt(3), abs=1e-6)
    period = (result.time >= 0.06) & (result.time <= 0.08)
    mean = np.trapezoid(result["bridge.y"][period], result.time[period]) / 0.02
    assert mean == pytest.approx(3 * np.sqrt(3) / np.pi, abs=1e-5)


def test_overflowing_tank() -> None:
    """It rises with 1 and falls with 0.5 per second: what each phase does, with the limits, by hand."""
    result = example("OverflowingTank", tolerance=1e-8)
    level, corners = 0.5, [(0.0, 0.5)]
    for start in (0, 4, 8):
        for end, slope in ((start + 1.6, 1.0), (start + 4, -0.5)):
            begin = corners[-1][0]
            reached = min(end, begin + ((1 if slope > 0 else 0) - level) / slope)
            level = level + slope * (reached - begin)
            corners += [(reached, level), (end, level)]
    times, levels = (np.array(x) for x in zip(*corners, strict=True))
    assert np.abs(result["tank.y"] - np.interp(result.time, times, levels)).max() < 1e-6
    free = scipy.integrate.cumulative_trapezoid(result["balance.y"], result.time, initial=0) + 0.5
    assert np.abs(result["free.y"] - free).max() < 1e-6
