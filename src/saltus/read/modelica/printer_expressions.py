"""Expressions as Modelica text.

What the parser read is printed as it was, because it keeps parentheses as nodes. In a tree that was made in
another way parentheses are added where the grammar needs them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from saltus.ir import ast

(
    _CONDITIONAL, _RANGE, _OR, _AND, _NOT, _RELATION, _SUM, _PRODUCT, _POWER, _PRIMARY,
) = range(10)  # fmt: skip
_LEVELS = {
    "or": _OR,
    "and": _AND,
    "not": _NOT,
    **dict.fromkeys(["<", "<=", ">", ">=", "==", "<>"], _RELATION),
    **dict.fromkeys(["+", "-", ".+", ".-"], _SUM),
    **dict.fromkeys(["*", "/", ".*", "./"], _PRODUCT),
    **dict.fromkeys(["^", ".^"], _POWER),
}
_TIGHT = frozenset(["*", "/", "^"])
_ESCAPES = {
    "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b", "\f": "\\f",
    "\v": "\\v",
}  # fmt: skip
_ESCAPED = re.compile(r'[\\"\n\t\r\a\b\f\v]')


def expression_text(node: ast.Expression) -> str:
    """One expression on one line."""
    return _text(node)


def simple_expression_text(node: ast.Expression) -> str:
    """An expression as the left side of an equation, where a bare `if` would start an if-equation."""
    return _operand(node, _RANGE)


def string_text(value: str) -> str:
    """A string literal with its quotation marks."""
    return '"' + _ESCAPED.sub(lambda match: _ESCAPES[match[0]], value) + '"'


def subscripts_text(subscripts: tuple[ast.Expression, ...]) -> str:
    """`[1, :]`, or nothing."""
    return f"[{_list(subscripts)}]" if subscripts else ""


def iterators_text(iterators: tuple[ast.Iterator, ...]) -> str:
    """`i in 1:n, j`"""
    return ", ".join(
        each.name if each.range is None else f"{each.name} in {_text(each.range)}" for each in iterators
    )


def places_text(places: tuple[ast.Expression | None, ...]) -> str:
    """`(a, , b)`"""
    return "(" + ", ".join("" if place is None else _text(place) for place in places) + ")"


def _list(nodes: Iterable[ast.Expression]) -> str:
    return ", ".join(_text(node) for node in nodes)


def _level(node: ast.Expression) -> int:
    match node:
        case ast.Binary() | ast.Unary():
            return _LEVELS[node.operator]
        case ast.IfExpression():
            return _CONDITIONAL
        case ast.Range():
            return _RANGE
        case ast.Number(value=value):
            return _SUM if value < 0 else _PRIMARY
        case _:
            return _PRIMARY


def _operand(node: ast.Expression, minimum: int) -> str:
    text = _text(node)
    return text if _level(node) >= minimum else f"({text})"


def _text(node: ast.Expression) -> str:
    match node:
        case ast.Reference():
            return _reference(node)
        case ast.Number(value=value):
            return _number(value)
        case ast.Binary():
            return _binary(node)
        case ast.Unary(operator=operator, operand=operand):
            if operator == "not":
                return f"not {_operand(operand, _RELATION)}"
            return operator + _operand(operand, _PRODUCT)
        case ast.Call(function=function):
            return f"{_reference(function)}({_arguments(node)})"
        case ast.String(value=value):
            return string_text(value)
        case ast.Boolean(value=value):
            return "true" if value else "false"
        case ast.Parenthesis(inner=inner):
            return f"({_text(inner)})"
        case ast.Range(first=first, step=step, last=last):
            steps = [first, last] if step is None else [first, step, last]
            return ":".join(_operand(each, _OR) for each in steps)
        case ast.IfExpression(branches=branches, otherwise=otherwise):
            words = [
                f"{'elseif' if index else 'if'} {_text(condition)} then {_text(value)}"
                for index, (condition, value) in enumerate(branches)
            ]
            return " ".join([*words, f"else {_text(otherwise)}"])
        case ast.ArrayConstructor(elements=elements, iterators=iterators):
            over = f" for {iterators_text(iterators)}" if iterators else ""
            return f"{{{_list(elements)}{over}}}"
        case ast.MatrixConstructor(rows=rows):
            return "[" + "; ".join(_list(row) for row in rows) + "]"
        case ast.Tuple(elements=elements):
            return places_text(elements)
        case ast.PartialApplication(function=function, named=named):
            return f"function {_reference(function)}({_named(named)})"
        case ast.End():
            return "end"
        case ast.Colon():
            return ":"
    raise TypeError(f"{type(node).__name__} is no expression")


def _reference(node: ast.Reference) -> str:
    parts = [name + subscripts_text(subscripts) for name, subscripts in node.parts]
    return ("." if node.absolute else "") + ".".join(parts)


def _number(value: int | float) -> str:
    # A literal beyond the range of doubles reads as infinity; so does this one.
    return "1e999" if isinstance(value, float) and math.isinf(value) else repr(value)


def _binary(node: ast.Binary) -> str:
    """A chain `a + b + c` leans to the left and can be long: walked in a loop, not by recursion."""
    chain = [node]
    while True:
        left = chain[-1].left
        if not isinstance(left, ast.Binary) or _level(left) < _left_minimum(chain[-1].operator):
            break
        chain.append(left)
    words = [_operand(chain[-1].left, _left_minimum(chain[-1].operator))]
    for each in reversed(chain):
        words.append(each.operator if each.operator in _TIGHT else f" {each.operator} ")
        words.append(_operand(each.right, _LEVELS[each.operator] + 1))
    return "".join(words)


def _left_minimum(operator: str) -> int:
    level = _LEVELS[operator]
    return level + 1 if level in (_RELATION, _POWER) else level


def _arguments(node: ast.Call) -> str:
    words = [_list(node.args)] if node.args else []
    if node.named:
        words.append(_named(node.named))
    text = ", ".join(words)
    return f"{text} for {iterators_text(node.iterators)}" if node.iterators else text


def _named(named: tuple[tuple[str, ast.Expression], ...]) -> str:
    return ", ".join(f"{name} = {_text(value)}" for name, value in named)
