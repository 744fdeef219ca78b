"""Connection sets: chapter 9 of the specification.

Every connect joins two connectors, scalar by scalar. Potentials of a set are equal; flows of a set sum to
zero, those of outside connectors (the connectors of the component the connect stands in) with a minus. A flow
that is in no set from outside is zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.expr.nodes import FALSE, ZERO, Expr, Op, Type, add, const, neg, ref, relation
from saltus.ir import ast
from saltus.ir.flat import Assert, Causality, Clause, Equation, Variability
from saltus.ir.instance import ArrayNode, Instance, Node, Scalar, scalars
from saltus.lower.context import Context, Scope
from saltus.lower.references import Removed, find_node
from saltus.lower.values import describe_shape

End: TypeAlias = tuple[Scalar, bool]  # True: seen from inside its component, an outside connector


@dataclass(frozen=True, eq=False)
class _Join:
    a: End
    b: End
    span: Span


class Connections:
    """All connections of a model."""

    def __init__(self) -> None:
        self._joins: list[_Join] = []

    def connect(self, context: Context, item: ast.Connect, scope: Scope) -> None:
        try:
            a, outside_a = self._end(context, item.left, scope)
            b, outside_b = self._end(context, item.right, scope)
        except Removed:
            return  # a connection with a component that its condition removed goes with it (section 4.4.5)
        self._join(a, outside_a, b, outside_b, scope.at(item))

    def _end(self, context: Context, reference: ast.Reference, scope: Scope) -> tuple[Node, bool]:
        node = find_node(context, reference, scope)
        span = scope.at(reference)
        if not isinstance(node, (Scalar, ArrayNode, Instance)):
            raise model_error("E210", "a connector cannot be chosen by a varying index", span)
        if not _is_connector(node):
            raise model_error(
                "E210",
                f"`{reference.text}` is not a connector",
                span,
                hint="connect joins components of connector classes",
            )
        # a.b is outside only if it belongs to a connector of this very component: a itself is a connector.
        first = ast.Reference(reference.start, reference.end, (reference.parts[0],))
        holder = node if len(reference.parts) == 1 else find_node(context, first, scope)
        outside = isinstance(holder, (Scalar, ArrayNode, Instance)) and _is_connector(holder)
        return node, outside

    def _join(self, a: Node, outside_a: bool, b: Node, outside_b: bool, span: Span) -> None:
        match a, b:
            case ArrayNode(), ArrayNode():
                if a.shape != b.shape:
                    raise model_error(
                        "E210",
                        f"`{a.path}` is {describe_shape(a.shape)}, `{b.path}` {describe_shape(b.shape)}",
                        span,
                    )
                for x, y in zip(a.items, b.items, strict=True):
                    self._join(x, outside_a, y, outside_b, span)
            case Instance(), Instance():
                self._join_members(a, outside_a, b, outside_b, span)
            case Scalar(), Scalar():
                if a.symbol.type is not b.symbol.type:
                    raise model_error(
                        "E210",
                        f"`{a.path}` is {a.symbol.type.value}, `{b.path}` is {b.symbol.type.value}",
                        span,
                    )
                if a.flow is not b.flow:
                    raise model_error(
                        "E210", f"only one of `{a.path}` and `{b.path}` is a flow variable", span
                    )
                self._joins.append(_Join((a, outside_a), (b, outside_b), span))
            case _:
                raise model_error("E210", f"`{a.path}` and `{b.path}` do not fit together", span)

    def _join_members(self, a: Instance, outside_a: bool, b: Instance, outside_b: bool, span: Span) -> None:
        names_a = {n for n, child in a.children.items() if child is not None}
        names_b = {n for n, child in b.children.items() if child is not None}
        if names_a != names_b:
            lone = sorted(names_a ^ names_b)
            raise model_error(
                "E210",
                f"`{a.path}` ({a.cls.full_name}) and `{b.path}` ({b.cls.full_name}) "
                "have different variables: " + ", ".join(f"`{n}`" for n in lone),
                span,
            )
        for name in a.children:
            x, y = a.children[name], b.children[name]
            if x is not None and y is not None:
                self._join(x, outside_a, y, outside_b, span)

    def equations(self, context: Context, root: Instance) -> list[Clause]:
        """The equations all connections and missing connections mean."""
        sets, place = self._sets()
        found: list[Clause] = []
        for members in sets:
            first = members[0][0]
            if first.variability <= Variability.PARAMETER:
                found += [_same(context, first, other, place[other, side]) for other, side in members[1:]]
            elif first.flow:
                found.append(_sum(members, place[members[0]]))
            else:
                _refuse_two_sources(members, place)
                # An input of the model itself comes last: `x = u` uses u, it does not determine it.
                members.sort(key=_is_input_of_model)
                first = members[0][0]
                for other, side in members[1:]:
                    if other is not first:
                        found.append(Equation(ref(first.symbol), ref(other.symbol), place[other, side]))
        for scalar in scalars(root):
            if scalar.flow and scalar.in_connector and (scalar, False) not in place:
                found.append(Equation(ref(scalar.symbol), ZERO, scalar.span, _owner(scalar)))
        return found

    def _sets(self) -> tuple[list[list[End]], dict[End, Span]]:
        """Connected ends together, and the first connection each is in."""
        parent: dict[End, End] = {}

        def find(end: End) -> End:
            while parent.setdefault(end, end) != end:
                parent[end] = parent[parent[end]]
                end = parent[end]
            return end

        place: dict[End, Span] = {}
        for join in self._joins:
            a, b = find(join.a), find(join.b)
            if a != b:
                parent[b] = a
            place.setdefault(join.a, join.span)
            place.setdefault(join.b, join.span)
        sets: dict[End, list[End]] = {}
        for end in parent:
            sets.setdefault(find(end), []).append(end)
        return list(sets.values()), place


def _owner(scalar: Scalar) -> str:
    return scalar.path.rpartition(".")[0]


def _sum(members: list[End], span: Span) -> Equation:
    terms: list[Expr] = [neg(ref(s.symbol)) if outside else ref(s.symbol) for s, outside in members]
    return Equation(add(*terms), ZERO, span)


def _same(context: Context, a: Scalar, b: Scalar, span: Span) -> Assert:
    """Connected parameters and constants are not equated: they must be the same (section 9.2)."""
    left, right = ref(a.symbol), ref(b.symbol)
    if a.symbol.type is Type.STRING:  # known at translation or never
        left, right = (const(context.constant(e, span, "a connected String")) for e in (left, right))
    message = f"`{a.path}` and `{b.path}` are connected and must have the same value"
    same = relation(Op.EQ, left, right)
    if same is FALSE:
        raise model_error("E210", message, span)
    return Assert(same, const(message), False, span)


def _is_input_of_model(end: End) -> bool:
    """Seen from inside, an input drives; a protected one is no input from outside but a node inside."""
    scalar, outside = end
    return outside and scalar.causality is Causality.INPUT and not scalar.protected


def _refuse_two_sources(members: list[End], place: dict[End, Span]) -> None:
    """An output of a component and an input of the model around it drive a set: one of them only."""
    sources = [
        (scalar, outside)
        for scalar, outside in members
        if _is_input_of_model((scalar, outside))
        or (scalar.causality is Causality.OUTPUT and not outside and not scalar.protected)
    ]
    if len(sources) > 1:
        a, b = sources[0][0], sources[1][0]
        raise model_error(
            "E210",
            f"two sources are connected: `{a.path}` and `{b.path}`",
            place[sources[1]],
            notes=(Note(f"`{a.path}` is connected here", place[sources[0]]),),
        )


def _is_connector(node: Node) -> bool:
    """A connector, part of one, or an array of those."""
    if isinstance(node, ArrayNode):
        return all(_is_connector(item) for item in node.items)
    return node.in_connector
