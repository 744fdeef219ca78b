"""Events, decoded from the raw records of a run when they are first read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.core.source import Span
from saltus.core.wording import listed, number
from saltus.expr.nodes import Symbol, Type, ref
from saltus.expr.show import show
from saltus.ir.flat import Variable
from saltus.ir.hybrid import Clock, Relation
from saltus.ir.native.contract import PROJECTED
from saltus.ir.native.drive import DISCRETE, RESIDUE, SIGN, TRUTH
from saltus.result.events.at_rows import AtRows
from saltus.result.events.impulses import Impulse, Impulses
from saltus.result.log import records
from saltus.result.log.activity import (
    Activity,
    Totals,
    clock_activity,
    edge_activity,
    relation_activity,
    totals,
)
from saltus.result.log.columns import EventColumns, Indices
from saltus.result.log.records import EventRecord, Round
from saltus.result.modes.guard_values import GuardValues
from saltus.result.modes.restructured import Restructured, followed, is_alike, restructured
from saltus.result.modes.stays import state_names
from saltus.result.trajectories.recording import Part
from saltus.result.trajectories.trajectories import Trajectories
from saltus.result.words.places import numbers, relation_span
from saltus.result.words.wording import Wording

#: Events that the text of an event table shows.
_SHOWN = 10

#: Variables of a loop that are named.
_NAMED = 5

#: Columns of the table of events.
COLUMNS = (
    "time", "kind", "causes", "relations", "before", "after", "changed", "reinitialised", "impulses",
    "restructured", "rounds", "source",
)  # fmt: skip


@dataclass(frozen=True)
class Cause:
    """Why an event happened, or a relation that changed with it. `kind` is `relation`, `time`, `clock`,
    `initial`, `terminal`, `states` (these were chosen again, see docs/structure.md), `sliding`, `resting`,
    `leaving` (a surface), `zeno` or `leap` (of a loop to another solution); residues are those of the left
    and right limits. `number` is that of the relation or clock in `saltus explain --events`."""

    kind: str
    text: str
    truth: bool | None = None
    before: float | None = None
    after: float | None = None
    span: Span | None = None
    number: int | None = None

    @property
    def source(self) -> str | None:
        """File and line in which it is written."""
        return None if self.span is None else f"{self.span.source.path}:{self.span.line}"

    def __str__(self) -> str:
        return self.text if self.truth is None else f"{self.text} became {_short(self.truth)}"


@dataclass(frozen=True)
class Change:
    """A variable that an event changed; Booleans, Integers and enumeration literals as such."""

    name: str
    old: Any
    new: Any
    log: tuple[str, ...] | None = None  # what the log says, if the declaration of the variable says so

    def __str__(self) -> str:
        return f"{self.name}: {_short(self.old)} -> {_short(self.new)}"


@dataclass(frozen=True)
class Event:
    """One event: its causes, all relations that changed truth, the discrete variables that changed, the
    states that were reinitialised or jumped, and the number of rounds until nothing changed. `impulses` are
    those of the instant; `restructured` says what is different if other equations hold after it."""

    time: float
    causes: tuple[Cause, ...]
    relations: tuple[Cause, ...]
    changes: tuple[Change, ...]
    reinitialised: tuple[Change, ...]
    rounds: int
    impulses: tuple[Impulse, ...] = ()
    restructured: Restructured | None = None

    @property
    def kind(self) -> str:
        """`state` if a crossing caused it, `time` if it was scheduled, else that of its cause, such as
        `initial`."""
        kinds = {c.kind for c in self.causes}
        if not kinds <= {"relation", "time", "clock"}:
            return self.causes[0].kind
        return records.STATE if "relation" in kinds else records.TIME

    @property
    def sources(self) -> tuple[str, ...]:
        """Files and lines of its causes, each once."""
        return tuple(dict.fromkeys(c.source for c in self.causes if c.source is not None))

    def row(self) -> dict[str, Any]:
        """One row of a table: plain values and texts. `before` and `after` are residues of `relations`."""
        return {
            "time": self.time,
            "kind": self.kind,
            "causes": [str(c) for c in self.causes],
            "relations": [c.text for c in self.relations],
            "before": [c.before for c in self.relations],
            "after": [c.after for c in self.relations],
            "changed": {c.name: c.new for c in self.changes},
            "reinitialised": {c.name: c.new for c in self.reinitialised},
            "impulses": {i.name: i.weight for i in self.impulses},
            "restructured": None if self.restructured is None else self.restructured.row(),
            "rounds": self.rounds,
            "source": list(self.sources),
        }

    @property
    def why(self) -> str:
        """Its causes, in words."""
        return ", ".join(map(str, self.causes))

    @property
    def what(self) -> str:
        """What it changed, in words; empty if that is nothing."""
        told = [*map(str, self.changes), *map(str, self.reinitialised)]
        told += [f"impulse of {i.name}: {i.weight:.6g}" for i in self.impulses]
        told += [str(self.restructured)] if self.restructured is not None else []
        return "; ".join(told)

    def __str__(self) -> str:
        """One line: when, why, what changed."""
        changed = self.what
        return f"{self.time:<12.9g}  {self.why}" + (f"  [{changed}]" if changed else "")


class Changed:
    """What one or several rounds changed, by index: (old, new) of the truths and residues of relations and of
    discrete variables. The truths of relations that fired are among them in any case."""

    def __init__(self, rounds: Sequence[Round], shown: int) -> None:
        """The first `shown` relations are those of the model."""
        self.truths: dict[int, tuple[float, float]] = {}
        self.residues: dict[int, tuple[float, float]] = {}
        self.discretes: dict[int, tuple[float, float]] = {}
        found = {TRUTH: self.truths, RESIDUE: self.residues, DISCRETE: self.discretes}
        for what, index, old, new in (row for rows in rounds for row in rows.tolist()):
            places = found.get(int(what))
            if places is not None and (places is self.discretes or index < shown):
                before = places.get(int(index), (old, new))[0]
                places[int(index)] = (before, new)

    def relations(self) -> list[int]:
        """The relations whose truth has changed."""
        return [i for i, (old, new) in sorted(self.truths.items()) if old != new]


class EventTable(Sequence[Event]):
    """Events in the order of time, each decoded on access.

        result.events[3]                          one event
        result.events.between(1.0, 2.0)           the events of a stretch of time
        result.events.of("h <= 0")                those of a relation, a clock or a variable
        result.events.counts()                    how often each relation and clock started one
        result.events.table()                     rows for a table; to_pandas() for a DataFrame

    A selection is a table again, so that calls can be chained.
    """

    def __init__(self, result: Trajectories, chosen: Indices | None = None) -> None:
        """All events of a result, or those of the numbers that are `chosen`."""
        self._result = result
        self._chosen = chosen
        self._states: dict[Part, Indices] = {}
        self._sizes: dict[str, float] = {}
        structure = result.structure
        # A program may have other residues for what does not exist in its mode.
        self.relations: tuple[Relation, ...] = result.general.relations
        columns = result.recording.parts[0].rows.columns
        self._first = min((columns[ref(v.symbol)] for v in structure.discretes), default=0)
        #: Discrete variables by their places in the discretes of a round.
        self.discretes: dict[int, Variable] = {
            columns[ref(v.symbol)] - self._first: v
            for v in structure.discretes
            if not v.symbol.is_hidden and v.symbol.type is not Type.STRING
        }
        self._every_discrete = {columns[ref(v.symbol)] - self._first: v for v in structure.discretes}

    # ------------------------------------------------------------ one after the other

    def records(self) -> Iterator[EventRecord]:
        """The events as the run wrote them down."""
        found = self._result.records
        return iter(found) if self._chosen is None else map(found.__getitem__, self._chosen.tolist())

    def __len__(self) -> int:
        return len(self._result.records) if self._chosen is None else len(self._chosen)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> EventTable: ...
    def __getitem__(self, index: int | slice) -> Event | EventTable:
        if isinstance(index, slice):
            return EventTable(self._result, self._numbers[index])
        number = index if self._chosen is None else int(self._chosen[index])
        return self._decode(self._result.records[number])

    def __iter__(self) -> Iterator[Event]:
        return map(self._decode, self.records())

    def __repr__(self) -> str:
        """The first events, one a line, and how many there are."""
        lines = [f"<{self.counted}>"]
        lines += [f"  {event}" for event in self[:_SHOWN]]
        if len(self) > _SHOWN:
            lines.append(f"  ... and {len(self) - _SHOWN} more")
        return "\n".join(lines)

    @property
    def counted(self) -> str:
        """How many there are, in words: `13 events, the start of the run included`."""
        start = len(self) > 0 and self._numbers[0] == 0
        return number(len(self), "event") + (", the start of the run included" if start else "")

    # ------------------------------------------------------------ choosing

    @property
    def _numbers(self) -> Indices:
        """The numbers of these events among all events of the run."""
        return np.arange(len(self), dtype=np.intp) if self._chosen is None else self._chosen

    @cached_property
    def words(self) -> Wording:
        """The texts of the relations."""
        return Wording(self._result.general)

    @cached_property
    def spans(self) -> list[Span]:
        """The source places of the relations."""
        return [relation_span(r) for r in self.relations]

    @cached_property
    def numbers(self) -> list[int]:
        """By which people know the relations."""
        return numbers(self.relations)

    @cached_property
    def at_rows(self) -> AtRows:
        """Expressions at the rows of the run."""
        return AtRows(self._result, self.guard_values)

    @cached_property
    def guard_values(self) -> GuardValues:
        """What decides between branches, at any row."""
        return GuardValues(self._result)

    @property
    def columns(self) -> EventColumns:
        """All events of the run as columns of numbers."""
        return self._result.event_columns

    @property
    def times(self) -> NDArray[np.float64]:
        """When they happened."""
        return self.columns.times[self._numbers]

    def between(self, first: float, last: float) -> EventTable:
        """The events from the time `first` to the time `last`, both included."""
        times = self.times
        return EventTable(self._result, self._numbers[(first <= times) & (times <= last)])

    def of(self, what: str) -> EventTable:
        """The events that a relation (`h <= 0`) started or in which its truth changed; at which a clock
        (`sample(0, 0.1)`) ticked; or that changed a variable or reinitialised a state of that name."""
        written = _without_blanks(what)
        names = {name for part in self._result.recording.parts for name in state_names(part.structure)}
        names |= {v.name for v in self.discretes.values()}
        relations = [k for k, text in enumerate(self.words.texts) if _without_blanks(text) == written]
        clocks = [k for k, text in enumerate(self._clock_texts) if _without_blanks(text) == written]
        columns = self.columns
        if relations:
            found = [p.of(k) for p in (columns.fired, columns.flips()) for k in relations]
        elif clocks:
            found = [columns.ticked.of(k) for k in clocks]
        elif self._result.representative(what) in names:
            found = [self._changing(self._result.representative(what))]
        else:
            texts = [*self.words.texts, *self._clock_texts, *sorted(names)]
            message = f"there is no relation, clock or variable `{what}` that makes or has events"
            raise UsageError(Diagnostic("E502", message, hint=did_you_mean(what, texts)))
        return EventTable(self._result, np.intersect1d(self._numbers, np.concatenate(found)))

    def when_true(self, symbol: Symbol) -> NDArray[np.float64]:
        """When a discrete Boolean, also a hidden one, has become true in a round of an event, though it may
        be false at both limits."""
        places = [place for place, v in self._every_discrete.items() if v.symbol == symbol]
        columns = self.columns
        what, index, _, new = columns.changes.T
        chosen = (what == DISCRETE) & np.isin(index, places) & (new != 0)
        numbers = np.intersect1d(self._numbers, columns.change_events[chosen])
        times: NDArray[np.float64] = columns.times[numbers]
        return times

    def _changing(self, name: str) -> Indices:
        """The events that changed a discrete variable, or reinitialised a state."""
        columns = self.columns
        places = [place for place, v in self.discretes.items() if v.name == name]
        if places:
            what, index, old, new = columns.changes.T
            chosen = (what == DISCRETE) & (index == places[0]) & (old != new)
            found: Indices = columns.change_events[chosen]
            return found
        values = self._result[name]
        left, right = values[columns.lefts], values[columns.rights]
        jumped = (left != right) & ~(np.isnan(left) & np.isnan(right))
        return np.flatnonzero(jumped & np.isin(columns.kinds, (records.STATE, records.TIME, records.LEAP)))

    # ------------------------------------------------------------ counting

    @property
    def _clocks(self) -> tuple[Clock, ...]:
        return self._result.structure.model.clocks

    @cached_property
    def _clock_texts(self) -> list[str]:
        return [clock_text(clock) for clock in self._clocks]

    def activity(self) -> list[Activity]:
        """The activity of each relation, in the order of their numbers."""
        return relation_activity(self.columns.restricted(self._chosen), len(self.relations))

    def ticks(self) -> list[Activity]:
        """The activity of each clock, in the order of their numbers."""
        return clock_activity(self.columns.restricted(self._chosen), len(self._clocks))

    def totals(self) -> Totals:
        """How many events and rounds there were."""
        return totals(self.columns.restricted(self._chosen))

    def edges(self, conditions: Sequence[tuple[Symbol, bool]]) -> list[Activity]:
        """The events that activated when-clauses, each given by its discrete Boolean and whether this has to
        become true (or false)."""
        places = self._result.recording.parts[0].rows.columns
        columns = self.columns.restricted(self._chosen)
        both = [edge_activity(columns, len(places), rises=rises) for rises in (False, True)]
        found = [(places.get(ref(symbol)), rises) for symbol, rises in conditions]
        return [Activity() if place is None else both[rises][place - self._first] for place, rises in found]

    def counts(self) -> dict[str, int]:
        """How many events each relation and clock has started, the busiest first."""
        found: Counter[str] = Counter()
        for text, a in zip(self.words.texts, self.activity(), strict=True):
            found[text] += a.fired
        for text, a in zip(self._clock_texts, self.ticks(), strict=True):
            found[text] += a.fired
        return dict(found.most_common())

    # ------------------------------------------------------------ as a table

    def table(self) -> list[dict[str, Any]]:
        """One row an event, with the columns of `Event.row`."""
        return [event.row() for event in self]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each event and the columns of `table`."""
        try:
            import pandas
        except ImportError as error:
            raise UsageError(
                Diagnostic("E501", "pandas is not installed", hint="pip install saltus[pandas]")
            ) from error
        return pandas.DataFrame(self.table(), columns=COLUMNS)

    # ------------------------------------------------------------ decoding

    def rounds(self, record: EventRecord) -> list[Changed]:
        """What each round of an event changed."""
        skipped = 1 if record.kind == records.INITIAL else 0
        return [Changed([rows], len(self.relations)) for rows in record.rounds[skipped:]]

    def beginning(self, record: EventRecord) -> list[tuple[float, float]]:
        """Residue and sign of each relation at the start, from the record of that event."""
        found: dict[tuple[int, int], float] = {
            (int(what), int(index)): new for what, index, _, new in record.rounds[0].tolist()
        }
        return [(found[RESIDUE, i], found[SIGN, i]) for i in range(len(self.relations))]

    def started(self, record: EventRecord) -> Iterator[Change]:
        """Discrete variables whose fixed value before the start is another than that at the start; of those
        that the log has words of their own for, none."""
        row = record.left
        part, at = self._result.recording.locate(row)
        for place, v in sorted(self.discretes.items()):
            if v.fixed and v.log is None:
                old = 0.0 if v.start is None else self.at_rows.value(v.start, row)
                new = float(part.rows.values[at, self._first + place])
                if old == old and old != new:
                    yield Change(v.name, readable(v, old), readable(v, new))

    def states(self, record: EventRecord) -> tuple[str, str]:
        """Where states were chosen again: the names of those that were given up, and of those that took
        their place."""
        left, right = (self._result.recording.locate(row)[0] for row in (record.left, record.right))
        old, new = (state_names(part.structure) for part in (left, right))
        return ", ".join(n for n in old if n not in new), ", ".join(n for n in new if n not in old)

    def turns(self, record: EventRecord) -> Iterator[Cause]:
        """Why the run continues with another program, or at another position."""
        if record.kind == records.STATES:
            old, new = self.states(record)
            yield Cause(records.STATES, f"states chosen again: {old} -> {new}")
        for k in record.fired:
            relation = self.relations[k]
            surface = f"`{show(relation.in_words)}` = 0 (`{relation.text}`)"
            words = {
                records.SLIDES: f"sliding along {surface}",
                records.RESTS: f"at rest on {surface}",
                records.LEAVES: f"leaving {surface}",
                records.ZENO: f"events accumulate on {surface}",
            }
            yield Cause(record.kind, words[record.kind], span=relation.span)

    def _decode(self, record: EventRecord) -> Event:
        if record.kind in records.TURNS:
            return Event(record.time, tuple(self.turns(record)), (), (), (), 0)
        rounds = record.rounds[1:] if record.kind == records.INITIAL else record.rounds
        changed = Changed(rounds, len(self.relations))
        causes = []
        if record.kind in (records.INITIAL, records.TERMINAL):
            causes.append(Cause(record.kind, record.kind))
        if record.kind == records.LEAP:
            causes.append(Cause(record.kind, leap_text(record)))
        causes += [self._relation(i, changed) for i in record.fired]
        for i in record.clocks:
            causes.append(Cause("clock", self._clock_texts[i], span=self._clocks[i].span, number=i + 1))
        return Event(
            time=record.time,
            causes=tuple(causes),
            relations=tuple(self._relation(i, changed) for i in changed.relations()),
            changes=tuple(self.changes(changed)),
            reinitialised=tuple(self.jumps(record)),
            rounds=len(rounds),
            impulses=tuple(Impulses(self._result).of(record)),
            restructured=self.restructured(record),
        )

    def _relation(self, i: int, changed: Changed) -> Cause:
        relation = self.relations[i]
        before, after = changed.residues[i]
        return Cause(
            "time" if relation.is_time_event else "relation",
            self.words.texts[i],
            bool(changed.truths[i][1]),
            before,
            after,
            self.spans[i],
            self.numbers[i],
        )

    def changes(self, changed: Changed) -> Iterator[Change]:
        """Discrete variables whose values have changed."""
        for place, (old, new) in sorted(changed.discretes.items()):
            v = self.discretes.get(place)
            if v is not None and old != new:
                yield Change(v.name, readable(v, old), readable(v, new), v.log)

    def jumps(self, record: EventRecord) -> Iterator[Change]:
        """States whose limits differ."""
        (part, at), (other, then) = (self._result.recording.locate(r) for r in (record.left, record.right))
        places = self._state_columns(part)
        states = part.structure.known_states
        names = [v.name for v in states]
        left = part.rows.values[at, places]
        if other is part and not part.structure.local:
            right = part.rows.values[then, places]
            differ = left != right
        else:
            # New constraints hold exactly, states up to the errors of integration and event location.
            found = (other.columns.get(n) for n in names)
            right = np.array([np.nan if k is None else other.rows.values[then, k] for k in found])
            differ = np.abs(left - right) > PROJECTED * np.array([self._size(n) for n in names])
        for k in differ.nonzero()[0].tolist():
            if not states[k].symbol.is_hidden:
                yield Change(names[k], float(left[k]), float(right[k]))

    def _size(self, name: str) -> float:
        """The largest absolute value that a variable has had."""
        if name not in self._sizes:
            column = self._result.recording.column(name)
            assert column is not None
            self._sizes[name] = float(np.nanmax(np.abs(column)))
        return self._sizes[name]

    def restructured(self, record: EventRecord) -> Restructured | None:
        """What changes when the run continues with the program of another mode, or with another case of the
        same program."""
        left, right = (self._result.recording.locate(row)[0] for row in (record.left, record.right))
        values = self.guard_values
        if left is right and left.structure.local:
            changed = Changed(record.rounds, len(self.relations))
            turned = [self.relations[k].symbol for k in changed.relations()]
            turned += [self._every_discrete[k].symbol for k in changed.discretes]
            old_values, new_values = (partial(values.at, row=row) for row in (record.left, record.right))
            return followed(left.structure, turned, old_values, new_values, self.words, values.zeros)
        old, new = (values.structure(row) for row in (record.left, record.right))
        if record.kind in records.TURNS or old.mode == new.mode or is_alike(old, new):
            return None
        return restructured(old, new, self.words)

    def _state_columns(self, part: Part) -> Indices:
        """The places of the states in a row."""
        found = self._states.get(part)
        if found is None:
            columns, states = part.rows.columns, part.structure.known_states
            found = np.array([columns[ref(v.symbol)] for v in states], dtype=np.intp)
            self._states[part] = found
        return found


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _short(value: Any) -> str:
    """A value with as few digits as distinguish it from its neighbours; truth as the model writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def readable(v: Variable, value: float) -> Any:
    """A recorded number as the model means it; None where a mode has no such variable."""
    if value != value:
        return None
    if v.enumeration is not None and 1 <= value <= len(v.enumeration):
        return v.enumeration[int(value) - 1]
    match v.symbol.type:
        case Type.BOOLEAN:
            return value != 0.0
        case Type.INTEGER:
            return int(value)
        case _:
            return value


def leap_text(record: EventRecord) -> str:
    """What happens to a loop that leaps."""
    return f"the solution followed for {listed(record.ended, _NAMED)} ends here"


def clock_text(clock: Clock) -> str:
    """`sample(0, 0.1)`"""
    return clock.in_words
