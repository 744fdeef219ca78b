"""Base partitions and sub-partitions: connected components of rows and variables (section 16.7 of the
specification).

Two relations on the same nodes, each kept by a union-find: nodes that tick together, and nodes with the same
base clock. Conversions between rates join the second one only; `sample` and `hold` join none. A node that
needs a clock and a node that has none must not be in one component: then the error shows the shortest path
between the two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.ir.flat import Equation, Variability
from saltus.lower.clocks.rows import Row, Rows

#: The largest number of steps of a path in a message.
_TOLD = 8


class Classes:
    """Union-find on integers."""

    def __init__(self) -> None:
        self._parent: list[int] = []

    def add(self) -> int:
        """A new element."""
        self._parent.append(len(self._parent))
        return len(self._parent) - 1

    def find(self, i: int) -> int:
        """The representative of an element's class."""
        root = i
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[i] != root:
            self._parent[i], i = root, self._parent[i]
        return root

    def join(self, i: int, j: int) -> None:
        """The classes of two elements become one."""
        self._parent[self.find(i)] = self.find(j)


@dataclass(frozen=True, eq=False)
class Timing:
    """A clock that is written somewhere and says when a node ticks: `Clock(...)` without its solver."""

    node: int
    clock: Expr
    span: Span


@dataclass(frozen=True, eq=False)
class Conversion:
    """The node `to` ticks as an operator says of the node `of`."""

    operator: Expr
    of: int
    to: int
    span: Span


@dataclass(frozen=True, eq=False)
class Method:
    """The solver of what is continuous where a node ticks."""

    node: int
    name: Expr
    span: Span


@dataclass(eq=False)
class Graph:
    """Rows, variables and clocks, and how they belong together."""

    rows: Rows
    together: Classes = field(default_factory=Classes)  # the same ticks
    based: Classes = field(default_factory=Classes)  # the same base clock
    timings: list[Timing] = field(default_factory=list)
    conversions: list[Conversion] = field(default_factory=list)
    methods: list[Method] = field(default_factory=list)
    of_row: list[int] = field(default_factory=list)
    of_variable: dict[Symbol, int] = field(default_factory=dict)
    conditions: set[Symbol] = field(default_factory=set)  # of event clocks
    #: Why a node has a clock, or has none.
    _clocked: dict[int, tuple[str, Span]] = field(default_factory=dict)
    _unclocked: dict[int, tuple[str, Span]] = field(default_factory=dict)
    _ways: list[list[tuple[int, Span | None]]] = field(default_factory=list)
    _names: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for symbol, variable in self.rows.variables.items():
            if variable.variability > Variability.PARAMETER:
                self._variable(symbol)
        whens: dict[object, int] = {}
        for row in self.rows.rows:
            node = self._node()
            self.of_row.append(node)
            for symbol in row.incident:
                self._join(node, self._variable(symbol), row.span)
            if row.when is not None:
                if row.when not in whens:
                    whens[row.when] = self._node()
                    self._mark(self._clocked, whens[row.when], "of a when-clause with a clock", row.when.span)
                    assert row.clock is not None
                    self._associate(whens[row.when], row.clock, row.when.span)
                self._join(node, whens[row.when], row.span)
            self._operators(row, node)

    # ------------------------------------------------------------ making the graph

    def _node(self) -> int:
        node = self.together.add()
        self.based.add()
        self._ways.append([])
        return node

    def _variable(self, symbol: Symbol) -> int:
        if symbol not in self.of_variable:
            self.of_variable[symbol] = self._node()
            if not symbol.is_hidden:
                self._names[self.of_variable[symbol]] = symbol.name
        return self.of_variable[symbol]

    def _join(self, a: int, b: int, span: Span | None) -> None:
        self.together.join(a, b)
        self._join_base(a, b, span)

    def _join_base(self, a: int, b: int, span: Span | None) -> None:
        self.based.join(a, b)
        self._ways[a].append((b, span))
        self._ways[b].append((a, span))

    def _mark(self, marks: dict[int, tuple[str, Span]], node: int, why: str, span: Span) -> None:
        marks.setdefault(node, (why, span))

    def _operators(self, row: Row, node: int) -> None:
        span = row.span
        for e in row.sampled:
            self._mark(self._clocked, node, f"`{self.rows.text(e)}` has a clock", span)
            if e.args[0].op is Op.REF and e.args[0] is not x.TIME and not self.rows.is_known(e.args[0]):
                argument = self._variable(e.args[0].data)
                self._mark(self._unclocked, argument, f"`{self.rows.text(e)}` samples it", span)
            if len(e.args) > 1:
                self._associate(node, e.args[1], span)
        for e in row.held:
            self._mark(self._unclocked, node, f"`{self.rows.text(e)}` has no clock", span)
            held = self._variable(e.args[0].data)
            self._mark(self._clocked, held, f"`{self.rows.text(e)}` holds it", span)
        for e in row.clocked:
            self._mark(self._clocked, node, f"`{self.rows.text(e)}` has a clock", span)
        for e in row.converted:
            self._mark(self._clocked, node, f"`{self.rows.text(e)}` has a clock", span)
            of = self._variable(e.args[0].data)
            self._mark(self._clocked, of, f"`{self.rows.text(e)}` has a clock", span)
            self._join_base(node, of, span)
            self.conversions.append(Conversion(e, of, node, span))
        if isinstance(row.clause, Equation) and row.clause.lhs.type is Type.CLOCK:
            self._mark(self._clocked, node, "of a clock", span)
            self._associate(node, row.clause.lhs, span)
            self._associate(node, row.clause.rhs, span)

    def _associate(self, node: int, clock: Expr, span: Span) -> None:
        """The node ticks by a clock."""
        if clock.op is Op.REF:
            variable = self._variable(clock.data)
            self._mark(self._clocked, variable, "of a clock", span)
            self._join(node, variable, span)
            return
        assert clock.op is Op.CLOCKED, clock.op
        if clock.data != "Clock":
            of = self._node()
            self._mark(self._clocked, of, "of a clock", span)
            self._join_base(node, of, span)
            self.conversions.append(Conversion(clock, of, node, span))
            self._associate(of, clock.args[0], span)
            return
        if not clock.args:
            return
        first = clock.args[0]
        if first.type is Type.CLOCK:
            self._associate(node, first, span)
            if len(clock.args) > 1:
                self.methods.append(Method(node, clock.args[1], span))
            return
        self.timings.append(Timing(node, clock, span))
        if first.op is Op.REF and not self.rows.is_known(first):
            variable = self._variable(first.data)
            if first.type is Type.BOOLEAN:
                self.conditions.add(first.data)
                self._mark(self._unclocked, variable, f"`{self.rows.text(clock)}` ticks by it", span)
            else:
                self._join(node, variable, span)

    # ------------------------------------------------------------ what has a clock

    def clocked_bases(self) -> set[int]:
        """The base classes that have a clock. A class that has none as well is refused."""
        clocked: dict[int, int] = {}
        for node in self._clocked:
            clocked.setdefault(self.based.find(node), node)
        for node in self._unclocked:
            base = self.based.find(node)
            if base in clocked:
                raise self._contradiction(base)
        return set(clocked)

    def _contradiction(self, base: int) -> ModelError:
        starts = [n for n in self._unclocked if self.based.find(n) == base]
        way = self.way(starts, {n for n in self._clocked if self.based.find(n) == base})
        (why_not, place_not), (why, place) = self._unclocked[way[0]], self._clocked[way[-1]]
        names = [self._names[n] for n in way if n in self._names]
        subject = f"`{names[0]}`" if names else "this equation"
        hint = "`sample(...)` leads into a clock partition, `hold(...)` out of it"
        return model_error(
            "E309",
            f"{subject} has a clock and has none",
            place,
            notes=(
                Note(f"without a clock: {why_not}", place_not),
                Note(f"with a clock: {why}", place),
                *self._told(way),
            ),
            hint=hint,
        )

    def way(self, starts: Iterable[int], ends: Iterable[int]) -> list[int]:
        """A shortest way between nodes with the same base clock."""
        goals = set(ends)
        before: dict[int, int] = {n: n for n in starts}
        pending = deque(before)
        while pending:
            node = pending.popleft()
            if node in goals:
                way = [node]
                while before[way[-1]] != way[-1]:
                    way.append(before[way[-1]])
                return way[::-1]
            for other, _ in self._ways[node]:
                if other not in before:
                    before[other] = node
                    pending.append(other)
        return []

    def _told(self, way: list[int]) -> tuple[Note, ...]:
        return told(self, way)

    def spans(self, way: list[int]) -> list[Span]:
        """The places of a way, each once."""
        found: dict[Span, None] = {}
        for a, b in pairwise(way):
            span = next((s for n, s in self._ways[a] if n == b and s is not None), None)
            if span is not None:
                found[span] = None
        return list(found)

    def names(self, way: list[int]) -> list[str]:
        """The variables on a way."""
        return [self._names[n] for n in way if n in self._names]


def told(graph: Graph, way: list[int]) -> tuple[Note, ...]:
    """The way between two nodes, for a message."""
    names, spans = graph.names(way), graph.spans(way)
    notes = [Note("the path between them: " + " -> ".join(f"`{n}`" for n in names))] if len(names) > 1 else []
    notes += [Note("by this equation", span) for span in spans[:_TOLD]]
    if len(spans) > _TOLD:
        notes.append(Note(f"... and {len(spans) - _TOLD} more"))
    return tuple(notes)
