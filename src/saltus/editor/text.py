"""Places in a text as editors count them: lines and columns from zero, columns in units of an encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from saltus.core.source import Source, Span

#: What a column counts: bytes, units of UTF-16 (the usual case), or characters.
Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]


@dataclass(frozen=True, order=True)
class Position:
    line: int
    column: int


@dataclass(frozen=True)
class Range:
    """From `start` up to `end`."""

    start: Position
    end: Position


def position_of(source: Source, offset: int, encoding: Encoding = "utf-16") -> Position:
    """The position of a character."""
    offset = max(0, min(offset, len(source.text)))
    line, column = source.position(offset)
    if encoding != "utf-32":
        start = source.line_starts[line - 1]
        column = 1 + _units(source.text[start:offset], encoding)
    return Position(line - 1, column - 1)


def offset_of(source: Source, position: Position, encoding: Encoding = "utf-16") -> int:
    """The character at a position; of one behind the end of its line or of the text, that end."""
    if position.line < 0:
        return 0
    if position.line >= len(source.line_starts):
        return len(source.text)
    start = source.line_starts[position.line]
    line = source.line(position.line + 1)
    if encoding == "utf-32" or line.isascii():
        return start + max(0, min(position.column, len(line)))
    units = 0
    for k, character in enumerate(line):
        if units >= position.column:
            return start + k
        units += _units(character, encoding)
    return start + len(line)


def range_of(span: Span, encoding: Encoding = "utf-16") -> Range:
    """The range of a stretch of text."""
    return Range(
        position_of(span.source, span.start, encoding), position_of(span.source, span.end, encoding)
    )


def _units(text: str, encoding: Encoding) -> int:
    if text.isascii() or encoding == "utf-32":
        return len(text)
    # A lone surrogate, which JSON can hold, is one unit of UTF-16 as well.
    return len(text.encode(encoding if encoding == "utf-8" else "utf-16-le", "surrogatepass")) // (
        1 if encoding == "utf-8" else 2
    )
