"""Logic with timers and ramps, simulated exactly: times, ramps and thresholds are fractions.

A model is a list of definitions that are evaluated in order; what comes later is asked for by `pre` only. An
event has rounds: all definitions are evaluated with the values before as `pre`, when-clauses are active where
one of their conditions has become true, then the new values become the old ones, until nothing changes
(Modelica Language Specification, section 8.6). A ramp that reaches a threshold is on the side to which it
moves; if the event turns it round, it is back at once, which is another event at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from tools.differential.solvers.stepping import Unsure

Value: TypeAlias = bool | int | Fraction
Values: TypeAlias = dict[str, Value]


@dataclass(frozen=True)
class Expression:
    """A text in Modelica, and what it is, from current values and those before."""

    text: str
    value: Callable[[Values, Values], Value]


@dataclass(frozen=True)
class Threshold:
    """The relation `ramp > level`, or `>=`; the Boolean `name` has its truth."""

    name: str
    ramp: str
    level: Fraction
    strict: bool


@dataclass(frozen=True)
class Clock:
    """`sample(start, interval)`; the Boolean `name` is true while it ticks."""

    name: str
    start: Fraction
    interval: Fraction


@dataclass(frozen=True)
class Alarm:
    """`time >= due`; `due` is constant between events. The Boolean `name` has its truth."""

    name: str
    due: Expression


@dataclass(frozen=True)
class Equation:
    name: str
    expression: Expression


@dataclass(frozen=True)
class When:
    """Active where one of the `conditions`, which are Booleans of their own, becomes true."""

    conditions: tuple[Equation, ...]
    assignments: tuple[Equation, ...] = ()
    jumps: tuple[Equation, ...] = ()


@dataclass(frozen=True)
class Ramp:
    name: str
    start: Fraction
    rate: Expression


Definition: TypeAlias = Threshold | Clock | Alarm | Equation | When


@dataclass(frozen=True)
class Logic:
    definitions: tuple[Definition, ...]
    ramps: tuple[Ramp, ...]
    starts: Mapping[str, Value]


@dataclass
class Course:
    """What happened: from each of `times` on, `values` are in force. Nothing is known from `until` on; there
    the model has no solution if it `ended`."""

    times: list[Fraction] = field(default_factory=list)
    values: list[Values] = field(default_factory=list)
    rates: list[Values] = field(default_factory=list)
    until: Fraction | None = None
    ended: bool = False
    why: str = ""


class _Endless(Exception):
    """An event whose rounds do not come to an end."""


class Simulator:
    """One run. Events that are nearer to each other than `close`, but not at one instant, may come in another
    order where numbers are rounded: nothing is known after them."""

    def __init__(self, logic: Logic, close: Fraction) -> None:
        self._logic, self._close = logic, close
        self._pre: Values = dict(logic.starts)
        self._ramps: dict[str, Fraction] = {r.name: r.start for r in logic.ramps}
        self._truth: dict[str, bool] = {}
        self._time = Fraction(0)
        self._thresholds = [d for d in logic.definitions if isinstance(d, Threshold)]
        self._clocks = [d for d in logic.definitions if isinstance(d, Clock)]
        self._alarms = [d for d in logic.definitions if isinstance(d, Alarm)]

    def run(self, stop: Fraction) -> Course:
        course = Course()
        try:
            self._follow(course, stop)
        except _Endless:
            course.until, course.ended = self._time, True
        except Unsure as reason:
            course.until, course.why = self._time, str(reason)
        return course

    def _follow(self, course: Course, stop: Fraction) -> None:
        self._compare(list(self._ramps))
        self._pre = self._evaluated(frozenset(), initial=True)[0]
        self._rounds(frozenset())
        while True:
            self._turned()
            course.times.append(self._time)
            course.values.append({**self._pre, **self._ramps})
            course.rates.append({r.name: self._rate(r) for r in self._logic.ramps})
            due, crossing, doubtful = self._next()
            if due > stop:
                return
            if doubtful or due - self._time < self._close:
                course.until, course.why = due, "events too near to each other for rounded numbers"
                return
            for name in self._ramps:
                self._ramps[name] += (due - self._time) * self._slope(name)
            ticks = frozenset(c.name for c in self._clocks if _ticks(c, due))
            self._time = due
            for threshold in crossing:
                self._truth[threshold.name] = self._slope(threshold.ramp) > 0
            self._rounds(ticks)
            if ticks:
                self._rounds(frozenset())

    def _rate(self, ramp: Ramp) -> Fraction:
        return Fraction(ramp.rate.value(self._pre, self._pre))

    def _slope(self, name: str) -> Fraction:
        return next(self._rate(r) for r in self._logic.ramps if r.name == name)

    def _next(self) -> tuple[Fraction, list[Threshold], bool]:
        """When the next event is, which ramps cause it, and whether something else does so too."""
        others = [_next_tick(c, self._time) for c in self._clocks]
        others += [d for a in self._alarms if (d := Fraction(a.due.value(self._pre, self._pre))) > self._time]
        crossings: list[tuple[Fraction, Threshold]] = []
        for threshold in self._thresholds:
            away, slope = self._ramps[threshold.ramp] - threshold.level, self._slope(threshold.ramp)
            if away and slope and (away > 0) != (slope > 0):
                crossings.append((self._time - away / slope, threshold))
        first = min([*others, *(t for t, _ in crossings)], default=Fraction(10**9))
        fired = [threshold for t, threshold in crossings if t == first]
        near = [t for t in others if t - first < self._close]
        near += [
            t for t, other in crossings if t - first < self._close and fired and other.ramp != fired[0].ramp
        ]
        exact = not fired and all(t == first for t in near)
        return first, fired, bool(near) and not exact

    def _turned(self) -> None:
        """Ramps that are at a threshold and move away from the side that they count to are back at once."""
        for _ in range(50):
            back = []
            for threshold in self._thresholds:
                if self._ramps[threshold.ramp] != threshold.level:
                    continue
                slope = self._slope(threshold.ramp)
                if slope == 0:
                    raise Unsure("a ramp rests at its threshold")
                if self._truth[threshold.name] != (slope > 0):
                    back.append(threshold)
            if not back:
                return
            for threshold in back:
                self._truth[threshold.name] = not self._truth[threshold.name]
            self._rounds(frozenset())
        raise Unsure("a ramp is held at its threshold")

    def _rounds(self, ticks: frozenset[str]) -> None:
        for _ in range(300):
            now, jumps = self._evaluated(ticks)
            moved = [name for name, value in jumps.items() if value != self._ramps[name]]
            changed = now != self._pre or bool(moved)
            self._pre = now
            self._ramps.update(jumps)
            self._compare(moved)
            if not changed:
                return
        raise _Endless

    def _compare(self, names: Sequence[str]) -> None:
        for t in self._thresholds:
            if t.ramp in names:
                value = self._ramps[t.ramp]
                self._truth[t.name] = value > t.level if t.strict else value >= t.level

    def _evaluated(self, ticks: frozenset[str], initial: bool = False) -> tuple[Values, dict[str, Fraction]]:
        now: Values = {"time": self._time, **self._ramps}
        pre = {**self._pre, **self._ramps}
        jumps: dict[str, Fraction] = {}
        for item in self._logic.definitions:
            if isinstance(item, Threshold):
                now[item.name] = self._truth[item.name]
            elif isinstance(item, Clock):
                now[item.name] = item.name in ticks
            elif isinstance(item, Alarm):
                now[item.name] = self._time >= Fraction(item.due.value(now, pre))
            elif isinstance(item, Equation):
                now[item.name] = item.expression.value(now, pre)
            else:
                for condition in item.conditions:
                    now[condition.name] = condition.expression.value(now, pre)
                rises = [now[c.name] and not pre.get(c.name, False) for c in item.conditions]
                active = not initial and any(rises)
                for assignment in item.assignments:
                    now[assignment.name] = (
                        assignment.expression.value(now, pre) if active else pre[assignment.name]
                    )
                if active:
                    jumps.update({j.name: Fraction(j.expression.value(now, pre)) for j in item.jumps})
        for name in ("time", *self._ramps):
            del now[name]
        return now, jumps


def _ticks(clock: Clock, time: Fraction) -> bool:
    return time >= clock.start and (time - clock.start) % clock.interval == 0


def _next_tick(clock: Clock, time: Fraction) -> Fraction:
    if time < clock.start:
        return clock.start
    return clock.start + ((time - clock.start) // clock.interval + 1) * clock.interval
