"""Enumerations: literals, sizes, ranges, comparison, conversion (section 4.9.5)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "enumeration",
        """
        type C=enumeration(red,green,blue);
        model M
          C c = C.green;
          Real x[C] = {1,2,3};
          Real y = x[C.blue];
          Real z=x[c];
          Boolean b = c < C.blue;
          Integer i = Integer(c);
          Real s=sum(x[k] for k in C.red:C.green);
          Real t = sum(1 for k in C);
          C d = C(3);
        end M;
        """,
        {"y": 3, "z": 2, "b": 1, "i": 2, "s": 3, "t": 3, "d": 3},
    ),
    Case(
        "enumeration parameter",
        """
        type T=enumeration(a,b,c);
        model M
          parameter T t=T.b;
          Real x=if t==T.a then 1 elseif t==T.b then 2 else 3;
        end M;
        """,
        {"x": 2},
    ),
    Case(
        "enumeration array dimension",
        """
        type T=enumeration(a,b,c);
        model M
          Real x[T,2];
        equation
          for t in T loop
            x[t,1]=Integer(t);
            x[t,2]=-Integer(t);
          end for;
        end M;
        """,
        {"x[3,2]": -3},
    ),
    Case(
        "enumeration package",
        """
        package P
          type T=enumeration(a,b);
          constant T d=T.b;
        end P;
        model M
          import P.T;
          T t=P.T.b;
          T u=T.a;
          T v=P.d;
          Boolean e=t==v;
        end M;
        """,
        {"t": 2, "e": 1},
    ),
    Case(
        "enumeration order",
        """
        type T=enumeration(a,b,c);
        model M
          T t=max(T.a,T.c);
          Boolean b=T.a<T.b;
        end M;
        """,
        {"t": 3, "b": 1},
    ),
]

REFUSALS = [
    Refusal(
        "enumeration bad",
        """
        type C=enumeration(red,green,blue);
        model M
          C c = C.gren;
        end M;
        """,
        "E201",
    ),
    Refusal(
        "enumeration out of range conversion",
        """
        type T=enumeration(a,b,c);
        model M
          T t=T(4);
        end M;
        """,
        "E206",
    ),
    Refusal(
        "duplicate literal",
        """
        type T=enumeration(a,b,a);
        model M
          T t=T.a;
        end M;
        """,
        "E202",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
