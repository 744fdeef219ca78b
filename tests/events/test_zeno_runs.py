"""Infinitely many events in a finite time: `stop`, `rest`, `continue`, and never through the floor."""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_runs import loaded, message

import saltus
from saltus.core.diagnostics import RunError, UsageError
from saltus.result.result import Result

G = 9.81
BALL = """model M parameter Real c = 0.5; Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true); {declared} equation
  der(h) = v; der(v) = -9.81 {force}; {more}
  when h <= {floor} then reinit(v, -c*pre(v)); n = pre(n) + 1; end when; end M;"""


def ball(floor: str = "0", force: str = "", declared: str = "", more: str = "") -> str:
    return BALL.format(floor=floor, force=force, declared=declared, more=more)


def accumulation_time(c: float) -> float:
    """sqrt(2/g) to the first impact, then twice c, c^2, ... of that."""
    return math.sqrt(2 / G) * (1 + 2 * c / (1 - c))


def run(text: str, **options: object) -> tuple[Result, RunError | None]:
    try:
        return loaded(text).simulate(**options), None  # type: ignore[arg-type]
    except RunError as error:
        assert isinstance(error.partial, Result)
        return error.partial, error


def turns(result: Result, kind: str) -> list[float]:
    return [e.time for e in result.events if e.causes and e.causes[0].kind == kind]


RESTITUTIONS = [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9]


def error_of_time(c: float, impacts: float, tolerance: float, h0: float = 1.0) -> float:
    """Heights are integrated to the tolerance, or some of them, so that the time of an impact is known to
    that part divided by the speed; and these errors add up."""
    speeds = math.sqrt(2 * G * h0) * c ** np.arange(1, impacts + 1)
    return 20 * tolerance * float(np.sum(1 / speeds)) + 1e-9


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("c", RESTITUTIONS)
def test_a_bouncing_ball_stops_at_the_accumulation_point(c: float, tolerance: float) -> None:
    end = accumulation_time(c)
    result, error = run(ball(), set={"c": c}, stop_time=2 * end, tolerance=tolerance)
    assert error is not None and error.exit_status == 3
    text = message(error)
    assert text.startswith("E404") and "h <= 0" in text and "accumulate" in text
    hint = error.diagnostics[0].hint
    assert hint is not None and "rest" in hint and "continue" in hint
    assert error.diagnostics[0].span is not None
    allowed = error_of_time(c, result["n"][-1], tolerance)
    assert result.time[-1] == pytest.approx(end, abs=allowed)
    assert result["h"][-1] == pytest.approx(0.0, abs=1e-9)
    assert abs(result["v"][-1]) < G * allowed
    assert result["h"].min() > -1e-9 - tolerance


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("zeno", ["rest", "continue"])
@pytest.mark.parametrize("c", RESTITUTIONS)
def test_a_bouncing_ball_comes_to_rest(c: float, zeno: str, tolerance: float) -> None:
    end = accumulation_time(c)
    result, error = run(ball(), set={"c": c}, stop_time=2 * end, tolerance=tolerance, zeno=zeno)
    assert error is None and result.time[-1] == pytest.approx(2 * end)
    assert result["h"].min() > -1e-9 - tolerance
    (rested,) = turns(result, "resting")
    assert rested == pytest.approx(end, abs=error_of_time(c, result["n"][-1], tolerance))
    resting = result.time > rested
    assert np.all(result["h"][resting] == 0.0) and np.all(result["v"][resting] == 0.0)
    assert result.statistics["resting"] == 1


@pytest.mark.parametrize("method", ["bdf", "adams", "ida", "rk45"])
def test_every_method_comes_to_rest_and_leaves(method: str) -> None:
    text = ball(declared="Real f;", more="f = if time > 3 then 5*(time - 3) else 0;", force="+ f")
    result, error = run(text, stop_time=6, tolerance=1e-8, zeno="rest", method=method)
    assert error is None and result["h"].min() > -1e-8
    assert turns(result, "resting") == pytest.approx([accumulation_time(0.5)], abs=1e-4)
    assert turns(result, "leaving") == pytest.approx([3 + G / 5], abs=1e-6)
    assert result["h"][-1] == pytest.approx(5 / 6 * (3 - G / 5) ** 3, rel=1e-5)


def test_continue_simulates_more_impacts_than_rest() -> None:
    counts = {
        zeno: run(ball(), set={"c": 0.7}, stop_time=4, tolerance=1e-9, zeno=zeno)[0]["n"][-1]
        for zeno in ("rest", "continue")
    }
    assert counts["continue"] > counts["rest"] + 5


def test_a_model_with_a_state_of_rest_of_its_own_is_left_to_it() -> None:
    text = """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Boolean still(start = false, fixed = true); equation
      der(h) = v; der(v) = if still then 0 else -9.81;
      when h <= 0 then
        still = pre(v) > -2e-3; reinit(v, if still then 0 else -0.5*pre(v));
      end when; end M;"""
    result, error = run(text, stop_time=2, tolerance=1e-9)
    assert error is None and not turns(result, "zeno") and result["still"][-1] == 1
    assert result["v"][-1] == 0 and abs(result["h"][-1]) < 1e-9


def test_the_bounces_that_can_be_seen_are_simulated() -> None:
    """A hop of one part in a thousand of the first is visible; it is no state of rest."""
    result, _ = run(ball(), set={"c": 0.7}, stop_time=4, tolerance=1e-8)
    # Heights fall by c^2: the ninth hop is 0.7^18 = 1.6e-3 high.
    assert result["n"][-1] >= 10
    times = [e.time for e in result.events if e.reinitialised]
    exact = math.sqrt(2 / G) * (1 + 2 * np.cumsum(0.7 ** np.arange(1, 10)))
    assert np.allclose(times[1:10], exact, atol=1e-5)


def test_a_run_that_ends_before_the_accumulation_point_says_nothing() -> None:
    end = accumulation_time(0.5)
    result, error = run(ball(), stop_time=end - 0.01, tolerance=1e-8)
    assert error is None and not turns(result, "zeno")


def test_a_ball_that_loses_little_is_not_stopped() -> None:
    result, error = run(ball(), set={"c": 1.0}, stop_time=20, tolerance=1e-9)
    assert error is None
    assert result["n"][-1] == math.floor((20 / math.sqrt(2 / G) - 1) / 2) + 1


# ---------------------------------------------------------------- what becomes of a state of rest


@pytest.mark.parametrize("tolerance", [1e-5, 1e-7, 1e-9])
def test_a_table_that_falls_away_faster_than_the_ball(tolerance: float) -> None:
    """The table stands until t = 3, then its acceleration is -4 (t - 3): the ball leaves when that is -g, and
    flies from there with the speed that it has."""
    text = ball(
        declared="Real z, w;",
        more="w = max(0, time - 3); z = -2/3*w^3;",
        floor="z",
        force="",
    ).replace("-c*pre(v)", "-c*(pre(v) + 2*w^2) - 2*w^2")
    result, error = run(text, stop_time=6.5, tolerance=tolerance, zeno="rest")
    assert error is None
    (left,) = turns(result, "leaving")
    s = G / 4
    assert left == pytest.approx(3 + s, abs=100 * tolerance + 1e-8)
    w = np.maximum(0, result.time - 3)
    on = (result.time > turns(result, "resting")[0]) & (result.time < left - 1e-3)
    assert np.abs(result["h"] + 2 / 3 * w**3)[on].max() < 1e-12
    flying = result.time > left
    t = result.time - left
    h = -2 / 3 * s**3 - 2 * s**2 * t - G / 2 * t**2
    assert np.abs(result["h"] - h)[flying].max() < 1e3 * tolerance
    # It leaves with the same speed and acceleration: the two are told apart by the tolerance only.
    assert np.all(result["h"] - result["z"] > -20 * tolerance * np.maximum(1, np.abs(result["h"])))


def test_a_ball_that_is_lifted_falls_and_comes_to_rest_again() -> None:
    """A force of 5 (t - 3) for some time: it leaves the floor when that is g, and falls when it is gone."""
    lift = "f = if time > 3 and time < 5.5 then 5*(time - 3) else 0;"
    text = ball(declared="Real f;", more=lift, force="+ f")
    result, error = run(text, stop_time=12, tolerance=1e-8, zeno="rest")
    assert error is None
    (left,) = turns(result, "leaving")
    assert left == pytest.approx(3 + G / 5, abs=1e-6)
    assert len(turns(result, "resting")) == 2 and result["h"].min() > -1e-9
    # Until 5.5: h = 5 s^3/6, v = 5 s^2/2; then a throw, an impact, and hops.
    s = 5.5 - left
    h, v = 5 * s**3 / 6, 5 * s**2 / 2
    fall = (v + math.sqrt(v**2 + 2 * G * h)) / G
    speed = math.sqrt(v**2 + 2 * G * h)
    end = 5.5 + fall + 2 * speed / G * (0.5 / (1 - 0.5))
    assert turns(result, "resting")[1] == pytest.approx(end, abs=1e-5)


def test_a_ball_rolls_off_an_edge_and_rests_below() -> None:
    text = ball(
        declared="Real x(start = 0, fixed = true), z; Boolean above;",
        more="der(x) = 1; above = x < 3; z = if above then 0 else -1;",
        floor="z",
    )
    result, error = run(text, stop_time=8, tolerance=1e-8, zeno="rest")
    assert error is None
    assert turns(result, "leaving") == pytest.approx([3.0], abs=1e-6)
    first, second = turns(result, "resting")
    assert first == pytest.approx(accumulation_time(0.5), abs=1e-5)
    assert second == pytest.approx(3 + accumulation_time(0.5), abs=3e-5)
    assert result["h"][-1] == -1.0 and np.all(result["h"] - result["z"] > -1e-9)


def test_a_kick_throws_a_resting_ball_up() -> None:
    text = """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation
      der(h) = v; der(v) = -9.81;
      when h <= 0 then reinit(v, -0.5*pre(v)); elsewhen sample(3, 3) then reinit(v, 2); end when; end M;"""
    result, error = run(text, stop_time=8, tolerance=1e-8, zeno="rest")
    assert error is None and turns(result, "leaving") == pytest.approx([3.0, 6.0])
    rested = turns(result, "resting")
    assert rested[1:] == pytest.approx([3 + 4 / G * 2, 6 + 4 / G * 2], abs=1e-5)
    late = result.time > 3.01
    assert result["h"][late].max() == pytest.approx(4 / (2 * G), rel=1e-3) and result["h"].min() > -1e-9


def test_a_clock_that_has_nothing_to_do_with_it_leaves_the_ball_at_rest() -> None:
    counter = "when sample(0, 0.25) then k = pre(k) + 1; end when;"
    text = ball(declared="Integer k(start = 0, fixed = true);", more=counter)
    result, error = run(text, stop_time=4, tolerance=1e-8, zeno="rest")
    assert error is None and result["k"][-1] == 17
    assert len(turns(result, "resting")) == 1 and not turns(result, "leaving")
    assert result["h"][-1] == 0.0 and result["h"].min() > -1e-9


def test_two_balls_rest_one_after_the_other() -> None:
    text = """model M Real h[2](start = {1, 0.5}, each fixed = true), v[2](each start = 0, each fixed = true);
      parameter Real c[2] = {0.5, 0.7}; equation der(h) = v; der(v) = {-9.81, -9.81};
      for i in 1:2 loop when h[i] <= 0 then reinit(v[i], -c[i]*pre(v[i])); end when; end for; end M;"""
    result, error = run(text, stop_time=4, tolerance=1e-9, zeno="rest")
    assert error is None
    ends = sorted([accumulation_time(0.5), math.sqrt(0.5) * accumulation_time(0.7)])
    assert turns(result, "resting") == pytest.approx(ends, abs=1e-5)
    for k in (1, 2):
        assert result[f"h[{k}]"][-1] == 0.0 and result[f"h[{k}]"].min() > -1e-9


# ---------------------------------------------------------------- without reinit

TANKS = """model M "two tanks that leak, filled in turn: the one that falls to its limit is filled"
  parameter Real w = 0.75, v1 = 0.5, v2 = 0.4;
  Real x1(start = 1, fixed = true), x2(start = 1, fixed = true); Boolean first(start = true, fixed = true);
equation
  der(x1) = (if first then w else 0) - v1; der(x2) = (if first then 0 else w) - v2;
algorithm
  when x1 <= 0 then first := true; elsewhen x2 <= 0 then first := false; end when;
end M;"""


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_two_water_tanks_are_empty_when_the_water_is_gone(tolerance: float) -> None:
    result, error = run(TANKS, stop_time=30, tolerance=tolerance)
    assert error is not None and "accumulate" in message(error)
    assert "smallest time" in str(error.diagnostics[0].hint)  # `--zeno rest` would not help
    # Together they lose v1 + v2 - w = 0.15 of 2.
    assert result.time[-1] == pytest.approx(2 / 0.15, abs=300 * tolerance + 1e-8)
    assert result["x1"][-1] == pytest.approx(0, abs=100 * tolerance + 1e-8)
    assert result["x2"][-1] == pytest.approx(0, abs=100 * tolerance + 1e-8)
    assert min(result["x1"].min(), result["x2"].min()) > -1e-9


@pytest.mark.parametrize("zeno", ["rest", "continue"])
def test_where_nothing_is_reinitialised_nothing_can_rest(zeno: str) -> None:
    result, error = run(TANKS, stop_time=30, tolerance=1e-8, zeno=zeno)
    assert error is not None
    assert "no motion to continue with" in message(error)
    assert "nothing is reinitialised" in error.diagnostics[0].notes[0].message
    assert result.time[-1] == pytest.approx(2 / 0.15, abs=1e-5)


SPIRAL = """model M "two relays, each of which drives the other: round and round into the origin"
  parameter Real k = 2; Real a(start = 1, fixed = true), b(start = 0.2, fixed = true), p, q; equation
  p = if a > 0 then 1 else -1; q = if b > 0 then 1 else -1;
  der(a) = -p - k*q; der(b) = k*p - q; end M;"""


@pytest.mark.parametrize("k", [2, 20])
@pytest.mark.parametrize("zeno", ["stop", "rest"])
def test_a_spiral_into_the_meeting_point_of_two_surfaces_slides_along_both(k: float, zeno: str) -> None:
    """|a| + |b| falls by 2 a second, whatever the signs are: a' sign(a) + b' sign(b) = -1 - 1. Neither
    surface alone draws the model to itself; a round makes it shrink by ((k - 1)/(k + 1))^4."""
    result, error = run(SPIRAL, stop_time=2, tolerance=1e-9, zeno=zeno, set={"k": k})
    assert error is None
    assert turns(result, "sliding") == pytest.approx([0.6, 0.6], abs=1e-5)
    late = result.time > 0.601
    for name in ("a", "b", "p", "q"):
        assert result[name][late] == pytest.approx(0.0, abs=1e-12)
    rounds = [e for e in result.events if e.causes[0].text == "a > 0" and e.causes[0].truth]
    assert len(rounds) < 200


def test_a_wrong_choice_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        saltus.load(ball()).simulate(zeno="bounce")
    assert "stop, rest, continue" in str(caught.value)


@pytest.mark.parametrize("max_step", [None, 1e-3])
@pytest.mark.parametrize("method", ["bdf", "adams", "ida", "rk45"])
def test_hops_that_can_be_told_apart_are_counted(method: str, max_step: float | None) -> None:
    """The run ends with the first hop that is lower than ten bands, 1e-9 m. Hop n is 0.64^n m high; with a
    tolerance of 1e-10 the integrator knows heights well enough to tell that one from its neighbours."""
    with pytest.raises(RunError, match="accumulate") as ended:
        loaded(ball()).simulate(
            stop_time=15, tolerance=1e-10, method=method, max_step=max_step, set={"c": 0.8}
        )
    result = ended.value.partial
    assert isinstance(result, Result)
    assert result["n"][-1] == math.ceil(math.log(1e-9) / math.log(0.64))
