"""Algorithm sections: values on entry, branches, loops, when-statements, tuples (chapter 11)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "algorithm: when",
        """
        model M
          Integer n(start=0,fixed=true);
          Integer k(start=0,fixed=true);
        algorithm
          when time>0.5 then
            n:=pre(n)+1;
          elsewhen time>0.2 then
            n:=10;
          end when;
          when n > 10 then
            k:=n;
          end when;
        end M;
        """,
        {"n": 11, "k": 11},
    ),
    Case(
        "algorithm: arrays",
        """
        model M
          Real x[3];
          Integer i;
        algorithm
          i:=2;
          x:=zeros(3);
          x[i]:=5;
          for k in 1:3 loop
            x[k]:=x[k]+k;
          end for;
        end M;
        """,
        {"x[2]": 7, "x[1]": 1, "x[3]": 3},
    ),
    Case(
        "algorithm: if",
        """
        model M
          Real x;
          Real y;
        algorithm
          y:=0;
          if time>0.5 then
            x:=1;
            y:=x+1;
          elseif time>0.2 then
            x:=2;
          else
            x:=3;
          end if;
        end M;
        """,
        {"x": 1, "y": 2},
    ),
    Case(
        "algorithm: start",
        """
        model M
          Real x(start=4);
          Real y;
        algorithm
          y:=x;
          x:=time;
        end M;
        """,
        {"y": 4, "x": 1},
    ),
    Case(
        "algorithm: discrete pre",
        """
        model M
          discrete Real x(start=1,fixed=true);
        algorithm
          when sample(0.25,0.25) then
            x:=2*x;
          end when;
        end M;
        """,
        {"x": 8},
        stop_time=0.9,
    ),
    Case(
        "algorithm: record",
        """
        record R
          Real a;
          Real b;
        end R;
        model M
          R r;
          R s;
        algorithm
          r:=R(1,2);
          r:=R(r.b,r.a);
          s.a:=r.a;
          s.b:=3;
        end M;
        """,
        {"r.a": 2, "r.b": 1, "s.a": 2},
    ),
    Case(
        "algorithm: tuple",
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
          Real a;
          Real b;
        algorithm
          (a,b):=f(time);
          (b,a):=f(a+b);
        end M;
        """,
        {"b": 3, "a": 6},
    ),
    Case(
        "algorithm: assert if",
        """
        model M
          Real x=time;
        algorithm
          if x>2 then
            assert(x<0.5,"too big");
          end if;
        end M;
        """,
        {"x": 1},
    ),
    Case(
        "algorithm: terminate",
        """
        model M
          Real x=time;
        algorithm
          when x>0.5 then
            terminate("done");
          end when;
        end M;
        """,
        {"x": 0.5},
    ),
    Case(
        "terminate alg if",
        """
        model M
          Real x=time;
        algorithm
          if x>0.5 then
            terminate("e");
          end if;
        end M;
        """,
        {"x": 0.5},
    ),
    Case(
        "edge in algorithm",
        """
        model M
          Boolean b(start=false);
          Integer n(start=0);
        algorithm
          b := time > 0.5;
          if edge(b) then
            n := pre(n)+1;
          end if;
        end M;
        """,
        {"n": 1},
    ),
    Case(
        "change in algorithm",
        """
        model M
          Integer k(start=0);
          Integer n(start=0);
        algorithm
          k := if time > 0.5 then 2 else 0;
          if change(k) then
            n := pre(n)+1;
          end if;
        end M;
        """,
        {"n": 1},
    ),
    Case(
        "initial alg",
        """
        model M
          Real x;
          parameter Real p(fixed=false);
        initial algorithm
          p:=4;
          x:=p+1;
        equation
          der(x)=0*p;
        end M;
        """,
        {"x": 5, "p": 4},
    ),
]

REFUSALS = [
    Refusal(
        "algorithm: scalar to record",
        """
        record R
          Real a;
        end R;
        model M
          R r;
        algorithm
          r:=3;
        end M;
        """,
        "E206",
    ),
    Refusal(
        "algorithm: loopvar",
        """
        model M
          Real x;
        algorithm
          for i in 1:3 loop
            i:=2;
            x:=1;
          end for;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "algorithm: assert",
        """
        model M
          Real x=time;
        algorithm
          assert(x<0.5,"too big");
        end M;
        """,
        "E406",
    ),
    Refusal(
        "algorithm: message",
        """
        model M
          Real x=time;
          Real y;
        algorithm
          y:=2*x;
          assert(y<1,"y is "+String(y));
        end M;
        """,
        "E406",
    ),
    Refusal(
        "assign parameter alg",
        """
        model M
          parameter Real p=1;
        algorithm
          p:=2;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "assign constant alg",
        """
        model M
          constant Real p=1;
        algorithm
          p:=2;
        end M;
        """,
        "E211",
    ),
    Refusal(
        "assign size alg",
        """
        model M
          Real x[2];
        algorithm
          x:={1,2,3};
        end M;
        """,
        "E206",
    ),
    Refusal(
        "assign type alg",
        """
        model M
          Integer x;
        algorithm
          x:=1.5;
        end M;
        """,
        "E205",
    ),
    Refusal(
        "when in initial section alg",
        """
        model M
          Integer n(start=0,fixed=true);
        initial algorithm
          when time>1 then
            n:=1;
          end when;
        equation
          n=1;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "nested when alg",
        """
        model M
          Integer n;
        algorithm
          when time>0.5 then
            when time>0.6 then
              n:=1;
            end when;
          end when;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "algorithm: in two sections same var",
        """
        model M
          Real x;
        algorithm
          x:=1;
        algorithm
          x:=2;
        end M;
        """,
        "E301",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
