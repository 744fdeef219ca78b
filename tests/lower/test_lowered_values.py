"""The judge of lowered models gives no value that only a run has, and sees what is wrong."""

from __future__ import annotations

import pytest

from lowered_values import NotShown, shown_values


def test_equations_give_values_in_any_order_and_on_either_side() -> None:
    text = """
    model M
      parameter Integer n = 2;
      Real a, b, c, v[n] = fill(c, n), s = sum(v);
    equation
      2*b + 1 = a;
      c - b = 4*time;
      7 = a;
    end M;
    """
    assert shown_values(text, time=0.5)["s"] == 2 * 5
    found = shown_values(text, set={"n": 3}, time=0.5)
    assert (found["a"], found["b"], found["c"], found["s"]) == (7, 3, 5, 15)


@pytest.mark.parametrize(
    "body",
    [
        "Real x(start = 1, fixed = true); equation der(x) = 1;",
        "Boolean b = time > 0.5;",
        "Integer n(start = 0, fixed = true); equation when sample(0, 1) then n = pre(n) + 1; end when;",
        "Real x = delay(time, 1);",
        "Real x, y; equation x + y = 1; x - y = 2;",
        "Real x(start = 1); equation x^2 = 4;",
        "parameter Real p(fixed = false); Real x = p; initial equation p = 2;",
    ],
)
def test_what_a_run_finds_out_is_not_shown(body: str) -> None:
    with pytest.raises(NotShown):
        shown_values(f"model M {body} end M;")


def test_what_the_model_asserts_is_checked() -> None:
    text = 'model M parameter Real p = 1; Real x = p; equation assert(p > 0, "p is " + String(p)); end M;'
    assert shown_values(text)["x"] == 1
    with pytest.raises(AssertionError, match="p is -2"):
        shown_values(text, set={"p": -2})
