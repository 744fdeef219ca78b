"""Functions without outputs (section 12.3)."""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import SaltusError

_CHECKED = """
function check
  input Real x;
algorithm
  assert(x < 0.5, "x is too large");
end check;
"""


@pytest.mark.parametrize(
    "text",
    [
        "model M\nequation\n check(time);\nend M;",
        "model M\nalgorithm\n check(time);\nend M;",
        "function f\n input Real x;\n output Real y = x;\nalgorithm\n check(x);\nend f;\n"
        "model M\n Real y = f(time);\nend M;",
    ],
    ids=["equation", "algorithm", "function"],
)
def test_a_function_without_outputs_is_called(text: str) -> None:
    model = saltus.load(_CHECKED + text)
    model.simulate(stop_time=0.4)
    with pytest.raises(SaltusError) as caught:
        model.simulate(stop_time=1.0)
    assert "x is too large" in caught.value.diagnostics[0].message
