"""What each equation says of a variable, with the sizes that are known so far.

a x = sum of terms t_j      ->      |x| <= max |t_j| / |a|
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from saltus.ir.balance import GROWN, STARTED, Balance, Bound, Term
from saltus.run.sizes.incidence import Use, contradicts, incidence
from saltus.run.sizes.magnitude import ANYTHING, ENDLESS, NOTHING, Magnitudes, Size

#: Sizes are equal that differ by less than this: a factor of two.
EQUAL = 0.3


@dataclass(frozen=True)
class Part:
    """What one other term of an equation makes of a variable: the term is number `term` of its sum, and has
    the `variables`."""

    size: float
    term: int
    variables: tuple[int, ...]


@dataclass(frozen=True)
class Told:
    """What one equation says: the largest of its parts, which come first; and whether it knows all of its
    other terms."""

    sum: int
    parts: tuple[Part, ...]
    complete: bool

    @property
    def size(self) -> float:
        return self.parts[0].size

    @property
    def largest(self) -> Iterator[Part]:
        """The parts that are about as large as the largest."""
        return (part for part in self.parts if part.size > self.size - EQUAL)

    def by(self, part: Part) -> Bound:
        """The bound, where a part counts as the largest."""
        return Bound(self.size, self.sum, part.variables)

    @property
    def bound(self) -> Bound:
        return self.by(self.parts[0])


class Tellers:
    """The equations of a model, and the sizes of its variables as far as they are known. With `certain`,
    constants in branches are left out, and growth from a start value."""

    def __init__(
        self,
        balance: Balance,
        magnitudes: Magnitudes,
        given: Mapping[int, float],
        starts: Sequence[float],
        span: float,
        *,
        certain: bool,
    ) -> None:
        self.balance, self.incidence = balance, incidence(balance)
        self.starts, self.certain = starts, certain
        #: Whether what is known of a sum inside a function counts.
        self.partly = False
        self.sizes: list[Size] = [given.get(k) for k in range(len(balance.leaves))]
        self._magnitudes = magnitudes
        self._span = math.log10(span) if span > 0.0 else NOTHING
        self.coefficients = [[self._coefficient(t) for t in q.terms] for q in balance.sums]

    def _coefficient(self, t: Term) -> float:
        found = self._magnitudes.of_number(t.coefficient)
        return NOTHING if found > ENDLESS and found != ANYTHING else found

    def all_of(self, k: int) -> tuple[list[Told], list[Told]]:
        """What all equations say of a variable: those that always hold, and those that do in one branch."""
        always: list[Told] = []
        sometimes: list[Told] = []
        for use in self.incidence.uses[k]:
            told = self.by(k, use)
            if told is not None:
                (sometimes if use.sometimes else always).append(told)
        if k in self.balance.rates:
            grown = self._of_state(k)
            if grown is not None:
                always.append(grown)
        return always, sometimes

    def by(self, k: int, use: Use) -> Told | None:
        """What an equation says of a variable in one of its terms."""
        row = use.sum
        terms, within = self.balance.sums[row].terms, self.incidence.within[row]
        per_unit = self._size(row, use.term, without=k)
        if per_unit is None or math.isinf(per_unit):
            return None
        parts, complete = [], True
        for other in use.others:
            if self.certain and terms[other].choices and not terms[other].powers:
                continue
            size = self._size(row, other)
            if size is None:
                complete = False
                size = self._size(row, other, partly=True) if self.partly else None
            if size is None:
                continue
            if size == ANYTHING:
                return None
            if size > NOTHING:
                parts.append(Part((size - per_unit) / use.exponent, other, within[other]))
        parts.sort(key=lambda part: -part.size)
        return Told(row, tuple(parts), complete) if parts else None

    def are_alternatives(self, row: int, one: Part, other: Part) -> bool:
        """Whether two parts are in branches of an equation that exclude each other."""
        terms = self.balance.sums[row].terms
        return contradicts(terms[one.term], terms[other.term])

    def gap(self, row: int) -> float:
        """How much larger the largest term of an equation is than the others, if that is known and does not
        depend on branches; zero elsewhere. Where all but one are nothing, that is no gap but a variable that
        has no size."""
        terms = self.balance.sums[row].terms
        if any(t.choices for t in terms):
            return 0.0
        known: list[float] = []
        for place in range(len(terms)):
            size = self._size(row, place)
            if size is None or size == ANYTHING:
                return 0.0
            if size > NOTHING:
                known.append(size)
        known.sort()
        return known[-1] - known[-2] if len(known) > 1 else 0.0

    def _of_state(self, k: int) -> Told | None:
        """What a state began with, what it is set to, or what it grows to in the time of the run."""
        start = self.starts[k]
        for e in self.balance.jumps.get(k, ()):
            size = self._magnitudes.of(e, self.sizes)
            if size is not None and size < ENDLESS:
                start = max(start, size)
        rate = self.sizes[self.balance.rates[k]]
        grown = NOTHING if rate is None else rate + self._span
        if self.certain and start > NOTHING:
            return Told(STARTED, (Part(start, -1, ()),), complete=True)
        if max(start, grown) == NOTHING:
            return None
        if start >= grown:
            return Told(STARTED, (Part(start, -1, ()),), complete=rate is not None)
        return Told(GROWN, (Part(grown, -1, (self.balance.rates[k],)),), complete=True)

    def _size(self, row: int, place: int, without: int = -1, *, partly: bool = False) -> Size:
        """The size of a term, or of what a variable is multiplied by in it."""
        term = self.balance.sums[row].terms[place]
        total = self.coefficients[row][place]
        if total == NOTHING:
            return NOTHING
        for k, exponent in term.powers:
            if k != without:
                size = self.sizes[k]
                if size is None:
                    return None
                total += exponent * size
        for e, exponent in term.rest:
            size = self._magnitudes.of(e, self.sizes, partly=partly)
            if size is None:
                return None
            if size == ANYTHING or (size == NOTHING and exponent < 0.0):
                return ANYTHING
            total += exponent * size
        return total
