"""The operational amplifier of Saltus.Electrical: amplifying, integrating, comparing, remembering.

The truth is what an engineer computes for each circuit: with equal inputs inside the limits, with the output
at a limit otherwise.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus
from saltus.result.result import Result
from translated_models import translated

COVERS = ("Saltus.Electrical.OperationalAmplifier",)

EXAMPLES = "Saltus.Examples.Electrical."


def circuit(parts: str, equations: str, stop_time: float = 1.0) -> Result:
    """A run of a model of these parts, with a ground `g` and the amplifier `A` connected by the equations."""
    text = f"model M\n import Saltus.Electrical.*;\n Ground g;\n{parts}equation\n{equations}end M;"
    return saltus.load(text).simulate(stop_time=stop_time, tolerance=1e-9)


def on_the_curve(result: Result, name: str, low: float, high: float, slack: float = 0.0) -> None:
    """At every row: inside the limits the input is the output times `slack`, at a limit it is beyond that."""
    out, v = result[f"{name}.out.v"], result[f"{name}.plus.v"] - result[f"{name}.minus.v"]
    rest = v - slack * out
    assert np.all((out >= low - 1e-8) & (out <= high + 1e-8))
    inside = (out > low + 1e-8) & (out < high - 1e-8)
    assert np.abs(rest[inside]).max(initial=0) < 1e-9
    assert rest[out >= high - 1e-8].min(initial=0) > -1e-8
    assert rest[out <= low + 1e-8].max(initial=0) < 1e-8
    assert np.abs(result[f"{name}.plus.i"]).max() == np.abs(result[f"{name}.minus.i"]).max() == 0


def test_inverting_amplifier() -> None:
    """The example: -3 times the input, cut off at 10 V; the current of the load comes from the output."""
    result = translated(EXAMPLES + "InvertingAmplifier").simulate()
    u = 5 * np.sin(2 * np.pi * 50 * result.time)
    out = np.clip(-3 * u, -10, 10)
    np.testing.assert_allclose(result["amplifier.out.v"], out, atol=1e-9)
    minus = (3 * u + out) / 4
    np.testing.assert_allclose(result["amplifier.v"], -minus, atol=1e-9)
    np.testing.assert_allclose(result["amplifier.out.i"], -out / 500 - (out - minus) / 3000, atol=1e-9)
    on_the_curve(result, "amplifier", -10, 10)
    first = np.arcsin(2 / 3) / (100 * np.pi)
    changes = [e.time for e in result.events if e.time > 0]
    expected = [first, 0.01 - first, 0.01 + first, 0.02 - first]
    assert changes[:4] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("gain", [10.0, 1e3, 1e5])
def test_finite_gain(gain: float) -> None:
    """out = -A*minus, and minus between input and output: out = -3 u/(1 + 4/A)."""
    result = circuit(
        f" OperationalAmplifier A(slack = {1 / gain}); Resistor R1(R = 1), R2(R = 3);"
        " Sources.SineVoltage V(V = 2, f = 1);\n",
        " connect(V.p, R1.p); connect(R1.n, A.minus); connect(A.minus, R2.p); connect(R2.n, A.out);"
        " connect(A.plus, g.p); connect(V.n, g.p);\n",
    )
    u = 2 * np.sin(2 * np.pi * result.time)
    np.testing.assert_allclose(result["A.out.v"], -3 * u / (1 + 4 / gain), atol=1e-10)
    on_the_curve(result, "A", -15, 15, 1 / gain)


def test_follower() -> None:
    """The output is connected to the input: it has the voltage of a divider, which it does not load."""
    result = circuit(
        " OperationalAmplifier A(Vmax = 8, Vmin = -1); Resistor R1(R = 1e3), R2(R = 1e3), load(R = 1);"
        " Sources.SineVoltage V(V = 20, f = 1);\n",
        " connect(V.p, R1.p); connect(R1.n, A.plus); connect(A.plus, R2.p); connect(R2.n, g.p);"
        " connect(A.minus, A.out); connect(A.out, load.p); connect(load.n, g.p); connect(V.n, g.p);\n",
    )
    half = 10 * np.sin(2 * np.pi * result.time)
    np.testing.assert_allclose(result["A.out.v"], np.clip(half, -1, 8), atol=1e-9)
    np.testing.assert_allclose(result["R2.v"], half, atol=1e-9)
    on_the_curve(result, "A", -1, 8)


def test_integrator_that_reaches_its_limit() -> None:
    """-1 V/s per volt of input: a ramp to the limit, where the capacitor charges through the resistor on."""
    result = circuit(
        " OperationalAmplifier A(Vmax = 10); Resistor R(R = 1);"
        " Capacitor C(C = 1, v(start = 0, fixed = true));"
        " Sources.StepVoltage V(V = -30, offset = 20, startTime = 1);\n",
        " connect(V.p, R.p); connect(R.n, A.minus); connect(A.minus, C.p); connect(C.n, A.out);"
        " connect(A.plus, g.p); connect(V.n, g.p);\n",
        stop_time=3,
    )
    t = result.time
    # At the limit -10 from 0.5 s on: the capacitor, at 10 V, goes to 20 + 10 with a time constant of 1 s.
    top = 30 - 20 * np.exp(-0.5)
    # With -10 V at the input it goes back to 0, still at the limit until the input is at zero: C.v = 10.
    back = 1 + np.log(top / 10)
    expected = np.select(
        [t <= 0.5, t <= 1, t <= back, t <= back + 2],
        [20 * t, 30 - 20 * np.exp(-(t - 0.5)), top * np.exp(-(t - 1)), 10 - 10 * (t - back)],
    )
    np.testing.assert_allclose(result["C.v"], expected, atol=1e-6)
    np.testing.assert_allclose(result["A.out.v"], np.maximum(-expected, -10), atol=1e-6)
    on_the_curve(result, "A", -10, 10)


def test_comparator() -> None:
    """The example: 5 V while 4 sin(200 pi t) is above the ramp of 100 V/s from -5 V on."""
    result = translated(EXAMPLES + "Comparator").simulate()

    def difference(t: float) -> float:
        return float(4 * np.sin(200 * np.pi * t) - (100 * t - 5))

    grid = np.linspace(0, 0.1, 100_001)
    above = np.array([difference(t) > 0 for t in grid])
    places = np.flatnonzero(np.diff(above))
    crossings = [brentq(difference, grid[k], grid[k + 1], xtol=1e-15) for k in places]
    turns = np.flatnonzero(np.abs(np.diff(result["comparator.out.v"])) > 1)
    assert result.time[turns + 1] == pytest.approx(crossings, abs=1e-9)
    assert len(crossings) > 10 and set(np.round(result["comparator.out.v"], 9).tolist()) == {0.0, 5.0}
    on_the_curve(result, "comparator", 0, 5)


def test_schmitt_trigger() -> None:
    """The example: with feedback it turns at 2.5 V and -2.5 V, without at every crossing of zero."""
    # At 2 s both waves cross zero: the run goes on for a moment, so that it has this event.
    result = translated(EXAMPLES + "SchmittTrigger").simulate(stop_time=2.00001)
    t = np.linspace(0, 2, 200_001)
    u = 4 * np.sin(2 * np.pi * t) + 0.8 * np.sin(74 * np.pi * t)
    expected, high = [], True
    for time, value in zip(t.tolist(), u.tolist(), strict=True):
        if (high and value > 2.5) or (not high and value < -2.5):
            high = not high
            expected.append(time)
    turns = np.flatnonzero(np.abs(np.diff(result["trigger.out.v"])) > 1)
    assert result.time[turns + 1] == pytest.approx(expected, abs=1.1e-5)  # the grid by hand
    plain = np.flatnonzero(np.abs(np.diff(result["plain.out.v"])) > 1)
    # The grid only touches the last crossing.
    assert len(expected) == 4 and len(plain) == np.count_nonzero(np.diff(u[1:-1] > 0)) + 1 > 15
    assert result.time[plain[-1] + 1] == pytest.approx(2, abs=1e-9)
    on_the_curve(result, "trigger", -10, 10)
    on_the_curve(result, "plain", -10, 10)


@pytest.mark.parametrize(("start", "first"), [(20, 10.0), (-20, -10.0), (0, 0.0)])
def test_start_value_chooses_a_solution(start: float, first: float) -> None:
    """Plus gets half of the output: with nothing at minus, both limits and zero are solutions."""
    result = circuit(
        f" OperationalAmplifier A(Vmax = 10, s(start = {start})); Resistor R1(R = 1), R2(R = 1);\n",
        " connect(A.out, R1.p); connect(R1.n, A.plus); connect(A.plus, R2.p); connect(R2.n, g.p);"
        " connect(A.minus, g.p);\n",
    )
    assert result["A.out.v"] == pytest.approx(first, abs=1e-12)


def test_relaxation_oscillator() -> None:
    """A capacitor behind a resistor follows the output, which turns when half of it is reached: the period is
    2 RC ln 3."""
    result = circuit(
        " OperationalAmplifier A(Vmax = 10, s(start = 20)); Resistor R(R = 1), R1(R = 1), R2(R = 1);"
        " Capacitor C(C = 1, v(start = 0, fixed = true));\n",
        " connect(A.out, R1.p); connect(R1.n, A.plus); connect(A.plus, R2.p); connect(R2.n, g.p);"
        " connect(A.out, R.p); connect(R.n, A.minus); connect(C.p, A.minus); connect(C.n, g.p);\n",
        stop_time=10,
    )
    turns = np.flatnonzero(np.abs(np.diff(result["A.out.v"])) > 1)
    expected = np.log(2) + np.log(3) * np.arange(9)
    assert result.time[turns + 1] == pytest.approx(expected[expected < 10], abs=1e-6)
    on_the_curve(result, "A", -10, 10)


def test_triangle_generator() -> None:
    """The example: 20 V/ms up and down between -5 V and 5 V, squares of 10 V."""
    result = translated(EXAMPLES + "TriangleGenerator").simulate()
    t = result.time * 1e3
    triangle = 20 * np.abs(np.mod(t + 0.25, 1) - 0.5) - 5
    np.testing.assert_allclose(result["integrator.out.v"], triangle, atol=1e-6)
    turns = np.flatnonzero(np.abs(np.diff(result["trigger.out.v"])) > 1)
    assert t[turns + 1] == pytest.approx(np.arange(0.25, 5, 0.5), abs=1e-7)
    on_the_curve(result, "integrator", -10, 10)
    on_the_curve(result, "trigger", -10, 10)
