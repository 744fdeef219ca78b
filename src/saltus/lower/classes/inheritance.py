"""What a class may extend (sections 7.1.2 to 7.1.4, and 4.7 for operator records).

These rules need to know what the base is, but nothing about instances, so they are checked once, when the
layout of a class is made.
"""

from __future__ import annotations

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Predefined
from saltus.lower.classes.classes import own_class
from saltus.lower.classes.lookup import bases, definition_of

#: Which kinds of class a class may extend besides its own kind and `class` (section 7.1.3).
_OTHER_BASES: dict[str, frozenset[str]] = {
    "connector": frozenset({"type", "record"}),
    "block": frozenset({"record"}),
    "model": frozenset({"record", "block"}),
    "class": frozenset({"record", "block", "model"}),  # more than the table has: old models do this
}


def check_kinds(cls: ClassEntry, base: ClassEntry | Predefined, span: Span) -> None:
    """Refuses a base of the wrong kind, also of a short class."""
    if base.kind not in (cls.kind, "class") and base.kind not in _OTHER_BASES.get(cls.kind, ()):
        verb = "stand for" if cls.is_short else "extend"
        raise model_error("E209", f"a {cls.kind} cannot {verb} a {base.kind} (`{base.full_name}`)", span)


def check_base(
    cls: ClassEntry, base: ClassEntry | Predefined, extends: ast.Extends, *, inherited_name: bool
) -> None:
    """Refuses a base that a class must not have. Its name is an `inherited_name` if it can be found only in
    another base of the class."""
    span = cls.at(extends)
    check_kinds(cls, base, span)
    if not isinstance(base, ClassEntry):
        return
    if inherited_name:
        raise model_error(
            "E209",
            f"`{extends.type_name.text}` is inherited here, and a base class must not be",
            span,
            notes=(Note("declared here", base.span),),
            hint="give the name of the class that declares it, too",
        )
    if base.definition.prefixes.replaceable:
        raise model_error(
            "E209",
            f"`{base.full_name}` is replaceable and cannot be extended",
            span,
            notes=(Note("declared here", base.span),),
            hint="extend the class that it stands for",
        )
    if base.definition.operator and base.kind == "record":
        raise model_error(
            "E209",
            f"the operator record `{base.full_name}` cannot be extended",
            span,
            hint=f"use a short class: `operator record {cls.name} = {extends.type_name.text}(...)`",
        )
    for element in base.elements:
        if not isinstance(element, ast.ClassDefinition) or not isinstance(element.body, ast.LongBody):
            continue
        if element.operator and element.kind == "record":
            raise model_error(
                "E209",
                f"`{base.full_name}` contains the operator record `{element.name}` and cannot be extended",
                span,
            )


def check_alone(cls: ClassEntry, extends: ast.Extends, what: str) -> None:
    """A class that is an array, or has a direction, is extended without anything else (section 7.1.3)."""
    for element in cls.elements:
        if isinstance(element, ast.ComponentClause | ast.Extends) and element is not extends:
            raise model_error(
                "E209",
                f"`{extends.type_name.text}` {what}; a class that extends it has nothing else",
                cls.at(extends),
                notes=(Note("here is more", cls.at(element)),),
            )


def check_inherited_classes(cls: ClassEntry) -> None:
    """A class may be declared again if it is inherited, but only with the same text (section 5.6.1.4)."""
    for element in cls.elements:
        if not isinstance(element, ast.ClassDefinition) or element.prefixes.redeclare:
            continue
        if isinstance(element.body, ast.LongBody) and element.body.extends_base:
            continue
        own = own_class(cls, element.name)
        for base in bases(cls):
            found = definition_of(base, element.name)
            if found is None or own is None:
                continue
            definition, source = found
            if not isinstance(definition.body, ast.LongBody) or not isinstance(element.body, ast.LongBody):
                continue  # two names of one class may be written in many ways
            theirs = source.text[definition.start : definition.end].split()
            if definition is not element and theirs != cls.at(element).text.split():
                raise model_error(
                    "E202",
                    f"`{element.name}` is inherited from `{base.full_name}` and declared differently here",
                    own.span,
                    hint="rename it, or write `redeclare` before it",
                )
