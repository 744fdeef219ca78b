"""Connection sets: signs, hierarchical connectors, arrays, causality, conditional components (chapter 9)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

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
]

REFUSALS = [
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
