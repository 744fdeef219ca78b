"""Which parts of two connectors belong together, and why they may not (section 9.3).

The first difference is reported, by the names of the variables that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.ir.flat import Causality, Variability
from saltus.ir.instance import ArrayNode, Instance, Node, Scalar
from saltus.lower.connections.cuts import by_position, is_cut
from saltus.lower.scope.hints import two_sizes_hint
from saltus.lower.scope.values import describe_shape


class Matching:
    """Pairs the variables of two connectors. `free(scalar)` says which variables take any causality: those of
    expandable connectors."""

    def __init__(self, free: Callable[[Scalar], bool], span: Span) -> None:
        self._free = free
        self._span = span

    def pairs(self, a: Node, b: Node) -> Iterator[tuple[Scalar, Scalar]]:
        """The scalars of two nodes that are connected with each other."""
        match a, b:
            case Scalar(), Scalar():
                self._check(a, b)
                yield a, b
            case _:
                for x, y in self.parts(a, b):
                    yield from self.pairs(x, y)

    def parts(self, a: Node, b: Node) -> Iterator[tuple[Node, Node]]:
        """The parts of two nodes that belong together, one level down."""
        match a, b:
            case ArrayNode(), ArrayNode():
                if a.shape != b.shape:
                    raise self._refusal(
                        f"`{a.path}` is {describe_shape(a.shape)}, `{b.path}` {describe_shape(b.shape)}", a, b
                    )
                yield from zip(a.items, b.items, strict=True)
            case Instance(), Instance():
                yield from self._members(a, b)
            case _:
                several = next((n for n in (a, b) if isinstance(n, ArrayNode)), None)
                hint = _whole_hint(a, b) if several is None else _one_of(several)
                raise self._refusal(f"`{a.path}` is {_kind(a)}, `{b.path}` {_kind(b)}", a, b, hint)

    def _members(self, a: Instance, b: Instance) -> Iterator[tuple[Node, Node]]:
        if a.children.keys() != b.children.keys() and (is_cut(a.cls) or is_cut(b.cls)):
            pairs = by_position(a, b)
            if pairs is None:
                message = f"`{a.path}` and `{b.path}` differ in their numbers of potential and flow variables"
                raise self._refusal(message, a, b, "variables of cuts meet by position")
            yield from pairs
            return
        if a.children and b.children and not a.children.keys() & b.children.keys():
            raise self._refusal(
                f"`{a.path}` and `{b.path}` are of different kinds: `{a.cls.full_name}` and "
                f"`{b.cls.full_name}` have no variable in common",
                a,
                b,
                "connect connectors of one kind; to join two kinds use a part with connectors of both, "
                "such as a motor or a sensor",
            )
        for one, other in ((a, b), (b, a)):
            for name, child in one.children.items():
                if child is not None and other.children.get(name) is None:
                    raise self._refusal(
                        f"`{one.path}` ({one.cls.full_name}) has `{name}`, "
                        f"`{other.path}` ({other.cls.full_name}) has not",
                        a,
                        b,
                    )
        for name, x in a.children.items():
            y = b.children.get(name)
            if x is not None and y is not None:
                yield x, y

    def _check(self, a: Scalar, b: Scalar) -> None:
        types = [s.symbol.type.value if s.enumeration is None else "an enumeration" for s in (a, b)]
        if a.symbol.type is not b.symbol.type or a.enumeration != b.enumeration:
            if types[0] == types[1]:
                types = [f"one of {', '.join(s.enumeration or ())}" for s in (a, b)]
            raise self._refusal(f"`{a.path}` is {types[0]}, `{b.path}` is {types[1]}", a, b)
        for one, other in ((a, b), (b, a)):
            for word in ("flow", "stream"):
                if getattr(one, word) and not getattr(other, word):
                    raise self._refusal(f"`{one.path}` is a {word} variable, `{other.path}` is not", a, b)
            if one.variability <= Variability.PARAMETER and other.variability is not one.variability:
                kind = one.variability.name.lower()
                raise self._refusal(f"`{one.path}` is a {kind}, `{other.path}` is not", a, b)
            causal = one.causality is not Causality.LOCAL and other.causality is Causality.LOCAL
            if causal and not self._free(other) and one.variability > Variability.PARAMETER:
                raise self._refusal(
                    f"`{one.path}` is an {one.causality.value}, `{other.path}` is neither input nor output",
                    a,
                    b,
                )

    def _refusal(self, message: str, a: Node, b: Node, hint: str | None = None) -> ModelError:
        notes = tuple(Note(f"`{node.path}` is declared here", _declared(node)) for node in (a, b))
        return model_error("E210", message, self._span, notes=notes, hint=hint)


def _whole_hint(a: Node, b: Node) -> str | None:
    """A variable of a connector is connected with a connector."""
    variable = next((n.path for n in (a, b) if isinstance(n, Scalar) and "." in n.path), None)
    return f"connect `{variable.rpartition('.')[0]}` as a whole" if variable is not None else None


def _declared(node: Node) -> Span:
    """The declaration of a node; for the parts of an array of components, `r.p`, that of the first, since the
    array has none."""
    while isinstance(node, ArrayNode) and node.items:
        node = node.items[0]
    return node.span


def _kind(node: Node) -> str:
    match node:
        case Scalar():
            return f"a {node.symbol.type.value}"
        case ArrayNode():
            return describe_shape(node.shape)
        case Instance():
            return f"a {node.kind} ({node.cls.full_name})"


def _one_of(several: ArrayNode) -> str:
    """How one of them is chosen: the array is that of a component, or of a connector in one."""
    first = several.items[0] if several.items else None
    path = first.path if isinstance(first, ArrayNode | Instance | Scalar) else ""
    return two_sizes_hint(several.path, of_components=not path.startswith(several.path + "["))
