"""Clocked operators are typed and flattened (chapter 16)."""

from __future__ import annotations

import pytest

from saltus.compiler import load_flat
from saltus.show.listings.flat import flat_text


def flat_lines(body: str) -> list[str]:
    flat = load_flat(f"model M {body} end M;")
    flat.verify()
    return [line.strip() for line in flat_text(flat).splitlines()]


def test_clocks_are_variables_with_equations() -> None:
    lines = flat_lines("Clock c = Clock(0.5), d = subSample(c, 2); Clock e[2] = {c, d}; Clock f = e[2];")
    assert "Clock c;" in lines
    assert "c = Clock(0.5);" in lines
    assert "d = subSample(c, 2);" in lines
    assert "f = 'e[2]';" in lines


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Clock()", "Clock()"),
        ("Clock(3)", "Clock(3)"),
        ("Clock(3, 10)", "Clock(3, 10)"),
        ("Clock(intervalCounter = 3, resolution = 10)", "Clock(3, 10)"),
        ("Clock(interval = 2)", "Clock(2.0)"),
        ("Clock(period)", "Clock(period)"),
        ("Clock(time > 0.5)", "Clock(time > 0.5)"),
        ("Clock(condition = time > 0.5, startInterval = 1)", "Clock(time > 0.5, 1.0)"),
        ('Clock(Clock(3), solverMethod = "ExplicitEuler")', 'Clock(Clock(3), "ExplicitEuler")'),
        ("if slow then Clock(3) else Clock(1)", "if slow then Clock(3) else Clock(1)"),
        ("shiftSample(Clock(3), shiftCounter = 1, resolution = 2)", "shiftSample(Clock(3), 1, 2)"),
    ],
)
def test_forms_of_clocks(given: str, shown: str) -> None:
    lines = flat_lines(f"parameter Real period = 2; parameter Boolean slow = true; Clock c = {given};")
    assert f"c = {shown};" in lines


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("sample(u, c)", "sample(u, c)"),
        ("sample(2*u, clock = c)", "sample(2.0*u, c)"),
        ("sample(u)", "sample(u)"),
        ("previous(v)", "previous(v)"),
        ("hold(v)", "hold(v)"),
        ("superSample(v + 1)", "superSample(v + 1.0)"),
        ("backSample(v, 1)", "backSample(v, 1)"),
        ("noClock(v)", "noClock(v)"),
        ("interval(v)*interval()", "interval(v)*interval()"),
        ("if firstTick(v) then 1 else 2", "if firstTick(v) then 1 else 2"),
        ("previous(p)", "p"),
    ],
)
def test_operators(given: str, shown: str) -> None:
    declared = "Clock c = Clock(1); Real u = time, v(start = 0) = sample(u, c); parameter Real p = 2;"
    assert f"y = {shown};" in flat_lines(f"{declared} Real y = {given};")


def test_operators_take_arrays_and_keep_types() -> None:
    lines = flat_lines(
        "Clock c = Clock(1); Boolean b[2] = sample({time > 1, time > 2}, c), d = previous(b[1]);"
        "Integer n(start = 0) = previous(n) + 1;"
    )
    assert "'b[2]' = sample(time > 2, c);" in lines
    assert "n = previous(n) + 1;" in lines
    assert "Boolean d;" in lines


def test_a_clocked_when_holds_any_equations() -> None:
    lines = flat_lines("Real x(start = 0), y; equation when Clock(1) then der(x) = 2; x + y = 3; end when;")
    assert "when Clock(1) then" in lines
    assert "x + y = 3;" in lines
    assert "der(x) = 2;" in lines


def test_clocks_are_connected() -> None:
    lines = flat_lines(
        "connector In = input Clock; connector Out = output Clock;"
        "block A Out y = Clock(1); end A; block B In u; Real x = sample(time, u); end B;"
        "A a; B b; equation connect(a.y, b.u);"
    )
    assert "'b.u' = 'a.y';" in lines or "'a.y' = 'b.u';" in lines


def test_a_block_called_clock_is_not_hidden() -> None:
    lines = flat_lines("block Clock Real y = 2*time; end Clock; Clock c;")
    assert "'c.y' = 2.0*time;" in lines
