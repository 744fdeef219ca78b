"""Friction elements without a mass between them and a spring, or between each other.

A spring in series with a friction element (Jenkins' element of plasticity) changes its structure the other
way round: while it *slides* the force, and with it the elongation of the spring, is constrained; while it
sticks the elongation is a state. Moved by a given displacement, the force follows Prandtl's law: it
changes with the displacement until it is at its limit. Several in parallel are Iwan's model of hysteresis.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from friction_cases import one_block, slide_times
from friction_elements import changes, stuck, with_law
from friction_reference import integrate
from scipy.optimize import brentq

import saltus

JENKINS = """
model Coulomb "Without a viscous part: in the other law f1 is zero, which is a number, not a structure"
  extends AnyFriction;
  Real s;
equation
  forward = s > 1;
  backward = s < -1;
  v = if forward then s - 1 elseif backward then s + 1 else 0;
  f = if forward then f0 elseif backward then -f0 else f0*s;
end Coulomb;

model Jenkins "A spring in series with friction"
  parameter Real c = 1;
  parameter Real f0 = 1;
  Flange a;
  Flange b;
  Real f = b.f;
  Spring spring(c = c);
  Coulomb friction(f0 = f0);
equation
  connect(a, friction.a);
  connect(friction.b, spring.a);
  connect(spring.b, b);
end Jenkins;

model Iwan "Three of them side by side, moved to and fro"
  parameter Integer n = 3;
  Wall wall;
  Drive drive(velocity = 3*cos(time) + 2.5*cos(2.5*time));
  Jenkins element[n](c = {1, 2, 0.5}, f0 = {0.8, 0.7, 1.2});
  Real force = sum(element.f);
equation
  for i in 1:n loop
    connect(wall.flange, element[i].a);
    connect(element[i].b, drive.flange);
  end for;
  annotation(experiment(StopTime = 12, Tolerance = 1e-10, Interval = 0.02));
end Iwan;
"""

SERIES = """
model Series "Two friction elements, one after the other: the weaker one slides"
  Wall table;
  Law strong(f0 = 1.5, f1 = 0.1);
  Law weak(f0 = 1, f1 = 0.5);
  Mass body(v(fixed = true), x(fixed = true));
  Push push(force = 2*sin(time));
equation
  connect(table.flange, strong.a);
  connect(strong.b, weak.a);
  connect(weak.b, body.flange);
  connect(push.flange, body.flange);
  annotation(experiment(StopTime = 12.566370614359172, Tolerance = 1e-10, Interval = 0.05));
end Series;
"""


def displacement(t: float) -> float:
    return float(3 * np.sin(t) + np.sin(2.5 * t))


def turns(stop: float) -> list[float]:
    """When the displacement turns."""

    def velocity(t: float) -> float:
        return float(3 * np.cos(t) + 2.5 * np.cos(2.5 * t))

    grid = np.linspace(0.0, stop, 2000)
    return [brentq(velocity, a, b) for a, b in pairwise(grid) if velocity(a) * velocity(b) < 0]


def prandtl(times: np.ndarray, c: float, limit: float) -> np.ndarray:
    """The force: between turns it is the last one plus c times the displacement, cut off at the limit."""
    edges, force, at = [0.0, *turns(float(times[-1])), float(times[-1])], 0.0, 0.0
    found = np.zeros_like(times)
    for left, right in pairwise(edges):
        part = (times >= left) & (times <= right)
        moved = np.array([displacement(t) for t in times[part]]) - at
        found[part] = np.clip(force + c * moved, -limit, limit)
        force = float(np.clip(force + c * (displacement(right) - at), -limit, limit))
        at = displacement(right)
    return found


@pytest.fixture(scope="module", params=["Coulomb", "Friction"])
def iwan(request: pytest.FixtureRequest) -> saltus.Result:
    text = JENKINS.replace("  Coulomb friction(", f"  {request.param} friction(")
    return saltus.load(with_law("Friction", text)).simulate()


def test_forces_follow_prandtls_law(iwan: saltus.Result) -> None:
    time = np.asarray(iwan.time)
    for i, (c, f0) in enumerate(((1.0, 0.8), (2.0, 0.7), (0.5, 1.2))):
        np.testing.assert_allclose(iwan[f"element[{i + 1}].f"], prandtl(time, c, f0), atol=1e-7)
    total = sum(prandtl(time, c, f0) for c, f0 in ((1.0, 0.8), (2.0, 0.7), (0.5, 1.2)))
    np.testing.assert_allclose(iwan["force"], total, atol=2e-7)


def test_elements_slide_at_their_limits_and_stick_when_the_displacement_turns(iwan: saltus.Result) -> None:
    for i, f0 in enumerate((0.8, 0.7, 1.2)):
        name = f"element[{i + 1}].friction"
        rests = stuck(iwan, name)
        f = np.asarray(iwan[f"{name}.f"])
        np.testing.assert_allclose(np.abs(f[~rests]), f0, rtol=0, atol=1e-12)
        found = changes(iwan, name)
        assert len(found) > 6
        assert {mode for _, (mode,) in found} == {1, 0, -1}
        ends = [t for t, (mode,) in found if mode == 0]
        nearest = [min(abs(t - turn) for turn in turns(12.0)) for t in ends]
        assert max(nearest) < 1e-7


def test_each_element_that_slides_takes_a_state_away(iwan: saltus.Result) -> None:
    for stay in iwan.modes:
        middle = int(np.searchsorted(iwan.time, (stay.start + stay.stop) / 2))
        sliding = sum(not stuck(iwan, f"element[{i + 1}].friction")[middle] for i in range(3))
        elongations = [name for name in stay.mode.states if name.endswith("spring.l")]
        assert len(elongations) == 3 - sliding


def test_two_in_series_are_as_good_as_the_weaker() -> None:
    result = saltus.load(with_law("Friction", SERIES)).simulate()
    assert not changes(result, "strong")
    assert np.abs(np.asarray(result["strong.v"])).max() < 1e-12
    found = changes(result, "weak")
    np.testing.assert_allclose([t for t, _ in found], slide_times(0.5, 4 * np.pi), atol=1e-7)
    motion = integrate(one_block(0.5), np.zeros(1), np.zeros(1), 4 * np.pi)
    np.testing.assert_allclose(result["body.v"], motion.at(np.asarray(result.time))[:, 1], atol=1e-7)
