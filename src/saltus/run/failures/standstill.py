"""A stuck run: countless steps in which no state moves. Where the right-hand side jumps without an event
(`sign(v)`, `noEvent(if v > 0 ...)`), and both sides push towards the jump, an integrator oscillates across it
in steps as small as its tolerance. With an event the run would slide there (`saltus.run.surfaces`).
"""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.diagnostics import Diagnostic, Note, RunError
from saltus.core.source import Span
from saltus.expr.nodes import RELATIONS, Expr, Op, sub
from saltus.expr.show import show
from saltus.expr.traversal import walk
from saltus.ir.sorted.blocks import block_expressions
from saltus.run.failures.phrases import SHOWN
from saltus.run.memory.memory import Memory

#: A compared expression is at its jump if it is no further from zero than this many tolerances.
NEAR_IN_TIME = 1e3


def standstill(memory: Memory, steps: int, passed: float, tolerance: float) -> RunError:
    """E405 for a run that stands still."""
    found = dict(_jumps(memory, NEAR_IN_TIME * tolerance))
    notes = [Note(f"`{text}` jumps here, and generates no event", span) for text, span in found.items()]
    return RunError(
        Diagnostic(
            "E405",
            f"the run is stuck at time {memory.time:.9g}: the last {steps} steps have advanced no more than "
            f"{passed:.3g} s, and no state has moved",
            next(iter(found.values()), memory.structure.model.span),
            tuple(notes[:SHOWN]),
            "something jumps back and forth here without an event. Give it one: `if x > 0 then 1 else -1` in "
            "place of `sign(x)`, a relation outside `noEvent`; then the run slides along the jump",
        )
    )


def _jumps(memory: Memory, near: float) -> Iterator[tuple[str, Span]]:
    """What jumps without an event in the equations of a program, near the present values."""
    for block in memory.blocks:
        for e in block_expressions(block):
            for node in walk(e):
                for compared in _compared(node):
                    if abs(memory.number(compared, 1.0)) <= near:
                        yield show(node), block.equations[0].span


def _compared(node: Expr) -> Iterator[Expr]:
    if node.op is Op.CALL and node.data == "sign":
        yield node.args[0]
    elif node.op is Op.NOEVENT:
        for inside in walk(node.args[0]):
            if inside.op in RELATIONS:
                yield sub(*inside.args)
