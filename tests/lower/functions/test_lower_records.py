"""Records: constructors, defaults, equality, arrays of records (sections 4.7 and 12.6)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "array of records binding",
        """
        record R
          Real a;
          Real b=2;
        end R;
        model M
          R r[2]={R(1),R(3,b=4)};
          Real s=sum(r.a)+sum(r.b);
          R q[2](a={7,8});
        end M;
        """,
        {"s": 10, "q[2].a": 8, "q[1].b": 2},
    ),
    Case(
        "record equation",
        """
        record R
          Real a;
          Real b;
        end R;
        model M
          R r;
          R s;
        equation
          r=R(time,2);
          s=r;
        end M;
        """,
        {"s.a": 1, "s.b": 2},
    ),
    Case(
        "record if",
        """
        record R
          Real a;
          Real b;
        end R;
        model M
          R r=if time>0.5 then R(1,2) else R(3,4);
        end M;
        """,
        {"r.a": 1},
    ),
    Case(
        "record parameter modification",
        """
        record R
          parameter Real a=1;
          parameter Real b=2*a;
        end R;
        model A
          parameter R r;
          Real y=r.b;
        end A;
        model M
          A a(r(a=5));
          A c(r=R(a=2,b=9));
        end M;
        """,
        {"a.y": 10, "c.y": 9},
    ),
    Case(
        "record outer value wins",
        """
        record R
          parameter Real a=1;
          parameter Real b=2;
        end R;
        model A
          parameter R r(a=7);
          Real y=r.a+10*r.b;
        end A;
        model M
          A x;
          A c(r=R(3,4));
        end M;
        """,
        {"x.y": 27, "c.y": 43},
    ),
    Case(
        "record nested arrays",
        """
        record P
          Real x[2];
        end P;
        record R
          P p[2];
        end R;
        model M
          R r;
        equation
          for i in 1:2 loop
            r.p[i].x={i,2*i};
          end for;
        end M;
        """,
        {"r.p[2].x[2]": 4},
    ),
    Case(
        "record extends",
        """
        record A
          Real x;
        end A;
        record B
          extends A;
          Real y;
        end B;
        model M
          B b=B(1,2);
        end M;
        """,
        {"b.x": 1, "b.y": 2},
    ),
    Case(
        "record constant field",
        """
        record B
          constant Real c = 9;
          Real y = 2;
        end B;
        model M
          B b = B(3);
          Real z = b.c + b.y;
        end M;
        """,
        {"z": 12},
    ),
    Case(
        "record final field",
        """
        record B
          final parameter Real c = 9;
          Real y = 2;
        end B;
        model M
          B b = B(y=3);
          Real z = b.c + b.y;
        end M;
        """,
        {"z": 12},
    ),
    Case(
        "record nested default",
        """
        record A
          Real x=1;
        end A;
        record B
          A a;
          A a2(x=4);
          Real y=2;
        end B;
        model M
          B b = B(y=3);
        end M;
        """,
        {"b.a.x": 1, "b.a2.x": 4, "b.y": 3},
    ),
    Case(
        "loop over records",
        """
        record R
          Real a;
        end R;
        model M
          R r[2]={R(1),R(2)};
          Real x[2];
        equation
          for i in 1:2 loop
            x[i]=r[i].a;
          end for;
        end M;
        """,
        {"x[2]": 2},
    ),
    Case(
        "record array values",
        """
        record R
          Real v[2];
        end R;
        function f
          input Real x;
          output R r;
        algorithm
          r.v:={x,2*x};
        end f;
        model M
          R r[3]={f(i) for i in 1:3};
          Real y[3]=r.v[2];
          Real s=sum(q.v[1] for q in r);
        end M;
        """,
        {"y[3]": 6, "s": 6},
    ),
    Case(
        "flow record",
        """
        record Cx
          Real re;
          Real im;
        end Cx;
        connector P
          Cx v;
          flow Cx i;
        end P;
        model S
          P p;
        equation
          p.v.re=1;
          p.v.im=2;
        end S;
        model L
          P p;
        equation
          p.i.re = p.v.re;
          p.i.im=2*p.v.im;
        end L;
        model M
          S s;
          L a;
          L b;
        equation
          connect(s.p,a.p);
          connect(s.p,b.p);
        end M;
        """,
        {"s.p.i.re": -2, "s.p.i.im": -8},
    ),
    Case(
        "input record top",
        """
        record R
          Real a;
        end R;
        model M
          input R r;
          Real y=r.a;
        end M;
        """,
        {"y": 0},
    ),
]

REFUSALS = [
    Refusal(
        "record with equations",
        """
        record R
          Real x;
        equation
          x=1;
        end R;
        model M
          R r;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "record mismatch",
        """
        record R
          Real a;
        end R;
        record S
          Real b;
        end S;
        model M
          R r=S(1);
        end M;
        """,
        "E205",
    ),
    Refusal(
        "record +",
        """
        record R
          Real a;
        end R;
        model M
          R r=R(1)+R(2);
        end M;
        """,
        "E205",
    ),
    Refusal(
        "record wrong field",
        """
        record R
          Real a;
        end R;
        model M
          R r(b=1);
        end M;
        """,
        "E201",
    ),
    Refusal(
        "record constructor unknown",
        """
        record R
          Real a;
        end R;
        model M
          R r=R(b=1);
        end M;
        """,
        "E212",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
