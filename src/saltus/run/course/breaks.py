"""Where a course breaks off although nothing switches: a solution ends, or equations in excess part."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from saltus.expr.nodes import Expr
from saltus.expr.show import show
from saltus.ir.native.contract import TIME_SLOT
from saltus.ir.native.drive import Code
from saltus.result.log import records
from saltus.run.course.course import Course
from saltus.run.engine.engine import Engine
from saltus.run.engine.loop_branches import Crossing, Follower, Leap, show_failure
from saltus.run.engine.parting import has_parted, parts_at

#: An event of a kind, with relations that have fired and clocks that tick, on a surface or not.
Happens: TypeAlias = Callable[[str, Sequence[tuple[int, float]], Sequence[int]], None]


class Breaks:
    """Solutions of one run that end. `happens` handles events before a solution ends."""

    def __init__(self, course: Course, happens: Happens) -> None:
        self._course, self._happens = course, happens
        self._leapt: dict[tuple[Expr, ...], float] = {}  # up to when a loop may not leap again

    def leaps(self, engine: Engine) -> bool:
        """After a failure: whether a loop has another solution to continue with where the present one ends;
        or whether something else happens before that. If not, the memory is as it was, but for loops: these
        have the values with which they failed, for the message."""
        course = self._course
        memory = engine.memory
        before = memory.array.copy()
        found = None
        if not engine.surfaces.exits and not engine.pivots.near_singular:
            follower = Follower(engine, course.records.time(len(course.records) - 1))
            found = follower.find()
        if isinstance(found, Leap) and found.time <= self._leapt.get(found.unknowns, -math.inf):
            found = None  # it has just done so, and that did not help
        if found is None or not self._reaches(follower, found):
            memory.array[:] = before
            show_failure(engine)
            return False
        course.now = found.time
        due = course.clocks.due(found.time)
        if isinstance(found, Crossing):
            self._happens(records.STATE, found.fired, due)
            return True
        self._leapt[found.unknowns] = found.time + follower.least(found.time)
        engine.iteration.leap = found.slots, found.values
        course.event(records.LEAP, (), due, tuple(show(x) for x in found.unknowns))
        return True

    def parts(self, engine: Engine) -> bool:
        """Whether equations that the mode has in excess have parted since the last row in which they agreed:
        then the mode is chosen anew at the instant at which they did so."""
        course = self._course
        rows, memory, now = engine.rows, engine.memory, course.now
        if engine.structure.surfaces or engine.structure.model.delays or not has_parted(engine):
            return False
        kept, last = memory.array.copy(), course.records.time(len(course.records) - 1)
        is_row = rows.count > 1 and rows.times[-1] == now
        if now <= last or rows.count <= is_row:
            return False  # an event has just chosen the mode, or there is nothing to begin with
        if is_row:
            rows.drop_last()
        before = float(rows.times[-1])
        rows.recall(rows.count - 1)
        memory.cells[TIME_SLOT] = before
        time = None
        if last <= before < now and not engine.continuous.outputs() and not has_parted(engine):
            time = parts_at(engine, now, course.settings.tolerance)
        if time is None:
            memory.array[:] = kept
            if is_row:
                rows.append(now)
            return False
        course.now = time
        engine.continuous.relations()
        course.grid.go_back_to(time)
        course.event(records.STATE, (), course.clocks.due(time))
        return True

    def _reaches(self, follower: Follower, found: Crossing | Leap) -> bool:
        """Output points and histories up to what was found; the memory stays as it is."""
        course = self._course
        engine, memory = course.engine, course.engine.memory
        left = memory.array.copy()
        for point in course.grid.before(found.time):
            if not follower.goes_to(point):
                return False
            engine.rows.append(point)
        while (told := course.driver.remember(found.time)) is not Code.ON:
            if told is Code.ROUTINE_FAILED:
                return False
            course.histories.make_room()
        memory.array[:] = left
        return True
