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


AT_ONCE = """
model AtOnce "a wave that is above a threshold for a moment, soon after the start"
  parameter Real w = 1, peak = 1, second = 0, threshold = 0.999, rate = 1e-3;
  Real slow(start = 1, fixed = true);
  Boolean above = cos(w*time - peak) + second*cos(2*(w*time - peak)) > threshold;
equation
  der(slow) = -rate*slow;
end AtOnce;
"""

#: Where the first step of the integrator is so short that all it shows is a slope, and the next ones long:
#: drawn at random, those that were lost while only the very first look was a careful one.
#: Of each the method, the tolerance, the wave, how many radians it is above the threshold, and the run.
AT_ONCE_CASES = [
    (
        "bdf",
        4.93953874033872e-08,
        {"w": 46.360158509959724, "peak": 0.32138100403429515, "second": 0.2, "rate": 0.0013296785035979868},
        0.011043147847144781,
        1.7697265447574544,
    ),
    (
        "adams",
        8.604422929936673e-05,
        {"w": 2.2589792768962416, "peak": 0.32665896650209103, "second": 0.2, "rate": 0.0022816188789018445},
        0.04604257356280532,
        53.957683687064666,
    ),
    (
        "adams",
        2.085241358538767e-06,
        {"w": 6.374923355500553, "peak": 0.3200834475757964, "second": 0.0, "rate": 0.0010113864836040118},
        0.013438123670833524,
        22.231579104559827,
    ),
    (
        "adams",
        3.1754135325043235e-06,
        {"w": 40.14348716140498, "peak": 0.35083112759289137, "second": 0.2, "rate": 0.0011708270094079906},
        0.008198500048195955,
        1.1080747422830464,
    ),
    (
        "bdf",
        2.1096535257247412e-05,
        {"w": 12.156655658720682, "peak": 0.32107418940170634, "second": 0.2, "rate": 0.011964313391605854},
        0.03690856341472388,
        5.209582320262,
    ),
    (
        "bdf",
        8.928906580029605e-07,
        {"w": 93.61734479314983, "peak": 0.3308967541584268, "second": 0.0, "rate": 0.0022450569591317723},
        0.013339972082126368,
        2.0137722066014714,
    ),
    (
        "adams",
        1.9004455073320586e-05,
        {"w": 70.36540277301057, "peak": 0.34151366287074025, "second": 0.2, "rate": 0.001419240196286364},
        0.01733865100804262,
        0.9850931045822262,
    ),
]


@pytest.mark.parametrize(("method", "tolerance", "wave", "above", "stop"), AT_ONCE_CASES)
def test_a_first_step_that_is_too_short_to_tell(
    method: str, tolerance: float, wave: dict[str, float], above: float, stop: float
) -> None:
    threshold = math.cos(above / 2) + wave["second"] * math.cos(above)
    result = saltus.load(AT_ONCE).simulate(
        stop_time=stop,
        interval=stop,
        method=method,
        tolerance=tolerance,
        set={**wave, "threshold": threshold},
    )
    w, peak = wave["w"], wave["peak"]
    found = [event.time * w for event in result.events.of("above") if event.time * w < peak + 1.0]
    assert np.array(found) == pytest.approx(np.array([peak - above / 2, peak + above / 2]), abs=1e-9)
