"""Every row obeys: relations that are in force agree with the numbers of each row of a result.

Between events the truth of a relation is held, so a row in which `u > 0.5` is held false while `u` is 0.7 is
the trace of an event that was stepped over. The truths are followed through the event log, and through what
programs take for granted; the residues are computed anew, from the values in the rows.

What is no violation, and nothing else:

- A residue inside the zero band (1e-10 of its nominal value) counts as zero: either truth is right.
- *The left limit of an event.* The event lies at the right end of a bracket that is as small as the digits of
  time allow (`LOCATED` of the time), so relations that started it may be across zero by what their residue
  moves in that time: at the speed that its terms have in the rows before (two of them may be fast where their
  difference is slow, and are as uncertain as the time); or, told apart in what is reported, like a
  root, which comes to zero with no bound on its speed (a flow that goes with the root of the pressure). At
  the edge of a band a residue is beyond it by the last digits of the states that it is computed from.
- *Time events* are compared exactly by the run, but `a*time + b` computed from the row may have a rounding
  of its own.
- *A surface.* While a model slides or rests on one, the relations that change their truth there are not in
  force. (The relations that say that it stays are, and are looked at.)
- *Room.* Where a mode is entered with a residue that is zero and leaves zero without speed, the run lets it
  count as zero within `ROOM` tolerances of its nominal value, or of what it is the difference of
  (`saltus.run.engine.at_zero`). Only where modes change, those that one program follows included, and only as
  long as it has not been further away since the last event.

A relation that is zero at the start and never changes is in no log. Its truth is then taken from the first
row that tells, and the rows after that have to agree.

Relations that ask for what only the run knows (`delay`, a table) are not looked at; `Judgement.unseen` names
them. Usage: `python -m tools.obedience MODEL [--stop-time T] [--method M] [--tolerance R]`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from tools.obedience.column_values import Column, Unknown
from tools.obedience.row_values import Values

import saltus
from saltus.core.diagnostics import RunError
from saltus.expr.nodes import Op, compare
from saltus.ir.balance import is_inferred
from saltus.ir.hybrid import Relation
from saltus.ir.native.drive import SIGN, TRUTH
from saltus.result.log import records
from saltus.result.modes.guards import granted
from saltus.result.result import Result
from saltus.result.trajectories.recording import Part
from saltus.result.words.wording import Wording

# The numbers below are copies on purpose, where `saltus.ir.native.contract` has them too: a judge that
# imported a number would find nothing wrong with a run that uses a wrong one.

#: The zero band in units of the nominal value, as documented.
BAND = 1e-10

#: A crossing is located to this part of its time: bracketed to 16 of its last digits, and the end of the
#: bracket moved on until the residue is seen beyond zero there, which takes some more.
LOCATED = 80 * 2.0**-52

#: How far a residue that leaves zero without speed may be from it in a mode, in tolerances.
ROOM = 10.0

#: An event at the edge of a band, or of that room, is beyond it by rounding: as part of its width.
AT_THE_EDGE = 1e-6

#: Rounding of a sum, as part of the largest of its terms.
ROUNDING = 1e-14

#: The speed of a residue is taken from so many rows before an event.
_ROWS_BEFORE = 3

#: Room is kept until a residue has been beyond it: when it was given is looked for in so many rows.
_ROWS_BACK = 64

#: What comes to zero like a root gets faster by so much from row to row, or more.
LIKE_A_ROOT = 1.1

Flags: TypeAlias = NDArray[np.bool_]


class Violation(NamedTuple):
    """A relation that is held to a truth that the numbers of a row contradict."""

    time: float
    row: int
    relation: str
    residue: float
    truth: bool

    def __str__(self) -> str:
        held = f"{self.relation} is held {str(self.truth).lower()}"
        return f"row {self.row}, time {self.time:.9g}: {held}, residue {self.residue:g}"


@dataclass
class Judgement:
    """What was found in a result. `exempted` has the number and the worst of the residues beyond their bands
    that were exempted, by reason: in units of what the reason allows."""

    rows: int = 0
    looked_at: int = 0
    violations: list[Violation] = field(default_factory=list)
    exempted: dict[str, tuple[int, float]] = field(default_factory=dict)
    unseen: list[str] = field(default_factory=list)

    def excuse(self, reason: str, parts: list[float]) -> None:
        """Notes residues that are beyond their bands by these parts of what is allowed."""
        if parts:
            count, worst = self.exempted.get(reason, (0, 0.0))
            self.exempted[reason] = count + len(parts), max(worst, *parts)

    def __str__(self) -> str:
        lines = [f"{self.rows} rows, {self.looked_at} truths looked at, {len(self.violations)} violations"]
        lines += [f"  {v}" for v in self.violations[:20]]
        for reason, (count, worst) in self.exempted.items():
            lines.append(f"  exempted ({reason}): {count}, at most {worst:.2g} of what is allowed")
        lines += [f"  not looked at: {text}" for text in self.unseen]
        return "\n".join(lines)


def violations(result: Result, tolerance: float = 1e-6) -> list[Violation]:
    """All rows that contradict a relation; `tolerance` is that of the run."""
    return judged(result, tolerance).violations


def judged(result: Result, tolerance: float = 1e-6) -> Judgement:
    """Looks at every relation in every row."""
    return _Judge(result, tolerance).judgement


def residues_of(result: Result, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The residues of a relation, by its index, in all rows, in units of its nominal value: NaN where they
    are not known. And the times."""
    judge = _Judge(result, 0.0, look=False)
    found = np.full(len(result), np.nan)
    for part, places in judge.parts():
        case = judge.case_of(k, part, places)
        if case is not None:
            found[places] = case.residue / case.nominal
    return found, result.time


class _Judge:
    def __init__(self, result: Result, tolerance: float, *, look: bool = True) -> None:
        self._result = result
        self._tolerance = tolerance
        self._times = result.time
        self._count = len(self._times)
        self._own = result.structure.relations
        self._texts = Wording(result.structure).texts
        self._numbers = {r.symbol: k for k, r in enumerate(self._own)}
        self._columns = result.events.columns
        first = np.flatnonzero(self._columns.kinds == records.INITIAL)
        self._first_row = int(self._columns.rights[first[0]]) if len(first) else 0
        #: Relations whose truth at the start is not in the log: they never change, and were zero there.
        self._unsaid = [False] * len(self._own)
        self._truths = [self._followed(k) for k in range(len(self._own))]
        self._limits = self._left_limits()
        self.judgement = Judgement(rows=self._count)
        for part, places in self.parts() if look else ():
            self._look_at(part, places)
        self.judgement.violations.sort(key=lambda v: (v.row, v.relation))

    def parts(self) -> Iterator[tuple[Part, NDArray[np.intp]]]:
        """Parts of the recording with the numbers of their rows in the run."""
        recording = self._result.recording
        whose = np.zeros(self._count, dtype=np.intp)
        turns = recording.turns
        for (first, _, number), past in zip(turns, [t[0] for t in turns[1:]] + [self._count], strict=True):
            whose[first:past] = number
        for number, part in enumerate(recording.parts):
            places = np.flatnonzero(whose == number)
            if len(places):
                yield part, places

    # ------------------------------------------------------------ truths

    def _followed(self, k: int) -> Flags:
        """The truth of a relation in every row, by the log: an event has changed it at its right limits."""
        columns = self._columns
        changes = columns.changes
        own = np.flatnonzero((changes[:, 0] == TRUTH) & (changes[:, 1] == k))
        if not len(own):
            return np.full(self._count, self._at_start(k))
        rows = columns.rights[columns.change_events[own]]
        truths = np.concatenate((changes[own[:1], 2], changes[own, 3])).astype(bool)
        found: Flags = truths[np.searchsorted(rows, np.arange(self._count), side="right")]
        return found

    def _at_start(self, k: int) -> bool:
        """Of a relation that never changes, from its sign at the start."""
        start = next((r for r in self._result.records if r.kind == records.INITIAL), None)
        told = start.rounds[0].tolist() if start is not None and start.rounds else []
        sign = next((x for what, i, _, x in told if (what, i) == (SIGN, k)), 0.0)
        self._unsaid[k] = sign == 0.0
        return bool(compare(self._own[k].op, sign, 0.0))

    def _left_limits(self) -> dict[int, set[int]]:
        """For rows that are left limits of events, the relations that started the event."""
        columns = self._columns
        found: dict[int, set[int]] = {int(row): set() for row in columns.lefts}
        for event, k in zip(columns.fired.events.tolist(), columns.fired.items.tolist(), strict=True):
            found[int(columns.lefts[event])].add(k)
        return found

    # ------------------------------------------------------------ one program

    def _look_at(self, part: Part, places: NDArray[np.intp]) -> None:
        """The rows of one program."""
        structure = part.structure
        known = granted(structure)
        held = {k for surface in structure.surfaces for k in surface.relations}
        values = Values(self._result, part, places, self._numbers, self._truths, known)
        for k, relation in enumerate(structure.relations):
            if k in held:
                continue
            symbol = relation.symbol
            case = self._case(k, relation, self._texts[k], places, values)
            if case is None:
                continue
            if symbol in known:
                self._judge(case, np.full(len(places), bool(known[symbol])))
                continue
            if self._unsaid[k]:
                self._settle(case)
            self._judge(case, self._truths[k][places])
        for k in sorted(k for surface in structure.surfaces for k in surface.exits):
            relation = structure.model.relations[k]
            case = self._case(k, relation, f"staying on {relation.text}", places, values)
            if case is not None:
                self._judge(case, np.ones(len(places), dtype=bool))

    def case_of(self, k: int, part: Part, places: NDArray[np.intp]) -> _Case | None:
        """The residues of one of the model's own relations in the rows of one program."""
        values = Values(self._result, part, places, self._numbers, self._truths, granted(part.structure))
        return self._case(k, part.structure.relations[k], self._texts[k], places, values)

    def _case(
        self, k: int, relation: Relation, text: str, places: NDArray[np.intp], values: Values
    ) -> _Case | None:
        """The residues of a relation; None where they are not known."""
        try:
            residue = values.of(relation.residue).astype(float)
            nominal = self._nominal(k, relation, values)
            terms = values.of_terms(relation.residue)
        except Unknown:
            if text not in self.judgement.unseen:
                self.judgement.unseen.append(text)
            return None
        rounding = ROUNDING * np.abs(terms).max(axis=0)
        band = rounding if relation.is_time_event else rounding + BAND * nominal
        positive = relation.op in (Op.GT, Op.GE)

        def reach(rows: NDArray[np.intp]) -> Column:
            return values.at(rows).reach(relation.residue)

        return _Case(k, text, places, residue, terms, reach, nominal, band, positive, self._times[places])

    def _nominal(self, k: int, relation: Relation, values: Values) -> Column:
        """The nominal value of a residue; where nobody gave one, the size that the run says it has used."""
        if relation.nominal is not None and not is_inferred(relation.nominal):
            given: Column = np.abs(values.of(relation.nominal).astype(float))
            return given
        sizes, used = self._result.sizes, 1.0
        if sizes is not None and k in sizes.relations:
            used = max(sizes.relations[k].used, *sizes.by_truth.get(k, (0.0,)))
        return np.full_like(values.of(relation.residue).astype(float), used)

    def _settle(self, case: _Case) -> None:
        """The truth of a relation that the log does not tell, by the first row that does."""
        telling = np.flatnonzero(np.abs(case.residue) > case.band)
        if len(telling):
            self._unsaid[case.k] = False
            self._truths[case.k][:] = (case.residue[telling[0]] > 0.0) == case.positive

    def _judge(self, case: _Case, truth: Flags) -> None:
        # What does not exist in a mode, or cannot be computed there, is NaN, and has nothing to obey.
        after = (case.places >= self._first_row) & np.isfinite(case.residue)
        self.judgement.looked_at += int(after.sum())
        beyond = case.beyond(truth)
        doubtful = after & (beyond > case.band * (1.0 + AT_THE_EDGE))
        if not doubtful.any():
            return
        limits = [i for i in np.flatnonzero(doubtful).tolist() if self._is_limit(case.k, case.places[i])]
        self._excuse_limits(case, limits, doubtful, beyond)
        if len(self._result.programs) > 1 or len(self._result.modes.visited) > 1:
            self._excuse_room(case, set(limits), doubtful, beyond)
        self.judgement.violations += [
            Violation(
                float(case.times[i]), int(case.places[i]), case.text, float(case.residue[i]), bool(truth[i])
            )
            for i in np.flatnonzero(doubtful).tolist()
        ]

    # ------------------------------------------------------------ what is exempted

    def _is_limit(self, k: int, row: int) -> bool:
        """Whether a row is the left limit of an event of a relation. Those that say that a model stays on a
        surface are in no log: the event is that it leaves."""
        fired = self._limits.get(int(row))
        return fired is not None and (k >= len(self._own) or k in fired)

    def _excuse_limits(
        self, case: _Case, limits: list[int], doubtful: Flags, beyond: NDArray[np.float64]
    ) -> None:
        """Takes back what the location of an event explains."""
        by_speed, by_root, by_digits = [], [], []
        for i in limits:
            excess = float(beyond[i] - case.band[i])
            moved, moved_as_root = case.movement(i, LOCATED * case.digits(i))
            digits = ROUNDING * float(case.reach(np.array([i]))[0])
            if excess <= moved:
                by_speed.append(excess / moved)
            elif excess <= moved_as_root:
                by_root.append(excess / moved_as_root)
            elif excess <= digits:
                by_digits.append(excess / digits)
            else:
                continue
            doubtful[i] = False
        self.judgement.excuse("left limit", by_speed)
        self.judgement.excuse("left limit, last digits", by_digits)
        self.judgement.excuse("left limit of a root", by_root)

    def _excuse_room(
        self, case: _Case, limits: set[int], doubtful: Flags, beyond: NDArray[np.float64]
    ) -> None:
        """Takes back what a residue has of room, if it has not been further away since the last event."""
        found = []
        after_events = (np.diff(case.places) != 1) | (np.diff(case.times) == 0.0)
        for rows in np.split(np.arange(len(doubtful)), np.flatnonzero(after_events) + 1):
            if not doubtful[rows].any():
                continue
            reach = case.reach(rows)  # which was that of the first row when the room was given
            before = self._reach_before(case.k, int(case.places[rows[0]]))
            reach = np.maximum(reach, max(float(reach[0]), before))
            wide = ROOM * self._tolerance * np.maximum(case.nominal[rows], reach)
            was_far = False
            for i, usual in zip(rows.tolist(), wide.tolist(), strict=True):
                room = usual * (1.0 + AT_THE_EDGE)
                if i in limits:  # an event at the edge of that room
                    room += max(case.movement(i, LOCATED * case.digits(i)))
                if doubtful[i] and not was_far and beyond[i] <= room:
                    doubtful[i] = False
                    found.append(float(beyond[i] / room))
                was_far = was_far or bool(abs(beyond[i]) > usual)
        self.judgement.excuse("room", found)

    def _reach_before(self, k: int, row: int) -> float:
        """How large the states are from which the residue of a relation was computed in the last events
        before a row, as long as it had room: what has room takes it along into the next program, also where
        it is at the edge, or beyond that on its own side, by an event of another."""
        largest = 0.0
        if k >= len(self._own):
            return largest
        for earlier in range(row - 1, max(row - _ROWS_BACK, 0), -1):
            part, places = next((p, rows) for p, rows in self.parts() if earlier in rows)
            case = self.case_of(k, part, places)
            (at,) = np.flatnonzero(places == earlier)
            if case is None:
                break
            stay = [at - 1, at] if at and places[at - 1] == earlier - 1 else [at]
            reach = max(largest, *case.reach(np.array(stay)).tolist())
            room = ROOM * self._tolerance * max(case.nominal[at], reach)
            if abs(case.residue[at]) > room and earlier not in self._limits:
                break
            largest = reach
        return largest


@dataclass(frozen=True, eq=False)
class _Case:
    """The residues of one relation in the rows of one program, in the order of time. `terms`: a row for each
    of those that a residue is the sum of. `reach`: how large the states are from which they are computed,
    in some of the rows. `band`: within it they are zero. `positive`: it is true where the residue is."""

    k: int
    text: str
    places: NDArray[np.intp]
    residue: NDArray[np.float64]
    terms: NDArray[np.float64]
    reach: Callable[[NDArray[np.intp]], Column]
    nominal: NDArray[np.float64]
    band: NDArray[np.float64]
    positive: bool
    times: NDArray[np.float64]

    def beyond(self, truth: Flags) -> NDArray[np.float64]:
        """How far a residue is on the side that the truth does not have."""
        return np.where(truth == self.positive, -self.residue, self.residue)

    def digits(self, i: int) -> float:
        """The time whose last digit counts at a row: near zero, that of the row after it, since time
        there is no better known than around it."""
        later = self.times[i:][self.times[i:] > self.times[i]]
        return float(max(abs(self.times[i]), abs(later[0]) if len(later) else 0.0))

    def movement(self, i: int, part: float) -> tuple[float, float]:
        """How far a residue moves in a small part of time before a row, by the rows before that: at its
        speed, and, if it goes to zero like a root, as one."""
        before = [j for j in range(max(i - _ROWS_BEFORE, 0), i) if self.times[j] < self.times[i]]
        steps = [float(self.times[i] - self.times[j]) for j in before]
        sizes = [float(np.abs(self.terms[:, i] - self.terms[:, j]).sum()) for j in before]
        speeds = [size / step for size, step in zip(sizes, steps, strict=True)]
        # The speed of a root grows towards zero; that of anything else is the same over a few rows.
        grows = len(speeds) > 1 and all(b > LIKE_A_ROOT * a for a, b in pairwise(speeds))
        roots = (size * (part / step) ** 0.5 for size, step in zip(sizes, steps, strict=True))
        return max(speeds, default=0.0) * part, max(roots) if grows else 0.0


def main(arguments: list[str]) -> int:
    """Runs a model and judges its rows; status 1 if one does not obey."""
    parser = argparse.ArgumentParser(description="Does every row of a run obey the relations in force?")
    parser.add_argument("model", help="a file, or the name of a class")
    parser.add_argument("--stop-time", type=float)
    parser.add_argument("--tolerance", type=float)
    parser.add_argument("--max-step", type=float)
    parser.add_argument("--interval", type=float)
    parser.add_argument("--method")
    parser.add_argument("--zeno")
    options = vars(parser.parse_args(arguments))
    model = saltus.load(options.pop("model"))
    try:
        result = model.simulate(**options)
    except RunError as error:
        print(error.diagnostics[0].message, file=sys.stderr)
        if error.partial is None:
            return 2
        result = cast(Result, error.partial)
    judgement = judged(result, options["tolerance"] or model.experiment.tolerance)
    print(judgement)
    return 1 if judgement.violations else 0
