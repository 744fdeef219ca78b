"""What may be declared in every language that has one statement a line: bond graphs, nets, machines.

Expressions are those of Modelica; all nodes have their stretch of the text.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Signal(ast.Node):
    """A variable with a formula; `integral(u, start)` as the whole formula is an integrator."""

    name: str
    value: ast.Expression
    description: str = ""


@dataclass(frozen=True)
class Memory(ast.Node):
    """A variable that transitions give values; `value` is its first one."""

    name: str
    value: ast.Expression
    description: str = ""


@dataclass(frozen=True)
class Experiment(ast.Node):
    arguments: tuple[Argument, ...]
