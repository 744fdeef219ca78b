"""A rope pendulum, slack and taut in turn, against parabolas and swings (`rope_reference`).

The rope is one s-parameterised curve: shorter than its length without a force, or a force at its length.
Taut, the position is constrained (index 3, two states), slack it is free (four states).
"""

from __future__ import annotations

import numpy as np
import pytest
from leap_readings import between, event_times, impulse, limits
from rope_reference import Flight, Swing, throws

import saltus
from translated_models import translated

ROPE = """
model RopePendulum
  parameter Real L = 1, m = 1, g = 9.81;
  parameter Real x0, y0, vx0, vy0;
  Real x(start = x0, fixed = true), y(start = y0, fixed = true);
  Real vx(start = vx0, fixed = true), vy(start = vy0, fixed = true);
  Real r = sqrt(x^2 + y^2);
  Real F "tension";
  Real s "along the curve of tension over distance";
  Boolean slack = s > 0;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/r;
  m*der(vy) = -F*y/r - m*g;
  L - r = if slack then s else 0;
  F = if slack then 0 else -s;
  annotation(experiment(StopTime = 4, Tolerance = 1e-10));
end RopePendulum;
"""

STARTS = {
    "thrown along the bottom": (0.0, -0.99, 6.9, 0.0),
    "thrown over the top": (0.5, 0.5, -2.0, 2.0),
    "thrown sideways": (0.0, 0.5, 5.0, 0.0),
}


def run(start: tuple[float, ...], **options: object) -> saltus.Result:
    values = dict(zip(("x0", "y0", "vx0", "vy0"), start, strict=True))
    return translated(ROPE).simulate(set=values, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", STARTS)
def test_slack_and_taut_in_turn(how: str) -> None:
    start = STARTS[how]
    parts = throws(np.array(start), 4.0, 1.0, 9.81)
    swings = [p for p in parts if isinstance(p, Swing)]
    assert len(parts) >= 4 and all(p.end > p.start for p in parts)
    result = run(start)
    turns = [p.start for p in parts[1:]]
    assert event_times(result) == pytest.approx(turns, abs=2e-6)
    away = between(result, turns, margin=1e-5)
    names = ("x", "y", "vx", "vy")
    starts = np.array([p.start for p in parts])
    which = np.searchsorted(starts, result.time, side="right") - 1
    exact = np.array([parts[k].at(t) for k, t in zip(which, result.time, strict=True)]).T
    found = np.array([result[name] for name in names])
    np.testing.assert_allclose(found[:, away], exact[:, away], atol=2e-5)
    slack = np.array([isinstance(parts[k], Flight) for k in which])
    assert np.all(result["slack"][away] == slack[away])
    assert result["F"].min() >= -1e-7 and result["r"].max() <= 1 + 1e-8
    assert len(result.modes.visited) == 2
    for swing in swings:
        before, after = limits(result, swing.start, names)
        pull = impulse(result, swing.start, "F")
        assert pull == pytest.approx(swing.impulse, abs=2e-5)
        outwards = before[:2] / np.hypot(*before[:2])
        speed = np.hypot(*before[2:])
        np.testing.assert_allclose(after[2:] - before[2:], -pull * outwards, atol=1e-10 * speed)
        np.testing.assert_allclose(after[2:] @ outwards, 0, atol=1e-10 * speed)
        lost = 0.5 * (before[2:] @ before[2:] - after[2:] @ after[2:])
        assert lost == pytest.approx(pull**2 / 2, rel=1e-9)
    assert len(result.impulses["F"]) == len(swings)


def test_impact_that_leaves_the_rope_slack() -> None:
    """Above the pivot, too slow to stay on the circle: the rope is taut for an instant only, takes the
    radial part of the velocity, and is slack again. That is a pinnacle: the impulse is in the result."""
    start = (0.2, 0.7, 0.3, 2.6)
    parts = throws(np.array(start), 1.0, 1.0, 9.81)
    jerk = parts[1]
    assert isinstance(jerk, Swing) and jerk.end == jerk.start
    result = run(start, stop_time=parts[2].end * 0.9)
    _, after = limits(result, jerk.start, ["x", "y", "vx", "vy"])
    assert impulse(result, jerk.start, "F") == pytest.approx(jerk.impulse, abs=1e-6)
    np.testing.assert_allclose(after, jerk.at(jerk.start), atol=1e-6)
    late = result.time > jerk.start + 1e-6
    exact = np.array([parts[2].at(t) for t in result.time[late]]).T
    found = np.array([result[name][late] for name in ("x", "y", "vx", "vy")])
    np.testing.assert_allclose(found, exact, atol=1e-5)
    assert np.all(result["slack"][late] == 1)
