"""Whether a run gets anywhere: steps that lead nowhere, events without end, and how far it has come."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.contract import SAME_TIME
from saltus.result.log import records
from saltus.result.log.records import Records
from saltus.run.engine.driver import Driver
from saltus.run.engine.engine import Engine
from saltus.run.failures import flips
from saltus.run.memory.memory import Memory
from saltus.run.schedule.settings import Settings

#: Called now and then with the part of the time span that is done, and the number of events so far.
Progress: TypeAlias = Callable[[float, int], None]

#: Seconds between two calls of the progress function.
PROGRESS_EVERY = 0.1

#: The number of consecutive events without time passing, and of crossings within a hundred-thousandth of the
#: run, that count as endless: at that rate a run would need hundreds of millions of events.
ENDLESS_EVENTS = 2000
ENDLESS_SPAN = 1e-5

#: A run with this many occasionally failing steps that together cover no more than this part of it makes no
#: progress.
CRAWL_STEPS = 1000
CRAWL_SPAN = 1e-9

#: The run is stuck if this many steps cover no more than this part of it, and move no state by more than this
#: many tolerances: at that rate the run would take ten thousand million of them.
STILL_STEPS = 100_000
STILL_SPAN = 1e-5
STILL_MOVE = 1e3

#: Fewer steps may be one, if a state goes to and fro: it has moved less than this part of the way that its
#: derivative predicts.
SOON_STEPS = 20_000
SOON_SPAN = 1e-3
SOON_MOVE = 10.0
TO_AND_FRO = 1e-3


class _Fruitless(NamedTuple):
    """Panels without a row or an event since the driver was at a time; whether anything failed there."""

    since: float
    steps: int
    failed: bool


class Still(NamedTuple):
    """A standstill: in how many steps, in how much time, and whether there is no hope that it ends."""

    steps: int
    passed: float
    hopeless: bool


class _Standing(NamedTuple):
    """Panels since the driver was at a time with these states, from which none has moved away."""

    since: float
    steps: int
    states: NDArray[np.float64]


class Headway:
    """How far a run has come, as last reported, and whether it still gets on."""

    def __init__(self, settings: Settings, progress: Progress | None) -> None:
        self._start = settings.start_time
        self._span = settings.stop_time - settings.start_time
        self._progress = progress
        self._reported = clock.perf_counter()
        self._fruitless: _Fruitless | None = None
        self._tolerance, self._method = settings.tolerance, settings.method
        self._standing: _Standing | None = None

    def report(self, now: float, events: int) -> None:
        """Calls the progress function, if that is due."""
        if self._progress is None:
            return
        moment = clock.perf_counter()
        if moment - self._reported > PROGRESS_EVERY:
            self._reported = moment
            self._progress((now - self._start) / self._span, events)

    def crawls(self, engine: Engine, driver: Driver) -> bool:
        """After many steps of a driver, which have ended in an engine: whether they lead nowhere. The
        right-hand side may fail right ahead, and every step stop short of that."""
        assert engine.driver is not None
        reached, _ = engine.driver.standing.accepted
        failing = bool(engine.memory.cells[engine.continuous.status_slot])
        if driver.last.used != (0, 0) or self._fruitless is None:
            self._fruitless = _Fruitless(reached, 0, failing)
            return False
        since, steps, failed = self._fruitless
        self._fruitless = _Fruitless(since, steps + driver.last.steps, failed or failing)
        if self._fruitless.steps < CRAWL_STEPS:
            return False
        least = SAME_TIME * abs(reached)
        if reached - since <= (max(least, CRAWL_SPAN * self._span) if failed or failing else least):
            return True
        self._fruitless = None
        return False

    def stands_still(self, engine: Engine, driver: Driver) -> Still | None:
        """After many steps of a driver, which have ended in an engine: whether no state moves any more while
        time hardly passes. Called at most twice, early and when it is hopeless."""
        assert engine.driver is not None
        reached, _ = engine.driver.standing.accepted
        states, before = engine.continuous.states, self._standing
        if driver.last.used != (0, 0) or before is None or len(before.states) != len(states):
            self._standing = _Standing(reached, 0, states.copy())
            return None
        since, known, place = before
        steps, passed = known + driver.last.steps, reached - since
        moved, room = np.abs(states - place), self._tolerance * np.maximum(1.0, np.abs(place))
        if passed > SOON_SPAN * self._span or np.any(moved > STILL_MOVE * room):
            self._standing = _Standing(reached, 0, states.copy())
            return None
        self._standing = before._replace(steps=steps)
        if steps >= STILL_STEPS and passed <= STILL_SPAN * self._span:
            return Still(steps, passed, hopeless=True)
        way = np.abs(engine.continuous.derivatives) * passed
        is_swaying = np.any((way > SOON_MOVE * room) & (moved < TO_AND_FRO * way))
        soon = known < SOON_STEPS <= steps and is_swaying and not np.any(moved > SOON_MOVE * room)
        return Still(steps, passed, hopeless=False) if soon else None

    def refuse_endless(self, found: Records, now: float, memory: Memory) -> None:
        """Raises E404 if the last events have come one upon the other."""
        if len(found) <= ENDLESS_EVENTS:
            return
        passed = now - found.time(len(found) - ENDLESS_EVENTS)
        if passed > ENDLESS_SPAN * self._span:
            return
        recent = found[-ENDLESS_EVENTS:]
        crossings = (records.STATE, records.LEAP, *records.TURNS)
        if passed <= 4 * SAME_TIME * abs(now) or all(r.kind in crossings for r in recent):
            fired = sorted({index for r in recent for index in r.fired})
            raise flips.endless_events(memory, fired, ENDLESS_EVENTS, passed, method=self._method)
