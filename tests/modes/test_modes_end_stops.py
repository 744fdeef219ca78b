"""An inertia between two stops: one curve of three branches, free between them and plastic at each.

With J phi'' = T cos(t) between the stops at -1 and 1, everything is in closed form; at a stop it stands (no
states at all) until the torque changes its sign.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from leap_readings import between, event_times, impulse, limits
from scipy.optimize import brentq
from tools.obedience.judge import violations

import saltus
from saltus.analyse.modes import following

J, T, PHI, W, STOP = 2.0, 3.0, 0.2, 0.5, 20.0

STOPS = """
model Stops
  parameter Real J = 2, T = 3, reach = 1;
  Real phi(start = 0.2, fixed = true), w(start = 0.5, fixed = true);
  Real tau "of the stops";
  Real s "along the curve of torque over angle";
equation
  der(phi) = w;
  J*der(w) = T*cos(time) - tau;
  phi = if s > reach then reach elseif s < -reach then -reach else s;
  tau = if s > reach then s - reach elseif s < -reach then s + reach else 0;
  annotation(experiment(StopTime = 20, Tolerance = 1e-10));
end Stops;
"""


def moved(t: float, t0: float, phi: float, w: float) -> tuple[float, float]:
    """Angle and speed between the stops."""
    speed = w + T / J * (math.sin(t) - math.sin(t0))
    angle = phi + (w - T / J * math.sin(t0)) * (t - t0) - T / J * (math.cos(t) - math.cos(t0))
    return angle, speed


def beyond(t: float, t0: float, phi: float, w: float, side: int) -> float:
    """How far it is beyond a stop."""
    return side * moved(t, t0, phi, w)[0] - 1


def stretches() -> list[tuple[float, float, float, int]]:
    """Start, angle and speed then, and the side on which it stands; 0 where it moves."""
    found = [(0.0, PHI, W, 0)]
    while True:
        t0, phi, w, side = found[-1]
        if side:
            # The torque pushes towards the stop until its cosine changes sign.
            end = math.pi / 2 + math.pi * math.ceil((t0 - math.pi / 2) / math.pi)
            if end >= STOP:
                return found
            found.append((end, phi, 0.0, 0))
            continue
        t = t0 + 1e-3
        while abs(moved(t, t0, phi, w)[0]) < 1 and t < STOP:
            t += 1e-3
        if t >= STOP:
            return found
        side = int(math.copysign(1, moved(t, t0, phi, w)[0]))
        end = brentq(beyond, t - 1e-3, t, args=(t0, phi, w, side), xtol=1e-15)
        assert side * math.cos(end) > 0, "it would leave at once"
        found.append((end, float(side), 0.0, side))


def test_between_two_stops() -> None:
    exact = stretches()
    starts = np.array([s[0] for s in exact])
    assert sum(s[3] > 0 for s in exact) >= 2 and sum(s[3] < 0 for s in exact) >= 2
    result = saltus.load(STOPS).simulate()
    assert event_times(result) == pytest.approx(starts[1:].tolist(), abs=1e-6)
    away = between(result, starts, margin=1e-5)
    for k in np.flatnonzero(away):
        t = result.time[k]
        t0, phi, w, side = exact[int(np.searchsorted(starts, t, side="right")) - 1]
        angle, speed = (phi, 0.0) if side else moved(t, t0, phi, w)
        assert result["phi"][k] == pytest.approx(angle, abs=1e-5)
        assert result["w"][k] == pytest.approx(speed, abs=1e-5)
        assert result["tau"][k] == pytest.approx(T * math.cos(t) if side else 0.0, abs=1e-6)
    for (_, *start, _), (end, _, _, side), t0 in zip(exact, exact[1:], starts, strict=False):
        if not side:
            continue
        arrived = moved(end, t0, *start)[1]
        before, after = limits(result, end, ["w"])
        assert impulse(result, end, "tau") == pytest.approx(J * arrived, abs=1e-5)
        assert impulse(result, end, "tau") == pytest.approx(J * before[0], rel=1e-10)
        assert after[0] == pytest.approx(0, abs=1e-12)
    assert len(result.impulses["tau"]) == sum(s[3] != 0 for s in exact)
    assert result.statistics["programs"] == 3  # free, and at either stop


@pytest.mark.parametrize("least_guards", [1, 1000], ids=["by numbers", "by programs"])
def test_stop_that_is_left_at_once(least_guards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pull draws the body away from the stop that it hits, and is as large as what keeps it at the other
    stop: x = -3*t + 2*t^2 until 1/2, then 2*(t - 1/2)^2 - 1 until 3/2."""
    monkeypatch.setattr(following, "LEAST_GROUPS", 1000)
    monkeypatch.setattr(following, "LEAST_GUARDS", least_guards)
    text = STOPS.replace("T*cos(time)", "8").replace("0.2,", "0,").replace("start = 0.5", "start = -3")
    result = saltus.load(text).simulate(stop_time=2, tolerance=1e-9)
    assert event_times(result) == pytest.approx([0.5, 1.5], abs=1e-7)
    assert impulse(result, result.events[1].time, "tau") == pytest.approx(-2, abs=1e-6)
    assert impulse(result, result.events[2].time, "tau") == pytest.approx(8, abs=1e-6)
    t = result.time
    exact = np.where(t < 0.5, -3 * t + 2 * t**2, np.where(t < 1.5, 2 * (t - 0.5) ** 2 - 1, 1))
    np.testing.assert_allclose(result["phi"], exact, atol=1e-6)
    assert violations(result, 1e-9) == []
