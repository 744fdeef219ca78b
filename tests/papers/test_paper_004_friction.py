"""Dry friction of paper 004 (process Friction_1): a body that sticks, breaks away and sticks again.

The process's selective waiting becomes a when-equation with one branch per transition; its state is an
enumeration. While the body slides, v' = (A sin(w t) -+ mu m g)/m has a closed form, and so have x and the
times at which sliding starts. The time at which it ends is the zero of a function of one variable.

With the printed data the body never moves: mu0 m g = 1.8 exceeds the drive of 1. With an amplitude of 2 it
does. Tolerances: v and x are integrated with errors below 1e-8 per step, some hundred steps: 1e-6; v falls
with at least 0.5 m/s2 when it reaches zero.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus

MU, MU0, M, EPS, G = 0.1, 0.18, 1.0, 1e-5, 10.0
OMEGA = 0.25 * math.pi
STOP_TIME = 10.0
TOLERANCE = 1e-6

FRICTION = """
model Friction1 "A body on a rough surface, driven by a sine force"
  type Motion = enumeration(NEG, STOP, POS);
  constant Real pi = 3.141592653589793;
  parameter Real amplitude = 1;
  parameter Real mu = 0.1;
  parameter Real mu0 = 0.18;
  parameter Real m = 1;
  parameter Real eps = 1e-5;
  parameter Real g = 10;
  parameter Real FN = m*g;
  Real Fd;
  Real Ff;
  Real x(start = -2, fixed = true);
  Real v(start = 0, fixed = true);
  Motion s(start = Motion.STOP, fixed = true);
equation
  Fd = amplitude*sin(0.25*pi*time);
  der(v) = (Fd - Ff)/m;
  der(x) = v;
  Ff = if s == Motion.NEG then -mu*FN elseif s == Motion.POS then mu*FN else Fd;
  when pre(s) == Motion.STOP and Fd > mu0*FN then
    s = Motion.POS;
    reinit(v, eps);
  elsewhen pre(s) == Motion.STOP and Fd < -mu0*FN then
    s = Motion.NEG;
    reinit(v, -eps);
  elsewhen pre(s) == Motion.POS and v <= 0 or pre(s) == Motion.NEG and v >= 0 then
    s = Motion.STOP;
    reinit(v, 0);
  end when;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02));
end Friction1;
"""


def sliding_velocity(t: float, t0: float, sign: int) -> float:
    drive = -2 / OMEGA * (math.cos(OMEGA * t) - math.cos(OMEGA * t0))
    return (drive - sign * MU * M * G * (t - t0)) / M + sign * EPS


def sliding_distance(t: float, t0: float, sign: int) -> float:
    d = t - t0
    drive = 2 / OMEGA * math.cos(OMEGA * t0) * d - 2 / OMEGA**2 * (math.sin(OMEGA * t) - math.sin(OMEGA * t0))
    return (drive - sign * MU * M * G * d * d / 2) / M + sign * EPS * d


def slides() -> list[tuple[float, float, int]]:
    """(start, end, direction) of every slide: one in each half period of the drive, if it stops in time."""
    found = []
    for half in range(3):
        sign = 1 if half % 2 == 0 else -1
        start = (math.asin(MU0 * M * G / 2) + half * math.pi) / OMEGA
        # It speeds up while the drive exceeds the friction, and stops before the drive is at its next top.
        fastest = (math.pi - math.asin(MU * M * G / 2) + half * math.pi) / OMEGA

        def velocity(t: float, start: float = start, sign: int = sign) -> float:
            return sliding_velocity(t, start, sign)

        end = brentq(velocity, fastest, fastest + math.pi / OMEGA, xtol=1e-15)
        found.append((start, end, sign))
    return [slide for slide in found if slide[0] < STOP_TIME]


def position(t: float) -> float:
    x = -2.0
    for start, end, sign in slides():
        if t > start:
            x += sliding_distance(min(t, end), start, sign)
    return x


@pytest.fixture(scope="module")
def model():
    return saltus.load(FRICTION)


@pytest.fixture(scope="module")
def result(model):
    return model.simulate(set={"amplitude": 2.0})


def test_reference_slides_end_before_the_next_begins() -> None:
    all_slides = slides()
    assert len(all_slides) == 3
    for (_, end, _), (start, _, _) in pairwise(all_slides):
        assert end < start


def test_printed_data_never_move_the_body(model) -> None:
    result = model.simulate()
    assert set(np.asarray(result["x"])) == {-2.0}
    assert set(np.asarray(result["s"])) == {2.0}


def test_times_of_break_away_and_of_stopping(result) -> None:
    time, state = np.asarray(result.time), np.asarray(result["s"], dtype=float)
    changed = np.flatnonzero(np.diff(state) != 0) + 1
    expected = [t for slide in slides() for t in slide[:2] if t <= STOP_TIME]
    assert len(changed) == len(expected)
    np.testing.assert_allclose(time[changed], expected, atol=TOLERANCE / 0.5)
    np.testing.assert_array_equal(state[changed], [3, 2, 1, 2, 3, 2][: len(expected)])


def test_position_is_the_closed_form(result) -> None:
    expected = [position(t) for t in result.time]
    np.testing.assert_allclose(result["x"], expected, atol=3 * TOLERANCE)  # three slides
    assert np.ptp(expected) > 0.5


def test_the_body_rests_while_it_sticks(result) -> None:
    state, v = np.asarray(result["s"], dtype=float), np.asarray(result["v"])
    assert np.all(v[state == 2] == 0)
    np.testing.assert_array_equal(np.asarray(result["Ff"])[state == 2], np.asarray(result["Fd"])[state == 2])
