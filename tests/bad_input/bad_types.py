"""Wrong types, sizes, calls and variabilities."""

from __future__ import annotations

from bad_case import REFUSED, Case

TYPES = [
    Case(
        "electrical pin and rotational flange",
        """
        model Bad
          Saltus.Electrical.Resistor R1;
          Saltus.Rotational.Inertia J;
        equation
          connect(R1.p, J.flange_a);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "`R1.p` and `J.flange_a` are of different kinds", "Pin", "Flange", "motor"),
    ),
    Case(
        "Boolean equals Real",
        """
        model Bad
          Boolean b;
        equation
          b = 1.5;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:4", "Boolean", "Real"),
    ),
    Case(
        "condition that is a Real",
        """
        model Bad
          Real x = if time then 1 else 2;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "Boolean"),
    ),
    Case(
        "Integer from a Real",
        """
        model Bad
          parameter Integer n = 2.5;
          Real x = n;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "Integer"),
    ),
    Case(
        "adding Booleans",
        """
        model Bad
          Real x = true + false;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "Boolean"),
    ),
    Case(
        "and of Reals",
        """
        model Bad
          Boolean b = 1.0 and 2.0;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "Boolean"),
    ),
    Case(
        "two branches of different type",
        """
        model Bad
          Real x = if time > 1 then 1.0 else true;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2",),
    ),
    Case(
        "wrong number of subscripts",
        """
        model Bad
          Real x[2] = {1, 2};
          Real y = x[1, 2];
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "x"),
    ),
    Case(
        "subscript of a scalar",
        """
        model Bad
          Real x = 1;
          Real y = x[1];
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "x"),
    ),
    Case(
        "index out of range",
        """
        model Bad
          Real x[2] = {1, 2};
          Real y = x[3];
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "3", "x"),
    ),
    Case(
        "index zero",
        """
        model Bad
          Real x[2] = {1, 2};
          Real y = x[0];
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "0"),
    ),
    Case(
        "arrays of different size",
        """
        model Bad
          Real x[2];
          Real y[3] = {1, 2, 3};
        equation
          x = y;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "2", "3"),
    ),
    Case(
        "too many arguments",
        """
        model Bad
          Real x = sin(time, 2);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "sin"),
    ),
    Case(
        "too few arguments",
        """
        function f
          input Real a;
          input Real b;
          output Real y;
        algorithm
          y := a + b;
        end f;
        model Bad
          Real x = f(time);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:9", "f", "b"),
    ),
    Case(
        "unknown named argument",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          y := a;
        end f;
        model Bad
          Real x = f(aa = time);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:8", "aa"),
    ),
    Case(
        "parameter without a value as an array size",
        """
        model Bad
          parameter Integer n;
          Real x[n];
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "n"),
    ),
    Case(
        "array size that varies",
        """
        model Bad
          Integer n = 2;
          Real x[n] = {1, 2};
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "n"),
    ),
    Case(
        "cyclic parameters",
        """
        model Bad
          parameter Real a = b + 1;
          parameter Real b = a - 1;
          Real x = a;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "a", "b", "cyclic"),
    ),
    Case(
        "cyclic array sizes",
        """
        model Bad
          parameter Integer a = b;
          parameter Integer b = a;
          Real x[a] = fill(1.0, a);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "a", "b"),
    ),
    Case(
        "parameter that depends on a variable",
        """
        model Bad
          Real x = time;
          parameter Real p = x;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "p", "x"),
    ),
    Case(
        "der of a discrete variable",
        """
        model Bad
          Integer n(start = 0);
        equation
          der(n) = 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:4", "n"),
    ),
    Case(
        "der of a discrete Real",
        """
        model Bad
          discrete Real d(start = 0);
        equation
          when time > 1 then
            d = 2;
          end when;
          der(d) = 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:", "d"),
    ),
    Case(
        "reinit of an algebraic variable",
        """
        model Bad
          Real x = time;
        equation
          when time > 1 then
            reinit(x, 0);
          end when;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "x"),
    ),
    Case(
        "pre of a continuous variable",
        """
        model Bad
          Real x = time;
          Real y = pre(x);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "x"),
    ),
    Case(
        "reinit outside when",
        """
        model Bad
          Real x(start = 1);
        equation
          der(x) = 1;
          reinit(x, 2);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "reinit"),
    ),
    Case(
        "nested when",
        """
        model Bad
          Integer n(start = 0);
        equation
          when time > 1 then
            when time > 2 then
              n = 1;
            end when;
          end when;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "when"),
    ),
]
