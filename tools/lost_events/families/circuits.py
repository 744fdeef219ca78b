"""Ideal diodes, by their parameter s: rectifiers, peak detectors, and a coil whose current ends by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from tools.lost_events.cases import Case, Draw, Instants, Signal, model_text
from tools.lost_events.courses import PHASE, instants
from tools.lost_events.truth import Vector, even, next_fall

_DIODE = """i = if off then 0 else s;
u = if off then s else 0;
off = s < 0;"""
_DIODE_VARIABLES = "Real i(start = 0);\nReal u;\nReal s;\nBoolean off(start = true);"


def _rectifier(draw: Draw) -> Case:
    """A source, a diode and a resistor. The current flows in a part of each period, which may be short."""
    w, p = 2 * math.pi * draw.decades(0.01, 1000.0), draw.phase()
    stop = draw.stop(2 * math.pi / w)
    eps = draw.decades(1e-5, 1.0) if draw.yes() else 1.0
    offset, resistance = 1 - eps, draw.decades(0.1, 10.0)
    text = model_text(
        "Rectifier", "w p R E", f"{_DIODE_VARIABLES}\nReal y1;",
        f"y1 = sin(w*time + p) - E;\ny1 = u + R*i;\n{_DIODE}", ["not off"],
    )  # fmt: skip

    def formula(t: Vector) -> Vector:
        return np.sin(w * t + p) - offset  # s has the sign of this, whatever it is divided by

    parameters = {"w": w, "p": p, "R": resistance, "E": offset}
    return Case("rectifier", text, parameters, stop, [Signal(formula, even(stop, 2 * math.pi / w), 0.0)])


#: The state as a function of time, in a phase that begins with a time and a value.
Motion = Callable[[Vector], Vector]


def _sine_response(
    rate: float, gain: float, w: float, p: float, start: float, value: float, e: float
) -> Motion:
    """The solution of x' = -rate*x + gain*(sin(w t + p) - e) with x(start) = value."""
    size = gain / (rate**2 + w**2)

    def settled(t: Vector) -> Vector:
        return size * (rate * np.sin(w * t + p) - w * np.cos(w * t + p)) - gain * e / rate

    rest = value - float(settled(np.array([start]))[0])
    return lambda t: settled(t) + rest * np.exp(-rate * (t - start))


def _raised(motion: Motion, amount: float) -> Motion:
    return lambda t: motion(t) + amount


def _detector(draw: Draw) -> Case:
    """A capacitor that a diode charges, and a resistor discharges: the diode conducts ever shorter."""
    w, p = 2 * math.pi * draw.decades(0.01, 1000.0), draw.phase()
    period = 2 * math.pi / w
    stop = draw.stop(period, 100.0)
    discharge = period * draw.decades(0.1, 100.0)  # R C
    charge = discharge * draw.decades(1e-3, 1.0)  # Rs C
    charge = max(charge, 0.02 * period)
    text = model_text(
        "Detector", "w p R Rs", f"{_DIODE_VARIABLES}\nReal v(start = 0, fixed = true);",
        f"sin(w*time + p) = u + Rs*i + v;\n{_DIODE}\nder(v) = i - v/R;", ["not off"],
    )  # fmt: skip
    scale = min(period, 2 * math.pi * charge)

    def course(disturbance: float) -> list[float]:
        time, voltage, times = 0.0, disturbance, list[float]()
        conducting = math.sin(p) > 0
        while True:
            if conducting:
                rate = 1 / charge + 1 / discharge
                motion = _sine_response(rate, 1 / charge, w, p, time, voltage, 0.0)
            else:
                motion = partial(_decay, discharge, time, voltage)
            # What a switch has disturbed is forgotten in the end; what the last steps have done is not.
            residue = partial(_over, w, p, _raised(motion, disturbance), 1.0 if conducting else -1.0)
            end = next_fall(residue, time, stop, scale)
            if end is None:
                return times
            time, voltage = end, float(motion(np.array([end]))[0]) + disturbance
            conducting = not conducting
            times.append(time)

    def truth(tolerance: float) -> list[Instants]:
        return [instants(course, PHASE * tolerance, scale, stop, math.sin(p) > 0)]

    parameters = {"w": w, "p": p, "R": discharge, "Rs": charge}
    return Case("detector", text, parameters, stop, instants=truth, loosest=1e-6, fastest=scale)


def _follower(draw: Draw) -> Case:
    """A peak detector without a resistor in series: while the diode conducts, the capacitor has the voltage
    of the source, and is no state."""
    w, p = 2 * math.pi * draw.decades(0.01, 1000.0), draw.uniform(1.05 * math.pi, 1.95 * math.pi)
    period = 2 * math.pi / w
    stop = draw.stop(period, 100.0)
    discharge = period * draw.decades(0.1, 100.0)
    text = model_text(
        "Follower", "w p R", f"{_DIODE_VARIABLES}\nReal v(start = 0, fixed = true);",
        f"sin(w*time + p) = u + v;\n{_DIODE}\nder(v) = i - v/R;", ["not off"],
    )  # fmt: skip

    def current(t: Vector) -> Vector:
        return w * np.cos(w * t + p) + np.sin(w * t + p) / discharge

    def course(disturbance: float) -> list[float]:
        time, voltage, times = 0.0, disturbance, list[float]()
        conducting = False
        while True:
            residue = partial(_over, w, p, partial(_decay, discharge, time, voltage), -1.0)
            end = next_fall(current if conducting else residue, time, stop, period)
            if end is None:
                return times
            time, voltage = end, math.sin(w * end + p) + disturbance
            conducting = not conducting
            times.append(time)

    def truth(tolerance: float) -> list[Instants]:
        return [instants(course, PHASE * tolerance, period, stop)]

    parameters = {"w": w, "p": p, "R": discharge}
    return Case("follower", text, parameters, stop, instants=truth, loosest=1e-6, fastest=period)


def _decay(constant: float, start: float, value: float, t: Vector) -> Vector:
    return value * np.exp(-(t - start) / constant)


def _over(w: float, p: float, motion: Motion, side: float, t: Vector) -> Vector:
    return side * (np.sin(w * t + p) - motion(t))


def _coil(draw: Draw) -> Case:
    """A coil behind a diode, charging a battery: the current begins where the source is above the battery,
    and ends some time after it has fallen below."""
    w, p = 2 * math.pi * draw.decades(0.01, 1000.0), draw.phase()
    period = 2 * math.pi / w
    stop = draw.stop(period, 100.0)
    battery = 1 - draw.decades(1e-3, 1.0)
    ratio = draw.decades(0.05, 20.0)  # R/(w L)
    resistance = 1.0
    inductance = resistance / (ratio * w)
    text = model_text(
        "Coil", "w p R L E", _DIODE_VARIABLES,
        f"sin(w*time + p) - E = u + R*i + L*der(i);\n{_DIODE}", ["not off"],
    )  # fmt: skip

    def course(disturbance: float) -> list[float]:
        time, current, times = 0.0, disturbance, list[float]()
        conducting = math.sin(p) > battery
        while True:
            if conducting:
                rate = resistance / inductance
                residue: Motion = _sine_response(rate, 1 / inductance, w, p, time, current, battery)
            else:
                residue = partial(_over, w, p, partial(_constant, battery), -1.0)
            end = next_fall(residue, time, stop, period)
            if end is None:
                return times
            time, current = end, disturbance if not conducting else 0.0
            conducting = not conducting
            times.append(time)

    def truth(tolerance: float) -> list[Instants]:
        return [instants(course, PHASE * tolerance, period, stop, math.sin(p) > battery)]

    parameters = {"w": w, "p": p, "R": resistance, "L": inductance, "E": battery}
    return Case("coil", text, parameters, stop, instants=truth, loosest=1e-6, fastest=period)


def _constant(value: float, t: Vector) -> Vector:
    return np.full_like(t, value)


CIRCUITS = (_rectifier, _detector, _follower, _coil)
