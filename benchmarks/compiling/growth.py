"""How the time of translation grows with the model: the exponent p of time ~ n^p from 500 to 8,000 equations.

From text to native code, in processor time, without the disk cache. Each step of the compiler is timed as
well, and the line names the one that grows fastest among those that matter. The families are:

* explicit: states and flows in arrays, loops of equations, no connectors;
* masses: components in arrays with connectors, derivatives of what is not a state (index reduction);
* bridges: each stage has an algebraic loop of its own;
* grid: resistors in a long grid, one loop through the whole model.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

import numpy as np

import saltus
from benchmarks.compiling import translation
from benchmarks.measure import report
from benchmarks.running import chain

SIZES = (500, 1000, 2000, 4000, 8000)
LIMIT = 1.2
PATIENCE = 20.0  # seconds for one model, beyond which no larger one is tried
MATTERS = 0.05  # part of the whole time from which on a step is worth naming

EXPLICIT = """
model Explicit "A heat rod whose conductivity depends on the temperature"
  parameter Integer n = 10;
  Real T[n](each start = 300, each fixed = true), Q[n + 1];
equation
  Q[1] = 5*(400 + 10*sin(time) - T[1]);
  for i in 2:n loop
    Q[i] = (1 + 0.001*T[i])*(T[i - 1] - T[i]);
  end for;
  Q[n + 1] = 1e-8*(T[n]^4 - 300^4);
  for i in 1:n loop
    der(T[i]) = Q[i] - Q[i + 1];
  end for;
end Explicit;
"""

BRIDGES = f"""
package Bridges
{translation.ELEMENTS}
  model Stage "A bridge of five resistors towards a capacitor"
    Pin a, b, common;
    Resistor r1(R = 1), r2(R = 2), r3(R = 3), r4(R = 4), r5(R = 5);
    Capacitor c(u(start = 0, fixed = true));
  equation
    connect(a, r1.p);
    connect(a, r2.p);
    connect(r1.n, r3.p);
    connect(r2.n, r4.p);
    connect(r1.n, r5.p);
    connect(r2.n, r5.n);
    connect(r3.n, b);
    connect(r4.n, b);
    connect(b, c.p);
    connect(c.n, common);
  end Stage;
  model Row
    parameter Integer n = 10;
    Source source(V = 10);
    Ground ground;
    Stage stage[n];
  equation
    connect(source.n, ground.p);
    connect(source.p, stage[1].a);
    for i in 1:n - 1 loop
      connect(stage[i].b, stage[i + 1].a);
    end for;
    for i in 1:n loop
      connect(stage[i].common, ground.p);
    end for;
  end Row;
end Bridges;
"""

GRID = f"""
package Grids
{translation.ELEMENTS}
  model Mesh "A resistor along, one across"
    Pin a, b, common;
    Resistor along(R = 1), across(R = 10);
  equation
    connect(a, along.p);
    connect(along.n, b);
    connect(along.n, across.p);
    connect(across.n, common);
  end Mesh;
  model Row
    parameter Integer n = 10;
    Source source(V = 10);
    Ground ground;
    Mesh mesh[n];
    Resistor r;
    Capacitor c(u(start = 0, fixed = true));
  equation
    connect(source.n, ground.p);
    connect(source.p, mesh[1].a);
    for i in 1:n - 1 loop
      connect(mesh[i].b, mesh[i + 1].a);
    end for;
    for i in 1:n loop
      connect(mesh[i].common, ground.p);
    end for;
    connect(mesh[n].b, r.p);
    connect(r.n, c.p);
    connect(c.n, ground.p);
  end Row;
end Grids;
"""


@dataclass(frozen=True)
class Family:
    """Models of one kind; `per` equations for each unit of its size."""

    per: float
    load: Callable[[int], saltus.Model]


def _sized(text: str, name: str, size: str) -> Callable[[int], saltus.Model]:
    return lambda n: saltus.load(text.replace(size, f"parameter Integer n = {n};"), name)


FAMILIES = {
    "explicit": Family(2, _sized(EXPLICIT, "Explicit", "parameter Integer n = 10;")),
    "masses": Family(10, _sized(chain.MODEL, "Translational.Chain", "parameter Integer n = 200;")),
    "bridges": Family(42, _sized(BRIDGES, "Bridges.Row", "parameter Integer n = 10;")),
    "grid": Family(18, _sized(GRID, "Grids.Row", "parameter Integer n = 10;")),
}


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of a straight line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def run() -> None:
    os.environ["SALTUS_CACHE"] = "off"
    FAMILIES["explicit"].load(5)  # imports and libraries are loaded once in a process
    for name in FAMILIES:
        measure(name)


def _load(family: Family, units: int) -> tuple[float, saltus.Model]:
    """Seconds of the processor, which has other work, and the model."""
    gc.collect()
    began = process_time()
    model = family.load(units)
    return process_time() - began, model


def measure(name: str) -> None:
    """Prints the line of one family."""
    family = FAMILIES[name]
    sizes: list[int] = []
    totals: list[float] = []
    steps: dict[str, list[float]] = {}
    for size in SIZES:
        if totals and totals[-1] > PATIENCE:
            break
        # The small ones are over in moments and measured twice: the machine has other work.
        units, repeats = round(size / family.per), 2 if size < 2000 else 1
        seconds, model = min((_load(family, units) for _ in range(repeats)), key=lambda run: run[0])
        sizes.append(model.check()["equations"])
        totals.append(seconds)
        for step, part in model.timings.items():
            steps.setdefault(step, []).append(part)
    found = exponent(sizes, totals)
    whole = sum(parts[-1] for parts in steps.values())
    slopes = {s: exponent(sizes, parts) for s, parts in steps.items() if parts[-1] > MATTERS * whole}
    worst = max(slopes, key=slopes.__getitem__)
    measured = (
        f"{found:.2f} ({totals[0]:.2f} s for {sizes[0]:,} equations, {totals[-1]:.2f} s for {sizes[-1]:,}; "
        f"its step `{worst}` {slopes[worst]:.2f}, {steps[worst][-1] / whole:.0%} of the time)"
    )
    report(f"exponent of translation time, {name}", measured, f"at most {LIMIT}", found <= LIMIT)
