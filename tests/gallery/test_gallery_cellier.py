"""The models of Cellier's lecture of 2013 in the gallery: rectifiers, friction, Petri nets.

The lecture has no numbers. Truth for the rectifiers is an integration by SciPy from one switching of the
diode to the next, for friction the closed form of each slide with its ends found by bisection; Petri nets are
played by hand. What the slides claim of structure (states, index, loops, tearing) is compared with what
Saltus found.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gallery_reading import (
    Vector,
    between,
    gallery_classes,
    impulse,
    limits,
    load,
    numbers,
    presentable,
    run,
    structures,
)
from paper_runs import changes
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import saltus
from saltus.core.diagnostics import RunError
from saltus.result.files.eventlog import event_lines
from saltus.show.listings.visited import modes_text
from saltus.tools.cli import main

PAPER = "Cellier2013"


@pytest.mark.parametrize("name", gallery_classes(PAPER))
def test_presentable_and_tested_here(name: str) -> None:
    presentable(PAPER, name)
    assert f'"{name}"' in Path(__file__).read_text()


# Rectifiers. Data of `Rectifier.mo`.
U, W, R_I, R_L, L, C, STOP = 10.0, 100 * math.pi, 1.0, 50.0, 0.01, 1e-3, 0.1
IDEAL = "Slide_VariableStructureI_IdealDiode"


@dataclass(frozen=True)
class Rectified:
    """Current and voltage from switching to switching."""

    switched: list[float]
    pieces: list[tuple[float, float, Callable[[Vector], Vector]]]

    def at(self, times: Vector) -> Vector:
        """Rows of current and voltage."""
        found = np.empty((len(times), 2))
        for start, end, solution in self.pieces:
            rows = (times >= start) & (times <= end)
            if rows.any():
                found[rows] = solution(times[rows]).T
        return found


@cache
def rectified(leak: float) -> Rectified:
    """With a leak of so many ohms while the diode conducts and siemens while it blocks; 0 is ideal."""

    def source(t: float) -> float:
        return U * math.sin(W * t)

    def conducting(t: float, y: Vector) -> list[float]:
        return [(source(t) - (R_I + leak) * y[0] - y[1]) / L, (y[0] - y[1] / R_L) / C]

    def blocking(t: float, y: Vector) -> list[float]:
        fall = (source(t) - (R_I + 1 / leak) * y[0] - y[1]) / L if leak else 0.0
        return [fall, (y[0] - y[1] / R_L) / C]

    def reverses(_: float, y: Vector) -> float:
        return float(y[0])

    def forward(t: float, y: Vector) -> float:
        return float(y[0]) if leak else source(t) - float(y[1])

    t, y, conducts = 0.0, np.zeros(2), True
    switched: list[float] = []
    pieces: list[tuple[float, float, Callable[[Vector], Vector]]] = []
    while t < STOP:
        ends: Any = reverses if conducts else forward
        ends.terminal, ends.direction = True, -1.0 if conducts else 1.0
        # A piece begins at a zero of the function that ends it: away from there with a small step.
        method = "Radau" if leak else "DOP853"
        piece = solve_ivp(
            conducting if conducts else blocking, (t, STOP), y, method, dense_output=True, events=ends,
            rtol=1e-10, atol=1e-13, max_step=1e-4, first_step=1e-9,
        )  # fmt: skip
        pieces.append((t, float(piece.t[-1]), piece.sol))
        t, y, conducts = float(piece.t[-1]), piece.y[:, -1].copy(), not conducts
        if t < STOP:
            switched.append(t)
            if not leak:
                y[0] = 0.0
    return Rectified(switched, pieces)


def test_ideal_rectifier() -> None:
    result = run(PAPER, IDEAL)
    truth = rectified(0.0)
    assert len(truth.switched) == 9
    switched = [t for t, _ in changes(result, "m_o")]
    np.testing.assert_allclose(switched, truth.switched, atol=1e-7)
    exact = truth.at(numbers(result.time))
    np.testing.assert_allclose(result["i_0"], exact[:, 0], atol=1e-6)
    np.testing.assert_allclose(result["u_2"], exact[:, 1], atol=1e-6)
    blocks = (numbers(result["m_o"]) == 1) & between(result, switched)
    assert np.all(result["i_0"][blocks] == 0)  # not small: zero
    # Second order and index 0 while it conducts, first order and index 2 while it blocks.
    assert structures(result) == [(2, 0), (1, 2)] * 5


def test_circuit_of_parts() -> None:
    result = run(PAPER, "Slide_VariableStructureI_Circuit")
    truth = rectified(0.0)
    exact = truth.at(numbers(result.time))
    np.testing.assert_allclose(result["D.i"], exact[:, 0], atol=1e-6)
    np.testing.assert_allclose(result["C.v"], exact[:, 1], atol=1e-6)
    away = between(result, truth.switched)
    assert np.all((result["D.i"] * result["D.v"])[away] == 0)
    assert structures(result) == [(2, 0), (1, 2)] * 5


def test_sorted_equations_of_the_closed_switch() -> None:
    """Slide II: each equation gives one unknown, in an order in which what it needs is known."""
    text = modes_text(run(PAPER, IDEAL)).split("MODE 2")[0]
    solved = ["[u_0]", "[u_1]", "[i_R]", "[i_C]", "[s]", "[u_d]", "[u_L]", "[der(u_2)]", "[der(i_0)]"]
    places = {unknown: text.index(unknown) for unknown in solved}
    assert "largest block   1" in text
    for later, earlier in (
        ("[i_C]", "[i_R]"), ("[u_d]", "[s]"), ("[u_L]", "[u_d]"), ("[u_L]", "[u_0]"), ("[u_L]", "[u_1]"),
        ("[der(u_2)]", "[i_C]"), ("[der(i_0)]", "[u_L]"),
    ):  # fmt: skip
        assert places[earlier] < places[later]


def test_fixed_causality_divides_by_zero() -> None:
    name = "Slide_VariableStructureII_FixedCausality"
    result = run(PAPER, name)
    exact = rectified(0.0).at(numbers(result.time))
    np.testing.assert_allclose(result["i_0"], exact[:, 0], atol=1e-6)
    with pytest.raises(RunError) as ended:
        load(PAPER, name).simulate(stop_time=0.02)
    (told,) = ended.value.diagnostics
    assert told.code == "E402" and "1 - m_o" in told.message
    partial = ended.value.partial
    assert isinstance(partial, saltus.Result)
    assert partial.time[-1] == pytest.approx(rectified(0.0).switched[0], abs=1e-7)


@pytest.mark.parametrize(
    "name", ["Slide_VariableStructureIV_LeakyDiode", "Slide_VariableStructureV_SortedLeaky"]
)
def test_leaky_rectifier(name: str) -> None:
    result = load(PAPER, name).simulate(tolerance=1e-9)
    exact = rectified(1e-3).at(numbers(result.time))
    np.testing.assert_allclose(result["i_0"], exact[:, 0], atol=1e-6)
    np.testing.assert_allclose(result["u_2"], exact[:, 1], atol=1e-6)
    assert structures(result) == [(2, 0)]
    # Backwards flows what the voltage across the open diode drives through the leak.
    blocks = numbers(result["m_o"]) == 1
    np.testing.assert_allclose(result["i_0"][blocks], 1e-3 * result["u_d"][blocks], atol=1e-12)
    assert result["i_0"].min() == pytest.approx(-0.021, abs=0.0005)  # as its annotation says


def test_results_depend_on_fudge_parameters() -> None:
    result = run(PAPER, "Slide_VariableStructureVI_FudgeParameters")
    t = numbers(result.time)
    worst = []
    for k, leak in enumerate((1e-2, 1e-3, 1e-4), start=1):
        error = numbers(result[f"error[{k}]"])
        exact = rectified(leak).at(t)[:, 0] - rectified(0.0).at(t)[:, 0]
        np.testing.assert_allclose(error, exact, atol=2e-6)
        worst.append(np.abs(error).max())
        np.testing.assert_allclose(result[f"lag[{k}]"], 0.01 * leak, rtol=1e-12)
    for larger, smaller in pairwise(worst):
        assert 8 < larger / smaller < 12  # in proportion to the leak


def test_inlined_inductor() -> None:
    """Backward Euler, step by step."""
    result = run(PAPER, "Slide_MixedModeI_InlinedInductor")
    h, inductance, w = 1e-3, 0.01, 100 * math.pi

    def voltage(t: float) -> float:
        return inductance * w * math.cos(w * t)

    before, errors = 0.0, []
    for k in range(1, 40):
        now = before + h / inductance * voltage(k * h)
        (left,), _ = limits(result, k * h, ["given_u.i_0"])
        assert left == pytest.approx(now, abs=1e-12)
        (slope,), _ = limits(result, k * h, ["given_i.u_L"])
        rise = math.sin(w * k * h) - math.sin(w * (k - 1) * h)
        assert slope == pytest.approx(inductance / h * rise, abs=1e-9)
        before = now
        errors.append(abs(left - math.sin(w * k * h)))
    assert result.modes[0].mode.states == ()
    assert max(errors) == pytest.approx(w * h, rel=0.02)  # of the method: of the size of the step


MIXED = "Slide_MixedModeII_Rectifier"


def test_mixed_mode_rectifier_converges() -> None:
    truth = rectified(0.0)
    errors = []
    for h in (2e-4, 1e-4, 5e-5):
        result = load(PAPER, MIXED).simulate(set={"h": h})
        exact = truth.at(numbers(result.time))[:, 0]
        errors.append(np.abs(result["i_0"] - exact).max())
    for larger, smaller in pairwise(errors):
        assert 1.8 < larger / smaller < 2.2  # of first order
    # Between instants the current is that of a whole step; it has no more slope than U/L. As much again may
    # have gathered in the steps before.
    assert errors[-1] < 2 * 5e-5 * U / L


def test_mixed_mode_structure(capsys: pytest.CaptureFixture[str]) -> None:
    """Slides III to V: a loop of five equations in five unknowns, torn with s and one more; VII: neither
    position of the switch is special."""
    result = run(PAPER, MIXED)
    assert structures(result) == [(1, 1)]
    assert {mode.largest_block for mode in result.modes.visited} == {5}
    assert result.statistics["programs"] == 1
    with pytest.raises(SystemExit):
        main(["explain", f"Saltus.Examples.Papers.{PAPER}.{MIXED}"])
    text = capsys.readouterr().out
    system = text.split("SYSTEM OF 5 SIMULTANEOUS EQUATIONS")[1].split("END OF SYSTEM")[0]
    unknowns = system.split("UNKNOWN VARIABLES")[1].split("EQUATIONS")[0].split()
    assert set(unknowns) == {"u_1", "u_L", "i_0", "u_d", "s"}
    torn = system.split("TEARING VARIABLES")[1].split("FROM WHICH")[0].split()
    assert torn[0] == "s" and len(torn) == 2


def test_mixed_mode_loop_solved_by_hand() -> None:
    name = "Slide_MixedModeVI_SortedEquations"
    result, other = run(PAPER, name), run(PAPER, MIXED)
    assert {mode.largest_block for mode in result.modes.visited} == {1}
    np.testing.assert_allclose(result.time, other.time, atol=1e-9)
    np.testing.assert_allclose(result["i_0"], other["i_0"], atol=1e-7)
    np.testing.assert_allclose(result["u_2"], other["u_2"], atol=1e-7)


def test_clutch_of_index_three() -> None:
    result = run(PAPER, "Slide_MixedModeIX_Clutch")
    t = numbers(result.time)
    assert structures(result) == [(4, 0), (2, 3), (4, 0)]
    before, after = limits(result, 0.5, ["w_1", "w_2", "phi_1", "phi_2"])
    np.testing.assert_allclose(before[:2], [6, 0], atol=1e-8)
    np.testing.assert_allclose(after[:2], [2.4, 2.4], atol=1e-8)
    np.testing.assert_allclose(after[2:], before[2:], atol=1e-12)  # angles do not jump
    assert impulse(result, 0.5, "tau") == pytest.approx(7.2, rel=1e-8)
    away = between(result, [0.5])
    first = np.select([t < 0.5, t < 1], [5 + 2 * t, 2.4 + 0.8 * (t - 0.5)], 2.8 + 2 * (t - 1))
    second = np.select([t < 0.5, t < 1], [0 * t, 2.4 + 0.8 * (t - 0.5)], 2.8)
    np.testing.assert_allclose(result["w_1"][away], first[away], atol=1e-7)
    np.testing.assert_allclose(result["w_2"][away], second[away], atol=1e-7)
    momentum = 2 * numbers(result["w_1"]) + 3 * numbers(result["w_2"])
    np.testing.assert_allclose(momentum, 10 + 4 * t, atol=1e-7)
    held = (t > 0.5) & (t < 1)
    np.testing.assert_allclose((result["phi_1"] - result["phi_2"])[held], 2.75, atol=1e-6)


def test_pendulum_whose_rod_breaks() -> None:
    result = run(PAPER, "Slide_MixedModeX_DynamicCausalization")
    t = numbers(result.time)
    swing = solve_ivp(
        lambda _, y: [y[1], -9.81 * math.sin(y[0])], (0, 0.4), [1, 0], "DOP853", dense_output=True,
        rtol=1e-12, atol=1e-14,
    )  # fmt: skip
    early, late = t < 0.4, t > 0.4
    np.testing.assert_allclose(result["phi"][early], swing.sol(t[early])[0], atol=1e-6)
    angle, rate = swing.y[:, -1]
    d = t[late] - 0.4
    x = math.sin(angle) + rate * math.cos(angle) * d
    y = -math.cos(angle) + rate * math.sin(angle) * d - 9.81 / 2 * d**2
    np.testing.assert_allclose(result["x"][late], x, atol=1e-6)
    np.testing.assert_allclose(result["y"][late], y, atol=1e-6)
    assert np.isnan(result["x"][early]).all() and np.isnan(result["phi"][late]).all()
    assert [len(stay.mode.states) for stay in result.modes] == [2, 4]


def test_bridge_of_six_diodes() -> None:
    """The rails have the highest and the lowest of the three voltages; the current follows by one equation of
    first order."""
    result = run(PAPER, "Slide_MixedModeXI_ManySwitches")
    t = numbers(result.time)

    def phases(s: Vector | float) -> Vector:
        return np.array([325 * np.sin(2 * math.pi * (50 * s - k / 3) + 0.3) for k in range(3)])

    np.testing.assert_allclose(result["p"], phases(t).max(axis=0), atol=1e-5)
    np.testing.assert_allclose(result["n"], phases(t).min(axis=0), atol=1e-5)
    load_current = solve_ivp(
        lambda s, i: [(np.ptp(phases(s)) - 10 * i[0]) / 0.02], (0, 0.04), [0.0], "DOP853",
        t_eval=np.unique(t), rtol=1e-11, atol=1e-11, max_step=1e-4,
    )  # fmt: skip
    unique = np.unique(t, return_index=True)[1]
    np.testing.assert_allclose(result["i"][unique], load_current.y[0], atol=1e-4)
    combinations = {
        tuple(bool(result[f"open_{r}[{k}]"][row]) for r in "pn" for k in (1, 2, 3))
        for row in np.flatnonzero(between(result, [e.time for e in result.events]))
    }
    assert len(combinations) == 6  # of 64
    assert result.statistics["programs"] <= 32  # those that were visited or tried


# Friction. Data of `BlockOnTable.mo`: mass 1, push 2 sin(t).
F_D, C_F = 1.0, 0.5
TURNS = 4 * math.pi
WITH_PEAK = (
    "Slide_MechanicalFrictionI_Characteristic",
    "Slide_MechanicalFrictionII_AddedEquation",
    "Slide_MechanicalFrictionIII_SwitchOnVelocity",
    "Slide_MechanicalFrictionIV_SwitchOnAcceleration",
    "Slide_MechanicalFrictionV_Reinit",
    "Slide_MechanicalFrictionVIII_SixStates",
    "Slide_PetriNetsVIII_Friction",
)
WITHOUT_PEAK = (
    "Slide_MechanicalFrictionXI_Declarative",
    "Slide_MechanicalFrictionXV_FourStates",
    "Slide_PetriNetsXIV_SimpleConditions",
)


@dataclass(frozen=True)
class Slide:
    """v' = 2 sin(t) - sign F_d - c v from rest at `start`; at rest again at `end`."""

    start: float
    end: float
    sign: int
    x0: float

    def v(self, t: Vector | float) -> Vector:
        """The particular solution is 2 (c sin - cos)/(1 + c^2) - sign F_d/c."""

        def forced(s: Vector | float) -> Vector:
            return np.asarray(2 * (C_F * np.sin(s) - np.cos(s)) / (1 + C_F**2) - self.sign * F_D / C_F)

        return np.asarray(forced(t) - forced(self.start) * np.exp(-C_F * (np.asarray(t) - self.start)))

    def x(self, t: Vector | float) -> Vector:
        """Integrated equation of motion: c x = c x0 - v + what pushes and what rubs."""
        s = np.asarray(t)
        pushed = 2 * (np.cos(self.start) - np.cos(s)) - self.sign * F_D * (s - self.start)
        return np.asarray(self.x0 + (pushed - self.v(s)) / C_F)


@cache
def slides(peak: float) -> list[Slide]:
    found: list[Slide] = []
    x, half = 0.0, 0
    while True:
        sign = 1 - 2 * (half % 2)
        start = math.asin(peak / 2) + half * math.pi
        if start > TURNS:
            return found
        guess = Slide(start, TURNS + 9, sign, x)
        fastest = start + 1.0
        end = float(brentq(lambda t, g=guess: float(g.v(t)), fastest, fastest + 3.0, xtol=1e-15))
        found.append(Slide(start, end, sign, x))
        x = float(found[-1].x(end))
        half += 1


def moves(peak: float, times: Vector) -> tuple[Vector, Vector, Vector]:
    """Position, velocity, and direction of the motion: 1, 0 or -1."""
    x, v, way = np.zeros_like(times), np.zeros_like(times), np.zeros_like(times)
    for slide in slides(peak):
        after = times > slide.start
        x[after] = slide.x(np.minimum(times[after], slide.end))
        inside = after & (times < slide.end)
        v[inside] = slide.v(times[inside])
        way[inside] = slide.sign
    return x, v, way


def test_reference_satisfies_the_equation_of_motion() -> None:
    for slide in slides(1.2):
        t = slide.start + 0.7
        slope = float(slide.v(t + 1e-5) - slide.v(t - 1e-5)) / 2e-5
        assert slope == pytest.approx(2 * math.sin(t) - slide.sign * F_D - C_F * float(slide.v(t)), abs=1e-8)
        assert float(slide.x(t + 1e-5) - slide.x(t - 1e-5)) / 2e-5 == pytest.approx(
            float(slide.v(t)), abs=1e-8
        )
        assert abs(2 * math.sin(slide.end)) < 1  # it sticks there, with and without the peak
    assert len(slides(1.2)) == len(slides(1.0)) == 4


@pytest.mark.parametrize("name", [*WITH_PEAK, *WITHOUT_PEAK])
def test_friction(name: str) -> None:
    """All ten are one motion: what differs is how it is written. Tolerance 1e-8 per step, four slides."""
    peak = 1.2 if name in WITH_PEAK else 1.0
    result = run(PAPER, name)
    t = numbers(result.time)
    x, v, way = moves(peak, t)
    np.testing.assert_allclose(result["x"], x, atol=1e-6)
    np.testing.assert_allclose(result["v"], v, atol=1e-6)
    ends = [moment for slide in slides(peak) for moment in (slide.start, slide.end) if moment < TURNS]
    away = between(result, ends, 1e-4)
    force = np.where(way == 0, 2 * np.sin(t), way * F_D + C_F * v)
    np.testing.assert_allclose(result["F"][away], force[away], atol=1e-6)
    leaps = [e.time for e in result.events if e.kind == "state"]
    for moment in ends:
        assert min(abs(np.array(leaps) - moment)) < 1e-6


def test_characteristic() -> None:
    """Points of v and F lie on the drawing; the force falls from 1.2 to 1 at break-away."""
    result = run(PAPER, "Slide_MechanicalFrictionI_Characteristic")
    v, force = numbers(result["v"]), numbers(result["F"])
    forward, backward = numbers(result["Forward"]) == 1, numbers(result["Backward"]) == 1
    np.testing.assert_allclose(force[forward], 1 + 0.5 * v[forward], atol=1e-12)
    np.testing.assert_allclose(force[backward], -1 + 0.5 * v[backward], atol=1e-12)
    rest = ~forward & ~backward
    assert np.all(v[rest] == 0) and np.abs(force[rest]).max() <= 1.2 + 1e-9
    before, after = limits(result, slides(1.2)[0].start, ["F"])
    assert (before[0], after[0]) == pytest.approx((1.2, 1.0), abs=1e-6)


def test_force_of_constraint_exists_only_at_rest() -> None:
    result = run(PAPER, "Slide_MechanicalFrictionII_AddedEquation")
    _, _, way = moves(1.2, numbers(result.time))
    ends = [moment for slide in slides(1.2) for moment in (slide.start, slide.end)]
    away = between(result, ends, 1e-4)
    exists = ~np.isnan(result["F_c"])
    assert np.all(exists[away] == (way == 0)[away])
    np.testing.assert_allclose(result["F_c"][exists & away], result["f"][exists & away], atol=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Slide_MechanicalFrictionIII_SwitchOnVelocity", [1, 2]),
        ("Slide_MechanicalFrictionXI_Declarative", [1, 2]),
        ("Slide_MechanicalFrictionIV_SwitchOnAcceleration", [2]),
        ("Slide_MechanicalFrictionVIII_SixStates", [2]),
        ("Slide_MechanicalFrictionXV_FourStates", [2]),
    ],
)
def test_number_of_states(name: str, expected: list[int]) -> None:
    """Where the velocity itself is constrained it is no state at rest; where the acceleration is, it stays
    one."""
    result = run(PAPER, name)
    assert sorted({len(stay.mode.states) for stay in result.modes if stay.stop > stay.start}) == expected
    log = " ".join(event_lines(result))
    assert ("state v is given up" in log and "state v is gained" in log) == (expected == [1, 2])


@pytest.mark.parametrize("data", [{}, {"c_f": 0.37, "push": 1.9, "m": 1.3}])
def test_drift_and_its_removal(data: dict[str, float]) -> None:
    """At rest the velocity is what the search for the event has left, or zero if it is set to it."""
    for name, largest in (
        ("Slide_MechanicalFrictionIV_SwitchOnAcceleration", 1e-12),
        ("Slide_MechanicalFrictionV_Reinit", 1e-15),  # what rounding makes of a = 0
    ):
        result = load(PAPER, name).simulate(set=data)
        stops = [t for t, value in changes(result, "Sticking") if value]
        assert len(stops) >= 3
        rest = (numbers(result["Sticking"]) == 1) & between(result, stops)
        assert np.abs(result["v"][rest]).max() <= largest


def order_of(result: saltus.Result, names: dict[str, str]) -> list[str]:
    """Which of several Booleans became true, one after the other."""
    said = {f"Variable {name} changed to true": short for name, short in names.items()}
    return [said[line] for line in event_lines(result) if line in said]


def test_states_follow_the_diagram() -> None:
    """Slide VII: from rest by StartForward to Forward, and back to Sticking."""
    states = ("Forward", "Backward", "StartForward", "StartBackward", "Sticking")
    expected = ["Sticking", "StartForward", "Forward", "Sticking", "StartBackward", "Backward"] * 2
    six = run(PAPER, "Slide_MechanicalFrictionVIII_SixStates")
    assert order_of(six, {s: s for s in states}) in (expected, expected[1:])
    net = run(PAPER, "Slide_PetriNetsVIII_Friction")
    assert order_of(net, {f"{s[0].lower()}{s[1:]}.p": s for s in states}) in (expected, expected[1:])
    four = run(PAPER, "Slide_MechanicalFrictionXV_FourStates")
    shorter = [s for s in expected if not s.startswith("Start")]
    assert order_of(four, {s: s for s in ("Forward", "Backward", "Sticking")}) in (shorter, shorter[1:])


def test_curve_of_the_sticking_region_alone() -> None:
    """a = 2 sin(t) -+ 1 beyond 1 N, else 0: between the slides the velocity stays as it is."""
    result = run(PAPER, "Slide_MechanicalFrictionXIV_StickingRegion")
    t = numbers(result.time)
    one, two = math.pi / 6, 5 * math.pi / 6
    three, four = one + math.pi, two + math.pi

    def gained(s: Vector, start: float, end: float, sign: int) -> Vector:
        s = np.clip(s, start, end)
        return np.asarray(2 * (math.cos(start) - np.cos(s)) - sign * (s - start))

    exact = gained(t, one, two, 1) + gained(t, three, four, -1)
    np.testing.assert_allclose(result["v"], exact, atol=1e-6)
    leaps = [e.time for e in result.events if e.kind == "state"]
    np.testing.assert_allclose(leaps, [one, two, three, four], atol=1e-6)


# Petri nets


def test_place_gives_precedence() -> None:
    """Played by hand: clocks with first ticks and periods; before others those of higher priority."""
    result = run(PAPER, "Slide_PetriNetsIV_Place")
    clocks = ((1, 4), (1, 2), (2, 4), (2, 6))
    token, fired = False, [0, 0, 0, 0]
    for t in range(25):
        ticks = [t >= first and (t - first) % period == 0 for first, period in clocks]
        if not token and (ticks[0] or ticks[1]):
            fired[0 if ticks[0] else 1] += 1
            token = True
        elif token and (ticks[2] or ticks[3]):
            fired[2 if ticks[2] else 3] += 1
            token = False
        row = int(np.searchsorted(result.time, t + 0.25))
        assert bool(result["p_1"][row]) == token
        assert [result[f"fired[{k}]"][row] for k in (1, 2, 3, 4)] == fired
    assert min(fired) >= 2  # each had its turn


def test_transition_waits_for_all() -> None:
    result = run(PAPER, "Slide_PetriNetsVII_Transition")
    s = [False] * 4
    fires = 0
    for half in range(2, 40):
        t = half / 2
        if t % 1 == 0:
            s[0] = True
        if t % 2 == 0:
            s[1] = True
        if t >= 2.5 and (t - 2.5) % 2 == 0:
            s[2] = False
        if t >= 3.5 and (t - 3.5) % 3 == 0:
            s[3] = False
        if t >= 1.5 and s == [True, True, False, False]:
            s = [False, False, True, True]
            fires += 1
        row = int(np.searchsorted(result.time, t + 0.25))
        assert [bool(result[f"s_{k}"][row]) for k in (1, 2, 3, 4)] == s
    assert fires >= 3


@pytest.mark.parametrize("name", ["Slide_PetriNetsVIII_Friction", "Slide_PetriNetsXIV_SimpleConditions"])
def test_there_is_one_token(name: str) -> None:
    result = run(PAPER, name)
    places = ("start", "sticking", "startForward", "forward", "startBackward", "backward")
    assert np.all(sum(numbers(result[f"{place}.p"]) for place in places) == 1)
    assert not np.any(result["start.p"][1:])


def test_toggle() -> None:
    result = run(PAPER, "Slide_PetriNetsXII_Toggle")
    found = changes(result, "on.p")
    assert [value for _, value in found] == [1, 0, 1, 0, 1]
    np.testing.assert_allclose([t for t, _ in found], [0.5, 1.5, 2.5, 3.5, 4.5], atol=1e-7)
    assert np.all(numbers(result["on.p"]) + numbers(result["off.p"]) == 1)


def test_illegitimate_model_is_refused() -> None:
    """Slide XII: a state that is the opposite of what it was oscillates for ever."""
    model = saltus.load(
        "model Illegitimate\n  Boolean p_1(start = false, fixed = true);\nequation\n  p_1 = not pre(p_1);\n"
        "end Illegitimate;\n"
    )
    with pytest.raises(RunError) as refused:
        model.simulate()
    assert refused.value.diagnostics[0].code == "E404"


def test_or_and_and() -> None:
    result = run(PAPER, "Slide_PetriNetsXIII_OrAnd")

    def x(t: float) -> float:
        return math.sin(2 * t) - 0.5

    def y(t: float) -> float:
        return math.sin(0.7 * t - 2.1) - 0.5

    first = float(brentq(x, 0, 0.5))
    assert changes(result, "either.p") == [(pytest.approx(first, abs=1e-7), 1.0)]
    # x is above one half twice before y is for the first time, the second time still.
    meets = float(brentq(y, 3, 4))
    assert x(meets) > 0 and first + math.pi < meets
    assert changes(result, "both.p") == [(pytest.approx(meets, abs=1e-7), 1.0)]
    falls = math.pi / 2 - first
    expected = [(first, 1.0), (falls, 0.0), (first + math.pi, 1.0), (meets, 0.0)]
    found = changes(result, "half.p")
    assert [value for _, value in found] == [value for _, value in expected]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], atol=1e-7)
