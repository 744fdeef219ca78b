"""Processes as their text has them. Expressions are those of Modelica, with names in ASCII.

Variable          h : [m]            n : int           s : {NEG, STOP, POS}
Equation          A*h' = n*Qset - Qo
GuardedEquations  [ b1 -> E1 [] b2 -> E2 ]
Assignment        n := 0             h ::= h0
Process           proc name(parameters) = |[ variables; initialization | equations | statements ]|
Constant          const g : real = 9.81
Experiment        xper Run = |[ name(A = 1) ]|
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from saltus.ir.ast import Expression, Node, Offsets
from saltus.read.chi.names import Declared


@dataclass(frozen=True)
class Variable(Node):
    declared: Declared


@dataclass(frozen=True)
class Equation(Node):
    left: Expression
    right: Expression


@dataclass(frozen=True)
class GuardedEquations(Node):
    """Of the guards that are open, the first one says which equations hold."""

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
    """It happens as soon as the relation holds. Of an equality, both sides are kept as well."""

    relation: Expression
    equality: tuple[Expression, Expression] | None = None


@dataclass(frozen=True)
class TimeOut(Node):
    duration: Expression


Event: TypeAlias = StateEvent | TimeOut


@dataclass(frozen=True)
class Alternative(Node):
    """`guard; event -> body`, of which one of the first two may be missing; `text` is that of both."""

    guard: Expression | None
    event: Event | None
    body: tuple[Statement, ...]
    text: str


@dataclass(frozen=True)
class Selection(Node):
    """Of the alternatives whose guard is open and whose event happens, the first one is taken. A lone event
    is a selection with one alternative."""

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


@dataclass(frozen=True)
class Constant(Node):
    variable: Variable
    value: Expression


@dataclass(frozen=True)
class Instance(Node):
    process: str
    place: Offsets
    arguments: tuple[tuple[str, Expression, Offsets], ...]


@dataclass(frozen=True)
class Experiment(Node):
    """What is run."""

    name: str
    instances: tuple[Instance, ...]


Definition: TypeAlias = Process | Constant | Experiment


@dataclass(frozen=True)
class Text:
    """All that a file defines."""

    definitions: tuple[Definition, ...]

    @property
    def processes(self) -> dict[str, Process]:
        return {d.name: d for d in self.definitions if isinstance(d, Process)}

    @property
    def constants(self) -> tuple[Constant, ...]:
        return tuple(d for d in self.definitions if isinstance(d, Constant))
