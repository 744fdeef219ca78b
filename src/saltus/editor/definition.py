"""Where the name at a place is declared, and where else it is named."""

from __future__ import annotations

from saltus.core.source import Span
from saltus.editor.cursor import cursor_at
from saltus.editor.document import Document
from saltus.editor.meaning import Meaning, meaning_at
from saltus.editor.workspace import Workspace
from saltus.read.modelica.lexer import NAME


def meant_at(workspace: Workspace, document: Document, offset: int) -> tuple[Meaning, Span] | None:
    """What the name at a place means, and the stretch of that name."""
    cursor = cursor_at(document, offset) if document.is_modelica else None
    if cursor is None or cursor.start == cursor.end:
        return None
    scope = workspace.view(document).class_at(cursor.start)
    meaning = meaning_at(cursor, scope) if scope is not None else None
    return (meaning, Span(document.source, cursor.start, cursor.end)) if meaning is not None else None


def definition(workspace: Workspace, document: Document, offset: int) -> Span | None:
    """The name in the declaration of what is meant at a place; None of what is predefined."""
    found = meant_at(workspace, document, offset)
    return found[0].place if found is not None else None


def references(workspace: Workspace, document: Document, offset: int) -> list[Span]:
    """The places of a document in which what is meant at a place is named, its declaration among them."""
    found = meant_at(workspace, document, offset)
    declared = found[0].place if found is not None else None
    if found is None or declared is None:
        return []
    tokens, places = document.tokens, list[Span]()
    for kind, text, start in zip(tokens.kinds, tokens.texts, tokens.starts, strict=True):
        if kind == NAME and text == found[1].text:
            other = meant_at(workspace, document, start)
            if other is not None and _is_same(other[0].place, declared):
                places.append(other[1])
    return places


def _is_same(one: Span | None, other: Span) -> bool:
    return one is not None and (one.source.path, one.start) == (other.source.path, other.start)
