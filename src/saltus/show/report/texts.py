"""Model texts for the page: those that something points at, whole where they are short.

A place is [text, line, column, length], counted from 0, 1, 1.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from saltus.core.source import Source, Span

#: Lines of a text that is shown whole, and of one around each place of a longer one.
WHOLE, AROUND = 2000, 40

#: Characters of a line.
_WIDEST = 400


class Texts:
    """Collects the sources that are pointed at, each with the lines that are wanted."""

    def __init__(self) -> None:
        self._numbers: dict[Source, int] = {}
        self._wanted: list[set[tuple[int, int]]] = []

    def place(self, span: Span | None) -> list[int] | None:
        """A place on the page."""
        if span is None or not span.source.text:
            return None
        line, column = span.source.position(span.start)
        self._want(span.source, line, line)
        first = span.text.partition("\n")[0]
        return [self._number(span.source), line, column, max(len(first), 1)]

    def want(self, span: Span) -> list[int] | None:
        """A place all lines of which are to be shown, if they are not too many."""
        place = self.place(span)
        if place is not None:
            last = span.source.position(max(span.start, span.end - 1))[0]
            self._want(span.source, place[1], min(last, place[1] + WHOLE))
        return place

    def _want(self, source: Source, first: int, last: int) -> None:
        self._wanted[self._number(source)].add((first, last))

    def _number(self, source: Source) -> int:
        if source not in self._numbers:
            self._numbers[source] = len(self._wanted)
            self._wanted.append(set())
        return self._numbers[source]

    def told(self) -> list[dict[str, Any]]:
        """All texts, each in stretches of lines."""
        return [
            {
                "name": _name(source),
                "path": source.path,
                "parts": [
                    {"first": first, "lines": [source.line(k)[:_WIDEST] for k in range(first, last + 1)]}
                    for first, last in _stretches(self._wanted[number], len(source.line_starts))
                ],
            }
            for source, number in self._numbers.items()
        ]


def _name(source: Source) -> str:
    """The name of a source, as short as possible; the file of a package with its folder."""
    parts = PurePath(source.path).parts
    return "/".join(parts[-2:] if parts[-1:] == ("package.mo",) else parts[-1:]) or "model"


def _stretches(wanted: set[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """First and last lines of the stretches that are shown."""
    if count <= WHOLE:
        return [(1, count)]
    found: list[tuple[int, int]] = []
    for first, last in sorted(wanted):
        first, last = max(1, first - AROUND), min(count, last + AROUND)
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return found
