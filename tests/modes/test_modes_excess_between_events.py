"""Equations in excess may part between events, when nothing else happens: the mode is left then."""

from __future__ import annotations

import numpy as np
import pytest
from tools.obedience.judge import violations

import saltus
from saltus.core.diagnostics import RunError

METHODS = ("bdf", "ida", "adams", "rk45", "auto")

#: A diode across an ideal source of 0 V, which falls gently from 0.25 on; beside it a coil.
_TEXT = """
model Across
  Real u{start}, id, s, iv, x(start = 0, fixed = true);
  Boolean off = s < 0;
  Integer n(start = 0, fixed = true);
equation
  {law};
  id = if off then 0 else s;
  u = if off then s else 0;
  0 = iv + id + x;
  0.1*der(x) = u;
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
end Across;
"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("power", [1, 2, 4])
def test_source_that_falls_gently(power: int, method: str) -> None:
    law = f"u = -3*max(0, time - 0.25)^{power}"
    model = saltus.load(_TEXT.format(start="", law=law))
    result = model.simulate(stop_time=1, method=method, tolerance=1e-8, interval=0.02)
    late = np.maximum(result.time - 0.25, 0)
    assert np.abs(result["x"] + 30 * late ** (power + 1) / (power + 1)).max() < 2e-5
    assert np.all(np.diff(result.time) >= 0)
    away = result["u"] < -1e-5
    assert result["off"][away].all() and np.abs(result["id"][away]).max() == 0
    assert result["n"][-1] == 10
    points = np.unique(np.round(result.time / 0.02, 6))
    assert {*range(51)} <= {float(p) for p in points}  # no output point is lost
    assert violations(result) == []


@pytest.mark.parametrize("method", METHODS)
def test_source_that_is_a_state(method: str) -> None:
    law = "der(u) = if time < 0.25 then 0 else -3*sin(time - 0.25)"
    model = saltus.load(_TEXT.format(start="(start = 0, fixed = true)", law=law))
    result = model.simulate(stop_time=1, method=method, tolerance=1e-8)
    late = np.maximum(result.time - 0.25, 0)
    assert np.abs(result["u"] - 3 * (np.cos(late) - 1)).max() < 1e-6
    assert np.abs(result["x"] - 30 * (np.sin(late) - late)).max() < 1e-5
    assert result["off"][-1] == 1 and violations(result) == []


@pytest.mark.parametrize("method", METHODS)
def test_the_other_way_is_a_short(method: str) -> None:
    model = saltus.load(_TEXT.format(start="", law="u = 3*max(0, time - 0.25)^2"))
    with pytest.raises(RunError, match="contradict") as refused:
        model.simulate(stop_time=1, method=method)
    assert refused.value.partial is not None
    assert 0.25 <= refused.value.partial.time[-1] < 0.252
