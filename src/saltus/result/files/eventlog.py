"""The event log: as text in the manner of paper 000, and as JSON lines for programs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.expr.nodes import Op
from saltus.result.events.events import Cause, Change, Changed, Event, EventTable, clock_text, leap_text
from saltus.result.log import records
from saltus.result.log.records import EventRecord
from saltus.result.words.places import as_written, place

if TYPE_CHECKING:
    from saltus.result.result import Result

#: The part of a run within which two events are one instant, where one follows from the other.
INSTANT = 1e-9

_AGAIN = "Iterating to find consistent restart conditions."


def event_lines(result: Result) -> Iterator[str]:
    """The log in sentences: what became of each expression, which variables changed, each iteration."""
    table = result.events
    times = result.time
    instant = INSTANT * (times[-1] - times[0]) if len(times) else 0.0
    told: EventRecord | None = None
    for record in table.records():
        if told is not None:
            goes_on = record.time - told.time <= instant and _goes_on(table, told, record)
            if not goes_on:
                yield from _end(told)
            elif len(told.rounds) == 1:
                yield _AGAIN
        yield from _event(result, table, record)
        told = record
    if told is not None:
        yield from _end(told)


def _end(record: EventRecord) -> Iterator[str]:
    if record.kind not in records.TURNS:
        yield "Finished." if record.kind == records.TERMINAL else "Continuing after event."


def _goes_on(table: EventTable, before: EventRecord, record: EventRecord) -> bool:
    """Whether an event is logged as a part of the one just before. When a diode closes, its current is zero
    within the band for an instant longer than its voltage: what leaves a band in which the other event has
    left it belongs to that."""
    if before.kind != records.STATE or record.kind != records.STATE or record.clocks:
        return False
    if not set(record.fired).isdisjoint(before.fired):
        return False
    watched = (table.at_rows.watched(table.relations[k], before.right) for k in record.fired)
    return all(each.sign == 0.0 for each in watched)


def _event(result: Result, table: EventTable, record: EventRecord) -> Iterator[str]:
    when = f"at time = {record.time:.6g}"
    if record.kind == records.STATES:
        old, new = table.states(record)
        yield f"States chosen again {when}: {old} -> {new}"
        return
    if record.kind in records.TURNS:
        for cause in table.turns(record):
            yield f"{cause.text[0].upper()}{cause.text[1:]} {when}"
        return
    rounds = table.rounds(record)
    if record.kind == records.INITIAL:
        beginning = table.beginning(record)
        yield from dict.fromkeys(
            f"Expression {table.words.residues[i]} is initially {residue + 0.0:.4E} ( {_side(sign)} 0 )."
            for i, (residue, sign) in ((i, beginning[i]) for i in as_written(table.relations))
            if not table.relations[i].says
        )
    elif record.kind == records.TERMINAL:
        yield f"End of the run {when}."
    elif record.kind == records.LEAP:
        text = leap_text(record)
        yield f"{text[0].upper()}{text[1:]}, {when}; another one is taken."
    for i in record.clocks:
        clock = result.structure.model.clocks[i]
        yield f"Clock {clock_text(clock)} ticks {when}.  [{place(clock.span)}]"
    if record.kind == records.INITIAL:
        yield from _started(table, record)
    for k, changed in enumerate(rounds):
        fired = record.fired if k == 0 else ()
        others = [i for i in changed.relations() if i not in fired]
        # A residue that rests in its band is evaluated at zero because something else has happened: that is
        # logged first.
        resting = [i for i in others if _rests(table, i, changed)]
        moved = [*fired, *(i for i in others if i not in resting)]
        yield from _relations(table, changed, when, moved, fired)
        for change in table.changes(changed):
            yield from _changed(change, record.time)
        yield from _relations(table, changed, when, resting, ())
        if k < len(rounds) - 1:
            yield _AGAIN
    restructured = table.restructured(record)
    jumped = "reinitialised" if restructured is None and not record.impulses else "jumps"
    for jump in table.jumps(record):
        yield f"State {jump.name} {jumped} from {jump.old:.6g} to {jump.new:.6g}"
    for one in result.impulses.of(record):
        yield f"Impulse of {one.name}: {one.weight:.6g}{f' {one.unit}' if one.unit else ''}"
    if restructured is not None:
        yield f"Equations changed {when}: {restructured}"


def _started(table: EventTable, record: EventRecord) -> Iterator[str]:
    """What is different from what it was before the start."""
    changes = list(table.started(record))
    for change in changes:
        yield from _changed(change, record.time)
    if changes:
        yield _AGAIN


def _changed(change: Change, time: float) -> Iterator[str]:
    """The log entry for a change of a discrete variable, in the words of its declaration if it has any."""
    if change.log is None:
        yield f"Variable {change.name} changed to {_value(change.new)}"
    elif change.new is not False:
        said = {"%old": _value(change.old), "%new": _value(change.new), "%time": f"{time:.6g}"}
        for words in change.log:
            yield re.sub("|".join(said), lambda match: said[match[0]], words)


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rests(table: EventTable, i: int, changed: Changed) -> bool:
    """Whether a relation that changed, but did not fire, has become what it is for zero."""
    op, truth = table.relations[i].op, bool(changed.truths[i][1])
    return changed.residues[i][1] == 0.0 and truth is _literal(op, "==")


def _relations(
    table: EventTable, changed: Changed, when: str, chosen: Sequence[int], fired: Sequence[int]
) -> Iterator[str]:
    """What became of relations, with their places in the source if they fired. `h > 0` here and `h <= 0`
    there have the same expression: it is written once."""
    told: dict[str, list[int]] = {}
    for i in chosen:
        told.setdefault(_became(table, i, changed, when, fired=i in fired), []).append(i)
    told.pop("", None)  # nothing worth a line
    for line, numbers in told.items():
        truths = ", ".join(_truths(table, changed, numbers)) if line.startswith("Expression") else ""
        places = ", ".join(dict.fromkeys(place(table.spans[i]) for i in numbers if i in fired))
        yield line + (f": {truths}" if truths else "") + (f"  [{places}]" if places else "")


def _truths(table: EventTable, changed: Changed, numbers: Sequence[int]) -> Iterator[str]:
    """The new truths of those relations that have one: an expression alone does not show them."""
    for i in numbers:
        old, new = changed.truths[i]
        if old != new:
            yield f"{table.words.texts[i]} is {str(bool(new)).lower()}"


def _became(table: EventTable, i: int, changed: Changed, when: str, *, fired: bool = False) -> str:
    relation = table.relations[i]
    truth = bool(changed.truths[i][1])
    if relation.says:  # and that it is over at once is not worth a line
        return f"{relation.says} {when}" if truth or fired else ""
    if relation.is_time_event:
        return f"Relation {table.words.texts[i]} became {str(truth).lower()} {when}"
    value = changed.residues[i][1]
    side = _side(value)
    if fired:
        # Located to the last bit, a residue may be zero or just short of it: what counts is where it goes.
        side = ">" if truth == (relation.op in (Op.GT, Op.GE)) else "<"
    elif _literal(relation.op, side) != truth:
        side = "=="  # so near to zero that it counts as zero
    return f"Expression {table.words.residues[i]} became {value:.4E} ({side} 0) {when}"


def _literal(op: Op, side: str) -> bool:
    """Whether the relation holds for a residue on this side of zero."""
    return side in {Op.GT: ">", Op.GE: (">", "=="), Op.LT: "<", Op.LE: ("<", "==")}[op]


def _side(value: float) -> str:
    return ">" if value > 0 else "<" if value < 0 else "=="


def write_events(result: Result, path: str | Path) -> None:
    """One JSON object per event and line."""
    try:
        with Path(path).open("w", encoding="utf-8") as file:
            file.writelines(json_lines(result))
    except OSError as error:
        raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error


def json_lines(result: Result, since: int = 0) -> Iterator[str]:
    """The events from the one numbered `since` on."""
    for event in result.events[since:]:
        yield json.dumps(event_object(event), allow_nan=False) + "\n"


def event_object(event: Event) -> dict[str, Any]:
    """An event as plain data."""
    return {
        "time": event.time,
        "kind": event.kind,
        "causes": [_cause(c) for c in event.causes],
        "relations": [_cause(c) for c in event.relations],
        "changed": [_change(c) for c in event.changes],
        "reinitialised": [_change(c) for c in event.reinitialised],
        "impulses": {i.name: _finite(i.weight) for i in event.impulses},
        **({} if event.restructured is None else {"restructured": event.restructured.row()}),
        "rounds": event.rounds,
        "source": list(event.sources),
    }


def _cause(cause: Cause) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": cause.kind, "text": cause.text}
    if cause.truth is not None:
        found |= {"truth": cause.truth, "before": _finite(cause.before), "after": _finite(cause.after)}
    if cause.number is not None:
        found["number"] = cause.number
    if cause.source is not None:
        found["source"] = cause.source
    return found


def _change(change: Change) -> dict[str, Any]:
    return {"name": change.name, "old": _finite(change.old), "new": _finite(change.new)}


def _finite(value: Any) -> Any:
    """JSON has no infinities and no nan: null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
