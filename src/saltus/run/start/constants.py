"""The values that parameters keep for good, where a run is asked to take them as constants."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from saltus.core.option import usage_error
from saltus.emit.machine import Machine
from saltus.expr.nodes import Type
from saltus.ir.structure import Structure
from saltus.run.memory.memory import Memory, parameter_values
from saltus.run.schedule.settings import Override
from saltus.run.start.initialise import set_parameters
from saltus.run.start.overrides import unknown_parameter


def constants(
    structure: Structure, machine: Machine, names: Sequence[str], overrides: Mapping[str, Override]
) -> dict[str, float]:
    """The values of the parameters that are named, or that patterns fit, with these values set. The machine's
    memory is written to. Raises `UsageError` where a name fits none."""
    memory = Memory(structure, machine)
    set_parameters(memory, overrides)
    values = parameter_values(memory)
    kinds = (Type.REAL, Type.INTEGER, Type.BOOLEAN)
    variables = [v for v in structure.model.parameters if v.symbol.type in kinds and not v.symbol.is_hidden]
    free = {v.name for v in variables if v.fixed is False}  # initial equations determine them
    known = {v.name: float(values[v.name]) for v in variables if v.name in values and v.name not in free}
    found: dict[str, float] = {}
    for wanted in names:
        fitting = [name for name in known if _fits(name, wanted)]
        if wanted in free:
            raise usage_error(f"`{wanted}` is determined by the start of the run, and cannot be a constant")
        if not fitting and not any(map("*?".__contains__, wanted)):
            raise unknown_parameter(wanted, structure.model.order, list(known))
        if not fitting and wanted != "*":
            raise usage_error(f"no parameter fits {wanted!r}")
        found |= {name: known[name] for name in fitting if math.isfinite(known[name])}
    return found


def _fits(name: str, wanted: str) -> bool:
    """Whether a parameter is meant: by its name, by that of its array, or by a pattern."""
    literal = wanted.replace("[", "[[]")  # brackets are those of subscripts
    return name == wanted or name.startswith(f"{wanted}[") or fnmatchcase(name, literal)
