"""Several relations at once, of different time scales; some restart the integrator for all of them."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from tools.lost_events.cases import Case, Draw, Signal, model_text
from tools.lost_events.truth import Vector, even, focused


def _several(kind: str, draw: Draw) -> Case:
    """A fast wave, the tip of a middling one, an oscillator, and a pulse."""
    fast = 2 * math.pi * draw.decades(0.1, 1000.0)
    middling = fast / draw.decades(1.0, 100.0)
    slow = fast / draw.decades(3.0, 1000.0)
    stop = draw.stop(2 * math.pi / fast, 500.0)
    eps = draw.decades(1e-5, 1e-1)
    place, width = draw.uniform(0.0, stop), stop * draw.decades(1e-3, 1e-1)
    p = [draw.phase() for _ in range(3)]
    c = [draw.uniform(-0.99, 0.99), 1 - eps, draw.uniform(-0.9, 0.9), draw.uniform(0.1, 0.9)]
    drives = kind == "Driving"
    text = model_text(
        kind,
        "w1 w2 w3 p1 p2 p3 s h c1 c2 c3 c4 k",
        """Real x(start = sin(p3), fixed = true);
        Real v(start = cos(p3), fixed = true);
        Real z(start = 0, fixed = true);
        Real y1;
        Real y2;
        Real y3;
        Real y4;""",
        f"""der(x) = w3*v;
        der(v) = -w3*x;
        der(z) = {"if b1 or b4 then k else -k*z" if drives else "-k*z"};
        y1 = sin(w1*time + p1);
        y2 = sin(w2*time + p2);
        y3 = x;
        y4 = exp(-((time - s)/h)^2);""",
        [f"y{i} > c{i}" for i in range(1, 5)],
    )
    parameters = {"w1": fast, "w2": middling, "w3": slow, "p1": p[0], "p2": p[1], "p3": p[2], "s": place}
    parameters |= {"h": width, "k": draw.decades(0.01, 10.0) / stop} | {f"c{i + 1}": c[i] for i in range(4)}

    def wave(w: float, phase: float, t: Vector) -> Vector:
        return np.sin(w * t + phase)

    def pulse(t: Vector) -> Vector:
        return np.exp(-(((t - place) / width) ** 2))

    signals = [
        Signal(partial(wave, w, phase), even(stop, 2 * math.pi / w), level, accuracy)
        for w, phase, level, accuracy in zip((fast, middling, slow), p, c[:3], (0.0, 0.0, 4.0), strict=True)
    ]
    signals.append(Signal(pulse, focused(stop, np.array([place]), np.array([width]), stop), c[3]))
    return Case(kind, text, parameters, stop, signals, loosest=1e-5)


SEVERAL = tuple(partial(_several, kind) for kind in ("Watching", "Driving"))
