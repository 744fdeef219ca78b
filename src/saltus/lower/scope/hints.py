"""What may have been meant by a text that is refused: the hints that need to look around in the model.

They are asked for only when something is refused, so they may be slow; they never refuse anything
themselves, and read no further files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.nearest import known_hint
from saltus.core.source import Span
from saltus.expr.nodes import Type
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Instance
from saltus.lower.classes.lookup import PREDEFINED_ENUMERATIONS, bases, resolve_class
from saltus.lower.scope.context import Scope


def with_hint(error: ModelError, hint: str, codes: tuple[str, ...]) -> ModelError:
    """A refusal with a better hint, where it is one of these codes."""
    return ModelError(replace(d, hint=hint) if d.code in codes else d for d in error.diagnostics)


# ---------------------------------------------------------------- enumerations


def literal_hint(name: str, scope: ClassEntry) -> str | None:
    """`Heat` alone, where an enumeration seen from here has this literal: `Phase.Heat`."""
    known = dict.fromkeys(
        f"{type_name}.{literal}"
        for type_name, literals in _enumerations(scope)
        for literal in literals
        if literal == name
    )
    return f"did you mean {' or '.join(f'`{k}`' for k in list(known)[:3])}?" if known else None


def _enumerations(scope: ClassEntry) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Enumeration types by the name they have in a class: first those of its variables, then those declared
    in it, in the classes around it and in their packages."""
    place: ClassEntry | None = scope
    while place is not None:
        for cls in _with_bases(place, frozenset()):
            for element in cls.elements:
                if isinstance(element, ast.ComponentClause):
                    literals = _declared_literals(element.type_name, cls)
                    if literals:
                        yield element.type_name.text, literals
            definitions = [e for e in cls.elements if isinstance(e, ast.ClassDefinition)]
            yield from _defined(definitions)
        place = place.parent
    yield from _defined([entry.definition for entry in scope.library.own])
    yield from PREDEFINED_ENUMERATIONS.items()


def _with_bases(cls: ClassEntry, seen: frozenset[ClassEntry]) -> Iterator[ClassEntry]:
    yield cls
    if cls in seen:
        return
    try:
        found = bases(cls)
    except ModelError:  # reported when the class is created
        return
    for base in found:
        yield from _with_bases(base, seen | {cls})


def _declared_literals(type_name: ast.Reference, cls: ClassEntry) -> tuple[str, ...] | None:
    try:
        found = resolve_class(type_name, cls)
    except ModelError:
        return None
    return _literals(found.definition) if isinstance(found, ClassEntry) else found.literals


def _defined(definitions: list[ast.ClassDefinition]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for definition in definitions:
        literals = _literals(definition)
        if literals:
            yield definition.name, literals
        if definition.kind == "package" and isinstance(definition.body, ast.LongBody):
            inner = [e for e in definition.body.elements if isinstance(e, ast.ClassDefinition)]
            for name, found in _defined(inner):
                yield f"{definition.name}.{name}", found


def _literals(definition: ast.ClassDefinition) -> tuple[str, ...] | None:
    body = definition.body
    if not isinstance(body, ast.EnumerationBody):
        return None
    return tuple(name for name, _, _ in body.literals or ())


# ---------------------------------------------------------------- components


def component_hint(cls: ClassEntry, rest: str, scope: Scope) -> str | None:
    """`Motor.u`, where this instance has a component of that class: `motor.u`."""
    names: list[str] = []
    for element in scope.instance.layout.elements.values() if scope.instance is not None else ():
        try:
            found = resolve_class(element.clause.type_name, element.lexical)
        except ModelError:
            continue
        if found is cls:
            names.append(element.name)
    names.sort(key=lambda name: name.lower() != cls.name.lower())  # stable: else as they are declared
    return f"did you mean `{names[0]}.{rest}`?" if names else None


def connection_hint(equation: ast.SimpleEquation, scope: Scope) -> str | None:
    """`a.p = b.n` for connectors is meant as a connection."""
    sides = (equation.left, equation.right)
    if not all(isinstance(side, ast.Reference) for side in sides):
        return None
    return f"did you mean `connect({', '.join(scope.at(side).text for side in sides)})`?"


def connectors_of(instance: Instance) -> list[str]:
    """The names of a component's connectors that can be seen from outside."""
    names: list[str] = []
    for element in instance.layout.elements.values():
        try:
            found = resolve_class(element.clause.type_name, element.lexical)
        except ModelError:
            continue
        if found.kind == "connector" and not element.protected:
            names.append(element.name)
    return names


def connectors_hint(instance: Instance, name: str) -> str:
    """A component does not have a connector of this name: those that it has."""
    owner = f"`{instance.path}`"
    return known_hint(name, connectors_of(instance), owner, "connector") or f"{owner} has no connectors"


def two_sizes_hint(written: str, *, of_components: bool = True) -> str:
    """An array of connectors is connected with one: `r.p` means those of all elements of `r`, or is an array
    by itself."""
    first, dot, rest = written.partition(".")
    if dot and not of_components:
        return f"subscripts choose one: `{written}[1]`"
    return f"subscripts choose one: `{first}[1]{dot}{rest}`"


# ---------------------------------------------------------------- conditions

#: Where a when stands in something else with a condition.
JOINED_CONDITIONS = "write one `when` with both conditions: `when a and b then`"


def when_at_start(span: Span) -> ModelError:
    """The refusal of a when in an initial section."""
    hint = "move it to an equation section; `when initial() then` says what happens at the start"
    return model_error("E209", "a when must not stand in an initial section", span, hint=hint)


def reinit_outside_when(span: Span) -> ModelError:
    """The refusal of `reinit` in an if-equation or among statements."""
    hint = "write `when condition then reinit(x, value); end when;` in an equation section"
    return model_error("E209", "`reinit` is allowed in when-equations only", span, hint=hint)


def varying_hint(variability: str) -> str:
    """For the assignment to a parameter or a constant."""
    return f"declare it without `{variability}`, or give its value in its declaration only"


def relation_hint(type_: Type, span: Span) -> str | None:
    """A number where a condition is needed."""
    return f"write a relation, such as `{span.text} > 0`" if type_ in (Type.REAL, Type.INTEGER) else None


# ---------------------------------------------------------------- texts


def quotes_hint(attribute: str, expression: ast.Expression, scope: Scope) -> str | None:
    """`unit = m/s` is meant as a text."""
    text = scope.at(expression).text
    return f'a text stands in quotes: `{attribute} = "{text}"`' if '"' not in text else None
