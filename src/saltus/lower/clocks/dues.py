"""When sub-partitions are due, as Boolean variables of the flat model.

    periodic   a clock of the run, at exact rational times
    event      `edge(pre(condition))`, one round of the event after the condition has become true
    varying    a relation of time with the instant that the latest tick has computed

`due` is true in one round of the event in which a partition ticks; what else partitions ask of their ticks,
the first of them and the interval since the last, is made when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Symbol, Type
from saltus.ir.flat import (
    Assert,
    BaseClock,
    Clause,
    Equation,
    Guarded,
    Rate,
    Variability,
    Variable,
    When,
)
from saltus.lower.clocks.constants import Constants
from saltus.lower.clocks.rates import Based

#: Seconds after which a clock that is to tick only once may tick again: later than any run ends.
_NEVER_AGAIN = Fraction(2**60)

_ONE = Fraction(1)


@dataclass(eq=False)
class Made:
    """Variables and clauses that are added to the flat model."""

    variables: list[Variable] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    _count: int = 0

    def group(self) -> int:
        """A number for variables that belong together."""
        self._count += 1
        return self._count

    def variable(self, number: int, part: str, kind: Type, span: Span, start: Expr | None = None) -> Expr:
        """A new discrete variable."""
        symbol = Symbol(Helper.TICK.numbered(number, part), kind, helper=Helper.TICK)
        self.variables.append(Variable(symbol, Variability.DISCRETE, span, start=start, protected=True))
        return x.ref(symbol)

    def define(self, variable: Expr, value: Expr, span: Span) -> None:
        """Its equation. Changes at events only, whatever the value is made of."""
        self.clauses.append(Equation(variable, value, span, when_assigned=True))


@dataclass(eq=False)
class Due:
    """The ticks of sub-partitions with one clock and one rate."""

    made: Made
    number: int
    due: Expr
    span: Span
    _interval: Expr | None  # since the last tick, if that is the same for all
    _at_first: Expr  # what it is at the first tick, if it is not
    _first: Expr | None = None

    @property
    def first(self) -> Expr:
        """Whether this is the first tick."""
        if self._first is None:
            made = self.made
            ticked = made.variable(self.number, "ticked", Type.BOOLEAN, self.span)
            made.define(ticked, x.or_(self.due, x.pre(ticked)), self.span)
            self._first = x.not_(x.pre(ticked))
        return self._first

    @property
    def interval(self) -> Expr:
        """The time since the tick before."""
        if self._interval is None:
            made = self.made
            last = made.variable(self.number, "last", Type.REAL, self.span)
            made.define(last, x.if_(self.due, x.TIME, x.pre(last)), self.span)
            self._interval = x.if_(self.first, self._at_first, x.sub(x.TIME, x.pre(last)))
        return self._interval


class Dues:
    """The ticks of all sub-partitions; those that are the same are made once."""

    def __init__(self, made: Made, constants: Constants) -> None:
        self._made, self._constants = made, constants
        self._periodic: dict[tuple[Expr, Rate], Due] = {}
        self._bases: dict[Based, tuple[Due, Expr]] = {}
        self._sparse: dict[tuple[Based, Rate], Due] = {}

    def of(self, based: Based, rate: Rate, span: Span) -> Due:
        """The ticks of a sub-partition."""
        timing = based.first
        if based.kind in (BaseClock.RATIONAL, BaseClock.DEFAULT) or timing is None:
            return self._at_times(x.const(1.0), rate, span if timing is None else timing.span)
        if based.kind is BaseClock.REAL:
            return self._at_times(timing.clock.args[0], rate, timing.span)
        return self._of_base_ticks(based, rate)

    def _at_times(self, unit: Expr, rate: Rate, span: Span) -> Due:
        """Periodic ticks, in units of a parameter expression."""
        key = unit, rate
        if key not in self._periodic:
            made, number = self._made, self._made.group()
            tick = made.variable(number, "clock", Type.BOOLEAN, span)
            made.define(tick, x.sample(x.ZERO, unit, (rate.shift, rate.factor)), span)
            due = self._once(tick, number, span)
            interval = x.mul(x.const(float(rate.factor)), unit)
            self._periodic[key] = Due(made, number, due, span, interval, interval)
        return self._periodic[key]

    def _once(self, tick: Expr, number: int, span: Span) -> Expr:
        """True in one round of an event."""
        due = self._made.variable(number, "due", Type.BOOLEAN, span)
        self._made.define(due, x.and_(tick, x.not_(x.pre(tick)), x.not_(x.INITIAL)), span)
        return due

    # ------------------------------------------------------------ by what happens

    def _of_base_ticks(self, based: Based, rate: Rate) -> Due:
        """Some of the ticks of a clock whose ticks are not known in advance."""
        if based not in self._bases:
            due = self._by_event(based) if based.kind is BaseClock.EVENT else self._by_interval(based)
            made = self._made
            count = made.variable(due.number, "count", Type.INTEGER, due.span, x.const(-1))
            made.define(count, x.if_(due.due, x.add(x.pre(count), x.const(1)), x.pre(count)), due.span)
            self._bases[based] = due, count
        base, count = self._bases[based]
        if rate == Rate(_ONE, Fraction(0)):
            return base
        if (based, rate) not in self._sparse:
            made, number = self._made, self._made.group()
            shift, factor = x.const(int(rate.shift)), x.const(int(rate.factor))
            turn = x.relation(x.Op.EQ, x.call("mod", x.sub(count, shift), factor), x.const(0))
            begun = x.relation(x.Op.GE, count, shift)
            due_now = made.variable(number, "due", Type.BOOLEAN, base.span)
            made.define(due_now, x.and_(base.due, begun, turn), base.span)
            self._sparse[based, rate] = Due(made, number, due_now, base.span, None, base._at_first)
        return self._sparse[based, rate]

    def _by_event(self, based: Based) -> Due:
        timing = based.first
        assert timing is not None
        condition = timing.clock.args[0]
        at_first = timing.clock.args[1] if len(timing.clock.args) > 1 else x.ZERO
        made, number, span = self._made, self._made.group(), timing.span
        if condition.op is x.Op.CONST:
            return Due(made, number, x.FALSE, span, None, at_first)
        before = made.variable(number, "before", Type.BOOLEAN, span)
        made.define(before, x.if_(x.INITIAL, x.FALSE, x.pre(condition)), span)
        due = made.variable(number, "due", Type.BOOLEAN, span)
        made.define(due, x.and_(x.pre(condition), x.not_(x.pre(before)), x.not_(x.INITIAL)), span)
        return Due(made, number, due, span, None, at_first)

    def _by_interval(self, based: Based) -> Due:
        """Ticks at instants that those before them have computed: exactly, where intervals are counted."""
        timing = based.first
        assert timing is not None
        given, made, number, span = timing.clock.args[0], self._made, self._made.group(), timing.span
        begin = made.variable(number, "clock", Type.BOOLEAN, span)
        made.define(begin, x.sample(x.ZERO, x.const(1.0), (Fraction(0), _NEVER_AGAIN)), span)
        following = made.variable(number, "next", Type.REAL, span)
        reached = made.variable(number, "reached", Type.BOOLEAN, span)
        late = x.relation(x.Op.GE, x.TIME, x.pre(following))
        started = made.variable(number, "started", Type.BOOLEAN, span)
        made.define(reached, x.and_(x.pre(started), late), span)
        tick = x.or_(x.and_(begin, x.not_(x.pre(begin))), x.and_(reached, x.not_(x.pre(reached))))
        due = made.variable(number, "due", Type.BOOLEAN, span)
        made.define(due, x.and_(tick, x.not_(x.INITIAL)), span)
        made.define(started, x.or_(due, x.pre(started)), span)
        positive = x.relation(x.Op.GT, given, x.ZERO if given.type is Type.REAL else x.const(0))
        message = x.const("the interval of a clock that varies must be positive")
        check = Assert(positive, message, False, span)
        made.clauses.append(When((Guarded((due,), (check,)),), span))
        if given.type is Type.REAL:
            value = x.if_(due, x.add(x.TIME, given), x.pre(following))
            at_first = x.pre(given)
        else:
            resolution = 1
            if len(timing.clock.args) > 1:
                resolution = int(self._constants.value(timing.clock.args[1], span, "`resolution`"))
            scale = x.const(float(resolution))
            origin = made.variable(number, "origin", Type.REAL, span)
            first = x.and_(due, x.not_(x.pre(started)))
            made.define(origin, x.if_(first, x.TIME, x.pre(origin)), span)
            total = made.variable(number, "total", Type.INTEGER, span)
            made.define(total, x.if_(due, x.add(x.pre(total), given), x.pre(total)), span)
            value = x.if_(due, x.add(origin, x.div(x.call("real", total), scale)), x.pre(following))
            at_first = x.div(x.call("real", x.pre(given)), scale)
        made.define(following, value, span)
        return Due(made, number, due, span, at_first, at_first)
