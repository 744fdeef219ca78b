"""Where an automaton can come to: markings of nets, or sets of active states, and the ways between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """What happens in one round: from one situation to another, by their numbers."""

    source: int
    target: int
    transitions: tuple[str, ...]


@dataclass(frozen=True)
class Reachable:
    """Situations in the order in which they are found, starting with the initial one; each is described by
    the tokens of its places. `bounds` are the largest numbers of tokens; `deadlocks` are situations in which
    no transition has its tokens; `never` are transitions that never fire; `growing` are places whose tokens
    have no bound, with the ways that make more of them: then not all situations are known."""

    name: str
    situations: tuple[Mapping[str, int], ...]
    steps: tuple[Step, ...]
    deadlocks: tuple[int, ...]
    bounds: Mapping[str, int]
    never: tuple[str, ...]
    growing: Mapping[str, tuple[str, ...]]

    def verify(self) -> None:
        """Steps lead from situations to situations, and the first one is there."""
        count = len(self.situations)
        assert count > 0, self.name
        for step in self.steps:
            assert 0 <= step.source < count, self.name
            assert 0 <= step.target < count, self.name
        assert all(0 <= k < count for k in self.deadlocks), self.name

    def way_to(self, situation: int) -> tuple[Step, ...]:
        """A shortest way from the start."""
        before: dict[int, Step] = {}
        waiting = [0]
        for here in waiting:
            for step in self.leaving.get(here, ()):
                if step.target not in before and step.target != 0:
                    before[step.target] = step
                    waiting.append(step.target)
        found = []
        while situation in before:
            found.append(before[situation])
            situation = before[situation].source
        return tuple(reversed(found))

    @property
    def leaving(self) -> Mapping[int, tuple[Step, ...]]:
        """The steps by the situation that they leave."""
        found: dict[int, list[Step]] = {}
        for step in self.steps:
            found.setdefault(step.source, []).append(step)
        return {k: tuple(steps) for k, steps in found.items()}
