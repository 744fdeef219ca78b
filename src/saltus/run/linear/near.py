"""The linear system that a model is near the position to which a run has come.

The routines of the mode are evaluated at neighbouring positions, with all relations and discrete variables as
they are: so the result is that of one side, also on an edge. Differences of fourth order are exact for
polynomials up to the fourth degree; what is left is rounding, about 1e-12 of the largest term.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, RunError
from saltus.core.nearest import did_you_mean
from saltus.core.option import usage_error
from saltus.expr.helpers import offset_of
from saltus.expr.nodes import Symbol, Type, ref
from saltus.ir.flat import Causality, Variable
from saltus.result.linear.system import LinearSystem
from saltus.run.engine.engine import Engine
from saltus.run.memory.memory import Memory, size_number
from saltus.run.schedule.settings import Override
from saltus.run.start.initialise import set_parameters

#: A step to a neighbouring position, in sizes of what is changed. Its fourth power is the error where a
#: function is not a polynomial, and rounding is divided by it.
_NEIGHBOUR = 1e-3

#: Rounding of a difference, in the largest terms.
_NOISE = 16 * np.finfo(float).eps

#: A difference that is larger against the values has digits enough; otherwise the step is made longer.
_CLEAR, _LENGTHENED = 1e9 * np.finfo(float).eps, 1e3

#: Where differences of second and of fourth order differ more, relative to what they are, the step is too
#: long for both: it is shortened by this factor, down to so much of the size, or to the value if less.
_BENT, _SHORTENED, _NO_SHORTER = 1e-5, 0.1, 1e-6

#: Places and weights of the difference of fourth order.
_STENCIL = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))


@dataclass(frozen=True)
class _Difference:
    """The derivatives of all values, and where they bend so much that a shorter step would be better."""

    slopes: NDArray[np.float64]
    bends: NDArray[np.bool_]


def near(
    engine: Engine,
    overrides: Mapping[str, Override],
    inputs: Sequence[str],
    outputs: Sequence[str] | None,
) -> LinearSystem:
    """The linear system; its mode is left to who knows the run. `inputs` are parameters (`overrides` are the
    values of those that were given), `outputs` variables; None means those that the model declares.
    """
    memory, model = engine.memory, engine.structure.model
    known = {v.name: v.symbol for v in (*model.variables(), *model.order)}
    if outputs is None:
        outputs = [v.name for v in model.order if v.causality is Causality.OUTPUT and "." not in v.name]
    observed = [_symbol(name, known) for name in outputs]
    before = memory.array.copy()

    def values() -> NDArray[np.float64] | None:
        """The derivatives of the states, and the outputs, at the position that the memory has now."""
        status = engine.continuous.outputs()
        found = [*engine.continuous.derivatives, *(float(memory.value(ref(symbol))) for symbol in observed)]
        return None if status or not np.isfinite(found).all() else np.array(found)

    def difference(change: Callable[[float], None], size: float) -> _Difference | None:
        """The derivative of the values by what `change` sets to so much more."""
        fourth, second = np.zeros(len(at)), np.zeros(len(at))
        for place, weight in _STENCIL:
            memory.array[:] = before
            change(place * _NEIGHBOUR * size)
            if (there := values()) is None:
                return None
            fourth += weight * there
            second += place / 2 * there if abs(place) == 1 else 0.0
        step = _NEIGHBOUR * size
        bends = np.abs(fourth - second) > np.maximum(_BENT * np.abs(fourth), _CLEAR * np.abs(at))
        return _Difference(fourth / step, bends)

    def slope(
        change: Callable[[float], None], value: float, size: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The slope, with the size of the step that was used. Steps are shorter where there are no values
        that far away, or where the values bend too much; effects that drown in rounding, such as the
        contribution of a very small velocity to a force, need longer ones."""
        shortest = min(_NO_SHORTER * size, abs(value) or size)
        short = size = max(abs(value), size)
        while (beside := difference(change, short)) is None:
            short *= _SHORTENED
            if short < shortest:
                message = f"the equations have no solution beside the position at time {memory.time:.9g}"
                raise RunError(Diagnostic("E407", message, hint="linearise at another time"))
        found, bent, sizes = beside.slopes, beside.bends, np.full(len(at), short)
        whole = short == size
        while bent.any() and (short := short * _SHORTENED) >= shortest:
            if (beside := difference(change, short)) is None:
                break
            found, sizes = np.where(bent, beside.slopes, found), np.where(bent, short, sizes)
            bent = bent & beside.bends
        straight = sizes == size
        while whole and size < 1.0:
            drowned = straight & (np.abs(found) * _NEIGHBOUR * sizes <= _CLEAR * np.abs(at))
            size = min(_LENGTHENED * size, 1.0)
            if not drowned.any() or (beside := difference(change, size)) is None:
                break
            found, sizes = np.where(drowned, beside.slopes, found), np.where(drowned, size, sizes)
        return found, sizes

    states, count = engine.structure.states, len(engine.structure.states)
    slots = [memory.first("states") + k for k in range(count)]
    here = values()
    if here is None:
        message = f"the equations have no solution at time {memory.time:.9g}"
        raise RunError(Diagnostic("E407", message, hint="linearise at another time"))
    at = here
    slopes = [
        slope(partial(_more, memory, slot), float(before[slot]), size_number(memory, v))
        for v, slot in zip(states, slots, strict=True)
    ]
    # Tables are made anew with parameters, so that these come after the states.
    given = {name: _parameter(name, known, memory) for name in inputs}
    for name, value in given.items():
        raised = _raised(name, model.parameters)
        base = value if raised == name else 0.0
        slopes.append(slope(partial(_set, memory, overrides, raised, base), value, abs(value) or 1.0))
    memory.array[:] = before
    position = np.array([*before[slots], *given.values()])
    found, sizes = (np.array([s[k] for s in slopes]).reshape(len(slopes), len(at)).T for k in (0, 1))
    whole = _without_rounding(found, at, position, sizes)
    names = [v.name for v in states]
    values_at = dict(zip(names, before[slots].tolist(), strict=True)) | given
    return LinearSystem(
        model=model.name,
        time=memory.time,
        mode="",
        states=tuple(names),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        A=whole[:count, :count],
        B=whole[:count, count:],
        C=whole[count:, :count],
        D=whole[count:, count:],
        at=values_at | dict(zip(outputs, at[count:].tolist(), strict=True)),
    )


def _more(memory: Memory, slot: int, more: float) -> None:
    memory.cells[slot] += more


def _set(memory: Memory, overrides: Mapping[str, Override], name: str, value: float, more: float) -> None:
    set_parameters(memory, {**overrides, name: value + more})


def _raised(name: str, parameters: Sequence[Variable]) -> str:
    """What is changed to change an input: itself, or the offset of the curve that is given to it."""
    offset = offset_of(name)
    return offset if any(p.name == offset for p in parameters) else name


def _without_rounding(
    slopes: NDArray[np.float64],
    at: NDArray[np.float64],
    position: NDArray[np.float64],
    sizes: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What is no more than the rounding of the terms of its equation, at the position, is zero."""
    if not slopes.size:
        return slopes
    terms = np.maximum(np.abs(at), np.abs(slopes * position).max(axis=1))
    rounding = _NOISE * terms[:, np.newaxis] / (_NEIGHBOUR * sizes)
    return np.where(np.abs(slopes) > rounding, slopes, 0.0)


def _symbol(name: str, known: Mapping[str, Symbol]) -> Symbol:
    """The variable of a name."""
    if name not in known:
        hint = did_you_mean(name, list(known)) or "`saltus describe` lists what there is"
        raise usage_error(f"there is no variable `{name}`", code="E502", hint=hint)
    if known[name].type is not Type.REAL:
        raise usage_error(f"`{name}` is not a Real, and has no derivative")
    return known[name]


def _parameter(name: str, known: Mapping[str, Symbol], memory: Memory) -> float:
    """The value of a parameter that is to be an input."""
    return float(memory.value(ref(_symbol(name, known))))
