"""Numbers that are none: not finite, too large for an Integer, or divided by zero."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError
from saltus.expr.evaluate import LARGE_OPERATIONS, NotEvaluable, evaluate
from saltus.expr.nodes import LARGEST_INTEGER, Expr, Op, Type
from saltus.expr.show import show
from saltus.expr.traversal import leaves, walk
from saltus.functions.interpret import call_function
from saltus.ir.program import Layout
from saltus.ir.sorted.blocks import (
    Block,
    Explicit,
    Leading,
    Leap,
    Linear,
    Nonlinear,
    Switched,
    block_expressions,
)
from saltus.run.failures.phrases import SHOWN, at_time, leaf_values
from saltus.run.memory.memory import Memory

#: Operations whose Integers may be too large, in themselves or in the body of a function.
_MAY_OVERFLOW = LARGE_OPERATIONS | {Op.APPLY}


def not_finite(memory: Memory, blocks: Iterable[Block]) -> RunError | None:
    """E402 or E407 for the first variable, in the order of computation, that is not finite."""
    found = first_not_finite(memory, blocks)
    return None if found is None else RunError(found)


def first_not_finite(memory: Memory, blocks: Iterable[Block]) -> Diagnostic | None:
    """E402 or E407 for the first variable, in the order of computation, that is not finite."""
    blocks = tuple(blocks)
    if np.isfinite(memory.array[_slots_of(memory.layout, blocks)]).all():
        return None
    for block in blocks:
        for unknown in block.unknowns:
            slot = memory.layout.slots.get(unknown)
            if slot is None or math.isfinite(memory.array[slot]):
                continue
            return zero_denominator(memory, block) or _invalid(memory, block, unknown)
    return None


@lru_cache(maxsize=16)
def _slots_of(layout: Layout, blocks: tuple[Block, ...]) -> NDArray[np.intp]:
    slots = (layout.slots.get(unknown) for block in blocks for unknown in block.unknowns)
    return np.array([slot for slot in slots if slot is not None], dtype=np.intp)


def _invalid(memory: Memory, block: Block, unknown: Expr) -> Diagnostic:
    slot = memory.layout.slots[unknown]
    value = float(memory.array[slot])
    word = "not a number" if math.isnan(value) else "infinite"
    at = block.unknowns.index(unknown)
    equation = block.equations[min(at, len(block.equations) - 1)]
    notes: list[Note] = []
    for e in block_expressions(block):
        for leaf in leaf_values(memory, e)[: SHOWN - len(notes)]:
            notes.append(Note(leaf))
    return Diagnostic(
        "E407",
        f"`{show(unknown)}` is {word} {at_time(memory)}",
        equation.span,
        tuple(notes[:SHOWN]),
        origin=equation.origin,
    )


def too_large(memory: Memory, *, initial: bool) -> Diagnostic:
    """E413 for the first variable, in the order of computation, that needs an Integer which is too large."""
    model = memory.structure.model
    bindings = [
        (v.name, v.binding, v.span, "")
        for v in (*model.constants, *model.parameters)
        if v.binding is not None and v.symbol.type is not Type.STRING
    ]
    equations = [
        (show(u), e, q.span, q.origin)
        for block in (*(memory.structure.initial if initial else ()), *memory.blocks)
        for u, e, q in zip(block.unknowns, _per_equation(block), block.equations, strict=False)
    ]
    conditions = [(r.text, r.residue, r.span, r.origin) for r in model.relations]
    candidates = (*bindings, *equations, *conditions)
    # An event that failed has been undone, and its clocks tick no more: so variables that are computed at
    # ticks only are also searched for in branches.
    inner = ((n, part, s, o) for n, e, s, o in candidates for part in walk(e) if part.op in _MAY_OVERFLOW)
    for name, e, span, origin in (*candidates, *inner):
        reason = _overflow(memory, e)
        if reason is not None:
            notes = tuple(Note(leaf) for leaf in leaf_values(memory, e)[:SHOWN])
            message = f"`{name}` cannot be computed {at_time(memory)}: {reason}"
            return Diagnostic("E413", message, span, notes, origin=origin)
    return Diagnostic("E413", f"an Integer is beyond {LARGEST_INTEGER} (2^53 - 1) {at_time(memory)}")


def _overflow(memory: Memory, e: Expr) -> str | None:
    """In which words an expression has no value because of an Integer that is too large."""
    try:
        evaluate(e, memory.value, apply=call_function)
    except OverflowError as error:
        return str(error)
    except ModelError as error:  # from the body of a function
        (told, *_) = error.diagnostics
        return told.message if told.code == "E413" else None
    except (NotEvaluable, ArithmeticError, ValueError, TypeError, IndexError):
        return None
    return None


def zero_denominator(memory: Memory, block: Block, nearly: float = 0.0) -> Diagnostic | None:
    """The division in a block whose denominator is zero now, or `nearly` so compared with its terms."""
    for i, e in enumerate(_per_equation(block)):
        for node in walk(e):
            zero = node.args[1] if node.op is Op.DIV else None
            if zero is None:
                continue
            try:
                value = float(memory.evaluate(zero))
                terms = zero.args if zero.op is Op.ADD else ()
                size = max((abs(float(memory.evaluate(t))) for t in terms), default=0.0)
                if value != 0.0 and not abs(value) < nearly * size:
                    continue
            except (NotEvaluable, ArithmeticError, ValueError, TypeError):
                continue
            equation = block.equations[min(i, len(block.equations) - 1)]
            return Diagnostic(
                "E402",
                f"the divisor {_divisor(zero, value)} {at_time(memory)}",
                equation.span,
                (Note(f"in the equation for `{show(block.unknowns[min(i, len(block.unknowns) - 1)])}`"),),
                origin=equation.origin,
            )
    return None


def _divisor(e: Expr, value: float) -> str:
    if not leaves(e):
        return "is always 0"
    return f"`{show(e)}` is 0" if value == 0.0 else f"`{show(e)}` goes to 0"


def _per_equation(block: Block) -> list[Expr]:
    match block:
        case Explicit():
            return [block.value]
        case Nonlinear():
            return list(block.residuals)
        case Linear():
            # The right sides first: they are in the order of the equations.
            return [*block.right, *(e for _, _, e in block.matrix)]
        case Switched():
            return [e for inner in block.inner for e in _per_equation(inner)]
        case Leading() | Leap():
            return list(block.rest)
