"""The trajectories of a run: every variable by name, over time.

Rows hold representatives only; aliases get their values (and their signs) from them when asked for.
Names starting with `$` are helpers made by the compiler (conditions of when-clauses) and are not shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic
from saltus.core.nearest import nearest
from saltus.expr.helpers import asked_derivative, derivative_name
from saltus.expr.nodes import Expr, Op, Symbol, Type, der, leaf_symbol, ref
from saltus.ir.balance import Sizes
from saltus.ir.flat import Variability, Variable
from saltus.ir.sorted.modes import Mode
from saltus.ir.structure import Structure
from saltus.result.log.columns import EventColumns, columns_of
from saltus.result.log.records import EventRecord
from saltus.result.trajectories.recording import Recording, leaf_name


class UnknownVariable(KeyError):
    """No variable of that name; says which names are near."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        self.suggestions = nearest(name, known)
        super().__init__(name)

    def __str__(self) -> str:
        text = f"there is no variable `{self.name}`"
        if self.suggestions:
            text += f"; did you mean {' or '.join(f'`{s}`' for s in self.suggestions)}?"
        return text

    @property
    def diagnostic(self) -> Diagnostic:
        """For the command line."""
        return Diagnostic("E502", str(self))


class Trajectories:
    """Every variable of one run over time, and what the run has recorded beside, for `Result` to decode."""

    def __init__(
        self,
        *,
        recording: Recording,
        values: Mapping[str, Any],
        records: Sequence[EventRecord],
        warnings: Sequence[Diagnostic],
        statistics: Mapping[str, float],
        interrupted: bool = False,
        general: Structure | None = None,
        programs: Sequence[Structure] = (),
        sizes: Sizes | None = None,
        listed: Collection[Mode] = (),
    ) -> None:
        self.structure = structure = recording.parts[0].structure
        self.general = structure if general is None else general
        self.programs = tuple(dict.fromkeys([*(part.structure for part in recording.parts), *programs]))
        self.recording = recording
        self.records = records
        self.warnings = list(warnings)
        self.statistics = dict(statistics)
        self.interrupted = interrupted
        self.sizes = sizes
        #: Modes that had programs of their own because they were listed.
        self.listed = frozenset(listed)
        self._values = dict(values)
        self._aliases = {a.symbol: a for a in structure.aliases}

    # ------------------------------------------------------------ names

    @property
    def model(self) -> str:
        """Name of the model."""
        return self.structure.model.name

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """Variables by name, in the order of declaration; no parameters, constants or helpers."""
        model = self.structure.model
        order = model.order or (*model.states, *model.algebraics, *model.discretes)
        return {
            v.name: v
            for v in order
            if v.variability > Variability.PARAMETER
            and not v.symbol.is_hidden
            and v.symbol.type is not Type.STRING
            and self.recording.has(self._source(v.symbol)[0])
        }

    @property
    def names(self) -> list[str]:
        """Names of all variables that change, in the order of declaration."""
        return list(self.variables)

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """Values of the parameters, as they were during the run."""
        return {
            v.name: self._values[v.name]
            for v in self.structure.model.parameters
            if v.name in self._values and not v.symbol.is_hidden
        }

    @cached_property
    def unvarying(self) -> dict[str, float]:
        """Values of all parameters and constants that are numbers, in the order of declaration; Booleans as 0
        and 1, enumerations from 1."""
        order = self.structure.model.order or (
            *self.structure.model.constants,
            *self.structure.model.parameters,
        )
        fixed = (v for v in order if v.variability <= Variability.PARAMETER and not v.symbol.is_hidden)
        known = ((v.name, self._values.get(v.name)) for v in fixed)
        return {name: value for name, value in known if isinstance(value, int | float)}

    @cached_property
    def hidden_names(self) -> frozenset[str]:
        """The names of variables that users do not know, in whichever program."""
        variables = (v for s in self.programs for v in (*s.model.variables(), *s.states, *s.algebraics))
        return frozenset(v.name for v in variables if v.symbol.is_hidden)

    @cached_property
    def _symbols(self) -> dict[str, Symbol]:
        found = {v.name: v.symbol for v in self.structure.model.variables()}
        found |= {v.name: v.symbol for v in self.structure.model.order}
        return found

    def _source(self, symbol: Symbol) -> tuple[str, bool]:
        """The name of the variable that holds its values, and whether they are to be negated."""
        target, negated = self._target(symbol)
        return target.name, negated

    def _target(self, symbol: Symbol) -> tuple[Symbol, bool]:
        negated = False
        while symbol in self._aliases:
            alias = self._aliases[symbol]
            symbol = alias.target
            negated ^= alias.negated
        return symbol, negated

    def representative(self, name: str) -> str:
        """The name of the variable that holds the values of this one: itself, unless it is an alias."""
        symbol = self._symbols.get(name)
        return name if symbol is None else self._source(symbol)[0]

    def source(self, name: str) -> tuple[str, bool]:
        """The name of the variable that holds the values of this one, and whether they are to be negated."""
        symbol = self._symbols.get(name)
        return (name, False) if symbol is None else self._source(symbol)

    @cached_property
    def users_names(self) -> dict[str, tuple[str, bool]]:
        """For variables whose names are the compiler's, one that users know; and whether it is negated."""
        found: dict[str, tuple[str, bool]] = {}
        for name in self.names:
            target, negated = self._target(self._symbols[name])
            if target.is_hidden:
                found.setdefault(target.name, (name, negated))
        return found

    # ------------------------------------------------------------ values

    @property
    def time(self) -> NDArray[np.float64]:
        """Times of the rows: events appear twice, with their left and right limits."""
        return self.recording.times

    def __len__(self) -> int:
        return len(self.recording)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        try:
            self[str(name)]
        except KeyError:
            return False
        return True

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A variable over time; also `time`, `der(x)` of a variable that has one, and parameters as constant
        arrays."""
        if not isinstance(name, str):
            raise TypeError(f"a result is looked up by the name of a variable, not by {name!r}")
        return self.along(self.recording, name)

    def along(self, recording: Recording, name: str) -> NDArray[np.float64]:
        """A variable over the rows of any recording of this run: NaN where that has no such variable."""
        if name == "time":
            return recording.times
        base, order = asked_derivative(name, self._symbols)
        symbol = self._symbols.get(base)
        if symbol is not None:
            source, negated = self._source(symbol)
            place = derivative_name(source, order)
            values = recording.column(place)
            if values is None and recording is not self.recording and self.recording.has(place):
                values = np.full(len(recording), np.nan)
            if values is not None:
                return values if not negated else 1.0 - values if symbol.type is Type.BOOLEAN else -values
            value = None if order else self._value(symbol)
            if value is not None and not isinstance(value, str):
                return np.full(len(recording), float(value))
        known = [*self.names, *self._values, *(derivative_name(v.name) for v in self.structure.states)]
        raise UnknownVariable(name, known)

    def largest(self, leaf: Expr, enough: float) -> float:
        """The largest finite magnitude that a variable or derivative has had, or one that is `enough`; 0
        where it has no values."""
        target, _ = self._target(leaf_symbol(leaf))
        of = ref(target)
        found = self.recording.largest(der(of) if leaf.op is Op.DER else of, enough)
        if found is not None:
            return found
        try:
            values = self[leaf_name(leaf)]
        except KeyError:
            return 0.0
        return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))

    def _value(self, symbol: Symbol) -> Any:
        """The value of a parameter or constant, or of a variable that is an alias of one."""
        factor = 1
        while symbol in self._aliases:
            alias = self._aliases[symbol]
            factor = -factor if alias.negated else factor
            symbol = alias.target
        value = self._values.get(symbol.name)
        if factor > 0 or value is None:
            return value
        return (not value) if isinstance(value, bool) else -value

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Where the equations leave a variable open, along `time`: the value there is one of many, the one
        of least change, and nothing that is determined depends on it. (`mode.open` names them all.)"""
        self[name]  # refuses what is no variable
        source = self.representative(name)

        def leaves_open(structure: Structure) -> bool:
            return structure.open is not None and any(s.name == source for s in structure.open.kept)

        return self.recording.where(leaves_open)

    # ------------------------------------------------------------ events

    @cached_property
    def event_columns(self) -> EventColumns:
        """All events of the run as columns of numbers."""
        return columns_of(self.records)
