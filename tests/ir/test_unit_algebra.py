"""Units: the grammar of unit strings, and the laws of their algebra."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saltus.ir.unit import ONE, Unit, UnitError, parse_unit

SYMBOLS = ("m", "g", "s", "A", "K", "mol", "cd", "N", "Pa", "J", "W", "V", "Ohm", "F", "H", "T", "h", "bar")
PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "m": 1e-3, "u": 1e-6, "c": 1e-2, "da": 10.0}

exponents = st.fractions(min_value=-4, max_value=4, max_denominator=6)
units = st.builds(
    Unit, st.tuples(*[exponents] * 7), st.floats(min_value=1e-6, max_value=1e6, allow_nan=False)
)


@given(units, units, units)
def test_products_are_commutative_and_associative(a: Unit, b: Unit, c: Unit) -> None:
    assert (a * b).same(b * a)
    assert ((a * b) * c).same(a * (b * c))


@given(units, units)
def test_division_undoes_a_product(a: Unit, b: Unit) -> None:
    assert (a * b / b).same(a)
    assert (a / a).same(ONE)
    assert (a * ONE).same(a)


@given(units, exponents, exponents)
def test_powers_add_and_multiply(a: Unit, p: Fraction, q: Fraction) -> None:
    assert (a.power(p) * a.power(q)).same(a.power(p + q))
    assert a.power(p).power(q).same(a.power(p * q))


@given(units, units, exponents)
def test_power_of_a_product(a: Unit, b: Unit, p: Fraction) -> None:
    assert (a * b).power(p).same(a.power(p) * b.power(p))


factors = st.tuples(
    st.sampled_from(sorted(PREFIXES)), st.sampled_from(SYMBOLS[:7]), st.integers(min_value=-3, max_value=3)
)


@given(st.lists(factors, min_size=1, max_size=4))
def test_a_string_of_factors_is_their_product(parts: list[tuple[str, str, int]]) -> None:
    product = ONE
    for prefix, symbol, exponent in parts:
        one = parse_unit(symbol)
        product = product * Unit(one.powers, one.scale * PREFIXES[prefix]).power(Fraction(exponent))
    assert parse_unit(".".join(f"{p}{s}{e}" for p, s, e in parts)).same(product)


@given(st.tuples(*[st.integers(min_value=-4, max_value=4)] * 7))
def test_what_is_printed_is_read_again(powers: tuple[int, ...]) -> None:
    unit = Unit(tuple(map(Fraction, powers)))
    assert parse_unit(str(unit)).same(unit)


@given(st.text(alphabet="mkgsNJ1203./()-+ ^*", max_size=12))
def test_any_text_is_a_unit_or_refused(text: str) -> None:
    try:
        parse_unit(text)
    except UnitError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("N", "kg.m/s2"),
        ("N.m", "J"),
        ("J/(kg.K)", "J.kg-1.K-1"),
        ("J/(kg.K)", "m2/(s2.K)"),
        ("V", "kg.m2/(s3.A)"),
        ("Ohm", "1/S"),
        ("Wb", "T.m2"),
        ("rad/s", "1/s"),
        ("Hz", "s-1"),
        ("F", "A2.s4/(kg.m2)"),
        ("(J/kg)/(kg/m3)", "J.m3/kg2"),
        ("H+1", "Wb/A"),
        ("1", "m/m"),
        ("l", "dm3"),
        ("kW.h", "MJ.h/(ks)"),
    ],
)
def test_units_that_are_the_same(left: str, right: str) -> None:
    assert parse_unit(left).same(parse_unit(right))


@pytest.mark.parametrize(
    ("text", "scale", "base"),
    [
        ("mm2", 1e-6, "m2"),  # the exponent includes the prefix
        ("km/h", 1000 / 3600, "m/s"),
        ("min", 60, "s"),
        ("rev/min", 2 * math.pi / 60, "1/s"),
        ("deg", math.pi / 180, "1"),
        ("bar", 1e5, "Pa"),
        ("das", 10, "s"),
        ("T", 1, "kg/(A.s2)"),  # tesla, not tera
        ("m", 1, "m"),  # metre, not milli
        ("mol/l", 1e3, "mol/m3"),
    ],
)
def test_scales(text: str, scale: float, base: str) -> None:
    unit, wanted = parse_unit(text), parse_unit(base)
    assert unit.same_dimension(wanted)
    assert unit.scale == pytest.approx(scale * wanted.scale, rel=1e-12)


def test_temperatures_differ_by_their_zero() -> None:
    celsius, kelvin, fahrenheit = map(parse_unit, ("degC", "K", "degF"))
    assert celsius.same_dimension(kelvin)
    assert not celsius.same(kelvin)
    assert celsius.offset == 273.15
    # 32 degF is 0 degC
    assert 32 * fahrenheit.scale + fahrenheit.offset == pytest.approx(celsius.offset)
    assert (parse_unit("J") / celsius).same(parse_unit("J/K"))  # of a difference


@pytest.mark.parametrize(
    "text", ["", "Nm", "m^2", "m/s/s", "m s", "(m", "m)", "2", "m.", "/s", "1.m", "kk", "m2.3"]
)
def test_what_is_no_unit(text: str) -> None:
    with pytest.raises(UnitError):
        parse_unit(text)
