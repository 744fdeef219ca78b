"""A switch that slides has a diode that turns with it: current control without hysteresis.

`on = i < ref` holds the current at its reference, with infinitely many changes. Whenever the switch opens,
the diode takes over; so along `i = ref` the diode is as little in one state as the switch is. Truth: closed
forms; where the current has to stay behind its reference, a recursion of exact steps.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from tools.obedience.judge import violations

import saltus
from saltus.ir.sorted.surfaces import OnSurface

Vector = NDArray[np.float64]

#: A switch from 48 V, a diode from ground, and between them a coil of 10 mH and a battery of 12 V with 1 Ohm.
CHOPPER = """
  parameter Real L = 0.01, V = 48, E = 12, R = 1;
  Real i(start = 0, fixed = true), v, isw, id, ss, sd, ref = {ref};
  Real q(start = 0, fixed = true) "energy from the source";
  Boolean on = i < ref, blocks = sd < 0;
equation
  L*der(i) = v - E - R*i;
  i = isw + id;
  V - v = if on then {leak}*ss else ss;
  isw = if on then ss else {leak}*ss;
  -v = if blocks then sd else {leak}*sd;
  id = if blocks then {leak}*sd else sd;
  der(q) = V*isw;
"""


def chopper(ref: str, leak: str = "0") -> str:
    return "model Chopper" + CHOPPER.format(ref=ref, leak=leak) + "end Chopper;"


def rising(t: Vector) -> Vector:
    return 36 * (1 - np.exp(-100 * t))


def reached(ref: Callable[[float], float], end: float = 0.1) -> float:
    """When the current, which rises with the switch closed, has come to its reference."""
    return float(brentq(lambda t: float(rising(np.array(t))) - ref(t), 1e-6, end, xtol=1e-16))


@pytest.mark.parametrize("method", ["bdf", "ida", "rk45"])
@pytest.mark.parametrize("leak", ["0", "1e-6"])
def test_current_stays_at_its_reference(leak: str, method: str) -> None:
    """Beyond what the current needs, the source gives what the switch lets through: the part of the time in
    which it is closed is v/V, where v = E + R*i + L*i'."""
    stop, tolerance = 0.2, 1e-8
    result = saltus.load(chopper("5 + sin(20*time)", leak)).simulate(
        stop_time=stop, tolerance=tolerance, method=method
    )
    begins = reached(lambda t: 5 + np.sin(20 * t))
    t = result.time
    exact = np.where(t < begins, rising(t), 5 + np.sin(20 * t))
    allowed = 1e-3 if float(leak) else 1e-6
    np.testing.assert_allclose(result["i"], exact, atol=allowed)

    def power(t: float, q: Vector) -> list[float]:
        i = 5 + np.sin(20 * t)
        return [(12 + i + 0.2 * np.cos(20 * t)) * i]

    before = 48 * 36 * (begins - (1 - np.exp(-100 * begins)) / 100)
    after = solve_ivp(power, (begins, stop), [before], rtol=1e-10, atol=1e-12)
    assert result["q"][-1] == pytest.approx(after.y[0, -1], rel=1e-4 if float(leak) else 1e-6)
    assert len(result.events) < 20
    assert violations(result, tolerance) == []


@pytest.mark.parametrize("method", ["bdf", "auto"])
def test_reference_that_the_current_cannot_follow(method: str) -> None:
    """It falls faster than the diode lets the current fall, and is negative for half of the time, when the
    current is zero and both block."""
    result = saltus.load(chopper("5*sin(200*time)")).simulate(stop_time=0.07, tolerance=1e-8, method=method)
    times, step = np.linspace(0, 0.07, 140_001, retstep=True)
    wanted, fading = 5 * np.sin(200 * times), np.exp(-100 * step)
    exact = np.zeros_like(times)
    for k in range(1, len(times)):
        highest = exact[k - 1] * fading + 36 * (1 - fading)
        least = max(0.0, exact[k - 1] * fading - 12 * (1 - fading))
        exact[k] = min(max(wanted[k], least), highest)
    np.testing.assert_allclose(result["i"], np.interp(result.time, times, exact), atol=2e-3)
    assert violations(result, 1e-8) == []


def test_converter_that_steps_up() -> None:
    """The sum of what flows into the capacitor is what the diode lets through: i*(u - L*i')/v."""
    model = saltus.load("""
    model StepUp
      parameter Real L = 0.01, C = 0.01, R = 20, u = 10;
      Real i(start = 0, fixed = true), v(start = 15, fixed = true), vs, isw, id, ss, sd;
      Real ref = 2 + 0.5*sin(20*time);
      Boolean on = i < ref, blocks = sd < 0;
    equation
      L*der(i) = u - vs;
      i = isw + id;
      vs = if on then 0 else ss;
      isw = if on then ss else 0;
      vs - v = if blocks then sd else 0;
      id = if blocks then 0 else sd;
      C*der(v) = id - v/R;
    end StepUp;
    """)
    begins = brentq(lambda t: 1000 * t - 2 - 0.5 * np.sin(20 * t), 1e-5, 0.01, xtol=1e-16)

    def charged(t: float, v: Vector) -> Vector:
        return ((2 + 0.5 * np.sin(20 * t)) * (10 - 0.1 * np.cos(20 * t)) / v - v / 20) / 0.01

    result = model.simulate(stop_time=1, tolerance=1e-8)
    v0 = 15 * np.exp(-begins / 0.2)
    exact = solve_ivp(charged, (begins, 1), [v0], rtol=1e-10, atol=1e-12, t_eval=[0.25, 0.5, 1])
    np.testing.assert_allclose(np.interp(exact.t, result.time, result["v"]), exact.y[0], atol=1e-4)
    assert result["v"][-1] == pytest.approx(exact.y[0, -1], rel=1e-6)
    assert violations(result, 1e-8) == []


def test_another_diode_takes_over() -> None:
    """With the switch open the current comes from ground, or from a clamp where that is above ground. What
    flows through the switch in the mean tells which: a clamp at 0.5 V would not conduct at the mean voltage.
    Truth: the current goes as near to its reference as it can."""
    model = saltus.load("""
    model Clamped
      parameter Real L = 0.01, V = 48, R = 1;
      Real i(start = 0, fixed = true), v, isw, id, ic, ss, sd, sc, q(start = 0, fixed = true);
      Real ref = 5 + sin(20*time), E = 5 + 20*sin(30*time), clamp = -10 + 15*sin(25*time);
      Boolean on = i < ref, blocks = sd < 0, off = sc < 0;
    equation
      L*der(i) = v - E - R*i;
      i = isw + id + ic;
      V - v = if on then 0 else ss;
      isw = if on then ss else 0;
      -v = if blocks then sd else 0;
      id = if blocks then 0 else sd;
      clamp - v = if off then sc else 0;
      ic = if off then 0 else sc;
      der(q) = isw;
    end Clamped;
    """)
    result = model.simulate(stop_time=0.35, tolerance=1e-8)
    times, h = np.linspace(0, 0.35, 70_001, retstep=True)
    middle, fading = times[:-1] + h / 2, np.exp(-100 * h)
    battery, least = 5 + 20 * np.sin(30 * middle), np.maximum(0, -10 + 15 * np.sin(25 * middle))
    wanted = 5 + np.sin(20 * times)
    i, q = np.zeros_like(times), np.zeros_like(times)
    for k, (e, low) in enumerate(zip(battery, least, strict=True)):
        highest = i[k] * fading + (48 - e) * (1 - fading)
        lowest = max(0.0, i[k] * fading + (low - e) * (1 - fading))
        i[k + 1] = min(max(wanted[k + 1], lowest), highest)
        mean = (i[k] + i[k + 1]) / 2
        v = e + mean + 0.01 * (i[k + 1] - i[k]) / h
        q[k + 1] = q[k] + h * mean * min(max((v - low) / (48 - low), 0), 1)
    np.testing.assert_allclose(result["i"], np.interp(result.time, times, i), atol=5e-3)
    np.testing.assert_allclose(result["q"], np.interp(result.time, times, q), atol=2e-4)
    assert violations(result, 1e-8) == []


def test_two_side_by_side() -> None:
    """The second begins to slide while the first does; guards of one are none of the other."""
    references = {"a": "5 + sin(20*time)", "b": "3 + cos(15*time)"}
    a, b = (CHOPPER.format(ref=ref, leak="0") for ref in references.values())
    text = f"model Two model A{a}end A; model B{b}end B; A a; B b; end Two;"
    result = saltus.load(text).simulate(stop_time=0.2, tolerance=1e-8)
    wanted: dict[str, Callable[[Vector], Vector]] = {
        "a": lambda t: 5 + np.sin(20 * t),
        "b": lambda t: 3 + np.cos(15 * t),
    }
    for name, ref in wanted.items():
        begins = reached(lambda t, ref=ref: float(ref(np.array(t))))  # type: ignore[misc]
        t = result.time
        np.testing.assert_allclose(result[f"{name}.i"], np.where(t < begins, rising(t), ref(t)), atol=1e-6)
    assert violations(result, 1e-8) == []


def test_two_at_one_source() -> None:
    """They share a resistance of the source, so the voltage of each depends on the switch of the other. Where
    the switches know nothing of each other, both are closed for u*w of the time: the mean voltages are
    u*(48 - 2*(a + w*b)) and w*(48 - 2*(b + u*a)) with the currents a and b, and they have to be what the
    coils, the resistors and the batteries take. Truth: these two equations, solved by iteration."""
    result = saltus.load("""
    model Shared
      parameter Real L = 0.01, E[2] = {12, 8};
      Real i[2](each start = 0, each fixed = true), v[2], isw[2], id[2], ss[2], sd[2], node;
      Real ref[2] = {3 + sin(20*time), 4 + cos(15*time)};
      Boolean on[2], blocks[2];
    equation
      node = 48 - 2*(isw[1] + isw[2]);
      for k in 1:2 loop
        on[k] = i[k] < ref[k];
        blocks[k] = sd[k] < 0;
        L*der(i[k]) = v[k] - E[k] - i[k];
        i[k] = isw[k] + id[k];
        node - v[k] = if on[k] then 0 else ss[k];
        isw[k] = if on[k] then ss[k] else 0;
        -v[k] = if blocks[k] then sd[k] else 0;
        id[k] = if blocks[k] then 0 else sd[k];
      end for;
    end Shared;
    """).simulate(stop_time=0.2, tolerance=1e-8)
    late = result.time > 0.02
    t = result.time[late]
    a, b = 3 + np.sin(20 * t), 4 + np.cos(15 * t)
    np.testing.assert_allclose(result["i[1]"][late], a, atol=1e-6)
    np.testing.assert_allclose(result["i[2]"][late], b, atol=1e-6)
    first, second = 12 + a + 0.2 * np.cos(20 * t), 8 + b - 0.15 * np.sin(15 * t)
    u = w = np.full_like(t, 0.3)
    for _ in range(200):
        u, w = first / (48 - 2 * (a + w * b)), second / (48 - 2 * (b + u * a))
    np.testing.assert_allclose(result["isw[1]"][late], u * a, atol=1e-5)
    np.testing.assert_allclose(result["isw[2]"][late], w * b, atol=1e-5)
    assert violations(result, 1e-8) == []


@pytest.mark.parametrize("method", ["bdf", "rk45"])
def test_begins_on_its_surface(method: str) -> None:
    """The leg of an inverter, each switch with a diode beside it; the current is at its reference from the
    first instant on, at which either side pushes back, and of either sign then."""
    result = saltus.load("""
    model Leg
      parameter Real L = 0.01, V = 24, R = 1;
      Real i(start = 0, fixed = true), v, upper, lower, su, sl, ref = 3*sin(50*time);
      Boolean on = i < ref, opens = su < 0 and not on, closes = sl < 0 and on;
    equation
      L*der(i) = v - R*i;
      i = upper - lower;
      V - v = if opens then -su else 0;
      upper = if opens then 0 else -su;
      v + V = if closes then -sl else 0;
      lower = if closes then 0 else -sl;
    end Leg;
    """).simulate(stop_time=0.2, tolerance=1e-8, method=method)
    np.testing.assert_allclose(result["i"], 3 * np.sin(50 * result.time), atol=1e-7)
    t = result.time[1:]
    v = np.asarray(result["v"])[1:]
    sliding = np.abs(v) < 23.9  # while it is looked at whether it does, the legs are on one side
    np.testing.assert_allclose(v[sliding], (3 * np.sin(50 * t) + 1.5 * np.cos(50 * t))[sliding], atol=1e-6)
    assert np.count_nonzero(sliding) > 0.5 * len(t)
    assert violations(result, 1e-8) == []


def test_relation_of_what_switches() -> None:
    """`y > 1` is true where x > 0, and false where not; at their mean y = 2/3 it would be false. On x = 0 the
    model is on the side x > 0 for a third of the time."""
    result = saltus.load("""
    model Relays
      Real x(start = 0.5, fixed = true), y, E(start = 0, fixed = true);
    equation
      y = if x > 0 then 2 else 0;
      der(x) = if y > 1 then -1 else 0.5;
      der(E) = y^2;
    end Relays;
    """).simulate(stop_time=2, tolerance=1e-8)
    t = result.time
    np.testing.assert_allclose(result["E"], np.where(t < 0.5, 4 * t, 2 + (t - 0.5) * 4 / 3), atol=1e-6)
    assert len(result.events) < 20


def test_wish_as_plain_data() -> None:
    """Checkpoints have it."""
    wish = OnSurface(3, turning=((1, -1), (4, 1)))
    assert OnSurface.restored(json.loads(json.dumps(wish.stored()))) == wish
