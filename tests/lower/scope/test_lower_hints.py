"""What a newcomer is told: every refusal names what was probably meant, in the words of the language."""

from __future__ import annotations

import pytest

from lowered_values import lower
from saltus.core.diagnostics import Diagnostic, SaltusError


def _model(body: str, before: str = "") -> str:
    return f"{before}\nmodel M\n{body}\nend M;\n"


def _told(text: str, model: str) -> Diagnostic:
    """What is said about a class that cannot be simulated."""
    with pytest.raises(SaltusError) as caught:
        lower(text, model)
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
        lower(text, "M")
    return caught.value.diagnostics[0]


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
    return [w for w in lower(text).warnings if w.code == "W201"]


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
