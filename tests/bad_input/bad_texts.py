"""Texts that are no Modelica, and names and classes that are not there."""

from __future__ import annotations

from bad_case import FINE, REFUSED, Case

SYNTAX = [
    Case(
        "missing semicolon",
        """
        model Bad
          Real x
        equation
          x = 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", ";", "equation"),
    ),
    Case(
        "unbalanced parenthesis",
        """
        model Bad
          Real x = (1 + 2;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", ")"),
    ),
    Case(
        "unfinished string",
        """
        model Bad
          Real x "no end = 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "string"),
    ),
    Case(
        "unfinished comment",
        """
        model Bad
          /* no end
          Real x = 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "comment"),
    ),
    Case(
        "wrong name after end",
        """
        model Bad
          Real x = 1;
        end Good;
        """,
        REFUSED,
        ("bad.mo:3", "Good", "Bad"),
    ),
    Case(
        "missing end",
        """
        model Bad
          Real x = 1;
        """,
        REFUSED,
        ("bad.mo:", "Bad"),
    ),
    Case(
        "character that is in no token",
        """
        model Bad
          Real x = 1 $ 2;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "$"),
    ),
    Case(
        "assignment in an equation section",
        """
        model Bad
          Real x;
        equation
          x := 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:4", ":="),
    ),
    Case(
        "reserved word as a name",
        """
        model Bad
          Real when = 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "when"),
    ),
    Case(
        "two errors in one file",
        """
        model A
          Real x = ;
        end A;
        model B
          Real = 2;
        end B;
        """,
        REFUSED,
        ("bad.mo:2", "bad.mo:5"),
    ),
    Case(
        "empty file",
        "",
        REFUSED,
        ("bad.mo",),
    ),
    Case(
        "only a comment",
        """
        // nothing here
        """,
        REFUSED,
        ("bad.mo",),
    ),
    Case(
        "only a package",
        """
        package P
          constant Real c = 1;
        end P;
        """,
        REFUSED,
        ("P",),
    ),
    Case(
        "only a function",
        """
        function f
          input Real x;
          output Real y = x;
        end f;
        """,
        REFUSED,
        ("f",),
    ),
]

NAMES = [
    Case(
        "unknown variable",
        """
        model Bad
          Real velocity(start = 1, fixed = true);
        equation
          der(velocity) = -velocty;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:4", "velocty", "velocity", "hint"),
    ),
    Case(
        "unknown class",
        """
        model Bad
          Reel x = 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "Reel", "Real"),
    ),
    Case(
        "unknown class of a component",
        """
        model Resistor
          Real u = 1;
        end Resistor;
        model Bad
          Resistr r;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "Resistr", "Resistor"),
    ),
    Case(
        "unknown member",
        """
        model Part
          Real current = 1;
        end Part;
        model Bad
          Part p;
          Real x;
        equation
          x = p.curent;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:8", "curent", "current"),
    ),
    Case(
        "unknown function",
        """
        model Bad
          Real x = sine(time);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "sine"),
    ),
    Case(
        "unknown modifier",
        """
        model Part
          parameter Real mass = 1;
        end Part;
        model Bad
          Part p(mas = 2);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "mas", "mass"),
    ),
    Case(
        "unknown attribute",
        """
        model Bad
          Real x(strat = 1) = 2;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "strat", "start"),
    ),
    Case(
        "unknown base class",
        """
        model Bad
          extends Base;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "Base"),
    ),
    Case(
        "unknown enumeration literal",
        """
        model Bad
          type Mode = enumeration(Slow, Fast);
          parameter Mode m = Mode.Fats;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "Fats", "Fast"),
    ),
    Case(
        "import that cannot be found",
        """
        model Bad
          import Modelica.Units.SI;
          SI.Length x = 1;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "Modelica"),
    ),
    Case(
        "several unknown names at once",
        """
        model Bad
          Real a = aa1;
          Real b = bb2;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "aa1", "bad.mo:3", "bb2"),
    ),
    Case(
        "--model names no class",
        FINE,
        REFUSED,
        ("Fin", "Fine"),
        ("--model", "Fin"),
    ),
]

CLASSES = [
    Case(
        "cyclic inheritance",
        """
        model A
          extends B;
        end A;
        model B
          extends A;
        end B;
        """,
        REFUSED,
        ("bad.mo:", "A", "B", "cyclic"),
    ),
    Case(
        "a class that extends itself",
        """
        model Bad
          extends Bad;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:2", "Bad"),
    ),
    Case(
        "a model that contains itself",
        """
        model Bad
          Real x = 1;
          Bad inside;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "Bad", "inside"),
    ),
    Case(
        "two models that contain each other",
        """
        model A
          B b;
        end A;
        model B
          A a;
        end B;
        """,
        REFUSED,
        ("bad.mo:", "A", "B"),
    ),
    Case(
        "duplicate component",
        """
        model Bad
          Real x = 1;
          Real x = 2;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:3", "x"),
    ),
    Case(
        "duplicate class",
        """
        model Bad
          model M
            Real a = 1;
          end M;
          model M
            Real b = 1;
          end M;
          M m;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "M"),
    ),
    Case(
        "inherited twice and different",
        """
        model A
          Real x = 1;
        end A;
        model B
          Integer x = 2;
        end B;
        model Bad
          extends A;
          extends B;
        end Bad;
        """,
        REFUSED,
        ("x",),
    ),
    Case(
        "partial model",
        """
        partial model Bad
          Real x;
        end Bad;
        """,
        REFUSED,
        ("Bad", "partial"),
        ("--model", "Bad"),
    ),
    Case(
        "component of a partial model",
        """
        partial model P
          Real x = 1;
        end P;
        model Bad
          P p;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "P", "partial"),
    ),
    Case(
        "modifying a final parameter",
        """
        model Part
          final parameter Real m = 1;
        end Part;
        model Bad
          Part p(m = 2);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "m", "final"),
    ),
    Case(
        "the same modifier twice",
        """
        model Part
          parameter Real m = 1;
        end Part;
        model Bad
          Part p(m = 2, m = 3);
        end Bad;
        """,
        REFUSED,
        ("bad.mo:5", "m"),
    ),
    Case(
        "a function used as a model",
        """
        function f
          input Real x;
          output Real y;
        algorithm
          y := x;
        end f;
        model Bad
          f g;
        end Bad;
        """,
        REFUSED,
        ("bad.mo:8", "f"),
    ),
]
