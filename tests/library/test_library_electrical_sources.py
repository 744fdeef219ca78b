"""Sources of Saltus.Electrical: their voltages and currents against formulas written again, and what circuits
make of them in closed form."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import saltus
from saltus.result.result import Result
from translated_models import translated

COVERS = (
    "Saltus.Electrical.Sources.ConstantVoltage",
    "Saltus.Electrical.Sources.SineVoltage",
    "Saltus.Electrical.Sources.StepVoltage",
    "Saltus.Electrical.Sources.RampVoltage",
    "Saltus.Electrical.Sources.PulseVoltage",
    "Saltus.Electrical.Sources.PWMVoltage",
    "Saltus.Electrical.Sources.SignalVoltage",
    "Saltus.Electrical.Sources.ConstantCurrent",
    "Saltus.Electrical.Sources.SineCurrent",
    "Saltus.Electrical.Sources.StepCurrent",
    "Saltus.Electrical.Sources.PulseCurrent",
    "Saltus.Electrical.Sources.SignalCurrent",
    "Saltus.Electrical.Sources.VoltageControlledVoltage",
    "Saltus.Electrical.Sources.VoltageControlledCurrent",
    "Saltus.Electrical.Sources.CurrentControlledVoltage",
    "Saltus.Electrical.Sources.CurrentControlledCurrent",
    "Saltus.Electrical.ThreePhaseSource",
)

EXAMPLES = "Saltus.Examples.Electrical."
Array = NDArray[np.float64]


def loaded(source: str, *, declared: str = "", stop: float = 3.0) -> Result:
    """A source `S` with a resistor of 2 ohms across it: what it gives arrives there."""
    text = f"""
model M
  {declared}
  Saltus.Electrical.Sources.{source};
  Saltus.Electrical.Resistor R(R = 2);
  Saltus.Electrical.Ground g;
equation
  connect(S.p, R.p);
  connect(S.n, R.n);
  connect(S.n, g.p);
end M;"""
    return saltus.load(text).simulate(stop_time=stop)


def between_edges(result: Result, edges: Array) -> NDArray[np.bool_]:
    """The rows that are at no edge: there the left and the right limit are both right."""
    return np.array([np.abs(edges - t).min() > 1e-9 for t in result.time])


def pulses(t: Array, period: float, width: float, begin: float) -> Array:
    """1 where a pulse is on."""
    since = np.mod(t - begin, period)
    return np.where((t > begin) & (since < width * period), 1.0, 0.0)


VOLTAGES: dict[str, Callable[[Array], Array]] = {
    "ConstantVoltage S(V = 7)": lambda t: 7 + 0 * t,
    "SineVoltage S(V = 3, f = 0.7, phase = 0.4, offset = 1)": lambda t: 1 + 3 * np.sin(1.4 * np.pi * t + 0.4),
    "StepVoltage S(V = 3, offset = -1, startTime = 1.25)": lambda t: np.where(t < 1.25, -1.0, 2.0),
    "RampVoltage S(V = 3, offset = 1, startTime = 0.5, duration = 2)": lambda t: np.interp(
        t, [0.5, 2.5], [1.0, 4.0]
    ),
    "RampVoltage S(V = 3, duration = 0, startTime = 1.25)": lambda t: np.where(t < 1.25, 0.0, 3.0),
    "PulseVoltage S(V = 4, offset = 1, period = 0.4, width = 0.3, startTime = 0.55)": lambda t: (
        1 + 4 * pulses(t, 0.4, 0.3, 0.55)
    ),
    "PulseVoltage S(V = 4, period = 0.4, width = 0.3, startTime = -0.3)": lambda t: (
        4 * pulses(t, 0.4, 0.3, -0.3)
    ),
    "SignalVoltage S(u = 2*time^2)": lambda t: 2 * t**2,
}
CURRENTS: dict[str, Callable[[Array], Array]] = {
    "ConstantCurrent S(I = 7)": lambda t: 7 + 0 * t,
    "SineCurrent S(I = 3, f = 0.7, phase = 0.4, offset = 1)": lambda t: 1 + 3 * np.sin(1.4 * np.pi * t + 0.4),
    "StepCurrent S(I = 3, offset = -1, startTime = 1.25)": lambda t: np.where(t < 1.25, -1.0, 2.0),
    "PulseCurrent S(I = 4, offset = 1, period = 0.4, width = 0.3, startTime = 0.55)": lambda t: (
        1 + 4 * pulses(t, 0.4, 0.3, 0.55)
    ),
    "SignalCurrent S(u = 2*time^2)": lambda t: 2 * t**2,
}
EDGES = np.array([1.25, *(0.55 + 0.4 * k for k in range(8)), *(0.67 + 0.4 * k for k in range(8))])


@pytest.mark.parametrize("source", VOLTAGES)
def test_voltage(source: str) -> None:
    result = loaded(source)
    edges = EDGES if "-0.3" not in source else np.array([*np.arange(0.1, 3, 0.4), *np.arange(0.22, 3, 0.4)])
    inside = between_edges(result, edges)
    assert np.count_nonzero(inside) > 400
    t = result.time[inside]
    np.testing.assert_allclose(result["R.v"][inside], VOLTAGES[source](t), atol=1e-12)
    np.testing.assert_allclose(result["S.i"][inside], -VOLTAGES[source](t) / 2, atol=1e-12)


@pytest.mark.parametrize("source", CURRENTS)
def test_current(source: str) -> None:
    """It comes out at n, so the voltage at p is negative."""
    result = loaded(source)
    inside = between_edges(result, EDGES)
    assert np.count_nonzero(inside) > 400
    t = result.time[inside]
    np.testing.assert_allclose(result["S.i"][inside], CURRENTS[source](t), atol=1e-12)
    np.testing.assert_allclose(result["S.v"][inside], -2 * CURRENTS[source](t), atol=1e-12)


def test_edges_are_where_they_should_be() -> None:
    """To the last digits: they are events of time."""
    result = loaded("PulseVoltage S(V = 4, period = 0.4, width = 0.3, startTime = 0.55)")
    turns = np.flatnonzero(np.diff(result["S.v"]))
    expected = np.sort([*np.arange(0.55, 3, 0.4), *np.arange(0.67, 3, 0.4)])
    np.testing.assert_allclose(result.time[turns + 1], expected, atol=1e-14)


@pytest.mark.parametrize(("width", "level"), [(0, 0.0), (1, 4.0)])
def test_pulses_of_no_width_and_of_all(width: int, level: float) -> None:
    result = loaded(f"PulseVoltage S(V = 4, period = 0.1, width = {width})")
    assert result["S.v"][1:] == pytest.approx(level)


@pytest.mark.parametrize(("duty", "level"), [("0", 0.0), ("1", 4.0), ("-0.5", 0.0), ("1.5", 4.0)])
def test_duty_cycles_that_make_no_pulses(duty: str, level: float) -> None:
    result = loaded(f"PWMVoltage S(V = 4, period = 0.1, duty = {duty})")
    assert result["S.v"][1:] == pytest.approx(level)


def test_duty_cycle_is_read_once_in_a_period() -> None:
    """duty = time/4 at 0.1, 0.6, 1.1, ...: pulses of duty*0.5 s."""
    result = loaded("PWMVoltage S(V = 4, offset = 1, period = 0.5, startTime = 0.1, duty = time/4)")
    begins = 0.1 + 0.5 * np.arange(6)
    ends = begins + begins / 4 * 0.5
    turns = np.flatnonzero(np.diff(result["S.v"]))
    np.testing.assert_allclose(result.time[turns + 1], np.sort([*begins, *ends]), atol=1e-13)
    assert set(result["S.v"].tolist()) == {1.0, 5.0}


def test_pulse_width_modulation_of_a_coil() -> None:
    """The example, from edge to edge by hand: i goes to 24 A or to 0 with the time constant of 2 ms."""
    result = translated(EXAMPLES + "PulseWidthModulation").simulate(tolerance=1e-9)
    i, expected = 12.0, [(0.0, 12.0)]
    for k in range(400):
        duty = 0.5 + 0.4 * np.sin(2 * np.pi * 50 * k * 1e-4)
        for level, part in ((24.0, duty), (0.0, 1 - duty)):
            i = level + (i - level) * np.exp(-part * 1e-4 / 2e-3)
            expected.append(((k + duty) * 1e-4 if level else (k + 1) * 1e-4, i))
    times, values = np.array(expected).T
    np.testing.assert_allclose(np.interp(times, result.time, result["L.i"]), values, atol=1e-6)


def test_supply_buffer() -> None:
    """The example, integrated separately from edge to edge."""
    result = translated(EXAMPLES + "SupplyBuffer").simulate(tolerance=1e-10)
    edges = sorted(
        [0.0, 0.05, 0.1, *(0.005 + 0.01 * k for k in range(10)), *(0.006 + 0.01 * k for k in range(10))]
    )
    v = 5.0
    for begin, end in pairwise(edges):
        middle = (begin + end) / 2
        drawn = 0.02 + (0.2 if middle > 0.05 else 0.0) + pulses(np.array(middle), 0.01, 0.1, 0.005)
        rest = (5 / 0.5 - drawn) / (1 / 0.5 + 1e-4)
        v = rest + (v - rest) * np.exp(-(end - begin) * (1 / 0.5 + 1e-4) / 2e-3)
        row = np.searchsorted(result.time, end - 1e-12)
        assert result["sensor.v"][row] == pytest.approx(v, abs=1e-7)
    assert 4.6 < result["sensor.v"][result.time < 0.05].min() < 4.7  # as the text says


def test_frequency_sweep() -> None:
    """The example, integrated separately: C v' = I sin(2 pi (f0 t + rate t^2/2)) - v/R - i, L i' = v."""
    result = translated(EXAMPLES + "FrequencySweep").simulate(tolerance=1e-10)

    def rates(t: float, x: Array) -> list[float]:
        v, i = x
        drive = 1e-3 * np.sin(2 * np.pi * (500 * t + 2500 * t**2))
        return [(drive - v / 1000 - i) / 2.533e-6, v / 10e-3]

    times = result.time[:-1]  # the last row is a second one for the end, where the sweep ends
    found = solve_ivp(rates, (0, 0.2), (0, 0), "DOP853", times, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(result["C.v"][:-1], found.y[0], atol=1e-6)
    np.testing.assert_allclose(result["L.i"][:-1], found.y[1], atol=1e-8)


# ---------------------------------------------------------------- controlled sources


def controlled(source: str) -> Result:
    """A source of 3 V with a resistor of 3 ohms in series on the controlling side of `S`, where 6 ohms are in
    parallel with it; 5 ohms on the other side."""
    text = f"""
model M
  Saltus.Electrical.Sources.ConstantVoltage V(V = 3);
  Saltus.Electrical.Sources.{source};
  Saltus.Electrical.Resistor series(R = 3), beside(R = 6), load(R = 5);
  Saltus.Electrical.Ground g;
equation
  connect(V.p, series.p);
  connect(series.n, S.p1);
  connect(beside.p, S.p1);
  connect(beside.n, S.n1);
  connect(S.n1, g.p);
  connect(V.n, g.p);
  connect(S.p2, load.p);
  connect(S.n2, load.n);
  connect(S.n2, g.p);
end M;"""
    return saltus.load(text).simulate()


@pytest.mark.parametrize(
    ("source", "v1", "i1", "v2", "i2"),
    [  # controlled by 2 V, and no current; or by 1 A, and no voltage
        ("VoltageControlledVoltage S(gain = 4)", 2.0, 0.0, 8.0, -1.6),
        ("VoltageControlledCurrent S(gm = 4)", 2.0, 0.0, -40.0, 8.0),
        ("CurrentControlledVoltage S(rm = 4)", 0.0, 1.0, 4.0, -0.8),
        ("CurrentControlledCurrent S(gain = 4)", 0.0, 1.0, -20.0, 4.0),
    ],
)
def test_controlled_source(source: str, v1: float, i1: float, v2: float, i2: float) -> None:
    result = controlled(source)
    found = [result[name][-1] for name in ("S.v1", "S.i1", "S.v2", "S.i2")]
    assert found == pytest.approx([v1, i1, v2, i2], abs=1e-12)
    assert result["load.v"][-1] == pytest.approx(v2)


def test_gyrator_is_an_inductor() -> None:
    """The example: C/gm^2 = 1 H with 100 ohms."""
    result = translated(EXAMPLES + "Gyrator").simulate(tolerance=1e-10)
    expected = np.where(result.time > 0.01, 0.01 * (1 - np.exp(-(result.time - 0.01) / 0.01)), 0.0)
    np.testing.assert_allclose(result["R.i"], expected, atol=1e-9)
    np.testing.assert_allclose(result["R2.i"], expected, atol=1e-9)


def test_current_mirror() -> None:
    """The example: 2 mA and 1 mA of sine, times three; one volt per milliampere at 8 ohms."""
    result = translated(EXAMPLES + "CurrentMirror").simulate()
    expected = 3e-3 * (2 + np.sin(2 * np.pi * 50 * result.time))
    np.testing.assert_allclose(result["load.i"], expected, rtol=1e-12)
    np.testing.assert_allclose(result["out.v"], 1000 * expected, rtol=1e-12)
    np.testing.assert_allclose(result["buffer.i2"], -125 * expected, rtol=1e-12)
    assert np.abs(result["meter.i2"]).max() == 0
    np.testing.assert_allclose(result["mirror.v2"], 12 - 500 * expected, rtol=1e-12)


# ---------------------------------------------------------------- three phases


def test_three_phases() -> None:
    """The example after a while: amplitude and phase of each current from the impedance, constant power."""
    result = translated(EXAMPLES + "ThreePhaseLoad").simulate(stop_time=0.2, tolerance=1e-10)
    late = result.time > 0.15  # 30 time constants
    t, w = result.time[late], 2 * np.pi * 50
    impedance = 10 + 1j * w * 0.05
    for k, name in enumerate("abc"):
        phasor = 325 * np.exp(-2j * np.pi * k / 3)
        np.testing.assert_allclose(
            result[f"mains.{name}.v"][late], np.imag(phasor * np.exp(1j * w * t)), atol=1e-9
        )
        current = np.imag(phasor / impedance * np.exp(1j * w * t))
        np.testing.assert_allclose(result[f"L{name}.i"][late], current, atol=1e-6)
    power = 3 * 325**2 / 2 * (1 / impedance).real
    np.testing.assert_allclose(result["power"][late], power, rtol=1e-7)
    assert np.abs(result["neutral.i"]).max() < 1e-9


def test_three_phases_with_one_load() -> None:
    """Everything flows back in the neutral, which is not at ground but 10 V above; the phase is shifted."""
    result = saltus.load("""
model M
  Saltus.Electrical.ThreePhaseSource S(V = 100, f = 1, phase = 0.5);
  Saltus.Electrical.Resistor R(R = 4), none1(R = 1), none2(R = 1);
  Saltus.Electrical.Sources.ConstantVoltage above(V = 10);
  Saltus.Electrical.Ground g;
equation
  connect(S.b, R.p);
  connect(R.n, S.n);
  connect(above.p, S.n);
  connect(above.n, g.p);
  connect(S.a, none1.p);
  connect(S.c, none2.p);
end M;""").simulate()
    expected = 100 * np.sin(2 * np.pi * result.time + 0.5 - 2 * np.pi / 3)
    np.testing.assert_allclose(result["S.b.v"], 10 + expected, atol=1e-9)
    np.testing.assert_allclose(result["R.i"], expected / 4, atol=1e-9)
    np.testing.assert_allclose(result["S.n.i"], expected / 4, atol=1e-9)
    assert np.abs(result["above.i"]).max() < 1e-9
