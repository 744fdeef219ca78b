"""Curves: variables over time, of a run or of a file, without the model.

Events are two rows at one time, the left and the right limit, as in the rows of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import usage_error
from saltus.expr.nodes import Type
from saltus.result.trajectories.trajectories import Trajectories, UnknownVariable

Array: TypeAlias = NDArray[np.float64]
Value: TypeAlias = float | int | bool | str


@dataclass(frozen=True)
class Column:
    """What is known of one variable beside its values. `literals` are those of an enumeration, which counts
    from 1; `source` and `negated` say which other one it is an alias of, if that is known; `display` is its
    display unit."""

    unit: str = ""
    description: str = ""
    type: Type = Type.REAL
    literals: tuple[str, ...] = ()
    source: str = ""
    negated: bool = False
    display: str = ""

    @property
    def is_discrete(self) -> bool:
        """Whether it keeps its value between rows."""
        return self.type is not Type.REAL

    def typed(self, number: float) -> Value:
        """A number as a value of the type."""
        if number != number or self.type is Type.REAL:
            return float(number)
        if self.literals and 1 <= number <= len(self.literals):
            return self.literals[int(number) - 1]
        return bool(number) if self.type is Type.BOOLEAN else int(number)


@dataclass(frozen=True, eq=False)
class Curves(Mapping[str, Array]):
    """`curves["x"]` is an array along `curves.time`. `parameters` do not change; they are looked up like the
    variables, as constant arrays, but are not counted among them."""

    model: str
    time: Array
    arrays: Mapping[str, Array]
    columns: Mapping[str, Column] = field(default_factory=dict)
    parameters: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The variables, in their order."""
        return list(self.arrays)

    def __getitem__(self, name: str) -> Array:
        if name == "time":
            return self.time
        if name in self.arrays:
            return self.arrays[name]
        if name in self.parameters:
            return np.full(len(self.time), self.parameters[name])
        raise UnknownVariable(name, [*self.arrays, *self.parameters])

    def __contains__(self, name: object) -> bool:
        return name in self.arrays or name in self.parameters or name == "time"

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)

    def column(self, name: str) -> Column:
        """What is known of a variable."""
        return self.columns.get(name, Column())

    @property
    def head(self) -> Curves:
        """The curves without rows."""
        return self.rows(slice(0, 0))

    def rows(self, chosen: slice) -> Curves:
        """Some of the rows."""
        values = {name: values[chosen] for name, values in self.arrays.items()}
        return replace(self, time=self.time[chosen], arrays=values)

    def choose(self, patterns: Sequence[str]) -> Curves:
        """Only the variables and parameters whose names match one of the patterns (`*`, `?`)."""
        chosen = chosen_names([*self.arrays, *self.parameters], patterns)
        values = {name: values for name, values in self.arrays.items() if name in chosen}
        parameters = {name: value for name, value in self.parameters.items() if name in chosen}
        return Curves(self.model, self.time, values, self.columns, parameters)

    # ------------------------------------------------------------ between the rows

    def at(self, time: float, *, left: bool = False) -> dict[str, Value]:
        """The values of all variables at one time, Booleans, Integers and enumerations by their types. At an
        event they are those after it, or with `left` those before it."""
        at = np.array([time])
        return {
            name: self.column(name).typed(float(self._sampled(name, at, left=left)[0]))
            for name in self.arrays
        }

    def resample(self, times: float | Sequence[float] | Array, *, left: bool = False) -> Curves:
        """The variables at other times: at regular intervals, or at those given. Between two rows Reals are
        interpolated linearly, all others hold their value."""
        if isinstance(times, int | float):
            if times <= 0:
                raise usage_error(f"the distance of rows must be greater than zero, not {times:g}")
            count = int(np.floor((self.time[-1] - self.time[0]) / times * (1 + 1e-12)))
            wanted = self.time[0] + times * np.arange(count + 1)
        else:
            wanted = np.asarray(times, dtype=float)
        values = {name: self._sampled(name, wanted, left=left) for name in self.arrays}
        return Curves(self.model, wanted, values, self.columns, self.parameters)

    def _sampled(self, name: str, times: Array, *, left: bool) -> Array:
        """Values of one variable at these times."""
        if not len(self.time):
            raise usage_error("there are no rows")
        first, last = float(self.time[0]), float(self.time[-1])
        slack = 1e-9 * max(abs(first), abs(last), last - first)
        if len(times) and (times.min() < first - slack or times.max() > last + slack):
            outside = times[(times < first - slack) | (times > last + slack)][0]
            raise usage_error(
                f"there is no value at time {outside:g}: the rows go from {first:g} to {last:g}"
            )
        values = self.arrays[name]
        behind = np.searchsorted(self.time, times, "left" if left else "right")
        if left:
            exact = (behind < len(self.time)) & (self.time[np.minimum(behind, len(self.time) - 1)] == times)
            behind = behind + exact
        before = np.clip(behind - 1, 0, len(self.time) - 1)
        after = np.clip(behind, 0, len(self.time) - 1)
        found = values[before]
        if not self.column(name).is_discrete:
            width = self.time[after] - self.time[before]
            share = np.where(width > 0, (times - self.time[before]) / np.where(width > 0, width, 1.0), 0.0)
            step = np.where(share > 0, share * (values[after] - found), 0.0)
            found = found + step
        return np.asarray(found, dtype=float)

    # ------------------------------------------------------------ elsewhere

    def to_pandas(self, *, unique: bool = False) -> Any:
        """A pandas DataFrame with time as its index, Booleans and Integers with their types, enumerations as
        categories. `unique` leaves the left limits of events out, so that every time is there once."""
        try:
            import pandas
        except ImportError as error:
            raise usage_error("pandas is not installed", hint="pip install saltus[pandas]") from error
        rows = np.append(self.time[1:] != self.time[:-1], True) if unique and len(self.time) else slice(None)
        index = pandas.Index(self.time[rows], name="time")
        return pandas.DataFrame({n: self._series(n, rows, pandas) for n in self.arrays}, index=index)

    def _series(self, name: str, rows: Any, pandas: Any) -> Any:
        column, values = self.column(name), self.arrays[name][rows]
        if not column.is_discrete or not np.isfinite(values).all():
            return values
        if column.literals:
            return pandas.Categorical.from_codes(values.astype(int) - 1, categories=list(column.literals))
        return values.astype(bool if column.type is Type.BOOLEAN else int)

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g}" if len(self.time) else "nothing"
        return f"<Curves of {self.model}: {span}, {len(self.time)} rows, {len(self.arrays)} variables>"


def chosen_names(names: Sequence[str], patterns: Sequence[str]) -> set[str]:
    """The names that fit one of the patterns. A pattern that none fits is a slip."""
    chosen: set[str] = set()
    for pattern in patterns:
        # `x[1]` is the name of an element, and no pattern for `x1`
        literal = pattern.replace("[", "[[]")
        found = {name for name in names if fnmatchcase(name, literal)}
        if not found:
            raise usage_error(str(UnknownVariable(pattern, names)), code="E502")
        chosen |= found
    return chosen


def curves_of(result: Trajectories, patterns: Sequence[str] | None = None) -> Curves:
    """The variables of a run, and its parameters; or those that fit one of the patterns."""
    names, parameters = result.names, dict(result.unvarying)
    if patterns is not None:
        chosen = chosen_names([*names, *parameters], patterns)
        names = [name for name in names if name in chosen]
        parameters = {name: value for name, value in parameters.items() if name in chosen}
    values = {name: result[name] for name in names}
    return Curves(
        result.model, result.time, values, dict(columns_of(result, [*names, *parameters])), parameters
    )


def columns_of(result: Trajectories, names: Sequence[str]) -> Iterator[tuple[str, Column]]:
    """What is known of variables and parameters."""
    declared = {v.name: v for s in (result.structure, result.general) for v in s.model.variables()}
    declared |= {v.name: v for v in result.structure.model.order}
    for name in names:
        v = declared.get(name)
        if v is None:
            continue
        source, negated = result.source(name)
        literals = v.enumeration or ()
        yield name, Column(v.unit, v.description, v.symbol.type, literals, source, negated, v.display_unit)


def named_after(path: Path) -> str:
    """What the curves of a file are called that says no name."""
    return path.name.partition(".")[0]
