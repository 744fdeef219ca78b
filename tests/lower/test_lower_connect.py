"""Connection sets: signs, hierarchical connectors, arrays, causality, conditional components (chapter 9)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

PINS = """
connector Pin
  Real v;
  flow Real i;
end Pin;
model R
  Pin p;
  Pin n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end R;
model V
  Pin p;
  Pin n;
  parameter Real v = 6;
equation
  p.v - n.v = v;
  p.i + n.i = 0;
end V;
model G
  Pin p;
equation
  p.v = 0;
end G;
"""

VALUES = [
    Case(
        "connect hierarchy",
        """
        connector Pin
          Real v;
          flow Real i;
        end Pin;
        model R
          Pin p;
          Pin n;
          parameter Real R=1;
        equation
          p.v-n.v=R*p.i;
          p.i+n.i=0;
        end R;
        model V
          Pin p;
          Pin n;
        equation
          p.v-n.v=6;
          p.i+n.i=0;
        end V;
        model G
          Pin p;
        equation
          p.v=0;
        end G;
        model Sub
          Pin p;
          Pin n;
          R a(R=1);
          R b(R=2);
        equation
          connect(p,a.p);
          connect(a.n,b.p);
          connect(b.n,n);
        end Sub;
        model M
          Sub s;
          V v;
          G g;
        equation
          connect(v.p,s.p);
          connect(s.n,v.n);
          connect(v.n,g.p);
        end M;
        """,
        {"s.p.i": 2, "s.n.i": -2, "s.a.p.v": 6, "s.b.p.v": 4, "v.p.i": -2},
    ),
    Case(
        "connect left open",
        """
        connector Pin
          Real v;
          flow Real i;
        end Pin;
        model R
          Pin p;
          Pin n;
          parameter Real R=1;
        equation
          p.v-n.v=R*p.i;
          p.i+n.i=0;
        end R;
        model G
          Pin p;
        equation
          p.v=0;
        end G;
        model M
          R r;
          G g;
        equation
          connect(r.n,g.p);
        end M;
        """,
        {"r.p.i": 0, "r.p.v": 0},
    ),
    Case(
        "connect pin in pin",
        """
        connector Pin
          Real v;
          flow Real i;
        end Pin;
        connector Plug
          Pin a;
          Pin b;
        end Plug;
        model L
          Plug p;
        equation
          p.a.v-p.b.v=2*p.a.i;
          p.a.i+p.b.i=0;
        end L;
        model S
          Plug p;
        equation
          p.a.v=4;
          p.b.v=0;
        end S;
        model W
          Plug p;
          L l1;
          L l2;
        equation
          connect(p,l1.p);
          connect(p.a,l2.p.a);
          connect(p.b,l2.p.b);
        end W;
        model M
          W w;
          S s;
        equation
          connect(w.p,s.p);
        end M;
        """,
        {"w.p.a.i": 4, "s.p.a.i": -4, "w.l2.p.a.i": 2},
    ),
    Case(
        "conditional component connect",
        """
        connector C
          Real v;
          flow Real i;
        end C;
        model S
          C p;
        equation
          p.v = 2;
        end S;
        model M
          parameter Boolean b=false;
          C q if b;
          S s;
        equation
          connect(s.p,q);
        end M;
        """,
        {"s.p.v": 2, "s.p.i": 0},
    ),
    Case(
        "parameter in connector",
        """
        connector C
          parameter Integer n=2;
          Real v;
          flow Real i;
        end C;
        model S
          C p;
        equation
          p.v = 2;
        end S;
        model T
          C p;
          Real x=p.v;
        equation
          p.i=1;
        end T;
        model M
          S s;
          T t;
        equation
          connect(s.p,t.p);
        end M;
        """,
        {"t.x": 2, "s.p.i": -1},
    ),
    Case(
        "connect array of components",
        """
        connector P
          Real v;
          flow Real i;
        end P;
        model R
          P p[2];
        equation
          p.v={1,1}*2+p.i;
        end R;
        model M
          R r[2];
        equation
          connect(r[1].p,r[2].p);
        end M;
        """,
        {"r[1].p[1].v": 2},
    ),
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
        "connect in loops and in if-equations that parameters decide",
        PINS
        + """
        model M
          parameter Integer n = 4;
          parameter Boolean closed = true;
          R r[n];
          V v;
          G g;
          R extra;
        equation
          connect(v.p, r[1].p);
          for k in 1:n - 1 loop
            connect(r[k].n, r[k + 1].p);
          end for;
          connect(r[end].n, v.n);
          connect(v.n, g.p);
          if not closed then
            connect(extra.p, r[1].n);
          else
            for k in 1:2 loop
              if k == 2 then
                connect(extra.p, r[k].p);
              end if;
            end for;
          end if;
          connect(extra.n, g.p);
        end M;
        """,
        {"extra.p.v": 6 * 0.75 / 1.75, "v.p.i": -6 / 1.75},
    ),
    Case(
        "arrays of connectors by slices and elements",
        PINS
        + """
        model Strip
          parameter Integer n = 3;
          Pin p[n];
        equation
          for k in 1:n loop
            p[k].v = k*p[k].i;
          end for;
        end Strip;
        model Feed
          Pin q[2, 2];
        equation
          q.v = {{1, 2}, {3, 4}};
        end Feed;
        model M
          Strip s;
          Feed f;
        equation
          connect(s.p[1:2], f.q[2, :]);
          connect(s.p[3], f.q[1, end]);
        end M;
        """,
        {"s.p[1].i": 3, "s.p[2].i": 2, "s.p[3].i": 2 / 3, "f.q[2,2].i": -2, "f.q[1,1].i": 0},
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
        "parts of connectors, inside and outside",  # c.x of section 9.1.2
        PINS
        + """
        connector Plug
          Pin a;
          Pin b;
        end Plug;
        model Inner
          Plug c;
          G g;
          R r;
        equation
          connect(c.a, r.p);
          connect(r.n, g.p);
          connect(c.b, g.p);
        end Inner;
        model M
          Inner m;
          V v;
        equation
          connect(m.c.a, v.p);
          connect(m.c.b, v.n);
        end M;
        """,
        {"m.c.a.i": 6, "m.c.b.i": -6, "m.g.p.i": 0},
    ),
    Case(
        "an outer component in a connection",  # the second example of section 9.2
        PINS
        + """
        model Load
          Pin p;
          Pin n;
          outer R resistor;
        equation
          connect(p, resistor.p);
          connect(resistor.n, n);
        end Load;
        model M
          V v;
          G g;
          Load load;
          inner R resistor(R = 3);
        equation
          connect(v.p, load.p);
          connect(load.n, v.n);
          connect(v.n, g.p);
        end M;
        """,
        {"resistor.p.i": 2, "load.p.i": 2, "load.n.i": -2, "v.p.i": -2},
    ),
    Case(
        "an outer connector",
        PINS
        + """
        model Part
          outer Pin rail;
          R r(R = 3);
          G g;
        equation
          connect(rail, r.p);
          connect(r.n, g.p);
        end Part;
        model M
          inner Pin rail;
          Part a;
          Part b;
          V v;
          G g;
        equation
          connect(rail, v.p);
          connect(v.n, g.p);
        end M;
        """,
        {"v.p.i": -4, "a.r.p.i": 2, "rail.i": 0},
    ),
    Case(
        "a conditional connector and its connections",
        PINS
        + """
        model Part
          parameter Boolean useSupport = false;
          Pin p;
          Pin n;
          Pin support if useSupport;
          G fixed if not useSupport;
          R r;
        protected
          Pin internal;
        equation
          connect(p, r.p);
          connect(r.n, internal);
          connect(internal, support);
          connect(internal, fixed.p);
          n.i = 0;
        end Part;
        model M
          Part a;
          Part b(useSupport = true);
          V v;
          G g;
        equation
          connect(v.p, a.p);
          connect(v.p, b.p);
          connect(b.support, g.p);
          connect(v.n, g.p);
          connect(a.n, g.p);
          connect(b.n, g.p);
        end M;
        """,
        {"a.r.p.i": 6, "b.r.p.i": 6, "b.support.i": -6},
    ),
    Case(
        "cardinality counts occurrences in connect-equations, on both sides",
        PINS
        + """
        model Part
          Pin p;
          Pin n;
          Pin q[2];
          R r;
          Integer atP = cardinality(p);
          Integer atN = cardinality(n);
          Integer atQ = cardinality(q[1]);
        equation
          connect(p, r.p);
          connect(r.n, n);
          if cardinality(q[2]) == 0 then
            q[2].v = 5;
          end if;
          if cardinality(q[1]) == 0 then
            q[1].v = 5;
          else
            q[1].i = 0;
          end if;
          assert(cardinality(p) > 0, "p must be connected");
        end Part;
        model M
          Part a;
          V v;
          G g;
          R none if false;
        equation
          connect(v.p, a.p);
          connect(a.n, v.n);
          connect(v.n, a.n);
          connect(v.n, g.p);
          connect(a.q[1], g.p);
          connect(a.q[2], none.p);
        end M;
        """,
        {"a.atP": 2, "a.atN": 3, "a.atQ": 1, "a.q[1].v": 0, "a.q[2].v": 5},
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
        "a flow that cannot be negated",  # section 9.2: an additive group
        """
        operator record Pair
          Real a;
          Real b;
          encapsulated operator function '+'
            import Pair;
            input Pair x;
            input Pair y;
            output Pair z;
          algorithm
            z := Pair(x.a + y.a, x.b + y.b);
          end '+';
          encapsulated operator function '0'
            import Pair;
            output Pair z;
          algorithm
            z := Pair(0, 0);
          end '0';
        end Pair;
        connector C
          Pair e;
          flow Pair f;
        end C;
        model M
          C c;
        end M;
        """,
        "E209",
        ("flow", "'-'"),
    ),
    Refusal(
        "a condition without a value",
        PINS
        + """
        model M
          parameter Integer n;
          R r;
          G g;
        equation
          if n > 1 then
            connect(r.p, g.p);
          end if;
        end M;
        """,
        "E208",
        ("`n`", "has none"),
    ),
    Refusal(
        "connectors of parts of a component",
        PINS
        + """
        model A
          R r;
        end A;
        model M
          A a;
          G g;
        equation
          connect(a.r.p, g.p);
        end M;
        """,
        "E210",
        ("a.r.p", "part"),
    ),
    Refusal(
        "two outer components",
        PINS
        + """
        model A
          outer R r;
          outer G g;
        equation
          connect(r.p, g.p);
        end A;
        model M
          A a;
          inner R r;
          inner G g;
        end M;
        """,
        "E210",
        ("outer",),
    ),
    Refusal(
        "different sizes",
        PINS
        + """
        model M
          Pin p[2];
          Pin q[3];
        equation
          connect(p, q);
        end M;
        """,
        "E210",
        ("p", "[2]", "q", "[3]"),
    ),
    Refusal(
        "an array and a connector",
        PINS
        + """
        model M
          Pin p[2];
          Pin q;
        equation
          connect(p, q);
        end M;
        """,
        "E210",
        ("array [2]", "connector"),
    ),
    Refusal(
        "a variable that only one has",
        PINS
        + """
        connector Thermal
          Real v;
          flow Real i;
          parameter Real T = 1;
        end Thermal;
        model M
          Pin p;
          Thermal q;
        equation
          connect(p, q);
        end M;
        """,
        "E210",
        ("q", "`T`", "has not"),
    ),
    Refusal(
        "a parameter with a variable",
        """
        connector A
          parameter Real x = 1;
          Real v;
          flow Real i;
        end A;
        connector B
          output Real x;
          Real v;
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
        ("a.x", "parameter"),
    ),
    Refusal(
        "different enumerations",
        """
        type A = enumeration(one, two);
        type B = enumeration(on, off);
        connector AO = output A;
        connector BI = input B;
        block P
          AO y = A.one;
        end P;
        block Q
          BI u;
        end Q;
        model M
          P p;
          Q q;
        equation
          connect(p.y, q.u);
        end M;
        """,
        "E210",
        ("one, two", "on, off"),
    ),
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
        "different quantities",
        """
        connector A
          Real v(quantity = "Voltage");
          flow Real i;
        end A;
        connector B
          Real v(quantity = "Temperature");
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
        ("Voltage", "Temperature"),
    ),
    Refusal(
        "a connector as a parameter",
        """
        connector A
          Real v;
          flow Real i;
        end A;
        model M
          parameter A a;
        end M;
        """,
        "E210",
        ("a", "parameter"),
    ),
    Refusal(
        "as an initial equation",
        PINS
        + """
        model M
          R r;
          G g;
        initial equation
          connect(r.p, g.p);
        end M;
        """,
        "E210",
        ("initial",),
    ),
    Refusal(
        "in a when-equation",
        PINS
        + """
        model M
          R r;
          G g;
        equation
          when time > 1 then
            connect(r.p, g.p);
          end when;
        end M;
        """,
        "E210",
        ("when",),
    ),
    Refusal(
        "a protected connector from outside",
        PINS
        + """
        model A
        protected
          Pin p;
        end A;
        model M
          A a;
          G g;
        equation
          connect(a.p, g.p);
        end M;
        """,
        "E209",
        ("protected",),
    ),
    Refusal(
        "an index that varies",
        PINS
        + """
        model M
          Pin p[2];
          G g;
          Integer n = if time > 0.5 then 1 else 2;
        equation
          connect(p[n], g.p);
        end M;
        """,
        "E210",
        ("varying",),
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
        "cardinality of an array",
        PINS
        + """
        model M
          R r[2];
          Integer n = cardinality(r.p);
        end M;
        """,
        "E210",
        ("connector",),
    ),
    Refusal(
        "a size that depends on connections",
        PINS
        + """
        model M
          R r;
          Real x[cardinality(r.p)];
        end M;
        """,
        "E210",
        ("cardinality", "before"),
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
        "parameter in connector differ",
        """
        connector C
          parameter Integer n=2;
          Real v;
          flow Real i;
        end C;
        model S
          C p(n=3);
        equation
          p.v = 2;
        end S;
        model T
          C p;
          Real x=p.v;
        equation
          p.i=1;
        end T;
        model M
          S s;
          T t;
        equation
          connect(s.p,t.p);
        end M;
        """,
        "E406",
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
        "connect type",
        """
        connector A
          Real v;
        end A;
        model X
          Real v;
        end X;
        model M
          A a;
          X x;
        equation
          connect(a,x);
        end M;
        """,
        "E210",
    ),
    Refusal(
        "connect unknown",
        """
        connector A
          Real v;
        end A;
        model M
          A a;
        equation
          connect(a,bb);
        end M;
        """,
        "E201",
    ),
    Refusal(
        "connect if varying",
        """
        connector A
          Real v;
          flow Real i;
        end A;
        model M
          A a;
          A b;
        equation
          if time>0.5 then
            connect(a,b);
          end if;
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
