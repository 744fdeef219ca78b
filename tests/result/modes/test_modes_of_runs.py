"""Modes and impulses of real runs whose structure varies, against closed forms."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus
from saltus.result.files.eventlog import event_lines, write_events
from saltus.result.result import Result
from saltus.show.listings.sorted import sorted_only
from saltus.show.listings.visited import modes_text

CLUTCH = """model Clutch
  type Speed = Real(unit = "rad/s");
  connector Flange Speed w; flow Real tau(unit = "N.m"); end Flange;
  model Inertia parameter Real J = 1; Flange f; equation J*der(f.w) = f.tau; end Inertia;
  model Lock Flange a, b; Real tau(unit = "N.m"); input Boolean closed;
  equation a.tau = tau; b.tau = -tau; 0 = if closed then a.w - b.w else tau; end Lock;
  Inertia left(J = 2, f(w(start = 5, fixed = true))), right(J = 3, f(w(start = 0, fixed = true)));
  Lock lock(closed = time >= 0.5 and time < 0.75);
equation
  connect(left.f, lock.a);
  connect(lock.b, right.f);
end Clutch;
"""

RECTIFIER = """model Rectifier
  parameter Real L = 0.1, R = 10, w = 31.41592653589793;
  Real v = 10*sin(w*time), i(start = 0), u, s;
  Boolean off = s < 0;
equation
  u = if off then s else 0;
  i = if off then 0 else s;
  v = R*i + L*der(i) + u;
end Rectifier;
"""


@pytest.fixture(scope="module")
def clutch() -> Result:
    return saltus.load(CLUTCH).simulate(tolerance=1e-9)


@pytest.fixture(scope="module")
def rectifier() -> Result:
    return saltus.load(RECTIFIER).simulate(stop_time=0.5, tolerance=1e-10)


def test_the_modes_of_a_clutch(clutch: Result) -> None:
    assert clutch.modes.bounds.tolist() == [0.0, 0.5, 0.75, 1.0] and len(clutch.modes) == 3
    assert clutch.modes.numbers.tolist() == [1, 2, 1]
    free, locked = clutch.modes.visited
    assert [len(m.states) for m in (free, locked)] == [2, 1]
    assert locked.index == 2 and locked.largest_block >= 2 and free.index < 2
    assert [(g.text, g.value, g.fixed) for g in locked.guards] == [("lock.closed", True, True)]
    assert free.guards[0].value is False and locked.why


def test_momentum_goes_through_a_clutch_as_an_impulse(clutch: Result) -> None:
    """Inertias 2 and 3 at speeds 5 and 0 both come to speed 2: six units of momentum are handed over."""
    (impulse,) = clutch.impulses["right.f.tau"]
    assert impulse.time == 0.5 and impulse.weight == pytest.approx(6.0, rel=1e-10)
    assert impulse.unit == "N.m.s"
    (other,) = clutch.impulses["left.f.tau"]
    assert other.weight == pytest.approx(-6.0, rel=1e-10)
    assert {"lock.tau", "lock.a.tau", "lock.b.tau", "left.f.tau", "right.f.tau"} <= set(clutch.impulses.names)
    assert len({one.time for one in clutch.impulses}) == 1


def test_the_log_of_a_clutch(clutch: Result, tmp_path: Path) -> None:
    lines = list(event_lines(clutch))
    assert any(line.endswith("jumps from 5 to 2") for line in lines)
    assert any(line.endswith("jumps from 0 to 2") for line in lines)
    changed = [line for line in lines if line.startswith("Equations changed")]
    assert "at time = 0.5:" in changed[0] and "is given up" in changed[0]
    assert "at time = 0.75:" in changed[1] and "is gained" in changed[1] and len(changed) == 2
    write_events(clutch, tmp_path / "events.jsonl")
    start, closes, opens = map(json.loads, (tmp_path / "events.jsonl").read_text().splitlines())
    assert [abs(w) for w in closes["impulses"].values()] == pytest.approx([6.0])
    assert not start["impulses"] and not opens["impulses"]
    assert len(closes["restructured"]["given_up"]) == len(opens["restructured"]["gained"]) == 1


def test_nothing_hidden_is_shown(clutch: Result, tmp_path: Path) -> None:
    clutch.to_csv(tmp_path / "out.csv")
    header = (tmp_path / "out.csv").read_text().splitlines()[0]
    shown = [*clutch.names, *clutch.parameters, *header.split(","), *clutch.to_pandas().columns]
    for mode in clutch.modes.visited:
        shown += [*mode.states, *mode.open, *(g.text for g in mode.guards)]
        shown += [*sorted_only(mode.structure), *modes_text(clutch).splitlines()]
    shown += list(event_lines(clutch))
    assert not any(mark in text for text in shown for mark in ("$", "after(", "left(", "impulse("))
    assert not any(np.isnan(clutch[name]).any() for name in clutch.names)


def test_the_modes_of_an_ideal_rectifier(rectifier: Result) -> None:
    """The current rises from zero at the start of each period; the diode opens where it would be negative."""
    w, tau, size = 10 * math.pi, 0.01, 10 / math.hypot(10, math.pi)
    lag = math.atan2(math.pi, 10)

    def current(t: float) -> float:
        return size * (math.sin(w * t - lag) + math.sin(lag) * math.exp(-t / tau))

    off = brentq(current, 0.1, 0.15, xtol=1e-14)
    bounds = [0, off, 0.2, 0.2 + off, 0.4, 0.5]
    assert rectifier.modes.bounds == pytest.approx(bounds, abs=1e-7)
    assert rectifier.modes.numbers.tolist() == [1, 2, 1, 2, 1]
    conducting, blocking = rectifier.modes.visited
    assert (conducting.states, conducting.index) == (("i",), 0)
    assert (blocking.states, blocking.index) == ((), 2)
    assert not rectifier.impulses and not any(e.reinitialised for e in rectifier.events)


def test_the_plain_friction_element() -> None:
    """The declarative friction element: 2 sin(t) against a largest force of 1 breaks away at asin(1/2)."""
    result = saltus.load(
        """model Friction
          Real x(start = 0, fixed = true), v(start = 0, fixed = true), f, s;
          Boolean forward = s > 1, backward = s < -1;
        equation
          der(x) = v;
          der(v) = 2*sin(time) - f;
          v = if forward then s - 1 elseif backward then s + 1 else 0;
          f = if forward then 1 elseif backward then -1 else s;
        end Friction;"""
    ).simulate(stop_time=3.0, tolerance=1e-9)
    stuck, sliding = result.modes.visited
    assert [s.mode for s in result.modes] == [stuck, sliding]
    assert result.modes[0].stop == pytest.approx(math.asin(0.5), abs=1e-8)
    assert "v" not in stuck.states and set(sliding.states) == {"x", "v"}
    assert {g.text for g in stuck.fixed} == {"forward", "backward"}


def test_a_clutch_that_is_locked_for_an_instant() -> None:
    """The locked mode is committed in one round and left in the next: no time passes, but momentum does."""
    result = saltus.load(
        """model Pinnacle
          Real w1(start = 5, fixed = true), w2(start = 0, fixed = true), tau;
          Boolean k(start = false, fixed = true);
        equation
          when {time >= 0.5, pre(k)} then k = not pre(k); end when;
          2*der(w1) = -tau;
          3*der(w2) = tau;
          0 = if k then w1 - w2 else tau;
        end Pinnacle;"""
    ).simulate()
    assert [(s.start, s.stop) for s in result.modes] == [(0, 0.5), (0.5, 0.5), (0.5, 1)]
    assert [s.mode.number for s in result.modes] == [1, 2, 1]
    free, locked = result.modes.visited
    assert len(free.states) == 2 and len(locked.states) == 1 and locked.index == 2
    assert [(one.time, round(one.weight, 9)) for one in result.impulses] == [(0.5, 6.0)]
    assert not any(line.startswith("Equations changed") for line in event_lines(result))
