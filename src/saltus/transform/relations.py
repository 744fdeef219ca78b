"""Conditions in disjunctive form: single relations and their negations, joined by `and`, these by `or`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import inf
from typing import TypeAlias

from saltus.ir import ast
from saltus.read.lines.pieces import negated
from saltus.read.modelica.printer_expressions import expression_text

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "<>", "<>": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "<>": "<>"}

#: Relations that have to hold together.
Together: TypeAlias = tuple[ast.Expression, ...]


def alternatives(condition: ast.Expression) -> tuple[Together, ...]:
    """The ways in which a condition holds: each is some relations that hold together. What holds in no case
    has none, what always holds has one that asks for nothing."""
    match condition:
        case ast.Parenthesis(inner=inner):
            return alternatives(inner)
        case ast.Boolean(value=value):
            return ((),) if value else ()
        case ast.Binary(operator="or", left=left, right=right):
            return _different((*alternatives(left), *alternatives(right)))
        case ast.Binary(operator="and", left=left, right=right):
            return _different(_joined(a, b) for a, b in product(alternatives(left), alternatives(right)))
        case ast.Unary(operator="not", operand=operand):
            opposite = opposite_of(operand)
            return ((opposite,),) if _is_single(opposite) else alternatives(opposite)
    return ((condition,),)


def _joined(a: Together, b: Together) -> Together:
    return tuple({expression_text(c): c for c in (*a, *b)}.values())


def _different(found: object) -> tuple[Together, ...]:
    named = {tuple(expression_text(c) for c in each): each for each in found}  # type: ignore[attr-defined]
    return tuple(named.values())


def _is_single(node: ast.Expression) -> bool:
    return not isinstance(node, ast.Parenthesis | ast.Boolean) and not (
        isinstance(node, ast.Binary) and node.operator in ("and", "or")
    )


def opposite_of(condition: ast.Expression) -> ast.Expression:
    """The negation, carried down to the relations."""
    match condition:
        case ast.Parenthesis(inner=inner):
            return replace(condition, inner=opposite_of(inner))
        case ast.Boolean(value=value):
            return replace(condition, value=not value)
        case ast.Unary(operator="not", operand=operand):
            return operand
        case ast.Binary(operator="and" | "or" as operator, left=left, right=right):
            other = "or" if operator == "and" else "and"
            return replace(
                condition, operator=other, left=_closed(opposite_of(left)), right=_closed(opposite_of(right))
            )
        case ast.Binary(operator=operator) if operator in _OPPOSITE:
            return replace(condition, operator=_OPPOSITE[operator])
    return negated(condition)


def _closed(node: ast.Expression) -> ast.Expression:
    if isinstance(node, ast.Binary) and node.operator in ("and", "or"):
        return ast.Parenthesis(node.start, node.end, node)
    return node


# ---------------------------------------------------------------- what excludes what


@dataclass(frozen=True)
class _Range:
    """Where a value has to be; an end that is closed belongs to it."""

    low: float
    high: float
    low_closed: bool
    high_closed: bool


def exclude(a: ast.Expression, b: ast.Expression) -> bool:
    """Whether two relations never hold together: they compare the same with constants, in ranges that do not
    meet. False says only that this is not known."""
    one, other = _range(a), _range(b)
    if one is None or other is None or one[0] != other[0]:
        return False
    low, high = max(one[1].low, other[1].low), min(one[1].high, other[1].high)
    if low != high:
        return low > high
    return not all(_contains(r, low) for r in (one[1], other[1]))


def _contains(found: _Range, value: float) -> bool:
    above = found.low < value or (found.low == value and found.low_closed)
    return above and (value < found.high or (value == found.high and found.high_closed))


def _range(node: ast.Expression) -> tuple[str, _Range] | None:
    if not isinstance(node, ast.Binary) or node.operator not in _OPPOSITE:
        return None
    left, operator, right = node.left, node.operator, node.right
    if _number(left) is not None:
        left, operator, right = right, _MIRRORED[operator], left
    value = _number(right)
    if value is None:
        return None
    match operator:
        case "<" | "<=":
            found = _Range(-inf, value, False, operator == "<=")
        case ">" | ">=":
            found = _Range(value, inf, operator == ">=", False)
        case "==":
            found = _Range(value, value, True, True)
        case _:
            return None
    return expression_text(left), found


def _number(node: ast.Expression) -> float | None:
    match node:
        case ast.Number(value=value):
            return float(value)
        case ast.Unary(operator="-", operand=ast.Number(value=value)):
            return -float(value)
        case ast.Parenthesis(inner=inner):
            return _number(inner)
    return None
