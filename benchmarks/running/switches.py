"""Many ideal switches: what one more costs.

Rectifiers side by side, three-phase bridges and inverters of library parts, a chain of masses with
declarative friction, a battery of cells with bypass diodes, a converter of half-bridges, a train with slack
couplings. Everything is measured with the disk cache off, in a process of its own, from importing the package
to the result.

What an event itself costs is told apart for the rectifiers, from the end of the first period on: the choice
of the mode and its entry (`event_time`). It should not grow with what has no part in the event.

The frequencies of the rectifiers lie between 50 and 87 Hz, however many there are. With frequencies that grow
with the number, a thousand of them would have 380,000 events in a tenth of a second, and their rows alone
would take 70 GB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.measure import report, skipped
from benchmarks.running.event_time import has_clock
from benchmarks.running.first_runs import first_runs
from benchmarks.running.ideal import ladder

_RUN = """
import json, resource, sys, time
began = time.perf_counter()
import saltus
model = saltus.load(sys.argv[1])
loaded = time.perf_counter()
result = model.simulate(stop_time=float(sys.argv[2]) if sys.argv[2] else None)
done = time.perf_counter()
names = sys.argv[3:]
print(json.dumps({
    "load": loaded - began, "run": done - loaded, "all": done - began, "statistics": result.statistics,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    "equations": len(model.structure.model.equations),
    "last": {name: float(result[name][-1]) for name in names},
}))
"""


def rectifiers(n: int) -> str:
    """Source, inductor, ideal diode and resistor, n times."""
    return f"""
model Rectifiers
  Saltus.Electrical.Sources.SineVoltage source[{n}](each V = 10, f = {{50 + 37*i/{n} for i in 1:{n}}});
  Saltus.Electrical.Diode diode[{n}];
  Saltus.Electrical.Inductor coil[{n}](each L = 0.02);
  Saltus.Electrical.Resistor load[{n}](each R = 5);
  Saltus.Electrical.Ground ground;
equation
  for i in 1:{n} loop
    connect(source[i].p, coil[i].p);
    connect(coil[i].n, diode[i].p);
    connect(diode[i].n, load[i].p);
    connect(load[i].n, source[i].n);
    connect(source[i].n, ground.p);
  end for;
  annotation(experiment(StopTime = 0.1, Interval = 1e-3, Tolerance = 1e-6));
end Rectifiers;
"""


def masses(n: int) -> str:
    """A chain on springs, each with friction as one writes it."""
    return f"""
model Masses
  parameter Integer n = {n};
  Real x[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true), f[n], s[n];
equation
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = (if i == 1 then 20*sin(3*time) else 50*(x[i - 1] - x[i]))
      - (if i == n then 0 else 50*(x[i] - x[i + 1])) - f[i];
    v[i] = if s[i] > 1 then s[i] - 1 elseif s[i] < -1 then s[i] + 1 else 0;
    f[i] = if s[i] > 1 then 1 + 0.1*(s[i] - 1) elseif s[i] < -1 then -1 + 0.1*(s[i] + 1) else s[i];
  end for;
  annotation(experiment(StopTime = 5, Interval = 0.01, Tolerance = 1e-6));
end Masses;
"""


def battery(n: int) -> str:
    """Cells in series, each with a bypass diode; weak ones are empty first."""
    return f"""
model Battery
  parameter Integer n = {n};
  parameter Real C[n] = {{100 + 3*k for k in 1:n}};
  Real v[n](each start = 2, each fixed = true), d[n], s[n], i;
  Boolean off[n];
equation
  for k in 1:n loop
    C[k]*der(v[k]) = d[k] - i;
    off[k] = s[k] < 0;
    d[k] = if off[k] then 0 else s[k];
    -v[k] = if off[k] then s[k] else 0;
  end for;
  i = 1 + 0.5*sin(0.01*time);
  annotation(experiment(StopTime = 900, Interval = 1, Tolerance = 1e-6));
end Battery;
"""


def converter(n: int) -> str:
    """One arm of half-bridge submodules with phase-shifted carriers."""
    return f"""
model Converter
  parameter Integer n = {n};
  parameter Real C = 5e-3, L = 2e-3, R = 10, Vdc = 100, fc = 500, pi = 3.141592653589793;
  Real vc[n](each start = Vdc/n, each fixed = true), v[n], j[n], i(start = 0, fixed = true), w;
  Boolean inserted[n];
equation
  w = 0.5 + 0.4*sin(100*pi*time);
  for k in 1:n loop
    inserted[k] = sin(2*pi*(fc*time + k/n)) < 2*w - 1;
    C*der(vc[k]) = j[k];
    0 = if inserted[k] then v[k] - vc[k] else v[k];
    0 = if inserted[k] then j[k] - i else j[k];
  end for;
  L*der(i) = Vdc - sum(v) - R*i;
  annotation(experiment(StopTime = 0.04, Interval = 1e-4, Tolerance = 1e-6));
end Converter;
"""


def train(n: int) -> str:
    """Wagons with slack couplings: one after the other is pulled along, with an impact each."""
    return f"""
model Train
  parameter Integer n = {n};
  parameter Real m = 20, F = 100, slack = 0.02;
  Real x[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true), f[n + 1];
  Boolean taut[n - 1](each start = false, each fixed = true);
equation
  f[1] = F;
  f[n + 1] = 0;
  for k in 1:n loop
    der(x[k]) = v[k];
    m*der(v[k]) = f[k] - f[k + 1];
  end for;
  for k in 1:n - 1 loop
    when x[k] - x[k + 1] >= slack then
      taut[k] = true;
    elsewhen f[k + 1] < 0 then
      taut[k] = false;
    end when;
    0 = if taut[k] then v[k] - v[k + 1] else f[k + 1];
  end for;
  annotation(experiment(StopTime = 8, Interval = 0.02, Tolerance = 1e-8));
end Train;
"""


def bridges(n: int, leak: float = 0.0) -> str:
    """Three-phase rectifiers on one source, each behind coils of its own, with a floating capacitor."""
    return f"""
model Bridge
  Saltus.Electrical.Interfaces.Pin a, b, c, p, n;
  Saltus.Electrical.Inductor L[3](each L = 5e-4, each i(start = 0, fixed = true));
  Saltus.Electrical.Diode d[6](each Ron = {leak}, each Goff = {leak});
equation
  connect(a, L[1].p);
  connect(b, L[2].p);
  connect(c, L[3].p);
  for k in 1:3 loop
    connect(L[k].n, d[k].p);
    connect(d[k].n, p);
    connect(d[k + 3].n, L[k].n);
    connect(d[k + 3].p, n);
  end for;
end Bridge;
model Bridges
  Saltus.Electrical.ThreePhaseSource s(V = 100);
  Bridge b[{n}];
  Saltus.Electrical.Capacitor C[{n}](each C = 1e-3, each v(start = 0, fixed = true));
  Saltus.Electrical.Resistor R[{n}](R = {{20 + k for k in 1:{n}}});
  Saltus.Electrical.Ground g;
equation
  connect(s.n, g.p);
  for k in 1:{n} loop
    connect(s.a, b[k].a);
    connect(s.b, b[k].b);
    connect(s.c, b[k].c);
    connect(b[k].p, C[k].p);
    connect(b[k].n, C[k].n);
    connect(R[k].p, C[k].p);
    connect(R[k].n, C[k].n);
  end for;
  annotation(experiment(StopTime = 0.02, Interval = 1e-4, Tolerance = 1e-6));
end Bridges;
"""


def inverters(n: int) -> str:
    """Three legs each, of transistors with dead time, on one battery; a star of coils for each."""
    return f"""
model Inverter
  parameter Real phase = 0;
  Saltus.Electrical.Interfaces.Pin p, n;
  Real ref[3] = {{0.8*sin(314.1592653589793*time + phase - 2.0943951023931953*k) for k in 0:2}};
  Real carrier = 0.6366197723675814*asin(sin(12566.370614359172*time));
  Saltus.Electrical.Transistor up[3](gate = {{ref[k] - 0.02 > carrier for k in 1:3}});
  Saltus.Electrical.Transistor down[3](gate = {{ref[k] + 0.02 < carrier for k in 1:3}});
  Saltus.Electrical.Resistor r[3](each R = 1);
  Saltus.Electrical.Inductor l[3](each L = 5e-3, i(each start = 0, fixed = {{true, true, false}}));
equation
  for k in 1:3 loop
    connect(p, up[k].p);
    connect(up[k].n, down[k].p);
    connect(down[k].n, n);
    connect(up[k].n, r[k].p);
    connect(r[k].n, l[k].p);
    connect(l[k].n, l[1].n);
  end for;
end Inverter;
model Inverters
  Saltus.Electrical.Sources.ConstantVoltage dc(V = 200);
  Saltus.Electrical.Ground g;
  Inverter one[{n}](phase = {{0.2*k for k in 1:{n}}});
equation
  connect(dc.n, g.p);
  for k in 1:{n} loop
    connect(one[k].p, dc.p);
    connect(one[k].n, dc.n);
  end for;
  annotation(experiment(StopTime = 0.005, Interval = 1e-4, Tolerance = 1e-6));
end Inverters;
"""


def viennas(n: int) -> str:
    """Vienna rectifiers: a switch that closes while a diode conducts shorts a capacitor that floats."""
    return f"""
model Vienna
  parameter Real R = 50, phase = 0;
  Saltus.Electrical.ThreePhaseSource s(V = 100, phase = phase);
  Saltus.Electrical.Ground g;
  Saltus.Electrical.Inductor L[3](each L = 2e-3, i(each start = 0, fixed = {{true, true, false}}));
  Saltus.Electrical.Capacitor C[2](each C = 1e-3, each v(start = 110, fixed = true));
  Saltus.Electrical.Resistor r(R = R);
  Saltus.Electrical.Diode u[3], d[3];
  Saltus.Electrical.Switch w[3];
  Real tri = asin(sin(31415.926535897932*time))/3.141592653589793 + 0.5;
equation
  connect(s.n, g.p);
  connect(s.a, L[1].p);
  connect(s.b, L[2].p);
  connect(s.c, L[3].p);
  for k in 1:3 loop
    w[k].closed = tri > abs(0.85*sin(314.1592653589793*time + phase - 0.1 - (k - 1)*2.0943951023931953));
    connect(L[k].n, u[k].p);
    connect(u[k].n, C[1].p);
    connect(d[k].n, L[k].n);
    connect(d[k].p, C[2].n);
    connect(L[k].n, w[k].p);
    connect(w[k].n, C[1].n);
  end for;
  connect(C[1].n, C[2].p);
  connect(r.p, C[1].p);
  connect(r.n, C[2].n);
end Vienna;
model Viennas
  Vienna one[{n}](R = {{50 + k for k in 1:{n}}}, phase = {{0.05*k for k in 1:{n}}});
  annotation(experiment(StopTime = 0.002, Interval = 5e-5, Tolerance = 1e-6));
end Viennas;
"""


def ropes(n: int) -> str:
    """Masses in a row on ropes that are slack at first; the first one is pulled."""
    return f"""
model Ropes
  parameter Integer n = {n};
  Saltus.Translational.Mass m[n](
    each m = 20, s(start = {{-0.03*k for k in 1:n}}, each fixed = true), each v(start = 0, fixed = true));
  Saltus.Translational.Rope rope[n - 1](each L = 0.05);
  Saltus.Translational.Sources.ConstantForce pull(f = 100);
equation
  connect(pull.flange, m[1].flange_a);
  for k in 1:n - 1 loop
    connect(m[k + 1].flange_b, rope[k].flange_a);
    connect(rope[k].flange_b, m[k].flange_a);
  end for;
  annotation(experiment(StopTime = 8, Interval = 0.02, Tolerance = 1e-8));
end Ropes;
"""


def from_parts() -> None:
    """Bridges and inverters of library parts, whose leaks are parameters that are zero: programs, and time
    against leaky ones."""
    programs: list[int] = []
    for n in (1, 3, 10):
        found = measured(bridges(n))
        told(f"{n} three-phase bridges behind coils, one source", found)
        programs.append(found["statistics"]["programs"])
    leaky = measured(bridges(10, 1e-5))
    report("10 bridges: leaky against ideal, runs", f"{leaky['run'] / found['run']:.2f}", "printed", True)
    for n in (1, 3, 10):
        found = measured(inverters(n))
        told(f"{n} three-phase inverters with dead time, one battery", found)
        programs.append(found["statistics"]["programs"])
    for n in (1, 10):
        found = measured(viennas(n))
        told(f"{n} Vienna rectifiers", found)
        programs.append(found["statistics"]["programs"])
    shown = ", ".join(map(str, programs))
    # A mode that is left at once, found where there is no solution by numbers, gives way to a program or two.
    of_what = "programs of 1, 3, 10 bridges, 1, 3, 10 inverters, 1, 10 Vienna rectifiers"
    report(of_what, shown, "4 at most", max(programs) <= 4)


def train_by_hand(n: int, until: float) -> float:
    """The speed of the first wagon: k wagons go together from one impact to the next."""
    m, force, slack = 20.0, 100.0, 0.02
    time, speed, k = 0.0, 0.0, 1
    while k < n:
        a = force / (k * m)
        step = (-speed + np.sqrt(speed**2 + 2 * a * slack)) / a
        if time + step >= until:
            break
        time, speed = time + step, (speed + a * step) * k / (k + 1)
        k += 1
    return float(speed + force / (k * m) * (until - time))


def battery_by_hand(k: int, until: float) -> float:
    """The voltage of cell k: what has flowed is known, and an empty cell is bypassed."""
    charge = until + 50 * (1 - np.cos(0.01 * until))
    return float(max(2 - charge / (100 + 3 * k), 0.0))


def converter_by_hand(n: int, until: float, step: float = 1e-6) -> float:
    """The current, by Runge-Kutta steps of the circuit that the switches leave at the middle of each."""
    c, inductance, r, v = 5e-3, 2e-3, 10.0, 100.0
    phases = np.arange(1, n + 1) / n

    def slopes(x: np.ndarray, inserted: np.ndarray) -> np.ndarray:
        return np.append(inserted * (x[-1] / c), (v - inserted @ x[:-1] - r * x[-1]) / inductance)

    x = np.append(np.full(n, v / n), 0.0)
    for k in range(round(until / step)):
        t = (k + 0.5) * step
        inserted = np.sin(2 * np.pi * (500 * t + phases)) < 0.8 * np.sin(100 * np.pi * t)
        a = slopes(x, inserted)
        b = slopes(x + step / 2 * a, inserted)
        d = slopes(x + step / 2 * b, inserted)
        x = x + step / 6 * (a + 2 * b + 2 * d + slopes(x + step * d, inserted))
    return float(x[-1])


def measured(text: str, *names: str, stop: float | None = None) -> dict[str, Any]:
    """One run in a process of its own, nothing kept from others."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "Model.mo"
        path.write_text(text)
        environment = {**os.environ, "SALTUS_CACHE": "off"}
        command = [sys.executable, "-c", _RUN, str(path), "" if stop is None else str(stop), *names]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def told(name: str, found: dict[str, Any], limit: float | None = None) -> None:
    statistics = found["statistics"]
    events = max(statistics["events"] - 1, 1)
    text = (
        f"{found['all']:.1f} s (run {found['run']:.2f} s, {events} events, "
        f"{statistics['programs']} programs; "
        f"{1e3 * found['run'] / events:.2f} ms of the run for each event)"
    )
    report(name, text, f"below {limit:g} s" if limit else "printed", limit is None or found["all"] < limit)


def own_time(text: str, repeats: int) -> tuple[float, float]:
    """Seconds that an event takes by itself after the first period, and what it costs the integration."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "Model.mo"
        path.write_text(text)
        command = [
            sys.executable,
            "-m",
            "benchmarks.running.event_time",
            str(path),
            "0.02",
            "0.1",
            str(repeats),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    own, others = json.loads(done.stdout)
    return own, others


def many_rectifiers() -> None:
    programs: list[int] = []
    for n, limit in ((10, None), (100, 3.0), (1000, 60.0)):
        found = measured(rectifiers(n))
        told(f"{n} rectifiers with ideal diodes", found, limit)
        programs.append(found["statistics"]["programs"])
    shown = ", ".join(map(str, programs))
    report("programs compiled for 10, 100, 1000 rectifiers", shown, "the same", len(set(programs)) == 1)
    if not has_clock():
        skipped("time of an event itself", "the processor's clock cannot be read")
        return
    times: list[float] = []
    for n, repeats in ((10, 5), (100, 5), (1000, 1)):
        own, others = own_time(rectifiers(n), repeats)
        times.append(own)
        text = f"{1e6 * own:.1f} us (and {1e6 * others:.1f} us for left limits and restarts)"
        report(f"{n} rectifiers: the choice of a mode and its entry, for each event", text, "printed", True)
    growth = times[-1] / times[0]
    report("growth of that from 10 to 1000 rectifiers", f"{growth:.1f}", "below 1.5", growth < 1.5)


def many_modes() -> None:
    """What memory it takes to go through thousands of combinations."""
    few, many = (measured(rectifiers(100), stop=stop) for stop in (0.02, 0.8))
    events, memory = many["statistics"]["events"], many["memory"]
    text = f"{memory / 1e9:.2f} GB after {events} events of 100 rectifiers, each with another combination"
    report("memory of a run through many modes", text, "below 1 GB", memory < 1e9)
    modes = events - few["statistics"]["events"]
    each = (memory - few["memory"]) / (modes * many["equations"])
    text = f"{each:.0f} bytes, rows of the result among them"
    report("memory for each equation and each further combination", text, "below 1 kB", each < 1024)


def many_masses() -> None:
    """Chains with friction."""
    sizes, times = (10, 100, 1000), []
    for n, limit in zip(sizes, (1.0, 5.0, 60.0), strict=True):
        found = measured(masses(n))
        told(f"chain of {n} masses with friction", found, limit)
        times.append(found["run"] / found["statistics"]["events"])
    exponent = np.log(times[-1] / times[0]) / np.log(sizes[-1] / sizes[0])
    text = f"{exponent:.2f} from {sizes[0]} to {sizes[-1]} masses, with the steps between"
    report("exponent of growth of the time for each event of the chain", text, "printed", True)


def compared(name: str, found: dict[str, Any], variable: str, right: float, limit: float) -> None:
    """Prints how far a variable is from the truth at the end."""
    error = abs(found["last"][variable] - right) / abs(right)
    report(name, f"{error:.1e}", f"{limit:g}", error < limit)


def run() -> None:
    many_rectifiers()
    from_parts()
    first_runs(measured, told)
    many_masses()
    for n, limit in ((20, 1.5), (50, 10.0)):
        told(f"ladder of {n} diodes, one component", measured(ladder(n), stop=0.03), limit)
    found = measured((Path(__file__).parent / "Gear11.mo").read_text())
    told("gearbox with 11 clutches, 19 s", found)
    report("its run, all caches empty", f"{found['run']:.2f} s", "below 1 s", found["run"] < 1.0)
    many_modes()
    found = measured(battery(100), "v[100]", stop=500.0)
    told("battery of 100 cells with bypass diodes", found)
    flowed = "battery: voltage of a cell against what has flowed"
    compared(flowed, found, "v[100]", battery_by_hand(100, 500.0), 1e-4)
    found = measured(converter(24), "i", stop=0.0371)  # at the end of its run the current is about zero
    told("converter of 24 half-bridges", found)
    compared("converter: current against steps by hand", found, "i", converter_by_hand(24, 0.0371), 1e-3)
    found = measured(train(50), "v[1]")
    told("train of 50 wagons with slack couplings", found)
    momentum = "train: speed of the first wagon against conserved momentum"
    compared(momentum, found, "v[1]", train_by_hand(50, 8.0), 1e-6)
    found = measured(ropes(50), "m[1].v")
    told("train of 50 masses on ropes", found)
    momentum = "ropes: speed of the first mass against conserved momentum"
    compared(momentum, found, "m[1].v", train_by_hand(50, 8.0), 1e-6)
