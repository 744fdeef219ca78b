"""A result as a timeline of modes: each Boolean, Integer and enumeration is a bar that changes its colour.

    pump.on   ░░░░████████░░░░░░████████
    mode      [ filling ][ full ][ emptying ]

A Boolean is dark while it is true. Other values have a colour each but for the number zero, which is pale,
and are written into their bars where there is room. A bar is one mesh, however often it changes, so that fast
switching can be drawn. If the run had several modes (`result.modes`), they are the first bar. States of a
machine of which one is active at a time share a bar, with their names in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, ListedColormap, to_hex
from matplotlib.figure import Figure
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.expr.nodes import Type
from saltus.ir.flat import Variable
from saltus.result.events.events import readable
from saltus.result.files.stored import NotStored
from saltus.result.modes.components import Component, ComponentStay
from saltus.result.result import Result
from saltus.show.plots.axis import mark_events
from saltus.show.plots.choice import select_names
from saltus.show.plots.plot import finish, new_figure, prepare
from saltus.show.plots.shading import ROOM, has_modes, mode_bar

#: How many variables are drawn by default.
DEFAULT_COUNT = 40

#: The largest number of independent parts for which the combined modes are drawn as well.
MOST_COMBINED = 6

_WIDTH, _BAR, _MARGIN = 8.0, 0.32, 1.1  # inches
_BOOLEAN: Colormap = ListedColormap(["0.92", "C0"])
_OTHERS: Colormap = colormaps["Set3"]  # pale enough to write on
_NUMBERS: Colormap = ListedColormap(["0.92", *(to_hex(_OTHERS(k)) for k in range(_OTHERS.N))])

Numbers: TypeAlias = NDArray[np.float64]


def plot_modes(
    result: Result,
    names: Sequence[str] | None = None,
    *,
    path: str | Path | None = None,
    show: bool = False,
    title: str | None = None,
) -> Figure:
    """Draws discrete variables as bars over time; `names` may hold `*` and `?`. Without names: the modes of
    the run, if there were several, those of each part that decides for itself by relations that no variable
    shows, the states of machines, and the first other variables that change and are not hidden. `path` and
    `show` are as for `saltus.show.plots.plot.plot`."""
    prepare(path, show=show)
    known = mode_names(result)
    parts = [] if names else _deciding_parts(result)
    # Where many parts switch independently, every event has a combined mode of its own, which is not
    # informative.
    strip = not names and len(parts) <= MOST_COMBINED and has_modes(result)
    parts = [part for part in parts if not set(part.guards) <= set(known)][:DEFAULT_COUNT]
    if not known and not strip and not parts:
        message = f"{result.model} has no Booleans, Integers or enumerations that could change"
        raise UsageError(Diagnostic("E502", message))
    whole = {k: v for k, v in result.regions.items() if _are_stored(result, v)}
    regions = {} if names else {k: v for k, v in whole.items() if _take_turns(result, v)}
    in_regions = {name for states in whole.values() for name in states}
    chosen = select_names(known, names) if names else default_modes(result)
    if regions:
        chosen = [name for name in chosen if name not in in_regions]
    rows = [*(["modes"] if strip else []), *map(_named, parts), *regions, *chosen]
    figure = new_figure((_WIDTH, _MARGIN + _BAR * max(len(rows), 2)), show=show)
    axes = figure.subplots()
    if strip:
        mode_bar(axes, 0.0, result)
    for row, part in enumerate(parts, start=int(strip)):
        _part_bar(axes, row, part)
    for row, states in enumerate(regions.values(), start=int(strip) + len(parts)):
        _region_bar(axes, row, result, states)
    for row, name in enumerate(chosen, start=int(strip) + len(parts) + len(regions)):
        _bar(axes, row, result, result.variables[name])
    _dress(axes, result, rows)
    changing = 0 if names else len(_worth_drawing(result))
    more = f" ({DEFAULT_COUNT} of {changing} variables)" if changing > DEFAULT_COUNT else ""
    figure.suptitle(f"{result.model}{more}" if title is None else title)
    finish(figure, path, show=show)
    return figure


def _deciding_parts(result: Result) -> list[Component]:
    """The parts of a model that have decided for themselves, if there are several. Where there is one, the
    bar of the modes says it all."""
    turning = [part for part in result.modes.components if len(part.stays) > 1]
    return turning if len(turning) > 1 else []


def mode_names(result: Result) -> list[str]:
    """All variables that a timeline can show."""
    return [name for name, v in result.variables.items() if v.symbol.type is not Type.REAL]


def default_modes(result: Result) -> list[str]:
    """The first ones that are worth it."""
    return _worth_drawing(result)[:DEFAULT_COUNT]


def _worth_drawing(result: Result) -> list[str]:
    """Those that change, but for those of which the log is silent; if none does, all."""
    known = mode_names(result)
    told = [name for name in known if result.variables[name].log != ()]
    changing = [name for name in told if len(np.unique(result[name])) > 1]
    return changing or known


def stretches(times: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
    """A piecewise constant variable as the bounds of the stretches of time, and the value on each. Stretches
    without length, of values that an event has passed through, are left out. Where a mode has no such
    variable the value is NaN, and so on a stretch. A run that did not start has none."""
    if not len(times):
        return times, values
    absent = np.isnan(values)
    changes = (values[1:] != values[:-1]) & ~(absent[1:] & absent[:-1])
    firsts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    bounds = np.concatenate((times[firsts], times[-1:]))
    lasting = bounds[1:] > bounds[:-1]
    return np.concatenate((bounds[:-1][lasting], bounds[-1:])), values[firsts][lasting]


def _part_bar(axes: Axes, row: int, part: Component) -> None:
    """The stays of a part, with a colour for each choice that it made, and what holds in it; what decides by
    one guard is dark while that holds, as a Boolean is."""
    bounds = np.array([*(stay.start for stay in part.stays), part.stays[-1].stop])
    if _is_simple(part):
        held = np.array([[stay.guards[0].value is True for stay in part.stays]])
        axes.pcolormesh(bounds, [row - 0.4, row + 0.4], held, cmap=_BOOLEAN, vmin=0, vmax=1)
        return
    choices = {guards: k for k, guards in enumerate(dict.fromkeys(stay.guards for stay in part.stays))}
    shown = np.array([[choices[stay.guards] % _OTHERS.N for stay in part.stays]])
    axes.pcolormesh(bounds, [row - 0.4, row + 0.4], shown, cmap=_OTHERS, vmin=0, vmax=_OTHERS.N - 1)
    _write(axes, row, bounds, [_holding(part, stay) for stay in part.stays])


def _is_simple(part: Component) -> bool:
    """Whether one guard decides, and holds or does not."""
    return all(len(stay.guards) == 1 and isinstance(stay.guards[0].value, bool) for stay in part.stays)


def _named(part: Component) -> str:
    """What a bar is called: the guard, if there is one, else the component."""
    return part.guards[0] if _is_simple(part) else part.name


def _holding(part: Component, stay: ComponentStay) -> str:
    """The guards that hold, without the name of the part."""
    held = (str(guard) for guard in stay.guards if guard.value is not False)
    return ", ".join(text.removeprefix(f"{part.name}.") for text in held)


def _are_stored(result: Result, states: Mapping[str, str]) -> bool:
    """Whether the values of all these states were kept."""
    try:
        return all(len(result[name]) for name in states)
    except NotStored:
        return False


def _take_turns(result: Result, states: Mapping[str, str]) -> bool:
    """Whether of several Booleans no two are true for a while."""
    held = sum((result[name] != 0.0).astype(float) for name in states)
    return not np.any(stretches(result.time, np.asarray(held))[1] > 1.0)


def _region_bar(axes: Axes, row: int, result: Result, states: Mapping[str, str]) -> None:
    """Which of several states was active, with its name."""
    active = np.full(len(result.time), np.nan)
    for k, name in enumerate(states):
        active[result[name] != 0.0] = k
    bounds, values = stretches(result.time, active)
    if not len(values):
        return
    drawn = np.ma.masked_array(values % _OTHERS.N, np.isnan(values))[np.newaxis, :]
    axes.pcolormesh(bounds, [row - 0.4, row + 0.4], drawn, cmap=_OTHERS, vmin=0, vmax=_OTHERS.N - 1)
    labels = list(states.values())
    _write(axes, row, bounds, ["" if np.isnan(v) else labels[int(v)] for v in values])


def _bar(axes: Axes, row: int, result: Result, v: Variable) -> None:
    bounds, values = stretches(result.time, result[v.name])
    if not len(values):
        return
    if v.symbol.type is Type.BOOLEAN:
        colours, shown = _BOOLEAN, values != 0.0
    else:
        colours, shown = _OTHERS, np.unique(values, return_inverse=True)[1] % _OTHERS.N
        if v.symbol.type is Type.INTEGER and v.symbol.enumeration is None:
            others = np.unique(values[values != 0.0])
            colours = _NUMBERS
            shown = np.where(values == 0.0, 0, 1 + np.searchsorted(others, values) % _OTHERS.N)
        _write(axes, row, bounds, ["" if x != x else str(readable(v, x)) for x in values.tolist()])
    last = colours.N - 1
    drawn = np.ma.masked_array(shown, np.isnan(values))[np.newaxis, :]
    axes.pcolormesh(bounds, [row - 0.4, row + 0.4], drawn, cmap=colours, vmin=0, vmax=last)


def _write(axes: Axes, row: int, bounds: Numbers, texts: Sequence[str]) -> None:
    span = bounds[-1] - bounds[0]
    for k, text in enumerate(texts):
        if text and bounds[k + 1] - bounds[k] >= ROOM * span * (len(text) + 1):
            middle = 0.5 * (bounds[k] + bounds[k + 1])
            axes.text(middle, row, text, ha="center", va="center", fontsize="x-small", clip_on=True)


def _dress(axes: Axes, result: Result, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names, fontsize="small")
    axes.set_ylim(len(names) - 0.4, -0.6)  # the first at the top
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    if len(result.time) > 1 and result.time[-1] > result.time[0]:
        axes.set_xlim(result.time[0], result.time[-1])
    axes.set_xlabel("time [s]")
    mark_events(axes, result)
