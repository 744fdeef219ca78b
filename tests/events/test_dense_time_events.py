"""Time events that come closer and closer are no accumulation of state events."""

from __future__ import annotations

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
