"""Events, decoded from the raw records of a run when somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from saltus.core.source import Span
from saltus.expr.nodes import Type, ref
from saltus.expr.show import show
from saltus.ir.flat import Variable
from saltus.ir.hybrid import Relation
from saltus.result import records
from saltus.result.records import EventRecord, Round
from saltus.result.rows import is_hidden

if TYPE_CHECKING:
    from saltus.result.result import Result


#: Events that the text of an event table shows.
_SHOWN = 10


@dataclass(frozen=True)
class Cause:
    """Why an event happened, or a relation that changed with it. `kind` is `relation`, `time`, `clock`,
    `initial`, `terminal`, `states` (these were chosen again, see docs/structure.md), `sliding`, `resting`,
    `leaving` (a surface) or `zeno`; residues are those of the left and right limits."""

    kind: str
    text: str
    truth: bool | None = None
    before: float | None = None
    after: float | None = None
    span: Span | None = None

    def __str__(self) -> str:
        return self.text if self.truth is None else f"{self.text} became {_short(self.truth)}"


@dataclass(frozen=True)
class Change:
    """A variable that an event changed; Booleans, Integers and enumeration literals as such."""

    name: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"{self.name}: {_short(self.old)} -> {_short(self.new)}"


@dataclass(frozen=True)
class Event:
    """One event: its causes, all relations that changed truth, the discrete variables that changed, the
    states that were reinitialised, and the number of rounds until nothing changed."""

    time: float
    causes: tuple[Cause, ...]
    relations: tuple[Cause, ...]
    changes: tuple[Change, ...]
    reinitialised: tuple[Change, ...]
    rounds: int

    def __str__(self) -> str:
        """One line: when, why, what changed."""
        causes = ", ".join(map(str, self.causes))
        changed = "; ".join(map(str, (*self.changes, *self.reinitialised)))
        return f"{self.time:<12.9g}  {causes}" + (f"  [{changed}]" if changed else "")


class Changed:
    """What one or several rounds changed, by index: (old, new) of the truths and residues of relations and of
    discrete variables. The truths of relations that fired are among them in any case."""

    def __init__(self, rounds: Sequence[Round], shown: int) -> None:
        """The first relations, so many as are `shown`, are the model's."""
        self.truths: dict[int, tuple[float, float]] = {}
        self.residues: dict[int, tuple[float, float]] = {}
        self.discretes: dict[int, tuple[float, float]] = {}
        found = {records.TRUTH: self.truths, records.RESIDUE: self.residues, records.DISCRETE: self.discretes}
        for what, index, old, new in (row for rows in rounds for row in rows.tolist()):
            places = found.get(int(what))
            if places is not None and (places is self.discretes or index < shown):
                before = places.get(int(index), (old, new))[0]
                places[int(index)] = (before, new)

    def relations(self) -> list[int]:
        """The relations whose truth has changed."""
        return [i for i, (old, new) in sorted(self.truths.items()) if old != new]


class EventTable(Sequence[Event]):
    """A list of events that decodes on demand."""

    def __init__(self, result: Result) -> None:
        self._result = result
        structure = result.structure
        self.relations: tuple[Relation, ...] = structure.relations
        #: Discrete variables with their places in the discretes of a round.
        self.discretes: list[tuple[int, Variable]] = []
        columns = result.recording.parts[0].rows.columns
        first = min((columns[ref(v.symbol)] for v in structure.discretes), default=0)
        for v in structure.discretes:
            if not is_hidden(v.name) and v.symbol.type is not Type.STRING:
                self.discretes.append((columns[ref(v.symbol)] - first, v))

    def __len__(self) -> int:
        return len(self._result.records)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        if isinstance(index, slice):
            return [self._decode(r) for r in self._result.records[index]]
        return self._decode(self._result.records[index])

    def __iter__(self) -> Iterator[Event]:
        return map(self._decode, self._result.records)

    def __repr__(self) -> str:
        """The first events, one a line, and how many there are."""
        lines = [f"<{len(self)} event{'' if len(self) == 1 else 's'}, the start of the run included>"]
        lines += [f"  {event}" for event in self[:_SHOWN]]
        if len(self) > _SHOWN:
            lines.append(f"  ... and {len(self) - _SHOWN} more")
        return "\n".join(lines)

    def rounds(self, record: EventRecord) -> list[Changed]:
        """What each round of an event changed."""
        skipped = 1 if record.kind == records.INITIAL else 0
        return [Changed([rows], len(self.relations)) for rows in record.rounds[skipped:]]

    def beginning(self, record: EventRecord) -> list[tuple[float, float]]:
        """Residue and sign of each relation at the start, from the record of that event."""
        found: dict[tuple[int, int], float] = {
            (int(what), int(index)): new for what, index, _, new in record.rounds[0].tolist()
        }
        return [
            (found[records.RESIDUE, i], found[records.SIGN, i]) for i in range(len(self.relations))
        ]

    def states(self, record: EventRecord) -> tuple[str, str]:
        """Where states were chosen again: the names of those that were given up, and of those that took
        their place."""
        left, right = (self._result.recording.locate(row)[0] for row in (record.left, record.right))
        old, new = ([v.name for v in part.structure.states] for part in (left, right))
        return ", ".join(n for n in old if n not in new), ", ".join(n for n in new if n not in old)

    def turns(self, record: EventRecord) -> Iterator[Cause]:
        """Why the run goes on with another program, or at another place."""
        if record.kind == records.STATES:
            old, new = self.states(record)
            yield Cause(records.STATES, f"states chosen again: {old} -> {new}")
        for k in record.fired:
            relation = self.relations[k]
            surface = f"`{show(relation.residue)}` = 0 (`{relation.text}`)"
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
        causes += [self._relation(i, changed) for i in record.fired]
        for i in record.clocks:
            clock = self._result.structure.model.clocks[i]
            causes.append(Cause("clock", clock_text(clock), span=clock.span))
        return Event(
            time=record.time,
            causes=tuple(causes),
            relations=tuple(self._relation(i, changed) for i in changed.relations()),
            changes=tuple(self.changes(changed)),
            reinitialised=tuple(self.jumps(record)),
            rounds=len(rounds),
        )

    def _relation(self, i: int, changed: Changed) -> Cause:
        relation = self.relations[i]
        before, after = changed.residues[i]
        return Cause(
            "time" if relation.is_time_event else "relation",
            relation.text,
            bool(changed.truths[i][1]),
            before,
            after,
            relation.span,
        )

    def changes(self, changed: Changed) -> Iterator[Change]:
        """Discrete variables whose values have changed."""
        for place, v in self.discretes:
            old, new = changed.discretes.get(place, (0.0, 0.0))
            if old != new:
                yield Change(v.name, readable(v, old), readable(v, new))

    def jumps(self, record: EventRecord) -> Iterator[Change]:
        """States whose limits differ."""
        part, at = self._result.recording.locate(record.left)
        rows = part.rows
        left, right = rows.values[at], rows.values[at + record.right - record.left]
        for v in part.structure.states:
            column = rows.columns[ref(v.symbol)]
            if left[column] != right[column]:
                yield Change(v.name, float(left[column]), float(right[column]))


def _short(value: Any) -> str:
    """A value in as few signs as tell it from its neighbours; truth as the model writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def readable(v: Variable, value: float) -> Any:
    """A recorded number as the model means it."""
    if v.enumeration is not None and 1 <= value <= len(v.enumeration):
        return v.enumeration[int(value) - 1]
    match v.symbol.type:
        case Type.BOOLEAN:
            return value != 0.0
        case Type.INTEGER:
            return int(value)
        case _:
            return value


def clock_text(clock: Any) -> str:
    """`sample(0, 0.1)`"""
    return f"sample({show(clock.start)}, {show(clock.interval)})"
