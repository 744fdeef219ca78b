"""Impulses: what a variable adds up to in an instant in which it is infinite.

When a clutch closes between two inertias, its torque is infinite for no time at all, and what it hands over
is a finite angular momentum: the integral of the torque over the instant, its *weight*. Currents have
charges, voltages flux linkages, forces momenta. The run writes weights into the records of its events; here
they get their names and units. An alias of a variable has its impulse, with the sign of the alias.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, overload

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.core.wording import number
from saltus.result.log.records import EventRecord, by_python
from saltus.result.trajectories.trajectories import Trajectories

#: Impulses that the text of a list shows.
_SHOWN = 20


class Impulse(NamedTuple):
    """The integral of a variable over an instant, in `unit`: that of the variable, times a second."""

    time: float
    name: str
    weight: float
    unit: str = ""

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.time:<12.9g}  {self.name}: {self.weight:.9g}{unit}"


class Impulses(Sequence[Impulse]):
    """All impulses of a run in the order of time, each under one name of its variable.

    result.impulses[0]               time, name, weight, unit
    result.impulses["clutch.tau"]    those of one variable, by any of its names
    """

    def __init__(self, result: Trajectories) -> None:
        self._result = result

    @cached_property
    def _found(self) -> list[Impulse]:
        return [one for record in _with_impulses(self._result.records) for one in self.of(record)]

    def of(self, record: EventRecord) -> Iterator[Impulse]:
        """The impulses of one event."""
        for name, weight in record.impulses:
            shown, negated = self._result.users_names.get(name, (name, False))
            if shown not in self._result.hidden_names:
                yield self._impulse(record.time, shown, -weight if negated else weight)

    def _impulse(self, time: float, name: str, weight: float) -> Impulse:
        v = self._result.variables.get(name)
        return Impulse(time, name, weight, "" if v is None else times_second(v.unit))

    @property
    def names(self) -> list[str]:
        """All names of variables that had impulses, aliases included, in the order of declaration."""
        sources = {self._result.representative(one.name) for one in self._found}
        return [n for n in self._result.names if self._result.representative(n) in sources]

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Impulse: ...
    @overload
    def __getitem__(self, index: slice | str) -> list[Impulse]: ...
    def __getitem__(self, index: int | slice | str) -> Impulse | list[Impulse]:
        return self._named(index) if isinstance(index, str) else self._found[index]

    def _named(self, name: str) -> list[Impulse]:
        result = self._result
        if name not in result.variables:
            message = f"there is no variable `{name}` that could have impulses"
            raise UsageError(Diagnostic("E502", message, hint=did_you_mean(name, result.names)))
        source, negated = result.source(name)
        found = []
        for one in self._found:
            own, its = result.source(one.name)
            if own == source:
                weight = one.weight if its == negated else -one.weight
                found.append(self._impulse(one.time, name, weight))
        return found

    def table(self) -> list[dict[str, Any]]:
        """One row an impulse, with plain values."""
        return [one._asdict() for one in self._found]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each impulse."""
        try:
            import pandas
        except ImportError as error:
            raise UsageError(
                Diagnostic("E501", "pandas is not installed", hint="pip install saltus[pandas]")
            ) from error
        return pandas.DataFrame(self.table(), columns=Impulse._fields)

    def __repr__(self) -> str:
        lines = [f"<{number(len(self), 'impulse')}>"]
        lines += [f"  {one}" for one in self._found[:_SHOWN]]
        if len(self) > _SHOWN:
            lines.append(f"  ... and {len(self) - _SHOWN} more")
        return "\n".join(lines)


def times_second(unit: str) -> str:
    """The unit of the integral over time: `N.m` gives `N.m.s`, `V/m` gives `V.s/m`, `m/s` gives `m`."""
    if not unit:
        return ""
    above, slash, below = unit.partition("/")
    if below == "s":
        return above
    return ("s" if above == "1" else f"{above}.s") + slash + below


def _with_impulses(records: Sequence[EventRecord]) -> Iterator[EventRecord]:
    """Only events that Python has done have any."""
    return (record for _, record in by_python(records) if record.impulses)
