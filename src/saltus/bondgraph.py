"""Bond graphs in Python: built, composed, simulated, written as text and as Modelica.

    from saltus.bondgraph import Graph

    g = Graph("Oscillator")
    mass, spring = g.I("mass", I=2, p0=1), g.C("spring", C=0.5)
    g.J1("both") >> mass
    g["both"] >> spring
    result = g.simulate(stop_time=10)

What is built is the text of a graph (`docs/bondgraphs.md`), so everything that the text can say can be said
here, with the same names and the same messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from saltus.bonds import causality_of, drawn, modelica_text
from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.source import Source
from saltus.ir import ast
from saltus.ir.automata.lines import Parameter
from saltus.ir.bonds.graph import KINDS, Bond, Element, Item, Machine
from saltus.ir.bonds.graph import Graph as Tree
from saltus.read.bondgraph.files import SUFFIX, graphs
from saltus.read.bondgraph.parser import parse
from saltus.read.bondgraph.writer import graph_text, item_text
from saltus.read.lines.pieces import rebuilt
from saltus.read.modelica.printer_expressions import string_text

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.result.result import Result

#: A value as Python has it; text is a formula.
Value: TypeAlias = str | float | int | bool
#: From, to, condition, and what memories are set to.
Transition: TypeAlias = tuple[str, str, str] | tuple[str, str, str, Mapping[str, Value]]


class Node:
    """An element of a graph, to be joined: `a >> b` is a bond whose half arrow points to b. Its variables are
    names to be used in formulas: `motor.f` is "motor.f"."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph = graph
        self.name = name

    def __rshift__(self, other: Node | str) -> Node:
        self.graph.bond(self, other)
        return other if isinstance(other, Node) else self.graph[other]

    e = property(lambda self: f"{self.name}.e", doc="Its effort.")
    f = property(lambda self: f"{self.name}.f", doc="Its flow.")
    p = property(lambda self: f"{self.name}.p", doc="Its momentum.")
    q = property(lambda self: f"{self.name}.q", doc="Its displacement.")
    on = property(lambda self: f"{self.name}.on", doc="Whether the junction is on.")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Node({self.name!r})"


class Graph:
    """A bond graph that is being built. Each method adds a statement, named as in the text; methods named
    after the kinds of elements (`Se`, `C`, `J1`, ...) add an element and return it."""

    def __init__(self, name: str, description: str = "") -> None:
        self.name = name
        self.description = description
        self._items: list[Item] = []

    @classmethod
    def read(cls, path_or_text: str | Path) -> Graph:
        """A graph from a file, or from its text. Of several it is the last."""
        if isinstance(path_or_text, Path) or "\n" not in path_or_text:
            source = Source(str(path_or_text), Path(path_or_text).read_text(encoding="utf-8"))
        else:
            source = Source(f"<text>{SUFFIX}", path_or_text)
        tree = parse(source)[-1]
        graph = cls(tree.name, tree.description)
        graph._items = list(tree.items)
        return graph

    # ------------------------------------------------------------ building

    def __getattr__(self, kind: str) -> Any:
        if kind not in KINDS:
            raise AttributeError(f"a graph has no {kind!r}; kinds of elements are {', '.join(KINDS)}")

        def element(name: str, description: str = "", **arguments: Value) -> Node:
            return self.element(kind, name, description, **arguments)

        element.__doc__ = f"Adds a {KINDS[kind].what}."
        return element

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *KINDS]

    def __getitem__(self, name: str) -> Node:
        if not any(isinstance(i, Element) and i.name == name for i in self._items):
            raise UsageError(Diagnostic("E502", f"the graph `{self.name}` has no element `{name}`"))
        return Node(self, name)

    def element(self, kind: str, name: str, description: str = "", **arguments: Value) -> Node:
        """Adds an element of a kind: `g.element("C", "spring", C=0.5, q0=1)`."""
        given = ", ".join(f"{k} = {_text(v)}" for k, v in arguments.items())
        self._add(f"{kind} {name}" + (f"({given})" if given else "") + _described(description))
        return Node(self, name)

    def parameter(self, name: str, value: Value, description: str = "") -> str:
        """Adds a parameter, and returns its name."""
        self._add(f"parameter {name} = {_text(value)}{_described(description)}")
        return name

    def signal(self, name: str, value: Value, description: str = "") -> str:
        """Adds a signal, and returns its name."""
        self._add(f"signal {name} = {_text(value)}{_described(description)}")
        return name

    def memory(self, name: str, value: Value, description: str = "") -> str:
        """Adds a variable that transitions set, and returns its name."""
        self._add(f"memory {name} = {_text(value)}{_described(description)}")
        return name

    def bond(self, *elements: Node | str, name: str = "", description: str = "") -> None:
        """Adds the bonds of a chain; the half arrows point onwards."""
        title = f"{name}: " if name else ""
        self._add(f"bond {title}{' -> '.join(map(str, elements))}{_described(description)}")

    def machine(
        self,
        junction: Node | str,
        initial: str,
        *transitions: Transition,
        locations: Mapping[str, bool] | None = None,
    ) -> None:
        """Adds what switches a controlled junction: `("off", "on", "slip > 0")` is a transition, and a fourth
        entry may say what memories are set to. `locations` are further ones, with whether it is on there."""
        lines = [f"machine {junction}"]
        lines += [f"location {n} = {'on' if on else 'off'}" for n, on in (locations or {}).items()]
        lines.append(f"initial {initial}")
        for source, target, condition, *actions in transitions:
            line = f"{source} -> {target} when {condition}"
            if actions:
                line += " then " + ", ".join(f"{n} = {_text(v)}" for n, v in actions[0].items())
            lines.append(line)
        self._add("\n".join([*lines, "end"]))

    def experiment(self, **values: Value) -> None:
        """Says how it is run: `stop`, `start`, `tolerance`, `interval`."""
        self._add("experiment " + ", ".join(f"{k} = {_text(v)}" for k, v in values.items()))

    def add(self, other: Graph, prefix: str = "") -> None:
        """Takes over everything of another graph but its experiment, each name with a prefix."""
        names = {name for name, _, _ in other._tree().named()}
        for item in other._items:
            if not _is_experiment(item):
                self._items.append(_renamed(item, names, prefix))

    def _add(self, statement: str) -> None:
        """Reads a statement, so that errors are reported where it is written."""
        (tree,) = parse(Source(f"<{self.name}>{SUFFIX}", f"graph G\n{statement}\nend G\n"))
        self._items += tree.items

    def _tree(self) -> Tree:
        return Tree(0, 0, self.name, self.description, tuple(self._items))

    # ------------------------------------------------------------ what it is used for

    def to_text(self) -> str:
        """The graph as text, as it stands in a file."""
        return graph_text(self._tree())

    def to_modelica(self) -> str:
        """The model that it is: parts of `Saltus.BondGraphs`, connected."""
        source = Source(f"<{self.name}>{SUFFIX}", self.to_text())
        return modelica_text(graphs(source)[-1], source)

    def load(self) -> Model:
        """The translated model. Raises `ModelError` if the graph means nothing."""
        from saltus.model import load

        return load(self.to_text())

    def simulate(self, **settings: Any) -> Result:
        """Runs it; the settings are those of `Model.simulate`."""
        return self.load().simulate(**settings)

    def causality(self, *, all_modes: bool = False) -> str:
        """Which end of each bond gives what, in words."""
        source = Source(f"<{self.name}>{SUFFIX}", self.to_text())
        return causality_of(graphs(source)[-1], all_modes=all_modes)

    def draw(self, path: str | Path | None = None, *, all_modes: bool = False, **mode: bool) -> str:
        """SVG of the graph with its causal strokes, as text; written to a file if there is a `path`. Where
        junctions are said to be on or off (`sw=False`), that mode stands below the one in which the graph
        begins, with what is different in red."""
        source = Source(f"<{self.name}>{SUFFIX}", self.to_text())
        text = drawn(graphs(source)[-1], all_modes=all_modes, mode=mode)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.draw()

    def __repr__(self) -> str:
        elements = sum(isinstance(i, Element) for i in self._items)
        bonds = sum(isinstance(i, Bond) for i in self._items)
        return f"<Graph {self.name}: {elements} elements, {bonds} bonds>"


def _text(value: Value) -> str:
    """A value as Modelica writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def _described(text: str) -> str:
    return f" {string_text(text)}" if text else ""


def _is_experiment(item: Item) -> bool:
    return item_text(item).startswith("experiment ")


def _renamed(item: Item, names: set[str], prefix: str) -> Item:
    """An item of another graph, with a prefix before all names of that graph."""
    if not prefix:
        return item

    def change(node: Any) -> Any:
        if isinstance(node, ast.Reference) and node.parts[0][0] in names and not node.absolute:
            (first, subscripts), *rest = node.parts
            return replace(node, parts=((prefix + first, subscripts), *rest))
        return None

    new = rebuilt(item, change)
    match new:
        case Bond(tail=tail, head=head, name=name):
            title = prefix + name if name else ""
            return replace(new, tail=prefix + tail, head=prefix + head, name=title)
        case Machine(automaton=automaton):
            return replace(new, automaton=replace(automaton, name=prefix + automaton.name))
        case Parameter() | Element():
            return replace(new, name=prefix + new.name)
    return replace(new, name=prefix + new.name)  # type: ignore[no-any-return]
