"""What goes on beside events that accumulate: it is integrated and looked at as ever, up to the accumulation
point and after it. Nothing is extrapolated, and nothing is left out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_runs import refused, run

from saltus.result.result import Result

G = 9.81
ZENO = ["rest", "continue"]


def end_of_hops(c: float, height: float = 1.0) -> float:
    return math.sqrt(2 * height / G) * (1 + 2 * c / (1 - c))


def turns(result: Result, kind: str) -> list[float]:
    return [e.time for e in result.events if e.causes and e.causes[0].kind == kind]


OSCILLATOR = """model M "an oscillator beside a bouncing ball" parameter Real c = 0.5, f = 500, k = 0;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real a(start = 0, fixed = true), b(start = 1, fixed = true); constant Real pi = 3.141592653589793; equation
  der(h) = v; der(v) = -9.81; der(a) = 2*pi*f*b + k*v; der(b) = -2*pi*f*a;
  when h <= 0 then reinit(v, -c*pre(v)); end when; end M;"""


@pytest.mark.parametrize("zeno", ZENO)
@pytest.mark.parametrize(("c", "f"), [(0.5, 500), (0.8, 120), (0.3, 40)])
def test_an_oscillator_beside_a_zeno_point_keeps_its_amplitude(c: float, f: float, zeno: str) -> None:
    stop = 1.2 * end_of_hops(c)
    result = run(OSCILLATOR, stop_time=stop, tolerance=1e-10, zeno=zeno, set={"c": c, "f": f}, method="adams")
    amplitude = np.hypot(result["a"], result["b"])
    # The errors of single steps add up over thousands of them; there was a leap by factors.
    assert np.abs(amplitude - 1).max() < 1e-4
    assert result["h"][-1] == 0.0 and turns(result, "resting") == pytest.approx([end_of_hops(c)], abs=1e-5)


def test_the_partial_result_of_stop_has_the_oscillator_where_it_is() -> None:
    error = refused(OSCILLATOR, stop_time=3, tolerance=1e-10, method="adams")
    result = error.partial
    assert isinstance(result, Result)
    assert result.time[-1] == pytest.approx(end_of_hops(0.5), abs=1e-6)
    phase = 2 * math.pi * 500 * result.time[-1]
    assert result["a"][-1] == pytest.approx(math.sin(phase), abs=1e-3)
    assert result["b"][-1] == pytest.approx(math.cos(phase), abs=1e-3)


def test_what_the_ball_acts_on_is_not_extrapolated_either() -> None:
    """Coupled by a part in a thousand: the rate of the oscillator jumps with each impact. The coupling is
    felt as a force k v, which is 1e-3 of a rate of 3e3."""
    result = run(OSCILLATOR, stop_time=2, tolerance=1e-10, zeno="rest", set={"k": 1e-3}, method="adams")
    assert np.abs(np.hypot(result["a"], result["b"]) - 1).max() < 1e-4


TANKS = """model M "two tanks, and an oscillator: nothing can hold them when they are empty"
  parameter Real f = 20; constant Real pi = 3.141592653589793;
  Real x1(start = 1, fixed = true), x2(start = 1, fixed = true); Boolean first(start = true, fixed = true);
  Real a(start = 0, fixed = true), b(start = 1, fixed = true);
equation
  der(x1) = (if first then 0.75 else 0) - 0.5; der(x2) = (if first then 0 else 0.75) - 0.4;
  der(a) = 2*pi*f*b; der(b) = -2*pi*f*a;
algorithm
  when x1 <= 0 then first := true; elsewhen x2 <= 0 then first := false; end when;
end M;"""


@pytest.mark.parametrize("zeno", ["stop", "rest"])
def test_where_no_motion_is_left_the_last_moment_is_integrated_too(zeno: str) -> None:
    error = refused(TANKS, stop_time=30, tolerance=1e-9, zeno=zeno, method="adams")
    result = error.partial
    assert isinstance(result, Result) and result.time[-1] == pytest.approx(2 / 0.15, abs=1e-5)
    assert np.abs(np.hypot(result["a"], result["b"]) - 1).max() < 1e-4
    assert result["x1"][-1] == pytest.approx(0, abs=1e-6) and result["x2"][-1] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("zeno", ["rest", "continue"])
@pytest.mark.parametrize("before", [1e-4, 1e-5, -1e-5])
def test_other_relations_are_looked_at_up_to_the_accumulation_point(before: float, zeno: str) -> None:
    """A second ball falls from a height from which it hits the floor shortly before the first one rests."""
    at = end_of_hops(0.5) - before
    text = f"""model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Real y(start = {G * at**2 / 2!r}, fixed = true), u(start = 0, fixed = true); equation
      der(h) = v; der(v) = -9.81; der(y) = u; der(u) = -9.81;
      when h <= 0 then reinit(v, -0.5*pre(v)); end when;
      when y <= 0 then reinit(u, -0.25*pre(u)); end when; end M;"""
    result = run(text, stop_time=4, tolerance=1e-9, zeno=zeno)
    assert min(result["h"].min(), result["y"].min()) > -1e-8
    first, second = turns(result, "resting")
    assert first == pytest.approx(end_of_hops(0.5), abs=1e-5)
    assert second == pytest.approx(at * (1 + 2 * 0.25 / 0.75), abs=1e-5)
    hits = [e.time for e in result.events if "u" in [change.name for change in e.reinitialised]]
    assert hits[0] == pytest.approx(at, abs=1e-7)


@pytest.mark.parametrize("zeno", ZENO)
def test_a_clock_that_ticks_all_the_time_is_heard(zeno: str) -> None:
    text = """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Integer n(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81;
      when h <= 0 then reinit(v, -0.5*pre(v)); end when;
      when sample(0.0005, 0.001) then n = pre(n) + 1; end when; end M;"""
    result = run(text, stop_time=2, tolerance=1e-9, zeno=zeno)
    assert result["n"][-1] == 2000 and result["h"][-1] == 0.0
    assert turns(result, "resting") == pytest.approx([end_of_hops(0.5)], abs=1e-5)


@pytest.mark.parametrize("zeno", ZENO)
@pytest.mark.parametrize("mu", [0.05, 0.2])
def test_what_shares_in_the_jumps_gets_all_of_them(mu: float, zeno: str) -> None:
    """With friction each impact takes mu times its vertical impulse from the horizontal speed, and so does
    the floor afterwards: u' = -mu*g. The vertical impulse of all hops is g times the time that they take,
    and the speed of the first impact."""
    text = f"""model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Real u(start = 20, fixed = true), x(start = 0, fixed = true); equation
      der(h) = v; der(v) = -9.81; der(u) = 0; der(x) = u;
      when h <= 0 then reinit(v, -0.5*pre(v)); reinit(u, pre(u) + {mu}*1.5*pre(v)); end when; end M;"""
    result = run(text, stop_time=3, tolerance=1e-9, zeno=zeno)
    # From 0 to 3 the floor gives 3*g in all: the ball falls with 0 and lies with 0.
    assert result["u"][-1] == pytest.approx(20 - mu * G * 3, abs=1e-4)


def thrown(e: float, kept: float, u: float) -> tuple[float, float]:
    """When a ball from 1 m has come to rest, and how far it has gone by then, with a horizontal speed of
    which each impact keeps a part: sums of geometric series."""
    fall = float(np.sqrt(2 / G))
    return fall * (1 + 2 * e / (1 - e)), u * fall * (1 + 2 * e * kept / (1 - e * kept))


@pytest.mark.parametrize("zeno", ZENO)
@pytest.mark.parametrize("method", ["bdf", "rk45"])
@pytest.mark.parametrize(
    ("e", "kept"), [(0.6, 0.8), (0.5, 0.5), (0.8, 0.3), (0.4, 0.99), (0.5, -0.5), (0.7, 0.0)]
)
def test_impacts_wear_off_what_keeps_a_part_of_itself(e: float, kept: float, method: str, zeno: str) -> None:
    """Infinitely many impacts leave nothing of it, and no force goes on when the ball lies."""
    text = f"""model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Real x(start = 0, fixed = true), u(start = 2, fixed = true); equation
      der(h) = v; der(v) = -9.81; der(x) = u; der(u) = 0;
      when h <= 0 then reinit(v, -{e}*pre(v)); reinit(u, {kept}*pre(u)); end when; end M;"""
    result = run(text, stop_time=6, tolerance=1e-9, zeno=zeno, method=method)
    end, far = thrown(e, kept, 2)
    assert turns(result, "resting") == pytest.approx([end], abs=1e-4)
    assert result["u"][-1] == pytest.approx(0, abs=1e-7) and result["h"][-1] == 0.0
    assert result["x"][-1] == pytest.approx(far, abs=0.01 if zeno == "rest" else 1e-4)


@pytest.mark.parametrize("zeno", ZENO)
def test_impacts_wear_off_slip_and_leave_the_rolling(zeno: str) -> None:
    """A ball with spin: each impact keeps half of the slip u - w, by an impulse that changes w by five halves
    of what it changes u. At rest it rolls, with 5*u + 2*w as ever."""
    text = """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Real u(start = 2, fixed = true), w(start = -3, fixed = true); equation
      der(h) = v; der(v) = -9.81; der(u) = 0; der(w) = 0;
      when h <= 0 then reinit(v, -0.6*pre(v));
        reinit(u, pre(u) - (pre(u) - pre(w))/7); reinit(w, pre(w) + (pre(u) - pre(w))*5/14); end when;
      end M;"""
    result = run(text, stop_time=5, tolerance=1e-9, zeno=zeno)
    assert result["u"][-1] == pytest.approx((5 * 2 - 2 * 3) / 7, abs=1e-7)
    assert result["w"][-1] == pytest.approx((5 * 2 - 2 * 3) / 7, abs=1e-7)


def test_what_impacts_wear_off_and_something_accelerates_is_refused() -> None:
    """On a slope the impacts would hold the ball for ever, however weak: nothing that is left does that."""
    text = """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true), u(start = 2, fixed = true);
      equation der(h) = v; der(v) = -9.81; der(u) = 1;
      when h <= 0 then reinit(v, -0.6*pre(v)); reinit(u, 0.8*pre(u)); end when; end M;"""
    error = refused(text, stop_time=5, tolerance=1e-9, zeno="rest")
    assert any("wear `u` off" in note.message for note in error.diagnostics[0].notes)


def test_impacts_without_a_limit_are_refused() -> None:
    text = """model M Real h(start = 1, fixed = true), v(start = 0, fixed = true), u(start = 2, fixed = true);
      equation der(h) = v; der(v) = -9.81; der(u) = 0;
      when h <= 0 then reinit(v, -0.6*pre(v)); reinit(u, -pre(u)); end when; end M;"""
    error = refused(text, stop_time=5, tolerance=1e-9, zeno="rest")
    assert any("lead `u` to no limit" in note.message for note in error.diagnostics[0].notes)


@pytest.mark.parametrize("zeno", ZENO)
@pytest.mark.parametrize("method", ["bdf", "rk45"])
@pytest.mark.parametrize("e", [0.3, 0.6, 0.85, 0.98])
def test_heat_of_impacts_is_all_of_the_energy(e: float, method: str, zeno: str) -> None:
    """Each impact makes heat of the energy that it takes, and so all of them of what there was: m*g*h with
    1 kg. The floor that holds the ball afterwards makes none."""
    text = f"""model M Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      Real Q(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; der(Q) = 0;
      when h <= 0 then
        reinit(v, -{e}*pre(v)); reinit(Q, pre(Q) + 0.5*(1 - {e}^2)*pre(v)^2);
      end when; end M;"""
    result = run(text, stop_time=1.5 * end_of_hops(e), tolerance=1e-9, zeno=zeno, method=method)
    assert result["Q"][-1] == pytest.approx(G, abs=1e-5)
    late = result.time > 1.1 * end_of_hops(e)
    assert np.ptp(result["Q"][late]) < 1e-12
