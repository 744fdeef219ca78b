"""`spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues)`: what flows through.

What is inside is kept by its label, its position minus the displacement `x` (`ir.transport`). With `n0` and
`n1` the segments of the content at the two ends, discrete variables,

    out1 = if positiveVelocity then content(history, n1, 1 - x) else in1
    out0 = if positiveVelocity then in0 else content(history, n0, -x)

A jump or kink on its way comes out at an event, when its label does:

    1 - x <= end(history, pre(n1) - 1)      while the flow is positive: out of 1 comes the segment before
    -x >= end(history, pre(n0))             while it is negative: out of 0 comes the next one

While nothing comes out of an end, its segment is that which would come out if the flow turned.
"""

from __future__ import annotations

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, Type, const
from saltus.expr.show import show
from saltus.ir.flat import Equation, Variability
from saltus.ir.hybrid import Relation, Transport
from saltus.ir.native.history import NEVER
from saltus.ir.native.transport import ANYWHERE
from saltus.lower.hybrid.event_tables import Tables

#: How far beyond an end a label is searched for when it has arrived there: located events are that exact.
REACHED = 1e-9


def add_transport(tables: Tables, node: Expr, args: list[Expr], span: Span, origin: str) -> tuple[Expr, Expr]:
    """The outflows of `node`, whose arguments have been rewritten; what they need goes to the tables."""
    half = (len(args) - 4) // 2
    points, values = args[4 : 4 + half], args[4 + half :]
    for e in (*points, *values):
        if not tables.is_parameter(e):
            raise model_error(
                "E211", f"the content at the start, `{show(e)}`, must be a parameter", span, origin=origin
            )
    helper, number = Helper.TRANSPORT, len(tables.transports) + 1

    def variable(part: str, value: Expr) -> Expr:
        name = helper.numbered(number, part)
        made = tables.helper(helper, name, Type.REAL, span, Variability.CONTINUOUS)
        tables.equations.append(Equation(made, value, span, origin))
        return made

    inflows = variable("in0", args[0]), variable("in1", args[1])
    position = variable("x", args[2])
    segments = tuple(
        tables.helper(helper, helper.numbered(number, f"segment{end}"), Type.INTEGER, span) for end in (0, 1)
    )
    transport = Transport(
        Symbol(helper.numbered(number, "history"), Type.INTEGER, helper=helper),
        position,
        inflows,
        (segments[0].data, segments[1].data),
        tuple(points),
        tuple(values),
        show(node, 200),
        span,
        origin,
    )
    tables.transports[node.args] = transport
    positive = args[3]
    steps = _segments(tables, transport, positive, helper.numbered(number, "positive"))
    for segment, step in zip(segments, steps, strict=True):
        tables.equations.append(Equation(segment, step, span, origin))
    history = x.ref(transport.history)
    at_start = values[0], values[-1]
    labels = x.neg(position), x.sub(x.ONE, position)
    outflows: list[Expr] = []
    for end in (0, 1):
        inside = x.recall("content", history, segments[end], labels[end])
        inside = x.if_(x.INITIAL, at_start[end], inside)
        flows_in = positive if end == 0 else x.not_(positive)
        outflows.append(variable(f"out{end}", x.if_(flows_in, inflows[end], inside)))
    return outflows[0], outflows[1]


def _segments(tables: Tables, transport: Transport, positive: Expr, name: str) -> tuple[Expr, Expr]:
    """Which segments are at the ends. The variable called `name` remembers whether the velocity was
    positive."""
    if tables.varies(positive):  # without events, as inside noEvent: then nothing is known at the ends
        return const(int(ANYWHERE)), const(int(ANYWHERE))
    history, position = x.ref(transport.history), transport.position
    now = tables.helper(Helper.TRANSPORT, name, Type.BOOLEAN, transport.span)
    tables.equations.append(Equation(now, positive, transport.span, transport.origin))
    n0, n1 = (x.ref(s) for s in transport.segments)
    label0, label1 = x.neg(position), x.sub(x.ONE, position)
    margin = const(REACHED)

    def within(label: Expr) -> Expr:
        return x.recall("passed", history, x.ZERO, label)

    before1 = x.recall("end", history, x.sub(x.pre(n1), const(1)))
    out1 = _watch(tables, transport, x.sub(before1, label1))
    out0 = _watch(tables, transport, x.sub(label0, x.recall("end", history, x.pre(n0))))
    went = x.pre(now)
    first, last = within(const(-NEVER / 2)), within(const(NEVER / 2))
    here0, here1 = within(x.add(label0, margin)), within(x.sub(label1, margin))
    comes0, comes1 = x.not_(x.or_(now, went)), x.and_(now, went)
    return (
        x.if_(x.INITIAL, first, x.if_(x.and_(comes0, x.not_(out0)), x.pre(n0), here0)),
        x.if_(x.INITIAL, last, x.if_(x.and_(comes1, x.not_(out1)), x.pre(n1), here1)),
    )


def _watch(tables: Tables, transport: Transport, residue: Expr) -> Expr:
    symbol = tables.relation_symbol()
    text = f"a jump or kink comes out of {transport.text}"
    says = f"A jump or kink comes out of {transport.text}"
    found = Relation(symbol, Op.GE, residue, x.ONE, text, transport.span, transport.origin, says=says)
    tables.relations[x.relation(Op.GE, residue, x.ZERO)] = found
    return x.ref(symbol)
