"""The routines of an event: depart, approach, presume, fire, settle, commit.

A relation's memory is three-valued (paper 000): its sign is -1 or 1 where the residue is outside the zero
band, and 0 inside. There its truth is

    presumed   where the residue got there by moving: a crossing that fired belongs to the side it moves to
    literal    where it got there by a jump (reinit, another branch of an equation): what the number says
    of zero    where it has rested in the band for a while when another event comes: 0 <= 0 is true. An ideal
               diode needs this: while it conducts, its voltage is zero, not about to become positive.

Where a mode is entered, an impulse of the residue decides before its value does.

Relations of time alone compare the time with the crossing time exactly: the run puts the clock on that very
number, so no band is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from saltus.emit.layout import Memory
from saltus.expr.nodes import (
    ONE,
    TIME,
    TRUE,
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
    mul,
    neg,
    not_,
    or_,
    pre,
    ref,
    relation,
)
from saltus.ir.hybrid import Relation
from saltus.ir.program import SETTLE_FAILED, Assign, Break, Fail, If, Invoke, Routine, Statement, Store, While
from saltus.ir.structure import Presumption, Structure

#: Half width of the zero band of a residue, in units of its nominal value. It must lie well above the
#: rounding of a residue computed from quantities of nominal size (1e-16 times a few operations, times some
#: cancellation) and well below any tolerance at which an integrator is run (1e-6 to 1e-9 of the nominal
#: value), so that a relation inside the band is zero for every practical purpose.
BAND = 1e-10

#: Length of the random numbers of which a mode is the sum: thousands of them are added without rounding.
_WEIGHT_BITS = 40


def band_values(structure: Structure) -> list[Expr]:
    """Half width of each relation's zero band."""
    return [
        ZERO if r.is_time_event else const(BAND) * call("abs", r.nominal) for r in structure.model.relations
    ]


def crossing_time(relation_: Relation) -> Expr:
    """When a time event crosses zero; +inf for never, and for relations of the state."""
    if relation_.slope is None or relation_.offset is None:
        return const(math.inf)
    never = relation(Op.EQ, relation_.slope, ZERO)
    return if_(never, const(math.inf), neg(relation_.offset) / relation_.slope)


def jump_values(structure: Structure) -> Iterator[tuple[Expr, Expr]]:
    """For each state: is a jump of it active, and the value that the first active one gives."""
    for v in structure.states:
        active: list[Expr] = []
        value = ref(v.symbol)
        for jump in reversed(structure.model.jumps):
            if jump.state is v.symbol:
                active.insert(0, jump.condition)
                value = if_(jump.condition, jump.value, value)
        yield or_(*active), value


def check_values(structure: Structure) -> list[Expr]:
    """Which assertions are violated."""
    return [and_(c.guard, not_(c.condition)) for c in structure.model.checks]


# ---------------------------------------------------------------- settle


def settle(name: str, pass_routine: str, update: str, structure: Structure, memory: Memory) -> Routine:
    """Passes until no truth and no presumed value changes.

    That they go round in a circle is noticed by Brent's method: the mode is compared with an earlier one, and
    the one kept for that is replaced after 2, 4, 8, ... passes. A mode is told from others by one number, the
    sum of random ones for all that is true (`_weight`)."""
    limit = 2 * (len(structure.model.relations) + len(structure.presumptions)) + 20
    passes, scratch = memory.counters["passes"], memory.scratch
    mode, before, look = memory.mode, memory.mode_before, memory.look_again
    slots = memory.slots
    endless = or_(relation(Op.GT, passes, const(float(limit))), relation(Op.EQ, mode, before))
    keep = (Store(slots[before], mode), Store(slots[look], look * 2.0))
    body: tuple[Statement, ...] = (
        Store(slots[passes], passes + 1.0),
        Invoke(pass_routine),
        Invoke("relations"),
        Store(slots[scratch], ZERO),
        Invoke(update),
        If(((relation(Op.EQ, scratch, ZERO), (Break(),)),)),
        If(((endless, (Fail(SETTLE_FAILED),)),)),
        If(((relation(Op.EQ, passes, look), keep),)),
    )
    nothing_yet = const(math.inf)
    start = (
        Store(slots[passes], ZERO),
        Store(slots[mode], ZERO),
        Store(slots[before], nothing_yet),
        Store(slots[look], ONE),
    )
    return Routine(name, (*start, While(TRUE, body)))


def _weight(k: int) -> Expr:
    """A number for the k-th truth: whole and random, so that sums of some of them are exact and differ."""
    return const(float(Random(k).getrandbits(_WEIGHT_BITS)))


def _change(k: int, old: Expr, new: Expr, memory: Memory) -> If:
    """Counts a change of the k-th truth or presumed value, and notes the new mode."""
    mode, slots = memory.mode, memory.slots
    by = if_(new, ONE, const(-1.0)) if new.type is Type.BOOLEAN else new - old
    moved = mul(_weight(k), by)
    count = Store(slots[memory.scratch], memory.scratch + 1.0)
    return If(((relation(Op.NE, new, old), (count, Store(slots[mode], mode + moved))),))


def update_presumption(k: int, presumption: Presumption, memory: Memory) -> list[Statement]:
    """The value just computed is presumed in the next pass; `k` counts on from the relations."""
    presumed, value = presumption.presumed, presumption.variable
    return [_change(k, presumed, value, memory), Store(memory.slots[presumed], value)]


def update_relation(
    k: int, relation_: Relation, memory: Memory, sign: Symbol, truth: Symbol, *, initial: bool
) -> list[Statement]:
    """Sign and truth of one relation from its residue; counts a change of truth in the scratch slot.
    `sign` and `truth` are locals. The expressions here contain no user function."""
    slots = memory.slots
    old = ref(relation_.symbol)
    of_zero = const(compare(relation_.op, 0, 0))
    sign_before, since = memory.signs[k], memory.zero_since[k]
    entered = relation(Op.NE, sign_before, ZERO)
    if initial:
        at_zero: Expr = of_zero
    elif relation_.is_time_event or memory.relation_impulses:
        at_zero = old  # the run decides by the derivative, where a mode is entered
    else:
        moved_here = or_(not_(entered), relation(Op.EQ, since, TIME))
        at_zero = if_(moved_here, old, relation(relation_.op, memory.residues[k], ZERO))
    outside = relation(Op.LT if relation_.op in (Op.LT, Op.LE) else Op.GT, ref(sign), ZERO)
    inside = relation(Op.EQ, ref(sign), ZERO)
    if relation_.is_time_event and not initial and relation_.slope is not None:
        # Without a slope the residue is a constant, and zero is exactly zero.
        at_zero = if_(relation(Op.EQ, relation_.slope, ZERO), of_zero, at_zero)
    enters = and_(inside, TRUE if initial else entered)
    note: list[Statement] = [] if relation_.is_time_event else [If(((enters, (Store(slots[since], TIME),)),))]
    return [
        Assign(sign, _sign(k, relation_, memory)),
        Assign(truth, if_(inside, at_zero, outside)),
        _change(k, old, ref(truth), memory),
        *note,
        Store(slots[memory.signs[k]], ref(sign)),
        Store(slots[old], ref(truth)),
    ]


def approach_relation(k: int, relation_: Relation, memory: Memory) -> list[Statement]:
    """A state relation at the left limits of an event that it may have no part in."""
    slots = memory.slots
    sign, since, band = memory.signs[k], memory.zero_since[k], memory.bands[k]
    inside = relation(Op.LE, call("abs", memory.residues[k]), band)
    rests = relation(Op.GT, TIME, since + memory.counters["rest"])
    drifted = (Store(slots[sign], ZERO), Store(slots[since], TIME))
    of_zero = (Store(slots[ref(relation_.symbol)], const(compare(relation_.op, 0, 0))),)
    return [
        If(
            (
                (and_(inside, relation(Op.NE, sign, ZERO)), drifted),
                (and_(inside, rests), of_zero),
            )
        )
    ]


def depart_pieces(structure: Structure, memory: Memory) -> Iterator[tuple[Expr, Expr]]:
    """At the left limits of an event: what the values before it are."""
    slots = memory.slots
    for v in (*structure.states, *structure.algebraics):
        left = pre(ref(v.symbol))
        if left in slots:
            yield left, ref(v.symbol)


def presume_relation(k: int, relation_: Relation, memory: Memory) -> list[Statement]:
    """A relation whose crossing has fired gets the truth of the side it moves to, its `direction`; inside its
    band it keeps that for this event."""
    slots, direction = memory.slots, memory.directions[k]
    above = relation_.op in (Op.GT, Op.GE)
    truth = relation(Op.GT if above else Op.LT, direction, ZERO)
    moved: tuple[Statement, ...] = (
        Store(slots[ref(relation_.symbol)], truth),
        Store(slots[memory.signs[k]], direction),
        Store(slots[memory.zero_since[k]], TIME),
    )
    return [If(((relation(Op.NE, direction, ZERO), moved),))]


def fire_relation(k: int, relation_: Relation, slope: Expr, memory: Memory) -> list[Statement]:
    """A relation of time whose crossing has come gets the truth after it, whatever the rounding of its
    residue says; a change is counted in the scratch slot."""
    slots, old = memory.slots, ref(relation_.symbol)
    above = relation_.op in (Op.GT, Op.GE)
    rising = relation(Op.GT, slope, ZERO)
    after = rising if above else not_(rising)
    passed = relation(Op.LE, memory.crossing_times[k], TIME)
    change: tuple[Statement, ...] = (
        Store(slots[old], not_(old)),
        Store(slots[memory.signs[k]], if_(rising, ONE, const(-1.0))),
        Store(slots[memory.scratch], memory.scratch + 1.0),
    )
    return [If(((and_(passed, relation(Op.NE, old, after)), change),))]


def _sign(k: int, relation_: Relation, memory: Memory) -> Expr:
    if relation_.slope is None or relation_.offset is None:
        residue, band = memory.residues[k], memory.bands[k]
        finite = _three_valued(relation(Op.GT, residue, band), relation(Op.LT, residue, neg(band)))
        if not memory.relation_impulses:
            return finite
        impulse = memory.relation_impulses[k]
        return if_(relation(Op.NE, impulse, ZERO), _sign_of(impulse), finite)
    tc = memory.crossing_times[k]
    after, before = relation(Op.GT, TIME, tc), relation(Op.LT, TIME, tc)
    moving = mul(_sign_of(relation_.slope), _three_valued(after, before))
    return if_(relation(Op.EQ, relation_.slope, ZERO), _sign_of(relation_.offset), moving)


def _three_valued(positive: Expr, negative: Expr) -> Expr:
    return if_(positive, ONE, if_(negative, const(-1.0), ZERO))


def _sign_of(e: Expr) -> Expr:
    return _three_valued(relation(Op.GT, e, ZERO), relation(Op.LT, e, ZERO))


# ---------------------------------------------------------------- commit


def commit_pieces(structure: Structure, memory: Memory) -> Iterator[list[Statement]]:
    """One list of statements per discrete and per state that can jump: pre := current, counted."""
    slots = memory.slots
    changed = memory.counters["changed"]
    count = Store(slots[changed], changed + 1.0)
    for v in structure.discretes:
        current, left = ref(v.symbol), pre(ref(v.symbol))
        if v.symbol.type is Type.STRING:
            continue
        yield [If(((relation(Op.NE, current, left), (count, Store(slots[left], current))),))]
    jumping = {j.state for j in structure.model.jumps}
    for k, v in enumerate(structure.states):
        if v.symbol not in jumping:
            continue
        state, new = ref(v.symbol), memory.new_states[k]
        move: tuple[Statement, ...] = (
            If(((relation(Op.NE, state, new), (count,)),)),
            Store(slots[state], new),
            Store(slots[pre(state)], new),
        )
        yield [If(((relation(Op.EQ, memory.jumped[k], ONE), move),))]
    for v in structure.algebraics:
        left = pre(ref(v.symbol))
        if left in slots:
            yield [Store(slots[left], ref(v.symbol))]
