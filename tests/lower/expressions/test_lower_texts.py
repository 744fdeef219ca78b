"""Strings: all forms of `String(...)` (section 3.7.1.2), String variables of models, comparisons of texts."""

from __future__ import annotations

import pytest

import saltus
from lowered_values import shown_values
from saltus.core.diagnostics import SaltusError


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("String(true)", "true"),
        ("String(false, minimumLength = 7)", "false  "),
        ("String(false, minimumLength = 7, leftJustified = false)", "  false"),
        ("String(12)", "12"),
        ("String(12, minimumLength = 5)", "12   "),
        ("String(12, minimumLength = 5, leftJustified = false)", "   12"),
        ('String(12, format = "05d")', "00012"),
        ('String(255, format = "x")', "ff"),
        ('String(2, format = ".3f")', "2.000"),
        ("String(12.345678)", "12.3457"),
        ("String(12.345678, significantDigits = 3)", "12.3"),
        ("String(12.345678, significantDigits = 3, minimumLength = 6)", "12.3  "),
        ("String(12.345678, 3, 6, false)", "  12.3"),
        ('String(12.345678, format = "8.2f")', "   12.35"),
        ('String(12.345678, format = ".2e")', "1.23e+01"),
        ("String(E.two)", "two"),
        ("String(E.two, minimumLength = 5)", "two  "),
        ('"a" + "b" + String(1)', "ab1"),
    ],
)
def test_texts_are_written_as_in_c(written: str, text: str) -> None:
    model = f'model M type E = enumeration(one, two); Real x = if {written} == "{text}" then 1 else 2; end M;'
    assert shown_values(model)["x"] == 1


def test_a_message_says_what_the_text_is() -> None:
    text = """
    model M
      String who = "the tank", what = who + " is full at " + String(h, format = ".2f");
      Real h(start = 0, fixed = true);
    equation
      der(h) = 1;
      assert(h < 0.5, what);
    end M;
    """
    with pytest.raises(SaltusError, match=r"the tank is full at 0\.50"):
        saltus.load(text).simulate(stop_time=1)
