"""Constraints that leave no choice: all they say follows from time, and nothing could be a state instead.

Small pivots mean nothing there. The conductance of a junction goes through ten powers of ten; its voltage is
determined by the equations as well as ever.
"""

from __future__ import annotations

import numpy as np
from integrators import Simulate

import saltus

JUNCTION = """
model Junction "The charge of a junction whose voltage follows from a source"
  Real v, i, q, j;
equation
  i = 1e-12*(exp(v/0.025) - 1);
  v + 10000*i = 5*sin(time);
  q = 1e-9*v;
  j = der(q);
end Junction;
"""


def test_a_junction_that_begins_to_conduct(simulate: Simulate) -> None:
    """At the start 1e-12/0.025 A/V against a resistor of 1e-4 A/V, in the end much more than that."""
    result = simulate(saltus.load(JUNCTION), stop_time=4, tolerance=1e-9)
    v, t = result["v"], result.time
    conductance = 1e-12 / 0.025 * np.exp(v / 0.025)
    np.testing.assert_allclose(v + 1e4 * result["i"], 5 * np.sin(t), atol=1e-9)
    np.testing.assert_allclose(
        result["j"], 1e-9 * 5 * np.cos(t) / (1 + 1e4 * conductance), rtol=1e-6, atol=1e-18
    )
    assert conductance.max() * 1e4 > 100 and conductance.min() * 1e4 < 1e-6
