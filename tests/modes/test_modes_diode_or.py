"""Ideal diodes from several sources to one load: the largest source feeds it, and all others block.

At the start all sources are zero, so that all diodes may conduct, but only for that instant. Truth: the
maximum.
"""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.run.schedule.stepping import METHODS

OR = """
model Or "{n} sources, the k-th of 10 + k/7 V with 1 + k/10 Hz"
  constant Integer n = {n};
  Saltus.Electrical.Sources.SineVoltage V[n](V = {{10 + k/7 for k in 1:n}}, f = {{1 + 0.1*k for k in 1:n}});
  Saltus.Electrical.Diode D[n];
  Saltus.Electrical.Resistor R(R = 1);
  Saltus.Electrical.Sources.ConstantVoltage low(V = -50);
  Saltus.Electrical.Ground g;
equation
  for k in 1:n loop
    connect(V[k].n, g.p);
    connect(V[k].p, D[k].p);
    connect(D[k].n, R.p);
  end for;
  connect(R.n, low.p);
  connect(low.n, g.p);
end Or;
"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [3, 7, 9])
def test_the_largest_source_feeds_the_load(n: int, method: str) -> None:
    """With `ida` each mode has a program of its own, and of seven diodes six have to be turned at once."""
    result = saltus.load(OR.format(n=n)).simulate(stop_time=0.5, method=method)
    k = np.arange(1, n + 1)[:, None]
    expected = ((10 + k / 7) * np.sin(2 * np.pi * (1 + 0.1 * k) * result.time)).max(axis=0)
    assert np.abs(result["R.p.v"] - expected).max() < 1e-9
