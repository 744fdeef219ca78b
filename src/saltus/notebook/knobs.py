"""A parameter becomes a knob: the default range of its slider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import TypeAlias

from saltus.core.option import usage_error
from saltus.core.wording import listed
from saltus.ir.declared import Declarations, Declared, value_text

#: A slider goes from a quarter of the value to four times as much: what is positive stays positive.
FACTOR = 4.0

#: The least number of positions of a slider.
POSITIONS = 200

#: Parameters that become sliders where none is named.
FEW = 6

Range: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Knob:
    """What a slider needs to know. `choices` are the literals of an enumeration."""

    parameter: Declared
    low: float = 0.0
    high: float = 1.0
    step: float = 0.01
    choices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return self.parameter.name

    @property
    def label(self) -> str:
        """The name with its unit."""
        unit = self.parameter.unit
        return f"{self.name} [{unit}]" if unit and unit != "1" else self.name


def knobs_for(
    parameters: Declarations, names: Sequence[str], ranges: Mapping[str, Range], structural: frozenset[str]
) -> list[Knob]:
    """A knob for each parameter that is named; else for the first that are numbers, the model's own and
    those of its own parts before others. `structural` ones cannot be turned: they decide the structure."""
    asked = list(dict.fromkeys([*names, *ranges]))
    fixed = [name for name in asked if name in structural and parameters[name]]
    if fixed:
        raise usage_error(
            f"{listed(fixed)} determines which equations the model has",
            hint="a new value translates the model again: use simulate(set=...), not a slider",
        )
    if asked:
        return [_knob(parameters[name], ranges.get(name)) for name in asked]
    numbers = [row for row in parameters.values() if row.type == "Real" and _is_turnable(row, structural)]
    numbers.sort(key=lambda row: row.name.count("."))
    return [_knob(row, None) for row in numbers[:FEW]]


def _is_turnable(row: Declared, structural: frozenset[str]) -> bool:
    known = isinstance(row.value, float | int) and row.value != 0
    return known and not row.protected and row.name not in structural


def _knob(row: Declared, given: Range | None) -> Knob:
    if row.type == "Boolean":
        return Knob(row)
    if row.type == "String":
        raise usage_error(f"`{row.name}` is a String and has no slider", hint="choose a number or a Boolean")
    if row.type not in ("Real", "Integer"):
        return Knob(row, choices=tuple(row.type.split(" | ")))
    low, high = _range(row) if given is None else given
    if not (isfinite(low) and isfinite(high) and low < high):
        raise usage_error(f"`{row.name}` cannot go from {low:g} to {high:g}", hint="a range is (low, high)")
    step = 1.0 if row.type == "Integer" else 10.0 ** floor(log10((high - low) / POSITIONS))
    return Knob(row, low, high, step)


def _range(row: Declared) -> Range:
    """Around its value, within what is declared."""
    value = float(row.value) if isinstance(row.value, float | int) else 0.0
    low, high = sorted((value / FACTOR, value * FACTOR)) if value else (-1.0, 1.0)
    if row.type == "Integer":
        low, high = floor(low), max(high, low + 1)
    if isinstance(row.minimum, float | int) and isfinite(row.minimum):
        low = max(low, float(row.minimum))
    if isinstance(row.maximum, float | int) and isfinite(row.maximum):
        high = min(high, float(row.maximum))
    if low >= high:
        raise usage_error(
            f"`{row.name}` is {value_text(row.value)}, at the end of what is allowed",
            hint=f'say in which range it moves: ranges={{"{row.name}": (low, high)}}',
        )
    return low, high
