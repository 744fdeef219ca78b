"""User functions: arguments, results, sizes, recursion, vectorised calls (chapter 12)."""

from __future__ import annotations

from lower_case import Case, check_values, named

VALUES = [
    Case(
        "enumerations through tuples, arrays and loops",
        """
        type E = enumeration(a, b, c);
        record T
          E kind;
          Real v;
        end T;
        function scan
          input Real x;
          output T t = T(E.b, x);
          output E last = if x > 2 then E.c else E.a;
        end scan;
        function f
          input Real x;
          output Real y;
        protected
          T t;
          E e;
          E es[2];
        algorithm
          (t, e) := scan(x);
          es := {e, t.kind};
          es := {es[2], es[1]};
          y := if t.kind == E.b and e == E.a and es[2] == E.a then 1 else 0;
          for k in {E.a, E.b} loop
            e := k;
          end for;
          y := y + (if e == E.b then 10 else 0);
        end f;
        model M
          Real y = f(time);
        end M;
        """,
        {"y": 11},
    ),
    Case(
        "function: a record with an enumeration among several results",
        """
        model M
          type Kind = enumeration(a, b, c);
          record R
            Kind k;
            Real x;
          end R;
          function f
            input Real u;
            output R r;
            output Integer n;
          algorithm
            r.k := if u > 0 then Kind.b else Kind.c;
            r.x := u;
            n := 3;
          end f;
          function g
            input Real u;
            output Real y;
          protected
            R r;
            Integer n;
          algorithm
            (r, n) := f(u);
            y := if r.k == Kind.b then r.x + n else 0;
          end g;
          Real y = g(time + 1);
        end M;
        """,
        {"y": 5},
    ),
    Case(
        "semiLinear of arrays",  # section 12.4.6
        "model M\n Real y[2] = semiLinear(1 - 2*time, {1, 2}, {3, 4});\nend M;",
        {"y[1]": -3, "y[2]": -4},
    ),
    Case(
        "names from the top",  # section 5.3: a leading dot
        """
        function cos
          input Real x;
          output Real y = -1;
        end cos;
        model M
          function sin
            input Real x;
            output Real y = .sin(x) + 1;
          end sin;
          Real a = sin(0*time);
          Real b = .sin(0*time);
          Real c = .cos(0);
        end M;
        """,
        {"a": 1, "b": 0, "c": -1},
    ),
    Case(
        "array constructor as a function",  # section 10.4
        "model M\n Real x[3] = array(1, 2, time);\n Real y[2,1] = array({1}, {2*time});\nend M;",
        {"x[2]": 2, "x[3]": 1, "y[2,1]": 2},
    ),
    Case(
        "function: named",
        """
        function f
          input Real a;
          input Real b=a+1;
          input Real c=2*b;
          output Real y;
        algorithm
          y:=a+10*b+100*c;
        end f;
        model M
          Real y=f(1);
          Real z=f(1,c=3);
          Real w=f(b=1,a=2);
        end M;
        """,
        {"y": 421, "z": 321, "w": 212},
    ),
    Case(
        "function: vectorised",
        """
        function f
          input Real a;
          input Real b;
          output Real y;
        algorithm
          y:=a+10*b;
        end f;
        model M
          Real y[2]=f({1,2},3);
          Real z[2]=f({1,2},{3,4});
          Real w[2,2]=f({{1,2},{3,4}},1);
        end M;
        """,
        {"y[2]": 32, "z[2]": 42, "w[2,1]": 13},
    ),
    Case(
        "function: record array",
        """
        record R
          Real a;
          Real v[2];
        end R;
        function f
          input R r;
          output R s;
        algorithm
          s.a := 2*r.a;
          s.v := r.v*3;
          s.v[1] := -1;
        end f;
        model M
          R r = f(R(1,{2,3}));
          R z[2] = {R(1,{1,1}),R(2,{2,2})};
          Real t=sum(z.a);
          Real u[2]=z.v[2];
          Real w=z[2].v[1];
        end M;
        """,
        {"r.a": 2, "r.v[2]": 9, "r.v[1]": -1, "t": 3, "w": 2},
    ),
    Case(
        "function: record default",
        """
        record R
          Real a=1;
          Real b=2;
        end R;
        function f
          input Real x;
          output R r;
        algorithm
          r.a:=x;
        end f;
        model M
          R r=f(5);
        end M;
        """,
        {"r.a": 5, "r.b": 2},
    ),
    Case(
        "function: record vector",
        """
        record R
          Real a;
          Real b;
        end R;
        function f
          input R r;
          output Real y;
        algorithm
          y:=r.a+10*r.b;
        end f;
        model M
          R r[2]={R(1,2),R(3,4)};
          Real y[2]=f(r);
        end M;
        """,
        {"y[2]": 43},
    ),
    Case(
        "function: matrix",
        """
        function f
          input Real A[:,:];
          output Real B[size(A,2),size(A,1)];
        algorithm
          for i in 1:size(A,1) loop
            for j in 1:size(A,2) loop
              B[j,i]:=A[i,j];
            end for;
          end for;
        end f;
        model M
          Real B[3,2]=f({{1,2,3},{4,5,6}});
        end M;
        """,
        {"B[3,1]": 3, "B[1,2]": 4},
    ),
    Case(
        "function: array ops",
        """
        function f
          input Real x[:];
          output Real y[size(x,1)];
        algorithm
          y:=2*x;
          y[1]:=0;
          y[2:end]:=y[2:end]+ones(size(x,1)-1);
        end f;
        model M
          Real y[3]=f({1,2,3});
        end M;
        """,
        {"y[1]": 0, "y[3]": 7},
    ),
    Case(
        "function: sum comprehension",
        """
        function f
          input Integer n;
          output Real y;
        algorithm
          y:=sum(i^2 for i in 1:n);
        end f;
        model M
          Real y=f(4);
          parameter Integer k=3;
          Real z=f(k);
        end M;
        """,
        {"y": 30, "z": 14},
    ),
    Case(
        "function: zeros n",
        """
        function f
          input Integer n;
          output Real y;
        protected
          Real a[n];
        algorithm
          a:=zeros(n);
          for i in 1:n loop
            a[i]:=i;
          end for;
          y:=a*a;
        end f;
        model M
          Real y=f(4);
        end M;
        """,
        {"y": 30},
    ),
    Case(
        "function: size parameter structural",
        """
        function f
          input Integer n;
          output Integer m;
        algorithm
          m:=2*n;
        end f;
        model M
          parameter Integer n=2;
          Real x[f(n)]=1:f(n);
          Real s=sum(x);
        end M;
        """,
        {"s": 21},
        set={"n": 3},
    ),
    Case(
        "function: boolean",
        """
        function f
          input Boolean a;
          input Integer b;
          output Boolean y;
        algorithm
          y:=a and b>2;
        end f;
        model M
          Boolean y=f(time>0.5,3);
        end M;
        """,
        {"y": 1},
    ),
    Case(
        "function: constant",
        """
        function f
          input Real x;
          output Real y;
        protected
          constant Real c[2]={1,2};
          parameter Real k=3;
        algorithm
          y:=k*x+c[2];
        end f;
        model M
          Real y=f(1);
        end M;
        """,
        {"y": 5},
    ),
    Case(
        "function: package constant",
        """
        package P
          constant Real c=4;
          function f
            input Real x;
            output Real y;
          algorithm
            y:=c*x;
          end f;
        end P;
        model M
          Real y=P.f(2);
        end M;
        """,
        {"y": 8},
    ),
    Case(
        "function: fib",
        """
        function fib
          input Integer n;
          output Integer y;
        algorithm
          y:=if n<2 then n else fib(n-1)+fib(n-2);
        end fib;
        model M
          parameter Integer k=fib(10);
          Real x=fib(integer(time*6));
        end M;
        """,
        {"x": 8, "k": 55},
    ),
    Case(
        "function: mutual",
        """
        function a
          input Integer n;
          output Integer y;
        algorithm
          y:=if n<=0 then 0 else 1+b(n-1);
        end a;
        function b
          input Integer n;
          output Integer y;
        algorithm
          y:=if n<=0 then 0 else 1+a(n-1);
        end b;
        model M
          parameter Integer k=a(7);
          Real x=k;
        end M;
        """,
        {"x": 7},
    ),
    Case(
        "function: extends default",
        """
        function f
          input Real x;
          input Real k = 1;
          output Real y;
        algorithm
          y := k*x;
        end f;
        function g = f(k=3);
        function h
          extends f(k=4);
        end h;
        model M
          Real a = f(2);
          Real b = g(2);
          Real c = h(2);
        end M;
        """,
        {"a": 2, "b": 6, "c": 8},
    ),
    Case(
        "protected size",
        """
        function f
          input Real x[:];
          output Real y[size(x,1)];
        protected
          Integer n = size(x,1);
          Real z[n] = zeros(n);
        algorithm
          for i in 1:n loop
            z[i] := 2*x[i];
          end for;
          y := z;
        end f;
        model M
          Real y[3] = f({1,2,3});
        end M;
        """,
        {"y[3]": 6},
    ),
    Case(
        "factorial constant",
        """
        function fact
          input Integer n;
          output Integer y;
        algorithm
          y := if n <= 1 then 1 else n*fact(n-1);
        end fact;
        model M
          Integer y = fact(5);
          parameter Integer k = fact(3);
          Real x[k] = ones(k);
        end M;
        """,
        {"y": 120, "x[6]": 1},
    ),
    Case(
        "factorial stm",
        """
        function fact
          input Integer n;
          output Integer y;
        algorithm
          if n <= 1 then
            y := 1;
          else
            y := n*fact(n-1);
          end if;
        end fact;
        model M
          Integer y = fact(5);
        end M;
        """,
        {"y": 120},
    ),
    Case(
        "endless specialisation",
        """
        function f
          input Integer n;
          input Real x;
          output Real y;
        algorithm
          if x > 0 then
            y := f(n+1, x-1);
          else
            y := n;
          end if;
        end f;
        model M
          Real y = f(1, 2.5);
        end M;
        """,
        {"y": 4},
    ),
    Case(
        "homotopy order",
        """
        model M
          Real x = homotopy(simplified=0, actual=time);
        end M;
        """,
        {"x": 1},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)
