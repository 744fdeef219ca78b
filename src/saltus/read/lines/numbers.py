"""Whole numbers that a text determines by itself: literals, and what parameters make of them."""

from __future__ import annotations

from collections.abc import Iterable

from saltus.ir import ast
from saltus.ir.automata.lines import Parameter


class WholeNumbers:
    """The values of expressions of whole numbers and parameters."""

    def __init__(self, parameters: Iterable[Parameter]) -> None:
        self._definitions = {p.name: p.value for p in parameters}
        self._known: dict[str, int | None] = {}

    def of(self, node: ast.Expression | None) -> int | None:
        """The value; None if it is no whole number, or not known without a run."""
        match node:
            case ast.Number(value=int() as number):
                return number
            case ast.Parenthesis(inner=inner):
                return self.of(inner)
            case ast.Unary(operator=("-" | "+") as sign, operand=operand):
                value = self.of(operand)
                return -value if value is not None and sign == "-" else value
            case ast.Binary(operator=("+" | "-" | "*") as operator, left=left, right=right):
                a, b = self.of(left), self.of(right)
                if a is None or b is None:
                    return None
                return a + b if operator == "+" else a - b if operator == "-" else a * b
            case ast.Reference(parts=((name, ()),)) if name in self._definitions:
                if name not in self._known:
                    self._known[name] = None  # what is defined by itself has no value
                    self._known[name] = self.of(self._definitions[name])
                return self._known[name]
        return None
