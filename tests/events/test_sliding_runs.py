"""Runs that chatter go on in sliding motion: against equivalent controls and closed forms."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from event_runs import message, refused
from scipy.optimize import brentq

import saltus
from saltus.result.files.eventlog import event_lines, write_events
from saltus.result.result import Result

TOLERANCES = [1e-4, 1e-6, 1e-8, 1e-10]


def turns(result: Result, *kinds: str) -> list[float]:
    """When the run began or ceased to slide."""
    wanted = kinds or ("sliding", "leaving")
    return [e.time for e in result.events if e.causes and e.causes[0].kind in wanted]


def after(result: Result, time: float) -> np.ndarray:
    return result.time > time


# ---------------------------------------------------------------- one surface

SECOND_ORDER = """model M "x'' = u + d(t), u = -K sign(s), s = c x + x'"
  parameter Real c = 2; parameter Real K = 3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), s, u, d;
equation
  d = {disturbance};
  der(x) = v; der(v) = u + d; s = c*x + v;
  u = if s > 0 then -K else K;
end M;"""


@pytest.mark.parametrize("tolerance", TOLERANCES)
@pytest.mark.parametrize("method", ["bdf", "ida"])
def test_a_sliding_mode_controller_against_its_equivalent_control(tolerance: float, method: str) -> None:
    model = saltus.load(SECOND_ORDER.format(disturbance="0"))
    result = model.simulate(stop_time=4, tolerance=tolerance, method=method)
    # x = 1 - K t^2/2 until s = 2 x + v = 2 - K t^2 - K t = 0; then x decays with exp(-c t) exactly.
    reached = (-3 + math.sqrt(9 + 24)) / 6
    (began,) = turns(result)
    assert began == pytest.approx(reached, abs=30 * tolerance + 1e-9)
    on = after(result, began)
    x = (1 - 1.5 * reached**2) * np.exp(-2 * (result.time - reached))
    assert np.abs(result["x"] - x)[on].max() < 100 * tolerance + 1e-9
    assert np.abs(result["s"])[on].max() < 1e-12
    assert np.abs(result["u"] - 4 * x)[on].max() < 400 * tolerance + 1e-8  # u = -c v = c^2 x
    assert result.statistics["sliding"] == 1 and result.statistics["events"] < 40


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_the_equivalent_control_makes_up_for_a_disturbance(tolerance: float) -> None:
    result = saltus.load(SECOND_ORDER.format(disturbance="sin(5*time)")).simulate(
        stop_time=4, tolerance=tolerance
    )
    (began,) = turns(result)
    on = after(result, began)
    x, time = result["x"], result.time
    # u = c^2 x - d(t), whatever the disturbance did on the way to the surface.
    assert np.abs(result["u"] - (4 * x - np.sin(5 * time)))[on].max() < 1e-11
    start = x[on][0] * np.exp(2 * time[on][0])
    assert np.abs(x[on] - start * np.exp(-2 * time[on])).max() < 100 * tolerance + 1e-9


RELAY = """model M Real x(start = {x0}, fixed = true), a; equation
  a = 2*sin(time); der(x) = a - (if x > 0 then 1 else -1); end M;"""


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_entering_and_leaving_at_closed_form_times(tolerance: float) -> None:
    """x' = 2 sin t - sign x slides while |2 sin t| < 1: it leaves at pi/6 and is back later."""
    result = saltus.load(RELAY.format(x0=0.1)).simulate(stop_time=7, tolerance=tolerance)
    entered = brentq(lambda t: 0.1 + 2 * (1 - math.cos(t)) - t, 0, 0.5, xtol=1e-15)
    left = math.pi / 6
    # Above the surface x = 2 (cos t0 - cos t) - (t - t0), until it is zero again: too late to slide.
    back = brentq(lambda t: 2 * (math.cos(left) - math.cos(t)) - (t - left), 2, 5, xtol=1e-15)
    assert abs(2 * math.sin(back)) > 1
    found = turns(result)
    assert found[:2] == pytest.approx([entered, left], abs=100 * tolerance + 1e-9)
    free = (result.time > left) & (result.time < back)
    x = 2 * (math.cos(left) - np.cos(result.time)) - (result.time - left)
    assert np.abs(result["x"] - x)[free].max() < 100 * tolerance + 1e-8
    crossings = [e.time for e in result.events if e.causes[0].kind == "relation" and e.time > left + 0.1]
    assert crossings[0] == pytest.approx(back, abs=200 * tolerance + 1e-8)


def test_a_surface_is_left_to_either_side_and_entered_again() -> None:
    """x' = 1.5 cos t - sign x from the surface on: slides in |cos t| < 2/3, leaves up and down in turn."""
    text = """model M Real x(start = 0, fixed = true); equation
        der(x) = 1.5*cos(time) - (if x > 0 then 1 else -1); end M;"""
    result = saltus.load(text).simulate(start_time=1.2, stop_time=14, tolerance=1e-9)
    reach = math.acos(2 / 3)
    expected = []
    time = 1.2
    while True:  # slides until |cos t| = 2/3, then flies until x = 0 within the next stretch of sliding
        expected.append(time)
        half = math.floor(time / math.pi)
        left = math.pi * (half + 1) - reach
        if left > 14:
            break
        sign = 1 if math.cos(left) > 0 else -1

        def x(t: float, left: float = left, sign: int = sign) -> float:
            return 1.5 * (math.sin(t) - math.sin(left)) - sign * (t - left)

        time = brentq(x, left + 0.5, left + 3.3, xtol=1e-14)
        expected.append(left)
        assert abs(math.cos(time)) < 2 / 3
    expected = [t for t in expected if t < 14]
    assert turns(result) == pytest.approx(expected, abs=1e-6)
    assert len(expected) == 8
    # It flies up and down in turn, by the same height.
    assert result["x"].max() == pytest.approx(-result["x"].min(), abs=1e-3)
    assert result["x"].max() > 0.1


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_block_sticks_and_breaks_away(tolerance: float) -> None:
    """Dry friction 1 against a force of 1.2 sin t: to stick is to slide along v = 0."""
    text = """model M Real x(start = 0, fixed = true), v(start = 0, fixed = true), f; equation
      der(x) = v; f = if v > 0 then 1 else -1; der(v) = 1.2*sin(time) - f; end M;"""
    result = saltus.load(text).simulate(stop_time=4, tolerance=tolerance)
    away = math.asin(1 / 1.2)
    stuck = brentq(lambda t: 1.2 * (math.cos(away) - math.cos(t)) - (t - away), away + 0.2, 4)
    assert abs(1.2 * math.sin(stuck)) < 1
    found = turns(result)
    assert found[0] == pytest.approx(0.0, abs=1e-6)
    assert found[1:] == pytest.approx([away, stuck], abs=100 * tolerance + 1e-8)
    still = (result.time > 1e-6) & (result.time < away)
    assert np.all(result["v"][still] == 0.0)
    assert np.ptp(result["x"][still]) == 0.0 and abs(result["x"][still][0]) < 1e-12
    assert result["f"][still] == pytest.approx(1.2 * np.sin(result.time[still]), abs=1e-12)
    flying = (result.time > away) & (result.time < stuck)
    v = 1.2 * (math.cos(away) - np.cos(result.time)) - (result.time - away)
    assert np.abs(result["v"] - v)[flying].max() < 100 * tolerance + 1e-9


def test_sliding_on_one_branch_of_a_curve() -> None:
    """Along x^2 + y^2 = 1, round and round: the states change places while the model slides."""
    text = """model M Real x(start = 1.3, fixed = true), y(start = 0, fixed = true), r; equation
      r = x^2 + y^2 - 1;
      der(x) = -y - x*(if r > 0 then 1 else -1); der(y) = x - y*(if r > 0 then 1 else -1); end M;"""
    result = saltus.load(text).simulate(stop_time=15, tolerance=1e-8)
    (began,) = turns(result)
    assert began == pytest.approx(math.log(1.3), abs=1e-7)  # the radius is 1.3 exp(-t) before
    on = after(result, began)
    # The phase of a motion in a circle is neither attracted nor repelled: errors add up.
    assert np.abs(result["x"] - np.cos(result.time))[on].max() < 1e-5
    assert np.abs(result["y"] - np.sin(result.time))[on].max() < 1e-5
    assert np.abs(result["r"])[on].max() < 1e-12
    assert result.statistics["state_choices"] > 8


def test_other_events_while_sliding() -> None:
    """A clock and another relation change the push while the model slides; it stays, then leaves at once."""
    text = """model M Real x(start = 0.2, fixed = true), y(start = 0, fixed = true), u;
    discrete Real p(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
    equation der(y) = 1;
      when sample(1, 1) then p = pre(p) + 0.3; n = pre(n) + 1; end when;
      u = if x > 0 then 1 else -1;
      der(x) = p - u + (if y > 2.5 then 0.1 else 0); end M;"""
    result = saltus.load(text).simulate(stop_time=5, tolerance=1e-8)
    # p - u = 0: u = 0.3, 0.6, 0.7, then 1.0 (at the edge) and more: the surface is left at t = 3 or 4.
    for start, end, u in ((0.2, 1, 0.0), (1, 2, 0.3), (2, 2.5, 0.6), (2.5, 3, 0.7)):
        inside = (result.time > start + 1e-6) & (result.time < end - 1e-6)
        assert result["u"][inside] == pytest.approx(u, abs=1e-9)
        assert result["x"][inside] == pytest.approx(0, abs=1e-12)
    assert result["n"][-1] == 5
    late = result.time > 4.01
    assert result["u"][late] == pytest.approx(1.0)
    # From 4 to 5 the push is 1.2 + 0.1 - 1.
    assert result["x"][-1] - result["x"][late][0] == pytest.approx(0.3 * (5 - result.time[late][0]), abs=1e-6)


def test_a_reinit_throws_the_model_off_the_surface() -> None:
    text = """model M Real x(start = 0.2, fixed = true), u; equation
      u = if x > 0 then 1 else -1; der(x) = 0.5 - u;
      when time >= 2 then reinit(x, -3); end when; end M;"""
    result = saltus.load(text).simulate(stop_time=6, tolerance=1e-8)
    # 0.2/0.5 to the surface; thrown to -3 it comes back at 1.5.
    assert turns(result) == pytest.approx([0.4, 2.0, 4.0], abs=1e-6)
    assert np.interp(3.0, result.time, result["x"]) == pytest.approx(-1.5, abs=1e-6)
    assert result["x"][-1] == pytest.approx(0.0, abs=1e-12)


# ---------------------------------------------------------------- two surfaces

TWO = """model M "two inputs, two surfaces; the second acts on the first"
  Real a(start = 0.3, fixed = true), b(start = -0.2, fixed = true), k1, k2; equation
  k1 = if a > 0 then 1 else -1; k2 = if b > 0 then 1 else -1;
  der(a) = sin(time) - 3*k1 - k2; der(b) = 0.5 + k1 - 2*k2; end M;"""


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_two_surfaces_at_once(tolerance: float) -> None:
    result = saltus.load(TWO).simulate(stop_time=5, tolerance=tolerance)
    first, second = turns(result)
    on = after(result, second)
    # 3 k1 + k2 = sin t and -k1 + 2 k2 = 0.5.
    push = np.sin(result.time[on])
    k = np.linalg.solve([[3.0, 1.0], [-1.0, 2.0]], np.array([push, np.full_like(push, 0.5)]))
    assert np.abs(result["k1"][on] - k[0]).max() < 1e-11 and np.abs(result["k2"][on] - k[1]).max() < 1e-11
    assert np.abs(result["a"][on]).max() < 1e-12 and np.abs(result["b"][on]).max() < 1e-12
    # b' = 0.5 + 1 + 2 from -0.2 on.
    assert first == pytest.approx(0.2 / 3.5, abs=30 * tolerance + 1e-8)
    assert result.statistics["sliding"] == 2


def test_one_of_two_surfaces_is_left() -> None:
    text = """model M Real a(start = 0.1, fixed = true), b(start = 0.1, fixed = true); equation
      der(a) = 0.4*time - (if a > 0 then 1 else -1); der(b) = -0.2*time - (if b > 0 then 1 else -1); end M;"""
    result = saltus.load(text).simulate(stop_time=4.5, tolerance=1e-9)
    entered_a = brentq(lambda t: 0.1 + 0.2 * t**2 - t, 0, 1)
    entered_b = brentq(lambda t: 0.1 - 0.1 * t**2 - t, 0, 1)
    assert turns(result) == pytest.approx(sorted([entered_a, entered_b, 2.5]), abs=1e-7)
    assert result["b"][-1] == pytest.approx(0, abs=1e-12)  # still slides, until 5
    assert result["a"][-1] == pytest.approx(0.2 * (4.5**2 - 2.5**2) - 2, abs=1e-6)


def test_many_blocks_that_stick_need_few_programs() -> None:
    """Twenty blocks with dry friction, each pushed with its own force: they stick together, and break away
    one after the other. Programs are made for what happens, not for every set of blocks."""
    text = """model M parameter Integer n = 20; Real v[n](each start = 0, each fixed = true), f[n]; equation
      for i in 1:n loop f[i] = if v[i] > 0 then 1 else -1; der(v[i]) = 0.2*time*(1 + i/n) - f[i]; end for;
      end M;"""
    result = saltus.load(text).simulate(stop_time=2.6, tolerance=1e-8)
    # Block i breaks away at 5/(1 + i/n): 2.5 s for the last one, 2.564 s for the one before it.
    assert turns(result, "leaving") == pytest.approx([5 / (1 + i / 20) for i in (20, 19)], abs=1e-8)
    assert len(turns(result, "sliding")) == 20 and result.statistics["programs"] <= 6
    assert np.all(result["v[18]"] < 1e-8)
    assert result["v[20]"][-1] == pytest.approx(0.2 * (2.6**2 - 2.5**2) - 0.1, abs=1e-6)


# ---------------------------------------------------------------- what must not slide


def test_a_relay_with_hysteresis_does_not_slide() -> None:
    text = """model M Real x(start = 0.5, fixed = true); Boolean on(start = true, fixed = true); Integer n;
      equation der(x) = if on then 1 else -1; on = x < 0.4999 or pre(on) and x < 0.5001;
      when change(on) then n = pre(n) + 1; end when; end M;"""
    result = saltus.load(text).simulate(stop_time=1, tolerance=1e-8)
    # 1e-4 up, then 2e-4 down and up in turn.
    assert result["n"][-1] == 5000 and not turns(result)


def test_fast_pulse_width_modulation_does_not_slide() -> None:
    """A current held by comparing its error with a sawtooth of 10 kHz for 50 ms."""
    text = """model M Real i(start = 0, fixed = true), saw(start = 0, fixed = true), d; Boolean on; Integer n;
      equation der(saw) = 1e4; when saw >= 1 then reinit(saw, 0); end when;
      d = 0.5 + 0.05*(4 - i); on = d > saw;
      1e-3*der(i) = (if on then 10 else 0) - i;
      when on then n = pre(n) + 1; end when; end M;"""
    result = saltus.load(text).simulate(stop_time=0.05, tolerance=1e-7)
    assert not turns(result) and 495 <= result["n"][-1] <= 501


def test_a_surface_that_is_crossed_is_not_slid_along() -> None:
    """Both fields point the same way through the surface, however often it is crossed."""
    text = """model M Real x(start = -1, fixed = true), v; equation
      v = 1e3*cos(1e3*time); der(x) = v + (if x > 0 then 0.1 else -0.1); end M;"""
    result = saltus.load(text).simulate(stop_time=1, tolerance=1e-7)
    assert not turns(result)


# ---------------------------------------------------------------- logs and refusals


def test_the_event_log_tells_of_sliding(tmp_path: Path) -> None:
    result = saltus.load(RELAY.format(x0=0.1)).simulate(stop_time=1)
    lines = list(event_lines(result))
    assert any(line.startswith("Sliding along `x` = 0 (`x > 0`) at time = 0.1126") for line in lines)
    assert any(line.startswith("Leaving `x` = 0 (`x > 0`) at time = 0.5235") for line in lines)
    write_events(result, tmp_path / "events.jsonl")
    objects = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    (slid,) = [o for o in objects if o["causes"][0]["kind"] == "sliding"]
    assert slid["causes"][0]["source"].endswith(":2")


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ("when x > 0 then n = pre(n) + 1; end when;", "`n`"),
        ("n = if pre(n) > 3 then 0 elseif x > 0 then 1 else 2;", "`n`"),
    ],
)
def test_what_remembers_cannot_slide(more: str, name: str) -> None:
    error = refused(
        f"""model M Real x(start = 0.5, fixed = true); Integer n(start = 0); equation
        der(x) = if x > 0 then -1 else 1; {more} end M;"""
    )
    assert "chattering" in message(error) and "x > 0" in message(error)
    assert name in error.diagnostics[0].notes[0].message
