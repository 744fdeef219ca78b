"""`break` in algorithms of models: what follows in the loop is done only where it was not left."""

from __future__ import annotations

import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus

VALUES = [
    Case(
        "at a known turn",
        """
        model M Integer n; algorithm n := 0;
          for i in 1:10 loop if i > 3 then break; end if; n := n + i; end for; n := 10*n; end M;
        """,
        {"n": 60},
    ),
    Case(
        "only the inner loop",
        """
        model M Integer n; algorithm n := 0;
          for i in 1:3 loop
            for j in 1:3 loop if j > i then break; end if; n := n + 1; end for;
            n := n + 10;
          end for; end M;
        """,
        {"n": 36},
    ),
    Case(
        "while",
        """
        model M Integer n; algorithm n := 0;
          while true loop n := n + 1; if n > 6 then break; end if; end while; end M;
        """,
        {"n": 7},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


def test_a_condition_that_varies() -> None:
    """The first of five numbers that is above a rising level; hand-written in Python beside it."""
    numbers = [0.3, 0.9, 0.1, 1.7, 1.2]
    result = saltus.load(
        """
        model M
          parameter Real a[5] = {0.3, 0.9, 0.1, 1.7, 1.2};
          Integer found; Real below;
        algorithm
          found := 0;
          below := 0;
          for i in 1:5 loop
            if a[i] > time then
              found := i;
              break;
            end if;
            below := below + a[i];
          end for;
        end M;
        """
    ).simulate(stop_time=2, interval=0.11)
    for k, t in enumerate(result.time):
        if any(abs(t - a) < 1e-9 for a in numbers):
            continue
        above = next((i for i, a in enumerate(numbers) if a > t), 5)
        assert result["found"][k] == (above + 1 if above < 5 else 0)
        assert result["below"][k] == pytest.approx(sum(numbers[:above]))


@named(
    [
        Refusal("outside a loop", "model M Integer n; algorithm n := 1; break; end M;", "E209", ("break",)),
        Refusal("return", "model M Integer n; algorithm n := 1; return; end M;", "E209", ("return",)),
    ]
)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


def test_the_name_of_an_instance() -> None:
    flat = saltus.load(
        """
        block B parameter String here = getInstanceName(); Real y = 1; end B;
        model A B b; end A;
        model M A a; end M;
        """
    ).flat
    value = next(v.binding for v in flat.variables if v.name == "a.b.here")
    assert value is not None and value.data == "M.a.b"
