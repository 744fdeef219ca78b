"""The motion of a run along surfaces: how it begins, what events do to it, and how it ends.

Such a motion is a program of its own (`saltus.analyse.modes.sliding`), so a run that begins to slide or to
rest changes engines, as it does when it chooses other states. When that is wanted, `sliding` says.

    leave    the weight of a side is no longer between 0 and 1, or the reaction would have to pull
    events   of others, meanwhile: in the engine of the surface, if nothing there can move the model off it.
             Where states may be reinitialised, or the surface itself may jump, the event is left to the
             engine without surfaces, and the run returns to the surface if it is still on it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from saltus.core.diagnostics import RunError
from saltus.ir.sorted.surfaces import OnSurface, Surface
from saltus.result.log import records
from saltus.result.log.records import EventRecord
from saltus.run.engine.engine import Engine
from saltus.run.modes.choices import Choices
from saltus.run.surfaces import zeno
from saltus.run.surfaces.accumulation import Foretelling
from saltus.run.surfaces.contacts import Contacts
from saltus.run.surfaces.corners import Corners
from saltus.run.surfaces.event_notes import EventWatch
from saltus.run.surfaces.host import Host
from saltus.run.surfaces.limits import Due, Held, Limits
from saltus.run.surfaces.places import (
    contradicted,
    exist_in,
    is_at,
    is_closed,
    is_inside,
    keeps,
    multiplier,
    same_place,
)

#: The run is leaving no surface.
NOWHERE: Mapping[OnSurface, int] = {}


class Motion:
    """The surfaces that one run is on."""

    def __init__(
        self, run: Host, choices: Choices, limits: Limits, ahead: Foretelling, watch: EventWatch
    ) -> None:
        self._run, self._choices, self._limits, self._watch = run, choices, limits, watch
        #: How the run was held on each surface that it has been on.
        self.held: dict[OnSurface, Held] = {}
        #: The accumulation point that it is about to come to.
        self.due: Due | None = None
        #: What it bounces off.
        self.contacts = Contacts(run, limits, ahead, watch, self.held)
        self._corners = Corners(run, choices, limits, self.held)
        #: How often the run began to slide, and to rest.
        self.slid = self.rested = 0

    def stored(self) -> dict[str, Any]:
        """What is known about it, as plain data, for `load`."""
        return {
            "held": [[on.stored(), *held] for on, held in self.held.items()],
            "touched": list(self.contacts.touched.items()),
            "suspected": [*self.contacts.suspected],
            "slid": self.slid,
            "rested": self.rested,
            "due": self.due and self.due.stored(),
        }

    def load(self, stored: Mapping[str, Any]) -> None:
        """Continues with what was stored."""
        for on, *held in stored["held"]:
            self.held[OnSurface.restored(on)] = Held(*held)
        self.slid, self.rested = stored["slid"], stored["rested"]
        self.contacts.touched, self.contacts.suspected = dict(stored["touched"]), set(stored["suspected"])
        self.due = Due.restored(stored["due"]) if stored["due"] else None

    def begin(self, wanted: Mapping[OnSurface, Held], slack: float = 0.0, due: Due | None = None) -> bool:
        """Continues along surfaces. False if they would be left at once. `slack`: how far from them the run
        may be. `due`: the accumulation point that is still to come, if this is the motion after one."""
        run, before = self._run, self._run.engine
        self.held.update(wanted)
        engine = self._engine_on(before.surfaces.on.union(wanted), slack)
        if engine is None:
            return False
        self._limits.refuse_what_moves_again(engine, wanted)
        left = len(run.recording) - 1
        # States are where the surfaces want them; of what a relation says elsewhere no row may be left.
        amended = [] if run.has_modes else contradicted(engine)
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
                self.contacts.touched[one.relation] = self.held[one].side
        if due is not None:
            pending = self.due.on if self.due is not None else ()
            self.due = due._replace(on=(*pending, *wanted))
        self._watch.skip()
        return True

    def _engine_on(self, on: frozenset[OnSurface], slack: float = 0.0) -> Engine | None:
        """The engine that keeps the model on these surfaces, with the present values; None if it is not on
        them: weights are out of their bounds, a reaction pulls, or states would have to jump."""
        before = self._run.engine
        engine = self._choices.on(before, on)
        for surface in engine.structure.surfaces:
            held = self.held[surface.wanted]
            engine.memory.store(surface.side, float(held.side))
            engine.memory.store(surface.multiplier, held.multiplier)
            for state, direction in surface.directions.items():
                engine.memory.store(direction, held.directions.get(state.name, 0.0))
            if surface.place is not None:
                here = before.named.now()[surface.wanted.held]
                engine.memory.store(surface.place, here if held.place is None else held.place)
            for copy, name in surface.copies.items():  # where Newton's method begins
                engine.memory.store(copy, before.named.now().get(name, 0.0))
        try:
            _take_over(engine, before)
        except RunError:
            return None
        if engine.pivots.guards:
            engine.pivots.set_floors()
        stays = all(is_inside(engine, s) for s in engine.structure.surfaces)
        stays = stays and all(self._limits.holds(before, engine, s) for s in engine.structure.surfaces)
        return engine if stays and same_place(before, engine, slack) else None

    def _forget(self, surface: Surface) -> None:
        for index in surface.relations:
            self._watch.forget(index)

    # ------------------------------------------------------------ leaving

    def leave(self, fired: Iterable[tuple[int, float]] = ()) -> None:
        """Leaves the surfaces whose exits no longer hold. `fired`: relations of the model that change at the
        same instant. The memory has the values of the instant, all computed."""
        run, before = self._run, self._run.engine
        left_behind = [s for s in before.structure.surfaces if not keeps(before, s)]
        sides = {s.wanted: self._side_after(before, s) for s in left_behind}
        if self.turns(records.STATE, [f for f in fired if f[0] not in before.surfaces.exits], (), sides):
            return
        self._give_up_point()
        # Some hold each other; and one that another holds is held by all that the run is on: two frictions
        # of one mass, on the ground and on a mass that sticks to it, until that one slips.
        if any(s.wanted.settled for s in left_behind) or any(
            s.wanted.follows for s in before.structure.surfaces
        ):
            left_behind = [s for s in before.structure.surfaces if s in left_behind or s.wanted.settled]
        stays = before.surfaces.on - {s.wanted for s in left_behind}
        changes = [f for f in fired if f[0] < len(before.structure.relations)]
        for surface in left_behind:
            changes += before.surfaces.changes_to(surface.relations, self._side_after(before, surface))
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
        _take_over(engine, before)
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
        self._watch.skip()
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
            return -self.held[surface.wanted].side
        return -1 if multiplier(engine, surface) < 0.5 else 1

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
        if simple and self.turns(kind, fired, due):
            pass
        elif simple and self._would_stay(engine, fired, due):
            run.event(kind, fired, due)
        else:
            resting = {one for one in engine.surfaces.on if one.resting}
            asserted = {one for one in resting if self.contacts.is_asserted(one.relation)}
            free = self._choices.on(engine, frozenset())
            _take_over(free, engine)
            self._is_moving(free, engine.structure.surfaces)
            # Without surfaces values are those of one side: what a free-wheel does there is no left limit.
            left = self._row()
            run.change_to(free, recorded=False)
            since = len(run.records)
            run.event(kind, fired, due, left=left)
            if run.engine is free:
                # Where the when-clause was active and is no longer, the floor is gone: a trapdoor has opened.
                gone = {one for one in asserted if not self.contacts.is_asserted(one.relation)}
                self._return_to(engine.surfaces.on, fired, since, gone)
            else:  # another mode, in which it is on none of them
                self._note_leaving(engine.surfaces.on)
        self._leave_what_does_not_hold()

    def turns(
        self,
        kind: str,
        fired: Sequence[tuple[int, float]],
        due: Sequence[int],
        leaving: Mapping[OnSurface, int] = NOWHERE,
    ) -> bool:
        """Whether an event leads along other surfaces than before, or to their sides, because no mode agrees
        with where the run is (`corners`); then it has been done. Surfaces that the run is leaving come with
        the sides to which it leaves."""
        run, before = self._run, self._run.engine
        corner = self._corners.found(fired, due, leaving)
        if corner is None:
            return False
        stays = corner.on == before.surfaces.on
        if stays and not fired and not due:
            return False  # nothing would happen
        with run.bound(corner.on, self._corners.told):
            run.event(kind, corner.changes, due)
        left, right = (len(run.recording) - k for k in (2, 1))
        lost = sorted(before.surfaces.on - corner.on)
        if lost:
            leaders = tuple(one.relation for one in lost)
            run.records.append(EventRecord(run.now, records.LEAVES, leaders, (), left, right, ()))
        for one in sorted(corner.on - before.surfaces.on):
            self._note_beginning(one, left, right)
        run.restart()
        if not stays:  # else it is an event as ever: another relation may chatter beside the surfaces
            self._watch.skip()
        for index in {k for one in corner.on ^ before.surfaces.on for k in self._corners.relations_of(one)}:
            self._watch.forget(index)
        return True

    def _leave_what_does_not_hold(self) -> None:
        """Leaves surfaces that the values of this instant have given up."""
        engine = self._run.engine
        if any(not keeps(engine, s) for s in engine.structure.surfaces):
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
                stays = exist_in(now, engine) and all(keeps(now, s) for s in now.structure.surfaces)
                return stays and is_at(places, engine, now)
            engine.iteration.iterate(fired, due)
            return all(keeps(engine, surface) for surface in engine.structure.surfaces)
        except RunError:
            return not run.has_modes  # which is reported when it happens
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
        struck = self.contacts.struck(fired)
        left = on.difference(gone)
        engine = self._engine_on(left) if left else None
        contacts = {one.relation: self.held[one].side for one in on if one.resting}
        if engine is None and contacts:
            # Whatever touches may be hit, in turn, and nothing is held until that is over: what rests on the
            # floor falls onto it when something falls onto that.
            self.contacts.strike(contacts | struck, since)
            if run.engine is not free:  # another mode, in which it is on none of them
                self._note_leaving(on)
                return
            # What sets out from a surface, however slowly, is free: nothing presses it onto that.
            left = frozenset(one for one in left if not one.resting or self._is_inside(one))
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

    def is_struck_again(self) -> bool:
        """Whether something is about to be gone through, and is hit: what touches has been hit at one
        instant."""
        run, overrun = self._run, self.contacts.overrun()
        if not overrun:
            return False
        if run.engine.surfaces.on:
            for k, side in overrun.items():
                surface = run.engine.structure.model.surface(k)
                for one in (-side, side):
                    self.event(records.STATE, run.engine.surfaces.changes_to(surface, one), ())
        else:
            self.contacts.strike(self.contacts.known(), len(run.records) - 1)
            run.restart()
        return True

    def _is_inside(self, one: OnSurface) -> bool:
        """Whether the relations of a surface that was rested on have the truths of its inner side."""
        engine = self._run.engine
        surface = engine.structure.model.surface(one.relation)
        return not engine.surfaces.changes_to(surface, self.held[one].side)

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
        return self.due.end.time if self.due is not None else math.inf

    def come_to_the_point(self) -> None:
        """The run is at the accumulation point, in the motion that continues from there."""
        run, due = self._run, self.due
        assert due is not None
        self.due = None
        run.arrive()
        row = self._row()
        run.pass_points(run.now)
        run.records.append(EventRecord(run.now, records.ZENO, (due.relation,), (), row, row, ()))
        if due.stops:
            raise zeno.stopped(run.engine.structure.relations[due.relation], due.end)
        for one in sorted(due.on):
            self._note_beginning(one, row, row)
        self._watch.skip()

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
        due, self.due = self.due, None
        if due is not None and not due.stops:
            row = len(self._run.recording) - 1
            for one in sorted(due.on):
                self._note_beginning(one, row, row)


def _take_over(engine: Engine, before: Engine) -> None:
    """One engine takes over the values of another. What counts as zero in that one does so in this one."""
    engine.transfer.take_over(before)
    own = min(len(e.structure.model.relations) - len(e.surfaces.exits) for e in (engine, before))
    engine.at_zero.take_room(before.at_zero, own)
