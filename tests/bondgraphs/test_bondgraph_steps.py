"""Steps by number: what Mosterman, Biswas and Otter (1998) show against k, for the figures of their paper."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from bond_texts import EXAMPLES, example

import saltus
from saltus.bondgraph import Graph


@cache
def stepped(name: str, **parameters: float) -> saltus.Result:
    return example(name).simulate(steps=True, set=parameters)


def instant(result: saltus.Result, time: float) -> tuple[list[str], slice]:
    """The kinds of the steps of an instant, and where they are."""
    steps = result.steps.at(time)
    assert abs(steps[0].time - time) < 1e-8
    return [s.kind for s in steps], slice(steps[0].k, steps[-1].k + 1)


def test_figs_7_and_8_a_mode_with_both_closed() -> None:
    """The brake closes, and the clutch is thought closed still: the body would stop with it, by an impulse
    that pulls. So the clutch opens instead, and the body goes on. Nothing of it is in the result."""
    result = stepped("Fig7")
    steps = result.steps
    kinds, here = instant(result, 0.2)
    assert kinds == ["left limit", "mythical", "continuous"]
    # A junction that is off: the brake is closed, or the clutch is open.
    assert steps["Sw_1.on"][here].tolist() == [1, 0, 0]
    assert steps["Sw_2.on"][here].tolist() == [1, 1, 0]
    speed = 0.2 * 9.8 / 2
    assert steps["I_1.f"][here] == pytest.approx([speed, 0, speed], abs=1e-9)
    assert steps.impulses("torque.e")[here] == pytest.approx([0, -speed, 0], abs=1e-9)
    assert steps.mode[here][1] == "not Sw_1.on, Sw_2.on"
    assert not ((result["Sw_1.on"] == 0) & (result["Sw_2.on"] == 1)).any()
    assert np.count_nonzero((steps["Sw_1.on"] == 0) & (steps["Sw_2.on"] == 1)) == 1
    assert result.impulses["torque.e"] == []


@pytest.mark.parametrize("epsilon", [1, 0.5])
def test_figs_9_to_11_the_contact_is_closed_for_no_time(epsilon: float) -> None:
    """A row by k with the contact closed: its state is that after the collision, and it is left at once."""
    result = stepped("Fig11", epsilon=epsilon)
    steps = result.steps
    kinds, here = instant(result, 0.6)
    assert kinds[0] == "left limit" and kinds[-1] == "continuous"
    closed = np.flatnonzero(steps["contact.on"])
    assert len(closed) == 1 and steps.kind[closed[0]] == "pinnacle"
    assert closed[0] == here.stop - 2
    speed = 0.5 / 0.6
    assert steps.time[closed[0]] == pytest.approx(0.6, abs=1e-9)
    assert steps["I_1.f"][here.start] == pytest.approx(-speed, abs=1e-9)
    assert steps["I_1.f"][closed[0]] == pytest.approx(epsilon * speed, abs=1e-9)
    assert steps["I_1.f"][here.stop - 1] == pytest.approx(epsilon * speed, abs=1e-9)
    assert steps.impulses("I_1.e")[closed[0]] == pytest.approx(2 * (1 + epsilon) * speed, rel=1e-9)
    assert not result["contact.on"].any()


def test_fig_5_a_jump_without_modes_between() -> None:
    result = stepped("Fig5")
    kinds, here = instant(result, 1)
    assert kinds == ["left limit", "continuous"]
    assert result.steps["I_1.f"][here] == pytest.approx([4.9, 9.8], abs=1e-9)
    assert set(result.steps.kind) == {"left limit", "continuous"}
    assert instant(result, 0.5)[0] == ["left limit", "continuous"]


def test_fig_6_shares_momentum_at_one_step() -> None:
    result = stepped("Fig6")
    kinds, here = instant(result, 1)
    assert kinds == ["left limit", "continuous"]
    assert result.steps["m_1.p"][here] == pytest.approx([7.35, 4.9], abs=1e-8)
    assert result.steps["I_1.p"][here] == pytest.approx([2.45, 4.9], abs=1e-8)


@pytest.mark.parametrize("name", ["Fig3", "Fig5", "Fig7", "Fig11", "Boost", "Motor", "Accumulator"])
def test_the_rows_are_those_of_a_run_without_steps(name: str) -> None:
    plain, result = example(name).simulate(), stepped(name)
    rows = np.isin(result.steps.kind, ("left limit", "continuous"))
    for variable in ("time", *plain.names):
        assert result[variable].tobytes() == plain[variable].tobytes()
        assert result.steps[variable][rows].tobytes() == plain[variable].tobytes()


def test_graphs_in_python_and_modelica_have_steps_too() -> None:
    graph = Graph.read(EXAMPLES / "Fig7.bg")
    text = stepped("Fig7").steps
    modelica = saltus.load(graph.to_modelica())
    for steps in (graph.simulate(steps=True).steps, modelica.simulate(steps=True).steps):
        assert steps.kind.tolist() == text.kind.tolist()
        for name in ("I_1.f", "m_1.f", "torque.e", "Sw_2.on"):
            np.testing.assert_allclose(steps[name], text[name], atol=1e-9)
            np.testing.assert_allclose(steps.impulses(name), text.impulses(name), atol=1e-9)
