"""Numbers and lists in the sentences of this stage's messages."""

from __future__ import annotations

from collections.abc import Sequence

#: Names and places listed in a message before "and k more".
LISTED = 8


def listed(names: Sequence[str]) -> str:
    """Names, quoted, the first few of many."""
    quoted = [f"`{n}`" for n in names[:LISTED]]
    more = len(names) - LISTED
    if more > 0:
        return f"{', '.join(quoted)} and {more} more"
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1] if quoted else ""]))


def number(count: int, noun: str) -> str:
    """`1 equation`, `2 equations`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
