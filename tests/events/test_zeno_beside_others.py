"""Bodies that come to rest while others are in the middle of a hop: these go on, and what falls on a body
that is about to rest throws it up."""

from __future__ import annotations

import math

import pytest
from event_runs import run

GRAVITY = 9.81

APART = """model M "Two balls that have nothing to do with each other"
  parameter Real e1, e2;
  Real h1(start = 0.1, fixed = true), h2(start = 0.1, fixed = true), v1(fixed = true), v2(fixed = true);
equation
  der(h1) = v1; der(h2) = v2; der(v1) = -9.81; der(v2) = -9.81;
  when h1 <= 0 then
    reinit(v1, -e1*pre(v1));
  end when;
  when h2 <= 0 then
    reinit(v2, -e2*pre(v2));
  end when;
end M;"""


def last_impact(v: float, e: float) -> float:
    """When a ball rests that is thrown up from 0.1 m: the sum of its hops."""
    landing = math.sqrt(v * v + 2 * GRAVITY * 0.1)
    return (v + landing) / GRAVITY + 2 * e * landing / GRAVITY / (1 - e)


def thrown_to_rest_at(time: float, e: float) -> float:
    """The speed with which a ball has to be thrown up, by bisection."""
    low, high = 0.0, 100.0
    for _ in range(100):
        v = (low + high) / 2
        low, high = (v, high) if last_impact(v, e) < time else (low, v)
    return low


@pytest.mark.parametrize("method", ["bdf", "rk45"])
@pytest.mark.parametrize(
    ("e1", "e2", "before"), [(0.7, 0.3, 0.01), (0.7, 0.5, 0.01), (0.8, 0.3, 0.03), (0.8, 0.5, 0.02)]
)
def test_a_ball_hops_on_beside_one_that_comes_to_rest(
    e1: float, e2: float, before: float, method: str
) -> None:
    v1 = 2.0
    rests = last_impact(v1, e1) - before
    v2 = thrown_to_rest_at(rests, e2)
    landing = math.sqrt(v1 * v1 + 2 * GRAVITY * 0.1)
    begins, speed = (v1 + landing) / GRAVITY, e1 * landing
    while begins < rests:  # the first hop that begins when the other ball lies
        begins, speed = begins + 2 * speed / GRAVITY, e1 * speed
    given = {"e1": e1, "e2": e2, "v1.start": v1, "v2.start": v2}
    result = run(
        APART, stop_time=begins + speed / GRAVITY, tolerance=1e-10, zeno="continue", method=method, set=given
    )
    assert result["h2"][-1] == result["v2"][-1] == 0.0
    assert result["h1"][-1] == pytest.approx(speed**2 / 2 / GRAVITY, rel=1e-3)
    assert abs(result["v1"][-1]) < 1e-3 * speed


FALLEN_ON = """model M "ball 2 falls on ball 1 while that makes its last hops"
  parameter Real m1 = 1, m2 = 2.8, e1 = 0.9, e2 = 0.8, P = (1 + e2)*m1*m2/(m1 + m2);
  Real h1(start = 0, fixed = true), h2(fixed = true), v1(fixed = true), v2(fixed = true); Boolean f, c;
equation
  f = h1 < 0; c = h2 <= h1;
  der(h1) = v1; der(h2) = v2; der(v1) = -9.81; der(v2) = -9.81;
  when {f, c} then
    reinit(v1, if edge(f) then -e1*pre(v1) else pre(v1) + P/m1*(pre(v2) - pre(v1)));
  end when;
  when c then
    reinit(v2, pre(v2) - P/m2*(pre(v2) - pre(v1)));
  end when;
end M;"""


@pytest.mark.parametrize("method", ["bdf", "rk45"])
@pytest.mark.parametrize("hop", [3e-4, 1.5e-4])
@pytest.mark.parametrize("e1", [0.9, 0.8])
def test_what_is_struck_between_its_last_hops_does_not_rest(e1: float, hop: float, method: str) -> None:
    """Ball 2 meets ball 1 at 3 m/s when that hops with `hop` metres per second, some nanometres high: the
    two hit each other three times before they part, and ball 1 the floor in between, in less than 1 ns."""
    m2, e2, strikes = 2.8, 0.8, 3.0
    v1 = 4 * (1 - e1)
    ends = 2 * v1 / GRAVITY / (1 - e1)
    meets = ends - 2 * hop / GRAVITY / (1 - e1)
    v2 = GRAVITY * meets - strikes
    h2 = GRAVITY / 2 * meets**2 - v2 * meets
    # The impacts as they follow, at one place and at one time.
    lower, upper = 0.0, -strikes
    while upper < lower or lower < 0.0:
        if lower < 0.0:
            lower *= -e1
        else:
            pushed = (1 + e2) * m2 / (1 + m2) * (upper - lower)
            lower, upper = lower + pushed, upper - pushed / m2
    after = 0.5 * 2 * lower / GRAVITY  # the top of the hop
    given = {"e1": e1, "m2": m2, "e2": e2, "h2.start": h2, "v1.start": v1, "v2.start": v2}
    result = run(
        FALLEN_ON, stop_time=meets + after, tolerance=1e-10, zeno="continue", method=method, set=given
    )
    assert result["v1"][-1] == pytest.approx(0.0, abs=2e-3 * lower + 2 * hop)
    assert result["h1"][-1] == pytest.approx(lower**2 / 2 / GRAVITY, rel=2e-2)
    assert result["v2"][-1] == pytest.approx(upper - GRAVITY * after, rel=1e-3)
