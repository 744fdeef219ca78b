"""Numbers with arithmetic and units."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saltus.run.schedule.quantities import QuantityError, quantity


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("1/512", "", 1 / 512),
        ("2*pi*50", "", 100 * math.pi),
        ("-2^2", "", -4.0),
        ("2^-1", "", 0.5),
        ("2^3^2", "", 512.0),
        ("8/4/2", "", 1.0),
        ("(1 + 2)*sqrt(16) - 1", "", 11.0),
        ("5 mH", "H", 5e-3),
        ("5mH", "", 5e-3),
        ("20 degC", "K", 293.15),
        ("293.15 K", "degC", 20.0),
        ("68 degF", "degC", 20.0),
        ("60 rpm", "rad/s", 2 * math.pi),
        ("180 deg", "rad", math.pi),
        ("3/4 kW.h", "J", 2.7e6),
        ("36 km/h", "m/s", 10.0),
        ("1 bar", "", 1e5),
        ("3", "m", 3.0),
        ("2 1/s", "Hz", 2.0),
    ],
)
def test_what_quantities_mean(text: str, unit: str, number: float) -> None:
    assert quantity(text).counted_in(unit) == pytest.approx(number, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1..2", "`.2` is not expected"),
        ("2 +", "not complete"),
        ("(1", "parenthesis is not closed"),
        ("1/0", "has no value"),
        ("sqrt(-1)", "has no value"),
        ("(-8)^0.5", "has no value"),
        ("1e308*10", "has no value"),
        ("5 mQ", "`mQ` is not known"),
        ("fast", "is no number"),
        ("", "not complete"),
    ],
)
def test_what_is_no_quantity(text: str, words: str) -> None:
    with pytest.raises(QuantityError, match=words.replace("(", r"\(")):
        quantity(text)


def test_units_of_another_kind() -> None:
    with pytest.raises(QuantityError, match="`V` is not a compatible unit of a value in `H`"):
        quantity("5 V").counted_in("H")


# Expressions with their values as fractions: what Python's own arithmetic says.
_whole = st.integers(0, 99).map(lambda n: (str(n), Fraction(n)))


def _joined(parts: st.SearchStrategy[tuple[str, Fraction]]) -> st.SearchStrategy[tuple[str, Fraction]]:
    pairs = st.tuples(parts, parts)
    return st.one_of(
        pairs.map(lambda p: (f"({p[0][0]} + {p[1][0]})", p[0][1] + p[1][1])),
        pairs.map(lambda p: (f"({p[0][0]}-{p[1][0]})", p[0][1] - p[1][1])),
        pairs.map(lambda p: (f"({p[0][0]})*({p[1][0]})", p[0][1] * p[1][1])),
        parts.map(lambda p: (f"-({p[0]})", -p[1])),
    )


@given(st.recursive(_whole, _joined, max_leaves=8))
def test_arithmetic_is_that_of_fractions(case: tuple[str, Fraction]) -> None:
    text, value = case
    assert quantity(f"0 + ({text})").number == pytest.approx(float(value), rel=1e-12)
