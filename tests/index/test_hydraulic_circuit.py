"""Loops of nonlinear equations between tanks, pumps and pipes, against flows and levels found with SciPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hydraulic_models import (
    DROP,
    HEAD,
    LAWS,
    PIPES,
    STARTS,
    Pipe,
    Vector,
    check_bridge,
    circuit,
    flow,
    junction_pressures,
)
from integrators import Simulate
from scipy.integrate import solve_ivp

from translated_models import translated


@pytest.mark.parametrize("law", LAWS)
def test_flows_in_a_bridge_of_pipes(simulate: Simulate, law: str) -> None:
    """One loop of seven square roots and a pump; the flow through the bridge is the delicate one."""
    check_bridge(simulate, law, STARTS.get(law, ""))


@pytest.mark.parametrize("law", ["smooth", "pieces"])
def test_flows_of_smoothed_laws_need_no_start_values(simulate: Simulate, law: str) -> None:
    check_bridge(simulate, law, "")


def two_tanks(law: str, *levels: float, pump: str = "") -> str:
    """Two tanks joined by the bridge."""
    declared = "".join(
        f"  Tank {name}(area = {area}, h(start = {level}, fixed = true));\n"
        for name, area, level in zip(("one", "two"), (2, 3), levels, strict=True)
    )
    pipes = (Pipe("one", "A", 2.0), *PIPES, Pipe("B", "two", 1.5))
    ends = {"one": "one.port", "two": "two.port"}
    return circuit(law, STARTS.get(law, ""), pipes, ends, declared + pump)


def pumped_rate(law: str) -> Callable[[float, Vector], list[float]]:
    """Rates of the levels where the pump lifts water from the second tank back to the first."""
    pipes = (Pipe("one", "A", 2.0), *PIPES, Pipe("B", "two", 1.5))
    guess = np.array([40.0, 20.0, 30.0, 30.0])

    def rate(t: float, h: Vector) -> list[float]:
        known = {"one": 9.81 * h[0], "two": 9.81 * h[1]}
        pressure, _ = junction_pressures(law, pipes, known, None, guess)
        guess[:] = [pressure[n] for n in "ABCD"]
        falling = flow(law, 2.0, pressure["one"] - pressure["A"])
        lift = (HEAD - (known["one"] - known["two"])) / DROP
        lifted = np.sign(lift) * np.sqrt(abs(lift))
        return [(lifted - falling) / 2, (falling - lifted) / 3]

    return rate


@pytest.mark.parametrize("law", LAWS)
def test_levels_of_two_tanks(simulate: Simulate, law: str) -> None:
    text = two_tanks(law, 5.0, 1.0, pump=f"  Pump pump(head = {HEAD}, drop = {DROP});")
    connected = "  connect(two.port, pump.port_a);\n  connect(pump.port_b, one.port);\nend Circuit;"
    model = translated(text.replace("end Circuit;", connected))
    result = simulate(model, stop_time=6.0, interval=0.25, tolerance=1e-9)
    exact = solve_ivp(pumped_rate(law), (0, 6), [5.0, 1.0], rtol=1e-9, atol=1e-9, dense_output=True)
    np.testing.assert_allclose(result["one.h"], exact.sol(result.time)[0], atol=2e-6)
    np.testing.assert_allclose(result["two.h"], exact.sol(result.time)[1], atol=2e-6)
    assert np.ptp(result["one.h"]) > 0.5
    assert np.ptp(result["one.volume"] + result["two.volume"]) < 1e-7


@pytest.mark.parametrize("law", ["smooth", "pieces", "inverse"])
def test_tanks_that_become_level(simulate: Simulate, law: str) -> None:
    """Without a pump the levels meet, all flows end, and what a square root does at zero matters."""
    model = translated(two_tanks(law, 3.0, 1.0))
    result = simulate(model, stop_time=20.0, interval=0.5, tolerance=1e-7)
    level = (2 * 3 + 3 * 1) / 5
    assert result["one.h"][-1] == pytest.approx(level, abs=1e-3)
    assert result["two.h"][-1] == pytest.approx(level, abs=1e-3)
    assert np.all(np.diff(result["one.h"]) < 1e-6)
    assert np.ptp(result["one.volume"] + result["two.volume"]) < 1e-6
