"""What is drawn: runs and result files alike, in display units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error
from saltus.expr.nodes import Type
from saltus.ir.flat import Variability
from saltus.ir.unit import conversion
from saltus.result.exchange.curves import Column, Curves, columns_of
from saltus.result.exchange.formats import read_result
from saltus.result.result import Result

Numbers: TypeAlias = NDArray[np.float64]

#: What can be drawn.
One: TypeAlias = Result | Curves | str | Path
Given: TypeAlias = One | Sequence[One] | Mapping[str, One]


class Drawn:
    """A run, or curves. `label` distinguishes it from others in the same picture."""

    def __init__(self, given: One, label: str = "", *, display: bool = True) -> None:
        """With `display` values are in the display units of the model."""
        self.source: Result | Curves = given if isinstance(given, Result | Curves) else read_result(given)
        self.label = label
        self._display = display
        self._columns: dict[str, Column] = {}

    @property
    def result(self) -> Result | None:
        """The run with its events, if it is not only curves."""
        return self.source if isinstance(self.source, Result) else None

    @property
    def model(self) -> str:
        """Name of the model."""
        return self.source.model

    @cached_property
    def time(self) -> Numbers:
        """Times of the rows."""
        return self.source.time

    @property
    def names(self) -> list[str]:
        """Variables, in the order of declaration."""
        return self.source.names

    def __contains__(self, name: object) -> bool:
        return name in self.source

    def column(self, name: str) -> Column:
        """What is known of a variable."""
        if isinstance(self.source, Curves):
            return self.source.column(name)
        if name not in self._columns:
            self._columns[name] = dict(columns_of(self.source, [name])).get(name, Column())
        return self._columns[name]

    def switches(self, name: str) -> bool:
        """Whether a variable is a Boolean, an Integer or an enumeration."""
        return self.column(name).type is not Type.REAL

    def is_discrete(self, name: str) -> bool:
        """Whether it changes at events only."""
        variable = self.result.variables.get(name) if self.result is not None else None
        sampled = variable is not None and variable.variability is Variability.DISCRETE
        return sampled or (self.switches(name) and (self.result is None or variable is not None))

    def unit(self, name: str) -> str:
        """The unit in which a variable is drawn."""
        if name == "time":
            return "s"
        column = self.column(name)
        return column.display if self._conversion(column) is not None else column.unit

    def _conversion(self, column: Column) -> tuple[float, float] | None:
        if not self._display or not column.display or column.display == column.unit:
            return None
        return conversion(column.unit, column.display)

    def shown(self, name: str, values: Numbers) -> Numbers:
        """Values of a variable in the unit in which it is drawn."""
        change = self._conversion(self.column(name)) if name != "time" else None
        return values if change is None else change[0] * values + change[1]

    def values(self, name: str) -> Numbers:
        """A variable over time, in the unit in which it is drawn."""
        return self.shown(name, self.source[name])

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Where the equations leave a variable open, as far as that is known."""
        result = self.result
        if result is None or result.whole is not result:
            return np.zeros(len(self.time), dtype=bool)
        return result.undetermined(name)

    def titled(self, name: str) -> str:
        """A variable with its unit."""
        unit = self.unit(name)
        return f"{name} [{unit}]" if unit else name


def drawn_from(given: Given, *, display: bool = True) -> list[Drawn]:
    """The runs to draw, with labels that distinguish them."""
    if isinstance(given, Result | Curves | str | Path):
        return [Drawn(given, display=display)]
    if isinstance(given, Mapping):
        named = cast("Mapping[str, One]", given)  # curves are mappings, too, and done with
        return [Drawn(one, label, display=display) for label, one in named.items()]
    found = [Drawn(one, display=display) for one in given]
    for one, label in zip(found, _labels(list(given), [d.model for d in found]), strict=True):
        one.label = label
    if not found:
        raise usage_error("there is nothing to draw")
    return found


def _labels(given: Sequence[One], models: Sequence[str]) -> Iterable[str]:
    """The labels: for files their names, as far as needed to distinguish them; for runs their models, or else
    numbers."""
    stems = [
        Path(one).stem if isinstance(one, str | Path) else model
        for one, model in zip(given, models, strict=True)
    ]
    if len(set(stems)) == len(stems):
        return stems
    paths = [str(one) if isinstance(one, str | Path) else "" for one in given]
    if all(paths) and len(set(paths)) == len(paths):
        return paths
    return [f"run {number}" for number in range(1, len(given) + 1)]


def difference(first: Drawn, second: Drawn, *, display: bool = True) -> Drawn:
    """The second run minus the first one, where both are: variables that both have, at the times of both, on
    both sides of events."""
    a, b = (one.source.curves() if isinstance(one.source, Result) else one.source for one in (first, second))
    times = np.union1d(a.time, b.time)
    times = times[(times >= max(a.time[0], b.time[0])) & (times <= min(a.time[-1], b.time[-1]))]
    if not len(times):
        raise usage_error("the runs have no time in common")
    rows = np.repeat(
        np.arange(len(times)), 1 + np.isin(times, np.concatenate([_twice(a.time), _twice(b.time)]))
    )
    is_left = np.append(rows[1:] == rows[:-1], False)
    sides = [(a.resample(times, left=left), b.resample(times, left=left)) for left in (True, False)]
    arrays, columns = {}, {}
    for name in a.arrays:
        if name in b.arrays:
            left, right = ((other[name] - one[name])[rows] for one, other in sides)
            columns[name], factor = _of_difference(a.column(name), display=display)
            arrays[name] = factor * np.where(is_left, left, right)
    label = f"{second.label} - {first.label}" if second.label else ""
    return Drawn(Curves(a.model, times[rows], arrays, columns), label)


def _twice(times: Numbers) -> Numbers:
    found: Numbers = times[1:][times[1:] == times[:-1]]
    return found


def _of_difference(column: Column, *, display: bool) -> tuple[Column, float]:
    """A difference is a number, of whatever: it has no literals, and no zero of its own. Where temperatures
    are shown in degrees, it is one of kelvins. And the factor to its unit."""
    factor = conversion(column.unit, column.display) if display and column.display else None
    unit = column.unit if factor is None else column.display
    return Column({"degC": "K"}.get(unit, unit), column.description), 1.0 if factor is None else factor[0]
