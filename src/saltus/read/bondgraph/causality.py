"""Sequential causality assignment (Karnopp, Margolis, Rosenberg: System Dynamics, chapter 5), mode by mode.

    1. A source gives what it is a source of. So does a controlled junction that is off: effort zero, or flow
       zero, on all its bonds.
    2. A storage in integral causality gives what it has collected: I a flow, C an effort.
    3. Of what is left, a dissipation gives effort for flow.
    4. Of what is left then, any bond gives its effort along the half arrow.

After each of them, what follows at junctions, transformers and gyrators is followed before the next element
is looked at: one bond of a 0-junction gives it the effort, one of a 1-junction the flow; a transformer is
told the effort at one side, a gyrator at both or none. A storage that has been told already is in derivative
causality; one whose integral causality contradicts the others is tried in the other one.

Storages in whose start value one is interested may come first in step 2, so that those of them that are then
in derivative causality are the ones whose start values the others contradict.

The same is found by the matching of variables to equations (`analyse.order`), without terms for it. They
agree where nothing had to be chosen; the tests compare that. An element without bonds has none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from saltus.ir.bonds.causality import Causality, Conflict, Step, Storage
from saltus.ir.bonds.graph import CONTROLLED, Bond, Element, Graph

_EFFORT_JUNCTIONS = frozenset({"J0", "X0"})
_FLOW_JUNCTIONS = frozenset({"J1", "X1"})
_EFFORT_SOURCES = frozenset({"Se", "MSe"})
_FLOW_SOURCES = frozenset({"Sf", "MSf"})
_TRANSFORMERS = frozenset({"TF", "MTF"})
_GYRATORS = frozenset({"GY", "MGY"})
_STORAGES = frozenset({"C", "I"})
_LOSSES = frozenset({"R", "MR"})

#: Modes that are listed.
MOST_MODES = 256


def initial_mode(graph: Graph) -> dict[str, bool]:
    """Which controlled junctions are on where the machines begin."""
    return {m.name: m.automaton.initial in m.on for m in graph.machines}


def modes(graph: Graph) -> Iterator[dict[str, bool]]:
    """All combinations that the machines can come to, the initial one first, then those with one difference,
    and so on. At most `MOST_MODES`."""
    first = initial_mode(graph)
    able = [m.name for m in graph.machines if len({name in m.on for name in m.automaton.reachable()}) > 1]
    count = 0
    for turned in range(len(able) + 1):
        for names in combinations(able, turned):
            if count == MOST_MODES:
                return
            count += 1
            yield {name: on != (name in names) for name, on in first.items()}


def causality(graph: Graph, mode: Mapping[str, bool], first: Collection[str] = ()) -> Causality:
    """The causality of a graph while these controlled junctions are on. The storages of `first` are asked
    first whether they are states."""
    return _Assignment(graph, mode, first).run()


class _Clash(Exception):
    def __init__(self, conflict: Conflict) -> None:
        super().__init__(conflict.at)
        self.conflict = conflict


class _Assignment:
    def __init__(self, graph: Graph, mode: Mapping[str, bool], first: Collection[str]) -> None:
        self.graph = graph
        self.mode = dict(mode)
        self.bonds = graph.bonds
        self.around: dict[str, list[int]] = {e.name: [] for e in graph.elements}
        for number, bond in enumerate(self.bonds):
            self.around[bond.tail].append(number)
            self.around[bond.head].append(number)
        self.elements = {e.name: e for e in graph.elements if self.around[e.name]}
        storages = [e for e in self.elements.values() if e.kind in _STORAGES]
        self.storages = sorted(storages, key=lambda e: e.name not in first)
        self.steps: dict[int, Step] = {}
        self.choices: list[str] = []
        self.forced: dict[str, Conflict] = {}

    def run(self) -> Causality:
        conflict = None
        try:
            self._assign()
        except _Clash as clash:
            conflict = clash.conflict
        storages = {}
        for element in self.elements.values():
            if element.kind in _STORAGES and self.around[element.name][0] in self.steps:
                gives = self._gives(element.name, self.around[element.name][0])
                integral = gives == (element.kind == "C")
                storages[element.name] = Storage.INTEGRAL if integral else Storage.DERIVATIVE
        return Causality(self.mode, self.steps, storages, tuple(self.choices), conflict, self.forced)

    def _assign(self) -> None:
        for element in self.elements.values():
            effort = self._dictates(element)
            if effort is not None:
                for bond in self.around[element.name]:
                    self._put(bond, element.name, effort, ())
        self._follow(list(self.elements))
        for element in self.storages:
            self._prefer(element.name, element.kind == "C")
        for element in self.elements.values():
            if element.kind in _LOSSES and self.around[element.name][0] not in self.steps:
                self.choices.append(element.name)
                self._prefer(element.name, element.argument("f") is None)
        for number, free in enumerate(self.bonds):
            if number not in self.steps:
                self.choices.append(free.tail)
                self._prefer(free.tail, True, number)

    def _dictates(self, element: Element) -> bool | None:
        """Whether an element gives effort (or flow) on all its bonds, whatever the others do."""
        if element.kind in _EFFORT_SOURCES or (element.kind == "X0" and not self.mode[element.name]):
            return True
        if element.kind in _FLOW_SOURCES or (element.kind == "X1" and not self.mode[element.name]):
            return False
        return None

    def _prefer(self, name: str, effort: bool, bond: int | None = None) -> None:
        """Gives a bond the causality that is wanted, or the other one if that leads to a contradiction."""
        bond = self.around[name][0] if bond is None else bond
        if bond in self.steps:
            return
        before = dict(self.steps)
        try:
            self._put(bond, name, effort, ())
            self._follow([name, *self._ends(bond)])
        except _Clash as clash:
            self.steps = before
            if self.graph.element(name).kind in _STORAGES:
                self.forced[name] = clash.conflict
            self._put(bond, name, not effort, ())
            self._follow([name, *self._ends(bond)])

    def _ends(self, bond: int) -> tuple[str, str]:
        return self.bonds[bond].tail, self.bonds[bond].head

    def _gives(self, name: str, bond: int) -> bool | None:
        """Whether an element gives the effort of a bond; None: that is not known."""
        step = self.steps.get(bond)
        return None if step is None else step.effort_from == name

    def _put(self, bond: int, name: str, effort: bool, because: tuple[int, ...]) -> None:
        """An element gives effort or flow on a bond."""
        tail, head = self._ends(bond)
        other = head if name == tail else tail
        step = Step(bond, name if effort else other, name, because)
        known = self.steps.get(bond)
        if known is None:
            self.steps[bond] = step
        elif known.effort_from != step.effort_from:
            # Both ends give the same variable.
            what = "effort" if effort else "flow"
            ways = (self._way(known), self._way(step))
            raise _Clash(Conflict(name, what, ways))

    def _way(self, step: Step) -> tuple[str, ...]:
        found = [step.at]
        while step.because:
            step = self.steps[step.because[0]]
            found.append(step.at)
        return tuple(reversed(found))

    # ------------------------------------------------------------ what follows

    def _follow(self, names: list[str]) -> None:
        waiting = list(dict.fromkeys(names))
        while waiting:
            name = waiting.pop(0)
            known = len(self.steps)
            fresh = [b for b in self.around[name] if b not in self.steps]
            self._at(self.elements[name])
            if len(self.steps) > known:
                for bond in fresh:
                    if bond in self.steps:
                        waiting += [end for end in self._ends(bond) if end not in waiting]

    def _at(self, element: Element) -> None:
        """What follows at one element."""
        name, kind = element.name, element.kind
        if kind in CONTROLLED and not self.mode[name]:
            return
        if kind in _EFFORT_JUNCTIONS:
            self._junction(name, False, "effort")
        elif kind in _FLOW_JUNCTIONS:
            self._junction(name, True, "flow")
        elif kind in _TRANSFORMERS or kind in _GYRATORS:
            first, second = self.around[name]
            for one, other in ((first, second), (second, first)):
                gives = self._gives(name, one)
                if gives is not None:
                    self._put(other, name, gives == (kind in _GYRATORS), (one,))

    def _junction(self, name: str, single: bool, what: str) -> None:
        """Exactly one bond of a junction has the value `single`: the junction gives its effort, or does
        not."""
        around = self.around[name]
        ones = [b for b in around if self._gives(name, b) is single]
        others = [b for b in around if self._gives(name, b) is (not single)]
        open_ = [b for b in around if self._gives(name, b) is None]
        if len(ones) > 1:
            ways = tuple((*self._way(self.steps[b]), name) for b in ones[:2])
            raise _Clash(Conflict(name, what, ways))
        if ones:
            for bond in open_:
                self._put(bond, name, not single, (ones[0],))
        elif not open_:
            ways = tuple((*self._way(self.steps[b]), name) for b in others)
            raise _Clash(Conflict(name, what, ways, missing=True))
        elif len(open_) == 1:
            self._put(open_[0], name, single, tuple(others))


def bond_name(bond: Bond) -> str:
    """Its name in messages."""
    return f"{bond.name}: {bond.text}" if bond.name else bond.text
