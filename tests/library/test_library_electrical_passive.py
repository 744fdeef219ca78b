"""Ground, resistors, capacitors, inductors, coupled coils, transformer and sensors of Saltus.Electrical.

Circuits of these are linear, so the truth is a closed form, or the matrix exponential of equations that are
written down again in the test.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import saltus
from saltus.result.result import Result
from translated_models import translated

COVERS = (
    "Saltus.Electrical.Ground",
    "Saltus.Electrical.Resistor",
    "Saltus.Electrical.Conductor",
    "Saltus.Electrical.Capacitor",
    "Saltus.Electrical.Inductor",
    "Saltus.Electrical.CoupledInductors",
    "Saltus.Electrical.Transformer",
    "Saltus.Electrical.Sensors.VoltageSensor",
    "Saltus.Electrical.Sensors.PotentialSensor",
    "Saltus.Electrical.Sensors.CurrentSensor",
    "Saltus.Electrical.Sensors.PowerSensor",
)

EXAMPLES = "Saltus.Examples.Electrical."
Array = NDArray[np.float64]


def circuit(parts: str, equations: str, stop_time: float = 1.0) -> Result:
    """A run of a model of these parts, with a ground `g`."""
    text = f"model M\n import Saltus.Electrical.*;\n Ground g;\n{parts}equation\n{equations}end M;"
    return saltus.load(text).simulate(stop_time=stop_time, tolerance=1e-10)


def linear(a: Array, b: Array, x0: Array, times: Array) -> Array:
    """The solution of x' = A x + b, one column for each time."""
    n = len(x0)
    whole = np.zeros((n + 1, n + 1))
    whole[:n, :n], whole[:n, n] = a, b
    start = np.append(x0, 1.0)
    return np.array([(expm(whole * t) @ start)[:n] for t in times]).T


def test_divider_of_resistors_and_conductors() -> None:
    """12 V across 1 ohm and, in parallel, 2 S and 1 ohm. Nothing flows through the ground."""
    result = circuit(
        " Sources.ConstantVoltage V(V = 12); Resistor R1(R = 1), R2(R = 1); Conductor G(G = 2);\n",
        " connect(V.p, R1.p); connect(R1.n, R2.p); connect(R1.n, G.p); connect(R2.n, V.n); connect(G.n, V.n);"
        " connect(V.n, g.p);\n",
    )
    found = {name: result[name][-1] for name in ("V.i", "R1.v", "R2.v", "R2.i", "G.i", "g.p.i", "g.p.v")}
    right = {"V.i": -9.0, "R1.v": 9.0, "R2.v": 3.0, "R2.i": 3.0, "G.i": 6.0, "g.p.i": 0.0, "g.p.v": 0.0}
    assert found == pytest.approx(right, abs=1e-12)


def test_defaults_make_a_circuit() -> None:
    """Every part can be used as it comes: 1 V at 1 ohm and 1 mH for a millisecond."""
    result = circuit(
        " Sources.ConstantVoltage V; Resistor R; Inductor L; Capacitor C; Resistor Rc;\n",
        " connect(V.p, R.p); connect(R.n, L.p); connect(L.n, V.n); connect(V.n, g.p);\n"
        " connect(V.p, Rc.p); connect(Rc.n, C.p); connect(C.n, g.p);\n",
        stop_time=1e-3,
    )
    assert result["L.i"][-1] == pytest.approx(1 - np.exp(-1), abs=1e-8)
    assert result["C.v"][-1] == pytest.approx(1, abs=1e-8)


def test_low_pass_between_edges() -> None:
    """The example, from edge to edge: v goes to 5 V or 0 V with the time constant of a millisecond."""
    result = translated(EXAMPLES + "LowPass").simulate(tolerance=1e-10)
    now, v = 0.0, 0.0
    expected = np.zeros(len(result.time))
    for period in range(10):
        for level, length in ((5.0, 0.4e-3), (0.0, 0.6e-3)):
            rows = (result.time >= now - 1e-12) & (result.time <= now + length + 1e-12)
            expected[rows] = level + (v - level) * np.exp(-(result.time[rows] - now) / 1e-3)
            v = level + (v - level) * np.exp(-length / 1e-3)
            now = period * 1e-3 + 0.4e-3 if level else (period + 1) * 1e-3
    np.testing.assert_allclose(result["C.v"], expected, atol=1e-8)
    np.testing.assert_array_equal(result["sensor.v"], result["C.v"])


def test_resonant_circuit_and_its_meters() -> None:
    """The example: L i' = 10 - R i - v, C v' = i from 1 ms on."""
    result = translated(EXAMPLES + "ResonantCircuit").simulate(tolerance=1e-10)
    r, inductance, c = 10.0, 10e-3, 2.533e-6
    late = result.time > 1e-3
    a = np.array([[-r / inductance, -1 / inductance], [1 / c, 0.0]])
    i, v = linear(a, np.array([10 / inductance, 0.0]), np.zeros(2), result.time[late] - 1e-3)
    np.testing.assert_allclose(result["L.i"][late], i, atol=1e-8)
    np.testing.assert_allclose(result["C.v"][late], v, atol=1e-6)
    np.testing.assert_allclose(result["sensor.i"][late], i, atol=1e-8)
    np.testing.assert_allclose(result["meter.power"][late], 10 * i, atol=1e-7)
    assert np.all(result["C.v"][~late] == 0) and np.all(result["meter.power"][~late] == 0)


def test_start_values_are_kept() -> None:
    """A charged capacitor and a coil that carries current, nothing else: they exchange v = 3 cos - 2 sin."""
    result = circuit(
        " Capacitor C(C = 1, v(start = 3, fixed = true)); Inductor L(L = 1, i(start = 2, fixed = true));\n",
        " connect(C.p, L.p); connect(C.n, L.n); connect(L.n, g.p);\n",
        stop_time=5,
    )
    t = result.time
    np.testing.assert_allclose(result["C.v"], 3 * np.cos(t) - 2 * np.sin(t), atol=1e-8)
    np.testing.assert_allclose(result["L.i"], 2 * np.cos(t) + 3 * np.sin(t), atol=1e-8)


def test_capacitors_in_a_loop_and_inductors_in_series() -> None:
    """One of two states depends on the other: start values without `fixed` give way. 1 F and 2 F in parallel
    behave as 3 F, 1 H and 2 H in series as 3 H."""
    result = circuit(
        " Sources.ConstantVoltage V(V = 6); Resistor Rc(R = 1), Rl(R = 3);\n"
        " Capacitor C1(C = 1, v(start = 0, fixed = true)), C2(C = 2);\n"
        " Inductor L1(L = 1), L2(L = 2, i(start = 1, fixed = true));\n",
        " connect(V.p, Rc.p); connect(Rc.n, C1.p); connect(Rc.n, C2.p); connect(C1.n, g.p);"
        " connect(C2.n, g.p);\n"
        " connect(V.p, Rl.p); connect(Rl.n, L1.p); connect(L1.n, L2.p); connect(L2.n, g.p);"
        " connect(V.n, g.p);\n",
        stop_time=4,
    )
    t = result.time
    v, i = 6 * (1 - np.exp(-t / 3)), 2 - np.exp(-t)
    np.testing.assert_allclose(result["C1.v"], v, atol=1e-8)
    np.testing.assert_allclose(result["C2.v"], v, atol=1e-8)
    np.testing.assert_allclose(result["C2.i"], 2 * result["C1.i"], atol=1e-10)
    np.testing.assert_allclose(result["L1.i"], i, atol=1e-8)
    np.testing.assert_allclose(result["L2.v"], 2 * result["L1.v"], atol=1e-10)


@pytest.mark.parametrize("part", ["Resistor R(R = 0)", "Conductor R(G = 0)"])
def test_wire_and_interruption(part: str) -> None:
    """A resistor of zero ohms between capacitors makes one of two; a conductor of 0 S separates them."""
    result = circuit(
        f" Sources.ConstantCurrent I(I = 3); Capacitor C1(C = 1, v.fixed = true), C2(C = 2); {part};\n",
        " connect(I.n, C1.p); connect(C1.p, R.p); connect(R.n, C2.p); connect(C1.n, g.p); connect(C2.n, g.p);"
        " connect(I.p, g.p);\n",
    )
    first, second = (1, 1) if "Resistor" in part else (3, 0)
    np.testing.assert_allclose(result["C1.v"], first * result.time, atol=1e-9)
    np.testing.assert_allclose(result["C2.v"], second * result.time, atol=1e-9)
    assert result["R.i"][-1] == pytest.approx(2 if "Resistor" in part else 0, abs=1e-9)


def test_capacitors_that_a_step_charges() -> None:
    """An ideal source steps by 3 V: the charge of 6 C comes in an instant."""
    result = circuit(
        " Sources.StepVoltage V(V = 3, startTime = 0.5); Capacitor C(C = 2);\n",
        " connect(V.p, C.p); connect(C.n, V.n); connect(V.n, g.p);\n",
    )
    assert [one.weight for one in result.impulses["C.i"]] == pytest.approx([6])
    assert result["C.v"][-1] == pytest.approx(3) and result["C.i"][-1] == 0


@pytest.mark.parametrize(("part", "power"), [("Resistor R(R = 3", 12.0), ("Conductor R(G = 0.25", 9.0)])
def test_heat_port(part: str, power: float) -> None:
    """6 V at 3 ohms, or at 4 ohms: the heat arrives in a body of 10 J/K."""
    result = circuit(
        f" Sources.ConstantVoltage V(V = 6); {part}, useHeatPort = true);\n"
        " Saltus.Thermal.HeatCapacitor body(C = 10, T(start = 300, fixed = true));\n",
        " connect(V.p, R.p); connect(R.n, V.n); connect(V.n, g.p); connect(R.heatPort, body.port);\n",
    )
    np.testing.assert_allclose(result["body.T"], 300 + power / 10 * result.time, rtol=1e-10)


# ---------------------------------------------------------------- coils


def test_coupled_circuits() -> None:
    """The example: fluxes L1 i1 + M i2 and M i1 + L2 i2 change with the voltages."""
    result = translated(EXAMPLES + "CoupledCircuits").simulate(tolerance=1e-10)
    inductances = np.array([[1e-3, 1e-4], [1e-4, 1e-3]])
    rates = np.linalg.inv(inductances)
    a = np.zeros((4, 4))  # i1, i2, v1, v2: L i' = v - R i, C v' = -i
    a[:2, :2], a[:2, 2:], a[2:, :2] = -0.5 * rates, rates, -1e6 * np.eye(2)
    some = slice(None, None, 7)
    i1, i2, v1, v2 = linear(a, np.zeros(4), np.array([0, 0, 10.0, 0]), result.time[some])
    np.testing.assert_allclose(result["coils.i1"][some], i1, atol=1e-7)
    np.testing.assert_allclose(result["coils.i2"][some], i2, atol=1e-7)
    np.testing.assert_allclose(result["C1.v"][some], v1, atol=1e-5)
    np.testing.assert_allclose(result["C2.v"][some], v2, atol=1e-5)
    assert np.abs(result["C2.v"]).max() > 7  # the energy does cross the gap


def test_coupled_inductors_are_two_without_mutual_inductance() -> None:
    result = circuit(
        " Sources.ConstantVoltage V(V = 2); Resistor R(R = 1); CoupledInductors T(L1 = 2, L2 = 1, M = 0);\n",
        " connect(V.p, T.p1); connect(T.n1, g.p); connect(T.p2, R.p); connect(R.n, g.p); connect(T.n2, g.p);"
        " connect(V.n, g.p);\n",
    )
    np.testing.assert_allclose(result["T.i1"], result.time, atol=1e-9)
    assert np.abs(result["T.i2"]).max() < 1e-12


def test_coupled_inductors_refuse_more_flux_than_there_is() -> None:
    with pytest.raises(saltus.SaltusError, match="must not be more than"):
        circuit(
            " Resistor R; CoupledInductors T(L1 = 1, L2 = 1, M = 1.1);\n",
            " connect(T.p1, g.p); connect(T.n1, g.p); connect(T.p2, R.p); connect(R.n, g.p);"
            " connect(T.n2, g.p);\n",
        )


def test_transformer_transforms_resistances() -> None:
    """8 ohms behind 10:1 look like 800; in series with 800 half of 16 V are left. No power is lost."""
    result = circuit(
        " Sources.ConstantVoltage V(V = 16); Resistor R(R = 800), load(R = 8); Transformer T(n = 10);"
        " Ground g2;\n",
        " connect(V.p, R.p); connect(R.n, T.p1); connect(T.n1, g.p); connect(V.n, g.p);"
        " connect(T.p2, load.p); connect(load.n, T.n2); connect(T.n2, g2.p);\n",
    )
    found = {name: result[name][-1] for name in ("T.v1", "T.i1", "load.v", "load.i")}
    assert found == pytest.approx({"T.v1": 8, "T.i1": 0.01, "load.v": 0.8, "load.i": 0.1})


def test_current_transformer() -> None:
    """The example in the steady state: of 0.1 A a part flows through j w L in parallel with R."""
    result = translated(EXAMPLES + "CurrentTransformer").simulate(stop_time=2, tolerance=1e-10)
    r, x = 10.0, 2 * np.pi * 50 * 1.0
    late = result.time > 1.8
    phasor = 0.1 * r * 1j * x / (r + 1j * x)  # of sin
    expected = np.imag(phasor * np.exp(2j * np.pi * 50 * result.time[late]))
    np.testing.assert_allclose(result["burden.v"][late], expected, atol=1e-7)
    np.testing.assert_allclose(result["transformer.v1"][late], expected / 1000, atol=1e-10)
    assert np.degrees(np.angle(phasor)) == pytest.approx(1.82, abs=0.01)  # "two degrees"


# ---------------------------------------------------------------- meters


def test_meters_disturb_nothing() -> None:
    """A circuit with meters everywhere, and the same without any."""
    parts = (
        " Sources.SineVoltage V(V = 10, f = 1); Resistor R(R = 2);"
        " Inductor L(L = 1, i(start = 1, fixed = true));\n"
    )
    plain = circuit(
        parts, " connect(V.p, R.p); connect(R.n, L.p); connect(L.n, V.n); connect(V.n, g.p);\n", stop_time=2
    )
    measured = circuit(
        parts + " Sensors.CurrentSensor a; Sensors.VoltageSensor v; Sensors.PotentialSensor p;"
        " Sensors.PowerSensor w;\n",
        " connect(V.p, w.p); connect(w.n, R.p); connect(w.ref, g.p); connect(R.n, a.p); connect(a.n, L.p);"
        " connect(L.n, V.n); connect(V.n, g.p); connect(v.p, R.p); connect(v.n, R.n); connect(p.p, a.p);\n",
        stop_time=2,
    )
    np.testing.assert_allclose(measured["L.i"], plain["L.i"], atol=1e-8)
    np.testing.assert_allclose(measured["a.i"], measured["L.i"], rtol=1e-12)
    np.testing.assert_allclose(measured["v.v"], 2 * measured["L.i"], atol=1e-10)
    source = 10 * np.sin(2 * np.pi * measured.time)
    np.testing.assert_allclose(measured["p.v"], source - 2 * measured["L.i"], atol=1e-10)
    np.testing.assert_allclose(measured["w.power"], source * measured["L.i"], atol=1e-10)
