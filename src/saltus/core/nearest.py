"""Known names near an unknown one, for the hints of messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from saltus.core.wording import LISTED, there_are


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


def writable(names: Iterable[str]) -> list[str]:
    """The names that can be written in a model: `$` begins those of the compiler."""
    return [name for name in names if not name.startswith("$")]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The hint, if any name is near."""
    near = nearest(name, known)
    return f"did you mean {' or '.join(f'`{n}`' for n in near)}?" if near else None


def known_hint(
    name: str, known: Iterable[str], owner: str, noun: str = "", told: Sequence[str] | None = None
) -> str | None:
    """The hint for a name that `owner` does not have: the nearest of its names and, if they are few, all
    those in `told` (by default all known). Where none is near, some of many."""
    names = [k for k in writable(dict.fromkeys(known)) if k != name]
    told = names if told is None else told
    near = nearest(name, names, count=1)
    said = [f"did you mean `{near[0]}`?"] if near else []
    if told and (not near or len(told) <= LISTED):
        said.append(there_are(told, owner, noun))
    return " ".join(said) or None
