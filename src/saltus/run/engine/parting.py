"""Redundant equations of a mode that diverge: when two sources in parallel are no longer equal. A mode with
redundant equations (`saltus.analyse.modes.undetermined`) holds as long as they agree. No relation marks the
end: between two rows something has driven them apart, and then a diode opens, or a contradiction begins. The
run returns to the last row in which they agreed, and the instant at which they diverge is located from there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.contract import LOCATED, TIME_SLOT
from saltus.run.engine.engine import Engine

_Numbers = NDArray[np.float64]


def has_parted(engine: Engine) -> bool:
    """Whether an equation in excess does not hold by the numbers of the memory, and everything else does."""
    excess = engine.mode.excess
    if not excess or not engine.checks.any_active():
        return False
    violated = np.flatnonzero(engine.memory.section("checks"))
    return bool(violated.size) and set(violated.tolist()) <= set(excess)


def parts_at(engine: Engine, until: float, tolerance: float) -> float | None:
    """The time, from that of the memory on, at which equations in excess do not hold any more; the memory has
    the values of it. None if they hold up to a time; then the memory is as it was."""
    memory, start = engine.memory, engine.memory.time
    before = memory.array.copy()
    states = _course(engine, until, tolerance)

    def holds(time: float) -> bool:
        memory.array[:] = before
        memory.cells[TIME_SLOT] = time
        engine.continuous.states[:] = states(time)
        return not engine.continuous.outputs() and not has_parted(engine)

    if holds(until):
        memory.array[:] = before
        return None
    good, bad = start, until
    while bad - good > LOCATED * max(abs(bad), engine.span):
        middle = 0.5 * (good + bad)
        if not good < middle < bad:
            break
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    holds(bad)
    return bad


def _course(engine: Engine, until: float, tolerance: float) -> Callable[[float], _Numbers]:
    """The states from the time of the memory up to another one. The memory stays as it is."""
    memory, begun = engine.memory, engine.continuous.states.copy()
    if not begun.size:
        return lambda _: begun
    from scipy.integrate import solve_ivp  # takes long to import, and few runs come here

    before = memory.array.copy()

    def rates(now: float, y: _Numbers) -> _Numbers:
        memory.cells[TIME_SLOT] = now
        engine.continuous.states[:] = y
        failed = engine.continuous.outputs()
        found: _Numbers = engine.continuous.derivatives.copy()
        return found if not failed else np.full_like(found, np.nan)

    solved = solve_ivp(
        rates,
        (memory.time, until),
        begun,
        method="LSODA",
        rtol=max(tolerance, 1e-12),
        atol=tolerance * np.maximum(np.abs(begun), 1.0),
        dense_output=True,
    )
    memory.array[:] = before
    course = solved.sol
    return lambda time: np.asarray(course(time), dtype=np.float64)
