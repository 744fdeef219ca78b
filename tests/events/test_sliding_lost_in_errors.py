"""Changes that go on only because of errors of the integration end in sliding; those that are counted do not.

A super-twisting controller comes to its point in so few events that no series is seen, and what follows is
lower than some tolerances. Such runs made two hundred thousand events.
"""

from __future__ import annotations

import numpy as np
import pytest
from tools.obedience.judge import violations

import saltus

METHODS = ("bdf", "ida", "adams", "rk45", "auto")

_SUPER = """
model Super
  Real s(start = 1, fixed = true), z(start = 0, fixed = true), q(start = 0, fixed = true);
  Real g = if s > 0 then 1 else -1;
equation
  der(s) = -1.5*sqrt(abs(s))*g + z;
  der(z) = -1.1*g + 0.5*cos(3*time);
  der(q) = g;
end Super;
"""


@pytest.mark.parametrize(
    ("tolerance", "method"),
    [*((t, "bdf") for t in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)), *((1e-7, m) for m in METHODS[1:])],
)
def test_super_twisting_with_a_disturbance(tolerance: float, method: str) -> None:
    result = saltus.load(_SUPER).simulate(stop_time=10, tolerance=tolerance, method=method)
    late = result.time > 6
    assert np.abs(result["s"][late]).max() < 1e-9 and np.abs(result["z"][late]).max() < 1e-9
    assert len(result.events) < 1000
    # In the point 1.1 g = 0.5 cos(3 t), with the mean of g that this takes.
    t = result.time[late]
    q = result["q"][late] - 0.5 / 1.1 * np.sin(3 * t) / 3
    assert np.ptp(q) < 1e2 * tolerance
    assert violations(result, tolerance) == []


@pytest.mark.parametrize("method", METHODS)
def test_hysteresis_below_the_tolerance(method: str) -> None:
    """A relay with a band of 2e-6 remembers: its mean is right, and its changes are not given up."""
    result = saltus.load("""model Relay
      Real x(start = 0, fixed = true);
      Boolean on(start = true, fixed = true);
    equation
      on = x < -1e-6 or pre(on) and x < 1e-6;
      der(x) = (if on then 1 else -1) + 0.5*sin(time);
    end Relay;""").simulate(stop_time=0.01, tolerance=1e-5, method=method)
    assert np.abs(result["x"]).max() < 1.1e-6
    assert len(result.events) > 0.9 * 0.01 / 2e-6 / 1.01
