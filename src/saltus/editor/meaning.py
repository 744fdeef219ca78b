"""What a name at a place means: a component, a class, a literal, or something predefined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.diagnostics import SaltusError
from saltus.core.source import Span
from saltus.editor.cursor import Cursor, Expected, Target
from saltus.editor.elements import (
    Chain,
    Class,
    class_in,
    elements_of,
    literals_of,
    named,
    predefined_of,
    type_of,
)
from saltus.editor.predefined import ATTRIBUTES, PREDEFINED_FUNCTIONS, PREDEFINED_VARIABLES
from saltus.ir import ast
from saltus.ir.instance import ClassEntry
from saltus.lower.classes.classes import top_class
from saltus.lower.classes.lookup import find_class, imported_class


@dataclass(frozen=True)
class Component:
    """A component: the last of a chain, of which the first is an element of `context`."""

    chain: Chain
    context: ClassEntry

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(element.name for element in self.chain)

    @property
    def place(self) -> Span:
        """Its name in the declaration."""
        declaration, source = self.chain[-1].declaration, self.chain[-1].lexical.source
        return Span(source, declaration.start, declaration.start + len(declaration.name))


@dataclass(frozen=True)
class Named:
    """A class."""

    cls: Class

    @property
    def place(self) -> Span | None:
        """Its name behind `model` or what it is."""
        return name_of(self.cls) if isinstance(self.cls, ClassEntry) else None


@dataclass(frozen=True)
class Literal:
    """A literal of an enumeration."""

    cls: Class
    name: str

    @property
    def place(self) -> Span | None:
        if not isinstance(self.cls, ClassEntry):
            return None
        body = self.cls.at(self.cls.definition.body)
        found = body.text.find(self.name)
        if found < 0:
            return body
        return Span(body.source, body.start + found, body.start + found + len(self.name))


@dataclass(frozen=True)
class Word:
    """A predefined function, or `time`."""

    name: str
    place: None = None


@dataclass(frozen=True)
class Attribute:
    """An attribute of a variable of a predefined type."""

    type: str
    name: str
    place: None = None


Meaning: TypeAlias = Component | Named | Literal | Word | Attribute


def name_of(cls: ClassEntry) -> Span:
    """The name of a class in its definition."""
    definition, text = cls.definition, cls.source.text
    heading = text.find(definition.kind, definition.start, definition.end)
    start = text.find(definition.name, max(heading, definition.start) + 1, definition.end)
    start = start if start >= 0 else definition.start
    return Span(cls.source, start, start + len(definition.name))


# ---------------------------------------------------------------- names


def meaning_of(names: tuple[str, ...], scope: ClassEntry, *, absolute: bool = False) -> Meaning | None:
    """What a dotted name means in the text of a class; None if it is not known."""
    found = _top(names[0], scope) if absolute else _first(names[0], scope)
    for name in names[1:]:
        found = inside(found, name)
    return found


def inside(meaning: Meaning | None, name: str) -> Meaning | None:
    """What a name behind a dot means."""
    match meaning:
        case Component():
            element = elements_of(type_of(meaning.chain[-1])).get(name)
            return Component((*meaning.chain, element), meaning.context) if element is not None else None
        case Named(cls=ClassEntry() as cls):
            literal = name in literals_of(cls)
            if literal:
                return Literal(cls, name)
            element = elements_of(cls).get(name)
            if element is not None:
                return Component((element,), cls)
            inner = class_in(cls, name)
            return Named(inner) if inner is not None else None
        case Named():
            return Literal(meaning.cls, name) if name in literals_of(meaning.cls) else None
    return None


def scopes(cls: ClassEntry) -> Iterator[ClassEntry]:
    """The classes whose elements a text in a class sees, the innermost first."""
    place: ClassEntry | None = cls
    while place is not None:
        yield place
        if place.definition.encapsulated:
            return
        place = place.parent


def _first(name: str, scope: ClassEntry) -> Meaning | None:
    for place in scopes(scope):
        element = elements_of(place).get(name)
        if element is not None:
            return Component((element,), place)
        found = class_in(place, name) or _imported(place, name)
        if found is not None:
            return found if isinstance(found, Component) else Named(found)
    return _top(name, scope)


def _imported(place: ClassEntry, name: str) -> Component | ClassEntry | None:
    try:
        found = imported_class(place, name)
    except (SaltusError, RecursionError):
        return None
    if found is not None:
        return found
    for element in place.elements:
        if isinstance(element, ast.Import) and element.name:
            target = _target(element, name)
            package = named(_reference(target[:-1]), place) if target else None
            constant = elements_of(package).get(target[-1]) if target else None
            if constant is not None and isinstance(package, ClassEntry):
                return Component((constant,), package)
    return None


def _target(element: ast.Import, name: str) -> tuple[str, ...]:
    """The full name that an import clause gives to a name; nothing if it gives none."""
    if element.wildcard or name in element.names:
        return (*element.name, name)
    if (element.alias or element.name[-1]) == name and len(element.name) > 1:
        return element.name
    return ()


def _reference(names: tuple[str, ...]) -> ast.Reference:
    return ast.Reference(0, 0, tuple((name, ()) for name in names), absolute=True)


def _top(name: str, scope: ClassEntry) -> Meaning | None:
    if name in PREDEFINED_FUNCTIONS or name in PREDEFINED_VARIABLES:
        return Word(name)
    try:
        found = find_class(name, None, scope) or top_class(scope.library, name)
    except (SaltusError, RecursionError):
        return None
    return Named(found) if found is not None else None


# ---------------------------------------------------------------- places


def meaning_at(cursor: Cursor, scope: ClassEntry) -> Meaning | None:
    """What the name at a cursor means, where it stands in the text of a class."""
    if not cursor.names[-1]:
        return None
    if cursor.expected is Expected.MODIFIER and cursor.modified is not None:
        found = about = modified(cursor.modified, scope)
        for name in cursor.names:
            found = inside(found, name)
        return found or _attribute(about, cursor.names[-1])
    if cursor.expected is Expected.NEW_NAME:
        return _declared(cursor, scope)
    if cursor.expected is Expected.IMPORT:
        return meaning_of(cursor.names, scope, absolute=True)
    if cursor.expected is Expected.ARGUMENT and cursor.calls and len(cursor.names) == 1:
        function = meaning_of(cursor.calls[-1][0], scope)
        found = meaning_of(cursor.names, scope)
        return found or inside(function, cursor.names[0])
    return meaning_of(cursor.names, scope, absolute=cursor.absolute)


def _attribute(about: Meaning | None, name: str) -> Attribute | None:
    cls: Class | None = None
    if isinstance(about, Named):
        cls = about.cls
    elif isinstance(about, Component):
        cls = type_of(about.chain[-1])
    predefined = predefined_of(cls)
    return Attribute(predefined, name) if name in ATTRIBUTES.get(predefined, {}) else None


def _declared(cursor: Cursor, scope: ClassEntry) -> Meaning | None:
    """What is declared at the cursor: a component of the class, a class in it, or the class itself."""
    name = cursor.names[-1]
    if name == scope.name and len(cursor.names) == 1:
        return Named(scope)
    element = elements_of(scope).get(name)
    if element is not None:
        return Component((element,), scope)
    inner = class_in(scope, name)
    return Named(inner) if inner is not None else None


def modified(target: Target, scope: ClassEntry) -> Meaning | None:
    """What a modification is about."""
    element = elements_of(scope).get(target.component)
    found: Meaning | None = Component((element,), scope) if element is not None else None
    if found is None:  # what declares it is not finished
        found = meaning_of(target.names, scope, absolute=target.absolute)
    for name in target.path:
        found = inside(found, name)
    return found
