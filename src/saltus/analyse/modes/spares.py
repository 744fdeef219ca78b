"""Spare rows of a system whose structure is found by numbers: a run puts constraints into them that no
equation has by itself (`saltus.emit.systems.leading_hidden`).

A part gets as many as it has states that may be tied in this way, within limits. Each comes with a variable
that is nothing, so that rows and columns of a part remain equally many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from saltus.expr.helpers import Helper
from saltus.expr.nodes import ONE, ZERO, Expr, Symbol
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.signature import Pair, Signature

#: Spare rows of a part, at most; and equations of a part that has some, at most.
MOST_SPARES, MOST_SPARED = 8, 200


def with_spares(signature: Signature) -> tuple[Signature, list[Variable]]:
    """With spare rows in all parts that are not too large for it, and the variables that come with them."""
    equations, variables = list(signature.equations), list(signature.variables)
    pairs, nominals = list(signature.pairs), list(signature.nominals)
    rows: set[int] = set()
    columns: set[int] = set()
    found: list[Variable] = []
    for part in signature.parts:
        states = sum(column < signature.states for column in part.columns)
        count = min(MOST_SPARES, states - 1) if len(part.rows) <= MOST_SPARED else 0
        some = signature.equations[part.rows[0]]
        for _ in range(max(count, 0)):
            row, column = len(equations), len(variables)
            symbol = Symbol(Helper.SPARE.numbered(len(found) + 1), helper=Helper.SPARE)
            found.append(Variable(symbol, Variability.CONTINUOUS, some.span))
            equations.append(Equation(ZERO, ZERO, some.span, origin=some.origin))
            variables.append(symbol)
            nominals.append(ONE)
            pairs += [Pair(row, other, 0, ZERO) for other in (*part.columns, column)]
            rows.add(row)
            columns.add(column)
    nothing = len(rows)
    larger = replace(
        signature,
        equations=tuple(equations),
        variables=tuple(variables),
        pairs=tuple(pairs),
        nominals=tuple(nominals),
        once=signature.once | rows,
        driven=(*signature.driven, *[ZERO] * nothing),
        sourced=(*signature.sourced, *[(ZERO, ZERO)] * nothing),
        spare_rows=frozenset(rows),
        spare_columns=frozenset(columns),
    )
    order = [*(row for part in larger.parts for row in part.rows), *(row for row, _ in larger.tails)]
    return in_order(larger, order), found


def spared(signature: Signature, own: Sequence[Expr]) -> list[Expr]:
    """What rows have, nothing for spare ones."""
    others = iter(own)
    return [ZERO if row in signature.spare_rows else next(others) for row in range(signature.size)]


def in_order(signature: Signature, order: Sequence[int]) -> Signature:
    """With the equations in this order."""
    places = {row: i for i, row in enumerate(order)}
    pairs = [replace(pair, row=places[pair.row]) for pair in signature.pairs]
    return replace(
        signature,
        equations=tuple(signature.equations[row] for row in order),
        pairs=tuple(sorted(pairs, key=lambda pair: pair.row)),
        lasting=frozenset(places[row] for row in signature.lasting),
        once=frozenset(places[row] for row in signature.once),
        tails=tuple((places[row], column) for row, column in signature.tails),
        driven=tuple(signature.driven[row] for row in order),
        sourced=tuple(signature.sourced[row] for row in order),
        spare_rows=frozenset(places[row] for row in signature.spare_rows),
    )
