"""The modes of a run component by component: one short timeline for each part that switches independently. A
model of a hundred diodes has as many combined modes as it has events, but the interesting question is when
each diode blocked. Guards that decide together, since a program follows them by the same switched blocks
(`saltus.analyse.modes.local`), form one component; any other guard is a component by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from saltus.expr.nodes import Symbol, leaf_symbol
from saltus.expr.traversal import leaves
from saltus.ir.structure import Structure
from saltus.result.modes.guard_values import GuardValues
from saltus.result.modes.guards import ModeGuard, ModeGuards
from saltus.result.modes.stays import Decision
from saltus.result.trajectories.trajectories import Trajectories


class ComponentStay(NamedTuple):
    """A stretch of time in which the guards of a component kept their values."""

    start: float
    stop: float
    guards: tuple[Decision, ...]

    def __str__(self) -> str:
        return f"{self.start:<12.9g}  {self.stop:<12.9g}  {', '.join(map(str, self.guards))}"


@dataclass(frozen=True, eq=False)
class Component:
    """A part of the model that chooses between equations by itself. `name` is the component that its guards
    belong to, or else the guards; `stays` are in the order of time."""

    name: str
    guards: tuple[str, ...]
    stays: tuple[ComponentStay, ...]

    def at(self, time: float) -> tuple[Decision, ...]:
        """The values of the guards at a time; at an event, those after it."""
        return next(s.guards for s in reversed(self.stays) if s.start <= time or s is self.stays[0])

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.stays)} stays>"


def components(result: Trajectories) -> Iterator[Component]:
    """The components of a run, in the order of their guards."""
    guards = [g for g in ModeGuards(result.programs).all if g.symbol is not None]
    values = GuardValues(result)
    owner = _owners(result.programs)
    together: dict[object, list[ModeGuard]] = {}
    for guard in guards:
        assert guard.symbol is not None
        together.setdefault(owner.get(guard.symbol, guard), []).append(guard)
    for members in together.values():
        stays = tuple(_stays(result, values, members))
        texts = tuple(guard.text for guard in members)
        yield Component(_name(members), texts, stays)


def _owners(programs: Sequence[Structure]) -> dict[Symbol, object]:
    """Something that guards have in common which are followed together."""
    found: dict[Symbol, Symbol] = {}

    def root(symbol: Symbol) -> Symbol:
        while found[symbol] is not symbol:
            symbol = found[symbol]
        return symbol

    for structure in programs:
        for blocks in structure.switched_by.values():
            for block in blocks:
                own = {leaf_symbol(leaf) for case in block.cases for leaf in leaves(case.condition)}
                for symbol in own:
                    found.setdefault(symbol, symbol)
                first, *others = own
                for symbol in others:
                    found[root(symbol)] = root(first)
    return {symbol: root(symbol) for symbol in found}


def _stays(result: Trajectories, values: GuardValues, guards: Sequence[ModeGuard]) -> Iterator[ComponentStay]:
    times = result.time
    if not len(times):
        return
    rows = {0}
    for guard in guards:
        rows.update(values.turns(guard.expression))
    found: list[tuple[float, tuple[Decision, ...]]] = []
    for row in sorted(rows):
        decisions = tuple(_decision(guard, values, row) for guard in guards)
        start = float(times[row])
        if found and found[-1][0] == start:
            found.pop()  # passed through at an instant
        if not found or found[-1][1] != decisions:
            found.append((start, decisions))
    stops = [start for start, _ in found[1:]] + [float(times[-1])]
    for (start, decisions), stop in zip(found, stops, strict=True):
        yield ComponentStay(start, stop, decisions)


def _decision(guard: ModeGuard, values: GuardValues, row: int) -> Decision:
    number = values.at(guard.expression, row)
    value = guard.value(lambda leaf: bool(number) if guard.is_truth else int(number))
    return Decision(guard.text, value, span=guard.span)


def _name(guards: Sequence[ModeGuard]) -> str:
    """What the guards belong to, if it is one part of the model."""
    names = [guard.variable.name if guard.variable is not None else "" for guard in guards]
    owners = {name.rpartition(".")[0] for name in names}
    owner = next(iter(owners)) if len(owners) == 1 else ""
    return owner or ", ".join(np.unique([guard.text for guard in guards]).tolist())
