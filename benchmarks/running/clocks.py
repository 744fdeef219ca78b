"""A hundred sampled controllers, each with a clock of its own: ticks per second.

Time of `Model.simulate` for all of it. Each controller has four equations, and remembers three values; a
tick of one of them must not cost what all others would. The result must have every tick of each of them, at
times that are those of rational numbers, and the values of the recurrence.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import saltus
from benchmarks.measure import best_of, report

CONTROLLERS, STOP, UNIT = 100, 2.0, 100_000

CONTROLLERS_TEXT = """
model Controllers "each with a clock of its own"
  block Controller
    parameter Integer counter;
    Real e, x(start = 0), y(start = 0);
    Integer ticks(start = 0);
  equation
    when Clock(counter, %d) then
      e = sample(sin(3*time)) - previous(y);
      x = previous(x) + interval()*e;
      y = 0.5*e + x;
      ticks = previous(ticks) + 1;
    end when;
  end Controller;
  Controller c[%d](counter = {49 + k for k in 1:%d});
end Controllers;
"""


def recurrence(counter: int) -> tuple[float, int]:
    """The last output of a controller, and how often it has ticked."""
    interval, x, y, ticks = Fraction(counter, UNIT), 0.0, 0.0, 0
    while ticks * interval <= Fraction(STOP):
        e = float(np.sin(3 * float(ticks * interval))) - y
        x += float(interval) * e
        y, ticks = 0.5 * e + x, ticks + 1
    return y, ticks


def run() -> None:
    model = saltus.load(CONTROLLERS_TEXT % (UNIT, CONTROLLERS, CONTROLLERS))

    def simulate() -> saltus.Result:
        return model.simulate(stop_time=STOP, interval=STOP)

    result = simulate()
    total = 0
    for k in range(1, CONTROLLERS + 1):
        y, ticks = recurrence(49 + k)
        assert result[f"c[{k}].ticks"][-1] == ticks
        assert abs(result[f"c[{k}].y"][-1] - y) < 1e-9
        total += ticks
    seconds = best_of(3, simulate)
    measured = (
        f"{total / seconds:,.0f} ({seconds / total * 1e6:.1f} microseconds a tick; {total:,} ticks in "
        f"{len(result.events) - 1:,} events)"
    )
    report("a hundred clocks, ticks per second", measured, "at least 20,000", total / seconds >= 20_000)
