"""Wrong connections, wrong numbers of equations, and what Saltus does not know yet."""

from __future__ import annotations

from bad_case import REFUSED, Case

CONNECTIONS = [
    Case(
        "incompatible connectors",
        """
        connector Pin
          Real v;
          flow Real i;
        end Pin;
        connector Flange
          Real phi;
          flow Real tau;
        end Flange;
        model Bad
          Pin p;
          Flange f;
        equation
          connect(p, f);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:13", "p", "f"),
    ),
    Case(
        "flow connected with no flow",
        """
        connector A
          Real v;
          flow Real i;
        end A;
        connector B
          flow Real v;
          Real i;
        end B;
        model Bad
          A a;
          B b;
        equation
          connect(a, b);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:13", "`b.v` is a flow variable"),
    ),
    Case(
        "connecting something that is no connector",
        """
        model Bad
          Real x = 1;
          Real y;
        equation
          connect(x, y);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "x"),
    ),
    Case(
        "connecting arrays of different size",
        """
        connector Pin
          Real v;
          flow Real i;
        end Pin;
        model Bad
          Pin a[2];
          Pin b[3];
        equation
          connect(a, b);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:9", "2", "3"),
    ),
]

COUNTS = [
    Case(
        "too few equations",
        """
        model Bad
          Real pressure;
          Real flow_rate;
        equation
          pressure = 2*flow_rate + time;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "pressure", "flow_rate"),
    ),
    Case(
        "a variable in no equation",
        """
        model Bad
          Real x = time;
          Real lonely;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "lonely"),
    ),
    Case(
        "too many equations",
        """
        model Bad
          Real x;
        equation
          x = time;
          x = 2*time;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "x"),
    ),
    Case(
        "right number, wrong place",
        """
        model Bad
          Real x;
          Real y;
        equation
          x = time;
          x = 2*time;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "y"),
    ),
    Case(
        "an unconnected flow variable twice set",
        """
        connector Pin
          Real v;
          flow Real i;
        end Pin;
        model Bad
          Pin p;
        equation
          p.i = 1;
          p.v = 2;
          p.v = time;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "p."),
    ),
    Case(
        "a variable assigned in two whens",
        """
        model Bad
          Integer count(start = 0);
        equation
          when time > 1 then
            count = 1;
          end when;
          when time > 2 then
            count = 2;
          end when;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "count"),
    ),
    Case(
        "too many initial conditions",
        """
        model Bad
          Real x(start = 1, fixed = true);
        initial equation
          x = 2;
        equation
          der(x) = -x;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "x"),
    ),
    Case(
        "a loop among discrete variables",
        """
        model Bad
          Boolean a;
          Boolean b;
          Boolean c;
        equation
          a = not b;
          b = not c;
          c = not a;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "a", "b"),
    ),
]

UNSUPPORTED = [
    Case(
        "outer",
        """
        model Bad
          outer Real g;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "outer"),
    ),
    Case(
        "redeclare",
        """
        model Part
          replaceable Real x = 1;
        end Part;
        model Bad
          Part p(redeclare Integer x = 2);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "redeclare"),
    ),
    Case(
        "stream",
        """
        connector Port
          input Real p;
          stream Real h;
        end Port;
        model Bad
          Port port;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:6", "stream", "flow"),
    ),
    Case(
        "expandable connector",
        """
        expandable connector Bus
          flow Real i;
        end Bus;
        model Bad
          Bus bus;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "expandable", "flow"),
    ),
    Case(
        "conditional component",
        """
        model Part
          Real x = 1;
        end Part;
        model Bad
          Part p if time > 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5",),
    ),
    Case(
        "delay time that varies",
        """
        model Bad
          Real x = delay(time, 1 + time);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "delay time", "third argument"),
    ),
    Case(
        "delay in a function",
        """
        function f
          input Real u;
          output Real y;
        algorithm
          y := delay(u, 1);
        end f;
        model Bad
          Real x = f(time);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "delay", "function"),
    ),
    Case(
        "content of another size",
        """
        model Bad
          Real x(start = 0, fixed = true), a, b;
        equation
          der(x) = 1;
          (a, b) = spatialDistribution(1, 0, x, true, {0, 0.5, 1}, {0, 1});
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "3 initial points", "2 initial values"),
    ),
    Case(
        "external function",
        """
        function f
          input Real x;
          output Real y;
        external "C" y = my_solver(x);
        end f;
        model Bad
          Real x = f(time);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "external", "my_solver"),
    ),
]
