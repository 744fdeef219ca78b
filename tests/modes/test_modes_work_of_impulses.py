"""The work that impulses do: an impulse times a speed that jumps in the same instant.

While a clutch closes, all speeds go from their left to their right limits in proportion to what has been
handed over, so an impulse works with the mean of both. An energy that is integrated in the model itself must
agree with what the inertias have lost. What is not linear in an impulse has no integral; a state that depends
on it is refused.
"""

from __future__ import annotations

import numpy as np
import pytest
from leap_readings import impulse, limits
from mechanical_elements import SPEED_ELEMENTS
from test_modes_planetary import GEARBOX, motion

import saltus
from saltus.core.diagnostics import RunError

CLUTCH = """
model Warm
  Inertia j1(J = 2, w(start = 5, fixed = true)), j2(J = 3, w(start = 0, fixed = true));
  Clutch clutch(locked = time >= 1);
  DECLARED
equation
  connect(j1.flange, clutch.a);
  connect(clutch.b, j2.flange);
  annotation(experiment(StopTime = 2));
end Warm;
"""


def warm(declared: str) -> saltus.Result:
    return saltus.load(SPEED_ELEMENTS + CLUTCH.replace("DECLARED", declared)).simulate()


@pytest.mark.parametrize(
    "heat",
    [
        "Real heat(start = 0, fixed = true); equation der(heat) = -clutch.tau*clutch.w_rel;",
        "Real slip = j1.w - j2.w; Real heat(start = 0, fixed = true); equation der(heat) = clutch.tau*slip;",
        "Real P1 = clutch.a.tau*j1.w, P2 = clutch.b.tau*j2.w; Real heat(start = 0, fixed = true); "
        "equation der(heat) = P1 + P2;",
    ],
    ids=["constrained", "computed", "by flanges"],
)
def test_heat_of_a_clutch(heat: str) -> None:
    """25 J before, 10 J after: 15 J of heat, whatever the power is made of."""
    result = warm(heat)
    before, after = limits(result, 1.0, ["heat"])
    assert before[0] == 0 and after[0] == pytest.approx(15, rel=1e-13)
    assert result["heat"][-1] == pytest.approx(15, rel=1e-13)


def test_impulse_of_a_power() -> None:
    """The first inertia gives 6*(5 + 2)/2, the second one gets 6*(0 + 2)/2."""
    result = warm("Real P1 = clutch.tau*j1.w, P2 = clutch.tau*j2.w;")
    assert impulse(result, 1.0, "P1") == pytest.approx(21, rel=1e-13)
    assert impulse(result, 1.0, "P2") == pytest.approx(6, rel=1e-13)


def test_factor_that_is_not_linear() -> None:
    """The mean of w^3 on the way from 5 to 2 is (5^4 - 2^4)/(4*3)."""
    result = warm("Real x(start = 0, fixed = true); equation der(x) = clutch.tau*j1.w^3;")
    assert result["x"][-1] == pytest.approx(6 * (5**4 - 2**4) / 12, rel=1e-12)


def test_what_is_only_told_is_no_reason_to_refuse() -> None:
    result = warm("Real square = clutch.tau^2, size = abs(clutch.tau), double = 2*size;")
    assert impulse(result, 1.0, "clutch.tau") == pytest.approx(6)
    assert result.impulses["square"] == [] and result.impulses["double"] == []
    assert np.all(result["square"] == 0) and np.all(result["size"] == 0)


def test_a_state_that_has_no_integral_is_refused() -> None:
    with pytest.raises(RunError, match="is not linear in it") as caught:
        warm("Real x(start = 0, fixed = true); equation der(x) = clutch.tau^2;")
    assert caught.value.diagnostics[0].code == "E412"
    assert "at time 1" in str(caught.value)


def test_heat_of_a_gearbox() -> None:
    """All the heat of two clutches and a brake through six shifts is the energy that is missing."""
    heated = """
  Real h1(start = 0, fixed = true), h2(start = 0, fixed = true), h3(start = 0, fixed = true);
  Real work(start = 0, fixed = true) "of drive and load";
equation
  der(h1) = -c1.tau*c1.w_rel;
  der(h2) = -c2.tau*c2.w_rel;
  der(h3) = brake.flange.tau*brake.flange.w;
  der(work) = drive.tau*engine.w + load.tau*car.w;
"""
    text = GEARBOX.replace("ANGLE", "").replace("equation\n", heated, 1)
    result = saltus.load(SPEED_ELEMENTS + text).simulate(tolerance=1e-10)
    exact = motion()
    for leap in exact.leaps:
        before, after = limits(result, leap.time, ["h1", "h2", "h3"])
        assert (after - before).sum() == pytest.approx(leap.loss, rel=1e-9, abs=1e-9)
    speeds = np.array([result[f"{name}.w"] for name in ("engine", "sun", "ring", "car")])
    energy = 0.5 * exact.inertias @ speeds**2
    heat = result["h1"] + result["h2"] + result["h3"]
    missing = energy[0] + result["work"] - energy
    np.testing.assert_allclose(heat, missing, atol=1e-8 * energy.max())
