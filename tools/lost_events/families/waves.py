"""Formulas of explicit time: sums of sines, chirps, thresholds near extrema, a slow drift with a ripple.

Each stands alone, in a model without states, and beside a slow state that the integrator can follow in long
steps.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from tools.lost_events.cases import Case, Draw, Signal, model_text
from tools.lost_events.truth import Vector, even, graded

#: How a wave is put into a model: alone, beside a slow state, and added to one.
ALONE, BESIDE, ADDED = "Alone", "Beside", "Added"


def placed(
    name: str, place: str, parameters: str, wave: str, classes: str = "", relation: str = "y1 > c1"
) -> str:
    """A model with a formula of time `wave` as `y1`."""
    if place == ALONE:
        return model_text(name + place, parameters + " c1", "Real y1;", f"y1 = {wave};", [relation], classes)
    variables = "Real x(start = 1, fixed = true);\nReal y1;"
    equations = f"der(x) = -k*x;\ny1 = {wave}{' + g*x' if place == ADDED else ''};"
    return model_text(name + place, parameters + " c1 k g", variables, equations, [relation], classes)


def slow(draw: Draw, stop: float) -> tuple[float, float]:
    """Rate and weight of the slow state."""
    return draw.decades(0.01, 10.0) / stop, draw.uniform(-1.0, 1.0)


def sum_of_sines(t: Vector, terms: list[tuple[float, float, float]]) -> Vector:
    total = np.zeros_like(t)
    for a, w, p in terms:
        total += a * np.sin(w * t + p)
    return total


def _terms(draw: Draw, count: int) -> list[tuple[float, float, float]]:
    """Amplitudes, frequencies over four decades, and phases."""
    base = draw.decades(0.01, 1000.0)
    return [(draw.decades(1e-2, 1.0), base * draw.decades(1.0, 1e4), draw.phase()) for _ in range(count)]


def _sines(place: str, count: int, draw: Draw) -> Case:
    terms = _terms(draw, count)
    fastest = max(w for _, w, _ in terms)
    stop = draw.stop(2 * math.pi / fastest)
    rate, weight = slow(draw, stop)
    weight = weight if place == ADDED else 0.0
    start = float(sum_of_sines(np.zeros(1), terms)[0])
    size = max(a for a, _, _ in terms)
    threshold = start + draw.uniform(-1.2, 1.2) * size if draw.yes() else draw.uniform(-1.0, 1.0) * size
    numbers = range(1, count + 1)
    wave = " + ".join(f"a{i}*sin(w{i}*time + p{i})" for i in numbers)
    parameters = {f"{letter}{i}": v for i in numbers for letter, v in zip("awp", terms[i - 1], strict=True)}
    parameters["c1"] = threshold
    if place != ALONE:
        parameters |= {"k": rate, "g": weight}
    below = count == 3  # so that both comparisons are tried
    text = placed(
        f"Sines{count}", place, " ".join(f"a{i} w{i} p{i}" for i in numbers), wave,
        relation="y1 < c1" if below else "y1 > c1",
    )  # fmt: skip

    def formula(t: Vector) -> Vector:
        return sum_of_sines(t, terms) + weight * np.exp(-rate * t)

    signal = Signal(formula, even(stop, 2 * math.pi / fastest), threshold, 2.0 * abs(weight), below)
    return Case(f"sines {count} {place}", text, parameters, stop, [signal])


def _chirp(place: str, draw: Draw) -> Case:
    """From one frequency to another, up to a thousand times higher or lower; one in four turns round."""
    base = draw.decades(0.01, 1000.0)
    first, last = base, base * draw.decades(3.0, 1000.0)
    if draw.yes():
        first, last = last, first
    if draw.yes(0.25):
        last = -last  # the phase goes back from somewhere on
    turns = draw.decades(1.0, 500.0)
    stop = 2 * math.pi * turns / ((abs(first) + abs(last)) / 2)
    a, p = (last - first) / (2 * stop), draw.phase()
    threshold = draw.uniform(-0.99, 0.99)
    rate, weight = slow(draw, stop)
    weight = weight if place == ADDED else 0.0
    parameters = {"a": a, "w": first, "p": p, "c1": threshold}
    if place != ALONE:
        parameters |= {"k": rate, "g": weight}

    def formula(t: Vector) -> Vector:
        return np.sin(a * t**2 + first * t + p) + weight * np.exp(-rate * t)

    def period(t: Vector) -> Vector:
        return 2 * math.pi / (np.abs(2 * a * t + first) + math.sqrt(abs(a)))

    signal = Signal(formula, graded(stop, period), threshold, 2.0 * abs(weight))
    text = placed("Chirp", place, "a w p", "sin(a*time^2 + w*time + p)")
    return Case(f"chirp {place}", text, parameters, stop, [signal])


def _extremum(place: str, draw: Draw) -> Case:
    """A threshold just below the top, or just above the bottom, by 1e-6 to 1e-1 of the amplitude."""
    w, p = 2 * math.pi * draw.decades(0.01, 1000.0), draw.phase()
    second, q = draw.one_of([0.0, draw.uniform(-0.5, 0.5)]), draw.phase()
    stop = draw.stop(2 * math.pi / w)
    overtone = 2.0 if second else 1.0
    eps, side = draw.decades(1e-6, 1e-1), draw.one_of([1.0, -1.0])

    def wave(t: Vector) -> Vector:
        return np.sin(w * t + p) + second * np.sin(2 * w * t + q)

    around = np.linspace(0.0, 2 * math.pi / w, 20_001)
    top = float(np.max(side * wave(around))) if second else 1.0
    threshold = side * top * (1 - eps)
    rate, _ = slow(draw, stop)
    parameters = {"w": w, "p": p, "a": second, "q": q, "c1": threshold}
    if place != ALONE:
        parameters |= {"k": rate, "g": 0.0}
    below = side < 0
    text = placed(
        "Tip" if side > 0 else "Dip", place, "w p a q", "sin(w*time + p) + a*sin(2*w*time + q)",
        relation="y1 < c1" if below else "y1 > c1",
    )  # fmt: skip
    signal = Signal(wave, even(stop, 2 * math.pi / (w * overtone)), threshold, below=below)
    return Case(f"extremum {place}", text, parameters, stop, [signal])


def _drift(slope: str, draw: Draw) -> Case:
    """A ripple on something slow that comes near a threshold: the first excursions over it are very short."""
    w, p = 2 * math.pi * draw.decades(0.01, 1000.0), draw.phase()
    stop = draw.stop(2 * math.pi / w)
    a = draw.decades(1e-4, 1e-1)
    rate = draw.decades(0.1, 10.0) / stop
    decays = slope == "Decay"
    explicit = {"Decay": "exp(-k*time)", "Ramp": "k*time", "Line": "k*time"}[slope]
    far = math.exp(-rate * stop) - 1 if decays else rate * stop
    threshold = float(decays) + draw.uniform(-0.1, 1.1) * far + draw.uniform(-1.0, 1.0) * a

    def formula(t: Vector) -> Vector:
        return (np.exp(-rate * t) if decays else rate * t) + a * np.sin(w * t + p)

    if slope == "Line":
        text = model_text("Line", "w p a k c1", "Real y1;", f"y1 = {explicit} + a*sin(w*time + p);")
    else:
        text = model_text(
            slope, "w p a k c1", f"Real x(start = {int(decays)}, fixed = true);\nReal y1;",
            f"der(x) = {'-k*x' if decays else 'k'};\ny1 = x + a*sin(w*time + p);",
        )  # fmt: skip
    parameters = {"w": w, "p": p, "a": a, "k": rate, "c1": threshold}
    signal = Signal(formula, even(stop, 2 * math.pi / w), threshold, 0.0 if slope == "Line" else 2.0)
    return Case(f"drift {slope}", text, parameters, stop, [signal])


_FUNCTION = """
function wave
  input Real a[3];
  input Real w[3];
  input Real p[3];
  input Real t;
  output Real y;
algorithm
  y := 0;
  for i in 1:3 loop
    y := y + a[i]*sin(w[i]*t + p[i]);
  end for;
end wave;
"""


def _function(place: str, draw: Draw) -> Case:
    """Sums of sines inside the algorithm of a function, where they cannot be seen."""
    terms = _terms(draw, 3)
    fastest = max(w for _, w, _ in terms)
    stop = draw.stop(2 * math.pi / fastest)
    rate, weight = slow(draw, stop)
    weight = weight if place == ADDED else 0.0
    threshold = draw.uniform(-1.0, 1.0) * max(a for a, _, _ in terms)
    names = "a1 a2 a3 w1 w2 w3 p1 p2 p3"
    parameters = {f"{letter}{i + 1}": terms[i]["awp".index(letter)] for letter in "awp" for i in range(3)}
    parameters["c1"] = threshold
    if place != ALONE:
        parameters |= {"k": rate, "g": weight}
    call = "wave({a1, a2, a3}, {w1, w2, w3}, {p1, p2, p3}, time)"
    text = placed("Hidden", place, names, call, _FUNCTION)

    def formula(t: Vector) -> Vector:
        return sum_of_sines(t, terms) + weight * np.exp(-rate * t)

    signal = Signal(formula, even(stop, 2 * math.pi / fastest), threshold, 2.0 * abs(weight))
    return Case(f"function {place}", text, parameters, stop, [signal])


SINES = tuple(partial(_sines, place, count) for count in (2, 3, 4) for place in (ALONE, BESIDE, ADDED))
CHIRPS = tuple(partial(_chirp, place) for place in (ALONE, BESIDE, ADDED))
EXTREMA = tuple(partial(_extremum, place) for place in (ALONE, BESIDE))
DRIFTS = tuple(partial(_drift, slope) for slope in ("Decay", "Ramp", "Line"))
FUNCTIONS = tuple(partial(_function, place) for place in (ALONE, BESIDE, ADDED))
