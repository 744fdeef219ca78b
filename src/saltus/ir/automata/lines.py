"""What may be declared in every language that has one statement a line: bond graphs, nets, machines.

Expressions are those of Modelica; all nodes have their stretch of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from saltus.ir import ast


@dataclass(frozen=True)
class Argument(ast.Node):
    """`name = value`"""

    name: str
    value: ast.Expression


@dataclass(frozen=True)
class Parameter(ast.Node):
    name: str
    value: ast.Expression
    description: str = ""
    type_name: str = ""  # Real, Integer or Boolean, where the text says it


@dataclass(frozen=True)
class Signal(ast.Node):
    """A variable with a formula; `integral(u, start)` as the whole formula is an integrator."""

    name: str
    value: ast.Expression
    description: str = ""
    type_name: str = ""  # Real, Integer or Boolean, where the text says it


@dataclass(frozen=True)
class Memory(ast.Node):
    """A variable that transitions give values; `value` is its first one."""

    name: str
    value: ast.Expression
    description: str = ""
    type_name: str = ""  # Real, Integer or Boolean, where the text says it


@dataclass(frozen=True)
class Experiment(ast.Node):
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Continuous(ast.Node):
    """A variable that changes continuously; `value` is its first one. An equation has its derivative."""

    name: str
    value: ast.Expression
    description: str = ""


@dataclass(frozen=True)
class Variable(ast.Node):
    """What equations determine."""

    name: str
    type_name: str = ""
    description: str = ""


@dataclass(frozen=True)
class Input(ast.Node):
    """What a model that has this one as its part has to give."""

    name: str
    type_name: str
    description: str = ""


@dataclass(frozen=True)
class Part(ast.Node):
    """A component of a class of Modelica."""

    type_name: ast.Reference
    name: str
    arguments: tuple[Argument, ...] = ()
    description: str = ""


@dataclass(frozen=True)
class Equation(ast.Node):
    left: ast.Expression
    right: ast.Expression
    description: str = ""


@dataclass(frozen=True)
class Connection(ast.Node):
    left: ast.Reference
    right: ast.Reference


#: What the languages of automata declare besides their own things.
Valued: TypeAlias = Parameter | Signal | Memory
Declared: TypeAlias = Valued | Continuous | Variable | Input | Part | Equation | Connection | Experiment


def named(item: Declared) -> tuple[str, ast.Offsets, str] | None:
    """The name of what has one, with its place and what it is."""
    match item:
        case Equation() | Connection() | Experiment():
            return None
    word = "continuous variable" if isinstance(item, Continuous) else type(item).__name__.lower()
    return item.name, (item.start, item.end), word
