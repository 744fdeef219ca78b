"""Connections of inputs and outputs: what is driven by what (section 9.3)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "free input used",
        """
        model M
          input Real u(start=3);
          Real y = u;
        end M;
        """,
        {"y": 3},
    ),
    Case(
        "free input connector",
        """
        connector RI = input Real;
        connector RO = output Real;
        block G
          RI u;
          RO y;
        equation
          y = 2*u;
        end G;
        model M
          RI u(start=3);
          RO y;
          G g;
        equation
          connect(u,g.u);
          connect(g.y,y);
        end M;
        """,
        {"y": 6},
    ),
    Case(
        "input connector nested",
        """
        connector B
          input Real u;
          output Real y;
        end B;
        model M
          B b;
        equation
          b.y = 2*b.u;
        end M;
        """,
        {"b.y": 0},
    ),
    Case(
        "block input and output",
        """
        block B
          input Real u;
          output Real y;
        equation
          y=2*u;
        end B;
        model M
          B b(u=time);
          Real z=b.y;
        end M;
        """,
        {"z": 2},
    ),
    Case(
        "protected input as node",
        """
        connector RI=input Real;
        connector RO=output Real;
        block C
          RO y=3;
        end C;
        model M
          C c;
          Real z=n;
        protected
          RI n;
        equation
          connect(c.y,n);
        end M;
        """,
        {"z": 3},
    ),
    Case(
        "block input and output equation",
        """
        block B
          input Real u;
          output Real y;
        equation
          y=2*u;
        end B;
        model M
          B b;
          Real z=b.y;
        equation
          b.u=time;
        end M;
        """,
        {"z": 2},
    ),
    Case(
        "a signal of an array of blocks",
        """
        connector InPort = input Real;
        connector OutPort = output Real;
        block MatrixGain
          parameter Real A[:, :] = [1];
          InPort u[size(A, 2)];
          OutPort y[size(A, 1)];
        equation
          y = A*u;
        end MatrixGain;
        block Source
          parameter Real k = 1;
          OutPort y = k;
        end Source;
        model M
          Source s[3](k = {1, 2, 3});
          MatrixGain gain(A = 5*identity(3));
          MatrixGain gain2(A = ones(2, 3));
          OutPort x[2];
        equation
          connect(s.y, gain.u);
          connect(gain.y, gain2.u);
          connect(gain2.y, x);
        end M;
        """,
        {"x[1]": 30, "x[2]": 30},
    ),
    Case(
        "connected Integers and Booleans",
        """
        connector IntegerOutput = output Integer;
        connector IntegerInput = input Integer;
        connector BooleanOutput = output Boolean;
        connector BooleanInput = input Boolean;
        block Give
          IntegerOutput n = 3;
          BooleanOutput b = time > 0.5;
        end Give;
        block Take
          IntegerInput n;
          BooleanInput b;
          Integer twice = 2*n;
          Boolean other = not b;
        end Take;
        model M
          Give g;
          Take t;
        equation
          connect(g.n, t.n);
          connect(t.b, g.b);
        end M;
        """,
        {"t.twice": 6, "t.other": 0},
    ),
    Case(
        "a connector with variables of both directions",
        """
        connector Step
          output Boolean occupied;
          input Boolean set;
        end Step;
        connector Transition
          input Boolean occupied;
          output Boolean set;
        end Transition;
        model S
          Step step;
        equation
          step.occupied = true;
        end S;
        model T
          Transition t;
        equation
          t.set = not t.occupied;
        end T;
        model M
          S s;
          T t;
          Real z = if s.step.set then 1 else 2;
        equation
          connect(s.step, t.t);
        end M;
        """,
        {"z": 2},
    ),
]

REFUSALS = [
    Refusal(
        "a signal with a potential",
        """
        connector A
          input Real x;
          Real v;
          flow Real i;
        end A;
        connector B
          Real x;
          output Real v;
          flow Real i;
        end B;
        model M
          A a;
          B b;
        equation
          connect(a, b);
        end M;
        """,
        "E210",
        ("a.x", "input", "b.x"),
    ),
    Refusal(
        "an input of a component that only its inside is connected to",
        """
        connector RI = input Real;
        block Inner
          RI u;
          Real z = u;
        end Inner;
        block Outer
          RI u;
          Inner i;
        equation
          connect(u, i.u);
        end Outer;
        model M
          Outer o;
        end M;
        """,
        "E210",
        ("o.u", "no value"),
    ),
    Refusal(
        "two outputs of protected components",
        """
        connector RI = input Real;
        connector RO = output Real;
        block A
          RO y = 1;
        end A;
        model M
        protected
          A a;
          A b;
        equation
          connect(a.y, b.y);
        end M;
        """,
        "E210",
        ("two sources",),
    ),
    Refusal(
        "connector Real without causality",
        """
        connector R = Real;
        model S
          R r;
        equation
          r=4;
        end S;
        model M
          S s;
        end M;
        """,
        "E210",
        ("1 potential", "0 flow", "output"),
    ),
    Refusal(
        "double source",
        """
        connector RI=input Real;
        connector RO=output Real;
        block A
          RO y=1;
        end A;
        block B
          RI u;
          Real z=u;
        end B;
        model M
          A a;
          A a2;
          B b;
        equation
          connect(a.y,b.u);
          connect(a2.y,b.u);
        end M;
        """,
        "E210",
    ),
    Refusal(
        "block open",
        """
        block B
          input Real u;
          output Real y;
        equation
          y=2*u;
        end B;
        model M
          B b;
        end M;
        """,
        "E210",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
