"""Sizes of variables, from the balance of the terms of each equation.

In an equation the largest terms are of the same size. So a variable in it is at most as large as the largest
of the other terms allows:

    a x = sum of terms t_j      ->      |x| <= max |t_j| / |a|

Every equation says so, and the least of what they say is taken. An equation that says it in one branch only
bounds the variable there: of these the largest counts, and only where nothing else is known. A state is at
most what it began with, what it is set to, or what its derivative makes of it in the time of the run.

What has no size yet is left out at first: sizes spread from sources, parameters and start values. As soon as
all terms of some equation of a variable are known, only such equations count. Then sizes tighten until they
stay: `V = u1 + u2, u1 = R1*i, u2 = R2*i` begins with V for both, then i is the smaller one of V/R1 and V/R2,
and one of the voltages becomes what it makes of that.

This is arithmetic of maxima (a tropical system), where terms never cancel. Sizes are therefore bounds rather
than values. They are meant to be right to a few powers of ten.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence

from saltus.ir.balance import GROWN, STARTED, Balance, Bound, Term
from saltus.run.sizes.magnitude import ANYTHING, ENDLESS, NOTHING, Magnitudes, Size

#: How often sizes are corrected, in either direction; a size tightens by no less than this (a factor of two),
#: and so many times at most.
CORRECTED_TIMES = 2
LEAST_TIGHTER = 0.3
MOST_TIGHTER = 24


class Balancing:
    """One solution: sizes for given numbers. `certain` leaves out constants in branches, which may be limits
    that nothing ever comes near to, and growth from a start value that says how large something is; and it
    takes the least of what equations say from the beginning. So it errs on the small side."""

    def __init__(
        self,
        balance: Balance,
        magnitudes: Magnitudes,
        given: dict[int, float],
        starts: Sequence[float],
        span: float,
        *,
        certain: bool = False,
    ) -> None:
        self._balance, self._magnitudes = balance, magnitudes
        self._starts, self._span = starts, math.log10(span) if span > 0.0 else NOTHING
        self._given = given
        self._certain = certain
        self.sizes: list[Size] = [given.get(k) for k in range(len(balance.leaves))]
        #: What each size was taken from.
        self.bounds: dict[int, Bound] = {}
        self._coefficients: list[list[float]] = []
        self._uses: list[list[tuple[int, int]]] = [[] for _ in balance.leaves]
        self._members: list[tuple[int, ...]] = []
        self._rows_of: list[list[int]] = [[] for _ in balance.leaves]
        self._state_of = {rate: state for state, rate in balance.rates.items()}
        self._variants = {number for own in balance.variants.values() for number, _ in own}
        self._prepare()
        self._solve()
        self._join()

    def _prepare(self) -> None:
        for row, q in enumerate(self._balance.sums):
            self._coefficients.append([self._coefficient(t) for t in q.terms])
            members: dict[int, None] = {}
            for place, t in enumerate(q.terms):
                for k, exponent in t.powers:
                    members[k] = None
                    if exponent > 0.0 and k not in self._given:
                        self._uses[k].append((row, place))
                for e, _ in t.rest:
                    members.update(dict.fromkeys(sorted(self._magnitudes.variables(e))))
            self._members.append(tuple(members))
            for k in members:
                self._rows_of[k].append(row)

    def _coefficient(self, t: Term) -> float:
        found = self._magnitudes.of_number(t.coefficient)
        return NOTHING if found > ENDLESS and found != ANYTHING else found

    def _solve(self) -> None:
        """Sizes spread, are corrected, and tighten until they stay."""
        open_ = [k for k in range(len(self.sizes)) if k not in self._given]
        reached = self._spread(open_)
        for _ in range(0 if self._certain else CORRECTED_TIMES):
            for k in reached:
                self._set(k, self._bound(k))
        self._tighten(reached)

    def _spread(self, open_: Sequence[int]) -> list[int]:
        """The variables that get sizes, in the order in which they do."""
        reached: list[int] = []
        waiting, queued = deque(open_), set(open_)
        while waiting:
            k = waiting.popleft()
            queued.discard(k)
            found = self._bound(k)
            if found is not None:
                self._set(k, found)
                reached.append(k)
                for j in self._neighbours(k):
                    if self.sizes[j] is None and j not in queued:
                        queued.add(j)
                        waiting.append(j)
        return reached

    def _tighten(self, reached: Sequence[int]) -> None:
        left = dict.fromkeys(reached, MOST_TIGHTER)
        waiting, queued = deque(reached), set(reached)
        while waiting:
            k = waiting.popleft()
            queued.discard(k)
            found, old = self._bound(k), self.sizes[k]
            if found is None or old is None or found.size > old - LEAST_TIGHTER or not left[k]:
                continue
            left[k] -= 1
            self._set(k, found)
            for j in self._neighbours(k):
                if j in left and j not in queued:
                    queued.add(j)
                    waiting.append(j)

    def _set(self, k: int, found: Bound | None) -> None:
        if found is not None:
            self.sizes[k], self.bounds[k] = found.size, found

    def _neighbours(self, k: int) -> Iterator[int]:
        """The variables whose sizes depend on that of a variable."""
        for row in self._rows_of[k]:
            yield from (j for j in self._members[row] if j != k)
        if k in self._state_of:
            yield self._state_of[k]

    def _join(self) -> None:
        """What stands in branches only is as large as in the branch where it is largest."""
        for k, variants in self._balance.variants.items():
            known = [(size, n) for n, _ in variants if (size := self.sizes[n]) is not None]
            if known and k not in self._given:
                self.sizes[k], largest = max(known)
                self.bounds[k] = self.bounds[largest]

    def where(self, k: int, relation: int, truth: bool) -> Size:
        """The size of a variable while a relation has a truth, if that depends on it."""
        found: list[float] = []
        for number, choices in self._balance.variants.get(k, ()):
            held = ((self._balance.deciding.get(guard), holds) for guard, holds in choices)
            size = self.sizes[number]
            if size is not None and not any(
                known is not None and known[0] == relation and (known[1] == truth) != holds
                for known, holds in held
            ):
                found.append(size)
        return max(found, default=self.sizes[k])

    def _bound(self, k: int) -> Bound | None:
        """What a variable is at most, by all that is known now."""
        always: list[tuple[bool, Bound]] = []
        sometimes: list[tuple[bool, Bound]] = []
        for row, place in self._uses[k]:
            told = self._of_term(k, row, place)
            if told is not None:
                term = self._balance.sums[row].terms[place]
                (sometimes if term.choices and k not in self._variants else always).append(
                    (told[1], Bound(told[0], row))
                )
        if k in self._balance.rates:
            grown = self._of_state(k)
            if grown is not None:
                always.append(grown)
        if always:
            if self._certain:
                found = min((bound for _, bound in always), key=lambda b: b.size)
            else:
                found = _chosen(always)
            start = self._starts[k] if k in self._balance.rates else NOTHING
            return found if found.size >= start else Bound(start, STARTED)
        if not sometimes:
            return None
        return max((bound for _, bound in sometimes), key=lambda b: b.size)

    def _of_state(self, k: int) -> tuple[bool, Bound] | None:
        start = self._starts[k]
        for e in self._balance.jumps.get(k, ()):
            size = self._magnitudes.of(e, self.sizes)
            if size is not None and size < ENDLESS:
                start = max(start, size)
        rate = self.sizes[self._balance.rates[k]]
        grown = NOTHING if rate is None else rate + self._span
        if self._certain and start > NOTHING:
            return True, Bound(start, STARTED)
        if max(start, grown) == NOTHING:
            return None
        return rate is not None, Bound(max(start, grown), STARTED if start >= grown else GROWN)

    def _of_term(self, k: int, row: int, place: int) -> tuple[float, bool] | None:
        """What an equation says of a variable in one of its terms, and whether it knows all others."""
        terms = self._balance.sums[row].terms
        own = terms[place]
        per_unit = self._size(row, place, without=k)
        if per_unit is None or math.isinf(per_unit):
            return None
        largest, complete = NOTHING, True
        for other, t in enumerate(terms):
            if other == place or _contradicts(own, t):
                continue
            if any(number == k for number, _ in t.powers):
                continue
            if self._certain and t.choices and not t.powers:
                continue
            size = self._size(row, other)
            if size is None:
                complete = False
            elif size == ANYTHING:
                return None
            else:
                largest = max(largest, size)
        if largest == NOTHING:
            return None
        exponent = next(exponent for number, exponent in own.powers if number == k)
        return (largest - per_unit) / exponent, complete

    def _size(self, row: int, place: int, without: int = -1) -> Size:
        """The size of a term, or of what a variable is multiplied by in it."""
        term = self._balance.sums[row].terms[place]
        total = self._coefficients[row][place]
        if total == NOTHING:
            return NOTHING
        for k, exponent in term.powers:
            if k != without:
                size = self.sizes[k]
                if size is None:
                    return None
                total += exponent * size
        for e, exponent in term.rest:
            size = self._magnitudes.of(e, self.sizes)
            if size is None:
                return None
            if size == ANYTHING or (size == NOTHING and exponent < 0.0):
                return ANYTHING
            total += exponent * size
        return total


def _chosen(found: list[tuple[bool, Bound]]) -> Bound:
    """The least of what equations say that know all of their terms; where none does, the largest."""
    complete = [bound for known, bound in found if known]
    if complete:
        return min(complete, key=lambda b: b.size)
    return max((bound for _, bound in found), key=lambda b: b.size)


def _contradicts(a: Term, b: Term) -> bool:
    return any((guard, not holds) in b.choices for guard, holds in a.choices)
