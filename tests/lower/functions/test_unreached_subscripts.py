"""Statements that have no meaning for the size of an argument, in branches that a call does not come to."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import ModelError, RunError

MIXTURE = """
function second "Of a mixture that has a second substance"
  input Real X[:];
  output Real y;
algorithm
  y := 3*X[2];
end second;
function property "Hot mixtures need the second substance, cold ones do not"
  input Real X[:];
  input Real T;
  output Real y;
algorithm
  if T > 7 then
    y := second(X) + 1;
  else
    y := X[1] + T;
  end if;
end property;
model M
  Real y = property({1.0}, 3*time), z = property({1.0, 2.0}, 3*time + 8);
end M;
"""


def test_a_branch_that_is_not_reached_does_no_harm() -> None:
    result = saltus.load(MIXTURE).simulate()
    assert result["y"] == pytest.approx(1 + 3 * result.time)
    assert np.all(result["z"] == 7)


def test_it_fails_where_a_call_comes_there() -> None:
    with pytest.raises(RunError, match="subscript"):
        saltus.load(MIXTURE).simulate(stop_time=3)


def test_what_is_always_reached_is_refused_at_translation() -> None:
    always = MIXTURE.replace("property({1.0}, 3*time)", "second({1.0})")
    with pytest.raises(ModelError, match="E206"):
        saltus.load(always)


def test_sizes_that_are_declared_are_no_excuse() -> None:
    declared = """
    function f
      input Real X[1];
      input Real T;
      output Real y;
    algorithm
      if T > 7 then y := X[2]; else y := X[1]; end if;
    end f;
    model M Real y = f({1.0}, time); end M;
    """
    with pytest.raises(ModelError, match="E206"):
        saltus.load(declared)
