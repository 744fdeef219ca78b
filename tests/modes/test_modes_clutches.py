"""Ideal clutches between two, three and many inertias, at the level of speeds and of angles.

With constant torques all is known in closed form (`rigid_shafts`). What momentum a clutch hands over when it
closes is a result of its own; the energy that is lost is what the closed form says.
"""

from __future__ import annotations

import numpy as np
import pytest
from leap_readings import between, event_times, impulse, impulses_at, limits
from mechanical_elements import ANGLE_ELEMENTS, SPEED_ELEMENTS
from rigid_shafts import Phase, RigidShafts
from scipy.linalg import expm
from shaft_checks import check_shafts

import saltus

SPEED_CLUTCHES = ["Clutch", "ExpressedClutch", "CoefficientClutch"]
ANGLE_CLUTCHES = ["Clutch", "HoldingClutch"]

TWO_SHAFTS = """
model TwoShafts
  Inertia j1(J = 2, w(start = 5, fixed = true)ANGLE), j2(J = 3, w(start = 0, fixed = true)ANGLE);
  KIND clutch(locked = time >= 1 and time < 2);
  Torque drive(tau = 4), load(tau = -1);
equation
  connect(drive.flange, j1.flange);
  connect(j1.flange, clutch.a);
  connect(clutch.b, j2.flange);
  connect(j2.flange, load.flange);
  annotation(experiment(StopTime = 3));
end TwoShafts;
"""
AT_ZERO = ", phi(start = 0, fixed = true)"


def two_shafts(kind: str, *, angles: bool = False) -> str:
    elements = ANGLE_ELEMENTS if angles else SPEED_ELEMENTS
    return elements + TWO_SHAFTS.replace("KIND", kind).replace("ANGLE", AT_ZERO if angles else "")


def motion_of_two() -> RigidShafts:
    torques, lock = np.array([4.0, -1.0]), {"clutch": np.array([-1.0, 1.0])}
    phases = [Phase(0.0, {}, torques), Phase(1.0, lock, torques), Phase(2.0, {}, torques)]
    return RigidShafts([2.0, 3.0], [5.0, 0.0], phases)


@pytest.mark.parametrize("kind", SPEED_CLUTCHES)
def test_clutch_between_two_inertias(kind: str) -> None:
    """7 and -1/3 before it closes: (14 - 1)/5 after it."""
    result = saltus.load(two_shafts(kind)).simulate()
    motion = motion_of_two()
    np.testing.assert_allclose(motion.leaps[0].after, 13 / 5)
    check_shafts(result, motion, ["j1", "j2"], {"clutch": "clutch.tau"})
    locked = (result.time > 1) & (result.time < 2)
    np.testing.assert_allclose(result["clutch.tau"][locked], motion.torques(1)["clutch"], atol=1e-9)
    assert np.all(result["clutch.tau"][(result.time < 1) | (result.time > 2)] == 0)
    assert result.statistics["programs"] == 2
    assert [i.time for i in result.impulses["clutch.tau"]] == [1.0]


@pytest.mark.parametrize("kind", ANGLE_CLUTCHES)
def test_clutch_between_two_angles(kind: str) -> None:
    result = saltus.load(two_shafts(kind, angles=True)).simulate(tolerance=1e-10)
    check_shafts(result, motion_of_two(), ["j1", "j2"], {"clutch": "clutch.tau"}, angles=True)
    locked = (result.time > 1) & (result.time < 2)
    assert np.ptp(result["clutch.phi_rel"][locked]) < 1e-9
    assert result.statistics["programs"] == 2


def test_states_and_index_change() -> None:
    """A lock of speeds takes one state away and makes the index 2 (3 if it is written as the derivative of an
    angle), one of angles takes two and makes it 3."""
    for text, states, index in [
        (two_shafts("Clutch"), [2, 1, 2], 2),
        (two_shafts("Clutch", angles=True), [4, 3, 4], 3),
        (two_shafts("HoldingClutch", angles=True), [4, 2, 4], 3),
    ]:
        modes = saltus.load(text).simulate().modes
        assert [(stay.start, stay.stop) for stay in modes] == [(0, 1), (1, 2), (2, 3)]
        assert [len(stay.mode.states) for stay in modes] == states
        assert modes[1].mode.index == index and modes[0].mode is modes[2].mode


@pytest.mark.parametrize("method", ["bdf", "ida"])
def test_integrators_agree(method: str) -> None:
    result = saltus.load(two_shafts("Clutch", angles=True)).simulate(method=method, tolerance=1e-10)
    check_shafts(result, motion_of_two(), ["j1", "j2"], {"clutch": "clutch.tau"}, angles=True)


THREE_SHAFTS = """
model ThreeShafts
  Inertia j1(J = 2, w(start = 5, fixed = true)ANGLE), j2(J = 3, w(start = 0, fixed = true)ANGLE);
  Inertia j3(J = 0.5, w(start = -4, fixed = true)ANGLE);
  Clutch c1(locked = time >= 1 and time < 4 or time >= 6), c2(locked = time >= 2 and time < 5 or time >= 6);
  Torque drive(tau = 4), load(tau = -2);
equation
  connect(drive.flange, j1.flange);
  connect(j1.flange, c1.a);
  connect(c1.b, j2.flange);
  connect(j2.flange, c2.a);
  connect(c2.b, j3.flange);
  connect(j3.flange, load.flange);
  annotation(experiment(StopTime = 7));
end ThreeShafts;
"""


@pytest.mark.parametrize("angles", [False, True])
def test_clutches_between_three_inertias(angles: bool) -> None:
    """One after the other, both open one by one, and at the end both close in the same instant."""
    elements = ANGLE_ELEMENTS if angles else SPEED_ELEMENTS
    result = saltus.load(elements + THREE_SHAFTS.replace("ANGLE", AT_ZERO if angles else "")).simulate(
        tolerance=1e-10
    )
    torques = np.array([4.0, 0.0, -2.0])
    c1, c2 = {"c1": np.array([-1.0, 1.0, 0.0])}, {"c2": np.array([0.0, -1.0, 1.0])}
    phases = [{}, c1, c1 | c2, c2, {}, c1 | c2]
    times = [0.0, 1.0, 2.0, 4.0, 5.0, 6.0]
    motion = RigidShafts(
        [2.0, 3.0, 0.5],
        [5.0, 0.0, -4.0],
        [Phase(t, locks, torques) for t, locks in zip(times, phases, strict=True)],
    )
    check_shafts(result, motion, ["j1", "j2", "j3"], {"c1": "c1.tau", "c2": "c2.tau"}, angles=angles)
    assert result.statistics["programs"] == 4  # both open, either closed, both closed
    # The first clutch was closed when the second one closed: it hands on what the second one takes.
    assert impulse(result, 2.0, "c1.tau") != 0


CHAIN = """
model Chain
  parameter Integer n = 6;
  Inertia j[n](J = {0.5 + 0.25*k for k in 1:n}, w(start = {(-1)^k*k for k in 1:n}, each fixed = true));
  Clutch c[n - 1](locked = {time >= 0.5*k for k in 1:n - 1});
  Torque drive(tau = 2);
equation
  connect(drive.flange, j[1].flange);
  for k in 1:n - 1 loop
    connect(j[k].flange, c[k].a);
    connect(c[k].b, j[k + 1].flange);
  end for;
  annotation(experiment(StopTime = 3));
end Chain;
"""


def test_clutches_in_an_array() -> None:
    """Six inertias are caught one by one."""
    result = saltus.load(SPEED_ELEMENTS + CHAIN).simulate()
    rows = np.diff(np.eye(6), axis=0)
    torques = np.array([2.0, 0, 0, 0, 0, 0])
    phases = [Phase(0.5 * k, {f"c{i + 1}": rows[i] for i in range(k)}, torques) for k in range(6)]
    motion = RigidShafts(
        [0.5 + 0.25 * k for k in range(1, 7)], [(-1.0) ** k * k for k in range(1, 7)], phases
    )
    locks = {f"c{k}": f"c[{k}].tau" for k in range(1, 6)}
    check_shafts(result, motion, [f"j[{k}]" for k in range(1, 7)], locks)
    assert result.statistics["programs"] <= 6


GEARED = """
model Geared "Gears hold in all modes, clutches in some"
  Inertia j1(J = 1, w(start = 6, fixed = true)ANGLE), j2(J = 0.7);
  Inertia j3(J = 3, w(start = 1, fixed = true)ANGLE), j4(J = 2);
  Gear g12(ratio = 2), g34(ratio = -1.5);
  Clutch clutch(locked = time >= 0.5 and time < 1.5);
  Brake brake(locked = time >= 2 and time < 2.5);
  Torque drive(tau = 3);
equation
  connect(drive.flange, j1.flange);
  connect(j1.flange, g12.a);
  connect(g12.b, j2.flange);
  connect(j2.flange, clutch.a);
  connect(clutch.b, j3.flange);
  connect(j3.flange, g34.a);
  connect(g34.b, j4.flange);
  connect(brake.flange, j4.flange);
  annotation(experiment(StopTime = 3));
end Geared;
"""


@pytest.mark.parametrize("angles", [False, True])
def test_gears_that_hold_in_all_modes(angles: bool) -> None:
    elements = ANGLE_ELEMENTS if angles else SPEED_ELEMENTS
    result = saltus.load(elements + GEARED.replace("ANGLE", AT_ZERO if angles else "")).simulate(
        tolerance=1e-10
    )
    gears = {"g12": np.array([1.0, -2.0, 0.0, 0.0]), "g34": np.array([0.0, 0.0, 1.0, 1.5])}
    clutch, brake = {"clutch": np.array([0.0, -1.0, 1.0, 0.0])}, {"brake": np.array([0.0, 0.0, 0.0, 1.0])}
    torques = np.array([3.0, 0, 0, 0])
    times = [0.0, 0.5, 1.5, 2.0, 2.5]
    phases = [gears, gears | clutch, gears, gears | brake, gears]
    motion = RigidShafts(
        [1.0, 0.7, 3.0, 2.0],
        [6.0, 3.0, 1.0, -2 / 3],
        [Phase(t, locks, torques) for t, locks in zip(times, phases, strict=True)],
    )
    torques_of = {
        "g12": "-g12.a.tau",
        "g34": "-g34.a.tau",
        "clutch": "clutch.tau",
        "brake": "-brake.flange.tau",
    }
    check_shafts(result, motion, ["j1", "j2", "j3", "j4"], torques_of, angles=angles)
    assert result.statistics["programs"] == 3


SYNCHRONISED = """
model Synchronised "Closes when both turn equally fast"
  Inertia j1(J = 2, w(start = 5, fixed = true)), j2(J = 3, w(start = 0, fixed = true));
  Clutch clutch(locked = closed);
  Torque drive(tau = 6);
  Boolean closed(start = false, fixed = true);
equation
  connect(j1.flange, clutch.a);
  connect(clutch.b, j2.flange);
  connect(j2.flange, drive.flange);
  when clutch.w_rel >= 0 then
    closed = true;
  end when;
  annotation(experiment(StopTime = 5));
end Synchronised;
"""


def test_closing_at_equal_speeds_makes_no_impulse() -> None:
    """The speeds differ by the error of the event's time only: that is projected away in silence."""
    result = saltus.load(SPEED_ELEMENTS + SYNCHRONISED).simulate(tolerance=1e-9)
    assert event_times(result) == pytest.approx([2.5], abs=1e-8)
    assert list(result.impulses) == []
    np.testing.assert_allclose(
        result["j1.w"], np.where(result.time < 2.5, 5.0, 5 + 6 / 5 * (result.time - 2.5)), atol=1e-7
    )
    locked = result.time > 2.5 + 1e-7
    np.testing.assert_allclose(result["clutch.tau"][locked], -6 * 2 / 5, atol=1e-9)
    assert result.statistics["programs"] == 2


TOOTHED = """
model Toothed "Falls in when the teeth meet"
  Inertia j1(J = 2, w(start = 5, fixed = true), phi(start = 0, fixed = true));
  Inertia j2(J = 3, w(start = 0, fixed = true), phi(start = 1, fixed = true));
  ToothedClutch clutch(locked = CONDITION);
  Boolean closed(start = false, fixed = true);
equation
  connect(j1.flange, clutch.a);
  connect(clutch.b, j2.flange);
  when clutch.phi_rel <= 0 then
    closed = true;
  end when;
  annotation(experiment(StopTime = 1));
end Toothed;
"""


@pytest.mark.parametrize("condition", ["closed", "time >= 0.2"])
def test_angles_that_meet_are_locked(condition: str) -> None:
    """The first shaft catches up at 0.2 s: by a state event, or by the clock, where the angles meet within
    the tolerance."""
    result = saltus.load(ANGLE_ELEMENTS + TOOTHED.replace("CONDITION", condition)).simulate(tolerance=1e-9)
    before, after = limits(result, 0.2, ["j1.w", "j2.w", "j1.phi", "j2.phi"])
    np.testing.assert_allclose(before, [5, 0, 1, 1], atol=1e-7)
    np.testing.assert_allclose(after, [2, 2, 1, 1], atol=1e-7)
    assert impulse(result, 0.2, "clutch.tau") == pytest.approx(6, abs=1e-7)
    late = result.time > 0.2 + 1e-7
    np.testing.assert_allclose(result["j1.phi"][late], 1 + 2 * (result.time[late] - 0.2), atol=1e-7)
    np.testing.assert_allclose(result["j1.phi"][late], result["j2.phi"][late], atol=1e-9)


SPRUNG = """
model Sprung "Two inertias on springs, locked for a while"
  Inertia j1(J = 1, w(start = 0, fixed = true), phi(start = 1, fixed = true));
  Inertia j2(J = 2, w(start = 3, fixed = true), phi(start = 0, fixed = true));
  Spring s1(c = 9), s2(c = 4);
  KIND clutch(locked = time >= 1 and time < 3);
equation
  connect(s1.flange, j1.flange);
  connect(j1.flange, clutch.a);
  connect(clutch.b, j2.flange);
  connect(j2.flange, s2.flange);
  annotation(experiment(StopTime = 5));
end Sprung;
"""


@pytest.mark.parametrize("kind", ANGLE_CLUTCHES)
def test_locked_springs(kind: str) -> None:
    """Angles stay apart while speeds are equal; the matrix exponential says how it all goes on."""
    result = saltus.load(ANGLE_ELEMENTS + SPRUNG.replace("KIND", kind)).simulate(
        tolerance=1e-10, interval=0.05
    )
    free = np.zeros((4, 4))
    free[0, 2] = free[1, 3] = 1
    free[2, 0], free[3, 1] = -9.0, -2.0
    locked = free.copy()
    locked[2, :2] = locked[3, :2] = [-3.0, -4 / 3]
    at_lock = expm(free) @ [1.0, 0.0, 0.0, 3.0]
    common = (at_lock[2] + 2 * at_lock[3]) / 3
    locked_from = np.array([at_lock[0], at_lock[1], common, common])
    at_release = expm(2 * locked) @ locked_from

    def exact(t: float) -> np.ndarray:
        if t < 1:
            return expm(free * t) @ [1.0, 0.0, 0.0, 3.0]
        return expm(locked * (t - 1)) @ locked_from if t < 3 else expm(free * (t - 3)) @ at_release

    away = between(result, [1.0, 3.0])
    found = np.array([result[name] for name in ("j1.phi", "j2.phi", "j1.w", "j2.w")])
    np.testing.assert_allclose(found[:, away], np.array([exact(t) for t in result.time[away]]).T, atol=1e-6)
    before, after = limits(result, 1.0, ["j1.w", "j2.w"])
    assert before[0] + 2 * before[1] == pytest.approx(after[0] + 2 * after[1], rel=1e-10)
    assert impulse(result, 1.0, "clutch.tau") == pytest.approx(2 * (after[1] - before[1]), rel=1e-10)
    assert impulses_at(result, 3.0) == {}
    assert result.statistics["programs"] == 2


BESIDE = """
model Beside "A clutch that counts the bounces of a ball"
  Inertia j1(J = 2, w(start = 5, fixed = true)), j2(J = 3, w(start = 0, fixed = true));
  Clutch clutch(locked = bounces >= 2 and bounces < 4);
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  connect(j1.flange, clutch.a);
  connect(clutch.b, j2.flange);
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
    bounces = pre(bounces) + 1;
  end when;
  annotation(experiment(StopTime = 2.5, Tolerance = 1e-9));
end Beside;
"""


def test_reinit_and_restart_in_one_event() -> None:
    """The ball bounces in the same instant in which the clutch closes: each keeps its own books."""
    result = saltus.load(SPEED_ELEMENTS + BESIDE).simulate()
    fall = np.sqrt(2 / 9.81)
    impacts = [fall, *(fall + 2 * fall * np.cumsum([0.8, 0.64, 0.512]))]
    counted = np.flatnonzero(np.diff(result["bounces"]))  # that h is positive again may be an event, too
    assert result.time[counted] == pytest.approx(impacts, abs=1e-7)
    before, after = limits(result, impacts[1], ["j1.w", "j2.w", "v"])
    speed = 9.81 * fall * 0.8
    np.testing.assert_allclose(before, [5, 0, -speed], atol=1e-7)
    np.testing.assert_allclose(after, [2, 2, 0.8 * speed], atol=1e-7)
    assert impulse(result, impacts[1], "clutch.tau") == pytest.approx(6)
    assert result["h"].min() > -1e-9
    assert result["bounces"][-1] == 4 and result["clutch.locked"][-1] == 0
