"""Mythical modes that native code passes by: the same run as when every event is done by hand."""

from __future__ import annotations

import numpy as np
import pytest

from saltus.run.course.course import Course
from translated_models import translated

BUCK = """
model Buck "ideal switch and diode"
  parameter Real Vin = 24, L = 1e-4, C = 1e-4, R = 1, T = 1e-4, duty = 0.5;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), x, sw, d, iD;
  Boolean closed(start = false, fixed = true), off;
  discrete Real opens(start = 0, fixed = true);
equation
  off = d < 0;
  Vin - x = if closed then 0 else sw;
  -x = if off then d else 0;
  iD = if off then 0 else d;
  i = (if closed then sw else 0) + iD;
  L*der(i) = x - v;
  C*der(v) = i - v/R;
  when sample(0, T) then
    opens = time + duty*T;
  end when;
  closed = time < opens;
end Buck;
"""
PERIODS = 60


@pytest.mark.parametrize(("load", "duty"), [(1.0, 0.5), (1.0, 0.3), (10.0, 0.5), (4.0, 0.7), (30.0, 0.4)])
def test_as_by_hand(load: float, duty: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """In continuous conduction, in discontinuous conduction, and at the border between them."""
    model = translated(BUCK)
    settings = {"R": load, "duty": duty}
    native = model.simulate(stop_time=PERIODS * 1e-4, interval=1e-4, tolerance=1e-10, set=settings)
    monkeypatch.setattr(Course, "_is_by_hand", lambda run, engine: True)
    by_hand = model.simulate(stop_time=PERIODS * 1e-4, interval=1e-4, tolerance=1e-10, set=settings)
    assert native.statistics["events"] == by_hand.statistics["events"]
    np.testing.assert_allclose(native.time, by_hand.time, atol=1e-9)  # other steps
    for name in ("i", "v", "x", "iD"):
        np.testing.assert_allclose(native[name], by_hand[name], atol=1e-6)
    assert np.array_equal(native["off"], by_hand["off"])


def test_continuous_conduction_needs_no_hand() -> None:
    """In every period the switch opens while the diode is thought to block."""
    result = translated(BUCK).simulate(stop_time=PERIODS * 1e-4, tolerance=1e-8)
    assert result.statistics["events"] > 2 * PERIODS
    assert result.statistics["mode entries"] < PERIODS / 4
    assert np.all(result["i"][result.time > 1e-3] > 0)


def test_continuous_conduction_at_rest() -> None:
    """The mean of the output is the duty ratio times the input, in the periodic regime."""
    result = translated(BUCK).simulate(stop_time=0.01, interval=1e-6, tolerance=1e-8)
    late = result.time >= 0.009
    mean = np.trapezoid(result["v"][late], result.time[late]) / np.ptp(result.time[late])
    assert mean == pytest.approx(12.0, abs=1e-3)
