"""What a connector may consist of (sections 9.3 and 9.3.1).

A connector that is connected gets as many equations as it has flow variables, and as many for its potentials.
So that models stay balanced, whatever they are connected to, there must be as many of one kind as of the
other. Inputs, outputs and stream variables have equations of their own. Cuts need not be balanced.
"""

from __future__ import annotations

from math import prod

from saltus.core.diagnostics import Note, model_error
from saltus.ir.flat import Causality, Variability
from saltus.ir.instance import ArrayNode, ClassEntry, Instance, Node, Scalar
from saltus.lower.classes.connector_classes import EQUALITY
from saltus.lower.classes.lookup import member_class
from saltus.lower.connections.cuts import is_cut
from saltus.lower.connections.expandable import is_bus
from saltus.lower.connections.overconstrained import overdetermined_class
from saltus.lower.scope.context import Context, Scope


def check_connectors(context: Context, instance: Instance) -> None:
    """Refuses connectors of a component that are not balanced. Buses say only what may be in them."""
    for name, node in instance.children.items():
        element = instance.layout.elements.get(name)
        if node is None or element is None:
            continue
        while isinstance(node, ArrayNode) and node.items:
            node = node.items[0]
        if isinstance(node, ArrayNode) or not node.in_connector or is_bus(node):
            continue
        potentials, flows = _count(context, node)
        if potentials != flows:
            cls = node.cls if isinstance(node, Instance) else None
            if cls is not None and is_cut(cls):
                continue
            notes = (Note(f"`{cls.full_name}` is declared here", cls.span),) if cls is not None else ()
            raise model_error(
                "E210",
                f"the connector `{node.path}` has {potentials} potential and {flows} flow variables; "
                "there must be as many of one as of the other",
                element.span,
                notes=notes,
                hint=None if flows else "a connector for signals has the prefix `input` or `output`",
            )


def _count(context: Context, node: Node) -> tuple[int, int]:
    """How many potentials and flows a connector has. An overdetermined variable counts as what it
    constrains."""
    cls = overdetermined_class(context.components, node)
    if cls is not None:
        return _degrees(context, cls), 0
    match node:
        case Scalar():
            if node.variability <= Variability.PARAMETER or node.stream:
                return 0, 0
            if node.flow:
                return 0, 1
            return (1, 0) if node.causality is Causality.LOCAL else (0, 0)
        case ArrayNode():
            counts = [_count(context, item) for item in node.items]
        case Instance():
            counts = [_count(context, part) for part in node.children.values() if part is not None]
    return sum(p for p, _ in counts), sum(f for _, f in counts)


def _degrees(context: Context, cls: ClassEntry) -> int:
    """The size of what an equalityConstraint returns."""
    function = member_class(cls, EQUALITY)
    assert function is not None
    for element in context.layouts.of(function).elements.values():
        if element.clause.causality == "output":
            sizes = (*element.declaration.subscripts, *element.clause.subscripts)
            scope = Scope(None, element.lexical)
            return prod(context.integer(s, scope, f"the size of `{element.name}`") for s in sizes)
    raise model_error("E209", f"`{function.full_name}` has no output", function.span)
