"""Equations of a process as those of Modelica.

A guarded equation becomes an if-equation, whose last branch is its `else`. That one of the guards is open at
any time is asserted, with the values of the variables in them, unless it is plain: of `b` and `not b`, and of
`x < y` and `x >= y`, one is.
"""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.chi.names import Declared
from saltus.read.chi.pieces import called, joined, path, references
from saltus.read.chi.syntax import ContinuousItem, Equation, GuardedEquations

_OPPOSITES = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def items_of(
    equations: tuple[ContinuousItem, ...], known: dict[str, Declared], source: Source
) -> Iterator[ast.Item]:
    """The equations, and what is asserted about guards."""
    for equation in equations:
        match equation:
            case Equation():
                yield ast.SimpleEquation(equation.start, equation.end, equation.left, equation.right)
            case GuardedEquations():
                yield from _guarded(equation, known, source)


def _guarded(equation: GuardedEquations, known: dict[str, Declared], source: Source) -> Iterator[ast.Item]:
    guards = [guard for guard, _ in equation.branches]
    branches: list[tuple[ast.Expression | None, tuple[ast.Item, ...]]] = []
    for number, (guard, inner) in enumerate(equation.branches):
        last = number + 1 == len(guards)
        branches.append((None if last else guard, tuple(items_of(inner, known, source))))
    if len(branches) == 1:
        yield from branches[0][1]
    else:
        yield ast.IfEquation(equation.start, equation.end, tuple(branches))
    if not exhaustive(guards):
        yield asserted(equation, guards, "no guard is open", known, source)


def asserted(
    node: ast.Node,
    guards: list[ast.Expression],
    what: str,
    known: dict[str, Declared],
    source: Source,
    unless: ast.Expression | None = None,
) -> ast.CallEquation:
    """An assertion that one of the guards is open; its message has their text, and the values of their
    variables."""
    texts = " [] ".join(" ".join(source.text[g.start : g.end].split()) for g in guards)
    message: ast.Expression = ast.String(node.start, node.end, f"{what}: [ {texts} ]")
    names = dict.fromkeys(r.parts[0][0] for g in guards for r in references(g) if len(r.parts) == 1)
    for number, name in enumerate(names):
        label = ast.String(node.start, node.end, f"{', ' if number else ', with '}{name} = ")
        value = called(node, "String", path(node, name))
        for part in (label, value):
            message = ast.Binary(node.start, node.end, "+", message, part)
    condition = joined("or", guards if unless is None else [unless, *guards])
    call = called(node, "assert", condition, message)
    return ast.CallEquation(node.start, node.end, call)


def exhaustive(guards: list[ast.Expression]) -> bool:
    """Whether one of them is open whatever the values are, as far as their form says."""
    bare = [_bare(guard) for guard in guards]
    return any(_opposite(a, b) for k, a in enumerate(bare) for b in bare[:k]) or any(
        isinstance(guard, ast.Boolean) and guard.value for guard in bare
    )


def _bare(node: ast.Expression) -> ast.Expression:
    return _bare(node.inner) if isinstance(node, ast.Parenthesis) else node


def _opposite(a: ast.Expression, b: ast.Expression) -> bool:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, ast.Unary) and one.operator == "not" and same(_bare(one.operand), other):
            return True
    if isinstance(a, ast.Binary) and isinstance(b, ast.Binary):
        if _OPPOSITES.get(a.operator) == b.operator:
            return same(a.left, b.left) and same(a.right, b.right)
        if {a.operator, b.operator} == {"and", "or"}:  # De Morgan
            return (_opposite(a.left, b.left) and _opposite(a.right, b.right)) or (
                _opposite(a.left, b.right) and _opposite(a.right, b.left)
            )
    return False


def same(a: object, b: object) -> bool:
    """Whether two trees say the same, wherever they stand."""
    if isinstance(a, ast.Parenthesis):
        return same(a.inner, b)
    if isinstance(b, ast.Parenthesis):
        return same(a, b.inner)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, ast.Node) and isinstance(b, ast.Node):
        if type(a) is not type(b):
            return False
        return all(same(getattr(a, n), getattr(b, n)) for n in vars(a) if n not in ("start", "end"))
    return a == b
