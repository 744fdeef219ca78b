"""Passes in which mode guards come to values of another program, in native code.

With such guards the equations of a program mean nothing, so Python has to handle the event across programs
(`saltus.run.modes.modes`). But often they are only transient. A switch of a converter opens, and its diode,
which was blocking, is thought to block still: for a moment the current of the coil has nowhere to flow.
Python would enter that mythical mode, whose impulse makes the diode conduct. Here it is bypassed: the one
relation that could have led elsewhere is turned, and everything is computed again. If that mode reproduces
itself, with all relations that such modes depend on clearly on one side, it is taken. Everything else is left
to Python: several relations to choose from, one that has just fired, one that is zero, a second detour.
"""

from __future__ import annotations

from saltus.emit.layout.layout import Memory
from saltus.expr.nodes import TIME, ZERO, Expr, Op, Type, and_, const, not_, or_, ref, relation
from saltus.ir.program import SETTLE_FAILED, Fail, If, Statement, Store
from saltus.ir.sorted.modes import Mode
from saltus.ir.structure import Structure


class Detours:
    """The ways round the modes to which a program has mode exits."""

    def __init__(self, structure: Structure, memory: Memory) -> None:
        self._structure, self._memory = structure, memory
        model = structure.model
        places = {ref(r.symbol): k for k, r in enumerate(structure.relations) if not r.is_time_event}
        self._relation: dict[Expr, int] = dict(places)  # behind a guard, where it is one and nothing else
        discretes = {ref(v.symbol) for v in model.discretes}
        for q in model.equations:
            bare = q.rhs.args[0] if q.rhs.op is Op.NOT else q.rhs
            if q.lhs in discretes and bare in places:
                self._relation[q.lhs] = places[bare]

    def __bool__(self) -> bool:
        """Whether there are other programs."""
        return bool(self._structure.mode.fixed or self._structure.mode_exits)

    @property
    def left_program(self) -> Expr:
        """Whether guards have values for which there is another program."""
        stays = [_has(guard, value) for guard, value in self._structure.mode.fixed]
        return or_(not_(and_(*stays)), *map(_matches, self._structure.mode_exits))

    def taken(self) -> tuple[Statement, ...]:
        """Turns a relation, or gives up."""
        memory = self._memory
        slots, detour = memory.slots, memory.detour
        ways: list[tuple[Expr, tuple[Statement, ...]]] = []
        for exit_ in self._structure.mode_exits:
            found = {self._relation[guard] for guard, _ in exit_.fixed if guard in self._relation}
            if len(found) != 1 or self._structure.mode.fixed:
                continue
            (k,) = found
            truth = ref(self._structure.relations[k].symbol)
            just_fired = relation(Op.EQ, memory.zero_since[k], TIME)
            turn: tuple[Statement, ...] = (
                If(((just_fired, (Fail(SETTLE_FAILED),)),)),
                Store(slots[truth], not_(truth)),
                Store(slots[detour], const(1.0)),
            )
            ways.append((and_(relation(Op.EQ, detour, ZERO), _matches(exit_)), turn))
        return (If(tuple(ways), (Fail(SETTLE_FAILED),)),) if ways else (Fail(SETTLE_FAILED),)

    def end(self) -> tuple[Statement, ...]:
        """After a detour no relation that modes depend on may be zero."""
        memory = self._memory
        guards = {guard for exit_ in self._structure.mode_exits for guard, _ in exit_.fixed}
        involved = sorted({self._relation[guard] for guard in guards if guard in self._relation})
        zero = or_(*(relation(Op.EQ, memory.signs[k], ZERO) for k in involved))
        unclear = and_(relation(Op.NE, memory.detour, ZERO), zero)
        return (If(((unclear, (Fail(SETTLE_FAILED),)),)),) if involved else ()


def _matches(mode: Mode) -> Expr:
    return and_(*(_has(guard, value) for guard, value in mode.fixed))


def _has(guard: Expr, value: float) -> Expr:
    if guard.type is Type.BOOLEAN:
        return guard if value else not_(guard)
    return relation(Op.EQ, guard, const(value))
