"""Divisors that a parameter makes zero, always or in some modes.

An equation that is computed by itself may divide by what guards choose:

    i = if off then Goff*s else s       for s:    s = i/(if off then Goff else 1)

The structure shows nothing wrong, since the value of `Goff` is not known. Where it is zero, the equation
determines nothing while the element is off. That is found when a run begins, from the divisors alone; the
mode then takes the parameter for granted, too: it is a guard that never changes. This also works without
guards: between two capacitors a resistor of zero ohms is a wire, and one of the voltages is not a state. A
Boolean parameter that decides whether there is a divisor is taken for granted with its value. What the model
itself divides by is left alone, and so is what stands in a branch that parameters do not choose (the field of
a point mass, at that point, in a world with parallel gravity).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from weakref import WeakKeyDictionary

from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import Expr, Op, Type, ref
from saltus.expr.traversal import leaves, walk
from saltus.ir.sorted.blocks import Block, Explicit, solving
from saltus.ir.sorted.modes import Mode
from saltus.ir.structure import Structure
from saltus.run.engine.engine import Engine

#: Guards of one divisor whose values are tried.
_TRIED = 6

#: What was found, for the next run: divisors, with what stands in them and the formulas that they stand in.
_known: WeakKeyDictionary[Structure, dict[Expr, tuple[list[Expr], list[Expr]]]] = WeakKeyDictionary()


def vanishing(engine: Engine) -> Iterator[Mode]:
    """The values of guards, and of parameters that are zero, with which a divisor is zero."""
    divisors = _divisors(engine.structure)
    if not divisors:
        return
    cells, slots = engine.memory.cells, engine.mode.guards.parameters
    inside = {leaf for found, _ in divisors.values() for leaf in found if leaf in slots}
    zero = {leaf for leaf in inside if cells[slots[leaf]] == 0.0}
    if not zero and all(leaf.type is not Type.BOOLEAN for leaf in inside):
        return
    guards = frozenset(engine.structure.model.mode_guards())
    for divisor, (found, formulas) in divisors.items():
        if any(leaf in zero or (leaf.type is Type.BOOLEAN and leaf in slots) for leaf in found):
            modes = list(_zeros(engine, divisor, found, guards))
            if modes and any(_is_computed(engine, divisor, e) for e in formulas):
                yield from modes


def _is_computed(engine: Engine, divisor: Expr, formula: Expr) -> bool:
    """Whether a divisor is in a branch of a formula that parameters, as they are, leave possible."""
    model, cells, slots = engine.structure.model, engine.memory.cells, engine.memory.layout.slots
    known = {ref(v.symbol) for v in (*model.constants, *model.parameters)}

    def value(leaf: Expr) -> float | bool:
        if leaf not in known or leaf not in slots:
            raise NotEvaluable(leaf)
        return _number(leaf, cells[slots[leaf]])

    pending, seen = [formula], set[Expr]()
    while pending:
        e = pending.pop()
        if e is divisor:
            return True
        if e in seen:
            continue
        seen.add(e)
        parts = e.args
        if e.op is Op.IF:
            with suppress(NotEvaluable, ArithmeticError, ValueError):
                parts = (e.args[1] if evaluate(e.args[0], value) else e.args[2],)
        pending += parts
    return False


def _number(leaf: Expr, number: float) -> float | bool:
    return bool(number) if leaf.type is Type.BOOLEAN else number


def _divisors(structure: Structure) -> dict[Expr, tuple[list[Expr], list[Expr]]]:
    """All that depend on a truth, and those that come from solving an equation, with their leaves and the
    formulas in which they are."""
    known = _known.get(structure)
    if known is None:
        known = _known[structure] = {}
        for block in solving(structure.blocks):
            if not isinstance(block, Explicit):
                continue
            divisors = list(divided_by(block.value))
            written = _written(block) if divisors else set()
            for e in divisors:
                found = list(dict.fromkeys(leaves(e)))
                if e not in written or any(leaf.type is Type.BOOLEAN for leaf in found):
                    known.setdefault(e, (found, []))[1].append(block.value)
    return known


def divides_by_zero(engine: Engine, block: Block) -> bool:
    """Whether a block divides by what guards, as they and parameters are now, make zero."""
    if not isinstance(block, Explicit):
        return False
    cells, slots, parameters = engine.memory.cells, engine.memory.layout.slots, engine.mode.guards.parameters
    guards = engine.structure.model.mode_guards()
    known = {*parameters, *guards}.intersection(slots)
    for divisor in divided_by(block.value):
        found = set(leaves(divisor))
        if found <= known and not found.isdisjoint(guards):
            with suppress(NotEvaluable, ArithmeticError, ValueError):
                if evaluate(divisor, lambda leaf: _number(leaf, cells[slots[leaf]])) == 0.0:
                    return True
    return False


def divides_by_itself(block: Block) -> bool:
    """Whether the model divides in the equation of a block, and solving it brings no other divisor."""
    return isinstance(block, Explicit) and _written(block).issuperset(divided_by(block.value))


def _written(block: Block) -> set[Expr]:
    return {e for q in block.equations for side in (q.lhs, q.rhs) for e in divided_by(side)}


def divided_by(e: Expr) -> Iterator[Expr]:
    """All divisors in an expression."""
    return (node.args[1] for node in walk(e) if node.op is Op.DIV)


def _zeros(
    engine: Engine, divisor: Expr, found: Sequence[Expr], known_guards: frozenset[Expr]
) -> Iterator[Mode]:
    known = dict(engine.structure.mode.fixed)
    cells, slots = engine.memory.cells, engine.memory.layout.slots
    guards = [leaf for leaf in found if leaf in known_guards]
    numbers = {leaf: cells[slots[leaf]] for leaf in found if leaf not in guards and leaf in slots}
    fixed = [leaf for leaf in numbers if leaf in engine.mode.guards.parameters]
    zero = {leaf: float(numbers[leaf]) for leaf in fixed if leaf.type is Type.BOOLEAN or numbers[leaf] == 0.0}
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
            taken = {leaf: float(truth) for leaf, truth in zip(guards, truths, strict=True)}
            yield Mode.of({**known, **zero, **taken})
