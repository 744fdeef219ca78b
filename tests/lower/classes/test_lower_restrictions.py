"""What specialised classes may contain, and which components may have which prefixes (sections 4.4.2.2, 4.7
and 4.9 of the specification)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

CONTENTS = [
    Refusal("type name as a component", "model M\n Real Integer = 1;\nend M;", "E202", ("predefined",)),
    Refusal("type name as a class", "model M\n model String\n end String;\n String s;\nend M;", "E202"),
    Refusal("component and class", "model M\n Real x = 1;\n model x\n end x;\nend M;", "E202", ("twice",)),
    Refusal(
        "attribute as a literal",
        "model M\n type E = enumeration(start, stop);\n E e = E.stop;\nend M;",
        "E202",
        ("attribute",),
    ),
    Refusal(
        "literal twice", "model M\n type E = enumeration(a, b, a);\n E e = E.b;\nend M;", "E202", ("`a`",)
    ),
    Refusal(
        "flow in a record", "model M\n record R\n flow Real q = 1;\n end R;\n R r;\nend M;", "E209", ("flow",)
    ),
    Refusal("input in a record", "model M\n record R\n input Real q = 1;\n end R;\n R r;\nend M;", "E209"),
    Refusal(
        "protected in a record", "model M\n record R\n protected Real q = 1;\n end R;\n R r;\nend M;", "E209"
    ),
    Refusal(
        "protected in a connector",
        "model M\n connector C\n Real e = 1;\n flow Real f;\n protected Real k = 2;\n end C;\n C c;\nend M;",
        "E209",
        ("public",),
    ),
    Refusal(
        "time in a record", "model M\n record R\n Real t = 2*time;\n end R;\n R r;\nend M;", "E209", ("time",)
    ),
    Refusal(
        "parameter in a package",
        "package P\n parameter Real p = 1;\n constant Real c = 2;\nend P;\nmodel M\n Real x = P.c;\nend M;",
        "E209",
        ("constants",),
    ),
    Refusal(
        "model in a record",
        "model M\n model A\n end A;\n record R\n A a;\n end R;\n R r;\nend M;",
        "E209",
        ("`a`",),
    ),
    Refusal(
        "model in a connector",
        "model M\n model A\n end A;\n connector C\n A a;\n end C;\n C c;\nend M;",
        "E209",
    ),
    Refusal(
        "block without directions",
        """
        model M
          connector C
            Real e;
            flow Real f;
          end C;
          block B
            C c(e = 1);
          end B;
          B b;
        end M;
        """,
        "E209",
        ("direction",),
    ),
]

PREFIXES = [
    Refusal(
        "constant model",
        "model M\n model A\n Real x = 1;\n end A;\n constant A a;\nend M;",
        "E209",
        ("constant",),
    ),
    Refusal("output model", "model M\n model A\n Real x = 1;\n end A;\n output A a;\nend M;", "E209"),
    Refusal(
        "flow Integer",
        "model M\n connector C\n Real e = 1;\n flow Integer f;\n end C;\n C c;\nend M;",
        "E205",
    ),
    Refusal(
        "flow of flow",
        "model M\n connector C\n Real e;\n flow Real f;\n end C;\n flow C c(e = 1);\nend M;",
        "E209",
        ("at once",),
    ),
    Refusal(
        "input of output",
        "model M\n connector C\n output Real y;\n end C;\n connector D = input C;\n D d(y = 1);\nend M;",
        "E209",
        ("`y` in `d`",),
    ),
    Refusal("input parameter", "block M\n parameter input Real u = 1;\nend M;", "E209"),
]

ALLOWED = [
    Case(
        "an element called time",
        "model M\n record R\n Real time = 3;\n Real t = time;\n end R;\n R r;\nend M;",
        {"r.t": 3},
    ),
    Case(
        "nested connectors with directions in a block",
        """
        model M
          connector In = input Real;
          connector C
            In u;
            output Real y;
            parameter Real p = 2;
          end C;
          block B
            C c;
          equation
            c.y = c.p*c.u;
          end B;
          B b(c.u = 4);
        end M;
        """,
        {"b.c.y": 8},
    ),
    Case(
        "prefixes of records",
        "model M\n record R\n Real x;\n end R;\n parameter R p(x = 2);\n discrete R d;\n output R y(x=p.x);\n"
        "equation\n when sample(0, 1) then\n d.x = 5;\n end when;\nend M;",
        {"y.x": 2, "d.x": 5},
    ),
]


@named(CONTENTS)
def test_contents(case: Refusal) -> None:
    check_refusal(case)


@named(PREFIXES)
def test_prefixes(case: Refusal) -> None:
    check_refusal(case)


@named(ALLOWED)
def test_allowed(case: Case) -> None:
    check_values(case)
