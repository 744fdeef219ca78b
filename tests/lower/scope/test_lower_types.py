"""Enumerations are types of their own: no numbers, and of one enumeration only (sections 4.9.5, 6.6, 6.7)."""

from __future__ import annotations

import pytest
from lower_case import Case, Refusal, check_refusal, check_values, named

import saltus
from saltus.core.diagnostics import SaltusError

E = "type E = enumeration(one, two, three);\n type F = enumeration(red, green);\n"


def model(text: str) -> str:
    return f"model M\n {E} {text}\nend M;"


REFUSED = [
    Refusal("Integer from a literal", model("parameter Integer i = E.two;"), "E205", ("Integer(...)",)),
    Refusal("Real from a literal", model("Real r = E.two;"), "E205"),
    Refusal("literal from a number", model("parameter E e = 2;"), "E205", ("M.E", "M.E(...)")),
    Refusal("literal of another enumeration", model("parameter E e = F.red;"), "E205", ("M.E", "M.F")),
    Refusal("comparison with a number", model("Boolean b = E.one == 1;"), "E205", ("M.E", "Integer")),
    Refusal("comparison of two enumerations", model("Boolean b = E.one < F.red;"), "E205"),
    Refusal("sum", model("Integer i = E.one + 1;"), "E205", ("`+`",)),
    Refusal("sine", model("Real r = sin(E.one);"), "E205"),
    Refusal("sum of an array", model("Integer i = sum({E.one, E.two});"), "E205"),
    Refusal("branches", model("E e = if time > 0.5 then E.one else F.red;"), "E205", ("branches",)),
    Refusal("equation", model("E e;\n equation\n e = F.red;"), "E205", ("sides",)),
    Refusal("assignment", model("E e;\n algorithm\n e := 2;"), "E205"),
    Refusal("start", model("E e(start = 2) = E.one;"), "E205", ("start",)),
    Refusal("state select", "model M\n Real x(stateSelect = 3) = 1;\nend M;", "E205", ("StateSelect",)),
    Refusal(
        "assertion level", 'model M\n equation\n assert(true, "", 1);\nend M;', "E205", ("AssertionLevel",)
    ),
    Refusal("range of a literal and a number", model("Integer n = size(E.one:3, 1);"), "E205", ("range",)),
    Refusal("minimum of two types", model("E e = min(E.one, F.red);"), "E205"),
    Refusal("Integer of a number", model("Integer i = Integer(3);"), "E212"),
    Refusal("conversion of a literal", model("E e = E(E.one);"), "E212"),
    Refusal(
        "argument",
        model(
            "function f\n input E e;\n output Integer i;\n algorithm\n i := 1;\n end f;\n Integer i = f(2);"
        ),
        "E205",
    ),
    Refusal("field", model("record R\n E e;\n end R;\n R r = R(3);"), "E205", ("field",)),
]

ALLOWED = [
    Case(
        "numbers of literals",
        model("Integer i = Integer(E.three);\n E e = E(2);\n Integer j = Integer(e);"),
        {"i": 3, "j": 2},
    ),
    Case(
        "the same literals",
        model("type G = enumeration(red, green);\n F f = G.green;\n Boolean b = f == G.green;"),
        {"b": 1},
    ),
    Case("minimum", model("E e = max({E.one, E.three, E.two});\n E d = min(e, E.two);"), {"e": 3, "d": 2}),
    Case(
        "varying conversion",
        model("E e = E(if time < 0.5 then 1 else 3);\n Integer i = Integer(e) + 1;"),
        {"e": 3, "i": 4},
    ),
    Case(
        "conditions", model("E e = if time > 0.5 then E.two else E.one;\n Boolean b = e > E.one;"), {"b": 1}
    ),
    Case(
        "in a function",
        model(
            "function next\n input E e;\n output E n;\n algorithm\n n := E.one;\n for k in E loop\n"
            " if k < e then\n n := E(Integer(k) + 2);\n end if;\n end for;\n end next;\n"
            " constant E c = next(E.two);\n E e = next(c);\n Boolean b = c == E.three;"
        ),
        {"e": 3, "b": 1},
    ),
    Case(
        "loops",
        model("Real x[E];\n equation\n for e in E.two:E.three loop\n x[e] = 3;\n end for;\n x[E.one] = 5;"),
        {"x[1]": 5, "x[3]": 3},
    ),
    Case(
        "attributes",
        model("E e(start = E.two, fixed = true);\n equation\n when false then\n e = E.one;\n end when;"),
        {"e": 2},
    ),
]


@named(REFUSED)
def test_refused(case: Refusal) -> None:
    check_refusal(case)


@named(ALLOWED)
def test_allowed(case: Case) -> None:
    check_values(case)


def test_structural_parameter_set_by_literal() -> None:
    """A size that depends on an enumeration parameter, which is given as text or as a number."""
    m = saltus.load(
        model("parameter E e = E.one;\n Real x[Integer(e)] = ones(Integer(e));\n Real y = sum(x);")
    )
    assert float(m.simulate(set={"e": "three"})["y"][-1]) == pytest.approx(3)
    assert float(m.simulate(set={"e": 2})["y"][-1]) == pytest.approx(2)


def test_an_enumeration_has_its_own_name_in_messages() -> None:
    """Also where another model in use has one of the same literals."""
    other = saltus.load("model A type G = enumeration(red, green); parameter G g = G.red; Real x = 1; end A;")
    text = (
        "model M type E = enumeration(one, two); type F = enumeration(red, green);"
        " parameter E e = F.red; end M;"
    )
    with pytest.raises(SaltusError) as caught:
        saltus.load(text)
    assert "this is M.F" in caught.value.diagnostics[0].message
    assert other.name == "A"
