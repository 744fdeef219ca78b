"""First runs of converters whose switches decide together: ideal ones against leaky twins.

A leaky model has one program, and nothing to be decided. An ideal one has a second program by which its modes
are found, and may have more. What that costs is in the first run: nothing is kept from others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.measure import report

#: The leak of the twins.
LEAK = 1e-5


def cascaded(n: int, leak: float) -> str:
    """H-bridges in a row, each on a battery of its own, with phase-shifted carriers."""
    valve = f"Ron = {leak}, Goff = {leak}"
    return f"""
model Bridge
  parameter Real V = 20, phase = 0;
  Saltus.Electrical.Interfaces.Pin a, b;
  Real u = 0.8*sin(314.159*time);
  Real carrier = 0.6366197723675814*asin(sin(6283.185307179586*time + phase));
  Saltus.Electrical.Transistor t1(gate = u > carrier + 0.02, {valve});
  Saltus.Electrical.Transistor t2(gate = u < carrier - 0.02, {valve});
  Saltus.Electrical.Transistor t3(gate = -u > carrier + 0.02, {valve});
  Saltus.Electrical.Transistor t4(gate = -u < carrier - 0.02, {valve});
  Saltus.Electrical.Sources.ConstantVoltage dc(V = V);
equation
  connect(dc.p, t1.p);
  connect(dc.p, t3.p);
  connect(dc.n, t2.n);
  connect(dc.n, t4.n);
  connect(t1.n, t2.p);
  connect(t3.n, t4.p);
  connect(a, t1.n);
  connect(b, t3.n);
end Bridge;
model Cascaded
  parameter Integer n = {n};
  Bridge h[n](phase = {{3.141592653589793*k/n for k in 0:n - 1}}, V = {{20 + 0.1*k for k in 1:n}});
  Saltus.Electrical.Resistor R(R = 10);
  Saltus.Electrical.Inductor L(L = 5e-3, i(start = 0, fixed = true));
  Saltus.Electrical.Ground g;
equation
  for k in 1:n - 1 loop
    connect(h[k].b, h[k + 1].a);
  end for;
  connect(h[n].b, g.p);
  connect(h[1].a, R.p);
  connect(R.n, L.p);
  connect(L.n, g.p);
  annotation(experiment(StopTime = 0.01, Interval = 1e-4, Tolerance = 1e-6));
end Cascaded;
"""


def capacitors(n: int, leak: float) -> str:
    """A switched-capacitor ladder: stages hand on their voltage by capacitors that float, empty at first."""
    return f"""
model Ladder
  parameter Integer n = {n};
  Saltus.Electrical.Sources.ConstantVoltage dc(V = 10);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Capacitor C[n](each C = 1e-5, v(each start = 0, each fixed = true));
  Saltus.Electrical.Capacitor F[n](each C = 5e-6, v(each start = 0, each fixed = true));
  Saltus.Electrical.Switch s[4, n](each Ron = {leak}, each Goff = {leak});
  Saltus.Electrical.Resistor source(R = 0.1), load(R = 1000);
  Real wave = sin(62831.853071795862*time);
equation
  connect(dc.n, g.p);
  connect(dc.p, source.p);
  for k in 1:n loop
    for j in 1:2 loop
      s[j, k].closed = wave > 0.05;
      s[j + 2, k].closed = wave < -0.05;
    end for;
    if k == 1 then
      connect(s[1, k].p, source.n);
      connect(s[2, k].p, g.p);
    else
      connect(s[1, k].p, C[k - 1].p);
      connect(s[2, k].p, C[k - 1].n);
    end if;
    connect(s[1, k].n, F[k].p);
    connect(s[2, k].n, F[k].n);
    connect(s[3, k].p, F[k].p);
    connect(s[4, k].p, F[k].n);
    connect(s[3, k].n, C[k].p);
    connect(s[4, k].n, C[k].n);
  end for;
  connect(C[1].n, g.p);
  for k in 2:n loop
    connect(C[k].n, C[k - 1].p);
  end for;
  connect(load.p, C[n].p);
  connect(load.n, g.p);
  annotation(experiment(StopTime = 0.002, Interval = 1e-5, Tolerance = 1e-6));
end Ladder;
"""


def pump(n: int, leak: float) -> str:
    """A charge pump of Dickson's: which diodes conduct together changes from one clock to the next."""
    return f"""
model Pump
  parameter Integer n = {n};
  Saltus.Electrical.Sources.ConstantVoltage dc(V = 5);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Diode d[n + 1](each Ron = {leak}, each Goff = {leak});
  Saltus.Electrical.Capacitor C[n](each C = 1e-7, v(each start = 0, each fixed = true));
  Saltus.Electrical.Capacitor out(C = 1e-6, v(start = 0, fixed = true));
  Saltus.Electrical.Sources.SignalVoltage clock[2];
  Saltus.Electrical.Resistor r[2](each R = 10), source(R = 1), load(R = 1e5);
  Boolean up = sin(62831.853071795862*time) > 0;
equation
  clock[1].v = if up then 5 else 0;
  clock[2].v = if up then 0 else 5;
  for k in 1:2 loop
    connect(clock[k].n, g.p);
    connect(clock[k].p, r[k].p);
  end for;
  connect(dc.n, g.p);
  connect(dc.p, source.p);
  connect(source.n, d[1].p);
  for k in 1:n loop
    connect(d[k].n, d[k + 1].p);
    connect(C[k].p, d[k].n);
    connect(C[k].n, r[2 - mod(k, 2)].n);
  end for;
  connect(d[n + 1].n, out.p);
  connect(out.n, g.p);
  connect(load.p, out.p);
  connect(load.n, g.p);
  annotation(experiment(StopTime = 0.002, Interval = 1e-5, Tolerance = 1e-6));
end Pump;
"""


def first_runs(measured: Callable[..., dict[str, Any]], told: Callable[[str, dict[str, Any]], None]) -> None:
    """`measured` runs a model in a process of its own; `told` prints what it took."""
    models = {
        "10 cascaded H-bridges": (cascaded, 10, "L.i", 1e-3),
        "switched-capacitor ladder of 8 stages": (capacitors, 8, "C[1].v", 2e-2),
        "charge pump of 6 stages": (pump, 6, "out.v", 2e-2),
    }
    programs: list[int] = []
    for name, (text, n, variable, limit) in models.items():
        ideal, leaky = (measured(text(n, leak), variable) for leak in (0, LEAK))
        told(name, ideal)
        programs.append(ideal["statistics"]["programs"])
        ratio = (
            f"{ideal['all'] / leaky['all']:.2f} of the whole, {ideal['run'] / leaky['run']:.1f} of the run"
        )
        report(f"{name}: first run, ideal against leaky", ratio, "printed", True)
        found, right = ideal["last"][variable], leaky["last"][variable]
        error = abs(found - right) / abs(right)
        report(f"{name}: {variable} against leaky", f"{error:.1e}", f"{limit:g}", error < limit)
    shown = ", ".join(map(str, programs))
    report("programs of these", shown, "4 at most", max(programs) <= 4)
