"""Sources of connected signals: a set of connected inputs and outputs has one (section 9.3).

Seen from a model, the outputs of its components and its own inputs are sources. A variable of a bus is none
by itself: it passes a signal on, from the side where a source is to the other one.
"""

from __future__ import annotations

from collections.abc import Iterable

from saltus.core.diagnostics import Note, model_error
from saltus.ir.flat import Causality, Variability
from saltus.ir.instance import Scalar
from saltus.lower.connections.connection_sets import ConnectionSets, End
from saltus.lower.connections.expandable import Buses


class Signals:
    """Finds the source of every set. `hidden` are ends of protected connectors: no signal enters there."""

    def __init__(self, sets: ConnectionSets, buses: Buses, hidden: set[End]) -> None:
        self._sets = sets
        self._buses = buses
        self._hidden = hidden
        self._source: dict[End, End] = {}  # of a set, by its first member

    def is_input_of_model(self, end: End) -> bool:
        """Seen from inside, an input drives; a protected one is no input from outside but a node inside."""
        scalar, outside = end
        return outside and scalar.causality is Causality.INPUT and end not in self._hidden

    def _is_source(self, end: End) -> bool:
        scalar, outside = end
        if scalar in self._buses:
            return False
        return self.is_input_of_model(end) or (not outside and scalar.causality is Causality.OUTPUT)

    def check(self, own: Iterable[Scalar]) -> None:
        """Refuses sets with two sources, and signals of a bus that are used but come from nowhere. Those of a
        bus of the model itself (`own`) come from outside: they become its inputs."""
        causal = [m for m in self._sets if self._is_signal(m)]
        waiting: list[list[End]] = []
        for members in causal:
            for end in members:
                if self._is_source(end):
                    self._drive(members, end, waiting)
        while waiting:
            members = waiting.pop()
            for end in members:
                scalar, outside = end
                beyond = (scalar, not outside)
                if scalar in self._buses and end != self._source[members[0]] and beyond in self._sets:
                    self._drive(self._sets.of(beyond), beyond, waiting)
        mine = set(own)
        for members in causal:
            if members[0] not in self._source:
                self._adopt(members, mine)

    @staticmethod
    def _is_signal(members: list[End]) -> bool:
        first = members[0][0]
        return not first.flow and not first.stream and first.variability > Variability.PARAMETER

    def _drive(self, members: list[End], source: End, waiting: list[list[End]]) -> None:
        known = self._source.get(members[0])
        if known is None:
            self._source[members[0]] = source
            waiting.append(members)
        if known is None or known == source:
            return
        a, b = known[0], source[0]
        raise model_error(
            "E210",
            f"two sources are connected: `{a.path}` and `{b.path}`",
            self._sets.first[source].span,
            notes=(Note(f"`{a.path}` is connected here", self._sets.first[known].span),),
            hint="a signal comes from one source only: remove a connection, or add the two in a block",
            origin=self._sets.first[source].origin,
        )

    def _adopt(self, members: list[End], mine: set[Scalar]) -> None:
        """A set without a source that reaches a bus: what is declared there may be given by an equation."""
        used = next((e for e in members if self._uses(e)), None)
        if used is None or not any(scalar in self._buses for scalar, _ in members):
            return
        reached = self._reached([members])
        entry = next((s for s in reached if s in mine), None)
        if entry is not None:
            entry.causality = Causality.INPUT
        elif not any(s in self._buses.declared for s in reached):
            raise model_error(
                "E210",
                f"`{used[0].path}` is connected to a bus, but nothing there gives it a value",
                self._sets.first[used].span,
                hint=f"connect an output to `{reached[0].path}`",
                origin=self._sets.first[used].origin,
            )

    def _uses(self, end: End) -> bool:
        scalar, outside = end
        wanted = Causality.OUTPUT if outside else Causality.INPUT
        return scalar not in self._buses and scalar.causality is wanted

    def reached(self, scalar: Scalar) -> list[Scalar]:
        """The variables of buses that are connected to one of them, the first declared first."""
        return sorted(self._reached([[(scalar, False)]]), key=lambda s: s.symbol)

    def _reached(self, waiting: list[list[End]]) -> list[Scalar]:
        """The variables of buses that a signal is passed on by, starting from a set."""
        found: dict[Scalar, None] = {}
        while waiting:
            for scalar, outside in waiting.pop():
                if scalar in self._buses and scalar not in found:
                    found[scalar] = None
                    waiting += [self._sets.of((scalar, side)) for side in (outside, not outside)]
        return list(found)
