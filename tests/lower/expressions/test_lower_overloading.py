"""Overloaded operators of operator records (chapter 14)."""

from __future__ import annotations

import pytest
from tools.language_cases import texts_before

import saltus
from saltus.compiler import load_flat
from saltus.expr.nodes import Op
from saltus.expr.traversal import walk

COMPLEX = texts_before("14_operators/overloading.toml")["complex"]


def test_operators_are_written_out() -> None:
    """No call is left in the equations: linear loops of complex numbers are linear loops."""
    text = COMPLEX + "model M Cx a = Cx(time, 1), b; equation a*b + b = Cx(1); end M;"
    flat = load_flat(text)
    expressions = [e for c in flat.clauses for e in (c.lhs, c.rhs)]  # type: ignore[union-attr]
    assert not any(node.op is Op.APPLY for e in expressions for node in walk(e))


INLINED = """
function limited
  input Real u;
  output Real y;
algorithm
  if u > 1 then
    y := 1;
  elseif u < -1 then
    y := -1;
  else
    y := u;
  end if;
  annotation(Inline = %s);
end limited;
model M
  Real x(start = 0, fixed = true), y = limited(x);
equation
  der(x) = 2;
end M;
"""


@pytest.mark.parametrize("inline", ["true", "false"])
def test_comparisons_of_inlined_functions_make_no_events(inline: str) -> None:
    """Section 8.5: a function makes no events, written out or not."""
    result = saltus.load(INLINED % inline).simulate(stop_time=1)
    assert result["y"][-1] == pytest.approx(1)
    assert len(result.events) == 1  # the start


def test_inlining_is_what_the_annotation_says() -> None:
    def calls(inline: str) -> bool:
        clauses = load_flat(INLINED % inline).clauses
        return any(n.op is Op.APPLY for c in clauses for n in walk(c.rhs))  # type: ignore[union-attr]

    assert not calls("true")
    assert calls("false")
