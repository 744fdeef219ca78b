"""When a run continues along surfaces: sliding where it chatters, resting after a Zeno sequence.

It begins to slide where a relation changes very fast (`chatter`) and, at the present position, the residue
moves one way with the truths of one side and back with those of the other; and to rest, or to slide by a
higher order, where events accumulate (`zeno`). What comes of it then is `motion`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from saltus.core.diagnostics import ModelError, model_error
from saltus.ir.hybrid import Relation
from saltus.ir.sorted.surfaces import OnSurface
from saltus.result.log import records
from saltus.result.log.records import EventRecord
from saltus.run.modes.choices import Choices
from saltus.run.schedule.diagnostic_data import diagnostic, plain, sources_of
from saltus.run.surfaces import chatter, zeno
from saltus.run.surfaces.accumulation import Foretelling
from saltus.run.surfaces.event_notes import CALM, Crossing, EventWatch
from saltus.run.surfaces.host import PROBE, Host
from saltus.run.surfaces.limits import Due, Held, Limits, Wish
from saltus.run.surfaces.motion import Motion
from saltus.run.surfaces.zeno import Accumulation

#: A weight this close to 0 or 1 is no reason to begin: the surface would be left at once.
MARGIN = 1e-9

#: A relation that chatters where no sliding is possible is reported after so many bands of way between its
#: changes.
TIGHT_BANDS = 1e3


class Surfaces:
    """The surfaces of one run."""

    def __init__(self, run: Host, choices: Choices) -> None:
        self._run = run
        self._choices = choices
        settings = run.settings
        self._span = settings.stop_time - settings.start_time
        #: The notes on events from which it is seen where the run goes.
        self.watch = EventWatch(run.records, self._span, seeks_rest=bool(choices.jumps))
        self._ahead = Foretelling(run)
        self._limits = Limits(run, self._ahead)
        #: The motion along those that the run is on.
        self.motion = Motion(run, choices, self._limits, self._ahead, self.watch)
        self._contacts = self.motion.contacts
        self._refused: dict[int, ModelError] = {}
        #: Relations that change often, but are not lost in errors, or the run could not slide along their
        #: surfaces: it is tried again from so many events on.
        self._tried_again: dict[int, int] = {}

    def statistics(self) -> dict[str, int]:
        """How often the run has begun to slide and to rest, where it has."""
        return {name: n for name, n in (("sliding", self.motion.slid), ("resting", self.motion.rested)) if n}

    def stored(self) -> dict[str, Any]:
        """What is known about surfaces, as plain data, for `load`."""
        refused = [[k, [plain(d) for d in reason.diagnostics]] for k, reason in self._refused.items()]
        tried = list(self._tried_again.items())
        return {
            "refused": refused,
            "watch": self.watch.stored(),
            "tried": tried,
            "motion": self.motion.stored(),
        }

    def load(self, stored: Mapping[str, Any]) -> None:
        """Continues with what was stored."""
        sources = sources_of(self._run.engine.structure)
        for k, diagnostics in stored["refused"]:
            self._refused[k] = ModelError(diagnostic(d, sources) for d in diagnostics)
        self.watch.load(stored["watch"])
        self.motion.load(stored["motion"])
        self._tried_again = dict(stored["tried"])

    # ------------------------------------------------------------ looking at events

    def look(self) -> bool:
        """After events: starts to slide or to rest where it is time to. True if the run continues
        elsewhere."""
        watch, jumps = self.watch, bool(self._choices.jumps)
        structure = self._run.engine.structure
        own = len(structure.relations)
        fired = [k for k in watch.take_notes() if k < own]
        news = watch.patience  # as it was
        # Missed, an event at which states jump may be the last one: there would be no further look.
        looked_at = watch.is_shorter if jumps else watch.shrinks
        shorter = [k for k in fired if looked_at(k)]
        # Off what it has rested on, the run may set out on a last hop at any event; and off what it has not,
        # when hops have become low.
        calm = not shorter and not watch.low_hop and self._contacts.touched.keys().isdisjoint(fired)
        watch.have_patience(much=calm, jumps=jumps)
        if jumps:
            self._contacts.suspected.update(shorter)
        if self._choices.programs is None:
            return False
        fast = [k for k in fired if watch.is_fast(k)]
        suspected = {*self._contacts.touched, *self._contacts.suspected}
        rests = suspected and self._run.settings.zeno != "stop" and not suspected.isdisjoint(fired)
        touched = sorted(suspected) if rests else []
        known = len(self._run.records)
        crowded = [k for k in fired if known >= self._tried_again.get(k, 0) and watch.is_crowded(k)]
        crowded = [k for k in crowded if self._may_be_lost(k)]
        if not (fast or shorter or touched or crowded):
            return False
        self._run.arrive()
        if touched and self.motion.is_struck_again():
            touched = sorted({*touched, *watch.take_notes()} & suspected)
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
        """Events of a relation can no longer be distinguished. True if the run continues after them."""
        self.watch.take_notes()
        if self._choices.programs is None:
            return False
        self._run.arrive()
        return self._accumulates(index, 0) or self._rests_at_once(index)

    def _rests_at_once(self, index: int) -> bool:
        """Whether the run comes to rest on a surface although there is no series of events: it has bounced
        off, but too slowly to be distinguished from resting there."""
        run = self._run
        contact = self._limits.contact(index, self.watch)
        if run.settings.zeno == "stop" or contact is None or not self._limits.is_low(contact):
            return False
        if self._accumulates(index, 0, ends=False):
            return True
        due = Due(Accumulation(run.now, 0.0, 0.0, 0.0), index)
        jumps, since = self._ahead.jumps(contact), [*self._contacts.touched, *self._contacts.suspected]
        for wish in self._limits.rests(contact, jumps, since, self.watch, run.now):
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
        several = len(fast) > 1 or bool(self._run.engine.surfaces.on)
        if fast and (several or self._run.has_modes) and self.motion.turns(records.STATE, (), ()):
            return True
        drawing: dict[int, Held] = {}
        leaders: dict[int, OnSurface] = {}
        for index in fast:
            drawn = self._drawn(index)
            if drawn is not None:
                leaders[index], drawing[index] = drawn
        if len(set(leaders.values())) > 1 and self._tried({leaders[k]: drawing[k] for k in drawing}):
            return True
        if any(self._slides_along(k, leaders[k], drawing[k]) for k in drawing):
            return True
        return len(fast) > 1 and self._slides_together(fast)

    def _drawn(self, index: int) -> tuple[OnSurface, Held] | None:
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
        wanted = self._limits.along(min(surface))
        turning = {} if wanted.equivalent else self._turning(index, surface)
        side = engine.surfaces.side_of(surface)
        if turning and engine.structure.mode.fixed:  # this program has but one side of what turns
            return replace(wanted, turning=tuple(sorted(turning.items()))), Held(side, 0.5)
        rates = engine.surfaces.drifts(surface | turning, PROBE * self._span)
        if rates is None or not rates[0] < 0.0 < rates[1]:
            return None
        wanted = replace(wanted, turning=tuple(sorted(turning.items())))
        weight = rates[1] / (rates[1] - rates[0])
        if not MARGIN < weight < 1.0 - MARGIN:
            return None
        return wanted, Held(side, weight, speed=min(-rates[0], rates[1]))

    def _turning(self, index: int, surface: Mapping[int, int]) -> dict[int, int]:
        """The relations that turn whenever one does, with the signs of their residues on the positive side of
        its surface: a diode takes over when a switch opens. What turns because its own residue is zero has a
        surface of its own."""
        relations, model = self._run.engine.relations, self._run.engine.structure.model
        cells = self._run.engine.memory.cells
        above = relations.truth_on(index, surface[index])
        found: dict[int, int] = {}
        for k, same in self.watch.turning(index).items():
            is_clear = abs(cells[relations.residues + k]) > cells[relations.bands + k]
            if is_clear and k not in surface and model.surface(k):
                found[k] = 1 if relations.truth_on(k, 1) == (above if same else 1.0 - above) else -1
        return found

    def _slides_along(self, index: int, wanted: OnSurface, held: Held) -> bool:
        """Begins to slide along one surface; ends the run if there is no such motion, and nothing else to be
        expected than chattering."""
        if index not in self._refused:
            try:
                return self.motion.begin({wanted: held})
            except ModelError as reason:
                self._refused[index] = reason
        engine = self._run.engine
        interval, band = self.watch.interval(index), engine.memory.cells[engine.relations.bands + index]
        tight = interval * held.speed <= TIGHT_BANDS * band and not self.watch.shrinks(index)
        if tight and self.watch.is_fast(index, chatter.MOST_FLIPS):
            raise chatter.chattering(self._cause(index), self._run.now, interval, self._refused[index])
        return False

    def _cause(self, index: int) -> Relation:
        """The relation that makes the run chatter, among those that change on one surface: its truth alone
        reverses the motion. Others are only affected. Relations in the user's own file come before those of a
        library."""
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
                if self.motion.begin(wish.on, wish.slack):
                    return True
            except ModelError:
                continue
        run.change_to(before, recorded=False)
        return False

    def _tried(self, wanted: Mapping[OnSurface, Held], slack: float = 0.0) -> bool:
        """Begins to slide along surfaces, no further than `slack` from them, if that is possible."""
        try:
            return self.motion.begin(wanted, slack)
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
        lately = self.watch.lately(index, zeno.FEWEST + 1)
        if lately is None or not self._ahead.is_lost(*lately):
            self._put_off(index)
            return False
        latest, times = lately
        for wish in self._limits.endless(latest, self.watch.since(times[-2])):
            if self._tried(wish.on, wish.slack):
                return True
        self._tried_again[index] = 2 * len(self._run.records)
        return False

    def _may_be_lost(self, index: int) -> bool:
        """Whether errors may decide when a relation changes, by what was recorded: not if it depends on time
        alone, or if states jump when it changes. For that the run need not go to where it is."""
        if not self._run.engine.structure.relations[index].is_time_event:
            lately = self.watch.lately(index, 1)
            if lately is not None and not self._ahead.jumps(lately[0]):
                return True
        self._put_off(index)
        return False

    def _put_off(self, index: int) -> None:
        """A relation that changes often is not lost in errors by now."""
        known = len(self._run.records)
        self._tried_again[index] = known + known // CALM

    # ------------------------------------------------------------ accumulation points

    def _accumulates(self, index: int, news: int, *, ends: bool = True) -> bool:
        """Whether events of a relation accumulate so near that the run continues after them; or it `ends`
        where it cannot. The number of new events is bounded; 0 means that they can no longer be
        distinguished."""
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
            if not lost and self._contacts.is_hit_before(end, index) and not ahead.is_unresolved(series):
                continue  # what hits it finds it as fast as it is by then, and not at rest
            if not ahead.is_plausible(end, series[: last + 1], series[-1]):
                continue
            return self._go_on_after(end, series[: last + 1], series[-1], lost=not news, ends=ends)
        return False

    def _go_on_after(
        self, end: Accumulation, series: Sequence[Crossing], latest: Crossing, *, lost: bool, ends: bool
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
        if not ends:
            return False
        early = run.settings.zeno == "rest" or not jumps
        if early and not lost and not ahead.is_unresolved(series):
            return False  # later, perhaps; until then there are more events
        by_chance = jumps and not lost and len(series) <= zeno.FEWEST
        if by_chance and run.settings.zeno != "stop":
            return False  # an impact or two that follow one another so need no rest
        ahead.arrive(end, series, latest)
        row = len(run.recording) - 1
        run.records.append(EventRecord(run.now, records.ZENO, (index,), (), row, row, ()))
        relation = run.engine.structure.relations[index]
        if run.settings.zeno == "stop":
            raise zeno.stopped(relation, end, by_constraint=series[-1].brief, jumps=bool(jumps))
        assert reason is not None, "the last wish is the plainest one, and says why it cannot be"
        raise zeno.restless(relation, end, reason, by_constraint=series[-1].brief)

    def _goes_to(self, wish: Wish, due: Due) -> bool:
        """Continues as requested, if that is possible. The memory is as it was if not."""
        engine = self._run.engine
        before = engine.memory.array.copy()
        try:
            if wish.pushed:
                self._limits.push(wish)
            begins = self.motion.begin(wish.on, wish.slack, due)
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
            for change in now.surfaces.changes_to(s.relations, self.motion.held[s.wanted].side)
        ]
        if changed:
            self._run.event(records.STATE, changed, ())
        self.watch.skip()
        if self._run.now >= due.end.time:
            self.motion.come_to_the_point()
        return True
