"""The modes of a run in a figure: shades behind curves, and a strip with their numbers.

A shade or strip is one mesh, however often the mode changes. Modes that were passed through at one instant
have no width and are not seen. A run with one mode has nothing to show.
"""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Colormap, Normalize
from matplotlib.patches import Patch
from matplotlib.transforms import Transform

from saltus.result.modes.stays import Mode
from saltus.result.result import Result

#: A number is written into a strip that takes at least this part of the time for each of its digits.
ROOM = 0.009

#: Modes that the legend explains, and signs of each.
EXPLAINED, LONGEST = 10, 40

#: Pale enough to draw and write on.
_COLOURS: Colormap = colormaps["Set3"]
_SHADE = 0.45


def has_modes(result: Result) -> bool:
    """Whether there is more than one mode."""
    return len(result.modes.visited) > 1


def shade_modes(axes: Axes, result: Result) -> None:
    """Colours the background by the modes."""
    _mesh(axes, result, 0.0, 1.0, axes.get_xaxis_transform(), alpha=_SHADE)


def mode_bar(axes: Axes, row: float, result: Result) -> None:
    """A bar of modes around a height, with their numbers where there is room."""
    _mesh(axes, result, row - 0.4, row + 0.4, axes.transData, alpha=1.0)
    bounds, numbers = result.modes.bounds, result.modes.numbers
    span = bounds[-1] - bounds[0]
    for k, number in enumerate(numbers.tolist()):
        if bounds[k + 1] - bounds[k] >= ROOM * span * (len(str(number)) + 1):
            middle = 0.5 * (bounds[k] + bounds[k + 1])
            axes.text(middle, row, str(number), ha="center", va="center", fontsize="x-small", clip_on=True)


def mode_strip(axes: Axes, result: Result) -> None:
    """A bar of modes that fills its axes, with a legend beside it."""
    mode_bar(axes, 0.0, result)
    axes.set_ylim(-0.5, 0.5)
    axes.set_yticks([0.0], ["mode"], fontsize="small")
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    visited = result.modes.visited
    entries = [Patch(color=_colour(m.number), label=_cut(m)) for m in visited[:EXPLAINED]]
    if len(visited) > EXPLAINED:
        entries.append(Patch(color="none", label=f"... {len(visited) - EXPLAINED} more"))
    axes.legend(
        handles=entries, loc="lower left", bbox_to_anchor=(1.02, -0.5), frameon=False, fontsize="x-small"
    )


def _mesh(
    axes: Axes, result: Result, bottom: float, top: float, transform: Transform, *, alpha: float
) -> None:
    bounds, numbers = result.modes.bounds, result.modes.numbers
    if not len(numbers):
        return
    corners = np.stack(np.meshgrid(bounds, [bottom, top]), axis=-1)
    mesh = QuadMesh(
        corners,
        array=(numbers[np.newaxis, :] - 1) % _COLOURS.N,
        cmap=_COLOURS,
        norm=Normalize(0, _COLOURS.N - 1),
        alpha=alpha,
        zorder=-1,
        transform=transform,
    )
    # Limits are for the curves to decide: the mesh has no part in them.
    axes.add_collection(mesh, autolim=False)


def _colour(number: int) -> tuple[float, float, float, float]:
    return _COLOURS((number - 1) % _COLOURS.N)


def _cut(mode: Mode) -> str:
    """The guards that hold, if there are few: in a legend, that is enough to distinguish modes."""
    holding = ", ".join(str(g) for g in mode.guards if g.value is not False) or "no guard holds"
    text = f"{mode.number}: {holding}"
    if len(text) > LONGEST:
        text = f"{mode.number}: {mode.brief}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
