"""A program as modules that are compiled with different care.

A step of the integrator needs a small part of a large program: the derivatives, the crossing functions.
What is done once per event, per row of the result or per run is most of the text, and would take most of the
compiler's time. Good machine code is made for the first, and for as many of the others as are soon done, the
most often used first. Each module declares what it calls in the other; both are loaded side by side.

What a run needs before its first step is apart: where another program goes on then, the rest is never
compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from saltus.emit.llvm.llvm import Printed, module_text, printed
from saltus.emit.llvm.object_code import Care
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

#: What the beginning of a run takes, up to the choice of the mode in which it goes on.
_AT_START = ("parameters", "initial", "settle_initial", "settle_initial_update", "relations", "checks")

#: Bytes of text that are compiled with care besides what every step needs: some 100 milliseconds.
CAREFUL_TEXT = 250_000

#: Bytes of text in all that are compiled with care where a run is waiting: some 20 milliseconds. What every
#: step needs is among it, or nothing is: a larger program is faster by a twentieth, and ready twice as late.
IN_A_HURRY = 50_000

#: What is done only where a coefficient of a system has changed, or at an instant.
_AT_CHANGES = ("system_structure", "system_inverses", "system_leap", "system_lower", "system_noted")

#: Bytes of text, tables included, from which loops go through so much that the full pipeline pays, and makes
#: them faster by a third: for those of steps it takes some 50 milliseconds more, for those where something
#: has changed 200.
LONG_LOOPS, LONG_CHANGES = 100_000, 1_500_000


class Hurry(Enum):
    """How urgently a run needs a program."""

    NONE = "no run waits for it yet"
    SOME = "some time is well spent on what every step needs"
    GREAT = "there are many programs: machine code at once"


@dataclass(frozen=True)
class Divided:
    """The modules of a program, with the care that each deserves. A run that has not begun yet needs `first`
    only; `names` are the routines in there. What is in `rest` calls them, never the other way round."""

    first: tuple[tuple[str, Care], ...]
    rest: tuple[tuple[str, Care], ...]
    names: frozenset[str]


_least = Hurry.NONE


def hasten() -> None:
    """From now on this process makes machine code at once, for all models: where many models are run for a
    short time each. Results are the same to the last bit."""
    global _least
    _least = Hurry.GREAT


def divided(program: Program, callbacks: str = "", hurry: Hurry = Hurry.NONE) -> Divided:
    """The modules of a program, among the rest that with the call-backs. Of a program that cannot start a
    run, all of it is the rest."""
    functions, routines = printed(program)
    chosen = _chosen(routines, Hurry.GREAT if _least is Hurry.GREAT else hurry)
    starts = [name for name in _AT_START if name in routines and "initial" in routines]
    names = frozenset(found for name in starts for found in _invoked(routines, name))
    first = _modules(program, functions, {n: r for n, r in routines.items() if n in names}, chosen)
    rest = _modules(program, functions, {n: r for n, r in routines.items() if n not in names}, chosen)
    (text, care), *others = rest or [(module_text(program, {}, {}), Care.QUICK)]
    return Divided(tuple(first), ((text + callbacks, care), *others), names)


def _modules(
    program: Program, functions: Mapping[str, Printed], routines: Mapping[str, Printed], chosen: set[str]
) -> list[tuple[str, Care]]:
    careful = {name: routine for name, routine in routines.items() if name in chosen}
    others = {name: routine for name, routine in routines.items() if name not in chosen}
    modules: list[tuple[str, Care]] = []
    loops = {name for name, routine in careful.items() if routine.loops}
    changes = set().union(*(_invoked(routines, name) for name in _AT_CHANGES if name in routines))
    if "system_follow" in routines:
        changes -= _invoked(routines, "system_follow")
    full: set[str] = set()
    for own, long in ((loops - changes, LONG_LOOPS), (loops & changes, LONG_CHANGES)):
        full |= own if _size(routines, own) > long else set()
    if full:
        long_loops = {name: routine for name, routine in careful.items() if name in full}
        careful = {name: routine for name, routine in careful.items() if name not in full}
        modules.append((module_text(program, {}, long_loops), Care.FULL))
    if careful:
        used = _used_functions(functions, careful.values())
        # Functions are the user's: they may have loops, or be worth to be inlined.
        modules.append((module_text(program, used, careful), Care.FULL if used else Care.LEAN))
    if others:
        used = _used_functions(functions, others.values())
        modules.append((module_text(program, used, others), Care.QUICK))
    return modules


def _chosen(routines: Mapping[str, Printed], hurry: Hurry) -> set[str]:
    """The routines that are compiled with care: loops that are short but long at work, those of steps, and
    others as long as there is room."""
    loops = {name for name, routine in routines.items() if routine.loops}
    if hurry is Hurry.GREAT:
        return loops
    chosen: set[str] = set()
    for name in _IN_STEPS:
        if name in routines:
            chosen |= _invoked(routines, name)
    room = CAREFUL_TEXT
    if hurry is Hurry.SOME:
        room = IN_A_HURRY - _size(routines, chosen - loops)
        if room < 0:
            return loops
    chosen |= loops
    for name in _IN_EVENTS:
        if name in routines:
            parts = _invoked(routines, name) - chosen
            size = _size(routines, parts)
            if size <= room:
                chosen |= parts
                room -= size
    return chosen


def _size(routines: Mapping[str, Printed], names: Iterable[str]) -> int:
    return sum(len(routines[name].text) for name in names)


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
