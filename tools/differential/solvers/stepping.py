"""Solves a piecewise linear system from event to event.

Between events: Radau steps of fixed length, many at once. Exits are looked at in all stages and located on
the collocation polynomial, then by further steps. At an event: one short step of the implicit Euler method is
a complementarity problem in the modes, solved by principal pivoting with least index (Murty 1974), and by
enumeration where that goes round in a circle; what was inconsistent jumps within it as conservation laws
demand. That the result is right is known from another one, with other steps and with start values and sources
that are slightly different.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from zlib import crc32

import numpy as np
from tools.differential.solvers.piecewise_linear import System, Vector
from tools.differential.solvers.radau import CUBIC, NODES, Flow, cubic, on_cubic

#: An exit may be below zero by this.
BAND = 1e-9

#: Larger numbers are those of a contradiction: the current of a source that is shorted by a leak of 1e-8. It
#: has begun where they have become larger than the second: a source may reach it with hardly any speed.
CONTRADICTION, SUSPICIOUS = 1e7, 1e4

#: A hop that sets out more slowly than this, and is pressed back so hard that it is over in less than `SHORT`
#: times this, ends in contact: the rest of infinitely many impacts. What nothing presses together parts,
#: however slowly.
SLOW = 1e-3
SHORT = 1.0

_MOST_EVENTS = 3000

#: After an event come this many steps of an eighth, since what is fast moves there; then as many of full
#: length, then many.
_FEW, _MANY = 8, 64


class Unsure(Exception):
    """Here is no truth: the reason."""


@dataclass
class Solution:
    """Values at the times that were asked for. `ended` is the time of a contradiction: NaN from there on, and
    so from `until`, for the reason `unsure`.
    `course` stands for the sequence of modes: two solutions with other modes have another number."""

    values: Vector
    events: list[float]
    ended: float | None = None
    jump_at_start: float = 0.0
    course: int = 0
    until: float | None = None
    unsure: str = ""


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
        self._bounces = bool(self.bounces.any())
        self.flow = Flow(system.mass, self.matrix)
        self.instants: dict[float, Vector] = {}

    def residues(self, z: Vector) -> Vector:
        """How far each exit is from zero, with those that bounce above zero while they move away. z may be
        many, the last axis is that of the unknowns."""
        found: Vector = z @ self.rows.T + self.constants
        if self._bounces:
            away = self.bounces & (z @ self.speeds.T >= 0)
            found = np.where(away, np.maximum(found, 0.0), found)
        return found


class Solver:
    """One solution. `step` is the longest step, `instant` the length of the short one at an event."""

    def __init__(self, system: System, step: float, instant: float, slow: float = SLOW) -> None:
        self._system, self._step, self._instant, self._slow = system, step, instant, slow
        self._modes: dict[tuple[int, ...], _Mode] = {}
        self._now = tuple(_scheduled(e.schedule, 0.0) or 0 for e in system.elements)
        self._breaks = [t for t in sorted({*system.breaks}) if t > 0]
        self._next_break = 0
        self._events: list[float] = []
        self._steps_since = 0
        self._large_since: float | None = None

    def solve(self, times: Vector) -> Solution:
        """The values at `times`, which are increasing."""
        system = self._system
        self._asked, self._due = times, 0
        self._values = np.full((len(times), len(system.start)), np.nan)
        dynamic = np.abs(system.mass).sum(axis=0) > 0
        solution = Solution(self._values, self._events)
        stop = float(times[-1])
        t, z = self._at_instant(0.0, system.start)
        solution.jump_at_start = float(np.abs((z - system.start)[dynamic]).max(initial=0.0))
        try:
            while t < stop - 1e-12:
                self._fill(t, z)
                t, z = self._advance(t, z, min(stop, self._break()))
                solution.course = crc32(repr(self._now).encode(), solution.course)
            self._fill(t, z)
        except _Contradiction as found:
            solution.ended = found.time if self._large_since is None else self._large_since
        except Unsure as reason:
            solution.until, solution.unsure = t, str(reason)
            self._values[self._due :] = np.nan
        return solution

    def _fill(self, t: float, z: Vector) -> None:
        """The values of times that have just been passed: those in the short step of an event."""
        while self._due < len(self._asked) and self._asked[self._due] <= t + 1e-12:
            self._values[self._due] = z
            self._due += 1

    def _break(self) -> float:
        return self._breaks[self._next_break] if self._next_break < len(self._breaks) else np.inf

    def _mode(self, modes: tuple[int, ...]) -> _Mode:
        if modes not in self._modes:
            self._modes[modes] = _Mode(self._system, modes)
        return self._modes[modes]

    # ---------------------------------------------------------------- between events

    def _forces(self, mode: _Mode, t: Vector, h: float) -> Vector:
        """At the nodes of steps that begin at the times t."""
        nodes = np.minimum(t[:, None] + h * NODES, self._break() - 1e-12)
        forces: Vector = self._system.sources(nodes.ravel()).reshape(len(t), 3, -1) + mode.value
        return forces

    def _stages(self, mode: _Mode, t: float, z: Vector, h: float) -> Vector:
        return mode.flow.stages(z, self._forces(mode, np.array([t]), h)[0], h)

    def _plan(self, length: float) -> tuple[float, int]:
        """The next steps, none longer than what is left: how long, and how many."""
        for h, count, until in (
            (self._step / 8, _FEW, _FEW),
            (self._step, _FEW, 2 * _FEW),
            (self._step, _MANY, None),
        ):
            if until is None or self._steps_since < until:
                fitting = min(count, int(length / h + 1e-9))
                if fitting:
                    return h, fitting
                if length > self._step / 8:
                    return self._step / 8, int(length / self._step * 8 + 1e-9)
        return length, 1

    def _advance(self, t: float, z: Vector, until: float) -> tuple[float, Vector]:
        """Several steps, or those up to the next event and the event itself."""
        mode = self._mode(self._now)
        h, count = self._plan(until - t)
        starts: Vector = t + h * np.arange(count, dtype=np.float64)
        if count == 1 and h < self._step / 8:
            points = np.concatenate([z[None, :], self._stages(mode, t, z, h)])[None]
        else:
            points = mode.flow.steps(z, self._forces(mode, starts, h), h)
        with np.errstate(invalid="ignore", over="ignore"):
            largest = np.abs(points[:, 3]).max(axis=1)
        large = ~(largest <= CONTRADICTION)
        good = count if not large.any() else int(np.argmax(large))
        self._note_large(starts[:good], largest[:good])
        if mode.exits:
            residues = mode.residues(points[:good])
            dips = _dips(points[:good] @ mode.rows.T + mode.constants)
            fallen = (residues[:, 1:].min(axis=(1, 2)) < -BAND) | (dips < 1.0).any(axis=1)
            if fallen.any():
                k = int(np.argmax(fallen))
                self._fill_between(starts[: k + 1], h, points[:k])
                self._steps_since = 0
                return self._until_exit(mode, float(starts[k]), h, points[k], residues[k], dips[k])
        self._fill_between(starts, h, points[:good])
        if good < count:
            raise _Contradiction(float(starts[good]))
        self._steps_since += count
        t, z = t + count * h, points[-1, 3]
        return self._at_break(until, z) if abs(t - until) < 1e-12 else (t, z)

    def _note_large(self, starts: Vector, largest: Vector) -> None:
        """Since when numbers are suspicious, if they are so at the end of these steps."""
        usual = np.flatnonzero(largest <= SUSPICIOUS)
        if len(usual):
            self._large_since = None
            starts = starts[usual[-1] + 1 :]
        if self._large_since is None and len(starts):
            self._large_since = float(starts[0])

    def _fill_between(self, starts: Vector, h: float, points: Vector) -> None:
        """The values of times in steps that are good."""
        if not len(points):
            return
        end = float(starts[len(points) - 1]) + h
        due = self._due
        last = int(np.searchsorted(self._asked, end + 1e-12, side="right"))
        if last > due:
            asked = self._asked[due:last]
            which = np.clip(np.searchsorted(starts[: len(points)], asked, side="right") - 1, 0, None)
            self._values[due:last] = on_cubic(points[which], (asked - starts[which]) / h)
            self._due = last

    def _at_break(self, t: float, z: Vector) -> tuple[float, Vector]:
        """What is switched from outside at this time is switched."""
        if t != self._break():
            return t, z
        self._fill(t, z)
        self._next_break += 1
        self._steps_since = 0
        now = [_scheduled(e.schedule, t) for e in self._system.elements]
        self._now = tuple(m if n is None else n for m, n in zip(self._now, now, strict=True))
        return self._at_instant(t, z)

    def _until_exit(self, mode: _Mode, t: float, h: float, points: Vector, residues: Vector,
                    dips: Vector) -> tuple[float, Vector]:  # fmt: skip
        fraction, which = 1.0, 0
        slopes = np.arange(1.0, 4.0)
        for k in np.flatnonzero((residues[1:].min(axis=0) < -BAND) | (dips < 1.0)):
            raw = points @ mode.rows[k] + mode.constants[k]
            found = _first_fall(raw, residues[:, k], float(dips[k]))
            if found < fraction:
                fraction, which = found, int(k)
        start, z = points[0], points[0]
        if fraction > 0:
            curve = cubic(points @ mode.rows[which] + mode.constants[which])
            low, high = 0.0, 1.0
            for _ in range(8):
                z = self._stages(mode, t, start, fraction * h)[2]
                value = float(mode.rows[which] @ z + mode.constants[which])
                if abs(value) <= 0.3 * BAND:
                    break
                low, high = (fraction, high) if value > 0 else (low, fraction)
                slope = float(np.polynomial.polynomial.polyval(fraction, curve[1:] * slopes))
                better = fraction - value / slope if slope < 0 else 0.5 * (low + high)
                fraction = better if low < better < high else 0.5 * (low + high)
            self._fill_inside(t, t + fraction * h, h, points)
            t += fraction * h
        self._events.append(t)
        if len(self._events) > _MOST_EVENTS:
            raise Unsure(f"more than {_MOST_EVENTS} events")
        if mode.bounces[which]:
            before = self._now
            z = self._impacts(t, z, mode.exits[which][0])
            if self._now == before:  # hops may be shorter than an instant
                return t, z
        return self._at_instant(t, z)

    def _fill_inside(self, begin: float, end: float, h: float, points: Vector) -> None:
        """The values of times in the first part of a step, which ends with an event."""
        due = self._due
        last = int(np.searchsorted(self._asked, end, side="left"))
        if last > due:
            asked = self._asked[due:last]
            self._values[due:last] = on_cubic(points[None].repeat(last - due, axis=0), (asked - begin) / h)
            self._due = last

    # ---------------------------------------------------------------- events

    def _impacts(self, t: float, z: Vector, first: int) -> Vector:
        """One impact after the other, until nothing approaches anything that it touches."""
        now = list(self._now)
        pending = [first]
        for _ in range(1000):
            for k in pending:
                impact = self._system.elements[k].impact
                assert impact is not None
                speed = float(impact.speed @ z)
                back = -impact.restitution * speed
                bounces = back > self._slow or not self._is_short_hop(t, z, now, k, back)
                back = back if bounces else 0.0
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
                elif speed < -self._slow and (now[k] == 1 or gap < BAND):
                    pending.append(k)
            if len(pending) > 1:
                raise Unsure("several impacts at one instant")
            if not pending:
                self._now = tuple(now)
                return z
        raise Unsure("impacts without end at one instant")

    def _is_short_hop(self, t: float, z: Vector, now: list[int], k: int, back: float) -> bool:
        """Whether element k, thrown back with this speed, is pressed into contact again at once."""
        impact, length = self._system.elements[k].impact, self._instant
        assert impact is not None
        z = z + impact.jump * ((back - float(impact.speed @ z)) / float(impact.speed @ impact.jump))
        source = self._system.sources(np.array([min(t + length, self._break() - 1e-12)]))[0]
        free = (*now[:k], 0, *now[k + 1 :])
        _, after = self._short_step(free, self._system.mass @ z / length + source, length)
        pressed = (back - float(impact.speed @ after)) / length
        return 2.0 * back < SHORT * self._slow * pressed

    def _at_instant(self, t: float, z: Vector) -> tuple[float, Vector]:
        length = min(self._instant, self._break() - t)
        for attempt in range(2):
            self._now, after = self._complementary(t, z, length)
            mode = self._mode(self._now)
            stages = self._stages(mode, t, z, length)
            good = not mode.exits or mode.residues(stages[1:]).min() > -1e-7
            t, z = t + length, stages[2] if good else after
            if np.abs(z).max() < CONTRADICTION:
                break
            if attempt == 1:
                raise _Contradiction(t)
            length = min(self._instant, self._break() - t)
        return self._at_break(self._break(), z) if abs(t - self._break()) < 1e-12 else (t, z)

    def _complementary(self, t: float, z: Vector, length: float) -> tuple[tuple[int, ...], Vector]:
        source = self._system.sources(np.array([min(t + length, self._break() - 1e-12)]))[0]
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


def _dips(raw: Vector) -> Vector:
    """Where the cubics through the four values of each step (first axis) and of each exit have a minimum
    below zero, as part of the step; 1 where they have none. Values at the nodes tell nothing of it where
    something touches for a moment only."""
    a, b, c, d = np.tensordot(CUBIC, raw, axes=([1], [1]))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        at = -b / (c + np.sqrt(c * c - 3.0 * b * d))
        least = a + at * (b + at * (c + at * d))
        found = (at > 0.0) & (at < 1.0) & (least < -BAND)
    return np.where(found, at, 1.0)


def _first_fall(raw: Vector, counted: Vector, dip: float) -> float:
    """Where the cubic through four values falls below zero, as part of the step: before the first of the
    values that count as fallen, or a minimum between them."""
    a, b, c, d = cubic(raw).tolist()
    end = min([dip, *NODES[counted[1:] < -BAND].tolist()[:1]])
    fine = np.linspace(0.0, end, 33)
    above = np.flatnonzero(a + fine * (b + fine * (c + fine * d)) > 0)
    above = above[above < 32]
    if not len(above):
        return 0.0
    low, high = float(fine[above[-1]]), float(fine[above[-1] + 1])
    for _ in range(50):
        middle = 0.5 * (low + high)
        if a + middle * (b + middle * (c + middle * d)) > 0:
            low = middle
        else:
            high = middle
    return high
