"""The entries of a program that an event in one part of the model affects (`saltus.ir.parts`).

The routines of an event are loops over equal parts, loops over sections of the memory, and straight-line
code. Each *step* of them, a turn of a loop or a statement, reads some numbers and writes others. Then

    1. what may change at an instant is followed from what event routines write, step by step;
    2. steps join the numbers that they read or write and that may change: connected numbers are a part;
    3. a step belongs to the part of what it writes. What cannot change at the instant, but varies with time
       and states, is computed with every part that needs it: relations are also evaluated a moment later.

Graph algorithms see arrays of slots; local variables of straight-line code count as further slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, Op, Symbol
from saltus.expr.traversal import leaves
from saltus.ir.parts import ALL, PART_ROUTINES, Part, Parts, Turns
from saltus.ir.program import (
    Assign,
    Attempt,
    CallFunction,
    Each,
    Fill,
    For,
    If,
    Invoke,
    Layout,
    Program,
    Routine,
    SolveLinear,
    Statement,
    Store,
    While,
)

#: With fewer relations, an event of the whole model is as quick.
LEAST_RELATIONS = 64

#: Straight-line code of more statements is worth a loop, and is not carried out for the sake of one part.
LONGEST_STRAIGHT = 64

#: Where a statement reads or writes more numbers than that, all of its routine counts as one step: it solves
#: one system, and a table of what every other statement reads and writes would be as wide.
WIDEST = 512

#: Sections that control how an event continues: every part writes them.
_SHARED = ("flags", "homotopy", "counters", "scratch", "circle", "exact", "clocks", "histories")

#: What is computed from states, discrete variables and time. Everything else that an event writes may change.
_COMPUTING = ("evaluate", "relations", "checks", "crossings", "lower", "books")

#: Sections with an entry for each relation, each discrete variable, each state.
_OF_RELATIONS = (
    "relations", "signs", "residues", "bands", "crossing_times", "zero_since", "directions",
    "relation_impulses",
)  # fmt: skip
_OF_DISCRETES = ("discretes", "pre_discretes")
_OF_STATES = ("states", "derivatives", "pre_states", "new_states", "jumped")


def found_parts(program: Program) -> Parts | None:
    """The parts of a program; None where there is only one, where straight-line code would be carried out for
    several to do it for one, or where an event does more than the driver can do for one part."""
    first, count = program.layout.sections["relations"]
    if count < LEAST_RELATIONS or "follow_zeros" in program.routines or program.remembers:
        return None
    steps = _Steps(program)
    labels = steps.joined(steps.changing())
    of_relations = labels[first : first + count]
    numbers = {label: k for k, label in enumerate(dict.fromkeys(of_relations.tolist()))}
    if len(numbers) < 2 or -1 in numbers or steps.is_long():
        return None
    return _Sorter(program, steps, labels, numbers).parts()


@dataclass
class _Piece:
    """A routine without sub-routines: for each of its steps the slots it reads and writes, filled up with a
    slot that is none; what all steps read; and the slots that are written as a whole if it is no loop."""

    name: str
    reads: NDArray[np.int64]
    writes: NDArray[np.int64]
    common: NDArray[np.int64]
    is_loop: bool


class _Steps:
    """All steps of the event routines."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._layout = program.layout
        self._size = program.layout.size
        self.none = self._size  # a slot that is none; those of locals follow
        self._locals: dict[tuple[str, Symbol], int] = {}
        self._effects: dict[str, tuple[set[int], set[int]]] = {}
        self.routines = {
            name: self._flattened(name) if name in program.routines else [] for name in PART_ROUTINES
        }
        names = dict.fromkeys(piece for pieces in self.routines.values() for piece in pieces)
        self.pieces = {name: self._piece(program.routines[name]) for name in names}
        self.count = self.none + 1 + len(self._locals)
        shared = [program.layout.sections.get(name, (0, 0)) for name in _SHARED]
        self._is_shared = np.zeros(self.count, dtype=bool)
        for first, length in (*shared, (self.none, 1)):
            self._is_shared[first : first + length] = True

    def _flattened(self, name: str) -> list[str]:
        """The routines without sub-routines that a routine consists of. What `commit` does besides is said in
        `saltus.emit.driver`."""
        body = self._program.routines[name].body
        if name == "commit":
            body = tuple(s for s in body if isinstance(s, Invoke))
        if body and all(isinstance(s, Invoke) and s.unless is None for s in body):
            return [piece for s in body if isinstance(s, Invoke) for piece in self._flattened(s.routine)]
        return [name] if body else []

    # ------------------------------------------------------------ what steps read and write

    def _piece(self, routine: Routine) -> _Piece:
        if routine.turns is not None:
            (loop,) = routine.body
            if isinstance(loop, Each):
                return self._turns(routine, loop)
            assert isinstance(loop, For)
            return self._entries(routine, loop)
        effects = [self._effect(s, routine.name) for s in routine.body]
        if any(len(slots) > WIDEST for effect in effects for slots in effect):
            reads_all, writes_all = (set[int]().union(*(e[k] for e in effects)) for k in (0, 1))
            effects = [(reads_all, writes_all)]
        reads, writes = (_table([e[k] for e in effects], self.none) for k in (0, 1))
        return _Piece(routine.name, reads, writes, np.empty(0, dtype=np.int64), is_loop=False)

    def _turns(self, routine: Routine, loop: Each) -> _Piece:
        places = dict(loop.places)
        assigned = {s.local for s in _within(loop.body) if isinstance(s, Assign)}
        own = {symbol: np.array(slots, dtype=np.int64) for symbol, slots in places.items()}
        writes = [slots for symbol, slots in own.items() if symbol in assigned]
        skipped = {*places, *routine.locals}
        common = self._slots_of((e for s in _within(loop.body) for e in _expressions(s)), skipped)
        reads = _columns(own.values(), loop.count)
        return _Piece(routine.name, reads, _columns(writes, loop.count), common, is_loop=True)

    def _entries(self, routine: Routine, loop: For) -> _Piece:
        views = {v.symbol: v.slot for v in routine.views}
        count = routine.views[0].symbol.shape[0]
        assigned = {s.local for s in _within(loop.body) if isinstance(s, Assign)}
        own = {symbol: np.arange(slot, slot + count) for symbol, slot in views.items()}
        writes = [slots for symbol, slots in own.items() if symbol in assigned]
        skipped = {*routine.arrays, *routine.locals, loop.index}
        common = self._slots_of((e for s in _within(loop.body) for e in _expressions(s)), skipped)
        reads = _columns(own.values(), count)
        return _Piece(routine.name, reads, _columns(writes, count), common, is_loop=True)

    def _slots_of(self, expressions: Iterable[Expr], skipped: set[Symbol]) -> NDArray[np.int64]:
        slots = self._layout.slots
        found = {
            slots[leaf]
            for e in expressions
            for leaf in leaves(e)
            if not (leaf.op is Op.REF and leaf.data in skipped) and leaf in slots
        }
        return np.array(sorted(found), dtype=np.int64)

    def _effect(self, s: Statement, routine: str) -> tuple[set[int], set[int]]:
        """What a statement of a routine reads and writes, with all that is inside of it."""
        reads: set[int] = set()
        writes: set[int] = set()
        slots = self._layout.slots

        def local(symbol: Symbol) -> int:
            return self._locals.setdefault((routine, symbol), self.none + 1 + len(self._locals))

        for inner in _within((s,)):
            for e in _expressions(inner):
                for leaf in leaves(e):
                    if leaf in slots:
                        reads.add(slots[leaf])
                    elif isinstance(leaf.data, Symbol):
                        reads.add(local(leaf.data))
            match inner:
                case Store(slot):
                    writes.add(slot)
                case Assign(symbol) | Fill(symbol):
                    writes.add(local(symbol))
                case CallFunction(targets):
                    writes.update(local(t) for t in targets if t is not None)
                case SolveLinear(matrix, right, status):
                    both = {local(matrix), local(right)}
                    reads |= both
                    writes |= both
                    if isinstance(status, Symbol):
                        writes.add(local(status))
                case Attempt(_, status):
                    writes.add(local(status))
                case For(index):
                    writes.add(local(index))
                case Each(_, own):
                    for _, at in own:
                        reads.update(at)
                        writes.update(at)
                case Invoke(name):
                    inner_reads, inner_writes = self._of_routine(name)
                    reads |= inner_reads
                    writes |= inner_writes
                case _:
                    pass
        return reads, writes

    def _of_routine(self, name: str) -> tuple[set[int], set[int]]:
        if name not in self._effects:
            self._effects[name] = set(), set()  # routines do not invoke themselves
            routine = self._program.routines[name]
            effects = [self._effect(s, name) for s in routine.body]
            for view in routine.views:
                whole = set(range(view.slot, view.slot + view.symbol.shape[0]))
                effects.append((whole, whole))
            # Its locals are its own affair.
            self._effects[name] = (
                {slot for reads, _ in effects for slot in reads if slot < self.none},
                {slot for _, writes in effects for slot in writes if slot < self.none},
            )
        return self._effects[name]

    # ------------------------------------------------------------ what belongs together

    def changing(self) -> NDArray[np.bool_]:
        """Which slots may change at an instant."""
        found = np.zeros(self.count, dtype=bool)
        computing = {piece for name in _COMPUTING for piece in self.routines[name]}
        for name, piece in self.pieces.items():
            if name not in computing:
                found[piece.writes] = True
        found &= ~self._is_shared
        pieces = [self.pieces[name] for name in self.pieces if name in computing]
        before = -1
        while (now := int(found.sum())) != before:
            before = now
            for piece in pieces:
                reached = found[piece.reads].any(axis=1) | found[piece.common].any()
                found[piece.writes[reached]] = True
                found &= ~self._is_shared
        return found

    def joined(self, changing: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A number for each slot that may change, the same for those that belong together; -1 for others."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        ends: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        for piece in self.pieces.values():
            common = np.broadcast_to(piece.common, (len(piece.reads), len(piece.common)))
            touched = np.concatenate([piece.writes, piece.reads, common], axis=1)
            counts = changing[touched]
            some = counts.any(axis=1)
            touched, counts = touched[some], counts[some]
            if not touched.size:
                continue
            hubs = touched[np.arange(len(touched)), counts.argmax(axis=1)]
            ends.append((np.repeat(hubs, touched.shape[1])[counts.ravel()], touched[counts]))
        a = np.concatenate([e[0] for e in ends]) if ends else np.empty(0, dtype=np.int64)
        b = np.concatenate([e[1] for e in ends]) if ends else np.empty(0, dtype=np.int64)
        graph = coo_array((np.ones(len(a), dtype=bool), (a, b)), shape=(self.count, self.count))
        labels: NDArray[np.int64] = connected_components(graph, directed=False)[1].astype(np.int64)
        labels[~changing] = -1
        return labels

    def is_long(self) -> bool:
        """Whether there is much straight-line code: all of a routine would be carried out for each part."""
        return any(len(p.reads) > LONGEST_STRAIGHT for p in self.pieces.values() if not p.is_loop)


class _Sorter:
    """Steps, and all else, by the parts that they belong to."""

    def __init__(
        self, program: Program, steps: _Steps, labels: NDArray[np.int64], numbers: Mapping[int, int]
    ) -> None:
        self._program, self._steps = program, steps
        self._layout: Layout = program.layout
        self._numbers = numbers
        table = np.full(labels.max(initial=-1) + 2, -1, dtype=np.int64)
        for label, number in numbers.items():
            table[label] = number
        self._part_of_slot = table[labels]  # the last entry of the table is for those without a label
        self._steps_of: list[dict[str, set[int]]] = [{} for _ in numbers]
        self._written: list[set[int]] = [set() for _ in numbers]
        self._read: list[set[int]] = [set() for _ in numbers]
        #: Who computes what cannot change at an instant.
        self._writers: dict[int, list[tuple[str, int]]] = {}

    def parts(self) -> Parts:
        for piece in self._steps.pieces.values():
            self._sort(piece)
        found = tuple(self._part(k) for k in range(len(self._numbers)))
        first, count = self._layout.sections["relations"]
        made = Parts(found, tuple(self._part_of_slot[first : first + count].tolist()))
        made.verify()
        return made

    def _sort(self, piece: _Piece) -> None:
        owners = self._part_of_slot[piece.writes]
        owner = owners.max(axis=1, initial=-1)
        if piece.is_loop:
            readers = self._part_of_slot[piece.reads].max(axis=1, initial=-1)
            owner = np.where(owner < 0, readers, owner)  # those that count, and write nothing of their own
        for step, part in enumerate(owner.tolist()):
            if part >= 0:
                self._take(part, piece, step)
            else:
                for slot in piece.writes[step].tolist():
                    if slot != self._steps.none:
                        self._writers.setdefault(slot, []).append((piece.name, step))

    def _take(self, part: int, piece: _Piece, step: int) -> None:
        self._steps_of[part].setdefault(piece.name, set()).add(step)
        steps = slice(step, step + 1) if piece.is_loop else slice(None)  # no loop: all of it is carried out
        self._written[part].update(piece.writes[steps].ravel().tolist())
        self._read[part].update(piece.reads[steps].ravel().tolist())
        self._read[part].update(piece.common.tolist())

    def _part(self, k: int) -> Part:
        pending = list(self._read[k])
        seen = set(pending)
        while pending:
            for name, step in self._writers.get(pending.pop(), ()):
                if step not in self._steps_of[k].get(name, ()):
                    self._take(k, self._steps.pieces[name], step)
                    pending += self._read[k] - seen
                    seen |= self._read[k]
        relations, discretes, states = (
            self._entries(name, self._written[k] | self._read[k], k)
            for name in ("relations", "discretes", "states")
        )
        first, count = self._layout.sections["states"]
        touched = self._read[k] | self._written[k]
        around = tuple(sorted(s - first for s in touched if first <= s < first + count))
        slots = {s for s in self._written[k] if s < self._steps.none}
        slots |= self._places(_OF_RELATIONS, relations) | self._places(_OF_DISCRETES, discretes)
        slots |= self._places(_OF_STATES, around)
        slots |= {s for s in self._read[k] if self._is_in("lefts", s)}
        slots |= {s for name in _SHARED for s in range(*_bounds(self._layout, name))}
        turns = {name: tuple(self._turns(k, pieces)) for name, pieces in self._steps.routines.items()}
        return Part(relations, discretes, states, around, tuple(sorted(slots)), turns)

    def _entries(self, section: str, touched: set[int], part: int) -> tuple[int, ...]:
        """The entries of a section that belong to a part."""
        first, past = _bounds(self._layout, section)
        own = (s for s in touched if first <= s < past and self._part_of_slot[s] == part)
        return tuple(sorted(s - first for s in own))

    def _places(self, sections: Sequence[str], entries: Sequence[int]) -> set[int]:
        known = (self._layout.sections.get(name, (0, 0)) for name in sections)
        return {first + k for first, count in known for k in entries if k < count}

    def _is_in(self, section: str, slot: int) -> bool:
        first, past = _bounds(self._layout, section)
        return first <= slot < past

    def _turns(self, k: int, pieces: Sequence[str]) -> Iterable[Turns]:
        for name in pieces:
            own = sorted(self._steps_of[k].get(name, ()))
            if not own:
                continue
            if not self._steps.pieces[name].is_loop:
                yield name, ALL, ALL
                continue
            first = own[0]
            for a, b in pairwise((*own, -1)):
                if b != a + 1:
                    yield name, first, a + 1
                    first = b


def _bounds(layout: Layout, section: str) -> tuple[int, int]:
    first, count = layout.sections.get(section, (0, 0))
    return first, first + count


def _table(rows: Sequence[Iterable[int]], filler: int) -> NDArray[np.int64]:
    """Rows of different lengths, filled up."""
    lists = [sorted(row) for row in rows]
    width = max(map(len, lists), default=0)
    return np.array([row + [filler] * (width - len(row)) for row in lists], dtype=np.int64).reshape(
        len(lists), width
    )


def _columns(columns: Iterable[NDArray[np.int64]], count: int) -> NDArray[np.int64]:
    own = list(columns)
    return np.stack(own, axis=1) if own else np.empty((count, 0), dtype=np.int64)


def _within(body: Iterable[Statement]) -> Iterable[Statement]:
    """All statements, those inside of others after them."""
    for s in body:
        yield s
        match s:
            case If(branches, otherwise):
                for _, inner in branches:
                    yield from _within(inner)
                yield from _within(otherwise)
            case For(_, _, _, _, inner) | While(_, inner) | Each(_, _, inner) | Attempt(inner):
                yield from _within(inner)
            case _:
                pass


def _expressions(s: Statement) -> tuple[Expr, ...]:
    """The expressions of a statement itself."""
    match s:
        case Store(_, value) | Fill(_, value):
            return (value,)
        case Assign(_, value, indices):
            return (value, *indices)
        case If(branches):
            return tuple(condition for condition, _ in branches)
        case For(_, start, step, stop):
            return (start, step, stop)
        case While(condition):
            return (condition,)
        case CallFunction(_, _, args):
            return args
        case Invoke(_, unless) if unless is not None:
            return (unless,)
        case _:
            return ()
