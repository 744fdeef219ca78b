"""What can happen in a model, and what did: the listing of `saltus explain --events`.

    EVENTS OF Tank from time 0 to 20
      8 events, 14 rounds, at most 2 in one event
      fired: events that it started, in either direction; others: events in which it changed

    RELATIONS 2
      #  fired  others  first    last     relation  source
      2      4       0  4.41437  15.4672  h > high  Tank.mo:11
         crossing function h - high; triggers when-clause 2

The busiest come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from saltus.core.wording import number
from saltus.expr.nodes import ref
from saltus.expr.traversal import leaves
from saltus.ir.hybrid import Relation
from saltus.ir.structure import Structure
from saltus.result.events.events import EventTable, clock_text
from saltus.result.log.activity import Activity
from saltus.result.result import Result
from saltus.result.words.places import as_written, place, relation_span
from saltus.show.listings.switching import Switched, Switching, WhenClause

#: Entries of a section that are listed; the rest is counted.
LISTED = 40
#: Names listed for one entry.
NAMES = 6

_WIDEST = 44

#: Entries of the log that are no events of the model, where their kind alone does not say it.
_TURNS = {"states": "times other states chosen"}


def events_text(structure: Structure, result: Result | None = None) -> str:
    """The listing; with counts, if there is a result."""
    switching = Switching(structure)
    table = None if result is None else result.events
    sections = [
        list(_summary(switching, result)),
        list(_relations(switching, table)),
        list(_clocks(switching, table)),
        list(_clauses(switching, table)),
        list(_checks(switching)),
        list(_comparisons(switching)),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in lines) for lines in sections if lines) + "\n"


def _summary(switching: Switching, result: Result | None) -> Iterator[str]:
    name = switching.model.name
    if result is None:
        yield f"EVENTS OF {name}"
    else:
        yield f"EVENTS OF {name} from time {result.time[0]:g} to {result.time[-1]:g}"
        totals = result.events.totals()
        most = f", at most {totals.most_rounds} in one event" if totals.events else ""
        yield f"  {number(totals.events, 'event')}, {number(totals.rounds, 'round')}{most}"
        if totals.turns:
            turns = ", ".join(f"{n} {_TURNS.get(kind, kind)}" for kind, n in totals.turns.items())
            yield f"  besides: {turns}"
        if switching.relations:
            yield "  fired: events that it started, in either direction; others: events in which it changed"
    if not switching.relations and not switching.clocks:
        yield "  The model has no relations that generate events, and no clocks."


# ---------------------------------------------------------------- the sections


def _relations(switching: Switching, table: EventTable | None) -> Iterator[str]:
    relations = switching.relations
    if not relations:
        return
    order = as_written(relations)
    counts_of = [] if table is None else table.activity()
    activity = None if table is None else [counts_of[i] for i in order]
    rows = []
    for k, i in enumerate(order):
        r, counted = relations[i], _counted(activity, k, others=True)
        cells = [*counted, _cut(switching.words.texts[i]), place(relation_span(r))]
        rows.append((k + 1, cells, _decides(r, switching)))
    counts = [] if activity is None else ["fired", "others", "first", "last"]
    yield f"RELATIONS {len(relations)}"
    yield from _table(["#", *counts, "relation", "source"], rows, activity)


def _clocks(switching: Switching, table: EventTable | None) -> Iterator[str]:
    clocks = switching.clocks
    if not clocks:
        return
    activity = None if table is None else table.ticks()
    rows = [
        (k, [*_counted(activity, k - 1), clock_text(c), place(c.span)], _words(switching.switched[c.symbol]))
        for k, c in enumerate(clocks, start=1)
    ]
    counts = [] if activity is None else ["ticks", "first", "last"]
    yield f"CLOCKS {len(clocks)}"
    yield from _table(["#", *counts, "clock", "source"], rows, activity)


def _clauses(switching: Switching, table: EventTable | None) -> Iterator[str]:
    if not switching.clauses:
        return
    conditions = [(w.condition, w.rises) for w in switching.clauses]
    activity = None if table is None else table.edges(conditions)
    rows = [
        (k, [*_counted(activity, k - 1), _cut(w.text), place(w.span)], _does(w))
        for k, w in enumerate(switching.clauses, start=1)
    ]
    counts = [] if activity is None else ["active", "first", "last"]
    yield f"WHEN-CLAUSES {len(switching.clauses)}"
    yield from _table(["#", *counts, "when", "source"], rows, activity)


def _checks(switching: Switching) -> Iterator[str]:
    found = [
        (switching.condition_text(c.condition), place(c.span) + ("  warns only" if c.warning else ""))
        for c in switching.checks
    ]
    yield from _plain("ASSERTIONS", found)


def _comparisons(switching: Switching) -> Iterator[str]:
    yield from _plain(
        "COMPARISONS WITHOUT EVENTS (noEvent, smooth)",
        [(c.text, place(c.span)) for c in switching.comparisons()],
    )


# ---------------------------------------------------------------- words


def _decides(relation: Relation, switching: Switching) -> str:
    """How a relation is watched, and what it decides."""
    if relation.is_time_event:
        how = "scheduled, not searched for"
    elif ref(relation.symbol) in leaves(relation.residue):
        how = "keeps its truth in the last mode, in which its variables do not exist"
    else:
        how = f"crossing function {_cut(switching.words.residue(relation))}"
    return f"{how}; {_words(switching.switched[relation.symbol])}"


def _words(switched: Switched) -> str:
    parts = []
    if switched.clauses:
        noun = "when-clause" if len(switched.clauses) == 1 else "when-clauses"
        parts.append(f"triggers {noun} {_listed(map(str, switched.clauses))}")
    if switched.variables:
        parts.append(f"switches {_listed(switched.variables)}")
    if switched.others:
        parts.append(f"decides {_listed(switched.others)}")
    return "; ".join(parts) or "nothing depends on it"


def _does(clause: WhenClause) -> str:
    does = [e for e in clause.effects if e.startswith("reinit(") or e in ("assert", "terminate")]
    sets = [e for e in clause.effects if e not in does]
    return "; ".join((*([f"sets {_listed(sets)}"] if sets else []), *([_listed(does)] if does else [])))


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    rest = f" and {len(found) - NAMES} more" if len(found) > NAMES else ""
    return ", ".join(found[:NAMES]) + rest


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


# ---------------------------------------------------------------- tables


def _counted(activity: Sequence[Activity] | None, k: int, *, others: bool = False) -> list[str]:
    if activity is None:
        return []
    a = activity[k]
    times = ["-" if t is None else f"{t:.6g}" for t in (a.first, a.last)]
    return [str(a.fired), *([str(a.followed)] if others else []), *times]


def _table(
    heads: list[str], rows: list[tuple[int, list[str], str]], activity: Sequence[Activity] | None
) -> Iterator[str]:
    """Rows of a number, cells and a remark on a line of its own; the busiest first, where that is known."""
    if activity is not None:
        rows = sorted(rows, key=lambda row: (-activity[row[0] - 1].fired, row[0]))
    shown = rows[:LISTED]
    lines = [heads, *([str(k), *cells] for k, cells, _ in shown)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    numbers = len(heads) - 2  # all columns but the last two, of which the first ones are counts
    for i, line in enumerate(lines):
        cells = [
            cell.rjust(width) if j < numbers and heads[j] not in ("first", "last") else cell.ljust(width)
            for j, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  " + "  ".join(cells)
        if i > 0:
            yield " " * (4 + widths[0]) + shown[i - 1][2]
    rest = rows[LISTED:]
    if rest:
        yield f"  ... and {len(rest)} more" + _rest(rest, activity)


def _rest(rows: list[tuple[int, list[str], str]], activity: Sequence[Activity] | None) -> str:
    """What became of those that are not listed."""
    if activity is None:
        return ""
    counts = [activity[k - 1].fired for k, _, _ in rows]
    busy = sum(1 for n in counts if n)
    return f": {busy} of them {sum(counts)} times in all, {len(rows) - busy} never"


def _plain(head: str, entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    if not entries:
        return
    yield f"{head} {len(entries)}"
    width = max(len(text) for text, _ in entries[:LISTED])
    for text, where in entries[:LISTED]:
        yield f"  {text.ljust(width)}  {where}"
    if len(entries) > LISTED:
        yield f"  ... and {len(entries) - LISTED} more"
