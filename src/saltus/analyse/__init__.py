"""Analysis: from the hybrid DAE to sorted blocks.

    cancel      terms of an equation that cancel
    alias       trivial equations between two unknowns are eliminated
    parameters  the order of dependent parameters
    system      rows and columns: which equation may determine which unknown
    matching    each unknown gets an equation (integers only)
    sort        strongly connected components in order of evaluation (integers only)
    offsets     how often equations must be differentiated (integers only)
    pivots      independent columns, the most wanted first (numbers only)
    dependence  equations that depend on each other, found exactly
    trial       values at which states are chosen
    reduction   equations that constrain states are differentiated, some states given up
    guards      positions in which the chosen states fail are watched
    blocks      a component becomes explicit, linear or nonlinear
    tearing     which unknowns of a loop the others follow from
    elimination in which order those are eliminated (numbers only)
    singular    why a model cannot be sorted
    homotopy    simplified expressions, for the way to the start
    initial     the system that is solved at the start
    excess      initial conditions that are one too many
    tangent     the integrator's Jacobian: the tangents of the blocks, its pattern
    colouring   columns that are found at once (integers only)
    fill        the order in which a sparse matrix is eliminated, and what fills up (integers only)
    wording     lists of names in messages
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from saltus.analyse.alias import Reduced, eliminate, with_equation
from saltus.analyse.blocks import BlockMaker
from saltus.analyse.dependence import HiddenCondition, refuse_dependent
from saltus.analyse.homotopy import actual_equation
from saltus.analyse.initial import initial_system
from saltus.analyse.parameters import order_parameters
from saltus.analyse.reduction import forced_states, reduce_index
from saltus.analyse.singular import constrains_states, refuse_singular
from saltus.analyse.system import System
from saltus.analyse.tangent import jacobian
from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.expr.nodes import Expr, Op, Symbol, der, leaf_symbol, leaves, ref
from saltus.ir.hybrid import HybridModel
from saltus.ir.structure import Explicit, IndexReduction, Structure

__all__ = ["analyse"]


def analyse(model: HybridModel) -> Structure:
    """Sorts a model, or refuses it with the reason."""
    parameters = order_parameters(model)
    reduced = eliminate(model)
    problem: ModelError | None = None
    # Every replacement takes unknowns out of an equation for good; the bound is for what nobody thought of.
    for _ in range(len(model.equations) + 1):
        try:
            return _sorted(model, reduced, parameters)
        except HiddenCondition as found:
            replacement = found.replacement()
            if replacement is None or found.old not in reduced.model.equations:
                raise found.refusal() from None
            reduced = with_equation(reduced, found.old, replacement)
            problem = problem or found.refusal()
        except ModelError as error:
            # With an equation in the model that nobody wrote, the reason is in those it was made of.
            raise problem or error from None
    assert problem is not None
    raise problem


def _sorted(model: HybridModel, reduced: Reduced, parameters: tuple[Explicit, ...]) -> Structure:
    system = _running_system(reduced.model)
    matched = system.match()
    own = frozenset(system.equations)
    reduction: IndexReduction | None = None
    complete = len(system.equations) == len(system.unknowns) and min(matched, default=0) >= 0
    if constrains_states(reduced, system, matched) or (complete and forced_states(reduced.model)):
        reduced, reduction = reduce_index(reduced, system)
        system = _running_system(reduced.model)
        matched = system.match()
    refuse_singular(model, reduced, system, matched)
    maker = BlockMaker(reduced.model)
    blocks = maker.sorted_blocks(system, matched)
    refuse_dependent(blocks, own)
    initial = initial_system(reduced, system, matched, maker, _constrained(reduction))
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
        jacobian=jacobian(reduced.model.states, reduced.model.discretes, blocks),
    )


def _constrained(reduction: IndexReduction | None) -> frozenset[Symbol]:
    """Variables that take part in constraints between states: their initial values depend on each other."""
    if reduction is None:
        return frozenset()
    sides = (e for d in reduction.differentiated for e in (d.equation.lhs, d.equation.rhs))
    used = {leaf_symbol(leaf) for e in sides for leaf in leaves(e) if leaf.op in (Op.REF, Op.DER)}
    return frozenset(used | {v.symbol for v in reduction.demoted})


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
    memo: dict[Expr, Expr] = {}
    equations = tuple(actual_equation(q, memo) for q in model.equations)
    return System(equations, (*continuous, *discrete), len(continuous))
