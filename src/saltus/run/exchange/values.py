"""Inputs and outputs of exchanges, by name, in the memories of a run's programs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from saltus.core.nearest import did_you_mean
from saltus.core.option import usage_error
from saltus.core.wording import listed
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Type
from saltus.ir.flat import Causality, Variable
from saltus.run.engine.engine import Engine
from saltus.run.memory.memory import typed


class Inputs:
    """The inputs that are open, by name."""

    def __init__(self, variables: Iterable[Variable]) -> None:
        self._types = {v.name: v.symbol.type for v in variables}

    def number(self, name: str, value: Any) -> float:
        """A value as memories have it. Raises `UsageError` where there is no such input, or it cannot have
        that value."""
        kind = self._types.get(name)
        if kind is None:
            known = list(self._types)
            hint = did_you_mean(name, known) or (
                f"the inputs are {listed(known)}" if known else "there is none"
            )
            raise usage_error(f"there is no input `{name}` to be given a value", code="E502", hint=hint)
        if kind is Type.BOOLEAN:
            fits = isinstance(value, bool) or value in (0, 1)
        else:
            fits = not isinstance(value, bool) and _is_finite(value)
            fits = fits and (kind is Type.REAL or float(value) == int(value))
        if not fits:
            wanted = {Type.BOOLEAN: "true or false", Type.INTEGER: "a whole number"}.get(
                kind, "a finite number"
            )
            raise usage_error(f"the input `{name}` must be {wanted}, not {value!r}")
        return float(value)

    def put(self, engines: Iterable[Engine], numbers: Mapping[str, float]) -> bool:
        """Gives inputs values, in the memories of all programs. Whether one has changed."""
        changed = False
        for engine in engines:
            cells, places = engine.memory.cells, engine.named.places
            for name, value in numbers.items():
                slot = places[told_by(name)]
                if cells[slot] != value:
                    cells[slot], changed = value, True
        return changed


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except TypeError:
        return False


class Outputs:
    """The values of some variables, by name."""

    def __init__(self, names: Sequence[str], known: Collection[str]) -> None:
        for name in names:
            if name not in known:
                hint = did_you_mean(name, list(known))
                raise usage_error(f"there is no variable `{name}` to be told", code="E502", hint=hint)
        self._names = tuple(names)
        self._places: dict[Engine, list[tuple[str, int, float, Type]]] = {}

    def now(self, engine: Engine) -> dict[str, Any]:
        """Their values in the memory of an engine."""
        places = self._places.get(engine)
        if places is None:
            places = self._places[engine] = [self._place(engine, name) for name in self._names]
        cells = engine.memory.cells
        return {name: typed(kind, sign * cells[slot]) for name, slot, sign, kind in places}

    def _place(self, engine: Engine, name: str) -> tuple[str, int, float, Type]:
        sign, own, kind = 1.0, name, Type.REAL
        aliases = {a.symbol.name: a for a in engine.structure.aliases}
        model = engine.structure.model
        types = {v.name: v.symbol.type for v in (*model.discretes, *model.parameters, *model.constants)}
        while own in aliases:
            sign, own = -sign if aliases[own].negated else sign, aliases[own].target.name
        if own not in engine.named.places:
            raise usage_error(f"`{name}` has no value in the mode that the run has come to")
        return name, engine.named.places[own], sign, types.get(own, kind)


def is_output(v: Variable) -> bool:
    """Whether a variable is an output of the model itself."""
    return v.causality is Causality.OUTPUT and "." not in v.name


def told_by(name: str) -> str:
    """The name of the hidden parameter that holds the value of an input (`lower.flat.exchanged_inputs`)."""
    return Helper.TOLD.belonging_to(name)
