"""Components: conditions, parameters, values set for a run, derivatives, the experiment."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "set structural",
        """
        model M
          parameter Integer n=2;
          Real x[n]=1:n;
          Real s=sum(x);
        end M;
        """,
        {"s": 10},
        set={"n": 4},
    ),
    Case(
        "set dependent",
        """
        model M
          parameter Integer n=2;
          parameter Integer m=n+1;
          Real x[m]=1:m;
          Real s=sum(x);
        end M;
        """,
        {"s": 15},
        set={"n": 4},
    ),
    Case(
        "set Boolean structural",
        """
        model M
          parameter Boolean b=true;
          Real x;
        equation
          if b then
            x=1;
          else
            x=2;
          end if;
        end M;
        """,
        {"x": 2},
        set={"b": False},
    ),
    Case(
        "set array element",
        """
        model M
          parameter Real p[2]={1,2};
          Real x=p[1]+p[2];
        end M;
        """,
        {"x": 9},
        set={"p[2]": 8},
    ),
    Case(
        "parameter dependency",
        """
        model M
          parameter Real a=2*b;
          parameter Real b=3;
          Real x=a;
        end M;
        """,
        {"x": 8},
        set={"b": 4},
    ),
    Case(
        "start from parameter",
        """
        model M
          parameter Real x0=5;
          Real x(start=x0,fixed=true);
        equation
          der(x)=0;
        end M;
        """,
        {"x": 7},
        set={"x0": 7},
    ),
    Case(
        "der expr",
        """
        model M
          Real x(start=1,fixed=true);
          Real y;
        equation
          der(x)=1;
          y=der(x^2);
        end M;
        """,
        {"y": 4},
    ),
    Case(
        "der constant",
        """
        model M
          Real x=der(3.0);
          Real y=der(time);
        end M;
        """,
        {"x": 0, "y": 1},
    ),
    Case(
        "der parameter",
        """
        model M
          parameter Real p=1;
          Real x=der(p);
        end M;
        """,
        {"x": 0},
    ),
    Case(
        "der array",
        """
        model M
          Real x[2](start={1,2});
        equation
          der(x)={1,2};
        end M;
        """,
        {"x[2]": 4},
    ),
    Case(
        "experiment annotation",
        """
        model M
          Real x=time;
          annotation(experiment(StartTime=1,StopTime=3,Tolerance=1e-4,Interval=0.5));
        end M;
        """,
        {"x": 3},
        stop_time=None,
    ),
    Case(
        "experiment annotation parameter",
        """
        model M
          constant Real T=4;
          Real x=time;
          annotation(experiment(StopTime=2*T));
        end M;
        """,
        {"x": 8},
        stop_time=None,
    ),
]

REFUSALS = [
    Refusal(
        "conditional component",
        """
        model A
          parameter Real p=1;
        end A;
        model M
          parameter Boolean u=false;
          A a if u;
          Real x = 1;
        equation
          x = a.p;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "set negative",
        """
        model M
          parameter Integer n=2;
          Real x[n]=1:n;
        end M;
        """,
        "E206",
        set={"n": -1},
    ),
    Refusal(
        "parameter cycle",
        """
        model M
          parameter Real a=b;
          parameter Real b=a;
          Real x=a;
        end M;
        """,
        "E304",
    ),
    Refusal(
        "constant cycle",
        """
        model M
          constant Real a=b;
          constant Real b=a;
          Real x=a;
        end M;
        """,
        "E304",
    ),
    Refusal(
        "constant no value",
        """
        model M
          constant Real a;
          Real x=a;
        end M;
        """,
        "E208",
    ),
    Refusal(
        "parameter varying",
        """
        model M
          parameter Real a=time;
          Real x=a;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "start varying",
        """
        model M
          Real x(start=time,fixed=true);
        equation
          der(x)=0;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "der der",
        """
        model M
          Real x(start=1,fixed=true);
        equation
          der(der(x))=1;
        end M;
        """,
        "E204",
    ),
    Refusal(
        "der Integer",
        """
        model M
          Integer b=1;
          Real x=der(b);
        end M;
        """,
        "E211",
    ),
    Refusal(
        "partial component",
        """
        partial model A
        end A;
        model M
          A a;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "package component",
        """
        package P
        end P;
        model M
          P p;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "function component",
        """
        function f
          output Real y=1;
        end f;
        model M
          f g;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "recursive component",
        """
        model A
          A a;
        end A;
        model M
          A a;
        end M;
        """,
        "E213",
    ),
    Refusal(
        "A=A",
        """
        model A = A;
        model M
          A a;
        end M;
        """,
        "E203",
    ),
    Refusal(
        "experiment annotation bad",
        """
        model M
          Real x=time;
          annotation(experiment(StopTime="a"));
        end M;
        """,
        "E205",
    ),
    Refusal(
        "experiment annotation unknown",
        """
        model M
          Real x=time;
          annotation(experiment(StopTime=q));
        end M;
        """,
        "E201",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
