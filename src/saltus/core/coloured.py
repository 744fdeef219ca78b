"""Rendered diagnostics in the colours of a terminal. Notebooks show these, too, in colours of their theme."""

from __future__ import annotations

import re
from collections.abc import Iterator

_RED, _YELLOW, _CYAN, _DIM = "31;1", "33;1", "36", "2"

#: What a line of a rendered diagnostic looks like, and its colour; only the first group is coloured.
_LINES = (
    (re.compile(r"^(error\[\w+\][^:]*:)"), _RED),
    (re.compile(r"^(warning\[\w+\][^:]*:)"), _YELLOW),
    (re.compile(r"^\s+\| +(\^+)$"), _RED),
    (re.compile(r"^(\s+hint:)"), _CYAN),
    (re.compile(r"^(\s+note:)"), _CYAN),
    (re.compile(r"^(\s*--> .*)$"), _DIM),
)


def coloured(text: str) -> Iterator[str]:
    """The lines of what `render` has made."""
    for line in text.splitlines():
        found = next(((m, colour) for pattern, colour in _LINES if (m := pattern.match(line))), None)
        if found is None:
            yield line
        else:
            match, colour = found
            begin, end = match.span(1)
            yield f"{line[:begin]}\x1b[{colour}m{line[begin:end]}\x1b[0m{line[end:]}"
