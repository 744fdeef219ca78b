"""Signals that cross zero twice soon after an event, where nothing but a slope is known of them.

The first look into a step after an event has one slope and three values. Of a wave these may happen to lie on
a parabola, whose lowest point is above zero though that of the wave is not. So a bend of what oscillates is
never taken for that of a parabola: how fast the phase goes is known.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from tools.obedience.judge import judged

import saltus

SOON = """
model Soon "a cosine that is above a threshold for a moment, soon after an event"
  parameter Real at = 10, peak = 1, threshold = 0.999;
  Real slow(start = 1, fixed = true);
  Boolean late = time >= at;
  Boolean above = cos(time - at - peak) > threshold;
equation
  der(slow) = -1e-3*slow;
end Soon;
"""

#: The event, how long after it the cosine is 1, and how far the threshold is below that: of some thousand
#: models drawn at random those in which the fourth number did not tell a wave from a parabola.
CASES = [
    (56.01209625993372, 0.9201684390966507, 0.0003754117175667428),
    (55.73799086567836, 1.1925258762550013, 0.00010635559256130166),
    (57.621183166319355, 0.7157438550450608, 3.9447132030714975e-06),
    (55.80206304903701, 1.1275177143849957, 5.96112143367251e-05),
    (56.28764351524015, 0.6455859934339192, 0.00021871953645033725),
    (55.11369363949574, 0.6003170372541956, 2.9676298913362974e-06),
    (55.81028168301238, 1.1241617431111552, 1.1737667993104046e-06),
]


@pytest.mark.parametrize(("at", "peak", "below"), CASES)
@pytest.mark.parametrize("method", ["bdf", "ida"])
def test_a_wave_is_no_parabola(method: str, at: float, peak: float, below: float) -> None:
    stop = at + 4.0
    parameters = {"at": at, "peak": peak, "threshold": 1.0 - below}
    result = saltus.load(SOON).simulate(stop_time=stop, interval=100.0, method=method, set=parameters)
    half = math.acos(1.0 - below)
    tops = [at + peak + 2 * math.pi * k for k in range(-12, 2)]
    expected = [t for top in tops for t in (top - half, top + half) if 0.0 < t < stop]
    found = [event.time for event in result.events.of("above")]
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-9)
    assert judged(result, 1e-6).violations == []
