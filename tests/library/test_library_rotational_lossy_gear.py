"""The gear with losses: it only takes power, whichever side drives, and it can hold a load."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from rotational_rigs import away, integral, leaps, run, start

import saltus
from translated_models import translated

COVERS = ("Saltus.Rotational.LossyGear",)

J1, J2, RATIO, LOAD = 2.0, 5.0, 2.0, -2.0
SEEN = J2 / RATIO**2  # the second inertia as seen from the first shaft

TRAIN = f"""
  parameter Real force = 0, w0 = 0;
  R.Sources.SignalTorque drive(tau = DRIVE);
  R.Inertia a(J = 2, {start(w="w0")});
  R.LossyGear gear(ratio = 2, eta = 1, eta_back = 1);
  R.Inertia b(J = 5);
  R.Sources.ConstantTorque load(tau = -2);
equation
  connect(drive.flange, a.flange_a);
  connect(a.flange_b, gear.flange_a);
  connect(gear.flange_b, b.flange_a);
  connect(load.flange, b.flange_b);
"""


def train(drive: str | float, eta: float, back: float, stop: float, w: float = 0.0) -> saltus.Result:
    """Driven by an expression or by a number; one translation for all numbers."""
    constant = not isinstance(drive, str)
    values = {"gear.eta": eta, "gear.eta_back": back, "w0": w, **({"force": drive} if constant else {})}
    return run(TRAIN.replace("DRIVE", "force" if constant else drive), stop, tolerance=1e-10, set=values)


@cache
def inverse(eta: float, back: float, *, a_drives: bool) -> NDArray[np.float64]:
    """J1 a = drive - ta, SEEN a = tb + LOAD/RATIO; tb = eta ta if a drives, ta = back tb if b does."""
    last = [0.0, eta, -1.0] if a_drives else [0.0, 1.0, -back]
    return np.linalg.inv(np.array([[J1, 1.0, 0.0], [SEEN, 0.0, -1.0], last]))


def acceleration(drive: float, speed: float, eta: float, back: float) -> float:
    """Of the first shaft, by trying who drives."""
    for a_drives in (True, False):
        a, ta, tb = (inverse(eta, back, a_drives=a_drives) @ (drive, LOAD / RATIO, 0.0)).tolist()
        if (ta if a_drives else -tb) * speed >= 0:
            return float(a)
    raise AssertionError("nobody drives")


@pytest.mark.parametrize("eta", [1.0, 0.8, 0.5])
@pytest.mark.parametrize(("drive", "w"), [(3.0, 1.0), (0.5, 5.0), (-2.0, 30.0), (3.0, -30.0), (-4.0, -1.0)])
def test_either_side_drives_in_either_direction(eta: float, drive: float, w: float) -> None:
    """Accelerations are constant until the direction changes, as long as nobody else begins to drive."""
    result = train(drive, eta, eta, 0.5, w=w)
    expected = acceleration(drive, w, eta, eta)
    np.testing.assert_allclose(result["a.w"], w + expected * result.time, atol=1e-8)
    assert np.all(result["gear.loss"] * result["gear.w"] >= -1e-12)


def test_power_that_comes_out_is_eta_of_what_goes_in() -> None:
    result = train(3.0, 0.8, 0.6, 1.0, w=1.0)
    into, out = result["gear.flange_a.tau"] * result["a.w"], -result["gear.flange_b.tau"] * result["b.w"]
    np.testing.assert_allclose(out, 0.8 * into, rtol=1e-9)
    back = train(-3.0, 0.8, 0.6, 1.0, w=20.0)  # the inertia of b and what hangs on it drive a
    into, out = back["gear.flange_b.tau"] * back["b.w"], -back["gear.flange_a.tau"] * back["a.w"]
    driving = into > 0
    assert driving.all()
    np.testing.assert_allclose(out, 0.6 * into, rtol=1e-9)


def test_no_energy_is_made_in_a_motion_to_and_fro() -> None:
    """Against an integration by hand with small steps, through changes of direction and of who drives."""
    result = train("3*cos(time)", 0.8, 0.8, 12.0)
    h, t, w, by_hand = 1e-4, 0.0, 0.0, [0.0]
    for _ in range(120_000):
        middle = w + h / 2 * acceleration(3 * np.cos(t), w if w else 1.0, 0.8, 0.8)
        w += h * acceleration(3 * np.cos(t + h / 2), middle, 0.8, 0.8)
        t += h
        by_hand.append(w)
    np.testing.assert_allclose(
        result["a.w"], np.interp(result.time, h * np.arange(len(by_hand)), by_hand), atol=2e-4
    )
    lost = integral(result, result["gear.loss"] * result["gear.w"])
    work = integral(result, 3 * np.cos(result.time) * result["a.w"] + LOAD * result["b.w"])
    kept = J1 * result["a.w"][-1] ** 2 / 2 + J2 * result["b.w"][-1] ** 2 / 2
    assert lost > 1 and work == pytest.approx(kept + lost, rel=1e-4)


def test_gear_at_rest_holds_until_one_side_is_strong_enough() -> None:
    """The load of -2 is -1 at the first shaft. With eta = 0.5 it takes 2 to lift it and 0.5 to hold it."""
    result = train("time", 0.5, 0.5, 3.0)
    # Below 0.5 the load falls; it is caught and lifted again later. Start where it holds instead:
    assert result["a.w"][10] < 0
    held = train("0.6 + time", 0.5, 0.5, 3.0)
    lifts = 1.4  # 0.5 (0.6 + t) = 1
    assert leaps(held) == pytest.approx([lifts], abs=1e-7)
    t = held.time
    np.testing.assert_allclose(held["a.w"][t < lifts], 0, atol=1e-12)
    late = t > lifts
    # J1 a = D - ta, SEEN a = ta/2 - 1: a (J1/2 + SEEN) = D/2 - 1
    np.testing.assert_allclose(held["a.w"][late], (t[late] - lifts) ** 2 / 4 / (J1 / 2 + SEEN), atol=1e-7)
    keep = away(held, lifts)
    assert np.all(held["gear.tau_b"][keep & (t < lifts)] == pytest.approx(1.0))


def test_worm_hoist_holds_its_load_without_a_motor() -> None:
    """The example: lifts until 2 s, comes to rest, hangs until 4 s, and is pushed down."""
    result = translated("Saltus.Examples.Rotational.WormHoist").simulate(tolerance=1e-9)
    t = result.time
    ratio, j1, seen, load = 40.0, 0.01, 20 / 40.0**2, -60 / 40.0
    # Lifting: j1 a = 4 - ta, seen a = 0.6 ta + load.
    lifting = (0.6 * 4 + load) / (0.6 * j1 + seen)
    np.testing.assert_allclose(result["rotor.w"][t < 2], lifting * t[t < 2], rtol=1e-6, atol=1e-7)
    # Without a torque the rotor itself drives: j1 a = -ta.
    braking = load / (0.6 * j1 + seen)
    stands = 2 - lifting * 2 / braking
    assert leaps(result)[1] == pytest.approx(stands, abs=1e-6)
    hangs = (t > stands) & (t < 4)
    np.testing.assert_allclose(result["rotor.w"][hangs], 0, atol=1e-12)
    assert np.ptp(result["drum.phi"][hangs]) < 1e-9
    np.testing.assert_allclose(result["worm.tau_b"][hangs], -load, rtol=1e-9)
    # Down: the load gives nothing to the worm, ta = 0, and the motor pushes its own rotor only.
    late = t > 4
    np.testing.assert_allclose(result["rotor.w"][late], -1 / j1 * (t[late] - 4), rtol=1e-6, atol=1e-6)
    assert ratio * result["drum.phi"][-1] == pytest.approx(result["rotor.phi"][-1], rel=1e-9)
    assert np.all(result["worm.loss"] * result["worm.w"] >= -1e-9)
