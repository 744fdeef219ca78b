"""Ten thousand bounces of a nearly elastic ball: the cost of an event.

Time of `Model.simulate` over the number of events: integration from one to the next, its location, event
iteration, restart, and the rows of the result. A bounce is two events: the impact, and the moment at which
`height <= 0` becomes false again. Both numbers are printed; the first is the one required.
"""

from __future__ import annotations

import math
from pathlib import Path

import saltus
from benchmarks.measure import best_of, report

BOUNCES, C, G, H0, TOLERANCE = 10_000, 1 - 1e-6, 9.81, 1.0, 1e-6
EXAMPLE = Path(__file__).parents[2] / "examples" / "BouncingBall.mo"


def time_of(bounce: int) -> float:
    """Closed form: a fall, then flights that shrink by C each."""
    fall = math.sqrt(2 * H0 / G)
    return fall * (1 + 2 * C * (1 - C ** (bounce - 1)) / (1 - C))


def run() -> None:
    model = saltus.load(EXAMPLE)
    stop = (time_of(BOUNCES) + time_of(BOUNCES + 1)) / 2

    def simulate() -> saltus.Result:
        return model.simulate(stop_time=stop, interval=stop, tolerance=TOLERANCE, set={"c": C})

    result = simulate()
    counted = int(result["bounces"][-1])
    # A relative error of 1e-6 in the speed of each flight stays in all later ones: n^2/2 times it in the end.
    assert abs(counted - BOUNCES) < BOUNCES**2 * TOLERANCE, f"{counted} bounces"
    seconds = best_of(5, simulate)
    events = len(result.events)
    each = seconds / events * 1e6
    measured = f"{each:.1f} ({seconds / counted * 1e6:.1f} a bounce; {counted:,} bounces, {events:,} events)"
    report("10,000 bounces, microseconds an event", measured, "below 60", each < 60)
