"""Solves a piecewise linear system from event to event.

Between events: Radau IIA with three stages (Hairer and Wanner, Solving Ordinary Differential Equations II,
section IV.5), of order five and stiffly accurate, with fixed steps. Exits are looked at in all stages and
located on the collocation polynomial. At an event: one short step of the implicit Euler method is a
complementarity problem in the modes, solved by principal pivoting with least index (Murty 1974), and by
enumeration where that goes round in a circle; what was inconsistent jumps within it as conservation laws
demand. That the result is right is known from another one, with other steps and with start values and sources
that are slightly different.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from tools.differential.solvers.piecewise_linear import System, Vector

_ROOT = np.sqrt(6.0)
_NODES = np.array([(4 - _ROOT) / 10, (4 + _ROOT) / 10, 1.0])
_WEIGHTS = np.array([
    [(88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225],
    [(296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225],
    [(16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9],
])  # fmt: skip

#: An exit may be below zero by this.
BAND = 1e-9

#: Larger numbers are those of a contradiction: the current of a source that is shorted by a leak of 1e-8.
CONTRADICTION = 1e7

#: An approach that is slower than this ends in contact: the rest of infinitely many impacts.
SLOW = 1e-3

_MOST_EVENTS = 3000


class Unsure(Exception):
    """Here is no truth: the reason."""


@dataclass
class Solution:
    """Values at the times that were asked for. `ended` is the time of a contradiction: NaN from there on."""

    values: Vector
    events: list[float]
    ended: float | None = None
    jump_at_start: float = 0.0


class _Mode:
    """All that is the same while the modes are."""

    def __init__(self, system: System, modes: tuple[int, ...]) -> None:
        self.matrix = system.matrix.copy()
        self.value = np.zeros(len(system.start))
        exits, speeds = [], []
        for k, (element, mode) in enumerate(zip(system.elements, modes, strict=True)):
            law = element.laws[mode]
            self.matrix[element.row], self.value[element.row] = law.row, law.value
            for way_out in law.exits:
                exits.append((k, way_out))
                free = element.impact is not None and mode == 0
                speeds.append(element.impact.speed if free and element.impact else np.zeros(len(self.value)))
        self.exits = exits
        self.rows = np.array([e.row for _, e in exits]).reshape(len(exits), len(self.value))
        self.constants = np.array([e.constant for _, e in exits])
        self.speeds = np.array(speeds).reshape(len(exits), len(self.value))
        self.bounces = np.abs(self.speeds).sum(axis=1) > 0
        self.steps: dict[float, Vector] = {}
        self.instants: dict[float, Vector] = {}

    def residues(self, z: Vector) -> Vector:
        """How far each exit is from zero, with those that bounce above zero while they move away."""
        found = self.rows @ z + self.constants
        away = self.bounces & (self.speeds @ z >= 0)
        counted: Vector = np.where(away, np.maximum(found, 0.0), found)
        return counted


class Solver:
    """One solution. `step` is the longest step, `instant` the length of the short one at an event."""

    def __init__(self, system: System, step: float, instant: float, slow: float = SLOW) -> None:
        self._system, self._step, self._instant, self._slow = system, step, instant, slow
        self._modes: dict[tuple[int, ...], _Mode] = {}
        self._now = tuple(_scheduled(e.schedule, 0.0) or 0 for e in system.elements)
        self._breaks = [t for t in sorted({*system.breaks}) if t > 0]
        self._next_break = 0
        self._events: list[float] = []

    def solve(self, times: Vector) -> Solution:
        """The values at `times`, which are increasing."""
        system, values = self._system, np.full((len(times), len(self._system.start)), np.nan)
        dynamic = np.abs(system.mass).sum(axis=0) > 0
        solution = Solution(values, self._events)
        t, z, due = 0.0, system.start, 0
        stop = float(times[-1])
        t, z = self._at_instant(t, z)
        solution.jump_at_start = float(np.abs((z - system.start)[dynamic]).max(initial=0.0))
        try:
            while True:
                while due < len(times) and times[due] <= t + 1e-12:
                    values[due] = z
                    due += 1
                if t >= stop - 1e-12:
                    return solution
                target = min(float(times[due]), self._break())
                t, z = self._advance(t, z, min(self._step, target - t))
        except _Contradiction as found:
            solution.ended = found.time
            return solution

    def _break(self) -> float:
        return self._breaks[self._next_break] if self._next_break < len(self._breaks) else np.inf

    def _mode(self, modes: tuple[int, ...]) -> _Mode:
        if modes not in self._modes:
            self._modes[modes] = _Mode(self._system, modes)
        return self._modes[modes]

    # ---------------------------------------------------------------- between events

    def _stages(self, mode: _Mode, t: float, z: Vector, h: float) -> Vector:
        system, size = self._system, len(z)
        key = float(f"{h:.12g}")
        inverse = mode.steps.get(key)
        if inverse is None:
            inverse = _inverse(np.kron(np.eye(3), system.mass) + h * np.kron(_WEIGHTS, mode.matrix))
            if abs(h - self._step) < 1e-12:
                mode.steps[key] = inverse
        latest = self._break() - 1e-12
        forces = np.array([system.source(min(t + c * h, latest)) for c in _NODES]) + mode.value
        right = (system.mass @ z)[None, :] + h * (_WEIGHTS @ forces)
        stages: Vector = (inverse @ right.ravel()).reshape(3, size)
        return stages

    def _advance(self, t: float, z: Vector, h: float) -> tuple[float, Vector]:
        mode = self._mode(self._now)
        stages = self._stages(mode, t, z, h)
        points = np.vstack([z[None, :], stages])
        if mode.exits:
            residues = np.array([mode.residues(p) for p in points])
            if residues[1:].min() < -BAND:
                return self._until_exit(mode, t, z, h, points, residues)
        if np.abs(stages[2]).max() > CONTRADICTION:
            raise _Contradiction(t)
        t, z = t + h, stages[2]
        if abs(t - self._break()) < 1e-12:
            self._next_break += 1
            now = [_scheduled(e.schedule, t) for e in self._system.elements]
            self._now = tuple(m if n is None else n for m, n in zip(self._now, now, strict=True))
            return self._at_instant(t, z)
        return t, z

    def _until_exit(self, mode: _Mode, t: float, z: Vector, h: float, points: Vector,
                    residues: Vector) -> tuple[float, Vector]:  # fmt: skip
        fraction, which = 1.0, 0
        for k in np.flatnonzero(residues[1:].min(axis=0) < -BAND):
            raw = points @ mode.rows[k] + mode.constants[k]
            found = _first_fall(raw, residues[:, k])
            if found < fraction:
                fraction, which = found, int(k)
        if fraction > 0:
            low, high = 0.0, 1.0
            for _ in range(8):
                end = self._stages(mode, t, z, fraction * h)[2]
                value = float(mode.rows[which] @ end + mode.constants[which])
                if abs(value) <= 0.3 * BAND:
                    break
                low, high = (fraction, high) if value > 0 else (low, fraction)
                ahead = self._stages(mode, t, z, min(fraction * 1.0001, 1.0) * h)[2]
                slope = (float(mode.rows[which] @ ahead + mode.constants[which]) - value) / (fraction * 1e-4)
                better = fraction - value / slope if slope < 0 else 0.5 * (low + high)
                fraction = better if low < better < high else 0.5 * (low + high)
            z = self._stages(mode, t, z, fraction * h)[2]
            t += fraction * h
        self._events.append(t)
        if len(self._events) > _MOST_EVENTS:
            raise Unsure(f"more than {_MOST_EVENTS} events")
        if mode.bounces[which]:
            before = self._now
            z = self._impacts(z, mode.exits[which][0])
            if self._now == before:  # hops may be shorter than an instant
                return t, z
        return self._at_instant(t, z)

    # ---------------------------------------------------------------- events

    def _impacts(self, z: Vector, first: int) -> Vector:
        """One impact after the other, until nothing approaches anything that it touches."""
        now = list(self._now)
        pending = [first]
        for _ in range(1000):
            for k in pending:
                impact = self._system.elements[k].impact
                assert impact is not None
                speed = float(impact.speed @ z)
                bounces = -speed * impact.restitution > self._slow
                back = -impact.restitution * speed if bounces else 0.0
                z = z + impact.jump * ((back - speed) / float(impact.speed @ impact.jump))
                now[k] = 0 if bounces else 1
            pending = []
            for k, element in enumerate(self._system.elements):
                if element.impact is None:
                    continue
                gap = float(element.laws[0].exits[0].row @ z + element.laws[0].exits[0].constant)
                speed = float(element.impact.speed @ z)
                if now[k] == 1 and speed > self._slow:
                    now[k] = 0
                elif speed < -self._slow and (now[k] == 1 or gap < 1e-7):
                    pending.append(k)
            if len(pending) > 1:
                raise Unsure("several impacts at one instant")
            if not pending:
                self._now = tuple(now)
                return z
        raise Unsure("impacts without end at one instant")

    def _at_instant(self, t: float, z: Vector) -> tuple[float, Vector]:
        length = min(self._instant, self._break() - t)
        for attempt in range(2):
            self._now, after = self._complementary(t, z, length)
            mode = self._mode(self._now)
            stages = self._stages(mode, t, z, length)
            good = not mode.exits or min(mode.residues(s).min() for s in stages[1:]) > -1e-7
            t, z = t + length, stages[2] if good else after
            if np.abs(z).max() < CONTRADICTION:
                break
            if attempt == 1:
                raise _Contradiction(t)
            length = min(self._instant, self._break() - t)
        if abs(t - self._break()) < 1e-12:
            self._next_break += 1
            now = [_scheduled(e.schedule, t) for e in self._system.elements]
            self._now = tuple(m if n is None else n for m, n in zip(self._now, now, strict=True))
            return self._at_instant(t, z)
        return t, z

    def _complementary(self, t: float, z: Vector, length: float) -> tuple[tuple[int, ...], Vector]:
        source = self._system.source(min(t + length, self._break() - 1e-12))
        right = self._system.mass @ z / length + source
        modes = self._now
        for _ in range(500):
            mode, after = self._short_step(modes, right, length)
            wrong = self._violated(mode, after)
            if not wrong:
                return modes, after
            element, way_out = mode.exits[wrong[0]]
            modes = (*modes[:element], way_out.to, *modes[element + 1 :])
        free = [range(len(e.laws)) if not e.schedule else (m,)
                for e, m in zip(self._system.elements, self._now, strict=True)]  # fmt: skip
        for modes in product(*free):
            mode, after = self._short_step(modes, right, length)
            if not self._violated(mode, after):
                return modes, after
        raise Unsure(f"no modes are complementary at {t:g}")

    def _violated(self, mode: _Mode, z: Vector) -> list[int]:
        """Exits that are violated after a short step. Where something bounces that is an impact, which has to
        be located, unless it is at rest already."""
        residues = mode.residues(z)
        fast = mode.bounces & (mode.speeds @ z < -self._slow)
        return [int(k) for k in np.flatnonzero((residues < -BAND) & ~fast)]

    def _short_step(self, modes: tuple[int, ...], right: Vector, length: float) -> tuple[_Mode, Vector]:
        mode = self._mode(modes)
        key = float(f"{length:.12g}")
        inverse = mode.instants.get(key)
        if inverse is None:
            inverse = _inverse(self._system.mass / length + mode.matrix)
            mode.instants[key] = inverse
        after: Vector = inverse @ (right + mode.value)
        return mode, after


def _inverse(matrix: Vector) -> Vector:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


class _Contradiction(Exception):
    def __init__(self, time: float) -> None:
        self.time = time


def _scheduled(schedule: tuple[tuple[float, int], ...], t: float) -> int | None:
    found = [mode for time, mode in schedule if time <= t + 1e-12]
    return found[-1] if found else None


def _first_fall(raw: Vector, counted: Vector) -> float:
    """Where the cubic through four values falls below zero, as part of the step. `counted` says which of the
    values count as fallen."""
    nodes = np.array([0.0, *_NODES])
    curve = np.polynomial.polynomial.Polynomial.fit(nodes, raw, 3, domain=[0.0, 1.0], window=[0.0, 1.0])
    end = float(nodes[1:][counted[1:] < -BAND][0])
    fine = np.linspace(0.0, end, 33)
    heights = curve(fine)
    above = np.flatnonzero(heights[:-1] > 0)
    if not len(above):
        return 0.0
    low, high = float(fine[above[-1]]), float(fine[above[-1] + 1])
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if curve(middle) > 0 else (low, middle)
    return high
