"""Assertions and subscripts of functions that fail during a run or at translation."""

from __future__ import annotations

import pytest

import saltus
from lowered_values import lower

ASSERTING = """
function root
  input Real x;
  output Real y;
algorithm
  assert(x >= 0, "root needs a positive number");
  y := sqrt(x);
end root;
"""


def test_a_violated_assertion_of_a_function_is_told_with_its_text_and_place() -> None:
    model = saltus.load(ASSERTING + "model M Real y = root(0.5 - time); end M;")
    with pytest.raises(saltus.RunError) as caught:
        model.simulate()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E406" and "root needs a positive number" in diagnostic.message
    assert diagnostic.span is not None and diagnostic.span.text.startswith("assert(x >= 0")
    assert caught.value.partial is not None


def test_a_violated_assertion_of_a_function_at_translation() -> None:
    with pytest.raises(saltus.ModelError) as caught:
        lower(ASSERTING + "model M parameter Integer n = integer(root(-4)); Real x[n]; end M;")
    assert "root needs a positive number" in str(caught.value)


def test_the_first_pass_at_the_start_presumes_what_the_start_values_say() -> None:
    """With the other branch the subscript would be out of range; the model never asks for that."""
    text = """
    function pick
      input Integer i;
      output Real y;
    protected
      Real a[3] = {10, 20, 30};
    algorithm
      y := a[i];
    end pick;
    model M
      Integer i = if time < 0.5 then 2 else if time < 5 then 3 else 9;
      Real y = pick(i);
    end M;
    """
    result = saltus.load(text).simulate()
    assert result["y"][0] == 20 and result["y"][-1] == 30
