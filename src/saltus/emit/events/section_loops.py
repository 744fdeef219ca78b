"""Loops over sections of the memory: what an event does to every relation, discrete variable and state.

Written out for each relation, these routines would be most of the text of a model with many of them. A
section has one entry per relation, so one loop does it, with the relations' operators in a table. Relations
of time alone are not done here: what they need besides, slope and offset, are expressions
(`saltus.emit.events.events`).

The rule for the sign and the truth of a relation is `_Loop.sign_and_truth`, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from saltus.emit.layout.layout import Memory
from saltus.expr.nodes import (
    FALSE,
    ONE,
    TIME,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    and_,
    call,
    compare,
    const,
    if_,
    index,
    mul,
    neg,
    not_,
    or_,
    ref,
    relation,
)
from saltus.ir.hybrid import Relation
from saltus.ir.native.contract import Counter
from saltus.ir.program import Assign, For, If, Routine, Statement, Store, Table, View

#: Length of the random numbers of which a mode is the sum: thousands of them are added without rounding.
_WEIGHT_BITS = 40


def weight(k: int) -> float:
    """A number for the k-th truth: whole and random, so that sums of some of them are exact and differ."""
    return float(Random(k).getrandbits(_WEIGHT_BITS))


def update_loop(
    name: str, relations: Sequence[Relation], memory: Memory, *, initial: bool, only_moving: bool = False
) -> Routine:
    """Signs and truths from residues; a change of truth is counted in the scratch slot, and notes the new
    mode. Optionally only for relations whose zero moves at events."""
    loop = _Loop(relations, memory, only_moving=only_moving)
    slots, scratch, mode = memory.slots, memory.scratch, memory.mode
    old, before = loop.keep("old", loop.truths, Type.BOOLEAN), loop.keep("before", loop.signs)
    sign, truth = loop.sign_and_truth(old, before, initial=initial)
    moved = mul(loop.table("weights", [weight(k) for k in range(len(relations))]), if_(truth, ONE, -ONE))
    inside = relation(Op.EQ, sign, ZERO)
    enters = inside if initial else and_(inside, relation(Op.NE, before, ZERO))
    count = (Store(slots[scratch], scratch + 1.0), Store(slots[mode], mode + moved))
    loop.body += [
        If(((relation(Op.NE, truth, old), count),)),
        If(((enters, (loop.put(loop.since, TIME),)),)),
        loop.put(loop.signs, sign),
        loop.put(loop.truths, truth),
    ]
    return loop.routine(name)


def approach_loop(relations: Sequence[Relation], memory: Memory) -> Routine:
    """At the left limits of an event that a relation may have no part in: a residue that drifted into its
    band gets sign 0, one that rests there gets the truth of zero."""
    loop = _Loop(relations, memory)
    inside = relation(Op.LE, call("abs", loop.residue), loop.band)
    drifted = (loop.put(loop.signs, ZERO), loop.put(loop.since, TIME))
    rests = relation(Op.GT, TIME, loop.at(loop.since) + memory.counters[Counter.REST])
    of_zero = (loop.put(loop.truths, loop.compared()),)
    loop.body.append(
        If(
            (
                (and_(inside, relation(Op.NE, loop.at(loop.signs), ZERO)), drifted),
                (and_(inside, rests), of_zero),
            )
        )
    )
    return loop.routine("approach")


def presume_loop(relations: Sequence[Relation], memory: Memory) -> Routine:
    """A relation whose crossing has fired gets the truth of the side it moves to, its `direction`; inside its
    band it keeps that for this event."""
    loop = _Loop(relations, memory)
    direction = loop.keep("direction", loop.view("directions"))
    moved = (
        loop.put(loop.truths, loop.on_side(direction)),
        loop.put(loop.signs, if_(loop.has_moving_zero(), ZERO, direction)),
        loop.put(loop.since, TIME),
    )
    loop.body.append(If(((relation(Op.NE, direction, ZERO), moved),)))
    return loop.routine("presume")


def commit_loop(memory: Memory) -> Routine:
    """pre := current for all discrete variables, changes counted."""
    loop = _Over("discretes", memory)
    current, left = loop.keep("current", loop.view("discretes")), loop.view("pre_discretes")
    changed = memory.counters[Counter.CHANGED]
    count = Store(memory.slots[changed], changed + 1.0)
    differs = relation(Op.NE, current, loop.at(left))
    loop.body.append(If(((differs, (count, loop.put(left, current))),)))
    return loop.routine("commit_discretes")


def depart_loop(memory: Memory) -> Routine:
    """pre := current for all states."""
    loop = _Over("states", memory)
    loop.body.append(loop.put(loop.view("pre_states"), loop.at(loop.view("states"))))
    return loop.routine("depart_states")


class _Over:
    """A loop over the entries of a section, and of others of the same length."""

    def __init__(self, section: str, memory: Memory) -> None:
        self.memory = memory
        self.body: list[Statement] = []
        self._length = memory.layout().sections[section][1]
        self._k = Symbol("k", Type.INTEGER)
        self._locals: list[Symbol] = []
        self._views: dict[str, View] = {}
        self._tables: list[Table] = []

    def view(self, section: str, type: Type = Type.REAL) -> Symbol:
        """A section as an array."""
        if section not in self._views:
            first, length = self.memory.layout().sections[section]
            assert length == self._length, section
            self._views[section] = View(Symbol(section, type, (length,)), first)
        return self._views[section].symbol

    def at(self, array: Symbol) -> Expr:
        """The present entry."""
        return index(ref(array), ref(self._k))

    def put(self, array: Symbol, value: Expr) -> Statement:
        """The present entry := value"""
        return Assign(array, value, (ref(self._k),))

    def table(self, name: str, values: Sequence[float]) -> Expr:
        """The present entry of a table."""
        symbol = Symbol(name, Type.REAL, (len(values),))
        self._tables.append(Table(symbol, tuple(values)))
        return self.at(symbol)

    def keep(self, name: str, value: Symbol | Expr, type: Type = Type.REAL) -> Expr:
        """A local with the value of an expression, or of the present entry of an array."""
        symbol = Symbol(name, type)
        self._locals.append(symbol)
        self.body.append(Assign(symbol, self.at(value) if isinstance(value, Symbol) else value))
        return ref(symbol)

    def statements(self) -> tuple[Statement, ...]:
        """What is done for each entry."""
        return tuple(self.body)

    def routine(self, name: str) -> Routine:
        """The loop as a routine."""
        if not self._length:
            return Routine(name, ())
        loop = For(self._k, const(1), const(1), const(self._length), self.statements())
        views = tuple(self._views.values())
        return Routine(name, (loop,), tuple(self._locals), views=views, tables=tuple(self._tables))


class _Loop(_Over):
    """A loop over the relations that are no time events.

    The operator of each is a number: positive for > and >=, negative for < and <=; 1 or -1 where it is false
    for zero, 2 or -2 where it is true; 0 for a time event, or what else is passed over."""

    def __init__(self, relations: Sequence[Relation], memory: Memory, *, only_moving: bool = False) -> None:
        super().__init__("relations", memory)
        self._relations = relations
        self.truths = self.view("relations", Type.BOOLEAN)
        self.signs, self.since = self.view("signs"), self.view("zero_since")
        kinds = [0.0 if only_moving and not r.has_moving_zero else _kind(r) for r in relations]
        self._passes_over = 0.0 in kinds
        self._kind = self.keep("kind", self.table("kinds", kinds))
        self._first = len(self.body)

    @property
    def residue(self) -> Expr:
        return self.at(self.view("residues"))

    @property
    def band(self) -> Expr:
        """The band for the present truth of the relation: a pass may have changed the truth. It is wider
        where the relation has room."""
        band = self.at(self.view("bands"))
        if not self.memory.bands_by_truth[0]:
            return band
        faces = (self.at(self.view(name)) for name in ("bands_while_true", "bands_while_false"))
        return call("max", band, if_(self.at(self.truths), *faces))

    @property
    def of_zero(self) -> Expr:
        """Whether the relation is true for zero."""
        return relation(Op.GT, call("abs", self._kind), ONE)

    def literal(self) -> Expr:
        """What the number itself says."""
        zero = and_(relation(Op.EQ, self.residue, ZERO), self.of_zero)
        return or_(self.on_side(self.residue), zero)

    def compared(self) -> Expr:
        """The truth of a residue that is in its band and has not moved there: that of zero, but where zero is
        what the relation is about."""
        small = [float(k in self.memory.small_thresholds) for k in range(len(self._relations))]
        if not any(small):
            return self.of_zero
        return if_(relation(Op.NE, self.table("small", small), ZERO), self.literal(), self.of_zero)

    def has_moving_zero(self) -> Expr:
        """Whether the residue jumps when values before an event change."""
        moving = [float(r.has_moving_zero) for r in self._relations]
        return relation(Op.NE, self.table("moving", moving), ZERO) if any(moving) else FALSE

    def on_side(self, sign: Expr) -> Expr:
        """Whether the relation is true where the residue has this sign, which is not zero."""
        return relation(Op.GT, mul(sign, self._kind), ZERO)

    def sign_and_truth(self, old: Expr, before: Expr, *, initial: bool) -> tuple[Expr, Expr]:
        """Sign and truth of the relation now, from its `old` truth and the sign `before`.

        Inside the band (sign 0) it keeps its truth where the residue moved there, and is what the number says
        where it jumped there; at the start it is what zero says. One that fired moved there, wherever a
        tentative pass takes it, unless zero itself has moved: it may be near another one by now. Where a mode
        is entered, an impulse of the residue decides before its value does."""
        residue, band = self.keep("residue", self.residue), self.keep("band", self.band)
        above, below = relation(Op.GT, residue, band), relation(Op.LT, residue, neg(band))
        finite = _three_valued(above, below)
        if self.memory.relation_impulses:
            impulse = self.keep("impulse", self.view("relation_impulses"))
            above, below = relation(Op.GT, impulse, ZERO), relation(Op.LT, impulse, ZERO)
            finite = if_(relation(Op.NE, impulse, ZERO), _three_valued(above, below), finite)
        sign = self.keep("sign", finite)
        if initial:
            at_zero = self.compared()
        else:
            fired = and_(relation(Op.EQ, self.at(self.since), TIME), not_(self.has_moving_zero()))
            moved_here = or_(relation(Op.EQ, before, ZERO), fired)
            at_zero = if_(moved_here, old, self.literal())
        truth = if_(relation(Op.EQ, sign, ZERO), at_zero, self.on_side(sign))
        return sign, self.keep("truth", truth, Type.BOOLEAN)

    def statements(self) -> tuple[Statement, ...]:
        if not self._passes_over:
            return super().statements()
        kind, rest = self.body[: self._first], self.body[self._first :]
        return (*kind, If(((relation(Op.NE, self._kind, ZERO), tuple(rest)),)))


def _three_valued(positive: Expr, negative: Expr) -> Expr:
    return if_(positive, ONE, if_(negative, -ONE, ZERO))


def _kind(r: Relation) -> float:
    if r.is_time_event:
        return 0.0
    size = 2.0 if compare(r.op, 0, 0) else 1.0
    return size if r.op in (Op.GT, Op.GE) else -size
