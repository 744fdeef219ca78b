"""Equations that depend on each other whatever the values, by rational numbers.

Structure sees which unknowns occur, not with which coefficients. Of

    a = b,   b = c,   a = c

each equation can be given an unknown of its own, but the sum of the first two is the third. Where all
coefficients are constants, Gaussian elimination over the rationals finds such a combination; floating point
numbers are rationals, so nothing is rounded on the way. The combination of the equations themselves then says
which case it is: 0 = 0 (one is redundant), 0 = 1 (they contradict each other), or a condition on other
variables that only the coefficients show.

In a mode of its own the coefficients may have been rounded before: a matrix G*G' of lower rank, the
inductances of coils that are perfectly coupled, whose diodes conduct now. There what is left where terms
cancel is zero if it is no more than rounding of these terms can make (`saltus.run.modes.lost_rank`). A
coefficient that is small by itself, a leak of 1e-12, is none of these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TypeAlias

from saltus.analyse.index.pivots import choose_columns
from saltus.analyse.trivial.cancel import terms
from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.wording import LISTED, number
from saltus.expr.nodes import ZERO, Expr, Op, add, const, mul
from saltus.expr.show import show
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block, Linear, Nonlinear


class HiddenCondition(Exception):
    """A combination of equations in which the unknowns they are for cancel: `left = constant` remains and
    may stand for the equation `old`. `left` is None where it cannot be written with first derivatives."""

    def __init__(
        self, involved: Sequence[Equation], old: Equation, left: Expr | None, constant: float
    ) -> None:
        super().__init__("equations depend on each other")
        self.involved = involved
        self.old = old
        self.left = left
        self.constant = constant
        #: Such combinations of other blocks, which have no equation in common with this.
        self.others: tuple[HiddenCondition, ...] = ()

    def replacement(self) -> Equation | None:
        """The equation that says what the combination says, None where it says nothing new."""
        if self.left is None or self.left.op is Op.CONST:
            return None
        return Equation(self.left, const(self.constant), self.old.span, self.old.origin)

    @property
    def is_redundant(self) -> bool:
        """Whether the combination says 0 = 0."""
        return self.left is ZERO and self.constant == 0.0

    def refusal(self) -> ModelError:
        """The equations by name, and whether they say too little or too much."""
        count = number(len(self.involved), "equation")
        if self.left is not ZERO:
            message = f"{count} depend on each other and do not determine their variables"
            if self.left is not None:
                message += f": combined they say `{show(self.left, 200)} = {self.constant:g}`"
            hint = "replace one of them"
        elif self.constant == 0.0:
            message = f"{count} depend on each other: one of them is redundant"
            hint = "replace one of them by the missing equation"
        else:
            message = f"{count} contradict each other: combined they say 0 = {abs(self.constant):g}"
            hint = "remove or correct one of them"
        notes = [Note(f"`{show(q.lhs, 200)} = {show(q.rhs, 200)}`", q.span) for q in self.involved[:LISTED]]
        if len(self.involved) > LISTED:
            notes.append(Note(f"... and {len(self.involved) - LISTED} more equations"))
        return model_error(
            "E301", message, self.old.span, notes=tuple(notes), hint=hint, origin=self.old.origin
        )


#: What a combination of equations with these factors says of the equations that they are derivatives of; None
#: where they are none.
Lowered: TypeAlias = Callable[[Sequence[Equation], Sequence[Fraction]], HiddenCondition | None]


def refuse_dependent(
    blocks: Sequence[Block],
    own: Collection[Equation],
    rounded: float = 0.0,
    lowered: Lowered = lambda _, __: None,
) -> None:
    """Raises `HiddenCondition` for a block among whose equations those with constant coefficients (balances
    of currents, say) are dependent, but for what may have been `rounded`, relative to what cancels. Only a
    combination of the model's `own` equations may stand for one of them; one of derivatives says something of
    what they are derivatives of (`lowered`)."""
    conditions: list[HiddenCondition] = []
    for block in blocks:
        if not isinstance(block, Linear | Nonlinear):
            continue
        entries = block.matrix if isinstance(block, Linear) else block.jacobian or ()
        # Constants may be infinite: products of large numbers. The run shows the consequences.
        varying = {i for i, _, e in entries if e.op is not Op.CONST or not isfinite(e.data)}
        found: dict[int, dict[int, float]] = {}
        for i, j, e in entries:
            if i not in varying:
                found.setdefault(i, {})[j] = e.data
        rows = list(found.values())
        # The quick look with rounded numbers first: exact ones grow long where the matrix is large and full.
        if choose_columns(rows, [0] * len(block.unknowns)) is not None:
            continue
        factors = dependence(rows, rounded)
        if factors is None:
            continue
        places = list(found)
        involved = [block.equations[places[k]] for k in factors]
        foreign = [q for q in involved if q not in own]
        before = lowered(involved, list(factors.values())) if foreign else None
        if before is not None:
            conditions = conditions or [before]
            break
        left, constant = combined(involved, dict(enumerate(factors.values())), rounded)
        conditions.append(HiddenCondition(involved, (foreign or involved)[-1], left, constant))
    if conditions:
        conditions[0].others = tuple(conditions[1:])
        raise conditions[0]


def dependence(rows: Sequence[Mapping[int, float]], rounded: float = 0.0) -> dict[int, Fraction] | None:
    """Factors of rows whose combination vanishes, the first such combination; None where the rows are
    independent. What is left of terms that cancel may have been `rounded`, relative to their sizes."""
    pivots: dict[int, tuple[_Row, _Row]] = {}
    age: dict[int, int] = {}
    for i, row in enumerate(rows):
        left = _Row({j: Fraction(v) for j, v in row.items() if v}, rounded)
        made = _Row({i: Fraction(1)}, rounded)
        while True:
            # The oldest pivot first: younger rows lack its column, so each pivot is used once at most.
            column = min((j for j in left.values if j in age), key=age.__getitem__, default=None)
            if column is None:
                break
            pivot, pivot_made = pivots[column]
            factor = -left.values[column] / pivot.values[column]
            left.add(pivot, factor)
            made.add(pivot_made, factor)
        if not left.values:
            return made.values
        column = max(left.values, key=lambda j: abs(left.values[j]))
        age[column] = len(pivots)
        pivots[column] = (left, made)
    return None


class _Row:
    """Numbers by place, with the sizes of what they were added up from: what rounding can have left of these
    is no number."""

    def __init__(self, values: dict[int, Fraction], rounded: float) -> None:
        self.values, self._rounded = values, rounded
        self.sizes = {j: abs(_real(v)) for j, v in values.items()}

    def add(self, other: _Row, factor: Fraction) -> None:
        """Adds another row, times a factor."""
        extent = abs(_real(factor))
        for j, size in other.sizes.items():
            self.sizes[j] = self.sizes.get(j, 0.0) + extent * size
        for j, v in other.values.items():
            new = self.values.get(j, Fraction(0)) + factor * v
            if _is_rounding(new, self._rounded * self.sizes[j]):
                self.values.pop(j, None)
            else:
                self.values[j] = new


def _is_rounding(left: Fraction, rounded: float) -> bool:
    """Whether what is left of terms that cancel is zero, or no more than they may have been rounded by."""
    return not left or (isfinite(rounded) and abs(left) <= rounded)


def combined(
    equations: Sequence[Equation], factors: Mapping[int, Fraction], rounded: float = 0.0
) -> tuple[Expr, float]:
    """The sum of the equations times their factors, as `sum of terms = constant` with what cancels left
    out."""
    found: dict[Expr, Fraction] = {}
    sizes: dict[Expr, float] = {}
    constant, size = Fraction(0), 0.0
    for i, factor in factors.items():
        own, rest, _ = terms(equations[i])
        constant -= factor * Fraction(rest)
        size += abs(_real(factor * Fraction(rest)))
        for term, coefficient in own.items():
            part = factor * Fraction(coefficient)
            found[term] = found.get(term, Fraction(0)) + part
            sizes[term] = sizes.get(term, 0.0) + abs(_real(part))
    left = add(
        *(mul(const(_real(c)), t) for t, c in found.items() if not _is_rounding(c, rounded * sizes[t])),
        ZERO,
    )
    return left, 0.0 if _is_rounding(constant, rounded * size) else _real(constant)


def _real(number: Fraction) -> float:
    """The nearest Real; an exact number may be larger than any of them."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
