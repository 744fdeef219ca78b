"""A torn linear system as statements: inner unknowns inserted, then Gaussian elimination in a fixed order.

With the inner unknowns z = p + Q t inserted into the residual rows,

    L z + B t = c,   C z + D t = d      gives      (D + C Q) t = d - C p,    Q = -L^-1 B,  p = L^-1 c

where L is lower triangular, so Q and p come row by row, each row of Q with few entries. The small matrix
S = D + C Q is factorised in the order that `analyse.blocks.elimination` found for a typical position. Every
number becomes a local, or an invariant of the run where it depends on parameters only: then nothing of the
matrix is left inside a step but multiplications. Constants are folded as they are made.

A pivot that is small in its column makes the whole system go to LAPACK, which seeks pivots anew: so the
fixed order costs no robustness. Systems without a fixed order and of two or three unknowns are unrolled,
larger ones go to LAPACK at once (`saltus.emit.loops.elimination`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from saltus.emit.loops.elimination import UNROLLED, solve
from saltus.emit.straight.sharing import Section
from saltus.expr.nodes import (
    ONE,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    add,
    and_,
    call,
    const,
    div,
    index,
    mul,
    neg,
    ref,
    relation,
    sub,
)
from saltus.ir.program import Assign, Fail, Fill, If, Statement
from saltus.ir.sorted.blocks import Tearing

#: A pivot smaller than this part of another entry of its column is not used.
SMALL_PIVOT = 1e-3


def untorn(size: int) -> Tearing:
    """Every unknown is a tearing variable."""
    return Tearing((), tuple(range(size)), tuple(range(size)))


class TornMatrix:
    """The matrix of a torn system, reduced to the tearing variables; what that needs is appended to the
    section. `rows` are the entries that are not zero, by column. A singular matrix makes the routine fail
    with the `status`, or makes it true where it is a local."""

    def __init__(
        self,
        entries: Iterable[tuple[int, int, Expr]],
        tearing: Tearing,
        section: Section,
        status: int | Symbol,
    ) -> None:
        self.tearing = tearing
        self._section = section
        self._status = status
        self.rows: dict[int, dict[int, Expr]] = {}
        for i, j, e in entries:
            self.rows.setdefault(i, {})[j] = section.value(e)
        self._reciprocal: dict[int, Expr] = {}
        self._inner: dict[int, dict[int, Expr]] = {}  # Q: rows by inner unknown
        places = {j: k for k, j in enumerate(tearing.columns)}
        self._tears = places
        for i, j in tearing.inner:
            self._reciprocal[i] = self._keep(div(ONE, self.rows[i][j]))
            factor = neg(self._reciprocal[i])
            self._inner[j] = {k: self._keep(mul(factor, e)) for k, e in self._insert(i, j).items()}
        self.reduced = [{k: self._keep(e) for k, e in self._insert(i, -1).items()} for i in tearing.rows]
        order = tearing.order
        if order is not None and len(order) > 1 and len(order) <= UNROLLED and not self._is_invariant():
            order = None  # seeking pivots among two or three costs nothing
        self._factors = None if order is None else _Factors(self.reduced, order, section)

    def solve(self, right: Sequence[Expr]) -> list[Expr]:
        """The tearing variables for given right sides of the residual rows."""
        size = len(self.tearing.columns)
        section = self._section
        if self._factors is None:
            return [section.atom(x) for x in self._pivoting(right, section.statements)]
        found = self._factors.solve(right)
        if self._factors.fine is TRUE:
            return found
        targets = [section.locals.new("x") for _ in range(size)]
        section.statements += [Assign(t, x) for t, x in zip(targets, found, strict=True)]
        anew: list[Statement] = []
        if size == 1:
            status = self._status
            anew.append(Fail(status) if isinstance(status, int) else Assign(status, TRUE))
        else:
            found = self._pivoting(right, anew)
            anew += [Assign(t, x) for t, x in zip(targets, found, strict=True)]
        section.statements.append(If(((self._factors.fine, ()),), tuple(anew)))
        return [ref(t) for t in targets]

    def insert_right(self, right: Mapping[int, Expr]) -> list[Expr]:
        """Right sides of the residual rows, the inner unknowns inserted."""
        parts: dict[int, Expr] = {}
        for i, j in self.tearing.inner:
            terms = [neg(mul(e, parts[k])) for k, e in self.rows[i].items() if k != j and k in parts]
            value = self._section.atom(mul(self._reciprocal[i], add(right[i], *terms)))
            if value is not ZERO:
                parts[j] = value
        return [
            self._section.atom(
                add(right[i], *(neg(mul(e, parts[k])) for k, e in self.rows[i].items() if k in parts))
            )
            for i in self.tearing.rows
        ]

    def inner_value(self, row: int, column: int, right: Expr, unknowns: Sequence[Expr]) -> Expr:
        """An inner unknown from the others of its row."""
        terms = [neg(mul(e, unknowns[k])) for k, e in self.rows[row].items() if k != column]
        return mul(self._reciprocal[row], add(right, *terms))

    def _insert(self, row: int, without: int) -> dict[int, Expr]:
        """A row in terms of the tearing variables."""
        terms: dict[int, list[Expr]] = {}
        for j, e in self.rows[row].items():
            if j == without:
                continue
            if j in self._tears:
                terms.setdefault(self._tears[j], []).append(e)
                continue
            for k, q in self._inner[j].items():
                terms.setdefault(k, []).append(mul(e, q))
        sums = {k: add(*found) for k, found in terms.items()}
        return {k: e for k, e in sums.items() if e is not ZERO}

    def _is_invariant(self) -> bool:
        return all(self._section.is_invariant(e) for row in self.reduced for e in row.values())

    def _keep(self, e: Expr) -> Expr:
        return self._section.atom(e)

    def _pivoting(self, right: Sequence[Expr], code: list[Statement]) -> list[Expr]:
        """The solution, by an elimination that seeks its pivots at run time."""
        new = self._section.locals.new
        size = len(self.tearing.columns)
        matrix, solution = new("matrix", shape=(size, size)), new("right", shape=(size,))
        code.append(Fill(matrix, ZERO))
        for i, row in enumerate(self.reduced):
            code += [Assign(matrix, e, (const(i + 1), const(k + 1))) for k, e in row.items()]
            code.append(Assign(solution, right[i], (const(i + 1),)))
        code += solve(matrix, solution, self._status, self._section.locals)
        return [index(ref(solution), const(k + 1)) for k in range(size)]


class _Factors:
    """LU factors in a fixed order. `fine` says whether no pivot is too small."""

    def __init__(
        self, rows: Sequence[Mapping[int, Expr]], order: Sequence[tuple[int, int]], section: Section
    ) -> None:
        self._order = order
        self._section = section
        self._rows = [dict(row) for row in rows]
        self._reciprocal: list[Expr] = []
        self._below: list[list[tuple[int, Expr]]] = []  # for each pivot: rows, and factors to subtract
        open_rows: dict[int, set[int]] = {}
        for i, row in enumerate(self._rows):
            for k in row:
                open_rows.setdefault(k, set()).add(i)
        self.fine: Expr = TRUE
        for i, k in order:
            pivot_row = self._rows[i]
            for other in pivot_row:
                open_rows[other].discard(i)
            pivot = pivot_row.pop(k, ZERO)
            below = sorted(open_rows.get(k, ()))
            usable = _not_small(pivot, [self._rows[r][k] for r in below])
            self.fine = section.atom(and_(self.fine, *usable))
            self._reciprocal.append(section.atom(div(ONE, pivot)))
            self._below.append([])
            for r in below:
                row = self._rows[r]
                factor = section.atom(mul(row.pop(k), self._reciprocal[-1]))
                self._below[-1].append((r, factor))
                for other, e in pivot_row.items():
                    row[other] = section.atom(sub(row.get(other, ZERO), mul(factor, e)))
                    open_rows.setdefault(other, set()).add(r)

    def solve(self, right: Sequence[Expr]) -> list[Expr]:
        """The solution, by forward and back substitution."""
        keep = self._section.atom
        values = list(right)
        for (i, _), below in zip(self._order, self._below, strict=True):
            for r, factor in below:
                values[r] = keep(sub(values[r], mul(factor, values[i])))
        solution: dict[int, Expr] = {}
        for (i, k), reciprocal in reversed(list(zip(self._order, self._reciprocal, strict=True))):
            terms = [neg(mul(e, solution[j])) for j, e in self._rows[i].items()]
            solution[k] = keep(mul(reciprocal, add(values[i], *terms)))
        return [solution[k] for k in range(len(solution))]


def _not_small(pivot: Expr, others: Sequence[Expr]) -> list[Expr]:
    """Conditions under which a pivot may be used."""
    if pivot.op is Op.CONST and pivot.data != 0:
        varying = [e for e in others if e.op is not Op.CONST or SMALL_PIVOT * abs(e.data) > abs(pivot.data)]
    else:
        varying = list(others)
    size = call("abs", pivot)
    conditions = [relation(Op.GE, size, mul(const(SMALL_PIVOT), call("abs", e))) for e in varying]
    if pivot.op is not Op.CONST or pivot.data == 0:
        conditions.append(relation(Op.GT, size, ZERO))
    return conditions
