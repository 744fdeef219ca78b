"""The modes that a run has visited: the listing of `saltus explain --modes`.

    MODES OF Limiter from time 0 to 10
      3 modes, 8 stays

    TIMELINE
      from      to        mode
      0         0.523599  1

    MODE 1
      visited 4 times, 4.24 s in all
      guards          not limit.x > limit.highLimit   Limiter.mo:11
      fixed           none: the equations keep all branches
      states          1: area
      index           0
      largest block   1
      open            nothing
      SORTED EQUATIONS
        ...

Modes with the same equations, which differ in the values of guards only, refer to the first one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from saltus.core.wording import number
from saltus.ir.structure import Structure
from saltus.result.modes.modes import aligned
from saltus.result.modes.stays import Mode
from saltus.result.result import Result
from saltus.result.words.places import place
from saltus.show.listings.sorted import sorted_only

#: Stays and modes that are listed; the rest is counted.
LISTED = 40

_WIDTH = 16


def modes_text(result: Result) -> str:
    """The listing."""
    modes = result.modes
    sections = [list(_summary(result)), list(_components(result)), list(_timeline(result))]
    first: dict[Structure, int] = {}
    for mode in modes.visited[:LISTED]:
        known = first.setdefault(mode.structure, mode.number)
        sections.append(list(_mode(result, mode, known)))
    if len(modes.visited) > LISTED:
        sections.append([f"... and {number(len(modes.visited) - LISTED, 'mode')} more"])
    return "\n\n".join("\n".join(line.rstrip() for line in lines) for lines in sections if lines) + "\n"


def _summary(result: Result) -> Iterator[str]:
    span = f" from time {result.time[0]:g} to {result.time[-1]:g}" if len(result) else ""
    yield f"MODES OF {result.model}{span}"
    modes = result.modes
    yield f"  {number(len(modes.visited), 'mode')}, {number(len(modes), 'stay')}"


def _components(result: Result) -> Iterator[str]:
    """Where several parts decide for themselves: what each of them was, and how often that changed."""
    turning = [c for c in result.modes.components if len(c.stays) > 1]
    if len(turning) < 2:
        return
    yield "COMPONENTS"
    rows = [(c.name, f"{len(c.stays)}", ", ".join(map(str, c.stays[-1].guards))) for c in turning[:LISTED]]
    yield from aligned([("component", "stays", "at the end"), *rows])
    if len(turning) > LISTED:
        yield f"  ... and {len(turning) - LISTED} more"


def _timeline(result: Result) -> Iterator[str]:
    modes = result.modes
    if len(modes) < 2:
        return
    yield "TIMELINE"
    rows = [(f"{s.start:.9g}", f"{s.stop:.9g}", f"{s.mode.number}") for s in modes[:LISTED]]
    yield from aligned([("from", "to", "mode"), *rows])
    if len(modes) > LISTED:
        yield f"  ... and {len(modes) - LISTED} more"


def _mode(result: Result, mode: Mode, known: int) -> Iterator[str]:
    visits = [s for s in result.modes if s.mode is mode]
    yield f"MODE {mode.number}"
    yield f"  visited {_times(len(visits))}, {result.modes.duration(mode):.6g} s in all"
    width = max((len(str(g)) for g in mode.guards), default=0)
    guards = [f"{g!s:<{width}}  {place(g.span) if g.span is not None else ''}" for g in mode.guards]
    yield from _entry("guards", guards or ["none"])
    free = "none: the equations keep all branches" if guards else "none"
    yield from _entry("fixed", [f"{g}: {mode.why}" for g in mode.fixed] or [free])
    yield from _entry("states", [_listed(mode.states)])
    yield from _entry("index", [str(mode.index)])
    yield from _entry("largest block", [str(mode.largest_block)])
    yield from _entry("open", [_listed(mode.open) if mode.open else "nothing"])
    absent = [v.name for v in mode.structure.model.absent]
    if absent:
        yield from _entry("absent", [_listed(absent)])
    if known != mode.number:
        yield f"  equations as in mode {known}"
        return
    yield "  SORTED EQUATIONS"
    yield from (f"  {line}" for line in sorted_only(mode.structure))


def _entry(what: str, lines: Sequence[str]) -> Iterator[str]:
    for k, line in enumerate(lines):
        yield f"  {what if k == 0 else '':<{_WIDTH}}{line}"


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)}: {', '.join(names)}" if names else "none"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
