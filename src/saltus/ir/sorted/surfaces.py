"""Surfaces on which a program keeps the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import TypeAlias

from saltus.expr.nodes import Symbol

#: The fields of a wish, as plain data.
StoredWish: TypeAlias = tuple[int, bool, bool, bool, int, str, bool, Sequence[tuple[int, int]]]


@dataclass(frozen=True, order=True)
class OnSurface:
    """A request to continue along a surface: `relation` is the first of the relations that it belongs to,
    `resting` that states are held on it by a reaction; otherwise the model slides: by Filippov's convention,
    or with the `equivalent` control.

    `settled`: infinitely many changes of its relations are over, so that what remembers them keeps what it
    has. Such a surface may be one that the model stays on because it stays on another: it `follows` that one,
    with the same weight (1) or that of the other side (-1). Or a state is `held` where it is instead.
    `endless`: it is settled, but its changes would have gone on, lost in the errors of integration; then
    nothing may remember them.

    `turning`: relations of other surfaces that have one truth on the positive side and the other one on the
    negative side, with the signs that their residues have on the positive side: a diode that takes over the
    current whenever the switch that slides opens."""

    relation: int
    resting: bool = False
    equivalent: bool = False
    settled: bool = False
    follows: int = 0
    held: str = ""
    endless: bool = False
    turning: tuple[tuple[int, int], ...] = ()

    def stored(self) -> list[object]:
        """The request as plain data, for `restored`."""
        return list(astuple(self))

    @staticmethod
    def restored(stored: StoredWish) -> OnSurface:
        """The wish that was stored."""
        return OnSurface(*stored[:-1], turning=tuple((k, sign) for k, sign in stored[-1]))


@dataclass(frozen=True, eq=False)
class Surface:
    """A surface `residue = 0` on which a program keeps the model (`saltus.analyse.modes.sliding`).

    `relations`: those that change their truth there, by index, with 1 where the residue is that of the first
    of them and -1 where it is its negative; then those that turn with them. They keep the truths of the side
    that the hidden parameter `side` (1 or -1) names. `multiplier`: the weight of the positive side, between 0
    and 1, for a model that slides; the reaction for one that rests. `exits`, the surface exits: relations
    that hold as long as it stays; the first is that the multiplier is positive, the second, of a sliding
    model, that it is less than 1; then, where relations turn with them, that the residues of these, and of
    others that the side decides, have the signs that they must have on either side.
    `directions`: the states that the reaction pushes, each with the hidden parameter that says which way.
    `wanted`: the wish that it fulfils. `copies`: unknowns that are values of variables on one of its sides,
    with the names of these. `place`: the hidden parameter that says where a state is held.
    """

    relations: Mapping[int, int]
    multiplier: Symbol
    side: Symbol
    exits: tuple[int, ...]
    directions: Mapping[Symbol, Symbol]
    wanted: OnSurface
    copies: Mapping[Symbol, str]
    place: Symbol | None = None

    @property
    def leader(self) -> int:
        """The first of the relations."""
        return next(iter(self.relations))

    @property
    def resting(self) -> bool:
        """Whether states are held by a reaction."""
        return bool(self.directions)
