"""If-equations whose branches differ in their numbers of equations, in the hybrid DAE."""

from __future__ import annotations

import pytest

from lowered_values import lower
from saltus.expr.helpers import Helper
from saltus.expr.show import show


def presences(declared: str, equations: str) -> list[str]:
    """The conditions under which equations exist, as texts; a dash where they always do."""
    model = lower(f"model M {declared} equation {equations} end M;").hybrid
    return ["-" if q.presence is None else show(q.presence) for q in model.equations]


BOOLEANS = "Boolean a = time > 1, b = time > 2; Real x, y;"


@pytest.mark.parametrize(
    ("equations", "expected"),
    [
        ("if a then x = 1; end if; y = 2;", ["a", "-"]),
        ("if a then x = 1; else x = 3; y = 2; end if;", ["a", "not a", "not a"]),
        (
            "if a then x = 1; elseif b then y = 1; else x = 2; y = 2; end if;",
            ["a", "b and not a", "not a and not b", "not a and not b"],
        ),
        ("if a then if b then x = 1; end if; y = 2; end if;", ["a and b", "a"]),
        ("if a then if b then x = 1; else x = 2; end if; y = 2; end if;", ["a", "a"]),
        ("if a then x = 1; elseif true then y = 1; x = 3; end if;", ["a", "not a", "not a"]),
        ("if a then x = 1; else y = 2; end if;", ["a", "not a"]),  # as many, but too few in all
        ("if a then x = y; else y = 2*x; end if; x + y = 3;", ["-", "-"]),  # as Modelica has it
    ],
)
def test_conditions_of_branches(equations: str, expected: list[str]) -> None:
    found = presences(BOOLEANS, equations)
    assert sorted(found) == sorted([*expected, "-", "-"])  # and those of a and b


def test_conditions_that_need_more_than_guards_get_a_variable() -> None:
    model = lower(
        "model M parameter Real p = 2; Real x; equation if time > 1 and p > 1 then x = 1; end if; end M;"
    ).hybrid
    (exists,) = (v for v in model.discretes if v.symbol.helper is Helper.EXISTENCE)
    (presence,) = (q.presence for q in model.equations if q.presence is not None)
    assert show(presence) == exists.name
    assert lower("model M Real x; equation if time > 1 then x = 1; end if; end M;").hybrid.discretes == ()


def test_conditions_that_parameters_decide_at_translation_are_gone() -> None:
    text = "model M parameter Boolean p = {}; Real x; equation if p then x = 1; else x = 2; end if; end M;"
    for value in ("true", "false"):
        model = lower(text.format(value))
        assert [q.presence for q in model.hybrid.equations] == [None] and not model.hybrid.extensions
