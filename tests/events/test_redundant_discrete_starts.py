"""Initial equations of truths and Integers that say the same twice.

Two parts that look at one signal may each say what it was before the start: `pre(u) = false`, in each of
them. That is one equation too many for one unknown (specification 8.6: `pre` is an unknown of the initial
system), but no contradiction while they agree.
"""

from __future__ import annotations

import pytest

import saltus
from saltus.core.diagnostics import ModelError, SaltusError

EDGES = """
model Edges "Counts when u becomes true, and when it changes; u is true from the start until t = 0.5"
  Boolean u = time < 0.5;
  parameter Boolean a = {a}, b = {b};
  Integer rises(start = 0, fixed = true), changes(start = 0, fixed = true);
equation
  rises = pre(rises) + (if edge(u) then 1 else 0);
  changes = pre(changes) + (if change(u) then 1 else 0);
initial equation
  pre(u) = a;
  pre(u) = b;
end Edges;
"""


@pytest.mark.parametrize("before, rises, changes", [("false", 1, 2), ("true", 0, 1)])
def test_equal_ones_are_one(before: str, rises: int, changes: int) -> None:
    result = saltus.load(EDGES.format(a=before, b=before)).simulate(stop_time=1)
    assert (result["rises"][-1], result["changes"][-1]) == (rises, changes)


def test_parameters_that_contradict_each_other() -> None:
    model = saltus.load(EDGES.format(a="false", b="false"))
    with pytest.raises(SaltusError, match=r"`pre\(u\) = b` contradicts `pre\(u\) = a`"):
        model.simulate(stop_time=1, set={"b": True})


def test_values_that_contradict_each_other_are_refused_at_translation() -> None:
    text = (
        EDGES.format(a="false", b="false").replace("pre(u) = b", "pre(u) = true").replace("= a;", "= false;")
    )
    with pytest.raises(ModelError, match="E303"):
        saltus.load(text)


def test_integers() -> None:
    text = """
    model Counter
      Integer n;
    equation
      when time > 0.5 then
        n = pre(n) + 2;
      end when;
    initial equation
      pre(n) = 3;
      pre(n) = {};
    end Counter;
    """
    assert saltus.load(text.format(3)).simulate(stop_time=1)["n"][-1] == 5
    with pytest.raises(ModelError, match="contradicts"):
        saltus.load(text.format(4))
