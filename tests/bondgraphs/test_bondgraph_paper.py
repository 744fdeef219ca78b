"""The figures of Mosterman, Biswas and Otter (1998) as bond graphs, against the paper and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from bond_texts import example, run
from scipy.integrate import solve_ivp

import saltus


def at(result: saltus.Result, name: str, time: float, side: str = "right") -> float:
    """The left or the right limit at an event: its first row and its last."""
    rows = np.flatnonzero(np.abs(result.time - time) < 1e-8)
    assert len(rows) >= 2
    return float(result[name][rows[0 if side == "left" else -1]])


def test_fig_3_the_speed_goes_on_and_decays() -> None:
    """Before the brake: a small integration of the three states, written here. After it: an exponential, and
    no jump in anything that is stored."""
    result = run("Fig3")
    m, c, r, j, g = 1, 0.02, 2, 1, 9.8

    def rates(t: float, y: np.ndarray) -> list[float]:
        p, q, momentum = y
        torque = q / c  # the rope pulls the rod, which has no inertia, against the friction
        rod = momentum / j + torque / r
        return [m * g - q / c, p / m - rod, torque]

    before = solve_ivp(rates, (0, 1), [0, 0, 0], rtol=1e-11, atol=1e-12).y[:, -1]
    for name, value in zip(("m_1.p", "rope.q", "I_1.p"), before, strict=True):
        assert at(result, name, 1, "left") == pytest.approx(value, rel=1e-7)
        assert at(result, name, 1) == pytest.approx(value, rel=1e-7)
    late = result.time >= 1
    expected = before[2] * np.exp(-r / j * (result.time[late] - 1))
    assert np.abs(result["I_1.f"][late][1:] - expected[1:]).max() < 1e-7
    assert np.abs(result["Sw_1.f"][result.time > 1]).max() == 0
    assert len(result.impulses) == 0


def test_fig_5_no_state_one_state_no_state() -> None:
    result = run("Fig5")
    assert [len(stay.mode.states) for stay in result.modes] == [0, 1, 0]
    free = (result.time > 0.5) & (result.time < 1)
    assert np.abs(result["I_1.f"][free] - 4.9).max() < 1e-9
    assert at(result, "I_1.f", 1, "left") == pytest.approx(4.9, abs=1e-9)
    assert at(result, "I_1.f", 1) == pytest.approx(9.8, abs=1e-9)
    assert {round(i.weight, 9) for i in result.impulses["torque.e"]} == {4.9}


@pytest.mark.parametrize(
    ("gain", "before", "after"), [(1, (7.35, 2.45), (4.9, 4.9)), (2, (5.88, 1.96), (1.96, 3.92))]
)
def test_fig_6_momentum_is_shared_with_the_gain(
    gain: float, before: tuple[float, float], after: tuple[float, float]
) -> None:
    """The paper prints the gain at the wrong one of the two momenta; what is conserved is p + gain*L."""
    result = example("Fig6").simulate(set={"gain": gain})
    for name, left, right in zip(("m_1.p", "I_1.p"), before, after, strict=True):
        assert at(result, name, 1, "left") == pytest.approx(left, abs=1e-8)
        assert at(result, name, 1) == pytest.approx(right, abs=1e-8)
    assert before[0] + gain * before[1] == pytest.approx(after[0] + gain * after[1])


def test_fig_7_the_mythical_mode_leaves_no_trace() -> None:
    """One event, no impulse at the clutch, no row in which both brake and clutch are closed."""
    result = run("Fig7")
    assert len(result.events) == 2, "the start and one more"
    assert at(result, "I_1.f", 0.2, "left") == at(result, "I_1.f", 0.2) == pytest.approx(0.98, abs=1e-9)
    assert result["I_1.f"][-1] == pytest.approx(0.98, abs=1e-9)
    assert result.impulses["torque.e"] == [] and result.impulses["I_1.e"] == []
    (stopped,) = result.impulses["m_1.e"]
    assert stopped.weight == pytest.approx(-0.98, abs=1e-9)
    braked = result["Sw_1.on"] == 0
    assert braked.any() and (result["Sw_2.on"][braked] == 0).all()


@pytest.mark.parametrize("epsilon", [1, 0.5])
def test_fig_11_the_pinnacle_turns_the_speed_round(epsilon: float) -> None:
    result = example("Fig11").simulate(set={"epsilon": epsilon})
    _, event = result.events  # the first is the start
    assert event.time == pytest.approx(0.6, abs=1e-9)
    assert event.rounds >= 3, "the contact was on for a round, and its state was kept"
    speed = 0.5 / 0.6
    assert at(result, "I_1.f", 0.6, "left") == pytest.approx(-speed, abs=1e-9)
    assert at(result, "I_1.f", 0.6) == pytest.approx(epsilon * speed, abs=1e-9)
    assert result["phi"][-1] == pytest.approx(0.6 * epsilon * speed, abs=1e-8)
    (impulse,) = result.impulses["I_1.e"]
    assert impulse.weight == pytest.approx(2 * (1 + epsilon) * speed, abs=1e-9)


def test_a_transition_at_the_start_is_an_event() -> None:
    """Initial values hold in the initial location; what is closed at once shares the momenta."""
    result = saltus.load("""
    graph Start
      I  a(I = 1, p0 = 3)
      I  b(I = 2, p0 = -2)
      J1 s
      X0 clutch
      bond s -> a
      bond s -> clutch -> b
      machine clutch
        initial off
        off -> on when time < 1
        on -> off when time >= 1
      end
    end Start
    """).simulate(stop_time=2)
    assert (result["a.f"][0], result["b.f"][0]) == (3, -1)
    np.testing.assert_allclose([result["a.f"][-1], result["b.f"][-1]], 1 / 3, atol=1e-12)
    assert np.abs(result["a.p"] + result["b.p"] - 1).max() < 1e-12


def test_fig_4_a_conjunction_of_two_signals() -> None:
    """The clock would let the brake close at 1 s, but the speed has to be 3 as well, which is at 1.5 s."""
    result = saltus.load("""
    graph Fig4
      Se drive(e = 2)
      I  body(I = 1, p0 = 0)
      X1 brake "open while the junction is on"
      bond drive -> brake -> body
      machine brake
        initial on
        on -> off when time >= 1 and body.f >= 3
        off -> on when time >= 2.5
      end
      experiment stop = 3.5, tolerance = 1e-8
    end Fig4
    """).simulate()
    held = result["brake.on"] == 0
    assert result.time[held].min() == pytest.approx(1.5, abs=1e-7)
    assert result.time[held].max() == pytest.approx(2.5, abs=1e-12)
    assert np.abs(result["body.f"][held]).max() == 0
    assert result["body.f"][-1] == pytest.approx(2, abs=1e-7)
    (impulse,) = result.impulses["body.e"]
    assert impulse.weight == pytest.approx(-3, abs=1e-7)
