"""What a newcomer is told: every refusal names what was probably meant, in the words of the language."""

from __future__ import annotations

import pytest
from lower_case import Refusal, check_refusal, named

import saltus
from saltus.core.diagnostics import Diagnostic, SaltusError

PHASE = "type Phase = enumeration(Idle, Heat, Fill);"
MOTOR = "model Motor Real u; equation u = time; end Motor;"
PIN = "connector Pin Real v; flow Real i; end Pin;"
TWO_POLES = (
    PIN
    + """
    model Pole Pin p; Pin n; equation p.v - n.v = 2*p.i; p.i + n.i = 0; end Pole;
"""
)


def _model(body: str, before: str = "") -> str:
    return f"{before}\nmodel M\n{body}\nend M;\n"


def _first(text: str) -> Diagnostic:
    """The first thing said about a refused text."""
    with pytest.raises(SaltusError) as caught:
        saltus.load(text, model="M")
    return caught.value.diagnostics[0]


REFUSALS = [
    # N1: calls of what is no function
    Refusal(
        "product without its sign",
        _model("parameter Real k = 2; Real e = time; Real x = 1; Real y; equation y = k(e + x);"),
        "E212",
        ("`k` is a variable, not a function", "a product is written `k*(...)`"),
    ),
    Refusal(
        "product with a part of a component",
        _model("Motor m; Real y = m.u(3);", MOTOR),
        "E212",
        ("`m.u` is a variable, not a function", "`m.u*(...)`"),
    ),
    Refusal(
        "subscripts in parentheses",
        _model("Real buf[3] = {1, 2, 3}; parameter Integer k = 2; Real y = buf(k-1);"),
        "E212",
        ("`buf` is a variable", "subscripts stand in brackets: `buf[k-1]`"),
    ),
    Refusal(
        "subscripts in parentheses in a function",
        """
        function f
          input Real v[3];
          output Real y;
        algorithm
          y := v(2);
        end f;
        model M Real y = f({1, 2, 3}); end M;
        """,
        "E212",
        ("subscripts stand in brackets: `v[2]`",),
    ),
    Refusal(
        "call of what a component does not have",
        _model("Motor m; Real y = m.spin(3);", MOTOR),
        "E201",
        ("there is no `spin` in `m`",),
    ),
    Refusal(
        "unknown function",
        _model("Real y = sen(time);"),
        "E201",
        ("the function `sen` cannot be found", "did you mean `sin`?"),
    ),
    Refusal(
        "unknown function of a package",
        _model(
            "Real y = P.doubel(2);",
            "package P function double input Real x; output Real y = x; end double; end P;",
        ),
        "E201",
        ("there is no function `doubel` in `P`", "did you mean `double`?"),
    ),
    Refusal(
        "ln",
        _model("Real y = ln(time + 1);"),
        "E201",
        ("the function `ln` cannot be found", "the natural logarithm is `log`"),
    ),
    # N3: literals without their enumeration
    Refusal(
        "bare literal in an equation",
        _model("Phase phase; equation phase = Heat;", PHASE),
        "E201",
        ("did you mean `Phase.Heat`?",),
    ),
    Refusal(
        "bare literal as a start value",
        _model(
            PHASE + "Phase phase(start = Idle); equation when time > 1 then phase = Phase.Heat; end when;"
        ),
        "E201",
        ("did you mean `Phase.Idle`?",),
    ),
    Refusal(
        "bare literal of a type in a package",
        _model("Real y = if time > Fill then 1 else 2;", f"package Types {PHASE} end Types;"),
        "E201",
        ("did you mean `Types.Phase.Fill`?",),
    ),
    Refusal(
        "bare literal of an inherited type",
        _model("extends B; Phase p = Heat;", f"partial model B {PHASE} end B;"),
        "E201",
        ("did you mean `Phase.Heat`?",),
    ),
    Refusal(
        "bare literal of a predefined type",
        _model("Real x(stateSelect = prefer); equation der(x) = 1;"),
        "E201",
        ("did you mean `StateSelect.prefer`?",),
    ),
    Refusal(
        "bare literal with the name of a model",
        _model("Phase phase = Heat;", PHASE + "model Heat end Heat;"),
        "E209",
        ("`Heat` is a model", "did you mean `Phase.Heat`?"),
    ),
    # N4: units without quotes
    Refusal(
        "unit without quotes",
        _model("Real v(unit = V) = time;"),
        "E201",
        ('`unit = "V"`',),
    ),
    Refusal(
        "unit that is also a variable",
        _model("parameter Real m = 1; Real v(unit = m) = time;"),
        "E205",
        ("String", '`unit = "m"`'),
    ),
    Refusal(
        "quotient of units",
        _model("Real v(displayUnit = m/s) = time;"),
        "E201",
        ('`displayUnit = "m/s"`',),
    ),
    # N5: connectors in equations
    Refusal(
        "connectors equated",
        _model("Pole r; Pole c; equation r.n = c.p;", TWO_POLES),
        "E209",
        ("`r.n` is a connector", "connect(r.n, c.p)"),
    ),
    # N6: the wording only
    Refusal(
        "literal quoted in a relation",
        _model('Phase phase = Phase.Heat; Boolean b = phase == "Fill";', PHASE),
        "E205",
        ("cannot compare Phase with String", "did you mean `Phase.Fill`?"),
    ),
    Refusal(
        "literal quoted in an equation",
        _model('Phase phase; equation phase = "Fill";', PHASE),
        "E205",
        ("Phase = String", "did you mean `Phase.Fill`?"),
    ),
    Refusal(
        "literal quoted as a value",
        _model('parameter Phase phase = "Fill";', PHASE),
        "E205",
        ("is of type Phase, but this is String", "did you mean `Phase.Fill`?"),
    ),
    # N7
    Refusal(
        "sample of an interval",
        _model("discrete Real n; equation when sample(0.05) then n = time; end when;"),
        "E205",
        ("the event operator is sample(start, interval)",),
    ),
    # N8
    Refusal(
        "reinit of a Boolean",
        _model("Boolean on(start = true); equation when time > 1 then reinit(on, false); end when;"),
        "E209",
        ("`on` is not a state (Real with der)", "`on = ...`"),
    ),
    # N9
    Refusal(
        "class in place of its component",
        _model("Motor other; Motor motor; Real y = Motor.u;", MOTOR),
        "E209",
        ("did you mean `motor.u`?",),
    ),
    Refusal(
        "class in place of a component with another name",
        _model("Motor m; Real y; equation y = Motor.u;", MOTOR),
        "E209",
        ("did you mean `m.u`?",),
    ),
    Refusal(
        "class without a component",
        _model("Real y = Motor.u;", MOTOR),
        "E209",
        ("pass its value by a parameter",),
    ),
]


@named(REFUSALS)
def test_a_refusal_says_what_was_meant(case: Refusal) -> None:
    check_refusal(case)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bool", "Boolean"),
        ("double", "Real"),
        ("float", "Real"),
        ("int", "Integer"),
        ("string", "String"),
    ],
)
def test_types_of_other_languages_are_known(written: str, meant: str) -> None:
    told = _first(_model(f"parameter {written} x;"))
    assert (told.code, told.hint) == ("E201", f"in Modelica this is `{meant}`")


def test_enum_is_enumeration() -> None:
    told = _first(_model("Phase p;", "type Phase = enum(Idle, Heat);"))
    assert (told.code, told.hint) == ("E201", "in Modelica this is `enumeration`")


@pytest.mark.parametrize(("written", "meant"), [("False", "false"), ("True", "true")])
def test_truth_values_of_other_languages_are_known(written: str, meant: str) -> None:
    told = _first(_model(f"Boolean on; equation on = {written};"))
    assert (told.code, told.hint) == ("E201", f"in Modelica this is `{meant}`")


@pytest.mark.parametrize(
    ("body", "library"),
    [
        ("Qqqq x;", None),
        ("Real y = Qqqq;", None),
        ("Real y = qqqq(1);", None),
        ("Qqqq.Www x;", "`Qqqq` is a library"),
        ("Real y = Qqqq.www;", "`Qqqq` is a library"),
        ("Real y = Qqqq.www(1);", "`Qqqq` is a library"),
    ],
)
def test_only_a_dotted_name_may_be_a_library(body: str, library: str | None) -> None:
    told = _first(_model(body))
    assert told.code == "E201"
    if library is None:
        assert told.hint is None
    else:
        assert told.hint is not None and library in told.hint


# ---------------------------------------------------------------- N10


def _warnings(experiment: str) -> list[Diagnostic]:
    text = _model(f"Real x = time; annotation(experiment({experiment}));")
    return [w for w in saltus.load(text).warnings if w.code == "W201"]


def test_an_unknown_attribute_of_experiment_is_told() -> None:
    (told,) = _warnings("StartTime = 0, Stoptime = 500")
    assert told.message == "unknown attribute `Stoptime` of experiment"
    assert told.hint == "did you mean `StopTime`?"
    assert told.span is not None and told.span.text == "Stoptime = 500"


def test_an_attribute_like_no_other_is_told_with_those_known() -> None:
    (told,) = _warnings("Zzz = 1")
    assert told.hint == "known are StartTime, StopTime, Tolerance, Interval"


@pytest.mark.parametrize(
    "experiment", ["StartTime = 0, StopTime = 2, Tolerance = 1e-6, Interval = 0.1", '__Tool_Algorithm = "x"']
)
def test_known_attributes_and_those_of_tools_are_not_told(experiment: str) -> None:
    assert _warnings(experiment) == []
