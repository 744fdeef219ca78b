"""Which pattern each part of a system has (`saltus.emit.systems.patterns`), as loops over its coefficients.

system_patterns   the number of the pattern that each part has now, or 0; and whether all have one
system_worst      of the equations that say what is conserved, the one that is off most, of all parts
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.emit.systems.loop_code import LoopCode, Sections, at, equal, put, when
from saltus.emit.systems.patterns import Pattern, digits
from saltus.expr.nodes import ONE, ZERO, Op, add, const, mul, ref, relation
from saltus.ir.program import Assign, Break, Routine
from saltus.ir.signature import Signature

_ONE, _TWO = const(1), const(2)


class PatternRoutines:
    """The routines for the patterns of all parts."""

    def __init__(
        self, signature: Signature, patterns: Sequence[Sequence[Pattern]], sections: Sections
    ) -> None:
        self._sections, self._parts = sections, len(signature.parts)
        starts = signature.row_starts
        self._first_pair = [starts[part.rows[0]] + 1.0 for part in signature.parts]
        self._last_pair = [float(starts[part.rows[-1] + 1]) for part in signature.parts]
        #: What a pair adds to the number of a pattern that it is in.
        self._digits = [
            x
            for part in signature.parts
            for x in digits(signature.pairs[starts[part.rows[0]] : starts[part.rows[-1] + 1]])
        ]
        # Equal parts have the same patterns, which stand in the table once.
        known: dict[tuple[float, ...], int] = {}
        self._numbers: list[float] = []
        self._before: list[float] = []
        self._count: list[float] = []
        for own in patterns:
            numbers = tuple(p.number for p in own)
            if numbers not in known:
                known[numbers] = len(self._numbers)
                self._numbers += numbers
            self._before.append(float(known[numbers]))
            self._count.append(float(len(numbers)))

    def all(self) -> list[Routine]:
        """All of them."""
        return [self._patterns(), self._worst()]

    def _code(self) -> LoopCode:
        return LoopCode(self._sections, self._parts)

    def _patterns(self) -> Routine:
        code = self._code()
        slopes, pattern, all_known = (code.section(x) for x in ("pairs", "pattern", "all_known"))
        p, k, j = code.counter("p"), code.counter("k"), code.counter("j")
        total, digit = code.number("total"), at(code.table("digits", self._digits), k)
        is_there = relation(Op.NE, at(slopes, k), ZERO)
        number = at(
            code.table("numbers", self._numbers), add(at(code.table("before", self._before), p), ref(j))
        )
        return code.routine(
            "system_patterns",
            put(all_known, _ONE, ONE),
            code.every(
                p,
                Assign(total, ZERO),
                code.every(
                    k,
                    when(is_there, Assign(total, add(ref(total), digit))),
                    first=at(code.table("first_pairs", self._first_pair), p),
                    last=at(code.table("last_pairs", self._last_pair), p),
                ),
                put(pattern, p, ZERO),
                code.every(
                    j,
                    when(equal(number, ref(total)), put(pattern, p, ref(j)), Break()),
                    last=at(code.table("counts", self._count), p),
                ),
                when(equal(at(pattern, p), ZERO), put(all_known, _ONE, ZERO)),
            ),
        )

    def _worst(self) -> Routine:
        code = self._code()
        off, sizes, books = (code.section(x) for x in ("off", "sizes", "conserved"))
        p = code.counter("p")
        is_worse = relation(Op.GT, mul(at(off, p), at(books, _TWO)), mul(at(books, _ONE), at(sizes, p)))
        return code.routine(
            "system_worst",
            put(books, _ONE, ZERO),
            put(books, _TWO, ONE),
            code.every(p, when(is_worse, put(books, _ONE, at(off, p)), put(books, _TWO, at(sizes, p)))),
        )
