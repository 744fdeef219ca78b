"""How what bounces off surfaces moves: how far it hops, how long, and how hard it is pressed back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.run.engine.engine import Engine
from saltus.run.surfaces.host import PROBE

#: The step, as a part of the run, along which it is looked how a residue bends.
CURVE = 1e-6


class Hop(NamedTuple):
    """What bounces off a surface: how far it is `away` from it, its speed outwards, and how hard it is
    `pressed` back; and whether its relations have the truths of the `inside`."""

    away: float
    speed: float
    pressed: float
    inside: bool

    def rise(self) -> float:
        """How much further it gets, or how high the hop was that ends as fast as this. What moves on into
        the surface with the truths of its inside does not rise, however fast it is: no event would tell."""
        speed = max(self.speed, 0.0) if self.inside else self.speed
        return 0.5 * speed**2 / self.pressed if self.pressed > 0.0 else math.inf

    def lasts(self) -> float:
        """How long it goes on; infinitely where nothing presses it back."""
        away = max(self.away, 0.0)
        if self.pressed > 0.0:
            return (self.speed + math.sqrt(self.speed**2 + 2.0 * self.pressed * away)) / self.pressed
        return away / -self.speed if self.speed < 0.0 else math.inf


def hops_of(
    engine: Engine,
    leaders: Sequence[int],
    sides: Sequence[int],
    jumps: Sequence[Mapping[str, float]],
    span: float,
) -> list[Hop]:
    """The hops off surfaces, which are given by their first relations, with their inner sides and the
    directions of the jumps there. What falls together with what it lies on is pressed onto that as soon as
    that rests; so each is pressed as hard as it is while reactions hold all the others. The memory stays as
    it is."""
    names, signs = [v.name for v in engine.structure.states], np.array(sides)
    directions = np.array([[j.get(n, 0.0) for n in names] for j in jumps])
    states = engine.continuous.states.copy()
    speeds = signs * rates_of(engine, leaders, states, PROBE * span)
    before = engine.memory.array.copy()
    engine.memory.routines["evaluate"]()
    engine.continuous.advance(CURVE * span)
    later = signs * rates_of(engine, leaders, engine.continuous.states.copy(), PROBE * span)
    engine.memory.array[:] = before
    engine.continuous.relations()
    away = -signs * engine.memory.section("residues")[list(leaders)]
    free = (later - speeds) / (CURVE * span)
    pushes = signs[:, None] * pushes_of(engine, leaders, directions, span)
    if not (np.all(np.isfinite(free)) and np.all(np.isfinite(pushes))):
        free, pushes = np.zeros_like(free), np.zeros_like(pushes)  # what it would do is not known
    found = []
    for k, (leader, side) in enumerate(zip(leaders, sides, strict=True)):
        rest = [j for j in range(len(leaders)) if j != k]
        reactions = np.linalg.lstsq(pushes[np.ix_(rest, rest)], -free[rest], rcond=1e-6)[0]
        pressed = free[k] + pushes[k, rest] @ np.maximum(reactions, 0.0)
        inside = not engine.surfaces.changes_to(engine.structure.model.surface(leader), side)
        found.append(Hop(float(away[k]), -float(speeds[k]), float(pressed), inside))
    return found


def pushes_of(
    engine: Engine, leaders: Sequence[int], directions: NDArray[np.float64], span: float
) -> NDArray[np.float64]:
    """How the speeds of residues change where states jump along directions, each in a column."""
    states = engine.continuous.states.copy()
    now = rates_of(engine, leaders, states, PROBE * span)
    columns = [rates_of(engine, leaders, states + d, PROBE * span) - now for d in directions]
    return np.array(columns).T


def rates_of(
    engine: Engine, leaders: Sequence[int], states: NDArray[np.float64], step: float
) -> NDArray[np.float64]:
    """How fast residues move in a program where the states have these values: differences along a small step
    in time. The memory stays as it is."""
    before, cells = engine.memory.array.copy(), engine.memory.cells
    places = [engine.relations.residues + k for k in leaders]
    engine.continuous.states[:] = states
    failed = bool(engine.memory.routines["evaluate"]() or engine.continuous.crossings())
    first = np.array([cells[k] for k in places])
    engine.continuous.advance(step)
    failed = bool(engine.continuous.crossings()) or failed
    found = (np.array([cells[k] for k in places]) - first) / step
    engine.memory.array[:] = before
    return np.full(len(leaders), np.nan) if failed else found
