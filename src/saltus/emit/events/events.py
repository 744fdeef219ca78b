"""The routines of an event: depart, approach, presume, fire, settle, commit.

What is done to every relation of the states, discrete variable and state is in
`saltus.emit.events.section_loops`.

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
from functools import partial, reduce

from saltus.emit.events.detours import Detours
from saltus.emit.events.section_loops import weight
from saltus.emit.layout.layout import Memory
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
from saltus.expr.traversal import substitute
from saltus.ir.hybrid import Jump, Relation
from saltus.ir.native.contract import BAND, Counter
from saltus.ir.program import SETTLE_FAILED, Assign, Break, Fail, If, Invoke, Routine, Statement, Store, While
from saltus.ir.structure import Presumption, Structure


def band_values(structure: Structure) -> list[Expr]:
    """Half width of each relation's zero band."""
    return [
        ZERO if r.is_time_event else const(BAND) * call("abs", r.nominal or ONE)
        for r in structure.model.relations
    ]


def bands_by_truth(structure: Structure) -> dict[int, tuple[Expr, Expr]]:
    """The zero bands of relations whose residues are of another kind while they are false and while they are
    true: the place on the curve of a diode is a current or a voltage."""
    balance = structure.model.balance
    if balance is None:
        return {}
    return {
        k: (const(BAND) * ref(while_false), const(BAND) * ref(while_true))
        for k, (while_false, while_true) in balance.by_truth.items()
    }


#: Differences that are smaller, relative to what is subtracted, are rounding.
_OF_NO_SIZE = 64 * 2.0**-52


def residue_at_event(relation_: Relation) -> Expr:
    """The residue, as events look at it. Where a variable is compared with a value of itself that was stored,
    in this very event perhaps, the last digits of both say nothing: what is computed again comes out a little
    different."""
    residue = relation_.residue
    if not relation_.has_moving_zero or relation_.is_of_step or residue.op is not Op.ADD:
        return residue
    size = reduce(partial(call, "max"), (call("abs", term) for term in residue.args))
    return if_(relation(Op.LE, call("abs", residue), const(_OF_NO_SIZE) * size), ZERO, residue)


def crossing_time(relation_: Relation) -> Expr:
    """When a time event crosses zero; +inf for never, and for relations of the state."""
    if relation_.slope is None or relation_.offset is None:
        return const(math.inf)
    never = relation(Op.EQ, relation_.slope, ZERO)
    return if_(never, const(math.inf), neg(relation_.offset) / relation_.slope)


def jump_values(structure: Structure) -> Iterator[tuple[int, Expr, Expr]]:
    """For each state that can jump, with its number: is a jump of it active, and the value that the first
    active one gives."""
    jumps: dict[Symbol, list[Jump]] = {}
    for jump in structure.model.jumps:
        jumps.setdefault(jump.state, []).append(jump)
    for k, v in enumerate(structure.states):
        own = jumps.get(v.symbol)
        if own is None:
            continue
        value = ref(v.symbol)
        for jump in reversed(own):
            value = if_(jump.condition, jump.value, value)
        yield k, or_(*(jump.condition for jump in own)), value


def check_values(structure: Structure) -> list[Expr]:
    """Which assertions are violated: those that do not hold whether relations are what they are remembered
    to be or what the numbers say. Inside the zero band the two differ, and an assertion about quantities that
    are small as a whole (a difference of areas below 1e-10 of them) is no less true for that."""
    numbers = {
        ref(r.symbol): relation(r.op, r.residue, ZERO)
        for r in structure.model.relations
        if not r.is_time_event
    }
    memo: dict[Expr, Expr] = {}
    return [
        and_(c.guard, not_(c.condition), not_(substitute(c.condition, numbers, memo)))
        for c in structure.model.checks
    ]


# ---------------------------------------------------------------- settle


def settle(name: str, pass_routine: str, update: str, structure: Structure, memory: Memory) -> Routine:
    """Passes until no truth and no presumed value changes.

    That they go round in a circle is noticed by Brent's method: the mode is compared with an earlier one, and
    the one kept for that is replaced after 2, 4, 8, ... passes. A mode is recognised by one number, the sum
    of random ones for all that is true (`weight`)."""
    limit = 2 * (len(structure.model.relations) + len(structure.presumptions)) + 20
    passes, scratch = memory.counters[Counter.PASSES], memory.scratch
    mode, before, look = memory.mode, memory.mode_before, memory.look_again
    slots = memory.slots
    endless = or_(relation(Op.GT, passes, const(float(limit))), relation(Op.EQ, mode, before))
    keep = (Store(slots[before], mode), Store(slots[look], look * 2.0))
    detours = Detours(structure, memory) if name == "settle" else None
    look_and_follow: tuple[Statement, ...] = (
        Invoke("relations"),
        Store(slots[scratch], ZERO),
        Invoke(update),
        If(((relation(Op.EQ, scratch, ZERO), (*(detours.end() if detours else ()), Break())),)),
        If(((endless, (Fail(SETTLE_FAILED),)),)),
        If(((relation(Op.EQ, passes, look), keep),)),
    )
    count = Store(slots[passes], passes + 1.0)
    body: tuple[Statement, ...] = (count, Invoke(pass_routine), *look_and_follow)
    if detours:
        left = detours.left_program
        body = (count, Invoke(pass_routine, left), If(((left, detours.taken()),), look_and_follow))
    nothing_yet = const(math.inf)
    start = (
        Store(slots[passes], ZERO),
        Store(slots[mode], ZERO),
        Store(slots[before], nothing_yet),
        Store(slots[look], ONE),
        *((Store(slots[memory.detour], ZERO),) if detours else ()),
    )
    return Routine(name, (*start, While(TRUE, body)))


def _change(k: int, old: Expr, new: Expr, memory: Memory) -> If:
    """Counts a change of the k-th truth or presumed value, and notes the new mode."""
    mode, slots = memory.mode, memory.slots
    by = if_(new, ONE, const(-1.0)) if new.type is Type.BOOLEAN else new - old
    moved = mul(const(weight(k)), by)
    count = Store(slots[memory.scratch], memory.scratch + 1.0)
    return If(((relation(Op.NE, new, old), (count, Store(slots[mode], mode + moved))),))


def update_presumption(k: int, presumption: Presumption, memory: Memory) -> list[Statement]:
    """The value just computed is presumed in the next pass; `k` counts on from the relations."""
    presumed, value = presumption.presumed, presumption.variable
    return [_change(k, presumed, value, memory), Store(memory.slots[presumed], value)]


def update_timed(
    k: int, timed: Relation, memory: Memory, sign: Symbol, truth: Symbol, *, initial: bool
) -> list[Statement]:
    """Sign and truth of a relation of time; counts a change of truth in the scratch slot. `sign` and `truth`
    are locals. Slope and offset contain no user function here."""
    assert timed.slope is not None and timed.offset is not None
    slots, old = memory.slots, ref(timed.symbol)
    of_zero = const(compare(timed.op, 0, 0))
    # Without a slope the residue is a constant, and zero is exactly zero.
    at_zero = of_zero if initial else if_(relation(Op.EQ, timed.slope, ZERO), of_zero, old)
    outside = relation(Op.LT if timed.op in (Op.LT, Op.LE) else Op.GT, ref(sign), ZERO)
    return [
        Assign(sign, _sign(timed.slope, timed.offset, memory.crossing_times[k])),
        Assign(truth, if_(relation(Op.EQ, ref(sign), ZERO), at_zero, outside)),
        _change(k, old, ref(truth), memory),
        Store(slots[memory.signs[k]], ref(sign)),
        Store(slots[old], ref(truth)),
    ]


def depart_pieces(structure: Structure, memory: Memory) -> Iterator[tuple[Expr, Expr]]:
    """At the left limits of an event: what the values of algebraics before it are, where they are wanted."""
    slots = memory.slots
    for v in structure.algebraics:
        left = pre(ref(v.symbol))
        if left in slots:
            yield left, ref(v.symbol)


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


def _sign(slope: Expr, offset: Expr, crossing: Expr) -> Expr:
    after, before = relation(Op.GT, TIME, crossing), relation(Op.LT, TIME, crossing)
    moving = mul(_sign_of(slope), _three_valued(after, before))
    return if_(relation(Op.EQ, slope, ZERO), _sign_of(offset), moving)


def _three_valued(positive: Expr, negative: Expr) -> Expr:
    return if_(positive, ONE, if_(negative, const(-1.0), ZERO))


def _sign_of(e: Expr) -> Expr:
    return _three_valued(relation(Op.GT, e, ZERO), relation(Op.LT, e, ZERO))


# ---------------------------------------------------------------- commit


def commit_pieces(structure: Structure, memory: Memory) -> Iterator[list[Statement]]:
    """One list of statements per state that can jump, and per algebraic whose left limit is wanted:
    pre := current, counted."""
    slots = memory.slots
    changed = memory.counters[Counter.CHANGED]
    count = Store(slots[changed], changed + 1.0)
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
