"""Arithmetic blocks against NumPy; corners and jumps at their exact places."""

from __future__ import annotations

import numpy as np
import pytest
from signal_limits import jumps

import saltus

COVERS = (
    "Saltus.Blocks.Math.Gain",
    "Saltus.Blocks.Math.Add",
    "Saltus.Blocks.Math.Subtract",
    "Saltus.Blocks.Math.Feedback",
    "Saltus.Blocks.Math.Sum",
    "Saltus.Blocks.Math.Product",
    "Saltus.Blocks.Math.Division",
    "Saltus.Blocks.Math.Abs",
    "Saltus.Blocks.Math.Sign",
    "Saltus.Blocks.Math.Sqrt",
    "Saltus.Blocks.Math.Sin",
    "Saltus.Blocks.Math.Cos",
    "Saltus.Blocks.Math.Max",
    "Saltus.Blocks.Math.Min",
    "Saltus.Blocks.Math.Switch",
)

MODEL = """
model AllMath
  import Saltus.Blocks.Math.*;
  Real a = 2*sin(3*time), b = 1.5 + cos(2*time);
  Gain gain(k = -1.5, u = a);
  Add add(k1 = 2, k2 = -3, u1 = a, u2 = b);
  Subtract subtract(u1 = a, u2 = b);
  Feedback feedback(u1 = a, u2 = b);
  Sum sum1(n = 3, k = {1, 2, -0.5}, u = {a, b, a*b});
  Product product1(u1 = a, u2 = b);
  Division division(u1 = a, u2 = b);
  Abs abs1(u = a);
  Sign sign1(u = a);
  Sqrt sqrt1(u = b);
  Sin sin1(u = a);
  Cos cos1(u = a);
  Max max1(u1 = a, u2 = b);
  Min min1(u1 = a, u2 = b);
  Switch switch(u1 = b, u2 = -b, control = a, threshold = 0.5);
  Real area(start = 0, fixed = true);
equation
  der(area) = abs1.y;
  annotation(experiment(StopTime = 4, Tolerance = 1e-9));
end AllMath;
"""


@pytest.fixture(scope="module")
def result() -> saltus.Result:
    return saltus.load(MODEL).simulate()


def test_memoryless_blocks(result: saltus.Result) -> None:
    a, b = 2 * np.sin(3 * result.time), 1.5 + np.cos(2 * result.time)
    expected = {
        "gain": -1.5 * a,
        "add": 2 * a - 3 * b,
        "subtract": a - b,
        "feedback": a - b,
        "sum1": a + 2 * b - 0.5 * a * b,
        "product1": a * b,
        "division": a / b,
        "abs1": np.abs(a),
        "sqrt1": np.sqrt(b),
        "sin1": np.sin(a),
        "cos1": np.cos(a),
        "max1": np.maximum(a, b),
        "min1": np.minimum(a, b),
    }
    for name, values in expected.items():
        assert np.abs(result[f"{name}.y"] - values).max() < 1e-9, name


def test_sign_jumps_where_the_input_is_zero(result: saltus.Result) -> None:
    found = jumps(result, "sign1.y")
    turns = [k * np.pi / 3 for k in range(4)]  # it leaves zero at once, as soon as it is more than rounding
    assert [value for _, value in found] == [0, 1, -1, 1, -1]
    assert [time for time, _ in found[1:]] == pytest.approx(turns, abs=1e-8)


def test_switch(result: saltus.Result) -> None:
    a, b = 2 * np.sin(3 * result.time), 1.5 + np.cos(2 * result.time)
    clear = np.abs(a - 0.5) > 1e-8
    assert np.abs(result["switch.y"] - np.where(a > 0.5, b, -b))[clear].max() < 1e-9


def test_the_corner_is_an_event(result: saltus.Result) -> None:
    """The integral of |2 sin(3 t)| over 0..4: three arches of 4/3 and what is left of the fourth."""
    rest = 2 / 3 * (1 - np.cos(3 * (4 - np.pi)))
    assert result["area"][-1] == pytest.approx(4 + rest, abs=1e-6)
    corners = [event.time for event in result.events.of("abs1.u < 0")]
    assert corners == pytest.approx([k * np.pi / 3 for k in range(1, 4)], abs=1e-8)
