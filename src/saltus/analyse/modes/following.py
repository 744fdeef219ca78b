"""The search for one program that follows guards by itself.

Guards are put into groups of those that occur together, and the model is sorted in rounds, with every group
in one of its combinations (`saltus.analyse.modes.local` says why that is enough). A group that does not fit
is left out, or loses the combination that does not, or is joined to another; then the rounds are done again
with what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from saltus.analyse.blocks.tangent import jacobian
from saltus.analyse.index.shared_work import Common
from saltus.analyse.modes.leading import NotLinear, by_numbers
from saltus.analyse.modes.local import (
    MOST_GUARDS,
    Changed,
    Group,
    Join,
    Round,
    Together,
    Unfit,
    guards_together,
    is_fit,
)
from saltus.analyse.modes.local_entry import Entries
from saltus.analyse.modes.modes import ModeGuards
from saltus.core.diagnostics import ModelError
from saltus.expr.nodes import Expr, Type, der, ref
from saltus.expr.traversal import leaves
from saltus.ir.hybrid import HybridModel
from saltus.ir.sorted.modes import MANY_GUARDS, Fixing, Mode
from saltus.ir.structure import Structure

#: With fewer groups of guards, one program for each combination is as good.
LEAST_GROUPS = 2

#: The number of guards from which structure is found numerically where cases do not suffice.
LEAST_GUARDS = MANY_GUARDS

#: Combinations that a group must have, at least, for a program to follow it.
LEAST_CASES = 2

#: Groups that are tried one by one if a mode with all of them changed is refused.
MOST_TRIED = 40


class Sorted(Protocol):
    """The model sorted in a mode."""

    structure: Structure

    def round(self) -> Round:
        """What a join takes of it."""


class Rounds(Protocol):
    """Sorts the model, which is what `saltus.analyse.analysis.Analysis` does."""

    @property
    def lasting(self) -> frozenset[Expr]:
        """Variables that have the same value in all modes and at all times."""

    def in_mode(self, mode: Mode, at: Mapping[str, float], /) -> Sorted:
        """The model in a mode. Raises `ModelError` where it cannot be sorted there."""

    def in_round(self, mode: Mode, at: Mapping[str, float], /) -> Sorted:
        """The model in a mode, with the same blocks as in other modes where guards do not change them."""


class Following:
    """One search, in a model and at values of its variables."""

    def __init__(
        self,
        analysis: Rounds,
        model: HybridModel,
        guards: ModeGuards,
        fixing: Fixing,
        value: Callable[[Expr], float],
        at: Mapping[str, float],
        mode: Mode,
    ) -> None:
        self._analysis, self._model = analysis, model
        self._fixing, self._value, self._at, self._fixed = fixing, value, at, dict(mode.fixed)
        self._of_row = [guards.of(q.lhs, q.rhs) for q in model.equations]
        # Parameters that a combination takes for granted have these values in the whole run.
        fixed = [dict(c.fixed) for c in fixing.combinations]
        self._granted = {x: v for c in fixed for x, v in c.items() if guards.is_parameter(x)}
        known = self._granted.keys() | self._fixed.keys()
        turning = [guard for guard in fixing.guards() if guard not in known]
        self._turning = turning
        sets = guards_together(turning, [*fixed, *self._of_row])
        self._groups = [group for own in sets if (group := Group.of(own)) is not None]
        self._booleans = [x for x in model.mode_guards() if x.type is Type.BOOLEAN]
        self._refused: list[Mode] = []
        self._is_patient = False  # else the first group that does not fit ends the search

    def made(self, common: Common, *, numbers: bool, spares: bool = False) -> tuple[Structure, Fixing] | None:
        """The program, and what is left to fix. Where guards are many, cases do only if they follow all of
        them; else structure may be found by `numbers`, with `spares` for constraints that equations have
        together. To find out how many guards cases can follow takes long, and is the last resort."""
        if spares:
            return self._by_numbers(common, spares=True)
        if len(self._turning) + len(self._fixed) < LEAST_GUARDS:
            self._is_patient = True
            if not numbers or self._fixed:
                return self._by_cases(common)
            # There may be more of the kind that the run has not come upon.
            found = self._by_numbers(common) if len(self._booleans) >= LEAST_GUARDS else None
            return found if found is not None and len(found[0].local) >= LEAST_GUARDS else None
        groups = list(self._groups)
        found = self._by_cases(common) if self._may_all_be_cases() else None
        if found is not None and not found[1]:
            return found
        if not numbers:
            return None
        found = self._by_numbers(common)
        if found is not None:
            return found
        self._groups, self._refused, self._is_patient = groups, [], True
        return self._by_cases(common)

    def _may_all_be_cases(self) -> bool:
        """Whether guards are in small groups that do not seem to decide together: as far as equations have no
        unknowns in common."""
        if sum(len(group.guards) for group in self._groups) < len(self._turning):
            return False
        model = self._model
        unknowns = {der(ref(v.symbol)) for v in model.states} | {ref(v.symbol) for v in model.algebraics}
        unknowns -= self._analysis.lasting
        together = [
            {*guards, *(x for e in (q.lhs, q.rhs) for x in leaves(e) if x in unknowns)}
            for q, guards in zip(model.equations, self._of_row, strict=True)
        ]
        known = set(self._turning)
        sets = guards_together([*unknowns, *self._turning], together)
        return max(len(known & members) for members in sets) <= MOST_GUARDS

    def _by_numbers(self, common: Common, *, spares: bool = False) -> tuple[Structure, Fixing] | None:
        """A program that finds its structure by numbers: for many guards that do not decide by themselves."""
        local = frozenset(self._turning)
        left = self._fixing.without(local)
        mode = Mode.of({**dict(left.mode(self._value).fixed), **self._fixed})
        try:
            general = self._analysis.in_mode(Mode.of({**dict(mode.fixed), **self._granted}), self._at)
            if self._fixed and self._is_constrained(general.structure):
                return None
            structure = by_numbers(general.structure, local, common, spares=spares)
        except (ModelError, NotLinear):
            return None
        return replace(structure, mode=mode), left.without(structure.local)

    def _is_constrained(self, fixed: Structure) -> bool:
        """Whether the guards that are fixed constrain states. When such a mode is entered, states jump that
        it does not have: its equations have been reduced by then."""
        general = self._analysis.in_mode(Mode.of(self._granted), self._at).structure
        return {v.symbol for v in fixed.states} != {v.symbol for v in general.states}

    def _by_cases(self, common: Common) -> tuple[Structure, Fixing] | None:
        """A program with cases for each combination of few guards."""
        # In a mode in which some are fixed, the others have to be followed, however few they are.
        least = 1 if self._fixed else LEAST_GROUPS
        while len(self._groups) >= least:
            try:
                structure = self._joined(common)
            except Changed:
                continue
            except Unfit as found:
                if not self._is_patient:
                    return None
                unfit = found.groups or range(len(self._groups))
                self._groups = [g for k, g in enumerate(self._groups) if k not in unfit]
            except Together as found:
                one = Group.of(guard for k in found.groups for guard in self._groups[k].guards)
                if one is None and not self._is_patient:
                    return None
                others = [g for k, g in enumerate(self._groups) if k not in found.groups]
                self._groups = others if one is None else [*others, one]
            else:
                local = structure.local
                rest = self._fixing.without(local)
                for mode in self._refused:
                    if local.issuperset(guard for guard, _ in mode.fixed):
                        rest = rest.with_combination(mode)
                return structure, rest
        return None

    def _joined(self, common: Common) -> Structure:
        groups = self._groups
        local = frozenset(guard for g in groups for guard in g.guards)
        mode = Mode.of({**dict(self._fixing.without(local).mode(self._value).fixed), **self._fixed})
        rest = Mode.of({**dict(mode.fixed), **self._granted})
        general = self._analysis.in_round(rest, self._at).structure
        if not is_fit(general, general):
            raise Unfit(())
        count = max(len(g.combinations) for g in groups)
        rounds = [self._round(rest, general, number) for number in range(count)]
        join = Join(general, rounds, groups, lambda row: self._of_row[row] if row >= 0 else ())
        entries = Entries(join)
        cases = [
            _alike(
                (frozenset(join.by_combination[k][number]), entries.signature(k, number))
                for number in range(len(g.combinations))
            )
            for k, g in enumerate(groups)
        ]
        blocks = join.sorted(cases)
        algebraics = (*general.algebraics, *join.further)
        structure = replace(
            general,
            model=replace(general.model, algebraics=algebraics),
            algebraics=algebraics,
            blocks=blocks,
            initial=(),
            mode=mode,
            jacobian=jacobian(general.states, general.discretes, blocks, common),
            mode_exits=(),
            entry=entries.joined(cases),
            local=local,
        )
        structure.verify()
        return structure

    def _round(self, rest: Mode, general: Structure, number: int) -> Round:
        """The model with every group in one of its combinations. Where that cannot be, it is the fault of
        those groups with which it cannot be if all others are as they are in the run."""
        every = range(len(self._groups))
        found = self._sorting(self._mode(rest, number, every))
        if found is not None and is_fit(found.structure, general):
            return found.round()
        if not self._is_patient or len(self._groups) > MOST_TRIED:
            raise Unfit(every)
        unfit: list[int] = []
        for k in every:
            alone = self._sorting(self._mode(rest, number, (k,)))
            if alone is None or not is_fit(alone.structure, general):
                unfit.append(k)
        spared = {k: self._groups[k].without(self._groups[k].at(number)) for k in unfit}
        lost = [k for k, group in spared.items() if not self._is_worth_following(group)]
        if lost or not unfit:
            raise Unfit(lost or every)
        for k, group in spared.items():
            # The combination that is left out has a program of its own, or none at all.
            left_out = zip(group.guards, self._groups[k].at(number), strict=True)
            self._refused.append(Mode.of(dict(left_out)))
            self._groups[k] = group
        raise Changed

    def _is_worth_following(self, group: Group) -> bool:
        """Whether its combinations are several, and some of them would have to be fixed otherwise."""
        if len(group.combinations) < LEAST_CASES:
            return False
        if not self._fixing.always.isdisjoint(group.guards):
            return True
        own = [dict(zip(group.guards, c, strict=True)) for c in group.combinations]
        return any(
            all(values.get(guard) == value for guard, value in c.fixed if guard in group.guards)
            for c in self._fixing.combinations
            if any(guard in group.guards for guard, _ in c.fixed)
            for values in own
        )

    def _sorting(self, mode: Mode) -> Sorted | None:
        """The model in a mode, if it can be sorted there."""
        try:
            return self._analysis.in_round(mode, self._at)
        except ModelError:
            return None

    def _mode(self, rest: Mode, number: int, of: Iterable[int]) -> Mode:
        """Some groups in the combinations of a round, the others as they are in the run."""
        values = dict(rest.fixed)
        for k, group in enumerate(self._groups):
            own = group.at(number) if k in of else tuple(map(self._value, group.guards))
            values |= dict(zip(group.guards, own, strict=True))
        return Mode.of(values)


def _alike(signatures: Iterable[Hashable]) -> list[list[int]]:
    """Which of several are the same, by number."""
    found: dict[Hashable, list[int]] = {}
    for number, signature in enumerate(signatures):
        found.setdefault(signature, []).append(number)
    return list(found.values())
