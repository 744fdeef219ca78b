"""Subscripts that vary during the run (section 10.5): out of range, and the size of what is made of them."""

from __future__ import annotations

import pytest

import saltus
from saltus.compiler import load_flat
from saltus.core.diagnostics import SaltusError
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import Expr
from saltus.ir.flat import Equation


def test_an_index_out_of_range_ends_the_run() -> None:
    text = """
    model C Real x = 1; end C;
    model M C c[3]; Integer i = if time < 0.5 then 1 else 4; Real a = c[i].x; end M;
    """
    with pytest.raises(SaltusError, match="outside 1:3"):
        saltus.load(text).simulate(stop_time=1)


def test_the_choice_is_as_deep_as_the_logarithm_of_the_size() -> None:
    """A chain of a thousand comparisons would be as deep as it is long."""
    text = "model M parameter Real x[1000] = 1:1000; Integer i = integer(time); Real y = x[i + 1]; end M;"
    clauses = load_flat(text).clauses
    (choice,) = [c.rhs for c in clauses if isinstance(c, Equation) and repr(c.lhs) == "y"]

    def depth(e: Expr) -> int:
        return 1 + max((depth(a) for a in e.args), default=0)

    assert depth(choice) < 20
    values = {"i": 0, **{f"x[{k}]": k for k in range(1, 1001)}}
    for i in range(1000):
        values["i"] = i
        assert evaluate(choice, lambda leaf: values[repr(leaf)]) == i + 1
