"""Passes at an event: a loop is solved again only if something it depends on has changed."""

from __future__ import annotations

import pytest

import saltus
from saltus.expr.nodes import ref

MODEL = """
model TwoLoops "a loop that depends on the relation, and one that does not"
  Real x(start = 1, fixed = true);
  Real a, b, c, d;
equation
  der(x) = -x;
  a + 2*b = if x > 0.5 then 1 else 2;
  a - b = x;
  c^3 + d = 2;
  c - d = time;
end TwoLoops;
"""


def test_a_loop_is_solved_again_only_where_its_inputs_have_changed() -> None:
    model = saltus.load(MODEL)
    machine = model._translation.machine.clone()
    memory, routines = machine.memory, machine.routines
    slots = machine.program.layout.slots
    place = {v.name: slots[ref(v.symbol)] for v in (*model.structure.states, *model.structure.algebraics)}
    (truth,) = (slots[ref(r.symbol)] for r in model.structure.model.relations)
    memory[place["x"]], memory[truth] = 1.0, 1.0
    routines["parameters"]()
    routines["depart"]()
    assert routines["evaluate"]() == 0
    # a + 2 b = 1, a - b = 1; c^3 + c = 2.
    assert [memory[place[n]] for n in "abcd"] == pytest.approx([1, 0, 1, 1])
    memory[place["a"]] = memory[place["c"]] = 7.0  # marks: whoever solves writes over them
    assert routines["evaluate"]() == 0
    assert memory[place["a"]] == memory[place["c"]] == 7.0
    memory[truth] = 0.0
    assert routines["evaluate"]() == 0
    assert memory[place["a"]] == pytest.approx(4 / 3)
    assert memory[place["c"]] == 7.0
    routines["depart"]()  # another event
    assert routines["evaluate"]() == 0
    assert memory[place["c"]] == pytest.approx(1)
