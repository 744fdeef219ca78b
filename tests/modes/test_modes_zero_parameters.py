"""Elements whose parameters are zero: a leaky diode without a leak, a switch without resistance, friction
without a viscous part. The same model, with other values of these parameters, needs no mode programs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import saltus

RECTIFIER = """
model Rectifier "Source, inductor, diode and resistor in series"
  parameter Real L = 0.02, R = 5, Ron = 0, Goff = 0;
  Real i(start = 0, fixed = true), u, s;
  Boolean blocks = s < 0;
equation
  10*sin(100*3.141592653589793*time) = L*der(i) + u + R*i;
  u = if blocks then s else Ron*s;
  i = if blocks then Goff*s else s;
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-9));
end Rectifier;
"""


def current(t: float) -> float:
    """Of the diode that conducts from the start: L i' + R i = 10 sin(w t)."""
    w, r = 100 * np.pi, 5.0
    x = w * 0.02
    forced = r * np.sin(w * t) - x * np.cos(w * t) + x * np.exp(-r / 0.02 * t)
    return float(10 / (r**2 + x**2) * forced)


def test_diode_without_a_leak() -> None:
    model = saltus.load(RECTIFIER)
    result = model.simulate()
    end = brentq(current, 0.011, 0.015, xtol=1e-14)
    assert [stay.stop for stay in result.modes] == pytest.approx([end, 0.02, 0.03], abs=1e-8)
    first = result.time < end
    np.testing.assert_allclose(result["i"][first], [current(t) for t in result.time[first]], atol=1e-7)
    blocking = (result.time > end) & (result.time < 0.02)
    assert np.abs(result["i"][blocking]).max() < 1e-12
    on, off = result.modes.visited
    assert (on.states, off.states, off.index) == (("i",), (), 2)
    assert [g.text for g in off.fixed] == ["blocks"]  # parameters are told nowhere

    leaky = model.simulate(set={"Ron": 1e-3, "Goff": 1e-3})
    assert leaky.statistics["programs"] == 1
    assert model.simulate().statistics["programs"] == 2  # and again


SWITCH = """
model Switch "Two capacitors are joined"
  parameter Real Ron = 0, Goff = 0;
  Real v1(start = 3, fixed = true), v2(start = 0, fixed = true), i, s;
  Boolean closed = time >= 0.5;
equation
  1*der(v1) = -i;
  2*der(v2) = i;
  v1 - v2 = if closed then Ron*s else s;
  i = if closed then s else Goff*s;
end Switch;
"""


def test_switch_without_resistance() -> None:
    """With resistance the voltages meet exponentially; without, they jump, and the charge is an impulse."""
    model = saltus.load(SWITCH)
    result = model.simulate()
    assert result["v1"][-1] == pytest.approx(1, rel=1e-14) and result["v2"][-1] == pytest.approx(1, rel=1e-14)
    assert [one.weight for one in result.impulses["i"]] == pytest.approx([2], rel=1e-14)
    slow = model.simulate(set={"Ron": 0.1}, tolerance=1e-9)
    assert len(slow.impulses) == 0
    late = slow.time > 0.5
    meeting = 1 + 2 * np.exp(-(slow.time[late] - 0.5) * 1.5 / 0.1)
    np.testing.assert_allclose(slow["v1"][late], meeting, atol=1e-6)


SLIDER = """
model Slider "A spring of 10 N/m pulls something without mass across a table"
  parameter Real f0 = 1, f1 = 0;
  Real f, v, s, x(start = 0, fixed = true);
  Boolean forward = s > 1, backward = s < -1;
equation
  der(x) = v;
  f = 10*(0.3*sin(time) - x);
  v = if forward then s - 1 elseif backward then s + 1 else 0;
  f = if forward then f0 + f1*(s - 1) elseif backward then -f0 + f1*(s + 1) else f0*s;
  annotation(experiment(StopTime = 4, Tolerance = 1e-9));
end Slider;
"""


def test_friction_without_viscous_part() -> None:
    """It slides when 3 sin(t) exceeds 1, and then the force is 1 until the spring turns back; backward when
    the spring is 0.2 m shorter."""
    result = saltus.load(SLIDER).simulate()
    away, turn = np.arcsin(1 / 3), np.pi / 2
    stops = [stay.stop for stay in result.modes]
    assert stops == pytest.approx([away, turn, np.pi - away, 4], abs=1e-7)
    sliding = (result.time > away) & (result.time < turn)
    np.testing.assert_allclose(result["f"][sliding], 1, atol=1e-10)
    np.testing.assert_allclose(result["x"][sliding], 0.3 * np.sin(result.time[sliding]) - 0.1, atol=1e-10)
    assert [len(mode.states) for mode in result.modes.visited] == [1, 0, 0]


WIRE = """
model Wire "Two capacitors and a resistor between them, a third one from a source"
  parameter Real R = 0, R0 = 2;
  Real v1(start = 0, fixed = true), v2(start = 0), i, i0;
equation
  3 - v1 = R0*i0;
  1*der(v1) = i0 - i;
  2*der(v2) = i;
  v1 - v2 = R*i;
end Wire;
"""


def test_resistor_without_resistance() -> None:
    """No guard says anything here: the parameter alone makes one state of two."""
    model = saltus.load(WIRE)
    result = model.simulate(tolerance=1e-9)
    np.testing.assert_allclose(result["v1"], 3 * (1 - np.exp(-result.time / 6)), atol=1e-7)
    np.testing.assert_array_equal(result["v2"], result["v1"])
    np.testing.assert_allclose(result["i"], np.exp(-result.time / 6), atol=1e-7)
    assert [len(mode.states) for mode in result.modes.visited] == [1]
    slow = model.simulate(set={"R": 1}, tolerance=1e-9)
    matrix = np.array([[-1 / 2 - 1, 1], [1 / 2, -1 / 2]])
    values = solve_ivp(
        lambda t, v: matrix @ v + (1.5, 0), (0, 1), (0, 0), rtol=1e-10, atol=1e-12, t_eval=slow.time
    )
    np.testing.assert_allclose(slow["v2"], values.y[1], atol=1e-7)
    assert len(slow.modes.visited[0].states) == 2


def test_inertia_without_mass() -> None:
    """What has no mass follows the force at once."""
    model = saltus.load("""
model Massless
  parameter Real m = 0, d = 2;
  Real v(start = 0);
equation
  m*der(v) = sin(time) - d*v;
end Massless;""")
    result = model.simulate()
    np.testing.assert_allclose(result["v"], np.sin(result.time) / 2, atol=1e-12)


def test_what_the_model_divides_by_stays_an_error() -> None:
    text = (
        "model Quotient parameter Real p = 0; Real y = 1/p, x(start = 1); equation der(x) = -x; end Quotient;"
    )
    with pytest.raises(saltus.SaltusError, match="divisor `p` is 0"):
        saltus.load(text).simulate()


JUNCTION = """
model Junction "A capacitance that is computed from a parameter, and varies with the voltage"
  parameter Real C0 = 0;
  Real c = C0*(1 + v^2), v(start = 0), w(start = 1, fixed = true), i;
equation
  c*der(v) = i;
  i = 3*w - v - v^3;
  der(w) = -w;
end Junction;
"""


def test_what_is_computed_from_a_parameter_is_zero() -> None:
    """Without capacitance v is the root of v + v^3 = 3 w."""
    model = saltus.load(JUNCTION)
    result = model.simulate(tolerance=1e-9)
    np.testing.assert_allclose(result["w"], np.exp(-result.time), atol=1e-7)
    np.testing.assert_allclose(result["v"] + result["v"] ** 3, 3 * result["w"], atol=1e-12)
    assert np.abs(result["i"]).max() < 1e-12
    assert [mode.states for mode in result.modes.visited] == [("w",)]

    slow = model.simulate(set={"C0": 0.1}, tolerance=1e-9)

    def slopes(t: float, v: np.ndarray) -> list[float]:
        return [(3 * np.exp(-t) - v[0] - v[0] ** 3) / (0.1 * (1 + v[0] ** 2))]

    values = solve_ivp(slopes, (0, 1), [0], rtol=1e-10, atol=1e-12, t_eval=slow.time, method="Radau")
    np.testing.assert_allclose(slow["v"], values.y[0], atol=1e-6)


def test_capacitances_of_a_loop_are_zero() -> None:
    """Three of them in a ring of resistors: the equations for their derivatives are a singular loop."""
    result = saltus.load("""
model Ring
  parameter Real C = 0;
  Real a, b, c, ab, bc, s(start = 0, fixed = true);
equation
  der(s) = 1;
  C*(der(a) - der(b)) = ab;
  C*(der(b) - der(c)) = bc;
  C*(der(c) - der(a)) + ab + bc = b - c + s;
  (a - s)/2 + (a - b)^3 + ab = 0;
  (b - a)/2 + bc - ab + c = 0;
end Ring;""").simulate(tolerance=1e-9)
    a, b, c, s = (result[name] for name in "abcs")
    np.testing.assert_allclose(c, b + s, atol=1e-10)
    np.testing.assert_allclose(a / 2, b / 2 + c, atol=1e-10)
    np.testing.assert_allclose((a - s) / 2 + (a - b) ** 3, 0, atol=1e-10)
    assert np.abs(result["ab"]).max() < 1e-10 and np.ptp(a) > 0.1


CORE = """
model Core "A core with or without eddy currents"
  parameter Boolean eddy = {};
  parameter Real d = 0.5;
  Real H, Hs, He, B(start = 0);
equation
  H = sin(time);
  H = Hs + He;
  Hs = B + B^3;
  He = if eddy then d*der(B) else 0;
end Core;
"""


def test_a_boolean_parameter_decides_whether_there_is_a_derivative() -> None:
    """Without eddy currents B is the root of B + B^3 = H, and no state; set otherwise, it is one."""
    model = saltus.load(CORE.format("false"))
    static = model.simulate(tolerance=1e-9)
    np.testing.assert_allclose(static["B"] + static["B"] ** 3, np.sin(static.time), atol=1e-12)
    assert [mode.states for mode in static.modes.visited] == [()]

    def slopes(t: float, b: np.ndarray) -> list[float]:
        return [(np.sin(t) - b[0] - b[0] ** 3) / 0.5]

    for moving in (
        model.simulate(set={"eddy": True}, tolerance=1e-9),
        saltus.load(CORE.format("true")).simulate(),
    ):
        values = solve_ivp(slopes, (0, 1), [0], rtol=1e-10, atol=1e-12, t_eval=moving.time)
        np.testing.assert_allclose(moving["B"], values.y[0], atol=1e-5)
