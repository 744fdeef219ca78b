"""Sizes of variables, from the balance of the terms of each equation.

In an equation the largest terms are of the same size. So a variable in it is at most as large as the largest
of the other terms allows:

    a x = sum of terms t_j      ->      |x| <= max |t_j| / |a|

Every equation says so, and the least of what they say is taken. An equation that says it in one branch only
bounds the variable there: of these the largest counts, and only where nothing else is known. A state is at
most what it began with, what it is set to, or the integral of its derivative over the run.

A bound that rests on the variable itself says nothing: `der(x) = v` gives `der(x)` the size of v, and would
then give v its own, whatever that is, though v grows by `der(v) = -g`. So what rests on other things counts
first. Each bound is kept with the variables of its largest term, which lead back to sources and start values.
Where nothing else bounds a variable, as in a swing that nobody pushes, the least of such bounds is right: it
stays as large as it begins. But a start value alone is no bound: where the derivative may be anything, since
a function gives it, the size is not known.

Sizes spread from sources, parameters and start values: at first to variables of which an equation tells all,
so that these are bounds for certain. Where none does, since terms depend on each other, what has no size yet
is left out. As soon as all terms of some equation of a variable are known, only such equations count. Then
sizes are corrected until they stay: `V = u1 + u2, u1 = R1*i, u2 = R2*i` begins with V for both, then i is the
smaller one of V/R1 and V/R2, and one of the voltages becomes what it makes of that. Where still nothing is
known, what is known of a sum in a function counts: of k*sqrt(p0 - p), with der(p) from that, it is p0.

This is arithmetic of maxima (a tropical system), where terms never cancel. Sizes are therefore bounds rather
than values. They are meant to be right to a few powers of ten.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence, Set

from saltus.ir.balance import STARTED, Balance, Bound
from saltus.run.sizes.lowering import lowered
from saltus.run.sizes.magnitude import NOTHING, Magnitudes, Size
from saltus.run.sizes.told import EQUAL, Tellers, Told

#: The largest number of times that a size is loosened and tightened.
MOST_LOOSER, MOST_TIGHTER = 8, 24

#: Sizes, which may grow from equation to equation, stay within these.
FARTHEST_SIZE = 300.0

#: What an equation says without what it has from the variable itself counts where everything else says so
#: much more.
MUCH_SMALLER = 3.0

#: The largest number of bounds resting on each other that are followed.
MOST_FOLLOWED = 64


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
        self._balance, self._starts, self._given = balance, starts, given
        self._certain = certain
        self._tellers = Tellers(balance, magnitudes, given, starts, span, certain=certain)
        self._incidence = self._tellers.incidence
        self.sizes: list[Size] = self._tellers.sizes
        #: What each size was taken from.
        self.bounds: dict[int, Bound] = {}
        #: Variables whose bounds are known not to lead back to them.
        self._free: set[int] = set()
        self._leaving_out = False
        self._take_constants()
        # What begins largest comes first: beside a bump, what begins at exp(-400) is as large as the bump.
        open_ = [k for k, size in enumerate(self.sizes) if size is None]
        reached = self._spread(sorted(open_, key=lambda k: -starts[k]))
        self._tellers.partly = True
        reached += self._spread([k for k, size in enumerate(self.sizes) if size is None])
        self._tellers.partly = False
        self._correct(reached)
        if certain:
            self.bounds.update(lowered(self._tellers, reached))
        self._forget_what_rests_on_nothing(reached)
        self._join()

    def _take_constants(self) -> None:
        """Variables of which an equation says by itself how large they are, neither more nor less. No other
        equation knows better: sizes of its terms may be too small before all is settled."""
        for k, size in enumerate(self.sizes):
            if size is not None or k in self._balance.rates:
                continue
            for t in self._tellers.all_of(k)[0]:
                if t.complete and len(t.parts) == 1 and not t.parts[0].variables:
                    self._set(k, t.bound)
                    break

    def _spread(self, open_: Sequence[int]) -> list[int]:
        """The variables that get sizes, in the order in which they do: those first of which equations tell
        all, and then, one at a time, others."""
        reached: list[int] = []
        waiting, queued = deque(open_), set(open_)
        later: dict[int, None] = {}
        while waiting or later:
            if waiting:
                k = waiting.popleft()
                queued.discard(k)
                found = self._bound(k, completely=True)
                if found is None:
                    later[k] = None
                    continue
            else:
                k = next(iter(later))
                found = self._bound(k)
            later.pop(k, None)
            if found is None:
                continue
            self._set(k, found)
            reached.append(k)
            for j in self._incidence.neighbours[k]:
                if self.sizes[j] is None and j not in queued:
                    queued.add(j)
                    waiting.append(j)
        return reached

    def _correct(self, reached: Sequence[int]) -> None:
        """Lets sizes follow from what is known by now, in either direction. What equations say without what
        they have from the variable itself is looked at when everything else has settled."""
        looser = dict.fromkeys(reached, 0 if self._certain else MOST_LOOSER)
        tighter = dict.fromkeys(reached, MOST_TIGHTER)
        self._settle(reached, looser, tighter)
        if not self._certain:
            self._leaving_out = True
            far = [k for k in reached if self._is_far(k)]
            if far:
                self._leave_out(far, looser, tighter)

    def _leave_out(self, far: Sequence[int], looser: dict[int, int], tighter: dict[int, int]) -> None:
        """Lets sizes follow from what equations say without what they have from a variable itself. Round a
        loop this may lead to ever less, in the end to a source that nothing in its equation is as large as.
        Then it is given up: bounds that are too high do less harm than sizes of nothing."""
        sizes, bounds, gaps = list(self.sizes), dict(self.bounds), self._gaps()
        self._settle(far, looser, tighter)
        if any(
            now > MUCH_SMALLER and now > before + EQUAL
            for now, before in zip(self._gaps(), gaps, strict=True)
        ):
            self.sizes[:] = sizes
            self.bounds.clear()
            self.bounds.update(bounds)
            self._free.clear()

    def _gaps(self) -> list[float]:
        """How much larger the largest term of each equation is than all others; zero where that is not known
        of all, or depends on branches."""
        return [self._tellers.gap(row) for row in range(len(self._balance.sums))]

    def _is_far(self, k: int) -> bool:
        """Whether a size is far above its present bound."""
        size, found = self.sizes[k], self._bound(k)
        return size is not None and found is not None and found.size < size - MUCH_SMALLER

    def _settle(self, reached: Sequence[int], looser: dict[int, int], tighter: dict[int, int]) -> None:
        waiting, queued = deque(reached), set(reached)
        while waiting:
            k = waiting.popleft()
            queued.discard(k)
            found, old = self._bound(k), self.sizes[k]
            if found is None or old is None:
                continue
            left = tighter if found.size < old else looser
            if abs(found.size - old) < EQUAL or not left[k]:
                if found.sum == self.bounds[k].sum:
                    self.bounds[k] = Bound(old, found.sum, found.rests_on)
                continue
            left[k] -= 1
            self._set(k, found)
            for j in self._incidence.neighbours[k]:
                if j in tighter and j not in queued:
                    queued.add(j)
                    waiting.append(j)

    def _set(self, k: int, found: Bound) -> None:
        self.sizes[k] = min(max(found.size, -FARTHEST_SIZE), FARTHEST_SIZE)  # a number of that size exists
        self.bounds[k] = found

    def _forget_what_rests_on_nothing(self, reached: Sequence[int]) -> None:
        """Drops sizes that no equation determines completely: a start value is no bound for what a function
        may make of it. Complete are those, too, that have variables without a size that stay at zero."""
        zero = self._at_zero()
        zero |= self._balance.variants.keys()  # which stand for what is in the branches
        if all(k in zero for k, size in enumerate(self.sizes) if size is None):
            return
        zero.difference_update(self._given)
        for k in zero:
            self.sizes[k] = NOTHING
        waiting, queued = deque(reached), set(reached)
        while waiting:
            k = waiting.popleft()
            queued.discard(k)
            if self.sizes[k] is None or self._is_told(k):
                continue
            self.sizes[k] = None
            del self.bounds[k]
            for j in self._incidence.neighbours[k]:
                if j in self.bounds and j not in queued:
                    queued.add(j)
                    waiting.append(j)
        for k in zero:
            self.sizes[k] = None

    def _is_told(self, k: int) -> bool:
        """Whether an equation bounds a variable that knows all of its other terms, and does not get them from
        the variable itself. Of a state that is what it grows to, too."""
        always, sometimes = self._tellers.all_of(k)
        told = [t for t in always or sometimes if t.complete]
        return any(t.sum < 0 or not all(self._leads_to(k, p.variables) for p in t.largest) for t in told)

    def _at_zero(self) -> set[int]:
        """The variables that stay at zero: those without a size, as long as everything else in some equation
        is zero as well."""
        zero = {k for k, size in enumerate(self.sizes) if size is None and k not in self._balance.variants}
        waiting, queued = deque(zero), set(zero)
        while waiting:
            k = waiting.popleft()
            queued.discard(k)
            if k not in zero or self._stays_at_zero(k, zero):
                continue
            zero.discard(k)
            for j in self._incidence.neighbours[k]:
                if j in zero and j not in queued:
                    queued.add(j)
                    waiting.append(j)
        return zero

    def _stays_at_zero(self, k: int, zero: Set[int]) -> bool:
        rate = self._balance.rates.get(k)
        if rate in zero and self._starts[k] == NOTHING and k not in self._balance.jumps:
            return True
        for use in self._incidence.uses[k]:
            terms, of = self._balance.sums[use.sum].terms, self._tellers.coefficients[use.sum]
            if not use.sometimes and all(
                of[other] == NOTHING
                or any(j in zero and exponent > 0.0 for j, exponent in terms[other].powers)
                for other in use.others
            ):
                return True
        return False

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

    def _bound(self, k: int, *, completely: bool = False) -> Bound | None:
        """What a variable is at most, by all that is known now; None if it must be known `completely`, and no
        equation knows all of its other terms."""
        always, sometimes = self._tellers.all_of(k)
        if completely and not any(t.complete for t in always or sometimes):
            return None
        if always:
            found = min(always, key=_size).bound if self._certain else self._chosen(k, always)
            start = self._starts[k] if k in self._balance.rates else NOTHING
            return found if found.size >= start else Bound(start, STARTED)
        if not sometimes:
            return None
        return max(sometimes, key=_size).bound

    def _chosen(self, k: int, told: list[Told]) -> Bound:
        """The least of what equations say that know all of their terms and do not rest on the variable
        itself; else the least of those that know all of their terms; where none does, the largest."""
        complete = sorted((t for t in told if t.complete), key=_size)
        if not complete:
            return max(told, key=_size).bound
        if k not in self.bounds:  # nothing rests on it so far
            self._free.add(k)
            return complete[0].bound
        found = self._not_from_itself(k, complete)
        if not self._leaving_out:
            return found
        for t in complete:
            found = self._left(k, t, found.size - MUCH_SMALLER) or found
        return found

    def _not_from_itself(self, k: int, complete: list[Told]) -> Bound:
        for t in complete:
            for part in t.largest:
                if self._is_free(k, part.variables):
                    return t.by(part)
        self._free.clear()  # what the variable rests on may rest on it as well
        return complete[0].bound

    def _left(self, k: int, told: Told, below: float) -> Bound | None:
        """What an equation says of a variable but for what it has from the variable itself, if that is far
        less. With L*der(i) = u known from V = L*der(i) + u, that equation says of u that it is as large as V.
        Of a state it says nothing then: in der(x) = v + c, which gives der(x), it is not c that says how
        large v becomes. Nor does it where one of its branches is left with nothing."""
        if told.parts[-1].size >= below or told.sum < 0 or k in self._balance.rates:
            return None
        for n, part in enumerate(told.parts):
            if not self._leads_to(k, part.variables):
                own, others = told.parts[:n], told.parts[n:]
                if part.size >= below or any(
                    all(self._tellers.are_alternatives(told.sum, p, o) for o in others) for p in own
                ):
                    return None
                return Bound(part.size, told.sum, part.variables)
        return None

    def _is_free(self, k: int, rests_on: tuple[int, ...]) -> bool:
        """Whether a bound of a variable does not lead back to it."""
        if k in self._free and self.bounds[k].rests_on == rests_on:
            return True
        if self._leads_to(k, rests_on):
            return False
        self._free.add(k)
        return True

    def _leads_to(self, k: int, rests_on: Sequence[int]) -> bool:
        """Whether bounds that rest on some variables lead back to a variable, by their largest terms."""
        seen, waiting = {k}, list(rests_on)
        while waiting:
            j = waiting.pop()
            if j == k:
                return True
            if j not in seen and len(seen) < MOST_FOLLOWED and j in self.bounds:
                seen.add(j)
                waiting += self.bounds[j].rests_on
        return False


def _size(told: Told | Bound) -> float:
    return told.size
