"""A start without acceleration, while bearings stick: what the mode leaves open, and how it is found."""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus

HELD = """
model Held "Shafts on one base, each held by a sticking bearing, that begin without acceleration"
  constant Integer n = {n};
  parameter Real load[n] = {{3 + k for k in 1:n}}, tau0 = 0.5, rate[n] = {{1/k for k in 1:n}};
  Real w[n], x[n] "controllers", a[n], tau[n], sa[n];
  Boolean forward[n](each start = false, each fixed = true);
  Boolean backward[n](each start = false, each fixed = true);
  Boolean locked[n];
  Integer mode[n](each start = 3, each fixed = true);
equation
  for k in 1:n loop
    a[k] = der(w[k]);
    2*a[k] + sum(a) = x[k] - load[k] - tau[k];
    der(x[k]) = rate[k] - w[k];
    forward[k] = pre(mode[k]) == 0 and sa[k] > tau0 or initial() and w[k] > 0;
    backward[k] = pre(mode[k]) == 0 and sa[k] < -tau0 or initial() and w[k] < 0;
    locked[k] = not (pre(mode[k]) == 1 or forward[k] or pre(mode[k]) == -1 or backward[k]);
    a[k] = if locked[k] then 0 elseif forward[k] or pre(mode[k]) == 1 then sa[k] - tau0 else sa[k] + tau0;
    tau[k] = if locked[k] then sa[k] elseif forward[k] or pre(mode[k]) == 1 then tau0 else -tau0;
    mode[k] = if (pre(mode[k]) == 1 or forward[k]) and w[k] > 0 then 1
              elseif (pre(mode[k]) == -1 or backward[k]) and w[k] < 0 then -1 else 0;
  end for;
initial equation
  w = zeros(n);
  for k in 1:n loop
    der(w[k]) = 0;
  end for;
  annotation(experiment(StopTime = 0.8, Tolerance = 1e-8));
end Held;
"""


@pytest.mark.parametrize("n", [1, 2, 6])
def test_bearings_that_stick_begin_without_torque(n: int) -> None:
    # The equation of a bearing that sticks says what the initial equations say, so that one quantity of each
    # shaft is open. With the bearing's torque at its start value, zero, the controllers carry the loads.
    result = saltus.load(HELD.format(n=n)).simulate()
    for k in range(1, n + 1):
        assert result[f"sa[{k}]"][0] == pytest.approx(0, abs=1e-12)
        assert result[f"x[{k}]"][0] == pytest.approx(3 + k)
        assert result[f"mode[{k}]"][0] == 0
    # The torques grow by rate[k]; the first bearing gives way at 0.5, then 3*w' = x - load - 0.5, x' = 1 - w.
    slides = result.time[result["locked[1]"] == 0]
    assert slides[0] == pytest.approx(0.5, abs=1e-6)
    after = result.time - 0.5
    exact = np.where(after > 0, 1 - np.cos(np.maximum(after, 0) / math.sqrt(3)), 0)
    assert np.abs(result["w[1]"] - exact).max() < 1e-6
    assert all(np.abs(result[f"w[{k}]"]).max() < 1e-12 for k in range(2, n + 1))


def test_all_bearings_are_found_at_once() -> None:
    # One program to find out that they stick, one to start with, one to run with; not one for each bearing.
    assert saltus.load(HELD.format(n=6)).simulate().statistics["programs"] <= 3
