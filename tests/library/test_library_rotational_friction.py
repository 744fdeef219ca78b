"""The friction laws of `Saltus.Rotational`: closed forms, and an integration by hand with SciPy.

By hand, a body on one contact is followed from event to event: it rests while the torque on it is within the
limit, it breaks away at the root of torque minus limit, and it stops at the root of its speed.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from rotational_rigs import integral, leaps, run, start
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from translated_models import translated

COVERS = (
    "Saltus.Rotational.Friction",
    "Saltus.Rotational.StribeckFriction",
    "Saltus.Rotational.PeakFriction",
)

J, STOP = 1.5, 14.0


def torque(t: float) -> float:
    """What pushes the body to and fro."""
    return 3 * math.sin(t) + 0.8 * math.sin(2.3 * t)


def by_hand(stick: float, slide: Callable[[float], float]) -> tuple[list[float], Callable[[float], float]]:
    """Times of all changes, and the speed as a function of time; `slide` is the torque at a slip speed."""
    changes: list[float] = []
    pieces: list[tuple[float, float, Callable[[float], float]]] = []
    t, grid = 0.0, np.linspace(0, STOP, 40_001)
    while t < STOP:
        # At rest, until the push exceeds the limit.
        later = grid[grid > t]
        over = later[np.abs([torque(x) for x in later]) > stick]
        if not len(over):
            break
        first = float(over[0])
        if abs(torque(t)) < stick:
            first = float(brentq(lambda x: abs(torque(x)) - stick, t, first, xtol=1e-14))
        sign = math.copysign(1.0, torque(first + 1e-9))
        changes.append(first)

        def rate(x: float, w: np.ndarray, sign: float = sign) -> list[float]:
            return [(torque(x) - sign * slide(sign * w[0])) / J]

        def stopped(x: float, w: np.ndarray, sign: float = sign) -> float:
            return float(sign * w[0])

        stopped.terminal, stopped.direction = True, -1  # type: ignore[attr-defined]
        # Off the zero by its first step, so that the stop is not found at once.
        run_ = solve_ivp(
            rate, (first, STOP), [sign * 1e-13], events=stopped, rtol=1e-11, atol=1e-13, dense_output=True
        )
        pieces.append((first, run_.t[-1], lambda x, s=run_.sol: float(s(x)[0])))  # type: ignore[misc]
        t = float(run_.t[-1])
        if run_.status != 1:
            break
        changes.append(t)
        assert abs(torque(t)) < stick, "the rig is chosen so that it comes to rest each time"

    def speed(x: float) -> float:
        return next((f(x) for a, b, f in pieces if a <= x <= b), 0.0)

    return changes, speed


LAWS: list[tuple[str, float, Callable[[float], float]]] = [
    ("Friction(tau_c = 2)", 2.0, lambda w: 2.0),
    ("Friction(tau_c = 2, d = 0.6)", 2.0, lambda w: 2 + 0.6 * w),
    ("PeakFriction(tau_c = 1.6, tau_s = 2.6, d = 0.3)", 2.6, lambda w: 1.6 + 0.3 * w),
    (
        "StribeckFriction(tau_c = 1.6, tau_s = 2.6, w_s = 0.4, d = 0.3)",
        2.6,
        lambda w: 1.6 + math.exp(-((w / 0.4) ** 2)) + 0.3 * w,
    ),
]


@pytest.mark.parametrize(("law", "stick", "slide"), LAWS, ids=[law for law, *_ in LAWS])
def test_body_pushed_to_and_fro(law: str, stick: float, slide: Callable[[float], float]) -> None:
    kind, _, arguments = law.partition("(")
    result = run(
        f"""
  R.Sources.SignalTorque push(tau = 3*sin(time) + 0.8*sin(2.3*time));
  R.Inertia body(J = {J}, {start()});
  R.{kind} contact({arguments};
  R.Fixed table;
equation
  connect(push.flange, body.flange_a);
  connect(table.flange, contact.flange_a);
  connect(contact.flange_b, body.flange_b);
""",
        stop=STOP,
        interval=2e-3,
    )
    changes, speed = by_hand(stick, slide)
    assert len(changes) >= 6
    np.testing.assert_allclose(leaps(result), changes, atol=1e-6)
    rows = slice(None, None, 10)
    expected = [speed(t) for t in result.time[rows]]
    np.testing.assert_allclose(result["body.w"][rows], expected, atol=1e-6)
    sticks = (result["contact.forward"] == 0) & (result["contact.backward"] == 0)
    assert np.all(result["body.w"][sticks] == 0)
    assert len({len(m.states) for m in result.modes.visited}) == 2  # the speed is a state while it slides
    w = result["contact.w_rel"]
    assert np.all(result["contact.tau"] * w > -1e-8)  # friction only takes energy
    work = integral(result, result["push.tau"] * w)
    kept = J * result["body.w"][-1] ** 2 / 2
    lost = integral(result, np.array([slide(abs(x)) * abs(x) for x in w]))
    assert work == pytest.approx(kept + lost, rel=1e-5)


def test_dry_pendulum_loses_the_same_angle_in_each_half_swing() -> None:
    """The example: turning points 1, -0.84, 0.68, ... by 2 tau_c/c, in steps of pi sqrt(J/c), until the
    spring is weaker than the friction."""
    result = translated("Saltus.Examples.Rotational.DryPendulum").simulate(tolerance=1e-10)
    half, loss, most = math.pi * math.sqrt(1 / 100), 2 * 8 / 100, 8 / 100
    turn, expected = 1.0, [1.0]
    while abs(turn) > most:
        turn = -math.copysign(abs(turn) - loss, turn)
        expected.append(turn)
    stops = leaps(result)
    np.testing.assert_allclose(stops, half * np.arange(1, len(expected)), atol=1e-6)
    found = [result["body.phi"][np.searchsorted(result.time, t)] for t in stops]
    np.testing.assert_allclose(found, expected[1:], atol=1e-6)
    assert result["body.phi"][-1] == pytest.approx(0.04, abs=1e-6)
    assert len(result.modes.at(2.9).states) == 1  # the angle, which rests; the speed is none


def test_brake_squeal_of_the_pad_with_a_peak() -> None:
    """The example: the disc carries the pad until c phi = tau_s; then it slips until both speeds meet again,
    J w' = -c phi + tau_c - d (w - w_disc), which is solved by hand."""
    result = translated("Saltus.Examples.Rotational.BrakeSqueal").simulate(tolerance=1e-10)
    speed, c, inertia, tau_c, tau_s, d = 0.5, 10.0, 0.02, 1.0, 2.0, 0.05

    def rate(t: float, y: np.ndarray) -> list[float]:
        return [y[1], (tau_c - d * (y[1] - speed) - c * y[0]) / inertia]

    def caught(t: float, y: np.ndarray) -> float:
        return float(y[1] - speed)

    caught.terminal, caught.direction = True, 1  # type: ignore[attr-defined]
    slip = solve_ivp(rate, (0, 4), [tau_s / c, speed - 1e-12], events=caught, rtol=1e-11, atol=1e-13)
    lasted, angle = float(slip.t[-1]), float(slip.y[0, -1])
    sliding = np.asarray(result["peak.forward"] + result["peak.backward"], dtype=bool)
    edges = result.time[1:][np.diff(sliding.astype(int)) != 0]
    # It slides from the first moment, being at rest on a disc that turns: leave that out.
    slips, sticks = edges[1::2], edges[2::2]
    assert len(slips) >= 6
    np.testing.assert_allclose(sticks[: len(slips)] - slips[: len(sticks)], lasted, atol=1e-5)
    np.testing.assert_allclose(np.diff(slips), lasted + (tau_s / c - angle) / speed, atol=1e-5)
