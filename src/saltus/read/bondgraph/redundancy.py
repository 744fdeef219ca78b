"""The numerical verdict where causality shows that something is determined twice.

Two gears between two shafts: the flow at one of them follows from that at the other in two ways. Strokes do
not depend on numbers, so they cannot decide the outcome. If the gears have one ratio, both ways agree, and
how the effort is divided between them is left open. If not, neither shaft can move.

The bonds of a mode are a linear system: two unknowns for each bond, and the equations of junctions,
transformers and gyrators, with the numbers that their parameters have; what is modulated counts as a number
without any relation to the others. Sources are set to zero, dissipations and storages have some numbers,
since none matter. Rows that depend on others determine nothing; as many unknowns are left open. What storages
can have in the space of solutions are the states, and a storage that has nothing there is held at zero.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from saltus.ir import ast
from saltus.ir.bonds.causality import Causality, Storage, Verdict
from saltus.ir.bonds.graph import CONTROLLED, SOURCES, Bond, Element, Graph

#: Singular values below this part of the largest are zero.
_ZERO = 1e-9


def verdict(graph: Graph, mode: Mapping[str, bool], first: Collection[str] = ()) -> Verdict:
    """What the numbers of a graph say in a mode. Of storages that depend on each other those of `first` are
    states first."""
    return _System(graph, mode).verdict(first)


def deciding_verdict(graph: Graph, found: Causality, first: Collection[str] = ()) -> Verdict | None:
    """What the numbers say, where strokes do not hold: they are contradictory, though no source is to blame;
    they rest upon two ways to determine something that say the same after all; or they close a loop through
    junctions alone, in which variables cancel."""
    if found.conflict is not None:
        return None if is_of_sources(graph, found) else verdict(graph, found.mode, first)
    if not found.forced and all(graph.element(name).kind in ("R", "MR") for name in found.choices):
        return None
    decided = verdict(graph, found.mode, first)
    return None if decided.states == len(found.of_kind(Storage.INTEGRAL)) else decided


def is_of_sources(graph: Graph, found: Causality) -> bool:
    """Whether there is a conflict between what sources give, and what junctions that are off forbid. Where a
    quantity is only determined twice, by several gears between two shafts, the equations may agree; so they
    do where two junctions that are off both say that it is zero."""
    if found.conflict is None:
        return False
    kinds = {graph.element(way[0]).kind for way in found.conflict.ways}
    return kinds <= SOURCES | CONTROLLED and bool(kinds & SOURCES)


class _System:
    """Unknowns are efforts, then flows, of the bonds by number."""

    def __init__(self, graph: Graph, mode: Mapping[str, bool]) -> None:
        self.graph = graph
        self.mode = mode
        self.bonds = graph.bonds
        self.parameters = {p.name: p.value for p in graph.parameters}
        self.generic = 0

    def verdict(self, first: Collection[str]) -> Verdict:
        storages = [e for e in self.graph.elements if e.kind in ("C", "I") and not self.graph.is_lone(e.name)]
        storages.sort(key=lambda e: e.name not in first)
        rows = np.array([row for e in self.graph.elements for row in self._rows(e)])
        solutions = _null_space(rows.reshape(-1, 2 * len(self.bonds)))
        told = solutions[np.array([self._told(e) for e in storages], dtype=np.intp)]
        held = tuple(
            e.name for e, values in zip(storages, told, strict=True) if np.abs(values).max(initial=0) < _ZERO
        )
        # What varies while all storages stay as they are, and so do their derivatives.
        still = np.array([row for e in storages for row in (self._told(e), self._answer(e))], dtype=np.intp)
        open_ = _null_space(np.vstack([rows, np.eye(2 * len(self.bonds))[still]]))
        varying = np.abs(open_).max(axis=1, initial=0) > _ZERO
        bonds = tuple(k for k in range(len(self.bonds)) if varying[k] or varying[len(self.bonds) + k])
        ranks = [_rank(told[:count]) for count in range(len(storages) + 1)]
        dependent = tuple(e.name for k, e in enumerate(storages) if ranks[k] == ranks[k + 1])
        return Verdict(ranks[-1], held, dependent, bonds)

    def _bond_of(self, element: Element) -> int:
        return next(k for k, b in enumerate(self.bonds) if element.name in (b.tail, b.head))

    def _told(self, element: Element) -> int:
        """The unknown that a storage has collected."""
        return self._bond_of(element) + (len(self.bonds) if element.kind == "I" else 0)

    def _answer(self, element: Element) -> int:
        """The unknown that it collects."""
        return self._bond_of(element) + (len(self.bonds) if element.kind == "C" else 0)

    # ------------------------------------------------------------ equations

    def _rows(self, element: Element) -> Iterator[NDArray[np.float64]]:
        kind, name = element.kind, element.name
        around = [(k, b) for k, b in enumerate(self.bonds) if name in (b.tail, b.head)]
        off = self.mode.get(name) is False
        if kind in ("J0", "X0", "J1", "X1"):
            equal, summed = (0, len(self.bonds)) if kind in ("J0", "X0") else (len(self.bonds), 0)
            for k, _ in around if off else ():
                yield self._row((equal + k, 1.0))
            if not off:
                (first, _), *others = around
                for k, _ in others:
                    yield self._row((equal + first, 1.0), (equal + k, -1.0))
                yield self._row(*((summed + k, self._sign(bond, name)) for k, bond in around))
        elif kind in ("Se", "MSe") and around:
            yield self._row((around[0][0], 1.0))
        elif kind in ("Sf", "MSf") and around:
            yield self._row((len(self.bonds) + around[0][0], 1.0))
        elif kind in ("R", "MR") and around:
            k = around[0][0]
            yield self._row((k, 1.0), (len(self.bonds) + k, -self._some()))
        elif kind in ("TF", "MTF", "GY", "MGY") and around:
            yield from self._two_port(element, around)

    def _two_port(self, element: Element, around: list[tuple[int, Bond]]) -> Iterator[NDArray[np.float64]]:
        into = next(k for k, b in around if b.head == element.name)
        out = next(k for k, b in around if b.tail == element.name)
        flows = len(self.bonds)
        argument = element.argument("m", "r")
        ratio = self._number(argument.value) if argument is not None else None
        ratio = self._some() if ratio is None else ratio
        if element.kind in ("TF", "MTF"):
            yield self._row((flows + out, 1.0), (flows + into, -ratio))
            yield self._row((into, 1.0), (out, -ratio))
        else:
            yield self._row((out, 1.0), (flows + into, -ratio))
            yield self._row((into, 1.0), (flows + out, -ratio))

    def _row(self, *entries: tuple[int, float]) -> NDArray[np.float64]:
        row = np.zeros(2 * len(self.bonds))
        for column, value in entries:
            row[column] += value
        return row

    def _sign(self, bond: Bond, name: str) -> float:
        return 1.0 if bond.head == name else -1.0

    # ------------------------------------------------------------ numbers

    def _some(self) -> float:
        """A positive number, another one each time."""
        self.generic += 1
        return 1.0 + float(np.sqrt(2) * self.generic % 1)

    def _number(self, node: ast.Expression, depth: int = 0) -> float | None:
        """What parameters alone determine by plain arithmetic; None otherwise."""
        if depth > len(self.parameters) + 50:
            return None
        match node:
            case ast.Number(value=value):
                return float(value)
            case ast.Parenthesis(inner=inner):
                return self._number(inner, depth + 1)
            case ast.Unary(operator="-", operand=operand):
                value_ = self._number(operand, depth + 1)
                return None if value_ is None else -value_
            case ast.Reference(parts=((name, ()),)) if name in self.parameters:
                return self._number(self.parameters[name], depth + 1)
            case ast.Binary(operator=operator, left=left, right=right):
                a, b = self._number(left, depth + 1), self._number(right, depth + 1)
                return None if a is None or b is None else _computed(operator, a, b)
        return None


def _computed(operator: str, a: float, b: float) -> float | None:
    try:
        match operator:
            case "+":
                found: float = a + b
            case "-":
                found = a - b
            case "*":
                found = a * b
            case "/":
                found = a / b
            case "^":
                found = a**b
            case _:
                return None
    except (ArithmeticError, TypeError):
        return None
    return found if isinstance(found, float) and isfinite(found) else None


def _null_space(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Its columns span what all rows make zero."""
    _, values, right = np.linalg.svd(rows)
    rank = int((values > _ZERO * max(values.max(initial=0.0), 1.0)).sum())
    found: NDArray[np.float64] = right[rank:].T
    return found


def _rank(rows: NDArray[np.float64]) -> int:
    if not rows.size:
        return 0
    values = np.linalg.svd(rows, compute_uv=False)
    return int((values > _ZERO * max(float(values.max(initial=0.0)), 1.0)).sum())
