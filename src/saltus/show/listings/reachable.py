"""Markings that a net can come to, in words: how many there are, bounds, deadlocks and the ways to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from saltus.core.wording import listed, number
from saltus.ir.automata.reachable import Reachable, Step

#: The numbers of markings listed with the steps that leave them, and of deadlocks listed with a path.
_LISTED, _DEADLOCKS = 40, 5


def reachable_text(found: Reachable) -> str:
    """The listing of `saltus explain --reachable`."""
    return "\n".join([*_lines(found), ""])


def _lines(found: Reachable) -> Iterator[str]:
    yield f"REACHABLE MARKINGS OF {found.name}"
    more = "at least " if found.growing else ""
    yield f"  {more}{number(len(found.situations), 'marking')}, {number(len(found.steps), 'step')}"
    yield ""
    yield "BOUNDS"
    bounds: dict[int, list[str]] = {}
    for place, most in found.bounds.items():
        if place not in found.growing:
            bounds.setdefault(most, []).append(place)
    for most, places in sorted(bounds.items()):
        yield f"  {most}: {', '.join(places)}"
    for place, ways in found.growing.items():
        yield f"  without bound: {place}, by {' and '.join(ways)}"
    if found.never:
        yield ""
        yield f"NEVER FIRES: {listed(found.never, len(found.never))}"
    yield ""
    yield from _deadlocks(found)
    yield ""
    yield "GRAPH"
    for k, marking in enumerate(found.situations[:_LISTED]):
        yield f"  {k}: {_marking(marking)}"
        for step in found.leaving.get(k, ()):
            yield f"      {_step(step)} -> {step.target}"
    if len(found.situations) > _LISTED:
        yield f"  ... and {number(len(found.situations) - _LISTED, 'further marking')}"


def _deadlocks(found: Reachable) -> Iterator[str]:
    if not found.deadlocks:
        yield "NO DEADLOCK" if not found.growing else "NO DEADLOCK among these"
        return
    yield f"DEADLOCKS: {len(found.deadlocks)}"
    for k in found.deadlocks[:_DEADLOCKS]:
        yield f"  {k}: {_marking(found.situations[k])}"
        way = found.way_to(k)
        yield f"      by {_way(way)}" if way else "      at the start"
    if len(found.deadlocks) > _DEADLOCKS:
        yield f"  ... and {len(found.deadlocks) - _DEADLOCKS} more"


def _marking(marking: Mapping[str, int]) -> str:
    held = [place if n == 1 else f"{n}*{place}" for place, n in marking.items() if n]
    return " + ".join(held) or "no tokens"


def _step(step: Step) -> str:
    return " and ".join(step.transitions)


def _way(way: Sequence[Step]) -> str:
    return ", then ".join(map(_step, way))
