"""The matrix of a system whose structure is found by numbers, in block triangular form.

Rows that need each other's variables are a block; blocks come in an order in which each needs only variables
of blocks before it. They are the strongly connected parts of the rows, by Tarjan's algorithm ("Depth-first
search and linear graph algorithms", SIAM J. Comput. 1, 1972), here without recursion. Elimination stays
inside the blocks, as in KLU (Davis and Palamadai Natarajan, ACM Trans. Math. Softw. 37, 2010): most blocks of
circuits and drive trains are a few equations, however large the part is.

    pivot_order       the rows of a part, block by block
    row_blocks        the number of the block that a row is in
    block_ends        where the blocks of a part end in that order; block_counts, how many there are
"""

from __future__ import annotations

from saltus.emit.systems.leading_tables import OfPart, Tables
from saltus.emit.systems.loop_code import at, equal, put, when
from saltus.expr.nodes import TRUE, ZERO, Expr, Op, Symbol, Type, and_, call, const, ref, relation
from saltus.ir.program import Assign, Break, If, Routine, Statement, While

_ZERO, _ONE = const(0), const(1)


def order_routine(tables: Tables) -> Routine:
    """Puts the rows of one part that are matched into order."""
    code, n = tables.routine(), tables.signature.size
    part = OfPart(tables, code)
    row_of, place_of = code.section("matched_rows"), code.section("matched_places")
    order, blocks = code.section("pivot_order"), code.section("row_blocks")
    ends, counts = code.section("block_ends"), code.section("block_counts")
    starts = code.table("starts", tables.starts)
    number, low, stack = code.array("number", n), code.array("low", n), code.array("stack", n)
    path, next_pair = code.array("path", n), code.array("next_pair", n)
    root, i, k = code.counter("root"), part.i, code.number("k", Type.INTEGER)
    row, other, column = (code.number(x, Type.INTEGER) for x in ("row", "other", "column"))
    seen, top, depth = (code.number(x, Type.INTEGER) for x in ("seen", "top", "depth"))
    placed, block = code.number("placed", Type.INTEGER), code.number("block", Type.INTEGER)
    pair_places = code.table("places", tables.places)
    pair_columns = code.table("columns", tables.columns)

    def more(x: Symbol) -> Assign:
        return Assign(x, ref(x) + _ONE)

    def visited(x: Expr) -> tuple[Statement, ...]:
        return (
            more(seen),
            put(number, x, ref(seen)),
            put(low, x, ref(seen)),
            more(top),
            put(stack, top, x),
            put(next_pair, x, at(starts, x)),
            more(depth),
            put(path, depth, x),
        )

    def lowered(x: Symbol, to: Expr) -> Assign:
        return put(low, x, call("min", at(low, x), to))

    looked: tuple[Statement, ...] = (
        Assign(k, at(next_pair, row)),
        put(next_pair, row, ref(k) + _ONE),
        Assign(column, at(pair_columns, k)),
        when(
            part.leads(k, row, ref(column)),
            Assign(other, at(row_of, at(pair_places, k))),
            when(
                relation(Op.NE, ref(other), _ZERO),
                If(
                    ((equal(at(number, other), ZERO), visited(ref(other))),),
                    (when(equal(at(blocks, other), ZERO), lowered(row, at(number, other))),),
                ),
            ),
        ),
    )
    popped: tuple[Statement, ...] = (
        more(block),
        While(
            TRUE,
            (
                Assign(other, at(stack, top)),
                Assign(top, ref(top) - _ONE),
                more(placed),
                put(order, placed, ref(other)),
                put(blocks, other, ref(block)),
                when(equal(ref(other), ref(row)), Break()),
            ),
        ),
        put(ends, ref(part.first) + ref(block) - _ONE, ref(placed)),
    )
    left: tuple[Statement, ...] = (
        when(equal(at(low, row), at(number, row)), *popped),
        Assign(depth, ref(depth) - _ONE),
        when(
            relation(Op.GT, ref(depth), _ZERO),
            Assign(other, at(path, depth)),
            lowered(other, at(low, row)),
        ),
    )
    walked = While(
        relation(Op.GT, ref(depth), _ZERO),
        (
            Assign(row, at(path, depth)),
            If(((relation(Op.LT, at(next_pair, row), at(starts, ref(row) + _ONE)), looked),), left),
        ),
    )
    is_new = and_(equal(at(number, root), ZERO), relation(Op.NE, at(place_of, root), ZERO))
    return code.routine(
        "system_order",
        *part.found,
        part.every(put(number, i, ZERO), put(blocks, i, ZERO)),
        *(Assign(x, _ZERO) for x in (seen, top, depth, block)),
        Assign(placed, ref(part.first) - _ONE),
        code.every(
            root, when(is_new, *visited(ref(root)), walked), first=ref(part.first), last=ref(part.last)
        ),
        put(counts, part.number, ref(block)),
    )
