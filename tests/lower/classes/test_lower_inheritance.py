"""What a class may extend, and what must not be said twice (sections 4.7, 5.6.1.4, 7.1 and 7.2.4)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

REFUSED = [
    Refusal(
        "replaceable base",
        "model M\n replaceable model A\n Real x = 1;\n end A;\n extends A;\nend M;",
        "E209",
        ("replaceable",),
    ),
    Refusal(
        "inherited base",
        "model M\n model A\n model B\n Real x = 1;\n end B;\n end A;\n extends A;\n extends B;\nend M;",
        "E209",
        ("inherited",),
    ),
    Refusal(
        "array class with more",
        "model M\n model A\n Real x = 1;\n end A;\n model V = A[3];\n model B\n extends V;\n"
        " Real y = 1;\n end B;\n B b;\nend M;",
        "E209",
        ("array",),
    ),
    Refusal(
        "class with a direction and more",
        "model M\n connector C\n Real x;\n end C;\n connector I = input C;\n connector D\n extends I;\n"
        " Real y;\n end D;\n D d;\nend M;",
        "E209",
        ("direction",),
    ),
    Refusal(
        "another class of the same name",
        "model M\n model A\n model B\n Real x = 1;\n end B;\n end A;\n extends A;\n model B\n"
        " Real x = 2;\n end B;\nend M;",
        "E202",
        ("inherited",),
    ),
    Refusal(
        "operator record",
        "model M\n operator record C\n Real re;\n end C;\n operator record D\n extends C;\n end D;\n"
        " D d(re = 1);\nend M;",
        "E209",
        ("short class",),
    ),
    Refusal(
        "package with an operator record",
        "package P\n operator record C\n Real re;\n end C;\nend P;\npackage Q\n extends P;\n"
        " constant Real k = 1;\nend Q;\n"
        "model M\n Real x = Q.k;\nend M;",
        "E209",
    ),
    Refusal(
        "partial by another name",
        "model M\n partial model A\n Real x = 1;\n end A;\n model B = A;\n B b;\nend M;",
        "E209",
        ("partial",),
    ),
    Refusal(
        "modified twice by a short class",
        "model M\n model A\n parameter Real p;\n end A;\n model B = A(p = 1, p = 2);\n B b;\nend M;",
        "E207",
        ("twice",),
    ),
    Refusal(
        "operator with a model",
        "model M\n operator record C\n Real re;\n encapsulated operator '-'\n model A\n end A;\n"
        " end '-';\n end C;\n C c(re = 1);\nend M;",
        "E209",
        ("functions",),
    ),
    Refusal(
        "flow that cannot be added",
        "model M\n operator record C\n Real re;\n end C;\n connector P\n C v;\n flow C i;\n end P;\n"
        " P p(v(re = 1));\nend M;",
        "E209",
        ("'+'",),
    ),
]

CONDITIONAL = [
    Refusal("equation", "model M\n Real x if true;\nequation\n x = 1;\nend M;", "E209", ("condition",)),
    Refusal("assignment", "model M\n Real x if true;\nalgorithm\n x := 1;\nend M;", "E209", ("condition",)),
    Refusal("modifier", "model M\n Real x = 1 if true;\n Real y = x;\nend M;", "E209", ("condition",)),
    Refusal(
        "part",
        "model M\n model A\n Real x = 1;\n end A;\n A a if true;\n Real y = a.x;\nend M;",
        "E209",
        ("condition",),
    ),
    Refusal(
        "constant from a parameter", "model M\n parameter Real p = 1;\n constant Real c = p;\nend M;", "E211"
    ),
]

INNER = [
    Refusal(
        "other type",
        "model M\n model A\n outer Integer t;\n end A;\n inner Real t = 1;\n A a;\nend M;",
        "E205",
        ("outer",),
    ),
    Refusal(
        "other size",
        "model M\n model A\n outer Real t[2];\n end A;\n inner Real t[3] = {1, 2, 3};\n A a;\nend M;",
        "E206",
        ("sizes",),
    ),
    Refusal(
        "fewer elements",
        "model M\n record R\n Real x;\n end R;\n record S\n extends R;\n Real y;\n end S;\n model A\n"
        " outer S r;\n end A;\n"
        " inner R r(x = 1);\n A a;\nend M;",
        "E205",
        ("`y`",),
    ),
]

ALLOWED = [
    Case(
        "array class alone",
        "model M\n type V = Real[2];\n type W\n extends V;\n end W;\n W w = {1, 2};\nend M;",
        {"w[2]": 2},
    ),
    Case(
        "inherited class declared again",
        "model M\n model A\n model B\n Real x = 4;\n end B;\n end A;\n extends A;\n model B\n"
        " Real x = 4;\n end B;\n B b;\nend M;",
        {"b.x": 4},
    ),
    Case(
        "inner with more elements",
        "model M\n record R\n Real x;\n end R;\n record S\n extends R;\n Real y;\n end S;\n model A\n"
        " outer R r;\n"
        " Real z = r.x;\n end A;\n inner S r(x = 3, y = 1);\n A a;\nend M;",
        {"a.z": 3},
    ),
    Case(
        "function of a class of a component",
        "model M\n model A\n package P\n function f\n input Real u;\n output Real y;\n algorithm\n"
        " y := 2*u;\n end f;\n"
        " end P;\n end A;\n A a;\n Real y = a.P.f(3);\nend M;",
        {"y": 6},
    ),
    Case(
        "slopes of several streams",
        "model M\n Real y[2] = semiLinear(-2, {1, 2}, {3, 4});\nend M;",
        {"y[1]": -6, "y[2]": -8},
    ),
]


@named(REFUSED)
def test_refused(case: Refusal) -> None:
    check_refusal(case)


@named(CONDITIONAL)
def test_conditional(case: Refusal) -> None:
    check_refusal(case)


@named(INNER)
def test_inner(case: Refusal) -> None:
    check_refusal(case)


@named(ALLOWED)
def test_allowed(case: Case) -> None:
    check_values(case)
