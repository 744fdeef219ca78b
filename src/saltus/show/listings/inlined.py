"""Formulas of inline integration as users read them: `i = pre(i) + h*der(i)`."""

from __future__ import annotations

from collections.abc import Iterator

from saltus.expr.helpers import Helper, derivative_name
from saltus.expr.nodes import Expr, Symbol, leaf_symbol
from saltus.ir.hybrid import Inlining
from saltus.ir.structure import Structure


def names_of_formulas(structure: Structure) -> dict[Symbol, str]:
    """How the symbols are shown that formulas have brought in."""
    inlining = structure.model.inlining
    if inlining is None:
        return {}
    h = _step(structure)
    found = {i.carrier: _before(inlining, i.symbol.name) for i in inlining.variables}
    found[inlining.length] = h
    if inlining.ahead is not None:
        found[inlining.ahead] = inlining.formula.weight_of_step.format(h=h)
    return found


def formulas(structure: Structure) -> Iterator[str]:
    """The formulas, and what is left to be integrated."""
    inlining = structure.model.inlining
    if inlining is None:
        return
    formula, h = inlining.formula, _step(structure)
    yield f"INLINED BY {formula.name}, {h} IS THE STEP"
    yield ""
    for i in inlining.variables:
        x, dx = i.symbol.name, derivative_name(i.symbol.name)
        before = _before(inlining, x)
        yield f"  {x} = {before} + {formula.weight_of_step.format(h=h)}*{dx}"
        if not formula.shows_before:
            yield f"  {before} = {formula.before.format(x=x, dx=dx, h=h)}"
    yield ""
    carriers = {i.carrier for i in inlining.variables}
    rest = [v.name for v in structure.states if v.symbol not in carriers]
    yield f"  -- integrated: {', '.join(rest) or 'nothing'}"
    yield ""


def is_of_formulas(unknown: Expr) -> bool:
    """Whether this carries an inlined variable from step to step."""
    return leaf_symbol(unknown).helper in (Helper.CARRIED, Helper.AHEAD)


def _before(inlining: Inlining, name: str) -> str:
    """What is known of a variable from before the step."""
    formula = inlining.formula
    return formula.before.format(x=name) if formula.shows_before else f"before({name})"


def _step(structure: Structure) -> str:
    """The letter for the step, unless the model has another thing by that name."""
    return "h" if all(v.name != "h" for v in structure.model.variables()) else "step"
