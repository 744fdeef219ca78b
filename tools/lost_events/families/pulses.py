"""Short pulses of explicit time in a long quiet run, and of a state that grows steadily."""

from __future__ import annotations

from functools import partial

import numpy as np
from tools.lost_events.cases import Case, Draw, Signal, model_text
from tools.lost_events.truth import Vector, focused

#: Pulses at s1, s2, s3 of width h1, h2, h3 as formulas of `u`; each is 1 at most.
SHAPES = {
    "Gauss": "exp(-((u - s{0})/h{0})^2)",
    "Lorentz": "h{0}^2/((u - s{0})^2 + h{0}^2)",
    "Tanh": "(tanh((u - s{0})/h{0} + 2) - tanh((u - s{0})/h{0} - 2))/2",
}


def _pulse(shape: str, x: Vector) -> Vector:
    if shape == "Gauss":
        return np.exp(-(x**2))
    if shape == "Lorentz":
        return 1 / (x**2 + 1)
    return (np.tanh(x + 2) - np.tanh(x - 2)) / 2


def _pulses(shape: str, place: str, draw: Draw) -> Case:
    stop = draw.decades(1e-2, 1e4) if draw.yes() else float(draw.whole(1, 1000))
    places = draw.sorted(3, 0.0, stop)
    widths = np.array([stop * draw.decades(1e-5, 3e-2) for _ in range(3)])
    threshold = draw.uniform(0.05, 0.99) if draw.yes(0.8) else 1 - draw.decades(1e-6, 1e-1)
    wave = " + ".join(SHAPES[shape].format(i) for i in (1, 2, 3))
    parameters = {"c1": threshold}
    for i in range(3):
        parameters |= {f"s{i + 1}": float(places[i]), f"h{i + 1}": float(widths[i])}
    variables, equations = "Real u;\nReal y1;", "u = time;"
    if place == "State":
        variables, equations = "Real u(start = 0, fixed = true);\nReal y1;", "der(u) = 1;"
    elif place == "Beside":
        variables += "\nReal x(start = 1, fixed = true);"
        equations += "\nder(x) = -k*x;"
        parameters["k"] = draw.decades(0.01, 10.0) / stop
    text = model_text(shape + place, " ".join(parameters), variables, f"{equations}\ny1 = {wave};")

    def formula(t: Vector) -> Vector:
        return sum(
            (_pulse(shape, (t - s) / h) for s, h in zip(places, widths, strict=True)), np.zeros_like(t)
        )

    grid = focused(stop, places, widths, stop)
    # A state that grows by 1 is exact up to rounding, which the slope of a pulse magnifies.
    accuracy = 1e-6 * stop / float(widths.min()) if place == "State" else 0.0
    return Case(f"{shape} {place}", text, parameters, stop, [Signal(formula, grid, threshold, accuracy)])


PULSES = tuple(partial(_pulses, shape, place) for shape in SHAPES for place in ("Alone", "Beside", "State"))
