"""Start values that are given from outside: each becomes a parameter, so that it can be set before every run.
This is only done on request, since a parameter takes a place in memory and in the result, and a start value
that is a number is often simplified away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from saltus.expr.nodes import Symbol, ref
from saltus.ir.flat import Causality, Variability, Variable
from saltus.ir.hybrid import HybridModel

#: What the name of a variable is followed by where its start value is meant.
START = ".start"


def going_on(model: HybridModel, states: Collection[str]) -> HybridModel:
    """The model as it continues from a state: states have the given values, and so have parameters that
    initial equations would determine, which no longer apply."""

    def known(v: Variable) -> Variable:
        return replace(v, fixed=True if v.name in states else None)

    return replace(
        model,
        states=tuple(map(known, model.states)),
        algebraics=tuple(replace(v, fixed=None) if v.fixed else v for v in model.algebraics),
        parameters=tuple(replace(v, fixed=None) if v.fixed is False else v for v in model.parameters),
        initial_equations=(),
    )


def with_start_parameters(model: HybridModel, names: Collection[str]) -> HybridModel:
    """The model with a parameter `x.start` for each of the variables `x` of these names."""
    if not names:
        return model
    made: dict[Symbol, Variable] = {}

    def started(variables: Sequence[Variable]) -> tuple[Variable, ...]:
        return tuple(_started(v, made) if v.name in names else v for v in variables)

    def with_parameters(variables: Sequence[Variable]) -> Iterator[Variable]:
        for v in variables:
            yield v if v.symbol not in made else replace(v, start=ref(made[v.symbol].symbol))
            if v.symbol in made:
                yield made[v.symbol]

    states, algebraics, discretes = map(started, (model.states, model.algebraics, model.discretes))
    return replace(
        model,
        states=states,
        algebraics=algebraics,
        discretes=discretes,
        parameters=(*model.parameters, *made.values()),
        order=tuple(with_parameters(model.order)),
    )


def _started(v: Variable, made: dict[Symbol, Variable]) -> Variable:
    symbol = Symbol(v.name + START, v.symbol.type, enumeration=v.symbol.enumeration)
    made[v.symbol] = replace(
        v,
        symbol=symbol,
        variability=Variability.PARAMETER,
        causality=Causality.LOCAL,
        binding=v.start,
        start=None,
        fixed=None,
        state_select="default",
        description=f"start value of {v.name}",
    )
    return replace(v, start=ref(symbol))
