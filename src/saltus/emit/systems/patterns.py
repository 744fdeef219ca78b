"""Small parts of a system whose structure is found by numbers: the patterns that their coefficients can have.

Which coefficients of a part are zero decides about everything that is done to it (`saltus.ir.signature`): how
often its equations are differentiated, what is solved for, and in which order. A part of a large system is
often small, a converter among a hundred, and has as many patterns as its own guards have combinations. These
are found before the run, and have straight-line code (`saltus.emit.systems.pattern_code`). During the run it
is only seen which pattern a part has now; where it is none of these, elimination does what it does for large
parts.

A pattern is known where each of its unknowns follows from a few others: equations that have to be solved
together are few, and are solved by the inverse of their matrix, which changes at events only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from saltus.core.components import component_numbers
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import FALSE, TRUE, Expr, Op, Type, ref
from saltus.expr.traversal import leaves, substitute
from saltus.ir.signature import NoOffsets, Offsets, Pair, Part, Signature
from saltus.ir.structure import Structure

#: The largest number of guards in the coefficients of a part: all their combinations are examined.
MOST_GUARDS = 4

#: Coefficients of a part that are not the same number in all modes, at most: the pattern is one number, and
#: every one of them is a binary digit of it.
MOST_VARYING = 50

#: Equations that are solved together, at most, and equations of a part of which some are.
MOST_TOGETHER, MOST_INVERTED = 8, 32

#: What it means that a value is not known before the run.
_NOT_KNOWN = (NotEvaluable, KeyError, ArithmeticError, ValueError, TypeError)


@dataclass(frozen=True)
class Pattern:
    """Which `pairs` of a part are there, by their numbers in it, and what follows from that: the offsets, and
    in which order rows are solved for columns, one by one or a few together. `number`: its identity among the
    patterns of the part, as one number."""

    pairs: tuple[int, ...]
    number: float
    offsets: Offsets
    order: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]

    @property
    def is_constrained(self) -> bool:
        """Whether some equation is differentiated."""
        return any(self.offsets.c)

    @property
    def needs_inverse(self) -> bool:
        """Whether some equations are solved together."""
        return any(len(rows) > 1 for rows, _ in self.order)

    def is_leading(self, pair: Pair) -> bool:
        """Whether a pair of the part is an entry of the matrix by which unknowns are computed."""
        return self.offsets.d[pair.column] - self.offsets.c[pair.row] == pair.order


def digits(pairs: Sequence[Pair]) -> tuple[float, ...]:
    """What each pair of a part adds to the number of a pattern that it is in: nothing where it is in all of
    them, or where it is in the same ones as another before it."""
    known: set[Expr] = set()
    found: list[float] = []
    for p in pairs:
        is_new = p.slope.op is not Op.CONST and p.slope not in known
        found.append(float(1 << len(known)) if is_new else 0.0)
        if is_new:
            known.add(p.slope)
    return tuple(found)


def part_signature(signature: Signature, part: Part) -> Signature:
    """One part of a system, as a system of its own."""
    rows = {row: i for i, row in enumerate(part.rows)}
    columns = {column: j for j, column in enumerate(part.columns)}
    first, past = signature.row_starts[part.rows[0]], signature.row_starts[part.rows[-1] + 1]
    pairs = (replace(p, row=rows[p.row], column=columns[p.column]) for p in signature.pairs[first:past])
    return Signature(
        tuple(signature.equations[row] for row in part.rows),
        tuple(signature.variables[column] for column in part.columns),
        sum(column < signature.states for column in part.columns),
        tuple(pairs),
        frozenset(i for row, i in rows.items() if row in signature.lasting),
        tuple(signature.nominals[column] for column in part.columns),
        once=frozenset(i for row, i in rows.items() if row in signature.once),
    )


def system_patterns(structure: Structure) -> tuple[tuple[Pattern, ...], ...]:
    """The patterns that each part of the system of a structure may come to, with the parameters that the
    model has. Nothing if some part may have others: then all of them are eliminated."""
    signature = structure.signature
    if signature is None or signature.spares:  # what a spare row has is found during the run
        return ()
    model = structure.model
    parameters = {ref(v.symbol) for v in (*model.constants, *model.parameters)}
    values: dict[Expr, object] = {}
    for block in structure.parameters:
        try:
            values[block.unknown] = evaluate(block.value, values.__getitem__)
        except _NOT_KNOWN:
            continue
    search = _Patterns(parameters, values.__getitem__)
    found = [search.of(part_signature(signature, part)) for part in signature.parts]
    return tuple(found) if all(found) else ()


def inverse_rooms(signature: Signature, patterns: Sequence[Sequence[Pattern]]) -> list[int]:
    """How many numbers the inverse of each part has: none where it is not needed."""
    if not patterns:
        return [0] * len(signature.parts)
    return [
        len(part.rows) ** 2 if any(p.needs_inverse for p in own) else 0
        for part, own in zip(signature.parts, patterns, strict=True)
    ]


class _Patterns:
    """Finds patterns of parts, for parts that are alike only once."""

    def __init__(self, parameters: set[Expr], value: Callable[[Expr], object]) -> None:
        self._parameters, self._value = parameters, value
        self._known: dict[object, Pattern | None] = {}

    def of(self, part: Signature) -> tuple[Pattern, ...]:
        """The patterns of a part; none where they are too many to be looked at."""
        varying = {x for p in part.pairs for x in leaves(p.slope)} - self._parameters
        guards = sorted((x for x in varying if x.type is Type.BOOLEAN), key=str)
        own = digits(part.pairs)
        if len(guards) > MOST_GUARDS or sum(x > 0 for x in own) > MOST_VARYING:
            return ()
        places = tuple((p.row, p.column, p.order) for p in part.pairs)
        shape = part.states, part.size, part.most_times, places, own
        found: dict[tuple[int, ...], Pattern] = {}
        for values in product((FALSE, TRUE), repeat=len(guards)):
            fixed = dict(zip(guards, values, strict=True))
            present = tuple(k for k, p in enumerate(part.pairs) if not self._vanishes(p.slope, fixed))
            key = shape, present
            if key not in self._known:
                self._known[key] = _pattern(part, present)
            pattern = self._known[key]
            if pattern is not None:
                found[present] = pattern
        return tuple(found.values())

    def _vanishes(self, slope: Expr, fixed: dict[Expr, Expr]) -> bool:
        """Whether a coefficient is zero where guards are fixed. What is not known before the run is not."""
        try:
            return float(evaluate(substitute(slope, fixed), self._value)) == 0.0
        except _NOT_KNOWN:
            return False


def _pattern(part: Signature, pairs: Sequence[int]) -> Pattern | None:
    """The pattern with these pairs; None where it has no solution, or none that is as simple as that."""
    own = set(pairs)
    present = [k in own for k in range(len(part.pairs))]
    try:
        offsets = part.offsets(present)
    except NoOffsets:
        return None
    if any(times > 1 for times in offsets.d):  # a rate is constrained itself
        return None
    row_of = {column: row for row, column in enumerate(offsets.column_of)}
    needs: list[list[int]] = [[] for _ in range(part.size)]
    for pair in part.leading(present, offsets):
        needs[pair.row].append(row_of[pair.column])
    blocks: dict[int, list[int]] = {}
    for row, number in enumerate(component_numbers(needs)):
        blocks.setdefault(number, []).append(row)
    widest = max(map(len, blocks.values()))
    if widest > 1 and (widest > MOST_TOGETHER or part.size > MOST_INVERTED):
        return None
    order = (tuple(blocks[number]) for number in sorted(blocks))  # after those that they need
    columns = offsets.column_of
    all_digits = sum(x for k, x in enumerate(digits(part.pairs)) if k in own)
    solved = tuple((rows, tuple(columns[r] for r in rows)) for rows in order)
    return Pattern(tuple(pairs), all_digits, offsets, solved)
