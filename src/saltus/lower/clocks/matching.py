"""Which equation of a sub-partition determines which unknown: a greatest matching, by augmenting paths.

Equations that come first keep an unknown, so that those at the end are the ones that find none.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.expr.nodes import Op, Symbol, Type
from saltus.ir.flat import Equation


def matching(equations: Sequence[Equation], unknowns: Sequence[Symbol]) -> list[Symbol | None]:
    """For each equation an unknown, each once, or None. Variables that are alone on a side come first."""
    own = set(unknowns)
    choices = [_candidates(q, own) for q in equations]
    row_of: dict[Symbol, int] = {}
    matched: list[Symbol | None] = [None] * len(equations)
    for row, candidates in enumerate(choices):
        if candidates and candidates[0] not in row_of:
            row_of[candidates[0]], matched[row] = row, candidates[0]
        else:
            _augment(row, choices, row_of, matched)
    return matched


def _augment(
    row: int, choices: Sequence[Sequence[Symbol]], row_of: dict[Symbol, int], matched: list[Symbol | None]
) -> None:
    came_from: dict[Symbol, int] = {}
    pending = [row]
    while pending:
        current = pending.pop()
        for symbol in choices[current]:
            if symbol in came_from:
                continue
            came_from[symbol] = current
            if symbol in row_of:
                pending.append(row_of[symbol])
                continue
            free: Symbol | None = symbol
            while free is not None:
                owner = came_from[free]
                before = matched[owner]
                row_of[free], matched[owner] = owner, free
                free = before if owner != row else None
            return


def _candidates(q: Equation, own: set[Symbol]) -> list[Symbol]:
    found: dict[Symbol, None] = {}
    for side in (q.lhs, q.rhs):
        bare = side.args[0] if side.op is Op.NOT else side
        if bare.op is Op.REF and bare.data in own:
            found[bare.data] = None
    if q.lhs.type is Type.REAL or q.rhs.type is Type.REAL:
        for leaf in q.leaves:
            if leaf.op is Op.REF and leaf.data in own and leaf.data.type is Type.REAL:
                found[leaf.data] = None
    return list(found)
