"""Connections: chapter 9 of the specification.

All connect-equations are taken in first (`connect_sections`), because what they mean depends on all of them:
which components a bus has, which equations an overdetermined connector needs, how often a connector is
connected. Then every connection joins two connectors, scalar by scalar. Potentials of a set are equal; flows
of a set sum to zero, those of outside connectors (the connectors of the component the connect stands in) with
a minus. A flow that is in no set from outside is zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.nodes import FALSE, ZERO, Expr, Op, Type, add, const, leaf_symbol, neg, ref, relation
from saltus.expr.traversal import leaves
from saltus.ir import ast
from saltus.ir.flat import Assert, Clause, Equation, Variability, Variable, clause_expressions
from saltus.ir.instance import ArrayNode, Instance, Node, Scalar, scalars
from saltus.lower.connections.compatibility import Matching
from saltus.lower.connections.connection_ends import ConnectorEnd, connector_end
from saltus.lower.connections.connection_operators import component_argument
from saltus.lower.connections.connection_sets import ConnectionSets, End, Join
from saltus.lower.connections.expandable import Buses, Undeclared, default_value, is_bus
from saltus.lower.connections.overconstrained import ConnectionGraph, Edge, overdetermined_class, residues
from saltus.lower.connections.signals import Signals
from saltus.lower.connections.streams import StreamEquations, check_stream_connectors
from saltus.lower.names.references import Removed, node_value
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.parts import Evaluation


@dataclass(frozen=True, eq=False)
class _Connection:
    a: ConnectorEnd
    b: ConnectorEnd
    span: Span
    instance: Instance | None  # whose connect-equation it is

    @property
    def origin(self) -> str:
        return self.instance.path if self.instance is not None else ""


class Connections:
    """All connections of a model: what was taken in, and after `finish` what it means."""

    def __init__(self, context: Context, root: Instance) -> None:
        self._context = context
        self._root = root
        self._taken: list[_Connection] = []
        self._buses = Buses(context)
        self._graph = ConnectionGraph()
        self._sets = ConnectionSets()
        self._hidden: set[End] = set()
        self._signals = Signals(self._sets, self._buses, self._hidden)
        self._occurrences: Counter[Node] = Counter()
        self._closes_loops = False

    # ------------------------------------------------------------ taking in

    def connect(self, item: ast.Connect, scope: Scope) -> None:
        try:
            a = connector_end(self._context, item.left, scope)
            b = connector_end(self._context, item.right, scope)
        except Removed:
            return  # a connection with a component that its condition removed goes with it (section 4.4.5)
        if a.outer and b.outer:
            raise model_error(
                "E210",
                f"`{a.node.path}` and `{b.node.path}` both belong to outer components",
                scope.at(item),
                hint="connect them where they are declared `inner`",
            )
        self._taken.append(_Connection(a, b, scope.at(item), scope.instance))

    def graph_operator(self, name: str, call: ast.Call, scope: Scope) -> None:
        """`Connections.branch`, `root` and `potentialRoot`."""
        span = scope.at(call)
        try:
            nodes = [self._overdetermined(call, scope, k) for k in range(2 if name == "branch" else 1)]
        except Removed:
            return
        rest = dict(zip(("priority",), call.args[1:], strict=False)) | dict(call.named)
        if name == "potentialRoot":
            priority = rest.pop("priority", None)
            number = 0 if priority is None else self._context.integer(priority, scope, "a priority")
            self._graph.potential_root(nodes[0], number)
        elif name == "branch":
            rest.pop("priority", None)
            self._graph.branch(*nodes)
        else:
            self._graph.root(nodes[0], span)
        if rest or len(call.args) > 2:
            raise model_error("E212", f"`Connections.{name}` has too many arguments", span)

    def _overdetermined(self, call: ast.Call, scope: Scope, position: int) -> Node:
        node = component_argument(self._context, call, scope, position)
        if overdetermined_class(self._context.components, node) is None:
            raise model_error(
                "E210",
                f"`{node.path}` is not overdetermined: its type has no function `equalityConstraint`",
                scope.at(call.args[position]),
            )
        return node

    def bus(self, bus: Instance) -> None:
        """An expandable connector of the model, connected or not."""
        self._buses.add(bus)

    # ------------------------------------------------------------ what they mean

    def finish(self) -> None:
        """Completes buses, joins connectors and chooses roots. Errors are kept, one for each connection."""
        absorb = self._context.absorb
        for c in self._taken:
            try:
                self._introduce(c)
            except ModelError as error:
                absorb(error, c.instance)
        self._context.reporter.stop_if_errors()
        self._buses.elaborate()
        for c in self._taken:
            try:
                self._join(c)
            except ModelError as error:
                absorb(error, c.instance)
        self._context.reporter.stop_if_errors()
        self._graph.solve()
        broken = set(self._graph.broken)
        for edge in self._graph.edges:
            for join in edge.joins if edge not in broken else ():
                self._sets.join(join)
        self._closes_loops = any(not self._is_redundant(edge) for edge in broken)
        check_stream_connectors(self._context)
        own = [c for c in self._root.children.values() if is_bus(c)]
        self._signals.check(s for bus in own if bus is not None for s in scalars(bus) if not s.protected)

    def _introduce(self, c: _Connection) -> None:
        """What a connection adds to buses, or makes present in them."""
        a, b = c.a.node, c.b.node
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Undeclared):
                if isinstance(other, Undeclared):
                    raise model_error(
                        "E210",
                        f"neither `{a.path}` nor `{b.path}` is declared",
                        c.span,
                        hint="one of the two must be, so that the other can be made like it",
                    )
                self._buses.introduce(one, other)
            else:
                for node in one.items if isinstance(one, ArrayNode) else (one,):
                    if not is_bus(node):
                        self._buses.mark(node)
        if not isinstance(a, Undeclared) and not isinstance(b, Undeclared):
            for x, y in _elements(a, b):
                arrays = isinstance(x, ArrayNode) or isinstance(y, ArrayNode)  # reported when they are joined
                if is_bus(x) is not is_bus(y) and not arrays:
                    bus, plain = (x, y) if is_bus(x) else (y, x)
                    raise model_error(
                        "E210",
                        f"`{bus.path}` is an expandable connector, `{plain.path}` is not",
                        c.span,
                        hint="connect a component of the bus, or another bus",
                    )
                if isinstance(x, Instance) and isinstance(y, Instance) and is_bus(x):
                    self._buses.connect(x, y)

    def _join(self, c: _Connection) -> None:
        a, b = (self._buses.found(e) if isinstance(e, Undeclared) else e for e in (c.a.node, c.b.node))
        matching = Matching(self._buses.__contains__, c.span)
        for x, y in _elements(a, b):
            self._occurrences[x] += 1
            self._occurrences[y] += 1
        self._join_nodes(a, b, c, matching)

    def _join_nodes(self, a: Node, b: Node, c: _Connection, matching: Matching) -> None:
        if isinstance(a, Scalar) or overdetermined_class(self._context.components, a) is not None:
            joins = [self._joined(x, y, c) for x, y in matching.pairs(a, b)]
            if overdetermined_class(self._context.components, a) is not None:
                self._graph.edges.append(Edge(a, b, tuple(joins), c.span, c.origin))
                return
            for join in joins:
                self._sets.join(join)
        elif isinstance(a, Instance) and is_bus(a) and isinstance(b, Instance):
            for name, x in a.children.items():
                y = b.children.get(name)
                if x is not None and y is not None:
                    self._join_nodes(x, y, c, matching)
        else:
            for x, y in matching.parts(a, b):
                self._join_nodes(x, y, c, matching)

    def _joined(self, x: Scalar, y: Scalar, c: _Connection) -> Join:
        ends = (x, c.a.outside), (y, c.b.outside)
        for end, side in zip(ends, (c.a, c.b), strict=True):
            if side.outside and side.protected:
                self._hidden.add(end)
        return Join(*ends, c.span, c.origin)

    # ------------------------------------------------------------ answers

    @property
    def sets(self) -> ConnectionSets:
        """Which variables are connected with each other."""
        return self._sets

    def cardinality(self, node: Node) -> int:
        """In how many connect-equations a connector occurs."""
        return self._occurrences[node]

    def is_root(self, node: Node, span: Span) -> bool:
        return self._graph.is_root(node)

    def is_rooted(self, node: Node, span: Span) -> bool:
        return self._graph.is_rooted(node, span)

    def closes_loops(self) -> bool:
        """Whether connections constrain overdetermined variables that components relate to each other."""
        return self._closes_loops

    # ------------------------------------------------------------ equations

    def equations(self) -> tuple[list[Clause], list[Variable]]:
        """The equations all connections and missing connections mean, and variables that they need."""
        found: list[Clause] = []
        for members in self._sets:
            first = members[0][0]
            if first.variability <= Variability.PARAMETER:
                found += [
                    _same(self._context.evaluation, first, other, self._sets.first[other, side])
                    for other, side in members[1:]
                ]
            elif first.flow:
                found.append(_sum(members, self._sets.first[members[0]]))
            elif not first.stream:
                found += self._equal(members)
            self._check_quantities(members)
        found += self._open_flows()
        found += [Equation(ref(s.symbol), default_value(s), s.span) for s in self._unconnected_defaults()]
        for edge in self._graph.broken:
            found += self._residues(edge)
        streams = StreamEquations(self._context, self._sets)
        streams.make()
        return [*found, *streams.equations], streams.variables

    def refuse_absent(self, clauses: Iterable[Clause]) -> None:
        """Refuses variables of buses that were asked for before it was known that they are not present: for
        the size of an array, say."""
        absent = self._buses.absent
        for clause in clauses if absent else ():
            for leaf in (leaf for e in clause_expressions(clause) for leaf in leaves(e)):
                scalar = absent.get(leaf_symbol(leaf))
                if scalar is not None:
                    raise model_error(
                        "E210",
                        f"`{scalar.path}` is declared in an expandable connector, but no connection makes it "
                        "present",
                        clause.span,
                        hint=f"connect something to `{scalar.path}`",
                    )

    def _check_quantities(self, members: list[End]) -> None:
        """Refuses connections of different quantities, where these are declared (section 9.3)."""
        known: tuple[Scalar, object] | None = None
        for end in members:
            scalar = end[0]
            given = scalar.attribute("quantity")
            what = (
                "" if given is None else self._context.evaluation.constant(given, scalar.span, "a quantity")
            )
            if not what:
                continue
            if known is None:
                known = scalar, what
            elif what != known[1]:
                raise model_error(
                    "E210",
                    f"`{known[0].path}` is a `{known[1]}`, `{scalar.path}` is a `{what}`",
                    self._sets.first[end].span,
                    hint="the attribute `quantity` of connected variables must be the same",
                )

    def _equal(self, members: list[End]) -> list[Equation]:
        # An input of the model itself comes last: `x = u` uses u, it does not determine it.
        members = sorted(members, key=self._signals.is_input_of_model)
        first = members[0][0]
        joins = [(other, self._sets.first[other, side]) for other, side in members[1:] if other is not first]
        return [Equation(ref(first.symbol), ref(s.symbol), join.span, join.origin) for s, join in joins]

    def _open_flows(self) -> list[Equation]:
        found: list[Equation] = []
        for scalar in scalars(self._root):
            if scalar.flow and scalar.in_connector and (scalar, False) not in self._sets:
                found.append(Equation(ref(scalar.symbol), ZERO, scalar.span, _owner(scalar)))
        for scalar in self._buses.introduced:
            if scalar.flow and (scalar, True) not in self._sets:
                found.append(Equation(ref(scalar.symbol), ZERO, scalar.span, _owner(scalar)))
        return found

    def _unconnected_defaults(self) -> list[Scalar]:
        """One of each set of connected elements of buses that no connection gives a value."""
        found: dict[End, Scalar] = {}
        for scalar in self._buses.defaults:
            if not scalar.flow and not scalar.stream and scalar.variability > Variability.PARAMETER:
                reached = self._signals.reached(scalar)
                found.setdefault((reached[0], False), scalar)
        return list(found.values())

    def _is_redundant(self, edge: Edge) -> bool:
        """Whether the sets say already what an edge says that was left out: `connect(a, b)` twice."""
        return all(self._sets.together(join.a, join.b) for join in edge.joins)

    def _residues(self, edge: Edge) -> list[Equation]:
        """What an edge that was left out means."""
        if self._is_redundant(edge):
            return []
        scope = Scope(None, self._root.cls)
        a, b = (node_value(self._context, node, edge.span, scope) for node in (edge.a, edge.b))
        return residues(self._context, edge, a, b)


def _elements(a: Node, b: Node) -> list[tuple[Node, Node]]:
    """The pairs of connectors that are connected; arrays are connected element by element."""
    if isinstance(a, ArrayNode) and isinstance(b, ArrayNode) and a.shape == b.shape:
        return [pair for x, y in zip(a.items, b.items, strict=True) for pair in _elements(x, y)]
    return [(a, b)]


def _owner(scalar: Scalar) -> str:
    return scalar.path.rpartition(".")[0]


def _sum(members: list[End], join: Join) -> Equation:
    terms: list[Expr] = [neg(ref(s.symbol)) if outside else ref(s.symbol) for s, outside in members]
    return Equation(add(*terms), ZERO, join.span, join.origin)


def _same(evaluation: Evaluation, a: Scalar, b: Scalar, join: Join) -> Assert:
    """Connected parameters and constants are not equated: they must be the same (section 9.2)."""
    left, right = ref(a.symbol), ref(b.symbol)
    if a.symbol.type is Type.STRING or a.variability is Variability.CONSTANT:  # known at translation
        left, right = (
            const(evaluation.constant(e, join.span, "a connected constant")) for e in (left, right)
        )
    message = f"`{a.path}` and `{b.path}` are connected and must have the same value"
    same = relation(Op.EQ, left, right)
    if same is FALSE:
        raise model_error("E210", message, join.span)
    return Assert(same, const(message), False, join.span, join.origin)
