"""Hidden conditions between equations that are differentiated: what their combination says without that.

A circuit that a coil alone ties to ground: its balances of currents say together that nothing flows through
the coil, and that only shows in a mode in which two of them are differentiated. Found by
`tools/differential`.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tools.obedience.judge import violations

import saltus

#: An island of two capacitors side by side, with a diode and a source; another diode and source lead to node
#: 1, and the coil from there to ground. The balance of currents at ground is left out.
_ISLAND = """
model Island
  Real v1, v2, v3;
  Real u_d1, i_d1, s_d1, u_d2, i_d2, s_d2;
  Boolean off_d1 = s_d1 < 0, off_d2 = s_d2 < 0;
  Real u_tie, i_tie(start = 0, fixed = true);
  Real u_c1(start = 0, fixed = true), i_c1, u_c2(start = 0, fixed = true), i_c2;
  Real u_a, i_a, u_b, i_b;
equation
  i_d1 = if off_d1 then 0 else s_d1;
  u_a = -1.14*sin(8.267*time + 3.2) + 1.83*i_a;
  0 = - i_d1 - i_tie - i_b;
  0.729*der(u_c1) = i_c1;
  0 = - i_d2 - i_c1 + i_a + i_c2;
  u_tie = 0 - v1;
  u_c1 = v2 - v3;
  u_c2 = v3 - v2;
  u_b = v2 - v1;
  u_d2 = if off_d2 then s_d2 else 0;
  u_b = (if time < 1.032 then 0 else -5.81) + 0.304*i_b;
  u_d1 = v2 - v1;
  i_d2 = if off_d2 then 0 else s_d2;
  u_d1 = if off_d1 then s_d1 else 0;
  0 = i_d1 + i_d2 + i_c1 - i_a - i_c2 + i_b;
  u_d2 = v2 - v3;
  {law} = u_tie;
  0.0216*der(u_c2) = i_c2;
  u_a = v3 - v2;
end Island;
"""


def _voltage(times: np.ndarray) -> np.ndarray:
    """By a separate integration: the capacitors are charged by the source, and the diode across them keeps
    their voltage above zero."""

    def rate(t: float, u: np.ndarray) -> list[float]:
        drawn = (u[0] + 1.14 * np.sin(8.267 * t + 3.2)) / 1.83
        free = -drawn / (0.729 + 0.0216)
        return [free if u[0] > 0 or free > 0 else 0.0]

    found = solve_ivp(rate, (0, 2), [0.0], t_eval=times, max_step=1e-3, rtol=1e-8, atol=1e-10)
    return np.asarray(found.y[0])


@pytest.mark.parametrize("method", ["bdf", "ida", "rk45"])
@pytest.mark.parametrize("law", ["0.68*der(i_tie)", "3*i_tie"], ids=["coil", "resistor"])
def test_island(law: str, method: str) -> None:
    text = _ISLAND.format(law=law)
    if "der(i_tie)" not in law:
        text = text.replace("i_tie(start = 0, fixed = true)", "i_tie")
    result = saltus.load(text).simulate(stop_time=2, tolerance=1e-9, method=method)
    assert np.abs(result["i_tie"]).max() < 1e-9 and np.abs(result["v1"]).max() < 1e-9
    times = np.unique(result.time)
    truth = np.interp(result.time, times, _voltage(times))
    assert np.abs(result["u_c2"] - truth).max() < 1e-3 * np.abs(truth).max()
    # The other diode would conduct where its source drives a current through it, and that has no way back.
    assert np.abs(result["i_d1"] + result["i_b"]).max() < 1e-9
    assert violations(result, 1e-9) == []
