"""`delay(v, T)` in terms of the hybrid DAE.

The past of `v` is remembered in a history, in segments: one ends where `v` jumps or has a kink, and the next
begins with the right limit. With `n` the segment that is asked, a discrete variable,

    y = value(history, n, time - T)         (at the start: y = v)
    n = passed(history, T, time)            the last segment that began T or more before now
    time >= T + end(history, pre(n))        a relation, which makes the event at which n steps

So a jump of `v` at `s` is a scheduled event at `s + T`, with the end of the one segment as its left limit and
the begin of the other as its right limit. Between events `n` is constant and `y` smooth. Nothing depends on
the present value of `v`, so a delay breaks algebraic loops (as long as `T`, a parameter, is not zero).

Where `T` varies, the time that is asked, `q = time - T`, may go forward and backward, so crossing functions
are watched:

    y = recent(history, n, q, time, v)      up to the present: T may be shorter than a step of the integrator
    q >= end(history, pre(n))               forward into the next segment
    q < end(history, pre(n) - 1)            back into the one before

Backward counts a little later than forward, so that `q` cannot be on both sides of an end.
"""

from __future__ import annotations

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import TIME, Expr, Op, Symbol, Type, const
from saltus.expr.show import show
from saltus.ir.flat import Equation, Variability
from saltus.ir.hybrid import Check, Delay, Relation
from saltus.lower.hybrid.event_tables import Tables

#: How much earlier than now a time may be and still count as reached, where the delay varies: located events
#: are that exact (the zero band of a relation is a tenth of it).
REACHED = 1e-9

#: By which part of itself a delay time may be too long.
ROUNDING = 1e-9


def add_delay(
    tables: Tables, node: Expr, args: list[Expr], span: Span, origin: str
) -> tuple[Expr, Check | None]:
    """The delayed value of `node`, whose arguments have been rewritten, and a check of its delay time, which
    is yet to be; all else that it needs goes to the tables."""
    value, time, longest = args
    if time is x.ZERO or time is const(0):
        return value, None
    text = show(node, 200)
    fixed = tables.is_parameter(time)
    _refuse_varying(tables, node, longest, span, origin)
    helper, number = Helper.DELAY, len(tables.delays) + 1
    present = tables.helper(helper, helper.numbered(number, "input"), Type.REAL, span, Variability.CONTINUOUS)
    delayed = tables.helper(helper, helper.numbered(number), Type.REAL, span, Variability.CONTINUOUS)
    segment = tables.helper(helper, helper.numbered(number, "segment"), Type.INTEGER, span)
    delay = Delay(
        Symbol(helper.numbered(number, "history"), Type.INTEGER, helper=helper),
        present,
        segment.data,
        time,
        None if fixed else longest,
        text,
        span,
        origin,
    )
    tables.delays[node] = delay
    past, step = _fixed(tables, delay) if fixed else _varying(tables, delay)
    for variable, running, at_start in (
        (delayed, past, present),
        (segment, step, const(0)),
    ):
        tables.equations.append(Equation(variable, x.if_(x.INITIAL, at_start, running), span, origin))
    tables.equations.append(Equation(present, value, span, origin))
    return delayed, _check(delay, longest)


def _fixed(tables: Tables, delay: Delay) -> tuple[Expr, Expr]:
    """The delayed value and the segment, for a delay time that is a parameter."""
    history, segment, time = x.ref(delay.history), x.ref(delay.segment), delay.time
    due = x.add(time, x.recall("end", history, x.pre(segment)))
    _watch(tables, delay, Op.GE, x.sub(TIME, due), x.neg(due))
    past = x.recall("value", history, segment, x.sub(TIME, time))
    if time.op is not Op.CONST:
        past = x.if_(x.relation(Op.GT, time, x.ZERO), past, delay.input)
    return past, x.recall("passed", history, time, TIME)


def _varying(tables: Tables, delay: Delay) -> tuple[Expr, Expr]:
    """The delayed value and the segment, for a delay time that varies."""
    history, segment = x.ref(delay.history), x.ref(delay.segment)
    before = x.pre(segment)
    asked = x.sub(TIME, delay.time)
    margin = const(REACHED)
    end, begin = x.recall("end", history, before), x.recall("end", history, x.sub(before, const(1)))
    forward = _watch(tables, delay, Op.GE, x.sub(asked, end))
    backward = _watch(tables, delay, Op.LT, x.add(x.sub(asked, begin), const(2 * REACHED)))
    reached = x.recall("passed", history, x.ZERO, x.add(asked, margin))
    left = x.recall("passed", history, x.ZERO, x.sub(asked, margin))
    past = x.recall("recent", history, segment, asked, TIME, delay.input)
    return past, x.if_(forward, reached, x.if_(backward, left, before))


def _watch(tables: Tables, delay: Delay, op: Op, residue: Expr, offset: Expr | None = None) -> Expr:
    """A relation by which the segment steps; with an `offset` it is scheduled."""
    symbol = tables.relation_symbol()
    slope = x.ONE if offset is not None else None
    text = f"a jump or kink comes out of {delay.text}"
    says = f"A jump or kink comes out of {delay.text}"
    found = Relation(symbol, op, residue, x.ONE, text, delay.span, delay.origin, slope, offset, says)
    tables.relations[x.relation(op, residue, x.ZERO)] = found
    return x.ref(symbol)


def _refuse_varying(tables: Tables, node: Expr, longest: Expr, span: Span, origin: str) -> None:
    if tables.is_parameter(longest):
        return
    if node.args[1] is node.args[2]:
        raise model_error(
            "E211",
            f"the delay time `{show(node.args[1])}` varies",
            span,
            hint="give the longest delay time, a parameter, as a third argument: delay(..., ..., 2.5)",
            origin=origin,
        )
    raise model_error(
        "E211", f"the longest delay time `{show(node.args[2])}` must be a parameter", span, origin=origin
    )


def _check(delay: Delay, longest: Expr) -> Check:
    """E409 where the delay time is out of range."""
    slack = x.mul(const(ROUNDING), longest)
    if delay.longest is None and longest is delay.time:
        condition = x.relation(Op.GE, delay.time, x.ZERO)
        words = x.const("the delay time must be positive or zero, it is ")
    else:
        condition = x.and_(
            x.relation(Op.GE, delay.time, x.neg(slack)),
            x.relation(Op.LE, delay.time, x.add(longest, slack)),
        )
        reach = x.const("the delay time goes beyond its range, 0 to ")
        words = x.call("concat", x.call("concat", reach, x.call("String", longest)), x.const(": it is "))
    message = x.call("concat", words, x.call("String", delay.time))
    return Check(x.TRUE, condition, message, False, delay.span, delay.origin, code="E409")
