"""How relations are watched, and with which numbers: the listing of `saltus explain --events --relations`, in
the names of paper 000.

    RELATIONS 2
      QRel(1) = Diode.u  QL(1) = QM(1) <= 0  Rectifier.dym:9
      QRel(2) = Diode.i  QL(2) = QM(2) > 0   Rectifier.dym:9

    AFTER EACH EVENT, from time 0 to 0.06
      time         i  QRel   QM  Qp      Qn     QZp    QZn     QL
      0            1  0       0  -1e-10  1e-10  1e-10  -1e-10  true
      3.1831e-13   1  1e-10   1  0       0      1e-10  1e-10   false

`QRel` is the residue, `QM` its sign at the last event, 0 within the zero band, and `QL` the truth that is
held. What crosses zero is QZp = QRel - Qp and QZn = QRel - Qn. `Qp` and `Qn` are zero unless `QM` is: then
they are the ends of the band, one of which is passed when the residue leaves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from saltus.core.wording import number
from saltus.expr.nodes import Op, ref
from saltus.ir.structure import Structure
from saltus.result.log import records
from saltus.result.log.records import EventRecord
from saltus.result.result import Result
from saltus.result.words.places import as_written, place, relation_span
from saltus.result.words.wording import Wording

#: Events, and relations of one event, whose numbers are listed; the rest is counted.
LISTED = 40

_OPERATORS = {Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">="}

_LEGEND = (
    "  QM: the sign of QRel at the last event, 0 within its zero band; where QRel has moved into the band,",
    "  QL is the truth on the side to which it goes. QZp = QRel - Qp and QZn = QRel - Qn cross zero.",
)


def relations_text(structure: Structure, result: Result | None = None) -> str:
    """The listing; with numbers, if there is a result."""
    parts = [list(_definitions(structure))]
    if result is not None and structure.relations:
        parts.append(list(_numbers(result)))
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _definitions(structure: Structure) -> Iterator[str]:
    """What each relation compares, and where it is written."""
    relations = structure.relations
    yield f"RELATIONS {len(relations)}"
    residues = Wording(structure).residues
    lines = []
    if not relations:
        return
    for k, i in enumerate(as_written(relations), start=1):
        r = relations[i]
        scheduled = "scheduled, not searched for" if r.is_time_event else ""
        truth = f"QL({k}) = QM({k}) {_OPERATORS[r.op]} 0"
        lines.append([f"QRel({k}) = {residues[i]}", truth, place(relation_span(r)), scheduled])
    yield from _columns(lines)
    yield from _LEGEND


def _numbers(result: Result) -> Iterator[str]:
    """The numbers of those relations that an event is about: at the start of all."""
    events = [record for record in result.events.records() if record.kind not in records.TURNS]
    yield f"AFTER EACH EVENT, from time {result.time[0]:g} to {result.time[-1]:g}"
    order = as_written(result.general.relations)
    relations, table = result.general.relations, result.events
    lines = [["time", "i", "QRel", "QM", "Qp", "Qn", "QZp", "QZn", "QL"]]
    rest = 0
    for record in events[:LISTED]:
        concerned = _concerned(result, record)
        chosen = [(k, i) for k, i in enumerate(order, start=1) if i in concerned]
        rest += max(len(chosen) - LISTED, 0)
        for k, i in chosen[:LISTED]:
            watched = table.at_rows.watched(relations[i], record.right)
            truth = str(bool(table.guard_values.at(ref(relations[i].symbol), record.right)))
            values = (_short(x) for x in (*watched, *watched.crossings))
            lines.append([f"{record.time:.6g}", str(k), *values, truth.lower()])
    yield from _columns(lines)
    if rest:
        yield f"  ... and {number(rest, 'line')} more of these events"
    if len(events) > LISTED:
        yield f"  ... and {number(len(events) - LISTED, 'event')} more"


def _concerned(result: Result, record: EventRecord) -> set[int]:
    """The relations of an event: those that fired, or whose truth has changed; at the start all."""
    if record.kind == records.INITIAL:
        return set(range(len(result.general.relations)))
    changed = (i for one in result.events.rounds(record) for i in one.relations())
    return {*record.fired, *changed}


def _short(value: float) -> str:
    return f"{value + 0.0:.6g}"


def _columns(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)] if lines else []
    for line in lines:
        yield "  " + "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
