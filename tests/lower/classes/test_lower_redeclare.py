"""Redeclaration: chapter 7 of the specification, with the values that the rules give."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

#: A little library of media: constants, records, functions and models that are redeclared in packages.
MEDIA = """
package Media
  partial package PartialMedium
    constant Integer n = 1;
    replaceable record State end State;
    replaceable partial function density input State s; output Real d; end density;
    replaceable partial model Properties
      Real p; Real d; State state; Real X[n];
    end Properties;
    function twice input State s; output Real y; algorithm y := 2*density(s); end twice;
  end PartialMedium;
  package Gas
    extends PartialMedium(n = 2);
    constant Real R = 3;
    redeclare record extends State Real p; Real T; end State;
    redeclare function extends density algorithm d := s.p/(R*s.T); end density;
    redeclare model extends Properties
    equation
      state = State(p = p, T = 300);
      d = density(state);
      X = fill(1/n, n);
    end Properties;
  end Gas;
  package OtherGas extends Gas(R = 30); end OtherGas;
end Media;
partial model Part
  replaceable package Medium = Media.PartialMedium constrainedby Media.PartialMedium;
  Medium.Properties b;
  Real t = Medium.twice(b.state);
end Part;
model Volume
  extends Part;
equation
  b.p = 900*time;
end Volume;
"""

VALUES = [
    Case(  # 7.3: the redeclared package is what the text of the base means, too
        "package for a component",
        MEDIA + "model M Volume v(redeclare package Medium = Media.Gas); end M;",
        {"v.b.d": 1.0, "v.t": 2.0, "v.b.X[2]": 0.5},
    ),
    Case(
        "package passed on",
        MEDIA
        + """
        model Plant replaceable package Medium = Media.Gas;
          Volume v(redeclare package Medium = Medium); end Plant;
        model M Plant p(redeclare package Medium = Media.OtherGas); Plant q; end M;
        """,
        {"p.v.b.d": 0.1, "q.v.b.d": 1.0},
    ),
    Case(  # constants of the package, set where it is named
        "package modified",
        MEDIA
        + """
        model M constant Real k = 6; parameter Integer m = 3;
          Volume v(redeclare package Medium = Media.Gas(R = k, n = m)); end M;
        """,
        {"v.b.d": 0.5, "v.b.X[3]": 1 / 3},
    ),
    Case(
        "in extends",
        MEDIA + "model M extends Volume(redeclare package Medium = Media.OtherGas); end M;",
        {"b.d": 0.1, "t": 0.2},
    ),
    Case(
        "package as an element",
        MEDIA + "model M extends Volume; redeclare package Medium = Media.OtherGas; end M;",
        {"b.d": 0.1, "t": 0.2},
    ),
    Case(
        "two components with different media",
        MEDIA
        + """
        model M Volume a(redeclare package Medium = Media.Gas);
          Volume b(redeclare package Medium = Media.OtherGas); end M;
        """,
        {"a.b.d": 1.0, "b.b.d": 0.1},
    ),
    Case(
        "model in a package",
        """
        package P replaceable model A Real x = 1; end A; model B A a; end B; end P;
        package Q extends P; redeclare model A Real x = 2; end A; end Q;
        model M P.B p; Q.B q; end M;
        """,
        {"p.a.x": 1.0, "q.a.x": 2.0},
    ),
    Case(
        "class of a component and its arrays",
        """
        partial model Base parameter Real k = 1; Real y; end Base;
        model One extends Base; equation y = k; end One;
        model Ten extends Base(k = 10); equation y = k + time; end Ten;
        model A replaceable model Law = One constrainedby Base; parameter Integer n = 2; Law law[n]; end A;
        model M A a; A b(redeclare model Law = Ten, n = 3);
          A c(redeclare model Law = Ten(k = 20), n = 1); end M;
        """,
        {"a.law[2].y": 1.0, "b.law[3].y": 11.0, "c.law[1].y": 21.0},
    ),
    Case(  # 7.3.2: the modifiers of the constraining clause hold for what takes the place
        "constraining clause",
        """
        partial model Base parameter Real k = 1; parameter Real l = 1; Real y; end Base;
        model One extends Base; equation y = k + l; end One;
        model Two extends Base; equation y = 2*k + l; end Two;
        model A
          replaceable model Law = One(l = 7) constrainedby Base(k = 5);
          Law law;
          replaceable One c(l = 7) constrainedby Base(k = 5);
        end A;
        model M A a; A b(redeclare model Law = Two, redeclare Two c);
          A d(redeclare model Law = Two(k = 6)); end M;
        """,
        {"a.law.y": 12.0, "b.law.y": 11.0, "d.law.y": 13.0, "a.c.y": 12.0, "b.c.y": 11.0, "d.c.y": 12.0},
    ),
    Case(  # 7.3.2: without a constraining clause the declaration itself is the constraint
        "declaration as the constraint",
        """
        partial model Source parameter Real offset = 0; Real y; end Source;
        model Ramp extends Source; parameter Real slope = 1; equation y = offset + slope*time; end Ramp;
        partial model Base parameter Real bias = 5; replaceable Source s(final offset = bias);
          replaceable model L = Source(offset = bias); L l; end Base;
        model M parameter Real k = 2;
          extends Base(redeclare Ramp s(final slope = k), redeclare model L = Ramp); end M;
        """,
        {"s.y": 7.0, "l.y": 6.0},
    ),
    Case(
        "component in a modifier",
        """
        model Base parameter Real k = 1; Real y = k; end Base;
        model Twice extends Base(y = 2*k); end Twice;
        model A replaceable Base c(k = 3); end A;
        model M parameter Real g = 4; A a; A b(redeclare Twice c);
          A d(redeclare Twice c(k = g)); A e(c(k = 5)); end M;
        """,
        {"a.c.y": 3.0, "b.c.y": 6.0, "d.c.y": 8.0, "e.c.y": 5.0},
    ),
    Case(
        "component as an element keeps sizes and prefixes",
        """
        model Base Real y; equation y = 1; end Base;
        model Other Real y; equation y = 2; end Other;
        model A replaceable Base c[3]; replaceable parameter Real p = 1; end A;
        model M extends A; redeclare Other c; redeclare Real p = 5; end M;
        """,
        {"c[3].y": 2.0, "p": 5.0},
    ),
    Case(  # outermost wins
        "redeclared twice",
        """
        model Base Real y = 1; end Base; model B2 Real y = 2; end B2; model B3 Real y = 3; end B3;
        model A replaceable model X = Base; X x; replaceable Base c; end A;
        model A2 extends A(redeclare replaceable model X = B2, redeclare replaceable B2 c); end A2;
        model M A2 a; A2 b(redeclare model X = B3, redeclare B3 c); end M;
        """,
        {"a.x.y": 2.0, "a.c.y": 2.0, "b.x.y": 3.0, "b.c.y": 3.0},
    ),
    Case(
        "a type",
        """
        model A replaceable type T = Real(start = 1); parameter T x(fixed = true); T y; equation y = x; end A;
        model M type T3 = Real(unit = "m"); A a(redeclare type T = T3(start = 3)); end M;
        """,
        {"a.y": 3.0},
    ),
    Case(
        "a function",
        """
        partial function F input Real x; output Real y; end F;
        function Half extends F; algorithm y := x/2; end Half;
        function Scale extends F; input Real k = 3; algorithm y := k*x; end Scale;
        model A replaceable function f = Half constrainedby F; Real y = f(time); end A;
        model M parameter Real g = 5; A a; A b(redeclare function f = Scale);
          A c(redeclare function f = Scale(k = g)); end M;
        """,
        {"a.y": 0.5, "b.y": 3.0, "c.y": 5.0},
    ),
    Case(  # 12.4.1: a function of a component; its inputs see the component
        "function of a component",
        """
        function scaled input Real x; input Real k; output Real y; algorithm y := k*x; end scaled;
        model World parameter Real g = 2; replaceable function pull = scaled(k = g*3);
          Real own = pull(1); end World;
        model M World w(g = 4); Real y = w.pull(time); end M;
        """,
        {"y": 12.0, "w.own": 12.0},
    ),
    Case(
        "class modified inside a package",
        """
        package P model A parameter Real k = 1; Real y = k; end A; model B A a; end B; end P;
        package Q extends P(A(k = 4)); end Q;
        model M Q.B b; P.B c; end M;
        """,
        {"b.a.y": 4.0, "c.a.y": 1.0},
    ),
    Case(
        "nested redeclaration",
        """
        model Base Real y = 1; end Base; model B2 Real y = 2; end B2;
        model In replaceable model X = Base; X x; end In;
        model Mid In i; end Mid;
        model M Mid m(i(redeclare model X = B2)); Mid n(i.x.y = 7); end M;
        """,
        {"m.i.x.y": 2.0, "n.i.x.y": 7.0},
    ),
    Case(
        "a class inside itself with another part",
        """
        partial model Base Real y; end Base;
        model Leaf extends Base; equation y = 1; end Leaf;
        model Twice extends Base; replaceable model P = Leaf; P p; equation y = 2*p.y; end Twice;
        model M Twice t(redeclare model P = Twice); end M;
        """,
        {"t.y": 4.0},
    ),
    Case(
        "class extension of an extension",
        """
        package P replaceable model A Real x = 1; end A; end P;
        package Q extends P; redeclare replaceable model extends A Real y = x + 1; end A; end Q;
        package R extends Q; redeclare model extends A(x = 10) Real z = y + 1; end A; end R;
        model M R.A a; Q.A b; end M;
        """,
        {"a.z": 12.0, "b.y": 2.0},
    ),
    Case(
        "record with other fields",
        """
        package P replaceable record R Real a; end R; replaceable function f input R r; output Real y; end f;
          model U R r; Real y = f(r); end U; end P;
        package Q extends P; redeclare record extends R Real b; end R;
          redeclare function extends f algorithm y := r.a + r.b; end f; end Q;
        model M Q.U u(r(a = 1, b = 2)); end M;
        """,
        {"u.y": 3.0},
    ),
]

VALUES += [
    Case(  # 7.4
        "break",
        """
        connector C Real v; flow Real i; end C;
        model Source C c; equation c.v = 1; end Source;
        model Drain C c; parameter Real g = 1; equation c.i = g*c.v; end Drain;
        model A Source s; Drain d; Drain e; equation connect(s.c, d.c); connect(e.c, s.c); end A;
        model M extends A(break e); Source t; Drain f(g = 3); equation connect(t.c, f.c); end M;
        """,
        {"s.c.i": -1.0, "t.c.i": -3.0},
    ),
    Case(
        "break connect",
        """
        connector C Real v; flow Real i; end C;
        model Source C c; equation c.v = 1; end Source;
        model Drain C c; parameter Real g = 1; equation c.i = g*(c.v - 1); end Drain;
        model A Source s; Drain d; Drain e; equation connect(s.c, d.c); connect(e.c, s.c); end A;
        model M extends A(break connect(s.c, e.c)); end M;
        """,
        {"e.c.v": 1.0, "e.c.i": 0.0, "s.c.i": 0.0},
    ),
    Case(  # 7.1: the same element from two bases; one says more about it
        "one element inherited twice",
        """
        partial model A parameter Real k = 2; Real x(min = -k, start = 1); end A;
        partial model B parameter Real k=2; Real x( min=-k , start=1, stateSelect=StateSelect.prefer); end B;
        model M extends A; extends B; equation der(x) = 0*k; initial equation x = 3; end M;
        """,
        {"x": 3.0, "k": 2.0},
    ),
]

REFUSALS = [
    Refusal(
        "break of what is not there",
        "model A Real x = 1; end A; model M extends A(break y); end M;",
        "E201",
        ("no inherited component `y`",),
    ),
    Refusal(
        "inherited twice with different values",
        "model A Real x = 1; end A; model B Real x = 2; end B; model M extends A; extends B; end M;",
        "E202",
    ),
    Refusal(
        "redeclare element without an inherited one",
        "model M redeclare Real x = 1; end M;",
        "E201",
        ("no inherited `x`",),
    ),
    Refusal(
        "class extension without an inherited one",
        "package P redeclare model extends A end A; end P; model M P.A a; end M;",
        "E201",
        ("no inherited class `A`",),
    ),
    Refusal(
        "component redeclared as a class",
        "model B end B; model A replaceable B b; end A; model M A a(redeclare model b = B); end M;",
        "E207",
        ("cannot be redeclared as a class",),
    ),
    Refusal(
        "final component redeclared",
        "model B Real x = 1; end B; model A final B b; end A; model M A a(redeclare B b); end M;",
        "E207",
        ("final",),
    ),
    Refusal(
        "unknown class in a redeclaration",
        """model B end B; model A replaceable model X = B; X x; end A;
        model M A a(redeclare model X = Bb); end M;""",
        "E201",
        ("Bb",),
    ),
    Refusal(
        "unknown package in a redeclaration",
        MEDIA + "model M Volume v(redeclare package Medium = Media.Gass); end M;",
        "E201",
        ("`Gass`", "`Gas`"),
    ),
    Refusal(
        "misspelled name of a redeclared package",
        MEDIA + "model M Volume v(redeclare package Medum = Media.Gas); end M;",
        "E201",
        ("`Medum` is not an element", "`Medium`"),
    ),
    Refusal(
        "unknown element redeclared",
        """model B end B; model A replaceable model X = B; X x; end A;
        model M A a(redeclare model Y = B); end M;""",
        "E201",
        ("`Y` is not an element",),
    ),
    Refusal(
        "a class that contains itself through a redeclaration",
        """
        model A replaceable model P = A; P p; end A;
        model M A a; end M;
        """,
        "E213",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
