"""An equation solved for one of its variables, as an expression.

Equations with `new(x)` may have it anywhere, `new(x) + a * x = b * u`, and Modelica wants it alone. If it
stands once, what is around it is undone step by step, and the result looks as a person would write it. If it
stands several times, the equation is written as `p*x + q = 0` with `x = -q/p`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from saltus.ir import ast

Wanted: TypeAlias = Callable[[ast.Node], bool]


def solved(left: ast.Expression, right: ast.Expression, wanted: Wanted) -> ast.Expression | None:
    """The value of the wanted expression; None where the equation is not linear in it."""
    count = occurrences(left, wanted) + occurrences(right, wanted)
    if count == 0:
        return None
    if count == 1:
        inside, value = (left, right) if occurrences(left, wanted) else (right, left)
        found = _undone(inside, value, wanted)
        if found is not None:
            return found
    one, other = _linear(left, wanted), _linear(right, wanted)
    if one is None or other is None:
        return None
    factor = _difference(one[0], other[0])
    rest = _difference(other[1], one[1])
    if factor is None:
        return None
    return _quotient(rest if rest is not None else _number(left, 0), factor)


def occurrences(node: object, wanted: Wanted) -> int:
    """How often it stands in an expression."""
    count, left = 0, [node]
    while left:
        each = left.pop()
        if isinstance(each, tuple):
            left += each
        elif isinstance(each, ast.Node):
            if wanted(each):
                count += 1
            else:
                left += each.__dict__.values()
    return count


def _undone(node: ast.Expression, value: ast.Expression, wanted: Wanted) -> ast.Expression | None:
    """What the wanted expression is, if `node`, in which it stands once, is `value`."""
    while not wanted(node):
        match node:
            case ast.Parenthesis(inner=inner):
                node = inner
            case ast.Unary(operator="-", operand=operand):
                node, value = operand, _negative(value)
            case ast.Unary(operator="not", operand=operand):
                node, value = operand, ast.Unary(value.start, value.end, "not", _grouped(value))
            case ast.Unary(operator="+", operand=operand):
                node = operand
            # Right sides are searched: chains lean to the left, and can be long.
            case ast.Binary(operator="+", left=left, right=right):
                inside, other = (right, left) if occurrences(right, wanted) else (left, right)
                node, value = inside, _binary("-", value, other)
            case ast.Binary(operator="-", left=left, right=right):
                if occurrences(right, wanted):
                    node, value = right, _binary("-", left, value)
                else:
                    node, value = left, _binary("+", value, right)
            case ast.Binary(operator="*", left=left, right=right):
                inside, other = (right, left) if occurrences(right, wanted) else (left, right)
                node, value = inside, _quotient(value, other)
            case ast.Binary(operator="/", left=left, right=right) if occurrences(left, wanted):
                node, value = left, _binary("*", value, right)
            case _:
                return None
    return value


_Linear: TypeAlias = "tuple[ast.Expression | None, ast.Expression | None] | None"


def _linear(node: ast.Expression, wanted: Wanted) -> _Linear:
    """`(p, q)` of `p*x + q`, None for zero; None alone if it is not linear."""
    if wanted(node):
        return _number(node, 1), None
    if not occurrences(node, wanted):
        return None, (None if isinstance(node, ast.Number) and node.value == 0 else node)
    match node:
        case ast.Parenthesis(inner=inner):
            return _linear(inner, wanted)
        case ast.Unary(operator=("+" | "-") as sign, operand=operand):
            found = _linear(operand, wanted)
            if found is None or sign == "+":
                return found
            return _negated(found[0]), _negated(found[1])
        case ast.Binary(operator=("+" | "-") as sign, left=left, right=right):
            one, other = _linear(left, wanted), _linear(right, wanted)
            if one is None or other is None:
                return None
            join = _sum if sign == "+" else _difference
            return join(one[0], other[0]), join(one[1], other[1])
        case ast.Binary(operator="*", left=left, right=right):
            inside, factor = (left, right) if occurrences(left, wanted) else (right, left)
            found = _linear(inside, wanted)
            if found is None or occurrences(factor, wanted):
                return None
            return _times(found[0], factor), _times(found[1], factor)
        case ast.Binary(operator="/", left=left, right=right) if not occurrences(right, wanted):
            found = _linear(left, wanted)
            if found is None:
                return None
            return tuple(None if e is None else _quotient(e, right) for e in found)  # type: ignore[return-value]
        case ast.IfExpression(branches=branches, otherwise=otherwise):
            if any(occurrences(condition, wanted) for condition, _ in branches):
                return None
            values = [_linear(e, wanted) for e in (*(v for _, v in branches), otherwise)]
            return _cases(node, values)
    return None


def _cases(node: ast.IfExpression, values: list[_Linear]) -> _Linear:
    if any(v is None for v in values):
        return None
    sides: list[ast.Expression | None] = []
    for k in (0, 1):
        if all(v[k] is None for v in values):  # type: ignore[index]
            sides.append(None)
            continue
        parts = [_number(node, 0) if v[k] is None else v[k] for v in values]  # type: ignore[index]
        branches = tuple((c, p) for (c, _), p in zip(node.branches, parts, strict=False))
        whole = ast.IfExpression(node.start, node.end, branches, parts[-1])  # type: ignore[arg-type]
        sides.append(ast.Parenthesis(node.start, node.end, whole))
    return sides[0], sides[1]


# ---------------------------------------------------------------- building

_PRIMARY = (ast.Number, ast.Reference, ast.Call, ast.Parenthesis, ast.Boolean)


def _grouped(node: ast.Expression) -> ast.Expression:
    return node if isinstance(node, _PRIMARY) else ast.Parenthesis(node.start, node.end, node)


def _binary(operator: str, left: ast.Expression, right: ast.Expression) -> ast.Expression:
    product = isinstance(right, ast.Binary) and right.operator in ("*", "/") and operator in ("+", "-")
    right = right if product or isinstance(right, _PRIMARY) else _grouped(right)
    if isinstance(left, ast.IfExpression) or (operator in ("*", "/") and not isinstance(left, _PRIMARY)):
        left = _grouped(left)
    return ast.Binary(left.start, left.end, operator, left, right)


def _quotient(value: ast.Expression, by: ast.Expression) -> ast.Expression:
    if isinstance(by, ast.Number) and by.value == 1:
        return value
    return _binary("/", value, by)


def _negative(value: ast.Expression) -> ast.Expression:
    product = isinstance(value, ast.Binary) and value.operator in ("*", "/")
    return ast.Unary(value.start, value.end, "-", value if product else _grouped(value))


def _negated(value: ast.Expression | None) -> ast.Expression | None:
    return None if value is None else _negative(value)


def _sum(a: ast.Expression | None, b: ast.Expression | None) -> ast.Expression | None:
    return b if a is None else a if b is None else _binary("+", a, b)


def _difference(a: ast.Expression | None, b: ast.Expression | None) -> ast.Expression | None:
    return _negated(b) if a is None else a if b is None else _binary("-", a, b)


def _times(a: ast.Expression | None, factor: ast.Expression) -> ast.Expression | None:
    if isinstance(a, ast.Number) and a.value == 1:
        return factor
    return None if a is None else _binary("*", a, factor)


def _number(node: ast.Node, value: int) -> ast.Number:
    return ast.Number(node.start, node.end, value)
