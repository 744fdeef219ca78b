"""Texts with a `|` at the place where the cursor is."""

from __future__ import annotations

from pathlib import Path

from saltus.editor.completion import Proposal, completion
from saltus.editor.cursor import Cursor, cursor_at
from saltus.editor.definition import definition, references
from saltus.editor.document import Document
from saltus.editor.hover import hover
from saltus.editor.signature import signature
from saltus.editor.workspace import Workspace

URI = "file:///Test.mo"


def opened(
    marked: str, workspace: Workspace | None = None, path: Path = Path("/Test.mo")
) -> tuple[Workspace, Document, int]:
    """A document with the text, and the place of the mark."""
    workspace = workspace or Workspace()
    offset = marked.index("|")
    document = workspace.open(URI, path, marked.replace("|", "", 1), 1)
    return workspace, document, offset


def cursor(marked: str) -> Cursor | None:
    _, document, offset = opened(marked)
    return cursor_at(document, offset)


def proposals(marked: str, workspace: Workspace | None = None) -> dict[str, Proposal]:
    """What may be written at the mark, by label."""
    found = completion(*opened(marked, workspace))
    return {proposal.label: proposal for proposal in found.proposals}


def completed(marked: str, label: str) -> str:
    """The text after a proposal was taken."""
    workspace, document, offset = opened(marked)
    found = completion(workspace, document, offset)
    (proposal,) = [p for p in found.proposals if p.label == label]
    text = document.source.text
    return text[: found.start] + proposal.inserted + text[found.end :]


def hovered(marked: str, workspace: Workspace | None = None) -> str:
    """What is said about the name at the mark; nothing if nothing is."""
    found = hover(*opened(marked, workspace))
    return found[0] if found is not None else ""


def named(marked: str) -> list[int]:
    """The lines in which the name at the mark is named."""
    return [span.line for span in references(*opened(marked))]


def called(marked: str) -> tuple[str, int]:
    """The call around the mark, and the number of the argument."""
    found = signature(*opened(marked))
    return (found.label, found.active) if found is not None else ("", 0)


def declared(marked: str, workspace: Workspace | None = None) -> tuple[str, int, str]:
    """File, line and text of the declaration of the name at the mark."""
    place = definition(*opened(marked, workspace))
    assert place is not None
    return Path(place.source.path).name, place.line, place.text
