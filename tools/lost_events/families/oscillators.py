"""Residues that are products, squares and polynomials of states; the states are harmonic oscillators."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from tools.lost_events.cases import Case, Draw, Signal, model_text
from tools.lost_events.truth import Vector, even

#: What is compared: the formula in Modelica and in NumPy, the number of oscillators, and how often the
#: residue turns in a period of the fastest.
Shape = tuple[str, Callable[[list[Vector]], Vector], int, int]

SHAPES: dict[str, Shape] = {
    "Single": ("x1", lambda x: x[0], 1, 1),
    "Square": ("x1^2", lambda x: x[0] ** 2, 1, 2),
    "Cubic": ("4*x1^3 - 3*x1", lambda x: 4 * x[0] ** 3 - 3 * x[0], 1, 3),
    "Fifth": ("16*x1^5 - 20*x1^3 + 5*x1", lambda x: 16 * x[0] ** 5 - 20 * x[0] ** 3 + 5 * x[0], 1, 5),
    "Product": ("x1*x2", lambda x: x[0] * x[1], 2, 2),
    "Triple": ("x1*x2*x3", lambda x: x[0] * x[1] * x[2], 3, 3),
    "Mixed": ("x1^2*x2 - 0.5*x3", lambda x: x[0] ** 2 * x[1] - 0.5 * x[2], 3, 3),
}


def _product(shape: str, draw: Draw) -> Case:
    modelica, formula, count, turns = SHAPES[shape]
    base = draw.decades(0.01, 1000.0)
    rates = [base * draw.decades(1.0, 30.0) for _ in range(count)]
    phases = [draw.phase() for _ in range(count)]
    stop = draw.stop(2 * math.pi / max(rates), 100.0)
    near_tip = draw.yes()
    threshold = draw.one_of([1.0, -1.0]) * (1 - draw.decades(1e-6, 0.9) if near_tip else draw.uniform(0, 1))

    def value(t: Vector) -> Vector:
        return formula([np.sin(w * t + p) for w, p in zip(rates, phases, strict=True)])

    numbers = range(1, count + 1)
    variables = "\n".join(
        f"Real x{i}(start = sin(p{i}), fixed = true);\nReal v{i}(start = cos(p{i}), fixed = true);"
        for i in numbers
    )
    equations = "\n".join(f"der(x{i}) = w{i}*v{i};\nder(v{i}) = -w{i}*x{i};" for i in numbers)
    text = model_text(
        shape, " ".join(f"w{i} p{i}" for i in numbers) + " c1", variables + "\nReal y1;",
        f"{equations}\ny1 = {modelica};",
    )  # fmt: skip
    parameters = {"c1": threshold}
    for i in numbers:
        parameters |= {f"w{i}": rates[i - 1], f"p{i}": phases[i - 1]}
    period = 2 * math.pi / (max(rates) * turns)
    accuracy = 4.0 * turns**2  # the polynomials have slopes of up to 25
    loosest = 1e-4 if stop / period < 20 else 1e-6
    return Case(shape, text, parameters, stop, [Signal(value, even(stop, period), threshold, accuracy)],
                loosest=loosest)  # fmt: skip


PRODUCTS = tuple(partial(_product, shape) for shape in SHAPES)
