"""The limit of a series of events: the accumulation point, and the position of the model there. The series is
examined as it was recorded, event by event; only `arrive` changes the run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from saltus.expr.helpers import derivative_name
from saltus.ir.native.contract import BAND, TIME_SLOT
from saltus.run.surfaces import zeno
from saltus.run.surfaces.event_notes import Crossing
from saltus.run.surfaces.host import PROBE, Host
from saltus.run.surfaces.zeno import Accumulation, accumulation

#: How much further from zero than it moves between events a residue may be where they accumulate.
PLAUSIBLE = 10.0

#: The largest number of remembered points from which a series leads nowhere: those of the latest events
#: count.
MOST_PLACES = 10_000

#: The number of events that throw a residue back after which it counts as a contact.
BOUNCES = 3


class Foretelling:
    """Looks ahead along the series of events of one run."""

    def __init__(self, run: Host) -> None:
        self._run = run
        self._span = run.settings.stop_time - run.settings.start_time
        #: Points where series are known to lead nowhere. Events are examined repeatedly, with others after
        #: them.
        self._nowhere: set[tuple[int, float, float, int, bool]] = set()

    def end(self, series: Sequence[Crossing], news: int) -> tuple[Accumulation, int] | None:
        """The end of a series that is so near that the run should continue after it, and the event from which
        it is predicted. The latest events, so many as are `news`, have not been looked at before. Where
        nothing is reinitialised, what is left is sliding: the sooner it begins, the less is lost in rounding,
        whatever the user wants of contacts."""
        if self._run.settings.zeno == "rest" or not self.jumps(series[-1]):
            return self._first_near(series, len(series) - news)
        if len(series) < 3 or not self.is_unresolved(series):
            return None
        return self.end_at_once(series)

    def end_at_once(self, series: Sequence[Crossing]) -> tuple[Accumulation, int] | None:
        """The end of a series whose events can no longer be distinguished, and the event from which it is
        predicted: the first that was near, or the last one that was still in order."""
        since = 0
        while (found := self._first_near(series, since)) is not None:
            if self._still_leads(series, *found):
                return found
            since = found[1] + 1
        times = [c.time for c in series]
        for last in range(len(times) - 1, 1, -1):
            end = self._led(series, times, last, min(zeno.FEWEST, last))
            if end is not None and self._still_leads(series, end, last):
                return end, last
        return None

    def _still_leads(self, series: Sequence[Crossing], end: Accumulation, last: int) -> bool:
        """Whether a series still approaches the end that was predicted from one of its events. Events that
        cannot be distinguished are near their end: a series that was over long ago does not count. Nor does
        one whose last impact was harder than those before: something else has struck the body in the
        meantime, however short its last hop was."""
        if self._run.now > end.time + end.remaining:
            return False
        if not self.jumps(series[-1]):
            return True
        before = series[max(last - zeno.FEWEST, 0)]
        then, now = (self._rate_in(c, c.right) for c in (before, series[-1]))
        return then is None or now is None or abs(now) <= abs(then)

    def _first_near(self, series: Sequence[Crossing], since: int) -> tuple[Accumulation, int] | None:
        """The end of a series, and the first event, from the one numbered `since` on, that is near it."""
        times = [c.time for c in series]
        size = zeno.NEAR_TOLERANCES * self._run.settings.tolerance / BAND
        acts = bool(series) and self.acts(series[-1])  # else intervals shrink by chance, if by no law
        for last in range(max(zeno.FEWEST, since), len(times)):
            end = self._led(series, times, last)
            jumps = bool(self.jumps(series[last]))
            slows_down = acts and (end is None or jumps) and self._slows_down(series[: last + 1])
            if end is None and slows_down:
                end = self._led(series, times, last, any_law=True)
            if end is None or (jumps and not slows_down):
                continue
            shrunk = end.interval <= zeno.SHRUNK * (times[1] - times[0])
            invisible = self._span * (zeno.SHRUNK_SPAN if shrunk else zeno.NEAR_SPAN)
            if end.remaining <= invisible or self._is_little(series[: last + 1], max(zeno.NEAR, size)):
                return end, last
        return None

    def _led(
        self,
        series: Sequence[Crossing],
        times: Sequence[float],
        last: int,
        fewest: int = zeno.FEWEST,
        *,
        any_law: bool = False,
    ) -> Accumulation | None:
        """Where a series leads to by its events up to the `last` one."""
        place = series[last].relation, times[last], times[last - 1], fewest, any_law
        if place in self._nowhere:
            return None
        found = accumulation(times[: last + 1], fewest, any_law=any_law)
        if found is None:
            if len(self._nowhere) >= MOST_PLACES:
                self._nowhere.clear()
            self._nowhere.add(place)
        return found

    def _slows_down(self, series: Sequence[Crossing]) -> bool:
        """Whether impacts become weaker as they follow one another faster. What is thrown to and fro between
        two others that meet is hit faster and faster, and no more weakly, until it is out: that has no end in
        a rest. Speeds shrink as intervals do where a force presses, and at least like their root by laws of
        higher order."""
        first, last = series[-zeno.STEEP - 1], series[-1]
        if not self.jumps(last):
            return True
        speeds = [self._rate_in(c, c.right) for c in (first, last)]
        if speeds[0] is None or speeds[1] is None or not speeds[0]:
            return True
        intervals = last.time - series[-2].time, series[-zeno.STEEP].time - first.time
        shrunk = intervals[0] / intervals[1] if intervals[1] > 0.0 else 1.0
        return bool(abs(speeds[1] / speeds[0]) <= max(shrunk, 0.0) ** 0.5)

    def _is_little(self, series: Sequence[Crossing], bands: float) -> bool:
        """Whether the residue moves no further than so many of its bands after the last event; but it moves:
        a model that has come to rest by its own rules is none that bounces."""
        last = series[-1]
        band, speed = self._band(last), self._speed(last)
        return speed * self._span > band and zeno.way(last.time - series[-2].time, speed) <= bands * band

    def is_unresolved(self, series: Sequence[Crossing]) -> bool:
        """Whether the events of a series can hardly be distinguished any more. What is thrown back as it
        touches is seen to come down inside of its band as well, as long as that is a motion at all."""
        if not series[-1].brief:
            return self._is_little(series, zeno.RESOLVED)
        slow = self._speed(series[-1]) * self._span <= zeno.CRAWLING * self._band(series[-1])
        return self._is_little(series, zeno.RESOLVED if slow else zeno.RESOLVED_BRIEF)

    def is_lost(self, latest: Crossing, times: Sequence[float]) -> bool:
        """Whether a residue has not moved further than some tolerances in any of the latest intervals between
        changes in one direction, so that errors of integration decide when it changes its sign."""
        if len(times) <= zeno.FEWEST:
            return False
        longest = max(b - a for a, b in pairwise(times))
        engine = self._run.engine
        band, speed = engine.memory.cells[engine.relations.bands + latest.relation], self._speed(latest)
        moves = speed * self._span > band
        size = zeno.NEAR_TOLERANCES * self._run.settings.tolerance / BAND
        return moves and zeno.way(longest, speed) <= size * band

    def is_spurious(self, latest: Crossing) -> bool:
        """Whether a change of a relation contradicts the way its residue went before it: such events are lost
        in the tolerance of the integration."""
        rate = self._rate_in(latest, latest.left)
        return rate is not None and rate * self._towards(latest) < 0.0

    def bounces(self, series: Sequence[Crossing]) -> bool:
        """Whether the latest events of a relation have each thrown its residue back: states jumped, and it
        moved one way before the event and the other way, more slowly, after it."""
        if len(series) < BOUNCES:
            return False
        for crossing in series[-BOUNCES:]:
            before, after = (self._rate_in(crossing, row) for row in (crossing.left, crossing.right))
            if before is None or after is None or not self.jumps(crossing):
                return False
            if (
                before * self._towards(crossing) <= 0.0
                or not -abs(before) < after * self._towards(crossing) < 0.0
            ):
                return False
        return True

    def _towards(self, crossing: Crossing) -> int:
        """The side to which a relation has changed."""
        return 1 if float(crossing.truth) == self._run.engine.relations.truth_on(crossing.relation, 1) else -1

    def _rate_in(self, crossing: Crossing, row: int) -> float | None:
        """How fast the residue of a relation moved in a row of an event: along the derivatives that were
        recorded there, and with the discrete variables, since these may be others in the meantime. None
        where that is not known: the program was another, with other states."""
        engine, step = self._run.engine, PROBE * self._span
        values, names = self._values(row), [v.name for v in engine.structure.states]
        rates = {name: derivative_name(name) for name in names}
        if not all(name in values and rate in values for name, rate in rates.items()):
            return None
        before, residues, failed = engine.memory.array.copy(), [], False
        for v in engine.structure.discretes:  # the same program may have been in another mode
            if v.name in values:
                engine.memory.store(v.symbol, values[v.name])
        for ahead in (0.0, step):
            engine.memory.cells[TIME_SLOT] = crossing.time + ahead
            engine.continuous.states[:] = [values[name] + ahead * values[rates[name]] for name in names]
            failed = bool(engine.continuous.crossings()) or failed
            residues.append(engine.memory.cells[engine.relations.residues + crossing.relation])
        engine.memory.array[:] = before
        rate = (residues[1] - residues[0]) / step
        return None if failed or not math.isfinite(rate) else float(rate)

    def _speed(self, crossing: Crossing) -> float:
        """How fast the residue of a relation set out after an event."""
        rates = self._rates_of(crossing.relation, crossing.time, crossing.right)
        if rates is None and crossing.brief:  # with the truths of one side only, there is no such mode
            return abs(self._rate_in(crossing, crossing.right) or math.inf)
        return max(map(abs, rates)) if rates is not None else math.inf

    def _band(self, crossing: Crossing) -> float:
        """The band of a relation."""
        engine = self._run.engine
        return float(engine.memory.cells[engine.relations.bands + crossing.relation])

    def _rates_of(self, index: int, time: float, row: int) -> tuple[float, float] | None:
        """How fast the residue of a relation moved where a row was recorded, with the truths of its positive
        and of its negative side."""
        engine = self._run.engine
        before = engine.memory.array.copy()
        states = self._values(row)
        engine.memory.cells[TIME_SLOT] = time
        for k, v in enumerate(engine.structure.states):
            engine.continuous.states[k] = states.get(v.name, engine.continuous.states[k])
        rates = engine.surfaces.drifts(engine.structure.model.surface(index), PROBE * self._span)
        engine.memory.array[:] = before
        return rates

    def acts(self, crossing: Crossing) -> bool:
        """Whether an event made states or their derivatives jump."""
        return bool(self.jumps(crossing) or self.jumps(crossing, order=1))

    def jumps(self, crossing: Crossing, order: int = 0) -> dict[str, float]:
        """The states that an event made jump, and how far; or of which the derivative jumped."""
        (left, was), (right, now) = self._row(crossing.left), self._row(crossing.right)
        found: dict[str, float] = {}
        states = [v.name for v in self._run.engine.structure.states]
        for state in states if order else dict.fromkeys([*states, *self._reinitialised()]):
            name = derivative_name(state, order)
            before, after = left.get(name), right.get(name)
            if before is not None and after is not None and was[before] != now[after]:
                found[state] = float(now[after]) - float(was[before])
        return found

    def limits(self, crossing: Crossing) -> tuple[dict[str, float], dict[str, float]]:
        """Everything by name before an event, and after it."""
        return self._values(crossing.left), self._values(crossing.right)

    def _reinitialised(self) -> list[str]:
        """What is reinitialised at events: no state while a surface holds it."""
        structure = self._run.engine.structure
        jumps = (*structure.model.jumps, *(structure.reduction.jumps if structure.reduction else ()))
        return [j.state.name for j in jumps]

    def _values(self, row: int) -> dict[str, float]:
        """Everything that was recorded in a row, by name."""
        columns, values = self._row(row)
        return {name: float(values[column]) for name, column in columns.items()}

    def _row(self, row: int) -> tuple[Mapping[str, int], NDArray[np.float64]]:
        """What was recorded in a row, and in which column the variables are."""
        part, values = self._run.recording.row(row)
        return part.columns, values

    def spread(self, series: Sequence[Crossing]) -> float:
        """How far the states that the events act on have moved from the last but one to the last, at most:
        the end of the series is known much better than that. What has gone there and back again, as the
        integral of a switch does, has moved as far as its rates of either side take it in that time."""
        swinging = self.jumps(series[-1], order=1)
        names = self.jumps(series[-1]).keys() | swinging.keys()
        rows = self._values(series[-2].right), self._values(series[-1].left), self._values(series[-1].right)
        moved = [abs(rows[2][name] - rows[0].get(name, rows[2][name])) for name in names]
        interval = series[-1].time - series[-2].time
        fastest = [[abs(row[derivative_name(name)]) for row in rows[1:]] for name in swinging]
        return max([*moved, *(0.5 * interval * max(rates) for rates in fastest)], default=0.0)

    def limit(self, name: str, series: Sequence[Crossing]) -> float | None:
        """Where a state comes to rest, by what is left of its changes from event to event as the series goes
        on; None where these changes do not shrink."""
        values = [self._values(c.right).get(name) for c in series[-3:]]
        if len(values) < 3 or any(value is None for value in values):
            return None
        a, b, c = (float(value) for value in values if value is not None)
        ratio = (c - b) / (b - a) if b != a else 0.0
        return c + (c - b) * ratio / (1.0 - ratio) if abs(ratio) < 1.0 else None

    # ------------------------------------------------------------ the position

    def is_plausible(self, found: Accumulation, series: Sequence[Crossing], latest: Crossing) -> bool:
        """Whether the residue is about zero at an accumulation point: it may be away from that by what it
        moves between events. A few intervals that shrink by chance lead somewhere else. Where it is not about
        zero after an event either, it is another one in each mode, and says nothing."""
        engine, index = self._run.engine, latest.relation
        speed = self._speed(latest)
        if not math.isfinite(speed):
            return True  # nothing is known to compare with
        now = max(found.time, self._run.now)
        last = self._residue(index, latest.time, self._states_after(latest))
        ahead = self._residue(index, now, self._foretold(found, series, latest, now))
        band = float(engine.memory.cells[engine.relations.bands + index])
        moved = zeno.way(series[-1].time - series[-2].time, speed)
        allowed = PLAUSIBLE * max(moved, band, self._run.settings.tolerance * band / BAND)
        return last > allowed or ahead <= allowed

    def _states_after(self, crossing: Crossing) -> NDArray[np.float64]:
        """The states that were recorded after an event; present ones where it had others."""
        engine, values = self._run.engine, self._values(crossing.right)
        pairs = zip(engine.structure.states, engine.continuous.states.tolist(), strict=True)
        return np.array([values.get(v.name, now) for v, now in pairs])

    def _residue(self, index: int, time: float, states: Sequence[float] | NDArray[np.float64]) -> float:
        """How far a relation is from zero at a time with these states; infinite where that is unknown."""
        engine = self._run.engine
        before = engine.memory.array.copy()
        engine.memory.cells[TIME_SLOT] = time
        engine.continuous.states[:] = states
        failed = engine.continuous.crossings()
        residue = abs(float(engine.memory.cells[engine.relations.residues + index]))
        engine.memory.array[:] = before
        return math.inf if failed else residue

    def arrive(self, found: Accumulation, series: Sequence[Crossing], latest: Crossing) -> None:
        """Puts the memory to the accumulation point, which was foretold from the last event of `series`; the
        `latest` one is after it. To be called where no motion is known that leads there: what the events do
        not act on is integrated up to the point, or to the next time event."""
        run, engine = self._run, self._run.engine
        now = max(min(found.time, run.next_time_event()), latest.time)
        if now > latest.time:
            engine.continuous.states[:] = self._foretold(found, series, latest, now)
        else:
            engine.continuous.states[:] = self._states_after(latest)
        while engine.rows.count and engine.rows.times[-1] > now:
            engine.rows.drop_last()  # a hop that was lost has gone on beyond the point
        run.now = now
        engine.memory.cells[TIME_SLOT] = now
        engine.continuous.compute()
        engine.continuous.relations()
        engine.rows.append(now)
        run.pass_points(now)

    def _foretold(
        self, end: Accumulation, series: Sequence[Crossing], latest: Crossing, time: float
    ) -> NDArray[np.float64]:
        """The states at an accumulation point, or at a time before it. Those that the events make jump, or
        whose derivatives jump, change from event to event in proportion to the intervals; the others are
        integrated, while those go straight to where they will be. Beyond its end a series predicts nothing,
        and everything is integrated."""
        states = self._run.engine.structure.states
        jumping = self.jumps(latest).keys() | self.jumps(latest, order=1).keys()
        last, one_before = self._values(series[-1].right), self._values(series[-2].right)
        factor = (time - series[-1].time) / (series[-1].time - series[-2].time)
        begun = self._states_after(latest)
        ends, given = begun.copy(), np.zeros(len(states), dtype=bool)
        for k, name in enumerate(v.name for v in states):
            if time <= end.time and name in jumping and name in last and name in one_before:
                ends[k], given[k] = last[name] + factor * (last[name] - one_before[name]), True
        return self._integrated(latest.time, begun, time, ends, given)

    def _integrated(
        self,
        start: float,
        begun: NDArray[np.float64],
        time: float,
        ends: NDArray[np.float64],
        given: NDArray[np.bool_],
    ) -> NDArray[np.float64]:
        """States at a time shortly after another one: those that are `given` go to their ends in a straight
        line, and the rest is integrated. The memory stays as it is."""
        found, free = ends.copy(), ~given
        if time <= start or not np.any(free):
            return found
        from scipy.integrate import solve_ivp  # takes long to import, and few runs come here

        engine, tolerance = self._run.engine, self._run.settings.tolerance
        before, slopes = engine.memory.array.copy(), (ends - begun) / (time - start)

        def rates(now: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
            at = begun + (now - start) * slopes
            at[free] = y
            engine.memory.cells[TIME_SLOT] = now
            engine.continuous.states[:] = at
            failed = engine.continuous.outputs()
            found: NDArray[np.float64] = engine.continuous.derivatives[free].copy()
            return found if not failed else np.full_like(found, np.nan)

        scale = np.maximum(np.abs(begun[free]), 1.0)
        solved = solve_ivp(
            rates,
            (start, time),
            begun[free],
            method="LSODA",
            rtol=max(tolerance, 1e-12),
            atol=tolerance * scale,
        )
        engine.memory.array[:] = before
        found[free] = solved.y[:, -1] if solved.success else begun[free]
        return found
