"""A hammer falls on a nail that friction holds in a wall: hops that are lower than the zero band.

Between two impacts the nail is braked by thousands of metres a second squared, so that the last hops of the
hammer on it are some picometres high and last for nanoseconds. An impact that is slower than `v_rest` is
plastic, and from there on both move together until friction has stopped them. All that can be counted by
hand, hop by hop.
"""

from __future__ import annotations

import math
from functools import lru_cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import saltus
from saltus.run.schedule.stepping import METHODS

G, HAMMER = 9.81, 1.0

TEXT = """
model Hammer
  parameter Real e = 0.3, slow = 1e-3, holds = 500, m = 0.05;
  Saltus.Translational.Mass hammer(m = 1, s(start = 0.5, fixed = true), v(start = 0, fixed = true));
  Saltus.Translational.Mass nail(m = m, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Saltus.Translational.Contact face(e = e, v_rest = slow);
  Saltus.Translational.Friction wall(f_c = holds);
  Saltus.Translational.Fixed fixed;
  Saltus.Translational.Sources.ConstantForce weight(f = -9.81), own(f = -9.81*m);
equation
  connect(nail.flange_b, face.flange_a);
  connect(face.flange_b, hammer.flange_a);
  connect(weight.flange, hammer.flange_b);
  connect(own.flange, nail.flange_b);
  connect(fixed.flange, wall.flange_a);
  connect(wall.flange_b, nail.flange_a);
end Hammer;
"""


@lru_cache(maxsize=1)
def hammer() -> saltus.Model:
    return saltus.load(TEXT)


def by_hand(e: float, slow: float, holds: float, m: float) -> tuple[float, int] | None:
    """How far the nail is in the end, and the number of impacts. None where the nail comes to rest in
    between, or never."""
    v, u, s, impacts = -math.sqrt(2 * G * 0.5), 0.0, 0.0, 0
    brake, together = holds / m - G, holds / (HAMMER + m) - G
    if together <= 0.1 * G:
        return None
    while True:
        away = -e * (v - u) if abs(v - u) > slow else 0.0
        u = (HAMMER * v + m * u - HAMMER * away) / (HAMMER + m)
        v, impacts = u + away, impacts + 1
        if away == 0.0:
            return s - u * u / (2 * together), impacts
        hop = 2 * away / (brake + G)
        if u + brake * hop > -0.1:
            return None
        s += u * hop + brake * hop**2 / 2
        u, v = u + brake * hop, v - G * hop


def check(method: str, tolerance: float, **parameters: float) -> None:
    expected = by_hand(*parameters.values())
    assert expected is not None
    result = hammer().simulate(stop_time=1, tolerance=tolerance, method=method, set=parameters)
    # Every hop may be wrong by a few tolerances, and what is wrong in its speed lasts until the nail rests.
    assert result["nail.s"][-1] == pytest.approx(expected[0], abs=30 * expected[1] * tolerance)
    assert result["hammer.s"][-1] == pytest.approx(result["nail.s"][-1], abs=1e-9)
    assert result["face.s_rel"].min() > -1e-9
    assert result["face.touching"][-1] == 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-9, 1e-10])
def test_hops_that_are_lower_than_the_band(method: str, tolerance: float) -> None:
    check(method, tolerance, e=0.3, slow=1e-3, holds=500.0, m=0.05)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("e", "slow", "holds", "m"),
    [
        (0.656, 1.58e-3, 200.0, 0.19),  # the last hops are about as high as the band
        (0.235, 2e-5, 220.0, 0.287),
        (0.37, 1.57e-5, 12900.0, 0.0266),  # they last for 1e-10 s
        (0.114, 3.9e-5, 17100.0, 0.0034),
    ],
)
def test_hops_of_an_instant(e: float, slow: float, holds: float, m: float, method: str) -> None:
    check(method, 1e-8, e=e, slow=slow, holds=holds, m=m)


@given(
    e=st.floats(0.05, 0.8),
    slow=st.floats(-5, -1.5),
    holds=st.floats(1.5, 4.5),
    m=st.floats(-3, -0.5),
    method=st.sampled_from(METHODS),
    tolerance=st.floats(-10, -6),
)
def test_any_hammer(e: float, slow: float, holds: float, m: float, method: str, tolerance: float) -> None:
    assume(by_hand(e, 10**slow, 10**holds, 10**m) is not None)
    check(method, 10**tolerance, e=e, slow=10**slow, holds=10**holds, m=10**m)
