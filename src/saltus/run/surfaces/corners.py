"""Instants at which surfaces meet while a mode is sought: which of them the run goes on along, and on which
side of the others, chosen together with the mode.

A friction that sticks is on neither side of its surface, and bears any force in between. Whether a free-wheel
opens depends on that force, and whether the friction sticks depends on the free-wheel. With the friction of
one side every mode may contradict itself; with that of the other, too. So a surface that the run is on, or
at, is an unknown of the instant with three values: on one side, on the other, or along it. This is the
complementarity problem of Coulomb's law,

    along it        the weight of the sides is between 0 and 1
    on a side       the residue does not move to the other side

with the modes of everything else among its unknowns. It is solved by pivoting with the least index (Murty
1974): of the surfaces that contradict their place the first gets the one that it asks for; if that goes round
in a circle, all places are tried, those with few changes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from saltus.core.diagnostics import RunError
from saltus.expr.nodes import ref
from saltus.ir.sorted.surfaces import OnSurface
from saltus.run.engine.engine import Engine
from saltus.run.modes.choices import Choices
from saltus.run.surfaces.host import Host
from saltus.run.surfaces.limits import Held, Limits
from saltus.run.surfaces.places import exist_in, is_at, keeps, multiplier

#: The largest number of surfaces that may meet; and the largest number of which all positions are tried.
MOST_MEETING, MOST_TRIED = 8, 3

#: The place along a surface; the others are its sides, 1 and -1.
ALONG = 0


class Corner(NamedTuple):
    """Where a run goes on: along these surfaces; and the relations that change when it goes there, with the
    signs of the sides on which they are then."""

    on: frozenset[OnSurface]
    changes: tuple[tuple[int, float], ...]


class Corners:
    """The corners of one run. `held` records how it is held on surfaces."""

    def __init__(self, run: Host, choices: Choices, limits: Limits, held: dict[OnSurface, Held]) -> None:
        self._run, self._choices, self._limits, self._held = run, choices, limits, held

    def found(
        self,
        fired: Sequence[tuple[int, float]],
        due: Sequence[int],
        leaving: Mapping[OnSurface, int],
    ) -> Corner | None:
        """Where the run goes on after an event, from left limits that are computed: of relations that `fired`
        and of clocks that tick; surfaces that it is leaving come with the sides to which it leaves. None
        where no surface takes part, where there is no such place, or where the relations and the mode can be
        chosen as ever. The memory stays as it is, but for relations that do not rest at zero any more."""
        if self._choices.jumps or self._choices.programs is None:
            return None
        meeting = self._meeting(fired, leaving)
        if meeting is None or len(meeting.places) < (1 if self._run.has_modes else 2):
            return None
        tried: dict[tuple[int, ...], dict[int, int] | None] = {}
        first = dict(meeting.places)
        for places in self._candidates(meeting, first, tried):
            key = tuple(places.values())
            if key not in tried:
                tried[key] = self._wrong(meeting, places, due)
            if tried[key] == {}:
                if places == first and not leaving and not meeting.before.surfaces.on:
                    return None
                meeting.free(places, self._run.now)
                return Corner(meeting.on(places), meeting.changes(places))
        return None

    def told(self, engine: Engine) -> None:
        """An engine on surfaces to which the run has come from elsewhere knows how it is held there."""
        for surface in engine.structure.surfaces:
            held = self._held.get(surface.wanted)
            engine.memory.store(surface.side, float(held.side if held is not None else 1))
            engine.memory.store(surface.multiplier, 0.5)
            for copy, name in surface.copies.items():  # where Newton's method begins
                engine.memory.store(copy, self._run.engine.named.now().get(name, 0.0))
        engine.surfaces.presume_kept()

    def relations_of(self, one: OnSurface) -> Mapping[int, int]:
        """The relations of a surface."""
        return self._choices.first.structure.model.surface(one.relation)

    # ------------------------------------------------------------ which surfaces, and where first

    def _meeting(
        self, fired: Sequence[tuple[int, float]], leaving: Mapping[OnSurface, int]
    ) -> _Meeting | None:
        """The surfaces that the run is on, and those at which it is; None where some of them hold each other,
        or rest, or they are too many."""
        engine = self._run.engine
        model, relations, cells = engine.structure.model, engine.relations, engine.memory.cells
        found = _Meeting(engine, {}, {}, {}, [])
        for one in sorted(engine.surfaces.on):
            if one.resting or one.settled:
                return None
            surface = next(s for s in engine.structure.surfaces if s.wanted == one)
            found.add(one, surface.relations, leaving.get(one, ALONG))
        own, sides = len(engine.structure.relations), dict(fired)
        deciding = {*self._run.deciding()}
        taken = {k for surface in found.surfaces.values() for k in surface}
        for k in relations.of_states:
            if k >= own or k in taken or k in deciding:
                continue
            if k not in sides and cells[relations.signs + k] != 0.0:
                continue
            surface_of = model.surface(k)
            if not surface_of:
                continue
            taken |= surface_of.keys()
            leader = min(surface_of)
            side = engine.surfaces.side_of(surface_of)
            if k in sides:
                side = 1 if sides[k] * surface_of[k] > 0 else -1
            wanted = self._limits.along(leader)
            self._held.setdefault(wanted, Held(side, 0.5))
            found.add(wanted, surface_of, side)
        if len(found.places) > MOST_MEETING:
            return None
        found.fired.extend((k, side) for k, side in fired if k < own and k not in taken)
        return found

    def _candidates(
        self,
        meeting: _Meeting,
        first: Mapping[int, int],
        tried: Mapping[tuple[int, ...], dict[int, int] | None],
    ) -> Iterator[dict[int, int]]:
        """Places to be tried: where pivoting leads, then all."""
        places, seen = dict(first), set[tuple[int, ...]]()
        while tuple(places.values()) not in seen:
            seen.add(tuple(places.values()))
            yield dict(places)
            wrong = tried[tuple(places.values())]
            if not wrong:
                break
            k = min(wrong)
            places[k] = wrong[k]
        leaders = list(first)
        for count in range(1, min(len(leaders), MOST_TRIED) + 1):
            for chosen in combinations(leaders, count):
                others = [[p for p in (ALONG, 1, -1) if p != first[k]] for k in chosen]
                for new in product(*others):
                    yield {**first, **dict(zip(chosen, new, strict=True))}

    # ------------------------------------------------------------ what contradicts a place

    def _wrong(
        self, meeting: _Meeting, places: Mapping[int, int], due: Sequence[int]
    ) -> dict[int, int] | None:
        """The surfaces that contradict their places, with those that they ask for; None where there is no
        mode at all."""
        run, before = self._run, meeting.before
        kept, endings = before.memory.array.copy(), list(before.iteration.endings)
        values = before.named.now()
        meeting.free(places, run.now)
        now = before
        try:
            with run.bound(meeting.on(places), self.told):
                now = run.outcome(meeting.changes(places), due)
            return self._contradicted(meeting, places, now, values)
        except RunError:
            return None
        finally:
            before.memory.array[:] = kept
            before.iteration.take_warned()
            before.iteration.endings[:] = endings
            now.iteration.take_warned()

    def _contradicted(
        self, meeting: _Meeting, places: Mapping[int, int], now: Engine, values: Mapping[str, float]
    ) -> dict[int, int] | None:
        """What a mode says of the places that it was entered with. An impulse decides before anything else:
        no friction can give one, so what would have to do so is left. None where what was held has ceased to
        exist."""
        if not exist_in(now, meeting.before):
            return None
        entry, cells, relations = now.structure.entry, now.memory.cells, now.relations
        slots = now.memory.layout.slots
        wrong: dict[int, int] = {}
        for surface in now.structure.surfaces:
            unknown = entry.impulses.get(surface.multiplier) if entry is not None else None
            impulse = cells[slots[ref(unknown)]] if unknown is not None else 0.0
            if impulse:
                wrong[surface.leader] = 1 if impulse > 0.0 else -1
            elif not keeps(now, surface):
                wrong[surface.leader] = -1 if multiplier(now, surface) < 0.5 else 1
        if now.structure.surfaces and entry is None and not is_at(values, self._choices.first, now):
            return None
        aside = [k for k, place in places.items() if place != ALONG]
        moves = now.at_zero.leanings(aside)
        for k in aside:
            is_elsewhere = cells[relations.truth + k] != relations.truth_on(k, places[k])
            if is_elsewhere and cells[relations.signs + k] != 0.0:
                wrong[k] = -places[k]  # it has jumped there
            elif is_elsewhere or moves.get(k, 0.0) * places[k] < 0.0:
                wrong[k] = ALONG
        return wrong


class _Meeting:
    """The surfaces that meet where an engine is, by their first relations: what they are called, their
    relations, and where they are presumed to be. Other relations have `fired`."""

    def __init__(
        self,
        before: Engine,
        wanted: dict[int, OnSurface],
        surfaces: dict[int, Mapping[int, int]],
        places: dict[int, int],
        fired: list[tuple[int, float]],
    ) -> None:
        self.before, self.wanted, self.surfaces = before, wanted, surfaces
        self.places, self.fired = places, fired

    def add(self, wanted: OnSurface, surface: Mapping[int, int], place: int) -> None:
        """One more surface."""
        leader = wanted.relation
        self.wanted[leader], self.surfaces[leader], self.places[leader] = wanted, surface, place

    def on(self, places: Mapping[int, int]) -> frozenset[OnSurface]:
        """The surfaces along which the run goes."""
        return frozenset(self.wanted[k] for k, place in places.items() if place == ALONG)

    def changes(self, places: Mapping[int, int]) -> tuple[tuple[int, float], ...]:
        """The relations that change, with their signs."""
        found = list(self.fired)
        for k, place in places.items():
            if place != ALONG:
                found += self.before.surfaces.changes_to(self.surfaces[k], place)
        return tuple(found)

    def free(self, places: Mapping[int, int], time: float) -> None:
        """Relations whose residues are zero because they were held there, or have just come there, do not
        rest there, and what is known of how they have crossed is a presumption only: in the memory."""
        cells, relations = self.before.memory.cells, self.before.relations
        directions = self.before.memory.section("directions")
        for surface in self.surfaces.values():
            directions[list(surface)] = 0.0
        for k, place in places.items():
            for index in self.surfaces[k] if place != ALONG else ():
                cells[relations.signs + index] = 0.0
                cells[relations.zero_since + index] = time
