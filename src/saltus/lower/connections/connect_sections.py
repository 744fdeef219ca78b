"""Collects the connect-equations of all equation sections, before any other equation is processed.

They stand at the top level of a section, in loops, and in if-equations whose conditions parameters decide
(section 8.3.3). `Connections.branch`, `root` and `potentialRoot` may stand where connect may.
"""

from __future__ import annotations

from collections.abc import Iterable

from saltus.core.diagnostics import ModelError, model_error
from saltus.expr.nodes import FALSE, Expr, Op
from saltus.expr.traversal import leaves
from saltus.ir import ast
from saltus.ir.flat import Variability
from saltus.ir.instance import Instance, instances
from saltus.lower.connections.connect import Connections
from saltus.lower.connections.connection_operators import GRAPH_OPERATORS, graph_operator
from saltus.lower.connections.connectors import check_connectors
from saltus.lower.connections.expandable import is_bus
from saltus.lower.names.iteration import iterations
from saltus.lower.scope.calls import condition_of
from saltus.lower.scope.context import Context, Scope

Item = ast.Equation | ast.Statement


def take_in(context: Context, root: Instance) -> Connections:
    """All connections of a model, and what they mean."""
    connections = Connections(context, root)
    walk = _Walk(context, connections)
    for instance in list(instances(root)):
        try:
            if is_bus(instance):
                connections.bus(instance)
            elif not instance.in_connector:
                check_connectors(context, instance)
        except ModelError as error:
            context.absorb(error, instance)
        for section, lexical in instance.layout.sections:
            if not section.algorithm:
                walk.section(section, Scope(instance, lexical))
    connections.finish()
    context.connections.facts = connections
    return connections


class _Walk:
    def __init__(self, context: Context, connections: Connections) -> None:
        self._context = context
        self._connections = connections
        self._concerned: dict[int, bool] = {}  # by identity: the syntax outlives the walk

    def section(self, section: ast.Section, scope: Scope) -> None:
        for item in section.items:
            if self._concerns(item):
                mark = self._context.requirements.mark()
                try:
                    if section.initial:
                        raise model_error(
                            "E210",
                            "a connection cannot be an initial equation",
                            scope.at(item),
                            hint="move it to an equation section",
                        )
                    self._take(item, scope)
                except ModelError as error:
                    self._context.absorb(error, scope.instance)
                self._context.requirements.take_since(mark)  # they come again with the other equations

    def _concerns(self, item: Item) -> bool:
        """Whether connections are made in an equation, be it in one of its branches."""
        known = self._concerned.get(id(item))
        if known is None:
            match item:
                case ast.Connect():
                    known = True
                case ast.CallEquation():
                    known = graph_operator(item.call) in GRAPH_OPERATORS
                case ast.ForEquation():
                    known = any(map(self._concerns, item.items))
                case ast.IfEquation() | ast.WhenEquation():
                    known = any(self._concerns(inner) for _, items in item.branches for inner in items)
                case _:
                    known = False
            self._concerned[id(item)] = known
        return known

    def _take_all(self, items: Iterable[Item], scope: Scope) -> None:
        for item in items:
            if self._concerns(item):
                self._take(item, scope)

    def _take(self, item: Item, scope: Scope) -> None:
        match item:
            case ast.Connect():
                self._connections.connect(item, scope)
            case ast.CallEquation():
                name = graph_operator(item.call)
                assert name is not None
                self._connections.graph_operator(name, item.call, scope)
            case ast.ForEquation():
                for bound in iterations(self._context, item.iterators, scope, item.items):
                    self._take_all(item.items, scope.with_locals(bound))
            case ast.IfEquation():
                self._take_branch(item, scope)
            case ast.WhenEquation():
                raise model_error(
                    "E210",
                    "connections are made at translation, not in a when-equation",
                    scope.at(item),
                    hint="to connect and separate during the run, use a component: a switch, a clutch",
                )

    def _take_branch(self, item: ast.IfEquation, scope: Scope) -> None:
        """The branch that parameters choose."""
        for condition, items in item.branches:
            if condition is not None:
                test: Expr = condition_of(self._context, condition, scope)
                if not self._context.evaluation.is_constant(test) and self._varies(test):
                    raise model_error(
                        "E210",
                        "`connect` in an if-equation whose condition varies",
                        scope.at(condition),
                        hint="connections are made at translation: use a parameter as the condition",
                    )
                if test is FALSE or not self._context.evaluation.constant(
                    test, scope.at(condition), "this condition"
                ):
                    continue
            self._take_all(items, scope)
            return

    def _varies(self, e: Expr) -> bool:
        """Whether an expression uses more than parameters; one without a value is another matter."""
        known = (
            self._context.components.scalars.get(leaf.data) if leaf.op is Op.REF else None
            for leaf in leaves(e)
        )
        return not leaves(e) or any(s is None or s.variability > Variability.PARAMETER for s in known)
