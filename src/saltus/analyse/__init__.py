"""Analysis: from the hybrid DAE to sorted blocks.

    cancel      terms of an equation that cancel
    alias       trivial equations between two unknowns are eliminated
    parameters  the order of dependent parameters
    system      rows and columns: which equation may determine which unknown
    matching    each unknown gets an equation (integers only)
    sort        strongly connected components in order of evaluation (integers only)
    blocks      a component becomes explicit, linear or nonlinear
    singular    why a model cannot be sorted
    initial     the system that is solved at the start
    wording     lists of names in messages
"""

from __future__ import annotations

from saltus.analyse.alias import eliminate
from saltus.analyse.blocks import BlockMaker
from saltus.analyse.initial import initial_system
from saltus.analyse.parameters import order_parameters
from saltus.analyse.singular import refuse_singular
from saltus.analyse.system import System
from saltus.expr.nodes import der, ref
from saltus.ir.hybrid import HybridModel
from saltus.ir.structure import Structure

__all__ = ["analyse"]


def analyse(model: HybridModel) -> Structure:
    """Sorts a model, or refuses it with the reason."""
    parameters = order_parameters(model)
    reduced = eliminate(model)
    system = _running_system(reduced.model)
    matched = system.match()
    refuse_singular(model, reduced, system, matched)
    maker = BlockMaker({v.symbol: v.nominal for v in reduced.model.variables() if v.nominal is not None})
    blocks = maker.sorted_blocks(system, matched)
    initial = initial_system(reduced, system, matched, maker)
    return Structure(
        model=reduced.model,
        aliases=reduced.aliases,
        parameters=parameters,
        states=reduced.model.states,
        algebraics=reduced.model.algebraics,
        discretes=reduced.model.discretes,
        blocks=blocks,
        initial=initial.blocks,
        warnings=initial.warnings,
    )


def _running_system(model: HybridModel) -> System:
    """States are known during the run; their derivatives, algebraics and discretes are not."""
    continuous = [*(der(ref(v.symbol)) for v in model.states), *(ref(v.symbol) for v in model.algebraics)]
    discrete = [ref(v.symbol) for v in model.discretes]
    return System(model.equations, (*continuous, *discrete), len(continuous))
