"""Where the name at a place is declared."""

from __future__ import annotations

from saltus.core.source import Span
from saltus.editor.cursor import cursor_at
from saltus.editor.document import Document
from saltus.editor.meaning import Meaning, meaning_at
from saltus.editor.workspace import Workspace


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
