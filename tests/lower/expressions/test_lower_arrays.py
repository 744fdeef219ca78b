"""Arrays: dimensions, ranges, slices, products, reductions, empty arrays (chapter 10)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "type alias",
        """
        type V=Real(unit="V",start=2);
        type V3=V[3];
        type V23 = V3[2];
        model M
          V3 a=1:3;
          V23 b={{1,2,3},{4,5,6}};
          V3 c[2]=b;
          Real s=size(b,1)*10+size(b,2);
        end M;
        """,
        {"a[3]": 3, "b[2,3]": 6, "c[2,1]": 4, "s": 23},
    ),
    Case(
        "short class array",
        """
        type V=Real[2];
        model A
          V v={1,2};
        end A;
        model M
          A a[2];
          Real s=a[2].v[1];
        end M;
        """,
        {"s": 1},
    ),
    Case(
        "type in model",
        """
        model M
          parameter Integer n=3;
          type V = Real[n];
          V x = ones(n);
        end M;
        """,
        {"x[3]": 1},
    ),
    Case(
        "arrays2",
        """
        model M
          parameter Real A[2,3]={{1,2,3},{4,5,6}};
          Real v[3]=A[2,:];
          Real w[2]=A[:,end];
          Real p[2]=A*{1,1,1};
          Real q[3]={1,1}*A;
          Real r[2,2]=A*transpose(A);
          Real d={1,2,3}*{4,5,6};
          Real c[4,3]=cat(1,A,A);
          Real e[2,6]=[A,A];
          Real f[3,2]={i*j+10*i for i in 1:2, j in 1:3};
          Real z=sum(A);
          Real m=max(A);
          Real n=min({i^2-3*i for i in 1:4});
          Real h[0];
          Real k=size(h,1)+sum(h);
          Real g[3]=A[1,{3,2,1}];
          Real pr=product(1:5);
          Real el[2,3]=A.*A;
          Real me=A[end,end-1];
        end M;
        """,
        {
            "v[3]": 6,
            "w[1]": 3,
            "w[2]": 6,
            "p[1]": 6,
            "q[3]": 9,
            "r[1,2]": 32,
            "d": 32,
            "c[3,1]": 1,
            "e[2,4]": 4,
            "f[3,2]": 26,
            "z": 21,
            "m": 6,
            "n": -2,
            "k": 0,
            "g[1]": 3,
            "pr": 120,
            "el[2,3]": 36,
            "me": 5,
        },
    ),
    Case(
        "zero arrays",
        """
        model M
          parameter Integer n=0;
          Real x[n];
          Real A[n,3];
          Real B[3,n];
          Real s=sum(x);
          Real y[3]=B*x;
          Real t[n]=A*{1,2,3};
          Real e[0,3]=transpose(B);
          Real q[3]=cat(1,x,{1,2,3});
        equation
          der(x)=-x;
          for i in 1:n loop
            A[i,1]=1;
          end for;
        end M;
        """,
        {"s": 0, "y[1]": 0, "q[3]": 3},
    ),
    Case(
        "zero 2",
        """
        model M
          parameter Integer n=0;
          Real A[2,0];
          Real B[0,2];
          Real C[2,2]=A*B;
          Real d[:,:] = {{i*j for i in 1:n} for j in 1:2};
          Real e=size(d,1)+10*size(d,2);
        end M;
        """,
        {"C[1,1]": 0, "e": 2},
    ),
    Case(
        "zero components",
        """
        model A
          Real x=1;
        end A;
        model M
          A a[0];
          Real s=sum(a.x);
        end M;
        """,
        {"s": 0},
    ),
    Case(
        "comprehension nested matrix",
        """
        model M
          Real x[2,2] = [1,2;3,4];
          Real y[2,1]=[1;2];
          Real z[1,2]=[1,2];
          Real w[2,3]=[x,y];
          Real v[3]=vector([1;2;3]);
          Real u=scalar({{5}});
          Real i[2,2]=identity(2);
        end M;
        """,
        {"w[2,3]": 2, "v[3]": 3, "u": 5, "i[2,2]": 1},
    ),
    Case(
        "matrix with vector",
        """
        model M
          Real x[2,2]=[{1,2},{3,4}];
        end M;
        """,
        {"x[1,2]": 3},
    ),
    Case(
        "elementwise",
        """
        model M
          Real x[2] = {1,2} .+ 1;
          Real y[2] = 2 .^ {1,2};
          Real z[2]=sin({0,0});
          Real w[2]={4,6}/2;
          Real v[2]=-{1,2};
          Real u[2]={1,2}*2;
          Real t[2] = 1 ./ {1,2};
        end M;
        """,
        {"x[2]": 3, "y[2]": 4, "w[2]": 3, "t[2]": 0.5},
    ),
    Case(
        "power of a matrix",
        """
        model M
          parameter Integer n=3;
          Real x[2,2] = [1,1;0,1]^n;
          Integer k[2,2]={{1,1},{0,1}}^2;
        end M;
        """,
        {"x[1,2]": 3},
    ),
    Case(
        "zeros Integer",
        """
        model M
          parameter Integer a[2] = zeros(2);
          parameter Integer b[2]=ones(2);
          parameter Integer c[2,2] = diagonal({1,2});
        end M;
        """,
        {"a[1]": 0, "b[2]": 1},
    ),
    Case(
        "conditional component component size",
        """
        model A
          parameter Integer n=2;
          Real x[n]=ones(n);
        end A;
        model M
          parameter Integer k=3;
          A a[k](n={1,2,3});
          Real s=sum(a[3].x);
        end M;
        """,
        {"s": 3},
    ),
    Case(
        "type in component modification",
        """
        model A
          parameter Real p[:]={1,2,3};
          Real s=sum(p);
        end A;
        model M
          A a;
          A b(p={4,5});
        end M;
        """,
        {"a.s": 6, "b.s": 9},
    ),
    Case(
        "negative step",
        """
        model M
          Real x[3]={i for i in 3:-1:1};
          Real y[:]=1:0;
        end M;
        """,
        {"x[1]": 3},
    ),
    Case(
        "real range",
        """
        model M
          Real x[:]=0:0.1:1;
          Real s=size(x,1);
        end M;
        """,
        {"s": 11},
    ),
    Case(
        "min array",
        """
        model M
          Real x[3]={3,1,2};
          Real a=min(x);
          Real b=max(x[1],x[2]);
        end M;
        """,
        {"a": 1, "b": 3},
    ),
    Case(
        "cat2",
        """
        model M
          Real x[2,3]=cat(2,{{1},{2}},{{3,4},{5,6}});
        end M;
        """,
        {"x[2,1]": 2, "x[2,3]": 6},
    ),
    Case(
        # Section 10.3.1: size(A, 1) is known where the second one is written.
        "own size in a later dimension",
        """
        model M
          parameter Real A[:, size(A, 1)] = {{1, 2}, {3, 4}};
          Real b[size(A, 2) + 1, 2*size(b, 1)] = ones(3, 6);
          Real s = sum(A) + 100*sum(b);
        end M;
        """,
        {"s": 1810},
    ),
    Case(
        "parameter if sizes",
        """
        model M
          parameter Integer n=2;
          parameter Real x[:]=if n==1 then {1} elseif n==2 then {1,2} else {1,2,3};
          Real s=sum(x);
        end M;
        """,
        {"s": 6},
        set={"n": 3},
    ),
    Case(
        "Boolean array dimension",
        """
        model M
          Real x[Boolean]={1,2};
          Boolean b=time>0.5;
          Real y=x[b];
          Real z=x[false];
        end M;
        """,
        {"y": 2, "z": 1},
    ),
]

REFUSALS = [
    Refusal(
        "vector+scalar",
        """
        model M
          Real x[2] = {1,2} + 1;
        end M;
        """,
        "E206",
    ),
    Refusal(
        "sum booleans",
        """
        model M
          Real x = sum({true,false});
        end M;
        """,
        "E205",
    ),
    Refusal(
        "huge array",
        """
        model M
          Real x[1000000000];
        end M;
        """,
        "E206",
    ),
    Refusal(
        "huge range",
        """
        model M
          parameter Real x = sum(1:1000000000);
        end M;
        """,
        "E206",
    ),
    Refusal(
        "cat bad",
        """
        model M
          Real x[:]=cat(1,{1},{{2}});
        end M;
        """,
        "E206",
    ),
    Refusal(
        "cat dimension",
        """
        model M
          Real x[:]=cat(2,{1},{2});
        end M;
        """,
        "E206",
    ),
    Refusal(
        "size cycle",
        """
        model M
          parameter Integer n = size(x,1);
          parameter Real x[n] = ones(n);
        end M;
        """,
        "E213",
    ),
    Refusal(
        "division by zero in a size",
        """
        model M
          parameter Integer n=1;
          Real x[div(n,0)];
        end M;
        """,
        "E208",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
