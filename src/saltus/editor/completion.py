"""What may be written at a place: parts, parameters in modifications, connectors, variables, functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from saltus.core.diagnostics import SaltusError
from saltus.editor.cursor import Cursor, Expected, cursor_at
from saltus.editor.document import Document
from saltus.editor.elements import (
    Class,
    class_in,
    classes_of,
    elements_of,
    literals_of,
    predefined_of,
    type_of,
    unit_of,
    value_of,
)
from saltus.editor.meaning import Component, Meaning, Named, inside, meaning_of, modified, scopes
from saltus.editor.predefined import (
    ATTRIBUTES,
    ELEMENT_WORDS,
    EXPRESSION_WORDS,
    PREDEFINED_FUNCTIONS,
    PREDEFINED_TYPES,
    PREDEFINED_VARIABLES,
    STATEMENT_WORDS,
)
from saltus.editor.workspace import View, Workspace
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element, Library
from saltus.lower.classes.classes import top_class


class Kind(Enum):
    """What a proposal is, in the words of the protocol."""

    CLASS = "class"
    PACKAGE = "module"
    FUNCTION = "function"
    PARAMETER = "property"
    VARIABLE = "variable"
    CONNECTOR = "interface"
    COMPONENT = "field"
    LITERAL = "enum_member"
    WORD = "keyword"


@dataclass(frozen=True)
class Proposal:
    """Something that may be written. `text` is what is written, where it is not the label."""

    label: str
    kind: Kind
    detail: str = ""
    description: str = ""
    text: str = ""
    rank: int = 5  # the lower, the likelier
    package: str = ""  # where it comes from, if it is named in full

    @property
    def inserted(self) -> str:
        return self.text or self.label


@dataclass(frozen=True)
class Completion:
    """Proposals for what stands from `start` to `end`."""

    start: int
    end: int
    proposals: tuple[Proposal, ...]


def completion(workspace: Workspace, document: Document, offset: int) -> Completion:
    """What may be written at a place."""
    nothing = Completion(offset, offset, ())
    cursor = cursor_at(document, offset) if document.is_modelica else None
    if cursor is None or cursor.expected is Expected.NEW_NAME:
        return nothing
    view, at = _around(workspace, document, cursor)
    scope = view.class_at(at)
    found: dict[str, Proposal] = {}
    for proposal in (*_proposals(cursor, scope, view), *_parts(cursor, workspace)):
        if proposal.inserted not in found and _fits(proposal.label, cursor.typed):
            found[proposal.inserted] = proposal
    return Completion(offset - len(cursor.typed), cursor.end, tuple(found.values()))


def _around(workspace: Workspace, document: Document, cursor: Cursor) -> tuple[View, int]:
    """The document without the statement that is being written, if that damages it: the parser would take
    the next one for the end of it."""
    if document.syntax.is_whole:
        return workspace.view(document), cursor.start
    text = document.source.text
    line_end = text.find("\n", cursor.end)
    line_end = len(text) if line_end < 0 else line_end
    semicolon = text.find(";", cursor.end, line_end)
    end = line_end if semicolon < 0 else semicolon + 1
    blank = "".join(c if c == "\n" else " " for c in text[cursor.statement : end])
    without = document.changed(text[: cursor.statement] + blank + text[end:], document.version)
    return workspace.view(without), cursor.statement


def _fits(label: str, typed: str) -> bool:
    """Whether the letters of what is typed are in a label, in their order; editors rank what is left."""
    letters = iter(label.lower())
    return all(letter in letters for letter in typed.lower())


def _proposals(cursor: Cursor, scope: ClassEntry | None, view: View) -> Iterator[Proposal]:
    if scope is None:
        if cursor.expected is Expected.ELEMENT and not cursor.parents:
            yield from _words(ELEMENT_WORDS)
        return
    if cursor.expected is Expected.MODIFIER and cursor.modified is not None:
        about = modified(cursor.modified, scope)
        for name in cursor.parents:
            about = inside(about, name)
        yield from _modifiable(about, cursor.given)
        return
    if cursor.parents:
        absolute = cursor.absolute or cursor.expected is Expected.IMPORT
        yield from _inside(meaning_of(cursor.parents, scope, absolute=absolute), cursor.expected, scope)
        return
    match cursor.expected:
        case Expected.TYPE | Expected.ELEMENT:
            if cursor.expected is Expected.ELEMENT:
                yield from _words(ELEMENT_WORDS)
            yield from _types(scope, view)
        case Expected.IMPORT:
            yield from _packages(view)
        case Expected.CONNECTOR:
            yield from _with_connectors(scope)
        case _:
            if cursor.expected is Expected.ARGUMENT:
                yield from _arguments(cursor, scope)
            elif cursor.expected is Expected.STATEMENT:
                yield from _words(STATEMENT_WORDS)
            yield from _expressions(scope, view)


# ---------------------------------------------------------------- components


def _component(element: Element, rank: int = 5) -> Proposal:
    type_ = type_of(element)
    variability = element.clause.variability
    if variability in ("parameter", "constant"):
        kind = Kind.PARAMETER
    elif isinstance(type_, ClassEntry) and type_.kind == "connector":
        kind = Kind.CONNECTOR
    elif isinstance(type_, ClassEntry) and type_.kind in ("model", "block"):
        kind = Kind.COMPONENT
    else:
        kind = Kind.VARIABLE
    said, unit = value_of((element,)), unit_of((element,))
    detail = " ".join(filter(None, (variability, element.clause.type_name.text)))
    detail += f" = {said.text[:60]}" if said is not None else ""
    detail += f" [{unit}]" if unit else ""
    return Proposal(element.name, kind, detail, element.declaration.description, rank=rank)


def _modifiable(meaning: Meaning | None, given: tuple[str, ...]) -> Iterator[Proposal]:
    """What a modification may say something about: elements, replaceable classes, attributes."""
    cls: Class | None = None
    if isinstance(meaning, Named):
        cls = meaning.cls
    elif isinstance(meaning, Component):
        cls = type_of(meaning.chain[-1])
    for element in elements_of(cls).values():
        if element.protected or element.name in given or element.clause.variability == "constant":
            continue
        if element.declaration.modification is not None and element.clause.prefixes.final:
            continue
        is_parameter = element.clause.variability == "parameter"
        proposal = _component(element, rank=1 if is_parameter else 4)
        yield Proposal(
            proposal.label, proposal.kind, proposal.detail, proposal.description,
            f"{element.name} = " if is_parameter else f"{element.name}", proposal.rank,
        )  # fmt: skip
    for name, description in ATTRIBUTES.get(predefined_of(cls), {}).items():
        if name not in given:
            yield Proposal(name, Kind.PARAMETER, "attribute", description, f"{name} = ", 2)
    if isinstance(cls, ClassEntry):
        for name in classes_of(cls):
            inner = class_in(cls, name)
            if inner is not None and inner.definition.prefixes.replaceable and name not in given:
                label = f"redeclare {inner.kind} {name}"
                yield Proposal(label, Kind.CLASS, inner.kind, inner.definition.description, f"{label} = ", 6)


def _with_connectors(scope: ClassEntry) -> Iterator[Proposal]:
    """Connectors, and components that have some."""
    for element in elements_of(scope).values():
        type_ = type_of(element)
        if not isinstance(type_, ClassEntry):
            continue
        if type_.kind == "connector" or any(_is_connector(inner) for inner in elements_of(type_).values()):
            yield _component(element, rank=1)


def _is_connector(element: Element) -> bool:
    type_ = type_of(element)
    return isinstance(type_, ClassEntry) and type_.kind == "connector"


def _expressions(scope: ClassEntry, view: View) -> Iterator[Proposal]:
    first = True
    for place in scopes(scope):
        for element in elements_of(place).values():
            if first or element.clause.variability == "constant":
                yield _component(element, rank=1 if first else 4)
        first = False
    for name, description in PREDEFINED_VARIABLES.items():
        yield Proposal(name, Kind.VARIABLE, "Real [s]", description, rank=3)
    yield from _words(EXPRESSION_WORDS)
    for name, function in PREDEFINED_FUNCTIONS.items():
        arguments = ", ".join(function.arguments)
        yield Proposal(name, Kind.FUNCTION, f"{name}({arguments})", function.description, rank=6)
    yield from _types(scope, view, functions_only=True)


def _arguments(cursor: Cursor, scope: ClassEntry) -> Iterator[Proposal]:
    """The names of the inputs of the function that is called."""
    called = meaning_of(cursor.calls[-1][0], scope) if cursor.calls else None
    if isinstance(called, Named) and isinstance(called.cls, ClassEntry) and called.cls.kind != "package":
        is_function = called.cls.kind == "function"
        for element in elements_of(called.cls).values():
            if (element.clause.causality == "input" or not is_function) and element.name not in cursor.given:
                proposal = _component(element, rank=2)
                yield Proposal(
                    f"{element.name} =", Kind.PARAMETER, proposal.detail, proposal.description,
                    f"{element.name} = ", 2,
                )  # fmt: skip


# ---------------------------------------------------------------- classes


def _class(entry: ClassEntry, rank: int = 5) -> Proposal:
    kinds = {"package": Kind.PACKAGE, "function": Kind.FUNCTION, "connector": Kind.CONNECTOR}
    kind = kinds.get(entry.kind, Kind.CLASS)
    partial = "partial " if entry.definition.partial else ""
    return Proposal(entry.name, kind, f"{partial}{entry.kind}", entry.definition.description, rank=rank)


def _inside(meaning: Meaning | None, expected: Expected, scope: ClassEntry) -> Iterator[Proposal]:
    """What may stand behind a dot."""
    if isinstance(meaning, Component):
        type_ = type_of(meaning.chain[-1])
        for element in elements_of(type_).values():
            if element.protected:
                continue
            if expected is Expected.CONNECTOR:
                inner = elements_of(type_of(element)).values()
                if _is_connector(element) or any(map(_is_connector, inner)):
                    yield _component(element, rank=1)
            else:
                yield _component(element)
    elif isinstance(meaning, Named):
        for name, description in literals_of(meaning.cls).items():
            yield Proposal(name, Kind.LITERAL, meaning.cls.name, description)
        if isinstance(meaning.cls, ClassEntry):
            if expected not in (Expected.TYPE, Expected.ELEMENT, Expected.IMPORT):
                for element in elements_of(meaning.cls).values():
                    if element.clause.variability == "constant":
                        yield _component(element)
            yield from _classes_in(meaning.cls, lambda entry: _may_be(entry, expected))


def _may_be(entry: ClassEntry, expected: Expected) -> bool:
    if entry.definition.prefixes.protected:
        return False
    if expected in (Expected.TYPE, Expected.ELEMENT):
        return entry.kind != "function"
    return expected is Expected.IMPORT or entry.kind in ("package", "function", "record", "type", "operator")


def _classes_in(cls: ClassEntry, wanted: Callable[[ClassEntry], bool], rank: int = 5) -> Iterator[Proposal]:
    for name in classes_of(cls):
        entry = class_in(cls, name)
        if entry is not None and wanted(entry):
            yield _class(entry, rank)


def _types(scope: ClassEntry, view: View, *, functions_only: bool = False) -> Iterator[Proposal]:
    """The classes that can be named by one word, and parts of the library by their full names."""
    expected = Expected.EXPRESSION if functions_only else Expected.TYPE
    for place in scopes(scope):
        yield from _classes_in(place, lambda entry: _may_be(entry, expected), 3)
        for element in place.elements:
            if isinstance(element, ast.Import):
                yield from _imported(element, place)
    for entry in view.classes:
        if entry is not scope and _may_be(entry, expected):
            yield _class(entry, 3)
    yield from _packages(view)
    if functions_only:
        return
    for name, description in PREDEFINED_TYPES.items():
        yield Proposal(name, Kind.CLASS, "predefined type", description, rank=2)


def _imported(element: ast.Import, place: ClassEntry) -> Iterator[Proposal]:
    names = element.names or ((element.alias or element.name[-1],) if not element.wildcard else ())
    for name in names:
        found = meaning_of((name,), place)
        if isinstance(found, Named) and isinstance(found.cls, ClassEntry):
            proposal = _class(found.cls, 3)
            yield Proposal(name, proposal.kind, found.cls.full_name, proposal.description, rank=3)
    if element.wildcard:
        package = meaning_of(element.name, place, absolute=True)
        if isinstance(package, Named) and isinstance(package.cls, ClassEntry):
            yield from _classes_in(package.cls, lambda entry: True, 3)


def _packages(view: View) -> Iterator[Proposal]:
    """The packages on the top level of the folders of libraries."""
    library = view.library
    if library is None:
        return
    names: dict[str, None] = {}
    for folder in library.folders:
        try:
            if (folder / "package.mo").is_file():
                names[folder.name.split(" ")[0]] = None
                continue
            for child in sorted(folder.iterdir()):
                if (child / "package.mo").is_file():
                    names[child.name.split(" ")[0]] = None
                elif child.suffix == ".mo":
                    names[child.stem] = None
        except OSError:
            continue
    for name in names:
        entry = _top(library, name)
        if entry is not None:
            yield _class(entry, 4)


def _top(library: Library, name: str) -> ClassEntry | None:
    try:
        return top_class(library, name)
    except (SaltusError, RecursionError):
        return None


def _parts(cursor: Cursor, workspace: Workspace) -> Iterator[Proposal]:
    """The parts of the library by their full names, where the type of a component may stand."""
    if cursor.expected in (Expected.TYPE, Expected.ELEMENT) and not cursor.parents:
        for part in workspace.parts:
            detail = f"{part.kind} {part.name}"
            yield Proposal(part.short, Kind.CLASS, detail, part.description, part.name, 7, part.package)


def _words(words: tuple[str, ...]) -> Iterator[Proposal]:
    for word in words:
        yield Proposal(word, Kind.WORD, rank=8)
