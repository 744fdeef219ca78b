"""Before the first step: parameters, start values, the initial system.

Parameters are computed by the native routine; a value set from outside is written together with a flag that
makes the routine leave it alone, so that everything that depends on it follows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, Note, RunError, UsageError
from saltus.expr.evaluate import NotEvaluable
from saltus.expr.helpers import Helper
from saltus.expr.nodes import INITIAL, Expr, Symbol, Type, compare, leaf_symbol
from saltus.expr.traversal import walk
from saltus.ir.flat import Variable
from saltus.ir.native.contract import TIME_SLOT, Counter, Flag
from saltus.ir.program import Layout
from saltus.ir.sorted.blocks import Nonlinear
from saltus.ir.structure import Structure
from saltus.run.failures import invalid_numbers, phrases, unsolved
from saltus.run.iteration.settle import Settling
from saltus.run.memory.memory import (
    Memory,
    constant_start,
    default_number,
    pre_algebraics,
    presume_values,
    start_number,
)
from saltus.run.memory.objects import make_objects
from saltus.run.schedule.clocks import Clocks, exact
from saltus.run.schedule.settings import Override
from saltus.run.sizes.sizes import reset_sizes
from saltus.run.start.definitions import follow_definitions
from saltus.run.start.guesses import ALL, STATES, follow_starts
from saltus.run.start.homotopy import follow_homotopy
from saltus.run.start.overrides import parameter_value, unknown_parameter


def set_parameters(memory: Memory, overrides: Mapping[str, Override]) -> list[Diagnostic]:
    """Values of all constants and parameters, and the bands of the relations.

    Gives back warnings of parameters without a value.
    """
    structure = memory.structure
    given = _checked(memory, overrides)
    for symbol, value in given.items():
        memory.store(symbol, value)
    computed, others, has_objects = _parameters(structure)
    memory.section("overridden")[:] = [symbol in given for symbol in computed] if given else 0.0
    compute = memory.routines["parameters"]
    reset_sizes(memory)
    unbound = [v for v in others if v.symbol not in given]
    if unbound:
        # Start values may need bound parameters, and these may need start values.
        compute()
        for v in unbound:
            # Where initial equations determine it, this is the guess.
            guess = v.binding if v.binding is not None else v.start
            memory.store(v.symbol, memory.number(guess, default_number(memory, v)))
    if has_objects:
        compute()  # what they are made of
        make_objects(memory)
    status = compute()
    if status:
        raise unsolved.failure(memory, status)
    culprit = invalid_numbers.not_finite(memory, structure.parameters)
    if culprit is not None:
        raise culprit
    bare = [v for v in unbound if v.binding is None and v.start is None]
    return _without_value([v for v in bare if v.fixed is not False])  # else initial equations determine it


@lru_cache(maxsize=16)
def _parameters(structure: Structure) -> tuple[Sequence[Symbol], Sequence[Variable], bool]:
    """The parameters that are computed, in their order; others, which need a value from elsewhere; and
    whether there are external objects."""
    model = structure.model
    computed = [leaf_symbol(p.unknown) for p in structure.parameters]
    known = {*computed}
    others = [
        v
        for v in model.parameters
        if v.symbol not in known and v.symbol.type is not Type.STRING and v.symbol.helper is not Helper.SIZE
    ]
    has_objects = any(v.symbol.type is Type.OBJECT for v in (*model.constants, *model.parameters))
    return computed, others, has_objects


def _without_value(parameters: Sequence[Variable]) -> list[Diagnostic]:
    """W403: the specification gives these parameters the default of their type, which is seldom meant."""
    if not parameters:
        return []
    several = len(parameters) > 1
    message = (
        f"the parameter{'s' if several else ''} {phrases.names([v.name for v in parameters])} "
        f"{'have' if several else 'has'} no value: the default of the type is used"
    )
    hint = f"write a value in the declaration, or set it: `{parameters[0].name} = ...`"
    return [Diagnostic("W403", message, parameters[0].span, hint=hint, origin=parameters[0].name)]


def _checked(memory: Memory, overrides: Mapping[str, Override]) -> dict[Symbol, float]:
    """The parameters to set, with numbers for values; refuses what may not be set."""
    if not overrides:
        return {}
    structure = memory.structure
    parameters = {v.name: v for v in structure.model.parameters if v.symbol.helper is not Helper.SIZE}
    solved = {leaf_symbol(u) for block in structure.initial for u in block.unknowns}
    found: dict[Symbol, float] = {}
    for name, value in overrides.items():
        v = parameters.get(name)
        if v is None:
            raise unknown_parameter(name, list(structure.model.variables()), list(parameters))
        reason = None
        if v.final:
            reason = "it is final"
        elif v.structural:
            reason = "its value was used at translation; translate the model again with the new value"
        elif v.symbol in solved:
            reason = "the initial equations determine it (fixed = false)"
        elif v.symbol.type is Type.STRING:
            reason = "it is a String"
        if reason is not None:
            raise UsageError(Diagnostic("E501", f"parameter `{name}` cannot be set: {reason}", v.span))
        found[v.symbol] = parameter_value(v, value)
    return found


def set_starts(memory: Memory, time: float) -> None:
    """Start values as guesses (and as values before the start, for discrete variables)."""
    structure, cells = memory.structure, memory.cells
    cells[TIME_SLOT] = time
    for slot, v, known in _starts(structure, memory.layout):
        cells[slot] = start_number(memory, v) if known is None else known
    memory.section("pre_states")[:] = memory.section("states")
    memory.section("pre_discretes")[:] = memory.section("discretes")
    before, now = pre_algebraics(memory)
    memory.array[before] = memory.array[now]
    presume_values(memory)


@lru_cache(maxsize=16)
def _starts(structure: Structure, layout: Layout) -> Sequence[tuple[int, Variable, float | None]]:
    """Slots of variables that have start values, with those that are the same in all runs."""
    found: list[tuple[int, Variable, float | None]] = []
    for section, variables in (
        ("states", structure.states),
        ("algebraics", structure.algebraics),
        ("discretes", structure.discretes),
    ):
        first, _ = layout.sections.get(section, (0, 0))
        # The variables of a section are in the order of its slots.
        found += [
            (slot, v, constant_start(v))
            for slot, v in enumerate(variables, first)
            if v.symbol.type is not Type.STRING
        ]
    return found


@dataclass(frozen=True)
class Start:
    """The outcome of the initial system: the assertions that are violated and the terminations that are
    active by `initial()`, which is true only there; and how many steps homotopy took."""

    violated: list[int]
    endings: list[int]
    homotopy_steps: int


def solve_initial(memory: Memory, truths: Mapping[int, float] | None = None) -> Start:
    """The initial system. `truths` are those of relations, by index, that are presumed first; others are as
    the start values have them. The values before the start are still those that the system was solved with:
    these determine the mode of its solution (then `remember_start`)."""
    cells = memory.cells
    flag = memory.first("flags") + Flag.INITIAL
    cells[flag] = 1.0
    _guess_relations(memory)
    for index, truth in (truths or {}).items():
        cells[memory.first("relations") + index] = truth
    steps = follow_homotopy(memory) if memory.length("homotopy") else 0
    if not steps:
        _settle(memory)
    culprit = invalid_numbers.not_finite(memory, memory.structure.initial)
    if culprit is not None:
        raise culprit
    model = memory.structure.model
    memory.routines["checks"]()
    violated = _active(memory, "checks", [c.guard for c in model.checks])
    endings = _active(memory, "endings", [n.condition for n in model.endings])
    cells[flag] = 0.0
    return Start(violated, endings, steps)


def remember_start(memory: Memory) -> None:
    """The values before the start are those of the start. Residues that speak of them jump with that. Where
    one is zero afterwards, its relation is compared as zero, as all relations are at the start. Others are
    left to the event at the start, but not those of floor: until now they belonged to any whole numbers."""
    memory.section("pre_discretes")[:] = memory.section("discretes")
    memory.section("pre_states")[:] = memory.section("states")
    relations = memory.structure.model.relations
    moving = [k for k, r in enumerate(relations) if r.has_moving_zero]
    residues, signs = memory.section("residues"), memory.section("signs")
    before = residues.copy()
    if not moving or memory.routines["relations"]():
        return
    outside = np.abs(residues) > memory.section("bands")
    for k in (k for k in moving if residues[k] != before[k]):
        signs[k] = np.sign(residues[k]) if outside[k] else 0.0
        if relations[k].is_of_step or not outside[k]:
            memory.section("relations")[k] = compare(relations[k].op, float(signs[k]), 0.0)
        if not outside[k]:
            memory.section("zero_since")[k] = memory.time


def presume_start(memory: Memory, time: float) -> None:
    """Start values, and relations as these have them, in place of a solution of the initial system."""
    memory.cells[memory.first("flags") + Flag.INITIAL] = 0.0  # an attempt to solve it may have failed
    set_starts(memory, time)
    _guess_relations(memory)


def _settle(memory: Memory) -> None:
    """Solves the initial system from the start values; if need be again, with continuation, and again from
    start values that follow from others. Should all that fail, the message is about the first attempt:
    the others go far from the start values."""
    settle = Settling(memory, "settle_initial")
    start = memory.array.copy()
    status = settle()
    if not status:
        if _is_forbidden(memory):
            _settle_otherwise(memory, settle, start)
        return
    failed = memory.array.copy()
    memory.array[:] = start
    if not _continued(memory, settle):
        return
    if not any(_settled_better(memory, settle, start, failed, status, kinds) for kinds in (ALL, STATES)):
        memory.array[:] = failed
        raise unsolved.failure(memory, status, initial=True)


def _continued(memory: Memory, settle: Settling) -> int:
    """The status of an attempt with continuation."""
    slot = memory.first("counters") + Counter.CONTINUATION
    memory.cells[slot] = 1.0
    status = settle()
    memory.cells[slot] = 0.0
    return status


def _settled_better(
    memory: Memory,
    settle: Settling,
    start: NDArray[np.float64],
    failed: NDArray[np.float64],
    status: int,
    counting: frozenset[str],
) -> bool:
    """Whether better start values for the loops that fail, one after the other, lead to a solution."""
    slots = memory.layout.slots
    better = start.copy()
    tried: set[int] = set()
    while status not in tried:
        tried.add(status)
        block = memory.program.failures.get(status)
        memory.array[:] = failed
        if not isinstance(block, Nonlinear) or not follow_starts(memory, block, start, counting):
            return False
        for unknown in block.unknowns:
            better[slots[unknown]] = memory.array[slots[unknown]]
        memory.array[:] = better
        status = settle()
        if not status:
            return True
        failed = memory.array.copy()
        memory.array[:] = better
        if not _continued(memory, settle):
            return True
    return False


def _is_forbidden(memory: Memory) -> bool:
    """Whether an assertion of the model is violated."""
    if memory.routines["checks"]():
        return True
    checks = memory.structure.model.checks
    return any(v and not c.warning for v, c in zip(memory.section("checks"), checks, strict=True))


def _settle_otherwise(memory: Memory, settle: Settling, start: NDArray[np.float64]) -> None:
    """Another solution, where the one that was found violates an assertion: each loop in turn is solved from
    its start values, with what follows from them. Left as it is where that leads nowhere."""
    found = memory.array.copy()
    slots = memory.layout.slots
    for block in memory.structure.initial:
        if isinstance(block, Nonlinear):
            kept = memory.array.copy()
            places = [slots[x] for x in block.unknowns]
            memory.array[places] = start[places]
            if not follow_definitions(memory, block):
                memory.array[:] = kept
            if not settle() and not _is_forbidden(memory):
                return
    memory.array[:] = found


def _guess_relations(memory: Memory) -> None:
    """Relations as the start values have them. The first pass has to presume something, and presuming the
    opposite may fail where the model does not: a subscript out of range, an assertion of a function."""
    if memory.routines["relations"]() == 0:
        residues: list[float] = memory.section("residues").tolist()
    else:  # a function fails at the start values: those that do not use it have their truth all the same
        residues = [memory.number(r.residue, math.nan) for r in memory.structure.model.relations]
    first = memory.first("relations")
    for k, (relation, residue) in enumerate(zip(memory.structure.model.relations, residues, strict=True)):
        if not math.isnan(residue):
            memory.cells[first + k] = float(compare(relation.op, residue, 0.0))


def _active(memory: Memory, section: str, conditions: Sequence[Expr]) -> list[int]:
    """Which entries of a section are set, of those whose condition speaks of initial()."""
    cells, first = memory.cells, memory.first(section)
    return [
        i
        for i, condition in enumerate(conditions)
        if cells[first + i] and any(node is INITIAL for node in walk(condition))
    ]


def make_clocks(memory: Memory, now: float) -> Clocks:
    """The model's clocks, from the values of their starts and intervals."""
    starts: list[Fraction] = []
    intervals: list[Fraction] = []
    for clock in memory.structure.model.clocks:
        try:
            start, interval = float(memory.evaluate(clock.start)), float(memory.evaluate(clock.interval))
        except (NotEvaluable, ArithmeticError, ValueError) as error:
            raise RunError(
                Diagnostic(
                    "E407",
                    f"start and interval of this clock have no value: {error}",
                    clock.span,
                    origin=clock.origin,
                )
            ) from error
        call = "sample" if clock.ticks is None else "Clock"
        if not (interval > 0.0 and math.isfinite(interval) and math.isfinite(start)):
            raise RunError(
                Diagnostic(
                    "E407",
                    f"the interval of {call}(...) must be positive and finite, it is {interval:g}",
                    clock.span,
                    (Note(f"its start is {start:g}"),),
                    origin=clock.origin,
                )
            )
        if clock.ticks is None:
            starts.append(exact(start))
            intervals.append(exact(interval))
        else:
            shift, factor = clock.ticks
            starts.append(exact(now) + shift * exact(interval))
            intervals.append(factor * exact(interval))
    return Clocks(starts, intervals, now)
