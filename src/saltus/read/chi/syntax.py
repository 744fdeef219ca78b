"""Processes as their text has them. Expressions are those of Modelica, with names in ASCII.

variables      h : [m]    n : int    s : {NEG, STOP, POS}    a : !real
equations      A*h' = n*Qset - Qo    [ b1 -> E1 [] b2 -> E2 ]
statements     n := 0    h ::= h0    skip    *[ S ]    *[ b -> S ]    [ b; nabla r -> S [] delta t -> S2 ]
events         nabla h > hset    nabla v = 0    delta 2.5    a!x    a?x
definitions    proc name(parameters) = |[ variables; initialization | equations | statements ]|
               const g : real = 9.81
               syst S(te : real) = |[ c : -int | P(c) || m2 : M(c, te) ]|    xper Run = |[ P(A = 1) ]|
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from saltus.ir.ast import Call, Expression, Node, Offsets, Reference
from saltus.read.chi.names import Declared


@dataclass(frozen=True)
class Variable(Node):
    declared: Declared


@dataclass(frozen=True)
class Part(Node):
    """`plant : Package.Tank(A = 2)`, a model of another language."""

    name: str
    class_name: Reference
    arguments: tuple[tuple[str, Expression, Offsets], ...]


@dataclass(frozen=True)
class Equation(Node):
    left: Expression
    right: Expression


@dataclass(frozen=True)
class GuardedEquations(Node):
    """Guarded equations: the first open guard selects the equations that hold."""

    branches: tuple[tuple[Expression, tuple[ContinuousItem, ...]], ...]


ContinuousItem: TypeAlias = Equation | GuardedEquations


@dataclass(frozen=True)
class Assignment(Node):
    """`name := value`, or `name ::= value` of a continuous variable."""

    name: str
    value: Expression
    continuous: bool


@dataclass(frozen=True)
class Skip(Node):
    pass


@dataclass(frozen=True)
class StateEvent(Node):
    """An event that happens as soon as the relation holds. An equality also keeps both of its sides."""

    relation: Expression
    equality: tuple[Expression, Expression] | None = None


@dataclass(frozen=True)
class TimeOut(Node):
    duration: Expression


@dataclass(frozen=True)
class Send(Node):
    """An event that happens when another process receives."""

    channel: str
    value: Expression | None


@dataclass(frozen=True)
class Receive(Node):
    channel: str
    target: str | None


Event: TypeAlias = StateEvent | TimeOut | Send | Receive


@dataclass(frozen=True)
class Alternative(Node):
    """`guard; event -> body`, of which one of the first two may be missing; `text` is that of both."""

    guard: Expression | None
    event: Event | None
    body: tuple[Statement, ...]
    text: str


@dataclass(frozen=True)
class Selection(Node):
    """A selection takes the first alternative whose guard is open and whose event happens. A single event is
    a selection with one alternative."""

    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class Repetition(Node):
    """For ever, or as long as a guard is open."""

    body: tuple[Statement, ...] | Selection


Statement: TypeAlias = Assignment | Skip | Selection | Repetition


@dataclass(frozen=True)
class Process(Node):
    name: str
    parameters: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    initialization: tuple[Assignment, ...]
    equations: tuple[ContinuousItem, ...]
    statements: tuple[Statement, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Constant(Node):
    variable: Variable
    value: Expression


@dataclass(frozen=True)
class Instance(Node):
    name: str
    process: str
    place: Offsets
    arguments: tuple[tuple[str, Expression, Offsets], ...]


@dataclass(frozen=True)
class System(Node):
    """Processes side by side, and the channels between them."""

    name: str
    parameters: tuple[Variable, ...]
    channels: tuple[Variable, ...]
    instances: tuple[Instance, ...]


Definition: TypeAlias = Process | Constant | System


def assignments(node: object) -> Iterator[Assignment]:
    """All that are in statements."""
    if isinstance(node, tuple):
        for part in node:
            yield from assignments(part)
    elif isinstance(node, Assignment):
        yield node
    elif isinstance(node, Selection | Alternative | Repetition):
        for value in vars(node).values():
            yield from assignments(value)


def assigned(node: object) -> set[str]:
    """The variables that statements give values."""
    found = {assignment.name for assignment in assignments(node)}
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, Receive) and part.target is not None:
            found.add(part.target)
        elif isinstance(part, Selection | Alternative | Repetition):
            waiting += vars(part).values()
    return found


def derivatives(node: object) -> Iterator[str]:
    """The variables of which equations have a derivative."""
    if isinstance(node, tuple):
        for part in node:
            yield from derivatives(part)
    elif isinstance(node, Call) and node.function.text == "der":
        (of,) = node.args
        if isinstance(of, Reference):
            yield of.text
    elif isinstance(node, Node):
        for value in vars(node).values():
            yield from derivatives(value)


@dataclass(frozen=True)
class Text:
    """All that a file defines."""

    definitions: tuple[Definition, ...]

    @property
    def processes(self) -> dict[str, Process]:
        return {d.name: d for d in self.definitions if isinstance(d, Process)}

    @property
    def systems(self) -> dict[str, System]:
        return {d.name: d for d in self.definitions if isinstance(d, System)}

    @property
    def constants(self) -> tuple[Constant, ...]:
        return tuple(d for d in self.definitions if isinstance(d, Constant))
