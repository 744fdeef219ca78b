"""When-equations: priority, conditions, what may be assigned, reinit (section 8.3.5)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "elsewhen priority",
        """
        model M
          Integer n(start=0,fixed=true);
        equation
          when time>0.5 then
            n=1;
          elsewhen time>0.5 then
            n=2;
          elsewhen time > 0.7 then
            n=pre(n)+10;
          end when;
        end M;
        """,
        {"n": 11},
    ),
    Case(
        "when vector",
        """
        model M
          Integer n(start=0,fixed=true);
        equation
          when {time>0.3,time>0.6} then
            n=pre(n)+1;
          end when;
        end M;
        """,
        {"n": 2},
    ),
    Case(
        "when initial",
        """
        model M
          Integer n(start=0,fixed=true);
        equation
          when {initial(),time>0.6} then
            n=pre(n)+1;
          end when;
        end M;
        """,
        {"n": 2},
    ),
    Case(
        "when if",
        """
        model M
          Integer n(start=0,fixed=true);
          parameter Boolean p=true;
        equation
          when time>0.5 then
            if p then
              n=1;
            else
              n=2;
            end if;
          end when;
        end M;
        """,
        {"n": 1},
    ),
    Case(
        "when if varying",
        """
        model M
          Integer n(start=0,fixed=true);
        equation
          when sample(0.1,0.1) then
            if time>0.55 then
              n=pre(n)+1;
            else
              n=pre(n);
            end if;
          end when;
        end M;
        """,
        {"n": 5},
    ),
    Case(
        "reinit array",
        """
        model M
          Real x[2](start={1,2});
        equation
          der(x)=zeros(2);
          when time>0.5 then
            reinit(x,{5,6});
          end when;
        end M;
        """,
        {"x[2]": 6},
    ),
    Case(
        "when constant",
        """
        model M
          Integer n(start=3,fixed=true);
        equation
          when true then
            n=1;
          end when;
        end M;
        """,
        {"n": 3},
    ),
    Case(
        "when for",
        """
        model M
          Integer n[3](each start=0,each fixed=true);
        equation
          when time>0.5 then
            for i in 1:3 loop
              n[i]=i;
            end for;
          end when;
        end M;
        """,
        {"n[3]": 3},
    ),
    Case(
        "for when",
        """
        model M
          Integer n[3](each start=0,each fixed=true);
        equation
          for i in 1:3 loop
            when time>0.2*i then
              n[i]=i;
            end when;
          end for;
        end M;
        """,
        {"n[3]": 3},
    ),
    Case(
        "when tuple",
        """
        function f
          input Real x;
          output Real a;
          output Real b;
        algorithm
          a:=x;
          b:=2*x;
        end f;
        model M
          Real a(start=0,fixed=true);
          Real b(start=0,fixed=true);
        equation
          when time>0.5 then
            (a,b)=f(3);
          end when;
        end M;
        """,
        {"a": 3, "b": 6},
    ),
    Case(
        "when record",
        """
        record R
          Real a;
          Real b;
        end R;
        model M
          R r(a(start=0,fixed=true),b(start=0,fixed=true));
        equation
          when time>0.5 then
            r=R(1,2);
          end when;
        end M;
        """,
        {"r.b": 2},
    ),
    Case(
        "when array",
        """
        model M
          Real x[2](each start=0,each fixed=true);
        equation
          when time>0.5 then
            x={1,2};
          end when;
        end M;
        """,
        {"x[2]": 2},
    ),
    Case(
        "if-equation when inside parameter",
        """
        model M
          parameter Boolean p=true;
          Integer n(start=0,fixed=true);
        equation
          if p then
            when time>0.5 then
              n=1;
            end when;
          else
            n=2;
          end if;
        end M;
        """,
        {"n": 1},
    ),
    Case(
        "edge of a relation",
        """
        model M
          Boolean b=time>0.5;
          Integer n(start=0,fixed=true);
        equation
          when edge(b) then
            n=pre(n)+1;
          end when;
        end M;
        """,
        {"n": 1},
    ),
    Case(
        "pre of a continuous variable when",
        """
        model M
          Real x=time;
          Real y(start=0,fixed=true);
        equation
          when time>0.5 then
            y=pre(x);
          end when;
        end M;
        """,
        {"y": 0.5},
    ),
]

REFUSALS = [
    Refusal(
        "when twice same branch",
        """
        model M
          Integer n(start=0,fixed=true);
        equation
          when time>0.5 then
            n=1;
            n=2;
          end when;
        end M;
        """,
        "E202",
    ),
    Refusal(
        "two reinit",
        """
        model M
          Real x(start=1);
        equation
          der(x)=1;
          when time>0.5 then
            reinit(x,0);
          end when;
          when time>0.7 then
            reinit(x,0);
          end when;
        end M;
        """,
        "E202",
    ),
    Refusal(
        "reinit nonstate",
        """
        model M
          Real x;
        equation
          x=time;
          when time>0.5 then
            reinit(x,0);
          end when;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "reinit discrete",
        """
        model M
          Integer x;
        equation
          x=1;
          when time>0.5 then
            reinit(x,0);
          end when;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "when in initial",
        """
        model M
          Integer n(start=0,fixed=true);
        initial equation
          when time>1 then
            n=1;
          end when;
        equation
          n=1;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "nested when",
        """
        model M
          Integer n;
        equation
          when time>0.5 then
            when time>0.6 then
              n=1;
            end when;
          end when;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "when continuous real conditional component",
        """
        model M
          Integer n;
        equation
          when time then
            n=1;
          end when;
        end M;
        """,
        "E205",
    ),
    Refusal(
        "when noEvent",
        """
        model M
          Integer n(start=0,fixed=true);
        equation
          when noEvent(time>0.5) then
            n=1;
          end when;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "when of an expression",
        """
        model M
          Real x;
        equation
          when time>0.5 then
            2*x=3;
          end when;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "pre of a continuous variable",
        """
        model M
          Real x=time;
          Real y=pre(x);
        end M;
        """,
        "E211",
    ),
    Refusal(
        "discrete continuous",
        """
        model M
          discrete Real y;
        equation
          y=time;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "integer noEvent",
        """
        model M
          Integer y = if noEvent(time>0.5) then 1 else 2;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "boolean noEvent",
        """
        model M
          Boolean b = noEvent(time>0.5);
        end M;
        """,
        "E211",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
