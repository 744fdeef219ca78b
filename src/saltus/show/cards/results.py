"""A result as a notebook shows it: a small plot, what happened, in which modes it was, impulses, warnings."""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.wording import number
from saltus.result.result import Result
from saltus.show.cards.card import card, folded, line, table
from saltus.show.cards.curves import curves_svg
from saltus.show.cards.told import box
from saltus.show.plots.choice import default_names

#: Curves in the small plot, and rows of each table.
CURVES, ROWS = 5, 12


def result_card(result: Result) -> str:
    """All of it; without a plot, where nothing was computed."""
    span = f"{result.time[0]:g} to {result.time[-1]:g} s" if len(result) else "nothing was computed"
    remark = f"{span}, {number(len(result), 'row')}"
    return card(f"Result of {result.model}", remark, _parts(result))


def _parts(result: Result) -> Iterator[str]:
    yield box(result.warnings)
    if not len(result):
        return
    names = default_names(result)[:CURVES]
    if names:
        yield curves_svg(result, names)
    events = result.events
    rows = [(f"{e.time:.9g}", e.why, e.what) for e in events[:ROWS]]
    yield folded(events.counted, table(("time", "cause", "changes"), rows, len(events) - ROWS))
    if len(result.modes.visited) > 1:
        yield _modes(result)
    if result.impulses:
        own = result.impulses[:ROWS]
        cells = [(f"{i.time:.9g}", i.name, f"{i.weight:.9g}", i.unit) for i in own]
        listed = table(("time", "variable", "impulse", "unit"), cells, len(result.impulses) - ROWS)
        yield folded(number(len(result.impulses), "impulse"), listed)
    rest = [name for name in result.names if name not in names]
    if rest:
        yield line(
            f"{number(len(result.names), 'variable')}: result.plot(...) draws others, "
            "result[name] has the numbers"
        )


def _modes(result: Result) -> str:
    modes = result.modes
    rows = [
        (str(m.number), m.brief, f"{modes.duration(m):.6g} s", str(len(m.states)), str(m.index))
        for m in modes.visited[:ROWS]
    ]
    shown = table(("mode", "guards", "time spent", "states", "index"), rows, len(modes.visited) - ROWS)
    return folded(f"{number(len(modes.visited), 'mode')}, {number(len(modes), 'stay')}", shown)
