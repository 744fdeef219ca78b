"""What the statements of a process do, as an automaton.

    Location   where a process waits, chooses, or pauses until equations are solved again
    Step       what is done on the way: an assignment, a choice that needs no waiting, a preparation
    Edge       from one location to another. Without a guard and an event it is taken at once; `otherwise`
               is the one that is taken when the guards of all others are closed

A location with several edges takes the first one whose guard is open and whose event happens. Steps see the
values of continuous variables from before the edge: builders see to it that none of them needs newer ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from saltus.ir.ast import Expression, Node
from saltus.read.chi.syntax import Alternative, Assignment


@dataclass(frozen=True)
class Preparation(Node):
    """What has to be kept when a location is entered whose alternative is this one: until when it waits, on
    which side of zero something is, whether its guard was open."""

    alternative: Alternative


@dataclass(frozen=True)
class Choice(Node):
    """One of the guards is open, whatever the values are."""

    branches: tuple[tuple[Expression, tuple[Step, ...]], ...]


@dataclass(frozen=True)
class Reception(Node):
    """What has come through a channel is kept."""

    channel: str
    target: str


Step: TypeAlias = Assignment | Preparation | Choice | Reception


@dataclass(frozen=True)
class Location(Node):
    name: str


@dataclass(frozen=True)
class Edge(Node):
    source: int
    target: int
    alternative: Alternative | None = None
    otherwise: bool = False
    steps: tuple[Step, ...] = ()

    @property
    def at_once(self) -> bool:
        """Whether nothing is waited for, and nothing is asked."""
        return self.alternative is None and not self.otherwise


@dataclass(frozen=True)
class Automaton(Node):
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    initial: int

    def leaving(self, location: int) -> list[Edge]:
        """The edges from a location, those that go first first."""
        return [edge for edge in self.edges if edge.source == location]

    def verify(self) -> None:
        """Names differ; edges lead to locations; one that is taken at once is the only one; `otherwise` is
        the last one, and there are others."""
        names = [location.name for location in self.locations]
        assert len(set(names)) == len(names), "two locations have one name"
        count = len(self.locations)
        assert 0 <= self.initial < count
        for number in range(count):
            leaving = self.leaving(number)
            assert all(0 <= edge.target < count for edge in leaving)
            assert not any(edge.at_once for edge in leaving) or len(leaving) == 1
            assert not any(edge.otherwise for edge in leaving[:-1])
            assert not leaving or not leaving[0].otherwise
