"""`reinit` of what is no state in the present mode: a hammer hits a block that sticks, or a locked shaft.

The new velocity is the left limit of another round. A block breaks away with it; shafts that are locked share
the momentum of the blow. Truth: closed forms.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from friction_elements import ONE_BLOCK, changes, with_law
from numpy.typing import NDArray
from scipy.optimize import brentq
from tools.obedience.judge import violations

import saltus

Vector = NDArray[np.float64]

HAMMER = (
    ONE_BLOCK
    + """
model Hammer "A push that is too weak to move the block, and a hammer"
  extends OneBlock(amplitude = 0.5);
  parameter Real blow = 1 "Change of velocity";
  Integer stops(start = 0, fixed = true);
equation
  when sample(2, 3) then
    reinit(body.v, pre(body.v) + blow);
  end when;
  when not friction.forward and not friction.backward then
    stops = pre(stops) + 1;
  end when;
  annotation(experiment(StopTime = 10, Tolerance = 1e-10, Interval = 0.05));
end Hammer;
"""
)

LOCKED = """
model Locked "Two inertias on one shaft, of which the first is struck"
  parameter Real J1 = 2;
  parameter Real J2 = 3;
  Real w1(start = 1, fixed = true);
  Real w2(start = 0, fixed = true);
  Real tau "Of the clutch";
  Boolean closed = time >= 1;
equation
  J1*der(w1) = -tau;
  J2*der(w2) = tau;
  0 = if closed then w1 - w2 else tau;
  when time >= 2 then
    reinit(w1, pre(w1) + 1);
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-10));
end Locked;
"""


def stop_after(hit: float, blow: float) -> float:
    """When a block that was hit stands still again: v = blow + (cos(hit) - cos(t))/2 -+ (t - hit)."""
    sign = math.copysign(1.0, blow)

    def velocity(t: float) -> float:
        return blow + 0.5 * (math.cos(hit) - math.cos(t)) - sign * (t - hit)

    return float(brentq(velocity, hit, hit + 4.0, xtol=1e-15))


@pytest.mark.parametrize("law", ["Friction", "BranchFriction"])
@pytest.mark.parametrize("blow", [1.0, -0.7])
def test_hammer_on_a_block_that_sticks(law: str, blow: float) -> None:
    result = saltus.load(with_law(law, HAMMER)).simulate(set={"blow": blow})
    hits = (2.0, 5.0, 8.0)
    found = changes(result, "friction")
    assert [mode for _, (mode,) in found] == [int(math.copysign(1, blow)), 0] * 3
    np.testing.assert_allclose(
        [t for t, _ in found], [t for hit in hits for t in (hit, stop_after(hit, blow))], atol=1e-7
    )
    assert result["stops"][-1] == 3
    time, v = np.asarray(result.time), np.asarray(result["body.v"])
    for hit in hits:
        left, right = np.flatnonzero(time == hit)[[0, -1]]
        assert v[left] == 0.0
        assert v[right] == blow
    assert len(result.impulses) == 0


def test_blow_on_one_of_two_locked_shafts() -> None:
    """The clutch closes at time 1, with the speed 2/5 for both. The blow adds the momentum 2 to a sum of
    inertias of 5; 3 times the change of speed goes through the clutch."""
    result = saltus.load(LOCKED).simulate()
    time = np.asarray(result.time)
    for name in ("w1", "w2"):
        w = np.asarray(result[name])
        np.testing.assert_allclose(w[(time > 1) & (time < 2)], 0.4, rtol=0, atol=1e-12)
        np.testing.assert_allclose(w[time > 2], 0.8, rtol=0, atol=1e-12)
    weights = [impulse.weight for impulse in result.impulses if impulse.name == "tau"]
    np.testing.assert_allclose(weights, [1.2, 1.2], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("drive", "tooth"),
    [("5*time - 7", lambda t: -1.75 + 0 * t), ("sin(3*time) - 2", lambda t: np.sin(3 * t) - 1.75)],
    ids=["left", "pushed on"],
)
def test_struck_in_one_event(drive: str, tooth: Callable[[Vector], Vector]) -> None:
    """A tooth in a play stays at one flank; the drive jumps, and the other flank strikes it along. If the
    drive moves away from it then, it stays where it was struck to; else it is pushed on."""
    result = saltus.load(f"""
    model Play
      Real u = if time < 1 then 2 else {drive}, y(start = 1.75, fixed = true), s;
      Boolean low = s < -1, high = s > 1;
    equation
      der(y) = if low then s + 1 elseif high then s - 1 else 0;
      u - y = if low then -0.25 elseif high then 0.25 else 0.25*s;
    end Play;
    """).simulate(stop_time=1.1, tolerance=1e-9)
    assert violations(result, 1e-9) == []
    assert len([event for event in result.events if abs(event.time - 1) < 1e-6]) == 1
    after = result.time > 1
    np.testing.assert_allclose(result["y"][after], tooth(result.time[after]), atol=1e-8)
