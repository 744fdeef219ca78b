"""Engine by its map, converter, tyres, shift elements and the gearbox of six gears: closed forms, and the
equations of Willis."""

from __future__ import annotations

import numpy as np
import pytest
from rotational_rigs import Vector, away, leaps, run, start
from scipy.interpolate import RegularGridInterpolator

COVERS = (
    "Saltus.Powertrain.MappedEngine",
    "Saltus.Powertrain.OilConverter",
    "Saltus.Powertrain.Tyres",
    "Saltus.Powertrain.ShiftClutch",
    "Saltus.Powertrain.ShiftBrake",
    "Saltus.Powertrain.ShiftFreewheel",
    "Saltus.Powertrain.PressureTable",
    "Saltus.Powertrain.SixSpeedTransmission",
)

THROTTLES = (0, 0.25, 0.5, 0.75, 1)
SPEEDS = (0, 50, 100, 200, 300, 400, 500, 600)
MAP = (
    (0, -14, -17, -22, -28, -35, -43, -54),
    (60, 75, 72, 48, 30, 14, -2, -18),
    (100, 120, 132, 124, 104, 80, 56, 28),
    (120, 145, 165, 178, 170, 148, 118, 78),
    (130, 160, 182, 205, 215, 204, 176, 128),
)


# ---------------------------------------------------------------- engine, converter, tyres


@pytest.mark.parametrize(("throttle", "w"), [(0.6, 250), (0.1, 130), (1, 555), (0, 340)])
def test_engine_has_the_torque_of_its_map_after_a_lag(throttle: float, w: float) -> None:
    """At a given speed the torque goes from 0 to that of the map with the time constant of 0.08 s."""
    result = run(
        f"""
  Saltus.Powertrain.MappedEngine engine(throttle = {throttle});
  R.Sources.ConstantSpeed brake(w = {w}, phi(fixed = true));
equation
  connect(engine.flange, brake.flange);
""",
        stop=0.5,
    )
    final = float(RegularGridInterpolator((THROTTLES, SPEEDS), np.array(MAP, float))((throttle, w)))
    np.testing.assert_allclose(result["engine.tau"], final * (1 - np.exp(-result.time / 0.08)), atol=1e-6)
    np.testing.assert_allclose(-result["engine.flange.tau"], result["engine.tau"], atol=1e-12)


def test_engine_idles_with_a_closed_throttle() -> None:
    """It helps itself to as much throttle as its friction takes: (90 - w)/30 of a map that is linear
    there."""
    result = run(
        f"""
  Saltus.Powertrain.MappedEngine engine(throttle = 0, {start(w=200)});
equation
""",
        stop=30.0,
    )
    w = result["engine.w"][-1]
    opening = (90 - w) / 30
    torque = RegularGridInterpolator((THROTTLES, SPEEDS), np.array(MAP, float))
    assert 0 < opening < 0.25 and float(torque((opening, w))) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("turbine", [-50.0, 0.0, 100.0, 169.0, 171.0, 260.0])
def test_converter_builds_up_the_torques_of_its_characteristic(turbine: float) -> None:
    """Pump at 200 rad/s: those of `TorqueConverter`, with the lag of the oil."""
    result = run(
        f"""
  R.Sources.ConstantSpeed pump(w = 200, phi(fixed = true)), turbine(w = {turbine}, phi(fixed = true));
  Saltus.Powertrain.OilConverter converter(T = 0.05);
equation
  connect(pump.flange, converter.flange_a);
  connect(converter.flange_b, turbine.flange);
""",
        stop=1.0,
    )
    ratio = turbine / 200
    taken = 2.5e-3 * 200**2 * (1 - ratio)
    given = taken * (1.0 if ratio > 0.85 else 2 - ratio / 0.85)
    built = 1 - np.exp(-result.time / 0.05)
    np.testing.assert_allclose(result["converter.flange_a.tau"], taken * built, atol=1e-6)
    np.testing.assert_allclose(-result["converter.flange_b.tau"], given * built, atol=1e-6)


def test_tyres_are_a_spring_at_rest_and_a_slip_in_motion() -> None:
    """Road at w, wheels faster by 0.1: tau' = c*0.1 - w*r/sigma*tau; from 0, or along a straight line at
    rest."""
    for road in (0.0, 50.0):
        result = run(
            f"""
  R.Sources.ConstantSpeed axle(w = {road + 0.1}, phi(fixed = true)), road(w = {road}, phi(fixed = true));
  Saltus.Powertrain.Tyres tyres(c = 1e4, r = 0.3, sigma = 0.5);
equation
  connect(axle.flange, tyres.flange_a);
  connect(tyres.flange_b, road.flange);
""",
            stop=0.2,
        )
        rate = road * 0.3 / 0.5
        expected = 1e3 * result.time if rate == 0 else 1e3 / rate * (1 - np.exp(-rate * result.time))
        np.testing.assert_allclose(result["tyres.tau"], expected, rtol=1e-6, atol=1e-6)


# ---------------------------------------------------------------- shift elements


def test_clutch_is_released_slips_and_locks() -> None:
    """10 and 0 rad/s, inertias 2 and 3. Until 1 s the pressure is below that of the springs, and nothing
    happens; then 12*(0.55 - 0.1)/0.9 = 6: w_rel = -10 + 6 (1/2 + 1/3)(t - 1), until both have 4 at 3 s."""
    result = run(
        f"""
  R.Inertia a(J = 2, {start(w=10)}), b(J = 3, {start()});
  Saltus.Powertrain.ShiftClutch part(tau_max = 12, press = if time < 1 then 0.1 else 0.55);
equation
  connect(a.flange_b, part.flange_a);
  connect(part.flange_b, b.flange_a);
""",
        stop=4,
    )
    slip = np.clip(-10 + 5 * np.clip(result.time - 1, 0, None), None, 0)
    np.testing.assert_allclose(result["part.w_rel"], slip, atol=1e-7)
    assert leaps(result) == pytest.approx([1, 3], abs=1e-7)
    between = away(result, 1.0, 3.0)
    t = result.time[between]
    np.testing.assert_allclose(result["part.tau"][between], np.where((t > 1) & (t < 3), -6, 0), atol=1e-7)
    np.testing.assert_array_equal(result["part.released"][between], t < 1)
    np.testing.assert_array_equal(result["part.locked"][between], t > 3)
    assert result["a.w"][-1] == pytest.approx(4, abs=1e-7)


@pytest.mark.parametrize("direction", [1, -1])
def test_locked_clutch_lets_go_and_a_released_one_does_not_stick(direction: int) -> None:
    """A drive of 5 t needs 3/5 of itself in the clutch, which holds 6: it slips from 2 s on. Released, the
    other shaft stays at rest."""
    for press, moment in ((0.55, 2.0), (0.05, 0.0)):
        result = run(
            f"""
  R.Inertia a(J = 2, {start()}), b(J = 3, {start()});
  R.Sources.SignalTorque drive(tau = {direction}*5*time);
  Saltus.Powertrain.ShiftClutch part(tau_max = 12, press = {press});
equation
  connect(drive.flange, a.flange_a);
  connect(a.flange_b, part.flange_a);
  connect(part.flange_b, b.flange_a);
""",
            stop=3,
        )
        t = result.time
        if moment:
            assert leaps(result) == pytest.approx([moment], abs=1e-6)
            driven = np.where(t < 2, 5 * t**2 / 10, 2 + 6 / 3 * (t - 2))
        else:
            driven = 0 * t
        np.testing.assert_allclose(result["b.w"], direction * driven, atol=1e-6)


def test_brake_stops_a_shaft_holds_it_and_lets_go() -> None:
    """J = 2 at 6 rad/s, 12 from 1 s on: it stands at 2 s, is held against a drive of 2 from 3 s on, and let
    go at 4 s."""
    result = run(
        f"""
  R.Inertia shaft(J = 2, {start(w=6)});
  R.Sources.SignalTorque drive(tau = if time < 3 then 0 else 2);
  Saltus.Powertrain.ShiftBrake part(tau_max = 12, press = if time < 1 or time > 4 then 0 else 1);
equation
  connect(drive.flange, shaft.flange_a);
  connect(shaft.flange_b, part.flange_a);
""",
        stop=5,
    )
    t = result.time
    expected = np.where(t < 4, np.clip(6 - 6 * np.clip(t - 1, 0, None), 0, None), t - 4)
    np.testing.assert_allclose(result["shaft.w"], expected, atol=1e-6)


def test_freewheel_with_plates_drives_overruns_and_brakes() -> None:
    """10 on J = 2 and 3 for 1 s: both have 2. Then -4 on the first: it falls behind with 2 rad/s2. From 2 s
    on the plates hold the other back with 6, and the slip of 2 falls by 6/3 + 6/2 - 4/2 = 3 rad/s2, to the
    end at 2.667 s; locked, the plates hand on 3/5 of 4."""
    result = run(
        f"""
  R.Inertia a(J = 2, {start()}), b(J = 3, {start()});
  R.Sources.SignalTorque drive(tau = if time < 1 then 10 else -4);
  Saltus.Powertrain.ShiftFreewheel part(tau_max = 6, press = if time < 2 then 0 else 1);
equation
  connect(drive.flange, a.flange_a);
  connect(a.flange_b, part.flange_a);
  connect(part.flange_b, b.flange_a);
""",
        stop=3,
    )
    t = result.time
    slip = np.clip(np.where(t < 2, 2 * np.clip(t - 1, 0, None), 2 - 3 * (t - 2)), 0, None)
    np.testing.assert_allclose(result["part.w_rel"], slip, atol=1e-6)
    apart = away(result, 1.0, 2.0, 8 / 3)
    torque = np.select([t < 1, t < 2, t < 8 / 3], [-6.0, 0.0, 6.0], 12 / 5)
    np.testing.assert_allclose(result["part.tau"][apart], torque[apart], atol=1e-6)


# ---------------------------------------------------------------- the table of pressures


def test_pressures_overlap_and_wait() -> None:
    """Three elements, from gear 1 into gear 2 at 1 s: the first lets go after 0.2 s, the second is pressed
    at once, the third in both gears, but for 0.3 s; from 2 s on the engine brakes, with the first one."""
    result = run(
        """
  Saltus.Powertrain.PressureTable table(
    pressed = [0, 0, 0; 1, 0, 1; 0, 1, 1], braking = [0, 0, 0; 1, 0, 1; 1, 1, 1],
    T = 0.1, overlap = {0.2, 0.2, 0}, wait = {0, 0, 0.3},
    gear = if time < 1 then 1 else 2, brakes = time > 2);
equation
""",
        stop=3.0,
    )
    expected = [
        [(0, 1), (1.2, 0), (2, 1)],
        [(0, 0), (1, 1)],
        [(0, 1), (1, 0), (1.3, 1)],
    ]
    for k, targets in enumerate(expected, 1):
        np.testing.assert_allclose(
            result[f"table.press[{k}]"], lagging(result.time, targets, 0.1), atol=1e-6, err_msg=str(k)
        )


def lagging(time: Vector, targets: list[tuple[float, float]], lag: float) -> Vector:
    """What goes from 0 towards targets, each from its moment on."""
    value, found = 0.0, np.zeros(len(time))
    ends = [moment for moment, _ in targets[1:]] + [np.inf]
    for (moment, target), end in zip(targets, ends, strict=True):
        here = time >= moment
        found[here] = target + (value - target) * np.exp(-(time[here] - moment) / lag)
        value = target + (value - target) * np.exp(-(end - moment) / lag)
    return found


# ---------------------------------------------------------------- the gearbox

#: Shafts with their inertias, in the order of the unknowns; and the four sets.
SHAFTS = {
    "shaft": 0.03,
    "sun0": 0.005,
    "middle": 0.02,
    "ring1": 0.01,
    "sun12": 0.02,
    "output12": 0.03,
    "carrier2": 0.02,
    "sun3": 0.01,
    "carrier3": 0.05,
    "race": 0.005,
}
SETS = (
    (2.7, "sun0", "shaft", "middle"),
    (2.6, "sun12", "output12", "ring1"),
    (1.8, "sun12", "carrier2", "output12"),
    (2.7, "sun3", "carrier3", "output12"),
)
ELEMENTS = ("cl", "c0", "b0", "c1", "c2", "b1", "b2", "f1", "b3", "b4", "c3")

#: What is pressed, shafts that go together, and shafts that stand.
GEARS = {
    1: ("c0 c2 b1 b4", [("shaft", "sun0"), ("middle", "sun12")], ["ring1", "sun3", "race"]),
    2: ("c0 c1 b4", [("shaft", "sun0"), ("middle", "ring1"), ("race", "sun12")], ["carrier2", "sun3"]),
    3: ("c0 c1 b2 b4", [("shaft", "sun0"), ("middle", "ring1")], ["race", "sun12", "sun3"]),
    4: (
        "c0 c1 c2 b2 b4",
        [("shaft", "sun0"), ("middle", "ring1"), ("middle", "sun12")],
        ["race", "sun3"],
    ),
    5: (
        "c0 c1 c2 b2 c3",
        [("shaft", "sun0"), ("middle", "ring1"), ("middle", "sun12"), ("sun3", "carrier3")],
        ["race"],
    ),
    6: (
        "b0 c1 c2 b2 c3",
        [("middle", "ring1"), ("middle", "sun12"), ("sun3", "carrier3")],
        ["race", "sun0"],
    ),
    -1: ("c0 c2 b3 b4", [("shaft", "sun0"), ("middle", "sun12")], ["carrier2", "sun3", "race"]),
}


def speeds(gear: int) -> dict[str, float]:
    """Of all shafts at an input of 1, from the equations of Willis and from what a gear ties together."""
    place = {name: k for k, name in enumerate(SHAFTS)}
    rows = []
    for ratio, sun, carrier, ring in SETS:
        row = np.zeros(len(place))
        row[[place[sun], place[carrier], place[ring]]] += (1, -(1 + ratio), ratio)
        rows.append(row)
    _, together, still = GEARS[gear]
    for a, b in together:
        row = np.zeros(len(place))
        row[[place[a], place[b]]] = (1, -1)
        rows.append(row)
    for name in (*still, "shaft"):
        row = np.zeros(len(place))
        row[place[name]] = 1
        rows.append(row)
    found = np.linalg.solve(np.array(rows), np.eye(len(place))[-1])
    return dict(zip(place, found.tolist(), strict=True))


def test_ratios_that_the_documentation_tells() -> None:
    expected = {1: 4.93, 2: 2.85, 3: 1.90, 4: 1.37, 5: 1, 6: 0.73, -1: -2.47}
    assert {gear: 1 / speeds(gear)["carrier3"] for gear in GEARS} == pytest.approx(expected, abs=5e-3)


def pressures(gear: int) -> str:
    """What is pressed, the lock-up clutch included."""
    pressed = ("cl", *GEARS[gear][0].split())
    return "{" + ", ".join("1" if name in pressed else "0" for name in ELEMENTS) + "}"


@pytest.mark.parametrize("gear", GEARS)
def test_gearbox_locks_into_each_gear(gear: int) -> None:
    """60 N.m on a flywheel of 0.1 before, an inertia of 5 behind: when all has locked, all shafts have the
    speeds of the kinematics, and the acceleration is that of all inertias as seen from the input."""
    result = run(
        f"""
  R.Sources.ConstantTorque motor(tau = 60);
  R.Inertia flywheel(J = 0.1, {start(w=50)});
  Saltus.Powertrain.SixSpeedTransmission gearbox(press = {pressures(gear)});
  R.Inertia load(J = 5);
equation
  connect(motor.flange, flywheel.flange_a);
  connect(flywheel.flange_b, gearbox.flange_a);
  connect(gearbox.flange_b, load.flange_a);
""",
        stop=3.0,
        tolerance=1e-8,
    )
    ratios = speeds(gear)
    w = result["flywheel.w"]
    for name, ratio in ratios.items():
        assert result[f"gearbox.{name}.w"][-1] == pytest.approx(ratio * w[-1], abs=1e-5), name
    inside = sum(J * ratios[name] ** 2 for name, J in SHAFTS.items())
    seen = 0.1 + inside + 5 * ratios["carrier3"] ** 2
    assert result["flywheel.a"][-1] == pytest.approx(60 / seen, rel=1e-6)
    # What leaves it: the torque of the input times the ratio, but for what accelerates the shafts inside.
    given = (60 - 60 / seen * (0.1 + inside)) / ratios["carrier3"]
    assert -result["gearbox.flange_b.tau"][-1] == pytest.approx(given, rel=1e-5)
    assert not result.warnings and len(result.impulses) == 0


def test_a_shift_keeps_the_books_of_energy_and_of_angular_momentum() -> None:
    """From the second into the third gear at 2 s, under 60 N.m against a damper. What goes in and does not
    come out is in the shafts, or was lost in plates and oil; and the shafts have the angular momentum that
    the torques at both ends, of the brakes and of the stator have given."""
    second, third = (
        ", ".join("1" if name in GEARS[g][0].split() else "0" for name in ELEMENTS) for g in (2, 3)
    )
    result = run(
        f"""
  R.Sources.ConstantTorque motor(tau = 60);
  R.Inertia flywheel(J = 0.1, {start(w=150)});
  Saltus.Powertrain.SixSpeedTransmission gearbox;
  Saltus.Powertrain.PressureTable table(pressed = [{second}; {third}], first = 2,
    gear = if time < 2 then 2 else 3, brakes = false);
  R.Inertia load(J = 5);
  R.Damper road(d = 2);
  R.Fixed ground;
equation
  connect(motor.flange, flywheel.flange_a);
  connect(flywheel.flange_b, gearbox.flange_a);
  connect(gearbox.flange_b, load.flange_a);
  connect(load.flange_b, road.flange_a);
  connect(road.flange_b, ground.flange);
  connect(table.press, gearbox.press);
""",
        stop=4.0,
        tolerance=1e-9,
        interval=1e-4,
    )
    rows = (result.time >= 1.9) & (result.time <= 3.5)
    t = result.time[rows]

    def over(values: Vector) -> float:
        return float(np.trapezoid(values, t))

    def column(name: str) -> Vector:
        return result[f"gearbox.{name}"][rows]

    assert len(leaps(result)) >= 3 and column("f1.free")[0] == 0
    energy = sum(J * column(f"{name}.w") ** 2 / 2 for name, J in SHAFTS.items())
    gained = over(
        column("flange_a.tau") * result["flywheel.w"][rows] + column("flange_b.tau") * result["load.w"][rows]
    )
    lost = sum(
        over(column(f"{name}.tau") * column(f"{name}.w_rel"))
        for name in ("cl", "c0", "b0.plates", "c1", "c2", "b1.plates", "b2.plates", "f1", "b3", "b4", "c3")
    )
    assert lost > 100  # joule: the shift is no small one
    oil = over(
        column("converter.tau_pump") * column("converter.w_pump")
        - column("converter.tau_turbine") * column("converter.w_turbine")
    )
    assert gained == pytest.approx(energy[-1] - energy[0] + lost + oil, rel=1e-5)
    momentum = sum(J * column(f"{name}.w") for name, J in SHAFTS.items())
    housing = -sum(column(f"{name}.tau") for name in ("b0.plates", "b1.plates", "b2.plates", "b3", "b4"))
    stator = column("converter.tau_turbine") - column("converter.tau_pump")
    turned = over(column("flange_a.tau") + column("flange_b.tau") + housing + stator)
    assert momentum[-1] - momentum[0] == pytest.approx(turned, abs=1e-4 * over(np.abs(housing)))
