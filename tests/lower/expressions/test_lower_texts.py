"""Strings: all forms of `String(...)` (section 3.7.1.2), String variables of models, comparisons of texts."""

from __future__ import annotations

import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus
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
    assert saltus.load(model).simulate()["x"][-1] == 1


VALUES = [
    Case(
        "a variable with an equation, a binding, or an assignment",
        """
        model M
          String a, b = a + "!", c;
          Real x = if b == "text!" then 1 else 0, y = if c == "text" then 1 else 0;
        equation
          a = "text";
        algorithm
          c := "te";
          c := c + "xt";
        end M;
        """,
        {"x": 1, "y": 1},
    ),
    Case(
        "texts of what varies",
        """
        model M
          type E = enumeration(off, on);
          E e = if time < 0.5 then E.off else E.on;
          Boolean b = time > 0.5;
          Integer i = integer(10*time);
          String s = String(e), t = if b then "late" else "early";
          Real x = if s == "on" then 1 else 0, y = if t <> "late" then 1 else 0;
          Real z = if String(b) == "true" then 1 else 0;
          Real w = if String(i) == "10" then 1 else 0, v = if String(i) == "ten" then 1 else 0;
        end M;
        """,
        {"x": 1, "y": 0, "z": 1, "w": 1, "v": 0},
    ),
    Case(
        "loops over texts",
        """
        model M
          String s[2];
          Real x = if s[2] == "second" then 1 else 0;
        equation
          for t in {"first", "second"} loop
            if t == "first" then
              s[1] = t;
            else
              s[2] = t;
            end if;
          end for;
        end M;
        """,
        {"x": 1},
    ),
    Case(
        "order",
        'model M parameter String a = "abc"; Real x = if a < "abd" and a >= "abc" then 1 else 0; end M;',
        {"x": 1},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


REFUSALS = [
    Refusal("no equation", 'model M String s; Real x = if s == "a" then 1 else 0; end M;', "E301", ("`s`",)),
    Refusal("two equations", 'model M String s = "a"; equation s = "b"; end M;', "E301", ("`s`",)),
    Refusal("circular", 'model M String s = t + "a", t = s + "b"; end M;', "E304", ("itself",)),
    Refusal(
        "a text of a Real that varies",
        'model M Real x = time; Boolean b = String(x) == "1"; end M;',
        "E204",
        ("varies",),
    ),
    Refusal(
        "significantDigits of an Integer",
        "model M String s = String(1, significantDigits = 2); end M;",
        "E212",
    ),
    Refusal(
        "a format that is none", 'model M String s = String(1.5, format = "5.2q"); end M;', "E212", ("5.2q",)
    ),
    Refusal("a percent sign", 'model M String s = String(1, format = "%d"); end M;', "E212", ("%d",)),
    Refusal("a text plus a number", 'model M String s = "a" + 1; end M;', "E205"),
]


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


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
