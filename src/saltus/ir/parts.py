"""Parts of a program that an instant keeps apart: what happens at an event in one of them leaves the others
as they are.

Two numbers of the memory belong together if something that is computed at an event depends on both, and both
may change at that instant. What cannot change then, the time, parameters, states that nothing lets jump and
all that follows from these alone, is an input: many parts may read it. So a chain of masses with friction has
a part for each mass, since positions do not jump, and a thousand rectifiers have a thousand.

An event in which only relations of one part have fired is done with the entries of that part: its relations,
its discrete variables, its states, and of every routine the *turns* of loops that compute its numbers
(`emit.layout.parts` finds them, `emit.driver` goes through them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

#: The routines of an event, each of which can be carried out for one part alone.
PART_ROUTINES = (
    "depart", "approach", "presume", "fire", "evaluate", "entry", "enter", "relations", "settle_update",
    "commit", "checks", "forget", "crossings", "lower", "books",
)  # fmt: skip

#: A routine, and which turns of its loop: from the first to the one before the last number. Where both are
#: `ALL`, it is no loop, and all of it is carried out.
Turns: TypeAlias = tuple[str, int, int]
ALL = -1


def turns_name(routine: str) -> str:
    """The native function that carries out some turns of a loop."""
    return f"{routine}.turns"


@dataclass(frozen=True, eq=False)
class Part:
    """One part. `relations` and `discretes` are numbers of entries; `states` those that may jump in it, and
    `around` all states that its values depend on. `slots` are all numbers that its routines write, and those
    of its relations, variables and states: who looks at other values for a moment has to keep these."""

    relations: tuple[int, ...]
    discretes: tuple[int, ...]
    states: tuple[int, ...]
    around: tuple[int, ...]
    slots: tuple[int, ...]
    turns: Mapping[str, tuple[Turns, ...]]


@dataclass(frozen=True, eq=False)
class Parts:
    """All parts with relations, and the one that each relation belongs to."""

    parts: tuple[Part, ...]
    of_relation: tuple[int, ...]

    @property
    def loops(self) -> frozenset[str]:
        """The routines of which single turns are carried out."""
        turns = (one for part in self.parts for own in part.turns.values() for one in own)
        return frozenset(name for name, first, _ in turns if first != ALL)

    def verify(self) -> None:
        """Every relation is in one part, and every part has the turns of all routines."""
        for k, number in enumerate(self.of_relation):
            assert k in self.parts[number].relations, k
        assert sum(len(part.relations) for part in self.parts) == len(self.of_relation)
        for part in self.parts:
            assert set(part.turns) == set(PART_ROUTINES)
