"""Parts of a system whose structure is found by numbers, as units with a branch for each of their
patterns (`saltus.emit.systems.patterns`): equal parts are alike, and become one loop
(`saltus.emit.layout.rolling`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from saltus.emit.layout.layout import Memory
from saltus.emit.layout.rolling import Assignment, Unit
from saltus.emit.systems.pattern_code import Following, Known, Leaping, PatternCode
from saltus.emit.systems.patterns import Pattern, inverse_rooms, part_signature
from saltus.expr.nodes import ONE, ZERO, Expr, Op, add, const, div, mul, neg, or_, relation
from saltus.expr.traversal import leaves
from saltus.ir.signature import Pair, Part, Signature
from saltus.ir.sorted.blocks import Leading, Leap

_T = TypeVar("_T")


def following_units(block: Leading, memory: Memory, parameters: set[Expr]) -> list[Unit]:
    """What is solved between events, for each part."""
    unknowns = (*block.rates, *block.algebraics)
    units: list[Unit] = []
    for number, part, own, known in _parts(block.signature, block.rest, memory, parameters):

        def of(places: Sequence[_T], part: Part = part) -> list[_T]:
            return [places[column] for column in part.columns]

        at = Following(
            drifts=[block.drifts[row] for row in part.rows],
            values=of((*block.values, *block.algebraics)),
            kept=of(memory.values),
            unknowns=of(unknowns),
            changes=of(memory.rates_found),
            derivatives=of(memory.solution),
        )
        signature = part_signature(block.signature, part)
        branches = [PatternCode(signature, pattern, known).follow(at) for pattern in own]
        units.append(_unit(memory.pattern[number], branches))
    return units


def leaping_units(block: Leap, memory: Memory, parameters: set[Expr]) -> list[Unit]:
    """What is solved at an instant, for each part. Without constraints nothing leaps."""
    units: list[Unit] = []
    for number, part, own, known in _parts(block.signature, block.rest, memory, parameters):

        def of(places: Sequence[_T], part: Part = part) -> list[_T]:
            return [places[column] for column in part.columns]

        books = memory.off[number], memory.sizes[number]
        at = Leaping(
            lefts=of(block.lefts),
            leaps=of(block.leaps),
            places=of(memory.solution),
            books=books,
            exact=block.exact,
            located=block.located,
        )
        nothing = *((leap, ZERO) for leap in at.leaps), (books[0], ZERO), (books[1], ONE)
        kept = tuple(zip(of(memory.kept), at.lefts, strict=True))  # for modes that leave something open
        signature = part_signature(block.signature, part)
        leaps = [
            PatternCode(signature, pattern, known).leap(at) if pattern.is_constrained else nothing
            for pattern in own
        ]
        units.append(_unit(memory.pattern[number], [(*kept, *leap) for leap in leaps]))
    return units


def following_tails(block: Leading, memory: Memory, parameters: set[Expr]) -> list[Assignment]:
    """What is found after all parts, between events."""
    values, rates = (*block.values, *block.algebraics), block.rates
    found: list[Assignment] = []
    for row, column in block.signature.tails:
        own = _coefficients(block.signature, row, memory, parameters)
        terms = [
            mul(x, rates[p.column] if p.order else values[p.column]) for p, x in own if p.column != column
        ]
        pivot = next(x for p, x in own if p.column == column)
        found.append((values[column], neg(div(add(block.rest[row], *terms), pivot))))
    return found


def leaping_tails(block: Leap, memory: Memory, parameters: set[Expr]) -> list[Assignment]:
    """The tails of a system at an instant, from the jumps and impulses of its other variables."""
    signature = block.signature
    found: list[Assignment] = []
    for row, column in signature.tails:
        own = _coefficients(signature, row, memory, parameters)
        moving = ((p, x) for p, x in own if p.order or p.column >= signature.states)
        terms = [mul(x, block.leaps[p.column]) for p, x in moving if p.column != column]
        pivot = next(x for p, x in own if p.column == column)
        found.append((block.leaps[column], neg(div(add(*terms, ZERO), pivot))))
    return found


def _coefficients(
    signature: Signature, row: int, memory: Memory, parameters: set[Expr]
) -> list[tuple[Pair, Expr]]:
    """The pairs of a row with their coefficients. What is the same in all modes is no number of the memory:
    factors of 1 are not multiplied by."""
    first, past = signature.row_starts[row : row + 2]
    own = zip(signature.pairs[first:past], memory.pairs[first:past], strict=True)
    return [(p, p.slope if parameters.issuperset(leaves(p.slope)) else x) for p, x in own]


def _unit(pattern: Expr, branches: Sequence[tuple[Assignment, ...]]) -> Unit:
    """A choice between branches, the first for pattern 1; those that are the same are one."""
    numbers: dict[tuple[Assignment, ...], list[int]] = {}
    for number, own in enumerate(branches, 1):
        numbers.setdefault(own, []).append(number)
    return Unit(
        tuple(
            (or_(*(relation(Op.EQ, pattern, const(float(k))) for k in those)), own)
            for own, those in numbers.items()
        )
    )


def _parts(
    signature: Signature, rest: Sequence[Expr], memory: Memory, parameters: set[Expr]
) -> Iterator[tuple[int, Part, tuple[Pattern, ...], Known]]:
    """All parts that have patterns, with their numbers and with what is known of them."""
    rooms = inverse_rooms(signature, memory.patterns)
    # What is the same in all modes is no number of the memory: factors of 1 are not multiplied by.
    coefficients = [
        p.slope if parameters.issuperset(leaves(p.slope)) else x
        for p, x in zip(signature.pairs, memory.pairs, strict=True)
    ]
    before = 0
    for number, (part, own) in enumerate(zip(signature.parts, memory.patterns, strict=False)):
        first, past = signature.row_starts[part.rows[0]], signature.row_starts[part.rows[-1] + 1]
        width = len(part.rows) if rooms[number] else 0
        inverse = [memory.inverses[before + i * width : before + (i + 1) * width] for i in range(width)]
        before += rooms[number]
        yield number, part, own, Known(coefficients[first:past], inverse, [rest[row] for row in part.rows])
