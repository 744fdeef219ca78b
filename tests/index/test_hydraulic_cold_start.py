"""Square-root flows from zero without start values: the slope there is infinite, in the inverse law zero."""

from __future__ import annotations

import numpy as np
import pytest
from hydraulic_models import check_bridge
from integrators import Simulate

import saltus


@pytest.mark.parametrize("law", ["raw", "inverse"])
def test_flows_without_start_values(simulate: Simulate, law: str) -> None:
    check_bridge(simulate, law, "")


def test_flow_that_turns_round(simulate: Simulate) -> None:
    """Through dp = 0 in mid-run: with s = sqrt|dp|, s + 2 s^2 = |flow|."""
    text = """
    model Turning
      Real q(start = 1, fixed = true), dp, level(start = 0, fixed = true);
    equation
      der(q) = -1;
      sign(dp)*sqrt(abs(dp)) + 2*dp = q;
      der(level) = dp;
    end Turning;
    """
    result = simulate(saltus.load(text), stop_time=2.0, interval=0.125, tolerance=1e-8)
    flow = 1.0 - result.time
    s = (np.sqrt(1.0 + 8.0 * np.abs(flow)) - 1.0) / 4.0
    np.testing.assert_allclose(result["dp"], np.sign(flow) * s**2, atol=1e-7)
    assert result["dp"][result.time == 1.0] == pytest.approx(0.0, abs=1e-9)
    # What flowed in has flowed out again.
    assert result["level"][-1] == pytest.approx(0.0, abs=1e-6)
