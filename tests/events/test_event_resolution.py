"""What nobody can foresee: peaks inside a function. A resolution finds them all, and rows find theirs."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import UsageError

SPIKES = saltus.load(
    """
model Spikes "narrow peaks inside a function, beside a slow state"
  function peaks
    input Real t;
    input Real at[:];
    input Real half;
    output Real y = 0;
  algorithm
    for k in 1:size(at, 1) loop
      if abs(t - at[k]) < half then
        y := 1;
      end if;
    end for;
  end peaks;
  parameter Real at[3] = {3.3, 5.0, 7.7}, half = 1e-3;
  Real x(start = 1, fixed = true), y = peaks(time, at, half);
  Boolean b = y > 0.5;
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x/100;
  when b then
    n = pre(n) + 1;
  end when;
end Spikes;
"""
)

METHODS = ["bdf", "adams", "ida", "rk45", "auto"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("stop", [8.0, 80.0, 8 * 13.7])
def test_nothing_longer_than_the_resolution_is_missed(method: str, stop: float) -> None:
    result = SPIKES.simulate(stop_time=stop, method=method, event_resolution=2e-3)
    assert result["n"][-1] == 3
    changes = [e.time for e in result.events.of("b")]
    expected = [t + s for t in (3.3, 5.0, 7.7) for s in (-1e-3, 1e-3)]
    assert changes == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_row_that_would_contradict_finds_its_event(method: str) -> None:
    """Rows at 3.3, 5.0 and 7.7 are in the middle of peaks of 2 us, which steps and panels may well miss."""
    result = SPIKES.simulate(stop_time=8, interval=0.1, method=method, set={"half": 1e-6})
    assert result["n"][-1] == 3
    clear = np.abs(np.abs(result.time[:, None] - [3.3, 5.0, 7.7]) - 1e-6).min(axis=1) > 1e-9
    assert np.array_equal(result["b"][clear], result["y"][clear] > 0.5)


def test_a_resolution_is_positive() -> None:
    with pytest.raises(UsageError, match="event resolution must be greater than zero"):
        SPIKES.simulate(stop_time=1, event_resolution=0.0)
