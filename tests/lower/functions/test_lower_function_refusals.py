"""Functions and calls that are refused (chapter 12)."""

from __future__ import annotations

from lower_case import Refusal, check_refusal, named

REFUSALS = [
    Refusal(
        "size of an input by an output",
        """
        function f
          input Real a[y];
          output Real y;
        algorithm
          y := sum(a);
        end f;
        model M
          Real x = f({1, 2}) + g;
        end M;
        """,
        "E201",
    ),
    Refusal(
        "output without bounds",
        """
        function f
          input Real x;
          output Real y[9007199254740993];
        algorithm
          y[1] := x;
        end f;
        model M
          Real x = sum(f(time));
        end M;
        """,
        "E206",
        ("far too many",),
    ),
    Refusal(
        "vectorised call with several results",  # section 12.4.6: functions with one result
        """
        function g
          input Real x;
          output Real a = x + 1;
          output Real b = 10*x;
        end g;
        model M
          Real p[2], q[2];
        equation
          (p, q) = g({1, 2});
        end M;
        """,
        "E212",
    ),
    Refusal(
        "public variable",  # section 12.2
        """
        function f
          input Real a;
          output Real y;
          Real c;
        algorithm
          c := a;
          y := c;
        end f;
        model M
          Real x = f(1);
        end M;
        """,
        "E209",
        ("neither an input nor an output",),
    ),
    Refusal(
        "outer variable",  # section 12.2
        """
        function f
          input Real a;
          output Real y = a + k;
        protected
          outer Real k;
        end f;
        model M
          inner Real k = 1;
          Real x = f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "size that varies with the run",
        """
        function f
          input Real x[:];
          output Real y[:];
        algorithm
          y := fill(0.0, 0);
          for i in 1:size(x, 1) loop
            if x[i] > 0 then
              y := cat(1, y, x[i:i]);
            end if;
          end for;
        end f;
        model M
          Real x = sum(f({time, 1}));
        end M;
        """,
        "E204",
        ("at translation",),
    ),
    Refusal(
        "break outside of a loop",
        """
        function f
          input Real x;
          output Real y = x;
        algorithm
          break;
        end f;
        model M
          Real x = f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "endless loop with texts",
        """
        function f
          output String s = "";
        algorithm
          while s <> "b" loop
            s := "a";
          end while;
        end f;
        model M
          parameter Integer n = if f() == "a" then 1 else 2;
          Real x[n];
        end M;
        """,
        "E208",
        ("does not end",),
    ),
    Refusal(
        "ever longer text",
        """
        function f
          output String s = "a";
        algorithm
          while true loop
            s := s + s;
          end while;
        end f;
        model M
          parameter Integer n = if f() == "a" then 1 else 2;
          Real x[n];
        end M;
        """,
        "E208",
        ("too long",),
    ),
    Refusal(
        "endless recursion with texts",
        """
        function f
          input String s;
          output Integer n = f(s + "a");
        end f;
        model M
          parameter Integer n = f("");
          Real x[n];
        end M;
        """,
        "E208",
        ("deep",),
    ),
    Refusal(
        "assertion at translation",
        """
        function f
          input String s;
          output Integer n = 2;
        algorithm
          assert(s <> "none", "no " + s + " here");
        end f;
        model M
          parameter String s = "none";
          Real x[f(s)];
        end M;
        """,
        "E208",
        ("no none here",),
    ),
    Refusal(
        "function without outputs as a value",
        """
        function f
          input Real x;
        algorithm
          assert(x > 0, "not positive");
        end f;
        model M
          Real y = 1 + f(1);
        end M;
        """,
        "E212",
    ),
    Refusal(
        "function argument that is no function",
        """
        partial function F
          input Real x;
          output Real y;
        end F;
        function g
          input F f;
          output Real y = f(1);
        end g;
        model M
          Real y = g(2);
        end M;
        """,
        "E205",
    ),
    Refusal(
        "function argument with other inputs",
        """
        partial function F
          input Real x;
          output Real y;
        end F;
        function h
          input Real x;
          input Real k;
          output Real y = k*x;
        end h;
        function g
          input F f;
          output Real y = f(1);
        end g;
        model M
          Real y = g(h);
        end M;
        """,
        "E205",
        ("x, k",),
    ),
    Refusal(
        "partial application of an unknown input",
        """
        partial function F
          input Real x;
          output Real y;
        end F;
        function h
          extends F;
          input Real gain;
        algorithm
          y := gain*x;
        end h;
        function g
          input F f;
          output Real y = f(1);
        end g;
        model M
          Real y = g(function h(gian = 2));
        end M;
        """,
        "E212",
        ("gain",),
    ),
    Refusal(
        "function: varying n",
        """
        function f
          input Integer n;
          output Real y;
        protected
          Real a[n];
        algorithm
          a:=ones(n);
          y:=sum(a);
        end f;
        model M
          Integer n=integer(3*time)+1;
          Real y=f(n);
        end M;
        """,
        "E208",
    ),
    Refusal(
        "function: infinite while",
        """
        function f
          output Integer y;
        algorithm
          y:=0;
          while true loop
            y:=y+1;
          end while;
        end f;
        model M
          parameter Integer n=f();
          Real x[n];
        end M;
        """,
        "E208",
    ),
    Refusal(
        "endless recursion",
        """
        function f
          input Integer n;
          output Integer y;
        algorithm
          y := f(n+1);
        end f;
        model M
          parameter Integer k = f(1);
          Real x[k];
        end M;
        """,
        "E208",
    ),
    Refusal(
        "function: few args",
        """
        function f
          input Real a;
          output Real y=a;
        end f;
        model M
          Real x=f();
        end M;
        """,
        "E212",
    ),
    Refusal(
        "function: many",
        """
        function f
          input Real a;
          output Real y=a;
        end f;
        model M
          Real x=f(1,2);
        end M;
        """,
        "E212",
    ),
    Refusal(
        "function: type",
        """
        function f
          input Integer a;
          output Real y=a;
        end f;
        model M
          Real x=f(1.5);
        end M;
        """,
        "E205",
    ),
    Refusal(
        "function: Boolean",
        """
        function f
          input Real a;
          output Real y=a;
        end f;
        model M
          Real x=f(true);
        end M;
        """,
        "E205",
    ),
    Refusal(
        "function: without output",
        """
        function f
          input Real a;
        algorithm
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E212",
    ),
    Refusal(
        "function: equation",
        """
        function f
          input Real a;
          output Real y;
        equation
          y=a;
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "function: assign input",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          a:=2;
          y:=a;
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E211",
    ),
    Refusal(
        "function: unknown",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          y:=b;
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E201",
    ),
    Refusal(
        "function: assign unknown",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          z:=a;
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E201",
    ),
    Refusal(
        "function: global var",
        """
        model M
          Real g=1;
          function f
            input Real a;
            output Real y;
          algorithm
            y:=a+g;
          end f;
          Real x=f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "function: dimension",
        """
        function f
          input Real a[3];
          output Real y;
        algorithm
          y:=sum(a);
        end f;
        model M
          Real x=f({1,2});
        end M;
        """,
        "E206",
    ),
    Refusal(
        "function: dimension n",
        """
        function f
          input Integer n;
          input Real a[n];
          output Real y;
        algorithm
          y:=sum(a);
        end f;
        model M
          Real x=f(3,{1,2});
        end M;
        """,
        "E206",
    ),
    Refusal(
        "function: when",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          when a>1 then
            y:=1;
          end when;
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "function: der",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          y:=der(a);
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "function: time",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          y:=time;
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "function: pre",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          y:=pre(a);
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "function: sample",
        """
        function f
          input Real a;
          output Real y;
        algorithm
          y:=if sample(0,1) then 1 else 2;
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "model as function",
        """
        model A
          Real x=1;
        end A;
        model M
          Real x=A(1);
        end M;
        """,
        "E209",
    ),
    Refusal(
        "external",
        """
        function f
          input Real a;
          output Real y;
          external "C";
        end f;
        model M
          Real x=f(1);
        end M;
        """,
        "E204",
    ),
]


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
