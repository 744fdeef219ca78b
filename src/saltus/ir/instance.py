"""The tree of components: classes resolved, modifiers applied, arrays of components written out.

This is the one representation that grows while it is looked at: sizes and conditions of a component may
need the values of others, in any order, so children are made when first asked for
(`lower.instances.instantiate`) and `verify()` checks that the finished tree is complete.

    Scalar      a variable of a predefined type
    ArrayNode   elements in row-major order, each a node
    Instance    a component of a model, block, connector or record class
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from saltus.core.source import Span
from saltus.expr.nodes import Expr, Symbol
from saltus.ir.flat import Causality, Variability


class Attributes(Protocol):
    """The attributes of a scalar by name; its binding has the name `value`."""

    def __call__(self, name: str) -> Expr | None: ...

    def place(self, name: str) -> Span | None:
        """Where it is given, if it is."""
        ...


@dataclass(eq=False)
class Scalar:
    """A scalar variable. `attribute(name)` gives a declared attribute or the binding (name `value`)."""

    symbol: Symbol
    variability: Variability
    span: Span
    attribute: Attributes
    causality: Causality = Causality.LOCAL
    flow: bool = False
    stream: bool = False
    protected: bool = False
    final: bool = False
    in_connector: bool = False
    enumeration: tuple[str, ...] | None = None
    description: str = ""
    structural: bool = False  # set when its value is used at translation

    @property
    def path(self) -> str:
        return self.symbol.name


@dataclass(eq=False)
class ArrayNode:
    """`record` is the name of the record class that the elements are of, where there are none to tell it;
    `index_types` has a value of the type that each dimension is indexed by, where that is known."""

    path: str
    shape: tuple[int, ...]
    items: tuple[Node, ...]
    span: Span
    record: str = ""
    index_types: tuple[Expr, ...] = ()


@dataclass(eq=False)
class Instance:
    """`cls` is the class entry and `layout` its flattened elements (both of the lowering stage; here they
    are only carried). `child(name)` makes or finds a component; None if it was removed by its condition."""

    path: str
    cls: Any
    layout: Any
    span: Span
    parent: Instance | None
    modifier: Any
    variability: Variability
    protected: bool = False
    causality: Causality = Causality.LOCAL
    flow: bool = False
    stream: bool = False
    in_connector: bool = False  # it is a connector or part of one
    children: dict[str, Node | None] = field(default_factory=dict)
    #: `outer` components: other names for the `inner` ones of instances around this one.
    outers: dict[str, Node] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """model, block, connector, record, ..."""
        return str(self.cls.kind)

    def member_path(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


Node: TypeAlias = Scalar | ArrayNode | Instance


def scalars(node: Node) -> Iterator[Scalar]:
    """All scalars below a node, in declaration order."""
    match node:
        case Scalar():
            yield node
        case ArrayNode():
            for item in node.items:
                yield from scalars(item)
        case Instance():
            for child in node.children.values():
                if child is not None:
                    yield from scalars(child)


def instances(node: Node) -> Iterator[Instance]:
    """All instances at and below a node, parents first."""
    match node:
        case ArrayNode():
            for item in node.items:
                yield from instances(item)
        case Instance():
            yield node
            for child in node.children.values():
                if child is not None:
                    yield from instances(child)


def verify(root: Instance, declared: Callable[[Instance], Mapping[str, Any]]) -> None:
    """Every declared component was made, and no name occurs twice."""
    names: set[str] = set()
    for instance in instances(root):
        missing = set(declared(instance)) - set(instance.children) - set(instance.outers)
        assert not missing, f"{instance.path}: {missing}"
    for scalar in scalars(root):
        assert scalar.path not in names, f"{scalar.path} exists twice"
        names.add(scalar.path)
