"""The examples of rectifiers and converters against the equations of their phases, written by hand and solved
by matrix exponentials, and against what textbooks say about their means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from linear_phases import Phases, Vector, far_from

from saltus.result.result import Result
from translated_models import translated

COVERS = ()

W = 100 * np.pi


def example(name: str, tolerance: float = 1e-9, **options: object) -> Result:
    model = translated(f"Saltus.Examples.Electrical.{name}")
    return model.simulate(tolerance=tolerance, **options)  # type: ignore[arg-type]


def mean(result: Result, values: Vector, begin: float, end: float) -> float:
    """Of what is linear between the rows, or nearly so."""
    rows = (result.time >= begin - 1e-12) & (result.time <= end + 1e-12)
    return float(np.trapezoid(values[rows], result.time[rows]) / (end - begin))


# ---------------------------------------------------------------- DC converters

PERIOD = 1e-4


def buck(load: float) -> Vector:
    """L 1 mH, C 47 uF; states: current and voltage."""
    return np.array([[0, -1e3], [1 / 4.7e-5, -1 / (load * 4.7e-5)]])


def test_buck_with_and_without_load() -> None:
    """Half of 24 V as long as the current does not end; more when it does, and then nothing conducts."""
    result = example("BuckConverter")
    walk = Phases([0, 0], PERIOD / 20)
    discontinuous = 0
    for k in range(200):
        load = 120 * 6 / 126 if k < 100 else 120.0
        walk.follow(buck(load), [24e3, 0], (k + 0.5) * PERIOD)
        end = (k + 1) * PERIOD
        if walk.follow(buck(load), [0, 0], end, ([1, 0], 0)) is not None:
            discontinuous += 1
            walk.state[0] = 0
            walk.follow([[0, 0], [0, -1 / (load * 4.7e-5)]], [0, 0], end)
    assert discontinuous > 90
    i, v = walk.at(result.time)
    np.testing.assert_allclose(result["L.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["C.v"], v, atol=1e-6)
    assert mean(result, result["C.v"], 0.0095, 0.01) == pytest.approx(12, rel=1e-3)
    # Discontinuous conduction (ripple neglected): v/V = 2/(1 + sqrt(1 + 4K/d^2)) with K = 2L/(R T).
    factor = 2 * 1e-3 / (120 * PERIOD)
    textbook = 24 * 2 / (1 + np.sqrt(1 + 4 * factor / 0.5**2))
    assert textbook == pytest.approx(16.5, abs=0.05)  # as the example says
    assert mean(result, result["C.v"], 0.0195, 0.02) == pytest.approx(textbook, rel=5e-3)
    idle = (result["T.off"] == 1) & (result["D.off"] == 1)
    assert idle.sum() > 100 and np.all(result["L.i"][idle] == 0)
    assert sorted(len(mode.states) for mode in result.modes.visited) == [1, 2, 2, 2, 2]


def test_boost() -> None:
    """12 V for the whole period against the output for half of it; during the overshoot the current ends."""
    result = example("BoostConverter")
    c, load = 1e-4, 24.0
    walk = Phases([0, 12], PERIOD / 20)
    alone = [[0, 0], [0, -1 / (load * c)]]
    ended = 0
    for k in range(200):
        walk.follow(alone, [12e3, 0], (k + 0.5) * PERIOD)
        if walk.follow([[0, -1e3], [1 / c, -1 / (load * c)]], [12e3, 0], (k + 1) * PERIOD, ([1, 0], 0)) == 0:
            ended += 1
            walk.state[0] = 0
            walk.follow(alone, [0, 0], (k + 1) * PERIOD)
    i, v = walk.at(result.time)
    np.testing.assert_allclose(result["L.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["C.v"], v, atol=1e-6)
    assert ended > 0  # as the example says
    assert mean(result, result["C.v"], 0.018, 0.02) == pytest.approx(24, rel=0.02)  # it still swings


def test_cuk() -> None:
    """12 V times 0.6/0.4, turned round; no mean voltage at inductors, no mean current in capacitors."""
    result = example("CukConverter")
    l1 = l2 = 2e-3
    c1 = c2 = 2.2e-5
    load = 12.0
    # currents of L1 and L2 to the right, voltages of C1 and C2
    common = [0, 1 / c2, 0, -1 / (load * c2)]
    on = [[0, 0, 0, 0], [0, 0, -1 / l2, -1 / l2], [0, 1 / c1, 0, 0], common]
    off = [[0, 0, -1 / l1, 0], [0, 0, 0, -1 / l2], [1 / c1, 0, 0, 0], common]
    walk = Phases([0, 0, 12, 0], PERIOD / 20)
    for k in range(120):
        walk.follow(on, [12 / l1, 0, 0, 0], (k + 0.6) * PERIOD)
        # the diode carries i1 - i2
        assert walk.follow(off, [12 / l1, 0, 0, 0], (k + 1) * PERIOD, ([1, -1, 0, 0], 0)) is None
    for name, values in zip(("L1.i", "L2.i", "C1.v", "C2.v"), walk.at(result.time), strict=True):
        np.testing.assert_allclose(result[name], values, atol=2e-6)
    last = (0.0118, 0.012)
    assert mean(result, result["load.v"], *last) == pytest.approx(-18, rel=1e-3)
    assert mean(result, result["C1.v"], *last) == pytest.approx(30, rel=1e-3)
    for inductor in ("L1.v", "L2.v"):
        assert abs(mean(result, result[inductor], *last)) < 0.01 * 12
    assert abs(mean(result, result["C1.i"], *last)) < 0.01 * 1.5


@pytest.mark.parametrize("knee", [0.8, 0.0])
def test_synchronous_buck(knee: float) -> None:
    """Four phases: the upper channel, the lower diode, the lower channel, the lower diode again."""
    result = example("SynchronousBuck", set={"T2.Vknee": knee})
    inductance, c, load, ron = 5e-4, 1e-4, 2.0, 0.02
    matrix = [[-ron / inductance, -1 / inductance], [1 / c, -1 / (load * c)]]
    walk = Phases([0, 0], PERIOD / 20)
    for k in range(80):
        for source, until in ((12, 0.45), (-knee, 0.5), (0, 0.95), (-knee, 1.0)):
            # the current never ends, so the diode always conducts in the dead times
            assert walk.follow(matrix, [source / inductance, 0], (k + until) * PERIOD, ([1, 0], 0)) is None
    i, v = walk.at(result.time)
    np.testing.assert_allclose(result["L.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["C.v"], v, atol=1e-6)
    # no mean voltage at the inductor: 0.45*12 = v + Ron v/R + 0.1 knee
    settled = (0.45 * 12 - 0.1 * knee) / (1 + ron / load)
    assert settled == pytest.approx(5.27 if knee else 5.35, abs=5e-3)  # as the example says
    assert mean(result, result["C.v"], 0.0075, 0.008) == pytest.approx(settled, rel=1e-3)


# ---------------------------------------------------------------- rectifiers


def test_bridge_with_smoothing_capacitor() -> None:
    """A pair of diodes conducts while it is charged, and from where |V| exceeds it."""
    result = example("BridgeRectifier")
    rs, c, load = 0.2, 2e-3, 20.0
    fading = 1 / (load * c)

    def phase(way: int, conducts: bool) -> list[list[float]]:
        """States: capacitor, sine and cosine of the source; charged by (way V - v)/rs."""
        charge = 1 / (rs * c) if conducts else 0.0
        return [[-charge - fading, way * 17 * charge, 0], [0, 0, W], [0, -W, 0]]

    walk = Phases([0, 0, 1], 1e-4)
    for half in range(10):
        way, end = (1, -1)[half % 2], (half + 1) * 0.01
        walk.follow(phase(way, False), [0, 0, 0], end, ([1, -way * 17, 0], 0))  # until way V exceeds v
        walk.follow(phase(way, True), [0, 0, 0], end, ([-1, way * 17, 0], 0))
        walk.follow(phase(way, False), [0, 0, 0], end)
    v, sine, _ = walk.at(result.time)
    np.testing.assert_allclose(result["load.v"], v, atol=1e-6)
    current = np.sign(sine) * np.maximum(np.abs(17 * sine) - v, 0) / rs
    np.testing.assert_allclose(result["Rs.i"], current, atol=1e-5)
    late = result.time >= 0.06
    assert np.abs(result["Rs.i"][late]).max() > 5 * result["load.i"][late].max()  # as the example says
    stays = [stay["guards"] for stay in result.modes.table()]
    modes = {tuple(k for k in range(1, 5) if not guards[f"D{k}.off"]) for guards in stays}
    assert {pair for pair in modes if len(pair) > 1} == {(1, 4), (2, 3)}  # one alone only ties the source


class ThreePhases:
    """A bridge with inductances in its phases, by hand. States: the three currents out of the mains, and the
    sine and cosine of the first phase."""

    mains, inductor, load = 2e-3, 0.05, 10.0

    def __init__(self) -> None:
        self.upper: set[int] = {2}
        self.lower: set[int] = {1}

    @staticmethod
    def voltages() -> Vector:
        """Rows: the phases in the states."""
        shift = np.array([0, -2 * np.pi / 3, 2 * np.pi / 3])
        rows = np.zeros((3, 5))
        rows[:, 3], rows[:, 4] = 325 * np.cos(shift), 325 * np.sin(shift)
        return rows

    def equations(self) -> tuple[Vector, Vector, Vector]:
        """The matrix, and the potentials of the upper and the lower rail as rows. Unknowns: the three slopes
        and the two potentials."""
        v = self.voltages()
        left, right = np.zeros((5, 5)), np.zeros((5, 5))
        for k in range(3):
            if k in self.upper | self.lower:  # v - L i' is the potential of the rail
                left[k, k], right[k] = self.mains, v[k]
                left[k, 3 if k in self.upper else 4] = 1
            else:
                left[k, k] = 1
        left[3, :3] = 1  # the slopes sum to zero
        left[4, 3], left[4, 4] = 1, -1  # the rails: inductor and load
        for k in self.upper:
            left[4, k], right[4, k] = -self.inductor, self.load
        solved = np.linalg.solve(left, right)
        matrix = np.zeros((5, 5))
        matrix[:3] = solved[:3]
        matrix[3, 4], matrix[4, 3] = W, -W
        return matrix, solved[3], solved[4]

    def walk(self, stop: float) -> Phases:
        walk = Phases([0, 0, 0, -0.0, 1], 2e-5)
        while walk.time < stop:
            matrix, top, bottom = self.equations()
            v = self.voltages()
            ends: list[tuple[Sequence[float] | Vector, float]] = []
            what: list[tuple[set[int], int, bool]] = []
            for k in range(3):
                unit = np.eye(5)[k]
                for rail, sign, potential in ((self.upper, 1, top), (self.lower, -1, bottom)):
                    if k in rail:  # until its current ends
                        ends.append((sign * unit, 0.0))
                        what.append((rail, k, False))
                    elif k not in self.upper | self.lower:  # until its diode has no reverse voltage
                        ends.append((sign * (potential - v[k]), 0.0))
                        what.append((rail, k, True))
            found = walk.follow(matrix, np.zeros(5), stop, *ends)
            if found is not None:
                rail, k, begins = what[found]
                if begins:
                    rail.add(k)
                else:
                    rail.remove(k)
                    walk.state[k] = 0.0
        return walk


def test_three_phase_bridge() -> None:
    result = example("ThreePhaseBridge")
    walk = ThreePhases().walk(0.06)
    states = walk.at(result.time)
    for k, name in enumerate(("L1.i", "L2.i", "L3.i")):
        np.testing.assert_allclose(result[name], states[k], atol=2e-5)
    changes = [stay.start for stay in result.modes][1:]
    assert changes == pytest.approx(walk.moments[:-1], abs=1e-8)
    # Two and three diodes in turn, and in each phase as many currents are independent.
    assert [len(stay.mode.states) for stay in result.modes][:6] == [1, 2, 1, 2, 1, 2]
    # Textbook: 3 sqrt(3)/pi V - 6 f L I. The current at the changes, which the formula means, has a ripple.
    voltage = mean(result, result["load.v"], 0.04, 0.06)
    expected = 3 * np.sqrt(3) / np.pi * 325 - 6 * 50 * 2e-3 * voltage / 10
    assert voltage == pytest.approx(expected, rel=5e-3)


def test_doubler_reaches_twice_the_peak() -> None:
    """Without a load it ends at 20 V, each step half of what is missing. With one, charge flows through."""
    result = example("VoltageDoubler", set={"load.R": 1e12}, stop_time=0.2)
    ends = [result["C2.v"][np.searchsorted(result.time, 0.02 * k + 0.006)] for k in range(10)]
    # first period: the source rises to 10 V through C1, which is empty: 5 V on each
    missing = 20 - np.array(ends)
    np.testing.assert_allclose(missing, 15 * 0.5 ** np.arange(10), atol=1e-6)
    loaded = example("VoltageDoubler", interval=1e-5, stop_time=0.5)
    charges = [mean(loaded, loaded[name], 0.48, 0.5) for name in ("D1.i", "D2.i", "load.i")]
    assert charges == pytest.approx([charges[2]] * 3, rel=1e-4)  # what goes in goes through and out
    away = far_from(loaded.time, [stay.start for stay in loaded.modes], 1e-7)
    assert loaded["D1.v"][away].max() < 1e-6 and loaded["D2.v"][away].max() < 1e-6
