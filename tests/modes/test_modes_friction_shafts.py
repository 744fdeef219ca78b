"""Dry friction between rotating bodies: clutches and a brake whose torque limit is a function of time.

The curve parameter has the unit of a torque, so the limit may go down to zero. The elements inherit the law
and add what they are for. Truth: closed forms for two inertias, an integration event by event for three.
"""

from __future__ import annotations

import numpy as np
import pytest
from friction_elements import changes
from friction_reference import Contacts, Vector, integrate

import saltus

SHAFTS = """
connector Shaft
  Real w "Angular velocity";
  flow Real tau "Torque on the element";
end Shaft;

model Inertia
  parameter Real J = 1;
  Shaft a;
  Shaft b;
  Real w(start = 0);
equation
  a.w = w;
  b.w = w;
  J*der(w) = a.tau + b.tau;
end Inertia;

model Torque
  input Real tau;
  Shaft shaft;
equation
  shaft.tau = -tau;
end Torque;

partial model DryTorque "A curve with the parameter s, for any limit"
  Real w "Angular velocity of b relative to a";
  Real tau "Torque that b exerts on a";
  Real limit "Largest torque";
  Boolean forward = s > limit;
  Boolean backward = s < -limit;
  Real s;
  Real lost(start = 0, fixed = true);
equation
  w = if forward then s - limit elseif backward then s + limit else 0;
  tau = if forward then limit elseif backward then -limit else s;
  der(lost) = tau*w;
end DryTorque;

model Clutch "Between two shafts"
  extends DryTorque;
  input Real pressure;
  parameter Real capacity = 1;
  Shaft a;
  Shaft b;
equation
  limit = capacity*pressure;
  w = b.w - a.w;
  tau = b.tau;
  a.tau + b.tau = 0;
end Clutch;

model Brake "Between a shaft and the housing"
  extends DryTorque;
  input Real pressure;
  parameter Real capacity = 1;
  Shaft shaft;
equation
  limit = capacity*pressure;
  w = shaft.w;
  tau = shaft.tau;
end Brake;
"""

CLUTCH = (
    SHAFTS
    + """
model TwoShafts "A clutch that catches, locks and lets go when its pressure falls"
  Inertia driving(J = 2, w(start = 5, fixed = true));
  Inertia driven(J = 3, w(start = 0, fixed = true));
  Clutch clutch(capacity = 1.5, pressure = if time < 8 then 1 else 1 - 0.2*(time - 8));
  Torque engine(tau = 1);
equation
  connect(engine.shaft, driving.a);
  connect(driving.b, clutch.b);
  connect(clutch.a, driven.a);
  annotation(experiment(StopTime = 12, Tolerance = 1e-10, Interval = 0.05));
end TwoShafts;
"""
)

BRAKE = (
    SHAFTS
    + """
model Stopped "A brake stops a wheel and holds it, until it is released"
  Inertia wheel(J = 1.5, w(start = 3, fixed = true));
  Brake brake(capacity = 0.5, pressure = if time < 12 then 1 else 0);
  Torque load(tau = if time < 10 then 0 else 0.2);
equation
  connect(wheel.b, brake.shaft);
  connect(load.shaft, wheel.a);
  annotation(experiment(StopTime = 14, Tolerance = 1e-10, Interval = 0.05));
end Stopped;
"""
)

TRAIN = (
    SHAFTS
    + """
model Train "Three inertias in a row, two clutches and a brake, driven to and fro"
  parameter Real J[3] = {1, 0.4, 0.7};
  Inertia body[3](J = J, w(start = {2, 0, -1}, each fixed = true));
  Clutch clutch[2](capacity = {0.8, 0.5}, each pressure = 1);
  Brake brake(capacity = 0.3, pressure = 1.2 + sin(0.5*time));
  Torque engine(tau = 1.5*sin(time));
  Torque load(tau = 0.6*cos(1.7*time));
equation
  connect(engine.shaft, body[1].a);
  for i in 1:2 loop
    connect(body[i].b, clutch[i].a);
    connect(clutch[i].b, body[i + 1].a);
  end for;
  connect(body[2].a, brake.shaft);
  connect(body[3].b, load.shaft);
  annotation(experiment(StopTime = 15, Tolerance = 1e-10, Interval = 0.05));
end Train;
"""
)


@pytest.fixture(scope="module")
def clutch() -> saltus.Result:
    return saltus.load(CLUTCH).simulate()


def test_clutch_locks_and_slips_again_on_time(clutch: saltus.Result) -> None:
    """Slipping, the velocities approach with 0.75; locked, the clutch carries 0.6, which it can until its
    limit 1.5 - 0.3 (t - 8) has fallen to that."""
    found = changes(clutch, "clutch")
    assert [mode for _, (mode,) in found] == [0, 1]
    np.testing.assert_allclose([t for t, _ in found], [20 / 3, 11.0], atol=1e-7)
    assert len([e for e in clutch.events if e.kind == "state"]) == 2


def test_velocities_at_the_clutch(clutch: saltus.Result) -> None:
    time = np.asarray(clutch.time)
    driving, driven = np.asarray(clutch["driving.w"]), np.asarray(clutch["driven.w"])
    np.testing.assert_allclose(2 * driving + 3 * driven, 10 + time, atol=1e-8)  # angular momentum
    apart = np.where(time < 20 / 3, 5 - 0.75 * time, np.where(time < 11, 0, 0.125 * (time - 11) ** 2))
    np.testing.assert_allclose(driving - driven, apart, atol=1e-8)
    locked = (time > 20 / 3 + 1e-6) & (time < 11 - 1e-6)
    assert np.abs((driving - driven)[locked]).max() < 1e-12
    np.testing.assert_allclose(np.asarray(clutch["clutch.tau"])[locked], 0.6, rtol=0, atol=1e-12)


def test_heat_of_the_clutch(clutch: saltus.Result) -> None:
    """Until it locks: 1.5 times the area of the triangle 5 by 20/3."""
    row = int(np.searchsorted(clutch.time, 8.0))
    assert clutch["clutch.lost"][row] == pytest.approx(1.5 * 5 * (20 / 3) / 2, abs=1e-7)


def test_brake_stops_holds_and_releases() -> None:
    result = saltus.load(BRAKE).simulate()
    time, w = np.asarray(result.time), np.asarray(result["wheel.w"])
    expected = np.where(time < 9, 3 - time / 3, np.where(time < 12, 0, 0.2 / 1.5 * (time - 12)))
    np.testing.assert_allclose(w, expected, atol=1e-8)
    found = changes(result, "brake")
    assert [mode for _, (mode,) in found] == [0, 1]
    np.testing.assert_allclose([t for t, _ in found], [9.0, 12.0], atol=1e-7)
    held = (time > 9.01) & (time < 12)
    assert np.abs(w[held]).max() < 1e-12
    loaded = held & (time > 10.01)
    np.testing.assert_allclose(np.asarray(result["brake.tau"])[loaded], 0.2, rtol=0, atol=1e-12)


def train_reference() -> Contacts:
    def force(t: float, x: Vector, v: Vector) -> Vector:
        return np.array([1.5 * np.sin(t), 0.0, 0.6 * np.cos(1.7 * t)])

    between = np.array([[-1.0, 1, 0], [0, -1, 1], [0, 1, 0]])
    inertias, capacities, none = np.array([1, 0.4, 0.7]), np.array([0.8, 0.5, 0.3]), np.zeros(3)

    def pressure(t: float) -> Vector:
        return np.array([1.0, 1.0, 1.2 + np.sin(0.5 * t)])

    return Contacts(inertias, force, between, capacities, none, np.ones(3), none, pressure)


def test_three_inertias_two_clutches_and_a_brake() -> None:
    result = saltus.load(TRAIN).simulate()
    motion = integrate(train_reference(), np.zeros(3), np.array([2.0, 0, -1]), 15.0)
    found = changes(result, "clutch[1]", "clutch[2]", "brake")
    assert [modes for _, modes in found] == [modes for _, modes in motion.changes]
    assert len(found) > 15
    assert {m.count(0) for _, m in found} >= {0, 1, 2}  # all, two or one degree of freedom
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in motion.changes], atol=1e-6)
    expected = motion.at(np.asarray(result.time))
    for i in range(3):
        np.testing.assert_allclose(result[f"body[{i + 1}].w"], expected[:, 3 + i], atol=1e-6)
    for i, name in enumerate(("clutch[1]", "clutch[2]", "brake")):
        np.testing.assert_allclose(result[f"{name}.lost"], expected[:, 6 + i], atol=1e-6)
