"""The systems of Mosterman, Biswas and Otter 1998 in the gallery, against the paper's numbers and by hand.

All motions but that on the elastic rope are lines and parabolas; the rope is a linear system, whose matrix
exponential is taken here.
"""

from __future__ import annotations

from pathlib import Path

import gallery_reading as gallery
import numpy as np
import pytest
from paper_runs import changes
from scipy.linalg import expm

import saltus
from saltus.result.files.eventlog import event_lines

PAPER = "Mosterman1998"
G = 9.8


@pytest.mark.parametrize("name", gallery.gallery_classes(PAPER))
def test_presentable_and_tested_here(name: str) -> None:
    gallery.presentable(PAPER, name)
    assert f'"{name}"' in Path(__file__).read_text()


def test_clutch_and_brake() -> None:
    result = gallery.run(PAPER, "Fig1_ClutchAndBrake")
    t = result.time
    before, after = gallery.limits(result, 1.0, ["w_1", "w_2", "w"])
    np.testing.assert_allclose(before, [2, 0, 2], atol=1e-9)
    np.testing.assert_allclose(after, [1, 1, 0], atol=1e-9)
    assert gallery.impulse(result, 1.0, "tau") == pytest.approx(1)
    assert gallery.impulse(result, 1.0, "tau_b") == pytest.approx(2)
    assert {i.time for i in result.impulses} == {1.0}  # none where the switches open
    away = gallery.between(result, [1.0, 2.0])
    first = np.select([t < 1, t < 2], [2 * t, t], 2 + 2 * (t - 2))
    second = np.select([t < 1, t < 2], [0 * t, t], 2 + 0 * t)
    held = np.select([t < 1, t < 2], [2 * t, 0 * t], 2 * (t - 2))
    for name, exact in (("w_1", first), ("w_2", second), ("w", held)):
        np.testing.assert_allclose(result[name][away], exact[away], atol=1e-7)
    assert gallery.structures(result) == [(3, 0), (1, 2), (3, 0)]


def test_controlled_junctions() -> None:
    """Off: all efforts, or all flows, are zero, and each storage decays in its own loop with 0.2 s. On: the
    0-junction has the effort (E + u)/3, since three equal resistors meet there; the flow of the 1-junction
    is (E + R i)/(2 R)."""
    result = gallery.run(PAPER, "Fig2_ControlledJunctions")
    t = gallery.numbers(result.time)
    away = gallery.between(result, [1.0, 2.0])
    off = (t > 1) & (t < 2) & away
    on = ~((t > 1) & (t < 2)) & away
    u, i = gallery.numbers(result["u"]), gallery.numbers(result["i"])
    for k in (1, 2, 3):
        assert np.all(result[f"zero.e[{k}]"][off] == 0) and np.all(result[f"one.f[{k}]"][off] == 0)
        np.testing.assert_allclose(result[f"zero.e[{k}]"][on], (3 + u[on]) / 3, atol=1e-12)
        np.testing.assert_allclose(result[f"one.f[{k}]"][on], (3 + i[on]) / 2, atol=1e-12)

    def relaxed(start: float, end: float, rate: float, since: np.ndarray) -> np.ndarray:
        return end + (start - end) * np.exp(-rate * since)

    # u' = (e - u)/(R C) = (1 - 2/3 u)/0.2; i' = (f - i) R/L = (1.5 - i/2)/0.2.
    for name, end, rate in (("u", 1.5, 2 / 0.6), ("i", 3.0, 0.5 / 0.2)):
        one = relaxed(0, end, rate, np.minimum(t, 1))
        two = relaxed(float(relaxed(0, end, rate, np.array(1.0))), 0, 5.0, np.clip(t - 1, 0, 1))
        last = float(relaxed(float(relaxed(0, end, rate, np.array(1.0))), 0, 5.0, np.array(1.0)))
        exact = np.select([t < 1, t < 2], [one, two], relaxed(last, end, rate, t - 2))
        np.testing.assert_allclose(result[name], exact, atol=1e-6)


def on_the_rope(t: np.ndarray) -> np.ndarray:
    """Weight v, stretch l and body w: v' = g - l/C, l' = v - w_rod, w' = R (w_rod - w); the rod has the speed
    at which the friction balances the rope, l/C = R (w_rod - w), until it is held."""
    c, r = 0.02, 2.0
    free = np.array([[0, -1 / c, 0, G], [1, -1 / (c * r), -1, 0], [0, 1 / c, 0, 0], [0, 0, 0, 0]])
    held = np.array([[0, -1 / c, 0, G], [1, 0, 0, 0], [0, 0, -r, 0], [0, 0, 0, 0]])
    start = np.array([0.0, 0, 0, 1])
    braked = expm(free) @ start
    return np.array([expm(free * s) @ start if s < 1 else expm(held * (s - 1)) @ braked for s in t])


def test_variable_causality() -> None:
    result = gallery.run(PAPER, "Fig3_VariableCausality")
    exact = on_the_rope(result.time)
    stretch = gallery.numbers(result["C.f"]) / 50  # the weight pulls: it draws the ends apart
    for found, expected in zip((result["m_1.v"], -stretch, result["I_1.w"]), exact.T, strict=False):
        np.testing.assert_allclose(found, expected, atol=1e-5)
    late = result.time > 1.0
    assert np.all(result["Sw_1.w_rel"][late] == 0)
    w = gallery.numbers(result["I_1.w"])
    np.testing.assert_allclose(
        w[late], w[late][0] * np.exp(-2 * (result.time[late] - result.time[late][0])), atol=1e-6
    )
    assert len(result.impulses) == 0


def test_fixed_causality_misses_the_decay() -> None:
    result = gallery.run(PAPER, "Sec_SwitchingJunction")
    early, late = result.time < 1, result.time > 1
    np.testing.assert_allclose(result["w_1"][early], result["right.I_1.w"][early], atol=1e-7)
    np.testing.assert_allclose(result["right.I_1.w"], on_the_rope(result.time)[:, 2], atol=1e-5)
    assert np.ptp(result["w_1"][late]) < 1e-9
    assert result["w_1"][-1] - result["right.I_1.w"][-1] > 3


def test_state_machine_with_two_signals() -> None:
    """The conjunction of both signals is true where the speed 2 t reaches 3."""
    result = gallery.run(PAPER, "Fig4_FiniteStateMachine")
    times = [t for t, _ in changes(result, "state")]
    assert times == pytest.approx([1.5, 2.5], abs=1e-7)
    assert [value for _, value in changes(result, "state")] == [2, 1]
    before, after = gallery.limits(result, 1.5, ["w"])
    assert before[0] == pytest.approx(3, abs=1e-7) and after[0] == 0
    assert gallery.impulse(result, 1.5, "tau") == pytest.approx(3, abs=1e-7)
    late = gallery.load(PAPER, "Fig4_FiniteStateMachine").simulate(set={"fast": 1.0})
    assert changes(late, "state")[0][0] == pytest.approx(1.0, abs=1e-9)  # then the clock is the later signal


@pytest.mark.parametrize("inertia", [1.0, 0.25])
def test_velocity_source(inertia: float) -> None:
    """The state vector has dimension 0, 1 and 0; 4.9 becomes 9.8 at 1 s."""
    result = gallery.load(PAPER, "Fig5_VelocitySource").simulate(set={"I_1": inertia})
    t = gallery.numbers(result.time)
    away = gallery.between(result, [1.0])
    exact = np.where((t < 0.5) | (t > 1), G * t, G / 2)
    np.testing.assert_allclose(result["w_1"][away], exact[away], atol=1e-8)
    before, after = gallery.limits(result, 1.0, ["w_1"])
    assert before[0] == pytest.approx(4.9) and after[0] == pytest.approx(9.8)
    assert gallery.impulse(result, 1.0, "tau") == pytest.approx(inertia * 4.9)
    assert [len(stay.mode.states) for stay in result.modes] == [0, 1, 0]


@pytest.mark.parametrize("gain", [1.0, 3.0])
def test_conservation_of_momentum(gain: float) -> None:
    """With 2 pi r = 1 the momentum is distributed equally: 7.35 and 2.45 become 4.9."""
    result = gallery.load(PAPER, "Fig6_ConservationOfMomentum").simulate(set={"wheel.r": 1 / gain})
    together = G / (1 + gain**2)
    v_before, w_before = 0.5 * together + 0.5 * G, gain * 0.5 * together
    v_after = (v_before + gain * w_before) / (1 + gain**2)
    before, after = gallery.limits(result, 1.0, ["m_1.v", "I_1.w"])
    np.testing.assert_allclose(before, [v_before, w_before], rtol=1e-8)
    np.testing.assert_allclose(after, [v_after, gain * v_after], rtol=1e-8)
    if gain == 1:
        np.testing.assert_allclose([*before, *after], [7.35, 2.45, 4.9, 4.9], rtol=1e-8)
    assert -gallery.impulse(result, 1.0, "Sw_2.tau") == pytest.approx(after[1] - before[1], rel=1e-8)
    t = gallery.numbers(result.time)
    away = gallery.between(result, [1.0])
    velocity = np.where(t < 0.5, together * t, 0.5 * together + G * (t - 0.5))
    velocity = np.where(t > 1, v_after + together * (t - 1), velocity)
    np.testing.assert_allclose(result["m_1.v"][away], velocity[away], atol=1e-7)
    jump = gallery.limits(result, 1.0, ["p_1", "L_1"])
    p, momentum = jump[1] - jump[0]
    assert p + gain * momentum == pytest.approx(0, abs=1e-10) and abs(p) > 2


def test_mythical_mode_leaves_no_trace() -> None:
    result = gallery.run(PAPER, "Fig7_FreewheelingClutch")
    before, after = gallery.limits(result, 0.2, ["m_1.v", "I_1.w"])
    np.testing.assert_allclose(before, G / 2 * 0.2, rtol=1e-8)
    np.testing.assert_allclose(after, [0, before[1]], rtol=1e-12)
    assert [e.time for e in result.events if e.kind in ("state", "time")] == [0.2]
    assert gallery.impulse(result, 0.2, "Sw_2.tau") == 0
    assert abs(gallery.impulse(result, 0.2, "Sw_1.tau")) == pytest.approx(
        G / 2 * 0.2, rel=1e-8
    )  # the weight's own
    t = gallery.numbers(result.time)
    away = gallery.between(result, [0.2])
    np.testing.assert_allclose(result["I_1.w"], np.minimum(G / 2 * t, 0.98), atol=1e-8)
    assert np.all(result["Sw_2.free"][away] == (t > 0.2)[away])
    assert not any("I_1.w jumps" in line for line in event_lines(result))


def collision_is_reflected(result: saltus.Result, restitution: float) -> None:
    speed = 0.5 / 0.6
    before, after = gallery.limits(result, 0.6, ["phi", "w_1"])
    np.testing.assert_allclose(before, [0, -speed], atol=1e-8)
    np.testing.assert_allclose(after, [0, restitution * speed], atol=1e-8)
    t = gallery.numbers(result.time)
    exact = np.where(t < 0.6, 0.5 - speed * t, restitution * speed * (t - 0.6))
    np.testing.assert_allclose(result["phi"], exact, atol=1e-7)


@pytest.mark.parametrize("restitution", [1.0, 0.5])
@pytest.mark.parametrize("name", ["Fig9_ElasticCollision", "Fig11_CollisionModel"])
def test_elastic_collision(name: str, restitution: float) -> None:
    result = gallery.load(PAPER, name).simulate(set={"epsilon": restitution})
    collision_is_reflected(result, restitution)
    if name == "Fig11_CollisionModel":
        assert gallery.impulse(result, 0.6, "tau") == pytest.approx(
            2 * (1 + restitution) * 0.5 / 0.6, rel=1e-7
        )


def test_contact_is_a_pinnacle() -> None:
    """It has no place in time, but one in the log, and it changed the state."""
    result = gallery.run(PAPER, "Fig11_CollisionModel")
    assert np.all(result["contact"] == 0)
    log = [line for line in event_lines(result) if "Variable contact changed" in line]
    assert log == ["Variable contact changed to true", "Variable contact changed to false"]
    assert [stay.stop - stay.start > 0 for stay in result.modes] == [True, False, True]
