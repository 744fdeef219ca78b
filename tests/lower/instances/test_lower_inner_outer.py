"""inner and outer: section 5.4 of the specification."""

from __future__ import annotations

import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus
from saltus.core.diagnostics import SaltusError

VALUES = [
    Case(
        "component further up",
        """
        model World parameter Real g = 1; Real v = g*time; end World;
        model Leaf outer World world; Real y = world.v + world.g; end Leaf;
        model Mid Leaf leaf; end Mid;
        model M inner World world(g = 3); Mid mid; end M;
        """,
        {"mid.leaf.y": 6.0},
    ),
    Case(
        "the nearest one",
        """
        model Leaf outer Real t; Real y = t; end Leaf;
        model Mid inner Real t = 5; Leaf leaf; end Mid;
        model M inner Real t = 3; Mid mid; Leaf leaf; end M;
        """,
        {"mid.leaf.y": 5.0, "leaf.y": 3.0},
    ),
    Case(
        "an element of the same name in between is not meant",
        """
        model Leaf outer Real t; Real y = t; end Leaf;
        model Mid Real t = 5; Leaf leaf; end Mid;
        model M inner Real t = 3; Mid mid; end M;
        """,
        {"mid.leaf.y": 3.0},
    ),
    Case(
        "in a base class and in a size",
        """
        model World parameter Integer n = 2; end World;
        partial model Base outer World world; Real x[world.n] = fill(1, world.n); end Base;
        model Leaf extends Base; Real y = sum(x); end Leaf;
        model M inner World world(n = 4); Leaf leaf; end M;
        """,
        {"leaf.y": 4.0},
    ),
    Case(  # 5.5: in its own class the name means the outer one
        "inner and outer",
        """
        model Leaf outer Real t; Real y = t; end Leaf;
        model Mid inner outer Real t = 10*t; Leaf leaf; Real seen = t; end Mid;
        model M inner Real t = 3; Mid mid; Leaf leaf; end M;
        """,
        {"mid.leaf.y": 30.0, "mid.seen": 3.0, "leaf.y": 3.0},
    ),
    Case(
        "nobody declares it",
        """
        model World parameter Real g = 9; end World;
        model Leaf outer World world; Real y = world.g; end Leaf;
        model M Leaf a; Leaf b; end M;
        """,
        {"a.y": 9.0, "b.y": 9.0, "world.g": 9.0},
    ),
]

REFUSALS = [
    Refusal(
        "outer with a modification",
        "model A outer parameter Real t = 2; end A; model M inner parameter Real t = 1; A a; end M;",
        "E207",
        ("outer",),
    ),
    Refusal(
        "nobody declares a partial one",
        """
        partial model World parameter Real g = 9; end World;
        model Leaf outer World world; Real y = world.g; end Leaf;
        model M Leaf a; end M;
        """,
        "E201",
        ("inner", "world"),
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)


def test_a_missing_inner_is_told_once() -> None:
    case = next(c for c in VALUES if c.name == "nobody declares it")
    model = saltus.load(case.text)
    told = [d for d in model.warnings if d.code == "W204"]
    assert len(told) == 1
    assert "inner World world" in (told[0].hint or "")


def test_a_missing_inner_component_is_told_beside_the_refusal_that_it_leads_to() -> None:
    text = "model A outer Real g; Real x = g; end A; model M A a; end M;"
    with pytest.raises(SaltusError) as caught:
        saltus.load(text)
    assert [d.code for d in caught.value.diagnostics] == ["E301", "W204"]
