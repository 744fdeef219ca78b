"""A run that comes to a surface and stays there: sliding where it chatters, resting after a Zeno sequence.

Motion on a surface is a program of its own (`saltus.analyse.modes.sliding`), so a run that begins to slide
changes engines, as it does when it chooses other states. This module decides when:

    begin    a relation changes very fast (`chatter`) and, at the present position, the residue moves one way
             with the truths of one side and back with those of the other; or events accumulate (`zeno`)
    leave    the weight of a side is no longer between 0 and 1, or the reaction would have to pull
    events   of others, meanwhile: in the engine of the surface, if nothing there can move the model off it.
             Where states may be reinitialised, or the surface itself may jump, the event is left to the
             engine without surfaces, and the run returns to the surface if it is still on it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

from saltus.core.diagnostics import ModelError, RunError, model_error
from saltus.expr.nodes import leaf_symbol, leaves
from saltus.ir.hybrid import Relation
from saltus.ir.structure import OnSurface, Structure, Surface
from saltus.result.log import records
from saltus.result.log.records import EventRecord
from saltus.run.engine.engine import Engine
from saltus.run.memory.memory import size_number
from saltus.run.modes.choices import Choices
from saltus.run.schedule.diagnostic_data import diagnostic, plain, sources_of
from saltus.run.surfaces import chatter, zeno
from saltus.run.surfaces.accumulation import Foretelling
from saltus.run.surfaces.contacts import Contacts, changes_to
from saltus.run.surfaces.event_notes import CALM, Crossing, EventWatch
from saltus.run.surfaces.host import PROBE, Host
from saltus.run.surfaces.limits import Due, Held, Limits, Wish
from saltus.run.surfaces.zeno import Accumulation

#: A weight this close to 0 or 1 is no reason to begin: the surface would be left at once.
MARGIN = 1e-9

#: A relation that chatters where no sliding is possible is reported after so many bands of way between its
#: changes.
TIGHT_BANDS = 1e3

#: On a surface states follow from others. One that would have to change by more than this, relative to its
#: size, is not there.
SAME_PLACE = 1e-6


class Surfaces:
    """The surfaces of one run."""

    def __init__(self, run: Host, choices: Choices) -> None:
        self._run = run
        self._choices = choices
        settings = run.settings
        self._span = settings.stop_time - settings.start_time
        #: The notes on events from which it is seen where the run goes.
        self.watch = EventWatch(run.records, self._span)
        self._ahead = Foretelling(run)
        self._limits = Limits(run, self._ahead)
        self._due: Due | None = None
        self._refused: dict[int, ModelError] = {}
        #: Relations that change often, but are not lost in errors, or the run could not slide along their
        #: surfaces: it is tried again from so many events on.
        self._tried_again: dict[int, int] = {}
        self._held: dict[OnSurface, Held] = {}
        self._contacts = Contacts(run, self._limits, self._ahead, self.watch, self._held)
        #: How often the run began to slide, and to rest.
        self.slid = self.rested = 0

    def statistics(self) -> dict[str, int]:
        """How often the run has begun to slide and to rest, where it has."""
        return {name: n for name, n in (("sliding", self.slid), ("resting", self.rested)) if n}

    def stored(self) -> dict[str, Any]:
        """What is known about surfaces, as plain data, for `load`."""
        held = [[astuple(on), *held] for on, held in self._held.items()]
        refused = [[k, [plain(d) for d in reason.diagnostics]] for k, reason in self._refused.items()]
        counted: dict[str, Any] = {
            "touched": list(self._contacts.touched.items()),
            "suspected": [*self._contacts.suspected],
            "tried": list(self._tried_again.items()),
        }
        counted |= {"slid": self.slid, "rested": self.rested, "due": self._due and self._due.stored()}
        return {"held": held, "refused": refused, "watch": self.watch.stored(), **counted}

    def load(self, stored: Mapping[str, Any]) -> None:
        """Goes on with what was stored."""
        sources = sources_of(self._run.engine.structure)
        for on, *held in stored["held"]:
            self._held[OnSurface(*on)] = Held(*held)
        for k, diagnostics in stored["refused"]:
            self._refused[k] = ModelError(diagnostic(d, sources) for d in diagnostics)
        self.watch.load(stored["watch"])
        self.slid, self.rested = stored["slid"], stored["rested"]
        self._contacts.touched, self._contacts.suspected = dict(stored["touched"]), set(stored["suspected"])
        self._tried_again = dict(stored["tried"])
        self._due = Due.restored(stored["due"]) if stored["due"] else None

    # ------------------------------------------------------------ looking at events

    def look(self) -> bool:
        """After events: begins to slide or to rest where it is time to. True if the run goes on elsewhere."""
        watch = self.watch
        own = len(self._run.engine.structure.relations)
        fired = [k for k in watch.take_notes() if k < own]
        news = watch.patience  # as it was
        # Missed, an event at which states jump may be the last one: there would be no further look.
        looked_at = watch.is_shorter if self._choices.jumps else watch.shrinks
        shorter = [k for k in fired if looked_at(k)]
        # Off what it has rested on, the run may set out on a last hop at any event.
        calm = not shorter and not self._contacts.touched.keys() & {*fired}
        watch.have_patience(much=calm, jumps=bool(self._choices.jumps))
        fast = [k for k in fired if watch.is_fast(k)]
        if self._choices.jumps:
            self._contacts.suspected.update(shorter)
        suspected = {*self._contacts.touched, *self._contacts.suspected}
        touched = sorted(suspected) if self._run.settings.zeno != "stop" and suspected & {*fired} else []
        known = len(self._run.records)
        crowded = [k for k in fired if known >= self._tried_again.get(k, 0) and watch.is_crowded(k)]
        if not self._choices.can_slide or not (fast or shorter or touched or crowded):
            return False
        self._run.arrive()
        if self._slides(fast):
            return True
        gone_on = any(self._accumulates(k, news) for k in shorter) or any(map(self._rests_at_once, touched))
        if gone_on and touched:
            # What comes to rest beside others on which it rests as well may be inside of them already: no
            # event would tell.
            for k in touched:
                if k not in {one.relation for one in self._run.engine.surfaces.on}:
                    self._rests_at_once(k)
        return gone_on or any(map(self._is_lost, crowded))

    def unresolved(self, index: int) -> bool:
        """Events of a relation can no longer be told apart. True if the run goes on after them."""
        self.watch.take_notes()
        if not self._choices.can_slide:
            return False
        self._run.arrive()
        return self._accumulates(index, 0) or self._rests_at_once(index)

    def _rests_at_once(self, index: int) -> bool:
        """Whether the run comes to rest on a surface although there is no series of events: it has bounced
        off, but too slowly to be told from resting there."""
        run = self._run
        contact = self._limits.contact(index, self.watch)
        if run.settings.zeno == "stop" or contact is None or not self._limits.is_low(contact):
            return False
        if self._accumulates(index, 0):
            return True
        due = Due(Accumulation(run.now, 0.0, 0.0), index)
        jumps, since = self._ahead.jumps(contact), [*self._contacts.touched, *self._contacts.suspected]
        for wish in self._limits.rests(contact, jumps, since, self.watch):
            try:
                if self._goes_to(wish, due):
                    return True
            except ModelError:
                continue
        return False

    def refuse_penetration(self) -> None:
        """Ends a run that has gone through a surface; to be called now and then."""
        self._contacts.refuse_penetration()

    # ------------------------------------------------------------ sliding

    def _slides(self, fast: Sequence[int]) -> bool:
        """Whether the run begins to slide along surfaces of relations that change very fast: along all those
        that draw it to themselves, or one of them, or all together."""
        drawing: dict[int, Held] = {}
        for index in fast:
            held = self._drawn(index)
            if held is not None:
                drawing[index] = held
        leaders = {k: self._limits.along(min(self._run.engine.structure.model.surface(k))) for k in drawing}
        if len(set(leaders.values())) > 1 and self._tried({leaders[k]: drawing[k] for k in drawing}):
            return True
        if any(self._slides_along(k, leaders[k], drawing[k]) for k in drawing):
            return True
        return len(fast) > 1 and self._slides_together(fast)

    def _drawn(self, index: int) -> Held | None:
        """How to slide along the surface of a relation, if the run is there and both sides push towards
        it."""
        engine = self._run.engine
        surface = engine.structure.model.surface(index)
        if not surface:  # of a relation of time, or the run slides along it already
            return None
        engine.continuous.relations()
        band = engine.memory.cells[engine.relations.bands + index]
        if abs(engine.memory.cells[engine.relations.residues + index]) > TIGHT_BANDS * band:
            return None
        rates = engine.surfaces.drifts(surface, PROBE * self._span)
        if rates is None or not rates[0] < 0.0 < rates[1]:
            return None
        weight = rates[1] / (rates[1] - rates[0])
        if not MARGIN < weight < 1.0 - MARGIN:
            return None
        return Held(engine.surfaces.side_of(surface), weight, speed=min(-rates[0], rates[1]))

    def _slides_along(self, index: int, wanted: OnSurface, held: Held) -> bool:
        """Begins to slide along one surface; ends the run if there is no such motion, and nothing else to be
        expected than chattering."""
        if index not in self._refused:
            try:
                return self._begin({wanted: held})
            except ModelError as reason:
                self._refused[index] = reason
        engine = self._run.engine
        interval, band = self.watch.interval(index), engine.memory.cells[engine.relations.bands + index]
        if interval * held.speed <= TIGHT_BANDS * band and not self.watch.shrinks(index):
            raise chatter.chattering(self._cause(index), self._run.now, interval, self._refused[index])
        return False

    def _cause(self, index: int) -> Relation:
        """Of the relations that change on one surface, the one that makes the run chatter: its truth alone
        turns the motion round. Others only look on. What stands in the user's own file is told before what a
        library has made of it."""
        engine = self._run.engine
        surface, model = engine.structure.model.surface(index), engine.structure.model

        def turns(k: int) -> bool:
            rates = engine.surfaces.drifts({k: 1}, PROBE * self._span)
            return rates is not None and rates[0] < 0.0 < rates[1]

        def order(k: int) -> tuple[bool, bool, bool]:
            return not turns(k), model.relations[k].span.source is not model.span.source, k != index

        return model.relations[min(surface, key=order)]

    def ends_in_a_point(self) -> bool:
        """The run stands still on surfaces: they may have led to a point where nothing moves, as a switching
        curve of Fuller's problem does. True if it goes on there, with a state held."""
        run, before = self._run, self._run.engine
        leaders = [s.leader for s in before.structure.surfaces if not s.resting]
        if not leaders or len(leaders) < len(before.structure.surfaces):
            return False
        run.arrive()
        free = self._choices.on(before, frozenset())
        free.transfer.take_over(before)
        run.change_to(free, recorded=False)
        for wish in self._limits.held(leaders):
            try:
                if self._begin(wish.on, wish.slack):
                    return True
            except ModelError:
                continue
        run.change_to(before, recorded=False)
        return False

    def _tried(self, wanted: Mapping[OnSurface, Held], slack: float = 0.0) -> bool:
        """Begins to slide along surfaces, no further than `slack` from them, if that is possible."""
        try:
            return self._begin(wanted, slack)
        except ModelError:
            return False

    def _slides_together(self, relations: Iterable[int]) -> bool:
        """Begins to slide along several surfaces at once, none of which draws the run to itself while the
        others are as they are; together they have drawn it there."""
        wanted = self._limits.together(relations)
        return len(wanted) > 1 and self._tried(wanted)

    def _is_lost(self, index: int) -> bool:
        """Whether the run begins to slide by a higher order where a relation changes again and again because
        of errors: it has come to a point of accumulation in too few events to be foretold, or by errors."""
        lately, known = self.watch.lately(index, zeno.FEWEST + 1), len(self._run.records)
        if lately is None or self._ahead.jumps(lately[0]) or not self._ahead.is_lost(*lately):
            self._tried_again[index] = known + known // CALM
            return False
        latest, times = lately
        for wish in self._limits.endless(latest, self.watch.since(times[-2])):
            if self._tried(wish.on, wish.slack):
                return True
        self._tried_again[index] = 2 * known
        return False

    def _begin(self, wanted: Mapping[OnSurface, Held], slack: float = 0.0, due: Due | None = None) -> bool:
        """Goes on along surfaces. False if they would be left at once. `slack`: how far from them the run may
        be. `due`: that is what is left after an accumulation point, which is still to come."""
        run, before = self._run, self._run.engine
        self._held.update(wanted)
        engine = self._engine_on(before.surfaces.on.union(wanted), slack)
        if engine is None:
            return False
        left = len(run.recording) - 1
        # States are where the surfaces want them; of what a relation says elsewhere no row may be left.
        amended = [] if run.has_modes else _contradicted(engine)
        run.change_to(engine, recorded=not amended)
        if amended:
            run.event(records.STATE, amended, (), left=left)
        run.restart()
        right = len(run.recording) - 1
        for one in wanted:
            if due is None:
                self._note_beginning(one, left, right)
            self._forget(next(s for s in engine.structure.surfaces if s.leader == one.relation))
            if one.resting:
                self._contacts.touched[one.relation] = self._held[one].side
        if due is not None:
            pending = self._due.on if self._due is not None else ()
            self._due = due._replace(on=(*pending, *wanted))
        self.watch.skip()
        return True

    def _engine_on(self, on: frozenset[OnSurface], slack: float = 0.0) -> Engine | None:
        """The engine that keeps the model on these surfaces, with the present values; None if it is not on
        them: weights are out of their bounds, a reaction pulls, or states would have to jump."""
        before = self._run.engine
        engine = self._choices.on(before, on)
        for surface in engine.structure.surfaces:
            held = self._held[surface.wanted]
            engine.memory.store(surface.side, float(held.side))
            engine.memory.store(surface.multiplier, held.multiplier)
            for state, direction in surface.directions.items():
                engine.memory.store(direction, held.directions.get(state.name, 0.0))
            if surface.place is not None:
                engine.memory.store(surface.place, before.named.now()[surface.wanted.held])
            for copy, name in surface.copies.items():  # where Newton's method begins
                engine.memory.store(copy, before.named.now().get(name, 0.0))
        try:
            engine.transfer.take_over(before)
        except RunError:
            return None
        if engine.pivots.guards:
            engine.pivots.set_floors()
        stays = all(_inside(engine, s) for s in engine.structure.surfaces)
        stays = stays and all(self._limits.holds(before, engine, s) for s in engine.structure.surfaces)
        return engine if stays and _same_place(before, engine, slack) else None

    def _forget(self, surface: Surface) -> None:
        for index in surface.relations:
            self.watch.forget(index)

    # ------------------------------------------------------------ leaving

    def leave(self, fired: Iterable[tuple[int, float]] = ()) -> None:
        """Leaves the surfaces whose exits no longer hold. `fired`: relations of the model that change at the
        same instant. The memory has the values of the instant, all computed."""
        run, before = self._run, self._run.engine
        left_behind = [s for s in before.structure.surfaces if not _stays(before, s)]
        self._give_up_point()
        if any(s.wanted.settled for s in left_behind):  # these hold each other
            left_behind = [s for s in before.structure.surfaces if s in left_behind or s.wanted.settled]
        stays = before.surfaces.on - {s.wanted for s in left_behind}
        changes = [f for f in fired if f[0] < len(before.structure.relations)]
        for surface in left_behind:
            changes += changes_to(before, surface.relations, self._side_after(before, surface))
            before.memory.store(surface.side, float(self._side_after(before, surface)))
        if changes and not self._choices.jumps and not run.has_modes:
            # The truths of the new side, while the values are still those of both: they agree at an exit.
            before.memory.routines["parameters"]()
            run.event(records.STATE, changes, ())
            changes = []
        left = self._row()
        # While a side is chosen by an event, what the others need to stay is that of no mode: they wait.
        kept = frozenset() if changes else stays
        engine = self._choices.on(before, kept)
        engine.transfer.take_over(before)
        if engine.pivots.guards:
            engine.pivots.set_floors()
        self._is_moving(engine, before.structure.surfaces if changes else left_behind)
        run.change_to(engine, recorded=not changes)
        right = len(run.recording) - 1
        leaders = tuple(s.leader for s in left_behind)
        run.records.append(EventRecord(run.now, records.LEAVES, leaders, (), left, right, ()))
        if changes:
            since = len(run.records)
            run.event(records.STATE, changes, (), left=left)
            if stays and run.engine is engine:
                self._return_to(stays, changes, since, ())
            elif stays:
                self._note_leaving(stays)
        run.restart()
        self.watch.skip()
        for surface in left_behind:
            self._forget(surface)
        self._leave_what_does_not_hold()

    def _is_moving(self, engine: Engine, surfaces: Iterable[Surface]) -> None:
        """Relations whose residues are zero because they were held there do not rest there."""
        for surface in surfaces:
            for index in surface.relations:
                engine.memory.cells[engine.relations.signs + index] = 0.0
                engine.memory.cells[engine.relations.zero_since + index] = self._run.now

    def _side_after(self, engine: Engine, surface: Surface) -> int:
        """The side to which a surface is left."""
        if surface.resting:  # the free side, away from which the reaction would pull
            return -engine.surfaces.side_of(surface.relations)
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
        simple = not self._choices.jumps and is_closed(engine.structure)
        if simple and self._would_stay(engine, fired, due):
            run.event(kind, fired, due)
        else:
            resting = {one for one in engine.surfaces.on if one.resting}
            asserted = {one for one in resting if self._contacts.is_asserted(one.relation)}
            free = self._choices.on(engine, frozenset())
            free.transfer.take_over(engine)
            self._is_moving(free, engine.structure.surfaces)
            # Without surfaces values are those of one side: what a free-wheel does there is no left limit.
            left = self._row()
            run.change_to(free, recorded=False)
            since = len(run.records)
            run.event(kind, fired, due, left=left)
            if run.engine is free:
                # Where the when-clause was active and is no longer, the floor is gone: a trapdoor has opened.
                gone = {one for one in asserted if not self._contacts.is_asserted(one.relation)}
                self._return_to(engine.surfaces.on, fired, since, gone)
            else:  # another mode, in which it is on none of them
                self._note_leaving(engine.surfaces.on)
        self._leave_what_does_not_hold()

    def _leave_what_does_not_hold(self) -> None:
        """Leaves surfaces that the values of this instant have given up."""
        engine = self._run.engine
        if any(not _stays(engine, s) for s in engine.structure.surfaces):
            self.leave()

    def _would_stay(self, engine: Engine, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> bool:
        """Whether the surfaces still hold the run after an event, which leaves no trace here. If a force
        leaps beyond what they can hold, no row may have values of a motion along them. Which mode comes next
        is decided on the surfaces: a free-wheel feels the friction that there is, not that of one side."""
        run = self._run
        before, endings = engine.memory.array.copy(), list(engine.iteration.endings)
        now = engine
        try:
            if run.has_modes:
                places = engine.named.now()
                now = run.outcome(fired, due)
                stays = _exist_in(now, engine) and all(_stays(now, s) for s in now.structure.surfaces)
                return stays and _is_at(places, engine, now)
            engine.iteration.iterate(fired, due)
            return all(_stays(engine, surface) for surface in engine.structure.surfaces)
        except RunError:
            return not run.has_modes  # which is told when it happens
        finally:
            engine.memory.array[:] = before
            engine.iteration.take_warned()
            engine.iteration.endings[:] = endings
            now.iteration.take_warned()

    def _return_to(
        self,
        on: frozenset[OnSurface],
        fired: Sequence[tuple[int, float]],
        since: int,
        gone: Collection[OnSurface],
    ) -> None:
        """After an event without surfaces, of the relations that `fired`: back to them, as far as the run is
        still on them, and they are not `gone`. The record of the event has the number `since`."""
        run, free = self._run, self._run.engine
        struck = self._contacts.struck(fired)
        left = on.difference(gone)
        engine = self._engine_on(left) if left else None
        contacts = {one.relation: self._held[one].side for one in on if one.resting}
        if engine is None and contacts:
            # Whatever touches may be hit, in turn, and nothing is held until that is over: what rests on the
            # floor falls onto it when something falls onto that.
            self._contacts.strike(contacts | struck, since)
            if run.engine is not free:  # another mode, in which it is on none of them
                self._note_leaving(on)
                return
        if engine is None:
            kept = frozenset(one for one in left if self._engine_on(frozenset({one})) is not None)
            engine = self._engine_on(kept) if kept else None
        if engine is not None:
            run.change_to(engine)
        now = run.engine
        lost = sorted((one for one in on if one not in now.surfaces.on), key=lambda one: one.relation)
        if lost:
            self._note_leaving(lost)
        run.restart()

    def _note_leaving(self, lost: Iterable[OnSurface]) -> None:
        """Writes down that the run is no longer on surfaces, from its last row on."""
        run = self._run
        self._give_up_point()
        row = len(run.recording) - 1
        leaders = tuple(sorted(one.relation for one in lost))
        run.records.append(EventRecord(run.now, records.LEAVES, leaders, (), row, row, ()))

    # ------------------------------------------------------------ accumulation points

    @property
    def until(self) -> float:
        """When the run comes to an accumulation point that was foretold; infinite if to none."""
        return self._due.end.time if self._due is not None else math.inf

    def _accumulates(self, index: int, news: int) -> bool:
        """Whether events of a relation accumulate so near that the run goes on after them, or ends. There are
        at most so many new events; 0 means that they can no longer be told apart."""
        run, ahead = self._run, self._ahead
        if run.engine.structure.model.relations[index].is_time_event:
            return False  # it changes when time says so, whatever the states do
        both = [self.watch.series(index, back) for back in (0, 1)]
        if not both[0]:
            return False
        spurious = ahead.is_spurious(both[0][-1])
        lost = spurious or not news
        if spurious:
            both[0].pop()
        acting = [s for s in both if s and ahead.acts(s[-1])]
        for series in acting or both:  # where something jumps, those events count, and not the way back
            found = ahead.end_at_once(series) if lost else ahead.end(series, news) if series else None
            if found is None:
                continue
            end, last = found
            if end.time >= run.settings.stop_time:
                return False
            if not ahead.is_plausible(end, series[: last + 1], series[-1]):
                continue
            return self._go_on_after(end, series[: last + 1], series[-1], lost=not news)
        return False

    def _go_on_after(
        self, end: Accumulation, series: Sequence[Crossing], latest: Crossing, *, lost: bool
    ) -> bool:
        """Goes on in the motion that is left when events have accumulated, as the user wants. It begins at
        once: what the events do not act on is integrated as ever, and whatever else happens until the point
        is reached is an event as ever."""
        run, ahead, index = self._run, self._ahead, latest.relation
        jumps = ahead.jumps(series[-1])
        due = Due(end, index, stops=bool(jumps) and run.settings.zeno == "stop")
        reason: ModelError | None = None
        for wish in self._limits.wishes(end, series, latest, self.watch):
            try:
                if self._goes_to(wish, due):
                    return True
            except ModelError as refused:
                reason = refused
        early = run.settings.zeno == "rest" or not jumps
        if early and not lost and not ahead.is_unresolved(series):
            return False  # later, perhaps; until then there are more events
        ahead.arrive(end, series, latest)
        row = len(run.recording) - 1
        run.records.append(EventRecord(run.now, records.ZENO, (index,), (), row, row, ()))
        relation = run.engine.structure.relations[index]
        if run.settings.zeno == "stop":
            raise zeno.stopped(relation, end, by_constraint=series[-1].brief)
        assert reason is not None, "the last wish is the plainest one, and says why it cannot be"
        raise zeno.restless(relation, end, reason, by_constraint=series[-1].brief)

    def _goes_to(self, wish: Wish, due: Due) -> bool:
        """Goes on as is wished, if that is possible. The memory is as it was if not."""
        engine = self._run.engine
        before = engine.memory.array.copy()
        if wish.pushed:
            self._limits.push(wish)
        try:
            begins = self._begin(wish.on, wish.slack, due)
        except ModelError:
            engine.memory.array[:] = before
            raise
        if not begins:
            engine.memory.array[:] = before
            if wish.final:
                text = engine.structure.relations[due.relation].text
                raise model_error("E302", f"no reaction holds the states where `{text}` changes")
            return False
        now = self._run.engine
        changed = [
            change
            for s in now.structure.surfaces
            if s.wanted in wish.on and s.resting
            for change in changes_to(now, s.relations, self._held[s.wanted].side)
        ]
        if changed:
            self._run.event(records.STATE, changed, ())
        self.watch.skip()
        if self._run.now >= due.end.time:
            self.come_to_the_point()
        return True

    def come_to_the_point(self) -> None:
        """The run is at the accumulation point, in the motion that goes on from there."""
        run, due = self._run, self._due
        assert due is not None
        self._due = None
        run.arrive()
        row = self._row()
        run.pass_points(run.now)
        run.records.append(EventRecord(run.now, records.ZENO, (due.relation,), (), row, row, ()))
        if due.stops:
            raise zeno.stopped(run.engine.structure.relations[due.relation], due.end)
        for one in sorted(due.on):
            self._note_beginning(one, row, row)
        self.watch.skip()

    def _note_beginning(self, one: OnSurface, left: int, right: int) -> None:
        """Writes down that the run is on a surface from here on."""
        run = self._run
        rests = one.resting or (one.settled and bool(self._choices.jumps))
        kind = records.RESTS if rests else records.SLIDES
        run.records.append(EventRecord(run.now, kind, (one.relation,), (), left, right, ()))
        if rests:
            self.rested += 1
        else:
            self.slid += 1

    def _give_up_point(self) -> None:
        """Something has thrown the run off its surfaces shortly before an accumulation point."""
        due, self._due = self._due, None
        if due is not None and not due.stops:
            row = len(self._run.recording) - 1
            for one in sorted(due.on):
                self._note_beginning(one, row, row)


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


def _contradicted(engine: Engine) -> list[tuple[int, float]]:
    """Relations whose residues are beyond their bands on the side that their truths do not have, with the
    signs of these residues. Those that hold the surfaces are not in force."""
    engine.continuous.relations()
    cells, relations = engine.memory.cells, engine.relations
    held = {k for surface in engine.structure.surfaces for k in surface.relations}
    found = []
    for k, relation in enumerate(engine.structure.model.relations):
        residue, band = cells[relations.residues + k], cells[relations.bands + k]
        sign = 1.0 if residue > 0.0 else -1.0
        beyond = abs(residue) > band and cells[relations.truth + k] != relations.truth_on(k, sign)
        if beyond and k not in held and not relation.is_time_event:
            found.append((k, sign))
    return found


def _inside(engine: Engine, surface: Surface) -> bool:
    """Whether the multiplier is what it must be on the surface."""
    value = _multiplier(engine, surface)
    return math.isfinite(value) and value >= 0.0 and (surface.resting or value <= 1.0)


def _stays(engine: Engine, surface: Surface) -> bool:
    """Whether the exits of a surface still hold."""
    return all(engine.memory.cells[engine.relations.truth + k] for k in surface.exits)


def _exist_in(now: Engine, before: Engine) -> bool:
    """Whether the mode of an engine still has all the variables that the surfaces of the one before hold."""
    absent = {v.symbol for v in now.structure.model.absent}
    relations = [k for surface in before.structure.surfaces for k in surface.relations]
    residues = [before.structure.model.relations[k].residue for k in relations]
    return not any(leaf_symbol(leaf) in absent for residue in residues for leaf in leaves(residue))


def _same_place(before: Engine, engine: Engine, slack: float) -> bool:
    """Whether the states of one engine have the same values in the other."""
    return _is_at(before.named.now(), before, engine, slack)


def _is_at(old: Mapping[str, float], before: Engine, engine: Engine, slack: float = 0.0) -> bool:
    """Whether the states of the engine `before`, with their `old` values by name, have the same values in
    another."""
    new = engine.named.now()
    for v in before.structure.states:
        size = max(size_number(before.memory, v), abs(old[v.name]))
        if not abs(new[v.name] - old[v.name]) <= max(slack, SAME_PLACE * size):
            return False
    return True
