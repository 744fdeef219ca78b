"""Two results as a figure: the variables that differ most, both curves of each over one another."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from saltus.result.exchange.compare import Comparison
from saltus.show.plots.plot import finish, new_figure, prepare

#: Variables that are drawn.
_MOST = 6

_WIDTH, _TALL, _MARGIN = 8.0, 1.9, 0.9  # inches


def plot_comparison(found: Comparison, path: str | Path | None = None, *, show: bool = False) -> Figure:
    """Draws the worst variables, those that differ if there are any."""
    prepare(path, show=show)
    worst = (found.different or found.differences)[:_MOST]
    figure = new_figure((_WIDTH, _TALL * len(worst) + _MARGIN), show=show)
    grid = figure.subplots(len(worst), 1, sharex=True, squeeze=False)
    for axes, difference in zip(grid[:, 0], worst, strict=True):
        name = difference.name
        unit = found.first.column(name).unit or found.second.column(name).unit
        for curves, label, style in ((found.first, "first", "-"), (found.second, "second", "--")):
            steps = "steps-post" if curves.column(name).is_discrete else "default"
            axes.plot(curves.time, curves[name], style, drawstyle=steps, label=label, linewidth=1.4)
        axes.axvline(difference.time, color="0.6", linewidth=0.8, linestyle=":")
        axes.set_ylabel(f"{name} [{unit}]" if unit else name, fontsize="small")
        axes.grid(alpha=0.25, linewidth=0.6)
        axes.margins(x=0)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    lines = grid[0, 0].get_lines()[:2]
    figure.legend(
        lines, ["first", "second"], loc="outside upper right", ncols=2, frameon=False, fontsize="small"
    )
    grid[-1, 0].set_xlabel("time [s]")
    count = len(found.different)
    title = "no difference" if not count else f"{count} of {len(found.differences)} variables differ"
    figure.suptitle(f"{found.first.model}: {title}")
    figure.align_ylabels()
    finish(figure, path, show=show)
    return figure
