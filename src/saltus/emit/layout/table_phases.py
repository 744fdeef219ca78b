"""Phases of tables (`emit.layout.phases`): which piece of a table of one input is active.

Between its abscissas a table is a polynomial, and what it is in one piece says nothing about the next. So the
number of the piece is a phase that jumps at abscissas: each piece is examined by itself. Functions around
those that are provided (`lower/functions/external.mo`) are looked through, as those of the standard library
are.
"""

from __future__ import annotations

from collections.abc import Iterator

from saltus.expr.nodes import Expr, Op, Type, add, apply, call, const, if_, item, mul, relation
from saltus.expr.traversal import walk
from saltus.functions.external.tables import ABSCISSAS, HEADER, INDEX, IS_PERIODIC
from saltus.ir.program import Assign, Attempt, CallFunction, For, Function, If, Statement, While

#: What a piece counts: more than may pass in one panel.
_PIECE = 4.0


def table_phase(node: Expr) -> tuple[Expr, Expr] | None:
    """For a call that looks something up in a table of one input: what it is asked for, and the phase."""
    if node.op is not Op.APPLY or not isinstance(node.data, Function):
        return None
    tables = [a for a in node.args if a.type is Type.OBJECT]
    reals = [a for a in node.args if a.type is Type.REAL and a.op is not Op.ARRAY]
    if len(tables) != 1 or len(reals) != 1:
        return None
    known = {f.name.rpartition(".")[2]: f for f in _called(node.data)}
    if "value1D" not in known:
        return None
    (table,), (u,) = tables, reals

    def at(place: Expr) -> Expr:
        return call("peek", table, place)

    count = call("integer", at(const(ABSCISSAS)))
    asked = u
    if "periodic" in known:
        low, high = at(const(HEADER)), at(add(count, const(HEADER - 1)))
        moved = item(apply(known["periodic"], (u, low, high)), 0)
        asked = if_(relation(Op.GT, at(const(IS_PERIODIC)), const(0.0)), moved, u)
    index = call("integer", at(const(INDEX)))
    piece = item(apply(known["pieceOf"], (table, const(HEADER), count, index, asked)), 0, Type.INTEGER)
    return u, mul(const(_PIECE), call("real", piece))


def _called(function: Function) -> Iterator[Function]:
    """The function, and all that it calls, each once."""
    seen: set[Function] = set()
    stack = [function]
    while stack:
        f = stack.pop()
        if f not in seen:
            seen.add(f)
            yield f
            stack.extend(_in_statements(f.body))


def _in_statements(body: tuple[Statement, ...]) -> Iterator[Function]:
    for s in body:
        match s:
            case CallFunction(_, function, args):
                yield function
                yield from _in_expressions(*args)
            case Assign(_, value, _):
                yield from _in_expressions(value)
            case If(branches, otherwise):
                for condition, inner in branches:
                    yield from _in_expressions(condition)
                    yield from _in_statements(inner)
                yield from _in_statements(otherwise)
            case For(_, _, _, _, inner) | While(_, inner) | Attempt(inner, _):
                yield from _in_statements(inner)
            case _:
                pass


def _in_expressions(*expressions: Expr) -> Iterator[Function]:
    for e in expressions:
        yield from (n.data for n in walk(e) if n.op is Op.APPLY and isinstance(n.data, Function))
