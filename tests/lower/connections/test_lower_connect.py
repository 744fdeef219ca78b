"""Connection sets: signs, hierarchical connectors, arrays, conditional and outer components (chapter 9)."""

from __future__ import annotations

from connection_parts import PINS
from lower_case import Case, check_values, named

VALUES = [
    Case(
        "connect hierarchy",
        PINS
        + """
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
        PINS
        + """
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
        PINS
        + """
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
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)
