"""Clutches, brakes and freewheels of `Saltus.Rotational`.

Most torques are constant, so that motions are lines; momentum is conserved where they lock.
"""

from __future__ import annotations

import numpy as np
import pytest
from rotational_rigs import away, integral, leaps, limits, run, start, weight
from scipy.optimize import brentq

import saltus
from translated_models import translated

COVERS = (
    "Saltus.Rotational.Clutch",
    "Saltus.Rotational.IdealClutch",
    "Saltus.Rotational.Brake",
    "Saltus.Rotational.Freewheel",
    "Saltus.Rotational.OneWayClutch",
)

PAIR = """
  R.Inertia a(J = 2, {a});
  R.Inertia b(J = 3, {b});
  R.Sources.SignalTorque drive(tau = {drive});
  R.{part};
equation
  connect(drive.flange, a.flange_a);
  connect(a.flange_b, part.flange_a);
  connect(part.flange_b, b.flange_a);
"""


def pair(part: str, drive: str = "0", wa: float = 0.0, wb: float = 0.0, stop: float = 2.0) -> saltus.Result:
    """Inertias of 2 and 3, the first one driven, with a part between them."""
    return run(PAIR.format(part=part, drive=drive, a=start(w=wa), b=start(w=wb)), stop)


def test_clutch_slips_until_speeds_meet_and_locks() -> None:
    """10 and 0, torque 0.4*0.5*60*press = 12 press; at press 1/2 the speeds meet at 2 s at the common 4."""
    result = pair("Clutch part(mu = 0.4, cgeo = 0.5, fn_max = 60, press = 0.5)", wa=10, stop=3)
    t = result.time
    np.testing.assert_allclose(result["a.w"], np.where(t < 2, 10 - 3 * t, 4), atol=1e-7)
    np.testing.assert_allclose(result["b.w"], np.where(t < 2, 2 * t, 4), atol=1e-7)
    assert leaps(result) == pytest.approx([2.0], abs=1e-8)
    keep = away(result, 2.0)
    np.testing.assert_allclose(result["part.tau"][keep], np.where(t < 2, -6, 0)[keep], atol=1e-9)
    assert len(result.impulses) == 0  # it locks without a jolt
    assert [len(stay.mode.states) for stay in result.modes] == [4, 3]
    lost = integral(result, result["part.tau"] * result["part.w_rel"])
    assert lost == pytest.approx(2 * 10**2 / 2 - 5 * 4**2 / 2, rel=1e-6)


def test_locked_clutch_slips_where_more_than_its_torque_is_asked_for() -> None:
    """The drive 5 t needs 3/5 of itself in the clutch, which holds 6: it slips from 2 s on. With a peak of
    1.5 it holds 9, until 3 s, and its torque falls to 6 there."""
    for peak, moment in ((1.0, 2.0), (1.5, 3.0)):
        result = pair(
            f"Clutch part(mu = 0.3, cgeo = 1, fn_max = 20, peak = {peak}, press = 1)", "5*time", stop=4
        )
        assert leaps(result) == pytest.approx([moment], abs=1e-8)
        t = result.time
        at = moment**2 / 2  # speed of both when it begins to slip
        keep = away(result, moment)
        tau = np.where(t < moment, 3 * t, 6)
        np.testing.assert_allclose(-result["part.tau"][keep], tau[keep], atol=1e-7)
        np.testing.assert_allclose(
            result["b.w"], np.where(t < moment, t**2 / 2, at + 2 * (t - moment)), atol=1e-7
        )
        fast = at + 5 / 4 * (t**2 - moment**2) - 3 * (t - moment)
        np.testing.assert_allclose(result["a.w"], np.where(t < moment, t**2 / 2, fast), atol=1e-7)


def test_open_clutch_hands_on_nothing_but_the_drag_of_its_oil() -> None:
    """With press <= 0 only the viscous part is left: the difference of speeds decays with d (1/2 + 1/3)."""
    result = pair("Clutch part(fn_max = 100, d = 1.2, press = -1)", wa=5, stop=3)
    np.testing.assert_allclose(result["part.w_rel"], -5 * np.exp(-result.time), atol=1e-7)
    free = pair("Clutch part(fn_max = 100, press = 0)", "2", wa=-1, stop=3)
    np.testing.assert_allclose(free["a.w"], -1 + free.time, atol=1e-8)  # through zero slip at 1 s
    np.testing.assert_allclose(free["b.w"], 0, atol=1e-12)


def test_ideal_clutch_conserves_momentum_in_an_instant() -> None:
    result = pair("IdealClutch part(closed = time >= 1 and time < 2)", "time", wa=5, wb=-1, stop=3)
    before, after = limits(result, 1.0, "a.w", "b.w")
    np.testing.assert_allclose(before, [5.25, -1], atol=1e-7)
    common = (2 * before[0] + 3 * before[1]) / 5
    np.testing.assert_allclose(after, common, rtol=1e-13)
    assert weight(result, "part.tau", 1.0) == pytest.approx(-3 * (common - before[1]), rel=1e-12)
    at_end = common + (2**2 - 1) / 2 / 5
    assert result["b.w"][-1] == pytest.approx(at_end, rel=1e-8)
    assert result["a.w"][-1] == pytest.approx(at_end + (3**2 - 2**2) / 2 / 2, rel=1e-8)


def test_flywheels_meet_with_the_same_loss() -> None:
    """The example: an instant or 0.4 s, both end at 4 rad/s, and 60 J of 100 are lost."""
    result = translated("Saltus.Examples.Rotational.FlywheelsMeet").simulate(tolerance=1e-10)
    for k in (1, 2):
        for body in ("turning", "resting"):
            assert result[f"{body}{k}.w"][-1] == pytest.approx(4.0, rel=1e-8)
    assert weight(result, "instant.tau", 1.0) == pytest.approx(-12.0, rel=1e-9)
    plates = leaps(result)[-1]
    assert plates == pytest.approx(1.4, abs=1e-8)
    assert integral(result, result["plates.tau"] * result["plates.w_rel"]) == pytest.approx(60.0, rel=1e-4)


def test_brake_stops_a_shaft_and_holds_it() -> None:
    """4 rad/s, torque 3 forwards, brake 12*press with press = t: J w' = 3 - 12 t until it stands; it holds
    until the drive, which grows from 2 s on, exceeds it: 3 + 20 (t - 2) = 12 * 1."""
    result = run(
        f"""
  R.Inertia body(J = 2, {start(w=4)});
  R.Sources.SignalTorque drive(tau = 3 + 20*max(0, time - 2));
  R.Brake brake(mu = 0.4, cgeo = 1, fn_max = 30, press = min(1, time));
equation
  connect(drive.flange, brake.flange_a);
  connect(brake.flange_b, body.flange_a);
""",
        stop=3.0,
    )
    # At 1 s the speed is 2.5; from then on it falls by 4.5 per second.
    stands = 1 + 2.5 / 4.5
    slips = 2 + 9 / 20
    found = leaps(result)
    assert min(abs(t - stands) for t in found) < 1e-7 and min(abs(t - slips) for t in found) < 1e-7
    t = result.time
    early, rest, late = t < 1, (t > stands) & (t < slips), t > slips
    np.testing.assert_allclose(result["body.w"][early], (4 + 1.5 * t - 3 * t**2)[early], atol=1e-7)
    np.testing.assert_allclose(result["body.w"][rest], 0, atol=1e-12)
    np.testing.assert_allclose(result["body.w"][late], 5 * (t[late] - slips) ** 2, atol=1e-6)


def test_freewheel_drives_one_way_only() -> None:
    """Driven with 10 cos(t) + 1, both go together until the torque turns; then b runs ahead at its speed and
    a comes back, until it has caught up."""
    result = pair("Freewheel part", "10*cos(time) + 1", stop=9.0)
    t = result.time
    parts = float(np.arccos(-0.1))

    def gained(x: float) -> float:
        """Momentum of a since then."""
        return float(10 * (np.sin(x) - np.sin(parts)) + x - parts)

    meets = brentq(gained, 5.0, 8.0, xtol=1e-14)
    assert leaps(result)[:2] == pytest.approx([parts, meets], abs=1e-6)
    free = (t > parts) & (t < meets)
    ahead = (10 * np.sin(parts) + parts) / 5
    np.testing.assert_allclose(result["b.w"][t < parts], ((10 * np.sin(t) + t) / 5)[t < parts], atol=1e-6)
    np.testing.assert_allclose(result["b.w"][free], ahead, atol=1e-6)
    np.testing.assert_allclose(result["a.w"][free], [ahead + gained(x) / 2 for x in t[free]], atol=1e-6)
    assert np.all(result["part.w_rel"] > -1e-8) and np.all(result["part.tau"] < 1e-8)


def test_freewheel_that_is_struck_locks_with_an_impulse() -> None:
    """An ideal clutch throws a flywheel against the slower side: the freewheel takes all three along."""
    result = run(
        f"""
  R.Inertia hammer(J = 1, {start(w=12)});
  R.IdealClutch hits(closed = time >= 1);
  R.Inertia a(J = 2, {start()});
  R.Freewheel free;
  R.Inertia b(J = 3, {start()});
equation
  connect(hammer.flange_b, hits.flange_a);
  connect(hits.flange_b, a.flange_a);
  connect(a.flange_b, free.flange_a);
  connect(free.flange_b, b.flange_a);
""",
        stop=2.0,
    )
    for body in ("hammer", "a", "b"):
        assert result[f"{body}.w"][-1] == pytest.approx(2.0, rel=1e-9)
    assert weight(result, "free.tau", 1.0) == pytest.approx(-6.0, rel=1e-9)


def test_one_way_clutch_coasts_brakes_and_locks() -> None:
    """Driven together; overrun against tau_max = 6 press; with press = 0 it is a freewheel."""
    part = "OneWayClutch part(mu = 0.3, cgeo = 1, fn_max = 20, press = if time < 2 then 0 else 1)"
    result = pair(part, "if time < 1 then 10 else -4", stop=6.0)
    # Together with 2 rad/s2 for 1 s; then a slows down by 2 per second, alone.
    before, _ = limits(result, 2.0, "a.w", "b.w")
    np.testing.assert_allclose(before, [0, 2], atol=1e-8)
    # From 2 s on the plates: a' = (-4 + 6)/2 = 1, b' = -6/3 = -2, so the speeds meet after 2/3 s.
    meet = 2 + 2 / 3
    assert leaps(result)[-1] == pytest.approx(meet, abs=1e-7)
    # The drive of -4 then brakes both: 3/5 of 4 through the plates, less than 6.
    t = result.time
    late = t > meet + 1e-9  # the left limit may be there by its last digits
    np.testing.assert_allclose(result["b.w"][late], 2 / 3 - 4 / 5 * (t[late] - meet), atol=1e-7)
    np.testing.assert_allclose(result["part.tau"][late], 12 / 5, atol=1e-8)
    np.testing.assert_allclose(result["part.tau"][t < 1], -6, atol=1e-8)
