"""The timeline of modes, decoded from what a run has recorded.

The log has every change of a relation or discrete variable, round by round, and the recording knows from
which row on which program was in force. Rounds of one event are modes that were committed (*pinnacles*),
though no time passes in them; modes that were only tried leave no trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, Symbol, compare, leaf_symbol, ref
from saltus.expr.traversal import leaves
from saltus.ir.native.drive import DISCRETE, SIGN, TRUTH
from saltus.ir.structure import Structure
from saltus.result.log import records
from saltus.result.modes.guard_values import zero_parameters
from saltus.result.modes.guards import ModeGuard, ModeGuards, Value, granted
from saltus.result.modes.stays import (
    Decision,
    Mode,
    Stay,
    in_words_of,
    index_of,
    largest_block,
    open_names,
    state_names,
)
from saltus.result.trajectories.recording import Recording
from saltus.result.trajectories.trajectories import Trajectories

SLIDING, RESTING = "sliding", "resting"

#: Why a guard is fixed; where equations exist in some modes only, and otherwise.
EXISTENCE = "needed, it determines which equations the model has"
NEEDED = "needed, without it the equations are singular"
LISTED = "listed, for code of its own"


#: States, index, largest block and what is open, of a program.
_Facts: TypeAlias = tuple[tuple[str, ...], int, int, tuple[str, ...]]


class _Step(NamedTuple):
    """What happens at a row: a round of an event changes what guards read, or another program takes over."""

    row: int
    time: float
    changes: Sequence[tuple[Symbol, float]]
    structure: Structure | None = None


@dataclass(eq=False)
class _Met:
    """A mode that was met: the values of its guards, and the programs that have served for it."""

    values: tuple[tuple[str, Value], ...]
    programs: dict[Structure, tuple[Decision, ...]] = field(default_factory=dict)


class Timeline:
    """Follows the guards through the log."""

    def __init__(self, result: Trajectories, others: Sequence[Structure] = ()) -> None:
        """`others` are programs that the run has not used."""
        self._result = result
        self._structures = tuple(dict.fromkeys((*result.programs, *others)))
        self._guards = ModeGuards(self._structures)
        self._facts: dict[Structure, _Facts] = {}
        self._granted = {s: granted(s) for s in self._structures}
        self._columns = result.event_columns
        self._modes: dict[Any, _Met] = {}
        self._seen: dict[Any, _Met] = {}
        first = result.recording.parts[0]
        places = first.rows.columns
        begin = min((places[ref(v.symbol)] for v in first.structure.discretes), default=0)
        symbols = {leaf_symbol(leaf) for g in self._guards.all for leaf in leaves(g.expression)}
        #: What guards read, by what the log calls it: the kind and number of an entry.
        self._read = {
            (TRUTH, k): r.symbol for k, r in enumerate(first.structure.relations) if r.symbol in symbols
        } | {
            (DISCRETE, places[ref(v.symbol)] - begin): v.symbol
            for v in first.structure.discretes
            if v.symbol in symbols
        }

    def stays(self) -> Iterator[Stay]:
        """Stays in the same mode are joined. A mode without length is there only if it was committed, and
        its guards had other values than those before and after."""
        found: list[tuple[float, _Met]] = []
        for time, passed, mode in self._instants():
            before = found[-1][1] if found else None
            for one in passed:
                if one.values != mode.values and (before is None or one.values != before.values):
                    found.append((time, one))
                    before = one
            if mode is not before:
                found.append((time, mode))
        visited = dict.fromkeys(met for _, met in found)
        modes = {met: self._mode(number, met) for number, met in enumerate(visited, start=1)}
        ends = [time for time, _ in found[1:]] + self._result.time[-1:].tolist()
        for (start, met), stop in zip(found, ends, strict=True):
            yield Stay(start, stop, modes[met])

    def _instants(self) -> Iterator[tuple[float, list[_Met], _Met]]:
        """The start, and all instants at which something changed: the modes that were committed there, and
        the one that the run went on with."""
        times = self._result.time
        if not len(times):
            return
        row = self._first_row
        structure = self._result.recording.locate(row)[0].structure
        values = self._beginning(row)
        self._grant(structure, values)
        yield float(times[0]), [], self._met(structure, values)
        for time, steps in groupby(self._steps(row), key=lambda step: step.time):
            passed: list[_Met] = []
            for step in steps:
                structure = step.structure or structure
                values.update(step.changes)
                if step.changes:
                    passed.append(self._met(self._program(structure, values), values))
            self._grant(structure, values)
            yield time, passed, self._met(structure, values)

    def _grant(self, structure: Structure, values: dict[Symbol, float]) -> None:
        """What a program assumes is true, whatever has decided it."""
        known = self._granted[structure]
        if known:
            values.update({s: known[s] for s in values if s in known})

    # ------------------------------------------------------------ values

    @property
    def _first_row(self) -> int:
        """The one at which the event at the start is over."""
        kinds = self._columns.kinds
        starts = np.flatnonzero(kinds == records.INITIAL)
        return int(self._columns.rights[starts[0]]) if len(starts) else 0

    def _beginning(self, row: int) -> dict[Symbol, float]:
        """The values after the event at the start, of all that guards read."""
        columns, result = self._columns, self._result
        values: dict[Symbol, float] = {}
        for (what, k), symbol in self._read.items():
            if what == DISCRETE:
                column = result.recording.column(symbol.name)
                values[symbol] = float(column[row]) if column is not None else 0.0
                continue
            own = np.flatnonzero((columns.changes[:, 0] == what) & (columns.changes[:, 1] == k))
            before = own[columns.rights[columns.change_events[own]] <= row]
            if len(before):
                values[symbol] = float(columns.changes[before[-1], 3])
            elif len(own):
                values[symbol] = float(columns.changes[own[0], 2])
            else:
                values[symbol] = float(self._literal(k))
        return values

    def _literal(self, k: int) -> bool:
        """The truth of a relation that never changes it, from its sign at the start."""
        start = next((r for r in self._result.records if r.kind == records.INITIAL), None)
        if start is None or not start.rounds:
            return False
        sign = next((x for what, i, _, x in start.rounds[0].tolist() if (what, i) == (SIGN, k)), 0.0)
        return compare(self._structures[0].relations[k].op, sign, 0.0)

    def _steps(self, row: int) -> list[_Step]:
        """All that happens after a row, in order. A program takes over at its first row, and an event has
        changed values at the row of its right limits."""
        columns, recording = self._columns, self._result.recording
        times = self._result.time
        found = [
            _Step(first, float(times[min(first, len(times) - 1)]), (), recording.parts[k].structure)
            for first, _, k in recording.turns
            if first > row
        ]
        wanted = np.zeros(len(columns.changes), dtype=bool)
        what, index = columns.changes[:, 0], columns.changes[:, 1]
        for kind, k in self._read:
            wanted |= (what == kind) & (index == k)
        chosen = np.flatnonzero(wanted & (columns.changes[:, 2] != columns.changes[:, 3]))
        events, rounds = columns.change_events[chosen].tolist(), columns.change_rounds[chosen].tolist()
        rows = columns.changes[chosen].tolist()
        for (event, _), entries in groupby(
            zip(events, rounds, rows, strict=True), key=lambda entry: (entry[0], entry[1])
        ):
            at = int(columns.rights[event])
            if at > row:
                changes = [(self._read[int(kind), int(k)], new) for _, _, (kind, k, _, new) in entries]
                found.append(_Step(at, float(columns.times[event]), changes))
        return sorted(found, key=lambda step: step.row)

    # ------------------------------------------------------------ modes

    @cached_property
    def _zeros(self) -> frozenset[str]:
        return zero_parameters(self._result)

    def _program(self, structure: Structure, values: Mapping[Symbol, float]) -> Structure:
        """The program of a mode that was passed through: the one with the most assumptions among those whose
        assumptions all hold; the present one, if there is no better."""
        if not any(self._granted.values()):
            return structure
        fitting = [
            s
            for s in (structure, *self._structures)
            if s.surfaces == structure.surfaces
            if all(values.get(symbol, x) == x for symbol, x in self._granted[s].items())
        ]
        return max(fitting, key=lambda s: len(self._granted[s]), default=structure)

    def words_of_rows(self) -> list[str]:
        """The mode in force at each row of the result, in words."""
        recording, found = self._result.recording, list[str]()
        if not len(recording):
            return found
        first = self._first_row
        if first:
            found += [self._words(recording.locate(0)[0].structure, self._beginning(0))] * first
        structure, values = recording.locate(first)[0].structure, self._beginning(first)
        words = self._words(structure, values)
        for row, steps in groupby(self._steps(first), key=lambda step: step.row):
            found += [words] * (row - len(found))
            for step in steps:
                structure = step.structure or structure
                values.update(step.changes)
            words = self._words(structure, values)
        return found + [words] * (len(recording) - len(found))

    def words_of_others(self, recording: Recording, truths: NDArray[np.float64]) -> list[str]:
        """The modes of the rows of another recording of the run, in which relations have these truths."""
        of_relations = [(symbol, k) for (what, k), symbol in self._read.items() if what == TRUTH]
        of_others = [
            (symbol, column)
            for (what, _), symbol in self._read.items()
            if what == DISCRETE and (column := recording.column(symbol.name)) is not None
        ]
        found = []
        for row in range(len(recording)):
            values = {symbol: float(truths[row, k]) for symbol, k in of_relations}
            values |= {symbol: float(column[row]) for symbol, column in of_others}
            found.append(self._words(recording.locate(row)[0].structure, values))
        return found

    def _words(self, structure: Structure, values: dict[Symbol, float]) -> str:
        self._grant(structure, values)
        met = self._met(structure, values)
        return in_words_of(next(iter(met.programs.values())))

    def _met(self, structure: Structure, values: Mapping[Symbol, float]) -> _Met:
        key = structure, tuple(values.values())
        if key not in self._seen:
            self._seen[key] = self._meet(structure, values)
        return self._seen[key]

    def _meet(self, program: Structure, values: Mapping[Symbol, float]) -> _Met:
        structure = program.when(lambda guard: values[leaf_symbol(guard)], self._zeros)
        known = granted(structure)
        decisions = tuple(
            self._decision(g, structure, values, fixed=g.symbol in known)
            for k, g in enumerate(self._guards.all)
            if k in self._guards.of[program]
        )
        told = tuple((d.text, d.value) for d in decisions)
        # Other states chosen for the same equations make no other mode, nor does a program that solves some
        # of them together because it is for other modes as well.
        states, index, _, left_open = self._facts_of(structure)
        met = self._modes.setdefault((told, len(states), max(index, 1), left_open), _Met(told))
        met.programs.setdefault(structure, decisions)
        return met

    def _facts_of(self, s: Structure) -> _Facts:
        if s not in self._facts:
            self._facts[s] = state_names(s), index_of(s), largest_block(s), open_names(s)
        return self._facts[s]

    def _mode(self, number: int, met: _Met) -> Mode:
        """What users see of a mode."""
        structure = max(met.programs, key=lambda s: len(s.mode.fixed))
        decisions = met.programs[structure]
        reason = EXISTENCE if structure.model.extensions else NEEDED
        if structure.mode in self._result.listed:
            reason = LISTED
        why = reason if any(d.fixed for d in decisions) else ""
        return Mode(number, decisions, *self._facts_of(structure), why, structure)

    def _decision(
        self, guard: ModeGuard, structure: Structure, values: Mapping[Symbol, float], *, fixed: bool
    ) -> Decision:
        for surface in structure.surfaces:
            if guard.relation in surface.relations:
                value = RESTING if surface.resting else SLIDING
                return Decision(guard.text, value, held=True, span=guard.span)
        parameters = self._result.parameters

        def of(leaf: Expr) -> Any:
            symbol = leaf_symbol(leaf)
            return values[symbol] if symbol in values else parameters[symbol.name]

        return Decision(guard.text, guard.value(of), fixed, span=guard.span)
