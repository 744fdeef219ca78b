"""Converters side by side whose switches and diodes contradict each other at events: a mode is searched for
in each by itself, so that many are no harder than one, and begin and run as integration by hand says."""

from __future__ import annotations

import numpy as np

import saltus

#: The one in which the model starts, and the one that follows its switches.
PROGRAMS = 2

COMMON = """
model Leg "a leg of an inverter, with dead time"
  parameter Real R = 10, phase = 0;
  Saltus.Electrical.Interfaces.Pin p, n, m;
  Real ref = 0.8*sin(314.1592653589793*time + phase);
  Real carrier = 2/3.141592653589793*asin(sin(12566.370614359172*time));
  Saltus.Electrical.Transistor t1(gate = ref - 0.05 > carrier), t2(gate = ref + 0.05 < carrier);
  Saltus.Electrical.Resistor r(R = R);
  Saltus.Electrical.Inductor coil(L = 2e-3, i(start = 0, fixed = true));
equation
  connect(p, t1.p);
  connect(t1.n, t2.p);
  connect(t2.n, n);
  connect(t1.n, coil.p);
  connect(coil.n, r.p);
  connect(r.n, m);
end Leg;
model Common "legs side by side on two batteries"
  parameter Integer n = 5;
  Leg leg[n](R = {10 + k for k in 1:n}, phase = {0.3*k for k in 1:n});
  Saltus.Electrical.Sources.ConstantVoltage dc1(V = 50), dc2(V = 50);
  Saltus.Electrical.Ground g;
equation
  connect(dc1.n, g.p);
  connect(dc2.p, g.p);
  for k in 1:n loop
    connect(dc1.p, leg[k].p);
    connect(dc2.n, leg[k].n);
    connect(g.p, leg[k].m);
  end for;
  annotation(experiment(StopTime = 0.002, Interval = 2e-5, Tolerance = 1e-8));
end Common;
"""


def test_legs_on_common_batteries_are_parts() -> None:
    """What batteries give is known before anything is solved, and what they deliver is found afterwards."""
    result = saltus.load(COMMON).simulate()
    assert result.statistics["programs"] == PROGRAMS
    (signature,) = [p.signature for p in result.programs if p.signature is not None]
    assert len({len(part.rows) for part in signature.parts if len(part.rows) > 2}) == 1
    assert sum(len(part.rows) > 2 for part in signature.parts) == 5
    step, phase, resistance = 1e-7, 0.3 * np.arange(1, 6), 10.0 + np.arange(1, 6)
    i, currents = np.zeros(5), [np.zeros(5)]
    for j in range(round(0.002 / step)):
        t = (j + 0.5) * step
        ref = 0.8 * np.sin(100 * np.pi * t + phase)
        carrier = 2 / np.pi * np.arcsin(np.sin(4000 * np.pi * t))
        upper, lower = ref - 0.05 > carrier, ref + 0.05 < carrier
        given = np.where(upper, 50.0, np.where(lower, -50.0, -50.0 * np.sign(i)))
        new = i + step * (given - resistance * i) / 2e-3
        i = np.where(upper | lower | (new * i > 0), new, 0.0)
        currents.append(i)
    times = step * np.arange(len(currents))
    points = np.linspace(0.0, 0.002, 101)
    for k in range(5):
        truth = np.interp(points, times, np.array(currents)[:, k])
        found = np.interp(points, result.time, result[f"leg[{k + 1}].coil.i"])
        assert np.abs(found - truth).max() < 3e-3 * np.abs(truth).max()
    for battery, valve, sign in (("dc1", "t1", -1), ("dc2", "t2", -1)):
        total = sum(result[f"leg[{k}].{valve}.i"] for k in range(1, 6))
        assert np.abs(result[f"{battery}.i"] - sign * total).max() < 1e-9 * np.abs(total).max()


CHARGED = """
model Charged "capacitors that are joined with a battery, one after the other; what leaks through resistors"
  parameter Integer n = 6;
  Saltus.Electrical.Sources.ConstantVoltage dc(V = 10);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Switch s[n](closed = {time > 0.1*k for k in 1:n});
  Saltus.Electrical.Capacitor C[n](C = {1e-3*k for k in 1:n}, v(start = {k for k in 1:n}, each fixed = true));
  Saltus.Electrical.Resistor r[n](each R = 50);
equation
  connect(dc.n, g.p);
  for k in 1:n loop
    connect(dc.p, s[k].p);
    connect(s[k].n, C[k].p);
    connect(C[k].n, g.p);
    connect(r[k].p, C[k].p);
    connect(r[k].n, g.p);
  end for;
  annotation(experiment(StopTime = 1, Interval = 0.01, Tolerance = 1e-8));
end Charged;
"""


def test_a_battery_delivers_the_charges_of_an_instant() -> None:
    result = saltus.load(CHARGED).simulate()
    assert result.statistics["programs"] == PROGRAMS
    given = result.impulses["dc.i"]
    assert len(given) == 6
    for k, impulse in enumerate(given, 1):
        left = k * np.exp(-0.1 * k / (50e-3 * k))
        assert abs(impulse.time - 0.1 * k) < 1e-9
        assert abs(impulse.weight + 1e-3 * k * (10 - left)) < 1e-7
    assert np.allclose(result["dc.i"][-1], -6 * 10 / 50)


THREE_LEVELS = """
model Leg "three levels: where the outer transistor closes, the diode to the middle conducts"
  parameter Real phase = 0;
  Real ref = 0.9*sin(314.1592653589793*time + phase);
  Real tri = asin(sin(12566.370614359172*time))/3.141592653589793 + 0.5;
  Boolean hi = ref > tri + 0.01, lo = -ref > tri + 0.01, a = ref > tri - 0.01, b = -ref > tri - 0.01;
  Saltus.Electrical.Transistor t1(gate = hi), t2(gate = not b), t3(gate = not a), t4(gate = lo);
  Saltus.Electrical.Diode d1, d2;
  Saltus.Electrical.Sources.ConstantVoltage dc1(V = 100), dc2(V = 100);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Resistor r(R = 10);
  Saltus.Electrical.Inductor l(L = 2e-3, i(start = 0, fixed = true));
equation
  connect(dc1.n, g.p);
  connect(dc2.p, g.p);
  connect(dc1.p, t1.p);
  connect(t1.n, t2.p);
  connect(t2.n, t3.p);
  connect(t3.n, t4.p);
  connect(t4.n, dc2.n);
  connect(d1.p, g.p);
  connect(d1.n, t1.n);
  connect(d2.p, t3.n);
  connect(d2.n, g.p);
  connect(t2.n, l.p);
  connect(l.n, r.p);
  connect(r.n, g.p);
end Leg;
model Legs
  Leg leg[3](phase = {0.3 + 0.1*k for k in 1:3});
  annotation(experiment(StopTime = 0.0095, Interval = 1e-4, Tolerance = 1e-8));
end Legs;
"""


def test_legs_of_three_levels() -> None:
    """With 18 relations in all, one leg after the other would have to be found among 18 million choices."""
    result = saltus.load(THREE_LEVELS).simulate()
    assert result.statistics["programs"] == PROGRAMS
    step, phase = 2e-7, 0.3 + 0.1 * np.arange(1, 4)
    i, currents = np.zeros(3), [np.zeros(3)]
    for j in range(round(0.0095 / step)):
        t = (j + 0.5) * step
        ref = 0.9 * np.sin(100 * np.pi * t + phase)
        tri = np.arcsin(np.sin(4000 * np.pi * t)) / np.pi + 0.5
        t1, t4, t3, t2 = ref > tri + 0.01, -ref > tri + 0.01, ref <= tri - 0.01, -ref <= tri - 0.01
        forward = np.where(t2, np.where(t1, 100.0, 0.0), -100.0)
        backward = np.where(t3, np.where(t4, -100.0, 0.0), 100.0)
        # Without a current it begins to flow where a voltage drives it.
        given = np.where(
            i > 0, forward, np.where(i < 0, backward, np.maximum(forward, 0) + np.minimum(backward, 0))
        )
        new = i + step * (given - 10 * i) / 2e-3
        i = np.where(new * i < 0, 0.0, new)
        currents.append(i)
    times = step * np.arange(len(currents))
    points = np.linspace(0.0, 0.0095, 96)
    for k in range(3):
        truth = np.interp(points, times, np.array(currents)[:, k])
        found = np.interp(points, result.time, result[f"leg[{k + 1}].l.i"])
        assert np.abs(found - truth).max() < 3e-3 * np.abs(truth).max()


ACTIVE_BRIDGES = """
model Pair "two bridges with a coil and a transformer between them; at the start all of one are off"
  parameter Real lag = 0.5;
  Saltus.Electrical.Sources.ConstantVoltage dc(V = 100);
  Saltus.Electrical.Ground g1, g2;
  Saltus.Electrical.Transistor a[4], b[4];
  Saltus.Electrical.Inductor L(L = 2e-4, i(start = 0, fixed = true));
  Saltus.Electrical.Transformer t(n = 2);
  Saltus.Electrical.Capacitor C(C = 1e-4, v(start = 45, fixed = true));
  Saltus.Electrical.Resistor r(R = 10);
  Real y1 = sin(62831.853071795865*time), y2 = sin(62831.853071795865*time - lag);
equation
  for k in {1, 4} loop
    a[k].gate = y1 > 0.05;
    b[k].gate = y2 > 0.05;
  end for;
  for k in {2, 3} loop
    a[k].gate = y1 < -0.05;
    b[k].gate = y2 < -0.05;
  end for;
  for k in {1, 3} loop
    connect(dc.p, a[k].p);
    connect(a[k].n, a[k + 1].p);
    connect(a[k + 1].n, dc.n);
    connect(C.p, b[k].p);
    connect(b[k].n, b[k + 1].p);
    connect(b[k + 1].n, C.n);
  end for;
  connect(dc.n, g1.p);
  connect(C.n, g2.p);
  connect(a[1].n, L.p);
  connect(L.n, t.p1);
  connect(t.n1, a[3].n);
  connect(t.p2, b[1].n);
  connect(t.n2, b[3].n);
  connect(r.p, C.p);
  connect(r.n, C.n);
end Pair;
model Pairs
  Pair pair[3](lag = {0.5 + 0.1*k for k in 1:3});
  annotation(experiment(StopTime = 2.5e-4, Interval = 1e-5, Tolerance = 1e-8));
end Pairs;
"""


def test_active_bridges_that_begin_with_all_transistors_off() -> None:
    """A mode in which the start has a capacitor shorted is none: what it would jump by was not looked at
    where the gates of the first instant had not been seen yet."""
    result = saltus.load(ACTIVE_BRIDGES).simulate()
    assert result.statistics["programs"] == PROGRAMS
    step, lag = 1e-8, 0.5 + 0.1 * np.arange(1, 4)
    i, v = np.zeros(3), np.full(3, 45.0)
    currents, voltages = [i], [v]
    for j in range(round(2.5e-4 / step)):
        t = (j + 0.5) * step
        y1, y2 = np.sin(2e4 * np.pi * t), np.sin(2e4 * np.pi * t - lag)
        # A bridge that is off opposes the current; without one, it blocks up to its own voltage.
        side1 = np.where(y1 > 0.05, 1.0, np.where(y1 < -0.05, -1.0, -np.sign(i)))
        side2 = np.where(y2 > 0.05, 1.0, np.where(y2 < -0.05, -1.0, np.sign(i)))
        off1, off2 = np.abs(y1) <= 0.05, np.abs(y2) <= 0.05
        drive = 100 * side1 - 2 * v * side2
        blocked = (i == 0.0) & (np.abs(drive) <= 100.0 * off1 + 2 * v * off2)
        new = np.where(blocked, 0.0, i + step * drive / 2e-4)
        new = np.where((new * i < 0) & (off1 | off2), 0.0, new)
        v = v + step * (side2 * (i + new) - v / 10) / 1e-4
        i = new
        currents.append(i)
        voltages.append(v)
    times = step * np.arange(len(currents))
    points = np.linspace(0.0, 2.5e-4, 26)
    for k in range(3):
        for name, wanted in (("L.i", currents), ("C.v", voltages)):
            truth = np.interp(points, times, np.array(wanted)[:, k])
            found = np.interp(points, result.time, result[f"pair[{k + 1}].{name}"])
            assert np.abs(found - truth).max() < 2e-3 * np.abs(truth).max()
