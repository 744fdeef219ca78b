"""Statements of functions: loops, returns, swaps, several results, assertions (chapter 11)."""

from __future__ import annotations

from lower_case import Case, check_values, named

VALUES = [
    Case(
        "record swap function",
        """
        record R
          Real a;
          Real b;
        end R;
        function f
          input R r;
          output R q;
        algorithm
          q := r;
          q := R(q.b,q.a);
        end f;
        model M
          R r = f(R(1,2));
        end M;
        """,
        {"r.a": 2, "r.b": 1},
    ),
    Case(
        "assert named function",
        """
        function f
          input Real x;
          output Real s;
        algorithm
          assert(message="neg", condition = x >= 0);
          s := x;
        end f;
        model M
          Real s = f(2);
        end M;
        """,
        {"s": 2},
    ),
    Case(
        "while function",
        """
        function f
          input Real x;
          output Integer n;
        protected
          Real y=x;
        algorithm
          n:=0;
          while y>1 loop
            y:=y/2;
            n:=n+1;
            if n>50 then
              break;
            end if;
          end while;
        end f;
        model M
          Integer n=f(100.0);
        end M;
        """,
        {"n": 7},
    ),
    Case(
        "return function",
        """
        function f
          input Real x;
          output Real y;
        algorithm
          y:=1;
          for i in 1:10 loop
            y:=y*x;
            if y>100 then
              return;
            end if;
          end for;
          y:=-1;
        end f;
        model M
          Real y=f(3);
          Real z=f(1);
        end M;
        """,
        {"y": 243, "z": -1},
    ),
    Case(
        "function: nested call",
        """
        function g
          input Real x[2];
          output Real y[2];
        algorithm
          y:={x[2],x[1]};
        end g;
        function f
          input Real x[2];
          output Real y[2];
        algorithm
          y:=g(g(x));
          y:=g(y)+g(y);
        end f;
        model M
          Real y[2]=f({1,2});
        end M;
        """,
        {"y[1]": 4, "y[2]": 2},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)
