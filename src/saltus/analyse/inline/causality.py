"""Which states fix the causality of switches (paper 001, Mixed-mode Integration).

    L*der(i) = u,   0 = if open then i else u

With i as a state, the second equation has nothing left to determine while the switch is open, and nothing
determines u and `der(i)`: the run needs a program of its own for that mode. With a formula for i, it does
not.

`saltus.analyse.modes.modes.fixing` finds the modes in which equations lose what they determine. In each of
them the states are sought whose derivatives nothing determines any more: these may jump when the mode is
entered, as both speeds do when a clutch closes, and have to be inlined together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from saltus.analyse.modes.modes import ModeGuards
from saltus.analyse.order.sort import sorted_components
from saltus.analyse.order.system import System, dependencies
from saltus.expr.nodes import Expr, Op, leaf_symbol


def undetermined_rates(system: System) -> set[str]:
    """The names of states whose derivatives the running system of a mode leaves undetermined: they are
    reached from what cannot be matched, from unknown to equation to the unknown that it determines."""
    matched = system.match()
    row_users: list[list[int]] = [[] for _ in system.unknowns]
    for row, columns in enumerate(system.solvable):
        if system.claims[row] < 0:
            for column in columns:
                row_users[column].append(row)
    found = _reached(row_users, matched, set(range(system.continuous)).difference(matched))
    reached = (system.unknowns[column] for column in found)
    return {leaf_symbol(x).name for x in reached if x.op is Op.DER}


def constrained_states(system: System, states: Collection[Expr]) -> set[str]:
    """The names of states on which the running system of a mode makes a condition: those in equations that
    determine nothing, and in others that these lead to."""
    matched = system.match()
    row_of = {column: row for row, column in enumerate(matched) if column >= 0}
    found, rows = set[str](), set[int]()
    pending = [row for row, column in enumerate(matched) if column < 0]
    while pending:
        row = pending.pop()
        if row not in rows:
            rows.add(row)
            found |= {leaf_symbol(x).name for x in system.equations[row].leaves if x in states}
            pending += (row_of[c] for c in system.uses[row] if c in row_of and c < system.continuous)
    return found


def switching_states(system: System, guards: ModeGuards) -> set[str]:
    """The names of inlined variables that depend on each other with something that switches, in a running
    system with their formulas: the structure does not show what the numbers imply."""
    found: set[str] = set()
    matched = system.match()
    for rows in sorted_components(dependencies(system, matched)):
        if any(guards.of(system.equations[row].lhs, system.equations[row].rhs) for row in rows):
            symbols = (leaf_symbol(system.unknowns[matched[row]]) for row in rows)
            found |= {s.derivative_of.name for s in symbols if s.derivative_of is not None}
    return found


def _reached(row_users: Sequence[Sequence[int]], matched: Sequence[int], begin: Iterable[int]) -> set[int]:
    found, pending = set[int](), list(begin)
    while pending:
        column = pending.pop()
        if column not in found and column >= 0:
            found.add(column)
            pending += (matched[row] for row in row_users[column])
    return found
