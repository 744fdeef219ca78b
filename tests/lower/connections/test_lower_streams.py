"""Stream connectors (chapter 15): what enters a port, mixing, limits of flows, zero flow, hierarchy."""

from __future__ import annotations

import numpy as np
import pytest
from tools.language_cases import texts_before

import saltus

PORTS = texts_before("15_streams/streams.toml")["ports"]


REVERSING = (
    PORTS
    + """
model Varying
  parameter Real h = 1;
  parameter Real phase = 0;
  Port port(h = h);
equation
  port.m = cos(time + phase);
end Varying;
model M
  Varying a(h = 10);
  Varying b(h = 20, phase = 2);
  Sink c(h = 40);
  Real store(start = 0, fixed = true);
equation
  connect(a.port, c.port);
  connect(b.port, c.port);
  der(store) = c.port.m*actualStream(c.port.h);
end M;
"""
)


def test_flows_that_reverse_mix_as_the_balance_says() -> None:
    """Mass and energy balance of the connection point, solved by hand for each row."""
    result = saltus.load(REVERSING).simulate(stop_time=7.0, tolerance=1e-8)
    t = result["time"]
    a, b = np.cos(t), np.cos(t + 2)
    c = -a - b
    assert result["c.port.m"] == pytest.approx(c, abs=1e-9)
    coming = np.maximum(-a, 0) + np.maximum(-b, 0)
    clear = coming > 1e-6
    expected = (np.maximum(-a, 0) * 10 + np.maximum(-b, 0) * 20)[clear] / coming[clear]
    assert result["c.seen"][clear] == pytest.approx(expected, rel=1e-9)
    assert np.all((result["c.seen"] >= 10 - 1e-9) & (result["c.seen"] <= 20 + 1e-9))
    # Energy into c: what a and b give while c takes, its own 40 while it gives.
    fine = np.linspace(0, 7, 200_001)
    fa, fb = np.cos(fine), np.cos(fine + 2)
    fc = -fa - fb
    total = np.maximum(-fa, 0) + np.maximum(-fb, 0)
    mixed = (np.maximum(-fa, 0) * 10 + np.maximum(-fb, 0) * 20) / np.where(total > 0, total, 1)
    rate = np.where(fc > 0, fc * mixed, fc * 40)
    assert result["store"][-1] == pytest.approx(np.trapezoid(rate, fine), rel=1e-5)


def test_a_flow_times_what_it_carries_makes_no_event() -> None:
    """Section 15.3: the product is continuous where the flow reverses; what is carried, by itself, is not."""
    events = {}
    for name, text in (("product", "port.m*actualStream(port.h)"), ("alone", "actualStream(port.h)")):
        model = saltus.load(
            PORTS
            + f"""
            model Watch
              Port port(h = 1);
              Real z = {text};
            equation
              port.p = 0;
            end Watch;
            model Varying
              Port port(h = 2);
            equation
              port.m = cos(time);
            end Varying;
            model M
              Watch w;
              Varying v;
            equation
              connect(w.port, v.port);
            end M;
            """
        )
        result = model.simulate(stop_time=7.0)
        events[name] = result.statistics["events"]
        flow = -np.cos(result["time"])
        carried = np.where(flow > 0, 2.0, 1.0)
        clear = np.abs(flow) > 1e-6
        expected = carried * flow if name == "product" else carried
        assert result["w.z"][clear] == pytest.approx(expected[clear], abs=1e-6)
    assert events == {"product": 1, "alone": 3}  # the start counts


def test_the_mixture_is_smooth_where_all_flows_vanish() -> None:
    """Requirement 1 of section 15.2: unique and continuous, also at zero flow."""
    model = saltus.load(
        PORTS
        + """
        model M
          parameter Real m = 0;
          Supply a(h = 10, m = m);
          Supply b(h = 20, m = 2*m);
          Sink c(h = 5);
        equation
          connect(a.port, c.port);
          connect(b.port, c.port);
        end M;
        """
    )
    flows = np.linspace(0, 1e-7, 41)
    seen = [float(model.simulate(stop_time=0.1, set={"m": m})["c.seen"][-1]) for m in flows]
    assert seen[0] == pytest.approx(15)
    assert seen[-1] == pytest.approx(50 / 3)
    assert np.all(np.diff(seen) >= -1e-12)
    assert np.max(np.diff(seen)) < 0.3  # no jump
