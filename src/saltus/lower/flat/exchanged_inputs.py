"""Top-level inputs that get their values during a run. Each becomes a discrete variable that is equal to a
hidden parameter. Between steps an exchange changes the parameter, and an event assigns it to the input, so
that whatever the input switches is switched at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from saltus.expr.helpers import Helper
from saltus.expr.nodes import FALSE, ZERO, Symbol, Type, const, ref
from saltus.ir.flat import Causality, Equation, FlatModel, Variability, Variable

_DEFAULTS = {Type.REAL: ZERO, Type.INTEGER: const(0), Type.BOOLEAN: FALSE}


def with_exchanged(flat: FlatModel, inputs: Sequence[Variable]) -> FlatModel:
    """The flat model in which these inputs have the values of hidden parameters, from event to event."""
    chosen = {v.symbol: v for v in inputs}
    parameters = {v.symbol: _parameter(v) for v in inputs}
    variables = (
        replace(v, variability=Variability.DISCRETE) if v.symbol in chosen else v for v in flat.variables
    )
    equations = (
        Equation(ref(v.symbol), ref(parameters[v.symbol].symbol), v.span, v.owner, when_assigned=True)
        for v in inputs
    )
    return replace(
        flat,
        variables=(*variables, *parameters.values()),
        clauses=(*flat.clauses, *equations),
    )


def _parameter(v: Variable) -> Variable:
    start = v.start if v.start is not None else _DEFAULTS[v.symbol.type]
    symbol = Symbol(Helper.TOLD.belonging_to(v.name), v.symbol.type, helper=Helper.TOLD)
    return Variable(symbol, Variability.PARAMETER, v.span, start=start, causality=Causality.LOCAL)
