"""What the guards were that a program follows by itself, at any row of a run."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, Symbol, compare, leaf_symbol
from saltus.ir.native.drive import SIGN, TRUTH
from saltus.ir.structure import Structure
from saltus.result.log import records
from saltus.result.trajectories.trajectories import Trajectories


class GuardValues:
    """The values of relations and discrete variables, from the log and the rows."""

    def __init__(self, result: Trajectories) -> None:
        self._result = result
        self._relations = {r.symbol: k for k, r in enumerate(result.general.relations)}
        self._known: dict[int, tuple[NDArray[np.intp], NDArray[np.float64]]] = {}
        self._columns: dict[str, NDArray[np.float64] | None] = {}

    def structure(self, row: int) -> Structure:
        """What the program at a row amounts to there."""
        program = self._result.recording.locate(row)[0].structure
        return program.when(lambda guard: self.at(guard, row), self.zeros)

    @cached_property
    def zeros(self) -> frozenset[str]:
        """The names of parameters that are zero."""
        return zero_parameters(self._result)

    def at(self, guard: Expr, row: int) -> float:
        """The value of a guard at a row; of a value before an event, that of the variable itself."""
        symbol = leaf_symbol(guard)
        if symbol not in self._relations:
            return self._discrete(symbol, row)
        k = self._relations[symbol]
        rows, values = self._turned(k)
        place = int(np.searchsorted(rows, row, side="right"))
        return float(values[place])

    def turns(self, guard: Expr) -> list[int]:
        """The rows from which on a guard has another value."""
        symbol = leaf_symbol(guard)
        if symbol in self._relations:
            rows: list[int] = self._turned(self._relations[symbol])[0].tolist()
            return rows
        self._discrete(symbol, 0)
        column = self._columns[symbol.name]
        return [] if column is None else (np.flatnonzero(np.diff(column)) + 1).tolist()

    def _discrete(self, symbol: Symbol, row: int) -> float:
        if symbol.name not in self._columns:
            self._columns[symbol.name] = self._result.recording.column(symbol.name)
        column = self._columns[symbol.name]
        return 0.0 if column is None else float(column[row])

    def _turned(self, k: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The rows from which on a relation has another truth; and its truths, the first one before them."""
        if k not in self._known:
            columns = self._result.event_columns
            own = self._changes.get(k, np.zeros(0, dtype=np.intp))
            rows = columns.rights[columns.change_events[own]]
            first = columns.changes[own[:1], 2] if len(own) else np.array([self._literal(k)])
            self._known[k] = rows, np.concatenate([first, columns.changes[own, 3]])
        return self._known[k]

    @cached_property
    def _changes(self) -> dict[int, NDArray[np.intp]]:
        """Changes of truths, by relation."""
        columns = self._result.event_columns
        what, index, old, new = columns.changes.T
        own = np.flatnonzero((what == TRUTH) & (old != new))
        order = own[np.argsort(index[own], kind="stable")]
        if not len(order):  # of which numpy would make one empty part
            return {}
        numbers, firsts = np.unique(index[order], return_index=True)
        return dict(zip(numbers.astype(int).tolist(), np.split(order, firsts[1:]), strict=True))

    @cached_property
    def _signs(self) -> dict[int, float]:
        start = next((r for r in self._result.records if r.kind == records.INITIAL), None)
        if start is None or not start.rounds:
            return {}
        return {int(k): x for what, k, _, x in start.rounds[0].tolist() if what == SIGN}

    def _literal(self, k: int) -> float:
        """The truth of a relation that never changes it, from its sign at the start."""
        return float(compare(self._result.general.relations[k].op, self._signs.get(k, 0.0), 0.0))


def zero_parameters(result: Trajectories) -> frozenset[str]:
    """The names of parameters that are zero in a run."""
    numbers = {name: x for name, x in result.parameters.items() if not isinstance(x, bool | str)}
    return frozenset(name for name, x in numbers.items() if x == 0)
