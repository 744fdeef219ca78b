"""Arrays of friction elements in a chain of cars, and friction between flanges that carry positions.

Truth: the integration event by event. Tolerances: 1e-10 per step, about a thousand steps; velocities meet
zero with slopes of at least 0.05.
"""

from __future__ import annotations

import numpy as np
import pytest
from friction_cases import TWO
from friction_elements import changes, stuck, with_law
from friction_reference import Contacts, Vector, integrate

import saltus

TOLERANCE = 1e-6

CARS = """
model Cars "Three cars on a rough track, coupled by springs; the first is pulled to and fro"
  parameter Integer n = 3;
  Wall track;
  Mass car[n](m = {1, 0.8, 1.2}, v(start = {0, 0, 1}, each fixed = true), x(each fixed = true));
  Law f[n](f0 = {0.5, 0.4, 0.6}, each f1 = 0.05);
  Spring spring[n - 1](c = {3, 2});
  Damper damper[n - 1](each d = 0.1);
  Push pull(force = 2*sin(0.8*time));
equation
  connect(pull.flange, car[1].flange);
  for i in 1:n loop
    connect(track.flange, f[i].a);
    connect(f[i].b, car[i].flange);
  end for;
  for i in 1:n - 1 loop
    connect(car[i].flange, spring[i].a);
    connect(spring[i].b, car[i + 1].flange);
    connect(car[i].flange, damper[i].a);
    connect(damper[i].b, car[i + 1].flange);
  end for;
  annotation(experiment(StopTime = 20, Tolerance = 1e-10, Interval = 0.05));
end Cars;
"""

POSITIONS = """
connector Rod
  Real p "Position";
  flow Real f;
end Rod;

model Block
  parameter Real m = 1;
  Rod rod;
  Real p(start = 0, fixed = true) = rod.p;
  Real v(start = 0, fixed = true) = der(p);
  Real a = der(v);
equation
  m*a = rod.f;
end Block;

model Ground
  Rod rod;
equation
  rod.p = 0;
end Ground;

model Pushed
  Rod rod;
  input Real force;
equation
  rod.f = -force;
end Pushed;

partial model TwoRods
  Rod a;
  Rod b;
  Real p "Relative position";
  Real f;
equation
  p = b.p - a.p;
  b.f = f;
  a.f = -f;
end TwoRods;

model RodFriction "The curve of paper 003; its velocity is the derivative of a relative position"
  extends TwoRods;
  parameter Real f0 = 1;
  parameter Real f1 = 0;
  Real v;
  Real s;
  Boolean forward = s > 1;
  Boolean backward = s < -1;
equation
  v = der(p);
  v = if forward then s - 1 elseif backward then s + 1 else 0;
  f = if forward then f0 + f1*(s - 1) elseif backward then -f0 + f1*(s + 1) else f0*s;
end RodFriction;

model TwoBlocksByPosition "As TwoBlocks, by positions"
  Ground ground;
  Block body[2](m = {1, 0.5});
  RodFriction friction[2](f0 = {1, 0.6}, f1 = {0.3, 0.1});
  Pushed push[2](force = {2.2*sin(time), 1.3*sin(2.3*time)});
equation
  connect(ground.rod, friction[1].a);
  connect(friction[1].b, body[1].rod);
  connect(body[1].rod, friction[2].a);
  connect(friction[2].b, body[2].rod);
  connect(push[1].rod, body[1].rod);
  connect(push[2].rod, body[2].rod);
  annotation(experiment(StopTime = 20, Tolerance = 1e-10, Interval = 0.05));
end TwoBlocksByPosition;
"""


def cars() -> Contacts:
    def force(t: float, x: Vector, v: Vector) -> Vector:
        pull = np.array([3.0, 2.0]) * np.diff(x) + 0.1 * np.diff(v)
        return np.array([2 * np.sin(0.8 * t) + pull[0], pull[1] - pull[0], -pull[1]])

    f0, f1 = np.array([0.5, 0.4, 0.6]), np.full(3, 0.05)
    return Contacts(np.array([1, 0.8, 1.2]), force, np.eye(3), f0, f1, np.ones(3), np.zeros(3))


@pytest.mark.parametrize("law", ["Friction", "FourStates"])
def test_cars_with_an_array_of_friction_elements(law: str) -> None:
    result = saltus.load(with_law(law, CARS)).simulate()
    motion = integrate(cars(), np.zeros(3), np.array([0.0, 0, 1]), 20.0)
    found = changes(result, "f[1]", "f[2]", "f[3]")
    assert [modes for _, modes in found] == [modes for _, modes in motion.changes]
    assert len(found) > 25
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in motion.changes], atol=TOLERANCE)
    expected = motion.at(np.asarray(result.time))
    for i in range(3):
        np.testing.assert_allclose(result[f"car[{i + 1}].x"], expected[:, i], atol=TOLERANCE)
        np.testing.assert_allclose(result[f"car[{i + 1}].v"], expected[:, 3 + i], atol=TOLERANCE)


def test_friction_by_positions() -> None:
    result = saltus.load(with_law("Friction", POSITIONS)).simulate()
    motion = integrate(TWO, np.zeros(2), np.zeros(2), 20.0)
    found = changes(result, "friction[1]", "friction[2]")
    assert [modes for _, modes in found] == [modes for _, modes in motion.changes]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in motion.changes], atol=TOLERANCE)
    expected = motion.at(np.asarray(result.time))
    for i in range(2):
        np.testing.assert_allclose(result[f"body[{i + 1}].p"], expected[:, i], atol=3 * TOLERANCE)
        np.testing.assert_allclose(result[f"body[{i + 1}].v"], expected[:, 2 + i], atol=TOLERANCE)
    for i in (1, 2):
        rests = stuck(result, f"friction[{i}]")
        assert np.abs(np.asarray(result[f"friction[{i}].v"])[rests]).max() < 1e-12
        # What sticks does not creep: the relative position is kept to rounding.
        p = np.asarray(result[f"friction[{i}].p"])
        within = rests[1:] & rests[:-1]
        assert np.abs(np.diff(p)[within]).max() < 1e-11
