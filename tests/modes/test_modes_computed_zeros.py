"""Capacitances that are zero by what a function says: no formula tells it, the run finds it out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus
from saltus.core.diagnostics import RunError

DEVICE = """
function device "Of several parameters and a voltage: capacitance and conductance"
  input Real area, c[2], v;
  output Real capacitance, conductance;
protected
  Real sum;
algorithm
  sum := 0;
  for k in 1:2 loop
    sum := sum + area*c[k]/(1 + v^2);
  end for;
  capacitance := sum;
  conductance := 1;
end device;

model Network "A capacitor that is discharged through a resistor and the device"
  parameter Real area = 1, c[2] = {0, 0}, R = 1, C = 1;
  Real v(start = 0.5), w(start = 1, fixed = true), capacitance, conductance, i;
equation
  (capacitance, conductance) = device(area, c, v);
  i = capacitance*der(v);
  (w - v)/R = i + conductance*v;
  C*der(w) = -(w - v)/R;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end Network;
"""


@pytest.mark.parametrize("values", [{}, {"area": 0.0, "c": [1.0, 2.0]}])
def test_without_capacitance_the_voltage_is_no_state(values: dict[str, float]) -> None:
    result = saltus.load(DEVICE, "Network").simulate(set=values)
    expected = np.exp(-result.time / 2)  # two resistors of 1 ohm
    assert np.allclose(result["w"], expected, rtol=1e-7)
    assert np.allclose(result["v"], expected / 2, rtol=1e-7)
    assert not np.any(result["i"])


def test_with_capacitance_it_is_one() -> None:
    result = saltus.load(DEVICE, "Network").simulate(set={"c": [0.25, 0.25]})

    def slopes(_: float, y: np.ndarray) -> list[float]:
        v, w = y
        return [(w - 2 * v) * (1 + v**2) / 0.5, v - w]

    expected = solve_ivp(slopes, (0, 2), [0.5, 1], rtol=1e-10, atol=1e-12).y[:, -1]
    assert np.allclose([result["v"][-1], result["w"][-1]], expected, rtol=1e-6)


def test_in_a_loop_of_linear_equations() -> None:
    # Two such devices in series: their derivatives are determined together, or not at all.
    text = DEVICE.replace("model Network", "model Other").replace("end Network", "end Other")
    result = saltus.load(
        text
        + """
        model Chain
          parameter Real area = 1, c[2] = {0, 0};
          Real v[2](each start = 0.2), w(start = 1, fixed = true), capacitance[2], conductance[2], i[2], j;
        equation
          for k in 1:2 loop
            (capacitance[k], conductance[k]) = device(area, c, v[k]);
            i[k] = capacitance[k]*der(v[k]);
            j = i[k] + conductance[k]*v[k];
          end for;
          w - v[1] - v[2] = j;
          der(w) = -j;
          annotation(experiment(StopTime = 2, Tolerance = 1e-9));
        end Chain;""",
        "Chain",
    ).simulate()
    assert np.allclose(result["w"], np.exp(-result.time / 3), rtol=1e-7)  # three resistors


def test_what_is_zero_at_the_start_only_is_told() -> None:
    model = saltus.load("""
        function late "Nothing up to 0.5"
          input Real v;
          output Real c, d;
        algorithm
          c := 0;
          d := 0;
          for k in 1:3 loop
            c := c + max(0, v - 0.5);
          end for;
        end late;
        model Late
          Real v(start = 0), c, d, x(start = 0, fixed = true);
        equation
          der(x) = 1;
          (c, d) = late(x);
          c*der(v) = x - v;
          annotation(experiment(StopTime = 1));
        end Late;""")
    with pytest.raises(RunError, match=r"E402.*`c` was zero and no longer is") as caught:
        model.simulate()
    partial = caught.value.partial
    assert partial is not None and math.isclose(partial.time[-1], 0.5, abs_tol=0.01)
    assert np.allclose(partial["v"], partial.time, atol=1e-6)


def test_what_is_zero_beside_another_capacitance_may_be_something_later() -> None:
    # `never` is zero, and z no state: by hand, z - y = -(z + y - 2) makes z = 1. Beside `some` there is
    # `later`, which is zero at the start.
    result = saltus.load("""
        function capacitances
          input Real x;
          output Real some, later, never;
        algorithm
          some := 0.25;
          later := 0;
          never := 0;
          for k in 1:2 loop
            later := later + max(0, x - 0.5);
            never := never + 0*x;
          end for;
        end capacitances;
        model Loop
          Real x(start = 0, fixed = true), y(start = 0, fixed = true), z, some, later, never;
        equation
          der(x) = 1;
          (some, later, never) = capacitances(x);
          never*der(z) + some*der(y) + later*der(y) = z - y;
          never*der(z) - some*der(y) - later*der(y) = z + y - 2;
          annotation(experiment(StopTime = 2, Tolerance = 1e-9));
        end Loop;""").simulate()

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        return (1 - y) / (0.25 + 2 * max(0.0, t - 0.5))

    expected = solve_ivp(slope, (0, 2), [0], rtol=1e-10, atol=1e-12, max_step=0.01).y[:, -1]
    assert np.allclose([result["y"][-1], result["z"][-1]], [*expected, 1], rtol=1e-6)
