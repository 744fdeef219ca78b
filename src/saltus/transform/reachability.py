"""Where the tokens of a net can be: all markings that the token game can come to, round by round.

Conditions and delays may hold or not, so transitions that have one may fire or wait; the others fire as soon
as they can. All else is as in the game: the order in which they are asked, what is left, the room there is.
So every marking of a run is among those that are found; that each is reached by a run is not said.

A place is unbounded if a marking comes again with more tokens and none fewer (Karp and Miller 1969), where no
inhibitor and no capacity stand against what led there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from operator import ge

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.ir import ast
from saltus.ir.automata.net import Net
from saltus.ir.automata.reachable import Reachable, Step
from saltus.read.lines.numbers import WholeNumbers

#: The largest numbers of markings, and of steps between them.
MOST, MOST_STEPS = 20_000, 200_000
#: A marking is compared with this many of those that led to it, and one that is this many rounds further with
#: all of them: a long way would take the square of its length, and what grows in longer circles is found,
#: too.
NEAR = 64


@dataclass(frozen=True)
class _Rule:
    name: str
    takes: tuple[tuple[int, int], ...]
    gives: tuple[tuple[int, int], ...]
    needs: tuple[tuple[int, int], ...]
    unless: tuple[tuple[int, int], ...]
    may_wait: bool


def reachable(net: Net) -> Reachable:
    """The markings. Raises `UsageError` where numbers are not known, or where there are too many."""
    return _Search(net).found()


class _Search:
    def __init__(self, net: Net) -> None:
        self.net = net
        self.numbers = WholeNumbers(net.parameters)
        self.places = [p.name for p in net.places]
        self.depth = [0]  # of the markings: how many rounds led there
        index = {name: k for k, name in enumerate(self.places)}
        self.capacity = [
            None if (c := net.capacity_of(p)) is None else self._number(c, p.name) for p in net.places
        ]
        self.rules = []
        for t in net.in_turn:
            takes, gives, unless = (
                tuple((index[a.place], self._number(a.weight, a.place)) for a in arcs)
                for arcs in (t.inputs, t.outputs, t.inhibitors)
            )
            own = dict(takes)
            needs = tuple((k, max(0, n - own.get(k, 0))) for k, n in gives)
            may_wait = t.condition is not None or t.delay is not None
            self.rules.append(_Rule(t.name, takes, gives, needs, unless, may_wait))

    def _number(self, node: ast.Expression | None, what: str) -> int:
        if node is None:
            return 1
        found = self.numbers.of(node)
        if found is None:
            message = f"a number of `{what}` is known only when the net is run"
            hint = "markings are found for whole numbers and parameters that are"
            raise UsageError(Diagnostic("E501", message, hint=hint))
        return found

    def found(self) -> Reachable:
        start = tuple(0 if p.tokens is None else self._number(p.tokens, p.name) for p in self.net.places)
        number = {start: 0}
        before: dict[int, tuple[int, tuple[str, ...]]] = {}
        waiting, order, steps = [start], [start], list[Step]()
        growing: dict[str, tuple[str, ...]] = {}
        for marking in waiting:
            here = number[marking]
            for fired, reached in self._rounds(marking):
                if reached not in number:
                    number[reached] = len(number)
                    before[number[reached]] = here, fired
                    order.append(reached)
                    grown = self._grown(reached, order, before, number[reached])
                    if grown:
                        growing |= {k: v for k, v in grown.items() if k not in growing}
                    else:
                        waiting.append(reached)
                    if len(number) > MOST:
                        self._too_many(f"more than {MOST} markings")
                steps.append(Step(here, number[reached], fired))
                if len(steps) > MOST_STEPS:
                    self._too_many(f"more than {MOST_STEPS} steps between markings")
        markings = tuple(dict(zip(self.places, m, strict=True)) for m in number)
        dead = tuple(k for m, k in number.items() if not any(self._possible(m, r) for r in self.rules))
        bounds = {p: max(m[k] for m in number) for k, p in enumerate(self.places)}
        fired_once = {name for s in steps for name in s.transitions}
        never = tuple(r.name for r in self.rules if r.name not in fired_once)
        result = Reachable(self.net.name, markings, tuple(steps), dead, bounds, never, growing)
        result.verify()
        return result

    def _too_many(self, what: str) -> None:
        message = f"the net `{self.net.name}` has {what}"
        raise UsageError(Diagnostic("E501", message, hint="look at parts of it"))

    # ------------------------------------------------------------ the game

    def _possible(self, marking: tuple[int, ...], rule: _Rule) -> bool:
        """Whether a rule has its tokens, its room, and no inhibitor against it."""
        return (
            all(marking[k] >= n for k, n in rule.takes)
            and all(marking[k] < n for k, n in rule.unless)
            and self._has_room(marking, rule)
        )

    def _has_room(self, held: tuple[int, ...] | list[int], rule: _Rule) -> bool:
        for k, n in rule.needs:
            most = self.capacity[k]
            if most is not None and held[k] + n > most:
                return False
        return True

    def _rounds(self, marking: tuple[int, ...]) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        """All that may happen in one round, but for nothing at all."""
        for chosen in self._chosen(marking, 0, list(marking), list(marking), ()):
            if chosen:
                reached = list(marking)
                for rule in chosen:
                    for k, n in rule.takes:
                        reached[k] -= n
                    for k, n in rule.gives:
                        reached[k] += n
                yield tuple(r.name for r in chosen), tuple(reached)

    def _chosen(
        self, marking: tuple[int, ...], at: int, left: list[int], held: list[int], chosen: tuple[_Rule, ...]
    ) -> Iterator[tuple[_Rule, ...]]:
        while at < len(self.rules):
            rule = self.rules[at]
            at += 1
            free = all(left[k] >= n for k, n in rule.takes) and all(marking[k] < n for k, n in rule.unless)
            if not free or not self._has_room(held, rule):
                continue
            if rule.may_wait:
                yield from self._chosen(marking, at, list(left), list(held), chosen)
            for k, n in rule.takes:
                left[k] -= n
            for k, n in rule.needs:
                held[k] += n
            chosen = (*chosen, rule)
        yield chosen

    # ------------------------------------------------------------ what grows

    def _grown(
        self,
        marking: tuple[int, ...],
        known: list[tuple[int, ...]],
        before: dict[int, tuple[int, tuple[str, ...]]],
        number: int,
    ) -> dict[str, tuple[str, ...]]:
        """Places that have more tokens than at an earlier marking on the way here, where none has fewer."""
        if any(r.unless for r in self.rules):
            return {}
        self.depth.append(self.depth[before[number][0]] + 1)
        whole, earlier = self.depth[number] % NEAR == 0, number
        for passed in count():
            if earlier not in before or (passed == NEAR and not whole):
                return {}
            earlier = before[earlier][0]
            old = known[earlier]
            if all(map(ge, marking, old)) and marking != old:
                more = [k for k, n in enumerate(marking) if n > old[k]]
                if all(self.capacity[k] is None for k in more):
                    break
        fired: list[str] = []
        while number != earlier:
            number, names = before[number]
            fired = [*names, *fired]
        return {self.places[k]: tuple(dict.fromkeys(fired)) for k in more}
