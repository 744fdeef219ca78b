"""The solvers of `tools/differential` are right by themselves: against closed forms, without any run."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from tools.differential.case import LEAK, Truth, piecewise_linear_truth
from tools.differential.families.circuits import Part, Signal, network_system, voltage
from tools.differential.families.friction import Joint, Mechanism, mechanism_system
from tools.differential.families.impacts import Bodies, Contact, bodies_case, bodies_system
from tools.differential.solvers.discrete_events import (
    Clock,
    Equation,
    Expression,
    Logic,
    Ramp,
    Simulator,
    Threshold,
    When,
)

TIMES = np.linspace(0.0, 2.0, 41)[1:]


def _circuit(nodes: int, *parts: Part) -> Truth:
    names = {p.name: voltage(p) if p.kind == "C" else {p.name: 1.0} for p in parts if p.kind in "CLR"}
    return piecewise_linear_truth(partial(network_system, nodes, list(parts)), 2.0, names)


def _sine(t: np.ndarray) -> np.ndarray:
    return 5 * np.sin(4 * t)


def test_capacitor_that_is_charged() -> None:
    source = Part("V", "v1", 1, 0, 2.0, Signal("3", lambda t: 3.0))
    truth = _circuit(2, source, Part("C", "c1", 1, 0, 0.25))
    assert np.abs(truth.values["c1"] - 3 * (1 - np.exp(-TIMES / 0.5))).max() < 1e-6
    assert truth.margins["c1"].max() < 1e-4


def test_coil_behind_a_diode() -> None:
    """L i' = 5 sin(4 t) while it conducts: the current is zero only at the end of each period."""
    source = Part("V", "v1", 1, 0, 0.0, Signal("", _sine))
    truth = _circuit(3, source, Part("D", "d1", 1, 2), Part("L", "l1", 2, 0, 0.5))
    assert np.abs(truth.values["l1"] - 2.5 * (1 - np.cos(4 * TIMES))).max() < 1e-5


def test_charge_is_shared_at_a_switch() -> None:
    """1 F at 6 V and 2 F at none are joined at 1: 2 V each, since charge is kept."""
    charged = Part("V", "v1", 1, 0, 0.0, Signal("", lambda t: 6.0))
    joins = Part("S", "s2", 2, 3, times=(1.0,))
    leaves_source = Part("S", "s1", 1, 2, times=(0.5,), first=True)
    parts = charged, leaves_source, Part("C", "c1", 2, 0, 1.0), joins, Part("C", "c2", 3, 0, 2.0)
    truth = _circuit(4, *parts)
    late = TIMES > 1.01
    for name in ("c1", "c2"):
        assert np.abs(truth.values[name][late] - 2).max() < 1e-6
    assert truth.at_start  # the first one cannot have 0 V


def test_shorted_source_is_a_contradiction() -> None:
    source = Part("V", "v1", 1, 0, 0.0, Signal("", lambda t: 1.0))
    shorted = _circuit(2, source, Part("S", "s1", 1, 0, times=(0.7,)), Part("R", "r1", 1, 0, 1.0))
    assert shorted.ended is not None and abs(shorted.ended - 0.7) < 1e-3
    assert np.isinf(shorted.margins["r1"][TIMES > 0.75]).all()


def test_block_that_sticks_and_slides() -> None:
    """m v' = 3 t - f, at most 1.5: it moves from 0.5 on, by (3 t - 1.5)'s integral."""
    block = Mechanism([2.0], [0.0], [Joint("friction", "f1", 1, 0, 1.5)], [(1, Signal("", lambda t: 3 * t))])
    names = {"v": {"v1": 1.0}}
    truth = piecewise_linear_truth(partial(mechanism_system, block), 2.0, names)
    moved = np.maximum(TIMES - 0.5, 0)
    assert np.abs(truth.values["v"] - 0.75 * moved**2).max() < 1e-5


@pytest.mark.parametrize("e", [0.5, 0.8])
def test_ball_comes_to_rest(e: float) -> None:
    ball = Bodies([1.0], [1.0], [0.0], [0.0], [0.0], 9.81, [Contact(1, 0, 0.0, 1, e)], None)
    truth = piecewise_linear_truth(partial(bodies_system, ball), 4.0, {"x": {"x1": 1.0}, "v": {"v1": 1.0}})
    times = np.linspace(0.0, 4.0, 41)[1:]
    fall = math.sqrt(2 / 9.81)
    expected, start, speed = np.zeros(40), fall, 9.81 * fall
    expected[times < fall] = 1 - 4.905 * times[times < fall] ** 2
    while speed > 1e-4:
        speed *= e
        length = 2 * speed / 9.81
        t = times - start
        inside = (t >= 0) & (t < length)
        expected[inside] = (speed * t - 4.905 * t**2)[inside]
        start += length
    assert np.abs(truth.values["x"] - expected).max() < 1e-5


def test_slow_impacts_without_weight_are_impacts() -> None:
    """To and fro between two walls, each time with half the speed, down to a thousandth of a millimetre per
    second: nothing presses the body against a wall, so that it does not stay there."""
    walls = [Contact(1, 0, 0.0, 1, 0.5), Contact(1, 0, 1e-3, -1, 0.5)]
    body = Bodies([1.0], [0.0], [4e-3], [0.0], [0.0], 0.0, walls, None)
    truth = piecewise_linear_truth(partial(bodies_system, body), 2.0, {"x": {"x1": 1.0}, "v": {"v1": 1.0}})
    crossings = np.cumsum(0.25 * 2.0 ** np.arange(8))  # each takes twice as long
    legs = np.searchsorted(crossings, TIMES)
    away = np.abs(TIMES[:, np.newaxis] - crossings).min(axis=1) > 1e-6  # at an impact there are two speeds
    assert np.count_nonzero(away) >= len(TIMES) - 3
    assert np.allclose(truth.values["v"][away], (4e-3 * (-0.5) ** legs)[away], rtol=1e-6, atol=0)
    since = TIMES - np.concatenate([[0.0], crossings])[legs]
    way = 4e-3 * 0.5**legs * since
    assert np.allclose(truth.values["x"], np.where(legs % 2, 1e-3 - way, way), rtol=0, atol=1e-8)


def test_contact_leaks_by_its_force() -> None:
    ball = Bodies([2.0], [0.0], [0.0], [0.0], [0.0], 9.81, [Contact(1, 0, 0.0, 1, 0.5)], None)
    truth = piecewise_linear_truth(partial(bodies_system, ball), 2.0, {"x": {"x1": 1.0}})
    assert np.abs(truth.values["x"]).max() < 3 * LEAK * 2 * 9.81 * 2


def test_ramp_that_is_turned_at_its_threshold() -> None:
    """A ramp goes up with 1 and down with 2 between 0 and 1 (hysteresis); a clock counts."""
    high = Threshold("high", "x", Fraction(1), strict=True)
    low = Threshold("low", "x", Fraction(0), strict=True)
    down = Equation(
        "down", Expression("", lambda now, pre: bool(now["high"] or (pre["down"] and now["low"])))
    )
    clock = Clock("tick", Fraction(1, 4), Fraction(1, 2))
    count = When(
        (Equation("c", Expression("", lambda now, pre: now["tick"])),),
        (Equation("n", Expression("", lambda now, pre: int(pre["n"]) + 1)),),
    )
    rate = Expression("", lambda now, pre: Fraction(-2 if now["down"] else 1))
    logic = Logic(
        (high, low, down, clock, count), (Ramp("x", Fraction(1, 3), rate),), {"down": False, "n": 0}
    )
    course = Simulator(logic, Fraction(1, 10**6)).run(Fraction(3))
    assert course.until is None
    turns = [t for t, old, new in zip(course.times[1:], course.values, course.values[1:], strict=False)
             if old["down"] != new["down"]]  # fmt: skip
    expected = [Fraction(2, 3)]
    while expected[-1] < 3:
        expected.append(expected[-1] + (Fraction(1, 2) if len(expected) % 2 else 1))
    assert turns == [t for t in expected if t <= 3]
    assert course.values[-1]["n"] == 6  # at 0.25, 0.75, ... 2.75


def test_grazing_impacts_are_seen() -> None:
    """A body on a spring hits a stop, which it leaves with a third of its speed each time, since the spring
    pulls it away. It comes back with the speed with which it left, a period less 2*phi/w later, in the end
    for a part of a step only."""
    m, k, place, e = 0.369, 57.8, -0.29, 0.36
    w, start, speed = (k / m) ** 0.5, 2.63, -1.07
    bodies = Bodies([m], [start], [speed], [0.0], [k], 0.0, [Contact(1, 0, place, 1, e)], None)
    case = bodies_case("spring", bodies, "rest", 4.0)
    truth = case.truth(False)
    size, phase, since = np.hypot(start, speed / w), np.arctan2(speed / w, start), 0.0
    hits = [(phase + np.arccos(place / size)) / w]
    left = e * w * np.sqrt(size**2 - place**2)
    while hits[-1] < 4.0:
        hits.append(hits[-1] + 2 * np.arctan2(left / w, place) / w)
        left *= e
    left = e * w * np.sqrt(size**2 - place**2)
    expected = np.empty(len(case.times))
    for n, t in enumerate(case.times):
        past = sum(hit <= t for hit in hits)
        if past:
            size = np.hypot(place, left * e ** (past - 1) / w)
            phase, since = np.arctan2(left * e ** (past - 1) / w, place), hits[past - 1]
        expected[n] = size * np.cos(w * (t - since) - phase)
    assert truth.events > 8 and left * e**8 < 0.005
    np.testing.assert_allclose(truth.values["x[1]"], expected, atol=1e-5)
