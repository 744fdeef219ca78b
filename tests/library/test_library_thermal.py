"""Saltus.Thermal: cooling, conduction, radiation, sources and sensors against closed forms and integrations
that are written again in the test."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import saltus
from saltus.result.result import Result
from translated_models import translated

COVERS = (
    "Saltus.Thermal.HeatCapacitor",
    "Saltus.Thermal.ThermalConductor",
    "Saltus.Thermal.ThermalResistor",
    "Saltus.Thermal.Convection",
    "Saltus.Thermal.BodyRadiation",
    "Saltus.Thermal.Sources.FixedTemperature",
    "Saltus.Thermal.Sources.PrescribedTemperature",
    "Saltus.Thermal.Sources.FixedHeatFlow",
    "Saltus.Thermal.Sources.PrescribedHeatFlow",
    "Saltus.Thermal.Sensors.TemperatureSensor",
    "Saltus.Thermal.Sensors.RelativeTemperatureSensor",
    "Saltus.Thermal.Sensors.HeatFlowSensor",
)

EXAMPLES = "Saltus.Examples.Thermal."
SIGMA = 5.670374419e-8
Array = NDArray[np.float64]


def heat(parts: str, equations: str, stop_time: float = 1.0) -> Result:
    """A run of a model of these parts."""
    text = f"model M\n import Saltus.Thermal.*;\n{parts}equation\n{equations}end M;"
    return saltus.load(text).simulate(stop_time=stop_time, tolerance=1e-10)


def test_cooling_body() -> None:
    """The example: 1250 s in still air, 250 s in a draught; the meter shows what is lost."""
    result = translated(EXAMPLES + "CoolingBody").simulate(tolerance=1e-10)
    t = result.time
    at_fan = 80 * np.exp(-600 / 1250)
    above = np.where(t <= 600, 80 * np.exp(-t / 1250), at_fan * np.exp(-(t - 600) / 250))
    np.testing.assert_allclose(result["body.T"], 293.15 + above, atol=1e-6)
    np.testing.assert_allclose(result["thermometer.T"], 293.15 + above, atol=1e-6)
    inside = np.abs(t - 600) > 1e-9
    loss = np.where(t <= 600, 0.4, 2.0) * above
    np.testing.assert_allclose(result["meter.Q_flow"][inside], loss[inside], atol=1e-5)


def test_thermostat() -> None:
    """The example: between the limits always, and the heat balance from edge to edge in closed form."""
    result = translated(EXAMPLES + "Thermostat").simulate(tolerance=1e-10)
    t, temperature, on = result.time, result["room.T"], result["heater.Q_flow"] / 5000
    assert temperature.min() > 292.15 - 1e-6 and temperature.max() < 294.15 + 1e-6
    edges = np.flatnonzero(np.diff(on))
    assert len(edges) > 50
    up = on[edges + 1] == 1
    np.testing.assert_allclose(temperature[edges], np.where(up, 292.15, 294.15), atol=1e-6)
    # C T' = P on - G (T - outside): T = forced + exp(-G/C t), with outside = 278.15 - 6 cos(w (t - 3 h)).
    rate, w = 150 / 2e6, 2 * np.pi / 86400

    def forced(time: float, heated: float) -> float:
        swing = -6 * rate / np.hypot(rate, w) * np.cos(w * (time - 10800) - np.arctan2(w, rate))
        return float(278.15 + heated * 5000 / 150 + swing)

    for begin, end in zip(edges[:-1] + 1, edges[1:], strict=True):
        state = float(on[begin])
        fade = np.exp(-rate * (t[end] - t[begin]))
        expected = forced(t[end], state) + (temperature[begin] - forced(t[begin], state)) * fade
        assert temperature[end] == pytest.approx(expected, abs=1e-6)


def test_heat_sink() -> None:
    """The example by matrix exponentials: 4 J/K and 50 J/K, 0.5 K/W and 3 K/W, 25 W at times."""
    result = translated(EXAMPLES + "HeatSink").simulate(tolerance=1e-10)
    a = np.array([[-2 / 4, 2 / 4], [2 / 50, -(2 + 1 / 3) / 50]])
    above = np.zeros(2)
    for k in range(30):
        for power, begin, length in ((25.0, 20 * k, 8), (0.0, 20 * k + 8, 12)):
            rest = -np.linalg.solve(a, [power / 4, 0])
            above = rest + expm(a * length) @ (above - rest)
            row = np.searchsorted(result.time, begin + length - 1e-9)
            found = [result["case.T"][row] - 293.15, result["sink.T"][row] - 293.15]
            assert found == pytest.approx(above.tolist(), abs=1e-6)
    np.testing.assert_allclose(result["across.dT"], result["case.T"] - result["sink.T"], atol=1e-12)


def test_lamp_filament() -> None:
    """The example, integrated separately, and its end where radiation takes 60 W."""
    result = translated(EXAMPLES + "LampFilament").simulate(tolerance=1e-10)
    k = 0.3 * 5.7e-5 * SIGMA

    def rate(t: float, x: Array) -> Array:
        return (60 - k * (x**4 - 293.15**4)) / 6e-3

    found = solve_ivp(rate, (0, 2), [293.15], "DOP853", result.time, rtol=1e-11, atol=1e-9)
    np.testing.assert_allclose(result["filament.T"], found.y[0], rtol=1e-7)
    assert result["filament.T"][-1] == pytest.approx((60 / k + 293.15**4) ** 0.25, rel=1e-7)


def test_radiation_into_the_cold() -> None:
    """Nothing comes back from 0 K: 1/T^3 grows evenly, by 3 k/C."""
    result = heat(
        " HeatCapacitor body(C = 10, T(start = 1000, fixed = true)); BodyRadiation r(A = 0.5, epsilon = 0.8);"
        " Sources.FixedTemperature space(T = 0);\n",
        " connect(body.port, r.port_a); connect(r.port_b, space.port);\n",
        stop_time=10,
    )
    expected = (1000.0**-3 + 3 * 0.4 * SIGMA / 10 * result.time) ** (-1 / 3)
    np.testing.assert_allclose(result["body.T"], expected, rtol=1e-8)
    np.testing.assert_allclose(result["space.port.Q_flow"], 0.4 * SIGMA * expected**4, rtol=1e-7)


def test_two_bodies_share_their_heat() -> None:
    """3 J/K at 400 K and 1 J/K at 300 K meet at 375 K, with the time constant C/G of 0.75 J/K and 2 W/K."""
    result = heat(
        " HeatCapacitor a(C = 3, T(start = 400, fixed = true)), b(C = 1, T(start = 300, fixed = true));"
        " ThermalConductor c(G = 2); Sensors.HeatFlowSensor meter;"
        " Sensors.RelativeTemperatureSensor difference;\n",
        " connect(a.port, meter.port_a); connect(meter.port_b, c.port_a); connect(c.port_b, b.port);"
        " connect(difference.port_a, a.port); connect(difference.port_b, b.port);\n",
        stop_time=3,
    )
    fade = np.exp(-result.time * 2 / 0.75)
    np.testing.assert_allclose(result["a.T"], 375 + 25 * fade, rtol=1e-8)
    np.testing.assert_allclose(result["b.T"], 375 - 75 * fade, rtol=1e-8)
    np.testing.assert_allclose(result["difference.dT"], 100 * fade, atol=1e-6)
    np.testing.assert_allclose(result["meter.Q_flow"], 200 * fade, atol=1e-6)
    np.testing.assert_allclose(3 * result["a.T"] + result["b.T"], 1500, rtol=1e-8)


def test_wall_of_layers() -> None:
    """10 W through 1 K/W, 0.5 W/K and, at 4 m2, 0.25 W/(m2.K): 10 K, 20 K and 10 K."""
    result = heat(
        " Sources.FixedHeatFlow heater(Q_flow = 10); ThermalResistor inside(R = 1);"
        " ThermalConductor brick(G = 0.5);"
        " Convection wind(A = 4, h = 0.25); Sources.FixedTemperature air(T = 280);"
        " Sensors.TemperatureSensor sensor;\n",
        " connect(heater.port, inside.port_a); connect(inside.port_b, brick.port_a);"
        " connect(brick.port_b, wind.solid);"
        " connect(wind.fluid, air.port); connect(sensor.port, heater.port);\n",
    )
    found = {
        name: result[name][-1] for name in ("sensor.T", "inside.dT", "brick.dT", "wind.dT", "air.port.Q_flow")
    }
    right = {"sensor.T": 320, "inside.dT": 10, "brick.dT": 20, "wind.dT": 10, "air.port.Q_flow": 10}
    assert found == pytest.approx(right)
    assert result["sensor.port.Q_flow"][-1] == 0


def test_prescribed_sources() -> None:
    """A body of 2 J/K between a heater of 4*time and a temperature of 300 + 10*time at 1 W/K."""
    result = heat(
        " HeatCapacitor body(C = 2, T(start = 300, fixed = true)); ThermalConductor c(G = 1);"
        " Sources.PrescribedHeatFlow heater(Q_flow = 4*time);"
        " Sources.PrescribedTemperature bath(T = 300 + 10*time);\n",
        " connect(heater.port, body.port); connect(body.port, c.port_a); connect(c.port_b, bath.port);\n",
        stop_time=5,
    )
    t = result.time  # x = T - 300: 2 x' = 14 t - x, so x = 14 t - 28 + 28 exp(-t/2)
    np.testing.assert_allclose(result["body.T"], 300 + 14 * t - 28 + 28 * np.exp(-t / 2), rtol=1e-8)


def test_perfect_contact_and_perfect_insulation() -> None:
    """0 K/W makes one body of two, 0 W/K leaves a third alone."""
    result = heat(
        " HeatCapacitor a(C = 1, T(start = 300, fixed = true)), b(C = 3);"
        " HeatCapacitor c(C = 1, T(start = 350, fixed = true));"
        " ThermalResistor contact(R = 0); ThermalConductor wool(G = 0);"
        " Sources.FixedHeatFlow heater(Q_flow = 8);\n",
        " connect(heater.port, a.port); connect(a.port, contact.port_a); connect(contact.port_b, b.port);"
        " connect(a.port, wool.port_a); connect(wool.port_b, c.port);\n",
    )
    np.testing.assert_allclose(result["a.T"], 300 + 2 * result.time, rtol=1e-8)
    np.testing.assert_allclose(result["b.T"], 300 + 2 * result.time, rtol=1e-8)
    assert result["contact.Q_flow"][-1] == pytest.approx(6) and np.all(result["c.T"] == 350)


def test_convection_by_a_signal() -> None:
    """h = 1 + time: the temperature falls as exp(-(t + t^2/2))."""
    result = heat(
        " HeatCapacitor body(C = 2, T(start = 400, fixed = true)); Convection c(A = 2, h = 1 + time);"
        " Sources.FixedTemperature air(T = 300);\n",
        " connect(body.port, c.solid); connect(c.fluid, air.port);\n",
        stop_time=2,
    )
    t = result.time
    np.testing.assert_allclose(result["body.T"], 300 + 100 * np.exp(-(t + t**2 / 2)), rtol=1e-8)
