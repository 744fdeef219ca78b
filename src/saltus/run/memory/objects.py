"""External objects of a run: made when parameters have their values, and kept as long as its memory."""

from __future__ import annotations

from dataclasses import replace

from saltus.core.diagnostics import ModelError, RunError
from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import Type
from saltus.functions.interpret import call_function
from saltus.run.memory.memory import Memory


def make_objects(memory: Memory) -> None:
    """Makes the objects of a memory, from parameters that have their values."""
    model = memory.structure.model
    objects = [v for v in (*model.constants, *model.parameters) if v.symbol.type is Type.OBJECT]
    for v in objects:
        if v.binding is None:
            continue
        try:
            made = evaluate(v.binding, memory.value, apply=call_function)
        except ModelError as error:
            raise RunError(d if d.span else replace(d, span=v.span) for d in error.diagnostics) from None
        memory.objects[v.symbol] = made
        memory.store(v.symbol, float(made))
