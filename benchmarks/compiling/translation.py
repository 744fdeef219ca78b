"""Text to first step: a generated ladder network, every component and connection written out.

The time runs from the text to the end of a simulation so short that it is about one step; the disk cache is
off. The number of equations is what the flat model counts.
"""

from __future__ import annotations

import os

import saltus
from benchmarks.measure import report, timed

ELEMENTS = """\
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  partial model TwoPin
    Pin p;
    Pin n;
    Real u(unit = "V");
    Real i(unit = "A");
  equation
    u = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    u = R*i;
  end Resistor;
  model Capacitor
    extends TwoPin;
    parameter Real C(unit = "F") = 1;
  equation
    C*der(u) = i;
  end Capacitor;
  model Source
    extends TwoPin;
    parameter Real V(unit = "V") = 1;
  equation
    u = V;
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
"""
PER_STAGE = 12  # two elements with two equations of their own and four of their pins


def ladder(stages: int) -> str:
    lines = ["model Ladder", ELEMENTS + "  Source source(V = 10);", "  Ground ground;"]
    for k in range(1, stages + 1):
        lines.append(f"  Resistor r{k}(R = {100 + k});")
        lines.append(f"  Capacitor c{k}(C = {1e-6 * (1 + 0.01 * k)!r}, u(start = 0, fixed = true));")
    lines += ["equation", "  connect(source.n, ground.p);", "  connect(source.p, r1.p);"]
    for k in range(1, stages + 1):
        lines.append(f"  connect(r{k}.n, c{k}.p);")
        lines.append(f"  connect(c{k}.n, ground.p);")
        if k < stages:
            lines.append(f"  connect(r{k}.n, r{k + 1}.p);")
    return "\n".join([*lines, "end Ladder;", ""])


def first_step(equations: int) -> tuple[float, int]:
    """Seconds, and the number of equations there really were."""
    text = ladder(round(equations / PER_STAGE))

    def work():  # type: ignore[no-untyped-def]
        model = saltus.load(text)
        model.simulate(stop_time=1e-9, interval=1e-9)
        return model

    fastest, count = float("inf"), 0
    for _ in range(2):
        seconds, model = timed(work)
        fastest, count = min(fastest, seconds), model.check()["equations"]
    return fastest, count


def run() -> None:
    os.environ["SALTUS_CACHE"] = "off"
    first_step(60)  # imports and libraries are loaded once in a process
    small, small_count = first_step(1000)
    large, large_count = first_step(4000)
    report(
        "text to first step, 1,000 equations, seconds",
        f"{small:.2f} ({small_count:,} equations)",
        "below 5",
        small < 5,
    )
    report(
        "text to first step, 4,000 against 1,000 equations, times as long",
        f"{large / small:.1f} ({large_count:,} equations, {large:.2f} s)",
        "below 5",
        large < 5 * small,
    )
