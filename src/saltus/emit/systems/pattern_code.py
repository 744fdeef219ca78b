"""What is computed for a small part of a system whose structure is found by numbers, in each of its patterns
(`saltus.emit.systems.patterns`): assignments, without loops and without zeros.

These are the formulas of `saltus.emit.systems.leading`. With one equation for one unknown they need neither a
matrix nor its factors; a few that are solved together are multiplied by the inverse of their matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from saltus.emit.systems.leading_factors import CANCELLED
from saltus.emit.systems.patterns import Pattern
from saltus.expr.nodes import ONE, ZERO, Expr, Op, add, call, const, div, if_, mul, neg, relation
from saltus.ir.signature import Pair, Signature

#: A leaf, and the expression whose value it gets.
Assignment: TypeAlias = tuple[Expr, Expr]


@dataclass(frozen=True)
class Known:
    """What is known of a part: its coefficients by pair; by row and column, the inverse of its matrix, where
    it has one; and by row, what is left of the equations where all variables are zero."""

    coefficients: Sequence[Expr]
    inverse: Sequence[Sequence[Expr]]
    rest: Sequence[Expr]


@dataclass(frozen=True)
class Following:
    """Where a part has its numbers between events: `drifts` by row; by column `values` of states, places
    where they are `kept` while they are put on constraints, `unknowns` (rates of states, other variables),
    and places for `changes` and for `derivatives` of what is constrained."""

    drifts: Sequence[Expr]
    values: Sequence[Expr]
    kept: Sequence[Expr]
    unknowns: Sequence[Expr]
    changes: Sequence[Expr]
    derivatives: Sequence[Expr]


@dataclass(frozen=True)
class Leaping:
    """Where it has them at an instant: by column `lefts`, `leaps` and places to find them; and the `books` of
    the part. `exact` and `located` are as in `saltus.ir.sorted.blocks.Leap`."""

    lefts: Sequence[Expr]
    leaps: Sequence[Expr]
    places: Sequence[Expr]
    books: tuple[Expr, Expr]
    exact: Expr
    located: float


class PatternCode:
    """The assignments for one pattern of a part."""

    def __init__(self, part: Signature, pattern: Pattern, known: Known) -> None:
        self._part, self._pattern, self._known = part, pattern, known
        self._c, self._d = pattern.offsets.c, pattern.offsets.d
        self._made: list[Assignment] = []
        self._pairs = [(part.pairs[k], known.coefficients[k]) for k in pattern.pairs]

    def _terms(self, row: int, values: Sequence[Expr]) -> list[Expr]:
        """The terms of an equation without rates, with values by column."""
        own = ((p, slope) for p, slope in self._pairs if p.row == row and p.order == 0)
        return [mul(slope, values[p.column]) for p, slope in own]

    def _leading(self, row: int) -> list[tuple[Pair, Expr]]:
        return [(p, x) for p, x in self._pairs if p.row == row and self._pattern.is_leading(p)]

    def _put(self, place: Expr, value: Expr) -> Expr:
        """The place where a value is, unless it is zero."""
        if _is_zero(value):
            return ZERO
        self._made.append((place, value))
        return place

    def _solved(self, right: Sequence[Expr], places: Sequence[Expr], *, strict: bool = False) -> list[Expr]:
        """The unknowns by column, each in its place, for right sides by row. If it is `strict`, what is left
        of terms that cancel but for rounding is zero."""
        found: list[Expr] = [ZERO] * self._part.size
        for rows, columns in self._pattern.order:
            together = set(columns)
            totals: list[Expr] = []
            for row in rows:
                others = ((p.column, x) for p, x in self._leading(row) if p.column not in together)
                terms = [right[row], *(neg(mul(x, found[column])) for column, x in others)]
                totals.append(_sum(terms, strict=strict))
            if len(rows) == 1:
                ((_, pivot),) = ((p, x) for p, x in self._leading(rows[0]) if p.column in together)
                found[columns[0]] = self._put(places[columns[0]], div(totals[0], pivot))
                continue
            inverse = self._known.inverse
            for column in columns:
                terms = [mul(inverse[row][column], x) for row, x in zip(rows, totals, strict=True)]
                found[column] = self._put(places[column], _sum(terms, strict=strict))
        return found

    def follow(self, at: Following) -> tuple[Assignment, ...]:
        """Rates and other unknowns, and states put on their constraints."""
        part, c, d, rest = self._part, self._c, self._d, self._known.rest
        rows, states, size = range(part.size), part.states, part.size
        values = [*at.values[:states], *([ZERO] * (size - states))]
        if self._pattern.is_constrained:
            off = [add(rest[i], *self._terms(i, values)) if c[i] else ZERO for i in rows]
            changes = self._solved([neg(x) for x in off], at.changes)
            for j in range(states):
                if changes[j] is not ZERO:
                    values[j] = self._put(at.kept[j], add(at.values[j], changes[j]))
            for j in range(states, size):
                values[j] = changes[j] if d[j] else ZERO
        sums = [at.drifts[i] if c[i] else add(rest[i], *self._terms(i, values)) for i in rows]
        constrained = [j >= states and d[j] > 0 for j in range(size)]
        places = [at.derivatives[j] if constrained[j] else at.unknowns[j] for j in range(size)]
        found = self._solved([neg(x) for x in sums], places)
        for j in range(size):
            if constrained[j]:
                self._made.append((at.unknowns[j], values[j]))
            elif found[j] is ZERO:
                self._made.append((at.unknowns[j], ZERO))
            if j < states and values[j] is not at.values[j]:
                self._made.append((at.values[j], values[j]))
        return tuple(self._made)

    def leap(self, at: Leaping) -> tuple[Assignment, ...]:
        """Jumps and impulses, and the equation that is off most with them."""
        part, c, d, rest = self._part, self._c, self._d, self._known.rest
        right: list[Expr] = [ZERO] * part.size
        for i in range(part.size):
            if not c[i]:
                continue
            off = add(rest[i], *self._terms(i, at.lefts))
            extents = [add(_size(x), _size(n)) for x, n in zip(at.lefts, part.nominals, strict=True)]
            own = ((p, x) for p, x in self._pairs if p.row == i)
            size = add(*(mul(_size(x), extents[p.column]) for p, x in own))
            limit = mul(call("max", const(at.located), at.exact), size)
            is_small = relation(Op.LE, _size(off), limit)
            demanded = if_(relation(Op.EQ, at.exact, ONE), neg(off), if_(is_small, ZERO, neg(off)))
            right[i] = demanded
        found = self._solved(right, at.places, strict=True)
        off, size = self._books(at, found)
        self._made += [(at.books[0], off), (at.books[1], size)]
        for j, place in enumerate(at.leaps):
            # What is constrained and no state has a new value, but no impulse.
            stays = j >= part.states and d[j] > 0
            self._made.append((place, ZERO if stays else found[j]))
        return tuple(self._made)

    def _books(self, at: Leaping, found: Sequence[Expr]) -> tuple[Expr, Expr]:
        """The largest violation among the equations that express conservation, and the size of that
        equation."""
        off, size = ZERO, ONE
        for i in range(self._part.size):
            if self._c[i]:
                continue
            own = [(p, x) for p, x in self._leading(i) if self._d[p.column] == p.order]
            if all(found[p.column] is ZERO for p, _ in own):
                continue
            left = _size(add(*(mul(x, found[p.column]) for p, x in own)))
            sizes: list[Expr] = []
            for p, x in own:
                before = _size(at.lefts[p.column]) if p.order else ZERO
                least = mul(const(at.located), _size(self._part.nominals[p.column]))
                sizes.append(mul(_size(x), add(_size(found[p.column]), before, least)))
            extent = add(*sizes)
            is_worse = relation(Op.GT, mul(left, size), mul(off, extent))
            off, size = if_(is_worse, left, off), if_(is_worse, extent, size)
        return off, size


def _is_zero(e: Expr) -> bool:
    return e.op is Op.CONST and e.data == 0.0


def _size(e: Expr) -> Expr:
    return ZERO if _is_zero(e) else call("abs", e)


def _sum(terms: Sequence[Expr], *, strict: bool) -> Expr:
    """A sum; if it is `strict`, nothing where its terms cancel but for rounding."""
    own = [x for x in terms if not _is_zero(x)]
    total = add(*own) if own else ZERO
    if not strict or len(own) < 2:
        return total
    size = add(*map(_size, own))
    return if_(relation(Op.LE, call("abs", total), mul(const(CANCELLED), size)), ZERO, total)
