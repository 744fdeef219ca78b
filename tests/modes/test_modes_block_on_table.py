"""A block on a table: it stands, it leaves when the table falls away faster than itself, it lands.

The contact is one s-parameterised curve: a height without a force, or a force without a height. While it
stands, the block has no states of its own. On a table that swings with z = A sin(w t), it leaves when A w^2
sin(w t) = g, flies along its parabola, and lands plastically with the velocity of the table.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from leap_readings import between, event_times, impulse, limits
from scipy.optimize import brentq

import saltus

G = 9.81

BLOCK = """
partial model OnTable
  parameter Real m = 2, g = 9.81;
  Real y "height of the block", v, z "of the table", N "force of contact", F "from elsewhere", s;
  Boolean lifted = s > 0;
equation
  der(y) = v;
  m*der(v) = N - m*g + F;
  y - z = if lifted then s else 0;
  N = if lifted then 0 else -s;
end OnTable;
model Swinging
  extends OnTable;
  parameter Real A = 0.01, w = 40;
equation
  z = A*sin(w*time);
  F = 0;
  annotation(experiment(StopTime = 0.5, Tolerance = 1e-10, Interval = 0.001));
end Swinging;
model Dropped
  extends OnTable(y(start = 1, fixed = true), v(start = 0.5, fixed = true));
equation
  z = 0.1;
  F = if time < 1 then 0 elseif time < 1.5 then 3*m*g else 0;
  annotation(experiment(StopTime = 4, Tolerance = 1e-10));
end Dropped;
"""


def flights(amplitude: float, omega: float, stop: float) -> list[tuple[float, float, float]]:
    """Take-off, landing, and the difference of the velocities at landing (table minus block)."""

    def gap(t: float, t0: float) -> float:
        since = t - t0
        block = (
            amplitude * math.sin(omega * t0)
            + amplitude * omega * math.cos(omega * t0) * since
            - G * since**2 / 2
        )
        return block - amplitude * math.sin(omega * t)

    phase = math.asin(G / (amplitude * omega**2)) / omega
    period = 2 * math.pi / omega
    found: list[tuple[float, float, float]] = []
    t0 = phase
    while t0 < stop:
        t = t0 + period / 100
        while gap(t, t0) > 0:
            t += period / 1000
        land = brentq(gap, t - period / 1000, t, args=(t0,), xtol=1e-16)
        v_block = amplitude * omega * math.cos(omega * t0) - G * (land - t0)
        v_table = amplitude * omega * math.cos(omega * land)
        assert amplitude * omega**2 * math.sin(omega * land) < G, "it would leave at once"
        found.append((t0, land, v_table - v_block))
        t0 = phase + period * math.ceil((land - phase) / period)
    return found


def test_leaves_and_lands_on_a_swinging_table() -> None:
    amplitude, omega, stop = 0.01, 40.0, 0.5
    exact = flights(amplitude, omega, stop)
    assert exact[0][0] == pytest.approx(math.asin(9.81 / 16) / 40)
    turns = sorted(t for flight in exact for t in flight[:2] if t < stop)
    assert len(turns) >= 5
    result = saltus.load(BLOCK, model="Swinging").simulate()
    assert event_times(result) == pytest.approx(turns, abs=1e-6)
    away = between(result, turns, margin=1e-5)
    t = result.time
    height, force, lifted = np.zeros_like(t), np.zeros_like(t), np.zeros_like(t, dtype=bool)
    table = amplitude * np.sin(omega * t)
    height[:] = table
    force[:] = 2 * (G - amplitude * omega**2 * np.sin(omega * t))
    for up, down, _ in exact:
        flying = (t > up) & (t < down)
        since = t[flying] - up
        start, speed = amplitude * math.sin(omega * up), amplitude * omega * math.cos(omega * up)
        height[flying] = start + speed * since - G * since**2 / 2
        force[flying] = 0
        lifted |= flying
    np.testing.assert_allclose(result["y"], height, atol=1e-8)
    np.testing.assert_allclose(result["N"][away], force[away], atol=1e-4)
    assert np.all(result["lifted"][away] == lifted[away])
    for _, land, difference in exact:
        if land < stop:
            before, after = limits(result, land, ["v"])
            assert impulse(result, land, "N") == pytest.approx(2 * difference, rel=1e-5)
            assert 2 * (after[0] - before[0]) == pytest.approx(impulse(result, land, "N"), rel=1e-10)
            table_speed = amplitude * omega * math.cos(omega * land)
            assert after[0] == pytest.approx(table_speed, abs=1e-5)
    assert len(result.impulses["N"]) == sum(land < stop for _, land, _ in exact)
    assert result.statistics["programs"] == 2


def test_dropped_pulled_up_and_dropped_again() -> None:
    """Lands on a table at 0.1 from 1 m; a force of three weights lifts it at 1 s and lets go of it at 1.5
    s."""
    result = saltus.load(BLOCK, model="Dropped").simulate()
    land = (0.5 + math.sqrt(0.25 + 2 * G * 0.9)) / G
    speed = 0.5 - G * land
    top = 0.1 + G * 0.25  # after 0.5 s with 2 g upwards
    again = 1.5 + (G + math.sqrt(G**2 + 2 * G * (top - 0.1))) / G
    last = G - G * (again - 1.5)
    assert event_times(result) == pytest.approx([land, 1.0, 1.5, again], abs=1e-7)
    assert impulse(result, land, "N") == pytest.approx(-2 * speed, rel=1e-7)
    before, after = limits(result, land, ["v"])
    assert after[0] == pytest.approx(0, abs=1e-12) and before[0] == pytest.approx(speed, rel=1e-7)
    assert 0.5 * 2 * before[0] ** 2 == pytest.approx(G * 2 * 0.9 + 0.25, rel=1e-7)  # all it had is lost
    standing = (result.time > land + 1e-6) & (result.time < 1)
    np.testing.assert_allclose(result["N"][standing], 2 * G, rtol=1e-9)
    rising = (result.time > 1) & (result.time < 1.5)
    np.testing.assert_allclose(result["y"][rising], 0.1 + G * (result.time[rising] - 1) ** 2, atol=1e-7)
    assert impulse(result, again, "N") == pytest.approx(-2 * last, rel=1e-7)
    np.testing.assert_allclose(result["y"][result.time > again], 0.1, rtol=1e-9)
    assert result.statistics["programs"] == 2
