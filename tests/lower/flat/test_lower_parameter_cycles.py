"""Parameters that would depend on each other, were it not for the branch that is taken."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

BOTH_WAYS = """
model M
  parameter Boolean use_T = true;
  parameter Real T = if use_T then 20 else h/4;
  parameter Real h = if use_T then 4*T else 100;
  parameter Real after = T + h;
  Real x = after*time;
end M;
"""

VALUES = [
    Case("one way", BOTH_WAYS, {"x": 100, "h": 80}),
    Case("the other way", BOTH_WAYS, {"x": 125, "T": 25}, set={"use_T": False}),
    Case("another value", BOTH_WAYS, {"x": 50, "h": 40}, set={"T": 10}),
]

REFUSALS = [
    Refusal(
        "a circle all the same",
        """
        model M
          parameter Boolean b = true;
          parameter Real p = if b then q else 1;
          parameter Real q = if b then p else 2;
          Real x = p*time;
        end M;
        """,
        "E304",
        ("p", "q"),
    ),
    Refusal(
        "through the condition itself",
        """
        model M
          parameter Real p = if q > 1 then 1 else 2;
          parameter Real q = if p > 1 then 1 else 2;
          Real x = p*time;
        end M;
        """,
        "E304",
        ("p", "q"),
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
