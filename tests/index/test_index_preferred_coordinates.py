"""Preferred states that follow from others by a division: the temperature in a tank that runs empty.

Mass and energy are nearly zero then, and their quotient has no digits. Truth: the temperature of what is left
does not change by what flows out, and Torricelli's law.
"""

from __future__ import annotations

import numpy as np
import pytest

import saltus

#: sqrt(level) falls by a quarter a second: empty at time 4, when the run is not over.
TANK = """
model Tank
  parameter Real c = 4184 "heat capacity", d = 1000 "density", A = 0.01 "cross section";
  Real m(start = 10, fixed = true, unit = "kg"), U(unit = "J"), q(unit = "kg/s");
  Real T(start = 293.15, fixed = true, unit = "K", stateSelect = StateSelect.prefer);
  Real level(unit = "m", stateSelect = StateSelect.prefer);
  {more}
equation
  m = d*A*level;
  U = m*c*(T - 273.15);
  der(m) = -q;
  der(U) = -q*c*(T - 273.15);
  q = if level > 0 then 5*sqrt(level) else 0;
end Tank;
"""

SWITCH = """
  Real i(start = 0), u;
  Boolean open = time < 1;
equation
  der(i) = u;
  0 = if open then i else u - 1 + i;
"""


@pytest.mark.parametrize("more", ["", SWITCH])
def test_the_temperature_in_a_tank_that_runs_empty(more: str) -> None:
    result = saltus.load(TANK.format(more=more)).simulate(stop_time=6, tolerance=1e-6)
    time = np.asarray(result.time)
    np.testing.assert_allclose(result["T"], 293.15, rtol=0, atol=1e-3)
    np.testing.assert_allclose(result["level"], np.maximum(1 - time / 4, 0) ** 2, rtol=0, atol=1e-4)
