"""Connections: which cuts meet, and the `connect` equations that say so.

What can be connected is a way: two ends, left and right. A submodel with a main path is one; a cut and a
node are ways whose ends are the same. In a series `a - b` the right end of `a` meets the left one of `b`; in
parallel `a // b` the left ends meet, and the right ends. `a at n` connects the main cut of `a`,
`a from n to m` its ends. A cut that consists of others meets its counterpart part by part, by position and
not by name.

Ends that meet are sets that are merged (Tarjan's union-find). A node is nothing but such a set; it has no
variables of its own, and has the parts of what it is connected with.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

from saltus.core.diagnostics import Note, model_error
from saltus.core.nearest import did_you_mean
from saltus.core.wording import listed
from saltus.ir import ast
from saltus.ir.dymola import (
    Connection,
    Connections,
    Interface,
    Model,
    NodeNames,
    Parallel,
    Port,
    Series,
    Way,
)
from saltus.read.dymola.scope import Text


@dataclass(eq=False)
class _Meeting:
    """Cuts that meet. `anchor` is the first of them, by its path."""

    anchor: tuple[str, ...] | None = None
    merged: _Meeting | None = None
    place: ast.Node | None = None

    def root(self) -> _Meeting:
        node = self
        while node.merged is not None:
            node = node.merged
        return node


@dataclass(frozen=True)
class _End:
    """One end: a cut of a submodel or of the model itself, several cuts, or a node."""

    node: ast.Node
    path: tuple[str, ...]
    port: Port | None = None  # None for a node
    several: tuple[_End, ...] = ()

    @property
    def text(self) -> str:
        return ".".join(self.path)


@dataclass(eq=False)
class Wiring:
    """The connections of one model."""

    text: Text
    model: Model
    own: Interface
    _cuts: dict[tuple[str, ...], _Meeting] = field(default_factory=dict)
    _nodes: dict[tuple[str, ...], _Meeting] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes = {
            name: place
            for each in (*self.text.bases(self.model), self.model)
            for item in each.of(NodeNames)
            for name, place in item.names
        }

    def connects(self, item: Connections) -> Iterator[ast.Connect]:
        """The equations of a `connect`."""
        for connection in item.items:
            yield from self._connection(connection)

    def _connection(self, connection: Connection) -> Iterator[ast.Connect]:
        way = connection.way
        if connection.at:
            yield from self._join(self._whole(way), self._target(connection.at), connection)
            return
        if not connection.first and isinstance(way, ast.Reference):
            hint = f"write `{way.text} at n`, `{way.text} from n to m`, or `{way.text} - other`"
            message = f"`{way.text}` is connected to nothing"
            raise model_error("E210", message, self.text.at(connection), hint=hint)
        left, right = yield from self._ends(way)
        if connection.first:
            yield from self._join(left, self._target(connection.first), connection)
            yield from self._join(right, self._target(connection.last), connection)

    # ------------------------------------------------------------ ways

    def _ends(self, way: Way) -> Generator[ast.Connect, None, tuple[_End, _End]]:
        """Joins what is inside of a way; returns its ends."""
        match way:
            case Series(items=items):
                left, right = yield from self._ends(items[0])
                for item in items[1:]:
                    start, end = yield from self._ends(item)
                    yield from self._join(right, start, way)
                    right = end
                return left, right
            case Parallel(items=items):
                left, right = yield from self._ends(items[0])
                for item in items[1:]:
                    start, end = yield from self._ends(item)
                    yield from self._join(left, start, way)
                    yield from self._join(right, end, way)
                return left, right
            case _:
                return self._of_name(way)

    def _of_name(self, name: ast.Reference) -> tuple[_End, _End]:
        """The ends of a submodel, cut, path or node."""
        names = tuple(n for n, _ in name.parts)
        if len(names) == 1 and names[0] in self.nodes:
            return _End(name, names), _End(name, names)
        owner, before, rest = self._owner(name, names)
        if not rest:
            if owner.main_path is not None:
                return self._path(name, owner, before, owner.main_path)
            if owner.main_cut is not None:
                end = self._port(name, owner, before, owner.main_cut)
                return end, end
            hint = f"declare `main path P <A - B>` in `{owner.name}`, or name its cuts: `{name.text}.A`"
            raise model_error("E210", f"`{owner.name}` has no main path", self.text.at(name), hint=hint)
        if rest in owner.paths:
            return self._path(name, owner, before, rest)
        end = self._port(name, owner, before, rest)
        return end, end

    def _whole(self, way: Way) -> _End:
        """The main cut of a submodel, or what else stands before `at`."""
        if not isinstance(way, ast.Reference):
            hint = "write `from` and `to`: it has two ends"
            raise model_error("E210", "only one thing is connected `at` a node", self.text.at(way), hint=hint)
        names = tuple(n for n, _ in way.parts)
        if len(names) == 1 and names[0] in self.nodes:
            return _End(way, names)
        owner, before, rest = self._owner(way, names)
        if rest in owner.paths and rest not in owner.ports:
            hint = "write `from` and `to`: it has two ends"
            raise model_error("E210", f"`{way.text}` is a path", self.text.at(way), hint=hint)
        if rest:
            return self._port(way, owner, before, rest)
        if owner.main_cut is not None:
            return self._port(way, owner, before, owner.main_cut)
        if owner.main_path is not None:
            left, right = self._path(way, owner, before, owner.main_path)
            return _End(way, before, None, (left, right))
        only = list(owner.ports)
        if len(only) == 1:
            return self._port(way, owner, before, only[0])
        hint = f"declare a `main cut` in `{owner.name}`, or name one: `{way.text}.{only[0] if only else 'A'}`"
        raise model_error("E210", f"`{owner.name}` has no main cut", self.text.at(way), hint=hint)

    def _owner(self, name: ast.Reference, names: tuple[str, ...]) -> tuple[Interface, tuple[str, ...], str]:
        """The class in which the last name is looked up, the submodels before it, and the name."""
        owner = self.own
        for k, each in enumerate(names):
            if each not in owner.parts:
                if (k == len(names) - 1 and k > 0) or each in owner.ports or each in owner.paths:
                    return owner, names[:k], ".".join(names[k:])
                raise self._unknown(name, each, owner, k)
            part = self.text.interface(owner.parts[each])
            if part is None:
                raise model_error("E201", f"there is no class `{owner.parts[each]}`", self.text.at(name))
            owner = part
        return owner, names, ""

    def _unknown(self, name: ast.Reference, each: str, owner: Interface, k: int) -> Exception:
        known = [*owner.parts, *owner.ports, *owner.paths, *(self.nodes if k == 0 else ())]
        where = f"`{owner.name}`"
        if each in owner.variables:
            hint: str | None = "a variable is not connected: write an equation, or put it into a cut"
            message = f"`{each}` is a variable of {where}"
            return model_error("E210", message, self.text.at(name), hint=hint)
        hint = did_you_mean(each, known) or "declare it as a `submodel`, `node` or `cut`"
        message = f"{where} has no submodel, cut or node `{each}`"
        return model_error("E201", message, self.text.at(name), hint=hint)

    def _path(
        self, name: ast.Reference, owner: Interface, before: tuple[str, ...], path: str
    ) -> tuple[_End, _End]:
        first, last = owner.paths[path]
        return self._port(name, owner, before, first), self._port(name, owner, before, last)

    def _port(self, name: ast.Reference, owner: Interface, before: tuple[str, ...], cut: str) -> _End:
        if cut not in owner.ports:
            hint = did_you_mean(cut, [*owner.ports, *owner.paths])
            if hint is None and owner.ports:
                hint = f"its cuts are {listed(list(owner.ports))}"
            if cut in owner.variables:
                hint = "a variable is not connected: write an equation, or put it into a cut"
            message = f"`{owner.name}` has no cut `{cut}`"
            raise model_error("E201", message, self.text.at(name), hint=hint)
        return _End(name, (*before, cut), owner.ports[cut])

    def _target(self, names: Sequence[ast.Reference]) -> _End:
        if len(names) == 1:
            return self._whole(names[0])
        several = tuple(self._whole(name) for name in names)
        return _End(names[0], (), None, several)

    # ------------------------------------------------------------ meeting

    def _join(self, a: _End, b: _End, place: ast.Node) -> Iterator[ast.Connect]:
        """Lets two ends meet, part by part."""
        parts_a, parts_b = self._parts(a), self._parts(b)
        if parts_a is None and parts_b is None:
            yield from self._leaves(a, b, place)
            return
        parts_a = parts_a if parts_a is not None else self._like(a, len(parts_b or ()))
        parts_b = parts_b if parts_b is not None else self._like(b, len(parts_a or ()))
        if parts_a is None or parts_b is None or len(parts_a) != len(parts_b):
            sizes = [(e, 1 if p is None else len(p)) for e, p in ((a, parts_a), (b, parts_b))]
            said = " and ".join(f"`{e.text}` has {n}" if e.path else f"there are {n}" for e, n in sizes)
            message = f"these cuts have different numbers of parts: {said}"
            hint = "connect their parts by name, such as `a.A at b.B`"
            raise model_error("E210", message, self.text.at(place), hint=hint)
        for x, y in zip(parts_a, parts_b, strict=True):
            yield from self._join(x, y, place)

    def _parts(self, end: _End) -> tuple[_End, ...] | None:
        if end.several:
            return end.several
        if end.port is not None and end.port.parts:
            before = end.path[:-1]
            return tuple(_End(end.node, (*before, p.name), p) for p in end.port.parts)
        return None

    def _like(self, end: _End, count: int) -> tuple[_End, ...] | None:
        """A node has as many parts as what it meets; a cut has those that it has."""
        if end.port is not None:
            return None
        return tuple(_End(end.node, (*end.path, str(k))) for k in range(count))

    def _leaves(self, a: _End, b: _End, place: ast.Node) -> Iterator[ast.Connect]:
        self._check(a, b, place)
        one, other = self._meeting(a).root(), self._meeting(b).root()
        if one is other:
            return
        if one.anchor is not None and other.anchor is not None:
            # The cuts that are named here, not the first of each set: so people find them in the text.
            left = a.path if a.port is not None else one.anchor
            right = b.path if b.port is not None else other.anchor
            yield ast.Connect(place.start, place.end, _reference(a.node, left), _reference(b.node, right))
        keep, drop = (one, other) if one.anchor is not None else (other, one)
        drop.merged = keep

    def _meeting(self, end: _End) -> _Meeting:
        if end.port is None:
            return self._nodes.setdefault(end.path, _Meeting())
        return self._cuts.setdefault(end.path, _Meeting(end.path))

    def _check(self, a: _End, b: _End, place: ast.Node) -> None:
        """Cuts that meet have as many variables on each side."""
        if a.port is None or b.port is None or a.port.signature is None or b.port.signature is None:
            return
        if a.port.signature == b.port.signature:
            return
        said = [f"`{e.text}` has {_signature(e.port.signature)}" for e in (a, b)]  # type: ignore[union-attr]
        notes = tuple(Note(f"`{e.text}`", self.text.at(e.node)) for e in (a, b))
        message = f"cuts that meet must be alike: {said[0]}, {said[1]}"
        hint = "their variables meet by position; `.` stands for one that a model does not use"
        raise model_error("E210", message, self.text.at(place), notes=notes, hint=hint)


def _signature(signature: tuple[tuple[str, ...], tuple[str, ...]] | None) -> str:
    assert signature is not None
    across, through = signature
    return f"{len(across)} across and {len(through)} through" + (
        " (some are true or false)" if "Boolean" in (*across, *through) else ""
    )


def _reference(node: ast.Node, path: tuple[str, ...]) -> ast.Reference:
    return ast.Reference(node.start, node.end, tuple((name, ()) for name in path))
