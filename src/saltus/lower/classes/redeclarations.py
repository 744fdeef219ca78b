"""What may be redeclared, and as what (sections 7.3.2 and 7.3.3 of the specification).

An element must be replaceable to be redeclared, it must be neither final nor constant, and what takes its
place must fit its constraining class. Redeclarations come from further and further outside: each takes the
place of the one before, so each is checked against that one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, Change, ClassEntry, Element, Predefined, Question
from saltus.lower.classes.classes import own_class
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import (
    base_classes,
    definition_of,
    is_protected,
    redeclared,
    resolve_class,
    resolve_from,
)
from saltus.lower.classes.subtypes import difference, same_class

_CHECKED: Question[bool] = Question("whether its redeclarations were checked")


@dataclass(frozen=True, eq=False)
class _Declared:
    """What is known of an element that may be redeclared. `bound` is the class that what takes its place must
    fit."""

    name: str
    span: Span
    replaceable: bool
    final: bool
    protected: bool
    constant: bool
    bound: ClassEntry | Predefined
    cls: ClassEntry | None = None  # itself, if it is a class


def _check(layouts: Layouts, old: _Declared, new: ClassEntry | Predefined, span: Span) -> None:
    """Refuses a redeclaration of something that is declared as `old`."""
    reason = None
    if old.final:
        reason = "is final"
    elif old.constant:
        reason = "is a constant"
    elif not old.replaceable and not same_class(new, old.bound):  # as the same class, with other sizes
        reason = "is not replaceable"
    note = Note("declared here", old.span)
    if reason is not None:
        hint = "declare it `replaceable`" if not old.final and not old.constant else None
        message = f"`{old.name}` {reason} and cannot be redeclared"
        raise model_error("E207", message, span, notes=(note,), hint=hint)
    problem = difference(layouts, new, old.bound)
    if problem is not None:
        raise model_error(
            "E207",
            f"`{new.full_name}` cannot take the place of `{old.name}`, which must be a "
            f"`{old.bound.full_name}`: {problem}",
            span,
            notes=(note,),
        )


# ---------------------------------------------------------------- components


def check_components(layouts: Layouts, element: Element, changes: Iterable[Change]) -> None:
    """Checks the redeclarations of a component: by `redeclare` before the element itself, and among what is
    said about it, from the innermost on."""
    if element.replaced is not None:
        old = _component(element.replaced)
        _check(layouts, old, resolve_class(element.clause.type_name, element.lexical), element.span)
        _check_visibility(old, element.clause.prefixes.protected, element.span)
    declared: _Declared | None = None
    for change in changes:
        argument = change.argument
        if not isinstance(argument, ast.ElementRedeclaration):
            continue
        clause = argument.element
        if not isinstance(clause, ast.ComponentClause):
            continue  # refused where it is made
        if declared is None:
            declared = _component(element)
        new = resolve_class(clause.type_name, change.lexical)
        _check(layouts, declared, new, change.span)
        bound = declared.bound
        if argument.constraint is not None:
            bound = resolve_class(argument.constraint.type_name, change.lexical)
            _check(layouts, declared, bound, change.span)
        declared = _Declared(
            element.name, change.span, argument.replaceable, argument.final, element.protected, False, bound
        )


def check_constraint(layouts: Layouts, element: Element, cls: ClassEntry | Predefined) -> None:
    """A component, and a class that a component is made of, must fit its own constraining clause."""
    constraint = _own_constraint(element)
    if constraint is not None:
        bound = resolve_class(constraint.type_name, element.lexical)
        _check_own(layouts, cls, bound, element.name, element.span)
    if isinstance(cls, ClassEntry) and cls.definition.constraint is not None and cls.parent is not None:
        wanted = resolve_from(cls.definition.constraint.type_name, cls.parent, cls)
        _check_own(layouts, cls, wanted, cls.name, cls.span)


def _check_own(
    layouts: Layouts, cls: ClassEntry | Predefined, bound: ClassEntry | Predefined, name: str, span: Span
) -> None:
    problem = difference(layouts, cls, bound)
    if problem is not None:
        raise model_error(
            "E207", f"`{name}` does not fit its own constraining class `{bound.full_name}`: {problem}", span
        )


def _own_constraint(element: Element) -> ast.ConstrainingClause | None:
    """The constraining clause that stands in the text of an element, not that of one it replaces."""
    clause = element.clause
    constraint = clause.constraint
    own = constraint is not None and clause.start <= constraint.start <= clause.end
    return constraint if own else None


def _component(element: Element) -> _Declared:
    clause = element.clause
    constraint = _own_constraint(element)
    if constraint is not None:
        bound = resolve_class(constraint.type_name, element.lexical)
    elif element.replaced is not None:
        bound = _component(element.replaced).bound
    else:
        bound = resolve_class(clause.type_name, element.lexical)
    return _Declared(
        element.name,
        element.span,
        clause.prefixes.replaceable,
        clause.prefixes.final,
        element.protected,
        clause.variability == "constant",
        bound,
    )


def _check_visibility(old: _Declared, protected: bool, span: Span) -> None:
    if old.protected != protected:
        words = ("public", "protected") if protected else ("protected", "public")
        raise model_error(
            "E207",
            f"`{old.name}` is {words[0]} and cannot be redeclared as {words[1]}",
            span,
            notes=(Note("declared here", old.span),),
        )


# ---------------------------------------------------------------- classes


def check_classes(layouts: Layouts, cls: ClassEntry) -> None:
    """Checks the classes that are redeclared in a class and its bases: by its own text, and from outside."""
    if _CHECKED.known(cls) is not UNANSWERED:
        return
    _CHECKED.keep(cls, True)
    for base in base_classes(cls).values():
        check_classes(layouts, base)
    for element in cls.elements:
        if isinstance(element, ast.ClassDefinition):
            _check_definition(layouts, cls, element)
    for change in cls.changes if cls.derived is None else ():
        if definition_of(cls, change.name) is not None and is_protected(cls, change.name):
            raise model_error(
                "E207",
                f"`{change.name}` is protected in `{cls.full_name}` and cannot be changed from outside",
                change.span,
            )
    for name in dict.fromkeys(c.name for c in cls.changes if c.new_class is not None):
        _after_changes(layouts, cls, name)


def _check_definition(layouts: Layouts, cls: ClassEntry, definition: ast.ClassDefinition) -> None:
    """`redeclare model M ...` and `redeclare model extends M ...` as an element."""
    extends = isinstance(definition.body, ast.LongBody) and definition.body.extends_base
    if not definition.prefixes.redeclare and not extends:
        return
    old = _inherited(layouts, cls, definition.name)
    own = own_class(cls, definition.name)
    if old is not None and own is not None:
        _check(layouts, old, own, own.span)
        _check_visibility(old, definition.prefixes.protected, own.span)


def _inherited(layouts: Layouts, cls: ClassEntry, name: str) -> _Declared | None:
    for base in base_classes(cls).values():
        found = _after_changes(layouts, base, name)
        if found is not None:
            return found
    return None


def _after_changes(layouts: Layouts, cls: ClassEntry, name: str) -> _Declared | None:
    """A class of `cls` as it is declared after all that is said about it; checks what is said on the way."""
    own = own_class(cls, name)
    found = _inherited(layouts, cls, name) if own is None else _own(layouts, cls, own)
    for change in cls.changes:
        definition = change.new_class
        if found is None or definition is None or change.name != name:
            continue
        argument = change.argument
        assert isinstance(argument, ast.ElementRedeclaration)
        new = redeclared(change, found.cls)
        _check(layouts, found, new, change.span)
        bound = found.bound
        if argument.constraint is not None:
            bound = resolve_class(argument.constraint.type_name, change.lexical)
            _check(layouts, found, bound, change.span)
        found = _Declared(
            name, change.span, argument.replaceable, argument.final, found.protected, False, bound, new
        )
    return found


def _own(layouts: Layouts, cls: ClassEntry, own: ClassEntry) -> _Declared:
    prefixes = own.definition.prefixes
    bound: ClassEntry | Predefined = own
    constraint = own.definition.constraint
    if constraint is not None:
        bound = resolve_from(constraint.type_name, cls, own)
    elif prefixes.redeclare:
        inherited = _inherited(layouts, cls, own.name)
        bound = inherited.bound if inherited is not None else own
    return _Declared(
        own.name, own.span, prefixes.replaceable, prefixes.final, prefixes.protected, False, bound, own
    )
