"""Numbers and lists in the sentences of messages."""

from __future__ import annotations

from collections.abc import Sequence

#: Names and places listed in a message before "and k more".
LISTED = 8


def listed(names: Sequence[str], most: int = LISTED) -> str:
    """Names, quoted, the first few of many: "`a`, `b` and `c`", or "`a`, `b` and 3 more"."""
    quoted = [f"`{n}`" for n in names[:most]]
    more = len(names) - most
    if more > 0:
        return f"{', '.join(quoted)} and {more} more"
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1] if quoted else ""]))


def number(count: int, noun: str) -> str:
    """`1 equation`, `2 equations`, `2 aliases`."""
    plural = "es" if noun.endswith("s") else "s"
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{plural}"


def there_are(names: Sequence[str], owner: str, noun: str = "") -> str:
    """What `owner` has: "`d` has `p` and `n`", or with a noun "the connectors of `d` are `p` and `n`"."""
    if not noun:
        return f"{owner} has {listed(names)}"
    if len(names) == 1:
        return f"the only {noun} of {owner} is `{names[0]}`"
    return f"the {noun}s of {owner} are {listed(names)}"
