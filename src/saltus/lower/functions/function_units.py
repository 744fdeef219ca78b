"""Units of the inputs and outputs of functions, as their declarations and types say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from saltus.ir import ast
from saltus.ir.instance import Element, Layout
from saltus.lower.classes.lookup import resolve_class
from saltus.lower.functions.function_locals import Local, LocalVariable
from saltus.lower.scope.context import Context


def note_units(context: Context, layout: Layout, locals_: Mapping[str, Local]) -> None:
    """Keeps the units of a function's variables, where units are wanted."""
    if context.functions.units is None:
        return
    for name, local in locals_.items():
        _note(context, layout.elements[name], local)


def _note(context: Context, element: Element, local: Local) -> None:
    layout = context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
    if not isinstance(local, LocalVariable):
        note_units(context, layout, local.fields)
        return
    modification = element.declaration.modification
    own = (modification.arguments or ()) if modification is not None else ()
    unit = _unit_in((*own, *(change.argument for change in reversed(layout.type_modifications))))
    if unit:
        assert context.functions.units is not None
        context.functions.units[local.symbol] = unit


def _unit_in(arguments: Iterable[ast.Argument]) -> str:
    """The first unit that is given as a literal."""
    for argument in arguments:
        if isinstance(argument, ast.ElementModification) and argument.name == ("unit",):
            value = argument.modification.value if argument.modification is not None else None
            if isinstance(value, ast.String):
                return value.value
    return ""
