"""Models whose run fails, and commands that are wrong."""

from __future__ import annotations

from bad_case import FAILED, FINE, USAGE, Case

RUNS = [
    Case(
        "delay time out of range",
        """
        model Bad
          parameter Real T = -2;
          Real y;
        equation
          y = delay(time, T);
        end Bad;
        """,
        FAILED,
        ("bad.mo:5", "E409", "positive or zero", "-2"),
    ),
    Case(
        "delay time longer than the longest",
        """
        model Bad
          Real y;
        equation
          y = delay(time, time, 0.5);
        end Bad;
        """,
        FAILED,
        ("bad.mo:4", "E409", "0 to 0.5"),
    ),
    Case(
        "initial points that do not rise",
        """
        model Bad
          parameter Real p[2] = {1, 0};
          Real x(start = 0, fixed = true), a, b;
        equation
          der(x) = 1;
          (a, b) = spatialDistribution(1, 0, x, true, p, {0, 1});
        end Bad;
        """,
        FAILED,
        ("bad.mo:6", "1, 0"),
    ),
    Case(
        "division by zero at the start",
        """
        model Bad
          Real x(start = 0, fixed = true);
          Real y;
        equation
          der(x) = 1;
          y = 1/x;
        end Bad;
        """,
        FAILED,
        ("bad.mo:6", "y"),
    ),
    Case(
        "division by a parameter that is zero",
        """
        model Bad
          parameter Real mass = 0;
          Real v(start = 1, fixed = true);
        equation
          der(v) = 1/mass;
        end Bad;
        """,
        FAILED,
        ("bad.mo:5", "mass"),
    ),
    Case(
        "square root of a negative number",
        """
        model Bad
          Real x(start = -1, fixed = true);
        equation
          der(x) = sqrt(x);
        end Bad;
        """,
        FAILED,
        ("x",),
    ),
    Case(
        "a Boolean loop without a solution at the start",
        """
        model Bad
          Boolean a;
          Boolean b;
        equation
          a = not b;
          b = a or time > 1;
        end Bad;
        """,
        FAILED,
        ("bad.mo:5", "`a`", "`b`"),
    ),
    Case(
        "algebraic loop without a solution",
        """
        model Bad
          Real x(start = 1);
          Real y(start = 1);
        equation
          x^2 + y^2 = -1 - time;
          x = y^3 + y;
        end Bad;
        """,
        FAILED,
        ("bad.mo:", "x", "y"),
    ),
    Case(
        "singular linear loop",
        """
        model Bad
          parameter Real a = 1;
          Real x;
          Real y;
        equation
          x + a*y = 1;
          x + y = 2 + time;
        end Bad;
        """,
        FAILED,
        ("x", "y"),
    ),
    Case(
        "an event that never settles",
        """
        model Bad
          Boolean p(start = false, fixed = true);
          Real x = time;
        equation
          p = if x > 0.5 then not pre(p) else false;
        end Bad;
        """,
        FAILED,
        ("p", "0.5"),
    ),
    Case(
        "never settles from the start",
        """
        model Bad
          Boolean p(start = false, fixed = true);
        equation
          p = not pre(p);
        end Bad;
        """,
        FAILED,
        ("p",),
    ),
    Case(
        "assertion violated",
        """
        model Bad
          Real level(start = 0, fixed = true);
        equation
          der(level) = 1;
          assert(level < 0.5, "the tank flows over");
        end Bad;
        """,
        FAILED,
        ("the tank flows over", "bad.mo:5", "0.5"),
    ),
    Case(
        # sin(t) exceeds 0.99 from 1.42925 to 1.71234 only, and the output points are 3 apart.
        "assertion violated between two output points",
        """
        model Bad
          Real x(start = 0, fixed = true);
        equation
          der(x) = cos(time);
          assert(x < 0.99, "x is too large");
        end Bad;
        """,
        FAILED,
        ("bad.mo:5", "x is too large", "1.429"),
        ("--stop-time", "6", "--interval", "3", "--tolerance", "1e-8"),
    ),
    Case(
        "assertion whose message is computed",
        """
        model Bad
          parameter String who = "the pump";
          Real x = time;
        equation
          assert(x < 2, who + " fails at " + String(2));
        end Bad;
        """,
        FAILED,
        ("bad.mo:5", "the pump fails at 2"),
        ("--stop-time", "3"),
    ),
    Case(
        "assertion violated at the start",
        """
        model Bad
          parameter Real m = -1;
          Real x = m;
        equation
          assert(m > 0, "mass must be positive");
        end Bad;
        """,
        FAILED,
        ("mass must be positive", "bad.mo:5"),
    ),
    Case(
        "finite escape time",
        """
        model Bad
          Real x(start = 1, fixed = true);
        equation
          der(x) = x^2;
        end Bad;
        """,
        FAILED,
        ("1",),
        ("--stop-time", "2"),
    ),
]

USAGES = [
    Case(
        "--set names nothing",
        FINE,
        USAGE,
        ("rat", "rate"),
        ("--set", "rat=2"),
    ),
    Case(
        "--set without a value",
        FINE,
        USAGE,
        ("rate",),
        ("--set", "rate"),
    ),
    Case(
        "--set to something that is no number",
        FINE,
        USAGE,
        ("rate", "fast"),
        ("--set", "rate=fast"),
    ),
    Case(
        "--set of a variable that is computed",
        FINE,
        USAGE,
        ("der(x)",),
        ("--set", "der(x)=2"),
    ),
    Case(
        "--set of a constant",
        """
        model Bad
          constant Real c = 1;
          Real x = c;
        end Bad;
        """,
        USAGE,
        ("c",),
        ("--set", "c=2"),
    ),
    Case(
        "--set of a final parameter",
        """
        model Bad
          final parameter Real c = 1;
          Real x = c;
        end Bad;
        """,
        USAGE,
        ("c", "final"),
        ("--set", "c=2"),
    ),
    Case(
        "--set of a Boolean to a number",
        """
        model Bad
          parameter Boolean on = true;
          Real x = if on then 1 else 2;
        end Bad;
        """,
        USAGE,
        ("on",),
        ("--set", "on=2.5"),
    ),
    Case(
        "stop before start",
        FINE,
        USAGE,
        ("stop", "start"),
        ("--start-time", "2", "--stop-time", "1"),
    ),
    Case(
        "interval zero",
        FINE,
        USAGE,
        ("interval",),
        ("--interval", "0"),
    ),
    Case(
        "negative interval",
        FINE,
        USAGE,
        ("interval",),
        ("--interval", "-0.1"),
    ),
    Case(
        "negative tolerance",
        FINE,
        USAGE,
        ("tolerance",),
        ("--tolerance", "-1"),
    ),
    Case(
        "tolerance that is no number",
        FINE,
        USAGE,
        ("tolerance",),
        ("--tolerance", "small"),
    ),
    Case(
        "infinite stop time",
        FINE,
        USAGE,
        ("stop",),
        ("--stop-time", "inf"),
    ),
    Case(
        "unknown option",
        FINE,
        USAGE,
        ("--stoptime",),
        ("--stoptime", "1"),
    ),
    Case(
        "library that is no folder",
        FINE,
        USAGE,
        ("nowhere",),
        ("--library", "nowhere"),
    ),
    Case(
        "output in a folder that is not there",
        FINE,
        USAGE,
        ("nowhere",),
        ("--output", "nowhere/out.csv"),
    ),
    Case(
        "output that is a folder",
        FINE,
        USAGE,
        ("folder",),
        ("--output", "folder"),
    ),
    Case(
        "events file that cannot be written",
        FINE,
        USAGE,
        ("nowhere",),
        ("--events", "nowhere/events.jsonl"),
    ),
]
