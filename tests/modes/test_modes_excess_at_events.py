"""A mode that says something twice is left at an event that makes both sayings contradict each other.

The current of a diode across an ideal source of 0 V is not determined, and none of its relations says when
the source steps: only that the mode cannot be any more. Found by `tools/differential`.
"""

from __future__ import annotations

import numpy as np
import pytest
from tools.obedience.judge import violations

import saltus
from saltus.core.diagnostics import RunError

#: `sources` in parallel with a coil; what they are worth from 0.25 on.
_TEXT = """
model Across
  parameter Real U = {step};
  Real u, id[{n}], s[{n}], iv, x(start = 0, fixed = true);
  Boolean off[{n}] = {{s[k] < 0 for k in 1:{n}}};
equation
  u = if time < 0.25 then 0 else U;
  for k in 1:{n} loop
    id[k] = if off[k] then 0 else s[k];
    {law} = if off[k] then s[k] else 0;
  end for;
  0 = iv + sum(id) + x;
  0.1*der(x) = u;
end Across;
"""

METHODS = ("bdf", "ida", "adams", "rk45", "auto")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("n", "step"), [(1, -3.0), (2, -3.0), (3, -0.01)])
def test_diodes_across_a_source_that_steps_back(n: int, step: float, method: str) -> None:
    model = saltus.load(_TEXT.format(n=n, step=step, law="u"))
    result = model.simulate(stop_time=1, method=method, tolerance=1e-8)
    late = result.time > 0.25
    assert np.abs(result["x"][late] - 10 * step * (result.time[late] - 0.25)).max() < 1e-6
    for k in range(1, n + 1):
        assert result[f"off[{k}]"][late].all() and np.abs(result[f"id[{k}]"][late]).max() == 0
        assert np.abs(result[f"s[{k}]"][late] - step).max() < 1e-12
    assert violations(result) == []


def test_the_other_way_is_a_short() -> None:
    model = saltus.load(_TEXT.format(n=1, step=3.0, law="u"))
    with pytest.raises(RunError, match=r"0\.25") as refused:
        model.simulate(stop_time=1)
    assert refused.value.partial is not None and refused.value.partial.time[-1] == 0.25


def test_one_of_two_opposite_diodes_is_shorted_whatever_the_step() -> None:
    text = _TEXT.format(n=2, step=-3.0, law="(if k == 1 then u else -u)")
    with pytest.raises(RunError):
        saltus.load(text).simulate(stop_time=1)
