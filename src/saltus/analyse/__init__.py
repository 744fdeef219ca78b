"""Analysis: from the hybrid DAE to sorted blocks.

    cancel      terms of an equation that cancel
    alias       trivial equations between two unknowns are eliminated
    parameters  the order of dependent parameters
    system      rows and columns: which equation may determine which unknown
    matching    each unknown gets an equation (integers only)
    sort        strongly connected components in order of evaluation (integers only)
    offsets     how often equations must be differentiated (integers only)
    pivots      independent columns, the most wanted first (numbers only)
    reduction   equations that constrain states are differentiated, some states given up
    guards      positions in which the chosen states fail are watched
    blocks      a component becomes explicit, linear or nonlinear
    singular    why a model cannot be sorted
    initial     the system that is solved at the start
    wording     lists of names in messages
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from saltus.analyse.alias import eliminate
from saltus.analyse.blocks import BlockMaker
from saltus.analyse.initial import initial_system
from saltus.analyse.parameters import order_parameters
from saltus.analyse.reduction import reduce_index
from saltus.analyse.singular import constrains_states, refuse_singular
from saltus.analyse.system import System
from saltus.core.diagnostics import Diagnostic
from saltus.expr.nodes import der, ref
from saltus.ir.hybrid import HybridModel
from saltus.ir.structure import IndexReduction, Structure

__all__ = ["analyse"]


def analyse(model: HybridModel) -> Structure:
    """Sorts a model, or refuses it with the reason."""
    parameters = order_parameters(model)
    reduced = eliminate(model)
    system = _running_system(reduced.model)
    matched = system.match()
    reduction: IndexReduction | None = None
    if constrains_states(reduced, system, matched):
        reduced, reduction = reduce_index(reduced, system)
        system = _running_system(reduced.model)
        matched = system.match()
    refuse_singular(model, reduced, system, matched)
    maker = BlockMaker({v.symbol: v.nominal for v in reduced.model.variables() if v.nominal is not None})
    blocks = maker.sorted_blocks(system, matched)
    demoted = frozenset(v.symbol for v in reduction.demoted) if reduction is not None else frozenset()
    initial = initial_system(reduced, system, matched, maker, demoted)
    return Structure(
        model=replace(reduced.model, checks=(*reduced.model.checks, *initial.checks)),
        aliases=reduced.aliases,
        parameters=parameters,
        states=reduced.model.states,
        algebraics=reduced.model.algebraics,
        discretes=reduced.model.discretes,
        blocks=blocks,
        initial=initial.blocks,
        warnings=(*initial.warnings, *_unwatched(reduction)),
        reduction=reduction,
    )


def _unwatched(reduction: IndexReduction | None) -> Iterator[Diagnostic]:
    """Large sets of constraints whose pivots vary are not watched during the run: the user should know."""
    for q in reduction.unwatched if reduction is not None else ():
        yield Diagnostic(
            "W302",
            "the states chosen for this constraint and those coupled with it are not watched: "
            "near a singular position of theirs results may be wrong",
            q.span,
            hint="compare with a run from other start values, or choose states with stateSelect",
        )


def _running_system(model: HybridModel) -> System:
    """States are known during the run; their derivatives, algebraics and discretes are not."""
    continuous = [*(der(ref(v.symbol)) for v in model.states), *(ref(v.symbol) for v in model.algebraics)]
    discrete = [ref(v.symbol) for v in model.discretes]
    return System(model.equations, (*continuous, *discrete), len(continuous))
