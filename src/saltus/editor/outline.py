"""The classes and components of a document as a tree, and the stretches that can be folded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from saltus.core.source import Span
from saltus.editor.document import Document
from saltus.editor.elements import named
from saltus.editor.workspace import Workspace
from saltus.ir import ast
from saltus.ir.instance import ClassEntry
from saltus.read.modelica.lexer import ANNOTATION


class Symbol(Enum):
    """What an entry is, in the words of the protocol."""

    PACKAGE = "package"
    CLASS = "class"
    CONNECTOR = "interface"
    FUNCTION = "function"
    RECORD = "struct"
    TYPE = "type_parameter"
    PARAMETER = "constant"
    VARIABLE = "variable"
    COMPONENT = "object"


_KINDS = {
    "package": Symbol.PACKAGE,
    "connector": Symbol.CONNECTOR,
    "function": Symbol.FUNCTION,
    "record": Symbol.RECORD,
    "type": Symbol.TYPE,
}


@dataclass(frozen=True)
class Entry:
    """A class or a component; `name_span` is in `span`."""

    name: str
    detail: str
    symbol: Symbol
    span: Span
    name_span: Span
    inner: tuple[Entry, ...] = ()


def outline(workspace: Workspace, document: Document) -> tuple[Entry, ...]:
    """The classes of a document with what is in them. Of other languages than Modelica, the models alone."""
    if document.is_modelica and document.syntax.source is not document.source:
        return ()  # an earlier tree: its places are not those of the text
    return tuple(
        _class(entry, inside=document.is_modelica) for entry in workspace.view(document).classes
    )


def _class(cls: ClassEntry, *, inside: bool = True) -> Entry:
    definition = cls.definition
    span = cls.at(definition)
    inner: list[Entry] = []
    for element in cls.elements if inside else ():
        if isinstance(element, ast.ClassDefinition):
            inner.append(_class(ClassEntry(element, cls.source, cls, cls.library)))
        elif isinstance(element, ast.ComponentClause):
            inner += (_component(element, declaration, cls) for declaration in element.declarations)
    symbol = _KINDS.get(definition.kind, Symbol.CLASS)
    name = _within(span, _name(span, definition.name))
    return Entry(definition.name, definition.description, symbol, span, name, tuple(inner))


def _component(clause: ast.ComponentClause, declaration: ast.Declaration, cls: ClassEntry) -> Entry:
    type_ = named(clause.type_name, cls)
    if clause.variability in ("parameter", "constant"):
        symbol = Symbol.PARAMETER
    elif isinstance(type_, ClassEntry) and type_.kind in ("model", "block"):
        symbol = Symbol.COMPONENT
    elif isinstance(type_, ClassEntry) and type_.kind == "connector":
        symbol = Symbol.CONNECTOR
    else:
        symbol = Symbol.VARIABLE
    span = cls.at(declaration)
    name = Span(span.source, span.start, min(span.end, span.start + len(declaration.name)))
    return Entry(declaration.name, clause.type_name.text, symbol, span, name)


def _name(span: Span, name: str) -> Span:
    """The name of a class in its text."""
    start = span.source.text.find(name, span.start, span.end)
    return Span(span.source, start, start + len(name)) if start >= 0 else span


def _within(span: Span, inner: Span) -> Span:
    start = max(span.start, min(inner.start, span.end))
    return Span(span.source, start, max(start, min(inner.end, span.end)))


# ---------------------------------------------------------------- folding


def folds(document: Document) -> list[tuple[int, int]]:
    """Pairs of lines, from 0: the first and the last one of what can be folded."""
    if not document.is_modelica or document.syntax.source is not document.source:
        return []
    source, found = document.source, set[tuple[int, int]]()
    for start, end in _stretches(document):
        first, last = source.position(start)[0] - 1, source.position(max(start, end - 1))[0] - 1
        if last > first:
            found.add((first, last))
    return sorted(found)


def _stretches(document: Document) -> Iterator[tuple[int, int]]:
    tokens = document.tokens
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        if kind == ANNOTATION:
            yield start, end
    waiting: list[ast.Node] = list(document.syntax.tree.classes)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.ClassDefinition():
                yield node.start, node.end
                if isinstance(node.body, ast.LongBody):
                    waiting += (e for e in node.body.elements if isinstance(e, ast.ClassDefinition))
                    waiting += node.body.sections
            case ast.Section():
                yield node.start, node.end
                waiting += node.items
            case ast.IfEquation() | ast.WhenEquation():
                yield node.start, node.end
                waiting += (item for _, items in node.branches for item in items)
            case ast.ForEquation() | ast.WhileStatement():
                yield node.start, node.end
                waiting += node.items
