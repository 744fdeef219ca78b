"""Small drive trains for the tests of rotational parts, and how to read their runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import saltus
from translated_models import translated

Vector = NDArray[np.float64]

#: Fixed start values of an inertia.
AT = "phi(start = {phi}, fixed = true), w(start = {w}, fixed = true)"


def run(text: str, stop: float, tolerance: float = 1e-9, **options: object) -> saltus.Result:
    """Simulates the components, connections and equations of a model `Rig`."""
    components, _, equations = text.partition("equation")
    source = f"model Rig\n{components.replace('R.', 'Saltus.Rotational.')}equation{equations}end Rig;"
    return translated(source).simulate(stop_time=stop, tolerance=tolerance, **options)  # type: ignore[arg-type]


def start(phi: float = 0.0, w: float | str = 0.0) -> str:
    """Modifications of an inertia that fix its start."""
    return AT.format(phi=phi, w=w)


def leaps(result: saltus.Result) -> list[float]:
    """When there were events after the start."""
    return [e.time for e in result.events if e.kind in ("state", "time") and e.time > 0]


def limits(result: saltus.Result, time: float, *names: str) -> tuple[Vector, Vector]:
    """Left and right limits of variables at the event nearest to a time."""
    moment = min(leaps(result), key=lambda t: abs(t - time))
    first = int(np.searchsorted(result.time, moment, side="left"))
    last = int(np.searchsorted(result.time, moment, side="right")) - 1
    return np.array([result[n][first] for n in names]), np.array([result[n][last] for n in names])


def weight(result: saltus.Result, name: str, time: float) -> float:
    """The impulse of a variable near a time."""
    return sum(i.weight for i in result.impulses[name] if abs(i.time - time) < 1e-5)


def away(result: saltus.Result, *moments: float, margin: float = 1e-6) -> NDArray[np.bool_]:
    """Rows that are not at one of these moments, where both limits are listed."""
    keep = np.ones(len(result.time), dtype=bool)
    for moment in moments:
        keep &= np.abs(result.time - moment) > margin
    return keep


def integral(result: saltus.Result, values: Vector) -> float:
    """The integral over time by the trapezoidal rule, over rows that include all events twice."""
    return float(np.trapezoid(values, result.time))


#: Of both sets of the automatic gearbox: teeth of the ring over teeth of the sun.
RATIO1, RATIO2 = 2.06, 2.3

#: Which speeds each gear ties together: rows of (input, sun 1, carrier 2, sun 2, output) that are zero.
GEARS = {
    1: [(1, -1, 0, 0, 0), (0, 0, 1, 0, 0)],
    2: [(1, -1, 0, 0, 0), (0, 0, 0, 1, 0)],
    3: [(1, -1, 0, 0, 0), (1, 0, -1, 0, 0)],
    4: [(1, 0, -1, 0, 0), (0, 0, 0, 1, 0)],
    -1: [(1, 0, 0, -1, 0), (0, 0, 1, 0, 0)],
}


def gearbox_speeds(gear: int) -> Vector:
    """Of sun 1, carrier 2, sun 2 and output at an input of 1, from Willis' equations of both sets."""
    sets = [(0, 1, RATIO1, 0, -(1 + RATIO1)), (0, 0, -(1 + RATIO2), 1, RATIO2)]
    rows = np.array([*sets, *GEARS[gear], (1, 0, 0, 0, 0)], dtype=float)
    return np.asarray(np.linalg.solve(rows, [0, 0, 0, 0, 1])[1:])
