"""Models of the Dymola language of 1993, as their text has them.

Expressions are those of Modelica, with `new(x)`, `init(x)`, `der2(x)` as calls and `Time` as a name. Every
node has its half-open stretch of the text. `note` is the comment in braces behind a declaration.

    Variable, Declaration    parameter R = 1
    CutVariable, Cut         main cut A (Va / i)      main cut C [A B]
    Path                     main path P <A - B>
    Part, Submodel           submodel (Resistor) R1(R = 100), R2(R = 20)
    NodeNames                node n0, n1
    Series, Parallel         Common - ((U0 - Ri)//C)
    Connection, Connections  connect R1 from n1 to n0, Common at n0
    Equation, When           C * der(u) = i           when h <= 0 then ... endwhen
    Interface, Port          what other classes see of a class
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from saltus.ir.ast import Expression, Node, Offsets, Reference

Kind = TypeVar("Kind")

#: What a declared variable may be.
TERMINAL, LOCAL, PARAMETER, CONSTANT, INPUT, OUTPUT = (
    "terminal", "local", "parameter", "constant", "input", "output",
)  # fmt: skip
KINDS = (TERMINAL, LOCAL, PARAMETER, CONSTANT, INPUT, OUTPUT)


@dataclass(frozen=True)
class Comment(Node):
    """`{text}` on lines of its own."""

    text: str


@dataclass(frozen=True)
class Variable(Node):
    """One name of a declaration. The value of a parameter or constant is its own, that of another variable
    the one with which it starts."""

    name: str
    value: Expression | None = None
    note: str = ""


@dataclass(frozen=True)
class Declaration(Node):
    kind: str
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class CutVariable(Node):
    """A variable of a cut; its name is empty for `.`, where the model does not use it."""

    name: str
    negative: bool = False


@dataclass(frozen=True)
class Cut(Node):
    """A cut with its variables, or one that consists of others, by name."""

    name: str
    across: tuple[CutVariable, ...] = ()
    through: tuple[CutVariable, ...] = ()
    parts: tuple[tuple[str, Offsets], ...] = ()
    main: bool = False
    note: str = ""


@dataclass(frozen=True)
class Path(Node):
    """A way through a model, from one cut to another."""

    name: str
    first: Reference
    last: Reference
    main: bool = False
    note: str = ""


@dataclass(frozen=True)
class Part(Node):
    """One submodel, with what is said about its parameters and about where its variables start."""

    name: str
    arguments: tuple[tuple[str, Expression, Offsets], ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Submodel(Node):
    """Submodels of one class. Without names there is one, named like its class."""

    class_name: Reference
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class NodeNames(Node):
    names: tuple[tuple[str, Offsets], ...]


@dataclass(frozen=True)
class Series(Node):
    """`a - b - c`"""

    items: tuple[Way, ...]


@dataclass(frozen=True)
class Parallel(Node):
    """`a // b // c`"""

    items: tuple[Way, ...]


#: What can be connected: a submodel, a cut, a path or a node by name, or several of them.
Way: TypeAlias = Reference | Series | Parallel


@dataclass(frozen=True)
class Connection(Node):
    """`way`, `way at target` or `way from first to last`. Several targets are the parts of one cut."""

    way: Way
    at: tuple[Reference, ...] = ()
    first: tuple[Reference, ...] = ()
    last: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class Connections(Node):
    items: tuple[Connection, ...]


@dataclass(frozen=True)
class Equation(Node):
    left: Expression
    right: Expression
    note: str = ""


@dataclass(frozen=True)
class When(Node):
    condition: Expression
    items: tuple[Equation, ...]
    note: str = ""


Item: TypeAlias = Comment | Declaration | Cut | Path | Submodel | NodeNames | Connections | Equation | When


@dataclass(frozen=True)
class Model(Node):
    """`model class (Base) Name ... end`, or `model Name ... end`. `named` is the place of its name,
    `experiment` that of the comment that says how it is run."""

    name: str
    is_class: bool
    base: Reference | None
    items: tuple[Item, ...]
    note: str = ""
    named: Offsets = (0, 0)
    experiment: Offsets | None = None

    def of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """Its items of one kind, in order."""
        return tuple(item for item in self.items if isinstance(item, kind))


# ---------------------------------------------------------------- seen from outside

#: Types of variables, as Modelica names them.
REAL, BOOLEAN, INTEGER = "Real", "Boolean", "Integer"


@dataclass(frozen=True)
class Port:
    """A cut as others connect it. `signature` has the types of its across and through variables; None where
    they are those of a connector of Modelica, about which the connection decides."""

    name: str
    signature: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    parts: tuple[Port, ...] = ()


@dataclass(frozen=True)
class Seen:
    """A variable as others see it. `declared_in` is the class that declares it."""

    name: str
    kind: str
    declared_in: str
    type: str | None = None
    is_state: bool = False


@dataclass(frozen=True)
class Interface:
    """What others see of a class, in whatever language it is written."""

    name: str
    ports: Mapping[str, Port] = field(default_factory=dict)
    main_cut: str | None = None
    paths: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    main_path: str | None = None
    variables: Mapping[str, Seen] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    #: Where it is in Modelica, if it cannot be found by its own name.
    full_name: str = ""
    #: The model and those of its text that it extends, the nearest first; none of a class of Modelica.
    written: tuple[Model, ...] = ()
