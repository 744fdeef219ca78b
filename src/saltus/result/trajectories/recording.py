"""All rows of a run in the order of time, although the layout of a row may change on the way.

A run that selects other states continues with another program, whose memory has another layout: what was a
state is an algebraic variable there. So each choice of states has rows of its own, and the recording keeps
which of them was active when. A choice that comes back appends to its old rows, so that there are as many
blocks of them as choices, not as changes. A variable is found by its name in every one of them: the
derivative of a state and the variable `der(x)` that stands for it elsewhere have the same. Where a program
has no variable of that name, because it exists in other modes only, there is no value: NaN.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from saltus.expr.helpers import derivative_name
from saltus.expr.nodes import Expr, Op, leaf_symbol
from saltus.ir.structure import Structure
from saltus.result.trajectories.kept import Kept
from saltus.result.trajectories.rows import Rows

#: The number of latest counts of turns that are searched for a row.
LATEST = 8


def leaf_name(leaf: Expr) -> str:
    """`x`, or `der(x)` for the derivative of a state."""
    name = leaf_symbol(leaf).name
    return derivative_name(name) if leaf.op is Op.DER else name


class Part:
    """The rows recorded with one choice of states."""

    def __init__(self, structure: Structure, rows: Rows) -> None:
        self.structure = structure
        self.rows = rows

    @cached_property
    def columns(self) -> Mapping[str, int]:
        """Places in a row, by name. (Of a state that is a derivative of another, the state's own place.)"""
        by_kind = sorted(self.rows.columns.items(), key=lambda entry: entry[0].op is not Op.DER)
        return {leaf_name(leaf): column for leaf, column in by_kind}


class Recording:
    """Rows numbered over the whole run."""

    def __init__(self, first: Part) -> None:
        self.parts = [first]
        #: The first row of each turn, as numbered in the run and in the part; and whose turn it is.
        self._known_turns: list[tuple[int, int, Part]] = [(0, 0, first)]
        #: Further turns, many together: the number of the first row, parts and their rows before, whose turn
        #: it was, and for how many rows.
        self._followed: list[tuple[int, Sequence[Part], list[int], NDArray[np.int64], NDArray[np.int64]]] = []
        self._part = first
        #: Add this to the number of a row in the current part to get its number in the run.
        self.offset = 0
        #: The number of rows that were sent away, and what has stayed of them.
        self.given = 0
        self._kept = Kept()
        self._is_cut = False  # the first turn that is left had begun before
        #: What was last found out about the places of rows, when there were so many.
        self._placed: tuple[int, list[tuple[Part, NDArray[np.intp]]]] = (-1, [])

    def turn(self, part: Part) -> None:
        """From now on rows are recorded in this part."""
        count = len(self)
        if part not in self.parts:
            self.parts.append(part)
        self._turns.append((count, part.rows.count, part))
        self._part = part
        self.offset = count - part.rows.count

    def follow(self, parts: Sequence[Part], whose: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Turns to one part after the other, as numbered in the list, each of which has as many new rows in
        its room as `counts` says."""
        first, before = len(self), [part.rows.count for part in parts]
        self._followed.append((first, parts, before, whose, counts))
        total = np.bincount(whose, weights=counts, minlength=len(parts)).astype(int).tolist()
        for part, rows in zip(parts, total, strict=True):
            part.rows.take(rows)
            if rows and part not in self.parts:
                self.parts.append(part)
        self._part = parts[whose[-1]]
        self.offset = first + sum(total) - self._part.rows.count

    @property
    def _turns(self) -> list[tuple[int, int, Part]]:
        """All turns: those that were only counted are written down when they are first needed."""
        for count, parts, recorded, whose, counts in self._followed:
            for number, rows in zip(whose.tolist(), counts.tolist(), strict=True):
                self._known_turns.append((count, recorded[number], parts[number]))
                recorded[number] += rows
                count += rows
        self._followed = []
        return self._known_turns

    @property
    def turns(self) -> list[tuple[int, int, int]]:
        """The first row of each turn, as numbered in the run and in the part; and the number of the part."""
        return [(first, local, self.parts.index(part)) for first, local, part in self._turns]

    @classmethod
    def of(cls, parts: Sequence[Part], turns: Sequence[tuple[int, int, int]]) -> Recording:
        """A recording to be continued; its parts have their rows."""
        made = cls(parts[0])
        made.parts = list(parts)
        made._known_turns = [(first, local, parts[k]) for first, local, k in turns]
        first, local, last = turns[-1]
        made._part = parts[last]
        made.offset = first - local
        return made

    def __len__(self) -> int:
        return self.offset + self._part.rows.count

    def locate(self, row: int) -> tuple[Part, int]:
        """The part that a row is in, and its number there. For one of the latest rows, as a run asks for,
        turns that were only counted need not be written down."""
        for count, parts, recorded, whose, counts in reversed(self._followed[-LATEST:]):
            if row >= count:
                ends = count + np.cumsum(counts)
                turn = int(np.searchsorted(ends[:-1], row, side="right"))  # the last turn continues
                own = int(whose[turn])
                earlier = int(counts[:turn][whose[:turn] == own].sum())
                return parts[own], recorded[own] + earlier + row - int(ends[turn] - counts[turn])
        assert row >= self.given, "a row that has been given away is not in a part"
        first, local, part = self._turns[bisect_right(self._turns, row, key=lambda turn: turn[0]) - 1]
        return part, local + row - first

    def row(self, row: int) -> tuple[Part, NDArray[np.float64]]:
        """The part that a row is in, and its values. Of rows that were given away, some are kept."""
        if row < self.given:
            number, values = self._kept.find(row)
            return self.parts[number], values
        part, at = self.locate(row)
        return part, part.rows.values[at]

    # ------------------------------------------------------------ giving rows away

    def before(self, past: int) -> Recording:
        """The rows that have not been given away, before the one with the number `past` (a view)."""
        numbers = {part: number for number, part in enumerate(self.parts)}
        turns = [(first, local, numbers[part]) for first, local, part in self._turns if first < past]
        counts = [0] * len(self.parts)
        for (start, _, k), (end, *_) in zip(turns, [*turns[1:], (past,)], strict=True):
            counts[k] += end - start
        parts = [
            Part(part.structure, part.rows.before(n)) for part, n in zip(self.parts, counts, strict=True)
        ]
        return Recording.of(parts, [(first - self.given, local, k) for first, local, k in turns])

    def give(self, past: int, wanted: Sequence[int] | NDArray[np.intp]) -> None:
        """Gives away the rows before the one with the number `past`, but for those whose numbers are `wanted`
        and the first ones of all turns. Rows keep their numbers in the run; those in their parts change."""
        going = self.before(past)
        firsts = [self.given + first for first, _, _ in going._turns][self._is_cut :]
        kept = np.unique(np.concatenate([np.array([*firsts], dtype=np.intp), np.asarray(wanted, np.intp)]))
        kept = kept[(self.given <= kept) & (kept < past)]
        self._kept.add(self.given, going._whose(), kept, [part.rows for part in going.parts])
        counts = {part: taken.rows.count for part, taken in zip(self.parts, going.parts, strict=True)}
        first, local, part = next(turn for turn in reversed(self._turns) if turn[0] <= past)
        self._is_cut = first < past
        later = [turn for turn in self._turns if turn[0] > past]
        turns = [(past, local + past - first, part), *later]
        self._known_turns = [(start, at - counts[part], part) for start, at, part in turns]
        for part, count in counts.items():
            part.rows.leave(count)
        self.offset += counts.get(self._part, 0)
        self.given = past

    def thinned(self) -> tuple[Recording, NDArray[np.intp]]:
        """What has stayed when all rows have been given away, as a recording of its own; and the numbers that
        its rows have had."""
        assert self.given == len(self)
        numbers, whose = self._kept.numbers, self._kept.whose
        parts = [Part(part.structure, self._kept.of(k, part.rows)) for k, part in enumerate(self.parts)]
        local = np.empty(len(whose), dtype=np.intp)
        for k in range(len(parts)):
            own = whose == k
            local[own] = np.arange(np.count_nonzero(own))
        starts = np.flatnonzero(np.diff(whose, prepend=-1))
        turns = [(int(i), int(local[i]), int(whose[i])) for i in starts]
        return Recording.of(parts, turns or [(0, 0, 0)]), numbers

    def _whose(self) -> NDArray[np.intp]:
        """In which part each row is, by their numbers."""
        numbers = {part: number for number, part in enumerate(self.parts)}
        firsts = [first for first, _, _ in self._turns]
        whose = np.array([numbers[part] for _, _, part in self._turns], dtype=np.intp)
        return np.repeat(whose, np.diff([*firsts, len(self)]))

    @property
    def _places(self) -> list[tuple[Part, NDArray[np.intp]]]:
        """For each part, the numbers that its rows have in the run."""
        if self._placed[0] != len(self):
            self._placed = len(self), self._find_places()
        return self._placed[1]

    def _find_places(self) -> list[tuple[Part, NDArray[np.intp]]]:
        of_rows = self._whose()
        return [(part, np.flatnonzero(of_rows == number)) for number, part in enumerate(self.parts)]

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of all rows."""
        if len(self.parts) == 1:
            return self.parts[0].rows.times.copy()
        times = np.empty(len(self))
        for part, places in self._places:
            times[places] = part.rows.times
        return times

    def column(self, name: str) -> NDArray[np.float64] | None:
        """A variable over all rows; None if there is none of that name. NaN where it does not exist."""
        columns = [part.columns.get(name) for part in self.parts]
        if all(column is None for column in columns) and not self._lack(name):
            return None
        if len(columns) == 1 and columns[0] is not None:
            return self.parts[0].rows.column(columns[0])
        values = np.full(len(self), np.nan)
        for (part, places), column in zip(self._places, columns, strict=True):
            if column is not None:
                values[places] = part.rows.column(column)
        return values

    def largest(self, leaf: Expr, enough: float) -> float | None:
        """The largest finite magnitude of a variable or derivative in all rows, or one that is `enough`; None
        if there is none of that name. The order of rows, which takes long to find out, does not matter."""
        found: float | None = None
        for part in self.parts:
            column = part.rows.columns.get(leaf)
            if column is None:
                column = part.columns.get(leaf_name(leaf))
            if column is not None:
                found = max(found or 0.0, part.rows.largest(column, enough))
                if found >= enough:
                    return found
        return found

    def where(self, holds: Callable[[Structure], bool]) -> NDArray[np.bool_]:
        """The rows of programs for which something holds."""
        found = np.zeros(len(self), dtype=bool)
        for part, places in self._places:
            found[places] = holds(part.structure)
        return found

    def has(self, name: str) -> bool:
        """Whether there is a variable of that name, though it may have no value, now and then or ever."""
        return any(name in part.columns for part in self.parts) or self._lack(name)

    def _lack(self, name: str) -> bool:
        """Whether a variable does not exist in any of the modes that there were, but might have."""
        return any(v.name == name for v in self.parts[0].structure.model.absent)
