"""Units that do not match are told once for each place, and never where units are not known."""

from __future__ import annotations

import pytest

from saltus.compiler import unit_warnings
from saltus.core.diagnostics import Diagnostic
from saltus.finding import find_class

DECLARATIONS = """
  type Length = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Force = Real(unit = "N");
  type Velocity = Real(unit = "m/s");
  constant Real g(unit = "m/s2") = 1;
  function area
    input Length a;
    input Length b[2] = {1, 1};
    output Real y(unit = "m2");
  algorithm
    y := a*b[1];
  end area;
  parameter Length l = 2;
  parameter Mass m = 3;
  Force f = 5;
  Velocity v = 7;
  Real t(unit = "s") = time;
  Real T(unit = "K") = 300;
  Real phi(unit = "deg") = 10;
  Real u = 2;
"""


def units_of(text: str) -> tuple[Diagnostic, ...]:
    """What is said about the units of a model."""
    return unit_warnings(find_class(text))


def warnings(body: str) -> list[Diagnostic]:
    """Of a model with some declarations of physical quantities, and these equations or declarations."""
    text = f"model M {DECLARATIONS} {body} end M;"
    return list(units_of(text))


def messages(body: str) -> list[str]:
    found = warnings(body)
    assert all(w.span is not None for w in found)
    return [w.message for w in found]


GOOD = {
    "a product": "Force a = m*g;",
    "constants keep their units": 'Real a(unit = "m2/s2") = g*l;',
    "small literals are factors": 'Real a(unit = "J") = 0.5*m*v^2;',
    "pi is a factor": 'Real a(unit = "m2") = 3.141592653589793*l^2;',
    "another literal may have a unit": "Force a = 9.81*m; Length b = 1.5*v, c = 0.3/v;",
    "a curve of two quantities": (
        "Real s; Length a; Force b;"
        "equation s = 2*time; if u > 1 then s = a; b = 0; else s = b; a = 1; end if;"
    ),
    "zero has every unit, in each branch": (
        "Length a; Force b; equation a = 2*l*b/f; 0 = if u > 1 then a elseif u > 0 then b else v - 2*v;"
    ),
    "a start value says little": 'Real s(start = l); equation der(s) = 3; assert(s < f, "");',
    "a literal before time is a slope": "Length a = 2*time, c = time; Real b = sin(time/3) + cos(time);",
    "time is in seconds": "Length a = v*time; Real b = sin(v*time/l);",
    "a literal in a sum": "Length a = l + 3;",
    "a literal alone": "Length a = 3;",
    "der divides by seconds": "Length x(start = 0, fixed = true); equation der(x) = v;",
    "square root": "Velocity a = sqrt(2*g*l);",
    "power with a rational exponent": "Velocity a = (g*l)^0.5;",
    "quotients": 'Real a(unit = "1") = sin(l/l);',
    "angles are numbers": 'Real a(unit = "rad") = l/l, w(unit = "rad/s") = v/l;',
    "Integers are numbers": "parameter Integer n = 3; Length a = n*l; Length b = n;",
    "min and max": "Length a = max(l, 2), b = min(l, a);",
    "conditions": "Length a = if l > 1 then l else 0;",
    "function results": 'Real a(unit = "m2") = area(l);',
    "unknown units": 'Real a = l, b = u*l, c = u; equation assert(u > l, ""); ',
    "Celsius from kelvin": 'Real a(unit = "degC") = T - 273.15, b(unit = "K") = a + 273.15;',
    "differences of temperatures": 'Real a(unit = "degC") = 20, b(unit = "K") = T - a;',
    "levels": 'Real a(unit = "dB") = 3, b(unit = "1") = 10^(a/20);',
    "levels again": 'Real a(unit = "dB") = u;',
    "start values": "Length a(start = 2*l, fixed = true); equation der(a) = 0;",
    "delay": "Length x = l*sin(5*time/2), a = delay(x, 0.1);",
    "modified units": 'Real a(unit = "N") = m*g, b(unit = "kg.m.s-2") = a;',
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD.keys())
def test_what_matches_is_not_told(body: str) -> None:
    assert messages(body) == []


BAD = {
    "a product with time": ("Length a = f*time;", "is in `kg.m/s`"),
    "an equation": ("Force a = m;", "`a` is in `N`, but `m` is in `kg`"),
    "a constant of value one": ("Force a = 2*m*g*g;", "is in `kg.m2/s4`"),
    "a sum": ("Length a = l + v;", "`l` is in `m`, but `v` is in `m/s`"),
    "a comparison": ("Boolean b = l > v;", "`l` is in `m`, but `v` is in `m/s`"),
    "a scale": ("Real a(unit = \"mm\") = l;", "`a` is in `mm`, but `l` is in `m`"),
    "a derivative": ("Length x(start = 0, fixed = true); equation der(x) = l;", "`der(x)` is in `m/s`"),
    "an elementary function": ("Real a = exp(l);", "the argument of `exp` is in `1`, but `l` is in `m`"),
    "degrees in a sine": ("Real a = sin(phi);", "the argument of `sin` is in `1`, but `phi` is in `deg`"),
    "an argument": ("Real a = area(v);", "the input `a` of `M.area` is in `m`, but `v` is in `m/s`"),
    "an array argument": ("Real a = area(l, {l, m});", "`b` of `M.area` is in `m`, but `m` is in `kg`"),
    "a result": ("Length a = area(l);", "`a` is in `m`, but `area(l, {1, 1})` is in `m2`"),
    "branches": ("Real a = if u > 1 then l else m;", "`l` is in `m`, but `m` is in `kg`"),
    "a branch that is zero": (
        "Length a; equation 0 = if u > 1 then a + m else a;", "`a` is in `m`, but `m` is in `kg`"),
    "a condition beside zero": (
        "Length a; equation 0 = if l > m then a else a - 1;", "`l` is in `m`, but `m` is in `kg`"),
    "Celsius and kelvin": ("Real a(unit = \"degC\") = T;", "`a` is in `degC`, but `T` is in `K`"),
    "a power": ("Length a = l^2;", "`a` is in `m`, but `l^2` is in `m2`"),
    "an exponent": ("Real a = 2.5^l;", "an exponent is in `1`, but `l` is in `m`"),
    "a start value": ("Length a(start = m); equation der(a) = 0;", "`a` is in `m`, but `m` is in `kg`"),
    "a parameter": ("parameter Length p = m;", "`p` is in `m`, but `m` is in `kg`"),
    "a delay time": ("Length x = l, a = delay(x*sin(2*time), l);", "a time is in `s`, but `l` is in `m`"),
    "reinit": (
        "Length x(start = 0); equation der(x) = v; when time > 0.5 then reinit(x, v); end when;",
        "`x` is in `m`, but `v` is in `m/s`",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "words"), BAD.values(), ids=BAD.keys())
def test_what_does_not_match_is_told(body: str, words: str) -> None:
    found = messages(body)
    assert len(found) == 1, found
    assert words in found[0] or words.replace("area(", "M.area(") in found[0]


def test_a_unit_follows_from_an_equation() -> None:
    (found,) = warnings("Real e; Force a = e; equation e = m*v;")
    assert found.message == "`e` is in `N`, but `m*v` is in `kg.m/s`"
    assert [note.message for note in found.notes] == ["`e` is in `N` because of this"]


def test_a_unit_follows_through_products_sums_and_derivatives() -> None:
    (found,) = warnings('Real k, x(start = 1); Real c(unit = "N/m2") = k; equation f = -k*x; der(x) = v;')
    # k is in N/m2, so x is in m2 and not a length.
    assert found.message == "`der(x)` is in `m2/s`, but `v` is in `m/s`"
    assert [note.message for note in found.notes] == ["`x` is in `m2` because of this"]


def test_units_do_not_pass_through_connections() -> None:
    text = """
      model M
        block Gain
          input Real u;
          output Real y;
          parameter Real k(unit = "1") = 1;
        equation
          y = k*u;
        end Gain;
        Gain gain(k = 3);
        Real phi(unit = "rad") = 2*time;
        Real tau(unit = "N.m");
      equation
        phi = gain.u;
        tau = gain.y;
      end M;
    """
    assert not units_of(text)


def test_a_parameter_of_unit_one_may_be_given_any_value_from_outside() -> None:
    part = """
      block Gain
        parameter Real k(unit = "1") = 1;
        parameter Real a[2] = {1, 2};
        parameter Real b = sqrt(a*a);
      end Gain;
      parameter Real R(unit = "Ohm") = 2;
      parameter Real q(unit = "1") = %s;
      Gain gain(k = R, a = {R, R^2});
    """
    assert not units_of(f"model M {part % '3'} end M;")
    (found,) = units_of(f"model M {part % '2*R'} end M;")
    assert found.message.startswith("`q` is in `1`")


def test_a_function_that_is_written_out_keeps_the_units_of_its_inputs_and_outputs() -> None:
    text = """
      model M
        function without
          input Real u;
          output Real y(unit = "1");
        algorithm
          y := u;
          annotation(Inline = true);
        end without;
        Real x(unit = "m") = 3;
        Real y(unit = "1") = without(x);
        Real z(unit = "m") = without(x);
      end M;
    """
    (found,) = units_of(text)
    assert found.message.startswith("`z` is in `m`")


def test_a_modifier_is_told_where_it_is_written() -> None:
    text = """
      model M
        model A
          parameter Real p(unit = "m") = 1;
          Real x(unit = "m") = 2;
        end A;
        parameter Real t(unit = "s") = 1;
        A a(p = t), b(p = 2*t), c(x = t), d;
      end M;
    """
    found = units_of(text)
    assert [w.span.text for w in found if w.span is not None] == ["t", "2*t", "t"]
    assert {w.span.line for w in found if w.span is not None} == {8}


def test_equal_components_and_elements_say_it_once() -> None:
    text = """
      model M
        model A
          Real x(unit = "m") = t;
          Real t(unit = "s") = time;
        end A;
        A a[3], b;
        Real y[4](each unit = "m");
      equation
        for i in 1:4 loop
          y[i] = i*b.t;
        end for;
      end M;
    """
    found = units_of(text)
    assert [w.message for w in found] == [
        "`a[1].x` is in `m`, but `a[1].t` is in `s`",
        "`y[1]` is in `m`, but `b.t` is in `s`",
    ]


@pytest.mark.parametrize(
    ("unit", "hint"),
    [("Nm", "N.m"), ("m/s/s", "m/(s.s)"), ("m^2", "m2"), ("kg*m", "kg.m"), ("furlong", None)],
)
def test_a_unit_that_is_not_understood(unit: str, hint: str | None) -> None:
    (found,) = units_of(f'model M Real x(unit = "{unit}") = 1; Real y = x; end M;')
    assert found.code == "W211"
    assert found.hint == (f"did you mean `{hint}`?" if hint else None)
