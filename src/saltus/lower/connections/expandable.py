"""Expandable connectors: section 9.1.3 of the specification.

What is declared in an expandable connector, a bus, is only potentially there; a connection to it makes it
present. A connection may also name what is not declared: the bus then gets a component of that name, like the
one on the other side. Buses that are connected with each other get all that any of them has. After that they
are ordinary connectors, and what no connection has made present is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr.nodes import FALSE, Expr, Symbol, Type, const
from saltus.ir.flat import Causality, Variability
from saltus.ir.instance import ArrayNode, Element, Instance, Node, Scalar, scalars
from saltus.lower.classes.connector_classes import is_expandable
from saltus.lower.instances.modifiers import said_about, say_about
from saltus.lower.scope.context import Context
from saltus.lower.scope.values import index_tuples

#: A component of a bus, or one element of an array of them.
Key = tuple[str, tuple[int, ...] | None]

#: What a component that a connection introduces takes over from the one on the other side.
_TAKEN_OVER = frozenset({"unit", "displayUnit", "quantity", "nominal", "min", "max"})


def is_bus(node: Node | None) -> bool:
    return isinstance(node, Instance) and node.in_connector and is_expandable(node.cls)


@dataclass(frozen=True, eq=False)
class Undeclared:
    """A component of a bus that a connection names and no declaration. `indices` are its elements that are
    meant, None if it has no subscripts; `shape` is what they are together."""

    bus: Instance
    name: str
    indices: tuple[tuple[int, ...], ...] | None
    shape: tuple[int, ...]
    span: Span

    @property
    def path(self) -> str:
        return self.bus.member_path(self.name)


@dataclass(eq=False)
class _Element:
    """What the buses of a group have under one key. `like` is a component to make others after; for a bus in
    a bus it is one of those that are connected by way of the buses they are in."""

    like: Node
    present: bool = False

    @property
    def nested(self) -> bool:
        return is_bus(self.like)


@dataclass(eq=False)
class _Group:
    """Buses that are connected with each other, and so have the same components."""

    buses: list[Instance] = field(default_factory=list)
    elements: dict[Key, _Element] = field(default_factory=dict)


class Buses:
    """All expandable connectors of a model."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._groups: dict[Instance, _Group] = {}
        self._owner: dict[Scalar, _Element] = {}
        self.declared: set[Scalar] = set()
        self.introduced: list[Scalar] = []
        self.absent: dict[Symbol, Scalar] = {}  # declared, but no connection made them present
        self.defaults: list[Scalar] = []  # elements of arrays that nothing is connected to

    def __contains__(self, scalar: Scalar) -> bool:
        """Whether a variable is part of a bus."""
        return scalar in self._owner

    # ------------------------------------------------------------ what there is

    def add(self, bus: Instance) -> None:
        """Takes in a bus with what is declared in it."""
        if bus in self._groups:
            return
        for name, element in bus.layout.elements.items():
            if element.clause.connection == "flow":
                raise model_error(
                    "E210",
                    f"`{name}` is a flow variable in the expandable connector `{bus.cls.full_name}`",
                    element.span,
                    hint="a bus may contain connectors that have flow variables, but none of its own",
                )
            _refuse_value(self._context, bus, element)
        group = self._groups[bus] = _Group([bus])
        for name, child in bus.children.items():
            for key, node in _keys(name, child):
                if is_bus(node):
                    assert isinstance(node, Instance)
                    self.add(node)
                    group.elements[key] = _Element(node)
                    continue
                made = group.elements[key] = _Element(node)
                for scalar in scalars(node):
                    self._owner[scalar] = made
                    self.declared.add(scalar)
                parts = list(scalars(node))
                made.present = bool(parts) and all(s.variability <= Variability.PARAMETER for s in parts)

    def mark(self, node: Node) -> None:
        """A connection names a component, or a part of one, that is declared in a bus."""
        for scalar in scalars(node):
            element = self._owner.get(scalar)
            if element is not None:
                element.present = True

    def connect(self, a: Instance, b: Instance) -> None:
        """Two buses are connected: they have the same components from now on."""
        waiting = [(a, b)]
        while waiting:
            a, b = waiting.pop()
            self.add(a)
            self.add(b)
            into, other = self._groups[a], self._groups[b]
            if into is other:
                continue
            if len(into.buses) < len(other.buses):
                into, other = other, into
            into.buses += other.buses
            for bus in other.buses:
                self._groups[bus] = into
            for key, element in other.elements.items():
                known = into.elements.setdefault(key, element)
                if known is element:
                    continue
                known.present |= element.present
                for scalar in (s for n in (element.like,) if not is_bus(n) for s in scalars(n)):
                    self._owner[scalar] = known
                if known.nested and element.nested:
                    assert isinstance(known.like, Instance) and isinstance(element.like, Instance)
                    waiting.append((known.like, element.like))
                elif known.nested or element.nested:
                    raise _mixed(known.like, element.like)

    def introduce(self, missing: Undeclared, like: Node) -> None:
        """A connection names what is not declared in its bus."""
        self.add(missing.bus)
        items = [like]
        keys: list[Key] = [(missing.name, None)]
        if missing.indices is not None:
            if missing.shape:
                items = _items(like, missing)
            keys = [(missing.name, i) for i in missing.indices]
        elif isinstance(like, ArrayNode):
            items = list(like.items)
            keys = [(missing.name, i) for i in index_tuples(like.shape)]
        for key, item in zip(keys, items, strict=True):
            self._introduce(missing.bus, key, item)

    def _introduce(self, bus: Instance, key: Key, like: Node) -> None:
        group = self._groups[bus]
        known = group.elements.get(key)
        if not is_bus(like):
            if known is None:
                group.elements[key] = _Element(like, present=True)
            elif known.nested:
                raise _mixed(known.like, like)
            else:
                known.present = True
            return
        assert isinstance(like, Instance)
        if known is not None and known.nested:
            assert isinstance(known.like, Instance)
            self.connect(known.like, like)
            return
        self.add(like)
        nested = self._new_bus(bus, key, like)
        self._groups[bus].elements[key] = _Element(nested)
        self.connect(nested, like)

    def _new_bus(self, bus: Instance, key: Key, like: Instance) -> Instance:
        nested = replace(like, path=_path(bus, key), parent=bus, protected=bus.protected, children={})
        bus.children[_child_name(key)] = nested
        self.add(nested)
        return nested

    # ------------------------------------------------------------ elaboration

    def elaborate(self) -> None:
        """Gives every bus what its group has, and takes away what is not present."""
        self._nest()
        for group in {id(g): g for g in self._groups.values()}.values():
            names = dict.fromkeys(name for name, _ in group.elements)
            for name in names:
                keys = {k: e for k, e in group.elements.items() if k[0] == name}
                for bus in group.buses:
                    self._complete(bus, name, keys)

    def _nest(self) -> None:
        """Buses in buses, until all of a group have them: a new one may bring others with it."""
        stable = False
        while not stable:
            stable = True
            for group in list({id(g): g for g in self._groups.values()}.values()):
                for key, element in list(group.elements.items()):
                    for bus in group.buses if element.nested else ():
                        if _existing(bus, key) is None:
                            assert isinstance(element.like, Instance)
                            self.connect(self._new_bus(bus, key, element.like), element.like)
                            stable = False

    def _complete(self, bus: Instance, name: str, keys: dict[Key, _Element]) -> None:
        present = [k for k, e in keys.items() if e.present or e.nested]
        if not present:
            gone = bus.children.get(name)
            if gone is not None:
                self.absent |= {scalar.symbol: scalar for scalar in scalars(gone)}
            if name in bus.layout.elements:  # a bus that a connection introduced never had it
                bus.children[name] = None
            return
        whole = keys.get((name, None))
        if whole is not None:
            if len(keys) > 1:
                raise _mixed(*(e.like for e in list(keys.values())[:2]))
            if bus.children.get(name) is None:
                bus.children[name] = self._made(bus, (name, None), whole)
            return
        indices = [i for _, i in keys if i is not None]
        if len({len(i) for i in indices}) > 1:
            raise _mixed(*(e.like for e in list(keys.values())[:2]))
        shape = tuple(max(sizes) for sizes in zip(*indices, strict=True))
        some = keys[present[0]]
        items: list[Node] = []
        for index in index_tuples(shape):
            element = keys.get((name, index))
            node = _existing(bus, (name, index))
            if node is None:
                node = self._made(bus, (name, index), element or some)
            if element is None or not (element.present or element.nested):
                self.defaults += scalars(node)
            items.append(node)
        for index in index_tuples(shape):
            bus.children.pop(_child_name((name, index)), None)
        bus.children[name] = ArrayNode(bus.member_path(name), shape, tuple(items), bus.span)

    def _made(self, bus: Instance, key: Key, element: _Element) -> Node:
        node = self._copy(element.like, _path(bus, key), bus)
        for scalar in scalars(node):
            self._owner[scalar] = element
            self.introduced.append(scalar)
        return node

    def _copy(self, node: Node, path: str, parent: Instance) -> Node:
        """A component like another one, in a bus: neither input nor output, without a value of its own."""
        made: Node
        match node:
            case Scalar():
                made = replace(
                    node,
                    symbol=Symbol(path, node.symbol.type),
                    attribute=_TakenOver(node),
                    causality=Causality.LOCAL,
                    protected=parent.protected,
                    in_connector=True,
                )
                self._context.components.scalars[made.symbol] = made
                if made.stream:
                    self._context.connections.stream_holders[made.symbol] = parent
            case ArrayNode():
                pairs = zip(index_tuples(node.shape), node.items, strict=True)
                items = [self._copy(n, f"{path}[{','.join(map(str, i))}]", parent) for i, n in pairs]
                made = ArrayNode(path, node.shape, tuple(items), node.span)
            case Instance():
                made = replace(
                    node,
                    path=path,
                    parent=parent,
                    protected=parent.protected,
                    causality=Causality.LOCAL,
                    in_connector=True,
                    children={},
                )
                say_about(self._context, made, said_about(self._context, node))
                for name, child in node.children.items():
                    made.children[name] = None if child is None else self._copy(child, f"{path}.{name}", made)
        if node in self._context.components.types:
            self._context.components.types[made] = self._context.components.types[node]
        return made

    def found(self, missing: Undeclared) -> Node:
        """What a connection that named something undeclared means, after the elaboration."""
        node = missing.bus.children.get(missing.name)
        assert node is not None
        if missing.indices is None:
            return node
        assert isinstance(node, ArrayNode)
        offsets = {index: k for k, index in enumerate(index_tuples(node.shape))}
        items = tuple(node.items[offsets[i]] for i in missing.indices)
        return ArrayNode(node.path, missing.shape, items, missing.span) if missing.shape else items[0]


class _TakenOver:
    """The attributes of a component that a connection introduces."""

    def __init__(self, like: Scalar) -> None:
        self._like = like

    def place(self, name: str) -> Span | None:
        """Where the attribute of that component is given."""
        return self._like.attribute.place(name)

    def __call__(self, name: str) -> Expr | None:
        if name in _TAKEN_OVER or self._like.variability <= Variability.PARAMETER:
            return self._like.attribute(name)
        return None


def _refuse_value(context: Context, bus: Instance, element: Element) -> None:
    """What is only potentially there cannot be given a value by a modification."""
    given = said_about(context, bus).parts.get(element.name)
    fixed = element.clause.variability in ("parameter", "constant")
    if given is not None and given.value is not None and not fixed:
        raise model_error(
            "E210",
            f"`{element.name}` is only potentially there in the expandable connector `{bus.path}`; "
            "it cannot be given a value",
            given.value.span,
            hint="connect an output to it",
        )


def _keys(name: str, child: Node | None) -> Iterator[tuple[Key, Node]]:
    if isinstance(child, ArrayNode):
        for index, item in zip(index_tuples(child.shape), child.items, strict=True):
            yield (name, index), item
    elif child is not None:
        yield (name, None), child


def _items(like: Node, missing: Undeclared) -> list[Node]:
    if not isinstance(like, ArrayNode) or like.shape != missing.shape:
        raise model_error(
            "E210", f"`{like.path}` has not as many elements as `{missing.path}` is to get", missing.span
        )
    return list(like.items)


def _child_name(key: Key) -> str:
    """Elements of an array that grows have a name each until its size is known."""
    name, index = key
    return name if index is None else f"{name}[{','.join(map(str, index))}]"


def _path(bus: Instance, key: Key) -> str:
    return bus.member_path(_child_name(key))


def _existing(bus: Instance, key: Key) -> Node | None:
    name, index = key
    node = bus.children.get(name)
    if index is None:
        return node
    if isinstance(node, ArrayNode) and len(index) == len(node.shape):
        sizes = list(zip(index, node.shape, strict=True))
        offset = 0
        for i, n in sizes:
            offset = offset * n + i - 1
        return node.items[offset] if all(i <= n for i, n in sizes) else None
    return bus.children.get(_child_name(key))


def _mixed(a: Node, b: Node) -> ModelError:
    return model_error(
        "E210",
        f"`{a.path}` and `{b.path}` have the same name in connected buses, but differ",
        b.span,
        notes=(Note(f"`{a.path}` is declared here", a.span),),
    )


def default_value(scalar: Scalar) -> Expr:
    """What an element of a bus has that is there only because its neighbours are."""
    match scalar.symbol.type:
        case Type.BOOLEAN:
            return FALSE
        case Type.INTEGER:
            return const(1 if scalar.enumeration else 0)
        case Type.STRING:
            return const("")
        case _:
            return const(0.0)
