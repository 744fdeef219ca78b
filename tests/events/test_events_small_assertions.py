"""Assertions about quantities that are small as a whole. A relation inside its zero band counts as zero for
events; an assertion is about the numbers, so one that they fulfil is not violated."""

from __future__ import annotations

import math

import pytest
from event_runs import message, refused, run

#: An area of 5e-6 m2, known as an equation has it and not as a parameter: only then is it compared in a
#: relation. It is that of a circle up to the part `off`.
AREA = """
  parameter Real d = 2.54e-3, off = {off};
  Real a = 3.141592653589793/4*d^2*(1 + off) + 0*time;
"""


def pipe(section: str, off: str, condition: str = "abs(a - 3.141592653589793/4*d^2) < 1e-10*a") -> str:
    return f'model Pipe\n{AREA.format(off=off)}{section}\n  assert({condition}, "is no circle");\nend Pipe;\n'


@pytest.mark.parametrize("section", ["initial equation", "equation"])
@pytest.mark.parametrize("off", ["0", "1e-12"])
def test_a_relation_between_small_numbers_that_holds_is_not_violated(section: str, off: str) -> None:
    # The residue is 5e-16: far inside the band of 1e-10, where `<` counts as false.
    assert run(pipe(section, off)).time[-1] == 1.0


@pytest.mark.parametrize("section", ["initial equation", "equation"])
def test_and_one_that_does_not_hold_is_violated(section: str) -> None:
    # A millionth of the area is 5e-12, inside the band as well.
    error = refused(pipe(section, "1e-6"))
    assert "E406" in message(error)
    assert "is no circle" in message(error)


def test_negated_relations_are_taken_as_numbers_too() -> None:
    condition = "not abs(a - 3.141592653589793/4*d^2) >= 1e-10*a"
    assert run(pipe("equation", "0", condition)).time[-1] == 1.0
    assert "E406" in message(refused(pipe("equation", "1e-6", condition)))


def test_an_assertion_of_the_initial_section_makes_no_events() -> None:
    text = """
model Once
  Real x(start = 0, fixed = true);
initial equation
  assert(x < 0.5, "too large at the start");
equation
  der(x) = 1;
end Once;
"""
    result = run(text)
    assert math.isclose(result["x"][-1], 1.0, rel_tol=1e-6)
    assert not [e for e in result.events if e.causes[0].kind not in ("initial", "terminal")]


def test_an_assertion_inside_a_condition_of_the_initial_section_is_looked_at_once() -> None:
    text = """
model Chosen
  parameter Real limit = 0.5;
  Real x(start = {start}, fixed = true);
initial equation
  if x > -1 then
    assert(x < limit, "too large at the start");
  end if;
equation
  der(x) = 1;
end Chosen;
"""
    assert run(text.format(start=0)).time[-1] == 1.0
    assert "E406" in message(refused(text.format(start=0.6)))
