"""Start values that the initial mode contradicts.

A momentum is given to a body, and where its machines begin the body is held by a brake, driven by a source of
flow or tied to another body: its flow follows, and it is no state there. The values that are given are those
*before* the start. So such a storage is *held apart*: as long as there is no time yet it is cut off from its
bond (without effort if it is an I, without flow if it is a C), and then it is joined. This is an event as any
other: what is conserved is shared out, and what a source or a brake takes away is an impulse (Mosterman,
Biswas, Otter 1998, "finding consistent initial values": dependent storages conserve their state).

Cut off from storages that give it nothing of their own, the rest of the graph keeps its causality. Which ones
these are the causality of the initial mode tells, in which storages with start values come first; or numbers,
where strokes do not decide. Where all
values that meet are zero, whatever the numbers of the elements are, nothing has to be held apart.
"""

from __future__ import annotations

from saltus.ir import ast
from saltus.ir.automata.lines import Argument
from saltus.ir.bonds.causality import Causality, Storage
from saltus.ir.bonds.graph import CONTROLLED, KINDS, Element, Graph
from saltus.read.bondgraph.causality import causality, initial_mode
from saltus.read.bondgraph.redundancy import deciding_verdict

#: Arguments that make a law linear, so that nothing comes of nothing.
_LINEAR = frozenset({"C", "I", "R", "m", "r"})


def start_of(element: Element) -> Argument | None:
    """The start value that is given to a storage."""
    return element.argument(*KINDS[element.kind].start)


def with_starts(graph: Graph) -> frozenset[str]:
    """The storages that have a start value."""
    return frozenset(e.name for e in graph.elements if start_of(e) is not None)


def held_apart(graph: Graph) -> frozenset[str]:
    """The storages whose start value may contradict the initial mode."""
    given = with_starts(graph)
    if not given:
        return frozenset()
    found = causality(graph, initial_mode(graph), given)
    decided = deciding_verdict(graph, found, given)
    if decided is not None:  # strokes do not show which of them are states
        return frozenset(given.intersection(decided.dependent))
    derivative = given.intersection(found.of_kind(Storage.DERIVATIVE))
    return frozenset(name for name in derivative if not _Zeros(graph, found).agree(name))


class _Zeros:
    """Whether everything that determines a storage is zero."""

    def __init__(self, graph: Graph, found: Causality) -> None:
        self.graph = graph
        self.found = found

    def agree(self, name: str) -> bool:
        """Whether the start value is zero, and so is the value imposed on the storage."""
        bond = next(k for k, b in enumerate(self.graph.bonds) if name in (b.tail, b.head))
        waiting, seen = [bond], {bond}
        while waiting:
            number = waiting.pop()
            step = self.found.steps[number]
            ends = self.graph.bonds[number].tail, self.graph.bonds[number].head
            others = [end for end in ends if end != name]
            if not all(self._gives_zero(end, step.at == end and not step.because) for end in others):
                return False
            fresh = [b for b in step.because if b not in seen]
            seen.update(fresh)
            waiting += fresh
        return self._starts_at_zero(self.graph.element(name))

    def _gives_zero(self, name: str, begins: bool) -> bool:
        """Whether an element adds nothing, as long as all its inputs are zero."""
        element = self.graph.element(name)
        kind = element.kind
        if kind in CONTROLLED or kind in ("J0", "J1"):
            return True
        if not all(a.name in _LINEAR or a.name in KINDS[kind].start for a in element.arguments):
            return False  # a source, or a law with a formula of its own
        if kind in KINDS and KINDS[kind].start:  # a storage; what a dependent one gives is a derivative
            return self.found.storages[name] is Storage.INTEGRAL and self._starts_at_zero(element)
        return not begins

    def _starts_at_zero(self, element: Element) -> bool:
        start = start_of(element)
        return start is None or (isinstance(start.value, ast.Number) and start.value.value == 0)
