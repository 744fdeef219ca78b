"""Operators that ask about connections: `cardinality`, `inStream`, `actualStream`, `Connections.isRoot` and
`Connections.rooted` (sections 3.7.4, 9.4 and 15).

Their arguments are components, not values. All but the streams have their answer at translation.
"""

from __future__ import annotations

from collections.abc import Callable

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import FALSE, TRUE, ZERO, Expr, Op, const, if_, ref, relation
from saltus.ir import ast
from saltus.ir.instance import ArrayNode, Instance, Node, Scalar
from saltus.lower.connections.streams import flow_of, in_stream
from saltus.lower.names.references import find_node
from saltus.lower.names.subscripts import Dynamic
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.parts import ConnectionFacts, Connections
from saltus.lower.scope.values import Value, map_items

Operator = Callable[[Context, ast.Call, Scope], Value]

#: The operators that stand in equations and have no value: they are taken in with the connect-equations.
GRAPH_OPERATORS = ("branch", "root", "potentialRoot")


def graph_operator(call: ast.Call) -> str | None:
    """`branch` of `Connections.branch(...)`; None for any other call."""
    names = [name for name, _ in call.function.parts]
    return names[1] if len(names) == 2 and names[0] == "Connections" else None


def connection_operator(call: ast.Call) -> Operator | None:
    """The operator on connections that a call means, if it is one."""
    inner = graph_operator(call)
    if inner is not None:
        return _OF_GRAPH.get(inner, _unknown)
    parts = call.function.parts
    return _SIMPLE.get(parts[0][0]) if len(parts) == 1 and not call.function.absolute else None


def component_argument(context: Context, call: ast.Call, scope: Scope, position: int = 0) -> Node:
    """An argument that names a component."""
    name = call.function.text.lstrip(".")
    given = call.args[position] if len(call.args) > position else None
    if not isinstance(given, ast.Reference) or call.iterators:
        raise model_error("E212", f"`{name}` takes the name of a component", scope.at(call))
    node = find_node(context, given, scope)
    if isinstance(node, Dynamic):
        raise model_error("E210", f"`{name}` needs subscripts that do not vary", scope.at(given))
    return node


def _facts(connections: Connections, call: ast.Call, scope: Scope) -> ConnectionFacts:
    if len(call.args) != 1 or call.named:
        name = call.function.text.lstrip(".")
        raise model_error("E212", f"`{name}` takes the name of a component", scope.at(call))
    if connections.facts is None:
        raise model_error(
            "E210",
            f"`{call.function.text.lstrip('.')}` is evaluated before all connections are known",
            scope.at(call),
            hint="sizes and conditions of components, and connect-equations, must not depend on connections",
        )
    return connections.facts


def _cardinality(context: Context, call: ast.Call, scope: Scope) -> Value:
    facts = _facts(context.connections, call, scope)
    node = component_argument(context, call, scope)
    if isinstance(node, ArrayNode) or not node.in_connector:
        raise model_error(
            "E210", f"`cardinality` needs a connector, which `{node.path}` is not", scope.at(call)
        )
    return const(facts.cardinality(node))


def _is_root(context: Context, call: ast.Call, scope: Scope) -> Value:
    facts = _facts(context.connections, call, scope)
    return TRUE if facts.is_root(component_argument(context, call, scope), scope.at(call)) else FALSE


def _is_rooted(context: Context, call: ast.Call, scope: Scope) -> Value:
    facts = _facts(context.connections, call, scope)
    return TRUE if facts.is_rooted(component_argument(context, call, scope), scope.at(call)) else FALSE


def _unknown(context: Context, call: ast.Call, scope: Scope) -> Value:
    name = call.function.parts[1][0]
    if name in GRAPH_OPERATORS:
        raise model_error(
            "E210", f"`Connections.{name}` is an equation of its own; it has no value", scope.at(call)
        )
    raise model_error(
        "E201",
        f"there is no operator `{name}` in `Connections`",
        scope.at(call),
        hint="there are branch, root, potentialRoot, isRoot and rooted",
    )


# ---------------------------------------------------------------- streams


def _streams(context: Context, call: ast.Call, scope: Scope, make: Callable[[Scalar], Expr]) -> Value:
    """A value for each stream variable of the argument."""
    name = call.function.text
    if len(call.args) != 1 or call.named or call.iterators:
        raise model_error("E212", f"`{name}` takes a stream variable", scope.at(call))
    if scope.in_function:
        raise model_error("E209", f"`{name}` is not allowed in a function", scope.at(call))
    if isinstance(call.args[0], ast.Reference):
        node = find_node(context, call.args[0], scope)
        if isinstance(node, Instance):
            raise model_error("E210", f"`{node.path}` is not a stream variable", scope.at(call))

    def one(e: Expr) -> Expr:
        scalar = context.components.scalars.get(e.data) if e.op is Op.REF else None
        if scalar is None or not scalar.stream:
            raise model_error(
                "E210",
                f"`{name}` needs a stream variable, which `{e!r}` is not",
                scope.at(call),
                hint="a stream variable is declared in a connector, with the prefix `stream`",
            )
        return make(scalar)

    return map_items(one, context.lower(context, call.args[0], scope))


def _in_stream(context: Context, call: ast.Call, scope: Scope) -> Value:
    return _streams(context, call, scope, lambda scalar: in_stream(context.connections, scalar))


def _actual_stream(context: Context, call: ast.Call, scope: Scope) -> Value:
    def one(scalar: Scalar) -> Expr:
        flow = ref(flow_of(context, scalar).symbol)
        actual = if_(relation(Op.GT, flow, ZERO), in_stream(context.connections, scalar), ref(scalar.symbol))
        context.connections.actual_streams[actual] = flow
        return actual

    return _streams(context, call, scope, one)


_SIMPLE: dict[str, Operator] = {
    "cardinality": _cardinality,
    "inStream": _in_stream,
    "actualStream": _actual_stream,
    "rooted": _is_rooted,  # the older name of Connections.rooted
}
_OF_GRAPH: dict[str, Operator] = {"isRoot": _is_root, "rooted": _is_rooted}
