"""Long straight-line code is cut into routines of their own.

LLVM's optimiser and its register allocation take more than linear time in the length of a function, and a
torn loop of some thousand equations is one long list of statements. It is cut at regular intervals. A scalar
local that is used on both sides of a cut gets a place in the memory; arrays and the results of calls stay
locals, so there is no cut between the first and the last use of such a one. The long body of a case that
seldom happens (pivots sought anew) becomes a routine that is compiled with little optimisation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from saltus.emit.layout.layout import Memory
from saltus.emit.straight.sharing import Locals
from saltus.expr.nodes import Expr, Op, Symbol, ref
from saltus.expr.traversal import leaves
from saltus.ir.program import (
    Assign,
    Attempt,
    CallFunction,
    Fail,
    Fill,
    For,
    If,
    Invoke,
    Routine,
    SolveLinear,
    Statement,
    Store,
    While,
)

#: Statements of one routine, about; and how many there must be before anything is cut.
LENGTH = 150
CUT_FROM = 400


def cut(name: str, statements: Sequence[Statement], local: Locals, memory: Memory) -> list[Routine]:
    """A routine that carries out the statements, and those that it invokes."""
    if sum(map(_weight, statements)) < CUT_FROM:
        return [Routine(name, tuple(statements), tuple(local.symbols))]
    own = set(local.symbols)
    apart: list[Routine] = []
    for k, s in enumerate(statements):
        if isinstance(s, If) and not s.branches[0][1] and _weight(s) > LENGTH and not _needs(k, statements):
            rare = Routine(f"{name}_rare{len(apart) + 1}", s.otherwise, rare=True)
            apart.append(rare)
            statements = [*statements[:k], replace(s, otherwise=(Invoke(rare.name),)), *statements[k + 1 :]]
    used = [_used(statement, own) for statement in statements]
    piece_of = _pieces(used, {s for statement in statements for s in _fixed(statement)})
    bodies: list[list[Statement]] = [[] for _ in range(piece_of[-1] + 1)]
    for piece, statement in zip(piece_of, statements, strict=True):
        bodies[piece].append(statement)
    parts = [Routine(f"{name}_part{k + 1}", tuple(body)) for k, body in enumerate(bodies)] + apart
    home: dict[Symbol, int] = {}
    shared: set[Symbol] = set()
    for k, part in enumerate(parts):
        for statement in part.body:
            for symbol in _used(statement, own):
                if home.setdefault(symbol, k) != k:
                    shared.add(symbol)
    places = {}
    for symbol in local.symbols:
        if symbol in shared:
            memory.append(ref(symbol))
            places[symbol] = memory.slots[ref(symbol)]
    locals_of: list[list[Symbol]] = [[] for _ in parts]
    for symbol in local.symbols:
        if symbol in home and symbol not in shared:
            locals_of[home[symbol]].append(symbol)
    sequence = Routine(name, tuple(Invoke(part.name) for part in parts if not part.rare))
    return [
        sequence,
        *(
            replace(part, body=tuple(_stored(s, places) for s in part.body), locals=tuple(symbols))
            for part, symbols in zip(parts, locals_of, strict=True)
        ),
    ]


def _with_inner(s: Statement) -> Iterator[Statement]:
    """A statement and those inside it, however deep they are."""
    stack = [s]
    while stack:
        s = stack.pop()
        yield s
        match s:
            case If(branches, otherwise):
                stack += reversed(otherwise)
                for _, body in reversed(branches):
                    stack += reversed(body)
            case For(_, _, _, _, body) | While(_, body) | Attempt(body, _):
                stack += reversed(body)
            case _:
                pass


def _weight(s: Statement) -> int:
    return sum(1 for _ in _with_inner(s))


def _used(s: Statement, own: set[Symbol]) -> list[Symbol]:
    """The locals that a statement reads or writes, each once."""
    return list(dict.fromkeys(symbol for symbol in _symbols(s) if symbol in own))


def _needs(k: int, statements: Sequence[Statement]) -> bool:
    """Whether the case that seldom happens uses symbols that cannot move into the memory and are used outside
    of it too, such as the result of a function that is a coefficient."""
    rare = statements[k]
    assert isinstance(rare, If)
    inside = {symbol for s in rare.otherwise for symbol in _symbols(s)}
    others = [*statements[:k], replace(rare, otherwise=()), *statements[k + 1 :]]
    fixed = {symbol for s in statements for symbol in _fixed(s)} & inside
    return any(symbol in fixed for s in others for symbol in _symbols(s))


def _pieces(used: Sequence[Sequence[Symbol]], fixed: set[Symbol]) -> list[int]:
    """The piece of each statement."""
    last = {symbol: k for k, symbols in enumerate(used) for symbol in symbols if symbol in fixed}
    pieces: list[int] = []
    piece, length, bound = 0, 0, 0
    for k, symbols in enumerate(used):
        if length >= LENGTH and k > bound:
            piece, length = piece + 1, 0
        bound = max([bound, *(last[s] for s in symbols if s in fixed)])
        length += 1
        pieces.append(piece)
    return pieces


def _stored(s: Statement, places: dict[Symbol, int]) -> Statement:
    """The statement with assignments to shared locals as stores into the memory."""

    def body(statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple(_stored(inner, places) for inner in statements)

    match s:
        case Assign(local, value, ()) if local in places:
            return Store(places[local], value)
        case If(branches, otherwise):
            return If(tuple((c, body(inner)) for c, inner in branches), body(otherwise))
        case For(index, start, step, stop, inner):
            return For(index, start, step, stop, body(inner))
        case While(condition, inner):
            return While(condition, body(inner))
        case Attempt(inner, status):
            return Attempt(body(inner), status)
        case _:
            return s


def _fixed(s: Statement) -> Iterator[Symbol]:
    """Symbols that cannot move into the memory: arrays, and what calls of functions and LAPACK write to."""
    for inner in _with_inner(s):
        yield from (symbol for symbol in _written(inner) if symbol.shape or not isinstance(inner, Assign))


def _symbols(s: Statement) -> Iterator[Symbol]:
    """The symbols that a statement reads or writes."""
    for inner in _with_inner(s):
        yield from _written(inner)
        for e in _expressions(inner):
            yield from (leaf.data for leaf in leaves(e) if leaf.op is Op.REF)


def _written(s: Statement) -> Iterator[Symbol]:
    match s:
        case Assign(local, _, _) | Fill(local, _):
            yield local
        case CallFunction(targets, _, _):
            yield from (t for t in targets if t is not None)
        case SolveLinear(matrix, right, status):
            yield from (matrix, right)
            if isinstance(status, Symbol):
                yield status
        case Attempt(_, status) | Fail(Symbol() as status):
            yield status
        case _:
            pass


def _expressions(s: Statement) -> Iterator[Expr]:
    match s:
        case Store(_, value) | Fill(_, value):
            yield value
        case Assign(_, value, indices):
            yield from (value, *indices)
        case If(branches, _):
            yield from (condition for condition, _ in branches)
        case For(_, start, step, stop, _):
            yield from (start, step, stop)
        case While(condition, _):
            yield condition
        case CallFunction(_, _, args):
            yield from args
        case _:
            pass
