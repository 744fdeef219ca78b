"""Positions at rest against closed forms, with the modes to which the way there leads."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.tools.cli import main

HEATER = """model Heater "A room with a heater and a window"
  parameter Real P(unit = "W") = 1500, G(unit = "W/K") = 60, outside(unit = "degC") = 5;
  Real T(unit = "degC", start = 20, fixed = true);
equation
  4e5*der(T) = P - G*(T - outside);
end Heater;"""

MOTOR = """model Motor "With a fan, whose torque grows with the square of the speed"
  parameter Real V = 12, R = 0.5, k = 0.05, c = 1e-6;
  Real i(start = 0, fixed = true), w(start = 0, fixed = true), phi(start = 0.25, fixed = true);
equation
  1.5e-3*der(i) = V - R*i - k*w;
  2.5e-4*der(w) = k*i - c*w*abs(w);
  der(phi) = w;
end Motor;"""

TANK = """model Tank "Torricelli"
  parameter Real q = 0.02, a = 0.01, b = 0;
  Real h(start = 1, fixed = true, min = 0);
equation
  der(h) = q - a*sqrt(2*9.81*h) - b;
end Tank;"""

#: A diode with a forward voltage, off at the start.
CLIPPED = """model Clipped
  parameter Real V = 5, R = 100, forward = 0.7;
  Real u(start = 0, fixed = true), s, i;
  Boolean off = s < 0;
equation
  V = R*i + forward + (if off then s else 0) + u;
  i = if off then 0 else s;
  1e-3*der(u) = i - u/1000;
end Clipped;"""

#: A buck converter with its switch replaced by its mean over a period. At a small load the current of the
#: coil is zero in a part of the period (Erickson, Maksimovic: Fundamentals of Power Electronics, chapter 5).
AVERAGED = """model Averaged
  parameter Real V = 24, D = 0.5, L = 1e-4, C = 1e-4, R = 6, T = 1e-5;
  Real i(start = 0.01, fixed = true) "mean current", v(start = 1, fixed = true);
  Real D2 "part of the period in which the diode conducts", falls = 2*L*i/(D*T*(V - v)) - D;
  Boolean continuous = falls > 1 - D;
equation
  L*der(i) = D*V - (D + D2)*v;
  C*der(v) = i - v/R;
  D2 = if continuous then 1 - D else falls;
end Averaged;"""

TRAIN = """model Train "Two inertias with a spring between them, one driven and one braked"
  import Saltus.Rotational;
  Rotational.Sources.ConstantTorque source(tau = 3);
  Rotational.Inertia a(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Rotational.Spring spring(c = 500);
  Rotational.Inertia b(J = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Rotational.Damper brake(d = 0.5);
  Rotational.Fixed wall;
equation
  connect(source.flange, a.flange_a);
  connect(a.flange_b, spring.flange_a);
  connect(spring.flange_b, b.flange_a);
  connect(b.flange_b, brake.flange_a);
  connect(brake.flange_b, wall.flange);
end Train;"""


def test_a_heater() -> None:
    model = saltus.load(HEATER)
    for power, outside in ((1500, 5), (0, -10), (3000, 12)):
        found = model.steady(set={"P": power, "outside": outside})
        assert found["T"] == pytest.approx(outside + power / 60, rel=1e-12)
        assert found.is_stable and not found.free and not found.drifts and not found.moves_with_time
        (rate,) = found.linear.eigenvalues
        assert rate.time_constant == pytest.approx(4e5 / 60, rel=1e-9)


def fan_speed(voltage: float) -> float:
    """The torque k*(V - k*w)/R is c*w^2."""
    k, c, braking = 0.05, 1e-6, 0.05**2 / 0.5
    return (-braking + math.sqrt(braking**2 + 4 * c * k * voltage / 0.5)) / (2 * c)


def test_a_motor_whose_angle_goes_on() -> None:
    """The angle is free: it has no steady state, unless that is said to be right."""
    model = saltus.load(MOTOR)
    with pytest.raises(saltus.RunError) as caught:
        model.steady()
    told = str(caught.value)
    assert "E414" in told and "`phi` goes on at a constant rate forever" in told and "--free phi" in told
    assert f"`der(phi)` stays {fan_speed(12):.6g}" in told
    found = model.steady(free=["phi"])
    assert found["w"] == pytest.approx(fan_speed(12), rel=1e-10)
    assert found["phi"] == 0.25 and found.free == (("phi",),)
    assert dict(found.drifts) == {"phi": pytest.approx(fan_speed(12), rel=1e-9)}
    assert found.is_stable and "`phi` goes on at" in str(found)


def test_an_angle_that_stays_where_it_is() -> None:
    """Without voltage nothing turns: any angle is a steady state, and this is said."""
    found = saltus.load(MOTOR).steady(state={"w": 40.0, "phi": -3.0}, set={"V": 0})
    assert abs(found["w"]) < 1e-9 and found["phi"] == pytest.approx(-3.0, abs=1e-9)
    assert found.free == (("phi",),) and not found.drifts
    assert "`phi` is free" in str(found)


def test_angles_that_are_free_together() -> None:
    """The twist is what carries the torque, and both angles go on at the same rate."""
    model = saltus.load(TRAIN)
    found = model.steady(free=["*.phi"])
    assert found["a.w"] == pytest.approx(6, rel=1e-9) and found["b.w"] == pytest.approx(6, rel=1e-9)
    assert found["a.phi"] - found["b.phi"] == pytest.approx(3 / 500, rel=1e-9)
    assert dict(found.drifts) == {"a.phi": pytest.approx(6), "b.phi": pytest.approx(6)}
    assert found.free == (("a.phi", "b.phi"),)
    with pytest.raises(saltus.RunError, match=r"`a\.phi` and `b\.phi` go on at a constant rate forever"):
        model.steady()
    # One of them alone cannot go on: it would wind up the spring.
    with pytest.raises(saltus.RunError, match="E414"):
        model.steady(free=["a.phi"])


@settings(max_examples=20, deadline=None)
@given(st.floats(1e-3, 0.1), st.floats(1e-3, 0.05), st.floats(0.01, 9))
def test_a_tank(q: float, a: float, start: float) -> None:
    model = _loaded(TANK)
    found = model.steady(set={"q": q, "a": a, "h.start": start})
    assert found["h"] == pytest.approx((q / a) ** 2 / (2 * 9.81), rel=1e-9)
    rate = -a * math.sqrt(9.81 / (2 * found["h"]))
    assert found.linear.A[0, 0] == pytest.approx(rate, rel=1e-6)


def test_a_tank_with_nothing_that_flows_out() -> None:
    with pytest.raises(saltus.RunError) as caught:
        saltus.load(TANK).steady(set={"a": 0})
    told = str(caught.value)
    assert "E414" in told and "`h` goes on" in told and "`der(h)` stays 0.02" in told


@pytest.mark.parametrize("supply", [5.0, 0.5, -3.0])
def test_a_diode_that_comes_to_conduct_or_not(supply: float) -> None:
    """Off at the start; if the supply is above the forward voltage it conducts at rest."""
    found = saltus.load(CLIPPED).steady(set={"V": supply})
    wanted = max(supply - 0.7, 0) * 1000 / 1100
    assert found["u"] == pytest.approx(wanted, abs=1e-12)
    assert found.variables["off"] is (supply < 0.7)
    assert found.variables["i"] == pytest.approx(wanted / 1000, abs=1e-14)
    rate = -(1000 + 1e6 / 100) / 1000 if supply > 0.7 else -1.0
    assert found.linear.A[0, 0] == pytest.approx(rate, rel=1e-9)


@pytest.mark.parametrize("load", [6.0, 30.0, 60.0, 300.0])
@pytest.mark.parametrize("duty", [0.3, 0.5, 0.8])
def test_an_averaged_converter(load: float, duty: float) -> None:
    """The ratio of voltages in continuous and in discontinuous conduction."""
    found = saltus.load(AVERAGED).steady(set={"R": load, "D": duty})
    ripple = 2 * 1e-4 / (load * 1e-5)
    continuous = 1 - duty < ripple
    ratio = duty if continuous else 2 / (1 + math.sqrt(1 + 4 * ripple / duty**2))
    assert found["v"] / 24 == pytest.approx(ratio, rel=1e-9)
    assert found.variables["continuous"] is continuous
    assert found["i"] == pytest.approx(ratio * 24 / load, rel=1e-9)


def test_a_switch_without_rest() -> None:
    """A thermostat: with its heater on it would be too warm at rest, with it off too cold."""
    model = saltus.load(
        """model House
          Real T(start = 15, fixed = true);
          Boolean on(start = true, fixed = true) = T < 19 or pre(on) and T < 21;
        equation
          der(T) = (if on then 40 else 10) - T;
        end House;"""
    )
    with pytest.raises(saltus.RunError) as caught:
        model.steady()
    told = str(caught.value)
    assert "E414" in told and "each mode would come to rest beyond its end" in told
    assert "while `T < 21` is true, it would come to rest where that is false" in told


def test_a_mode_with_memory_is_entered_as_a_run_enters_it() -> None:
    """A latch: once the level has been above 2 the drain is open for good."""
    latch = saltus.load(
        """model Latch
          parameter Real q = 3;
          Real h(start = 0, fixed = true);
          Boolean open(start = false, fixed = true);
        equation
          der(h) = q - (if open then 4 else 1)*h;
          when h > 2 then open = true; end when;
        end Latch;"""
    )
    assert latch.steady()["h"] == pytest.approx(0.75) and latch.steady()["open"] is True
    low = latch.steady(set={"q": 1})
    assert low["h"] == pytest.approx(1) and low["open"] is False


def test_a_mode_may_end_before_newton_does() -> None:
    """Paper 004: with the valve closed the tank would be empty at rest, where the root has no derivative;
    long before that the valve opens, and then it would be too full."""
    model = saltus.load("examples/TankLevel.mo")
    with pytest.raises(saltus.RunError) as caught:
        model.steady()
    told = str(caught.value)
    assert "each mode would come to rest beyond its end" in told and "while `h > hSet` is false" in told


def test_a_model_without_states() -> None:
    model = saltus.load("model Static parameter Real a = 2; Real y = a^2; end Static;")
    found = model.steady()
    assert found.variables["y"] == 4 and found.linear.states == () and found.is_stable
    assert model.linearise(0.5, inputs=["a"], outputs=["y"]).D[0, 0] == pytest.approx(4)


def test_several_positions_each_from_its_own_side() -> None:
    """x' = x - x^3: two are stable, the one between them is not, and that is said."""
    model = saltus.load("model Two Real x(start = 2, fixed = true); equation der(x) = x - x^3; end Two;")
    assert model.steady()["x"] == pytest.approx(1) and model.steady().is_stable
    assert model.steady(state={"x": -0.7})["x"] == pytest.approx(-1)
    middle = model.steady(state={"x": 0.1})
    assert middle["x"] == pytest.approx(0, abs=1e-9) and not middle.is_stable
    assert "not stable" in str(middle)


def test_none_is_told() -> None:
    """A mass that falls: its speed cannot stop growing; and a loop without a solution."""
    falling = saltus.load(
        """model Falling Real x(start = 0, fixed = true), v(start = 0, fixed = true);
        equation der(x) = v; der(v) = -9.81; end Falling;"""
    )
    with pytest.raises(saltus.RunError, match=r"`der\(v\)` is -9.81 wherever the states are"):
        falling.steady()
    never = saltus.load(
        "model Never Real x(start = 0.5, fixed = true); equation der(x) = 1 + x^2; end Never;"
    )
    with pytest.raises(saltus.RunError):
        never.steady()


def test_where_newton_does_not_lead_a_run_does() -> None:
    """The arc tangent far from its zero: Newton's method alone diverges; and a position from which it cannot
    begin, as the derivative does not depend on the state there."""
    far = saltus.load("model Far Real x(start = 50, fixed = true); equation der(x) = -atan(x - 1); end Far;")
    assert far.steady()["x"] == pytest.approx(1, abs=1e-9)
    flat = saltus.load(
        """model Flat Real x(start = 0, fixed = true);
        equation der(x) = if x < 0.5 then 1 else 2 - 2*x; end Flat;"""
    )
    assert flat.steady()["x"] == pytest.approx(1, abs=1e-9)


def test_what_depends_on_time_is_taken_as_it_is_then() -> None:
    model = saltus.load(
        """model Step Real x(start = 0, fixed = true);
        equation der(x) = (if time < 1 then 2 else 5) - x; end Step;"""
    )
    before, after = model.steady(), model.steady(2.0)
    assert before["x"] == pytest.approx(2) and after["x"] == pytest.approx(5)
    assert before.moves_with_time and after.time == 2 and "depends on time" in str(before)


def test_inputs_are_those_that_are_given() -> None:
    model = saltus.load(
        """model Heated input Real P; Real T(start = 0, fixed = true);
        equation 10*der(T) = P - 2*T; end Heated;"""
    )
    constant = model.steady(signals={"P": 100.0})
    assert constant["T"] == pytest.approx(50) and not constant.moves_with_time
    assert not model.steady(set={"P": 100.0}).moves_with_time
    assert model.steady(1.0, signals={"P": ([0, 2], [0, 100])}).moves_with_time


def test_a_run_and_a_linear_system_begin_there() -> None:
    model = saltus.load(MOTOR)
    point = model.steady(free=["phi"], set={"V": 9})
    run = model.simulate(start_from=point, set={"V": 9}, stop_time=0.5)
    assert np.ptp(run["w"]) < 1e-6 * run["w"][0] and run["phi"][-1] > 1
    step = model.simulate(start_from=point, set={"V": 12}, stop_time=5)
    assert step["w"][0] == point["w"] and step["w"][-1] == pytest.approx(fan_speed(12), rel=1e-4)
    near = model.linearise(state=point, set={"V": 9}, inputs=["V"], outputs=["w"])
    w = point["w"]
    assert near.A[1, 1] == pytest.approx(-2 * 1e-6 * w / 2.5e-4, rel=1e-6)
    change = (fan_speed(9.001) - fan_speed(8.999)) / 0.002
    assert near.states == ("i", "w", "phi")
    fast = near.A[:2, :2]
    assert (-np.linalg.solve(fast, near.B[:2]))[1, 0] == pytest.approx(change, rel=1e-5)


def test_delays_have_a_past() -> None:
    model = saltus.load(
        "model Late Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.1); end Late;"
    )
    with pytest.raises(saltus.RunError, match="a model with delays has a history"):
        model.steady()


def test_a_mode_without_states() -> None:
    """While the diode blocks there is no current, and no state."""
    model = saltus.load("examples/InductorRectifier.mo")
    found = model.steady(0.015, free=["*"])
    assert found.variables["diode.blocks"] is True and found.linear.states == ()
    assert found.variables["inductor.i"] == 0


def test_wrong_usage() -> None:
    model = saltus.load(HEATER)
    with pytest.raises(saltus.UsageError, match="no state is called `t`"):
        model.steady(free=["t"])
    with pytest.raises(TypeError, match="stoptime"):
        model.steady(stoptime=3)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Motor.mo").write_text(MOTOR)
    assert run("steady", "Motor.mo") == 3
    assert "--free phi" in capsys.readouterr().err
    for name in ("point.csv", "point.mat", "point.json"):
        assert run("steady", "Motor.mo", "--free", "phi", "--set", "V=9", "--output", name) == 0
    out = capsys.readouterr().out
    assert "Motor at rest" in out and "STATES 3" in out and "EIGENVALUES 3" in out
    assert json.loads(Path("point.json").read_text())["states"]["w"] == pytest.approx(fan_speed(9), rel=1e-10)
    for name in ("point.csv", "point.mat"):
        arguments = (
            "--start-from",
            name,
            "--set",
            "V=9",
            "--stop-time",
            "0.1",
            "--quiet",
            "--output",
            "run.csv",
        )
        assert run("simulate", "Motor.mo", *arguments) == 0
        assert np.ptp(saltus.read_result("run.csv")["w"]) < 1e-5 * fan_speed(9)
    assert run("linearise", "Motor.mo", "--steady", "--free", "phi", "--inputs", "V", "--outputs", "w") == 0
    assert "B: states by inputs" in capsys.readouterr().out
    assert run("linearise", "Motor.mo", "--free", "phi") == 2
    assert run("steady", "Motor.mo", "--free", "psi") == 2
    assert run("steady", "Motor.mo", "--free", "phi", "--output", "point.doc") == 2


_LOADED: dict[str, saltus.Model] = {}


def _loaded(text: str) -> saltus.Model:
    if text not in _LOADED:
        _LOADED[text] = saltus.load(text)
    return _LOADED[text]
