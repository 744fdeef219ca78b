"""Parts moved away from each other: where they overlap, and where wires need more room."""

from __future__ import annotations

import math

from saltus.show.arrangement.estimate import Costs
from saltus.show.arrangement.sheet import GAP, Sheet, State


def centred(sheet: Sheet, state: State) -> None:
    """Moves everything to the middle of the coordinate system, if nothing has a place."""
    if any(part.fixed is not None for part in sheet.parts):
        return
    hulls = Costs(sheet, state).hull_now()
    x, y = (hulls[:, 0].min() + hulls[:, 2].max()) / 2, (hulls[:, 1].min() + hulls[:, 3].max()) / 2
    dx, dy = 10.0 * round(float(x) / 10), 10.0 * round(float(y) / 10)
    state.x[:], state.y[:] = [v - dx for v in state.x], [v - dy for v in state.y]


def spread(sheet: Sheet, state: State, factor: float) -> None:
    """Moves all parts without a place away from each other, so that wires have more room."""
    for k, part in enumerate(sheet.parts):
        if part.fixed is None:
            state.x[k], state.y[k] = (
                round(state.x[k] * factor / 2) * 2.0,
                round(state.y[k] * factor / 2) * 2.0,
            )


def separated(sheet: Sheet, state: State) -> bool:
    """Pushes parts that still overlap away from each other; whether none is left that does."""
    costs = Costs(sheet, state)
    for _ in range(400):
        hulls = costs.hull_now()
        worst: tuple[float, int, int, float, float] | None = None
        for a in range(len(hulls)):
            for b in range(a + 1, len(hulls)):
                wide = min(hulls[a][2], hulls[b][2]) - max(hulls[a][0], hulls[b][0]) + GAP / 2
                high = min(hulls[a][3], hulls[b][3]) - max(hulls[a][1], hulls[b][1]) + GAP / 2
                if wide > 1e-6 and high > 1e-6 and (worst is None or min(wide, high) > worst[0]):
                    worst = min(wide, high), a, b, wide, high
        if worst is None:
            return True
        _, a, b, wide, high = worst
        movable = [k for k in (b, a) if sheet.parts[k].fixed is None]
        if not movable:
            return False
        k = movable[0]
        other = a if k == b else b
        wide, high = 2.0 * math.ceil(wide / 2), 2.0 * math.ceil(high / 2)
        if wide <= high:
            state.x[k] += wide if state.x[k] >= state.x[other] else -wide
        else:
            state.y[k] += high if state.y[k] >= state.y[other] else -high
    return False
