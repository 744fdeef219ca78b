"""Time events that come closer and closer are no accumulation of state events."""

from __future__ import annotations

import numpy as np
import pytest

import saltus


def test_periods_that_shrink() -> None:
    """In every period x goes up for the first half and down for the second: at its end it is back at 0."""
    result = saltus.load(
        """
        model M
          Real x(start = 0, fixed = true);
          discrete Real t1(start = 1e-3, fixed = true);
          discrete Real gap(start = 1e-3, fixed = true);
        equation
          when time >= pre(t1) then
            gap = 0.7*pre(gap) + 1e-7;
            t1 = pre(t1) + gap;
          end when;
          der(x) = if time < t1 - gap/2 then 1 else -1;
        end M;
        """
    ).simulate(stop_time=0.0035)
    ends = [k for k, t in enumerate(result.time) if k and result["t1"][k] != result["t1"][k - 1]]
    assert len(ends) > 100
    assert max(abs(result["x"][k]) for k in ends) < 1e-9


@pytest.mark.parametrize("method", ["bdf", "ida", "adams", "rk45", "auto"])
def test_a_pulse_width_of_many_periods(method: str) -> None:
    """What changes with time alone changes as often as it likes: no errors are behind that."""
    periods, duty = 30_000, 0.25
    text = f"""
model Pulses
  parameter Real T = 1/{periods};
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true) "with a relation of the state, so that changes are looked at";
  Boolean closed(start = false, fixed = true);
  discrete Real opens(start = 0, fixed = true);
equation
  der(x) = (if closed then 1 else 0) - x;
  der(y) = if closed and x > 0.1 then 1 else 0;
  closed = time < opens;
  when sample(0, T) then
    opens = time + {duty}*T;
  end when;
end Pulses;
"""
    run = saltus.load(text).simulate(stop_time=1, interval=0.1, method=method, tolerance=1e-9)
    rests = (1 - duty) / periods
    # Each period adds the same: 1 - exp(-duty T), which then decays to its end and beyond.
    added = -np.expm1(-duty / periods) * np.exp(-rests)
    assert run["x"][-1] == pytest.approx(added * np.expm1(-1) / np.expm1(-1 / periods), rel=1e-6)
