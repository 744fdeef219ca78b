"""Networks of switches and diodes for which there are two consistent modes, or none.

By hand: a switch in series with a resistor at a supply of 1 V has 0 V while it is closed and 1 V while it is
open. An ideal diode before a resistor of -1 ohm at a supply of u volts carries -u amperes if it conducts (so
u must not be positive) and has u volts if it blocks (so u must be negative).
"""

from __future__ import annotations

import numpy as np
import pytest
from electrical_elements import circuit, nodes, run

from saltus.core.diagnostics import RunError
from saltus.result.result import Result


def contacts(*conditions: str) -> str:
    """One switch each, behind a resistor of its own, at a supply that is turned on at time 1."""
    switches = [f"  IdealSwitch S{k}(closed = {c});\n" for k, c in enumerate(conditions, 1)]
    resistors = [f"  Resistor R{k}(R = 100);\n" for k in range(1, len(conditions) + 1)]
    numbers = range(1, len(conditions) + 1)
    return circuit(
        "  SignalVoltage V(signal = if time < 1 then 0 else 1);\n" + "".join(switches + resistors),
        nodes(
            "V.p " + " ".join(f"R{k}.p" for k in numbers),
            *(f"R{k}.n S{k}.p" for k in numbers),
            "V.n ground.p " + " ".join(f"S{k}.n" for k in numbers),
        ),
    )


def several(result: Result) -> list[str]:
    """The warnings about several solutions, each with its notes in one text."""
    found = [w for w in result.warnings if w.code == "W404"]
    return ["\n".join([w.message, *(n.message for n in w.notes)]) for w in found]


def test_flip_flop_has_two_solutions() -> None:
    """Each switch is closed by the voltage of the other one. One of them closes, which one is not said."""
    result = run(contacts("S2.v > 0.5", "S1.v > 0.5"), 2)
    after = result.time > 1
    first, second = result["S1.v"][after], result["S2.v"][after]
    np.testing.assert_allclose(first + second, 1, atol=1e-12)
    np.testing.assert_allclose(first * second, 0, atol=1e-12)
    assert np.ptp(first) == 0
    (warning,) = several(result)
    assert "S1.v > 0.5" in warning and "S2.v > 0.5" in warning
    assert "1" in warning  # the time


def test_supply_without_voltage_has_one_solution() -> None:
    """The same flip-flop before time 1: both open, nothing to warn about."""
    result = run(contacts("S2.v > 0.5", "S1.v > 0.5"), 0.9)
    assert several(result) == []
    assert np.all(result["S1.closed"] == 0) and np.all(result["S2.closed"] == 0)


@pytest.mark.parametrize("stages", [1, 3])
def test_ring_of_inverters_has_none(stages: int) -> None:
    """Each switch is closed by the voltage of the one before it, an odd number in a ring."""
    conditions = [f"S{k or stages}.v > 0.5" for k in range(stages)]
    with pytest.raises(RunError) as caught:
        run(contacts(*conditions), 2)
    error = caught.value.diagnostics[0]
    assert error.code == "E404"
    said = "\n".join([error.message, *(n.message for n in error.notes)])
    for k in range(1, stages + 1):
        assert f"S{k}.v > 0.5" in said
    assert "time 1" in said


def test_ring_of_four_has_two_solutions() -> None:
    result = run(contacts(*(f"S{k or 4}.v > 0.5" for k in range(4))), 2)
    after = np.array([result[f"S{k}.closed"][-1] for k in range(1, 5)])
    np.testing.assert_array_equal(after[:2], after[2:])
    assert after[0] != after[1]
    assert len(several(result)) == 1


def negative_resistor(supply: str) -> str:
    return circuit(
        f"  SignalVoltage V(signal = {supply});\n  IdealDiode D;\n  Resistor R(R = -1);\n",
        nodes("V.p D.p", "D.n R.p", "R.n V.n ground.p"),
    )


def test_diode_before_a_negative_resistor_has_two_solutions() -> None:
    """-1 V: it blocks with -1 V, or it conducts 1 A."""
    result = run(negative_resistor("-1"), 1)
    i, v = float(result["D.i"][-1]), float(result["D.v"][-1])
    assert (i, v) in ((pytest.approx(1), 0), (0, pytest.approx(-1)))


def test_diode_before_a_negative_resistor_has_none() -> None:
    """From time 1 on the supply is positive: 1 A the wrong way, or 1 V the wrong way."""
    with pytest.raises(RunError) as caught:
        run(negative_resistor("time - 1"), 2)
    error = caught.value.diagnostics[0]
    assert error.code == "E404"
    assert "D.s < 0" in "\n".join([error.message, *(n.message for n in error.notes)])
