"""A hundred rooms in a ring, each with a heater and a relay with hysteresis: simple events per second.

Time of `Model.simulate` for all of it, integration included. Each switch is two events: the threshold is
passed, and its relation becomes false again when the temperature has turned round. The result must keep the
thresholds, and that of the same rooms with meters (whose rows fill the Jacobian, and take a third more time)
the balance of heat.
"""

from __future__ import annotations

import numpy as np

import saltus
from benchmarks.measure import best_of, report

ROOMS, STOP, TOLERANCE = 100, 20.0, 1e-6

THERMOSTATS = """
model Thermostats "rooms in a ring"
  parameter Integer n = 100;
  parameter Real loss = 0.1 "to the outside, over the heat capacity";
  parameter Real wall = 0.05 "to each neighbour";
  parameter Real outside = 5;
  parameter Real heater[n] = {3 + k/n for k in 1:n};
  Real T[n](start = {19 + 2*(k - 0.5)/n for k in 1:n}, each fixed = true);
  Boolean on[n](each start = true, each fixed = true);
equation
  for k in 1:n loop
    der(T[k]) = (if on[k] then heater[k] else 0) - loss*(T[k] - outside)
      + wall*(T[if k == 1 then n else k - 1] - 2*T[k] + T[if k == n then 1 else k + 1]);
    on[k] = if pre(on[k]) then not T[k] > 21 else T[k] < 19;
  end for;
end Thermostats;
"""

METERED = """
model Metered
  extends Thermostats;
  Real heated(start = 0, fixed = true) "heat that all heaters have given so far";
  Real lost(start = 0, fixed = true) "heat that has gone outside";
equation
  der(heated) = sum(if on[k] then heater[k] else 0 for k in 1:n);
  der(lost) = sum(loss*(T[k] - outside) for k in 1:n);
end Metered;
"""


def run() -> None:
    model, metered = saltus.load(THERMOSTATS), saltus.load(THERMOSTATS + METERED)

    def simulate() -> saltus.Result:
        return model.simulate(stop_time=STOP, interval=STOP, tolerance=TOLERANCE)

    result = simulate()
    temperatures = np.array([result[f"T[{k}]"] for k in range(1, ROOMS + 1)])
    assert temperatures.min() > 19 - 1e-6 and temperatures.max() < 21 + 1e-6
    balance = metered.simulate(stop_time=STOP, interval=STOP, tolerance=TOLERANCE)
    heat = sum(balance[f"T[{k}]"][-1] - balance[f"T[{k}]"][0] for k in range(1, ROOMS + 1))
    heated, lost = float(balance["heated"][-1]), float(balance["lost"][-1])
    assert len(balance.events) == len(result.events)
    assert abs(heat - (heated - lost)) < 10 * TOLERANCE * heated
    switches = sum(int(np.sum(np.diff(result[f"on[{k}]"]) != 0)) for k in range(1, ROOMS + 1))
    events = len(result.events) - 1
    seconds = best_of(5, simulate)
    rate = events / seconds
    measured = (
        f"{rate:,.0f} ({seconds / events * 1e6:.1f} microseconds an event; {events:,} events, {switches:,} "
        f"switches, {result.statistics['steps']:,} steps)"
    )
    report("thermostats, events per second", measured, "at least 20,000", rate >= 20_000)
