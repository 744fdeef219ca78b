"""The context of the native driver (`saltus.ir.native.drive`): what it begins with in every run of a program,
and what it says between two calls."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Op
from saltus.ir.native.contract import Counter
from saltus.ir.native.drive import FIELDS
from saltus.ir.program import Program
from saltus.ir.structure import Structure
from saltus.run.memory.dependence import KEPT, mode_slots, remembered_relations

_TYPES: dict[str, Any] = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double}


class Context(ctypes.Structure):
    """The fields that native code and Python share."""

    _fields_ = [(name, _TYPES[kind]) for name, kind in FIELDS]


def array_address(array: NDArray[Any]) -> int:
    """Where the numbers of an array are; 0 if there are none."""
    # `array.ctypes` takes much longer.
    return ctypes.addressof(ctypes.c_char.from_buffer(array)) if array.size else 0  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Preset:
    """What the context of a program begins with, whatever the run. Short runs begin often, so it is made
    once. Nothing writes to the arrays, which native code reads."""

    context: Context
    watched: NDArray[np.int64]  # relations whose residues depend on states
    above: NDArray[np.float64]  # their truths for positive residues
    arrays: Sequence[NDArray[Any]]  # kept alive


@lru_cache(maxsize=KEPT)
def preset(structure: Structure, program: Program) -> Preset:
    """Places in the memory, and what is known of relations."""
    context, layout, relations = Context(), program.layout, structure.model.relations
    first = {name: place for name, (place, _) in layout.sections.items()}
    length = {name: count for name, (_, count) in layout.sections.items()}
    names = ("states", "relations", "signs", "residues", "bands", "directions", "crossing_times")
    for name in (*names, "derivatives", "discretes", "clocks", "phases"):
        setattr(context, name, first.get(name, 0))
    for name in ("states", "relations", "discretes", "clocks", "phases"):
        setattr(context, f"n_{name}", length.get(name, 0))
    context.checks_first = first.get("checks", 0)
    context.n_checks = length.get("checks", 0) + length.get("endings", 0)
    counters = first.get("counters", 0)
    context.changed_slot = counters + Counter.CHANGED
    context.continuation = counters + Counter.CONTINUATION
    context.scratch_slot = first.get("scratch", 0)

    watched = np.array(program.state_relations, dtype=np.int64)
    remembered = remembered_relations(structure)
    ops = [relations[k].op for k in program.state_relations]
    above = np.array([op in (Op.GT, Op.GE) for op in ops], dtype=np.float64)
    of_zero = np.array([op in (Op.GE, Op.LE) for op in ops], dtype=np.float64)
    forgotten = np.array([k not in remembered for k in program.state_relations], dtype=np.float64)
    timed = np.array([k for k, r in enumerate(relations) if r.is_time_event], dtype=np.int64)
    mode = mode_slots(structure, layout).astype(np.int64)
    context.watched, context.n_watched = array_address(watched), len(watched)
    context.truth_above, context.truth_of_zero = array_address(above), array_address(of_zero)
    context.forgotten = array_address(forgotten)
    context.timed, context.n_timed = array_address(timed), len(timed)
    context.mode, context.n_mode = array_address(mode), len(mode)
    # A transport limits steps itself, by what flows.
    context.n_steering = 0 if program.transports else program.steering
    context.moves = int(bool(context.n_states or len(watched) or program.remembers))
    return Preset(context, watched, above, (watched, above, of_zero, forgotten, timed, mode))


class Standing:
    """Where a driver has come to, and what holds it up."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def now(self) -> float:
        """Up to where the run has come."""
        return float(self._context.now)

    @property
    def reached(self) -> float:
        """Up to where the integrator has come."""
        return float(self._context.reached)

    @property
    def accepted(self) -> tuple[float, float]:
        """Up to where all has been looked at; and where the step began that the integrator did last."""
        context = self._context
        return (context.begun, context.earlier) if context.moves else (context.now, -math.inf)

    @property
    def limit(self) -> float:
        """The next event, or the end of the run."""
        return float(self._context.limit)

    @property
    def probes(self) -> bool:
        """Whether it will look where residues set out to, since there was an event."""
        return bool(self._context.probe)

    @property
    def status(self) -> int:
        """The status of the routine that failed, if one did."""
        return int(self._context.status)

    @property
    def unresolved(self) -> int:
        """The relation that could not be resolved, if there was one."""
        return int(self._context.unresolved)


class LastCall:
    """What the last call of a driver has done, in all engines to which the run has turned in it. `turns` is
    where native code writes these down, with the rows that were written by then."""

    def __init__(self, context: Context, turns: NDArray[np.int64]) -> None:
        self._end, self._turns, self._allowed = context, turns, 0

    def ended(self, context: Context, allowed: int) -> None:
        """A call has ended in the engine of a context; it was allowed a number of steps."""
        self._end, self._allowed = context, allowed

    @property
    def stays(self) -> tuple[int, tuple[NDArray[np.int64], NDArray[np.int64]] | None]:
        """Rows that the first engine has written, before the run turned to another one; and then the gates of
        those that went on, by number, and how many rows each has written."""
        end = self._end
        if not end.n_turns:
            return int(end.n_written), None
        gates, written = self._turns[: end.n_turns].T
        counts = np.empty(len(written), dtype=np.int64)
        np.subtract(written[1:], written[:-1], out=counts[:-1])
        counts[-1] = end.n_written - written[-1]
        return int(written[0]), (gates.copy(), counts)

    @property
    def was_low_hop(self) -> bool:
        """Whether it has ended since something hopped no higher than errors may be."""
        return bool(self._end.low_hop)

    @property
    def used(self) -> tuple[int, int]:
        """Rows and events."""
        return self._end.n_written, self._end.n_events

    @property
    def steps(self) -> int:
        """Steps of the integrators."""
        return self._allowed - int(self._end.steps_left)

    @property
    def work(self) -> int:
        """Steps, rows and events, and the call itself."""
        return 1 + self.steps + sum(self.used)
