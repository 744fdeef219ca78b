"""Networks with exponential diodes, without start values, against damped Newton on nodal analysis."""

from __future__ import annotations

import numpy as np
import pytest
from circuit_models import Branch, branch, characteristic, modelica, operating_point
from integrators import Simulate
from scipy.integrate import solve_ivp

from translated_models import translated

DIODE = {"Is": 1e-12, "Vt": 0.02585}
#: What rounding leaves of currents of an ampere, 1e-16 A, is a voltage of 1e-10 V at this leak: below the
#: tolerance. A smaller leak would not determine the potentials to it.
LEAKY = {**DIODE, "Gmin": 1e-6}
MAINS = 50.0


def bridge(*load: Branch, kind: str = "Diode", **diode: float) -> list[Branch]:
    """Source (0) between nodes 1 and 0, its resistance (1) to node 2, four diodes to the load at 3 and 4."""
    return [
        branch("Sine", 1, 0, V=10.0, f=MAINS),
        branch("Resistor", 1, 2, R=5.0),
        *(branch(kind, start, end, **diode) for start, end in ((2, 3), (0, 3), (4, 2), (4, 0))),
        *load,
    ]


def mains(t: float) -> float:
    return float(10 * np.sin(2 * np.pi * MAINS * t))


def test_bridge_rectifier_at_every_moment(simulate: Simulate) -> None:
    """No states at all: each output point is an operating point of its own."""
    branches = bridge(branch("Resistor", 3, 4, R=100.0), **DIODE)
    result = simulate(translated(modelica(branches)), stop_time=0.03, interval=0.0005)
    x = None
    for row, t in enumerate(result.time):
        voltages, currents, x = operating_point(branches, {0: mains(t)}, x)
        for k in range(len(branches)):
            assert result[f"b{k}.v"][row] == pytest.approx(voltages[k], rel=1e-8, abs=1e-9)
            assert result[f"b{k}.i"][row] == pytest.approx(currents[k], rel=1e-6, abs=1e-12)
    power = sum(result[f"b{k}.v"] * result[f"b{k}.i"] for k in range(len(branches)))
    np.testing.assert_allclose(power, 0, atol=1e-10)
    assert result["b6.v"].min() > -1e-9 and result["b6.v"].max() > 7  # rectified, less two diodes


def test_bridge_rectifier_with_a_smoothing_capacitor(simulate: Simulate) -> None:
    """While all diodes block, only their leaks tell where the load floats."""
    load = branch("Resistor", 3, 4, R=500.0), branch("Capacitor", 3, 4, C=1e-4)
    branches = bridge(*load, kind="LeakyDiode", **LEAKY)
    text = modelica(branches, {7: "v(start = 0, fixed = true)"})
    result = simulate(translated(text), stop_time=0.04, interval=0.001, tolerance=1e-9)
    guess: list[np.ndarray | None] = [None]

    def rate(t: float, y: np.ndarray) -> list[float]:
        """The capacitor is a battery of its momentary voltage; its current is what charges it."""
        held = {0: mains(t), 7: float(y[0])}
        _, currents, guess[0] = operating_point(branches, held, guess[0])
        return [currents[7] / 1e-4]

    exact = solve_ivp(
        rate, (0, 0.04), [0.0], dense_output=True, rtol=1e-8, atol=1e-9, method="BDF", max_step=5e-4
    )
    np.testing.assert_allclose(result["b7.v"], exact.sol(result.time)[0], atol=2e-5)
    assert result["b7.v"][-1] > 6


@pytest.mark.parametrize("rungs", [10, 30])
def test_ladder_of_resistors_and_diodes(simulate: Simulate, rungs: int) -> None:
    """A resistor along, a diode across at every rung: all in one loop, the voltages fall along it."""
    branches = [branch("Battery", 1, 0, V=8.0)]
    for k in range(1, rungs + 1):
        branches.append(branch("Resistor", k, k + 1, R=10.0 + k))
        branches.append(branch("Diode", k + 1, 0, **DIODE))
    check_operating_point(branches, simulate)


@pytest.mark.parametrize("rungs", [10, 30])
def test_string_of_diodes_with_resistors_across(simulate: Simulate, rungs: int) -> None:
    """Diodes in series: without damping the first Newton step is beyond what exp can take."""
    branches = [branch("Battery", 1, 0, V=0.9 * rungs)]
    for k in range(1, rungs + 1):
        branches.append(branch("Diode", k, k + 1, **DIODE))
        branches.append(branch("Resistor", k + 1, 0, R=200.0 * k))
    check_operating_point(branches, simulate)


def test_antiparallel_diodes_both_ways(simulate: Simulate) -> None:
    """A limiter: the same network conducts forwards, backwards and hardly at all within one run."""
    branches = [
        branch("Sine", 1, 0, V=5.0, f=1.0),
        branch("Resistor", 1, 2, R=1000.0),
        branch("Diode", 2, 0, **DIODE),
        branch("Diode", 0, 2, **DIODE),
    ]
    result = simulate(translated(modelica(branches)), stop_time=1.0, interval=0.02)
    x = None
    for row, t in enumerate(result.time):
        voltages, _, x = operating_point(branches, {0: float(5 * np.sin(2 * np.pi * t))}, x)
        assert result["b2.v"][row] == pytest.approx(voltages[2], abs=1e-9)


def check_operating_point(branches: list[Branch], simulate: Simulate) -> None:
    model = translated(modelica(branches))
    result = simulate(model, stop_time=1.0, interval=0.5)
    voltages, currents, _ = operating_point(branches)
    for k, b in enumerate(branches):
        assert result[f"b{k}.v"][-1] == pytest.approx(voltages[k], rel=1e-8, abs=1e-10), f"b{k}.v"
        assert result[f"b{k}.i"][-1] == pytest.approx(currents[k], rel=1e-6, abs=1e-13), f"b{k}.i"
        if b.kind == "Diode":  # the law itself, with the numbers that were found
            law = characteristic(b, float(result[f"b{k}.v"][-1]))[0]
            assert result[f"b{k}.i"][-1] == pytest.approx(law, rel=1e-6, abs=1e-13)
    power = sum(result[f"b{k}.v"][-1] * result[f"b{k}.i"][-1] for k in range(len(branches)))
    assert abs(power) < 1e-9 * abs(result["b0.v"][-1] * result["b0.i"][-1])
