"""State machines as data: locations, and transitions between them with guards, priorities and actions.

One noun for everything that is somewhere and goes elsewhere when a condition holds, whichever language it was
written in. Guards and values are expressions of Modelica; all nodes have their stretch of the text.

    Location    where an automaton can be; it has a name
    Action      a variable that gets a value when a transition is taken
    Transition  from one location to another while a guard holds; of several that are enabled the first by
                priority is taken (the smaller number), and of equal ones the first in the text
    Automaton   all of them, and the location in which it begins
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from saltus.ir import ast


@dataclass(frozen=True)
class Location(ast.Node):
    name: str
    description: str = ""


@dataclass(frozen=True)
class Action(ast.Node):
    """`target` gets `value`, computed with the values before the transition and those of the instant."""

    target: ast.Reference
    value: ast.Expression


@dataclass(frozen=True)
class Transition(ast.Node):
    source: str
    target: str
    guard: ast.Expression
    priority: int = 1
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Automaton(ast.Node):
    name: str
    locations: tuple[Location, ...]
    initial: str
    transitions: tuple[Transition, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the locations, in order."""
        return tuple(location.name for location in self.locations)

    def leaving(self, location: str) -> Iterator[Transition]:
        """The transitions from a location, those that go first first."""
        yield from sorted((t for t in self.transitions if t.source == location), key=lambda t: t.priority)

    def reachable(self) -> frozenset[str]:
        """The locations to which transitions lead from the initial one, whatever their guards say."""
        found = {self.initial}
        waiting = [self.initial]
        while waiting:
            for transition in self.leaving(waiting.pop()):
                if transition.target not in found:
                    found.add(transition.target)
                    waiting.append(transition.target)
        return frozenset(found)

    def verify(self) -> None:
        """Locations have different names; what is named is one of them; no transition leads nowhere else."""
        names = self.names
        assert len(set(names)) == len(names), f"{self.name}: two locations have one name"
        assert self.initial in names, f"{self.name}: it begins in {self.initial}, which is no location"
        for transition in self.transitions:
            assert transition.source in names, f"{self.name}: {transition.source} is no location"
            assert transition.target in names, f"{self.name}: {transition.target} is no location"
            assert transition.source != transition.target, f"{self.name}: {transition.source} leads to itself"
            assert self.start <= transition.start <= transition.end <= self.end, f"{self.name}: spans"
