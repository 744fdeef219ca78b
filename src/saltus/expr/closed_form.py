"""Linear systems solved by formulas: Cramer's rule, with cofactors that have names.

    Q101 = if OpenSwitch then 1 else 0
    ...
    U0.i = (Q102*U0.Vb - Q102*Diode.Vb)/Q103

Entries, cofactors and the determinant that are more than a variable get names, so that nothing is written
twice.
Minors are expanded along their shortest row and remembered. Paper 000 prints such solutions; they are for
people to read. What is computed in a run is eliminated with pivots, which loses fewer digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from saltus.expr.nodes import LEAVES, ONE, ZERO, Expr, Op, Symbol, Type, add, div, mul, neg, ref
from saltus.expr.show import show

#: Systems of more equations, or with more products in a determinant, are not worth reading.
LARGEST = 12
_MOST_PRODUCTS = 2000
#: Number of the first name, as in the paper.
FIRST = 101
_GIVEN = re.compile(r"Q\d+")


@dataclass(frozen=True)
class ClosedForm:
    """Names with what they stand for, the determinant, and the value of each unknown."""

    names: tuple[tuple[Symbol, Expr], ...]
    determinant: Expr
    values: tuple[Expr, ...]


class _TooLong(Exception):
    """Too many products to be readable."""


def closed_form(
    size: int, matrix: Sequence[tuple[int, int, Expr]], right: Sequence[Expr], first: int = FIRST
) -> ClosedForm | None:
    """The solution of a system of `size` equations; None if it is too large."""
    if size > LARGEST:
        return None
    everything = tuple(range(size))
    names: dict[Expr, Symbol] = {}

    def known(term: Expr) -> Expr:
        """A term of a sum by its name, if it has one."""
        if term.op is Op.NEG:
            return neg(known(term.args[0]))
        found = names.get(_ordered(term))
        return term if found is None else ref(found)

    def named(value: Expr) -> Expr:
        value = add(*map(known, value.args)) if value.op is Op.ADD else _ordered(value)
        if value.op in LEAVES or _is_converted(value):
            return value
        if value.op is Op.NEG:
            return neg(named(value.args[0]))
        if value in names:
            return ref(names[value])
        opposite = neg(value)
        if opposite in names:
            return neg(named(opposite))
        names[value] = Symbol(f"Q{first + len(names)}", Type.REAL)
        return ref(names[value])

    # What switches stands in the entries: it is written once.
    minors = _Minors(size, [(row, column, named(value)) for row, column, value in matrix])

    try:
        determinant = minors.of(everything, everything)
        numerators = [_numerator(minors, everything, k, right, named) for k in everything]
    except _TooLong:
        return None
    if determinant is ZERO:
        return None
    if _minus_signs(_opposite(determinant)) < _minus_signs(determinant):
        determinant, numerators = _opposite(determinant), [_opposite(n) for n in numerators]
    below = named(determinant)
    values = tuple(n if below is ONE else div(n, below) for n in numerators)
    return ClosedForm(tuple((symbol, value) for value, symbol in names.items()), below, values)


def _numerator(
    minors: _Minors,
    everything: tuple[int, ...],
    column: int,
    right: Sequence[Expr],
    named: Callable[[Expr], Expr],
) -> Expr:
    """The determinant with the right side in place of a column."""
    terms = []
    columns = tuple(c for c in everything if c != column)
    for row in everything:
        if right[row] is ZERO:
            continue
        rows = tuple(r for r in everything if r != row)
        minor = minors.of(rows, columns)
        if minor is not ZERO:
            term = mul(named(minor), right[row])
            terms.append(neg(term) if (row + column) % 2 else term)
    return add(*terms) if terms else ZERO


def _ordered(value: Expr) -> Expr:
    """A product in an order that does not depend on how it came about; names that were given come last."""
    if value.op is not Op.MUL:
        return value
    return mul(
        *sorted(value.args, key=lambda e: (e.op is Op.REF and _GIVEN.fullmatch(show(e)) is not None, show(e)))
    )


def _is_converted(value: Expr) -> bool:
    """Whether it is a variable of another type as a number, which is written like the variable."""
    return value.op is Op.CALL and value.data == "real" and value.args[0].op in LEAVES


def _opposite(value: Expr) -> Expr:
    """The negative of a sum, term by term."""
    return add(*(neg(term) for term in value.args)) if value.op is Op.ADD else neg(value)


def _minus_signs(value: Expr) -> int:
    terms = value.args if value.op is Op.ADD else (value,)
    return sum(term.op is Op.NEG for term in terms)


class _Minors:
    """Determinants of parts of a sparse matrix."""

    def __init__(self, size: int, matrix: Sequence[tuple[int, int, Expr]]) -> None:
        self.rows: list[dict[int, Expr]] = [{} for _ in range(size)]
        for row, column, value in matrix:
            if value is not ZERO:
                self.rows[row][column] = value
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], Expr] = {}
        self.products = 0

    def of(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Expr:
        """The determinant of these rows and columns."""
        if not rows:
            return ONE
        key = rows, columns
        if key not in self.known:
            self.known[key] = self._expanded(rows, columns)
        return self.known[key]

    def _expanded(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Expr:
        inside = [[c for c in columns if c in self.rows[r]] for r in rows]
        k = min(range(len(rows)), key=lambda i: len(inside[i]))
        others = rows[:k] + rows[k + 1 :]
        terms = []
        for column in inside[k]:
            at = columns.index(column)
            minor = self.of(others, columns[:at] + columns[at + 1 :])
            if minor is not ZERO:
                self.products += 1
                if self.products > _MOST_PRODUCTS:
                    raise _TooLong
                term = mul(self.rows[rows[k]][column], minor)
                terms.append(neg(term) if (k + at) % 2 else term)
        return add(*terms) if terms else ZERO
