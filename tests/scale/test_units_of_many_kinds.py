"""The same model in other units has the same events at the same times and the same course after scaling,
with no option asked for.

Circuits that leak, flows through narrow channels, bodies with stops, heat, reactions, orbits: each with its
quantities in units that are larger or smaller by powers of ten. The truths are of the models in units of
order one, integrated by hand from event to event, or closed forms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import saltus
from saltus.model import Model
from saltus.result.result import Result

Vector = NDArray[np.float64]
Rate = Callable[[float, Vector], Sequence[float]]
Guard = Callable[[float, Vector], float]

POWERS = st.integers(-12, 12)

#: The same examples in every run; each is a short simulation.
a_few = settings(max_examples=8, derandomize=True, deadline=None, database=None)


@cache
def model(text: str) -> Model:
    return saltus.load(text)


def run(text: str, powers: Mapping[str, int], stop: float, tolerance: float = 1e-9, **options: str) -> Result:
    """A run in other units, as far as `stop` units of time, with five hundred rows."""
    units = {name: 10.0**power for name, power in powers.items()}
    end = stop * units.get("kT", 1.0)
    return model(text).simulate(stop_time=end, interval=end / 500, tolerance=tolerance, set=units, **options)


def rows(stop: float) -> Vector:
    """Times for which there are rows, in units of order one."""
    return np.linspace(0, stop, 251)


def moments(result: Result, unit: float) -> list[float]:
    """When the events were that came after the start, in units of order one."""
    return [event.time / unit for event in result.events if event.time > 0]


def course(result: Result, name: str, unit: float, time: float, at: Vector) -> Vector:
    """A variable in units of order one, at times for which there are rows."""
    return np.interp(at, result.time / time, result[name] / unit)


def agree(found: Vector, truth: Vector, within: float = 1e-4) -> None:
    """What is as small as a thousandth counts as 1: it is as many times less exact than the tolerance."""
    assert np.abs(found - truth).max() < within * np.abs(truth).max()


class Walk:
    """From event to event: where the walk is, its events, and its course."""

    def __init__(self, state: Sequence[float], at: Vector, longest: float) -> None:
        self.time, self.state = 0.0, np.array(state, dtype=float)
        self.events: list[float] = []
        self.course = np.zeros((len(at), len(state)))
        self.at, self._longest = at, longest

    def until(self, rate: Rate, *guards: Guard) -> int | None:
        """Integrates until the first guard falls through zero; its number, or None at the end."""
        terminal = [_terminal(g, self.time) for g in guards]
        done = solve_ivp(
            rate, (self.time, self.at[-1]), self.state, method="DOP853", dense_output=True, events=terminal,
            rtol=1e-11, atol=1e-13, max_step=self._longest,
        )  # fmt: skip
        inside = (self.at >= self.time) & (self.at <= done.t[-1])
        self.course[inside] = done.sol(self.at[inside]).T
        self.time, self.state = float(done.t[-1]), done.y[:, -1].copy()
        if done.status == 0:
            return None
        self.events.append(self.time)
        return next(k for k, found in enumerate(done.t_events) if len(found))


def _terminal(guard: Guard, now: float) -> Guard:
    def event(t: float, y: Vector) -> float:
        return guard(t, y) if t > now + 1e-9 else 1.0

    event.terminal, event.direction = True, -1.0  # type: ignore[attr-defined]
    return event


# ---------------------------------------------------------------- circuits that leak

LEAKY = """
model Leaky "source, coil, diode that leaks, resistor"
  parameter Real kV = 1, kA = 1, kT = 1, leak = 1e-4;
  Real i(start = 0, fixed = true), u, s;
  Boolean blocks = s < 0;
equation
  kV*sin(2*3.141592653589793*time/kT) = 0.1*kV*kT/kA*der(i) + kV/kA*i + u;
  u = if blocks then s else leak*kV/kA*s;
  i = if blocks then leak*kA/kV*s else s;
end Leaky;
"""


@cache
def leaky_by_hand(leak: float) -> Walk:
    walk = Walk([0.0], rows(2.3), 0.01)

    def rate(resistance: float) -> Rate:
        return lambda t, y: [(np.sin(2 * np.pi * t) - (1 + resistance) * y[0]) / 0.1]

    while walk.until(rate(leak), lambda t, y: y[0]) is not None:
        if walk.until(rate(1 / leak), lambda t, y: -y[0]) is None:
            break
    return walk


@given(v=POWERS, a=POWERS, t=POWERS)
@example(v=0, a=-12, t=0)
@example(v=-9, a=-12, t=0)
@example(v=-6, a=-9, t=-6)
@example(v=12, a=12, t=0)
@a_few
def test_leaky_rectifier(v: int, a: int, t: int) -> None:
    walk = leaky_by_hand(1e-4)
    result = run(LEAKY, {"kV": v, "kA": a, "kT": t}, 2.3, 1e-10)
    assert moments(result, 10.0**t) == pytest.approx(walk.events, abs=1e-4)
    agree(course(result, "i", 10.0**a, 10.0**t, walk.at), walk.course[:, 0])


BOOST = """
model Boost "a switch and a diode that leak"
  parameter Real kV = 1, kA = 1, kT = 1, leak = 1e-5;
  parameter Real L = 0.05*kV*kT/kA, C = 0.05*kA*kT/kV, R = 4*kV/kA;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), x, sw, d;
  Boolean closed = sin(2*3.141592653589793*10*time/kT) > 0.3, off = d < 0;
equation
  12*kV - x = L*der(i);
  x = if closed then leak*kV/kA*sw else sw;
  x - v = if off then d else leak*kV/kA*d;
  i = (if closed then sw else leak*kA/kV*sw) + (if off then leak*kA/kV*d else d);
  C*der(v) = (if off then leak*kA/kV*d else d) - v/R;
end Boost;
"""


@cache
def boost_in_ordinary_units() -> Result:
    return run(BOOST, {}, 1.0, scale="one")


@given(v=POWERS, a=POWERS, t=POWERS)
@example(v=-6, a=-12, t=-3)
@example(v=-6, a=-9, t=-9)
@a_few
def test_boost_converter_that_leaks(v: int, a: int, t: int) -> None:
    """Sizes once ran away from leak to leak: 1e17 V at the capacitor."""
    result, ordinary = run(BOOST, {"kV": v, "kA": a, "kT": t}, 1.0), boost_in_ordinary_units()
    assert moments(result, 10.0**t) == pytest.approx(moments(ordinary, 1.0), abs=1e-5)
    at = rows(1)
    for name, unit in (("v", 10.0**v), ("i", 10.0**a)):
        agree(course(result, name, unit, 10.0**t, at), course(ordinary, name, 1.0, 1.0, at), 1e-3)


# ---------------------------------------------------------------- narrow channels

VALVE = """
model Valve "a pump that goes to and fro, a check valve, a channel, and a chamber that leaks"
  parameter Real kP = 1, kQ = 1, kT = 1;
  Real p(start = 0, fixed = true), q, dp, s;
  Boolean shut = s < 0;
equation
  kP*sin(2*3.141592653589793*time/kT) = dp + kP/kQ*q + p;
  kQ*kT/kP*der(p) = q - kQ/kP*p/3;
  dp = if shut then s else 0;
  q = if shut then 0 else s;
end Valve;
"""


@cache
def valve_by_hand() -> Walk:
    walk = Walk([0.0], rows(4.3), 0.01)

    def open_(t: float, y: Vector) -> list[float]:
        return [np.sin(2 * np.pi * t) - y[0] - y[0] / 3]

    def ahead(t: float, y: Vector) -> float:
        return float(np.sin(2 * np.pi * t) - y[0])

    while walk.until(open_, ahead) is not None:
        if walk.until(lambda t, y: [-y[0] / 3], lambda t, y: -ahead(t, y)) is None:
            break
    return walk


@given(p=POWERS, q=POWERS, t=POWERS)
@example(p=3, q=-12, t=-3)
@example(p=-6, q=-12, t=3)
@a_few
def test_check_valve(p: int, q: int, t: int) -> None:
    walk = valve_by_hand()
    result = run(VALVE, {"kP": p, "kQ": q, "kT": t}, 4.3)
    assert moments(result, 10.0**t) == pytest.approx(walk.events, abs=1e-5)
    agree(course(result, "p", 10.0**p, 10.0**t, walk.at), walk.course[:, 0])


# ---------------------------------------------------------------- bodies with stops

TAPPING = """
model Tapping "a beam that is shaken taps on a stop that gives way"
  parameter Real kX = 1, kT = 1, kM = 1, kF = kM*kX/kT^2;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), f;
  Boolean touches = x > 0.8*kX;
equation
  der(x) = v;
  kM*der(v) = kF*sin(1.3*time/kT) - kF/kX*x - 0.1*kM/kT*v - f;
  f = if touches then 100*kF/kX*(x - 0.8*kX) else 0;
end Tapping;
"""


@cache
def tapping_by_hand() -> Walk:
    walk = Walk([0.0, 0.0], rows(12), 0.02)

    def rate(k: float) -> Rate:
        return lambda t, y: [y[1], np.sin(1.3 * t) - y[0] - 0.1 * y[1] - k * (y[0] - 0.8)]

    while walk.until(rate(0.0), lambda t, y: 0.8 - y[0]) is not None:
        if walk.until(rate(100.0), lambda t, y: y[0] - 0.8) is None:
            break
    return walk


@given(x=POWERS, t=POWERS, m=POWERS)
@example(x=-9, t=-6, m=-12)
@example(x=-12, t=-9, m=-12)
@a_few
def test_tapping_beam(x: int, t: int, m: int) -> None:
    walk = tapping_by_hand()
    result = run(TAPPING, {"kX": x, "kT": t, "kM": m}, 12)
    assert len(walk.events) > 4
    assert moments(result, 10.0**t) == pytest.approx(walk.events, abs=1e-4)
    agree(course(result, "x", 10.0**x, 10.0**t, walk.at), walk.course[:, 0], 1e-3)


# ---------------------------------------------------------------- heat

HEATED = """
model Heated "a mass that is heated between two temperatures; they stay as they are"
  parameter Real kE = 1, kT = 1;
  Real T(start = 280, fixed = true), Q, E(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
  Real since(start = 0, fixed = true) "when it was switched last";
equation
  kE*der(T) = Q - kE/kT*(T - 273);
  Q = if on then 20*kE/kT else 0;
  der(E) = Q;
  when {T > 285, T < 283} then
    on = T < 283;
    since = time;
  end when;
end Heated;
"""


@given(e=POWERS, t=POWERS)
@example(e=15, t=8)
@example(e=-12, t=-6)
@a_few
def test_heated_mass(e: int, t: int) -> None:
    result = run(HEATED, {"kE": e, "kT": t}, 3.0)
    fall, rise = np.log(12 / 10), np.log(10 / 8)  # to 273, to 293
    switched, on, heated = float(np.log(13 / 8)), False, 20 * np.log(13 / 8)
    while switched + (rise if on else fall) < 3:
        heated += 20 * rise if on else 0.0
        switched += rise if on else fall
        on = not on
    heated += 20 * (3 - switched) if on else 0.0
    assert result["since"][-1] / 10.0**t == pytest.approx(switched, abs=1e-5)
    assert result["E"][-1] / 10.0**e == pytest.approx(heated, rel=1e-5)


# ---------------------------------------------------------------- reactions

FED = """
model Fed "a substance that makes more of itself, fed while there is little of it"
  parameter Real kC = 1, kT = 1;
  Real a(start = kC, fixed = true), b(start = 0.1*kC, fixed = true);
  Boolean much = b > 0.5*kC;
equation
  der(a) = -a*b/(kC*kT) + (if much then 0 else 0.3*kC/kT);
  der(b) = a*b/(kC*kT) - 0.2*b/kT;
end Fed;
"""


@cache
def fed_by_hand() -> Walk:
    walk = Walk([1.0, 0.1], rows(20), 0.05)

    def rate(feed: float) -> Rate:
        return lambda t, y: [feed - y[0] * y[1], y[0] * y[1] - 0.2 * y[1]]

    while walk.until(rate(0.3), lambda t, y: 0.5 - y[1]) is not None:
        if walk.until(rate(0.0), lambda t, y: y[1] - 0.5) is None:
            break
    return walk


@given(c=POWERS, t=POWERS)
@example(c=-9, t=0)
@example(c=-12, t=-6)
@a_few
def test_reaction(c: int, t: int) -> None:
    walk = fed_by_hand()
    result = run(FED, {"kC": c, "kT": t}, 20, 1e-11)
    assert len(walk.events) > 2
    assert moments(result, 10.0**t) == pytest.approx(walk.events, abs=1e-4)
    for k, name in enumerate("ab"):
        agree(course(result, name, 10.0**c, 10.0**t, walk.at), walk.course[:, k])


# ---------------------------------------------------------------- orbits

COMET = """
model Comet "an ellipse; its passages through the line of apsides are counted"
  parameter Real kX = 1, kT = 1;
  Real x(start = kX, fixed = true), y(start = 0, fixed = true), r;
  Real vx(start = 0, fixed = true), vy(start = 1.2*kX/kT, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  r = sqrt(x^2 + y^2);
  der(vx) = -kX^3/kT^2*x/r^3;
  der(vy) = -kX^3/kT^2*y/r^3;
  when y < 0 then
    n = pre(n) + 1;
  end when;
end Comet;
"""


@given(x=POWERS, t=POWERS)
@example(x=11, t=7)
@example(x=-10, t=-12)
@a_few
def test_comet(x: int, t: int) -> None:
    """From its perihelion, with 1.2 of the speed of a circle: a = 1/(2 - 1.44)."""
    axis, eccentricity = 1 / 0.56, 1 - 0.56
    period = 2 * np.pi * axis**1.5
    result = run(COMET, {"kX": x, "kT": t}, 40)
    crossings = [0.5 * k * period for k in range(1, int(80 / period) + 1)]
    assert moments(result, 10.0**t) == pytest.approx(crossings, abs=1e-4)
    end = brentq(lambda e: e - eccentricity * np.sin(e) - 2 * np.pi / period * 40.0, 0, 60)
    assert result["x"][-1] / 10.0**x == pytest.approx(axis * (np.cos(end) - eccentricity), abs=1e-4)
