"""Thermostat networks: rooms in a ring, each with a heater and a relay with hysteresis.

Uncoupled, every room swings between its two thresholds with logarithmic durations: the number of events of
100 rooms and each switching time are known. Five coupled rooms are integrated with matrix exponentials. A
hundred coupled ones keep the balance of heat, and their thresholds.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
import pytest
from event_runs import steps, times
from piecewise_affine import Affine, Phase, Vector, at, phases
from truth_cases import STEPS, every_case, every_tolerance

import saltus

LOSS, OUTSIDE, LOW, HIGH = 0.1, 5.0, 19.0, 21.0
SCALE = 20.0  # of a temperature: tolerances are relative


def network(rooms: int) -> str:
    """Rooms with heaters that differ a little, so that no two switch at once."""
    return f"""
    model Thermostats
      parameter Integer n = {rooms};
      parameter Real loss = 0.1 "to the outside, over the heat capacity";
      parameter Real wall = 0 "to each neighbour";
      parameter Real outside = 5;
      parameter Real heater[n] = {{3 + k/n for k in 1:n}};
      Real T[n](start = {{19 + 2*(k - 0.5)/n for k in 1:n}}, each fixed = true);
      Boolean on[n](each start = true, each fixed = true);
      Integer switched(start = 0, fixed = true);
      Real heated(start = 0, fixed = true) "heat that all heaters have given so far";
      Real lost(start = 0, fixed = true) "heat that has gone outside";
    equation
      for k in 1:n loop
        der(T[k]) = (if on[k] then heater[k] else 0) - loss*(T[k] - outside)
          + wall*(T[if k == 1 then n else k - 1] - 2*T[k] + T[if k == n then 1 else k + 1]);
        on[k] = if pre(on[k]) then not T[k] > 21 else T[k] < 19;
      end for;
      der(heated) = sum(if on[k] then heater[k] else 0 for k in 1:n);
      der(lost) = sum(loss*(T[k] - outside) for k in 1:n);
      when change(on) then
        switched = pre(switched) + 1;
      end when;
    end Thermostats;
    """.replace("when change(on) then", "when {change(on[k]) for k in 1:n} then")


def alone(k: int, rooms: int, stop: float) -> list[float]:
    """Switching times of a room without neighbours: heated towards outside + heater/loss, cooled towards
    the outside."""
    goal_on = OUTSIDE + (3 + k / rooms) / LOSS
    heating = math.log((goal_on - LOW) / (goal_on - HIGH)) / LOSS
    cooling = math.log((HIGH - OUTSIDE) / (LOW - OUTSIDE)) / LOSS
    start = 19 + 2 * (k - 0.5) / rooms
    found = [math.log((goal_on - start) / (goal_on - HIGH)) / LOSS]
    while found[-1] <= stop:
        found.append(found[-1] + (cooling if len(found) % 2 else heating))
    return found[:-1]


@pytest.fixture(scope="module")
def hundred() -> saltus.Model:
    return saltus.load(network(100))


@every_tolerance
def test_a_hundred_rooms_without_walls_switch_as_each_alone(hundred: saltus.Model, tolerance: float) -> None:
    stop = 20.0
    result = hundred.simulate(stop_time=stop, tolerance=tolerance, interval=stop / 50)
    rooms = [alone(k, 100, stop) for k in range(1, 101)]
    # All rooms start anew whenever one of them switches, so each step may add an error of one tolerance to
    # each of them. Thresholds are passed with at least 1.4 degrees per second (cooling at 19 degrees).
    bound = result.statistics["steps"] * SCALE * tolerance / 1.4
    number = sum(len(room) for room in rooms)
    counted = sum(len(steps(result, f"on[{k}]")) - 1 for k in range(1, 101))
    if bound > 0.3:
        # Phases last 1.3 s each; the error of one is a fifteenth of that of all.
        assert abs(counted - number) <= number * bound / 15 / 1.3
        return
    ahead = (t for k in range(1, 101) for t in alone(k, 100, stop + 1))
    at_the_end = sum(abs(t - stop) <= bound for t in ahead)
    assert abs(counted - number) <= at_the_end
    for k, expected in enumerate(rooms, 1):
        found = [t for t, _ in steps(result, f"on[{k}]")[1:]]
        shared = min(len(found), len(expected))
        np.testing.assert_allclose(found[:shared], expected[:shared], rtol=0, atol=bound)
    if tolerance <= 1e-10:
        assert at_the_end == 0, "the number of all switches is exact"


COUPLED = 5
WALL = 0.3


def affine(mode: Hashable) -> Affine:
    assert isinstance(mode, tuple)
    n = COUPLED
    ring = np.roll(np.eye(n), 1, axis=0) + np.roll(np.eye(n), -1, axis=0) - 2 * np.eye(n)
    a = WALL * ring - LOSS * np.eye(n)
    b = LOSS * OUTSIDE + np.array([(3 + k / n) * mode[k - 1] for k in range(1, n + 1)])
    guards = np.zeros((n, n + 1))
    for k, on in enumerate(mode):
        guards[k, k], guards[k, n] = (1, -HIGH) if on else (-1, LOW)
    return Affine(a, b, guards)


def toggled(mode: Hashable, guard: int, z: Vector) -> tuple[Hashable, Vector]:
    assert isinstance(mode, tuple)
    return tuple(on != (i == guard) for i, on in enumerate(mode)), z


@pytest.fixture(scope="module")
def truth() -> list[Phase]:
    start = [19 + 2 * (k - 0.5) / COUPLED for k in range(1, COUPLED + 1)]
    return phases(affine, toggled, (True,) * COUPLED, start, 12.0, 0.005)


@pytest.fixture(scope="module")
def five() -> saltus.Model:
    return saltus.load(network(COUPLED))


@every_case
def test_five_coupled_rooms(five: saltus.Model, truth: list[Phase], method: str, tolerance: float) -> None:
    result = five.simulate(stop_time=12, tolerance=tolerance, method=method, set={"wall": WALL})
    error = STEPS * SCALE * tolerance
    for k in range(COUPLED):
        expected, slopes, previous = [], [], truth[0]
        for phase in truth[1:]:
            if phase.mode[k] != previous.mode[k]:  # type: ignore[index]
                expected.append(phase.start)
                slopes.append(abs((previous.affine.a @ phase.z + previous.affine.b)[k]))
            previous = phase
        found = [t for t, _ in steps(result, f"on[{k + 1}]")[1:]]
        assert len(expected) > 3 and len(found) == len(expected)
        np.testing.assert_allclose(found, expected, rtol=0, atol=len(truth) * error / min(slopes))
    rows = at(truth, result.time)
    for k in range(COUPLED):
        # A heater that switches late by dt warms by heater*dt too much.
        np.testing.assert_allclose(result[f"T[{k + 1}]"], rows[:, k], rtol=0, atol=4 * len(truth) * error)


@every_tolerance
def test_a_hundred_coupled_rooms_keep_the_balance_of_heat(hundred: saltus.Model, tolerance: float) -> None:
    result = hundred.simulate(stop_time=8, tolerance=tolerance, interval=0.05, set={"wall": 0.3})
    temperatures = np.array([result[f"T[{k}]"] for k in range(1, 101)])
    heat = temperatures.sum(axis=0) - temperatures[:, 0].sum()
    # Linear methods keep linear invariants to rounding, whatever their errors: walls only move heat about,
    # and what the rooms hold is what was heated less what was lost. Sums of 100 terms of 1000 in all;
    # Newton's iteration stops within a part of the tolerance.
    scale = float(result["heated"][-1])
    np.testing.assert_allclose(heat, result["heated"] - result["lost"], rtol=0, atol=scale * tolerance * 10)
    # Between its thresholds every room, up to the location of events.
    assert temperatures.min() > LOW - 1e-6 and temperatures.max() < HIGH + 1e-6
    heaters_on = np.array([result[f"on[{k}]"] for k in range(1, 101)]).sum(axis=0)
    assert 20 < heaters_on.mean() < 80
    assert len(times(result)) > 200
