"""What infinitely many impacts wear off.

Most jumps of an impact are in proportion to how fast it was: dry friction takes its part of the impulse from
a horizontal speed. Where impacts have accumulated, the reaction goes on with that. Other jumps are in
proportion to what jumps itself: each impact leaves 80 % of a horizontal speed, however weak it is. Infinitely
many of them wear that off within no time, and there is no force in it: it has the limit of all these jumps.
Others again fade faster than the impacts, as the heat does that goes with the square of their speed. Of these
there is an end, but a reaction makes no heat.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.expr.differentiate import NotDifferentiable, differentiate
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import Expr, Op, leaf_symbol, pre, ref
from saltus.ir.hybrid import Jump
from saltus.run.engine.engine import Engine

#: A clause made a state jump if its value agrees with the one after the event to this part of it.
SAME = 1e-6

#: Impacts that leave all but this part of what they act on are those of a reaction.
LEAST_WORN = 1e-9

#: Jumps fade faster than impacts if, from one to the next, less than this part of them is left in comparison.
FADES = 0.995

Values = Mapping[str, float]


def worn_off(engine: Engine, names: Iterable[str], before: Values, after: Values) -> dict[str, float]:
    """Of these states, which jumped at an impact and have no part in how fast it was, those that impacts wear
    off, with their limits; from the values before and after it. Not a number where there is no limit."""
    found = {name: clause for name in names if (clause := _clause(engine, name, before, after)) is not None}
    clauses = found.values()
    try:
        parts = np.array([[_part(engine, c, of, before, after) for of in clauses] for c in clauses])
    except (NotDifferentiable, NotEvaluable, ArithmeticError, ValueError):
        return {}
    wears = [bool(np.abs(row).max() > LEAST_WORN) for row in parts - np.eye(len(found))]
    worn = [name for name, is_worn in zip(found, wears, strict=True) if is_worn]
    if not worn:
        return {}
    matrix = parts[np.ix_(wears, wears)]
    old, new = (np.array([values[name] for name in worn]) for values in (before, after))
    limits = dict(zip(worn, (old + _sum(matrix, new - old)).tolist(), strict=True))
    for name in worn:  # jumps that do not fade, and what is no part of itself but any other function
        size = max(abs(before[name]), abs(after[name]))
        next_one = _number(engine, found[name].value, {**before, **limits}, after)
        if not abs(next_one - limits[name]) <= SAME * size:
            limits[name] = math.nan
    return limits


def _sum(matrix: NDArray[np.float64], first: NDArray[np.float64]) -> NDArray[np.float64]:
    """All jumps together, each of which is the matrix times the one before; not a number where they do not
    fade. What no impact changes, such as a momentum, has no part in them."""
    values = np.linalg.eigvals(matrix)
    if np.any((np.abs(values) >= 1.0 - LEAST_WORN) & (np.abs(values - 1.0) > LEAST_WORN)):
        return np.full_like(first, np.nan)
    left = np.eye(len(first)) - matrix
    found: NDArray[np.float64] = left @ np.linalg.lstsq(left @ left, first, rcond=LEAST_WORN)[0]
    return found


def fades(jumps: Sequence[float], impacts: Sequence[float]) -> float | None:
    """All jumps that are still to come, if these fade faster than the impacts that they belong to."""
    if not all(jumps) or not all(impacts):
        return None
    once, again = (b / a for a, b in pairwise(jumps))
    slower = [b / a for a, b in pairwise(impacts)]
    if not max(abs(once / slower[0]), abs(again / slower[1])) < FADES or not 0.0 < again < 1.0:
        return None
    return jumps[-1] * again / (1.0 - again)


def _clause(engine: Engine, name: str, before: Values, after: Values) -> Jump | None:
    """The clause that made a state jump."""
    for jump in engine.structure.model.jumps:
        if jump.state.name == name and name in before and name in after:
            try:
                value = _number(engine, jump.value, before, after)
            except (NotEvaluable, ArithmeticError, ValueError):
                continue
            if abs(value - after[name]) <= SAME * max(abs(after[name]), abs(before[name])):
                return jump
    return None


def _part(engine: Engine, clause: Jump, of: Jump, before: Values, after: Values) -> float:
    """The part of one state before an impact that another one, or it itself, has after it."""
    return _number(engine, differentiate(clause.value, pre(ref(of.state))), before, after)


def _number(engine: Engine, e: Expr, before: Values, after: Values) -> float:
    """The value of an expression at an event."""

    def value(leaf: Expr) -> Any:
        name = leaf_symbol(leaf).name
        row = before if leaf.op is Op.PRE else after
        return row[name] if name in row and leaf.op is not Op.DER else engine.memory.value(leaf)

    return float(evaluate(e, value))
