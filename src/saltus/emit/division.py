"""A program as modules that are compiled with different care.

A step of the integrator needs a small part of a large program: the derivatives, the crossing functions.
What is done once per event, per row of the result or per run is most of the text, and would take most of the
compiler's time. Good machine code is made for the first, and for as many of the others as are soon done, the
most often used first. Each module declares what it calls in the other; both are loaded side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from saltus.emit.llvm import Printed, module_text, printed
from saltus.emit.object_code import Care
from saltus.ir.program import Program

#: Routines that an integrator calls in every step, and their parts.
_IN_STEPS = ("derivatives", "crossings", "watch", "residual")

#: Others, the most often used first.
_IN_EVENTS = (
    "tangents",
    "relations",
    "settle_update",
    "evaluate",
    "settle",
    "outputs",
    "checks",
    "jumps",
    "commit",
    "approach",
    "presume",
    "fire",
    "depart",
    "remembered",
)

#: Bytes of text that are compiled with care, if those for every step do not need more: 40 milliseconds.
CAREFUL_TEXT = 100_000


def divided(program: Program, extra: str = "") -> list[tuple[str, Care]]:
    """The modules of a program. `extra` is text that calls its routines in every step."""
    functions, routines = printed(program)
    chosen = _chosen(routines)
    careful = {name: routine for name, routine in routines.items() if name in chosen}
    others = {name: routine for name, routine in routines.items() if name not in chosen}
    used = _used_functions(functions, careful.values())
    # Functions are the user's: they may have loops, or be worth to be inlined.
    care = Care.FULL if used else Care.LEAN
    modules = [(module_text(program, used, careful) + extra, care)]
    if others:
        used = _used_functions(functions, others.values())
        modules.append((module_text(program, used, others), Care.QUICK))
    return modules


def _chosen(routines: Mapping[str, Printed]) -> set[str]:
    """The routines that are compiled with care."""
    chosen: set[str] = set()
    room = CAREFUL_TEXT
    for name in (*_IN_STEPS, *_IN_EVENTS):
        if name not in routines:
            continue
        parts = _invoked(routines, name) - chosen
        size = sum(len(routines[part].text) for part in parts)
        if size <= room or name in _IN_STEPS:
            chosen |= parts
            room -= size
    return chosen


def _invoked(routines: Mapping[str, Printed], name: str) -> set[str]:
    """A routine and all that it invokes, directly or not."""
    found: set[str] = set()
    stack = [name]
    while stack:
        routine = stack.pop()
        if routine not in found:
            found.add(routine)
            stack.extend(routines[routine].routines)
    return found


def _used_functions(functions: Mapping[str, Printed], by: Iterable[Printed]) -> dict[str, Printed]:
    used: set[str] = set()
    stack = [name for p in by for name in p.functions]
    while stack:
        name = stack.pop()
        if name not in used:
            used.add(name)
            stack.extend(functions[name].functions)
    return {name: f for name, f in functions.items() if name in used}
