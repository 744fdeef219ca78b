"""Coefficients that are Reals with discrete values: the diode `u = mo*s; i = (1 - mo)*s` with a plain Real
`mo`, however its values are written. Against closed forms and the conservation of momentum and power."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from tools.obedience.judge import violations

import saltus

V, F, L, R = 10.0, 50.0, 0.02, 5.0
W = 2 * np.pi * F
TOLERANCE = 1e-9


def current(t: float) -> float:
    """L*i' + R*i = V*sin(W*t) from i(0) = 0 on."""
    sines = R * np.sin(W * t) - W * L * np.cos(W * t) + W * L * np.exp(-R / L * t)
    return float(V / (R**2 + (W * L) ** 2) * sines)


def rectified(times: NDArray[np.float64]) -> NDArray[np.float64]:
    """In every period the current begins with the voltage and ends when it is zero again."""
    end = brentq(current, 0.011, 0.015)
    phases = np.mod(times, 1 / F)
    return np.array([current(t) if t < end else 0.0 for t in phases])


DIODES = {
    "binding": ("Real mo = if s < 0 then 1 else 0;", "u = mo*s; i = (1 - mo)*s;"),
    "if-equation": ("Real mo;", "if s < 0 then mo = 1; else mo = 0; end if; u = mo*s; i = (1 - mo)*s;"),
    "algorithm": ("Real mo;", "u = mo*s; i = (1 - mo)*s; algorithm mo := 0; if s < 0 then mo := 1; end if;"),
    "through a Boolean": (
        "Boolean off = s < 0; Real mo = if off then 1 else 0;",
        "u = mo*s; i = (1 - mo)*s;",
    ),
    "through an Integer": ("Integer m = if s < 0 then 1 else 0; Real k = 1 - m;", "u = m*s; i = k*s;"),
    "one after the other": ("Real a = if s < 0 then 1 else 0, b = 1 - a;", "u = a*s; i = b*s;"),
    "solved for": ("Real mo;", "0 = 2*mo - (if s < 0 then 2 else 0); u = mo*s; i = (1 - mo)*s;"),
    "signs": ("Real g = if s < 0 then -1 else 1;", "u = (1 - g)/2*s; i = (1 + g)/2*s;"),
    "terms that cancel": ("Real mo = if s < 0 then 1 else 0;", "0 = mo*s - u; 0 = i - s + mo*s;"),
    "a choice of equations": ("Real mo = if s < 0 then 1 else 0;", "0 = mo*i + (1 - mo)*u; s = i + u;"),
    "parameters that are zero": (
        "parameter Real Ron = 0, Goff = 0; Real r = if s < 0 then 1 else Ron, g = if s < 0 then Goff else 1;",
        "u = r*s; i = g*s;",
    ),
    "parameters that cancel": (
        "parameter Real on = 1; Real mo = if s < 0 then on else 0;",
        "u = mo*s; i = (on - mo)*s;",
    ),
}


@pytest.mark.parametrize("name", DIODES)
def test_a_diode_with_a_number_for_its_mode(name: str) -> None:
    declared, equations = DIODES[name]
    model = saltus.load(f"""model M
      parameter Real L = {L}, R = {R};
      Real i(start = 0, fixed = true), u, s;
      {declared}
    equation
      {V}*sin(2*3.141592653589793*{F}*time) = L*der(i) + u + R*i;
      {equations}
    end M;""")
    result = model.simulate(stop_time=0.085, tolerance=TOLERANCE)
    # Some hundred steps of 1e-9 each of currents of 1.4 A.
    assert np.abs(result["i"] - rectified(result.time)).max() < 1e-6
    assert result["i"].min() > -1e-12 and not violations(result)


def test_a_bridge_of_such_diodes() -> None:
    result = saltus.load(f"""
    model D
      extends Saltus.Electrical.Interfaces.TwoPin;
      Real s, mo;
    equation
      mo = if s < 0 then 1 else 0;
      v = mo*s;
      i = (1 - mo)*s;
    end D;
    model Bridge
      D d[4];
      Saltus.Electrical.Ground g;
      Saltus.Electrical.Sources.SineVoltage src(V = {V}, f = {F});
      Saltus.Electrical.Resistor R(R = {R});
      Saltus.Electrical.Inductor L(L = {L}, i(start = 0, fixed = true));
    equation
      connect(src.p, d[1].p); connect(src.p, d[2].n); connect(src.n, d[3].p); connect(src.n, d[4].n);
      connect(d[1].n, L.p); connect(d[3].n, L.p); connect(L.n, R.p); connect(R.n, g.p);
      connect(d[2].p, g.p); connect(d[4].p, g.p);
    end Bridge;""").simulate(stop_time=0.1, tolerance=TOLERANCE)

    def rate(t: float, i: NDArray[np.float64]) -> NDArray[np.float64]:
        return (abs(V * np.sin(W * t)) - R * i) / L

    times, truth, i = [0.0], [0.0], 0.0
    for k in range(10):  # the kinks are where the source is zero
        piece = solve_ivp(rate, (0.01 * k, 0.01 * (k + 1)), [i], rtol=1e-11, atol=1e-13, dense_output=True)
        inside = result.time[(result.time > 0.01 * k) & (result.time <= 0.01 * (k + 1))]
        times += inside.tolist()
        truth += piece.sol(inside)[0].tolist() if inside.size else []
        i = float(piece.y[0, -1])
    assert np.abs(np.interp(times, result.time, result["L.i"]) - truth).max() < 1e-6
    assert not violations(result)


@pytest.mark.parametrize("count", [3, 7])
def test_the_highest_of_several_sources(count: int) -> None:
    result = saltus.load(f"""
    model D
      extends Saltus.Electrical.Interfaces.TwoPin;
      Real s, on = if s < 0 then 0 else 1;
    equation
      v = (1 - on)*s;
      i = on*s;
    end D;
    model Highest
      constant Integer n = {count};
      D d[n];
      Saltus.Electrical.Resistor R(R = 2);
      Saltus.Electrical.Sources.ConstantVoltage neg(V = -40);
      Saltus.Electrical.Ground g;
      Saltus.Electrical.Sources.SineVoltage src[n](
        V = {{8 + k/5 for k in 1:n}},
        f = {{1 + 0.15*k for k in 1:n}});
    equation
      for k in 1:n loop
        connect(src[k].n, g.p); connect(src[k].p, d[k].p); connect(d[k].n, R.p);
      end for;
      connect(R.n, neg.p); connect(neg.n, g.p);
    end Highest;""").simulate(stop_time=1)
    t = result.time
    sources = [(8 + k / 5) * np.sin(2 * np.pi * (1 + 0.15 * k) * t) for k in range(1, count + 1)]
    assert np.abs(result["R.p.v"] - np.max(sources, axis=0)).max() < 1e-10


def test_a_clutch_with_a_number_for_its_mode() -> None:
    """It closes at 0.5: what both shafts have in momentum is shared, and the torque has an impulse."""
    result = saltus.load("""model Clutch
      Real w1(start = 5, fixed = true), w2(start = 0, fixed = true), tau;
      Real k = if time >= 0.5 then 1 else 0;
    equation
      2*der(w1) = -tau;
      3*der(w2) = tau;
      0 = k*(w1 - w2) + (1 - k)*tau;
    end Clutch;""").simulate(stop_time=1)
    assert result["w1"][-1] == pytest.approx(2) and result["w2"][-1] == pytest.approx(2)
    (impulse,) = result.impulses
    assert impulse.name == "tau" and impulse.weight == pytest.approx(6)


def test_friction_with_numbers_for_its_branches() -> None:
    """A block of 1 kg pushed by 2 N*sin(t), held by up to 1.5 N: it breaks away at asin(3/4)."""
    result = saltus.load("""model Friction
      Real x(start = 0, fixed = true), v(start = 0, fixed = true), f, s;
      Real slides = if s > 1 or s < -1 then 1 else 0, way = if s > 1 then 1 elseif s < -1 then -1 else 0;
    equation
      der(x) = v;
      der(v) = 2*sin(time) - f;
      v = slides*(s - way);
      f = 1.5*(way + (1 - slides)*s);
    end Friction;""").simulate(stop_time=3.5, tolerance=TOLERANCE)
    away = np.arcsin(0.75)

    def speed(t: float) -> float:
        return float(2 * (np.cos(away) - np.cos(t)) - 1.5 * (t - away))

    rest = brentq(speed, 2, 5)
    truth = [speed(t) if away < t < rest else 0.0 for t in result.time]
    assert np.abs(result["v"] - truth).max() < 1e-6
    assert not violations(result)
