"""A table that falls away a little faster than the ball on it: nothing may hold the ball down.

The ball leaves so gently that errors of integration take it back into the table, and it is thrown down by an
impact that there is not; a reaction along that jump would pull. Found by `tools/differential`.
"""

from __future__ import annotations

import numpy as np
import pytest

import saltus

G, A, W = 9.81, 0.123, 8.99  # A*W^2 is 9.94: the table falls faster than the ball for 36 ms in each period

TABLE = saltus.load(f"""
model Table
  Real x(start = 0.4, fixed = true), v(start = 0, fixed = true);
  Real z = {A}*sin({W}*time), w = {A * W}*cos({W}*time);
equation
  der(x) = v;
  der(v) = -{G};
  when x - z <= 0 then
    reinit(v, w - 0.3*(pre(v) - w));
  end when;
end Table;
""")


@pytest.mark.parametrize("method", ["bdf", "ida", "adams", "rk45", "auto"])
@pytest.mark.parametrize("tolerance", [1e-7, 1e-8, 1e-9, 1e-10])
@pytest.mark.parametrize("zeno", ["rest", "continue"])
def test_ball_leaves_the_table(method: str, tolerance: float, zeno: str) -> None:
    result = TABLE.simulate(stop_time=4, interval=1e-3, method=method, tolerance=tolerance, zeno=zeno)
    t, gap = result.time, result["x"] - result["z"]
    begins = (np.arcsin(G / (A * W**2)) + 2 * np.pi * np.arange(6)) / W
    flights = 0
    for begin in begins:
        rested = np.abs(gap[(t > begin - 0.02) & (t < begin)]).max() < 1e-9
        free = (t > begin) & (t < begin + 0.04)
        if not rested or not free.any():
            continue
        flights += 1
        since = t[free] - begin
        thrown = A * np.sin(W * begin) + A * W * np.cos(W * begin) * since - G * since**2 / 2
        expected = thrown - A * np.sin(W * t[free])
        assert expected.max() > 5e-5
        assert np.abs(gap[free] - expected).max() < 20 * tolerance
    assert flights >= 3
    assert gap.min() > -10 * tolerance
