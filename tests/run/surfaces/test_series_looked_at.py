"""Where events lead nowhere is looked at once, though each event is among the latest for a while."""

from __future__ import annotations

import pytest

import saltus
from saltus.run.surfaces import accumulation

#: Gates and diodes with a leak: intervals are shorter than the ones before again and again, by no law.
LEAKY = """
model Leaky
  parameter Real leak = 1e-5;
  Saltus.Electrical.Sources.SineVoltage V(V = 11.383, f = 24.446);
  Saltus.Electrical.Resistor a(R = 7069), b(R = 18.27), c(R = 2045), source(R = 0.4899);
  Saltus.Electrical.Capacitor C(C = 2.088e-7);
  Saltus.Electrical.Inductor L(L = 0.08787);
  Saltus.Electrical.Diode d[3](each Ron = leak, each Goff = leak, each Vknee = 0.7);
  Saltus.Electrical.Transistor t(Ron = leak, Goff = leak, gate = sin(373.7*time) > 0);
  Saltus.Electrical.Ground g;
equation
  connect(V.p, source.p); connect(V.n, g.p);
  connect(source.n, a.p); connect(a.n, g.p);
  connect(b.n, g.p);
  connect(c.n, g.p);
  connect(C.p, g.p); connect(C.n, c.p);
  connect(d[1].p, a.p); connect(d[1].n, g.p);
  connect(d[2].p, V.p); connect(d[2].n, c.p);
  connect(L.p, V.p); connect(L.n, b.p);
  connect(t.p, c.p); connect(t.n, g.p);
  connect(d[3].p, V.p); connect(d[3].n, b.p);
  annotation(experiment(StopTime = 0.1, Interval = 1e-3, Tolerance = 1e-7));
end Leaky;
"""


def test_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    asked = accumulation.accumulation

    def counted(*args: object, **kwargs: object) -> object:
        nonlocal looks
        looks += 1
        return asked(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(accumulation, "accumulation", counted)
    result = saltus.load(LEAKY).simulate()
    assert len(result.events) > 300
    assert looks <= 4 * len(result.events)
