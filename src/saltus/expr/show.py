"""Expressions as Modelica text, with as few parentheses as the grammar of Modelica 3.6 allows.

The grammar, not the usual arithmetic conventions, decides: a sign stands only at the start of a sum
(`a*(-b)`, never `a*-b`), `^` takes two primaries (`(a^b)^c`), `not` binds weaker than a relation. Sums and
products are printed in the order in which they are evaluated, so that reading the text again gives the
same number to the last bit.

The printer works top down with a stack of its own: no recursion limit, and a heavily shared expression
costs no more than the text that is asked for.
"""

from __future__ import annotations

from enum import IntEnum
from math import isfinite
from typing import Any, TypeAlias

from saltus.expr.nodes import RELATIONS, Expr, Op, has_sign, neg, printer

LIMIT = 100_000


class Level(IntEnum):
    """Levels of the grammar, the weakest binding first. A node prints bare where its own level is at
    least the one its place asks for."""

    IF = 0
    OR = 1
    AND = 2
    NOT = 3
    RELATION = 4
    SUM = 5
    TERM = 6
    FACTOR = 7
    PRIMARY = 8


#: What is still to be printed: ready text, or an expression and the level its place asks for.
_Piece: TypeAlias = "str | tuple[Expr, Level]"


def show(e: Expr, limit: int = LIMIT) -> str:
    """Modelica text of an expression; more than `limit` characters are cut and end in `...`."""
    if e.op is Op.REF and len(e.data.name) <= limit:
        return str(e.data.name)
    parts: list[str] = []
    length = 0
    stack: list[_Piece] = [(e, Level.IF)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            parts.append(piece)
            length += len(piece)
            if length > limit:
                return "".join(parts)[:limit] + "..."
            continue
        node, asked = piece
        while node.op is Op.CALL and node.data == "real":  # the conversion is implicit in Modelica
            node = node.args[0]
        level, pieces = _pieces(node)
        if level < asked:
            pieces = ["(", *pieces, ")"]
        stack.extend(reversed(pieces))
    return "".join(parts)


def _pieces(e: Expr) -> tuple[Level, list[_Piece]]:
    """The level of a node and what it prints as."""
    match e.op:
        case Op.CONST:
            text = literal(e.data)
            return (Level.SUM if text.startswith("-") else Level.PRIMARY), [text]
        case Op.REF:
            return Level.PRIMARY, [e.data.name]
        case Op.ADD:
            return Level.SUM, _sum(e)
        case Op.NEG:
            return Level.SUM, ["-", (e.args[0], Level.TERM)]
        case Op.MUL:
            return _product(e)
        case Op.DIV:
            return Level.TERM, [(e.args[0], Level.TERM), "/", (e.args[1], Level.FACTOR)]
        case Op.POW:
            return Level.FACTOR, [(e.args[0], Level.PRIMARY), "^", (e.args[1], Level.PRIMARY)]
        case Op.AND:
            return Level.AND, _joined(e.args, " and ", Level.NOT)
        case Op.OR:
            return Level.OR, _joined(e.args, " or ", Level.AND)
        case Op.NOT:
            return Level.NOT, ["not ", (e.args[0], Level.RELATION)]
        case Op.IF:
            return Level.IF, _if(e)
        case Op.CALL if e.data == "concat":
            return Level.SUM, [(e.args[0], Level.SUM), " + ", (e.args[1], Level.TERM)]
        case Op.ITEM:
            suffix = [f"[{e.data + 1}]"] if e.data else []
            return Level.PRIMARY, [(e.args[0], Level.PRIMARY), *suffix]
        case Op.ARRAY:
            return Level.PRIMARY, _array(e.data, e.args)
        case Op.INDEX:
            subscripts = _joined(e.args[1:], ", ", Level.IF)
            return Level.PRIMARY, [(e.args[0], Level.PRIMARY), "[", *subscripts, "]"]
        case Op.TRANSPORT:
            points, values = (
                _array((len(part),), part)
                for part in (e.args[4 : (len(e.args) + 4) // 2], e.args[(len(e.args) + 4) // 2 :])
            )
            given = _joined(e.args[:4], ", ", Level.IF)
            return Level.PRIMARY, ["spatialDistribution(", *given, ", ", *points, ", ", *values, ")"]
        case Op.DELAY:
            args = e.args[:2] if e.args[1] is e.args[2] else e.args
            return Level.PRIMARY, ["delay(", *_joined(args, ", ", Level.IF), ")"]
        case Op.SMOOTH:
            return Level.PRIMARY, [f"smooth({e.data}, ", (e.args[0], Level.IF), ")"]
        case op if op in RELATIONS:
            return Level.RELATION, [(e.args[0], Level.SUM), f" {op.value} ", (e.args[1], Level.SUM)]
        case _:
            return Level.PRIMARY, [_called(e), "(", *_joined(e.args, ", ", Level.IF), ")"]


def _called(e: Expr) -> str:
    """The name before the parenthesis of everything that looks like a call."""
    match e.op:
        case Op.CALL | Op.RECALL | Op.CLOCKED:
            return str(e.data)
        case Op.APPLY:
            return str(getattr(e.data, "name", e.data))
        case op:
            return str(op.value)


def _joined(args: tuple[Expr, ...], separator: str, level: Level) -> list[_Piece]:
    pieces: list[_Piece] = []
    for a in args:
        if pieces:
            pieces.append(separator)
        pieces.append((a, level))
    return pieces


def _sum(e: Expr) -> list[_Piece]:
    first, second, *others = e.args
    # `1 - x` reads better than `-x + 1`, and is the same to the last bit.
    if has_sign(first) and not has_sign(second):
        first, second = second, first
    pieces: list[_Piece] = [(first, Level.SUM)]
    for term in (second, *others):
        if has_sign(term):
            pieces += [" - ", (neg(term), Level.TERM)]
        else:
            pieces += [" + ", (term, Level.TERM)]
    return pieces


def _product(e: Expr) -> tuple[Level, list[_Piece]]:
    if has_sign(e):  # the sign belongs to the whole term: -2*x, not (-2)*x
        return Level.SUM, ["-", (neg(e), Level.TERM)]
    # Only the first factor may be a quotient: a/b*c is (a/b)*c, but c*(a/b) is not c*a/b to the last bit.
    first, *others = e.args
    return Level.TERM, [(first, Level.TERM), "*", *_joined(tuple(others), "*", Level.FACTOR)]


def _if(e: Expr) -> list[_Piece]:
    condition, then, other = e.args
    pieces: list[_Piece] = ["if ", (condition, Level.OR), " then ", (then, Level.OR)]
    while other.op is Op.IF:
        condition, then, other = other.args
        pieces += [" elseif ", (condition, Level.OR), " then ", (then, Level.OR)]
    return [*pieces, " else ", (other, Level.OR)]


def _array(shape: tuple[int, ...], elements: tuple[Expr, ...]) -> list[_Piece]:
    if not elements:
        return [f"fill(0.0, {', '.join(map(str, shape))})"]
    rows = shape[0]
    size = len(elements) // rows
    pieces: list[_Piece] = ["{"]
    for row in range(rows):
        if row:
            pieces.append(", ")
        part = elements[row * size : (row + 1) * size]
        pieces += _array(shape[1:], part) if len(shape) > 1 else [(part[0], Level.IF)]
    return [*pieces, "}"]


# ---------------------------------------------------------------- literals

_ESCAPES = str.maketrans(
    {
        "\\": "\\\\",
        '"': '\\"',
        "\n": "\\n",
        "\t": "\\t",
        "\r": "\\r",
        "\a": "\\a",
        "\b": "\\b",
        "\f": "\\f",
        "\v": "\\v",
    }
)


def literal(value: Any) -> str:
    """A Modelica literal. Reals are the shortest text that reads back as the same number and always
    look like a Real; infinities and NaN have no literal and print as words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    if isinstance(value, int) or not isfinite(value):
        return str(value)
    mantissa, e, exponent = repr(float(value)).partition("e")
    return f"{mantissa}e{int(exponent)}" if e else mantissa


printer[:] = [lambda e: show(e, limit=1000)]
