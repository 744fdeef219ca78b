"""Inputs of components that nothing gives a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import Expr, Op, Symbol, ref
from saltus.expr.traversal import walk
from saltus.ir.flat import (
    Causality,
    Clause,
    Equation,
    IfEquation,
    Variability,
    Variable,
    When,
    clause_expressions,
)
from saltus.ir.instance import Instance, Scalar, instances, scalars


def refuse_open_inputs(
    root: Instance, inputs: set[Scalar], variables: Sequence[Variable], clauses: Sequence[Clause]
) -> None:
    """An input of a component must be connected, have a binding, or stand in an equation of the model around
    it; the component's own equations only use it. `inputs` are those of the model itself.

    Media have connectors as inputs, so that what determines them may be anywhere in the model. Such an input
    is refused only where there are not enough equations."""
    open_: dict[Expr, Scalar] = {
        ref(s.symbol): s
        for s in scalars(root)
        if s.causality is Causality.INPUT
        and s not in inputs
        and not s.protected  # then it is its own component that must drive it
        and s.variability > Variability.PARAMETER
        and s.attribute("value") is None
    }
    owners = _owners(root)
    # Equations share their parts: a call of a function may have thousands of arguments, and as many results.
    seen: dict[str, set[Expr]] = {}
    for clause in clauses if open_ else ():
        for e in clause_expressions(clause):
            for leaf in walk(e, seen.setdefault(clause.origin, set())):
                scalar = open_.get(leaf)
                if scalar is not None and not _inside(scalar, clause.origin, owners):
                    del open_[leaf]
    lacking = bool(open_) and _too_few(variables, clauses)
    for scalar in open_.values():
        if lacking or not scalar.in_connector:
            connector = scalar.path.rpartition(".")[0]
            hint = f"connect `{scalar.path}`, or give it a binding"
            if connector in owners:
                hint = f"connect `{connector}`"
                if connector.endswith("]"):
                    hint += f", or let `{owners[connector] or root.cls.name}` have fewer of them"
            raise model_error(
                "E210",
                f"the input `{scalar.path}` has no value",
                scalar.span,
                hint=hint,
                origin=scalar.path,
            )


def _owners(root: Instance) -> dict[str, str]:
    """Connectors with variables in them, by their paths, and the components that have them."""
    return {
        i.path: i.parent.path
        for i in instances(root)
        if i.kind == "connector" and i.parent is not None and not i.parent.in_connector
    }


def _inside(scalar: Scalar, origin: str, owners: Mapping[str, str]) -> bool:
    """Whether an equation of the component `origin` is one of the scalar's own component."""
    owner = scalar.path.rpartition(".")[0]
    owner = owners.get(owner, owner)
    return origin == owner or origin.startswith((owner + ".", owner + "["))


def _too_few(variables: Sequence[Variable], clauses: Sequence[Clause]) -> bool:
    """Whether there are fewer equations than unknowns."""
    unknowns = [v for v in variables if v.variability > Variability.PARAMETER]
    equations = 0
    assigned: set[Symbol] = set()
    for clause in clauses:
        match clause:
            case Equation():
                equations += 1
            case IfEquation():
                equations += max(sum(isinstance(a, Equation) for a in b.actions) for b in clause.branches)
            case When():
                actions = (a for b in clause.branches for a in b.actions if isinstance(a, Equation))
                assigned |= {a.lhs.data for a in actions if a.lhs.op is Op.REF}
    return equations + len(assigned) < sum(v.causality is not Causality.INPUT for v in unknowns)
