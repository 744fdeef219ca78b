"""A run that comes to a surface and stays there: sliding where it chatters, resting after a Zeno sequence.

Motion on a surface is a program of its own (`saltus.analyse.sliding`), so a run that begins to slide changes
engines, as it does when it chooses other states. This module decides when:

    begin    a relation changes very fast (`chatter`) and, at the present position, the residue moves one way
             with the truths of one side and back with those of the other; or events accumulate (`zeno`)
    leave    the weight of a side is no longer between 0 and 1, or the reaction would have to pull
    events   of others, meanwhile: in the engine of the surface, if nothing there can move the model off it.
             Where states may be reinitialised, or the surface itself may jump, the event is left to the
             engine without surfaces, and the run returns to the surface if it is still on it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import ModelError, RunError, model_error
from saltus.expr.nodes import leaf_symbol, leaves
from saltus.ir.structure import OnSurface, Structure, Surface
from saltus.result import records
from saltus.result.recording import Recording
from saltus.result.records import EventRecord, Records
from saltus.run import chatter, zeno
from saltus.run.chatter import Crossing, FlipTimes
from saltus.run.choices import Choices
from saltus.run.engine import Engine
from saltus.run.memory import TIME_SLOT
from saltus.run.settings import Settings
from saltus.run.zeno import Accumulation, accumulation, shrinks

#: The zero band of a residue, in units of its nominal value (as `saltus.emit.events` has it).
BAND = 1e-10

#: The step, as a part of the run, along which it is looked which way residues move.
PROBE = 1e-8

#: So many events pass between two looks at them: few where intervals shrink, since a ball has but some
#: fifteen impacts before they can no longer be told apart.
LEAST_PATIENCE, MOST_PATIENCE = 2, 64

#: A weight this close to 0 or 1 is no reason to begin: the surface would be left at once.
MARGIN = 1e-9

#: A relation that nothing can be done about is told after so many bands of way between its changes.
TIGHT_BANDS = 1e3

#: On a surface states follow from others. One that would have to change by more than this, relative to its
#: size or 1, is not there.
SAME_PLACE = 1e-6

#: At an accumulation point states are foretold from events that are known to some tolerances.
SLACK = 1e3


class _Held(NamedTuple):
    """What a program on a surface has to be told: the side whose truths it keeps, where the multiplier
    begins, and how states are pushed."""

    side: int
    multiplier: float
    directions: Mapping[str, float] = {}


class Host(Protocol):
    """What the run gives this module to work with."""

    engine: Engine
    now: float
    settings: Settings
    recording: Recording
    records: Records

    def change_to(self, engine: Engine) -> None:
        """Another engine, which has taken over all values, goes on from here."""

    def restart(self) -> None:
        """The integrator begins anew with the values of the engine."""

    def event(self, kind: str, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> None:
        """One event from left limits that are computed already."""

    def pass_points(self, until: float) -> None:
        """Output points up to a time are done with."""

    def next_time_event(self) -> float:
        """When something happens whatever the states do."""


class Surfaces:
    """The surfaces of one run."""

    def __init__(self, run: Host, choices: Choices) -> None:
        self._run = run
        self._choices = choices
        settings = run.settings
        self._span = settings.stop_time - settings.start_time
        self._flips = FlipTimes(self._span)
        self._series: dict[tuple[int, bool], deque[Crossing]] = {}
        self._refused: dict[int, ModelError] = {}
        self._held: dict[OnSurface, _Held] = {}
        self._seen = 0
        #: So many events may pass before the next look.
        self.patience = 2 * LEAST_PATIENCE
        #: How often the run began to slide, and to rest.
        self.slid = self.rested = 0

    def statistics(self) -> dict[str, int]:
        """What there is to count."""
        return {name: n for name, n in (("sliding", self.slid), ("resting", self.rested)) if n}

    # ------------------------------------------------------------ looking at events

    def look(self) -> bool:
        """After events: begins to slide or to rest where it is time to. True if the run goes on elsewhere."""
        fired = self._take_notes()
        shorter = [k for k in fired if self._shrinks(k)]
        self.patience = LEAST_PATIENCE if shorter else min(2 * self.patience, MOST_PATIENCE)
        if not fired or not self._choices.can_slide:
            return False
        fast = self._flips.fast(fired)
        if any(self._slides(k) for k in fast) or (len(fast) > 1 and self._slides_together(fast)):
            return True
        return any(self._accumulates(k, at_once=self._is_spurious(k)) for k in shorter)

    @property
    def is_due(self) -> bool:
        """Whether it is time to look: there have been more events than there is patience."""
        return len(self._run.records) >= self._seen + self.patience

    def _shrinks(self, index: int) -> bool:
        """Whether the intervals between events of a relation become shorter."""
        for truth in (True, False):
            series = self._series.get((index, truth))
            if series is not None and len(series) >= 4:
                latest = [series[k].time for k in (-4, -3, -2, -1)]
                if shrinks(series[1].time - series[0].time, latest):
                    return True
        return False

    def unresolved(self, index: int) -> bool:
        """Events of a relation can no longer be told apart. True if the run goes on after them."""
        self._take_notes()
        return self._choices.can_slide and self._accumulates(index, at_once=True)

    def _take_notes(self) -> list[int]:
        """Reads the records that are new; the relations in them."""
        fired: dict[int, None] = {}
        for record in self._run.records[self._seen :]:
            for crossing in crossings(record):
                fired[crossing.relation] = None
                self._flips.add(crossing)
                key = crossing.relation, crossing.truth
                self._series.setdefault(key, deque(maxlen=zeno.MOST + 1)).append(crossing)
        self._seen = len(self._run.records)
        own = len(self._run.engine.structure.relations)
        return [k for k in fired if k < own]

    # ------------------------------------------------------------ sliding

    def _slides(self, index: int) -> bool:
        """Whether the run is on the surface of this relation, or begins to slide along it now."""
        engine = self._run.engine
        surface = engine.structure.model.surface(index)
        if not surface or any(on.relation in surface for on in engine.on):
            return False
        engine.relations()
        band = engine.memory.cells[engine.bands + index]
        if abs(engine.memory.cells[engine.residues + index]) > TIGHT_BANDS * band:
            return False
        rates = engine.drifts(surface, PROBE * self._span)
        if rates is None or not rates[0] < 0.0 < rates[1]:
            return False
        weight = rates[1] / (rates[1] - rates[0])
        if not MARGIN < weight < 1.0 - MARGIN:
            return False
        if index not in self._refused:
            try:
                return self._begin({OnSurface(min(surface)): _Held(engine.side_of(surface), weight)})
            except ModelError as reason:
                self._refused[index] = reason
        interval = self._flips.interval(index)
        if interval * min(-rates[0], rates[1]) <= TIGHT_BANDS * band and not self._shrinks(index):
            relation = engine.structure.relations[index]
            raise chatter.chattering(relation, self._run.now, interval, self._refused[index])
        return False

    def _slides_together(self, relations: Iterable[int]) -> bool:
        """Begins to slide along several surfaces at once, none of which draws the run to itself while the
        others are as they are; together they have drawn it there."""
        engine = self._run.engine
        on = {index for one in engine.on for index in engine.structure.model.surface(one.relation)}
        surfaces = {
            min(surface): surface
            for index in relations
            if index not in on and (surface := engine.structure.model.surface(index))
        }
        if len(surfaces) < 2:
            return False
        try:
            return self._begin({OnSurface(k): _Held(engine.side_of(s), 0.5) for k, s in surfaces.items()})
        except ModelError:
            return False

    def _begin(self, wanted: Mapping[OnSurface, _Held], slack: float = 0.0) -> bool:
        """Goes on along surfaces. False if they would be left at once. `slack`: how far from them the run may
        be."""
        run, before = self._run, self._run.engine
        self._held.update(wanted)
        engine = self._engine_on(before.on.union(wanted), slack)
        if engine is None:
            return False
        left = len(run.recording) - 1
        run.change_to(engine)
        run.restart()
        right = len(run.recording) - 1
        for one in wanted:
            kind = records.RESTS if one.resting else records.SLIDES
            run.records.append(EventRecord(run.now, kind, (one.relation,), (), left, right, ()))
            if one.resting:
                self.rested += 1
            else:
                self.slid += 1
            self._forget(next(s for s in engine.structure.surfaces if s.leader == one.relation))
        self._seen = len(run.records)
        return True

    def _engine_on(self, on: frozenset[OnSurface], slack: float = 0.0) -> Engine | None:
        """The engine that keeps the model on these surfaces, with the present values; None if it is not on
        them: weights are out of their bounds, a reaction pulls, or states would have to jump."""
        before = self._run.engine
        engine = self._choices.on(before, on)
        for surface in engine.structure.surfaces:
            held = self._held[OnSurface(surface.leader, surface.resting)]
            engine.memory.store(surface.side, float(held.side))
            engine.memory.store(surface.multiplier, held.multiplier)
            for state, direction in surface.directions.items():
                engine.memory.store(direction, held.directions.get(state.name, 0.0))
        try:
            engine.take_over(before)
        except RunError:
            return None
        if engine.guards:
            engine.set_floors()
        stays = all(_inside(engine, s) for s in engine.structure.surfaces)
        return engine if stays and _same_place(before, engine, slack) else None

    def _forget(self, surface: Surface) -> None:
        for index in surface.relations:
            self._flips.forget(index)
            for truth in (False, True):
                self._series.pop((index, truth), None)

    # ------------------------------------------------------------ leaving

    def leave(self, fired: Iterable[tuple[int, float]] = ()) -> None:
        """Leaves the surfaces whose exits no longer hold. `fired`: relations of the model that change at the
        same instant. The memory has the values of the instant, all computed."""
        run, before = self._run, self._run.engine
        left_behind = [s for s in before.structure.surfaces if not _stays(before, s)]
        stays = before.on - {OnSurface(s.leader, s.resting) for s in left_behind}
        sides = [(s, self._side_after(before, s)) for s in left_behind]
        left = self._row()
        engine = self._choices.on(before, stays)
        engine.take_over(before)
        if engine.guards:
            engine.set_floors()
        changes = [f for f in fired if f[0] < len(engine.structure.relations)]
        cells = engine.memory.cells
        for surface, side in sides:
            for index, sign in surface.relations.items():
                cells[engine.signs + index] = 0.0
                cells[engine.zero_since + index] = run.now
                if cells[engine.truth + index] != engine.truth_on(index, side * sign):
                    changes.append((index, float(side * sign)))
        run.change_to(engine)
        right = len(run.recording) - 1
        leaders = tuple(s.leader for s in left_behind)
        run.records.append(EventRecord(run.now, records.LEAVES, leaders, (), left, right, ()))
        if changes:
            run.event(records.STATE, changes, ())
        run.restart()
        self._take_notes()
        for surface in left_behind:
            self._forget(surface)

    def _side_after(self, engine: Engine, surface: Surface) -> int:
        """The side to which a surface is left."""
        if surface.resting:  # the free side, away from which the reaction would pull
            return -engine.side_of(surface.relations)
        return -1 if _multiplier(engine, surface) < 0.5 else 1

    def _row(self) -> int:
        """The number of a row with the values of this instant."""
        run = self._run
        rows = run.engine.rows
        if not rows.count or rows.times[-1] != run.now:
            rows.append(run.now)
        return len(run.recording) - 1

    # ------------------------------------------------------------ other events on a surface

    def event(self, kind: str, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> None:
        """An event while the run is on surfaces, from left limits that are computed already."""
        run, engine = self._run, self._run.engine
        if not self._choices.has_jumps and is_closed(engine.structure):
            run.event(kind, fired, due)
        else:
            free = self._choices.on(engine, frozenset())
            free.take_over(engine)
            for surface in engine.structure.surfaces:
                for index in surface.relations:  # they move; nothing has rested there for long
                    free.memory.cells[free.signs + index] = 0.0
                    free.memory.cells[free.zero_since + index] = run.now
            run.change_to(free)
            run.event(kind, fired, due)
            if run.engine is free:
                self._return_to(engine.on)
        if any(not _stays(run.engine, s) for s in run.engine.structure.surfaces):
            self.leave()

    def _return_to(self, on: frozenset[OnSurface]) -> None:
        """After an event without surfaces: back to them, as far as the run is still on them."""
        run = self._run
        engine = self._engine_on(on)
        if engine is None:
            kept = frozenset(one for one in on if self._engine_on(frozenset({one})) is not None)
            engine = self._engine_on(kept) if kept else None
        if engine is not None:
            run.change_to(engine)
        now = run.engine
        lost = sorted((one for one in on if one not in now.on), key=lambda one: one.relation)
        if lost:
            row = len(run.recording) - 1
            leaders = tuple(one.relation for one in lost)
            run.records.append(EventRecord(run.now, records.LEAVES, leaders, (), row, row, ()))
        changes: list[tuple[int, float]] = []
        for one in lost:
            surface, contact = now.structure.model.surface(one.relation), self._held[one].side
            if one.resting and now.side_of(surface) == contact:
                changes += [(index, float(-contact * sign)) for index, sign in surface.items()]
        if changes:
            run.event(records.STATE, changes, ())
        run.restart()

    # ------------------------------------------------------------ accumulation points

    def _accumulates(self, index: int, *, at_once: bool = False) -> bool:
        """Whether events of a relation accumulate so near that the run goes on after them, or ends.
        `at_once`: they can no longer be told apart."""
        run, engine = self._run, self._run.engine
        for truth in (True, False):
            series = list(self._series.get((index, truth), ()))
            other = self._series.get((index, not truth))
            if not series or (other and self._jumps(other[-1]) and not self._jumps(series[-1])):
                continue  # the events that count are those in the other direction
            found, last = self._end(series, at_once=at_once)
            if found is None:
                continue
            if found.time >= min(run.settings.stop_time, run.next_time_event()):
                return False
            series, latest = series[: last + 1], series[-1]
            self._arrive(found, series, latest)
            jumps = self._jumps(series[-1])
            if not jumps and self._slides_together(self._since(series[-2].time)):
                return True
            relation = engine.structure.relations[index]
            if run.settings.zeno == "stop":
                raise zeno.stopped(relation, found)
            try:
                self._rest(index, truth, jumps)
            except ModelError as reason:
                raise zeno.restless(relation, found, reason) from None
            return True
        return False

    def _end(self, series: Sequence[Crossing], *, at_once: bool) -> tuple[Accumulation | None, int]:
        """The end of a series, and the event that it is foretold from: the first that is near it."""
        times = [c.time for c in series]
        if at_once:
            for last in range(len(times) - 1, 1, -1):
                found = accumulation(times[: last + 1], min(zeno.FEWEST, last))
                if found is not None:
                    return found, last
            return None, 0
        now, relation = self._run.engine, series[-1].relation
        band = now.memory.cells[now.bands + relation]
        every = self._run.settings.zeno == "continue"
        bands, tolerances = zeno.RESOLVED if every else zeno.NEAR
        little = max(bands, tolerances * self._run.settings.tolerance / BAND) * band
        for last in range(zeno.FEWEST, len(times)):
            found = accumulation(times[: last + 1])
            if found is None:
                continue
            shrunk = found.interval <= zeno.SHRUNK * (times[1] - times[0])
            invisible = self._span * (zeno.SHRUNK_SPAN if shrunk else zeno.NEAR_SPAN)
            unseen = found.remaining <= invisible and not every
            if unseen or found.way(self._rate(series[last])) <= little:
                return found, last
        return None, 0

    def _rate(self, crossing: Crossing) -> float:
        """How fast the residue of a relation set out after an event."""
        rates = self._rates_of(crossing.relation, crossing.time, crossing.right)
        return max(map(abs, rates)) if rates is not None else math.inf

    def _rates_of(self, index: int, time: float, row: int) -> tuple[float, float] | None:
        """How fast the residue of a relation moved where a row was recorded, with the truths of its positive
        and of its negative side."""
        engine = self._run.engine
        before = engine.memory.array.copy()
        states = self._values(row)
        engine.memory.cells[TIME_SLOT] = time
        for k, v in enumerate(engine.structure.states):
            engine.states[k] = states[v.name]
        rates = engine.drifts(engine.structure.model.surface(index), PROBE * self._span)
        engine.memory.array[:] = before
        return rates

    def _jumps(self, crossing: Crossing, of: str = "{}") -> dict[str, float]:
        """The states that an event made jump, and how far; or of which the derivative jumped."""
        left, right = self._values(crossing.left), self._values(crossing.right)
        found: dict[str, float] = {}
        for v in self._run.engine.structure.states:
            name = of.format(v.name)
            if left[name] != right[name]:
                found[v.name] = right[name] - left[name]
        return found

    def _values(self, row: int) -> dict[str, float]:
        """Everything that was recorded in a row, by name."""
        part, at = self._run.recording.locate(row)
        values = part.rows.values[at]
        return {name: float(values[column]) for name, column in part.columns.items()}

    def _arrive(self, found: Accumulation, series: Sequence[Crossing], latest: Crossing) -> None:
        """Puts the memory to the accumulation point, which was foretold from the last event of `series`; the
        `latest` one is after it."""
        run, engine = self._run, self._run.engine
        now = max(found.time, run.now)
        states = self._foretold(now, series, latest)
        run.now = now
        engine.memory.cells[TIME_SLOT] = now
        if states.size:
            engine.states[:] = states
        engine.compute()
        engine.relations()
        engine.rows.append(now)
        run.pass_points(now)
        row = len(run.recording) - 1
        run.records.append(EventRecord(now, records.ZENO, (latest.relation,), (), row, row, ()))
        self._seen = len(run.records)

    def _foretold(self, time: float, series: Sequence[Crossing], latest: Crossing) -> NDArray[np.float64]:
        """The states at an accumulation point. Those that the events make jump, or whose derivatives jump,
        change from event to event in proportion to the intervals; the others go on as they do, by Taylor's
        formula with two terms."""
        engine = self._run.engine
        names = [v.name for v in engine.structure.states]
        jumping = self._jumps(latest).keys() | self._jumps(latest, "der({})").keys()
        last, one_before = self._values(series[-1].right), self._values(series[-2].right)
        factor = (time - series[-1].time) / (series[-1].time - series[-2].time)
        at_latest = self._values(latest.right)
        found = np.array([at_latest[name] for name in names])
        rates, changes = self._rates(latest.time, found)
        found += (time - latest.time) * (rates + 0.5 * (time - latest.time) * changes)
        for k, name in enumerate(names):
            if name in jumping:
                found[k] = last[name] + factor * (last[name] - one_before[name])
        return found

    def _rates(
        self, time: float, states: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The derivatives of the states at a position, and how fast they change."""
        engine, step = self._run.engine, PROBE * self._span
        before = engine.memory.array.copy()
        taken: list[NDArray[np.float64]] = []
        for ahead in (0.0, step):
            engine.memory.cells[TIME_SLOT] = time + ahead
            engine.states[:] = states + ahead * taken[0] if taken else states
            engine.compute()
            taken.append(engine.derivatives.copy())
        engine.memory.array[:] = before
        return taken[0], (taken[1] - taken[0]) / step

    def _since(self, time: float) -> list[int]:
        """The relations that have changed after a time."""
        return sorted({k for (k, _), series in self._series.items() if series and series[-1].time > time})

    def _is_spurious(self, index: int) -> bool:
        """Whether the latest change of a relation contradicts the way its residue went before it: the events
        are lost in the tolerance of the integration."""
        known = [s[-1] for truth in (True, False) if (s := self._series.get((index, truth)))]
        latest = max(known, key=lambda c: c.time)
        engine = self._run.engine
        surface = engine.structure.model.surface(index)
        rates = self._rates_of(latest.relation, latest.time, latest.left)
        if rates is None:
            return False
        towards = 1 if float(latest.truth) == engine.truth_on(index, surface[index]) else -1
        before = rates[1] if towards > 0 else rates[0]  # with the truths of the side that it came from
        return before * towards < 0.0

    def _rest(self, index: int, truth: bool, jumps: Mapping[str, float]) -> None:
        """States that are reinitialised are held by a reaction from here on."""
        engine = self._run.engine
        surface = engine.structure.model.surface(index)
        leader = min(surface)
        contact = 1 if float(truth) == engine.truth_on(index, surface[index]) else -1
        largest = max(map(abs, jumps.values()), default=0.0)
        directions = {name: jump / largest for name, jump in jumps.items()}
        slack = max(2.0 * largest, SLACK * self._run.settings.tolerance)
        if not self._begin({OnSurface(leader, resting=True): _Held(contact, 0.0, directions)}, slack):
            relation = engine.structure.relations[index]
            raise model_error("E302", f"no reaction holds the states where `{relation.text}` changes")
        now = self._run.engine
        changed = [
            (k, float(contact * sign))
            for k, sign in surface.items()
            if now.memory.cells[now.truth + k] != now.truth_on(k, contact * sign)
        ]
        if changed:
            self._run.event(records.STATE, changed, ())
            self._take_notes()


def crossings(record: EventRecord) -> list[Crossing]:
    """What became of the relations that fired at an event."""
    if record.kind in records.BOOKKEEPING:
        return []
    found = []
    for k in record.fired:
        truths = [
            (old, new)
            for rows in record.rounds
            for what, index, old, new in rows.tolist()
            if what == records.TRUTH and index == k
        ]
        if truths and truths[0][0] != truths[-1][1]:
            found.append(Crossing(record.time, k, bool(truths[-1][1]), record.left, record.right))
    return found


def is_closed(structure: Structure) -> bool:
    """Whether no surface moves at an event: nothing that changes at events only takes part in one."""
    model = structure.model
    jumping = {v.symbol for v in model.discretes} | {r.symbol for r in model.relations}
    return not any(
        leaf_symbol(leaf) in jumping
        for d in (structure.reduction.differentiated if structure.reduction else ())
        for side in (d.equation.lhs, d.equation.rhs)
        for leaf in leaves(side)
    )


def _multiplier(engine: Engine, surface: Surface) -> float:
    slot = engine.memory.slot(surface.multiplier)
    assert slot is not None
    return float(engine.memory.array[slot])


def _inside(engine: Engine, surface: Surface) -> bool:
    """Whether the multiplier is what it must be on the surface."""
    value = _multiplier(engine, surface)
    return math.isfinite(value) and value >= 0.0 and (surface.resting or value <= 1.0)


def _stays(engine: Engine, surface: Surface) -> bool:
    """Whether the exits of a surface still hold."""
    return all(engine.memory.cells[engine.truth + k] for k in surface.exits)


def _same_place(before: Engine, engine: Engine, slack: float) -> bool:
    """Whether the states of one engine have the same values in the other."""
    old, new = before.values(), engine.values()
    names = [v.name for v in before.structure.states]
    return all(abs(new[n] - old[n]) <= max(slack, SAME_PLACE * max(1.0, abs(old[n]))) for n in names)
