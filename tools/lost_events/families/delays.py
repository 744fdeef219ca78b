"""What comes out of a delay: a wave of time, and a state."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from tools.lost_events.cases import Case, Draw, Signal, model_text
from tools.lost_events.truth import Vector, even


def _delay(kind: str, draw: Draw) -> Case:
    w, p = 2 * math.pi * draw.decades(0.01, 1000.0), draw.phase()
    stop = draw.stop(2 * math.pi / w, 200.0)
    delay = max(draw.decades(0.01, 20.0) * 2 * math.pi / w, stop / 1000)
    threshold = draw.uniform(-0.99, 0.99)
    parameters = {"w": w, "p": p, "T": delay, "c1": threshold}
    if kind == "State":
        text = model_text(
            "LateState",
            "w p T c1",
            "Real x(start = sin(p), fixed = true);\nReal v(start = cos(p), fixed = true);\nReal y1;",
            "der(x) = w*v;\nder(v) = -w*x;\ny1 = delay(x, T);",
        )
    elif kind == "Wave":
        text = model_text("LateWave", "w p T c1", "Real y1;", "y1 = delay(sin(w*time + p), T);")
    else:
        text = model_text(
            "LateBeside",
            "w p T c1 k",
            "Real x(start = 1, fixed = true);\nReal y1;",
            "der(x) = -k*x;\ny1 = delay(sin(w*time + p), T);",
        )
        parameters["k"] = draw.decades(0.01, 10.0) / stop

    def formula(t: Vector) -> Vector:
        return np.sin(w * np.maximum(t - delay, 0.0) + p)

    # What is remembered of a wave is a polynomial that is as good as the tolerance.
    signal = Signal(formula, even(stop, 2 * math.pi / w).with_kinks(delay), threshold, 4.0)
    return Case(f"delay {kind}", text, parameters, stop, [signal], loosest=1e-5)


DELAYS = tuple(partial(_delay, kind) for kind in ("Wave", "Beside", "State"))
