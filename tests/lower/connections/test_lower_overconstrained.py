"""Overconstrained connections (section 9.4): roots, spanning trees, and what takes the place of equations too
many."""

from __future__ import annotations

from math import acos

import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus

#: The angle of a power system, of which all in one system have the same: no equation where a loop closes.
POWER = """
type Angle
  extends Real;
  function equalityConstraint
    input Angle a;
    input Angle b;
    output Real residue[0];
  algorithm
    assert(abs(a - b) < 1e-10, "angles that differ");
  end equalityConstraint;
end Angle;
connector Plug
  Angle theta;
  Real v;
  flow Real i;
end Plug;
model Source
  Plug p;
  parameter Real v = 10;
  parameter Real w = 1;
equation
  Connections.root(p.theta);
  p.theta = w*time;
  p.v = v;
end Source;
model Line
  Plug p;
  Plug n;
  parameter Real r = 1;
equation
  Connections.branch(p.theta, n.theta);
  n.theta = p.theta;
  p.v - n.v = r*p.i;
  p.i + n.i = 0;
end Line;
model Load
  Plug p;
  parameter Real r = 1;
  Real speed = der(p.theta);
equation
  p.v = r*p.i;
end Load;
"""

#: Plane mechanics with directions as (cosine, sine): two variables for one degree of freedom.
PLANE = """
record Direction
  Real c;
  Real s;
  function equalityConstraint
    input Direction a;
    input Direction b;
    output Real residue[1];
  algorithm
    residue := {a.c*b.s - a.s*b.c};
  end equalityConstraint;
end Direction;
connector Frame
  Real x;
  Real y;
  Direction R;
  flow Real fx;
  flow Real fy;
  flow Real t;
end Frame;
model Ground
  parameter Real x = 0;
  parameter Real y = 0;
  Frame f;
equation
  Connections.root(f.R);
  f.x = x;
  f.y = y;
  f.R.c = 1;
  f.R.s = 0;
end Ground;
model Hinge
  Frame a;
  Frame b;
  Real phi;
  Boolean forward = Connections.rooted(a.R);
equation
  Connections.branch(a.R, b.R);
  a.x = b.x;
  a.y = b.y;
  if Connections.rooted(a.R) then
    b.R.c = a.R.c*cos(phi) - a.R.s*sin(phi);
    b.R.s = a.R.s*cos(phi) + a.R.c*sin(phi);
  else
    a.R.c = b.R.c*cos(phi) + b.R.s*sin(phi);
    a.R.s = b.R.s*cos(phi) - b.R.c*sin(phi);
  end if;
  a.fx + b.fx = 0;
  a.fy + b.fy = 0;
  a.t + b.t = 0;
  b.t = 0;
end Hinge;
model Bar
  Frame a;
  Frame b;
  parameter Real L = 1;
  parameter Real load = 0;
equation
  Connections.branch(a.R, b.R);
  b.x = a.x + L*a.R.c;
  b.y = a.y + L*a.R.s;
  b.R = a.R;
  a.fx + b.fx = 0;
  a.fy + b.fy = load;
  0 = a.t + b.t + L*(a.R.c*b.fy - a.R.s*b.fx) - load*L/2*a.R.c;
end Bar;
"""

VALUES = [
    Case(
        "a ring of lines",  # 1 Ohm and 2 Ohm in parallel, then the load of 1 Ohm: 10/(2/3 + 1) = 6
        POWER
        + """
        model M
          Source s;
          Line one;
          Line two(r = 2);
          Load load;
        equation
          connect(s.p, one.p);
          connect(s.p, two.p);
          connect(one.n, load.p);
          connect(two.n, load.p);
        end M;
        """,
        {"load.p.v": 6, "load.p.i": 6, "load.p.theta": 1, "load.speed": 1},
    ),
    Case(
        "two sources with roots of their own",
        POWER
        + """
        model M
          Source s;
          Source t(v = 20);
          Line one;
          Line two;
          Load load;
        equation
          connect(s.p, one.p);
          connect(t.p, two.p);
          connect(one.n, load.p);
          connect(two.n, load.p);
        end M;
        """,
        {"load.p.v": 10, "one.p.i": 0, "two.p.i": 10},
    ),
    Case(
        "connected in a ring by nothing but connect",
        POWER
        + """
        model M
          Source s;
          Load a;
          Load b;
        equation
          connect(s.p, a.p);
          connect(a.p, b.p);
          connect(b.p, s.p);
          connect(s.p, a.p);
        end M;
        """,
        {"b.p.theta": 1, "s.p.i": -20},
    ),
    Case(
        "the potential root with the lowest number",
        POWER
        + """
        model Maybe
          Plug p;
          parameter Integer priority = 0;
          parameter Real value = 1;
          Boolean chosen = Connections.isRoot(p.theta);
          Real other = if Connections.isRoot(p.theta) then 1 else 2;
        equation
          Connections.potentialRoot(p.theta, priority);
          if Connections.isRoot(p.theta) then
            p.theta = value;
          end if;
          p.v = 1;
        end Maybe;
        model End
          Plug p;
        equation
          p.i = 1;
        end End;
        model M
          Maybe a(priority = 3, value = 30);
          Line l1;
          Line l2;
          Maybe b(priority = 1, value = 10);
          Maybe c(priority = 2, value = 20);
        equation
          connect(a.p, l1.p);
          connect(l1.n, b.p);
          connect(b.p, l2.p);
          connect(l2.n, c.p);
        end M;
        """,
        {"a.chosen": 0, "b.chosen": 1, "c.chosen": 0, "c.p.theta": 10, "a.other": 2, "b.other": 1},
    ),
    Case(
        "a definite root comes before potential ones",
        POWER
        + """
        model Maybe
          Plug p;
          Boolean chosen = .Connections.isRoot(p.theta);
        equation
          Connections.potentialRoot(p.theta, priority = 0);
          if .Connections.isRoot(p.theta) then
            p.theta = 5;
          end if;
          p.i = p.v;
        end Maybe;
        model M
          Maybe a;
          Maybe alone;
          Source s;
        equation
          connect(a.p, s.p);
        end M;
        """,
        {"a.chosen": 0, "alone.chosen": 1, "a.p.theta": 1, "alone.p.theta": 5},
    ),
    Case(
        "a triangle of bars that is closed by a constraint",
        PLANE
        + """
        model M
          Ground left;
          Ground right(x = 1.2);
          Hinge h1(phi(start = 0.9), b(R(c(start = 0.6), s(start = 0.7))));
          Hinge h2(phi(start = -1.8), b(R(c(start = 0.6), s(start = -0.7))));
          Hinge h3(phi(start = 0.9), a(R(c(start = 0.6), s(start = -0.7))));
          Bar one(load = -4, b(x(start = 0.5), y(start = 0.7)));
          Bar two;
        equation
          connect(left.f, h1.a);
          connect(h1.b, one.a);
          connect(one.b, h2.a);
          connect(h2.b, two.a);
          connect(h3.b, right.f);
          connect(two.b, h3.a);
        end M;
        """,
        # Bar two carries along itself, so at the top the force on bar one is k*(0.6, -0.8); its moment about
        # the left end, -0.96*k, takes the load's 4*0.3.
        {
            "h1.phi": acos(0.6),
            "h2.phi": -2 * acos(0.6),
            "h3.phi": acos(0.6),
            "one.b.x": 0.6,
            "one.b.y": 0.8,
            "one.b.fx": 0.75,
            "one.b.fy": -1,
            "one.a.fy": -3,
            "h1.forward": 1,
            "h3.forward": 0,
        },
    ),
]

REFUSALS = [
    Refusal(
        "no root",
        POWER
        + """
        model M
          Load a;
          Load b;
        equation
          connect(a.p, b.p);
        end M;
        """,
        "E210",
        ("a.p.theta", "root"),
    ),
    Refusal(
        "not overdetermined",
        POWER
        + """
        model M
          Source s;
        equation
          Connections.root(s.p.v);
        end M;
        """,
        "E210",
        ("s.p.v", "equalityConstraint"),
    ),
    Refusal(
        "rooted without a branch",
        POWER
        + """
        model M
          Source s;
          Boolean b = Connections.rooted(s.p.theta);
        end M;
        """,
        "E210",
        ("exactly one", "branch"),
    ),
    Refusal(
        "in an if-equation whose condition varies",
        POWER
        + """
        model M
          Source s;
          Line l;
        equation
          if time > 0.5 then
            Connections.branch(s.p.theta, l.p.theta);
          end if;
        end M;
        """,
        "E210",
        ("condition",),
    ),
    Refusal(
        "in a when-equation",
        POWER
        + """
        model M
          Source s;
        equation
          when time > 0.5 then
            Connections.root(s.p.theta);
          end when;
        end M;
        """,
        "E210",
        ("when",),
    ),
    Refusal(
        "a connection that depends on a root",
        POWER
        + """
        model M
          Source s;
          Load l;
        equation
          if Connections.isRoot(s.p.theta) then
            connect(s.p, l.p);
          end if;
        end M;
        """,
        "E210",
        ("isRoot", "before"),
    ),
    Refusal(
        "a value of an operator that has none",
        POWER
        + """
        model M
          Source s;
          Boolean b = Connections.root(s.p.theta);
        end M;
        """,
        "E210",
        ("no value",),
    ),
    Refusal(
        "an operator that there is not",
        POWER
        + """
        model M
          Source s;
          Boolean b = Connections.isrooted(s.p.theta);
        end M;
        """,
        "E201",
        ("isrooted", "rooted"),
    ),
    Refusal(
        "a connector with too few potentials",
        """
        record Direction
          Real c;
          Real s;
          function equalityConstraint
            input Direction a;
            input Direction b;
            output Real residue[1];
          algorithm
            residue := {a.c*b.s - a.s*b.c};
          end equalityConstraint;
        end Direction;
        connector Frame
          Real x;
          Direction R;
          flow Real f;
        end Frame;
        model M
          Frame f;
        end M;
        """,
        "E210",
        ("2 potential", "1 flow"),
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


def test_operators_in_loops_and_branches() -> None:
    """Section 8.3.3: they may stand where connect may. Lines that pass the angle on are in the tree of the
    source, those that do not begin trees of their own, and the ring they close needs no equation."""
    text = (
        POWER
        + """
        model Lines
          parameter Integer n = 2;
          parameter Boolean pass = true;
          Plug p[n];
          Plug q[n];
          Boolean chosen[n] = {Connections.isRoot(q[k].theta) for k in 1:n};
        equation
          for k in 1:n loop
            if pass then
              Connections.branch(p[k].theta, q[k].theta);
              p[k].theta = q[k].theta;
            else
              Connections.root(q[k].theta);
              q[k].theta = 4;
            end if;
            p[k].v - q[k].v = p[k].i;
            p[k].i + q[k].i = 0;
          end for;
        end Lines;
        model M
          Source s;
          Lines l;
          Lines m(pass = false);
          Load load;
          Load other[2];
        equation
          for k in 1:2 loop
            connect(s.p, l.p[k]);
            connect(l.q[k], load.p);
            connect(s.p, m.p[k]);
            connect(m.q[k], other[k].p);
          end for;
        end M;
        """
    )
    result = saltus.load(text).simulate(stop_time=2.0)
    names = ("load.p.theta", "other[2].p.theta", "load.p.v", "other[1].p.v", "l.chosen[1]", "m.chosen[2]")
    last = {n: float(result[n][-1]) for n in names}
    # two lines of 1 Ohm in parallel and 1 Ohm: 10*1/1.5; one line and 1 Ohm: 5
    assert last == pytest.approx(
        {
            "load.p.theta": 2,
            "other[2].p.theta": 4,
            "load.p.v": 20 / 3,
            "other[1].p.v": 5,
            "l.chosen[1]": 0,
            "m.chosen[2]": 1,
        }
    )
