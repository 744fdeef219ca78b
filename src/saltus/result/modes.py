"""The timeline of modes of a run: which branches of the equations were in force, from when to when.

    0         0.5236    1   body.v > 0 is false
    0.5236    3.4328    2   body.v > 0 is true

A *mode* is told by the values of its guards (`saltus.result.guards`) and by what the equations are then: how
many states they have, their index, what they leave open. Most models run with one program for all modes; then
the guards alone tell them apart. Where the structure depends on the mode, the run changes programs, and each
part of the recording has the structure of its own (`saltus.result.recording`).

Everything is read from what the run has recorded anyway: the log has every change of a relation or discrete
variable, round by round, and the recording knows from which row on which program was in force. Rounds of one
event are modes that were committed (*pinnacles*, section 5 of the design), though no time passes in them;
modes that were only tried leave no trace.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.source import Span
from saltus.expr.nodes import Expr, Symbol, compare, leaf_symbol, leaves, ref
from saltus.ir.structure import Block, Explicit, Structure
from saltus.result import records
from saltus.result.guards import Guard, Guards, Value
from saltus.result.rows import is_hidden

if TYPE_CHECKING:
    from saltus.result.result import Result

#: Stays and modes that the text of a timeline shows.
_SHOWN = 20

SLIDING, RESTING = "sliding", "resting"

#: Why a guard is fixed, as long as the program does not say more.
NEEDED = "with both branches the equations would lose rank"

#: Columns of the table of stays.
COLUMNS = ("start", "stop", "mode", "guards", "states", "index", "largest_block", "open")


@dataclass(frozen=True)
class Decision:
    """The value of a guard in a mode. `fixed`: the program has it in place of the guard. `held`: the run
    stays where the relation changes its truth; its value is then `sliding` or `resting`."""

    text: str
    value: Value
    fixed: bool = False
    held: bool = False
    span: Span | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        if isinstance(self.value, bool):
            return self.text if self.value else f"not {_operand(self.text)}"
        return f"{self.value} on {self.text}" if self.held else f"{self.text} = {self.value}"


@dataclass(frozen=True, eq=False)
class Mode:
    """What the equations were. Modes are numbered from 1 in the order of the first visit.

    `index`: 0 where the equations can be computed one after the other, 1 where some must be solved together,
    2 or more where they constrain the states: then it is the number of differentiations after which all
    derivatives are known. `largest_block`: the number of unknowns of the largest system that is solved
    together, before tearing; 1 where there is none. `open`: quantities that the equations do not determine.
    `why`: the reason for which guards are fixed, empty where none is. `structure` has the equations.
    """

    number: int
    guards: tuple[Decision, ...]
    states: tuple[str, ...]
    index: int
    largest_block: int
    open: tuple[str, ...]
    why: str
    structure: Structure = field(repr=False)

    @property
    def fixed(self) -> tuple[Decision, ...]:
        """The guards that were fixed in the program."""
        return tuple(g for g in self.guards if g.fixed)

    def row(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "mode": self.number,
            "guards": {g.text: g.value for g in self.guards},
            "fixed": [g.text for g in self.fixed],
            "states": list(self.states),
            "index": self.index,
            "largest_block": self.largest_block,
            "open": list(self.open),
        }

    def __str__(self) -> str:
        return ", ".join(map(str, self.guards)) or "no guards"


class Stay(NamedTuple):
    """A stretch of time in one mode. A mode that was passed through at one instant has start == stop."""

    start: float
    stop: float
    mode: Mode

    def __str__(self) -> str:
        return f"{self.start:<12.9g}  {self.stop:<12.9g}  {self.mode.number:<3} {self.mode}"


class Modes(Sequence[Stay]):
    """The modes of a run in the order of time.

        result.modes[0]           the first stay: start, stop, mode
        result.modes.visited      all modes, in the order of the first visit
        result.modes.at(0.5)      the mode at a time
        result.modes.table()      rows for a table; to_pandas() for a DataFrame
    """

    def __init__(self, result: Result) -> None:
        self._result = result

    # ------------------------------------------------------------ the timeline

    @cached_property
    def _stays(self) -> list[Stay]:
        return list(_Timeline(self._result).stays())

    @cached_property
    def visited(self) -> tuple[Mode, ...]:
        """All modes, in the order of the first visit."""
        return tuple(dict.fromkeys(stay.mode for stay in self._stays))

    def at(self, time: float) -> Mode:
        """The mode at a time; at an event, the one after it."""
        if not self._stays or not self._stays[0].start <= time <= self._stays[-1].stop:
            span = f"from time {self[0].start:.9g} to {self[-1].stop:.9g}" if self._stays else "nowhere"
            raise UsageError(Diagnostic("E501", f"the run went {span}, and {time:.9g} is outside"))
        return self._stays[bisect_right(self._stays, time, key=lambda stay: stay.start) - 1].mode

    def duration(self, mode: Mode) -> float:
        """All the time that was spent in a mode."""
        return float(sum(stay.stop - stay.start for stay in self._stays if stay.mode is mode))

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Where stays of some length begin, and where the last one ends."""
        return np.array([*(s.start for s in self._lasting), *(s.stop for s in self._stays[-1:])])

    @property
    def numbers(self) -> NDArray[np.intp]:
        """The modes of the stays of some length, by number; one entry less than `bounds`."""
        return np.array([s.mode.number for s in self._lasting], dtype=np.intp)

    @property
    def _lasting(self) -> list[Stay]:
        return [s for s in self._stays if s.stop > s.start]

    def __len__(self) -> int:
        return len(self._stays)

    @overload
    def __getitem__(self, index: int) -> Stay: ...
    @overload
    def __getitem__(self, index: slice) -> list[Stay]: ...
    def __getitem__(self, index: int | slice) -> Stay | list[Stay]:
        return self._stays[index]

    # ------------------------------------------------------------ as a table

    def table(self) -> list[dict[str, Any]]:
        """One row a stay, with plain values."""
        return [{"start": s.start, "stop": s.stop, **s.mode.row()} for s in self._stays]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each stay."""
        try:
            import pandas
        except ImportError as error:
            raise UsageError(
                Diagnostic("E501", "pandas is not installed", hint="pip install saltus[pandas]")
            ) from error
        return pandas.DataFrame(self.table(), columns=COLUMNS)

    def __repr__(self) -> str:
        """The modes with what the equations are in each, and the first stays."""
        visited, stays = self.visited, self._stays
        lines = [f"<{_counted(visited, 'mode')}, {_counted(stays, 'stay')}>"]
        lines += aligned(
            [("mode", "states", "index", "largest block", "guards")]
            + [
                (f"{m.number}", f"{len(m.states)}", f"{m.index}", f"{m.largest_block}", str(m))
                for m in visited[:_SHOWN]
            ]
        )
        lines += _more(visited)
        lines += aligned(
            [("from", "to", "mode")]
            + [(f"{s.start:.9g}", f"{s.stop:.9g}", str(s.mode.number)) for s in stays[:_SHOWN]]
        )
        return "\n".join(lines + _more(stays))


def _counted(entries: Sequence[Any], what: str) -> str:
    return f"{len(entries)} {what}{'' if len(entries) == 1 else 's'}"


def _more(entries: Sequence[Any]) -> list[str]:
    return [f"  ... and {len(entries) - _SHOWN} more"] if len(entries) > _SHOWN else []


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows of a table, as wide as they have to be; the last column has no end."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _operand(text: str) -> str:
    """A condition to which `not` can be put; a relation binds stronger."""
    return f"({text})" if " and " in text or " or " in text else text


# ---------------------------------------------------------------- facts of a program


def index_of(structure: Structure) -> int:
    """The index of the equations, see `Mode`."""
    if structure.reduction is not None:
        return structure.reduction.index
    return int(any(not isinstance(block, Explicit) for block in _continuous(structure)))


def largest_block(structure: Structure) -> int:
    """The number of unknowns of the largest block of continuous equations."""
    return max((len(block.unknowns) for block in _continuous(structure)), default=0)


def _continuous(structure: Structure) -> Iterator[Block]:
    discrete = {v.symbol for v in structure.discretes}
    return (b for b in structure.blocks if leaf_symbol(b.unknowns[0]) not in discrete)


def open_names(structure: Structure) -> tuple[str, ...]:
    """What the equations leave open, by the names that users know."""
    held = () if structure.open is None else structure.open.held
    return tuple(s.name for s in held if not is_hidden(s.name))


def state_names(structure: Structure) -> tuple[str, ...]:
    """The states that users know."""
    return tuple(v.name for v in structure.states if not is_hidden(v.name))


# ---------------------------------------------------------------- decoding


class _Step(NamedTuple):
    """What happens at a row: a round of an event changes what guards read, or another program goes on."""

    row: int
    time: float
    changes: Sequence[tuple[Symbol, float]]
    structure: Structure | None = None


class _Timeline:
    """Follows the guards through the log."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._structures = [part.structure for part in result.recording.parts]
        self._guards = Guards(self._structures)
        self._columns = result.events.columns
        self._modes: dict[Any, Mode] = {}
        self._known: dict[Any, Mode] = {}
        first = result.recording.parts[0]
        places = first.rows.columns
        begin = min((places[ref(v.symbol)] for v in first.structure.discretes), default=0)
        symbols = {leaf_symbol(leaf) for g in self._guards.all for leaf in leaves(g.expression)}
        #: What guards read, by what the log calls it: the kind and number of an entry.
        self._read = {
            (records.TRUTH, k): r.symbol
            for k, r in enumerate(first.structure.relations)
            if r.symbol in symbols
        } | {
            (records.DISCRETE, places[ref(v.symbol)] - begin): v.symbol
            for v in first.structure.discretes
            if v.symbol in symbols
        }

    def stays(self) -> Iterator[Stay]:
        """Stays in the same mode are joined. A mode without length is there only if it was committed, and
        its guards had other values than those before and after."""
        found: list[tuple[float, Mode]] = []
        for time, passed, mode in self._instants():
            before = found[-1][1] if found else None
            for one in passed:
                if one.guards != mode.guards and (before is None or one.guards != before.guards):
                    found.append((time, one))
                    before = one
            if mode is not before:
                found.append((time, mode))
        ends = [time for time, _ in found[1:]] + self._result.time[-1:].tolist()
        for (start, mode), stop in zip(found, ends, strict=True):
            yield Stay(start, stop, mode)

    def _instants(self) -> Iterator[tuple[float, list[Mode], Mode]]:
        """The start, and all instants at which something changed: the modes that were committed there, and
        the one that the run went on with."""
        times = self._result.time
        if not len(times):
            return
        row = self._first_row
        structure = self._result.recording.locate(row)[0].structure
        values = self._beginning(row)
        yield float(times[0]), [], self._mode(structure, values)
        for time, steps in groupby(self._steps(row), key=lambda step: step.time):
            passed: list[Mode] = []
            for step in steps:
                structure = step.structure or structure
                values.update(step.changes)
                if step.changes:
                    passed.append(self._mode(self._program(structure, values), values))
            # What a program takes for granted is true, whoever has decided it.
            granted = dict(structure.mode.fixed)
            values.update({s: granted[s.name] for s in values if s.name in granted})
            yield time, passed, self._mode(structure, values)

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
            if what == records.DISCRETE:
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
        sign = next((x for what, i, _, x in start.rounds[0].tolist() if (what, i) == (records.SIGN, k)), 0.0)
        return compare(self._structures[0].relations[k].op, sign, 0.0)

    def _steps(self, row: int) -> list[_Step]:
        """All that happens after a row, in order. A program goes on from its first row, and an event has
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

    def _program(self, structure: Structure, values: Mapping[Symbol, float]) -> Structure:
        """Of a mode that was passed through: a program that takes nothing else for granted; the present one,
        if it is one."""
        now = {s.name: x for s, x in values.items()}
        fitting = [
            s for s in (structure, *self._structures) if all(now.get(n, x) == x for n, x in s.mode.fixed)
        ]
        return fitting[0] if fitting else structure

    def _mode(self, structure: Structure, values: Mapping[Symbol, float]) -> Mode:
        key = structure, tuple(values.values())
        if key not in self._known:
            self._known[key] = self._make(structure, values)
        return self._known[key]

    def _make(self, structure: Structure, values: Mapping[Symbol, float]) -> Mode:
        granted = dict(structure.mode.fixed)
        guards = tuple(
            self._decision(g, structure, values, fixed=g.name in granted)
            for k, g in enumerate(self._guards.all)
            if k in self._guards.of[structure]
        )
        facts = index_of(structure), largest_block(structure), open_names(structure)
        states = state_names(structure)
        # Other states chosen for the same equations make no other mode.
        key = tuple((g.text, g.value) for g in guards), len(states), facts
        if key not in self._modes:
            why = NEEDED if any(g.fixed for g in guards) else ""
            self._modes[key] = Mode(len(self._modes) + 1, guards, states, *facts, why, structure)
        return self._modes[key]

    def _decision(
        self, guard: Guard, structure: Structure, values: Mapping[Symbol, float], *, fixed: bool
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
