"""Where impure functions may be called (section 12.3)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

_F = """
impure function next
  input Real x;
  output Real y = x + 1;
end next;
"""

ALLOWED = [
    Case(
        "in a when-equation",
        _F + "model M\n discrete Real y(start = 0);\nequation\n when time > 0.5 then\n"
        "  y = next(pre(y));\n end when;\nend M;",
        {"y": 1},
    ),
    Case(
        "in a when-statement",
        _F + "model M\n discrete Real y(start = 0);\nalgorithm\n when time > 0.5 then\n"
        "  y := next(pre(y));\n end when;\nend M;",
        {"y": 1},
    ),
    Case(
        "in a loop in a when-equation",
        _F + "model M\n discrete Real y[2](each start = 0);\nequation\n when time > 0.5 then\n"
        "  for i in 1:2 loop\n   y[i] = next(i);\n  end for;\n end when;\nend M;",
        {"y[1]": 2, "y[2]": 3},
    ),
    Case(
        "in a loop in a when-statement",
        _F + "model M\n discrete Real y[2](each start = 0);\nalgorithm\n when time > 0.5 then\n"
        "  for i in 1:2 loop\n   y[i] := next(i);\n  end for;\n end when;\nend M;",
        {"y[1]": 2, "y[2]": 3},
    ),
    Case(
        "at the start",
        _F + "model M\n Real x;\n parameter Real p(fixed = false);\ninitial equation\n x = next(1);\n"
        " p = next(2);\nequation\n der(x) = 0;\nend M;",
        {"x": 2, "p": 3},
    ),
    Case("in a parameter", _F + "model M\n parameter Real p = next(1);\nend M;", {"p": 2}),
    Case(
        "in another impure function",
        _F + "impure function twice\n input Real x;\n output Real y = next(next(x));\nend twice;\n"
        "model M\n parameter Real p = twice(1);\nend M;",
        {"p": 3},
    ),
    Case(
        "in a function that does not say that it is impure",  # more than the specification allows
        _F + "function f\n input Real x;\n output Real y = next(x);\nend f;\n"
        "model M\n parameter Real p = f(1);\nend M;",
        {"p": 2},
    ),
    Case("pure", _F + "model M\n Real y;\nequation\n y = pure(next(time));\nend M;", {"y": 2}),
]

REFUSED = [
    Refusal(
        "in an equation", _F + "model M\n Real y;\nequation\n y = next(time);\nend M;", "E209", ("pure(",)
    ),
    Refusal(
        "in a loop in an equation section",
        _F + "model M\n Real y[2];\nequation\n for i in 1:2 loop\n  y[i] = next(i*time);\n end for;\nend M;",
        "E209",
    ),
    Refusal("in an algorithm", _F + "model M\n Real y;\nalgorithm\n y := next(time);\nend M;", "E209"),
    Refusal(
        "a pure function that extends an impure one",
        _F + "function f\n extends next;\nend f;\nmodel M\n Real y = f(time);\nend M;",
        "E209",
        ("impure",),
    ),
    Refusal("pure without a call", "model M\n Real y = pure(1);\nend M;", "E212"),
]


@named(ALLOWED)
def test_allowed(case: Case) -> None:
    check_values(case)


@named(REFUSED)
def test_refused(case: Refusal) -> None:
    check_refusal(case)
