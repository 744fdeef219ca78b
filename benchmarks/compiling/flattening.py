"""How fast a chain of equal components becomes a flat model, and whether a longer one costs more each.

The components have connectors, inherit, and have a part that the chain redeclares: what equal components
share (their class, its layout, the lookups in it) must be shared, or the price of each would show.
"""

from __future__ import annotations

from benchmarks.measure import report, timed
from saltus.compiler import load_flat

LIBRARY = """
package Chain
  connector Flange
    Real s(quantity = "Length", unit = "m");
    flow Real f(quantity = "Force", unit = "N");
  end Flange;

  partial model TwoFlanges
    Flange a, b;
    Real d(start = 0) "distance";
  equation
    d = b.s - a.s;
  end TwoFlanges;

  partial model Compliant
    extends TwoFlanges;
    Real f;
  equation
    b.f = f;
    a.f = -f;
  end Compliant;

  model Spring
    extends Compliant;
    parameter Real c(final min = 0) = 1, l = 0.1;
  equation
    f = c*(d - l);
  end Spring;

  model DampedSpring
    extends Spring;
    parameter Real k = 0.1;
    Real w = der(d);
    Real loss = k*w^2;
  end DampedSpring;

  model Mass
    extends TwoFlanges;
    parameter Real m = 1;
    Real s(start = 0), v(start = 0);
  equation
    s = a.s;
    d = 0;
    v = der(s);
    m*der(v) = a.f + b.f;
  end Mass;

  model Segment
    extends TwoFlanges;
    replaceable model Link = Spring constrainedby Compliant;
    Link link;
    Mass mass;
  equation
    connect(a, link.a);
    connect(link.b, mass.a);
    connect(mass.b, b);
  end Segment;

  model Fixed
    Flange a;
  equation
    a.s = 0;
  end Fixed;

  model Line
    parameter Integer n = 4;
    Fixed wall;
    Segment segment[n](redeclare each model Link = DampedSpring(k = 0.2), each mass(m = 2));
  equation
    connect(wall.a, segment[1].a);
    for i in 1:n - 1 loop
      connect(segment[i].b, segment[i + 1].a);
    end for;
  end Line;
end Chain;
"""


def _names(n: int) -> str:
    """The same chain with a component of its own for each segment."""
    parts = "".join(
        f"  Chain.Segment s{i}(redeclare model Link = Chain.DampedSpring(k = 0.2), mass(m = 2));\n"
        for i in range(n)
    )
    ties = "".join(f"  connect(s{i}.b, s{i + 1}.a);\n" for i in range(n - 1))
    head = f"{LIBRARY}model Row\n  Chain.Fixed wall;\n"
    return f"{head}{parts}equation\n  connect(wall.a, s0.a);\n{ties}end Row;\n"


def _array(n: int) -> str:
    return f"{LIBRARY}model Row = Chain.Line(n = {n});\n"


def run() -> None:
    """Prints flat equations per second for 1,000 and 4,000 segments, as an array and one by one.

    The two lengths take turns, and the fastest of each counts: on a busy machine the same work differs
    by a third from one run to the next, which is more than what is asked about. What is free of such
    noise, the number of calls per equation, is held by a test.
    """
    for what, text in (("an array", _array), ("one by one", _names)):
        rates = {1_000: 0.0, 4_000: 0.0}
        for _ in range(3):
            for n in rates:
                seconds, flat = timed(lambda n=n, text=text: load_flat(text(n), "Row"))  # type: ignore[misc]
                rates[n] = max(rates[n], len(flat.clauses) / seconds)
        short, long = rates.values()
        name = f"flattening a chain of segments, {what}, flat equations per second"
        report(f"{name} (1,000 segments)", f"{short:.0f}", "at least 1500", short >= 1500)
        report(
            f"{name} (4,000 segments)", f"{long:.0f}, {short / long:.2f} times the price",
            "no more each", short / long <= 1.05,
        )  # fmt: skip
