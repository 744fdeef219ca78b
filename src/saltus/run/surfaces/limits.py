"""The motion in the limit where events accumulate. A run that reaches an accumulation point continues in the
limit of its events: with surfaces as constraints, and with weights or reactions that keep it on them
(`saltus.analyse.modes.sliding`). Which surfaces these are, and what holds the model there, is wished for
here; whether there is such a motion is found out by trying, the likeliest wish first.

The motion begins before the point is reached. From the last event on, the part of the model that the events
act on is where it would be in the limit, which is not visibly elsewhere, and everything else is integrated in
the usual way. States that are reinitialised are pushed onto the surface along the directions of their jumps:
so those that share in the jumps, a horizontal speed under friction, have what infinitely many of them give.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import model_error
from saltus.expr.helpers import derivative_name
from saltus.ir.native.contract import BAND, TIME_SLOT
from saltus.ir.sorted.surfaces import OnSurface, Surface
from saltus.run.engine.engine import Engine
from saltus.run.memory.memory import size_number
from saltus.run.surfaces.accumulation import Foretelling
from saltus.run.surfaces.event_notes import Crossing, EventWatch
from saltus.run.surfaces.hops import CURVE, Hop, hops_of, pushes_of, rates_of
from saltus.run.surfaces.host import PROBE, Host
from saltus.run.surfaces.wearing import fades, worn_off
from saltus.run.surfaces.zeno import Accumulation

#: At an accumulation point states are foretold from events that are known to some tolerances.
SLACK = 1e3

#: A surface is touched where its residue is zero within the errors of the states: within a tolerance of its
#: nominal value, but no less and no more than so many bands.
LEAST_TOUCHING, MOST_TOUCHING = 10.0, 1e3

#: The largest number of surfaces that may meet where events accumulate, and of states that are held there.
MOST_SETTLED, MOST_HELD = 4, 6

#: A residue stays zero if it would not move further than this many bands in the whole run.
IMMOVABLE = 1e4

#: States may be so many times as far from their limits as the last change from event to event tells.
SPARE = 1.5

#: So many impacts tell how jumps fade.
OWN = 3

#: States that move a residue by less than this part of what all that jump do have no part in that.
BESIDE = 1e-6

#: Contacts whose jumps are at most so many times as large as those of a series end with it.
ALIKE = 4.0


class Held(NamedTuple):
    """The settings of a program on a surface: the side whose truths it keeps, the initial multiplier, and how
    states are pushed."""

    side: int
    multiplier: float
    directions: Mapping[str, float] = {}
    speed: float = 0.0  # at which the residue moves towards zero, on the slower side
    place: float | None = None  # of the state that is held, if not where it is
    worn: Mapping[str, float] = {}  # states that infinitely many impacts wear off, with their limits
    fading: Mapping[str, float] = {}  # states whose jumps fade faster than the impacts, with what is to come


class Due(NamedTuple):
    """An accumulation point that is still to come, of events of a relation, in the motion on surfaces that
    goes on after it; or the run `stops` there."""

    end: Accumulation
    relation: int
    on: tuple[OnSurface, ...] = ()
    stops: bool = False

    def stored(self) -> list[Any]:
        """The accumulation point as plain data."""
        return [astuple(self.end), self.relation, [one.stored() for one in self.on], self.stops]

    @classmethod
    def restored(cls, stored: Sequence[Any]) -> Due:
        """From plain data."""
        end, relation, on, stops = stored
        return cls(Accumulation(*end), relation, tuple(OnSurface.restored(one) for one in on), stops)


class Wish(NamedTuple):
    """Surfaces to go on along, how far from them states may be, and whether they are `pushed` there. Nothing
    else is wished for after a `final` one."""

    on: Mapping[OnSurface, Held]
    slack: float
    pushed: bool = False
    final: bool = False


class Limits:
    """Wishes for one run."""

    def __init__(self, run: Host, ahead: Foretelling) -> None:
        self._run, self._ahead = run, ahead
        self._span = run.settings.stop_time - run.settings.start_time

    def along(self, leader: int) -> OnSurface:
        """The wish to slide along a surface, by the convention that the user wants."""
        return OnSurface(leader, equivalent=self._run.settings.sliding == "equivalent")

    def together(self, relations: Iterable[int]) -> dict[OnSurface, Held]:
        """To slide along the surfaces of all these relations."""
        engine = self._run.engine
        found = (engine.structure.model.surface(index) for index in relations)
        surfaces = {min(surface): surface for surface in found if surface}
        return {self.along(k): Held(engine.surfaces.side_of(s), 0.5) for k, s in surfaces.items()}

    def wishes(
        self, end: Accumulation, series: Sequence[Crossing], latest: Crossing, watch: EventWatch
    ) -> Iterator[Wish]:
        """What may be left when a series of events is over, the `latest` of which may be later than it."""
        since = watch.since(series[-2].time)
        slack = SPARE * self._ahead.spread(series) / (1.0 - end.ratio)  # as far as states would still go
        jumps = self._ahead.jumps(series[-1])
        if not jumps:
            together = self.together(since)
            if len(together) > 1:
                yield Wish(together, slack)
        *likely, last = self.rests(latest, jumps, since, watch, end.time, slack)
        yield from likely
        if jumps:
            yield last._replace(final=False)
        yield from self._settled(latest, since, max(slack, 2.0 * _largest(jumps)), series)
        yield last

    def endless(self, latest: Crossing, since: Iterable[int]) -> Iterator[Wish]:
        """To slide, by an order that is higher than the first, along surfaces whose relations have changed
        lately, and would go on doing so because of errors."""
        for wish in self._settled(latest, since, 0.0):
            if not any(one.held for one in wish.on):
                yield wish._replace(on={replace(one, endless=True): held for one, held in wish.on.items()})

    @property
    def _slack(self) -> float:
        """How far from a surface states may be because of the errors of the integrator."""
        engine = self._run.engine
        sizes = (size_number(engine.memory, v) for v in engine.structure.states)
        return SLACK * self._run.settings.tolerance * max(sizes, default=1.0)

    def _settled(
        self, latest: Crossing, since: Iterable[int], slack: float, series: Sequence[Crossing] = ()
    ) -> Iterator[Wish]:
        """To slide, by an order that is higher than the first, along the surfaces of relations that have
        changed lately: one of them holds the model on all; or a state is held where the series leads it, or
        where it is."""
        engine, model = self._run.engine, self._run.engine.structure.model
        found = {min(s): s for k in {latest.relation, *since} if (s := model.surface(k))}
        if not 1 <= len(found) <= MOST_SETTLED:
            return
        # Where a residue is zero within its band, what it is the integral of is known to the root of that.
        bands = [engine.memory.cells[engine.relations.bands + k] for k in found]
        slack = max(slack, self._slack, (10.0 / BAND) ** 0.5 * max(bands))
        sides = {k: Held(engine.surfaces.side_of(s), 0.5) for k, s in found.items()}
        influences = {k: engine.surfaces.influence(s) for k, s in found.items()}
        equivalent = self._run.settings.sliding == "equivalent"

        def wish(leader: int, held: str = "") -> Wish:
            place = self._ahead.limit(held, series) if held else None
            if place is not None and not abs(place - engine.named.now()[held]) <= slack:
                place = None
            on = {
                OnSurface(leader, equivalent=equivalent, settled=True, held=held): sides[leader]._replace(
                    place=place
                )
            }
            for k in found:
                if k != leader:
                    follows = -1 if float(influences[leader] @ influences[k]) < 0.0 else 1
                    on[OnSurface(k, equivalent=equivalent, settled=True, follows=follows)] = sides[k]
            return Wish(on, slack)

        # One that is crossed as fast with the truths of either side holds what it is the integral of as well.
        drifts = {k: engine.surfaces.drifts(s, PROBE * self._span) or (0.0, 0.0) for k, s in found.items()}
        for leader in sorted(found, key=lambda k: abs(drifts[k][0] - drifts[k][1])):
            yield wish(leader)
        # What the events act on most is held last: what follows from it by integration holds it as well.
        moved = self._ahead.jumps(latest).keys() | self._ahead.jumps(latest, order=1).keys()
        in_residues = self._acting_on(found)
        states = [v.name for v in engine.structure.states if v.name in in_residues | moved]
        for name in sorted(states, key=lambda n: n in moved)[:MOST_HELD]:
            yield wish(min(found), name)

    def _acting_on(self, leaders: Iterable[int]) -> set[str]:
        """The states on which residues depend, however many variables are between."""
        engine, found = self._run.engine, set()
        places = [engine.relations.residues + k for k in leaders]
        before = engine.memory.array.copy()
        engine.continuous.crossings()
        residues = engine.memory.array[places]
        for k, v in enumerate(engine.structure.states):
            engine.memory.array[:] = before
            size = size_number(engine.memory, engine.structure.states[k])
            engine.continuous.states[k] += SLACK * self._run.settings.tolerance * size
            engine.continuous.crossings()
            if np.any(engine.memory.array[places] != residues):
                found.add(v.name)
        engine.memory.array[:] = before
        return found

    def held(self, leaders: Sequence[int]) -> Iterator[Wish]:
        """To stay on the surfaces of these relations in a point where the run stands still: a state is held
        there."""
        engine, model = self._run.engine, self._run.engine.structure.model
        equivalent = self._run.settings.sliding == "equivalent"
        sides = {k: Held(engine.surfaces.side_of(model.surface(k)), 0.5) for k in leaders}
        first = min(leaders)
        others = {OnSurface(k, equivalent=equivalent, settled=True, follows=1): sides[k] for k in leaders}
        for v in engine.structure.states[:MOST_HELD]:
            one = OnSurface(first, equivalent=equivalent, settled=True, held=v.name)
            rest = {on: side for on, side in others.items() if on.relation != first}
            yield Wish({one: sides[first], **rest}, self._slack)

    def rests(
        self,
        latest: Crossing,
        jumps: Mapping[str, float],
        since: Iterable[int],
        watch: EventWatch,
        end: float,
        slack: float = 0.0,
    ) -> Iterator[Wish]:
        """To rest on a surface by the time `end`, after an event at which states have jumped: with all other
        surfaces on which they jump, of relations that have changed lately, and off which no hop goes on
        after that time; or alone."""
        largest = _largest(jumps)
        contacts = {latest.relation: latest}
        for index in since if jumps else ():
            found = self.contact(index, watch)
            if found is not None and _largest(self._ahead.jumps(found)) <= ALIKE * largest:
                contacts.setdefault(index, found)
        alone, held = self._resting_after(latest, watch)
        others = dict(self._resting_after(contact, watch) for contact in contacts.values())
        resting = self._ending({alone: held} | others, alone, end)
        slack = max(slack, 2.0 * largest, self._slack)
        if len(resting) > 1:
            yield Wish(resting, slack, pushed=True)
        yield Wish({alone: held}, slack, pushed=bool(held.directions), final=True)

    def _resting_after(self, contact: Crossing, watch: EventWatch) -> tuple[OnSurface, Held]:
        """To rest on a surface after impacts with it, without what they wear off."""
        series = self._own(contact.relation, contact.truth, watch) or [contact]
        jumps = [self._ahead.jumps(crossing) for crossing in series]
        beside = self._beside(contact.relation, jumps[-1])
        before, after = self._ahead.limits(series[-1])
        worn = worn_off(self._run.engine, beside, before, after)
        main = max((n for n in jumps[-1] if n not in beside), key=lambda n: abs(jumps[-1][n]), default="")
        fading: dict[str, float] = {}
        for name in beside if main and len(series) == OWN else ():
            both = [[jump.get(n, 0.0) for jump in jumps] for n in (name, main)]
            if name not in worn and (left := fades(*both)) is not None:
                fading[name] = left
        kept = {name: jump for name, jump in jumps[-1].items() if name not in worn and name not in fading}
        on, held = self._resting(contact.relation, contact.truth, kept)
        return on, held._replace(worn=worn, fading=fading)

    def _beside(self, index: int, jumps: Mapping[str, float]) -> list[str]:
        """The states that jump with an impact and have no part in how fast the surface is approached."""
        engine = self._run.engine
        surface = engine.structure.model.surface(index)
        if not surface or len(jumps) < 2:
            return []
        states, names = engine.continuous.states.copy(), [v.name for v in engine.structure.states]
        now = self._rates([min(surface)], states)

        def moved(some: Mapping[str, float]) -> float:
            pushed = states + [some.get(name, 0.0) for name in names]
            return abs(float((self._rates([min(surface)], pushed) - now)[0]))

        least = BESIDE * moved(jumps)
        return [name for name in jumps if name in names and moved({name: jumps[name]}) <= least]

    def contact(self, index: int, watch: EventWatch) -> Crossing | None:
        """The last of the latest two changes of a relation that made states jump."""
        if self._run.engine.structure.model.surface(index):
            for back in (0, 1):
                series = watch.series(index, back)
                if series and self._ahead.jumps(series[-1]):
                    return series[-1]
        return None

    def _own(self, index: int, truth: bool, watch: EventWatch) -> list[Crossing]:
        """The last events at which a relation has come to this truth and no other one has changed, if states
        jumped: where several surfaces are hit at once, the jumps cannot be attributed."""
        series = next((s for back in (0, 1) if (s := watch.series(index, back)) and s[-1].truth == truth), [])
        return list(islice((c for c in reversed(series) if c.alone and self._ahead.jumps(c)), OWN))[::-1]

    def is_low(self, contact: Crossing) -> bool:
        """Whether the run touches a surface and sets out on a hop that is lower than the band, so that its
        end would not be noticed, or than the tolerance, so that it is lost in errors; or comes to it no
        faster than such a hop ends; or moves on into it, with the truths that it has inside, so that no event
        would tell."""
        engine = self._run.engine
        surface = engine.structure.model.surface(contact.relation)
        leader, held = self._resting(contact.relation, contact.truth, {})
        if not surface or leader.relation not in self.inwards({leader.relation: held.side}):
            return False
        return self._hops({leader: held})[leader].rise() <= self._lowest(leader.relation)

    def _ending(self, resting: dict[OnSurface, Held], first: OnSurface, end: float) -> dict[OnSurface, Held]:
        """Of these surfaces the first one and those off which no hop goes on after the time `end`, or none
        that would be noticed: a body in the middle of a hop does not come to rest because another one
        does."""
        left = end - self._run.now
        while True:
            hops = self._hops(resting)
            found = {}
            for one, held in resting.items():
                is_low = max(hops[one].away, 0.0) + hops[one].rise() <= self._lowest(one.relation)
                if one == first or is_low or hops[one].lasts() <= left:
                    found[one] = held
            if len(found) == len(resting):
                return found
            resting = found  # what they have pressed on each other is gone with those that do not rest

    def _hops(self, resting: Mapping[OnSurface, Held]) -> dict[OnSurface, Hop]:
        """How what bounces off these surfaces moves just now."""
        engine = self._run.engine
        leaders, sides = [one.relation for one in resting], [held.side for held in resting.values()]
        hops = hops_of(engine, leaders, sides, [held.directions for held in resting.values()], self._span)
        return dict(zip(resting, hops, strict=True))

    def _lowest(self, leader: int) -> float:
        """How high a hop must be so that its end is noticed, and it is not lost in errors."""
        engine = self._run.engine
        band = float(engine.memory.cells[engine.relations.bands + leader])
        return max(band, self._run.settings.tolerance * band / BAND)

    def _resting(self, index: int, truth: bool, jumps: Mapping[str, float]) -> tuple[OnSurface, Held]:
        """To rest on a surface, where a relation with this truth makes states jump in these directions."""
        engine = self._run.engine
        surface = engine.structure.model.surface(index)
        contact = 1 if float(truth) == engine.relations.truth_on(index, surface[index]) else -1
        largest = _largest(jumps)
        directions = {name: jump / largest for name, jump in jumps.items()}
        if directions and self._presses(min(surface), contact, directions):
            # An impact that an error of integration has made, while the run was on its way from the surface,
            # throws it back; but reactions push away from surfaces, whatever the last jump was.
            directions = {name: -d for name, d in directions.items()}
        return OnSurface(min(surface), resting=True), Held(contact, 0.0, directions)

    def _presses(self, leader: int, side: int, directions: Mapping[str, float]) -> bool:
        """Whether a jump along these directions moves a residue towards a side."""
        engine = self._run.engine
        states = engine.continuous.states.copy()
        pushed = states + [directions.get(v.name, 0.0) for v in engine.structure.states]
        rates = [float(self._rates([leader], s)[0]) for s in (states, pushed)]
        return side * (rates[1] - rates[0]) > 0.0

    def holds(self, before: Engine, engine: Engine, surface: Surface) -> bool:
        """Whether a program keeps the model on a surface to which it gives no equation of its own. Residues
        are computed by the program `before` it, in which relations are not fixed."""
        if not surface.wanted.settled or not (surface.wanted.follows or surface.wanted.held):
            return True
        step = PROBE * self._span
        kept, memory = engine.memory.array.copy(), before.memory.array.copy()
        names = [v.name for v in before.structure.states]
        residues, failed = [], False
        for ahead in (0.0, step):
            if ahead:
                engine.continuous.advance(ahead)
                failed = bool(engine.continuous.outputs()) or failed
            now = engine.named.now()
            before.memory.cells[TIME_SLOT] = engine.memory.cells[TIME_SLOT]
            before.continuous.states[:] = [now[name] for name in names]
            failed = bool(before.continuous.crossings()) or failed
            residues.append(before.memory.cells[before.relations.residues + surface.leader])
        engine.memory.array[:], before.memory.array[:] = kept, memory
        moved = abs(residues[1] - residues[0]) / step * self._span
        band = before.memory.cells[before.relations.bands + surface.leader]
        return not failed and bool(moved <= IMMOVABLE * band)

    def inwards(self, contacts: Mapping[int, int]) -> dict[int, float]:
        """How fast the residues of surfaces on which the run is move, towards the sides that are given with
        the first relations."""
        engine = self._run.engine
        rates = self._rates(list(contacts), engine.continuous.states.copy())
        engine.continuous.relations()
        cells, relations = engine.memory.cells, engine.relations
        touching = min(max(self._run.settings.tolerance / BAND, LEAST_TOUCHING), MOST_TOUCHING)
        return {
            k: side * float(rate)
            for (k, side), rate in zip(contacts.items(), rates, strict=True)
            if abs(cells[relations.residues + k]) <= touching * cells[relations.bands + k]
        }

    def approaches(self, contacts: Mapping[int, int]) -> dict[int, float]:
        """Speeds of approach without the contribution of the acceleration along the step from which they are
        computed: what rests under its weight does not move. So the step may be longer, which reveals slower
        ones."""
        engine, near = self._run.engine, list(self.inwards(contacts))
        states, step = engine.continuous.states.copy(), CURVE * self._span
        once, twice = (rates_of(engine, near, states, n * step) for n in (1.0, 2.0))
        rates = zip(near, (2.0 * once - twice).tolist(), strict=True)
        return {k: contacts[k] * rate for k, rate in rates}

    def may_close(self, others: Sequence[int], pressed: int, ahead: float) -> bool:
        """Whether one of the residues of other relations may be zero by so much time ahead, at its speed, and
        with what presses on a surface acting on it as well."""
        engine, leaders = self._run.engine, [*others, pressed]
        states, step = engine.continuous.states.copy(), CURVE * self._span
        speeds = self._rates(leaders, states)
        before = engine.memory.array.copy()
        engine.memory.routines["evaluate"]()
        engine.continuous.advance(step)
        later = self._rates(leaders, engine.continuous.states.copy())
        engine.memory.array[:] = before
        engine.continuous.relations()
        distances = np.abs(engine.memory.section("residues")[list(others)])
        bend = abs(float(later[-1] - speeds[-1])) / step
        return bool(np.any(distances <= (np.abs(speeds[:-1]) + 0.5 * bend * ahead) * ahead))

    def least_speed(self) -> float:
        """The speed below which an approach cannot be distinguished from rest by differences along so small a
        step."""
        largest = float(np.abs(self._run.engine.continuous.states).max(initial=1.0))
        return 64.0 * float(np.finfo(float).eps) * largest / (CURVE * self._span)

    # ------------------------------------------------------------ pushing

    def push(self, wish: Wish) -> None:
        """Gives states the jumps along their directions after which no residue moves any more, and what
        impacts wear off its limits."""
        engine = self._run.engine
        leaders = [one.relation for one in wish.on]
        names = [v.name for v in engine.structure.states]
        directions = np.array([[h.directions.get(n, 0.0) for n in names] for h in wish.on.values()])
        states = engine.continuous.states.copy()
        now, matrix = self._rates(leaders, states), pushes_of(engine, leaders, directions, self._span)
        if np.all(np.isfinite(matrix)) and np.all(np.isfinite(now)):
            jumps = np.linalg.lstsq(matrix, -now, rcond=1e-6)[0]
            states += jumps @ directions
            worn = {name: limit for held in wish.on.values() for name, limit in held.worn.items()}
            for name, limit in worn.items():
                if not math.isfinite(limit):
                    raise model_error("E302", f"infinitely many impacts lead `{name}` to no limit")
            for held in wish.on.values():
                states += [held.fading.get(name, 0.0) for name in names]
            pairs = zip(names, states.tolist(), strict=True)
            engine.continuous.states[:] = [worn.get(name, state) for name, state in pairs]
            engine.memory.routines["evaluate"]()

    def refuse_what_moves_again(self, engine: Engine, on: Mapping[OnSurface, Held]) -> None:
        """An error if something moves what impacts have worn off, and would go on wearing off: the motion
        that is left does not know of impacts."""
        now = engine.named.now()
        for one, held in on.items():
            for name in held.worn:
                rate = now.get(derivative_name(name), 0.0)
                size = max(size_number(engine.memory, v) for v in engine.structure.states if v.name == name)
                if not abs(rate) * self._span <= self._run.settings.tolerance * size:
                    text = engine.structure.model.relations[one.relation].text
                    raise model_error(
                        "E302",
                        f"impacts wear `{name}` off however weak they are, and something accelerates it "
                        f"while `{text}` is held",
                    )

    def _rates(self, leaders: Sequence[int], states: NDArray[np.float64]) -> NDArray[np.float64]:
        """How fast residues of surfaces move where the states have these values. The memory stays as it
        is."""
        return rates_of(self._run.engine, leaders, states, PROBE * self._span)


def _largest(jumps: Mapping[str, float]) -> float:
    return max(map(abs, jumps.values()), default=0.0)
