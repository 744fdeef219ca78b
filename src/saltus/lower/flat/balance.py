"""Which equations a component must have for its own variables: what can be checked of section 4.8.

A model is locally balanced: a component brings an equation for each of its variables, but for those of its
connectors and its inputs, which are the business of the model around it. Whether there are too few equations
altogether is found out in the analysis; here a component is reported that leaves one of its variables to
the model around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import LEAVES, Expr, Op, Type, leaf_symbol, ref
from saltus.expr.traversal import walk
from saltus.ir.flat import Causality, Clause, Variability, clause_expressions
from saltus.ir.instance import ArrayNode, Instance, Node, Scalar

#: Classes with equations of their own.
_WITH_EQUATIONS = frozenset({"model", "block", "class"})


def check_balance(root: Instance, clauses: Iterable[Clause]) -> None:
    """Refuses variables of components that no equation of their own component mentions."""
    left_out: dict[Expr, tuple[Scalar, str]] = {
        ref(scalar.symbol): (scalar, owner)
        for scalar, owner in _owned(root, "")
        if owner
        and scalar.variability > Variability.PARAMETER
        and scalar.causality is not Causality.INPUT
        and not scalar.in_connector
        and scalar.symbol.type is not Type.STRING
        and scalar.attribute("value") is None
    }
    seen: dict[str, set[Expr]] = {}  # equations share their parts
    for clause in clauses if left_out else ():
        for e in clause_expressions(clause):
            for leaf in walk(e, seen.setdefault(clause.origin, set())):
                if leaf.op is Op.CONST or leaf.op not in LEAVES:
                    continue
                place = ref(leaf_symbol(leaf))
                found = left_out.get(place)
                if found is not None and _inside(clause.origin, found[1]):
                    del left_out[place]
    for scalar, owner in left_out.values():
        raise model_error(
            "E209",
            f"no equation of the component `{owner}` says what its variable `{scalar.path}` is",
            scalar.span,
            hint="give it an equation there, or declare it as an input",
            origin=owner,
        )


def _owned(node: Node, owner: str) -> Iterator[tuple[Scalar, str]]:
    """All scalars, each with the path of the component whose equations are about it."""
    match node:
        case Scalar():
            yield node, owner
        case ArrayNode():
            for item in node.items:
                yield from _owned(item, owner)
        case Instance():
            inner = node.path if node.kind in _WITH_EQUATIONS else owner
            for child in node.children.values():
                if child is not None:
                    yield from _owned(child, inner)


def _inside(origin: str, owner: str) -> bool:
    """Whether an equation of the component `origin` is one of the component `owner` or of its parts."""
    return origin == owner or origin.startswith((owner + ".", owner + "["))
