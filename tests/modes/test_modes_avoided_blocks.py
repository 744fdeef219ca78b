"""A choice of truths that avoids a singular block may hold for an instant only. A boost converter in
discontinuous conduction: when the diode's current has ended, transistor and diode both block, which the
general program cannot solve; that the diode across the transistor conducts agrees with a current of zero,
but the current would be positive at once."""

from __future__ import annotations

import numpy as np
import pytest

import saltus

BOOST = """
model Boost "From 12 V into 20 V; the transistor has a diode across it"
  parameter Real Goff = 0, Ron = 0, L = 1e-3;
  Real i(start = 0.02, fixed = true), u "where they meet", i1, i2, s1, s2;
  Boolean off1 = s1 > 0 and not gate, off2 = s2 < 0, gate;
equation
  L*der(i) = 12 - u;
  i = i1 + i2;
  u = if off1 then s1 else Ron*s1;
  i1 = if off1 then Goff*s1 else s1;
  u - 20 = if off2 then s2 else Ron*s2;
  i2 = if off2 then Goff*s2 else s2;
  when sample(1e-4, 1e-4) then
    gate = true;
  elsewhen sample(1.2e-4, 1e-4) then
    gate = false;
  end when;
initial equation
  pre(gate) = false;
  annotation(experiment(StopTime = 2.9e-4, Tolerance = 1e-8, Interval = 1e-6));
end Boost;
"""


def test_both_block_when_the_current_has_ended() -> None:
    result = saltus.load(BOOST).simulate()
    # 0.02 A falls by 8 V/L; with the gate on the current rises by 12 V/L to 0.24 A, and falls again.
    first, rise, fall = 2.5e-6, 2e-5, 3e-5
    changes = [first]
    for pulse in (1e-4, 2e-4):
        changes += [pulse, pulse + rise, pulse + rise + fall]
    assert [stay.start for stay in result.modes][1:] == pytest.approx(changes, abs=1e-11)
    knots = [0, *changes[:1], 1e-4, 1.2e-4, 1.5e-4, 2e-4, 2.2e-4, 2.5e-4, 2.9e-4]
    values = [0.02, 0, 0, 0.24, 0, 0, 0.24, 0, 0]
    np.testing.assert_allclose(result["i"], np.interp(result.time, knots, values), atol=1e-9)
    idle = (result["off1"] == 1) & (result["off2"] == 1)
    assert idle.sum() > 100
    np.testing.assert_allclose(result["u"][idle], 12, rtol=1e-12)
