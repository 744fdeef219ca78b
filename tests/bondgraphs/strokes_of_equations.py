"""Which element gives a variable of a bond, as the sorted equations of a mode have it.

Equations keep the component in which they are written. So the block that determines the effort of a bond says
which element gives it; of a state it is the storage that has collected it. Equalities are eliminated before
equations are sorted: then one variable stands for the efforts of several bonds, as at a 0-junction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from saltus.analyse.analysis import Analysis
from saltus.bondgraph import Graph
from saltus.compiler import flatten_class
from saltus.core.source import Source
from saltus.core.stopwatch import Stopwatch
from saltus.expr.nodes import Expr, Op, Symbol, leaf_symbol, ref
from saltus.expr.traversal import leaves
from saltus.finding import find_class
from saltus.ir.bonds.causality import Causality, Storage
from saltus.ir.bonds.graph import Bond, Element
from saltus.ir.bonds.graph import Graph as Tree
from saltus.ir.sorted.blocks import Explicit
from saltus.ir.sorted.modes import Mode
from saltus.ir.structure import Structure
from saltus.lower.flat.flatten import new_context
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.read.bondgraph.files import graphs

_OTHER = {"e": "f", "f": "e"}
_MOST = 3  # derivatives that are looked at


class Analysed(NamedTuple):
    """A graph all of whose bonds have names, and the analysis of its equations."""

    tree: Tree
    analysis: Analysis
    on: dict[str, Expr]

    def structure(self, mode: Mapping[str, bool]) -> Structure:
        """The sorted equations while these junctions are on."""
        fixed = Mode.of({self.on[name]: float(on) for name, on in mode.items()})
        return self.analysis.in_mode(fixed).structure


def analysed(text: str) -> Analysed:
    """The same graph with names for its bonds, and without start values, which have no causality."""
    graph = Graph.read(text)
    for k, item in enumerate(graph._items):
        if isinstance(item, Bond):
            graph._items[k] = replace(item, name=item.name or f"bond_{k}")
        elif isinstance(item, Element):
            kept = tuple(a for a in item.arguments if a.name not in ("p0", "q0", "e0", "f0"))
            graph._items[k] = replace(item, arguments=kept)
    named = graph.to_text()
    (tree,) = graphs(Source("g.bg", named))
    cls = find_class(named)
    _, flat = flatten_class(new_context(cls.library, {}), cls, Stopwatch())
    hybrid = to_hybrid(flat)
    symbols = {v.name: ref(v.symbol) for v in hybrid.discretes}
    return Analysed(tree, Analysis(hybrid), {m.name: symbols[f"{m.name}.on"] for m in tree.machines})


class Strokes:
    """Who gives what, by the sorted equations of one mode."""

    def __init__(self, tree: Tree, structure: Structure) -> None:
        self.tree = tree
        self.target: dict[str, Symbol] = {a.symbol.name: a.target for a in structure.aliases}
        self.members: dict[str, set[str]] = {}
        for alias in structure.aliases:
            self.members.setdefault(alias.target.name, {alias.target.name}).add(alias.symbol.name)
        self.owner: dict[str, str] = {}
        self.equal: dict[str, str] = {}  # of two states that are equal by a connection, one is left
        for block in structure.blocks:
            if isinstance(block, Explicit) and block.unknown.op is Op.REF:
                name, others = leaf_symbol(block.unknown).name, leaves(block.value)
                if block.equation.origin:
                    self.owner[name] = block.equation.origin.split(".")[0]
                elif len(others) == 1 and others[0].op is Op.REF:
                    self.equal[name] = leaf_symbol(others[0]).name
        self.states = {v.name for v in structure.states}

    def variable(self, bond: int, what: str) -> str:
        """The variable that stands for the effort (`e`) or the flow (`f`) of a bond."""
        name = f"{self.tree.bonds[bond].name}.{what}"
        name = self.target[name].name if name in self.target else name
        while name in self.equal:
            name = self.equal[name]
        return name

    def storages(self) -> set[str]:
        """Those whose flow (of an I) or effort (of a C) is a state."""
        return {name for state in self.states for name in self._collecting(state)}

    def count(self) -> int:
        """How many states there are; integrals of signals are none of the graph's."""
        return sum(bool(self._collecting(state)) for state in self.states)

    def _collecting(self, state: str) -> set[str]:
        members = self.members.get(state, {state})
        wanted = {
            f"{e.name}.{variable}": e.name
            for e in self.tree.elements
            for variable in {"I": "fp", "C": "eq"}.get(e.kind, "")
        }
        return {wanted[name] for name in members if name in wanted}

    def givers(self, bond: int, what: str) -> set[str]:
        """The elements that may be said to give it; several if one state is that of several storages, none if
        it is an unknown of an algebraic loop."""
        variable = self.variable(bond, what)
        if variable in self.states:
            return self._collecting(variable)
        return {self.owner[variable]} if variable in self.owner else set()


def in_loops(tree: Tree, found: Causality) -> set[tuple[int, str]]:
    """Variables of bonds in algebraic loops, by the strokes: what each is computed from leads back to it. A
    storage in derivative causality asks for the derivative of what it is told, and a state has one that
    follows from what it collects."""
    nodes: dict[tuple[int, str, int], int] = {}
    edges: list[tuple[int, int]] = []
    waiting = [(bond, what, 0) for bond in range(len(tree.bonds)) for what in "ef"]
    while waiting:
        node = waiting.pop()
        if node in nodes:
            continue
        nodes[node] = len(nodes)
        waiting += _computed_from(tree, found, node)
    for node, number in nodes.items():
        edges += [(number, nodes[other]) for other in _computed_from(tree, found, node)]
    rows, columns = np.array(edges, dtype=int).reshape(-1, 2).T
    matrix = coo_array((np.ones(len(edges)), (rows, columns)), shape=(len(nodes), len(nodes)))
    _, component = connected_components(matrix, connection="strong")
    large = np.bincount(component) > 1
    itself = {a for a, b in edges if a == b}
    return {(n[0], n[1]) for n, k in nodes.items() if n[2] == 0 and (large[component[k]] or k in itself)}


def _computed_from(tree: Tree, found: Causality, node: tuple[int, str, int]) -> list[tuple[int, str, int]]:
    """What the variable of a bond is computed from; the last number counts derivatives."""
    bond, what, order = node
    element = tree.element(giver(tree, found, bond, what))
    name, kind = element.name, element.kind
    around = [k for k, b in enumerate(tree.bonds) if name in (b.tail, b.head)]
    others = [k for k in around if k != bond]
    if kind in ("X0", "X1") and not found.mode[name]:
        return []
    match kind.removeprefix("M"):
        case "J0" | "X0" | "J1" | "X1":
            equal = "e" if kind.endswith("0") else "f"
            if what == equal:
                return [(k, what, order) for k in others if giver(tree, found, k, what) != name]
            return [(k, what, order) for k in others]
        case "TF":
            return [(k, what, order) for k in others]
        case "GY":
            return [(k, _OTHER[what], order) for k in others]
        case "R":
            return [(bond, _OTHER[what], order)]
        case "I" | "C" if found.storages[name] is Storage.DERIVATIVE:
            return [(bond, _OTHER[what], order + 1)] if order < _MOST else []
        case "I" | "C" if order:
            return [(bond, _OTHER[what], order - 1)]
    return []


def giver(tree: Tree, found: Causality, bond: int, what: str) -> str:
    """The end of a bond that gives its effort, or its flow."""
    effort_from = found.steps[bond].effort_from
    ends = tree.bonds[bond].tail, tree.bonds[bond].head
    return effort_from if what == "e" else ends[effort_from == ends[0]]


def traced(tree: Tree, found: Causality, strokes: Strokes, bond: int, what: str) -> str | None:
    """The element from which a variable of a bond comes by its strokes: from bond to bond, as long as one and
    the same variable stands for them. None if that leads round in a ring of equal variables."""
    variable = strokes.variable(bond, what)
    seen = {bond}
    while True:
        name = giver(tree, found, bond, what)
        further = [
            k
            for k, other in enumerate(tree.bonds)
            if name in (other.tail, other.head)
            and strokes.variable(k, what) == variable
            and giver(tree, found, k, what) != name
        ]
        if not further:
            return name
        if len(further) > 1 or further[0] in seen:
            return None
        bond = further[0]
        seen.add(bond)
