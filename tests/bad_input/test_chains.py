"""What analysis refuses, and what fails in a run, is told with the chain of components that led there."""

from __future__ import annotations

from pathlib import Path

import pytest

import saltus
from saltus.core.diagnostics import Diagnostic, SaltusError

PLANT = """model Tank
  {tank}
end Tank;
model Cellar
  Tank tank[2];
end Cellar;
model Plant
  Cellar cellar;
end Plant;
"""

CELLAR = "in component `cellar` of class `Cellar`, declared at <text>:8:10"
TANK = "in component `cellar.tank[1]` of class `Tank`, declared at <text>:5:8"


def told(tank: str) -> Diagnostic:
    """The first thing said about a plant with these tanks."""
    with pytest.raises(SaltusError) as caught:
        saltus.load(PLANT.format(tank=tank)).simulate(stop_time=1)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("tank", "code"),
    [
        ("Real x; equation when time > 1 then x = 1; end when; when time > 2 then x = 2; end when;", "E202"),
        ("Real x = time; Boolean b = x == 0.5;", "E205"),
        ("Real x(start = 1, fixed = true), z; equation der(x) = -x;", "E209"),
        ("Real x = time; equation when time > 1 then reinit(x, 2); end when;", "E209"),
        ("Real x = time, y = pre(x);", "E211"),
        ("Real x = time; Integer n(start = 0); equation when sample(0, x) then n = 1; end when;", "E211"),
        ("Real x = delay(time, 1 + time);", "E211"),
        ('String s = t; String t = "a"; equation s = "b";', "E301"),
        ("Real x; equation x = time; x = 2*time;", "E301"),  # too many equations
        ("Real x, y; equation x + y = time; x + y = 2*time;", "E301"),  # found by the coefficients
        ("Real x(stateSelect = StateSelect.always), y; equation x = time; der(x) = y;", "E302"),
        ("Real x(start = 1, fixed = true); initial equation x = 2; equation der(x) = 1;", "E303"),
        ("parameter Real a = b; parameter Real b = a;", "E304"),
        ("Boolean a, b, c; equation a = not b; b = not c; c = not a;", "E305"),
        ("Real x(start = 1), y(start = 1); equation x^2 + y^2 = -1 - time; x = y^3 + y;", "E401"),
        ("parameter Real k = 0; Real x = 1/k;", "E402"),
        ("parameter Real k = 1; Real x, y; equation x + k*y = 1; x + y = 2 + time;", "E401"),
        ("Boolean p(start = false, fixed = true); equation p = not pre(p);", "E404"),
        ("Real x(start = 1, fixed = true); equation der(x) = 4*x^2;", "E405"),
        ('Real x = time; equation assert(x < 0.5, "too much");', "E406"),
        ("Real x = sqrt(0.5 - time);", "E407"),
        ("parameter Real T = -2; Real y = delay(time, T);", "E409"),
        ("Real v, i; equation v = 5; 0 = if time > 0.5 then v else i;", "E410"),
        (
            "Real x(start = 1, fixed = true), v(start = 0, fixed = true), f; "
            "equation der(x) = v; der(v) = f; 0 = if time > 0.5 then x else f;",
            "E411",
        ),
        (
            "Real x(start = 1, fixed = true), f, T(start = 0, fixed = true); "
            "equation der(x) = f; der(T) = f^2; 0 = if time > 0.5 then x else f;",
            "E412",
        ),
        (
            "Real x(start = 1, fixed = true), f, w = if x > 0.5 then 1 else -1; Boolean on = time > 0.5; "
            "equation der(x) = f; 0 = if on and x > 0.5 then x else if on then x - 1 else f;",
            "E404",
        ),
    ],
)
def test_the_chain_of_components_is_told(tank: str, code: str) -> None:
    found = told(tank)
    assert found.code == code
    assert found.span is not None and found.span.line == 2
    assert found.within == (CELLAR, TANK)


def test_what_several_components_have_part_in_is_told_with_what_they_are_parts_of() -> None:
    """The potentials of a loop without ground belong to parts of the same component."""
    text = """connector Pin Real v; flow Real i; end Pin;
      model Resistor Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end Resistor;
      model Loop
        Resistor a, b, c;
      equation
        connect(a.n, b.p); connect(b.n, c.p); connect(c.n, a.p);
      end Loop;
      model M Loop ring; end M;"""
    with pytest.raises(SaltusError) as caught:
        saltus.load(text)
    (found,) = caught.value.diagnostics
    assert found.code == "E301"
    assert found.within == ("in component `ring` of class `Loop`, declared at <text>:8:20",)


def test_a_failure_of_the_model_itself_has_no_chain() -> None:
    with pytest.raises(SaltusError) as caught:
        saltus.load("model M Real x; equation x = time; x = 2*time; end M;")
    assert caught.value.diagnostics[0].within == ()


def test_a_warning_of_the_run_has_its_chain() -> None:
    result = saltus.load(
        PLANT.format(tank='Real x = time; equation assert(x < 0.5, "much", AssertionLevel.warning);')
    ).simulate(stop_time=1)
    assert next(w.within for w in result.warnings) == (CELLAR, TANK)


def test_a_choice_between_modes_has_its_chain() -> None:
    """Two contacts, each closed by the voltage across the other."""
    contacts = """Real v[2], i[2], supply = if time < 0.5 then 0 else 1;
      Boolean closed[2] = {v[2] > 0.5, v[1] > 0.5};
    equation
      for k in 1:2 loop
        supply = 100*i[k] + v[k];
        0 = if closed[k] then v[k] else i[k];
      end for;"""
    text = f"model Contacts {contacts} end Contacts; model M Contacts pair; end M;"
    (warning,) = saltus.load(text).simulate(stop_time=1).warnings
    assert warning.code == "W404"
    assert warning.within == ("in component `pair` of class `Contacts`, declared at <text>:7:47",)
    assert warning.hint is not None and "with `pre(...)`" in warning.hint


def test_a_choice_inside_parts_of_a_library_has_advice_for_who_uses_them(tmp_path: Path) -> None:
    """The lines of the library are not the user's to change."""
    (tmp_path / "Lib.mo").write_text(
        """package Lib
          model Contact
            input Real other;
            Real v, i, supply = if time < 0.5 then 0 else 1;
            Boolean closed = other > 0.5;
          equation
            supply = 100*i + v;
            0 = if closed then v else i;
          end Contact;
        end Lib;"""
    )
    text = "model M Lib.Contact a(other = b.v), b(other = a.v); end M;"
    (warning,) = saltus.load(text, libraries=[tmp_path]).simulate(stop_time=1).warnings
    assert warning.code == "W404" and warning.hint is not None
    assert warning.hint.startswith("the equations of `a` and `b` leave the choice")
    assert "pre" not in warning.hint


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "model M parameter Real k = 1; Real x; equation k = 2; x = k; end M;",
            "`k` is a parameter: give its value in its declaration",
        ),
        (
            """connector Pin Real v; flow Real i; end Pin;
            model Source Pin p, n; equation p.v - n.v = 5; p.i + n.i = 0; end Source;
            model Resistor Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end Resistor;
            model M Source s; Resistor r; equation connect(s.p, r.p); connect(s.n, r.n); end M;""",
            "connect a ground or a fixed point",
        ),
        (
            """connector Pin Real v; flow Real i; end Pin;
            model Ground Pin p; equation p.v = 0; end Ground;
            model Source Pin p, n; parameter Real V; equation p.v - n.v = V; p.i + n.i = 0; end Source;
            model M Source a(V = 5), b(V = 6); Ground g;
            equation connect(a.p, b.p); connect(a.n, b.n); connect(a.n, g.p); end M;""",
            "`a` and `b` are side by side, and both prescribe the `v`",
        ),
        (
            """connector Flange Real s; flow Real f; end Flange;
            model Brake Flange b; Real v = der(b.s); equation b.f = 3*v; end Brake;
            model M Brake k; equation k.b.s = time; end M;""",
            "`k.b.f` is zero as long as nothing is connected to `k.b`",
        ),
    ],
)
def test_why_equations_are_in_excess(text: str, why: str) -> None:
    with pytest.raises(SaltusError) as caught:
        saltus.load(text)
    (found,) = caught.value.diagnostics
    assert found.code == "E301" and found.hint is not None and why in f"{found.message}\n{found.hint}"


def test_numbers_that_are_none_come_with_advice() -> None:
    assert "sqrt(max(x, 0))" in (told("Real x = sqrt(0.5 - time);").advice or "")
    assert "divisor" in (told("parameter Real k = 0; Real x = 1/k;").advice or "")
