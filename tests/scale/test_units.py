"""Results do not depend on units: every quantity in units that are larger or smaller by powers of ten.

Scales are parameters, so each model is translated once. The truths are of the models in units of order one:
closed forms, or integrations by hand that share nothing with Saltus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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

RECTIFIER = """
model Rectifier "source, inductor, ideal diode, resistor"
  parameter Real kV = 1, kA = 1, kT = 1;
  Real i(start = 0, fixed = true), u, s;
  Boolean blocks = s < 0;
equation
  10*kV*sin(2*3.141592653589793*time/kT) = 0.1*kV*kT/kA*der(i) + u + kV/kA*i;
  u = if blocks then s else 0;
  i = if blocks then 0 else s;
end Rectifier;
"""

BUCK = """
model Buck "ideal switch and ideal diode, in continuous and in discontinuous conduction"
  parameter Real kV = 1, kA = 1, kT = 1;
  parameter Real R = 4*kV/kA, L = 0.05*kV*kT/kA, C = 0.05*kA*kT/kV;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), ud, id, us, is, s, w;
  Boolean on = sin(2*3.141592653589793*10*time/kT) > 0.3, off = s < 0;
equation
  12*kV = us - ud;
  is + id = i;
  -ud = L*der(i) + v;
  i = C*der(v) + v/R;
  us = if on then 0 else w;
  is = if on then w else 0;
  ud = if off then s else 0;
  id = if off then 0 else s;
end Buck;
"""

BRIDGE = """
model Bridge "four ideal diodes between a source with a coil, and a capacitor with a load"
  parameter Real kV = 1, kA = 1, kT = 1;
  parameter Real R = kV/kA, L = 0.01*kV*kT/kA, C = 0.05*kA*kT/kV;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), u[4], s[4], j[4], e, a, b;
  Boolean off[4];
equation
  e = 10*kV*sin(2*3.141592653589793*time/kT);
  e = L*der(i) + 0.1*R*i + a - b;
  u[1] = a - v;
  u[2] = b - v;
  u[3] = -a;
  u[4] = -b;
  i + j[3] = j[1];
  j[4] = i + j[2];
  j[1] + j[2] = C*der(v) + v/(2*R);
  for k in 1:4 loop
    off[k] = s[k] < 0;
    u[k] = if off[k] then s[k] else 0;
    j[k] = if off[k] then 0 else s[k];
  end for;
end Bridge;
"""

FRICTION = """
model Friction "a block that is pulled to and fro over a rough floor"
  parameter Real kX = 1, kT = 1, kM = 1, kF = kM*kX/kT^2;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), f, s;
equation
  der(x) = v;
  kM*der(v) = 2*kF*sin(time/kT) - f;
  v = if s > kF then (s - kF)*kT/kM elseif s < -kF then (s + kF)*kT/kM else 0;
  f = if s > kF then kF elseif s < -kF then -kF else s;
end Friction;
"""

CLUTCH = """
model Clutch "two inertias, and a clutch that slips until both have one speed"
  parameter Real kW = 1, kT = 1, kN = 1, kJ = kN*kT/kW;
  Real w1(start = 10*kW, fixed = true), w2(start = 0, fixed = true), tau, s, w;
equation
  kJ*der(w1) = 3*kN*sin(2*time/kT) - tau - 0.1*kN/kW*w1;
  2*kJ*der(w2) = tau - 0.2*kN/kW*w2;
  w = w1 - w2;
  w = if s > 2*kN then (s - 2*kN)*kW/kN elseif s < -2*kN then (s + 2*kN)*kW/kN else 0;
  tau = if s > 2*kN then 2*kN elseif s < -2*kN then -2*kN else s;
end Clutch;
"""

BALL = """
model Ball "a ball that bounces"
  parameter Real kX = 1, kT = 1;
  Real h(start = kX, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81*kX/kT^2;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Ball;
"""

ROPE = """
model Rope "a ball is thrown up through air, falls, and is caught by a rope that does not stretch"
  parameter Real kX = 1, kT = 1, kM = 1, kF = kM*kX/kT^2;
  Real x(start = 0, fixed = true), v(start = 2*kX/kT, fixed = true), F, s;
  Boolean taut = s > 0;
equation
  der(x) = v;
  kM*der(v) = -9.81*kF - 0.3*kM/kT*v + F;
  x + kX = if taut then 0 else -s;
  F = if taut then s*kF/kX else 0;
end Rope;
"""

SLIDING = """
model Sliding "two sides push towards a surface, with forces that vary"
  parameter Real kX = 1, kT = 1;
  Real x(start = kX, fixed = true), y(start = 0, fixed = true), g;
equation
  g = if x > 0 then -1 else 1;
  der(x) = kX/kT*(g + 0.5*sin(3*time/kT));
  der(y) = kX/kT*(2 + g);
end Sliding;
"""

POWERS = st.integers(-12, 12)

#: The same examples in every run; each is a short simulation.
a_few = settings(max_examples=12, derandomize=True, deadline=None, database=None)


@cache
def model(text: str) -> Model:
    return saltus.load(text)


def run(text: str, powers: Mapping[str, int], stop: float, method: str = "bdf") -> Result:
    """A run in other units, as far as `stop` units of time."""
    scales = {name: 10.0**power for name, power in powers.items()}
    return model(text).simulate(
        stop_time=stop * scales.get("kT", 1.0), tolerance=1e-9, set=scales, method=method
    )


def course(
    result: Result, name: str, unit: float, time: float, at: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A variable in units of order one, at times for which there are rows."""
    return np.interp(at, result.time / time, result[name] / unit)


def agree(found: NDArray[np.float64], truth: NDArray[np.float64]) -> None:
    """What is as small as a thousandth counts as 1: it is as many times less exact than the tolerance."""
    assert np.abs(found - truth).max() < 1e-4 * np.abs(truth).max()


# ---------------------------------------------------------------- circuits


def rectified(t: float) -> float:
    """L i' + R i = 10 sin(w t) from each zero crossing of the source, until the current is zero."""
    w, tau = 2 * np.pi, 0.1
    phase = t % 1.0

    def current(p: float) -> float:
        a = 10 / (1 + (w * tau) ** 2)
        return float(a * (np.sin(w * p) - w * tau * np.cos(w * p) + w * tau * np.exp(-p / tau)))

    return current(phase) if phase < brentq(current, 0.4, 0.9) else 0.0


@given(v=POWERS, a=POWERS, t=POWERS)
@example(v=0, a=-12, t=0)
@example(v=-12, a=-12, t=0)
@example(v=-12, a=12, t=0)
@a_few
def test_rectifier(v: int, a: int, t: int) -> None:
    result = run(RECTIFIER, {"kV": v, "kA": a, "kT": t}, 2.3)
    assert len(result.events) == 5
    at = np.linspace(0, 2.3, 251)
    truth = np.array([rectified(p) for p in at])
    agree(course(result, "i", 10.0**a, 10.0**t, at), truth)
    assert result["i"].min() > -1e-6 * 10.0**a


def stepwise(
    modes: Mapping[str, Callable[[float, NDArray[np.float64]], list[float]]],
    ends: Callable[[str], list[tuple[Callable[[float, NDArray[np.float64]], float], str]]],
    begin: tuple[str, list[float]],
    at: NDArray[np.float64],
    clear: Mapping[str, list[int]],
) -> NDArray[np.float64]:
    """Integrates from event to event: in each mode the derivatives, and what ends it with the next mode; a
    mode that is entered sets the states in `clear` to zero."""
    mode, y = begin
    now, found = 0.0, np.zeros((len(at), len(y)))
    while now < at[-1]:
        exits = ends(mode)
        events = []
        for f, _ in exits:

            def event(t: float, y: NDArray[np.float64], f=f, now=now) -> float:  # type: ignore[no-untyped-def]
                return f(t, y) if t > now + 1e-9 else 1.0

            event.terminal, event.direction = True, -1.0  # type: ignore[attr-defined]
            events.append(event)
        done = solve_ivp(
            modes[mode],
            (now, at[-1]),
            y,
            events=events,
            rtol=1e-10,
            atol=1e-12,
            dense_output=True,
            max_step=0.01,
        )
        inside = (at >= now) & (at <= done.t[-1])
        found[inside] = done.sol(at[inside]).T
        now, y = done.t[-1], done.y[:, -1].copy()
        fired = [k for k, times in enumerate(done.t_events) if len(times)]
        if not fired:
            break
        mode = exits[fired[0]][1]
        for k in clear.get(mode, []):
            y[k] = 0.0
    return found


@cache
def buck_by_hand() -> NDArray[np.float64]:
    coil, capacity, load = 0.05, 0.05, 4.0

    def gate(t: float) -> float:
        return float(np.sin(20 * np.pi * t) - 0.3)

    modes = {
        "on": lambda t, y: [(12 - y[1]) / coil, (y[0] - y[1] / load) / capacity],
        "off": lambda t, y: [-y[1] / coil, (y[0] - y[1] / load) / capacity],
        "idle": lambda t, y: [0.0, -y[1] / load / capacity],
    }

    def ends(mode: str) -> list[tuple[Callable[[float, NDArray[np.float64]], float], str]]:
        if mode == "on":
            return [(lambda t, y: gate(t), "off")]
        rises = (lambda t, y: -gate(t), "on")
        return [rises, (lambda t, y: y[0], "idle")] if mode == "off" else [rises]

    # Before the switch closes, nothing moves.
    return stepwise(modes, ends, ("idle", [0.0, 0.0]), np.linspace(0, 1, 251), {"idle": [0]})


@given(v=POWERS, a=POWERS, t=POWERS)
@example(v=0, a=-12, t=0)
@example(v=0, a=12, t=-9)
@a_few
def test_buck_converter(v: int, a: int, t: int) -> None:
    result = run(BUCK, {"kV": v, "kA": a, "kT": t}, 1.0)
    at, truth = np.linspace(0, 1, 251), buck_by_hand()
    agree(course(result, "v", 10.0**v, 10.0**t, at), truth[:, 1])
    agree(course(result, "i", 10.0**a, 10.0**t, at), truth[:, 0])


@cache
def bridge_by_hand() -> NDArray[np.float64]:
    coil, capacity, load = 0.01, 0.05, 2.0

    def source(t: float) -> float:
        return float(10 * np.sin(2 * np.pi * t))

    def conducts(sign: float) -> Callable[[float, NDArray[np.float64]], list[float]]:
        return lambda t, y: [
            (source(t) - 0.1 * y[0] - sign * y[1]) / coil,
            (sign * y[0] - y[1] / load) / capacity,
        ]

    modes = {
        "plus": conducts(1.0),
        "minus": conducts(-1.0),
        "idle": lambda t, y: [0.0, -y[1] / load / capacity],
    }

    def ends(mode: str) -> list[tuple[Callable[[float, NDArray[np.float64]], float], str]]:
        if mode == "idle":
            return [(lambda t, y: y[1] - source(t), "plus"), (lambda t, y: y[1] + source(t), "minus")]
        sign = 1.0 if mode == "plus" else -1.0
        return [(lambda t, y: sign * y[0], "idle")]

    return stepwise(modes, ends, ("plus", [0.0, 0.0]), np.linspace(0, 1.7, 251), {"idle": [0]})


@given(v=POWERS, a=POWERS, t=POWERS)
@example(v=0, a=-12, t=0)
@example(v=0, a=12, t=0)
@a_few
def test_diode_bridge(v: int, a: int, t: int) -> None:
    result = run(BRIDGE, {"kV": v, "kA": a, "kT": t}, 1.7)
    at, truth = np.linspace(0, 1.7, 251), bridge_by_hand()
    agree(course(result, "v", 10.0**v, 10.0**t, at), truth[:, 1])
    agree(course(result, "i", 10.0**a, 10.0**t, at), truth[:, 0])
    assert len(result.events) < 12


# ---------------------------------------------------------------- mechanics


@cache
def friction_by_hand() -> NDArray[np.float64]:
    modes = {
        "sticks": lambda t, y: [y[1], 0.0],
        "forth": lambda t, y: [y[1], 2 * np.sin(t) - 1],
        "back": lambda t, y: [y[1], 2 * np.sin(t) + 1],
    }

    def ends(mode: str) -> list[tuple[Callable[[float, NDArray[np.float64]], float], str]]:
        if mode == "sticks":
            return [(lambda t, y: 1 - 2 * np.sin(t), "forth"), (lambda t, y: 1 + 2 * np.sin(t), "back")]
        sign = 1.0 if mode == "forth" else -1.0
        return [(lambda t, y: sign * y[1], "turns")]

    # Where the block comes to rest, it is pulled back harder than it sticks, or it sticks.
    found, now, y, mode = [], 0.0, [0.0, 0.0], "sticks"
    at = np.linspace(0, 10, 251)
    columns = np.zeros((len(at), 2))
    while now < 10:
        exits = ends(mode)
        events = []
        for f, _ in exits:

            def event(t: float, y: NDArray[np.float64], f=f, now=now) -> float:  # type: ignore[no-untyped-def]
                return float(f(t, y)) if t > now + 1e-9 else 1.0

            event.terminal, event.direction = True, -1.0  # type: ignore[attr-defined]
            events.append(event)
        done = solve_ivp(
            modes[mode], (now, 10), y, events=events, rtol=1e-10, atol=1e-12, dense_output=True, max_step=0.05
        )
        inside = (at >= now) & (at <= done.t[-1])
        columns[inside] = done.sol(at[inside]).T
        now, y = done.t[-1], [done.y[0, -1], 0.0]
        fired = [k for k, times in enumerate(done.t_events) if len(times)]
        if not fired:
            break
        mode = exits[fired[0]][1]
        if mode == "turns":
            pull = 2 * np.sin(now)
            mode = "forth" if pull > 1 else "back" if pull < -1 else "sticks"
        found.append(now)
    return columns


@given(x=POWERS, t=POWERS, m=POWERS)
@example(x=-12, t=0, m=-12)
@example(x=12, t=0, m=0)
@a_few
def test_friction(x: int, t: int, m: int) -> None:
    result = run(FRICTION, {"kX": x, "kT": t, "kM": m}, 10)
    at, truth = np.linspace(0, 10, 251), friction_by_hand()
    agree(course(result, "x", 10.0**x, 10.0**t, at), truth[:, 0])
    agree(course(result, "v", 10.0 ** (x - t), 10.0**t, at), truth[:, 1])


@cache
def clutch_by_hand() -> NDArray[np.float64]:
    modes = {
        "slips": lambda t, y: [3 * np.sin(2 * t) - 2 - 0.1 * y[0], (2 - 0.2 * y[1]) / 2],
        "sticks": lambda t, y: [(3 * np.sin(2 * t) - 0.3 * y[0]) / 3] * 2,
    }

    def ends(mode: str) -> list[tuple[Callable[[float, NDArray[np.float64]], float], str]]:
        return [(lambda t, y: y[0] - y[1], "sticks")] if mode == "slips" else []

    return stepwise(modes, ends, ("slips", [10.0, 0.0]), np.linspace(0, 3, 251), {})


@given(w=POWERS, t=POWERS, n=POWERS)
@example(w=-12, t=0, n=0)
@example(w=-9, t=0, n=12)
@a_few
def test_clutch(w: int, t: int, n: int) -> None:
    result = run(CLUTCH, {"kW": w, "kT": t, "kN": n}, 3)
    assert len(result.events) == 2
    at, truth = np.linspace(0, 3, 251), clutch_by_hand()
    agree(course(result, "w1", 10.0**w, 10.0**t, at), truth[:, 0])
    agree(course(result, "w2", 10.0**w, 10.0**t, at), truth[:, 1])


def height(time: float) -> float:
    """Of the ball: parabolas, each with 0.7 of the speed of the one before."""
    speed = np.sqrt(2 * 9.81)
    fall = speed / 9.81
    if time < fall:
        return float(1 - 9.81 / 2 * time**2)
    time -= fall
    while True:
        speed *= 0.7
        if time < 2 * speed / 9.81:
            return float(speed * time - 9.81 / 2 * time**2)
        time -= 2 * speed / 9.81


@given(x=POWERS, t=POWERS)
@example(x=12, t=0)
@example(x=-12, t=0)
@a_few
def test_bouncing_ball(x: int, t: int) -> None:
    result = run(BALL, {"kX": x, "kT": t}, 2)
    assert len(result.events) == 9
    at = result.time[::7] / 10.0**t
    agree(course(result, "h", 10.0**x, 10.0**t, at), np.array([height(p) for p in at]))


@given(x=POWERS, t=POWERS, m=POWERS)
@example(x=-12, t=0, m=12)
@a_few
def test_rope(x: int, t: int, m: int) -> None:
    result = run(ROPE, {"kX": x, "kT": t, "kM": m}, 3)
    k, g = 0.3, 9.81

    def fallen(p: float) -> float:  # v' = -g - k v
        return float((2 + g / k) * (1 - np.exp(-k * p)) / k - g / k * p)

    taut = brentq(lambda p: fallen(p) + 1, 0.5, 2)
    at = np.linspace(0, 3, 251)
    agree(course(result, "x", 10.0**x, 10.0**t, at), np.array([fallen(p) if p < taut else -1 for p in at]))
    (impulse,) = [i for i in result.impulses if i.name == "F"]
    speed = (2 + g / k) * np.exp(-k * taut) - g / k
    assert impulse.weight == pytest.approx(-speed * 10.0 ** (m + x - t), rel=1e-5)


@given(x=POWERS, t=POWERS)
@example(x=12, t=0)
@example(x=-12, t=0)
@a_few
def test_sliding(x: int, t: int) -> None:
    result = run(SLIDING, {"kX": x, "kT": t}, 3)
    # Down with -1 + sin(3t)/2 to the surface, along which g is what keeps x where it is.
    down = brentq(lambda p: 1 - p + (1 - np.cos(3 * p)) / 6, 0.5, 2)
    end = down + 2 * (3 - down) + (np.cos(9) - np.cos(3 * down)) / 6
    assert result["y"][-1] == pytest.approx(end * 10.0**x, rel=1e-5)
