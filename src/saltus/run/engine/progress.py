"""Whether a run gets anywhere: steps that lead nowhere, events without end, and how far it has come."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from saltus.ir.contract import SAME_TIME
from saltus.result.log import records
from saltus.result.log.records import Records
from saltus.run.engine.driver import Driver
from saltus.run.engine.engine import Engine
from saltus.run.failures import diagnose
from saltus.run.memory.memory import Memory
from saltus.run.schedule.settings import Settings

#: Called now and then with the part of the time span that is done, and the number of events so far.
Progress: TypeAlias = Callable[[float, int], None]

#: Seconds between two calls of the progress function.
PROGRESS_EVERY = 0.1

#: So many events in a row without time passing, or so many crossings within a hundred-thousandth of the
#: run, are taken for endless: at that rate a run would need hundreds of millions of events.
ENDLESS_EVENTS = 2000
ENDLESS_SPAN = 1e-5

#: So many steps that fail now and then and together cover no more than this part of the run lead nowhere.
CRAWL_STEPS = 1000
CRAWL_SPAN = 1e-9


class _Fruitless(NamedTuple):
    """Panels without a row or an event since the driver was at a time; whether anything failed there."""

    since: float
    steps: int
    failed: bool


class Headway:
    """How far a run has come, as last reported, and whether it still gets on."""

    def __init__(self, settings: Settings, progress: Progress | None) -> None:
        self._start = settings.start_time
        self._span = settings.stop_time - settings.start_time
        self._progress = progress
        self._reported = clock.perf_counter()
        self._fruitless: _Fruitless | None = None

    def report(self, now: float, events: int) -> None:
        """Tells the progress function, if that is due."""
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
            raise diagnose.endless_events(memory, fired, ENDLESS_EVENTS, passed)
