"""What is expected at a place, from the tokens before it alone."""

from __future__ import annotations

import pytest
from marked_text import cursor

from saltus.editor.cursor import Expected, Target

IN_CLASS = "model M\n  Real z;\n{}\nend M;\n"
IN_EQUATIONS = "model M\n  Real z;\nequation\n{}\nend M;\n"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("|", Expected.ELEMENT),
        ("Re|", Expected.ELEMENT),
        ("A.B.|", Expected.ELEMENT),
        ("parameter |", Expected.TYPE),
        ("extends |", Expected.TYPE),
        ("replaceable model A = B constrainedby |", Expected.TYPE),
        ("import |", Expected.IMPORT),
        ("import A.|", Expected.IMPORT),
        ("Real |", Expected.NEW_NAME),
        ("Real x, |", Expected.NEW_NAME),
        ("model |", Expected.NEW_NAME),
        ("type T = |", Expected.TYPE),
        ("Real x = |", Expected.EXPRESSION),
        ("Real x[|", Expected.EXPRESSION),
        ("Real x if |", Expected.EXPRESSION),
        ("R r(|", Expected.MODIFIER),
        ("R r(a = 1, |", Expected.MODIFIER),
        ("R r(a = |", Expected.EXPRESSION),
        ("R r(a = f(|", Expected.ARGUMENT),
        ("R r(a = (|", Expected.EXPRESSION),
        ("R r(redeclare |", Expected.TYPE),
        ("R r(redeclare model A = |", Expected.TYPE),
        ("R r(each |", Expected.MODIFIER),
        ("R r(a = {1, |", Expected.EXPRESSION),
        ("model N\n  |", Expected.ELEMENT),
        ("model N \"d\"\n  |", Expected.ELEMENT),
        ("function f\n algorithm\n |", Expected.STATEMENT),
    ],
)
def test_expected_among_declarations(typed: str, expected: Expected) -> None:
    found = cursor(IN_CLASS.format(typed))
    assert found is not None and found.expected is expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("  |", Expected.STATEMENT),
        ("  z = |", Expected.EXPRESSION),
        ("  z = sin(|", Expected.ARGUMENT),
        ("  z = atan2(1, |", Expected.ARGUMENT),
        ("  connect(|", Expected.CONNECTOR),
        ("  connect(a.p, b.|", Expected.CONNECTOR),
        ("  if z > 1 then |", Expected.STATEMENT),
        ("  if |", Expected.EXPRESSION),
        ("  for i in 1:|", Expected.EXPRESSION),
        ("  when z > 1 then\n    |", Expected.STATEMENT),
        ("  z = if z > 1 then 2 else |", Expected.EXPRESSION),
        ("  protected\n  |", Expected.ELEMENT),
    ],
)
def test_expected_among_equations(typed: str, expected: Expected) -> None:
    found = cursor(IN_EQUATIONS.format(typed))
    assert found is not None and found.expected is expected


@pytest.mark.parametrize(
    "typed",
    ["// |", "/* a |", "/* a | */", 'Real x "d|"', "Real x = 1.|5", "annotation(A = |);", 'Real x "d|'],
)
def test_nothing_in_comments_strings_numbers_and_annotations(typed: str) -> None:
    assert cursor(IN_CLASS.format(typed)) is None


def test_a_modification_in_a_modification() -> None:
    found = cursor(IN_CLASS.format("parameter A.R r[3](b = sin(2*z), c.d(e(|"))
    assert found is not None and found.modified == Target(("A", "R"), False, ("c", "d", "e"), "r")
    found = cursor(IN_CLASS.format("extends .A(redeclare B b(|"))
    assert found is not None and found.modified == Target(("B",), False)
    found = cursor(IN_CLASS.format("R r1(a = 1), r2(|"))
    assert found is not None and found.modified == Target(("R",), False, (), "r2")
    found = cursor(IN_CLASS.format("R r(a = 1, b(c = 2), |"))
    assert found is not None and found.given == ("a", "b")


def test_names_through_subscripts() -> None:
    found = cursor(IN_EQUATIONS.format("  z = .a.b[2*z, 1].cd|e + 1;"))
    assert found is not None
    assert (found.names, found.absolute, found.typed) == (("a", "b", "cde"), True, "cd")


def test_calls_with_the_number_of_the_argument() -> None:
    found = cursor(IN_EQUATIONS.format("  z = a.f(1, g({1, 2}, x = 3, |"))
    assert found is not None and found.calls == ((("a", "f"), 1), (("g",), 2)) and found.given == ("x",)
