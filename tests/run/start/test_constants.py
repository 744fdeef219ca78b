"""Parameters taken as constants: the same curves from simpler equations."""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import UsageError
from saltus.expr.nodes import leaf_symbol
from saltus.expr.traversal import leaves
from saltus.ir.sorted.blocks import Explicit, Linear

#: A ladder of conductors between two sources: a loop whose pivots are parameters.
LADDER = """
model Ladder
  parameter Real R[4] = {1, 2, 3, 4};
  parameter Real k = 2, V = k*5;
  parameter Boolean loaded = true;
  parameter Integer n = 3;
  parameter Real q(fixed = false);
  Real v[3], i[4], x(start = 1, fixed = true);
initial equation
  q = 2*k;
equation
  R[1]*i[1] = V - v[1];
  R[2]*i[2] = v[1] - v[2];
  R[3]*i[3] = v[2] - v[3];
  R[4]*i[4] = if loaded then v[3] else 0;
  i[1] = i[2];
  i[2] = i[3];
  i[3] = i[4];
  der(x) = -k*x + 0*q;
end Ladder;
"""


def torn(run: saltus.Result) -> int:
    """Unknowns of linear loops that are left after tearing."""
    loops = [block for block in run.general.blocks if isinstance(block, Linear)]
    return sum(len(block.tearing.columns) if block.tearing else len(block.unknowns) for block in loops)


def test_the_same_solution_from_numbers() -> None:
    """A divider: the current is 10 V over the 10 Ohm of all resistors."""
    model = saltus.load(LADDER)
    plain, frozen = model.simulate(tolerance=1e-9), model.simulate(tolerance=1e-9, freeze="*")
    for run in (plain, frozen):
        assert run["i[1]"][-1] == pytest.approx(1.0, rel=1e-12)
        assert run["v[3]"][-1] == pytest.approx(4.0, rel=1e-12)
        assert run["x"][-1] == pytest.approx(math.exp(-2), rel=1e-5)
    used = {
        leaf_symbol(leaf).name
        for block in frozen.general.blocks
        for q in block.equations
        for side in (q.lhs, q.rhs)
        for leaf in leaves(side)
    }
    assert used.isdisjoint({"R[1]", "R[2]", "R[3]", "R[4]", "k", "V", "loaded"})
    assert frozen.parameters["R[3]"] == 3 and frozen.parameters["q"] == 4


def test_what_is_known_not_to_be_zero_is_divided_by() -> None:
    """What may be zero is no pivot of tearing; a number that is not zero is."""
    model = saltus.load(LADDER)
    assert torn(model.simulate(freeze="R")) == torn(model.simulate(freeze="R[*]")) <= torn(model.simulate())
    assert torn(model.simulate(freeze="*")) <= 1


def test_values_that_are_set_are_frozen() -> None:
    model = saltus.load(LADDER)
    for k in (1.0, 3.0):
        run = model.simulate(freeze=("k", "R[2]"), set={"k": k}, tolerance=1e-9)
        assert run["i[1]"][-1] == pytest.approx(k / 2, rel=1e-12)
        assert run["x"][-1] == pytest.approx(math.exp(-k), rel=1e-5)
        assert run.parameters["V"] == 5 * k


def test_what_multiplies_by_zero_is_gone() -> None:
    """An inductance of zero is no state any more: x is algebraic, and jumps with its source."""
    model = saltus.load("""
model Line
  parameter Real L = 0, R = 2;
  Real i, u;
equation
  u = if time < 0.5 then 1 else 3;
  u = L*der(i) + R*i;
end Line;
""")
    run = model.simulate(freeze="*")
    assert not run.general.states
    np.testing.assert_allclose(run["i"], run["u"] / 2)


def test_nothing_but_equations_changes() -> None:
    """A branch that a parameter decides is gone, with what would have been solved there."""
    model = saltus.load(LADDER)
    run = model.simulate(freeze="loaded", set={"loaded": False})
    assert run["i[1]"][-1] == pytest.approx(0.0, abs=1e-12)
    assert all(isinstance(block, Explicit) or "v" in str(block.unknowns) for block in run.general.blocks)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("r", "there is no parameter `r`"),
        ("x", "is a variable, not a parameter"),
        ("q", "determined by the start"),
        ("none.*", "no parameter fits"),
    ],
)
def test_what_is_no_parameter_is_refused(names: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        saltus.load(LADDER).simulate(freeze=names)
    assert words in refused.value.diagnostics[0].message
