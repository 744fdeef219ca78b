"""Results as a figure: trajectories, one axis a unit, switches as steps below, events marked.

Only matplotlib's object-oriented interface is used, so that drawing has no global state and needs no
display; `pyplot` comes in when a window is asked for. A result holds both limits at an event, so a jump is
drawn as the vertical line it is without any help from here. Where the equations of a mode leave a variable
open, its line is dotted. Several runs are superimposed: by colours, or by line styles where colours
distinguish variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.option import usage_error
from saltus.expr.nodes import Type
from saltus.result.exchange.curves import Column
from saltus.show.plots.axis import Axis, axis_of
from saltus.show.plots.choice import default_curves, default_names, select_names
from saltus.show.plots.drawn import Drawn, Given, Numbers, difference, drawn_from
from saltus.show.plots.shading import has_modes, mode_strip, shade_modes

Style: TypeAlias = Literal["-", "--", "-.", ":"]

#: Largest ratio of sizes for which variables without a unit share an axis.
ALIKE = 20.0

#: Line styles, which distinguish runs where colours are those of variables.
STYLES: tuple[Style, ...] = ("-", "--", "-.", ":")

_WIDTH, _TALL, _LOW, _STRIP, _MARGIN = 8.0, 2.2, 0.75, 0.45, 0.9  # inches
_WITHOUT_WINDOW = frozenset({"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"})


def plot(
    results: Given,
    names: Sequence[str] | None = None,
    *,
    path: str | Path | None = None,
    show: bool = False,
    title: str | None = None,
    modes: bool = False,
    against: str = "time",
    ax: Axes | None = None,
    differences: bool = False,
    display_units: bool = True,
) -> Figure:
    """Draws variables over time; `names` may hold `*` and `?`. Without names: outputs, states and what
    switches. Against another variable it is a phase plot, against "k" they are drawn over the numbers of the
    steps, if the run was asked to keep these.

    `results` are a run, curves or a file of results; or several of them, as a list or by labels, which are
    drawn over one another, or, with `differences`, each minus the first one. Values are in the display units
    of the model, unless these are not wanted.

    With `modes` the modes of the run are shades behind the curves, and a strip below with their numbers;
    there are none if the run had only one. With `path` the figure is written there, in the format of its
    suffix; with `show` a window opens and the call returns when it is closed. With `ax` all is drawn into
    axes that are there already.
    """
    prepare(path, show=show)
    runs = drawn_from(results, display=display_units)
    if modes and against != "time":
        raise UsageError(Diagnostic("E501", "modes are shaded over time only"))
    if differences:
        if len(runs) < 2:
            raise usage_error("a difference needs two results")
        runs = [difference(runs[0], other, display=display_units) for other in runs[1:]]
    chosen = _chosen(runs, names, against)
    axes_of_runs = [axis_of(run, against) for run in runs]
    if ax is not None:
        _draw_into(ax, runs, axes_of_runs, chosen)
        figure = ax.get_figure(root=True)
        assert isinstance(figure, Figure)
        finish(figure, path, show=show)
        return figure
    panels = _panels(runs, chosen)
    result = runs[0].result
    shaded = modes and len(runs) == 1 and result is not None and has_modes(result)
    width, height = _size_of(panels)
    figure = new_figure((width, height + _STRIP * shaded), show=show)
    _draw(figure, runs, axes_of_runs, panels, shaded=shaded)
    figure.suptitle(_title(runs) if title is None else title)
    finish(figure, path, show=show)
    return figure


def _title(runs: Sequence[Drawn]) -> str:
    models = list(dict.fromkeys(run.model for run in runs))
    labels = [run.label for run in runs if run.label]
    if len(runs) == 1 and labels:
        return f"{models[0]}: {labels[0]}"
    return models[0] if len(models) == 1 else ", ".join(labels)


def _chosen(runs: Sequence[Drawn], names: Sequence[str] | None, against: str) -> list[str]:
    """The variables that are drawn: those that patterns mean, in any of the runs."""
    if names:
        known = list(dict.fromkeys(name for run in runs for name in run.names))
        return select_names(known, names, [name for name in names if any(name in run for run in runs)])
    first = runs[0]
    found = default_names(first.result) if first.result is not None else default_curves(first)
    return [name for name in found if name != against] or found


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


def _draw(
    figure: Figure, runs: Sequence[Drawn], along: Sequence[Axis], panels: list[_Panel], *, shaded: bool
) -> None:
    heights = [_LOW if panel.is_low else _TALL for panel in panels] + [_STRIP] * shaded
    grid = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)
    result = runs[0].result
    by_run = len(runs) > 1 and all(len(panel.names) <= 1 for panel in panels)
    colours = (f"C{number % 10}" for number in count())
    if shaded and result is not None:
        mode_strip(grid[-1, 0], result)
    for axes, panel in zip(grid[:, 0], panels, strict=False):  # the last one may be the strip
        if shaded and result is not None:
            shade_modes(axes, result)
        own = ["C0"] * len(panel.names) if by_run else [next(colours) for _ in panel.names]
        for number, (run, axis) in enumerate(zip(runs, along, strict=True)):
            drawn = [f"C{number % 10}"] * len(panel.names) if by_run else own
            style = "-" if by_run else STYLES[number % len(STYLES)]
            _curves(axes, run, axis, panel.names, drawn, style, labelled=not number and not by_run)
            if len(runs) == 1:
                axis.mark(axes, panel.names, own)
        _dress(axes, panel, by_run=by_run)
    first = along[0]
    if first.ascends:
        begin, end = (
            reach(axis.places[np.isfinite(axis.places)] for axis in along) for reach in (_least, _most)
        )
        if end > begin:
            grid[0, 0].set_xlim(begin, end)
    else:
        grid[0, 0].margins(x=0.05)
    if len(runs) > 1:
        _legend_of_runs(figure, runs, by_run=by_run)
    grid[-1, 0].set_xlabel(first.label)
    figure.align_ylabels()


def _least(places: Iterator[Numbers]) -> float:
    return min((float(x[0]) for x in places if len(x)), default=0.0)


def _most(places: Iterator[Numbers]) -> float:
    return max((float(x[-1]) for x in places if len(x)), default=0.0)


def _curves(
    axes: Axes,
    run: Drawn,
    axis: Axis,
    names: Sequence[str],
    colours: Sequence[str],
    style: str,
    *,
    labelled: bool,
) -> None:
    """The curves of one run; what it does not have is left out."""
    for name, colour in zip(names, colours, strict=True):
        if name not in run:
            continue
        drawstyle = axis.switching if run.is_discrete(name) else "default"
        values, open_ = axis.values(name), axis.undetermined(name)
        shown = np.where(open_, np.nan, values)
        label = name if labelled else "_run"
        axes.plot(axis.places, shown, style, drawstyle=drawstyle, color=colour, label=label, linewidth=1.4)
        if open_.any():
            held = np.where(open_, values, np.nan)
            axes.plot(axis.places, held, color=colour, linewidth=1.0, linestyle=":")


def _draw_into(axes: Axes, runs: Sequence[Drawn], along: Sequence[Axis], names: Sequence[str]) -> None:
    """All variables of all runs in the same axes, which may have other curves already."""
    for run, axis in zip(runs, along, strict=True):
        for name in names:
            if name not in run:
                continue
            style = axis.switching if run.is_discrete(name) else "default"
            label = f"{name} ({run.label})" if run.label and len(names) > 1 else run.label or name
            (line,) = axes.plot(axis.places, axis.values(name), drawstyle=style, label=label, linewidth=1.4)
            if len(runs) == 1:
                axis.mark(axes, [name], [str(line.get_color())])
    units = {run.unit(name) for run in runs for name in names if name in run}
    if len(units) == 1 and not axes.get_ylabel():
        axes.set_ylabel(
            names[0]
            if len(names) == 1 and not any(units)
            else _bracket(*names[: len(names) == 1], unit=units.pop())
        )
    if not axes.get_xlabel():
        axes.set_xlabel(along[0].label)
    axes.legend(fontsize="small")


def _legend_of_runs(figure: Figure, runs: Sequence[Drawn], *, by_run: bool) -> None:
    """Which run is which, below the title."""
    lines = [
        Line2D(
            [],
            [],
            color=f"C{k % 10}" if by_run else "0.3",
            linestyle="-" if by_run else STYLES[k % len(STYLES)],
        )
        for k in range(len(runs))
    ]
    labels = [run.label or str(k) for k, run in enumerate(runs, start=1)]
    figure.legend(lines, labels, loc="outside upper right", ncols=len(runs), frameon=False, fontsize="small")


# ---------------------------------------------------------------- panels


@dataclass(frozen=True)
class _Panel:
    """One axis: Reals of one unit, or one variable that counts or switches (then `column` is set)."""

    names: list[str]
    unit: str = ""
    size: float = 0.0
    column: Column | None = None

    @property
    def is_low(self) -> bool:
        return self.column is not None


def _panels(runs: Sequence[Drawn], names: Sequence[str]) -> list[_Panel]:
    """Reals by unit in order of appearance, above; Booleans, Integers and enumerations below.

    Reals without a unit share an axis only if their sizes are alike: a position of 2 would be invisible
    beside a velocity of 1000.
    """
    tall: list[_Panel] = []
    low: list[_Panel] = []
    for name in names:
        run = next(run for run in runs if name in run)
        if run.switches(name) and run.is_discrete(name):
            low.append(_Panel([name], column=run.column(name)))
            continue
        unit, size = run.unit(name) if name != "time" else "", _size(run, name)
        for panel in tall:
            if panel.unit == unit and (unit or _are_alike(size, panel.size)):
                panel.names.append(name)
                break
        else:
            tall.append(_Panel([name], unit, size))
    return [*tall, *low] or [_Panel([])]


def _size(run: Drawn, name: str) -> float:
    values = np.abs(np.asarray(run.values(name), dtype=float))
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


def _dress(axes: Axes, panel: _Panel, *, by_run: bool) -> None:
    axes.grid(True, alpha=0.25, linewidth=0.6)
    axes.margins(x=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if by_run and panel.names:
        axes.set_ylabel(_bracket(*panel.names, unit=panel.unit), fontsize="small")
    elif panel.unit:
        axes.set_ylabel(f"[{panel.unit}]")
    if panel.column is not None:
        _dress_low(axes, panel.column)
    if panel.names and not by_run:
        # Beside the axis, where it hides nothing.
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.05), frameon=False, fontsize="small")


def _bracket(*names: str, unit: str) -> str:
    """`height [m]`"""
    return " ".join([*names, *([f"[{unit}]"] if unit else [])])


def _dress_low(axes: Axes, column: Column) -> None:
    axes.margins(y=0.15)
    if column.type is Type.BOOLEAN:
        axes.set_ylim(-0.2, 1.2)
        axes.set_yticks([0, 1], ["false", "true"], fontsize="small")
    elif column.literals:
        last = len(column.literals)
        axes.set_ylim(0.7, last + 0.3)
        axes.set_yticks(range(1, last + 1), column.literals, fontsize="small")
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
