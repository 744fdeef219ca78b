"""Phases: what tells how fast a residue can change. The expressions are compared with what is written."""

from __future__ import annotations

from math import exp, sin

import pytest
from scipy.optimize import brentq

import saltus
from saltus.emit.layout.phases import Phases, phases
from saltus.expr.evaluate import evaluate
from saltus.expr.show import show


def found(equation: str, variables: str = "Real y;", relation: str = "y > 0.5") -> Phases:
    model = saltus.load(f"model M\n{variables}\nBoolean b = {relation};\nequation\n{equation}\nend M;")
    return phases(model.structure)


def shown(equation: str, variables: str = "Real y;") -> list[str]:
    return [show(e) for e in found(equation, variables).expressions]


@pytest.mark.parametrize("function", ["sin", "cos", "tan"])
def test_argument_of_what_oscillates(function: str) -> None:
    assert shown(f"y = {function}(314*time);") == ["314.0*time"]


def test_arguments_inside_arguments() -> None:
    assert set(shown("y = sin(time + 3*cos(7*time));")) == {"time + 3.0*cos(7.0*time)", "7.0*time"}


def test_argument_that_is_a_state() -> None:
    of = found("der(phi) = 1; y = sin(100*phi);", "Real phi(start = 0, fixed = true), y;")
    assert [show(e) for e in of.expressions] == ["100.0*phi"]
    assert of.steering == 0  # only time can deceive the control of errors


def test_signal_that_drives_a_state_steers() -> None:
    of = found("der(y) = sin(9*time) - y;", "Real y(start = 0, fixed = true);")
    assert [show(e) for e in of.expressions] == ["9.0*time"] and of.steering == 1


def test_what_no_relation_depends_on_has_none() -> None:
    of = found("y = time^3; z = sin(314*time);", "Real y, z;")
    assert of.expressions == ()


def test_relations_of_time_are_scheduled_and_have_none() -> None:
    assert found("y = sin(time);", relation="time > 0.5") == Phases()


def values(e: str, t: float) -> list[float]:
    """The phases of y = e at a time."""
    return [float(evaluate(phase, lambda leaf: t)) for phase in found(f"y = {e};").expressions]


def value(e: str, t: float) -> float:
    """The only one."""
    (number,) = values(e, t)
    return number


def test_saturation_leaves_only_what_is_near_zero() -> None:
    """From far away on one side to the other it passes 12, and hardly any of that outside of (-10, 10)."""
    far, near = value("tanh(1e6*(time - 1))", 0.9), value("tanh(1e6*(time - 1))", 1 - 1e-5)
    assert far == pytest.approx(-6, abs=1e-3) and near == pytest.approx(-6 * 10 / 11)
    assert value("tanh(1e6*(time - 1))", 1.1) == pytest.approx(6, abs=1e-3)


@pytest.mark.parametrize("bell", ["exp(-((time - 1)/1e-4)^2)", "1e-8/((time - 1)^2 + 1e-8)"])
def test_bell_is_as_narrow_as_its_factors_say(bell: str) -> None:
    for side in (1, -1):
        assert any(x == pytest.approx(3 * side) for x in values(bell, 1 + side * 1e-4))


def test_a_pole_is_a_leap() -> None:
    e = "1/(3 - time)"
    assert value(e, 2.999) == value(e, 0.0) == -value(e, 3.001) != 0


def test_functions_are_opaque() -> None:
    text = """
model M
  function f
    input Real u;
    output Real y = 0;
  algorithm
    for k in 1:3 loop
      y := y + sin(k*u);
    end for;
  end f;
  Real y = f(time);
  Boolean b = y > 0.5;
end M;
"""
    of = phases(saltus.load(text).structure)
    assert of.opaque and not found("y = sin(time);").opaque


def test_what_has_died_away_is_not_followed() -> None:
    """The oscillation runs on while the machine knows its envelope, and rests where that is zero."""
    decaying = "exp(-10*time)*sin(1e6*time)"
    (early, later), (gone, long_gone) = ([max(values(decaying, t)) for t in ts] for ts in ((1, 2), (75, 76)))
    assert later - early == pytest.approx(1e6) and gone == long_gone == 0
    twice = [max(values(f"{decaying} + 1e-3*sin(1e6*time)", t)) for t in (75, 76)]
    assert twice[1] - twice[0] == pytest.approx(1e6)  # the other wave has not


def test_a_decayed_wave_costs_nothing() -> None:
    """A burst of a gigahertz that is over after a microsecond, watched for a second: ten thousand million
    waves to be looked at, were it not that they are zero. The crossings are those of the burst."""
    text = """model Burst
      Real y = exp(-1e8*time)*sin(2e9*time);
      Boolean b = y > 0.5;
    end Burst;"""
    result = saltus.load(text).simulate(stop_time=1)
    # Two waves have peaks above: exp(-0.025*pi) = 0.92 and exp(-0.125*pi) = 0.68; the third has 0.49.
    slopes = [(0.0, 0.7e-9), (0.8e-9, 1.5e-9), (3.2e-9, 3.9e-9), (3.9e-9, 4.7e-9)]
    crossings = [brentq(lambda t: exp(-1e8 * t) * sin(2e9 * t) - 0.5, *slope) for slope in slopes]
    assert [e.time for e in result.events if e.kind == "state"] == pytest.approx(crossings, rel=1e-6)
