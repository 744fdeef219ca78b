"""Constraints that agree only for an instant: a mode in which both hold cannot be entered.

A slider with dry friction is pushed to and fro by a pin in a slot. Where the drive turns round, friction
holds the slider and the pin has to let go: position and velocity of both agree there, and only there. And a
load lies on the ground when a winch takes up its rope: positions agree, velocities do not, and ever so little
of that is seen within a millionth of the run.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus

SLOT = """
model Slot "A pin that moves to and fro, a slot that is wider, and a slider that rubs"
  parameter Real half = 0.25 "Play on either side";
  Real pin = cos(time), x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real f1 "pushes forward", f2 "pushes backward", r "friction", s1, s2, z;
  Boolean behind = s1 < 0 "the pin touches the slot at its front end";
  Boolean ahead = s2 < 0;
  Boolean forward = z > 1, backward = z < -1;
equation
  der(x) = v;
  der(v) = f1 - f2 - r;
  s1 = if behind then -f1 else x + half - pin;
  0 = if behind then x + half - pin else f1;
  s2 = if ahead then -f2 else pin - x + half;
  0 = if ahead then pin - x + half else f2;
  v = if forward then z - 1 elseif backward then z + 1 else 0;
  r = 10*(if forward then 1 elseif backward then -1 else z);
end Slot;
"""

WINCH = """
model Winch "Takes up a rope that lies loose, at a given speed; then the load has to come along"
  parameter Real speed = 0.2, L = 10, start = -9.8;
  Real y(start = 0, fixed = true) "end of the rope at the winch";
  Real x(start = start + 1e-3, fixed = true), v(start = 0, fixed = true), f "rope", n "ground", s, z;
  Boolean slack = s > 0, lies = z < 0;
equation
  der(y) = speed;
  der(x) = v;
  50*der(v) = f + n - 490;
  L - (y - x) = if slack then s else 0;
  f = if slack then 0 else -s;
  z = if lies then -n else x - start;
  0 = if lies then x - start else n;
end Winch;
"""


def test_slider_is_left_where_the_drive_turns_round() -> None:
    """The slider follows at a distance: moved by the pin less the play, and at rest while it is crossed."""
    result = saltus.load(SLOT).simulate(stop_time=40, tolerance=1e-10)
    assert not result.warnings
    t, x = np.asarray(result.time), np.asarray(result["x"])
    cross = math.acos(1 - 0.5)  # from a dead centre until the play is crossed; at first half of it
    for k in range(12):
        side = (-1) ** k  # the pin comes from there
        first = math.acos(1 - 0.25) if k == 0 else cross
        rests = (t > k * math.pi + 1e-6) & (t < k * math.pi + first - 1e-6)
        moves = (t > k * math.pi + first + 1e-6) & (t < (k + 1) * math.pi - 1e-6)
        np.testing.assert_allclose(x[rests], 1 if k == 0 else side * 0.75, atol=1e-7)
        np.testing.assert_allclose(x[moves], np.cos(t[moves]) + side * 0.25, atol=1e-7)


@pytest.mark.parametrize("speed", [0.2, 0.01])
def test_winch_lifts_a_load_off_the_ground(speed: float) -> None:
    result = saltus.load(WINCH).simulate(stop_time=0.6 / speed, set={"speed": speed}, tolerance=1e-10)
    assert not result.warnings
    taut = 0.2 / speed
    t = np.asarray(result.time)
    lies = (t > 0.02) & (t < taut - 1e-6)
    np.testing.assert_allclose(result["x"][lies], -9.8, atol=1e-9)
    hangs = t > taut + 1e-6
    np.testing.assert_allclose(result["x"][hangs], speed * t[hangs] - 10, atol=1e-7)
    np.testing.assert_allclose(result["f"][hangs], 490, rtol=1e-9)
    assert result.impulses["f"][-1].weight == pytest.approx(50 * speed)
