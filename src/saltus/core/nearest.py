"""Known names near an unknown one, for the hints of messages."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """At most `count` names, the most likely first.

    Case is forgiven; so is leaving out the components in front: `v` is near `body.v`.
    """
    names = list(dict.fromkeys(known))
    folded = name.lower()
    found = [k for k in names if k.lower() == folded]
    found += [k for k in names if k.lower().endswith("." + folded)]
    found += get_close_matches(name, names, n=count)
    return list(dict.fromkeys(found))[:count]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The hint, if any name is near."""
    near = nearest(name, known)
    return f"did you mean {' or '.join(f'`{n}`' for n in near)}?" if near else None
