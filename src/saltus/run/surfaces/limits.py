"""The motion that is left where events accumulate.

A run that comes to an accumulation point goes on in the limit of its events: with surfaces as constraints,
and with weights or reactions that keep it on them (`saltus.analyse.modes.sliding`). Which surfaces these are,
and what holds the model there, is wished for here; whether there is such a motion is found out by trying, the
likeliest wish first.

The motion begins before the point is reached. From the last event on, the part of the model that the events
act on is where it would be in the limit, which is not visibly elsewhere, and everything else is integrated in
the usual way. States that are reinitialised are pushed onto the surface along the directions of their jumps:
so those that share in the jumps, a horizontal speed under friction, have what infinitely many of them give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.ir.structure import OnSurface
from saltus.run.surfaces.accumulation import Foretelling
from saltus.run.surfaces.event_notes import Crossing, EventWatch
from saltus.run.surfaces.host import PROBE, Host
from saltus.run.surfaces.zeno import Accumulation

#: At an accumulation point states are foretold from events that are known to some tolerances.
SLACK = 1e3

#: Contacts whose jumps are at most so many times as large as those of a series end with it.
ALIKE = 4.0


class Held(NamedTuple):
    """What a program on a surface has to be told: the side whose truths it keeps, where the multiplier
    begins, and how states are pushed."""

    side: int
    multiplier: float
    directions: Mapping[str, float] = {}
    speed: float = 0.0  # at which the residue moves towards zero, on the slower side


class Due(NamedTuple):
    """An accumulation point that is still to come, of events of a relation, in the motion on surfaces that
    goes on after it; or the run `stops` there."""

    end: Accumulation
    relation: int
    on: tuple[OnSurface, ...] = ()
    stops: bool = False

    def stored(self) -> list[Any]:
        """As plain data."""
        return [astuple(self.end), self.relation, [astuple(one) for one in self.on], self.stops]

    @classmethod
    def restored(cls, stored: Sequence[Any]) -> Due:
        """From plain data."""
        end, relation, on, stops = stored
        return cls(Accumulation(*end), relation, tuple(OnSurface(*one) for one in on), stops)


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

    def wishes(self, series: Sequence[Crossing], latest: Crossing, watch: EventWatch) -> Iterator[Wish]:
        """What may be left when a series of events is over, the `latest` of which may be later than it."""
        since = watch.since(series[-2].time)
        slack = self._ahead.spread(series)
        jumps = self._ahead.jumps(series[-1])
        if not jumps:
            together = self.together(since)
            if len(together) > 1:
                yield Wish(together, slack)
        largest = _largest(jumps)
        contacts = {latest.relation: (latest.truth, jumps)}
        for index in since if jumps else ():
            found = self._contact(index, watch)
            if found is not None and _largest(found[1]) <= ALIKE * largest:
                contacts.setdefault(index, found)
        resting = dict(self._resting(index, *found) for index, found in contacts.items())
        slack = max(slack, 2.0 * largest, SLACK * self._run.settings.tolerance)
        if len(resting) > 1:
            yield Wish(resting, slack, pushed=True)
        alone, held = self._resting(latest.relation, latest.truth, jumps)
        yield Wish({alone: held}, slack, pushed=bool(jumps), final=True)

    def _contact(self, index: int, watch: EventWatch) -> tuple[bool, dict[str, float]] | None:
        """The truth that a relation has when its events make states jump, and how far they did at the last of
        them."""
        if self._run.engine.structure.model.surface(index):
            for back in (0, 1):
                series = watch.series(index, back)
                if series and (jumps := self._ahead.jumps(series[-1])):
                    return series[-1].truth, jumps
        return None

    def _resting(self, index: int, truth: bool, jumps: Mapping[str, float]) -> tuple[OnSurface, Held]:
        """To rest on a surface, where a relation with this truth makes states jump in these directions."""
        engine = self._run.engine
        surface = engine.structure.model.surface(index)
        contact = 1 if float(truth) == engine.relations.truth_on(index, surface[index]) else -1
        largest = _largest(jumps)
        directions = {name: jump / largest for name, jump in jumps.items()}
        return OnSurface(min(surface), resting=True), Held(contact, 0.0, directions)

    # ------------------------------------------------------------ pushing

    def push(self, wish: Wish) -> None:
        """Gives states the jumps along their directions after which no residue moves any more."""
        engine = self._run.engine
        leaders = [one.relation for one in wish.on]
        names = [v.name for v in engine.structure.states]
        directions = np.array([[h.directions.get(n, 0.0) for n in names] for h in wish.on.values()])
        states = engine.continuous.states.copy()
        now = self._rates(leaders, states)
        columns = [self._rates(leaders, states + d) - now for d in directions]
        matrix = np.array(columns).T
        if np.all(np.isfinite(matrix)) and np.all(np.isfinite(now)):
            jumps = np.linalg.lstsq(matrix, -now, rcond=1e-6)[0]
            engine.continuous.states[:] = states + jumps @ directions
            engine.memory.routines["evaluate"]()

    def _rates(self, leaders: Sequence[int], states: NDArray[np.float64]) -> NDArray[np.float64]:
        """How fast residues of surfaces move where the states have these values. The memory stays as it
        is."""
        engine, step = self._run.engine, PROBE * self._span
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


def _largest(jumps: Mapping[str, float]) -> float:
    return max(map(abs, jumps.values()), default=0.0)
