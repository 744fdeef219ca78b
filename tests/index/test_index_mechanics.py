"""Gear trains and planar mechanisms with loop closures, against minimal coordinates integrated separately."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

import numpy as np
import pytest
from integrators import Simulate
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from saltus.analyse.analysis import analyse
from saltus.compiler import load_flat
from saltus.lower.hybrid.clauses import to_hybrid
from translated_models import translated

ROTATIONAL = """
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model Inertia
  parameter Real J = 1;
  Flange a, b;
  Real phi, w, acceleration;
equation
  phi = a.phi;
  phi = b.phi;
  w = der(phi);
  acceleration = der(w);
  J*acceleration = a.tau + b.tau;
end Inertia;
model Gear
  parameter Real ratio = 1;
  Flange a, b;
equation
  a.phi = ratio*b.phi;
  0 = ratio*a.tau + b.tau;
end Gear;
model Spring
  parameter Real c = 1;
  Flange a;
equation
  a.tau = c*a.phi;
end Spring;
"""


def reference(
    rate: Callable[[float, NDArray[np.float64]], Sequence[float]],
    start: Sequence[float],
    times: NDArray[np.float64],
) -> NDArray[np.float64]:
    found = solve_ivp(
        rate, (times[0], times[-1]), start, t_eval=times, rtol=1e-11, atol=1e-11, method="DOP853"
    )
    return np.asarray(found.y)


@pytest.mark.parametrize("count", [2, 3])
def test_geared_inertias_on_a_spring(simulate: Simulate, count: int) -> None:
    """All inertias follow the first: one oscillator with the sum of the reflected inertias."""
    text = (
        ROTATIONAL
        + f"""
    model Train
      Inertia m[{count}](J = {{{", ".join(str(k + 1) for k in range(count))}}});
      Gear g[{count - 1}](each ratio = -2);
      Spring s(c = 4);
    equation
      connect(s.a, m[1].a);
      for i in 1:{count - 1} loop
        connect(m[i].b, g[i].a);
        connect(g[i].b, m[i + 1].a);
      end for;
    initial equation
      m[{count}].phi = 0.25;
      m[1].w = 0;
    end Train;
    """
    )
    model = translated(text)
    assert len(model.structure.states) == 2
    assert model.structure.reduction is not None and model.structure.reduction.index == 3
    result = simulate(model, stop_time=3, tolerance=1e-9)
    inertia = sum((k + 1) / 4**k for k in range(count))
    first = 0.25 * (-2) ** (count - 1) * np.cos(np.sqrt(4 / inertia) * result.time)
    for k in range(count):
        np.testing.assert_allclose(result[f"m[{k + 1}].phi"], first / (-2) ** k, atol=1e-6)
    np.testing.assert_allclose(
        result[f"der(m[{count}].w)"], -4 / inertia * first / (-2) ** (count - 1), atol=1e-5
    )


CRANK = """
model SliderCrank
  parameter Real J = 0.5, m = 2, r = 1, l = 3, drive = 1;
  Real phi(start = 0.5, fixed = true, stateSelect = StateSelect.prefer);
  Real w(start = 1, fixed = true, stateSelect = StateSelect.prefer);
  Real psi(start = 0.15), s(start = 3.8), v, fx, fy;
equation
  der(phi) = w;
  J*der(w) = drive + r*(sin(phi)*fx - cos(phi)*fy);
  der(s) = v;
  m*der(v) = fx;
  0 = sin(psi)*fx + cos(psi)*fy;   // no torque about the end of a massless rod
  r*cos(phi) + l*cos(psi) = s;
  r*sin(phi) - l*sin(psi) = 0;
end SliderCrank;
"""


def test_slider_crank_over_a_revolution(simulate: Simulate) -> None:
    model = translated(CRANK)
    assert {v.name for v in model.structure.states} == {"phi", "w"}
    result = simulate(model, stop_time=4, tolerance=1e-9)
    j, m, r, rod, drive = 0.5, 2.0, 1.0, 3.0, 1.0

    def slope(phi: float) -> float:  # ds/dphi
        sin, cos = np.sin(phi), np.cos(phi)
        return float(-r * sin - r**2 * sin * cos / np.sqrt(rod**2 - (r * sin) ** 2))

    def rate(t: float, z: NDArray[np.float64]) -> list[float]:
        phi, w = z
        h = 1e-5
        bend = (slope(phi + h) - slope(phi - h)) / (2 * h)
        g = slope(phi)
        return [w, (drive - m * g * bend * w**2) / (j + m * g**2)]

    exact = reference(rate, [0.5, 1.0], result.time)
    assert exact[0, -1] > 2 * np.pi  # more than a revolution: through both dead centres of the slider
    np.testing.assert_allclose(result["phi"], exact[0], atol=1e-5)
    np.testing.assert_allclose(result["v"], [slope(p) * w for p, w in exact.T], atol=1e-5)
    energy = 0.5 * j * result["w"] ** 2 + 0.5 * m * result["v"] ** 2 - drive * result["phi"]
    assert np.ptp(energy) < 1e-5


FOUR_BAR = """
model FourBar
  parameter Real a = 1, b = 3, c = 2.5, d = 3.2;
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true);
  Real psi(start = 0.5), theta(start = 1.6), wt, lx, ly;
equation
  der(phi) = w;
  der(theta) = wt;
  der(w) = 0.5 + a*(sin(phi)*lx - cos(phi)*ly);
  2*der(wt) = c*(cos(theta)*ly - sin(theta)*lx);
  0 = sin(psi)*lx - cos(psi)*ly;   // the massless coupler carries force along itself only
  a*cos(phi) + b*cos(psi) = d + c*cos(theta);
  a*sin(phi) + b*sin(psi) = c*sin(theta);
end FourBar;
"""


def test_four_bar_for_a_part_of_a_revolution(simulate: Simulate) -> None:
    model = translated(FOUR_BAR)
    result = simulate(model, stop_time=2, tolerance=1e-9)
    a, b, c, d = 1.0, 3.0, 2.5, 3.2

    def closure(phi: float, guess: float) -> float:
        """theta from |B - A| = b alone, by Newton."""
        for _ in range(50):
            x, y = d + c * np.cos(guess) - a * np.cos(phi), c * np.sin(guess) - a * np.sin(phi)
            step = (x**2 + y**2 - b**2) / (2 * (-c * np.sin(guess) * x + c * np.cos(guess) * y))
            guess -= step
            if abs(step) < 1e-14:
                break
        return float(guess)

    theta = [result["theta"][0]]
    for phi in result["phi"][1:]:
        theta.append(closure(phi, theta[-1]))
    np.testing.assert_allclose(result["theta"], theta, atol=1e-8)
    assert abs(result["phi"][-1] - 1) > 0.3
    energy = 0.5 * result["w"] ** 2 + result["wt"] ** 2 - 0.5 * result["phi"]
    assert np.ptp(energy) < 1e-6


DOUBLE = """
model DoublePendulum
  parameter Real g = 9.81;
  Real x1(start = 0.3), y1(start = -0.95), u1(start = 0), v1;
  Real x2(start = 0.9), y2(start = -1.75), u2(start = 0), v2, f1, f2;
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = -f1*x1 + f2*(x2 - x1);
  der(v1) = -f1*y1 + f2*(y2 - y1) - g;
  der(u2) = -f2*(x2 - x1);
  der(v2) = -f2*(y2 - y1) - g;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
end DoublePendulum;
"""


def test_double_pendulum_against_its_angles(simulate: Simulate) -> None:
    model = translated(DOUBLE)
    assert len(model.structure.states) == 4
    result = simulate(model, stop_time=1, tolerance=1e-9)
    x1, y1, x2, y2 = (result[n] for n in ("x1", "y1", "x2", "y2"))
    np.testing.assert_allclose(x1**2 + y1**2, 1, atol=1e-9)
    first, second = np.arctan2(x1, -y1), np.arctan2(x2 - x1, y1 - y2)

    def rate(t: float, z: NDArray[np.float64]) -> list[float]:
        p, q, dp, dq = z
        cos, sin = np.cos(p - q), np.sin(p - q)
        mass = np.array([[2, cos], [cos, 1]])
        force = [-sin * dq**2 - 2 * 9.81 * np.sin(p), sin * dp**2 - 9.81 * np.sin(q)]
        return [dp, dq, *np.linalg.solve(mass, force)]

    exact = reference(rate, [first[0], second[0], 0, 0], result.time)
    np.testing.assert_allclose(first, exact[0], atol=1e-6)
    np.testing.assert_allclose(second, exact[1], atol=1e-6)
    kinetic = 0.5 * sum(result[n] ** 2 for n in ("u1", "v1", "u2", "v2"))
    assert np.ptp(kinetic + 9.81 * (y1 + y2)) < 1e-6


def test_pendulum_of_varying_length(simulate: Simulate) -> None:
    """A constraint with time in it: l = 1 + 0.2 sin(3 t)."""
    text = """
    model Swing
      Real x(start = 0.6), y(start = -0.8), u(start = 0.5, fixed = true), v, f, l;
    equation
      der(x) = u;
      der(y) = v;
      der(u) = -f*x;
      der(v) = -f*y - 9.81;
      l = 1 + 0.2*sin(3*time);
      x^2 + y^2 = l^2;
    end Swing;
    """
    result = simulate(translated(text), stop_time=2, tolerance=1e-9)

    def rate(t: float, z: NDArray[np.float64]) -> list[float]:
        length, growth = 1 + 0.2 * np.sin(3 * t), 0.6 * np.cos(3 * t)
        return [z[1], (-9.81 * np.sin(z[0]) - 2 * growth * z[1]) / length]

    angle = np.arctan2(result["x"], -result["y"])
    # x = l sin(a): u = l' sin(a) + l a' cos(a) with l' = 0.6 at the start
    spin = (0.5 - 0.6 * np.sin(angle[0])) / np.cos(angle[0])
    exact = reference(rate, [angle[0], spin], result.time)
    np.testing.assert_allclose(angle, exact[0], atol=1e-6)


def test_a_long_chain_of_rigid_couplings_is_sorted_in_time() -> None:
    text = (
        ROTATIONAL
        + """
    model Chain
      constant Integer n = 300;
      Inertia m[n];
      Spring s;
    equation
      connect(s.a, m[1].a);
      for i in 1:n - 1 loop
        connect(m[i].b, m[i + 1].a);
      end for;
    end Chain;
    """
    )
    hybrid = to_hybrid(load_flat(text))
    began = process_time()
    structure = analyse(hybrid)
    assert process_time() - began < 6  # about one second; it was twelve with dense matrices
    assert len(structure.states) == 2
