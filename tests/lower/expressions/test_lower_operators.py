"""Operators and predefined functions: types, rounding, events, text (chapter 3)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "semilinear",
        """
        model M
          Real x=semiLinear(time-0.5,2,3);
        end M;
        """,
        {"x": 1},
    ),
    Case(
        "smooth",
        """
        model M
          Real x=smooth(1,if time>0.5 then (time-0.5)^2 else 0);
          Real y=noEvent(if time>0.5 then 1 else 0);
        end M;
        """,
        {"x": 0.25, "y": 1},
    ),
    Case(
        "integer ==",
        """
        model M
          Integer k = integer(3*time);
          Real y = if k == 2 then 1 else 0;
          Real z = if floor(3*time)==2 then 1 else 0;
        end M;
        """,
        {"y": 1, "z": 1},
        stop_time=0.9,
    ),
    Case(
        "stepping functions",
        """
        model M
          Real y = mod(time, 0.3);
          Real z=rem(-time,0.3);
          Real w=div(time,0.3);
          Real c=ceil(3*time);
        end M;
        """,
        {"y": 0.2, "z": -0.2, "w": 2, "c": 3},
        stop_time=0.8,
    ),
    Case(
        "Boolean ops",
        """
        model M
          Boolean a = true;
          Boolean b = not a or (a and time > 0.5);
          Boolean c = a <> b;
          Boolean d = a == b;
        end M;
        """,
        {"b": 1, "c": 0, "d": 1},
    ),
    Case(
        "Integer ops",
        """
        model M
          Integer a=div(7,2);
          Integer b=mod(-7,3);
          Integer c=rem(-7,3);
          Integer d=integer(2.7);
          Real e=floor(-2.5);
          Real f=ceil(2.1);
          Integer g=abs(-3);
          Integer h=sign(-2.0);
          Integer i=div(-7,2);
          Real j=7/2;
          Integer k = max(1,2);
        end M;
        """,
        {"a": 3, "b": 2, "c": -1, "d": 2, "e": -3, "f": 3, "g": 3, "h": -1, "i": -3, "j": 3.5, "k": 2},
    ),
    Case(
        "strings",
        """
        model M
          parameter String s="a"+"b";
          parameter String t=s+String(3);
          Real x = if s == "ab" then 1 else 2;
        end M;
        """,
        {"x": 1},
    ),
    Case(
        "String parameter array",
        """
        model M
          parameter String s[2]={"a","b"};
          parameter Integer n=if s[1]=="a" then 2 else 3;
          Real x[n]=ones(n);
        end M;
        """,
        {"x[2]": 1},
    ),
]

REFUSALS = [
    Refusal(
        "smooth bad",
        """
        model M
          Real x=smooth(time,time);
        end M;
        """,
        "E208",
    ),
    Refusal(
        "sample var",
        """
        model M
          Integer n(start=0);
        equation
          when sample(0,time) then
            n=pre(n)+1;
          end when;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "Integer real assign",
        """
        model M
          Integer a=7/2;
        end M;
        """,
        "E205",
    ),
    Refusal(
        "no Boolean in not",
        """
        model M
          Boolean b=not 1;
        end M;
        """,
        "E205",
    ),
    Refusal(
        "comparing arrays",
        """
        model M
          Boolean b={1,2}=={1,2};
        end M;
        """,
        "E206",
    ),
    Refusal(
        "comparing Boolean real",
        """
        model M
          Boolean b=true==1;
        end M;
        """,
        "E205",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
