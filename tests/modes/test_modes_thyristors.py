"""Thyristors and GTOs as paper 003 has them, and a switch with a freewheeling diode, against closed forms and
event-by-event integration."""

from __future__ import annotations

import numpy as np
import pytest
from electrical_elements import Vector, circuit, conserved, far_from, nodes, run
from event_by_event import Walk
from scipy.optimize import brentq

V, F = 10.0, 50.0
W, T = 2 * np.pi * F, 1 / F
R, L = 5.0, 0.02
STOP = 0.07
PULSE = 5e-4  # how long a thyristor is fired


def source(t: float | Vector) -> Vector:
    return V * np.sin(W * np.asarray(t))


def pulse_at(angle: float) -> str:
    """Fired for a short time from an angle of each period on."""
    return f"mod(time - {float(angle / W)!r}, {T!r}) < {PULSE!r}"


def thyristor(angle: float) -> str:
    """One thyristor before a resistor and an inductor, fired at an angle of each period."""
    return circuit(
        f"  SineVoltage V(V = {V}, f = {F});\n  Resistor R(R = {R});\n"
        f"  IdealThyristor T(fire = {pulse_at(angle)});\n"
        f"  Inductor L(L = {L}, i(start = 0, fixed = true));\n",
        nodes("V.p T.p", "T.n R.p", "R.n L.p", "L.n V.n ground.p"),
    )


def fired_pulse(angle: float) -> tuple[float, float]:
    """From when to when the current flows in the first period."""
    begins = angle / W
    ends = brentq(lambda t: float(current_since(begins, t)), T / 2, 0.99 * T, xtol=1e-16)
    return begins, float(ends)


def current_since(begins: float, t: float | Vector) -> Vector:
    """L i' + R i = V sin W t with i = 0 where it begins."""
    phi = np.arctan2(W * L, R)
    decay = np.exp(-(np.asarray(t) - begins) * R / L)
    return V / np.hypot(R, W * L) * (np.sin(W * np.asarray(t) - phi) - np.sin(W * begins - phi) * decay)


def controlled(angle: float, t: Vector) -> Vector:
    """The current at all times."""
    begins, ends = fired_pulse(angle)
    since = np.mod(t - begins, T) + begins
    return np.where((t >= begins) & (since < ends), current_since(begins, since), 0.0)


@pytest.mark.parametrize("degrees", [30, 75, 120, 165])
def test_thyristor_conducts_from_the_firing_angle_until_its_current_ends(degrees: int) -> None:
    """The pulse is long over when the current ends, and nothing is fired when the source turns positive."""
    angle = np.radians(degrees)
    result = run(thyristor(angle), STOP)
    t = result.time
    np.testing.assert_allclose(result["L.i"], controlled(angle, t), atol=1e-7)
    begins, ends = fired_pulse(angle)
    rows = far_from(t, [m + k * T for m in (begins, ends) for k in range(5)], 1e-6)
    conducts = (t >= begins) & (np.mod(t - begins, T) < ends - begins)
    np.testing.assert_allclose(result["T.v"][rows], np.where(conducts, 0, source(t))[rows], atol=1e-6)
    assert np.all(result["L.i"][~conducts & rows] == 0)
    conserved(result, L_i=L)


def test_thyristor_fired_against_its_direction_blocks() -> None:
    """The pulse begins and ends while the source is negative."""
    result = run(thyristor(np.radians(220)), STOP)
    assert np.all(result["L.i"] == 0)
    assert np.all(result["T.off"] == 1)
    np.testing.assert_allclose(result["T.v"], source(result.time), atol=1e-9)


BRIDGE_ANGLE = float(np.radians(50))
LD = 0.1


def thyristor_bridge() -> str:
    """Four thyristors, fired in pairs half a period apart; the current in the load never ends."""
    first, second = pulse_at(BRIDGE_ANGLE), pulse_at(BRIDGE_ANGLE + np.pi)
    fire = ", ".join((first, second, second, first))
    return circuit(
        f"  SineVoltage V(V = {V}, f = {F});\n  Resistor P(R = {R});\n"
        f"  IdealThyristor T[4](fire = {{{fire}}});\n"
        f"  Inductor L(L = {LD}, i(start = 0, fixed = true));\n",
        nodes(
            "V.p T[1].p T[3].n",
            "V.n T[2].p T[4].n",
            "T[1].n T[2].n P.p",
            "P.n L.p",
            "L.n T[3].p T[4].p ground.p",
        ),
    )


def bridge_walk(stop: float) -> Walk:
    walk = Walk([0.0], T / 100)
    walk.follow(lambda t, y: [0.0], BRIDGE_ANGLE / W)
    way = 1
    while walk.time < stop:
        ended = walk.follow(
            lambda t, y, way=way: [float(way * source(t) - R * y[0]) / LD],
            min(walk.time + T / 2, stop),
            lambda t, y: -y[0],
        )
        if ended is not None:  # the first current may end before the others are fired
            fired = (BRIDGE_ANGLE + np.pi * np.ceil((W * walk.time - BRIDGE_ANGLE) / np.pi)) / W
            walk.state[0] = 0.0
            walk.follow(lambda t, y: [0.0], min(float(fired), stop))
        way = -way
    return walk


def test_bridge_of_thyristors() -> None:
    """The pair that is fired takes over the current of the other at once: the source turns it off."""
    stop = 0.1
    result = run(thyristor_bridge(), stop)
    t = result.time
    walk = bridge_walk(stop)
    np.testing.assert_allclose(result["L.i"], walk.after(t)[0], atol=1e-6)
    rows = far_from(t, walk.moments, 1e-6) & (t > BRIDGE_ANGLE / W)
    turned = np.where(np.floor((W * t - BRIDGE_ANGLE) / np.pi) % 2 == 0, 1, -1)
    flowing = rows & (walk.after(t)[0] > 1e-3)
    np.testing.assert_allclose(
        (result["P.v"] + result["L.v"])[flowing], (turned * source(t))[flowing], atol=1e-6
    )
    conserved(result, L_i=LD)


# Choppers: a battery, a valve, an inductor with a resistor, and a diode in which the current goes on.

VB, RB, LB, PERIOD, DUTY = 12.0, 1.0, 5e-3, 2e-3, 0.3


def chopper(valve: str) -> str:
    return circuit(
        f"  ConstantVoltage V(V = {VB});\n  {valve};\n  IdealDiode D;\n  Resistor R(R = {RB});\n"
        f"  Inductor L(L = {LB}, i(start = 0, fixed = true));\n",
        nodes("V.p S.p", "S.n D.n L.p", "L.n R.p", "R.n D.p V.n ground.p"),
    )


ON = f"mod(time, {PERIOD!r}) < {DUTY * PERIOD!r}"
GTO, SWITCH = f"IdealGTO S(fire = {ON})", f"IdealSwitch S(closed = {ON})"


def chopped(t: Vector) -> Vector:
    """The current, period by period: it tends to VB/RB while the valve is on, to zero afterwards."""
    tau, value, periods = LB / RB, 0.0, []
    top = VB / RB
    for _ in range(int(t[-1] / PERIOD) + 2):
        peak = top + (value - top) * np.exp(-DUTY * PERIOD / tau)
        periods.append((value, peak))
        value = peak * np.exp(-(1 - DUTY) * PERIOD / tau)
    number = np.floor(t / PERIOD + 1e-12).astype(int)
    since = t - number * PERIOD
    start, peak = np.array(periods)[number].T
    return np.where(
        since < DUTY * PERIOD,
        top + (start - top) * np.exp(-since / tau),
        peak * np.exp(-(since - DUTY * PERIOD) / tau),
    )


@pytest.mark.parametrize("valve", [GTO, SWITCH], ids=["GTO", "switch"])
def test_opened_current_goes_on_in_the_diode(valve: str) -> None:
    stop = 0.02
    result = run(chopper(valve), stop)
    t = result.time
    np.testing.assert_allclose(result["L.i"], chopped(t), atol=1e-7)
    moments = [k * PERIOD + m for k in range(11) for m in (0.0, DUTY * PERIOD)]
    rows = far_from(t, moments, 1e-7)
    on = np.mod(t, PERIOD) < DUTY * PERIOD
    np.testing.assert_allclose(result["D.i"][rows], np.where(on, 0, chopped(t))[rows], atol=1e-6)
    np.testing.assert_allclose(result["S.i"][rows], np.where(on, chopped(t), 0)[rows], atol=1e-6)
    np.testing.assert_allclose(result["D.v"][rows], np.where(on, -VB, 0)[rows], atol=1e-9)
    conserved(result, L_i=LB)


def test_gto_blocks_both_ways() -> None:
    """At an alternating source: on only where it is fired and the source is positive."""
    text = circuit(
        f"  SineVoltage V(V = {V}, f = {F});\n  Resistor R(R = {R});\n"
        "  IdealGTO G(fire = mod(time, 0.004) < 0.0015);\n",
        nodes("V.p G.p", "G.n R.p", "R.n V.n ground.p"),
    )
    result = run(text, STOP)
    t = result.time
    moments = [0.004 * k + m for k in range(20) for m in (0, 0.0015)] + [k * T / 2 for k in range(8)]
    rows = far_from(t, moments, 1e-7)
    on = (np.mod(t, 0.004) < 0.0015) & (source(t) > 0)
    np.testing.assert_allclose(result["R.v"][rows], np.where(on, source(t), 0)[rows], atol=1e-8)
    np.testing.assert_allclose(result["G.v"][rows], np.where(on, 0, source(t))[rows], atol=1e-8)
