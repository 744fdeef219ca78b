"""An error tells the chain of components that led to it, the outermost first, each with its place."""

from __future__ import annotations

import pytest

from saltus.compiler import load_flat
from saltus.core.diagnostics import HINTS, TITLES, Diagnostic, SaltusError
from saltus.core.render import SCREEN, render

LIBRARY = """package L
  model Bearing
    {bearing}
  end Bearing;
  model Gear
    Bearing bearing;
  end Gear;
  model Shaft
    Gear gear[2];
  end Shaft;
  model M
    Shaft shaft;
  end M;
end L;
"""


def told(text: str, model: str) -> Diagnostic:
    with pytest.raises(SaltusError) as caught:
        load_flat(text, model)
    assert len(render(caught.value.diagnostics).splitlines()) <= SCREEN
    return caught.value.diagnostics[0]


CHAIN = (
    "in component `shaft` of class `L.Shaft`, declared at <text>:12:11",
    "in component `shaft.gear[1]` of class `L.Gear`, declared at <text>:9:10",
    "in component `shaft.gear[1].bearing` of class `L.Bearing`, declared at <text>:6:13",
)


@pytest.mark.parametrize(
    ("bearing", "code", "line"),
    [
        ("Real x[size(y, 1)];", "E201", 3),  # while the component is made
        ("Real x = 1 + true;", "E205", 3),  # in a binding
        ("Real x(start = z);", "E201", 3),  # in an attribute
        ("Real x; equation x = y;", "E201", 3),
        ("Real x; algorithm x := y;", "E201", 3),
        ("Real x; equation connect(x, y);", "E210", 3),
        ("Unknown u;", "E201", 3),
    ],
)
def test_the_chain_of_components(bearing: str, code: str, line: int) -> None:
    found = told(LIBRARY.format(bearing=bearing), "L.M")
    assert found.code == code
    assert found.span is not None and found.span.line == line
    assert found.within == CHAIN


def test_the_chain_is_shown_between_place_and_hint() -> None:
    text = render([told(LIBRARY.format(bearing="Unknown u;"), "L.M")]).splitlines()
    assert text[1] == " --> <text>:3:5"
    assert text[4:7] == [f"  {line}" for line in CHAIN]
    assert text[7].startswith("  hint: ")


def test_an_error_in_the_model_itself_has_no_chain() -> None:
    assert told("model M Real x = y; end M;", "M").within == ()


def test_a_modifier_is_told_with_the_component_that_it_is_for() -> None:
    text = "model Part parameter Integer n; Real x[n]; end Part; model M Part p(n = k); end M;"
    assert told(text, "M").within == ("in component `p` of class `Part`, declared at <text>:1:67",)


def test_what_another_component_asked_for_is_told_where_it_is() -> None:
    """`b` is made before `a.n`, and needs it: the error is that of `a`."""
    text = """model A parameter Integer n = oops; end A;
      model B parameter Integer m; Real x[m]; end B;
      model M B b(m = a.n); A a; end M;"""
    found = told(text, "M")
    assert found.message == "the name `oops` cannot be found"
    assert "`a`" in found.within[-1] or "`b`" in found.within[-1]


def test_a_long_chain_is_shortened_in_the_middle() -> None:
    classes = [f"model C{i} C{i + 1} c{i + 1}; end C{i};" for i in range(20)]
    found = told("\n".join([*classes, "model C20 Real x = y; end C20;"]), "C0")
    assert [line.split(" of class")[0] for line in found.within] == [
        "in component `c1`",
        "in component `c1.c2`",
        "in component `c1.c2.c3`",
        "... 15 levels in between",
        "in component `" + ".".join(f"c{i}" for i in range(1, 20)) + "`",
        "in component `" + ".".join(f"c{i}" for i in range(1, 21)) + "`",
    ]


def test_a_function_is_told_with_its_call_and_the_component_that_calls() -> None:
    text = """function f input Real x; output Real y; algorithm y := g(x); end f;
      model Part Real x = f(time); end Part;
      model M Part p; end M;"""
    found = told(text, "M")
    assert found.span is not None and found.span.line == 1
    assert [(n.message, n.span.line if n.span else 0) for n in found.notes] == [("in the call of `f`", 2)]
    assert found.within == ("in component `p` of class `Part`, declared at <text>:3:20",)


def test_every_refusal_has_a_hint() -> None:
    """Its own, or that of its code."""
    assert {code for code in TITLES if code[:2] in ("E1", "E2")} <= set(HINTS)
    assert Diagnostic("E201", "no such name").advice == HINTS["E201"]
    assert Diagnostic("E201", "no such name", hint="look there").advice == "look there"
