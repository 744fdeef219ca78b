"""Divisors that a parameter makes zero, always or in some modes.

An equation that is computed by itself may divide by what guards choose:

    i = if off then Goff*s else s       for s:    s = i/(if off then Goff else 1)

Structure sees nothing wrong, since nobody knows what `Goff` will be set to. Where it is zero, the equation
determines nothing while the element is off. That is found when a run begins, from the divisors alone; the
mode then takes the parameter for granted, too: it is a guard that never changes. Without guards it is the
same: between two capacitors a resistor of zero ohms is a wire, and one of the voltages is no state. What the
model itself divides by is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from weakref import WeakKeyDictionary

from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import Expr, Op, Type, leaf_symbol, leaves, walk
from saltus.ir.structure import WATCHED_SPAN, Explicit, Mode, Structure
from saltus.run.engine import Engine

#: Guards of one divisor whose values are tried.
_TRIED = 6

#: What was found, for the next run.
_known: WeakKeyDictionary[Structure, list[Expr]] = WeakKeyDictionary()


def vanishing(engine: Engine) -> Iterator[Mode]:
    """The values of guards, and of parameters that are zero, with which a divisor is zero."""
    known = dict(engine.structure.mode.fixed)
    for divisor in _divisors(engine.structure):
        yield from _zeros(engine, divisor, known)


def _divisors(structure: Structure) -> list[Expr]:
    """All that depend on a truth, and those that come from solving an equation, each once."""
    found = _known.get(structure)
    if found is None:
        chosen: list[Expr] = []
        for block in structure.blocks:
            if isinstance(block, Explicit):
                written = {e for q in block.equations for side in (q.lhs, q.rhs) for e in _divided_by(side)}
                chosen += (e for e in _divided_by(block.value) if e not in written or _is_chosen(e))
        found = _known[structure] = list(dict.fromkeys(chosen))
    return found


def _divided_by(e: Expr) -> Iterator[Expr]:
    return (node.args[1] for node in walk(e) if node.op is Op.DIV)


def _is_chosen(divisor: Expr) -> bool:
    return any(leaf.type is Type.BOOLEAN for leaf in leaves(divisor))


def _zeros(engine: Engine, divisor: Expr, known: dict[str, float]) -> Iterator[Mode]:
    cells, slots = engine.memory.cells, engine.memory.layout.slots
    found = list(dict.fromkeys(leaves(divisor)))
    names = {leaf: name for name, leaf in engine.structure.model.guards().items()}
    guards = [leaf for leaf in found if leaf in names]
    names |= {leaf: leaf_symbol(leaf).name for leaf in found if leaf.op is Op.REF}
    numbers = {leaf: cells[slots[leaf]] for leaf in found if leaf not in guards and leaf in slots}
    fixed = [leaf for leaf in numbers if names.get(leaf) in engine.parameter_slots]
    zero = {names[leaf]: 0.0 for leaf in fixed if numbers[leaf] == 0.0 and names[leaf] != WATCHED_SPAN}
    logical = all(leaf.type is Type.BOOLEAN for leaf in guards)
    if not zero or len(guards) > _TRIED or not logical or len(guards) + len(fixed) < len(found):
        return
    for truths in product((False, True), repeat=len(guards)):
        values = {**numbers, **dict(zip(guards, truths, strict=True))}
        try:
            vanishes = evaluate(divisor, values.__getitem__) == 0.0
        except (NotEvaluable, ArithmeticError, ValueError):
            continue
        if vanishes:
            taken = {names[leaf]: float(truth) for leaf, truth in zip(guards, truths, strict=True)}
            yield Mode(tuple(sorted({**known, **zero, **taken}.items())))
