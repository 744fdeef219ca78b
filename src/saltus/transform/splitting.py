"""Composite conditions of a net to single relations (Cellier 2013, "Petri Nets XIII" and "XIV").

    a -> b when c or d        two transitions side by side, one for c and one for d
    a -> b when c and d       a place between them: a -> a_b when c, a_b -> b when d, a_b -> a when not c

Where several transitions with such conditions leave a place, the places that are added say of each of them
how many of its relations hold, one after the other; sets of relations that exclude each other, since they
compare the same with constants, have no place. A token at one of these places counts as one at the old place
wherever its name stands.

Conditions of transitions that leave one place have to exclude each other, as those of the paper do: of two
that hold at the same instant the one with fewer relations would be the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.ir import ast
from saltus.ir.automata.net import Arc, Item, Net, Place, Transition
from saltus.read.lines.pieces import rebuilt
from saltus.transform.relations import Together, alternatives, exclude, opposite_of

#: The largest number of places that one may be split into.
MOST = 200


def split(net: Net) -> Net:
    """The net whose conditions are single relations. Raises `UsageError` for what is no machine as a net."""
    for transition in net.transitions:
        simple = len(transition.inputs) == 1 and not transition.inhibitors and transition.delay is None
        if not simple and _is_composite(transition):
            message = f"the condition of `{transition.name}` cannot be split"
            hint = "transitions with one place before them, without delay and inhibitors, can"
            raise UsageError(Diagnostic("E501", message, hint=hint))
    return _Splitting(net).net()


def _is_composite(transition: Transition) -> bool:
    if transition.condition is None or transition.edge:
        return False
    found = alternatives(transition.condition)
    return len(found) != 1 or len(found[0]) > 1


class _Splitting:
    def __init__(self, net: Net) -> None:
        self.old = net
        self.taken = {name for name, _, _ in net.named()}
        self.used: set[str] = set()
        self.first = min((t.priority for t in net.transitions), default=1)
        #: Of an old place: the places that say how far its transitions are, by how many relations hold.
        self.places: dict[str, dict[tuple[int, ...], str]] = {}
        self.chains = {p.name: self._chains(p) for p in net.places}

    def net(self) -> Net:
        old = self.old
        for place in old.places:
            self._grow(place)
        items: list[Item] = []
        for item in old.items:
            match item:
                case Place():
                    items.append(item)
                    items += [
                        Place(item.start, item.end, name, None, item.capacity, item.description)
                        for name in list(self.places[item.name].values())[1:]
                    ]
                case Transition():
                    pass
                case _:
                    items.append(self._meaning(item))
        for place in old.places:
            items += self._moving(place)
        items += [
            replace(t, condition=None if t.condition is None else self._meaning(t.condition))
            for t in old.transitions
            if len(t.inputs) != 1
        ]
        return replace(old, items=tuple(items))

    def _meaning(self, node: Any) -> Any:
        """The name of a place counts the tokens at all that have come of it."""

        def change(n: Any) -> Any:
            if isinstance(n, ast.Reference) and len(n.parts) == 1 and n.parts[0][0] in self.places:
                names = list(self.places[n.parts[0][0]].values())
                if len(names) == 1:
                    return None
                found: ast.Expression = ast.Reference(n.start, n.end, ((names[0], ()),))
                for name in names[1:]:
                    more = ast.Reference(n.start, n.end, ((name, ()),))
                    found = ast.Binary(n.start, n.end, "+", found, more)
                return ast.Parenthesis(n.start, n.end, found)
            return None

        return rebuilt(node, change)

    def _chains(self, place: Place) -> list[tuple[Transition, Together]]:
        """The transitions that leave a place, one for each way in which their conditions hold."""
        found: list[tuple[Transition, Together]] = []
        for transition in self.old.in_turn:
            if len(transition.inputs) == 1 and transition.inputs[0].place == place.name:
                if transition.condition is None or transition.edge:
                    found.append((transition, ()))
                else:
                    found += [(transition, each) for each in alternatives(transition.condition)]
        return found

    # ------------------------------------------------------------ places

    def _grow(self, place: Place) -> None:
        """A place for each way in which relations of its transitions can hold."""
        long = [(k, each) for k, (_, each) in enumerate(self.chains[place.name]) if len(each) > 1]
        found: dict[tuple[int, ...], str] = {}
        count = len(self.chains[place.name])
        for lengths in product(*(range(len(each)) for _, each in long)):
            far = [0] * count
            for (k, _), length in zip(long, lengths, strict=True):
                far[k] = length
            if self._possible(place, tuple(far)):
                found[tuple(far)] = self._name(place, tuple(far)) if any(far) else place.name
            if len(found) > MOST:
                message = f"the conditions of the transitions from `{place.name}` have too many relations"
                raise UsageError(Diagnostic("E501", message, hint="simplify them"))
        self.places[place.name] = found or {(0,) * count: place.name}

    def _possible(self, place: Place, far: tuple[int, ...]) -> bool:
        holding = [c for (_, each), n in zip(self.chains[place.name], far, strict=True) for c in each[:n]]
        return not any(exclude(a, b) for a, b in combinations(holding, 2))

    def _name(self, place: Place, far: tuple[int, ...]) -> str:
        ways = [t.outputs[0].place if t.outputs else t.name for t, _ in self.chains[place.name]]
        base = name = "_to_".join([place.name, *(w for w, n in zip(ways, far, strict=True) if n)])
        count = 1
        while name in self.taken:
            count += 1
            name = f"{base}_{count}"
        self.taken.add(name)
        return name

    # ------------------------------------------------------------ transitions

    def _moving(self, place: Place) -> Iterator[Transition]:
        """Transitions between the places that have come of one, and away from them."""
        places, chains = self.places[place.name], self.chains[place.name]
        for far, name in places.items():
            for k, (transition, each) in enumerate(chains):
                if len(each) <= 1:
                    condition = self._meaning(each[0]) if each else self._plain(transition)
                    yield self._from(transition, name, transition.outputs, condition)
                    continue
                now = far[k]
                if now == len(each) - 1:
                    condition = self._meaning(each[now])
                    yield self._from(transition, name, transition.outputs, condition)
                elif (onwards := (*far[:k], now + 1, *far[k + 1 :])) in places:
                    yield self._step(
                        transition, name, places[onwards], self._meaning(each[now]), onwards=True
                    )
                for held in range(now):
                    back = (*far[:k], held, *far[k + 1 :])
                    opposite = self._meaning(opposite_of(each[held]))
                    yield self._step(transition, name, places[back], opposite, onwards=False)

    def _plain(self, transition: Transition) -> ast.Expression | None:
        return None if transition.condition is None else self._meaning(transition.condition)

    def _from(
        self, old: Transition, source: str, outputs: tuple[Arc, ...], condition: ast.Expression | None
    ) -> Transition:
        arc = replace(old.inputs[0], place=source)
        return replace(old, name=self._fresh(old.name), inputs=(arc,), outputs=outputs, condition=condition)

    def _step(
        self, old: Transition, source: str, target: str, condition: ast.Expression, *, onwards: bool
    ) -> Transition:
        """A step between places that have come of one; back goes before everything else."""
        arcs = (replace(old.inputs[0], place=source),), (replace(old.inputs[0], place=target),)
        name = self._fresh(f"{source}_to_{target}" if source != target else old.name)
        return replace(
            old,
            name=name,
            inputs=arcs[0],
            outputs=arcs[1],
            condition=condition,
            priority=old.priority if onwards else self.first - 1,
            actions=(),
            description="",
        )

    def _fresh(self, base: str) -> str:
        """The old name for the first of what has come of a transition, then numbered ones."""
        count, name = 1, base
        own = {t.name for t in self.old.transitions}
        while name in self.used or (name in self.taken and name not in own):
            count += 1
            name = f"{base}_{count}"
        self.used.add(name)
        return name
