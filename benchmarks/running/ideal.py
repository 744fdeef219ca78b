"""Ideal switches and diodes against leaky ones, a ladder of 20 ideal diodes, and what entering a mode takes.

The circuits are written with a parameter `leak`, the resistance of what conducts and the conductance of what
blocks. With 1e-5 and 1e-8 they are what other tools need; with 0 the elements are ideal and the structure
varies: the converter has a mode without the current of its coil, the bridge one in which all diodes block.
Leaky results must come close to the ideal ones as they leak less. Where a leaky circuit cannot be simulated,
that is told.

Each circuit is integrated by BDF and by the method that is explicit until the model is stiff, and the faster
one counts: leaky circuits are stiff, ideal ones are not. Runs are thousands of periods long, so that what a
run costs before its first step, some milliseconds, does not matter.
"""

from __future__ import annotations

from itertools import product
from time import process_time
from typing import Any

import numpy as np

import saltus
from benchmarks.measure import report
from saltus.core.diagnostics import RunError
from saltus.run.modes import choosing
from saltus.run.modes.native_gates import Passages

BUCK = """
model Buck "steps a voltage down, at light load"
  parameter Real Vin = 24, L = 1e-4, C = 1e-4, R = 10, T = 1e-4, duty = 0.5;
  constant Real leak = {leak};
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), x, sw, d;
  Boolean closed(start = false, fixed = true);
  discrete Real opens(start = 0, fixed = true);
equation
  Vin - x = sw*(if closed then leak else 1);
  -x = d*(if d < 0 then 1 else leak);
  i = sw*(if closed then 1 else leak) + d*(if d < 0 then leak else 1);
  L*der(i) = x - v;
  C*der(v) = i - v/R;
  when sample(0, T) then
    opens = time + duty*T;
  end when;
  closed = time < opens;
end Buck;
"""

BRIDGE = """
model Bridge "four diodes behind a coil, with a capacitor and a resistor as load"
  parameter Real V = 325, f = 50, L = 5e-3, C = 1e-3, R = 50;
  constant Real leak = {leak}, pi = 3.141592653589793;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true);
  Real u[4], id[4], s[4], a, p, n;
equation
  L*der(i) = V*sin(2*pi*f*time) - a;
  u = {{a - p, n - a, -p, n}};
  for k in 1:4 loop
    u[k] = s[k]*(if s[k] < 0 then 1 else leak);
    id[k] = s[k]*(if s[k] < 0 then leak else 1);
  end for;
  i = id[1] - id[2];
  id[1] + id[3] = C*der(v) + v/R;
  id[1] + id[3] = id[2] + id[4];
  p - n = v;
end Bridge;
"""

LEAKS = ("1e-5", "1e-8", "0")
METHODS = ("bdf", "auto")
REPEATS = 5

#: Results are compared in the first part of the run.
ACCURATE = 0.01


def ladder(diodes: int) -> str:
    """Coils along the ladder, a diode with a battery and a resistor from each node to the ground."""
    battery = ", ".join(str(0.3 + 0.1 * ((7 * k) % diodes)) for k in range(diodes))
    return f"""
model Ladder "one diode after the other conducts"
  parameter Integer N = {diodes};
  parameter Real L = 2e-4, R = 4, R0 = 0.2, E[N] = {{{battery}}};
  Real x[N](each start = 0, each fixed = true) "currents of the coils";
  Real u[N] "potentials", i[N], s[N];
  Boolean off[N];
equation
  L*der(x[1]) = 10*sin(314.15926535*time) - R0*x[1] - u[1];
  for k in 2:N loop
    L*der(x[k]) = u[k - 1] - u[k];
  end for;
  for k in 1:N loop
    off[k] = s[k] < 0;
    i[k] = if off[k] then 0 else s[k];
    u[k] - E[k] - R*i[k] = if off[k] then s[k] else 0;
    i[k] = x[k] - (if k < N then x[min(k + 1, N)] else 0);
  end for;
end Ladder;
"""


def circuit(name: str, text: str, stop: float, interval: float, state: str) -> None:
    """Times with each leak, the fastest of some repeats, and how far the results are from the ideal ones."""
    seconds: dict[str, dict[str, float]] = {leak: {} for leak in LEAKS}
    events: dict[str, int] = {}
    models = {leak: saltus.load(text.format(leak=leak)) for leak in LEAKS}
    for _ in range(REPEATS):  # in turns: others may use the machine, too
        for leak, method in product(list(models), METHODS):
            if leak not in models:
                continue
            began = process_time()
            try:
                result = models[leak].simulate(stop_time=stop, interval=interval, method=method)
            except RunError as error:
                print(f"{name}: with a leak of {leak} it fails: {error.diagnostics[0].message}")
                del models[leak], seconds[leak]
                continue
            seconds[leak][method] = min(seconds[leak].get(method, np.inf), process_time() - began)
            events[leak] = result.statistics["events"]
    values = {leak: _closely(model, stop * ACCURATE, interval, state) for leak, model in models.items()}
    ideal = values["0"]
    for leak, times in seconds.items():
        took = ", ".join(f"{1e3 * times[method]:.1f} ms ({method})" for method in METHODS)
        away = float(np.abs(values[leak] - ideal).max() / np.abs(ideal).max())
        told = "ideal" if leak == "0" else f"leak {leak}, {away:.1e} from ideal"
        print(f"{name}: {told}: {took}, {events[leak]} events")
    stiffest = next((leak for leak in ("1e-8", "1e-5") if leak in seconds), None)
    if stiffest is not None:
        ratio = min(seconds[stiffest].values()) / min(seconds["0"].values())
        report(f"{name}: ideal against a leak of {stiffest}", f"{ratio:.2f} times faster", "5", ratio >= 5.0)


def side_by_side(n: int, stop: float, coil: float) -> None:
    """Converters beside each other, each with a load of its own: ideal against leaky elements. With a large
    coil the current never ends, and the switch closes while the diode conducts."""
    own = f"R = {{10 + 0.1*k for k in 1:{n}}}, each L = {coil}"
    parts = f"model Converters\n  Buck c[{n}]({own});\nend Converters;\n"
    best: dict[str, float] = {}
    models = {leak: saltus.load(BUCK.format(leak=leak) + parts) for leak in ("1e-8", "0")}
    for _ in range(3):
        for leak, model in models.items():
            for method in METHODS:
                began = process_time()
                try:
                    model.simulate(stop_time=stop, interval=4e-4, method=method)
                except RunError as error:
                    print(f"{n} converters, leak {leak}, {method}: fails: {error.diagnostics[0].message}")
                    continue
                best[leak] = min(best.get(leak, np.inf), process_time() - began)
    if len(best) < 2:
        return
    ratio = best["1e-8"] / best["0"]
    told = f"{ratio:.2f} times faster ({1e3 * best['0']:.0f} ms)"
    told_of = f"{n} converters side by side, coils of {coil:g} H"
    # One alone has a target of its own, above.
    target, holds = ("printed", True) if n == 1 else ("1", ratio >= 1.0)
    report(f"{told_of}: ideal against a leak of 1e-8", told, target, holds)


def _closely(model: saltus.Model, stop: float, interval: float, state: str) -> Any:
    """A state at the output points, computed so closely that what leaks is all that makes a difference."""
    result = model.simulate(stop_time=stop, interval=interval, tolerance=1e-8)
    return result[state][
        np.searchsorted(result.time, np.arange(1, round(stop / interval)) * interval - 1e-12)
    ]


def run() -> None:
    circuit("buck", BUCK, 2.0, 4e-4, "v")
    circuit("bridge", BRIDGE, 100.0, 1e-2, "v")

    for coil in (1e-4, 1e-3):
        for n, stop in ((1, 1.0), (10, 0.2), (100, 0.02)):
            side_by_side(n, stop, coil)

    began = process_time()
    result = saltus.load(ladder(20)).simulate(stop_time=0.03)
    seconds = process_time() - began
    programs = result.statistics["programs"]
    report(f"ladder of 20 diodes, {programs} programs", f"{seconds:.1f} s", "below 10 s", seconds < 10.0)
    worst = result.statistics["conservation error"]
    report("ladder: books at restarts", f"{worst:.1e}", "below 1e-10", worst < 1e-10)

    model = saltus.load(BRIDGE.format(leak="0"))
    model.simulate(stop_time=0.1)
    entered = _Entered()
    with entered:
        model.simulate(stop_time=0.5)
    least = 1e6 * min(entered.seconds)
    middle = 1e6 * float(np.median(entered.seconds))
    told = f"{middle:.0f} µs (least {least:.0f})"
    report("entering a known mode by Python, bridge", told, "below 100 µs", middle < 100.0)


class _Entered:
    """Times of all entries into modes while it lasts, all of them by Python: the driver learns of none."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __enter__(self) -> None:
        self._entered = entered = choosing._entered
        self._register = Passages.register
        Passages.register = lambda *_: None  # type: ignore[method-assign]

        def timed(entering: Any) -> None:
            began = process_time()
            try:
                entered(entering)
            finally:
                self.seconds.append(process_time() - began)

        choosing._entered = timed

    def __exit__(self, *_: object) -> None:
        choosing._entered = self._entered
        Passages.register = self._register  # type: ignore[method-assign]
