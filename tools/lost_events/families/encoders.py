"""Wheels with many teeth, on a shaft whose angle the integrator can follow in long steps."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from tools.lost_events.cases import Case, Draw, Signal, model_text
from tools.lost_events.truth import Vector, graded


def _encoder(kind: str, draw: Draw) -> Case:
    teeth = float(round(draw.decades(2.0, 10000.0)))
    stop = draw.decades(0.1, 1000.0) if draw.yes() else float(draw.whole(1, 100))
    passing = draw.decades(1.0, 1000.0)  # teeth in the whole run
    mean = passing * 2 * math.pi / (teeth * stop)
    if kind == "Constant":
        first, acceleration = mean, 0.0
    else:
        first = mean * draw.uniform(0.0, 3.0)  # above 2 it turns back before the end
        acceleration = 2 * (mean - first) / stop
    angle = draw.phase() / teeth
    threshold = draw.uniform(-0.99, 0.99)

    def formula(t: Vector) -> Vector:
        return np.sin(teeth * (angle + first * t + acceleration / 2 * t**2))

    def period(t: Vector) -> Vector:
        rate = teeth * np.abs(first + acceleration * t) + math.sqrt(teeth * abs(acceleration))
        return 2 * math.pi / rate

    if kind == "Constant":
        text = model_text(
            "Steady", "N w f c1", "Real phi(start = f, fixed = true);\nReal y1;",
            "der(phi) = w;\ny1 = sin(N*phi);",
        )  # fmt: skip
        parameters = {"N": teeth, "w": first, "f": angle, "c1": threshold}
    else:
        text = model_text(
            "Speeding", "N v a f c1",
            "Real phi(start = f, fixed = true);\nReal w(start = v, fixed = true);\nReal y1;",
            "der(phi) = w;\nder(w) = a;\ny1 = sin(N*phi);",
        )  # fmt: skip
        parameters = {"N": teeth, "v": first, "a": acceleration, "f": angle, "c1": threshold}
    # An error of the angle counts once for each tooth.
    signal = Signal(formula, graded(stop, period), threshold, 2.0 * teeth)
    return Case(f"encoder {kind}", text, parameters, stop, [signal], loosest=min(1e-4, 1e-2 / teeth))


ENCODERS = tuple(partial(_encoder, kind) for kind in ("Constant", "Accelerating"))
