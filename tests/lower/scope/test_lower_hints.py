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


def _told(text: str, model: str) -> Diagnostic:
    """What is said about a class that cannot be simulated."""
    with pytest.raises(SaltusError) as caught:
        saltus.load(text, model=model).simulate()
    return caught.value.diagnostics[0]


def test_of_a_package_the_models_are_told() -> None:
    told = _told("package P model A Real x = 1; end A; function f end f; end P;", "P")
    assert (told.code, told.hint) == ("E209", "choose a model in it: `P.A`")


def test_a_function_is_not_simulated_but_called() -> None:
    told = _told("function f input Real x; output Real y = x; end f;", "f")
    assert (told.code, told.hint) == ("E209", "call it in a model: `Real y = f(...);`")


def test_of_a_file_the_models_are_told() -> None:
    text = "model Pump Real x = 1; end Pump; model Tank Real x = 1; end Tank;"
    told = _told(text, "Zzzz")
    assert (told.code, told.hint) == ("E201", "the text has the models `Pump` and `Tank`")


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
    # conditions
    Refusal(
        "number as the condition of a when",
        _model("Real x = time; discrete Real y; equation when x then y = 1; end when;"),
        "E205",
        ("the condition of a when must be Boolean", "a relation, such as `x > 0`"),
    ),
    Refusal(
        "number as the condition of a when-statement",
        _model("Real x = time; discrete Real y; algorithm when x - 1 then y := 1; end when;"),
        "E205",
        ("a relation, such as `x - 1 > 0`",),
    ),
    Refusal(
        "number as the condition of an if",
        _model("Real y = if time then 1 else 2;"),
        "E205",
        ("a condition must be Boolean", "a relation, such as `time > 0`"),
    ),
    # constructs in the wrong place
    Refusal(
        "when in a when",
        _model("discrete Real z; equation when time > 1 then when time > 2 then z = 1; end when; end when;"),
        "E209",
        ("when-equation must not stand in a when-equation", "`when a and b then`"),
    ),
    Refusal(
        "when in an if-statement",
        _model("discrete Real z; algorithm if time > 1 then when time > 2 then z := 1; end when; end if;"),
        "E209",
        ("`when a and b then`",),
    ),
    Refusal(
        "when in an initial section",
        _model("Real z; initial equation when time > 1 then z = 1; end when; equation der(z) = 1;"),
        "E209",
        ("initial section", "move it to an equation section"),
    ),
    Refusal(
        "connection in an initial section",
        _model("Pole r; Pole c; initial equation connect(r.n, c.p);", TWO_POLES),
        "E210",
        ("move it to an equation section",),
    ),
    Refusal(
        "connection in a when",
        _model("Pole r; Pole c; equation when time > 1 then connect(r.n, c.p); end when;", TWO_POLES),
        "E210",
        ("a switch",),
    ),
    Refusal(
        "derivative in a function",
        _model("Real x = f(time);", "function f input Real a; output Real y = der(a); end f;"),
        "E209",
        ("`der` is not allowed in a function", "give it to the function as an input"),
    ),
    Refusal(
        "reinit outside a when",
        _model("Real x; equation der(x) = 1; if x > 1 then reinit(x, 0); end if;"),
        "E209",
        ("`reinit` is allowed in when-equations only", "`when condition then reinit(x, value); end when;`"),
    ),
    Refusal(
        "list in parentheses as a value",
        _model("Real x[2]; equation x = (1, 2);"),
        "E209",
        ("an array is written in braces: `{1, 2}`",),
    ),
    Refusal(
        "break outside of a loop",
        _model("Real x; algorithm x := 1; break;"),
        "E209",
        ("remove it",),
    ),
    Refusal(
        "component of a function",
        _model("f x;", "function f input Real a; output Real y = a; end f;"),
        "E209",
        ("`f` is a function; a component cannot be made of it", "call it: `f(...)`"),
    ),
    Refusal(
        "component of a package",
        _model("P x;", "package P model A end A; model B end B; end P;"),
        "E209",
        ("`P` is a package", "choose a class in it: `P` has `A` and `B`"),
    ),
    Refusal(
        "model called",
        _model("Real x = Motor(3);", MOTOR),
        "E209",
        ("`Motor` is a model, not a function", "declare a component: `Motor name(...);`"),
    ),
    # variability
    Refusal(
        "pre of a continuous variable",
        _model("Real x = time; Real y = pre(x);"),
        "E211",
        ("pre(x) is allowed in when-clauses only", "`delay(x, ...)`"),
    ),
    Refusal(
        "parameter assigned",
        _model("parameter Real k = 1; algorithm k := 2;"),
        "E211",
        ("`k` is a parameter and cannot be assigned", "declare it without `parameter`"),
    ),
    Refusal(
        "parameter changed at an event",
        _model("parameter Real k = 1; equation when time > 1 then k = 2; end when;"),
        "E211",
        ("declare it without `parameter`",),
    ),
    Refusal(
        "loop variable assigned",
        _model("Real x; algorithm for i in 1:2 loop i := 3; end for; x := 1;"),
        "E211",
        ("use a variable of your own",),
    ),
    # words of the language with a capital letter
    Refusal(
        "Equation",
        _model("Real x; Equation x = 1;"),
        "E202",
        ("`x` is declared twice", "did you mean `equation`?"),
    ),
    Refusal(
        "Algorithm",
        _model("Real x; Algorithm x = 1;"),
        "E202",
        ("did you mean `algorithm`?",),
    ),
    # connections
    Refusal(
        "two sources",
        """
        connector In = input Real;
        connector Out = output Real;
        block Source Out y = time; end Source;
        block Sink In u; end Sink;
        model M Source a; Source b; Sink s; equation connect(a.y, s.u); connect(b.y, s.u); end M;
        """,
        "E210",
        ("two sources are connected", "one source only"),
    ),
    Refusal(
        "array of connectors with one",
        _model("Pole r[2]; Pole c; equation connect(r.p, c.p);", TWO_POLES),
        "E210",
        ("`r.p` is an array [2]", "subscripts choose one: `r[1].p`"),
    ),
    Refusal(
        "variable of a connector with a connector",
        _model("Pole r; Pole c; equation connect(r.p.v, c.p);", TWO_POLES),
        "E210",
        ("connect `r.p` as a whole",),
    ),
    Refusal(
        "component that its condition removes",
        _model("parameter Boolean b = false; Motor m if b; Real x = m.u;", MOTOR),
        "E209",
        ("`m` does not exist here", "declared here", "`if b`"),
    ),
    # operators
    Refusal(
        "product with a Boolean",
        _model("Boolean b = time > 1; Real x = b*2;"),
        "E205",
        ("`*` needs numbers, but this is Boolean", "`if b then 1 else 0`"),
    ),
    Refusal(
        "sum of Booleans",
        _model("Boolean b = time > 1; Real x = 1 + (time > 2);"),
        "E205",
        ("`if ... then 1 else 0`",),
    ),
    Refusal(
        "rows of different lengths",
        _model("Real x[2, 2] = {{1, 2}, {3}};"),
        "E206",
        ("as many elements",),
    ),
    Refusal(
        "interval of sample that varies",
        _model("discrete Real z; equation when sample(0, time) then z = 1; end when;"),
        "E211",
        ("`when time >= pre(next) then`",),
    ),
    Refusal(
        "import of all of a package that is not there",
        _model("import Modelica.Units.SI.*; Length x = 1;"),
        "E201",
        ("the class `Length` cannot be found", "`import Modelica.Units.SI.*` brings nothing", "--library"),
    ),
    # calls
    Refusal(
        "input that is not given",
        "function f input Real a; input Real b; output Real y = a + b; end f; model M Real x = f(1); end M;",
        "E212",
        ("the input `b` of `f` is not given", "the inputs of `f` are `a` and `b`"),
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
