"""Clocked controllers follow their recurrences, and a drive with two loops that of plant and programs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import saltus
from translated_models import translated

COVERS = (
    "Saltus.Blocks.Clocked.Faster",
    "Saltus.Blocks.Clocked.FirstOrder",
    "Saltus.Blocks.Clocked.Hold",
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
