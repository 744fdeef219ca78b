"""Connections that are refused (chapter 9)."""

from __future__ import annotations

from connection_parts import PINS
from lower_case import Refusal, check_refusal, named

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
]


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
