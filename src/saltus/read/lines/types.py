"""Which types values have, by their form: enough to declare what they are given to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from saltus.ir import ast

RELATIONS = frozenset(["<", "<=", ">", ">=", "==", "<>"])
LOGIC = frozenset(["and", "or"])


def is_boolean(
    node: ast.Expression,
    known: Mapping[str, ast.Expression],
    truths: Callable[[ast.Reference], bool] = lambda _: False,
    asked: frozenset[str] = frozenset(),
) -> bool:
    """Whether an expression is a truth, by its form. Names stand for what is `known` of them, and `truths`
    are references that are known to be one. What was `asked` for already is no answer."""
    match node:
        case ast.Boolean():
            return True
        case ast.Binary(operator=operator):
            return operator in RELATIONS or operator in LOGIC
        case ast.Unary(operator=operator):
            return operator == "not"
        case ast.Parenthesis(inner=inner):
            return is_boolean(inner, known, truths, asked)
        case ast.IfExpression(otherwise=otherwise):
            return is_boolean(otherwise, known, truths, asked)
        case ast.Call(function=function, args=args) if function.text in ("pre", "edge") and len(args) == 1:
            return is_boolean(args[0], known, truths, asked)
        case ast.Reference() if truths(node):
            return True
        case ast.Reference(parts=((name, ()),)) if name in known and name not in asked:
            return is_boolean(known[name], known, truths, asked | {name})
    return False
