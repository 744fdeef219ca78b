"""Start values as a routine: guesses for the initial system, and values before the start."""

from __future__ import annotations

from saltus.expr.nodes import LEAVES, Expr, Op, Type, const
from saltus.expr.traversal import walk
from saltus.ir.program import Store
from saltus.run.memory.memory import Memory, start_number

#: What C has words for, besides leaves.
_PLAIN = frozenset({Op.ADD, Op.MUL, Op.NEG, Op.DIV, Op.POW, Op.NOT, Op.AND, Op.OR, Op.IF, Op.CALL})


def start_values(memory: Memory) -> tuple[Store, ...]:
    """A statement for each variable that has a start value. One that C cannot compute is what it is now."""
    structure, found = memory.structure, []
    sections = {
        "states": structure.states,
        "algebraics": structure.algebraics,
        "discretes": structure.discretes,
    }
    for section, variables in sections.items():
        for slot, v in enumerate(variables, memory.first(section)):
            if v.symbol.type is Type.STRING:
                continue
            plain = v.start is not None and _is_plain(memory, v.start)
            value = v.start if plain and v.start is not None else const(start_number(memory, v))
            found.append(Store(slot, value))
    return tuple(found)


def _is_plain(memory: Memory, e: Expr) -> bool:
    """Whether C can compute a start value."""
    slots = memory.layout.slots
    return (
        all(
            node in slots or node.op is Op.CONST if node.op in LEAVES else node.op in _PLAIN
            for node in walk(e)
        )
        and e.type is not Type.STRING
    )
