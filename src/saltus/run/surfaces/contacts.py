"""Contacts: surfaces off which a run bounces, several at one instant, and which it never goes through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from saltus.expr.nodes import Op
from saltus.expr.traversal import leaves
from saltus.ir.native.contract import BAND
from saltus.ir.sorted.surfaces import OnSurface
from saltus.result.log import records
from saltus.run.surfaces import zeno
from saltus.run.surfaces.accumulation import Foretelling
from saltus.run.surfaces.event_notes import Crossing, EventWatch
from saltus.run.surfaces.host import Host
from saltus.run.surfaces.limits import Held, Limits
from saltus.run.surfaces.zeno import Accumulation

#: The largest number of impacts of one instant, and the slowest one relative to the first.
MOST_STRIKES, SLOW = 1000, 1e-9

#: How far a run may be inside of what it has rested on, in tolerances, or tenfold bands.
DEEP = 1e3


class Contacts:
    """The contacts of one run. `held` is how surfaces were held on which it has rested."""

    def __init__(
        self,
        run: Host,
        limits: Limits,
        ahead: Foretelling,
        watch: EventWatch,
        held: Mapping[OnSurface, Held],
    ) -> None:
        self._run, self._limits, self._ahead = run, limits, ahead
        self._watch, self._held = watch, held
        #: Surfaces on which the run has rested, or was hit: their first relations, and their inner sides.
        self.touched: dict[int, int] = {}
        #: Relations whose intervals have become shorter.
        self.suspected: set[int] = set()

    def refuse_penetration(self) -> None:
        """Ends a run that has gone through a surface on which it has rested before, or off which it bounced:
        an impact that would have thrown it back was lost. To be called now and then."""
        if not self.touched and not self.suspected:
            return
        run, engine = self._run, self._run.engine
        on = {one.relation for one in engine.surfaces.on}
        free = {k: side for k, side in self.touched.items() if k not in on}
        suspected = [k for k in self.suspected if k not in free]
        if not free and not suspected:
            return
        run.arrive()
        cells, relations = engine.memory.cells, engine.relations

        def depth(k: int, side: int) -> float:
            """How far the run is inside, if that is too far."""
            found, band = side * cells[relations.residues + k], float(engine.at_zero.narrow_bands[k])
            inside = cells[relations.truth + k] == relations.truth_on(k, side)
            limit = DEEP * max(10.0 * band, run.settings.tolerance * band / BAND)
            return float(found) if inside and found > limit else 0.0

        free |= self._bouncing(k for k in suspected if depth(k, 1) or depth(k, -1))
        for k, side in free.items():
            if depth(k, side) and self.is_asserted(k):
                raise zeno.penetrated(engine.structure.relations[k], run.now, depth(k, side))

    def is_asserted(self, leader: int) -> bool:
        """Whether a when-clause is active that reinitialises what a surface has held: if none is, nothing is
        there any more that could be hit."""
        memory, structure = self._run.engine.memory, self._run.engine.structure
        reduction = structure.reduction  # what is reinitialised may be no state while the surface holds it
        jumps = (*structure.model.jumps, *(reduction.jumps if reduction is not None else ()))
        held = self._held.get(OnSurface(leader, resting=True))
        names = held.directions if held is not None else {j.state.name for j in jumps}
        clauses = {
            leaf
            for j in jumps
            if j.state.name in names
            for leaf in leaves(j.condition)
            if leaf.op is Op.REF and leaf in memory.layout.slots
        }
        return any(memory.cells[memory.layout.slots[leaf]] != 0.0 for leaf in clauses)

    def _bouncing(self, relations: Iterable[int]) -> dict[int, int]:
        """The relations whose latest events have each thrown something back, with their inner sides."""
        found = {}
        for k in relations:
            series = self._watch.series(k, 0)
            if self._ahead.bounces(series):
                inner = float(series[-1].truth) == self._run.engine.relations.truth_on(k, 1)
                found[k] = 1 if inner else -1
        return found

    def known(self) -> dict[int, int]:
        """The surfaces on which the run has rested, or was hit, and those off which it bounces here, with
        their inner sides."""
        bouncing = self._bouncing(k for k in self.suspected if k not in self.touched)
        return {k: bouncing[k] for k in self._limits.inwards(bouncing)} | self.touched

    def overrun(self) -> dict[int, int]:
        """Surfaces on which the run has rested, off which it bounced, or was hit, and which it is about to go
        through, with their inner sides: their relations have the truths of that side already, since something
        else was hit at the same instant, so that nothing would tell."""
        engine = self._run.engine
        on = {one.relation for one in engine.surfaces.on}
        model = engine.structure.model
        inside = {
            k: side
            for k, side in self.known().items()
            if k not in on and not engine.surfaces.changes_to(model.surface(k), side)
        }
        least = self._limits.least_speed()
        found = {k for k, speed in self._limits.approaches(inside).items() if speed > least} if inside else ()
        return {k: inside[k] for k in found if self.is_asserted(k)}

    def is_hit_before(self, end: Accumulation, index: int) -> bool:
        """Whether another contact is about to close before a series of impacts on one ends, by how it moves
        and how hard that one is pressed on, as far as the run knows contacts by their impacts."""
        run, engine = self._run, self._run.engine
        surface = engine.structure.model.surface(index)
        on = {one.relation for one in engine.surfaces.on}
        changed = self._watch.since(run.settings.start_time)
        surfaces = {k: engine.structure.model.surface(k) for k in changed}
        leaders = {k: min(found) for k, found in surfaces.items() if found and found != surface}
        known = [
            k
            for k, leader in leaders.items()
            if leader not in on and self._limits.contact(k, self._watch) is not None
        ]
        if not known or not surface:
            return False
        ahead = max(end.time - run.now, 0.0)
        return self._limits.may_close([leaders[k] for k in known], min(surface), ahead)

    def struck(self, fired: Sequence[tuple[int, float]]) -> dict[int, int]:
        """The surfaces of relations that have fired at the last event, if that made states jump: the first
        relation of each, and the side that it came to."""
        run, found = self._run, {}
        model, last = run.engine.structure.model, run.records[len(run.records) - 1]
        for index, sign in fired:
            surface = model.surface(index) if index < len(model.relations) else {}
            if surface and self._ahead.jumps(Crossing(last.time, index, True, last.left, last.right)):
                found[min(surface)] = int(sign) * surface[index]
        return found

    def strike(self, contacts: Mapping[int, int], since: int) -> None:
        """Impacts of one instant, on several surfaces that touch: as long as one of them is being entered,
        its relations become what they are outside and then what they are inside again, the fastest first.
        Then all that are not entered any more are outside: a hop from there that is lower than the band would
        not be noticed, and neither would its end. `contacts`: surfaces by their first relations, and their
        inner sides. `since`: the number of the record with which the instant begins."""
        run, limits = self._run, self._limits
        before, slowest = run.engine, limits.least_speed()
        model = before.structure.model
        surfaces = {k: model.surface(k) for k in contacts}
        idle: set[int] = set()
        # A band is left at its edge, and by errors; what touches may be hit all the same. What parts is not:
        # compared as zero, it would be hit in the course of another impact.
        touching = limits.inwards(contacts)
        before.at_zero.take_for_zero(j for k in touching if touching[k] >= 0.0 for j in surfaces[k])

        def become(k: int, side: int) -> None:
            changes = run.engine.surfaces.changes_to(surfaces[k], side)
            if changes:
                run.event(records.STATE, changes, ())

        for _ in range(MOST_STRIKES):
            inwards = limits.approaches({k: side for k, side in contacts.items() if k not in idle})
            if not inwards:
                break
            fastest = max(inwards, key=inwards.__getitem__)
            slowest = max(slowest, SLOW * inwards[fastest])
            if inwards[fastest] <= slowest:
                break
            states = before.continuous.states.copy()
            before.at_zero.take_for_zero(surfaces[fastest])
            become(fastest, -contacts[fastest])
            become(fastest, contacts[fastest])
            if run.engine is not before:
                return  # in another mode the contacts are others
            if np.array_equal(states, before.continuous.states):
                idle.add(fastest)  # nothing is there that could be hit: a trapdoor is open
            else:
                idle.clear()
        for k, side in contacts.items():
            if limits.inwards({k: side}).get(k, 0.0) < 0.0:
                become(k, -side)
        before.at_zero.take_as_usual(j for k in contacts for j in surfaces[k])
        self._watch.gather(contacts, since)
        self.touched |= {k: side for k, side in contacts.items() if k not in idle}
