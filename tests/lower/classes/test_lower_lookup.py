"""What a name means: enclosing classes, imports, encapsulation, inheritance of classes (chapter 5)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "import forms",
        """
        package P
          constant Real c=3;
          function f
            input Real x;
            output Real y=2*x;
          end f;
          package Q
            constant Real d=4;
            model S
              Real x=1;
            end S;
          end Q;
        end P;
        model M
          import P.c;
          import R=P.Q;
          import P.{f};
          import P.Q.*;
          S s;
          R.S t;
          Real a=c;
          Real b=f(1);
          Real e=R.d;
          Real g=d;
        end M;
        """,
        {"a": 3, "b": 2, "e": 4, "g": 4, "s.x": 1},
    ),
    Case(
        "encapsulated import",
        """
        model A
          Real x=1;
        end A;
        encapsulated model M
          import A;
          A a;
        end M;
        """,
        {"a.x": 1},
    ),
    Case(
        "base lexical",
        """
        package P
          constant Real k = 1;
          model B
            Real x = k;
          end B;
          model D
            extends B;
            Real k = 5;
          end D;
        end P;
        """,
        {"x": 1, "k": 5},
        model="P.D",
    ),
    Case(
        "constant from enclosing",
        """
        model M
          constant Real k=2;
          model Sub
            Real x = k;
          end Sub;
          Sub s;
        end M;
        """,
        {"s.x": 2},
    ),
    Case(
        "inherited class",
        """
        package P
          model A
            Real x=1;
          end A;
        end P;
        package Q
          extends P;
        end Q;
        model M
          Q.A a;
        end M;
        """,
        {"a.x": 1},
    ),
    Case(
        "inherited constant",
        """
        package P
          constant Real c=1;
          constant Real d=2*c;
        end P;
        package Q
          extends P(c=5);
        end Q;
        model M
          Real x=Q.d;
          Real y=P.d;
        end M;
        """,
        {"x": 10, "y": 2},
    ),
    Case(
        "package constant function",
        """
        package P
          constant Real c=1;
          function f
            output Real y=c;
          end f;
          model A
            Real x=c;
          end A;
        end P;
        package Q = P(c=5);
        package R
          extends P(c=7);
        end R;
        model M
          Real a=P.f();
          Real b=Q.f();
          Real d=R.f();
          Q.A e;
          R.A g;
        end M;
        """,
        {"a": 1, "b": 5, "d": 7, "e.x": 5, "g.x": 7},
    ),
    Case(
        "local import",
        """
        package P
          package Q
            constant Real c=3;
          end Q;
        end P;
        model M
          import Q=P.Q;
          Real x=Q.c;
        end M;
        """,
        {"x": 3},
    ),
    Case(
        "package constant sub",
        """
        package P
          record R
            Real b;
          end R;
          constant R a[2] = {R(1),R(2)};
          constant Real m[2,2] = {{1,2},{3,4}};
        end P;
        model M
          Real x = P.a[2].b;
          Real y = P.m[2,1];
          Real z[2] = P.m[:,2];
        end M;
        """,
        {"x": 2, "y": 3, "z[2]": 4},
    ),
    Case(
        "quoted",
        """
        model M
          Real 'a b'=1;
          Real y='a b'+1;
        end M;
        """,
        {"y": 2},
    ),
    Case(
        "keyword-ish names",
        """
        model M
          Real start=1;
          Real x(start=2)=start;
        end M;
        """,
        {"x": 1},
    ),
    Case(
        "StateSelect as a type",
        """
        model A
          parameter StateSelect s=StateSelect.default;
          Real x(stateSelect=s,start=1,fixed=true);
        equation
          der(x)=0;
        end A;
        model M
          A a(s=StateSelect.prefer);
        end M;
        """,
        {"a.x": 1},
    ),
]

REFUSALS = [
    Refusal(
        "encapsulated",
        """
        model A
          Real x=1;
        end A;
        encapsulated model M
          A a;
        end M;
        """,
        "E201",
    ),
    Refusal(
        "dotted import not visible",
        """
        package P
          import Q;
        end P;
        package Q
          model S
            Real x=1;
          end S;
        end Q;
        model M
          P.Q.S s;
        end M;
        """,
        "E201",
    ),
    Refusal(
        "nonconst from enclosing",
        """
        model M
          parameter Real k=2;
          model Sub
            Real x = k;
          end Sub;
          Sub s;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "absolute",
        """
        package P
          model A
            Real x=1;
          end A;
        end P;
        model M
          .P.A a;
          Real y=.P.B.c;
          package P
            constant Real d=1;
          end P;
        end M;
        """,
        "E201",
    ),
    Refusal(
        "import missing",
        """
        model M
          import P.Q;
          Q q;
        end M;
        """,
        "E201",
    ),
    Refusal(
        "unknown function",
        """
        model M
          Real x=sinn(time);
        end M;
        """,
        "E201",
    ),
    Refusal(
        "class as value",
        """
        package P
        end P;
        model M
          Real x=P;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "function: name as value",
        """
        function f
          input Real a;
          output Real y=a;
        end f;
        model M
          Real x=f;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "Clock type",
        """
        model M
          Clock c;
        end M;
        """,
        "E204",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
