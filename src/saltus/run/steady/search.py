"""A position at which a run would stay for ever: all derivatives are zero, in the mode that belongs to it.

A position is sought in the mode in which the run is, with relations and discrete variables as they are. If a
relation is not true there as it was, there is an event where it changes, as if the run had gone straight
there; then a position is sought again, in the mode to which that leads (as Katzenelson did for circuits,
Bell System Technical Journal 44, 1965).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, Note, RunError
from saltus.core.nearest import did_you_mean
from saltus.core.option import usage_error
from saltus.core.wording import listed
from saltus.expr.helpers import derivative_name
from saltus.result.linear.system import LinearSystem
from saltus.result.log import records
from saltus.result.words.wording import Wording
from saltus.run.course.course import Course
from saltus.run.engine.engine import Engine
from saltus.run.failures.phrases import SHOWN
from saltus.run.linear.near import near
from saltus.run.memory.memory import size_number
from saltus.run.steady.newton import AtRest, NoRest, Vector, at_rest

#: Modes that are gone through, at most; and how closely it is known where they end, as a part of the way.
_MODES, _NARROW = 100, 1e-9


class NoSteadyState(RunError):
    """E414. `hopeless` is true where no other position, reached by a longer run, could help."""

    def __init__(self, diagnostic: Diagnostic, *, hopeless: bool = False) -> None:
        super().__init__(diagnostic)
        self.hopeless = hopeless


@dataclass(frozen=True)
class Rest:
    """What was found, beside the values, which are the last row of the run. `free` are groups of states that
    may have other values, `drifts` the derivatives that were allowed not to be zero."""

    free: tuple[tuple[str, ...], ...]
    drifts: Mapping[str, float]
    linear: LinearSystem


def search(course: Course, free: Sequence[str]) -> Rest:
    """Leads a run to a position at rest, at the present time. The states with these names, or patterns of
    names, may keep changing at a constant rate."""
    if course.histories:
        hint = "simulate until the model is at rest, and start from the end of that run"
        message = "a model with delays has a history, which is not part of a position"
        raise NoSteadyState(Diagnostic("E414", message, hint=hint), hopeless=True)
    _refuse_unknown(course.engine, free)
    seen: set[tuple[int, bytes]] = set()
    way: list[Note] = []
    while True:
        engine = course.engine
        engine.continuous.compute()
        start = engine.continuous.states.copy()
        reached = _gone_to_rest(engine, free)
        engine.continuous.compute()
        engine.continuous.relations()
        if engine.pivots.guards and engine.pivots.fallen():
            course.choose_states(engine)
            continue
        fired = _untrue(engine)
        if not fired and isinstance(reached, NoSteadyState):
            raise reached
        if not fired and isinstance(reached, AtRest):
            engine.rows.append(course.now)
            course.check_values(engine.rows.count - 1)
            return _rest(engine, reached)
        fired = _gone_back(engine, start) or fired
        way.append(_told(engine, fired[0][0]))
        if (mode := _mode(engine)) in seen or len(way) > _MODES:
            raise _goes_round(way)
        seen.add(mode)
        course.event(records.STATE, fired, ())


def _gone_to_rest(engine: Engine, free: Sequence[str]) -> AtRest | NoSteadyState:
    """The position at rest in the present mode, or why there is none. The states are put there, or to where
    the search has ended: that may be in another mode."""
    memory, states = engine.memory, engine.structure.states
    at = engine.continuous.states
    before = memory.array.copy()

    def rates(x: Vector) -> Vector | None:
        memory.array[:] = before
        at[:] = x
        if engine.continuous.outputs() or not engine.continuous.is_finite:
            return None
        return engine.continuous.derivatives.copy()

    def matrix(x: Vector) -> Vector:
        if rates(x) is None:
            raise NoRest(x, np.full(len(x), np.nan))
        try:
            return near(engine, {}, (), ()).A
        except RunError:
            there = rates(x)
            raise NoRest(x, there if there is not None else np.full(len(x), np.nan)) from None

    sizes = np.array([size_number(memory, v) for v in states])
    names = [v.name for v in states]
    start = at.copy()

    def sought(may_drift: NDArray[np.bool_]) -> AtRest:
        return at_rest(rates, matrix, start, sizes, may_drift)

    allowed = np.array([_fits(name, free) for name in names], dtype=bool)
    try:
        found = sought(allowed)
    except NoRest as failure:
        try:
            drifting = sought(np.ones(len(states), dtype=bool)) if failure.stuck else None
        except NoRest:
            drifting = None
        drifts = drifting is not None and drifting.drifts.any()
        ended = drifting.x if drifting is not None and drifts else failure.x
        ended = ended if rates(ended) is not None else start
        memory.array[:] = before
        at[:] = ended
        if drifting is not None and drifts:
            return _drifts(names, drifting, hopeless=not engine.relations.of_states)
        return _none(names, failure)
    memory.array[:] = before
    at[:] = found.x
    return found


def _untrue(engine: Engine) -> list[tuple[int, float]]:
    """The relations that are not as they were, each with the side on which it is now."""
    cells, relations = engine.memory.cells, engine.relations
    apart = set(engine.pivots.guards)
    found = []
    for k in relations.of_states:
        residue = cells[relations.residues + k]
        side = math.copysign(1.0, residue)
        if k in apart or abs(residue) <= cells[relations.bands + k]:
            continue
        if cells[relations.truth + k] != relations.truth_on(k, side):
            found.append((k, side))
    return found


def _gone_back(engine: Engine, start: Vector) -> list[tuple[int, float]]:
    """The relations that change first on the straight way from the start to where the states are; the states
    are put there."""
    at, before = engine.continuous.states, engine.memory.array.copy()
    way = at - start
    there, least, most = before, 0.0, 1.0
    while most - least > _NARROW:
        part = (least + most) / 2
        engine.memory.array[:] = before
        at[:] = start + part * way
        failed = engine.continuous.outputs() or engine.continuous.relations()
        if failed or not _untrue(engine):
            least = part
        else:
            most, there = part, engine.memory.array.copy()
    engine.memory.array[:] = there
    return _untrue(engine)


def _mode(engine: Engine) -> tuple[int, bytes]:
    """The values that distinguish modes."""
    truths, discretes = engine.memory.section("relations"), engine.memory.section("discretes")
    return id(engine), truths.tobytes() + discretes.tobytes()


def _rest(engine: Engine, found: AtRest) -> Rest:
    names = [v.name for v in engine.structure.states]
    drifts = {name: float(rate) for name, rate in zip(names, found.drifts, strict=True) if rate}
    free = tuple(tuple(names[k] for k in group) for group in found.free)
    return Rest(free, drifts, near(engine, {}, (), ()))


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)


def _refuse_unknown(engine: Engine, free: Sequence[str]) -> None:
    """Refuses names that no variable has. Which of them are states depends on the mode."""
    model = engine.structure.model
    names = [v.name for v in (*model.order, *model.variables())]
    for pattern in free:
        if not any(_fits(name, [pattern]) for name in names):
            states = [v.name for v in engine.structure.states]
            hint = did_you_mean(pattern, states) or (f"the states are {listed(states)}" if states else None)
            raise usage_error(f"no state is called `{pattern}`", code="E502", hint=hint)


# ---------------------------------------------------------------- what is said


def _drifts(names: Sequence[str], found: AtRest, *, hopeless: bool) -> NoSteadyState:
    """All comes to rest but states on which nothing depends."""
    going = [(names[k], found.drifts[k]) for k in np.flatnonzero(found.drifts).tolist()]
    notes = [Note(f"`{derivative_name(name)}` stays {rate:.6g}") for name, rate in going[:SHOWN]]
    told = listed([name for name, _ in going], SHOWN)
    flags = " ".join(f"--free {name}" for name, _ in going[:SHOWN])
    goes, it, them = ("goes", "it", "it") if len(going) == 1 else ("go", "they", "them")
    message = (
        f"{told} {goes} on at a constant rate forever where everything else is at rest: nothing depends "
        f"on {them}"
    )
    hint = f"if {it} may, as the angle of a rotating shaft may: {flags}; if not, what holds {them} is missing"
    return NoSteadyState(Diagnostic("E414", message, notes=tuple(notes), hint=hint), hopeless=hopeless)


def _none(names: Sequence[str], failure: NoRest) -> NoSteadyState:
    """No position in this mode."""
    if failure.stuck:
        weights = failure.stuck[0]
        places = np.flatnonzero(weights).tolist()
        if len(places) == 1:
            name, rate = names[places[0]], failure.rates[places[0]]
            message = f"`{derivative_name(name)}` is {rate:.6g} wherever the states are"
            hint = "what goes in must be able to come out: give it a way, or balance it"
        else:
            told = listed([derivative_name(names[k]) for k in places], SHOWN)
            message = f"{told} cannot all be zero at once"
            hint = "is there a loss that ends what drives them?"
        return NoSteadyState(Diagnostic("E414", message, hint=hint))
    order = np.argsort(-np.abs(np.nan_to_num(failure.rates)))[:SHOWN].tolist()
    notes = tuple(
        Note(f"`{derivative_name(name)}` is still {rate:.6g} at {name} = {at:.6g}")
        for name, rate, at in ((names[k], failure.rates[k], failure.x[k]) for k in order)
    )
    message = "none was found from where the search has begun"
    hint = "begin nearer to it: --set x.start=..., or let the run go on for a while: --stop-time"
    return NoSteadyState(Diagnostic("E414", message, notes=notes, hint=hint))


def _told(engine: Engine, index: int) -> Note:
    """Why a mode is left: the relation that changes on the way to rest."""
    relation = engine.structure.relations[index]
    truth = bool(engine.memory.cells[engine.relations.truth + index])
    text = Wording(engine.structure).texts[index]
    one, other = ("true", "false") if truth else ("false", "true")
    return Note(f"while `{text}` is {one}, it would come to rest where that is {other}", relation.span)


def _goes_round(way: Sequence[Note]) -> NoSteadyState:
    """Each mode comes to rest where it is left."""
    last = list(dict.fromkeys(reversed(way)))[:SHOWN]
    message = "each mode would come to rest beyond its end, where another one holds"
    hint = "what switches to and fro never rests: look at a run, or put the mean in its place"
    return NoSteadyState(Diagnostic("E414", message, notes=tuple(reversed(last)), hint=hint))
