"""What may be named from where: protected elements, classes that are no packages, partial classes, imports
(sections 5.3.2 and 13.2 of the specification)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

REFUSED = [
    Refusal(
        "protected class",
        "model M\n model A\n protected\n model B\n Real x = 1;\n end B;\n end A;\n A.B b;\nend M;",
        "E209",
        ("`B` is protected",),
    ),
    Refusal(
        "protected class of a base",
        "model M\n package A\n protected\n model B\n Real x = 1;\n end B;\n end A;\n package C\n"
        " extends A;\n end C;\n"
        " C.B b;\nend M;",
        "E209",
        ("`B` is protected",),
    ),
    Refusal(
        "protected constant",
        "model M\n package P\n protected\n constant Real c = 1;\n end P;\n Real x = P.c;\nend M;",
        "E209",
        ("`c` is protected",),
    ),
    Refusal(
        "constant of a protected package",
        "model M\n package P\n protected\n package Q\n constant Real c = 1;\n end Q;\n end P;\n"
        " Real x = P.Q.c;\nend M;",
        "E209",
        ("`Q` is protected",),
    ),
    Refusal(
        "class of a model",
        "model M\n model A\n Real y = 1;\n model B\n Real x = 1;\n end B;\n end A;\n A.B b;\nend M;",
        "E209",
        ("from outside", "encapsulated"),
    ),
    Refusal(
        "constant of a partial package",
        "model M\n partial package P\n constant Real c = 1;\n end P;\n Real x = P.c;\nend M;",
        "E209",
        ("partial",),
    ),
    Refusal(
        "import from a model",
        "model N\n Real y = 1;\n encapsulated model A\n Real x = 1;\n end A;\nend N;\n"
        "model M\n import N.A;\n A a;\nend M;",
        "E209",
        ("import from packages",),
    ),
    Refusal(
        "import of a protected class",
        "package P\n protected\n model A\n Real x = 1;\n end A;\nend P;\nmodel M\n import P.A;\n"
        " A a;\nend M;",
        "E209",
        ("protected",),
    ),
    Refusal(
        "protected constant by a star",
        "package P\n protected\n constant Real c = 1;\nend P;\nmodel M\n import P.*;\n Real x = c;\nend M;",
        "E201",
    ),
    Refusal(
        "two imports of one name",
        "package P\n model A\n end A;\nend P;\npackage Q\n model A\n end A;\nend Q;\n"
        "model M\n import P.A;\n import Q.A;\n A a;\nend M;",
        "E202",
        ("two imports",),
    ),
    Refusal(
        "two stars for one name",
        "package P\n constant Real c = 1;\nend P;\npackage Q\n constant Real c = 2;\nend Q;\n"
        "model M\n import P.*;\n import Q.*;\n Real x = c;\nend M;",
        "E201",
        ("several packages",),
    ),
]

ALLOWED = [
    Case(
        "protected class in its own class and in a derived one",
        "model M\n model A\n protected\n model B\n Real x = 1;\n end B;\n public\n B b;\n end A;\n"
        " model C\n extends A;\n B c(x = 2);\n end C;\n C c;\nend M;",
        {"c.b.x": 1, "c.c.x": 2},
    ),
    Case(
        "encapsulated class of a model",
        "model M\n model A\n Real y = 1;\n encapsulated model B\n Real x = 3;\n end B;\n end A;\n"
        " A.B b;\nend M;",
        {"b.x": 3},
    ),
    Case(
        "a model that is like a package",
        "model M\n model A\n constant Real c = 4;\n model B\n Real x = 3;\n end B;\n end A;\n A.B b;\n"
        " Real y = A.c;\nend M;",
        {"b.x": 3, "y": 4},
    ),
    Case(
        "stars that do not clash where they are used",
        "package P\n constant Real c = 1;\n constant Real d = 5;\nend P;\npackage Q\n"
        " constant Real c = 2;\nend Q;\n"
        "model M\n import P.*;\n import Q.*;\n Real x = d;\nend M;",
        {"x": 5},
    ),
]


@named(REFUSED)
def test_refused(case: Refusal) -> None:
    check_refusal(case)


@named(ALLOWED)
def test_allowed(case: Case) -> None:
    check_values(case)
