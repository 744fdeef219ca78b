"""Components say what their variables are; subscripts are of the type of a dimension; `discrete` and `der`
(sections 4.5, 4.8, 10.5 and 3.7.4 of the specification)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

REFUSED = [
    Refusal(
        "variable left to the model around",
        "model M\n model A\n Real x;\n end A;\n A a;\nequation\n a.x = 1;\nend M;",
        "E209",
        ("`a.x`", "input"),
    ),
    Refusal(
        "variable of an array of components",
        "model M\n model A\n Real x;\n Real y = 2;\n end A;\n A a[2];\nequation\n for i in 1:2 loop\n"
        " a[i].x = i;\n"
        " end for;\nend M;",
        "E209",
        ("`a[1].x`",),
    ),
    Refusal(
        "Integer for an enumeration",
        "model M\n type E = enumeration(a, b);\n Real x[E] = {1, 2};\n Real y = x[1];\nend M;",
        "E205",
        ("M.E",),
    ),
    Refusal("Integer for Boolean", "model M\n Real x[Boolean] = {1, 2};\n Real y = x[2];\nend M;", "E205"),
    Refusal("binding of a discrete variable", "model M\n discrete Real x = 1;\nend M;", "E211", ("when",)),
    Refusal(
        "derivative of an Integer", "model M\n constant Integer n = 1;\n Real x = der(n);\nend M;", "E205"
    ),
]

ALLOWED = [
    Case(
        "records and inner variables of components",
        "model M\n record R\n Real x;\n end R;\n model B\n outer Real t;\n equation\n t = 3;\n end B;\n"
        " model A\n R r;\n inner Real t;\n B b;\n equation\n r.x = 2;\n end A;\n A a;\nend M;",
        {"a.r.x": 2, "a.t": 3},
    ),
    Case(
        "states and values given from outside",
        "model M\n model A\n Real x(start = 1, fixed = true);\n Real z;\n equation\n der(x) = 0;\n end A;\n"
        " A a(z = 5);\nend M;",
        {"a.x": 1, "a.z": 5},
    ),
    Case(
        "subscripts of types",
        "model M\n type E = enumeration(a, b);\n Real x[E, Boolean] = {{1, 2}, {3, 4}};\n"
        " Real y = x[E.b, true];\n"
        " Real z = sum(x[e, false] for e in E);\nend M;",
        {"y": 4, "z": 4},
    ),
]


@named(REFUSED)
def test_refused(case: Refusal) -> None:
    check_refusal(case)


@named(ALLOWED)
def test_allowed(case: Case) -> None:
    check_values(case)
