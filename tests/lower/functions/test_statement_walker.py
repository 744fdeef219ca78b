"""One algorithm means the same wherever it stands: in a function, in one that is written out at its call,
in one that is executed at translation, and in an algorithm section of a model. Python is the independent
truth."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import saltus
from saltus.compiler import load_flat
from saltus.show.listings.flat import flat_text

BODY = """
    y := u;
    z := 0;
    if u > 2 then
      y := 2*u;
    elseif u > 1 then
      z := y;
    end if;
    for k in 1:3 loop
      z := z + k*y;
      if z > 5 then
        y := y + 1;
      end if;
    end for;
    (y, z) := swapped(y, z);
"""

SWAPPED = """
  function swapped
    input Real a;
    input Real b;
    output Real c;
    output Real d;
  algorithm
    c := b;
    d := a;
  end swapped;
"""


def expected(u: float) -> tuple[float, float]:
    y, z = u, 0.0
    if u > 2:
        y = 2 * u
    elif u > 1:
        z = y
    for k in (1, 2, 3):
        z += k * y
        if z > 5:
            y += 1
    return z, y


def function(name: str, body: str, annotation: str = "") -> str:
    return f"""
  function {name}
    input Real u;
    output Real y;
    output Real z;
  protected
    Real turns[:];
  algorithm
    {body}
    {annotation}
  end {name};
"""


def called(annotation: str, u: float) -> str:
    f = function("f", BODY, annotation).replace("Real turns[:];", "")
    return f"model M {SWAPPED} {f} Real y, z; equation (y, z) = f({u} + 0*time); end M;"


def in_a_function(u: float) -> str:
    return called("annotation(Inline = false);", u)


def written_out(u: float) -> str:
    return called("annotation(Inline = true);", u)


def executed(u: float) -> str:
    # An array that grows with every turn has no size that native code could give it.
    grows = "z := 0; while z < u loop z := z + 0.25; turns := cat(1, turns, {z}); end while;"
    first = function("first", grows + BODY)
    second = function("second", grows + BODY + "(y, z) := swapped(y, z);")
    return f"model M {SWAPPED} {first} {second} parameter Real y = first({u}), z = second({u}); end M;"


def in_a_section(u: float) -> str:
    return f"model M {SWAPPED} Real u = {u} + 0*time; Real y, z; algorithm {BODY} end M;"


@pytest.mark.parametrize("u", [0.5, 1.5, 2.5])
@pytest.mark.parametrize("model", [in_a_function, written_out, executed, in_a_section])
def test_statements_mean_the_same_everywhere(model: Callable[[float], str], u: float) -> None:
    loaded = saltus.load(model(u))
    result = loaded.simulate(stop_time=0.1)
    found = float(result["y"][-1]), float(result["z"][-1])
    assert all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(found, expected(u), strict=True)), found


@pytest.mark.parametrize(
    ("model", "stays"),
    [(in_a_function, True), (written_out, False), (executed, False), (in_a_section, False)],
)
def test_each_way_is_taken(model: Callable[[float], str], stays: bool) -> None:
    """Only what is lowered as a function is one in the flat model."""
    text = flat_text(load_flat(model(1.5)))
    assert any(f"function 'M.{name}'" in text for name in ("f", "first", "second")) == stays
