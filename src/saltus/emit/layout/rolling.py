"""Equal parts are loops again: a thousand diodes have the code of one.

Lowering writes arrays out, and a model of a thousand equal parts has a thousand equations of one *shape*:
they are the same expression but for the leaves. Written out they would be lowered, printed, compiled and
fetched by the processor one by one. So tasks of one shape that do not depend on each other are gathered, and
where they are many they become one loop, whose turns work on other slots of the memory (`Each`).

The order of tasks is kept but for what independence allows: a task comes after those that write what it reads
or writes, and before those that write what it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from saltus.expr.nodes import TRUE, Expr, Symbol, Type, ref
from saltus.expr.traversal import leaves, substitute

#: Models with fewer blocks are not searched for equal parts: they compile quickly as they are.
LEAST_BLOCKS = 500

#: Fewer tasks of one shape are written out.
ROLLED_FROM = 32

#: The largest number of plain assignments that are written out in code that every step needs: straight-line
#: code is faster by a third as long as it fits the processor's cache.
STRAIGHT_UP_TO = 6000

#: A leaf, and the expression whose value it gets.
Assignment: TypeAlias = tuple[Expr, Expr]


@dataclass(frozen=True)
class Unit:
    """What a task does, where that is no more than assignments: those of the first branch whose condition
    holds."""

    branches: tuple[tuple[Expr, tuple[Assignment, ...]], ...]

    @staticmethod
    def of(leaf: Expr, value: Expr) -> Unit:
        """A single assignment."""
        return Unit(((TRUE, ((leaf, value),)),))

    @property
    def is_plain(self) -> bool:
        """Whether there is no choice between branches."""
        return self.branches[0][0] is TRUE

    @property
    def targets(self) -> list[Expr]:
        """The leaves that it gives values."""
        return [leaf for _, own in self.branches for leaf, _ in own]

    @property
    def expressions(self) -> list[Expr]:
        """Conditions and values."""
        return [e for condition, own in self.branches for e in (condition, *(value for _, value in own))]

    def mapped(self, leaves_: dict[Expr, Expr]) -> Unit:
        """With other leaves in place of some."""
        memo: dict[Expr, Expr] = {}

        def new(e: Expr) -> Expr:
            return substitute(e, leaves_, memo)

        return Unit(
            tuple((new(c), tuple((leaves_.get(x, x), new(e)) for x, e in own)) for c, own in self.branches)
        )

    def reads(self) -> Iterator[Expr]:
        """The leaves of its expressions."""
        for e in self.expressions:
            yield from leaves(e)


@dataclass(frozen=True)
class Shape:
    """A unit with placeholders as leaves."""

    unit: Unit
    placeholders: tuple[Expr, ...]


#: The numbers of tasks that are done one after the other, and if they are alike, their shape with the leaves
#: of each in the order of its placeholders.
Run: TypeAlias = tuple[list[int], tuple[Shape, list[tuple[Expr, ...]]] | None]


def shape_of(unit: Unit) -> tuple[Shape, tuple[Expr, ...]]:
    """The shape of a unit, and the leaves that its placeholders stand for."""
    names: dict[Expr, Expr] = {}
    for leaf in (*unit.reads(), *unit.targets):
        if leaf not in names:
            names[leaf] = _placeholder(len(names), leaf.type)
    return Shape(unit.mapped(names), tuple(names.values())), tuple(names)


@cache
def _placeholder(number: int, type: Type) -> Expr:
    return ref(Symbol(f"at{number}", type))


def runs(units: Sequence[Unit | None], *, in_steps: bool = False) -> list[Run] | None:
    """Tasks in runs, those that are alike together; None where none are, so that all stay as they are. What a
    task does that has no unit is not known: nothing is moved past it. `in_steps`: every step of the
    integrator needs them."""
    plain = not in_steps or len(units) > STRAIGHT_UP_TO
    if sum(unit is not None and (plain or not unit.is_plain) for unit in units) < ROLLED_FROM:
        return None
    found: list[Run] = []
    start = 0
    for k, unit in enumerate((*units, None)):
        if unit is None:
            found += _gathered(units, range(start, k), plain=plain)
            if k < len(units):
                found.append(([k], None))
            start = k + 1
    return found if any(alike is not None for _, alike in found) else None


def _gathered(units: Sequence[Unit | None], numbers: range, *, plain: bool) -> list[Run]:
    """Some tasks, all of them with units, in an order that has those of one shape side by side, `plain` ones
    or not."""
    if len(numbers) < ROLLED_FROM:
        return [(list(numbers), None)]
    own = [unit for k in numbers if (unit := units[k]) is not None]
    shapes = [shape_of(unit) for unit in own]
    kinds: dict[Shape, int] = {}
    kind_of = [kinds.setdefault(shape, len(kinds)) for shape, _ in shapes]
    left = [0] * len(kinds)
    for kind in kind_of:
        left[kind] += 1
    may_roll = [plain or not shape.unit.is_plain for shape in kinds]
    if not any(may and count >= ROLLED_FROM for may, count in zip(may_roll, left, strict=True)):
        return [(list(numbers), None)]
    users, waiting = _dependence(own)
    ready: dict[int, list[int]] = {}
    for k, count in enumerate(waiting):
        if not count:
            ready.setdefault(kind_of[k], []).append(k)
    found: list[Run] = []
    while ready:
        # What is written out first, so that more of the others is ready; of these all that are left of a
        # shape, or else the most.
        kind = max(ready, key=lambda k: (not may_roll[k], len(ready[k]) == left[k], len(ready[k])))
        chosen = ready.pop(kind)
        left[kind] -= len(chosen)
        tasks = [numbers[k] for k in chosen]
        if may_roll[kind] and len(chosen) >= ROLLED_FROM:
            found.append((tasks, (shapes[chosen[0]][0], [shapes[k][1] for k in chosen])))
        elif found and found[-1][1] is None:
            found[-1][0].extend(tasks)
        else:
            found.append((tasks, None))
        for k in chosen:
            for user in users[k]:
                waiting[user] -= 1
                if not waiting[user]:
                    ready.setdefault(kind_of[user], []).append(user)
    return found


def _dependence(units: Sequence[Unit]) -> tuple[list[list[int]], list[int]]:
    """Which tasks have to wait for each one, and for how many each has to wait."""
    users: list[list[int]] = [[] for _ in units]
    waiting = [0] * len(units)
    writers: dict[Expr, list[int]] = {}
    readers: dict[Expr, list[int]] = {}
    for k, unit in enumerate(units):
        reads, writes = set(unit.reads()), set(unit.targets)
        before = {j for x in reads | writes for j in writers.get(x, ())}
        before |= {j for x in writes for j in readers.get(x, ())}
        for j in before:
            users[j].append(k)
        waiting[k] = len(before)
        for x in reads:
            readers.setdefault(x, []).append(k)
        for x in writes:
            writers.setdefault(x, []).append(k)
    return users, waiting
