"""A hybrid DAE sorted: for the mode that its start values suggest, and again in other modes, with other
states and on surfaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TypeAlias

from saltus.analyse.blocks.blocks import BlockMaker
from saltus.analyse.blocks.tangent import jacobian
from saltus.analyse.index.dependence import HiddenCondition, refuse_dependent
from saltus.analyse.index.reduction import (
    Choice,
    Reduction,
    forced_states,
    preferred_coordinates,
    preferred_speeds,
)
from saltus.analyse.index.shared_work import Common
from saltus.analyse.index.trial import TrialValues
from saltus.analyse.inline.causality import constrained_states, switching_states, undetermined_rates
from saltus.analyse.inline.rewriting import chosen_states, inlined, refuse_inlining, refuse_positions
from saltus.analyse.modes.absence import Absence
from saltus.analyse.modes.entry import entry_of
from saltus.analyse.modes.following import Following
from saltus.analyse.modes.local import Round
from saltus.analyse.modes.modes import ModeGuards, deciding_variables, fixed_values, fixing, in_mode
from saltus.analyse.modes.presence import Presence
from saltus.analyse.modes.sliding import on_surfaces
from saltus.analyse.modes.undetermined import completed
from saltus.analyse.order.parameters import order_parameters
from saltus.analyse.order.singular import constrains_states, refuse_singular
from saltus.analyse.order.system import System
from saltus.analyse.passes import Rewrites, Rewritten
from saltus.analyse.sizes.inferred import with_sizes
from saltus.analyse.start.initial import initial_system
from saltus.analyse.trivial.alias import Reduced, eliminate, with_equation, without_equation
from saltus.analyse.trivial.homotopy import actual_equation
from saltus.analyse.trivial.late_inlining import has_excepted, inlined_equation
from saltus.analyse.trivial.stepped_factors import write_out
from saltus.core.diagnostics import ModelError, model_error
from saltus.core.wording import listed
from saltus.expr.nodes import Expr, Op, Symbol, compare, der, leaf_symbol, ref
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.inline import Inlines
from saltus.ir.sorted.blocks import Block, Explicit, Nonlinear
from saltus.ir.sorted.modes import GENERAL, ROUNDED, Entry, Fixing, Mode, Open
from saltus.ir.sorted.surfaces import OnSurface
from saltus.ir.structure import IndexReduction, Structure

__all__ = ["Analysis", "Sorting", "SurfaceAnalysis", "analyse"]


def analyse(model: HybridModel, at: Mapping[str, float] | None = None) -> Structure:
    """Sorts a model, or refuses it with the reason. With `at`, values by name, the states are those that are
    best there, and there is no initial system."""
    analysis = Analysis(model)
    if at is None:
        return analysis.structure
    sorting = analysis.in_mode(analysis.structure.mode)
    return replace(sorting.sorted_with(sorting.choose(at)), initial=())


class Analysis:
    """A model sorted for the mode that its start values suggest, with the states that are best there
    (`structure`), and the way to sort it again: in other modes, with other states, on surfaces. Refuses the
    model with a `ModelError`."""

    def __init__(self, model: HybridModel, inlined: Reduced | None = None) -> None:
        """With what inline integration has made of it, that is sorted in place of the model."""
        self._model = model
        self._parameters = order_parameters(model)
        self._rewrites = Rewrites(model)
        if inlined is not None:
            self._reduced = inlined
            self._rewrites.note("integrated", inlined.model)
        else:
            reduced = eliminate(model)
            self._rewrites.note("alias", reduced.model)
            self._reduced = write_out(reduced)
            self._rewrites.note("factors", self._reduced.model)
            self._reduced = replace(self._reduced, model=with_sizes(self._reduced.model))
        self._guards = ModeGuards(self._reduced.model)
        self._continuous = _continuous_equations(self._reduced.model)
        self._known: dict[tuple[Mode, bool], Sorting] = {}
        self._rounds: dict[Mode, Sorting] = {}
        self._common = Common()
        self._presence = Presence(self._reduced.model, self._guards)
        #: The guards that have to be fixed, and where, as far as the structure shows.
        self.fixing = Fixing(self._presence.guards)
        general = first = self._beginning() if self._presence else self.in_mode(GENERAL)
        if first.fixing:
            first = self._suggestion() or first
        self.structure = first.structure
        #: Warnings about the start. A suggested mode that leaves something open is a poor guess.
        self.warnings = (first if first.structure.open is None else general).structure.warnings
        #: The choice of states at the start; None where nothing constrains them.
        self.choice = first.choice
        #: The model as each pass has left it on the way to `structure`.
        self.rewritten = first.rewritten

    @property
    def written(self) -> tuple[Equation, ...]:
        """The equations of the model with all their branches."""
        return self._model.equations

    def with_inlined(self, inlines: Inlines) -> Analysis:
        """The analysis of the model in which a formula of inline integration determines what were states.
        Raises `ModelError` where that cannot be."""
        general = self.in_mode(GENERAL)
        refuse_inlining(general.structure, self._presence.guards)
        groups = general.switched_states
        refuse_positions(general.structure, general.held_in_modes)
        switched = frozenset().union(*groups)
        names = [v.name for v in general.final.model.states]
        if inlines.switched:
            names = [name for name in names if name in switched]
        elif inlines.names:
            names = chosen_states(general.structure, inlines.names, groups)
        if not names:
            return self
        free = inlined(general.final, replace(inlines, locates=False), names, names).model
        switching = switching_states(_running_system(free), ModeGuards(free))
        return Analysis(self._model, inlined(general.final, inlines, names, switched, switching))

    def in_mode(self, mode: Mode, at: Mapping[str, float] | None = None) -> Sorting:
        """The model in a mode, to continue from values; without values it starts there and has an initial
        system. Raises `ModelError` if it cannot be sorted."""
        starting = at is None
        found = self._known.get((mode, True)) or self._known.get((mode, starting))
        if found is None:
            found = self._known[mode, starting] = self._sorted(mode, at)
            self.fixing = self.fixing.joined(found.fixing)
        return found

    def in_round(self, mode: Mode, at: Mapping[str, float]) -> Sorting:
        """The model in a mode, with blocks that are the same in other modes unless guards change them."""
        if mode not in self._rounds:
            self._rounds[mode] = self._sorted(mode, at, self.lasting)
        return self._rounds[mode]

    @cached_property
    def lasting(self) -> frozenset[Expr]:
        """Variables that have the same value in all modes and at all times, by a formula of parameters."""
        model = self._reduced.model
        known = {ref(v.symbol) for v in (*model.constants, *model.parameters)}
        variables = {ref(v.symbol) for v in model.algebraics}
        found: set[Expr] = set()
        pending = [(q.lhs, q.rhs) for q in model.equations] + [(q.rhs, q.lhs) for q in model.equations]
        while True:
            new = {x for x, e in pending if x in variables and all(y in known for y in leaves(e))} - found
            if not new:
                return frozenset(found)
            found |= new
            known |= new

    def _sorted(
        self, mode: Mode, at: Mapping[str, float] | None, lasting: frozenset[Expr] | None = None
    ) -> Sorting:
        own = self._presence
        try:
            rewrites = Rewrites(self._model, self._rewrites.all)
            fixed = self._fixed(mode, rewrites, starting=at is None)
            model, common = fixed.model if own else self._model, self._common
            return Sorting(
                model,
                fixed,
                rewrites,
                self._parameters,
                mode,
                self._guards,
                at,
                common,
                always=own.guards,
                known=self.fixing,
                lasting=lasting,
            )
        except ModelError as error:
            raise (own.refusal(error, mode) if own else error) from None

    def following(
        self,
        fixing: Fixing,
        value: Callable[[Expr], float],
        at: Mapping[str, float],
        mode: Mode = GENERAL,
        *,
        numbers: bool = False,
        spares: bool = False,
    ) -> tuple[Structure, Fixing] | None:
        """One program that follows as many guards as possible of those that have to be fixed, but for those
        of a `mode`; their values are those of the mode that a run is in. It may find its structure by
        `numbers`, with `spares` for constraints that equations have together. And what is left to fix. None
        where that gains nothing."""
        if self._presence:
            return None
        search = Following(self, self._reduced.model, self._guards, fixing, value, at, mode)
        return search.made(self._common, numbers=numbers, spares=spares)

    def on(self, mode: Mode, wanted: Iterable[OnSurface]) -> SurfaceAnalysis:
        """The analysis of the model in a mode, on surfaces. Raises `ModelError` if it cannot move there."""
        known = self._known.get((mode, True)) or self._known.get((mode, False))
        reduced = known.reduced if known is not None else self._fixed(mode, Rewrites(self._model))
        return SurfaceAnalysis(reduced, self._parameters, wanted, mode, self._guards)

    def _fixed(self, mode: Mode, rewrites: Rewrites, *, starting: bool = False) -> Reduced:
        reduced, values = self._reduced, fixed_values(mode)
        model, written = in_mode(reduced.model, self._continuous, mode, self._guards)
        rewrites.note("mode", model)
        if self._presence:
            own = {*self._continuous, *written}
            continuous = {q: None for q in model.equations if q in own}
            absent = self._presence.absent(model, continuous)
            if absent:
                told = self._presence.told(mode, (v.symbol for v in absent))
                model = Absence(model, absent, continuous, values, told).model(starting=starting)
                rewrites.note("presence", model)
        origins = {new: reduced.written.get(old, old) for new, old in written.items()}
        return replace(reduced, model=model, written=reduced.written | origins)

    def _beginning(self) -> Sorting:
        """A model in which some equations exist now and then: in the mode that the start values suggest, or
        in another where that cannot be."""
        suggested = self.fixing.mode(self._trial_value())
        try:
            return self.in_mode(suggested)
        except ModelError as error:
            for mode in self._presence.others(suggested):
                with suppress(ModelError):
                    return self.in_mode(mode)
            raise error

    def _suggestion(self) -> Sorting | None:
        """The model in the mode that the start values suggest; None if that is the general program, or no
        mode at all: it is only a guess."""
        mode = self.fixing.mode(self._trial_value())
        try:
            return self.in_mode(mode) if mode.fixed else None
        except ModelError:
            return None

    def _trial_value(self) -> Callable[[Expr], float]:
        """The values that guards have by the start values."""
        model = self._reduced.model
        trial, relations = TrialValues(model, {}), {ref(r.symbol): r for r in model.relations}

        def value(guard: Expr) -> float:
            known = relations.get(guard)
            if known is not None:
                return float(compare(known.op, trial.number(known.residue), 0.0))
            return trial.number(guard)

        return value


#: A model with other states, what was differentiated for it, its system, which is matched, and its blocks.
_Coordinates: TypeAlias = tuple[Reduced, IndexReduction, System, list[int], BlockMaker, tuple[Block, ...]]


class Sorting:
    """The model in one mode: sorted with the states that are best at given values, or at the start values
    where it is to be started (`structure`), and the way to sort it with others."""

    def __init__(
        self,
        model: HybridModel,
        reduced: Reduced,
        rewrites: Rewrites,
        parameters: tuple[Explicit, ...],
        mode: Mode,
        guards: ModeGuards,
        at: Mapping[str, float] | None,
        common: Common,
        *,
        always: frozenset[Expr],
        known: Fixing,
        lasting: frozenset[Expr] | None = None,
    ) -> None:
        self._lasting = lasting
        self._model = model
        self._rewrites = rewrites
        self._parameters = parameters
        self._mode = mode
        self._guards = guards
        self._at = at
        self._common = common
        #: Guards that are fixed in all programs, and whether no others are in this one.
        self._always = always
        self._known = known
        self._is_general = {guard for guard, _ in mode.fixed} == always
        self._rounded = 0.0 if self._is_general else ROUNDED
        self._reduction: Reduction | None = None
        self._open: Open | None = None
        self._has_coordinates = False
        self.choice: Choice | None = None
        #: Of a general program: where it loses rank.
        self.fixing = Fixing()
        #: Without hidden conditions among the equations.
        self.reduced = reduced
        #: The model as it is sorted, with its states.
        self.final = reduced
        #: The row of the model that each equation of the blocks was made of.
        self.rows: dict[Equation, int] = {}
        self.structure = self._first(reduced)
        if at is not None:
            rewrites.forget()  # a run may come to many modes; only the start is printed

    @property
    def rewritten(self) -> tuple[Rewritten, ...]:
        """The model as each pass has left it on the way to `structure`."""
        return self._rewrites.all

    @cached_property
    def switched_states(self) -> tuple[frozenset[str], ...]:
        """For each mode that has to be fixed, the states whose derivatives nothing determines there, by
        name."""
        found = (undetermined_rates(system) for system in self._fixed_systems)
        return tuple(dict.fromkeys(frozenset(names) for names in found if names))

    @cached_property
    def held_in_modes(self) -> frozenset[str]:
        """States on which a mode that has to be fixed makes a condition, though they do not jump, by name."""
        states = {ref(v.symbol) for v in self.final.model.states}
        found = (constrained_states(s, states) - undetermined_rates(s) for s in self._fixed_systems)
        return frozenset().union(*found)

    @cached_property
    def _fixed_systems(self) -> list[System]:
        """The running system in each mode that has to be fixed."""
        model = self.final.model
        guards, continuous = ModeGuards(model), _continuous_equations(model)
        alone = (Mode(((guard, value),)) for guard in self.fixing.always for value in (0.0, 1.0))
        modes = (*self.fixing.combinations, *alone)
        return [_running_system(in_mode(model, continuous, mode, guards)[0]) for mode in modes]

    def choose(self, at: Mapping[str, float]) -> Choice | None:
        """The states that are best where the variables have these values; None where nothing constrains
        them."""
        return None if self._reduction is None else self._reduction.choose(TrialValues(self._model, at))

    def sorted_with(self, choice: Choice | None) -> Structure:
        """The model with these states. A choice other than the first has no initial system: it only continues
        a run."""
        if choice is None or (self.choice is not None and choice.dummies == self.choice.dummies):
            return self.structure
        assert self._reduction is not None, "there is nothing to choose"
        reduced, reduction = self._reduction.rebuilt(choice, first=False)
        system = _running_system(reduced.model)
        matched = system.match()
        refuse_singular(self._model, reduced, system, matched)
        maker = BlockMaker(reduced.model, self._common, self._lasting)
        blocks = maker.sorted_blocks(system, matched)
        return self._made(reduced, maker, blocks, reduction, choice)

    def _first(self, reduced: Reduced) -> Structure:
        problem: ModelError | None = None
        # Every replacement takes unknowns out of an equation for good; the bound is for the unforeseen.
        for _ in range(len(self._model.equations) + 1):
            self.reduced = reduced
            try:
                return self._sorted(reduced)
            except HiddenCondition as found:
                replacement = found.replacement()
                if found.old not in reduced.model.equations:
                    raise found.refusal() from None
                if replacement is not None:
                    reduced = with_equation(reduced, found.old, replacement)
                elif self._mode.fixed and found.is_redundant:
                    reduced = without_equation(reduced, found.old)
                else:
                    raise found.refusal() from None
                # Equal parts have one each; to sort the model again for every one of them would take long.
                for other in found.others:
                    another = other.replacement()
                    if another is not None and other.old in reduced.model.equations:
                        reduced = with_equation(reduced, other.old, another)
                self._rewrites.note("hidden", reduced.model)
                problem = problem or found.refusal()
            except ModelError as error:
                # If an equation of the model is generated, the reason is in those it was made from.
                raise problem or error from None
        assert problem is not None
        raise problem

    def _sorted(self, reduced: Reduced) -> Structure:
        system = _running_system(reduced.model)
        matched = system.match()
        if self._always and len(system.equations) != len(system.unknowns):
            refuse_singular(self._model, reduced, system, matched)
        if self._mode.fixed:
            found = completed(reduced, system, self._at, thorough=True, slopes=self._common.slopes)
            if found is not None:
                reduced, self._open = found
                self._rewrites.note("open", reduced.model)
                system = _running_system(reduced.model)
                matched = system.match()
        own = frozenset(system.equations)
        reduction: IndexReduction | None = None
        complete = len(system.equations) == len(system.unknowns) and min(matched, default=0) >= 0
        if constrains_states(reduced, system, matched) or (complete and forced_states(reduced.model)):
            self._reduction, self.choice = self._chosen(reduced, system)
            reduced, reduction = self._reduction.rebuilt(self.choice, first=not self._mode.fixed)
            self._rewrites.note("reduced", reduced.model)
        if self._reduction is not None or self._mode.fixed:
            system = _running_system(reduced.model)
            matched = system.match()
        refuse_singular(self._model, reduced, system, matched)
        maker = BlockMaker(reduced.model, self._common, self._lasting)
        blocks = maker.sorted_blocks(system, matched)
        sorted_so = system, matched
        better = self._with_coordinates(reduced, system, blocks)
        if better is not None:
            reduced, reduction, system, matched, maker, blocks = better
            self._rewrites.note("coordinates", reduced.model)
        self._note_inlined(reduced.model, system)
        self.rows = self._rows(system)
        self.final = reduced
        refuse_dependent(blocks, own, self._rounded, partial(self._lowered, system))
        if self._is_general:  # not before: equations may have been replaced one by one
            self.fixing = fixing(*sorted_so, self._guards).within(self._mode)
        if self._at is not None:
            return self._made(reduced, maker, blocks, reduction, self.choice)
        deciding = deciding_variables(reduced.model, self._mode)
        initial = initial_system(reduced, system, matched, maker, _constrained(reduction), deciding=deciding)
        structure = self._made(reduced, maker, blocks, reduction, self.choice)
        return replace(
            structure,
            model=replace(structure.model, checks=(*structure.model.checks, *initial.checks)),
            initial=initial.blocks,
            warnings=initial.warnings,
        )

    def _rows(self, system: System) -> dict[Equation, int]:
        """The row of the model that each equation of a system was made of; derivatives have that of what they
        are derivatives of, and generated equations have numbers of their own."""
        if self._reduction is None:
            return {q: row for row, q in enumerate(system.equations)}
        made, discrete = self._reduction.derivatives, set(self._reduction.discrete)
        of_each = [row for row, group in zip(self._written_rows(), made, strict=True) for _ in group]
        chain = len(system.equations) - len(of_each) - len(discrete)
        firsts = range(-1 - len(made), -1 - len(made) - chain, -1)
        rest = [row for row, q in enumerate(self._reduction.model.equations) if q in discrete]
        return dict(zip(system.equations, (*firsts, *of_each, *rest), strict=True))

    def _lowered(
        self, system: System, involved: Sequence[Equation], factors: Sequence[Fraction]
    ) -> HiddenCondition | None:
        """What a combination of a system's equations says of those that they are derivatives of."""
        if self._reduction is None:
            return None
        made, discrete = self._reduction.derivatives, len(self._reduction.discrete)
        levels = [(row, order) for row, group in enumerate(made) for order in range(len(group))]
        first = len(system.equations) - len(levels) - discrete  # before them, derivatives that are states
        place = dict(zip(system.equations[first:], levels, strict=False))
        if any(q not in place for q in involved):
            return None
        return self._reduction.condition([place[q] for q in involved], factors)

    def _written_rows(self) -> list[int]:
        """The rows of the model that index reduction began with."""
        assert self._reduction is not None
        discrete, count = set(self._reduction.discrete), len(self._reduction.rows)
        written = [row for row, q in enumerate(self._reduction.model.equations) if q not in discrete]
        return [*written, *range(-1, -1 - count, -1)][:count]  # after them, rates that were asked for

    def round(self) -> Round:
        """The model in this mode, as `saltus.analyse.modes.local` wants it."""
        reduction = self._reduction
        written = {} if reduction is None else dict(zip(reduction.rows, self._written_rows(), strict=True))
        return Round(self.structure, self.rows, written, reduction)

    def _note_inlined(self, model: HybridModel, system: System) -> None:
        if any(a is not b for a, b in zip(model.equations, system.equations, strict=True)):
            self._rewrites.note("inlined", replace(model, equations=system.equations))

    def _with_coordinates(
        self, reduced: Reduced, system: System, blocks: Sequence[Block]
    ) -> _Coordinates | None:
        """The model with other states, which the user prefers and which spare iterations; None where there
        are none, or where it does not work out: what is only preferred is no reason to refuse. Where modes
        change the structure, states are what the modes leave; with formulas of inline integration, what
        carries these from step to step."""
        if self._reduction is not None or reduced.model.inlining is not None:
            return None
        for wanted in preferred_coordinates(reduced.model, blocks):
            found = self._with_states(wanted, reduced, system, blocks)
            if found is not None:
                return found
        return None

    def _with_states(
        self, wanted: Sequence[Variable], reduced: Reduced, system: System, blocks: Sequence[Block]
    ) -> _Coordinates | None:
        try:
            reduction = Reduction(reduced, system, self._common, further=wanted)
            choice = reduction.choose(TrialValues(reduced.model, self._at))
            changed, made = reduction.rebuilt(choice)
            if not {v.symbol for v in wanted} <= {v.symbol for v in changed.model.states}:
                return None
            after = _running_system(changed.model)
            matched = after.match()
            refuse_singular(self._model, changed, after, matched)
            maker = BlockMaker(changed.model, self._common, self._lasting)
            found = maker.sorted_blocks(after, matched)
            loops = [b.unknowns for b in blocks if isinstance(b, Nonlinear)]
            spared = sum(len(x) for x in loops if any(ref(v.symbol) in x for v in wanted))
            left = sum(len(b.unknowns) for b in found if isinstance(b, Nonlinear))
            if left > sum(map(len, loops)) - spared:  # other loops have come in their place
                return None
        except (ModelError, HiddenCondition):
            return None
        self._reduction, self.choice, self._has_coordinates = reduction, choice, True
        return changed, made, after, matched, maker, found

    def _chosen(self, reduced: Reduced, system: System) -> tuple[Reduction, Choice]:
        """The index reduced, and states: with the derivatives that the user gave, or where these do not do,
        with those that follow from what the functions do (see `late_inlining`)."""
        values = TrialValues(reduced.model, self._at)
        if preferred_speeds(reduced.model):
            with suppress(ModelError, HiddenCondition):  # what is only preferred is no reason to refuse
                reduction = Reduction(reduced, system, self._common, speeds=True, rounded=self._rounded)
                return reduction, reduction.choose(values)
        try:
            reduction = Reduction(reduced, system, self._common, rounded=self._rounded)
            return reduction, reduction.choose(values)
        except (ModelError, HiddenCondition) as problem:
            if not any(map(has_excepted, reduced.model.equations)):
                raise
            try:
                reduction = Reduction(reduced, system, self._common, written_out=True, rounded=self._rounded)
                return reduction, reduction.choose(values)
            except (ModelError, HiddenCondition):
                raise problem from None

    def _made(
        self,
        reduced: Reduced,
        maker: BlockMaker,
        blocks: tuple[Block, ...],
        reduction: IndexReduction | None,
        choice: Choice | None,
    ) -> Structure:
        structure = _structure(reduced, self._parameters, maker, blocks, reduction, self._common)
        entry: Entry | None = None
        if self._reduction is not None and choice is not None and self._is_entered():
            entry = entry_of(self._reduction, choice, BlockMaker(reduced.model, self._common, self._lasting))
        exits = self._known.joined(self.fixing).leading_out_of(self._mode)
        return replace(
            structure,
            mode=self._mode,
            mode_exits=exits,
            open=self._open,
            entry=entry,
            inert=self._guards.inert,
            given=self._guards.given,
        )

    def _is_entered(self) -> bool:
        """Whether constraints on states may change at events."""
        assert self._reduction is not None
        if self._has_coordinates and not (self._mode.fixed or self.fixing):
            return False  # what they determine is no constraint between states
        rows = zip(self._reduction.rows, self._reduction.c, strict=True)
        constraints = (q for q, c in rows if c)
        return bool(self._mode.fixed or self.fixing) or any(
            self._guards.of(q.lhs, q.rhs) for q in constraints
        )


class SurfaceAnalysis:
    """A model kept on surfaces, to continue a run: sorted with the states that are best there, without an
    initial system."""

    def __init__(
        self,
        reduced: Reduced,
        parameters: tuple[Explicit, ...],
        wanted: Iterable[OnSurface],
        mode: Mode,
        guards: ModeGuards,
    ) -> None:
        self._mode, self._guards = mode, guards
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
        structure = _structure(reduced, self._parameters, maker, blocks, reduction)
        inert, given = self._guards.inert, self._guards.given
        return replace(structure, surfaces=self._surfaces, mode=self._mode, inert=inert, given=given)

    def _without_influence(self) -> ModelError:
        relations = [self._reduced.model.relations[s.leader] for s in self._surfaces]
        names = listed([r.text for r in relations])
        return model_error(
            "E301",
            f"what depends on {names} has no influence on when that changes",
            relations[0].span,
            origin=relations[0].origin,
        )


def _structure(
    reduced: Reduced,
    parameters: tuple[Explicit, ...],
    maker: BlockMaker,
    blocks: tuple[Block, ...],
    reduction: IndexReduction | None,
    common: Common | None = None,
) -> Structure:
    """What the maker of the blocks has made so far, and everything known beforehand."""
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
        jacobian=jacobian(reduced.model.states, reduced.model.discretes, blocks, common),
        presumptions=maker.presumptions,
        echoes=maker.echoes,
    )


def _constrained(reduction: IndexReduction | None) -> frozenset[Symbol]:
    """Variables that take part in constraints between states: their initial values depend on each other."""
    if reduction is None:
        return frozenset()
    sides = (e for d in reduction.differentiated for e in (d.equation.lhs, d.equation.rhs))
    used = {leaf_symbol(leaf) for e in sides for leaf in leaves(e) if leaf.op in (Op.REF, Op.DER)}
    return frozenset(used | {v.symbol for v in reduction.demoted})


def _continuous_equations(model: HybridModel) -> list[Equation]:
    """The equations that determine no discrete variable. What exists in some modes only never does."""
    lasting = tuple(q for q in model.equations if q.presence is None)
    claims = _running_system(replace(model, equations=lasting)).claims
    claimed = {q for q, claim in zip(lasting, claims, strict=True) if claim >= 0}
    return [q for q in model.equations if q not in claimed]


def _running_system(model: HybridModel) -> System:
    """States are known during the run; their derivatives, algebraics and discretes are not."""
    continuous = [*(der(ref(v.symbol)) for v in model.states), *(ref(v.symbol) for v in model.algebraics)]
    discrete = [ref(v.symbol) for v in model.discretes]
    memo: dict[Expr, Expr] = {}
    written_out: dict[Expr, Expr] = {}
    equations = tuple(inlined_equation(actual_equation(q, memo), written_out) for q in model.equations)
    return System(equations, (*continuous, *discrete), len(continuous))
