"""If-equations, for-equations, assert and terminate, initial equations (chapter 8)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "terminate if",
        """
        model M
          Real x=time;
        equation
          if x>0.5 then
            terminate("done");
          end if;
        end M;
        """,
        {"x": 0.5},
    ),
    Case(
        "terminate named",
        """
        model M
          Real x=time;
        equation
          when time>0.5 then
            terminate(message="x");
          end when;
        end M;
        """,
        {"x": 0.5},
    ),
    Case(
        "assert level",
        """
        model M
          Real x=time;
        equation
          assert(x<0.5,"hm",AssertionLevel.warning);
        end M;
        """,
        {"x": 1},
    ),
    Case(
        "if parameter",
        """
        model M
          parameter Integer k=2;
          Real x;
          Real y;
        equation
          if k==1 then
            x=1;
            y=2;
          elseif k==2 then
            x+y=3;
            x-y=1;
          else
            x=0;
            y=0;
          end if;
        end M;
        """,
        {"x": 2, "y": 1},
    ),
    Case(
        "if varying",
        """
        model M
          Real x;
          Real y;
        equation
          if time>0.5 then
            x=1;
            y=2;
          else
            y=x;
            x=5;
          end if;
        end M;
        """,
        {"x": 1, "y": 2},
    ),
    Case(
        "if Boolean",
        """
        model M
          Boolean a;
          Boolean b;
        equation
          if time>0.5 then
            a=true;
            b=not a;
          else
            b=a;
            a=false;
          end if;
        end M;
        """,
        {"a": 1, "b": 0},
    ),
    Case(
        "for equation",
        """
        model M
          Real x[3];
        equation
          for i in 1:3 loop
            x[i]=i*time;
          end for;
        end M;
        """,
        {"x[3]": 3},
    ),
    Case(
        "for nested",
        """
        model M
          Real x[2,3];
        equation
          for i in 1:2, j in 1:3 loop
            x[i,j]=i+10*j;
          end for;
        end M;
        """,
        {"x[2,3]": 32},
    ),
    Case(
        "for dependent",
        """
        model M
          Real x[3,3];
        equation
          for i in 1:3 loop
            for j in 1:i loop
              x[i,j]=1;
            end for;
            for j in i+1:3 loop
              x[i,j]=0;
            end for;
          end for;
        end M;
        """,
        {"x[3,1]": 1, "x[1,3]": 0},
    ),
    Case(
        "for set",
        """
        model M
          Real x[5];
        equation
          for i in {1,3,5} loop
            x[i]=i;
          end for;
          for i in 2:2:4 loop
            x[i]=-i;
          end for;
        end M;
        """,
        {"x[4]": -4, "x[5]": 5},
    ),
    Case(
        "if initial section",
        """
        model M
          parameter Boolean s=true;
          Real x;
        initial equation
          if s then
            der(x)=0;
          else
            x=1;
          end if;
        equation
          der(x)=2-x;
        end M;
        """,
        {"x": 2},
    ),
    Case(
        "initial equation",
        """
        model M
          Real x;
          parameter Real p(fixed=false);
        initial equation
          x=3;
          p=2*x;
        equation
          der(x)=-p*0;
        end M;
        """,
        {"x": 3, "p": 6},
    ),
]

REFUSALS = [
    Refusal(
        "assert in when",
        """
        model M
          Real x=time;
        equation
          when x>0.5 then
            assert(x<0.2,"hm");
          end when;
        end M;
        """,
        "E406",
    ),
    Refusal(
        "assert in for",
        """
        model M
          Real x[2]={time,2*time};
        equation
          for i in 1:2 loop
            assert(x[i]<1.5,"hm "+String(i));
          end for;
        end M;
        """,
        "E406",
    ),
    Refusal(
        "assert initial section",
        """
        model M
          parameter Real p=1;
          Real x=p;
        initial equation
          assert(p>2,"p small");
        end M;
        """,
        "E406",
    ),
    Refusal(
        "assert not Boolean",
        """
        model M
        equation
          assert(1,"x");
        end M;
        """,
        "E205",
    ),
    Refusal(
        "assert message number",
        """
        model M
        equation
          assert(time<2,3);
        end M;
        """,
        "E205",
    ),
    Refusal(
        "assert args",
        """
        model M
        equation
          assert(time<2);
        end M;
        """,
        "E212",
    ),
    Refusal(
        "terminate without text",
        """
        model M
        equation
          when time>0.5 then
            terminate();
          end when;
        end M;
        """,
        "E212",
    ),
    Refusal(
        "if parameter count",
        """
        model M
          parameter Boolean b=false;
          Real x;
        equation
          if b then
            x=1;
          else
            x=2;
            x=3;
          end if;
        end M;
        """,
        "E301",
    ),
    Refusal(
        "if without else, for a Boolean",
        """
        model M
          Boolean b;
        equation
          if time>0.5 then
            b=true;
          end if;
        end M;
        """,
        "E209",
        ("`b` is discrete",),
    ),
    Refusal(
        "if no Boolean in",
        """
        model M
          Real x;
        equation
          if 1 then
            x=1;
          else
            x=2;
          end if;
        end M;
        """,
        "E205",
    ),
    Refusal(
        "for no range",
        """
        model M
          Real x[3];
        equation
          for i loop
            x[1]=i;
          end for;
        end M;
        """,
        "E206",
        ("no range",),
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
