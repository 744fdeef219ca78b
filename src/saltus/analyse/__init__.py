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
    cuts        which discrete unknowns are presumed so that no loop is left (integers only)
    contradiction  Boolean equations that no values satisfy
    tearing     which unknowns of a loop the others follow from
    elimination in which order those are eliminated (numbers only)
    singular    why a model cannot be sorted
    homotopy    simplified expressions, for the way to the start
    initial     the system that is solved at the start
    excess      initial conditions that are one too many
    tangent     the integrator's Jacobian: the tangents of the blocks, its pattern
    colouring   columns that are found at once (integers only)
    fill        the order in which a sparse matrix is eliminated, and what fills up (integers only)
    sliding     the same model on a surface, along which it slides or on which it rests
    wording     lists of names in messages
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from saltus.analyse.alias import Reduced, eliminate, with_equation
from saltus.analyse.blocks import BlockMaker
from saltus.analyse.dependence import HiddenCondition, refuse_dependent
from saltus.analyse.homotopy import actual_equation
from saltus.analyse.initial import initial_system
from saltus.analyse.parameters import order_parameters
from saltus.analyse.reduction import Choice, Reduction, forced_states
from saltus.analyse.singular import constrains_states, refuse_singular
from saltus.analyse.sliding import on_surfaces
from saltus.analyse.system import System
from saltus.analyse.tangent import jacobian
from saltus.analyse.trial import TrialValues
from saltus.analyse.wording import listed
from saltus.core.diagnostics import ModelError, model_error
from saltus.expr.nodes import Expr, Op, Symbol, der, leaf_symbol, leaves, ref
from saltus.ir.hybrid import HybridModel
from saltus.ir.structure import Block, Explicit, IndexReduction, OnSurface, Structure

__all__ = ["Analysis", "SurfaceAnalysis", "analyse"]


def analyse(model: HybridModel, at: Mapping[str, float] | None = None) -> Structure:
    """Sorts a model, or refuses it with the reason. With `at`, values by name, the states are those that are
    best there, and there is no initial system."""
    analysis = Analysis(model)
    return analysis.structure if at is None else analysis.sorted_with(analysis.choose(at))


class Analysis:
    """A model sorted with the states that are best at the start values (`structure`), and the way to sort it
    again with others. Refuses the model with a `ModelError`."""

    def __init__(self, model: HybridModel) -> None:
        self._model = model
        self._parameters = order_parameters(model)
        self._reduction: Reduction | None = None
        #: The choice of states at the start; None where nothing constrains them.
        self.choice: Choice | None = None
        self._reduced = eliminate(model)
        self.structure = self._first(self._reduced)

    def on(self, wanted: Iterable[OnSurface]) -> SurfaceAnalysis:
        """The same model on surfaces. Raises `ModelError` where there is no motion on them."""
        return SurfaceAnalysis(self._reduced, self._parameters, wanted)

    def choose(self, at: Mapping[str, float]) -> Choice | None:
        """The states that are best where the variables have these values; None where nothing constrains
        them."""
        return None if self._reduction is None else self._reduction.choose(TrialValues(self._model, at))

    def sorted_with(self, choice: Choice | None) -> Structure:
        """The model with these states, to go on with: it has no initial system."""
        assert self._reduction is not None and choice is not None, "there is nothing to choose"
        reduced, reduction = self._reduction.rebuilt(choice, first=False)
        system = _running_system(reduced.model)
        matched = system.match()
        refuse_singular(self._model, reduced, system, matched)
        maker = BlockMaker(reduced.model)
        blocks = maker.sorted_blocks(system, matched)
        structure = _structure(reduced, self._parameters, blocks, reduction)
        return replace(structure, presumptions=maker.presumptions)

    def _first(self, reduced: Reduced) -> Structure:
        problem: ModelError | None = None
        # Every replacement takes unknowns out of an equation for good; the bound is for the unforeseen.
        for _ in range(len(self._model.equations) + 1):
            try:
                return self._sorted(reduced)
            except HiddenCondition as found:
                replacement = found.replacement()
                if replacement is None or found.old not in reduced.model.equations:
                    raise found.refusal() from None
                self._reduced = reduced = with_equation(reduced, found.old, replacement)
                problem = problem or found.refusal()
            except ModelError as error:
                # With an equation in the model that nobody wrote, the reason is in those it was made of.
                raise problem or error from None
        assert problem is not None
        raise problem

    def _sorted(self, reduced: Reduced) -> Structure:
        system = _running_system(reduced.model)
        matched = system.match()
        own = frozenset(system.equations)
        reduction: IndexReduction | None = None
        complete = len(system.equations) == len(system.unknowns) and min(matched, default=0) >= 0
        if constrains_states(reduced, system, matched) or (complete and forced_states(reduced.model)):
            self._reduction = Reduction(reduced, system)
            self.choice = self._reduction.choose(TrialValues(reduced.model))
            reduced, reduction = self._reduction.rebuilt(self.choice)
            system = _running_system(reduced.model)
            matched = system.match()
        refuse_singular(self._model, reduced, system, matched)
        maker = BlockMaker(reduced.model)
        blocks = maker.sorted_blocks(system, matched)
        refuse_dependent(blocks, own)
        initial = initial_system(reduced, system, matched, maker, _constrained(reduction))
        structure = _structure(reduced, self._parameters, blocks, reduction)
        return replace(
            structure,
            model=replace(structure.model, checks=(*structure.model.checks, *initial.checks)),
            initial=initial.blocks,
            warnings=initial.warnings,
            presumptions=maker.presumptions,
        )


class SurfaceAnalysis:
    """A model kept on surfaces: sorted with the states that are best there, to go on with; it has no initial
    system."""

    def __init__(
        self, reduced: Reduced, parameters: tuple[Explicit, ...], wanted: Iterable[OnSurface]
    ) -> None:
        model, self._surfaces = on_surfaces(reduced.model, wanted)
        self._reduced = Reduced(model, reduced.aliases, reduced.written)
        self._parameters = parameters
        system = _running_system(model)
        high = constrains_states(self._reduced, system, system.match())
        self._reduction = Reduction(self._reduced, system) if high else None

    def choose(self, at: Mapping[str, float]) -> Choice | None:
        """The states that are best where the variables have these values; None where nothing constrains
        them, since what the surface is made of follows from other unknowns."""
        if self._reduction is None:
            return None
        try:
            return self._reduction.choose(TrialValues(self._reduced.model, at))
        except HiddenCondition as found:
            raise found.refusal() from None

    def sorted_with(self, choice: Choice | None) -> Structure:
        """The model with these states."""
        reduced, reduction = self._reduced, None
        if choice is not None:
            assert self._reduction is not None, "there is nothing to choose"
            reduced, reduction = self._reduction.rebuilt(choice, first=False)
        system = _running_system(reduced.model)
        matched = system.match()
        if min(matched, default=0) < 0:
            raise self._without_influence()
        maker = BlockMaker(reduced.model)
        blocks = maker.sorted_blocks(system, matched)
        structure = _structure(reduced, self._parameters, blocks, reduction)
        return replace(structure, surfaces=self._surfaces, presumptions=maker.presumptions)

    def _without_influence(self) -> ModelError:
        relations = [self._reduced.model.relations[s.leader] for s in self._surfaces]
        names = listed([r.text for r in relations])
        return model_error(
            "E301", f"what depends on {names} has no influence on when that changes", relations[0].span
        )


def _structure(
    reduced: Reduced,
    parameters: tuple[Explicit, ...],
    blocks: tuple[Block, ...],
    reduction: IndexReduction | None,
) -> Structure:
    return Structure(
        model=reduced.model,
        aliases=reduced.aliases,
        parameters=parameters,
        states=reduced.model.states,
        algebraics=reduced.model.algebraics,
        discretes=reduced.model.discretes,
        blocks=blocks,
        initial=(),
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


def _running_system(model: HybridModel) -> System:
    """States are known during the run; their derivatives, algebraics and discretes are not."""
    continuous = [*(der(ref(v.symbol)) for v in model.states), *(ref(v.symbol) for v in model.algebraics)]
    discrete = [ref(v.symbol) for v in model.discretes]
    memo: dict[Expr, Expr] = {}
    equations = tuple(actual_equation(q, memo) for q in model.equations)
    return System(equations, (*continuous, *discrete), len(continuous))
