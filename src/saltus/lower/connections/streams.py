"""Stream connectors: chapter 15 of the specification.

A stream variable is what a flow carries when it leaves its component. What it carries when it enters,
`inStream(v)`, follows from the others in the connection set: their values, weighted by how much leaves them.
Two connected ports simply see each other; a port that nothing is connected to sees itself.

`inStream(v)` is a variable of its own. So it can be asked for before all connections are known, and a mixture
is computed once. Where nothing flows, the weights would all be zero. Below a very small sum of flows they go
over to equal ones, smoothly, so that the mixture is differentiable and always has a value (section 15.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.expr.helpers import Helper
from saltus.expr.nodes import (
    ONE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    call,
    const,
    div,
    if_,
    mul,
    neg,
    no_event,
    ref,
    relation,
    sub,
)
from saltus.expr.traversal import rebuild, transform
from saltus.ir.flat import Clause, Equation, Variability, Variable
from saltus.ir.instance import Instance, Node, Scalar
from saltus.lower.connections.connection_sets import ConnectionSets, End
from saltus.lower.instances.instantiate import child
from saltus.lower.scope.context import Context
from saltus.lower.scope.parts import Connections

#: Flows below this part of their nominal value count as small.
SMALL = 1e-7


def in_stream(connections: Connections, scalar: Scalar) -> Expr:
    """`inStream(v)`, whose equation `StreamEquations` gives."""
    symbol = connections.in_streams.get(scalar.symbol)
    if symbol is None:
        symbol = Symbol(Helper.IN_STREAM.belonging_to(scalar.path), helper=Helper.IN_STREAM)
        connections.in_streams[scalar.symbol] = symbol
    return ref(symbol)


def flow_of(context: Context, scalar: Scalar) -> Scalar:
    """The flow variable that carries a stream variable: the only one of its connector (section 15.1)."""
    holder: Instance | None = context.connections.stream_holders[scalar.symbol]
    while holder is not None and holder.kind != "connector":
        holder = holder.parent
    if holder is None or not scalar.in_connector:
        raise model_error(
            "E210",
            f"`{scalar.path}` is a stream variable outside a connector",
            scalar.span,
            origin=scalar.path,
        )
    flows = [n for n, e in holder.layout.elements.items() if e.clause.connection == "flow"]
    node: Node | None = child(context, holder, flows[0]) if len(flows) == 1 else None
    if not isinstance(node, Scalar) or node.symbol.type is not Type.REAL:
        found = f"it has {len(flows)}" if len(flows) != 1 else f"`{flows[0]}` is not one"
        raise model_error(
            "E210",
            f"the stream connector `{holder.path}` needs exactly one flow variable, a scalar Real; {found}",
            holder.span,
            notes=(Note(f"`{scalar.path}` is a stream variable", scalar.span),),
            origin=holder.path,
        )
    return node


def check_stream_connectors(context: Context) -> None:
    """Refuses stream variables that no flow carries, also where their values are not used."""
    checked: set[Instance] = set()
    for symbol, holder in context.connections.stream_holders.items():
        if holder not in checked:
            checked.add(holder)
            flow_of(context, context.components.scalars[symbol])


def without_events_of_products(connections: Connections, clauses: Sequence[Clause]) -> list[Clause]:
    """`m_flow*actualStream(h)` is continuous where the flow reverses, so no event is needed there
    (section 15.3): without one, a flow that trembles around zero makes no trouble."""
    if not connections.actual_streams:
        return list(clauses)
    memo: dict[Expr, Expr] = {}

    def visit(node: Expr) -> Expr | None:
        if node.op is not Op.MUL:
            return None
        quiet = [a for a in node.args if connections.actual_streams.get(a) in node.args]
        return rebuild(node, tuple(no_event(a) if a in quiet else a for a in node.args)) if quiet else None

    found: list[Clause] = []
    for q in clauses:
        if isinstance(q, Equation):
            q = replace(q, lhs=transform(q.lhs, visit, memo), rhs=transform(q.rhs, visit, memo))
        found.append(q)
    return found


@dataclass(frozen=True, eq=False)
class _Supply:
    """What may flow into a connection point: how much of it, positive if it does, and what it carries."""

    flow: Scalar
    rate: Expr
    value: Expr


class StreamEquations:
    """The equations of all stream variables that are connected or asked for."""

    def __init__(self, context: Context, sets: ConnectionSets) -> None:
        self.context = context
        self.sets = sets
        self.variables: list[Variable] = []
        self.equations: list[Equation] = []

    def make(self) -> None:
        for members in self.sets:
            if members[0][0].stream:
                self._outside(members)
        # What these need may be asked for in turn, one level further up.
        done = 0
        while done < len(self.context.connections.in_streams):
            asked = list(self.context.connections.in_streams.items())[done:]
            done += len(asked)
            for symbol, helper in asked:
                scalar = self.context.components.scalars[symbol]
                value = self._entering(scalar)
                self.variables.append(
                    Variable(
                        helper,
                        Variability.CONTINUOUS,
                        scalar.span,
                        start=scalar.attribute("start"),
                        nominal=scalar.attribute("nominal"),
                        protected=True,
                        description=f"inStream({scalar.path})",
                    )
                )
                self.equations.append(Equation(ref(helper), value, self._place((scalar, False))))

    def _place(self, end: End) -> Span:
        join = self.sets.first.get(end)
        return end[0].span if join is None else join.span

    def _entering(self, scalar: Scalar) -> Expr:
        """What enters a component through one of its connectors."""
        others = [end for end in self.sets.of((scalar, False)) if end != (scalar, False)]
        if len(others) <= 1:
            return self._carried(others[0]) if others else ref(scalar.symbol)
        return self._mixture(others, ref(scalar.symbol))

    def _outside(self, members: list[End]) -> None:
        """What leaves a component whose connector is connected inside it to those of its parts."""
        for end in members:
            scalar, outside = end
            if not outside:
                continue
            others = [other for other in members if other != end]
            value = self._carried(others[0]) if len(others) == 1 else self._mixture(others, ZERO)
            join = self.sets.first[end]
            self.equations.append(Equation(ref(scalar.symbol), value, join.span, join.origin))

    def _carried(self, end: End) -> Expr:
        """What comes into the connection point from one of its members."""
        scalar, outside = end
        return in_stream(self.context.connections, scalar) if outside else ref(scalar.symbol)

    # ------------------------------------------------------------ mixing

    def _mixture(self, ends: list[End], otherwise: Expr) -> Expr:
        """The mean of all that may come in, weighted by its flow."""
        supplies = [self._supply(end) for end in ends]
        coming = [s for s in supplies if s is not None]
        if len(coming) <= 1:
            return coming[0].value if coming else otherwise
        zero = const(0.0)
        rates = [call("max", s.rate, zero) for s in coming]
        total = add(*rates)
        small = const(SMALL * min(self._nominal(s.flow) for s in coming))
        part = div(total, small)
        smooth = mul(part, part, sub(const(3.0), mul(const(2.0), part)))
        share = no_event(if_(relation(Op.GT, total, small), ONE, smooth))
        weights = [add(mul(share, rate), mul(sub(ONE, share), small)) for rate in rates]
        carried = add(*(mul(weight, s.value) for weight, s in zip(weights, coming, strict=True)))
        return div(carried, add(*weights))

    def _supply(self, end: End) -> _Supply | None:
        """None if the limits of the flow say that nothing ever comes from there."""
        scalar, outside = end
        flow = flow_of(self.context, scalar)
        limit = self._known(flow, "max" if outside else "min")
        if limit is not None and (limit <= 0 if outside else limit >= 0):
            return None
        rate = ref(flow.symbol) if outside else neg(ref(flow.symbol))
        return _Supply(flow, rate, self._carried(end))

    def _nominal(self, flow: Scalar) -> float:
        return abs(self._known(flow, "nominal") or 1.0) or 1.0

    def _known(self, scalar: Scalar, name: str) -> float | None:
        value = scalar.attribute(name)
        if value is None:
            return None
        return float(self.context.evaluation.constant(value, scalar.span, f"`{name}` of `{scalar.path}`"))
