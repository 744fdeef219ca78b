"""Stops and backlash of `Saltus.Rotational`: impacts share momentum, and keep as much energy as told."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rotational_rigs import leaps, limits, run, start, weight
from scipy.integrate import solve_ivp

import saltus
from translated_models import translated

COVERS = (
    "Saltus.Rotational.Stop",
    "Saltus.Rotational.ElasticStop",
    "Saltus.Rotational.Backlash",
)

PAIR = """
  R.Inertia a(J = 2, {a});
  R.{part};
  R.Inertia b(J = 3, {b});
equation
  connect(a.flange_b, part.flange_a);
  connect(part.flange_b, b.flange_a);
"""


def pair(part: str, wa: float = 0.0, wb: float = 0.0, stop: float = 2.0) -> saltus.Result:
    """Inertias of 2 and 3 that meet at a stop."""
    return run(PAIR.format(part=part, a=start(w=wa), b=start(w=wb)), stop)


@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("w", [5.0, -5.0])
def test_two_inertias_hit_each_other(e: float, w: float) -> None:
    """Momentum stays, the relative speed is turned round by -e; at the lower or at the upper limit."""
    result = pair(f"Stop part(phi_min = -0.5, phi_max = 1, e = {e})", wa=w, wb=-1)
    distance = 0.5 if w > -1 else 1.0
    moment = distance / abs(w + 1)
    before, after = limits(result, moment, "a.w", "b.w")
    np.testing.assert_allclose(before, [w, -1], atol=1e-9)
    momentum = 2 * w - 3
    relative = -e * (-1 - w)
    expected = [(momentum - 3 * relative) / 5, (momentum + 2 * relative) / 5]
    np.testing.assert_allclose(after, expected, atol=1e-8)
    assert leaps(result)[0] == pytest.approx(moment, abs=1e-8)
    assert weight(result, "part.tau", moment) == pytest.approx(-3 * (after[1] + 1), rel=1e-8)
    kept = 2 * after[0] ** 2 / 2 + 3 * after[1] ** 2 / 2
    lost = (1 - e**2) * (1 / (1 / 2 + 1 / 3)) * (w + 1) ** 2 / 2
    assert kept == pytest.approx(2 * w**2 / 2 + 3 / 2 - lost, rel=1e-7)


def test_impact_is_shared_through_a_gear() -> None:
    """A wheel that hits a stop brings along what is geared to it: the inertia is J + ratio^2 J2."""
    result = run(
        f"""
  R.Inertia motor(J = 0.5, {start(w=12)});
  R.Gear gear(ratio = 4);
  R.Inertia arm(J = 2);
  R.Stop stop(phi_max = 1, e = 0.5);
  R.Fixed wall;
equation
  connect(motor.flange_b, gear.flange_a);
  connect(gear.flange_b, arm.flange_a);
  connect(wall.flange, stop.flange_a);
  connect(arm.flange_b, stop.flange_b);
""",
        stop=0.6,
    )
    _, after = limits(result, 1 / 3, "motor.w", "arm.w")
    np.testing.assert_allclose(after, [-6, -1.5], rtol=1e-7)
    assert weight(result, "stop.tau", 1 / 3) == pytest.approx((2 + 16 * 0.5) * 4.5, rel=1e-7)


def test_bounces_come_to_rest_and_part_again() -> None:
    """Pushed with 3 against the stop, with e = 1/2: impacts at t0 (1 + 1 + 1/2 + 1/4 + ...), rest at 3 t0;
    the torque of the stop is that of the push, until this turns round at 8 s."""
    result = run(
        f"""
  R.Sources.SignalTorque push(tau = if time < 8 then 3 else -1);
  R.Inertia body(J = 2, {start()});
  R.Stop stop(e = 0.5, w_rest = 1e-2);
  R.Fixed wall;
equation
  connect(push.flange, body.flange_a);
  connect(wall.flange, stop.flange_a);
  connect(body.flange_b, stop.flange_b);
""",
        stop=10.0,
    )
    first = math.sqrt(2 * 1 / 1.5)
    speeds = [i.weight / 2 for i in result.impulses["stop.tau"]]
    count = math.ceil(math.log(1.5 * first / 1e-2, 2))  # impacts faster than w_rest
    assert len(speeds) == count + 1
    expected = [1.5 * 1.5 * first * 0.5**k for k in range(count)]
    np.testing.assert_allclose(speeds[:-1], expected, rtol=1e-3)
    assert speeds[-1] == pytest.approx(
        1.5 * first * 0.5**count, rel=1e-2
    )  # plastic: its speed, not 3/2 of it
    np.testing.assert_allclose(speeds[:3], expected[:3], rtol=1e-6)
    t = result.time
    moments = first * (1 + np.cumsum([0, 1, 0.5, 0.25]))
    np.testing.assert_allclose(leaps(result)[:4], moments, atol=1e-5)
    rests = (t > 3 * first + 0.1) & (t < 8)
    np.testing.assert_allclose(result["body.phi"][rests], 1, atol=1e-9)
    np.testing.assert_allclose(result["stop.tau"][rests], 3, atol=1e-9)
    np.testing.assert_allclose(result["body.phi"][t > 8], 1 - (t[t > 8] - 8) ** 2 / 4, atol=1e-7)


@pytest.mark.parametrize("hold", [0.0, 4.0])
def test_sticky_stop_lets_go_where_it_is_pulled_enough(hold: float) -> None:
    """Thrown against the stop at 0.2 s; pulled with 2 t: parts where that is `hold`, or at once."""
    result = run(
        f"""
  R.Sources.SignalTorque pull(tau = -2*time);
  R.Inertia body(J = 50, {start(w=5)});
  R.Stop stop(tau_hold = {hold});
  R.Fixed wall;
equation
  connect(pull.flange, body.flange_a);
  connect(wall.flange, stop.flange_a);
  connect(body.flange_b, stop.flange_b);
""",
        stop=4.0,
    )
    hits = leaps(result)[0]
    parts = max(hits, hold / 2)
    assert hits == pytest.approx(0.2, abs=1e-3)
    t = result.time
    stays = (t > hits) & (t < parts)
    assert np.any(stays) == (hold > 0)
    np.testing.assert_allclose(result["stop.tau"][stays], -2 * t[stays], atol=1e-9)
    late = t > parts
    np.testing.assert_allclose(result["body.w"][late], -(t[late] ** 2 - parts**2) / 50, atol=1e-8)


def test_elastic_stop_without_damping_keeps_energy() -> None:
    """Half a swing in the stop, pi sqrt(J/c), as deep as w sqrt(J/c); out as fast as in."""
    result = run(
        f"""
  R.Inertia body(J = 2, {start(w=3)});
  R.ElasticStop stop(c = 800);
  R.Fixed wall;
equation
  connect(wall.flange, stop.flange_a);
  connect(body.flange_b, stop.flange_b);
""",
        stop=1.0,
    )
    swing = math.sqrt(2 / 800)
    into, out = leaps(result)[:2]
    assert (into, out - into) == pytest.approx((1 / 3, math.pi * swing), abs=1e-7)
    assert result["stop.x"].max() == pytest.approx(3 * swing, rel=1e-3)
    assert result["body.w"][-1] == pytest.approx(-3, rel=1e-6)


@pytest.mark.parametrize("side", [1, -1])
def test_elastic_stop_with_damping_pushes_and_never_pulls(side: int) -> None:
    """By hand: J w' = -max(0, c x + d w) within the stop, until it is left."""
    result = run(
        f"""
  R.Inertia body(J = 2, {start(w=3 * side)});
  R.ElasticStop stop(c = 800, d = 30, phi_min = -1, phi_max = 1);
  R.Fixed wall;
equation
  connect(wall.flange, stop.flange_a);
  connect(body.flange_b, stop.flange_b);
""",
        stop=1.0,
    )

    def rate(t: float, y: np.ndarray) -> list[float]:
        pressed = max(0.0, 800 * (y[0] - 1) + 30 * y[1]) if y[0] > 1 else 0.0
        return [y[1], -pressed / 2]

    # In pieces, so that no step crosses a corner unseen.
    hand = solve_ivp(rate, (1 / 3, 1), [1.0 + 1e-15, 3.0], rtol=1e-11, atol=1e-13, max_step=1e-4)
    assert side * result["body.w"][-1] == pytest.approx(hand.y[1, -1], abs=1e-6)
    assert side * result["body.phi"][-1] == pytest.approx(hand.y[0, -1], abs=1e-6)
    assert np.all(side * result["stop.tau"] > -1e-9)


def test_backlash_drives_after_its_play_only() -> None:
    """At the ends of the play: a common speed, or with e = 1 knocks to and fro for ever."""
    result = pair("Backlash part(b = 0.4)", wa=2, stop=1.0)
    before, after = limits(result, 0.1, "a.w", "b.w")
    np.testing.assert_allclose(before, [2, 0], atol=1e-9)
    np.testing.assert_allclose(after, 0.8, rtol=1e-9)
    assert leaps(result) == pytest.approx([0.1], abs=1e-9)
    elastic = pair("Backlash part(b = 0.4, e = 1)", wa=2, stop=1.0)
    # Speeds -0.4 and 1.6 after the first, back to 2 and 0 after the second, 0.4/2 s later.
    assert leaps(elastic)[:4] == pytest.approx([0.1, 0.3, 0.5, 0.7], abs=1e-8)
    assert elastic["part.phi_rel"].min() == pytest.approx(-0.2, abs=1e-9)
    assert elastic["part.phi_rel"].max() == pytest.approx(0.2, abs=1e-9)


def test_rattle_knocks_on_both_flanks() -> None:
    """The example: between knocks the wheel is slowed by its bearing alone; the play is never exceeded."""
    result = translated("Saltus.Examples.Rotational.Rattle").simulate(tolerance=1e-10)
    assert result["play.phi_rel"].min() > -0.02 - 1e-9 and result["play.phi_rel"].max() < 0.02 + 1e-9
    free = (result["play.upper"] == 0) & (result["play.lower"] == 0)
    np.testing.assert_allclose(result["wheel.a"][free], 0.1 / 0.1, rtol=1e-6)  # tau_c/J, against w < 0
    knocks = [i.weight for i in result.impulses["play.tau"]]
    assert min(knocks) < -0.01 and max(knocks) > 0.01
    still = translated("Saltus.Examples.Rotational.Rattle").simulate(set={"bearing.tau_c": 1.0})
    assert sum(i.time > 0.5 for i in still.impulses["play.tau"]) == 0


@pytest.mark.parametrize("e", [0.0, 0.7, 1.0])
def test_many_knocks_in_a_chain_keep_momentum_and_make_no_energy(e: float) -> None:
    """Four inertias with play between them, thrown into each other: at every knock the energy is the same
    (e = 1) or less, the momentum always the same, and the play is never exceeded."""
    inertias, thrown = [1.0, 2.5, 0.7, 1.9], [4.0, -1.0, 0.5, -3.0]
    text = "".join(
        f"  R.Inertia j{k}(J = {inertia}, {start(w=w)});\n"
        for k, (inertia, w) in enumerate(zip(inertias, thrown, strict=True))
    )
    text += (
        "".join(f"  R.Backlash play{k}(b = 0.3, e = {e}, w_rest = 1e-6);\n" for k in range(3)) + "equation\n"
    )
    for k in range(3):
        text += f"  connect(j{k}.flange_b, play{k}.flange_a);\n"
        text += f"  connect(play{k}.flange_b, j{k + 1}.flange_a);\n"
    result = run(text, stop=2.0)
    w = np.array([result[f"j{k}.w"] for k in range(4)])
    momentum = np.array(inertias) @ w
    np.testing.assert_allclose(momentum, momentum[0], atol=1e-9)
    energy = np.array(inertias) @ w**2 / 2
    assert np.all(np.diff(energy) < 1e-8) and len(leaps(result)) >= 3
    if e == 1:
        np.testing.assert_allclose(energy, energy[0], rtol=1e-8)
    if e == 0:  # at last all of them turn as one
        np.testing.assert_allclose(w[:, -1], momentum[0] / sum(inertias), rtol=1e-8)
    for k in range(3):
        assert np.abs(result[f"play{k}.phi_rel"]).max() < 0.15 + 1e-6
