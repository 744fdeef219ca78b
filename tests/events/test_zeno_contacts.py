"""Several contacts at once: balls on balls on the floor. They come to rest on each other, and go through none
of them; a run that would end inside of what it bounced off says so."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from event_runs import run

from saltus.core.diagnostics import RunError
from saltus.result.result import Result

STACKED = """model M "ball 2 bounces on ball 1, which bounces on the floor"
  parameter Real m1 = 1, m2 = 1, e1 = 0.5, e2 = 0.5, P = (1 + e2)*m1*m2/(m1 + m2);
  Real h1(start = 1, fixed = true), h2(start = 2, fixed = true);
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true); Boolean f, c;
equation
  f = h1 <= 0; c = h2 <= h1;
  der(h1) = v1; der(h2) = v2; der(v1) = -9.81; der(v2) = -9.81;
  when {f, c} then
    reinit(v1, if edge(f) then -e1*pre(v1) else pre(v1) + P/m1*(pre(v2) - pre(v1)));
  end when;
  when c then
    reinit(v2, pre(v2) - P/m2*(pre(v2) - pre(v1)));
  end when;
end M;"""


@cache  # for each way to come to rest
def last_collision(m1: float, m2: float, e1: float, e2: float, h2: float = 2.0, v2: float = 0.0) -> float:
    """When both balls have come to rest, by a simulation of its own: parabolas between impacts, written down
    without any tolerance, until all that is left takes less than 1e-6 s. An inner sequence that has become
    that short is over."""
    g, t = 9.81, 0.0
    h1, v1 = 1.0, 0.0
    while True:
        floor = (v1 + math.sqrt(v1 * v1 + 2 * g * h1)) / g
        meet = (h2 - h1) / (v1 - v2) if v1 > v2 else math.inf
        dt = min(floor, meet)
        h1, h2 = h1 + v1 * dt - g / 2 * dt * dt, h2 + v2 * dt - g / 2 * dt * dt
        v1, v2, t = v1 - g * dt, v2 - g * dt, t + dt
        if floor <= meet:
            h1, v1 = 0.0, -e1 * v1
        else:
            h2, p = h1, (1 + e2) * m1 * m2 / (m1 + m2) * (v2 - v1)
            v1, v2 = v1 + p / m1, v2 - p / m2
        if abs(v1) < 1e-7 and h1 < 1e-12:  # ball 1 lies; what ball 2 does to it goes through it to the floor
            v1, h1 = 1e-7, 0.0
        if max(abs(v1), abs(v2)) < 1e-6 and h2 < 1e-9:
            return t


@pytest.mark.parametrize(("zeno", "tolerance"), [("rest", 1e-9), ("continue", 1e-9), ("rest", 1e-6)])
@pytest.mark.parametrize(
    ("m1", "m2", "e1", "e2"),
    [
        (1, 1, 0.5, 0.5),
        (1, 1, 0.6, 0.6),
        (3, 1, 0.5, 0.5),
        (1, 3, 0.5, 0.5),  # the lower ball is crushed between the floor and the upper one: no plain series
        (1, 0.2, 0.8, 0.8),
        (1, 1, 0.3, 0.7),
    ],
)
def test_stacked_balls_come_to_rest_on_each_other(
    m1: float, m2: float, e1: float, e2: float, zeno: str, tolerance: float
) -> None:
    given = {"m1": m1, "m2": m2, "e1": e1, "e2": e2}
    result = run(STACKED, stop_time=8, tolerance=tolerance, zeno=zeno, set=given)
    assert result["h1"][-1] == 0.0 and result["h2"][-1] == 0.0
    assert result["v1"][-1] == 0.0 and result["v2"][-1] == 0.0
    assert result["h1"].min() > -10 * tolerance and (result["h2"] - result["h1"]).min() > -10 * tolerance
    if tolerance < 1e-8:  # each impact multiplies errors
        ends = [e.time for e in result.events if e.causes[0].kind == "resting"]
        assert ends[-1] == pytest.approx(last_collision(m1, m2, e1, e2), abs=3e-3)


@pytest.mark.parametrize("method", ["bdf", "ida", "rk45"])
@pytest.mark.parametrize(
    ("m2", "e1", "e2", "h2", "v2"),
    [
        (3.3, 0.27, 0.19, 2.11, -0.77),
        (4.49, 0.34, 0.17, 1.33, 0.74),
        (2.0, 0.39, 0.22, 1.48, 0.78),
        (4.49, 0.38, 0.2, 2.5, 0.72),
    ],
)
def test_a_light_ball_is_crushed(m2: float, e1: float, e2: float, h2: float, v2: float, method: str) -> None:
    """A heavy ball falls on a light one that comes up from the floor: the impacts between the three take the
    speed of both in a few nanoseconds, on ways that are shorter than a zero band."""
    given = {"m1": 0.34, "m2": m2, "e1": e1, "e2": e2, "h2.start": h2, "v2.start": v2}
    result = run(STACKED, stop_time=4, tolerance=1e-8, zeno="rest", set=given, method=method)
    assert abs(result["h1"][-1]) < 1e-9 and abs(result["h2"][-1]) < 1e-9
    assert result["h1"].min() > -1e-7 and (result["h2"] - result["h1"]).min() > -1e-7
    ends = [e.time for e in result.events if e.causes[0].kind == "resting"]
    assert ends[-1] == pytest.approx(last_collision(0.34, m2, e1, e2, h2, v2), abs=3e-3)


def speeds_at(until: float, m2: float, e1: float, e2: float, h: list[float], v: list[float]) -> list[float]:
    """Of both balls, the lower one with a mass of 1, by parabolas between impacts. Hops of the lower one that
    are slower than 1e-9 are over."""
    g, t, lies = 9.81, 0.0, False
    (h1, h2), (v1, v2) = h, v
    while True:
        floor = math.inf if lies else (v1 + math.sqrt(v1 * v1 + 2 * g * max(h1, 0.0))) / g
        gap, closing, pull = max(h2 - h1, 0.0), v1 - v2, g if lies else 0.0
        meet = gap / closing if closing > 0 else math.inf
        if lies:
            meet = (v2 + math.sqrt(v2 * v2 + 2 * pull * gap)) / pull
        dt = min(floor, meet, until - t)
        h2, v2, t = h2 + v2 * dt - g / 2 * dt * dt, v2 - g * dt, t + dt
        if not lies:
            h1, v1 = h1 + v1 * dt - g / 2 * dt * dt, v1 - g * dt
        if t >= until:
            return [v1, v2]
        if floor <= meet:
            h1, v1 = 0.0, -e1 * v1
            lies = v1 < 1e-9
            v1 = 0.0 if lies else v1
        else:
            h2, p, lies = h1, (1 + e2) * m2 / (1 + m2) * (v2 - v1), False
            v1, v2 = v1 + p, v2 - p / m2


@pytest.mark.parametrize("method", ["bdf", "ida", "rk45"])
def test_what_is_hit_before_it_rests_is_not_at_rest(method: str) -> None:
    """The lower ball would rest 3 ms after its last impact but one, a thousandth of the run, when the upper
    one meets it: it still has some millimetres per second then."""
    h, v, m2 = [0.75, 1.72], [1.86, 0.5], 0.432 / 1.27
    given = {"m2": m2, "e1": 0.57, "e2": 0.9}
    starts = {"h1.start": h[0], "h2.start": h[1], "v1.start": v[0], "v2.start": v[1]}
    result = run(STACKED, stop_time=4, tolerance=1e-10, zeno="rest", set=given | starts, method=method)
    for t in (1.104, 2.0, 2.504, 2.6):
        row = np.searchsorted(result.time, t + 1e-9) - 1
        found = [result["v1"][row], result["v2"][row]]
        assert found == pytest.approx(speeds_at(result.time[row], m2, 0.57, 0.9, h, v), abs=2e-5)


THREE = """model M parameter Real e = 0.5; Boolean c[3];
  Real h[3](start = {0.5, 1, 2}, each fixed = true), v[3](each start = 0, each fixed = true);
equation
  der(h) = v; der(v) = {-9.81, -9.81, -9.81};
  c[1] = h[1] <= 0; c[2] = h[2] <= h[1]; c[3] = h[3] <= h[2];
  when c then
    reinit(v[1], if edge(c[1]) then -e*pre(v[1])
      elseif edge(c[2]) then (pre(v[1]) + pre(v[2]))/2 - e/2*(pre(v[1]) - pre(v[2])) else pre(v[1]));
    reinit(v[2], if edge(c[2]) then (pre(v[1]) + pre(v[2]))/2 + e/2*(pre(v[1]) - pre(v[2]))
      elseif edge(c[3]) then (pre(v[2]) + pre(v[3]))/2 - e/2*(pre(v[2]) - pre(v[3])) else pre(v[2]));
    reinit(v[3], if edge(c[3]) then (pre(v[2]) + pre(v[3]))/2 + e/2*(pre(v[2]) - pre(v[3])) else pre(v[3]));
  end when;
end M;"""


@pytest.mark.parametrize("zeno", ["rest", "continue"])
@pytest.mark.parametrize("e", [0.3, 0.5, 0.6])
def test_three_balls(e: float, zeno: str) -> None:
    result = run(THREE, stop_time=8, tolerance=1e-9, zeno=zeno, set={"e": e})
    heights = np.array([result[f"h[{k}]"] for k in (1, 2, 3)])
    assert np.all(heights[:, -1] == 0.0)
    assert np.diff(np.vstack([0 * heights[:1], heights]), axis=0).min() > -1e-8


def test_a_ball_that_lands_on_a_resting_one_throws_it_up() -> None:
    """Ball 1 has come to rest when ball 2 meets it: the impacts of that instant go to and fro between floor
    and ball, 0.75 V down, 0.375 V up, and so on, until they part."""
    result = run(STACKED.replace("start = 2", "start = 20"), stop_time=2.5, tolerance=1e-9, zeno="rest")
    speed = np.sqrt(2 * 9.81 * 20)
    v1, v2, floor = 0.0, -speed, False
    while v1 > v2 or v1 < 0:
        if v1 > v2 and not floor:
            mean, half = (v1 + v2) / 2, 0.25 * (v1 - v2)
            v1, v2 = mean - half, mean + half
        else:
            v1 = -0.5 * v1
        floor = v1 < 0
    at = np.sqrt(2 * 20 / 9.81)
    after = np.searchsorted(result.time, at + 1e-3)
    dt = result.time[after] - at
    assert result["v2"][after] == pytest.approx(v2 - 9.81 * dt, abs=1e-5)
    assert result["h2"][after] == pytest.approx(v2 * dt - 9.81 / 2 * dt**2, abs=1e-5)
    assert result["h1"].min() > -1e-8 and (result["h2"] - result["h1"]).min() > -1e-8


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9])
def test_by_default_a_run_does_not_end_below_the_floor(tolerance: float) -> None:
    """`stop`: the run ends at an accumulation point, or where an impact was lost, and says so."""
    with pytest.raises(RunError) as ended:
        run(STACKED, stop_time=8, tolerance=tolerance, set={"m2": 3})
    assert ended.value.exit_status == 3
    result = ended.value.partial
    assert isinstance(result, Result)
