"""Residues that the step control of the integrator would not see.

A mode may have few states or none, while conditions of events depend on sources that vary with time: all
diodes of a rectifier block, and nothing is left to integrate but the next moment at which one of them
conducts has to be found. An integrator that sees no error takes steps as long as it may, across whole periods
of the source. So the integral of the residues, added up with arbitrary weights so that they do not cancel, is
made a state of such a mode: its error is controlled like that of all others (after Carver, "Efficient
integration over discontinuities in ordinary differential equation simulations", Mathematics and Computers in
Simulation 20, 1978).

The integral is taken over the time of the run as the unit of time, so that it is of the size of the residues'
nominal values; the run tells it how long that is.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from saltus.core.source import Span
from saltus.expr.nodes import ONE, TIME, ZERO, Symbol, add, call, const, der, div, leaves, mul, ref
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel, Relation
from saltus.ir.structure import WATCHED, WATCHED_SPAN


def with_watch(model: HybridModel, own: int) -> HybridModel:
    """The model with the integral of the residues of its own relations, the first ones, where these may vary
    with time."""
    relations = [r for r in model.relations[:own] if not r.is_time_event and not _is_kept(r)]
    sides = (e for q in model.equations for e in (q.lhs, q.rhs))
    if not relations or not any(TIME in leaves(e) for e in (*sides, *(r.residue for r in relations))):
        return model
    weights = Random(0)
    terms = [mul(const(weights.uniform(0.5, 1.5)), div(r.residue, call("abs", r.nominal))) for r in relations]
    span: Span = model.span
    state = Variable(Symbol(WATCHED), Variability.CONTINUOUS, span, start=ZERO, fixed=True, protected=True)
    length = Variable(Symbol(WATCHED_SPAN), Variability.PARAMETER, span, start=ONE, final=True)
    rate = Equation(der(ref(state.symbol)), div(add(*terms), ref(length.symbol)), span)
    return replace(
        model,
        states=(*model.states, state),
        parameters=(*model.parameters, length),
        equations=(*model.equations, rate),
    )


def _is_kept(relation: Relation) -> bool:
    """It compares what does not exist in this mode (`absence`)."""
    return ref(relation.symbol) in leaves(relation.residue)
