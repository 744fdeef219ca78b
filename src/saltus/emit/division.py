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
    "relations",
    "settle_update",
    "tangents",
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

#: Bytes of text that are compiled with care besides what every step needs: some 100 milliseconds, and some 10
#: where a run is waiting.
CAREFUL_TEXT = 250_000
IN_A_HURRY = 15_000


def divided(
    program: Program, in_steps: str = "", seldom: str = "", *, hurry: bool = False
) -> list[tuple[str, Care]]:
    """The modules of a program, with call-backs for every step and others. A run that waits for the program
    is in a `hurry`."""
    functions, routines = printed(program)
    chosen = _chosen(routines, IN_A_HURRY if hurry else CAREFUL_TEXT)
    careful = {name: routine for name, routine in routines.items() if name in chosen}
    others = {name: routine for name, routine in routines.items() if name not in chosen}
    used = _used_functions(functions, careful.values())
    # Functions are the user's: they may have loops, or be worth to be inlined.
    care = Care.FULL if used else Care.LEAN
    modules = [(module_text(program, used, careful) + in_steps + ("" if hurry else seldom), care)]
    if others:
        used = _used_functions(functions, others.values())
        text = module_text(program, used, others) + (seldom if hurry else "")
        modules.append((text, Care.QUICK))
    return modules


def _chosen(routines: Mapping[str, Printed], room: int) -> set[str]:
    """The routines that are compiled with care: those of steps, and others as long as there is room."""
    chosen: set[str] = set()
    for name in (*_IN_STEPS, *_IN_EVENTS):
        if name not in routines:
            continue
        parts = _invoked(routines, name) - chosen
        size = 0 if name in _IN_STEPS else sum(len(routines[part].text) for part in parts)
        if size <= room:
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
