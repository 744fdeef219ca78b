"""Linear systems as statements: filled into local arrays and solved.

Systems of two and three unknowns are unrolled, Gaussian elimination with partial pivoting at run time
(Golub and Van Loan, Matrix Computations, algorithm 3.4.1): the compiler keeps them in registers, where a
call of LAPACK costs more than the solution. Larger ones are left to `SolveLinear`, which is LAPACK in Python,
and in native code from some size on.
"""

from __future__ import annotations

from saltus.emit.straight.sharing import Locals
from saltus.expr.nodes import TRUE, ZERO, Expr, Op, Symbol, call, const, index, ref, relation
from saltus.ir.program import Assign, Fail, If, SolveLinear, Statement

UNROLLED = 3


def solve(matrix: Symbol, right: Symbol, status: int | Symbol, local: Locals) -> list[Statement]:
    """right := matrix^-1 right for arrays of shapes (n, n) and (n,), which are overwritten. When the matrix
    is singular the routine fails; or, where `status` is a local, that becomes true (else it is unchanged)."""
    (n,) = right.shape
    if n > UNROLLED:
        return [SolveLinear(matrix, right, status)]
    singular = Fail(status) if isinstance(status, int) else Assign(status, TRUE)
    code: list[Statement] = []
    for k in range(n):
        for row in range(k + 1, n):
            code.append(_exchange_if_larger(matrix, right, k, row, local))
        # `not (|p| > 0)` also catches a pivot that is not a number.
        positive = relation(Op.GT, call("abs", _at(matrix, k, k)), ZERO)
        code.append(If(((positive, ()),), (singular,)))
        for row in range(k + 1, n):
            factor = local.new("factor")
            code.append(Assign(factor, _at(matrix, row, k) / _at(matrix, k, k)))
            for column in range(k + 1, n):
                code.append(_subtract(matrix, (row, column), ref(factor) * _at(matrix, k, column)))
            code.append(_subtract(right, (row,), ref(factor) * _at(right, k)))
    for row in reversed(range(n)):
        for column in range(row + 1, n):
            code.append(_subtract(right, (row,), _at(matrix, row, column) * _at(right, column)))
        code.append(Assign(right, _at(right, row) / _at(matrix, row, row), (const(row + 1),)))
    return code


def _exchange_if_larger(matrix: Symbol, right: Symbol, k: int, row: int, local: Locals) -> Statement:
    """Brings the larger of two candidates for the pivot of column k to row k."""
    swap: list[Statement] = []
    kept = local.new("kept")
    for column in range(k, right.shape[0]):
        swap += _exchange(matrix, (k, column), (row, column), kept)
    swap += _exchange(right, (k,), (row,), kept)
    larger = relation(Op.GT, call("abs", _at(matrix, row, k)), call("abs", _at(matrix, k, k)))
    return If(((larger, tuple(swap)),))


def _exchange(array: Symbol, a: tuple[int, ...], b: tuple[int, ...], kept: Symbol) -> list[Statement]:
    return [
        Assign(kept, _at(array, *a)),
        Assign(array, _at(array, *b), _indices(a)),
        Assign(array, ref(kept), _indices(b)),
    ]


def _subtract(array: Symbol, place: tuple[int, ...], what: Expr) -> Statement:
    return Assign(array, _at(array, *place) - what, _indices(place))


def _at(array: Symbol, *place: int) -> Expr:
    return index(ref(array), *_indices(place))


def _indices(place: tuple[int, ...]) -> tuple[Expr, ...]:
    return tuple(const(p + 1) for p in place)
