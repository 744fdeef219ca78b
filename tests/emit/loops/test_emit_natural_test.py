"""Newton's method across steep but bounded steps: the error counts, not how the residuals are scaled.

A junction of pipes mixes enthalpies by the directions of the flows, which change within a tiny band of flow.
A step across the band leaves a large residual in the mixing rule, which the next step removes; judged by the
residuals alone, the iteration would have to crawl through the band.
"""

from __future__ import annotations

import math

import pytest

import saltus
from saltus.expr.nodes import call, const


@pytest.mark.parametrize("band", [1e-7, 1e-3])
@pytest.mark.parametrize("off", [2.0, 300.0, 1e4])
@pytest.mark.parametrize("formula", [True, False], ids=["jacobian", "differences"])
def test_a_flow_that_turns_round(model, machine, band, off, formula):
    # m = (p0 - p)/1000 and p = 1e5 - 1e-5 h. With h = 2e5 .. 4e5 the flow is 0.003 .. 0.005: far above the
    # narrow band, where h = 4e5, p = 99996 and m = 0.005.
    p, m, h = (model.algebraic(name) for name in "pmh")
    mix = call("tanh", m / band)
    rows = [p + 1e-5 * h - 1e5, m - 1e-3 * (100001.0 - p), h - (3e5 + 1e5 * mix)]
    entries = [
        (0, 0, const(1.0)),
        (0, 2, const(1e-5)),
        (1, 0, const(1e-3)),
        (1, 1, const(1.0)),
        (2, 1, -1e5 / band * (1.0 - mix * mix)),
        (2, 2, const(1.0)),
    ]
    model.nonlinear([p, m, h], rows, entries if formula else None)
    run = machine(model)
    run[p], run[m], run[h] = 100001.0 + off, -1e-3 * off, 2e5
    assert run.run("outputs") == 0
    mixed = 3e5 + 1e5 * math.tanh(run[m] / band)
    assert run[h] == pytest.approx(mixed, rel=1e-9)
    assert run[p] == pytest.approx(1e5 - 1e-5 * mixed, rel=1e-12)
    assert run[m] == pytest.approx(1e-3 * (1.0 + 1e-5 * mixed), rel=1e-6)


def test_a_junction_in_a_model():
    """Two tanks feed a third through a junction; at 1 s the first pressure falls below that of the junction,
    so that its flow turns round. Flows balance, and the mixed temperature is that of what flows in."""
    text = """
    function law
      input Real dp;
      output Real m;
    algorithm
      m := dp/(dp^2 + 1)^0.25*1e-3;
    end law;
    function side "1 for a positive flow, 0 for a negative one"
      input Real m;
      output Real s;
    algorithm
      s := 0.5 + 0.5*tanh(m/1e-7);
    end side;
    model Junction
      parameter Real k = 1;
      Real a = if time < 1 then 3e5 else 1.2e5;
      Real b = 2e5;
      Real c = 1e5;
      Real p(start = 1.5e5, nominal = 1e5), T(start = 300, nominal = 300), m1, m2, m3, dp1, dp2, dp3;
    equation
      k*dp1 = a - p;
      k*dp2 = b - p;
      k*dp3 = c - p;
      m1 = law(dp1)*(1 + (T - 300)/3000);
      m2 = law(dp2)*(1 + (T - 300)/3000);
      m3 = law(dp3)*(1 + (T - 300)/3000);
      m1 + m2 + m3 = 0;
      T*(side(m1)*m1 + side(m2)*m2) = 280*side(m1)*m1 + 360*side(m2)*m2;
    end Junction;
    """
    result = saltus.load(text).simulate(stop_time=2.0, interval=0.25)

    def root(dp):
        return 1e-3 * dp / (dp * dp + 1.0) ** 0.25

    for time, a in ((0.0, 3e5), (2.0, 1.2e5)):
        low, high = 1e5, 3e5
        for _ in range(200):
            p = 0.5 * (low + high)
            low, high = (p, high) if root(a - p) + root(2e5 - p) + root(1e5 - p) > 0 else (low, p)
        m1, m2 = max(root(a - p), 0.0), max(root(2e5 - p), 0.0)
        k = 0 if time == 0.0 else -1
        assert result["p"][k] == pytest.approx(p, rel=1e-6)
        assert result["T"][k] == pytest.approx((280 * m1 + 360 * m2) / (m1 + m2), rel=1e-6)
