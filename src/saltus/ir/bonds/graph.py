"""Hybrid bond graphs as their text has them: elements, bonds with half arrows, signals, machines.

Every node has its half-open stretch of the text in `start` and `end`; expressions are those of Modelica. A
chain `a -> b -> c` is two bonds. What may be said about an element of a kind, and which bonds it takes, is in
the table `KINDS`, from which the checks, the writer, the lowering and the causality are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from saltus.ir import ast
from saltus.ir.automata.automaton import Automaton
from saltus.ir.automata.lines import Argument, Experiment, Memory, Parameter, Signal


class Ports(Enum):
    """Which bonds an element takes."""

    INTO = "one bond, whose half arrow points to it"
    EITHER = "one bond"
    THROUGH = "one bond that comes in and one that goes out"
    ANY = "any number of bonds"


@dataclass(frozen=True)
class Kind:
    """A kind of elements.

    what     in words
    ports    which bonds it takes
    law      arguments of which exactly one is needed; empty where there is nothing to say
    start    arguments of which one may be given: the value at the start
    """

    what: str
    ports: Ports
    law: tuple[str, ...] = ()
    start: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        return (*self.law, *self.start)


KINDS: Mapping[str, Kind] = {
    "Se": Kind("source of effort", Ports.EITHER, ("e",)),
    "Sf": Kind("source of flow", Ports.EITHER, ("f",)),
    "C": Kind("storage of displacement", Ports.INTO, ("C", "e"), ("q0", "e0")),
    "I": Kind("storage of momentum", Ports.INTO, ("I", "f"), ("p0", "f0")),
    "R": Kind("dissipation", Ports.INTO, ("R", "e", "f")),
    "TF": Kind("transformer", Ports.THROUGH, ("m",)),
    "GY": Kind("gyrator", Ports.THROUGH, ("r",)),
    "MSe": Kind("modulated source of effort", Ports.EITHER, ("e",)),
    "MSf": Kind("modulated source of flow", Ports.EITHER, ("f",)),
    "MR": Kind("modulated dissipation", Ports.INTO, ("R",)),
    "MTF": Kind("modulated transformer", Ports.THROUGH, ("m",)),
    "MGY": Kind("modulated gyrator", Ports.THROUGH, ("r",)),
    "J0": Kind("junction of one effort", Ports.ANY),
    "J1": Kind("junction of one flow", Ports.ANY),
    "X0": Kind("controlled junction of one effort", Ports.ANY),
    "X1": Kind("controlled junction of one flow", Ports.ANY),
}
#: Junctions that a machine switches on and off.
CONTROLLED = frozenset({"X0", "X1"})
SOURCES = frozenset({"Se", "Sf", "MSe", "MSf"})
#: Locations that every machine has.
OFF, ON = "off", "on"


@dataclass(frozen=True)
class Element(ast.Node):
    kind: str
    name: str
    arguments: tuple[Argument, ...] = ()
    description: str = ""
    named: ast.Offsets = (0, 0)

    def argument(self, *names: str) -> Argument | None:
        """The first argument that has one of these names."""
        return next((a for a in self.arguments if a.name in names), None)


@dataclass(frozen=True)
class Bond(ast.Node):
    """The half arrow points from `tail` to `head`; `name` is empty for most."""

    tail: str
    head: str
    name: str = ""
    description: str = ""
    tail_at: ast.Offsets = (0, 0)
    head_at: ast.Offsets = (0, 0)

    @property
    def text(self) -> str:
        return f"{self.tail} -> {self.head}"


@dataclass(frozen=True)
class Machine(ast.Node):
    """What switches the controlled junction of the same name: in locations of `on` it is on."""

    automaton: Automaton
    on: tuple[str, ...] = (ON,)
    named: ast.Offsets = (0, 0)
    begins: ast.Offsets = (0, 0)

    @property
    def name(self) -> str:
        return self.automaton.name


Item: TypeAlias = Parameter | Element | Bond | Signal | Memory | Machine | Experiment


@dataclass(frozen=True)
class Graph(ast.Node):
    name: str
    description: str
    items: tuple[Item, ...]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(i for i in self.items if isinstance(i, Parameter))

    @property
    def elements(self) -> tuple[Element, ...]:
        return tuple(i for i in self.items if isinstance(i, Element))

    @property
    def bonds(self) -> tuple[Bond, ...]:
        return tuple(i for i in self.items if isinstance(i, Bond))

    @property
    def signals(self) -> tuple[Signal, ...]:
        return tuple(i for i in self.items if isinstance(i, Signal))

    @property
    def memories(self) -> tuple[Memory, ...]:
        return tuple(i for i in self.items if isinstance(i, Memory))

    @property
    def machines(self) -> tuple[Machine, ...]:
        return tuple(i for i in self.items if isinstance(i, Machine))

    @property
    def experiment(self) -> Experiment | None:
        return next((i for i in self.items if isinstance(i, Experiment)), None)

    def element(self, name: str) -> Element:
        """The element of this name; there must be one."""
        return next(e for e in self.elements if e.name == name)

    def is_lone(self, name: str) -> bool:
        """Whether no bond leads to an element that is no junction: it takes no part."""
        ports = KINDS[self.element(name).kind].ports
        return ports is not Ports.ANY and all(name not in (b.tail, b.head) for b in self.bonds)

    def named(self) -> Iterator[tuple[str, ast.Offsets, str]]:
        """What has a name, with its place and what it is. Machines have those of their junctions."""
        for item in self.items:
            match item:
                case Parameter(name=name):
                    yield name, (item.start, item.end), "parameter"
                case Element(name=name, kind=kind):
                    yield name, item.named, KINDS[kind].what
                case Bond(name=name) if name:
                    yield name, (item.start, item.end), "bond"
                case Signal(name=name):
                    yield name, (item.start, item.end), "signal"
                case Memory(name=name):
                    yield name, (item.start, item.end), "memory"

    def verify(self) -> None:
        """Names are unique, bonds join elements, every element but a junction has no bond or those that its
        kind takes, and every controlled junction has one machine, which is in order."""
        names = [name for name, _, _ in self.named()]
        assert len(set(names)) == len(names), f"{self.name}: two things have one name"
        kinds = {e.name: e.kind for e in self.elements}
        for bond in self.bonds:
            assert bond.tail in kinds and bond.head in kinds and bond.tail != bond.head, bond.text
        for name, kind in kinds.items():
            into = sum(b.head == name for b in self.bonds)
            out = sum(b.tail == name for b in self.bonds)
            if self.is_lone(name):
                continue
            match KINDS[kind].ports:
                case Ports.INTO:
                    assert (into, out) == (1, 0), name
                case Ports.EITHER:
                    assert into + out == 1, name
                case Ports.THROUGH:
                    assert (into, out) == (1, 1), name
                case Ports.ANY:
                    assert into + out > 0, name
        controlled = [name for name, kind in kinds.items() if kind in CONTROLLED]
        assert sorted(m.name for m in self.machines) == sorted(controlled), f"{self.name}: machines"
        for machine in self.machines:
            machine.automaton.verify()
            assert set(machine.on) <= set(machine.automaton.names), machine.name
