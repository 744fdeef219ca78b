"""Stream connectors (chapter 15): what enters a port, mixing, limits of flows, zero flow, hierarchy."""

from __future__ import annotations

import numpy as np
import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus

#: A port, something that supplies `m` with `h`, and something that takes the rest at a pressure.
PORTS = """
connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model Supply
  parameter Real m = 1;
  parameter Real h = 1;
  Port port(h = h);
  Real seen = inStream(port.h);
  Real actual = actualStream(port.h);
equation
  port.m = -m;
end Supply;
model Sink
  parameter Real h = 0;
  Port port(h = h);
  Real seen = inStream(port.h);
  Real actual = actualStream(port.h);
equation
  port.p = 0;
end Sink;
"""

VALUES = [
    Case(
        "two ports see each other, whatever the flow",
        PORTS
        + """
        model M
          Supply a(h = 3, m = -2);
          Sink b(h = 7);
        equation
          connect(a.port, b.port);
        end M;
        """,
        {"a.seen": 7, "b.seen": 3, "a.actual": 7, "b.actual": 7, "a.port.h": 3, "b.port.h": 7},
    ),
    Case(
        "a port nothing is connected to sees itself",
        PORTS
        + """
        model M
          Sink b(h = 7);
        end M;
        """,
        {"b.seen": 7, "b.actual": 7, "b.port.m": 0},
    ),
    Case(
        "three ports mix what flows in",  # (2*10 + 3*20)/5
        PORTS
        + """
        model M
          Supply a(h = 10, m = 2);
          Supply b(h = 20, m = 3);
          Sink c(h = 5);
        equation
          connect(a.port, c.port);
          connect(c.port, b.port);
        end M;
        """,
        {"c.seen": 16, "a.seen": 20, "b.seen": 10, "c.actual": 16, "a.actual": 10},
    ),
    Case(
        "where nothing flows the mixture is the mean",
        PORTS
        + """
        model M
          Supply a(h = 10, m = 0);
          Supply b(h = 20, m = 0);
          Supply c(h = 60, m = 0);
          Sink d(h = 5);
        equation
          connect(a.port, d.port);
          connect(b.port, d.port);
          connect(c.port, d.port);
        end M;
        """,
        {"d.seen": 30, "a.seen": 85 / 3, "c.seen": 35 / 3},
    ),
    Case(
        "what never leaves a port does not count",
        PORTS
        + """
        model M
          Supply a(h = 10, m = 0);
          Supply b(h = 20, m = 0);
          Sink c(h = 5, port(m(min = 0)));
        equation
          connect(a.port, c.port);
          connect(c.port, b.port);
        end M;
        """,
        {"c.seen": 15, "a.seen": 20, "b.seen": 10},
    ),
    Case(
        "when nothing can come from anywhere a port sees itself",
        PORTS
        + """
        model M
          Supply a(h = 10, m = 0);
          Supply b(h = 20, m = 0, port(m(min = 0)));
          Sink c(h = 5, port(m(min = 0)));
        equation
          connect(a.port, c.port);
          connect(c.port, b.port);
        end M;
        """,
        {"a.seen": 10, "c.seen": 10, "b.seen": 10},
    ),
    Case(
        "through the wall of a component",
        PORTS
        + """
        model Box
          Port port;
          Supply s(h = 4, m = 1);
        equation
          connect(s.port, port);
        end Box;
        model M
          Box box;
          Sink sink(h = 9);
        equation
          connect(box.port, sink.port);
        end M;
        """,
        {"sink.seen": 4, "box.s.seen": 9, "box.port.h": 4, "box.port.m": -1},
    ),
    Case(
        "mixed inside, mixed outside",  # the box gives (1*4 + 3*8)/4 = 7 with 4, then (4*7 + 1*17)/5
        PORTS
        + """
        model Box
          Port port;
          Supply s(h = 4, m = 1);
          Supply t(h = 8, m = 3);
        equation
          connect(s.port, port);
          connect(t.port, port);
        end Box;
        model M
          Box box;
          Supply other(h = 17, m = 1);
          Sink sink(h = 9);
        equation
          connect(box.port, sink.port);
          connect(box.port, other.port);
        end M;
        """,
        # what could come into the box is the other supply; into s, that or what t gives: t flows, and so
        # does what comes from outside only if it flows in, which it does not
        {"box.port.h": 7, "sink.seen": 9, "box.s.seen": 8, "box.t.seen": 4, "other.seen": 7},
    ),
    Case(
        "a component that only passes on",
        PORTS
        + """
        model Through
          Port a;
          Port b;
        equation
          connect(a, b);
        end Through;
        model M
          Supply s(h = 3, m = 1);
          Through t[2];
          Sink sink(h = 8);
        equation
          connect(s.port, t[1].a);
          connect(t[1].b, t[2].a);
          connect(t[2].b, sink.port);
        end M;
        """,
        {"sink.seen": 3, "s.seen": 8, "t[1].a.h": 8, "t[2].b.h": 3, "t[2].b.m": -1},
    ),
    Case(
        "arrays of stream variables and of ports",
        """
        connector Port
          Real p;
          flow Real m;
          stream Real x[2];
        end Port;
        model Supply
          parameter Real m = 1;
          parameter Real x[2];
          Port port(x = x);
        equation
          port.m = -m;
        end Supply;
        model Tank
          Port ports[2];
          Real seen[2, 2] = inStream(ports.x);
          Real first[2] = inStream(ports[1].x);
          Real one = inStream(ports[2].x[1]);
          Real through[2] = ports[1].m*actualStream(ports[1].x);
        equation
          ports.p = {0, 0};
          ports.x = {{0.5, 0.5}, {0.25, 0.75}};
        end Tank;
        model M
          Supply a(m = 2, x = {0.1, 0.9});
          Supply b(m = -3, x = {0.2, 0.8});
          Tank t;
        equation
          connect(a.port, t.ports[1]);
          connect(b.port, t.ports[2]);
        end M;
        """,
        {
            "t.seen[1,1]": 0.1,
            "t.seen[2,2]": 0.8,
            "t.first[2]": 0.9,
            "t.one": 0.2,
            "t.through[2]": 1.8,
        },
    ),
    Case(
        "sizes that inStream gives",
        """
        connector Port
          Real p;
          flow Real m;
          stream Real x[2];
        end Port;
        model Sink
          Port port(x = {3, 4});
          Real seen[:] = inStream(port.x);
        equation
          port.p = 0;
        end Sink;
        model M
          Sink s;
        end M;
        """,
        {"s.seen[2]": 4},
    ),
]

REFUSALS = [
    Refusal(
        "inStream of a potential",
        PORTS
        + """
        model M
          Sink s;
          Real x = inStream(s.port.p);
        end M;
        """,
        "E210",
        ("inStream", "s.port.p", "stream variable"),
    ),
    Refusal(
        "actualStream of an expression",
        PORTS
        + """
        model M
          Sink s;
          Real x = actualStream(2*s.port.h);
        end M;
        """,
        "E210",
        ("actualStream",),
    ),
    Refusal(
        "inStream of a connector",
        PORTS
        + """
        model M
          Sink s;
          Real x = inStream(s.port);
        end M;
        """,
        "E210",
        ("s.port",),
    ),
    Refusal(
        "inStream in a function",
        PORTS
        + """
        function f
          input Real u;
          output Real y;
        algorithm
          y := inStream(u);
        end f;
        model M
          Real x = f(1);
        end M;
        """,
        "E209",
        ("inStream", "function"),
    ),
    Refusal(
        "stream variable connected with a potential",
        PORTS
        + """
        connector Other
          Real h;
          flow Real m;
          stream Real p;
        end Other;
        model M
          Port a;
          Other b;
        equation
          connect(a, b);
        end M;
        """,
        "E210",
        ("stream variable",),
    ),
    Refusal(
        "two flow variables in a stream connector",
        """
        connector Port
          Real p[2];
          flow Real m[2];
          stream Real h;
        end Port;
        model M
          Port port(p = {1, 1}, h = 1);
        end M;
        """,
        "E210",
        ("exactly one flow variable",),
    ),
    Refusal("stream variable of a model", "model M stream Real x = 1; end M;", "E210", ("connector",)),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


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
