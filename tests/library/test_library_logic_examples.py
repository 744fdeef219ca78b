"""The examples of logic show what their documentation says, at the times that it says."""

from __future__ import annotations

import numpy as np
import pytest
from signal_limits import jumps

import saltus
from translated_models import translated


def example(name: str, **options: float) -> saltus.Result:
    return translated(f"Saltus.Examples.Logic.{name}").simulate(**options)


def at(result: saltus.Result, name: str, time: float) -> float:
    """The value of something that jumps."""
    return [value for when, value in jumps(result, name) if when <= time][-1]


def test_binary_adder() -> None:
    result = example("BinaryAdder")
    for t in np.arange(0.25, 8, 0.5):
        total = sum(t % period < period / 2 for period in (1, 2, 4))
        assert at(result, "total.y", t) == total
        assert at(result, "carry.y", t) == (total >= 2) and at(result, "sum.y", t) == total % 2
    assert not result["differ.y"].any()


def test_ripple_counter() -> None:
    result = example("RippleCounter")
    for n in range(20):
        digits = [at(result, f"digit{k}.q", n + 0.2) for k in range(1, 5)]
        assert digits == [n >> k & 1 for k in range(4)]
        assert at(result, "pulses.y", n + 0.2) == n


def test_running_light() -> None:
    result = example("RunningLight")
    states = [tuple(at(result, f"light{k}.q", n) for k in (1, 2, 3)) for n in range(13)]
    assert states[:7] == [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)]
    assert states[6:12] == states[:6]
    assert [time for time, _ in jumps(result, "shown.y")] == pytest.approx([0, 0.5, 3.5, 7.7, 9.5])


def test_pedestrian_light() -> None:
    result = example("PedestrianLight")
    red, green = jumps(result, "red.y"), jumps(result, "green.y")
    assert [t for t, _ in red] == pytest.approx([0, 3, 10, 16, 23, 32, 39])
    assert [t for t, _ in green] == pytest.approx([0, 5, 9, 18, 22, 34, 38])
    assert not (np.asarray(result["green.y"], bool) & ~np.asarray(result["red.y"], bool)).any()
    assert np.interp(8, result.time, result["waiting.y"]) == pytest.approx(7)


def test_pressure_alarm() -> None:
    result = example("PressureAlarm")
    expected = {
        "lasting.y": [8.25, 9.6],  # 3 bar are exceeded at 7.75 s, and until 9.6 s
        "alarm.q": [8.25, 12],
        "horn.y": [8.25, 11.6],
        "spikes.y": [3, 7.75],
        "low.y": [12.4, 14.8],
        "permit.y": [5, 7.75, 12, 12.4, 14.8, 15],
    }
    for name, times in expected.items():
        assert [t for t, _ in jumps(result, name)][1:] == pytest.approx(times, abs=1e-8), name


def test_thermostat() -> None:
    """Between two switchings the room follows an exponential: the times are logarithms."""
    result = example("Thermostat", tolerance=1e-8)
    by_day = [t for t, _ in jumps(result, "cold.y") if 10 < t < 22]
    heating, cooling = 5 * np.log((35 - 20) / (35 - 22)), 5 * np.log((22 - 5) / (20 - 5))
    spans = np.diff(by_day)
    assert len(spans) > 8
    assert sorted({round(s, 5) for s in spans}) == pytest.approx(sorted([heating, cooling]), abs=1e-4)
    night = (result.time > 26) & (result.time < 31)
    assert result["room.y"][night].min() == pytest.approx(15, abs=1e-6)
    assert result["room.y"][night].max() == pytest.approx(17, abs=1e-6)


def test_wheel_speed() -> None:
    """The frequency grows from 20 to 120 Hz in 5 s: 350 turns; each reading is the turns of half a second."""
    result = example("WheelSpeed")
    assert result["ups.y"][-1] == result["downs.y"][-1] == 350
    assert result["all.y"][-1] == 700
    for k in range(1, 10):
        t = k / 2
        turns = (20 * t + 10 * t**2) - (20 * (t - 0.5) + 10 * (t - 0.5) ** 2)
        assert abs(at(result, "teeth.y", t - 1e-6) - turns) <= 1


def test_dosing() -> None:
    result = example("Dosing", tolerance=1e-9)
    volume = result.time + 0.6 / (0.4 * np.pi) * (1 - np.cos(0.4 * np.pi * result.time))
    assert np.abs(result["total.y"] - volume).max() < 1e-6
    clear = np.abs(volume - np.round(volume)) > 1e-5
    assert np.array_equal(result["number.y"][clear], np.floor(volume[clear]))
    assert np.abs(result["batch.y"] + result["number.y"] - volume)[clear].max() < 1e-5


def test_two_hand_control() -> None:
    assert jumps(example("TwoHandControl"), "closed.q") == [(0, 0), (2.3, 1), (4, 0)]


def test_blinker() -> None:
    result = example("Blinker")
    turns = [t for n in range(8) for t in (n + 0.7, n + 1.0)]
    assert [t for t, _ in jumps(result, "light.y")] == pytest.approx([0, *turns])
    assert jumps(result, "upper.y") == [(0, 0), (1, 1), (3, 0), (6, 1)]
    assert jumps(result, "lower.y") == [(0, 1), (1, 0), (3, 1), (6, 0)]
