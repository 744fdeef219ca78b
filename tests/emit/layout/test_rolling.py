"""Equal parts are loops: which tasks may become one, and that loops do what written out code does."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import saltus
from saltus.emit.layout import rolling
from saltus.emit.layout.rolling import ROLLED_FROM, Unit, runs, shape_of
from saltus.emit.llvm.jit import native_machine
from saltus.emit.python.python import python_machine
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import Op, Symbol, Type, call, const, not_, ref, relation
from saltus.ir.program import Each, Program

X = [ref(Symbol(f"x{k}")) for k in range(12)]


def test_shapes_are_the_same_but_for_leaves() -> None:
    one, leaves = shape_of(Unit.of(X[0], X[1] * 2.0 + call("sin", X[2]) - X[1]))
    other, others = shape_of(Unit.of(X[5], X[7] * 2.0 + call("sin", X[3]) - X[7]))
    assert one == other
    assert (leaves, others) == ((X[1], X[2], X[0]), (X[7], X[3], X[5]))
    # Another number, one leaf in place of two, or another type is another shape.
    truth = ref(Symbol("b", Type.BOOLEAN))
    for leaf, value in (
        (X[0], X[1] * 3.0 + call("sin", X[2]) - X[1]),
        (X[0], X[1] * 2.0 + call("sin", X[1]) - X[1]),
        (X[0], X[1] * 2.0 + call("sin", X[2]) - X[3]),
    ):
        assert shape_of(Unit.of(leaf, value))[0] != one
    assert shape_of(Unit.of(X[0], X[1]))[0] != shape_of(Unit.of(truth, not_(not_(truth))))[0]


#: Assignments x := y + c*z, or only if w > 0.
ASSIGNMENTS = st.lists(
    st.tuples(*[st.integers(0, 11)] * 3, st.sampled_from([1.0, 2.0]), st.none() | st.integers(0, 11)),
    min_size=2,
    max_size=40,
)


@given(ASSIGNMENTS, st.booleans())
def test_any_order_of_runs_computes_the_same(drawn: list[tuple], in_steps: bool) -> None:
    """Also where a variable is written several times, or read before it is written."""
    units: list[Unit | None] = []
    for target, y, z, c, condition in drawn:
        value = X[y] + const(c) * X[z]
        if condition is None:
            units.append(Unit.of(X[target], value))
        else:
            units.append(Unit(((relation(Op.GT, X[condition], const(0.0)), ((X[target], value),)),)))
    before = (rolling.ROLLED_FROM, rolling.STRAIGHT_UP_TO)
    rolling.ROLLED_FROM, rolling.STRAIGHT_UP_TO = 2, 20
    try:
        found = runs(units, in_steps=in_steps)
    finally:
        rolling.ROLLED_FROM, rolling.STRAIGHT_UP_TO = before
    if found is None:
        return
    order = [k for numbers, _ in found for k in numbers]
    assert sorted(order) == list(range(len(units)))
    for numbers, alike in found:
        if alike is not None:
            shape, instances = alike
            assert all(shape_of(units[k]) == (shape, own) for k, own in zip(numbers, instances, strict=True))
            # The turns of a loop have nothing to do with each other.
            for a, b in itertools.permutations(numbers, 2):
                assert set(units[a].targets).isdisjoint([*units[b].reads(), *units[b].targets])
    assert carried_out(units, order) == carried_out(units, range(len(units)))


def carried_out(units, order) -> dict:
    """What becomes of x0 = 1, x1 = -2, x2 = 3, ..."""
    values = {x: float((-1) ** k * (k + 1)) for k, x in enumerate(X)}
    for k in order:
        for condition, assignments in units[k].branches:
            if evaluate(condition, values.__getitem__):
                for leaf, value in assignments:
                    values[leaf] = evaluate(value, values.__getitem__)
                break
    return values


def test_few_tasks_and_those_nothing_is_known_of_stay() -> None:
    few = [Unit.of(X[k % 12], const(float(k))) for k in range(ROLLED_FROM - 1)]
    assert runs(few) is None
    own = [ref(Symbol(f"y{k}")) for k in range(2 * ROLLED_FROM)]
    many: list[Unit | None] = [Unit.of(y, X[0] + X[1]) for y in own]
    many.insert(ROLLED_FROM, None)
    found = runs(many)
    assert found is not None
    assert [len(numbers) for numbers, _ in found] == [ROLLED_FROM, 1, ROLLED_FROM]
    # What every step needs is written out as long as there is room for it.
    assert runs(many, in_steps=True) is None


#: Diodes with coils: loops over cases, over relations, over what is entered; neighbours that read each other.
PARTS = """
model Parts
  parameter Integer n = 40;
  parameter Real L[n] = {0.02 + 1e-4*k for k in 1:n}, R = 5;
  Real i[n](each start = 0, each fixed = true), u[n], s[n], v[n], near[n];
  Boolean off[n] = {s[k] < 0 for k in 1:n};
equation
  for k in 1:n loop
    10*sin((300 + k)*time) + 0.01*near[k] = v[k] + u[k];
    L[k]*der(i[k]) = v[k] - R*i[k];
    u[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
    near[k] = if k == 1 then 0 else i[k - 1]^2;
  end for;
end Parts;
"""


def test_loops_compute_what_written_out_parts_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def simulated() -> saltus.Result:
        return saltus.load(PARTS).simulate(stop_time=0.06, tolerance=1e-8)

    assert not has_loops(saltus.load(PARTS).program)
    expected = simulated()
    monkeypatch.setattr(rolling, "LEAST_BLOCKS", 0)
    assert has_loops(saltus.load(PARTS).program)
    looped = simulated()
    monkeypatch.setattr(rolling, "STRAIGHT_UP_TO", 0)
    for run in (looped, simulated()):
        assert [e.time for e in run.events] == pytest.approx([e.time for e in expected.events], abs=1e-9)
        for name in ("i[1]", "i[17]", "i[40]", "u[23]", "near[9]", "off[31]"):
            np.testing.assert_allclose(run[name], expected[name], rtol=1e-6, atol=1e-7, err_msg=name)


def test_both_back_ends_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rolling, "LEAST_BLOCKS", 0)
    monkeypatch.setattr(rolling, "STRAIGHT_UP_TO", 0)
    program = saltus.load(PARTS).program
    assert has_loops(program)
    machines = python_machine(program), native_machine(program)
    numbers = np.random.default_rng(7).uniform(-1.0, 1.0, program.layout.size)
    truths = program.layout.section("relations")
    for m in machines:
        m.memory[:] = numbers
        m.memory[truths] = numbers[truths] > 0
        m.memory[program.layout.section("discretes")] = 0.0
        for name in ("parameters", "evaluate", "relations", "outputs", "crossings", "derivatives"):
            assert m.routines[name]() == 0
    slow, fast = (np.asarray(m.memory) for m in machines)
    np.testing.assert_array_equal(slow, fast)


def has_loops(program: Program) -> bool:
    return any(isinstance(s, Each) for r in program.routines.values() for s in r.body)
