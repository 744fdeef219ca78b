"""A steady state: a position at which a model stays, and what it is like near it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from saltus.core.wording import listed
from saltus.result.exchange.curves import Curves, Value
from saltus.result.exchange.formats import write_result
from saltus.result.exchange.state import State
from saltus.result.linear.system import LinearSystem

#: Variables and eigenvalues that the text shows.
_SHOWN = 30


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SteadyState(State):
    """Values of states and discrete variables by name, like every `State`: a run can start from it.

    `curves` are all variables, in one row; `variables` the same as values. `linear` is the linear system
    near it, without inputs and outputs. `free` are groups of states that could have other values without
    changing any derivative: they have those nearest to where the search began. `drifts` are the derivatives
    that were allowed to be nonzero. `moves_with_time` says that the model depends on time, or has clocks:
    `time` is then fixed.
    """

    curves: Curves
    linear: LinearSystem
    free: tuple[tuple[str, ...], ...] = ()
    drifts: Mapping[str, float]
    moves_with_time: bool

    @property
    def model(self) -> str:
        return self.linear.model

    @property
    def mode(self) -> str:
        """In words: which branches are in force."""
        return self.linear.mode

    @property
    def variables(self) -> dict[str, Value]:
        """The values of all variables by name, by their types."""
        return self.curves.at(self.time)

    @property
    def is_stable(self) -> bool:
        """Whether small deviations die away, but for those of what is free."""
        rates = sorted((e.value.real for e in self.linear.eigenvalues), key=abs)
        return all(rate < 0 for rate in rates[len(self.free) :])

    def save(self, path: str | Path) -> None:
        """Writes all variables and parameters to a result file, from which a run can start."""
        write_result(self.curves, path)

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            "model": self.model,
            "time": self.time,
            "mode": self.mode,
            "states": {name: self[name] for name in self.linear.states if name in self},
            "variables": self.variables,
            "free": [list(group) for group in self.free],
            "drifts": dict(self.drifts),
            "stable": self.is_stable,
            "moves_with_time": self.moves_with_time,
        }

    def text(self) -> str:
        """States first, then other variables, as far as they fit on a page."""
        where = f" in the mode {self.mode}" if self.mode else ""
        states = [name for name in self.linear.states if name in self]
        others = [name for name in self.curves.names if name not in self and not self._is_alias(name)]
        lines = [f"{self.model} at rest{where}", "", f"STATES {len(states)}"]
        lines += self._table(states)
        lines += ["", f"OTHER VARIABLES {len(others)}", *self._table(others)] if others else []
        eigenvalues = self.linear.eigenvalues
        if eigenvalues:
            lines += ["", f"EIGENVALUES {len(eigenvalues)}", *(f"  {e}" for e in eigenvalues[:_SHOWN])]
            lines += _more(len(eigenvalues))
        remarks = list(self.remarks())
        return "\n".join([*lines, *([""] if remarks else []), *remarks])

    def remarks(self) -> list[str]:
        """What one should know of it."""
        found = [f"`{name}` goes on at {rate:.6g} per second" for name, rate in self.drifts.items()]
        for group in self.free:
            if any(name in self.drifts for name in group):
                continue
            told = listed(list(group))
            if len(group) == 1:
                found.append(f"{told} is free: nothing depends on it, and it stays where the search began")
            else:
                found.append(f"{told} are free together: nothing depends on where they are in common")
        if not self.is_stable:
            found.append("it is not stable: a small deviation grows, or stays")
        if self.moves_with_time:
            found.append(
                f"the model depends on time; this is how it would rest with all as at time {self.time:g}"
            )
        return found

    def __repr__(self) -> str:
        return self.text()

    def _is_alias(self, name: str) -> bool:
        return self.curves.column(name).source not in ("", name)

    def _table(self, names: list[str]) -> list[str]:
        values = self.variables
        rows = [(name, _shown(values[name]), self.curves.column(name).unit) for name in names[:_SHOWN]]
        wide, high = (max((len(row[k]) for row in rows), default=0) for k in (0, 1))
        lines = [f"  {name:<{wide}}  {value:<{high}}  {unit}".rstrip() for name, value, unit in rows]
        return lines + _more(len(names))


def _shown(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.9g}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _more(count: int) -> list[str]:
    return [f"  ... and {count - _SHOWN} more"] if count > _SHOWN else []
