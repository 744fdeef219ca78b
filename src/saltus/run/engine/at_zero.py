"""Relations whose residues are zero when a mode is entered: where they lean, and how much room they have.

A residue that is zero in a mode says nothing about the truth of its relation, but its derivative does: a
block that is pulled as hard as it sticks is about to slide. Where the derivative is zero too, the relation
stays as it was presumed to be, and it gets *room*: it counts as zero as long as it is so within the errors of
the integrator, in place of those of rounding. These are relative to the states: between two angles of 100 rad
that are known to 1e-8, a play of 1e-6 rad may be anything. The same is true of derivatives: the torque of an
idling engine whose speed is known to 1e-6 may turn an open clutch either way, and does not say which.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import ref
from saltus.ir.native.contract import BAND, CLEAR, DRIFT, ROOM, TIME_SLOT
from saltus.run.engine.continuous import Continuous
from saltus.run.memory.dependence import numbers_in_parts
from saltus.run.memory.memory import Memory
from saltus.run.memory.relations import Relations

#: How far ahead motion is examined, as a fraction of the run, by which factors further, and how well two
#: computations have to agree.
FAREST, LONGER_STEP = 2e-2, 10.0
SAME_SHAPE = 0.1


class AtZero:
    """The relations of one program, in a run of so long a `span`. To be asked when parameters have their
    values."""

    def __init__(self, memory: Memory, relations: Relations, continuous: Continuous, span: float) -> None:
        self._memory, self._relations, self._continuous = memory, relations, continuous
        self._span = span
        self._narrow: NDArray[np.float64] | None = None

    def drifting(self, among: Sequence[int], tolerance: float) -> list[int]:
        """The relations whose residue is zero, but clearly moves to the side on which they have the other
        truth. The memory stays as it is."""
        cells = self._memory.cells
        moves = {
            k: move
            for k, move in self.leanings(among).items()
            if move and cells[self._relations.truth + k] != self._relations.truth_on(k, move)
        }
        return [k for k, move in self._certain(moves, tolerance).items() if move]

    def leanings(self, among: Sequence[int]) -> dict[int, float]:
        """How relations whose residue is zero move, by the numbers of the memory: 0 where it is so little
        that it may be rounding."""
        signs = self._relations.signs
        inside = [k for k in among if self._memory.cells[signs + k] == 0.0]
        moved = self._moved(inside) if inside else None
        if moved is None:
            return {}
        moved[np.abs(moved) <= CLEAR * self.narrow_bands[inside]] = 0.0
        return dict(zip(inside, moved.tolist(), strict=True))

    def _moved(self, among: Sequence[int]) -> NDArray[np.float64] | None:
        """How far relations move: differences along a small part of the run, forwards and backwards, since
        what leaves zero without speed may be curved. None where something cannot be computed."""
        continuous, memory = self._continuous, self._memory
        before, residues = memory.array.copy(), memory.section("residues")
        rates, sides = continuous.derivatives.copy(), []
        for step in (DRIFT * self._span, -DRIFT * self._span):
            memory.cells[TIME_SLOT] += step
            continuous.states += step * rates
            failed = continuous.crossings()
            sides.append(residues[among])
            memory.array[:] = before
            if failed:
                return None
        moved: NDArray[np.float64] = (sides[0] - sides[1]) / 2
        return moved

    def departures(self, among: Iterable[int]) -> dict[int, float]:
        """The sides to which residues at zero eventually move, however gently they start: they are examined
        over ever longer parts of the run. 0 where one stays at zero, or that is not clear."""
        ahead: dict[tuple[float, int], NDArray[np.float64]] = {}

        def reached(index: int, part: float, steps: int) -> float:
            if (part, steps) not in ahead:
                ahead[part, steps] = self._reached(part, steps)
            return float(ahead[part, steps][index])

        def departure(index: int) -> float:
            least, part = 2 * self.narrow_bands[index], DRIFT
            while part < FAREST:
                once, twice = reached(index, part, 1), reached(index, part, 2)
                if not abs(twice) <= least:  # or it cannot be computed
                    return twice if abs(once - twice) <= SAME_SHAPE * abs(twice) else 0.0
                part *= LONGER_STEP
            return 0.0

        return {k: departure(k) for k in among}

    def _reached(self, part: float, steps: int) -> NDArray[np.float64]:
        """All residues after a part of the run, in a number of steps of the classical Runge-Kutta method; nan
        where something cannot be computed. The memory stays as it is."""
        continuous, memory, evaluate = self._continuous, self._memory, self._memory.routines["evaluate"]
        before, step = memory.array.copy(), part * self._span / steps
        failed = 0
        for _ in range(steps):
            time, states = memory.cells[TIME_SLOT], continuous.states.copy()
            total = continuous.derivatives.copy()
            for ahead, weight in ((0.5, 2.0), (0.5, 2.0), (1.0, 1.0)):
                memory.cells[TIME_SLOT] = time + ahead * step
                continuous.states[:] = states + ahead * step * continuous.derivatives
                failed = failed or evaluate()
                total += weight * continuous.derivatives
            continuous.states[:] = states + step / 6.0 * total
            failed = failed or evaluate()
        failed = failed or continuous.crossings()
        found = memory.section("residues").copy()
        memory.array[:] = before
        if failed:
            found[:] = math.nan
        return found

    def _certain(self, moves: dict[int, float], tolerance: float) -> dict[int, float]:
        """The sides, with 0 for residues that move otherwise, or do not move, if the states change by the
        errors of the integrator."""
        moving = [k for k, move in moves.items() if move]
        if not moving:
            return moves
        memory, evaluate = self._memory, self._memory.routines["evaluate"]
        before, least = memory.array.copy(), CLEAR * self.narrow_bands[moving]
        ahead = np.sign([moves[k] for k in moving])
        certain = np.full(len(moving), True)
        for off in self._tries(ROOM * tolerance):
            self._continuous.states += off
            moved = None if evaluate() else self._moved(moving)
            memory.array[:] = before
            if moved is not None:
                certain &= moved * ahead > least
        return moves | {k: 0.0 for k, sure in zip(moving, certain, strict=True) if not sure}

    def _tries(self, part: float) -> Iterator[NDArray[np.float64]]:
        """By how much states are off, if it is by a part of their values: pairs of tries in opposite
        directions. In one of them any two states of one part of the model are off in opposite directions:
        their numbers there differ in a binary digit, which says the sign. Parts that have nothing to do with
        each other are tried at the same time."""
        off, numbers = part * np.abs(self._continuous.states), self._numbers_in_parts
        digit, largest = 1, int(numbers.max(initial=0))
        while True:
            signs = np.where(numbers % (2 * digit) < digit, 1.0, -1.0)
            yield signs * off
            yield -signs * off
            if digit > largest:
                return
            digit *= 2

    @cached_property
    def _numbers_in_parts(self) -> NDArray[np.int64]:
        return numbers_in_parts(self._memory.structure)

    def make_room(self, among: Sequence[int], tolerance: float) -> None:
        """Relations whose residues are zero, and leave zero without speed as far as can be seen, keep their
        truths as long as these are zero within the errors of the integrator. A block that is lifted gently
        stays within them for a while, and must not land because of them."""
        self.leave_room()
        moves = self._certain(self.leanings(among), tolerance)
        still = [k for k, move in moves.items() if move == 0.0]
        if still:
            bands, wide = self._memory.section("bands"), ROOM * tolerance / BAND
            room = np.maximum(self.narrow_bands[still] * wide, ROOM * self._errors(tolerance)[still])
            bands[still] = np.maximum(bands[still], room)

    def _errors(self, part: float) -> NDArray[np.float64]:
        """How much residues differ where states are off by a part of their values."""
        continuous, memory = self._continuous, self._memory
        before, residues = memory.array.copy(), memory.section("residues")
        errors = np.zeros(len(residues))
        sides: list[NDArray[np.float64]] = []
        for off in self._tries(part):
            continuous.states += off
            failed = continuous.crossings()
            sides.append(residues.copy() if not failed else np.full(len(residues), np.nan))
            memory.array[:] = before
            if len(sides) == 2:
                errors = np.fmax(errors, np.abs(sides[0] - sides[1]) / 2)
                sides = []
        return errors

    def take_for_zero(self, among: Iterable[int]) -> None:
        """The residues of these relations, which are known to be zero but for errors, count as zero until
        they are further away than they are now."""
        cells, relations = self._memory.cells, self._relations
        for k in among:
            least = max(2.0 * abs(cells[relations.residues + k]), float(self.narrow_bands[k]))
            cells[relations.bands + k] = max(cells[relations.bands + k], least)
            cells[relations.signs + k] = 0.0

    def take_as_usual(self, among: Iterable[int]) -> None:
        """What was taken for zero, and is inside of its band as usual, has no more room than that."""
        cells, relations = self._memory.cells, self._relations
        for k in among:
            if abs(cells[relations.residues + k]) <= self.narrow_bands[k]:
                cells[relations.bands + k] = float(self.narrow_bands[k])

    def leave_room(self) -> None:
        """Relations that are away from zero have bands as usual."""
        bands, away = self._memory.section("bands"), self._memory.section("signs") != 0.0
        bands[away] = self.narrow_bands[away]

    def keep_room(self, bands: NDArray[np.float64], part: float) -> None:
        """The bands of the model's own relations are what they were in another engine, and at least a part of
        their nominal values. An engine that slides along the surface of a relation has no band for it."""
        narrow = self.narrow_bands[: len(bands)]
        if not bands.all():
            bands = np.where(bands > 0.0, bands, narrow)
        if part:
            bands = np.maximum(bands, narrow * (part / BAND))
        self._memory.section("bands")[: len(bands)] = bands

    def take_room(self, other: AtZero, count: int) -> None:
        """Gives relations the room that they have in another program."""
        bands, others = self._memory.section("bands")[:count], other._memory.section("bands")[:count]
        wide = others > other.narrow_bands[:count]
        if wide.any():
            wide &= self.narrow_bands[:count] > 0.0  # which are noted before that
            bands[wide] = others[wide]

    @property
    def narrow_bands(self) -> NDArray[np.float64]:
        """The bands as parameters give them. Noted when first asked for, before any relation gets room."""
        if self._narrow is None:
            self._narrow = self._memory.section("bands").copy()
        return self._narrow

    def bands_by_truth(self, among: Sequence[int]) -> NDArray[np.float64]:
        """For each relation the narrow bands while it is false and while it is true; 0 where these are the
        same. The position on the curve of a diode is a voltage on one branch, and a current on the other."""
        found = np.zeros(2 * len(among))
        balance = self._memory.structure.model.balance
        symbols = balance.by_truth if balance is not None else {}
        for j, k in enumerate(among):
            if k in symbols:
                sizes = [self._memory.number(ref(symbol), 1.0) for symbol in symbols[k]]
                if sizes[0] != sizes[1]:
                    found[2 * j : 2 * j + 2] = BAND * np.array(sizes)
        return found

    @property
    def noted(self) -> NDArray[np.float64] | None:
        """The narrow bands, for a checkpoint: None if those of the memory have no room."""
        return self._narrow

    def load(self, noted: NDArray[np.float64]) -> None:
        """What was noted before the memory was saved."""
        self._narrow = noted

    def turn(self, index: int) -> None:
        """Gives a relation whose residue is zero the other truth, as if it had moved there."""
        cells = self._memory.cells
        cells[self._relations.truth + index] = 1.0 - cells[self._relations.truth + index]
        cells[self._relations.zero_since + index] = cells[TIME_SLOT]
