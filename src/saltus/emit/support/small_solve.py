"""Small linear systems whose pivots are sought at run time, in native code.

For a handful of unknowns a call of LAPACK costs ten times the arithmetic. This is Gaussian elimination with
partial pivoting (Golub and Van Loan, Matrix Computations, algorithm 3.4.1), row by row in the row-major
arrays that programs have; it chooses the pivots that LAPACK would choose. There is one function for each
size, with all loops written out.
"""

from __future__ import annotations

from functools import cache

from saltus.emit.support.assembly import Function

#: The largest number of unknowns in a small system. With more, LAPACK's blocks pay, and the text would be
#: long.
SMALL = 10


def small_solve(n: int) -> str:
    """The name of the function for n unknowns."""
    return f"saltus.small_solve.{n}"


@cache
def small_solve_text(n: int) -> str:
    """right := matrix^-1 right, the matrix overwritten: 0, or the number of the first pivot that is zero."""
    f = Function(small_solve(n), "i32", internal=True, a="ptr", b="ptr")
    a, b = f.a, f.b
    for k in range(n):
        best, place = f.variable(f.absolute(a.at(k * n + k))), f.variable(k, "i64")
        for i in range(k + 1, n):
            size = f.absolute(a.at(i * n + k))
            larger = size > best.value
            best.set(larger.choose(size, best.value))
            place.set(larger.choose(i, place.value, "i64"))
        row, other = a.place(k * n), a.place(place.value * n)
        f.give_if(other.at(k) == 0.0, k + 1)
        with f.when(place.value != k):
            for j in range(k, n):
                kept = row.at(j)
                row.put(j, other.at(j))
                other.put(j, kept)
            kept = b.at(k)
            b.put(k, b.at(place.value))
            b.put(place.value, kept)
        for i in range(k + 1, n):
            lower = a.place(i * n)
            with f.when(lower.at(k) != 0.0):
                factor = lower.at(k) / row.at(k)
                for j in range(k + 1, n):
                    lower.put(j, lower.at(j) - factor * row.at(j))
                b.put(i, b.at(i) - factor * b.at(k))
    for i in reversed(range(n)):
        total, row = b.at(i), a.place(i * n)
        for j in range(i + 1, n):
            total = total - row.at(j) * b.at(j)
        b.put(i, total / row.at(i))
    f.give(0)
    return f.text()
