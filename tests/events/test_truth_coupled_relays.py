"""Two relays that disturb each other: two tanks with two pumps, and two masses on springs with two actuators.

Truth: an event-by-event integration with matrix exponentials (`piecewise_affine`). Both systems contract, so
an error at one event is forgotten after some more, and does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pytest
from event_runs import steps
from piecewise_affine import Affine, Phase, Vector, at, phases
from truth_cases import STEPS, every_case

import saltus

TANKS = """
model Tanks "each has a pump that starts below one level and stops above another; water flows between them"
  parameter Real low[2] = {1, 0.6};
  parameter Real high[2] = {1.5, 0.9};
  parameter Real k = 0.3 "of the pipe between the tanks";
  Real h[2](start = {1.2, 0.8}, each fixed = true);
  Boolean pump[2](start = {false, true}, each fixed = true);
equation
  der(h[1]) = (if pump[1] then 1 else 0) - 0.4*h[1] - k*(h[1] - h[2]);
  der(h[2]) = (if pump[2] then 0.8 else 0) - 0.5*h[2] + k*(h[1] - h[2]);
  for i in 1:2 loop
    pump[i] = if pre(pump[i]) then not h[i] > high[i] else h[i] < low[i];
  end for;
end Tanks;
"""
LOW, HIGH = (1.0, 0.6), (1.5, 0.9)
TANKS_STOP = 30.0


def tanks_affine(mode: Hashable) -> Affine:
    assert isinstance(mode, tuple)
    a = np.array([[-0.4 - 0.3, 0.3], [0.3, -0.5 - 0.3]])
    b = np.array([1.0 * mode[0], 0.8 * mode[1]])
    guards = []
    for i, on in enumerate(mode):
        row = np.zeros(3)
        row[i], row[2] = (1, -HIGH[i]) if on else (-1, LOW[i])
        guards.append(row)
    return Affine(a, b, np.array(guards))


def toggled(mode: Hashable, guard: int, z: Vector) -> tuple[Hashable, Vector]:
    assert isinstance(mode, tuple)
    return tuple(on != (i == guard) for i, on in enumerate(mode)), z


@pytest.fixture(scope="module")
def tanks_truth() -> list[Phase]:
    return phases(tanks_affine, toggled, (False, True), [1.2, 0.8], TANKS_STOP, 0.01)


@pytest.fixture(scope="module")
def tanks() -> saltus.Model:
    return saltus.load(TANKS)


def switches(found: list[Phase], relay: int) -> list[tuple[float, bool]]:
    """(time, new position) of one relay."""
    result, previous = [], found[0].mode
    for phase in found[1:]:
        if phase.mode[relay] != previous[relay]:  # type: ignore[index]
            result.append((phase.start, phase.mode[relay]))  # type: ignore[index]
        previous = phase.mode
    return result


def speed(found: list[Phase], relay: int, component: int) -> float:
    """How fast the component moves, at least, when the relay switches."""
    slopes, previous = [], found[0]
    for phase in found[1:]:
        if phase.mode[relay] != previous.mode[relay]:  # type: ignore[index]
            slopes.append(abs((previous.affine.a @ phase.z + previous.affine.b)[component]))
        previous = phase
    return min(slopes)


@every_case
def test_two_tanks(tanks: saltus.Model, tanks_truth: list[Phase], method: str, tolerance: float) -> None:
    result = tanks.simulate(stop_time=TANKS_STOP, tolerance=tolerance, method=method)
    for i in (0, 1):
        expected = switches(tanks_truth, i)
        assert len(expected) > 10
        found = steps(result, f"pump[{i + 1}]")[1:]
        assert [bool(v) for _, v in found] == [on for _, on in expected]
        # Two phases' errors meet at most: levels contract with 0.4/s, and phases last a second or so.
        bound = 3 * STEPS * tolerance / speed(tanks_truth, i, i)
        np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], rtol=0, atol=bound)
    expected_levels = at(tanks_truth, result.time)
    for i in (0, 1):
        np.testing.assert_allclose(
            result[f"h[{i + 1}]"], expected_levels[:, i], rtol=0, atol=6 * STEPS * tolerance
        )


MASSES = """
model Masses "two damped masses on springs; each has a relay that pushes it back, with hysteresis"
  Real x[2](each start = 0, each fixed = true);
  Real v[2](start = {1, -0.5}, each fixed = true);
  discrete Real push[2](start = {-1, 1}, each fixed = true);
  parameter Real H[2] = {0.1, 0.15};
  parameter Real force[2] = {0.6, 1};
equation
  der(x) = v;
  der(v[1]) = -3*x[1] - 2*(x[1] - x[2]) - 0.2*v[1] - force[1]*push[1];
  der(v[2]) = -2*x[2] + 2*(x[1] - x[2]) - 0.2*v[2] - force[2]*push[2];
  when x[1] > H[1] then
    push[1] = 1;
  elsewhen x[1] < -H[1] then
    push[1] = -1;
  end when;
  when x[2] > H[2] then
    push[2] = 1;
  elsewhen x[2] < -H[2] then
    push[2] = -1;
  end when;
end Masses;
"""
MASSES_STOP = 12.0


def masses_affine(mode: Hashable) -> Affine:
    assert isinstance(mode, tuple)
    a = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-5, 2, -0.2, 0], [2, -4, 0, -0.2]], dtype=float)
    b = np.array([0, 0, -0.6 * mode[0], -1.0 * mode[1]])
    guards = []
    for i, (push, h) in enumerate(zip(mode, (0.1, 0.15), strict=True)):
        row = np.zeros(5)
        row[i], row[4] = -push, -h  # pushed down, it waits for x < -H
        guards.append(row)
    return Affine(a, b, np.array(guards))


def flipped(mode: Hashable, guard: int, z: Vector) -> tuple[Hashable, Vector]:
    assert isinstance(mode, tuple)
    return tuple(-p if i == guard else p for i, p in enumerate(mode)), z


@pytest.fixture(scope="module")
def masses_truth() -> list[Phase]:
    return phases(masses_affine, flipped, (-1.0, 1.0), [0.0, 0.0, 1.0, -0.5], MASSES_STOP, 0.002)


@pytest.fixture(scope="module")
def masses() -> saltus.Model:
    return saltus.load(MASSES)


@every_case
def test_two_masses(masses: saltus.Model, masses_truth: list[Phase], method: str, tolerance: float) -> None:
    result = masses.simulate(stop_time=MASSES_STOP, tolerance=tolerance, method=method)
    # The damping is weak (0.1/s): errors of all phases until then add up.
    number = len(masses_truth)
    for i in (0, 1):
        expected = switches(masses_truth, i)
        assert len(expected) >= 6
        found = steps(result, f"push[{i + 1}]")[1:]
        assert [v for _, v in found] == [p for _, p in expected]
        bound = number * STEPS * tolerance / speed(masses_truth, i, i)
        np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], rtol=0, atol=bound)
    rows = at(masses_truth, result.time)
    for i, name in enumerate(("x[1]", "x[2]", "v[1]", "v[2]")):
        # A relay that is late by dt changes a speed by 2 force dt.
        np.testing.assert_allclose(result[name], rows[:, i], rtol=0, atol=4 * number * STEPS * tolerance)


def test_both_relays_at_one_instant() -> None:
    """Mirror images switch together: one event moves both, and neither sees the other's old position."""
    result = saltus.load(
        """model Mirror
          Real a(start = 1, fixed = true), b(start = -1, fixed = true);
          discrete Real ya(start = -1, fixed = true), yb(start = 1, fixed = true);
          Integer both(start = 0, fixed = true);
        equation
          der(a) = ya; der(b) = yb;
          when a < -1 then ya = 1; elsewhen a > 1 then ya = -1; end when;
          when b > 1 then yb = -1; elsewhen b < -1 then yb = 1; end when;
          when ya == -yb and change(ya) then both = pre(both) + 1; end when;
        end Mirror;"""
    ).simulate(stop_time=11, tolerance=1e-8)
    switched = [t for t, _ in steps(result, "ya")[1:]]
    np.testing.assert_allclose(switched, [2, 4, 6, 8, 10], atol=1e-6)
    assert switched == [t for t, _ in steps(result, "yb")[1:]]
    np.testing.assert_allclose(result["a"], -result["b"], atol=1e-6)
    assert result["both"][-1] == 5
