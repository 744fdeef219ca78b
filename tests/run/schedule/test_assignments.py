"""The values of --set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saltus.core.diagnostics import UsageError
from saltus.run.schedule.assignments import parse_assignments


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
    parsed = parse_assignments([text])
    assert parsed == {name: value}
    assert type(parsed[name]) is type(value)


@pytest.mark.parametrize(
    "text",
    ["m", "=3", "m=", "m=1 2", "m=nan", "m=inf", "m=1e999", "m=2x", 'm="a', "", "m=1_000", "m={1", "m={}"],
)
def test_wrong_form_of_set(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_assignments([text])
    assert "--set" in str(caught.value)


def test_the_same_name_twice() -> None:
    assert parse_assignments(["a=1", "b=2"]) == {"a": 1, "b": 2}
    with pytest.raises(UsageError, match="a twice"):
        parse_assignments(["a=1", "a=2"])


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_survives_set(value: float) -> None:
    assert parse_assignments([f"x={value!r}"])["x"] == value


@given(st.integers(-(10**30), 10**30))
def test_every_integer_survives_set(value: int) -> None:
    assert parse_assignments([f"x={value}"]) == {"x": value}
