"""Petri nets: places with tokens, and transitions that move them.

    Place       holds tokens, at most as many as its capacity
    Arc         joins a place and a transition, with a weight
    Transition  takes tokens from the places before it and puts tokens at those behind it when it fires
    Net         all of them, and what is declared beside them

The token game goes in rounds. In a round the transitions are asked one after the other: those of smaller
priority first, equal ones in the order of the text. One fires if each place before it has still as many
tokens as the arc wants, each place behind it has still room, no inhibitor holds it back and its condition is
true. "Still" counts what those that fire before it in this round take and give; what is given in a round may
be taken in the next one, and what is taken makes room in the next one. But the tokens that a transition
itself takes from a place make room for those that it puts there. At one instant there are as many rounds as
it takes until none fires. For places that hold at most one token these are the rules of Cellier's lecture
(2013).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from saltus.ir import ast
from saltus.ir.automata.automaton import Action
from saltus.ir.automata.lines import Continuous, Declared, Experiment, Memory, Parameter, named


@dataclass(frozen=True)
class Place(ast.Node):
    """Without `tokens` it is empty at the start, without `capacity` it has that of its net, or none."""

    name: str
    tokens: ast.Expression | None = None
    capacity: ast.Expression | None = None
    description: str = ""
    named: ast.Offsets = (0, 0)


@dataclass(frozen=True)
class Arc(ast.Node):
    """Without `weight` it is one."""

    place: str
    weight: ast.Expression | None = None


@dataclass(frozen=True)
class Transition(ast.Node):
    """`inhibitors` hold it back while their places have as many tokens as their weights, or more. `condition`
    has to be true; where `edge` is said it has to become true at that instant. With a `delay` the transition
    fires when it has been able to for so long."""

    name: str
    inputs: tuple[Arc, ...] = ()
    outputs: tuple[Arc, ...] = ()
    inhibitors: tuple[Arc, ...] = ()
    condition: ast.Expression | None = None
    edge: bool = False
    delay: ast.Expression | None = None
    priority: int = 1
    actions: tuple[Action, ...] = ()
    description: str = ""
    named: ast.Offsets = (0, 0)

    @property
    def arcs(self) -> tuple[Arc, ...]:
        return (*self.inputs, *self.outputs, *self.inhibitors)

    @property
    def moving(self) -> tuple[Arc, ...]:
        """The arcs along which tokens move."""
        return (*self.inputs, *self.outputs)

    def taking(self, place: str) -> Arc | None:
        """The arc by which it takes tokens from a place."""
        return next((a for a in self.inputs if a.place == place), None)


Item: TypeAlias = Place | Transition | Declared


@dataclass(frozen=True)
class Net(ast.Node):
    name: str
    description: str
    items: tuple[Item, ...]
    capacity: ast.Expression | None = None

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(i for i in self.items if isinstance(i, Place))

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """In the order of the text."""
        return tuple(i for i in self.items if isinstance(i, Transition))

    @property
    def in_turn(self) -> tuple[Transition, ...]:
        """In the order in which they are asked."""
        return tuple(sorted(self.transitions, key=lambda t: t.priority))

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(i for i in self.items if isinstance(i, Parameter))

    @property
    def settable(self) -> tuple[Memory | Continuous, ...]:
        """What the actions of transitions may set."""
        return tuple(i for i in self.items if isinstance(i, Memory | Continuous))

    @property
    def experiment(self) -> Experiment | None:
        return next((i for i in self.items if isinstance(i, Experiment)), None)

    def capacity_of(self, place: Place) -> ast.Expression | None:
        """Its own, or that of the net."""
        return place.capacity if place.capacity is not None else self.capacity

    def named(self) -> Iterator[tuple[str, ast.Offsets, str]]:
        """What has a name, with its place and what it is."""
        for item in self.items:
            match item:
                case Place() | Transition():
                    yield item.name, item.named, type(item).__name__.lower()
                case _:
                    found = named(item)
                    if found is not None:
                        yield found

    def verify(self) -> None:
        """Names are unique; arcs join transitions with places, each of a kind once; actions set what may be
        set."""
        names = [name for name, _, _ in self.named()]
        assert len(set(names)) == len(names), f"{self.name}: two things have one name"
        places = {p.name for p in self.places}
        settable = {m.name for m in self.settable}
        for transition in self.transitions:
            for arcs in (transition.inputs, transition.outputs, transition.inhibitors):
                ends = [a.place for a in arcs]
                assert places.issuperset(ends), f"{transition.name}: no such place"
                assert len(set(ends)) == len(ends), f"{transition.name}: two arcs to one place"
            assert settable.issuperset(a.target.text for a in transition.actions), transition.name
            assert not (transition.edge and transition.delay is not None), transition.name
