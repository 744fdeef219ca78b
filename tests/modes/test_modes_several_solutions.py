"""Modes that are not the only ones: at the start and at later events a run tells what else is possible.

A contact whose force is N and whose gap has the acceleration b + a*N: with a > 0 there is one solution,
contact for b < 0 and lift-off for b > 0. With a < 0, as at the tip of a rod that is pushed over a rough floor
(Painlevé 1895), there are two for b > 0 and none for b < 0.
"""

from __future__ import annotations

import numpy as np
import pytest
from tools.obedience.judge import violations

import saltus


def contact(a: str, b: str) -> saltus.Model:
    return saltus.load(f"""model Contact
      Real x(start = 0, fixed = true), v(start = 0, fixed = true), N, s;
      Real a = {a}, b = {b};
    equation
      der(x) = v;
      der(v) = b + a*N;
      x = if s > 0 then s else 0;
      N = if s > 0 then 0 else -s;
    end Contact;""")


def warned(result: saltus.Result) -> list[str]:
    return [w.message for w in result.warnings if w.code == "W404"]


@pytest.mark.parametrize(
    ("a", "b", "several"), [(-0.5, 1, True), (1, -1, False), (1, 1, False), (2, -0.1, False)]
)
def test_at_the_start(a: float, b: float, several: bool) -> None:
    result = contact(f"{a}", f"{b}").simulate(stop_time=0.5)
    assert bool(warned(result)) == several
    if several:
        (warning,) = result.warnings
        assert "at time 0;" in warning.message and "`s > 0`" in warning.message
        assert sorted(n.message.split(":")[0] for n in warning.notes) == ["also possible", "used"]
    lifted = result["x"][-1] > 1e-3
    assert result["x"][-1] == pytest.approx(b * 0.5**2 / 2 if lifted else 0, abs=1e-6)
    assert result["N"][-1] == pytest.approx(0 if lifted else -b / a)
    assert not violations(result)


def test_at_a_later_event() -> None:
    """From 0.3 on there are two solutions; the contact of before stays."""
    result = contact("if time < 0.3 then 1 else -0.5", "if time < 0.3 then -1 else 1").simulate(stop_time=1)
    (message,) = warned(result)
    assert "at time 0.3;" in message
    assert np.abs(result["x"]).max() == 0 and result["N"][-1] == pytest.approx(2)


def test_a_current_that_keeps_itself() -> None:
    """A diode with an inductance that becomes negative (an active circuit): from 0.5 on a current of zero may
    stay, with -1 V across the diode, or begin to flow: i' = 1 V."""
    model = """model Active
      Real u, i(start = 0, fixed = true), s, L = {L};
    equation
      -1 = u + i + L*der(i);
      u = if s < 0 then s else 0;
      i = if s < 0 then 0 else s;
    end Active;"""
    result = saltus.load(model.format(L="if time < 0.5 then 1 else -1")).simulate(stop_time=1)
    (message,) = warned(result)
    assert "at time 0.5;" in message and np.abs(result["i"]).max() == 0
    assert not warned(saltus.load(model.format(L="1")).simulate(stop_time=1))


def test_one_program_at_a_later_event() -> None:
    """Without an inductance nothing needs a program of its own. The resistance becomes negative at 0.5: then
    u = -1, i = 0 and u = 0, i = 1 both agree with the diode."""
    model = """model Negative
      Real u, i, s, R = {R};
    equation
      -1 = u + R*i;
      u = if s < 0 then s else 0;
      i = if s < 0 then 0 else s;
    end Negative;"""
    result = saltus.load(model.format(R="if time < 0.5 then 1 else -1")).simulate(stop_time=1)
    (message,) = warned(result)
    assert "at time 0.5;" in message and result["u"][-1] == -1
    assert not warned(saltus.load(model.format(R="1 + time")).simulate(stop_time=1))


ROD = """model Rod "its tip is pushed over a rough floor"
  parameter Real g = 9.81, th0 = {th}, w0 = {w};
  Real mu = {mu};
  Real th(start = th0, fixed = true), w(start = w0, fixed = true);
  Real y(start = sin(th0), fixed = true), vy(start = cos(th0)*w0, fixed = true), N, s;
equation
  der(th) = w;
  der(y) = vy;
  der(vy) = N - g;
  1/3*der(w) = (mu*sin(th) - cos(th))*N;
  y - sin(th) = if s > 0 then s else 0;
  N = if s > 0 then 0 else -s;
end Rod;"""


def rod(th: float, w: float, mu: float) -> tuple[float, float]:
    """The acceleration of the gap of a rod of mass 1 and half length 1 is b + a*N, by differentiating
    y - sin(th) twice."""
    return 1 - 3 * np.cos(th) * (mu * np.sin(th) - np.cos(th)), w**2 * np.sin(th) - 9.81


@pytest.mark.parametrize(
    ("th", "w", "mu"), [(1.0, 4.0, 2.0), (0.9, 5.0, 2.5), (1.0, 1.0, 0.2), (1.0, 4.0, 0.2), (1.3, 1.0, 0.5)]
)
def test_the_rod_of_painleve(th: float, w: float, mu: float) -> None:
    a, b = rod(th, w, mu)
    result = saltus.load(ROD.format(th=th, w=w, mu=mu)).simulate(stop_time=0.01, tolerance=1e-9)
    assert bool(warned(result)) == (a < 0 < b)
    assert result["N"][0] == pytest.approx(-b / a if a < 0 or b < 0 else 0, abs=1e-6)


def test_the_rod_when_the_floor_becomes_rough() -> None:
    """Until 0.02 the floor is smooth and falls away with half of g; then it is rough and stops falling away
    faster, and the rod turns so fast that it may leave as well as stay."""
    text = ROD.format(th=1.0, w=4.0, mu="if time < 0.02 then 0.1 else 2.5")
    text = text.replace("N - g", "N - g*(if time < 0.02 then 2 else 1)")
    result = saltus.load(text).simulate(stop_time=0.03, tolerance=1e-9)
    k = int(np.searchsorted(result.time, 0.02, side="right")) - 1
    a, b = rod(result["th"][k], result["w"][k], 2.5)
    assert a < 0 < b
    (message,) = warned(result)
    assert "at time 0.02;" in message
    assert result["N"][k] == pytest.approx(-b / a, rel=1e-6)


@pytest.mark.parametrize("method", ["bdf", "rk45"])
def test_the_instant_of_an_impact_is_no_alternative(method: str) -> None:
    """A ball high above a floor, with an equation for the instant of the impact only: there is one motion."""
    result = saltus.load("""model M
      Saltus.Translational.Mass m(m = 2, s(start = 1, fixed = true), v(start = 0, fixed = true));
      Saltus.Translational.Contact c(e = 0.8, v_rest = 0.05);
      Saltus.Translational.Fixed floor(s0 = 0);
      Saltus.Translational.Sources.ConstantForce w(f = -2*9.81);
    equation
      connect(floor.flange, c.flange_a);
      connect(c.flange_b, m.flange_a);
      connect(w.flange, m.flange_b);
    end M;""").simulate(stop_time=6, tolerance=1e-9, method=method)
    assert warned(result) == []
