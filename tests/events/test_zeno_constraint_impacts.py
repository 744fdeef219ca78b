"""Impacts that are impulses of a constraint accumulate like others: the run says so, and where.

A contact of the library that has no slowest impact (`v_rest = 0`) has no state of rest of its own. Its
relation becomes true and false again in the instant of each impact. Such runs ended beyond the point, inside
of the floor, with "no mode is consistent".
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import RunError

G = 9.81

_BALL = """
model Ball
  Saltus.Translational.Mass m(m = 2, s(start = 1, fixed = true), v(start = 0, fixed = true));
  Saltus.Translational.Contact c(e = {e}, v_rest = 0);
  Saltus.Translational.Fixed floor(s0 = 0);
  Saltus.Translational.Sources.ConstantForce w(f = -2*9.81);
  Real a(start = 0, fixed = true), b(start = 1, fixed = true) "an oscillator beside it";
equation
  connect(floor.flange, c.flange_a);
  connect(c.flange_b, m.flange_a);
  connect(w.flange, m.flange_b);
  der(a) = 40*b;
  der(b) = -40*a;
end Ball;
"""


@pytest.mark.parametrize("zeno", ["stop", "rest", "continue"])
@pytest.mark.parametrize(("e", "method"), [(0.5, "bdf"), (0.5, "ida"), (0.3, "rk45"), (0.7, "auto")])
def test_accumulation_point(e: float, method: str, zeno: str) -> None:
    with pytest.raises(RunError, match=r"\(Zeno\)") as ended:
        saltus.load(_BALL.format(e=e)).simulate(stop_time=5, tolerance=1e-9, method=method, zeno=zeno)
    assert "v_rest" in str(ended.value)
    result = ended.value.partial
    assert result is not None
    fall = math.sqrt(2 / G)
    end = fall * (1 + 2 * e / (1 - e))
    if zeno != "rest":
        assert abs(result.time[-1] - end) < 1e-5
    assert abs(result.time[-1] - end) < 1e-2 and np.all(np.diff(result.time) >= 0)
    assert result["m.s"].min() > -1e-7
    # By hand: hops of a ball whose speed is the part e of what it was; no speed is lost on the way.
    energy = result["m.v"] ** 2 / 2 + G * result["m.s"]
    hops = np.searchsorted(fall * (1 + 2 * np.cumsum(e ** np.arange(1, 60))), result.time - 1e-6)
    began = fall * (2 * np.sum([e**k for k in range(1, 60)]) + 1)
    apart = (result.time > fall + 1e-4) & (result.time < began - 1e-2)
    inside = apart & (np.abs(result["m.s"]) > 1e-3)
    assert np.abs(energy[inside] - G * e ** (2 * (hops[inside] + 1))).max() < 1e-5
    assert np.abs(result["a"] ** 2 + result["b"] ** 2 - 1).max() < 1e-5
