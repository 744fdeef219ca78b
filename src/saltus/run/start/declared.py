"""What a model declares, with numbers: parameters with their values, variables with their start values."""

from __future__ import annotations

import math
from collections.abc import Iterator

from saltus.emit.machine import Machine
from saltus.expr.nodes import Expr, Type
from saltus.ir.declared import Declared, Value
from saltus.ir.flat import Causality, FlatModel, Variability, Variable
from saltus.ir.structure import Structure
from saltus.run.memory.memory import Memory, typed
from saltus.run.start.initialise import set_parameters


def declared(flat: FlatModel, structure: Structure, machine: Machine) -> list[Declared]:
    """A row for everything that users know, in declaration order. The machine's memory is written to."""
    memory = Memory(structure, machine)
    set_parameters(memory, {})
    return list(_rows(flat, structure, memory))


def _rows(flat: FlatModel, structure: Structure, memory: Memory) -> Iterator[Declared]:
    states = {v.symbol for v in structure.model.states}
    for v in flat.variables:
        if v.symbol.is_hidden or v.symbol.type is Type.OBJECT:
            continue
        unvarying = v.variability <= Variability.PARAMETER
        yield Declared(
            name=v.name,
            kind=_kind(v, is_state=v.symbol in states),
            type=_type(v),
            value=_value(memory, v) if unvarying else _number(memory, v, v.start),
            unit=v.unit,
            minimum=_number(memory, v, v.minimum),
            maximum=_number(memory, v, v.maximum),
            description=v.description,
            place=v.span,
            display_unit=v.display_unit,
            nominal=_number(memory, v, v.nominal),
            fixed=unvarying and (v.final or v.fixed is False or v.variability is Variability.CONSTANT),
            protected=v.protected,
        )


def _value(memory: Memory, v: Variable) -> Value:
    """The value of a parameter or constant, by its type."""
    if v.symbol.type is Type.STRING:
        return "" if v.binding is None else memory.message(v.binding)
    slot = memory.slot(v.symbol)
    if slot is not None:
        return _worded(v, typed(v.symbol.type, float(memory.array[slot])))
    return _number(memory, v, v.binding)


def _number(memory: Memory, v: Variable, e: Expr | None) -> Value:
    """An attribute by the type of the variable; None where nothing says it, or it is not known yet."""
    number = memory.number(e, math.nan)
    return None if math.isnan(number) else _worded(v, typed(v.symbol.type, number))


def _worded(v: Variable, value: Value) -> Value:
    """The literal of an enumeration, which counts from 1."""
    if v.enumeration is None or value is None or isinstance(value, str):
        return value
    return v.enumeration[int(value) - 1] if 1 <= value <= len(v.enumeration) else value


def _type(v: Variable) -> str:
    return " | ".join(v.enumeration) if v.enumeration is not None else str(v.symbol.type.value)


def _kind(v: Variable, *, is_state: bool) -> str:
    if v.variability <= Variability.PARAMETER:
        return v.variability.name.lower()
    if v.causality is not Causality.LOCAL:
        return str(v.causality.value)
    if is_state:
        return "state"
    return "discrete" if v.variability is Variability.DISCRETE else "variable"
