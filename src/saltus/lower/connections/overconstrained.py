"""Overconstrained connections: section 9.4 of the specification.

A type or record with a function `equalityConstraint` has more variables than degrees of freedom, as a
rotation matrix has. Where components are connected in a loop, equating all of them once more would be too
much. So the instances of such types are the nodes of a graph. Its edges are the connections (optional) and
what `Connections.branch` says about the equations of components (required). Optional edges are left out until
trees remain, each with one root. For an edge left out, `equalityConstraint(a, b) = 0` takes the place of
`a = b`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.expr.nodes import ZERO
from saltus.ir import ast
from saltus.ir.flat import Equation
from saltus.ir.instance import ClassEntry, Instance, Node
from saltus.lower.classes.connector_classes import EQUALITY, has_equality_constraint
from saltus.lower.connections.connection_sets import Join, UnionFind
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.parts import Components
from saltus.lower.scope.values import Value, scalars_of


def overdetermined_class(components: Components, node: Node) -> ClassEntry | None:
    """The class of a node of the graph, None for any other component."""
    cls = node.cls if isinstance(node, Instance) else components.types.get(node)
    return cls if isinstance(cls, ClassEntry) and has_equality_constraint(cls) else None


@dataclass(frozen=True, eq=False)
class Edge:
    """An optional edge: a connection of two overdetermined variables. `joins` are their scalars, which are
    equated if the edge stays."""

    a: Node
    b: Node
    joins: tuple[Join, ...]
    span: Span
    origin: str


class ConnectionGraph:
    """The virtual connection graph, and after `solve` its spanning trees."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self._branches: list[tuple[Node, Node]] = []
        self._branch_of: dict[Node, list[Node]] = {}
        self._definite: dict[Node, Span] = {}
        self._potential: dict[Node, int] = {}
        self._roots: set[Node] = set()
        self._distance: dict[Node, int] = {}
        self.broken: list[Edge] = []

    def branch(self, a: Node, b: Node) -> None:
        self._branches.append((a, b))
        self._branch_of.setdefault(a, []).append(b)

    def root(self, node: Node, span: Span) -> None:
        self._definite.setdefault(node, span)

    def potential_root(self, node: Node, priority: int) -> None:
        known = self._potential.get(node)
        self._potential[node] = priority if known is None else min(priority, known)

    # ------------------------------------------------------------ trees

    def solve(self) -> None:
        """Chooses roots and leaves optional edges out until trees remain.

        All definite roots count as connected from the start, so that what leads from one to the other is left
        out; required edges come first, then connections in the order of the text."""
        trees: UnionFind[Node] = UnionFind()
        definite = list(self._definite)
        for other in definite[1:]:
            trees.union(definite[0], other)
        neighbours: dict[Node, list[Node]] = {}

        def link(a: Node, b: Node) -> None:
            neighbours.setdefault(a, []).append(b)
            neighbours.setdefault(b, []).append(a)

        for a, b in self._branches:
            trees.union(a, b)
            link(a, b)
        for edge in self.edges:
            if trees.union(edge.a, edge.b):
                link(edge.a, edge.b)
            else:
                self.broken.append(edge)
        self._roots = set(definite)
        rooted = {trees.find(node) for node in definite}
        for node in sorted(self._potential, key=lambda n: self._potential[n]):  # stable: first come, first
            tree = trees.find(node)
            if tree not in rooted:
                rooted.add(tree)
                self._roots.add(node)
        for edge in self.edges:
            if trees.find(edge.a) not in rooted:
                raise _no_root(edge)
        self._measure(neighbours)

    def _measure(self, neighbours: dict[Node, list[Node]]) -> None:
        """The distance of every node from the root of its tree."""
        self._distance = dict.fromkeys(self._roots, 0)
        waiting = deque(self._roots)
        while waiting:
            node = waiting.popleft()
            for other in neighbours.get(node, ()):
                if other not in self._distance:
                    self._distance[other] = self._distance[node] + 1
                    waiting.append(other)

    # ------------------------------------------------------------ answers

    def is_root(self, node: Node) -> bool:
        return node in self._roots

    def is_rooted(self, node: Node, span: Span) -> bool:
        """Whether a node is nearer to the root than the other end of its one branch."""
        ends = self._branch_of.get(node, [])
        if len(ends) != 1:
            raise model_error(
                "E210",
                f"`Connections.rooted` needs exactly one `Connections.branch` that begins with "
                f"`{node.path}`; there are {len(ends)}",
                span,
            )
        far = len(self._distance)
        return self._distance.get(node, far) < self._distance.get(ends[0], far)


def _no_root(edge: Edge) -> Exception:
    return model_error(
        "E210",
        f"`{edge.a.path}` and `{edge.b.path}` are connected, but to no root",
        edge.span,
        hint="a component of each such group must say Connections.root or Connections.potentialRoot",
    )


def residues(context: Context, edge: Edge, a: Value, b: Value) -> list[Equation]:
    """`0 = equalityConstraint(a, b)` for an edge that was left out of the trees."""
    cls = overdetermined_class(context.components, edge.a)
    other = overdetermined_class(context.components, edge.b)
    assert cls is not None
    if other is None:
        raise model_error(
            "E210",
            f"`{edge.a.path}` is overdetermined, `{edge.b.path}` is not",
            edge.span,
            notes=(Note(f"`{cls.full_name}` has an equalityConstraint", cls.span),),
        )
    given = tuple(ast.Reference(0, 0, ((name, ()),)) for name in ("$a", "$b"))
    call = ast.Call(cls.definition.start, cls.definition.start, ast.Reference(0, 0, ((EQUALITY, ()),)), given)
    (value, *_) = context.lower_call(context, call, Scope(None, cls, {"$a": a, "$b": b}))
    return [Equation(e, ZERO, edge.span, edge.origin) for e in scalars_of(value)]
