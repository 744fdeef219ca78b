"""Before the first step: parameters, start values, the initial system.

Parameters are computed by the native routine, which knows user functions; those that depend on a value set
from outside are then computed again, in order, in Python.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from difflib import get_close_matches

from saltus.core.diagnostics import Diagnostic, Note, RunError, UsageError
from saltus.expr.evaluate import NotEvaluable
from saltus.expr.nodes import Symbol, Type, leaf_symbol, leaves, pre, ref
from saltus.ir.flat import Variability, Variable
from saltus.run import diagnose
from saltus.run.clocks import Clocks
from saltus.run.memory import INITIAL_FLAG, TIME_SLOT, Memory
from saltus.run.settings import Override


def set_parameters(memory: Memory, overrides: Mapping[str, Override]) -> None:
    """Values of all constants and parameters, and the bands of the relations."""
    structure = memory.structure
    model = structure.model
    for v in (*model.constants, *model.parameters):
        if v.symbol.type is not Type.STRING:
            # One without a binding is determined by initial equations: this is its guess.
            memory.store(v.symbol, memory.number(v.binding if v.binding is not None else v.start, 0.0))
    status = memory.routines["parameters"]()
    if status:
        raise diagnose.failure(memory, status)
    if overrides:
        _override(memory, _checked(memory, overrides))
    culprit = diagnose.not_finite(memory, structure.parameters)
    if culprit is not None:
        raise culprit


def _checked(memory: Memory, overrides: Mapping[str, Override]) -> dict[Symbol, float]:
    """The parameters to set, with numbers for values; refuses what may not be set."""
    structure = memory.structure
    parameters = {v.name: v for v in structure.model.parameters}
    solved = {leaf_symbol(u) for block in structure.initial for u in block.unknowns}
    found: dict[Symbol, float] = {}
    for name, value in overrides.items():
        v = parameters.get(name)
        if v is None:
            raise UsageError(_unknown(memory, name, list(parameters)))
        reason = None
        if v.final:
            reason = "it is final"
        elif v.structural:
            reason = "its value was used when the model was translated; translate it again with the new value"
        elif v.symbol in solved:
            reason = "the initial equations determine it (fixed = false)"
        elif v.symbol.type is Type.STRING:
            reason = "it is a String"
        if reason is not None:
            raise UsageError(Diagnostic("E501", f"parameter `{name}` cannot be set: {reason}", v.span))
        found[v.symbol] = _number(v, value)
    return found


def _unknown(memory: Memory, name: str, parameters: list[str]) -> Diagnostic:
    others = {v.name: v for v in memory.structure.model.variables()}
    if name in others:
        kind = "constant" if others[name].variability is Variability.CONSTANT else "variable"
        return Diagnostic("E502", f"`{name}` is a {kind}, not a parameter", others[name].span)
    near = get_close_matches(name, parameters, n=3)
    hint = f"did you mean {' or '.join(f'`{n}`' for n in near)}?" if near else None
    return Diagnostic("E502", f"there is no parameter `{name}`", hint=hint)


def _number(v: Variable, value: Override) -> float:
    def refuse(expected: str) -> UsageError:
        return UsageError(
            Diagnostic("E501", f"parameter `{v.name}` must be {expected}, not {value!r}", v.span)
        )

    if v.enumeration is not None:
        literals = v.enumeration
        if isinstance(value, str) and value.rpartition(".")[2] in literals:
            return float(literals.index(value.rpartition(".")[2]) + 1)
        if isinstance(value, str) or value != int(value) or not 1 <= value <= len(literals):
            raise refuse(f"one of {', '.join(literals)}")
        return float(value)
    match v.symbol.type:
        case Type.BOOLEAN:
            if isinstance(value, str) or value not in (0, 1):
                raise refuse("true or false")
        case Type.INTEGER:
            if isinstance(value, str | bool) or not math.isfinite(value) or value != int(value):
                raise refuse("an Integer")
        case _:
            if isinstance(value, str | bool) or not math.isfinite(value):
                raise refuse("a finite number")
    return float(value)


def _override(memory: Memory, values: Mapping[Symbol, float]) -> None:
    """Stores the values, and computes again what depends on them."""
    structure = memory.structure
    reached = set(values)
    again = []
    for p in structure.parameters:
        symbol = leaf_symbol(p.unknown)
        if symbol not in values and any(leaf_symbol(leaf) in reached for leaf in leaves(p.value)):
            reached.add(symbol)
            again.append(p)
    # Bands are proportional to nominal values, which may change too.
    scaled = [
        (i, r.nominal, memory.number(r.nominal, 1.0))
        for i, r in enumerate(structure.model.relations)
        if any(leaf_symbol(leaf) in reached for leaf in leaves(r.nominal))
    ]
    for symbol, value in values.items():
        memory.store(symbol, value)
    for p in again:
        try:
            memory.store(leaf_symbol(p.unknown), float(memory.evaluate(p.value)))
        except NotEvaluable as error:
            name = leaf_symbol(p.unknown).name
            raise UsageError(
                Diagnostic(
                    "E501",
                    f"parameter `{name}` depends on a value that was set, through a function call: "
                    "change the value in the model",
                    p.equation.span,
                )
            ) from error
        except (ArithmeticError, ValueError) as error:
            name = leaf_symbol(p.unknown).name
            zero = isinstance(error, ZeroDivisionError)
            raise RunError(
                Diagnostic(
                    "E402" if zero else "E407",
                    f"parameter `{name}` cannot be computed with the values set: {error}",
                    p.equation.span,
                )
            ) from error
    bands = memory.section("bands")
    for i, nominal, before in scaled:
        if before:
            bands[i] *= abs(memory.number(nominal, 1.0) / before)


def set_starts(memory: Memory, time: float) -> None:
    """Start values as guesses (and as values before the start, for discrete variables)."""
    structure = memory.structure
    memory.cells[TIME_SLOT] = time
    for v in (*structure.states, *structure.algebraics, *structure.discretes):
        if v.symbol.type is Type.STRING:
            continue
        value = memory.number(v.start, _default(memory, v))
        memory.store(v.symbol, value)
        before = memory.layout.slots.get(pre(ref(v.symbol)))
        if before is not None:
            memory.array[before] = value


def _default(memory: Memory, v: Variable) -> float:
    """Zero, or what is nearest to it between minimum and maximum."""
    if v.enumeration is not None:
        return 1.0
    low = memory.number(v.minimum, -math.inf)
    high = memory.number(v.maximum, math.inf)
    return max(low, min(0.0, high))


def solve_initial(memory: Memory) -> None:
    """The initial system; afterwards the values before the start are those of the start."""
    cells = memory.cells
    flag = memory.first("flags") + INITIAL_FLAG
    cells[flag] = 1.0
    status = memory.routines["settle_initial"]()
    if status:
        raise diagnose.failure(memory, status, initial=True)
    culprit = diagnose.not_finite(memory, memory.structure.initial)
    if culprit is not None:
        raise culprit
    cells[flag] = 0.0
    memory.section("pre_discretes")[:] = memory.section("discretes")
    memory.section("pre_states")[:] = memory.section("states")


def make_clocks(memory: Memory, now: float) -> Clocks:
    """The model's clocks, from the values of their starts and intervals."""
    starts, intervals = [], []
    for clock in memory.structure.model.clocks:
        try:
            start, interval = float(memory.evaluate(clock.start)), float(memory.evaluate(clock.interval))
        except (NotEvaluable, ArithmeticError, ValueError) as error:
            raise RunError(
                Diagnostic("E407", f"start and interval of this clock have no value: {error}", clock.span)
            ) from error
        if not (interval > 0.0 and math.isfinite(interval) and math.isfinite(start)):
            raise RunError(
                Diagnostic(
                    "E407",
                    f"the interval of sample(...) must be positive and finite, it is {interval:g}",
                    clock.span,
                    (Note(f"its start is {start:g}"),),
                )
            )
        starts.append(start)
        intervals.append(interval)
    return Clocks(starts, intervals, now)
