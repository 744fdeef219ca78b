"""What a `reinit` leaves as it is, in a model whose structure varies: other states, whatever follows from the
one that is set. And what a tiny jump does not do: turn a relation of a derivative.

Truth: closed forms.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus

SWITCH = """
  Real i(start = 0), u;
  Boolean open = time < {at};
equation
  der(i) = u;
  0 = if open then i else u - 1 + i;
"""

SET = """
model Set "J follows the changes of E = b^2 between events; b is set"
  Real b(start = 1, fixed = true), J(start = 0, fixed = true), E;
  {switch}
equation
  der(b) = -b;
  E = b^2;
  der(J) = der(E);
  when sample(0.5, 0.5) then
    reinit(b, pre(b) + 4);
  end when;
end Set;
"""


@pytest.mark.parametrize("switch", ["", SWITCH.format(at=0.3), SWITCH.format(at=0.5)])
def test_states_stay_when_another_one_is_set(switch: str) -> None:
    """J changes by what E changes from event to event, and by nothing at them; a switch beside it, and when
    it closes, is no matter."""
    result = saltus.load(SET.format(switch=switch)).simulate(stop_time=1.2, tolerance=1e-9)
    b, moved = 1.0, 0.0
    for span in (0.5, 0.5, 0.2):
        left = b * math.exp(-span)
        moved += left**2 - b**2
        b = left + 4 if span == 0.5 else left
    assert result["b"][-1] == pytest.approx(b, rel=1e-7)
    assert result["J"][-1] == pytest.approx(moved, rel=1e-7)
    np.testing.assert_allclose(result["E"], result["b"] ** 2, rtol=1e-9)


LIGHT = """
model Light "A shaft that is driven takes along one that weighs next to nothing"
  parameter Real J2 = 1e-12;
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean closed = time >= 0.5, up = der(w1) > 0;
  Integer n(start = 0, fixed = true);
equation
  der(w1) = 1 - tau;
  J2*der(w2) = tau;
  0 = if closed then w1 - w2 else tau;
  when not up then
    n = pre(n) + 1;
  end when;
end Light;
"""


@pytest.mark.parametrize(("inertia", "turns"), [(1e-12, 0), (0.5, 1)])
def test_an_impulse_below_all_errors_decides_nothing(inertia: float, turns: int) -> None:
    """w1 falls from 1.5 to 1.5/(1 + J2) when the clutch closes: by a third, or by one part in 10^12, which
    is far within the tolerance."""
    result = saltus.load(LIGHT).simulate(stop_time=1, tolerance=1e-8, set={"J2": inertia})
    assert result["n"][-1] == turns
    assert result["w1"][-1] == pytest.approx((1.5 + 0.5) / (1 + inertia), rel=1e-7)
