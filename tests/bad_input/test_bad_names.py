"""Names that no file system takes, and results that go nowhere: refused, not a traceback."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import ModelError


def test_a_name_longer_than_that_of_any_file() -> None:
    name = "'" + "a + " * 100 + "a'"
    with pytest.raises(ModelError, match="E201"):
        _ = saltus.load(f"model M\n  {name} x;\nend M;").flat


def test_the_value_of_an_external_function_goes_to_an_output() -> None:
    text = """
model M
  function f
    input Real u;
    output Real y;
    external "C" s = ModelicaStandardTables_CombiTable1D_minimumAbscissa(u);
  end f;
  Real x = f(time);
end M;
"""
    with pytest.raises(ModelError, match=r"`s` should have the value of .* not an output"):
        _ = saltus.load(text).flat
