"""What may be redeclared, and as what (sections 6.5, 7.3.2 and 7.3.3 of the specification)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

CLASSES = """
  model A
    Real x = 1;
  end A;
  model B
    Real x = 2;
    Real y = 3;
  end B;
"""


def model(text: str) -> str:
    return f"model M\n {CLASSES} {text}\nend M;"


REFUSED = [
    Refusal(
        "component not replaceable",
        model("model C\n A a;\n end C;\n C c(redeclare B a);"),
        "E207",
        ("not replaceable",),
    ),
    Refusal(
        "class not replaceable",
        model("model C\n model D = A;\n D d;\n end C;\n C c(redeclare model D = B);"),
        "E207",
    ),
    Refusal(
        "final", model("model C\n final replaceable A a;\n end C;\n C c(redeclare B a);"), "E207", ("final",)
    ),
    Refusal(
        "constant",
        model("model C\n replaceable constant Real k = 1;\n end C;\n C c(redeclare Real k = 2);"),
        "E207",
    ),
    Refusal(
        "component that lacks an element",
        model("model C\n replaceable B b;\n end C;\n C c(redeclare A b);"),
        "E207",
        ("`y`", "M.B"),
    ),
    Refusal(
        "component that does not fit the constraining class",
        model("model C\n replaceable B b constrainedby B;\n end C;\n C c(redeclare A b);"),
        "E207",
    ),
    Refusal(
        "class that lacks an element",
        model("model C\n replaceable model D = B;\n D d;\n end C;\n C c(redeclare model D = A);"),
        "E207",
        ("`y`",),
    ),
    Refusal(
        "wrong type",
        model("model C\n replaceable Real r = 1;\n end C;\n C c(redeclare Boolean r = true);"),
        "E207",
        ("Boolean",),
    ),
    Refusal(
        "declaration that does not fit",
        model("replaceable A a constrainedby B;"),
        "E207",
        ("own constraining class",),
    ),
    Refusal(
        "class that does not fit",
        model("replaceable model C = A constrainedby B;\n C c;"),
        "E207",
        ("own constraining class",),
    ),
    Refusal(
        "redeclared once and for all",
        model(
            "model C\n replaceable A a;\n end C;\n model D\n extends C(redeclare A a);\n end D;\n"
            " D d(redeclare B a);"
        ),
        "E207",
        ("not replaceable",),
    ),
    Refusal(
        "a wider constraining class",
        model(
            "model C\n replaceable B b constrainedby B;\n end C;\n model D\n"
            " extends C(redeclare replaceable B b constrainedby A);\n end D;\n D d;"
        ),
        "E207",
    ),
    Refusal(
        "public made protected",
        model(
            "model C\n replaceable A a;\n end C;\n model D\n extends C;\n protected\n redeclare B a;\n"
            " end D;\n D d;"
        ),
        "E207",
        ("public",),
    ),
    Refusal(
        "protected made public",
        model(
            "model C\n protected\n replaceable model E = A;\n end C;\n model D\n extends C;\n"
            " redeclare model E = B;\n end D;\n D d;"
        ),
        "E207",
        ("protected",),
    ),
    Refusal(
        "protected from outside",
        model("model C\n protected\n replaceable model E = A;\n E e;\n end C;\n C c(redeclare model E = B);"),
        "E207",
        ("from outside",),
    ),
    Refusal(
        "extension of what is not replaceable",
        model(
            "model C\n model E = A;\n end C;\n extends C;\n redeclare model extends E\n Real z = 1;\n"
            " end E;\n E e;"
        ),
        "E207",
    ),
]

ALLOWED = [
    Case(
        "a class with more elements",
        model(
            "model C\n replaceable model D = A;\n D d;\n replaceable A a;\n end C;\n"
            " C c(redeclare model D = B, redeclare B a(y = 7));"
        ),
        {"c.d.x": 2, "c.a.y": 7},
    ),
    Case(
        "a constraining class that asks for less",
        model("model C\n replaceable B b constrainedby A;\n end C;\n C c(redeclare A b);"),
        {"c.b.x": 1},
    ),
    Case(
        "protected in a derived class",
        model(
            "model C\n Real z = e.x;\n protected\n replaceable model E = A;\n E e;\n end C;\n model D\n"
            " extends C(redeclare model E = B);\n end D;\n D d;"
        ),
        {"d.z": 2},
    ),
    Case(
        "replaceable again",
        model(
            "model C\n replaceable A a;\n end C;\n model D\n"
            " extends C(redeclare replaceable A a(x = 5));\n end D;\n D d(redeclare B a);"
        ),
        {"d.a.x": 2},
    ),
]


@named(REFUSED)
def test_refused(case: Refusal) -> None:
    check_refusal(case)


@named(ALLOWED)
def test_allowed(case: Case) -> None:
    check_values(case)
