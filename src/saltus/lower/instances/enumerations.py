"""Enumerations: literals as their numbers, and types as sizes and ranges."""

from __future__ import annotations

from saltus.core.diagnostics import ModelError, model_error
from saltus.expr.nodes import FALSE, TRUE, Enumeration, Expr, Literal, const
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Predefined
from saltus.lower.classes.classes import top_class
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import component_place, find_class, member_class, nearest, resolve_class
from saltus.lower.scope.context import Scope


def type_values(layouts: Layouts, reference: ast.Expression, scope: Scope) -> list[Expr] | None:
    """The values of an enumeration type or of Boolean, where a type stands for all its values: as a size
    (`Real x[Colour]`), as a range (`for c in Colour`). None if the expression is not the name of a type."""
    if not isinstance(reference, ast.Reference) or any(s for _, s in reference.parts):
        return None
    first = reference.parts[0][0]
    if first in scope.locals or component_place(first, scope.lexical) is not None:
        return None
    try:
        cls = resolve_class(reference, scope.lexical)
    except ModelError:
        return None  # no class at all: a component or a constant, which is looked up elsewhere
    if not isinstance(cls, Predefined) and cls.kind != "type":
        return None
    layout = layouts.of(cls)
    if layout.enumeration is not None:
        return literals_of(layout.enumeration)
    return [FALSE, TRUE] if layout.predefined == "Boolean" else None


def literals_of(enumeration: Enumeration) -> list[Expr]:
    """All values of an enumeration, in order."""
    return [const(Literal(k + 1, enumeration)) for k in range(len(enumeration))]


def enumeration_literal(layouts: Layouts, reference: ast.Reference, scope: Scope) -> Expr | None:
    """`Colour.red` as its number."""
    if len(reference.parts) < 2 or any(s for _, s in reference.parts):
        return None
    names = [name for name, _ in reference.parts]
    if not reference.absolute and component_place(names[0], scope.lexical) is not None:
        return None
    found = (
        top_class(scope.lexical.library, names[0])
        if reference.absolute
        else find_class(names[0], scope.lexical, scope.lexical)
    )
    for name in names[1:-1]:
        if not isinstance(found, ClassEntry):
            return None
        found = member_class(found, name)
    if found is None or found.kind != "type":
        return None
    literals = layouts.of(found).enumeration
    if literals is None:
        return None
    if names[-1] not in literals:
        near = nearest(names[-1], list(literals))
        raise model_error(
            "E201",
            f"`{names[-1]}` is not a literal of the enumeration `{found.full_name}`",
            scope.at(reference),
            hint=f"did you mean `{near}`?" if near else f"its literals are {', '.join(literals)}",
        )
    return const(Literal(literals.index(names[-1]) + 1, literals))
