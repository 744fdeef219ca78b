"""If-equations whose branches have equally many equations, but another structure and another index."""

from __future__ import annotations

import numpy as np
import pytest
from branch_readings import at
from scipy.integrate import solve_ivp

import saltus

CLUTCH = """
model Clutch
  parameter Real J1 = 2, J2 = 3, drive = 1;
  Real w1(start = 5, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean closed;
equation
  closed = time >= 1 and time < 2;
  J1*der(w1) = drive - tau;
  J2*der(w2) = tau;
  if closed then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 3));
end Clutch;
"""


def test_a_clutch_as_an_if_equation() -> None:
    result = saltus.load(CLUTCH).simulate(tolerance=1e-9)
    assert at(result, 0.6, "w1", "w2", "tau") == pytest.approx([5.3, 0.0, 0.0])
    # 2*5.5 = 5*w when it closes, then both turn under the drive.
    assert at(result, 1.5, "w1", "w2", "tau") == pytest.approx([2.3, 2.3, 3 / 5])
    assert at(result, 3.0, "w1", "w2", "tau") == pytest.approx([2.9, 2.4, 0.0])
    assert [i.weight for i in result.impulses["tau"]] == pytest.approx([6.6])


ROPE = """
model Rope
  parameter Real g = 10, L = 1, m = 2;
  Real x(start = 0.6, fixed = true), y(start = -0.5, fixed = true);
  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true), F;
  Boolean taut(start = false, fixed = true);
equation
  when x^2 + y^2 >= L^2 then
    taut = true;
  end when;
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y - m*g;
  if taut then
    x^2 + y^2 = L^2;
  else
    F = 0;
  end if;
  annotation(experiment(StopTime = 0.6));
end Rope;
"""


def test_a_rope_that_becomes_taut_is_of_index_three() -> None:
    result = saltus.load(ROPE).simulate(tolerance=1e-9)
    fall = np.sqrt(2 * 0.3 / 10)
    phi, speed = np.arctan2(0.6, 0.8), -10 * fall
    w = speed * np.sin(phi)  # the radial part of the velocity is gone
    swing = solve_ivp(
        lambda t, s: [s[1], -10 * np.sin(s[0])], (fall, 0.6), [phi, w], rtol=1e-11, atol=1e-12
    ).y[:, -1]
    x, y, force = at(result, 0.6, "x", "y", "F")
    assert [x, y] == pytest.approx([np.sin(swing[0]), -np.cos(swing[0])], abs=1e-7)
    assert force == pytest.approx(2 * (swing[1] ** 2 + 10 * np.cos(swing[0])), abs=1e-5)
    assert np.all(result["F"][result.time < fall - 1e-6] == 0.0)


GEARS = """
model Gears "Three shafts, joined in several ways"
  Real w1(start = 5, fixed = true), w2(start = 0, fixed = true), w3(start = 1, fixed = true), t12, t23;
  Integer gear(start = 0, fixed = true);
equation
  when time >= 1 then
    gear = 1;
  elsewhen time >= 2 then
    gear = 2;
  elsewhen time >= 3 then
    gear = 3;
  end when;
  der(w1) = -t12 + (if gear == 3 then 1 else 0);
  2*der(w2) = t12 - t23;
  3*der(w3) = t23;
  if gear == 1 then
    w1 = w2;
    t23 = 0;
  elseif gear >= 2 then
    if gear == 2 then
      w1 = w2;
      w2 = w3;
    else
      w2 = w3;
      t12 = 0;
    end if;
  else
    t12 = 0;
    t23 = 0;
  end if;
  annotation(experiment(StopTime = 4));
end Gears;
"""


def test_branches_nested_and_elseif() -> None:
    result = saltus.load(GEARS).simulate()
    speeds = [at(result, t, "w1", "w2", "w3") for t in (0.8, 1.6, 2.4, 4.0)]
    both, all_three = 5 / 3, (5 + 3) / 6
    expected = [[5, 0, 1], [both, both, 1], [all_three] * 3, [all_three + 1, all_three, all_three]]
    assert speeds == [pytest.approx(row, rel=1e-9) for row in expected]


TRAIN = """
package Shafts
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  model Inertia
    Flange a;
    parameter Real J = 1, w0 = 0;
    Real phi(start = 0, fixed = true), w(start = w0, fixed = true);
  equation
    phi = a.phi;
    w = der(phi);
    J*der(w) = a.tau;
  end Inertia;
  partial model Joint
    Flange a, b;
    Real dphi = a.phi - b.phi, dw = der(dphi);
    input Boolean on;
  equation
    a.tau + b.tau = 0;
  end Joint;
  model Clutch
    extends Joint;
  equation
    if on then
      dw = 0;
    else
      a.tau = 0;
    end if;
  end Clutch;
  model Train
    parameter Integer n = 3;
    Inertia m[n + 1](J = 1:n + 1, w0 = {10, 0, 0, 0});
    Clutch c[n];
  equation
    for k in 1:n loop
      connect(m[k].a, c[k].a);
      connect(c[k].b, m[k + 1].a);
      c[k].on = time >= k;
    end for;
    annotation(experiment(StopTime = 4));
  end Train;
  model Loop
    parameter Integer n = 3;
    Real w[n + 1](start = {10, 0, 0, 0}, each fixed = true), t[n + 2];
  equation
    t[1] = 0;
    t[n + 2] = 0;
    for k in 1:n + 1 loop
      k*der(w[k]) = t[k] - t[k + 1];
    end for;
    for k in 1:n loop
      if time >= k then
        w[k] = w[k + 1];
      else
        t[k + 1] = 0;
      end if;
    end for;
    annotation(experiment(StopTime = 4));
  end Loop;
end Shafts;
"""


@pytest.mark.parametrize(("model", "name"), [("Shafts.Train", "m[{}].w"), ("Shafts.Loop", "w[{}]")])
def test_clutches_in_arrays_of_components_and_in_loops(model: str, name: str) -> None:
    result = saltus.load(TRAIN, model=model).simulate(tolerance=1e-9)
    for joined in range(4):
        common = 10 / sum(range(1, joined + 2))
        speeds = at(result, joined + 0.8, *(name.format(k) for k in range(1, 5)))
        assert speeds == pytest.approx([common] * (joined + 1) + [0.0] * (3 - joined), abs=1e-9)
