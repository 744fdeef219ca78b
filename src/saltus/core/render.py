"""Diagnostics as text for people: place, quoted line, carets, notes, hint; at most one screen."""

from __future__ import annotations

from collections.abc import Iterable

from saltus.core.message import Diagnostic, Note
from saltus.core.source import Span

SCREEN = 30


def render(diagnostics: Iterable[Diagnostic], limit: int = SCREEN) -> str:
    """All diagnostics, shortened to `limit` lines: whole ones first, the rest counted."""
    blocks = [render_one(d).splitlines() for d in diagnostics]
    lines: list[str] = []
    for index, block in enumerate(blocks):
        left = len(blocks) - index
        room = limit - len(lines) - (1 if left > 1 else 0)
        if len(block) > room:
            if index == 0:
                lines += [*block[: limit - 1], f"... {left - 1} more" if left > 1 else "..."]
            else:
                lines.append(f"... and {left} more")
            break
        lines += block
    return "\n".join(lines)


def render_one(diagnostic: Diagnostic) -> str:
    word = diagnostic.severity.value
    lines = [f"{word}[{diagnostic.code}] {diagnostic.title}: {diagnostic.message}"]
    if diagnostic.span is not None:
        lines += _quote(diagnostic.span, "^")
    for note in diagnostic.notes:
        lines += _note(note)
    lines += [f"  {line}" for line in diagnostic.within]
    if diagnostic.advice:
        lines.append(f"  hint: {diagnostic.advice}")
    return "\n".join(lines)


def _note(note: Note) -> list[str]:
    if note.span is None:
        return [f"  note: {note.message}"]
    line = note.span.line
    quoted = _printable(note.span.source.line(line).strip())
    return [f"  note: {note.message}", f"    --> {note.span}: {quoted[:90]}"]


def _quote(span: Span, mark: str) -> list[str]:
    line, column = span.source.position(span.start)
    text = span.source.line(line)
    width = max(1, min(span.end - span.start, len(text) - column + 1))
    # Tabs are one caret wide; a very long line is shown around the place.
    shift = max(0, column - 80) if len(text) > 110 else 0
    shown = _printable(text[shift : shift + 110])
    width = min(width, max(1, 110 - (column - 1 - shift)))
    gutter = str(line)
    pad = " " * len(gutter)
    return [
        f"{pad}--> {span.source.path}:{line}:{column}",
        f"{gutter} | {shown}",
        f"{pad} | {' ' * (column - 1 - shift)}{mark * width}",
    ]


def _printable(text: str) -> str:
    """One column a character, and nothing that a terminal would obey: a file may hold anything."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in text)
