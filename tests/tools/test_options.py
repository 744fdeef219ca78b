"""The table of options, its checks, and the values of --set."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import UsageError
from saltus.options import (
    COMMANDS,
    OPTIONS,
    Settings,
    check_times,
    options_of,
    options_table,
    parse_settings,
    settings_from,
)


def refused(**values: object) -> str:
    with pytest.raises(UsageError) as caught:
        settings_from({"source": "A.mo", **values})
    assert caught.value.exit_status == 2
    return str(caught.value)


def test_every_row_has_a_field_and_the_same_default() -> None:
    fields = {f.name: f.default for f in dataclasses.fields(Settings) if f.name != "source"}
    assert fields == {row.name: row.default for row in OPTIONS}


def test_names_are_unique_and_commands_known() -> None:
    assert len({row.name for row in OPTIONS}) == len(OPTIONS)
    assert all(set(row.commands) <= set(COMMANDS) for row in OPTIONS)
    assert all((row.metavar is None) == (row.type is bool) for row in OPTIONS)


def test_the_standing_contract_is_in_the_table() -> None:
    flags = {row.flag for row in options_of("simulate")}
    contract = "model library start-time stop-time tolerance interval set output events"
    assert {f"--{name}" for name in contract.split()} <= flags


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", ["start_time", "stop_time", "tolerance", "interval"])
def test_numbers_must_be_finite(name: str, value: float) -> None:
    assert "--" + name.replace("_", "-") in refused(**{name: value})


@pytest.mark.parametrize(("name", "value"), [("tolerance", 0.0), ("tolerance", -1e-3), ("interval", -1e-3)])
def test_tolerance_and_interval_are_positive(name: str, value: float) -> None:
    assert "greater than zero" in refused(**{name: value})


def test_no_interval_where_the_run_has_no_length() -> None:
    check_times(0.0, 0.0, 1e-6, 0.0)
    with pytest.raises(UsageError, match="interval must be greater than zero"):
        check_times(0.0, 1e-9, 1e-6, 0.0)
    model = saltus.load("model M Real x(start = 2, fixed = true); equation der(x) = -x; end M;")
    result = model.simulate(stop_time=0.0, interval=0.0)
    assert result.time.tolist() == [0.0] and result["x"].tolist() == [2.0]
    with pytest.raises(UsageError, match="interval must be positive"):
        model.simulate(stop_time=1.0, interval=0.0)


def test_stop_before_start() -> None:
    assert "before" in refused(start_time=2.0, stop_time=1.0)
    assert settings_from({"source": "A.mo", "start_time": 2.0, "stop_time": 2.0}).stop_time == 2.0


def test_check_times_for_the_values_in_force() -> None:
    check_times(0.0, 1.0, 1e-6, 0.1)
    for bad in ((1.0, 0.0), (0.0, math.nan), (0.0, 1.0, 0.0), (0.0, 1.0, 1e-6, -1.0), (0.0, 1.0, 2.0)):
        with pytest.raises(UsageError):
            check_times(*bad)


def test_other_refusals(tmp_path: object) -> None:
    assert "llvm" in refused_hint(dump="nonsense")
    assert "sparse" in refused_hint(linear_solver="quick")
    assert "nowhere" in refused(library=[f"{tmp_path}/nowhere"])
    assert "standard output" in refused(output="-", log_events=True)
    assert "standard output" in refused(output="-", dump="flat")
    assert "--output" in refused(output="")


def refused_hint(**values: object) -> str:
    with pytest.raises(UsageError) as caught:
        settings_from({"source": "A.mo", **values})
    return str(caught.value.diagnostics[0].hint)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("m=2", "m", 2),
        ("m=-2", "m", -2),
        ("m = 2.50 ", "m", 2.5),
        ("m=.5e-3", "m", 5e-4),
        ("a.b[1,2].c=1e3", "a.b[1,2].c", 1000.0),
        ("on=true", "on", True),
        ("on=false", "on", False),
        ("mode=Init.fixed", "mode", "Init.fixed"),
        ('s="a=b \\"x\\""', "s", 'a=b "x"'),
        ('s=""', "s", ""),
        ("'a=b'.x=3", "'a=b'.x", 3),
    ],
)
def test_values_of_set(text: str, name: str, value: object) -> None:
    parsed = parse_settings([text])
    assert parsed == {name: value}
    assert type(parsed[name]) is type(value)


@pytest.mark.parametrize(
    "text",
    ["m", "=3", "m=", "m=1 2", "m=nan", "m=inf", "m=1e999", "m=2x", 'm="a', "", "m=1_000", "m={1", "m={}"],
)
def test_wrong_form_of_set(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_settings([text])
    assert "--set" in str(caught.value)


def test_the_same_name_twice() -> None:
    assert parse_settings(["a=1", "b=2"]) == {"a": 1, "b": 2}
    with pytest.raises(UsageError, match="a twice"):
        parse_settings(["a=1", "a=2"])


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_survives_set(value: float) -> None:
    assert parse_settings([f"x={value!r}"])["x"] == value


@given(st.integers(-(10**30), 10**30))
def test_every_integer_survives_set(value: int) -> None:
    assert parse_settings([f"x={value}"]) == {"x": value}


def test_the_documentation_table_has_a_line_for_every_option() -> None:
    head, rule, *lines = options_table().splitlines()
    assert len(lines) == len(OPTIONS)
    for row, line in zip(OPTIONS, lines, strict=True):
        assert line.startswith(f"| `{row.flag}")
        # Bars inside cells are escaped: every line has the columns of the head.
        assert line.replace("\\|", "").count("|") == head.count("|") == rule.count("|")
