"""What the arguments of connect-equations name: connectors, seen from inside or outside (section 9.1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.nearest import nearest
from saltus.core.source import Span
from saltus.core.wording import listed
from saltus.expr.nodes import Expr
from saltus.ir import ast
from saltus.ir.instance import ArrayNode, Instance, Node
from saltus.lower.classes.connector_classes import is_sizeless
from saltus.lower.connections.expandable import Undeclared, is_bus
from saltus.lower.names.references import find_node
from saltus.lower.names.subscripts import Dynamic
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.hints import connectors_hint, connectors_of, with_hint
from saltus.lower.scope.parts import Evaluation
from saltus.lower.scope.values import ArrayValue


@dataclass(frozen=True, eq=False)
class ConnectorEnd:
    """One side of a connection. `outside`: a connector of the component that the connect-equation stands in,
    or part of one; `protected`: declared so there; `outer`: it is, or belongs to, an outer element."""

    node: Node | Undeclared
    outside: bool
    protected: bool
    outer: bool


def connector_end(context: Context, reference: ast.Reference, scope: Scope) -> ConnectorEnd:
    """The connector that an argument of connect names."""
    node = _named(context, reference, scope)
    span = scope.at(reference)
    if not isinstance(node, Undeclared) and not is_connector(node):
        raise model_error(
            "E210",
            f"`{reference.text}` is not a connector",
            span,
            hint=_instead_of(context, node, reference, scope),
        )
    parts = reference.parts
    outside = len(parts) == 1 or _is_connector_named(context, reference, scope)
    if len(parts) > 2 and not outside:
        second = _prefix(context, reference, 2, scope)
        if isinstance(second, Dynamic) or not is_connector(second):
            raise model_error(
                "E210",
                f"`{reference.text}` is not a connector of `{parts[0][0]}`, but of a part of it",
                span,
                hint="connect joins the connectors of components, not those of their parts",
            )
    elements = scope.instance.layout.elements if scope.instance is not None else {}
    declared = elements.get(parts[0][0])
    if declared is None:
        return ConnectorEnd(node, outside, protected=False, outer=False)
    return ConnectorEnd(node, outside, declared.protected, declared.clause.prefixes.outer)


def is_connector(node: Node) -> bool:
    """A connector, part of one, or an array of those: its elements are all alike."""
    while isinstance(node, ArrayNode):
        if not node.items:
            return True
        node = node.items[0]
    return node.in_connector


def _is_connector_named(context: Context, reference: ast.Reference, scope: Scope) -> bool:
    """Whether the first name of a reference is that of a connector; its subscripts do not matter."""
    name = reference.parts[0][0]
    first = ast.Reference(reference.start, reference.end, ((name, ()),), reference.absolute)
    holder = find_node(context, first, scope)
    return not isinstance(holder, Dynamic) and is_connector(holder)


def _prefix(context: Context, reference: ast.Reference, count: int, scope: Scope) -> Node | Dynamic:
    first = ast.Reference(reference.start, reference.end, reference.parts[:count], reference.absolute)
    return find_node(context, first, scope)


def _named(context: Context, reference: ast.Reference, scope: Scope) -> Node | Undeclared:
    try:
        node = find_node(context, reference, scope)
    except ModelError as error:
        missing = _undeclared(context, reference, scope)
        if missing is None:
            hint = _known(context, reference, scope)
            raise (with_hint(error, hint, ("E201",)) if hint is not None else error) from None
        return missing
    if isinstance(node, Dynamic):
        raise model_error("E210", "a connector cannot be chosen by a varying index", scope.at(reference))
    return node


def _instead_of(context: Context, node: Node, reference: ast.Reference, scope: Scope) -> str:
    """What can be connected where something is named that is no connector."""
    component = _first(node)
    if component is not None:
        names = [f"{reference.text}.{name}" for name in connectors_of(component)]
        if names:
            return f"its connector{'s are' if len(names) > 1 else ' is'} {listed(names)}"
    elif len(reference.parts) > 1:
        holder = _first(_prefix(context, reference, len(reference.parts) - 1, scope))
        if holder is not None:
            return connectors_hint(holder, reference.parts[-1][0])
    return "connect joins components of connector classes"


def _known(context: Context, reference: ast.Reference, scope: Scope) -> str | None:
    """What there is, where an argument of connect names something that is not there."""
    here = scope.instance
    for count in range(len(reference.parts)):
        name = reference.parts[count][0]
        if count > 0:
            try:
                here = _first(_prefix(context, reference, count, scope))
            except ModelError:
                return None  # this is what is wrong, and it has been said
        if here is None or name in here.layout.elements:
            continue
        if count == 0:
            connectable = [n for n, c in here.children.items() if _has_connectors(c)]
            if name in scope.locals or not connectable:
                return None
            near = nearest(name, here.layout.elements)
            return None if near else f"components with connectors are {listed(connectable)}"
        return None if here.in_connector else connectors_hint(here, name)
    return None


def _has_connectors(node: Node | None) -> bool:
    component = _first(node)
    return component is not None and (component.in_connector or bool(connectors_of(component)))


def _first(node: Node | Dynamic | None) -> Instance | None:
    """A component; of an array of them, the first, since they are alike."""
    while isinstance(node, ArrayNode) and node.items:
        node = node.items[0]
    return node if isinstance(node, Instance) else None


def _undeclared(context: Context, reference: ast.Reference, scope: Scope) -> Undeclared | None:
    """A component that is not declared in an expandable connector, or declared without a size."""
    if len(reference.parts) < 2:
        return None
    try:
        holder = _prefix(context, reference, len(reference.parts) - 1, scope)
    except ModelError:
        return None
    name, subscripts = reference.parts[-1]
    if not isinstance(holder, Instance) or not is_bus(holder):
        return None
    declared = holder.layout.elements.get(name)
    if declared is not None and not is_sizeless(declared):
        return None  # what is wrong with it has been said
    span = scope.at(reference)
    if not subscripts:
        return Undeclared(holder, name, None, (), span)
    chosen: list[list[int]] = []
    shape: list[int] = []
    for subscript in subscripts:
        where = scope.at(subscript)
        if isinstance(subscript, ast.Colon):
            raise model_error("E210", f"the size of `{reference.text}` is not known here", where)
        value = context.lower(context, subscript, scope)
        items = value.items if isinstance(value, ArrayValue) else (value,)
        numbers = [_index(context.evaluation, item, where) for item in items if isinstance(item, Expr)]
        chosen.append(numbers)
        if isinstance(value, ArrayValue):
            shape.append(len(numbers))
    return Undeclared(holder, name, tuple(product(*chosen)), tuple(shape), span)


def _index(evaluation: Evaluation, e: Expr, span: Span) -> int:
    index = evaluation.constant(e, span, "a subscript in a connect-equation")
    if isinstance(index, bool) or not isinstance(index, int) or index < 1:
        raise model_error("E206", f"a subscript in a connect-equation cannot be {index!r}", span)
    return index
