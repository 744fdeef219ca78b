"""Equations solved for one of their variables, against their values."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.compiler import load_flat
from saltus.core.diagnostics import ModelError
from saltus.core.source import Source
from saltus.ir import ast
from saltus.ir.dymola import Equation
from saltus.read.dymola.solving import solved
from saltus.read.dymola.text.parser import parse
from saltus.read.modelica.printer_expressions import expression_text

others = st.sampled_from(["a", "b", "2", "(a + 1)", "b * 3", "0.5"])


@st.composite
def sides(draw: st.DrawFn, depth: int = 3) -> str:
    """An expression in which x stands linearly, or not at all."""
    if depth == 0:
        return draw(st.sampled_from(["x", "x", "a", "2"]))
    inner = draw(sides(depth - 1))
    other = draw(others)
    form = draw(st.sampled_from(["{i} + {o}", "{o} - ({i})", "({i}) * ({o})", "({i}) / ({o})", "-({i})",
                                 "({i}) + x"]))  # fmt: skip
    return form.format(i=inner, o=other)


def value(text: str, **names: float) -> float:
    return float(eval(text, {}, names))


def is_x(node: Any) -> bool:
    return isinstance(node, ast.Reference) and node.text == "x"


@settings(max_examples=200, deadline=None)
@given(sides(), sides(), st.integers(1, 5), st.integers(1, 5))
def test_value_fulfils_the_equation(left: str, right: str, a: int, b: int) -> None:
    (model,) = parse(Source("M.dym", f"model M\n  {left} = {right}\nend\n"))
    (equation,) = model.of(Equation)
    found = solved(equation.left, equation.right, is_x)
    if found is None:
        slope = [value(left, a=a, b=b, x=x) - value(right, a=a, b=b, x=x) for x in (0.0, 1.0)]
        assert math.isclose(slope[0], slope[1], abs_tol=1e-9)
        return
    text = expression_text(found)
    assert not any(is_x(n) for n in _names(found))
    try:
        x = value(text, a=a, b=b)
    except ZeroDivisionError:
        return
    one, other = value(left, a=a, b=b, x=x), value(right, a=a, b=b, x=x)
    assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9 * max(1, abs(x))), text


def _names(node: Any) -> list[ast.Reference]:
    from saltus.read.dymola.scope import walk

    return [n for n in walk(node) if isinstance(n, ast.Reference)]


def test_branches_are_solved_together() -> None:
    """`(if c then 2 * x else x) + a = 0`: the factor has cases."""
    (model,) = parse(Source("M.dym", "model M\n  (if c then 2 * x else x) + a = 0\nend\n"))
    (equation,) = model.of(Equation)
    found = solved(equation.left, equation.right, is_x)
    assert found is not None
    assert expression_text(found) == "(-a)/(if c then 2 else 1)"


@pytest.mark.parametrize(
    "equation", ["new(x) = {sum}1", "new(x) + {sum}1 = 0", "{sum}new(x) = 1", "new(x) - {product}1 = 0"]
)
def test_long_chains(equation: str) -> None:
    """A sum of some thousand terms is as deep as a tree, deeper than Python's recursion."""
    many = equation.format(sum="x + 2 - " * 3000, product="x * 2 / " * 3000)
    assert load_flat(f"model M\n local x\n when Time > 1 then\n  {many}\n endwhen\nend\n").variables


def test_what_is_nested_too_deeply_is_told() -> None:
    for text in ("y = " + "if x > 0 then x else " * 3000 + "x", "y = " + "(x + " * 3000 + "x" + ")" * 3000):
        with pytest.raises(ModelError, match="nested too deeply"):
            load_flat(f"model M\n local x = 1, y\n der(x) = 1\n {text}\nend\n")
