"""Subscripts: constant, varying, out of range, guarded by conditions (section 10.5)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "varying subscripts",
        """
        model M
          Integer i(start=1);
          Real x[3]={10,20,30};
          Real y;
        algorithm
          when sample(0.25,0.25) then
            i := mod(i,3)+1;
          end when;
        equation
          y=x[i];
        end M;
        """,
        {"y": 20},
        stop_time=1.1,
    ),
    Case(
        "guard index",
        """
        model M
          Integer i=integer(4*time);
          Real x[3]={1,2,3};
          Real y=if i>=1 and i<=3 then x[i] else 0;
        end M;
        """,
        {"y": 0},
    ),
    Case(
        "when index",
        """
        model M
          Integer i(start=0,fixed=true);
          Real x[3]={1,2,3};
          Real y(start=0,fixed=true);
        equation
          when sample(0.2,0.3) then
            i=pre(i)+1;
            y=x[pre(i)+1];
          end when;
        end M;
        """,
        {"y": 3},
        stop_time=0.95,
    ),
    Case(
        "algorithm: index",
        """
        model M
          Integer i;
          Real x[3];
        algorithm
          x:={1,2,3};
          i:=1;
          for k in 1:3 loop
            x[i]:=10*k;
            i:=i+1;
          end for;
        end M;
        """,
        {"x[3]": 30, "i": 4},
    ),
    Case(
        "algorithm: if index",
        """
        model M
          Integer i;
          Real x[3];
          Real y;
        algorithm
          i:=if time>0.5 then 2 else 7;
          x:={1,2,3};
          y:=0;
          if i<=3 then
            y:=x[i];
          end if;
        end M;
        """,
        {"y": 2},
    ),
    Case(
        "array of components slice",
        """
        model A
          Real x[2]={1,2};
        end A;
        model M
          A a[3];
          Real y[3]=a.x[2];
          Real z[3,2]=a.x;
          Real w[2,2]=a[2:3].x;
          Real v[3]=a[:].x[1];
        end M;
        """,
        {"y[3]": 2, "z[3,2]": 2, "v[2]": 1},
    ),
]

REFUSALS = [
    Refusal(
        "varying subscripts out of range",
        """
        model M
          Integer i=integer(4*time)+1;
          Real x[3]={10,20,30};
          Real y=x[i];
        end M;
        """,
        "E406",
    ),
    Refusal(
        "subscripts out of range",
        """
        model M
          Real x[3]={10,20,30};
          Real y=x[4];
        end M;
        """,
        "E206",
    ),
    Refusal(
        "subscripts 0",
        """
        model M
          Real x[3]={10,20,30};
          Real y=x[0];
        end M;
        """,
        "E206",
    ),
    Refusal(
        "subscripts real",
        """
        model M
          Real x[3]={10,20,30};
          Real y=x[1.0];
        end M;
        """,
        "E205",
    ),
    Refusal(
        "subscripts too many",
        """
        model M
          Real x[3]={10,20,30};
          Real y=x[1,1];
        end M;
        """,
        "E206",
    ),
    Refusal(
        "ragged slice",
        """
        model A
          parameter Integer n=2;
          Real x[n]=ones(n);
        end A;
        model M
          A a[2](n={1,2});
          Real s=sum(a.x);
        end M;
        """,
        "E206",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
