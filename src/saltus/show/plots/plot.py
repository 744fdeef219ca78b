"""A result as a figure: trajectories over time, one axis a unit, switches as steps below, events marked.

Only matplotlib's object-oriented interface is used, so that drawing has no global state and needs no
display; `pyplot` comes in when a window is asked for. A result holds both limits at an event, so a jump is
drawn as the vertical line it is without any help from here. Where the equations of a mode leave a variable
open, its line is dotted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.expr.nodes import Type
from saltus.ir.flat import Variable
from saltus.result.result import Result
from saltus.show.plots.axis import Axis, axis_of
from saltus.show.plots.choice import default_names, is_discrete, select_names
from saltus.show.plots.shading import has_modes, mode_strip, shade_modes

#: Largest ratio of sizes for which variables without a unit share an axis.
ALIKE = 20.0

_WIDTH, _TALL, _LOW, _STRIP, _MARGIN = 8.0, 2.2, 0.75, 0.45, 0.9  # inches
_WITHOUT_WINDOW = frozenset({"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"})


def plot(
    result: Result,
    names: Sequence[str] | None = None,
    *,
    path: str | Path | None = None,
    show: bool = False,
    title: str | None = None,
    modes: bool = False,
    against: str = "time",
) -> Figure:
    """Draws variables over time; `names` may hold `*` and `?`. Without names: states and discretes. Against
    "k" they are drawn over the numbers of the steps, if the run was asked to keep these.

    With `modes` the modes of the run are shades behind the curves, and a strip below with their numbers;
    there are none if the run had only one. With `path` the figure is written there, in the format of its
    suffix; with `show` a window opens and the call returns when it is closed.
    """
    prepare(path, show=show)
    if names:
        chosen = select_names(result.names, names, [name for name in names if name in result])
    else:
        chosen = default_names(result)
    if modes and against != "time":
        raise UsageError(Diagnostic("E501", "modes are shaded over time only"))
    axis = axis_of(result, against)
    panels = _panels(result, chosen)
    shaded = modes and has_modes(result)
    width, height = _size_of(panels)
    figure = new_figure((width, height + _STRIP * shaded), show=show)
    _draw(figure, result, axis, panels, shaded=shaded)
    figure.suptitle(result.model if title is None else title)
    finish(figure, path, show=show)
    return figure


def prepare(path: str | Path | None, *, show: bool) -> None:
    """Refuses what could not be written or shown."""
    if path is not None:
        check_format(path)
    if show:
        check_display()


def finish(figure: Figure, path: str | Path | None, *, show: bool) -> None:
    """Writes a figure to a file, or opens a window, or both."""
    if path is not None:
        try:
            figure.savefig(path, dpi=150)
        except OSError as error:
            raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error
    if show:
        from matplotlib import pyplot

        pyplot.show()


def _draw(figure: Figure, result: Result, axis: Axis, panels: list[_Panel], *, shaded: bool) -> None:
    heights = [_LOW if panel.is_low else _TALL for panel in panels] + [_STRIP] * shaded
    grid = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)
    places = axis.places
    colours = (f"C{number % 10}" for number in count())
    if shaded:
        mode_strip(grid[-1, 0], result)
    for axes, panel in zip(grid[:, 0], panels, strict=False):  # the last one may be the strip
        if shaded:
            shade_modes(axes, result)
        own = [next(colours) for _ in panel.names]
        for name, colour in zip(panel.names, own, strict=True):
            style = axis.switching if is_discrete(result, name) else "default"
            values, open_ = axis.values(name), axis.undetermined(name)
            shown = np.where(open_, np.nan, values)
            axes.plot(places, shown, drawstyle=style, color=colour, label=name, linewidth=1.4)
            if open_.any():
                axes.plot(places, np.where(open_, values, np.nan), color=colour, linewidth=1.0, linestyle=":")
        axis.mark(axes, panel.names, own)
        _dress(axes, panel)
    if len(places) > 1 and places[-1] > places[0]:
        grid[0, 0].set_xlim(places[0], places[-1])
    grid[-1, 0].set_xlabel(axis.label)
    figure.align_ylabels()


# ---------------------------------------------------------------- panels


@dataclass(frozen=True)
class _Panel:
    """One axis: Reals of one unit, or one variable that counts or switches (then `variable` is set)."""

    names: list[str]
    unit: str = ""
    size: float = 0.0
    variable: Variable | None = None

    @property
    def is_low(self) -> bool:
        return self.variable is not None


def _panels(result: Result, names: Sequence[str]) -> list[_Panel]:
    """Reals by unit in order of appearance, above; Booleans, Integers and enumerations below.

    Reals without a unit share an axis only if their sizes are alike: a position of 2 would be invisible
    beside a velocity of 1000.
    """
    tall: list[_Panel] = []
    low: list[_Panel] = []
    for name in names:
        variable = result.variables.get(name)
        if variable is not None and variable.symbol.type is not Type.REAL:
            low.append(_Panel([name], variable=variable))
            continue
        unit = "" if variable is None else variable.unit
        size = _size(result, name)
        for panel in tall:
            if panel.unit == unit and (unit or _are_alike(size, panel.size)):
                panel.names.append(name)
                break
        else:
            tall.append(_Panel([name], unit, size))
    return [*tall, *low] or [_Panel([])]


def _size(result: Result, name: str) -> float:
    values = np.abs(np.asarray(result[name], dtype=float))
    return float(np.max(values[np.isfinite(values)], initial=0.0))


def _are_alike(a: float, b: float) -> bool:
    return min(a, b) == 0 or max(a, b) / min(a, b) <= ALIKE


def _size_of(panels: list[_Panel]) -> tuple[float, float]:
    tall = sum(1 for panel in panels if not panel.is_low)
    # A single curve gets more room than one of many.
    height = _MARGIN + sum(_LOW if p.is_low else _TALL for p in panels) + (1.2 if tall == 1 else 0.0)
    return _WIDTH, height


def new_figure(size: tuple[float, float], *, show: bool) -> Figure:
    """An empty figure; one that `pyplot` knows, if it is to be shown."""
    if not show:
        return Figure(figsize=size, layout="constrained")
    from matplotlib import pyplot

    return pyplot.figure(figsize=size, layout="constrained")


def _dress(axes: Axes, panel: _Panel) -> None:
    axes.grid(True, alpha=0.25, linewidth=0.6)
    axes.margins(x=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if panel.unit:
        axes.set_ylabel(f"[{panel.unit}]")
    if panel.variable is not None:
        _dress_low(axes, panel.variable)
    if panel.names:
        # Beside the axis, where it hides nothing.
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.05), frameon=False, fontsize="small")


def _dress_low(axes: Axes, variable: Variable) -> None:
    axes.margins(y=0.15)
    if variable.symbol.type is Type.BOOLEAN:
        axes.set_ylim(-0.2, 1.2)
        axes.set_yticks([0, 1], ["false", "true"], fontsize="small")
    elif variable.enumeration is not None:
        last = len(variable.enumeration)
        axes.set_ylim(0.7, last + 0.3)
        axes.set_yticks(range(1, last + 1), variable.enumeration, fontsize="small")
    else:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=3, integer=True))
        axes.tick_params(axis="y", labelsize="small")


# ---------------------------------------------------------------- checks that can be made before a run


def check_format(path: str | Path) -> None:
    """Refuses a file whose suffix names no format that can be written."""
    known = FigureCanvasBase.get_supported_filetypes()
    suffix = Path(path).suffix.lstrip(".").lower()
    if suffix not in known:
        problem = f"a plot cannot be written as {suffix!r}" if suffix else "the plot file needs a suffix"
        message = f"{path}: {problem}"
        raise UsageError(Diagnostic("E501", message, hint="known formats: " + ", ".join(sorted(known))))


def check_display() -> None:
    """Refuses to open a window where there is no display."""
    from matplotlib import pyplot

    backend = pyplot.get_backend().lower()
    if backend in _WITHOUT_WINDOW:
        raise UsageError(
            Diagnostic("E501", "there is no display to show a plot on", hint="write it to a file")
        )
