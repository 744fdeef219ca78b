"""A rectifier with six leaky diodes on three phases, with a coil and a resistor as load: 1 s at 50 Hz.

The cost of an event and that of a step are told apart by two tolerances: the events are the same, the steps
are not. The time of a run is taken for events times the one plus steps times the other.

The load current is compared with an integration by hand in which diodes that block carry nothing: then the
rails are where the phases above (below) them together carry the load, a water level in closed form.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

import saltus
from benchmarks.measure import best_of

F, V, RS, RON, L, R = 50.0, 325.0, 0.05, 1e-5, 0.02, 10.0
STOP = 1.0

RECTIFIER = """
model SixPulse "a bridge of six leaky diodes"
  parameter Real f = 50, V = 325, Rs = 0.05 "of each phase", L = 0.02, R = 10;
  parameter Real Ron = 1e-5, Goff = 1e-5;
  constant Real pi = 3.141592653589793;
  Real v[3], i[3] "of the phases";
  Real p, n "potentials of the rails";
  Real su[3], sl[3] "parameters along the characteristics of the upper and lower diodes";
  Real iu[3], il[3];
  Real load(start = 0, fixed = true) "current";
equation
  for k in 1:3 loop
    v[k] = V*sin(2*pi*f*time - 2*pi*(k - 1)/3);
    i[k] = iu[k] - il[k];
    v[k] - Rs*i[k] - p = su[k]*(if su[k] < 0 then 1 else Ron);
    iu[k] = su[k]*(if su[k] < 0 then Goff else 1);
    n - v[k] + Rs*i[k] = sl[k]*(if sl[k] < 0 then 1 else Ron);
    il[k] = sl[k]*(if sl[k] < 0 then Goff else 1);
  end for;
  sum(iu) = load;
  sum(il) = load;
  L*der(load) + R*load = p - n;
end SixPulse;
"""


def slope(t: float, load: float) -> float:
    """der(load) with ideal blocking."""
    phases = sorted(V * math.sin(2 * math.pi * (F * t - k / 3)) for k in range(3))
    drop = (RS + RON) * load
    upper = [(sum(phases[-m:]) - drop) / m for m in (1, 2, 3)]
    lower = [(sum(phases[:m]) + drop) / m for m in (1, 2, 3)]
    return (max(upper) - min(lower) - R * load) / L


def by_hand(stop: float, step: float) -> NDArray[np.float64]:
    """The load current at every step of the classical Runge-Kutta method."""
    load, found = 0.0, [0.0]
    for k in range(round(stop / step)):
        t = k * step
        k1 = slope(t, load)
        k2 = slope(t + step / 2, load + step / 2 * k1)
        k3 = slope(t + step / 2, load + step / 2 * k2)
        k4 = slope(t + step, load + step * k3)
        load += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        found.append(load)
    return np.array(found)


def run() -> None:
    model = saltus.load(RECTIFIER)
    checked = model.simulate(stop_time=0.1, interval=1e-3, tolerance=1e-6)
    expected = by_hand(0.1, 2e-5)
    rows = np.searchsorted(checked.time, np.arange(101) * 1e-3 - 1e-9)
    # What leaks through four diodes that block is 1e-5 of what flows; kinks cost the hand-written method
    # some.
    assert np.abs(checked["load"][rows] - expected[::50]).max() < 1e-3 * expected.max()

    measured = []
    for tolerance in (1e-5, 1e-9):

        def simulate(tolerance: float = tolerance) -> saltus.Result:
            return model.simulate(stop_time=STOP, interval=STOP, tolerance=tolerance)

        result = simulate()
        assert len(result.events) - 1 == 12 * F * STOP, "each diode turns on and off once a period"
        measured.append((best_of(5, simulate), result.statistics["steps"]))
    (loose_s, loose), (tight_s, tight) = measured
    step = (tight_s - loose_s) / (tight - loose)
    events = round(12 * F * STOP)
    event = (loose_s - step * loose) / events
    print(
        f"six-pulse rectifier, 1 s: {event * 1e6:.1f} microseconds an event, {step * 1e6:.2f} a step "
        f"({events} events; {loose:,} steps and {loose_s * 1e3:.1f} ms at 1e-5, {tight:,} and "
        f"{tight_s * 1e3:.1f} ms at 1e-9)",
        flush=True,
    )
