"""Controllers with two thresholds: a thermostat, and a relief valve that opens just before a pole."""

from __future__ import annotations

import math

from tools.lost_events.cases import Case, Draw, Instants, model_text
from tools.lost_events.courses import PHASE, instants


def _thermostat(draw: Draw) -> Case:
    """On below `low`, off above `high`; the heating may take much less time than the cooling."""
    rate = draw.decades(1e-3, 1e3)
    low, high = draw.uniform(0.3, 0.5), draw.uniform(0.5, 0.8)
    high = max(high, low + draw.decades(1e-3, 0.3))
    power = draw.decades(1.5, 1e3)  # the temperature that it would reach

    def lapse(start: float, end: float, limit: float) -> float:
        return math.log((start - limit) / (end - limit)) / rate

    heating, cooling = lapse(low, high, power), lapse(high, low, 0.0)
    stop = draw.stop(heating + cooling, 300.0)
    text = model_text(
        "Thermostat", "k q low high",
        "Real x(start = high, fixed = true);\nBoolean on(start = false, fixed = true);",
        "der(x) = -k*x + (if on then k*q else 0);\non = x < low or pre(on) and x < high;", ["on"],
    )  # fmt: skip

    def course(disturbance: float) -> list[float]:
        # More than this makes the instants too vague to tell anything, and the logarithms fail.
        disturbance = max(min(disturbance, (high - low) / 2), (low - high) / 2)
        times, time, on, value = list[float](), 0.0, False, high + disturbance
        while True:
            phase = lapse(value, high, power) if on else lapse(value, low, 0.0)
            time += phase
            if time > stop:
                return times
            value = (high if on else low) + disturbance * (-1 if on else 1)
            on = not on
            times.append(time)

    def truth(tolerance: float) -> list[Instants]:
        return [instants(course, PHASE * tolerance, min(heating, cooling), stop)]

    parameters = {"k": rate, "q": power, "low": low, "high": high}
    return Case("thermostat", text, parameters, stop, instants=truth, loosest=1e-6 * (high - low) / 0.1,
                fastest=heating + cooling)  # fmt: skip


def _relief(draw: Draw) -> Case:
    """The pressure c/(V0 - V) grows without bound as the volume is filled; a valve must open before that."""
    volume, inflow = draw.decades(0.1, 10.0), draw.decades(1e-2, 1e2)
    limit, closing = draw.decades(2.0, 1e6), draw.uniform(1.1, 1.9)  # 1 at the start
    outflow = inflow * draw.decades(0.3, 30.0)
    full, empty = volume * (1 - 1 / limit), volume * (1 - 1 / closing)
    rise, fall = (full - empty) / inflow, (full - empty) / outflow
    stop = draw.stop(rise + fall, 100.0)
    text = model_text(
        "Relief", "V0 r d limit closing",
        "Real V(start = 0, fixed = true);\nReal p;\nBoolean open(start = false, fixed = true);",
        """p = V0/(V0 - V);
        der(V) = if open then -d else r;
        open = p > limit or pre(open) and p > closing;""",
        ["open"],
    )  # fmt: skip

    def course(disturbance: float) -> list[float]:
        times, time, opened, now = list[float](), 0.0, False, disturbance
        while True:
            phase = (now - empty) / outflow if opened else (full - now) / inflow
            time += phase
            if time > stop or phase <= 0:  # where the disturbance is larger than the hysteresis
                return times
            now = (empty if opened else full) + disturbance
            opened = not opened
            times.append(time)

    def truth(tolerance: float) -> list[Instants]:
        # The volume is a straight line: its error is that of the digits, and of the switching.
        return [instants(course, tolerance * volume / limit + 1e-12, min(rise, fall), stop)]

    parameters = {"V0": volume, "r": inflow, "d": outflow, "limit": limit, "closing": closing}
    return Case("relief", text, parameters, stop, instants=truth, fastest=min(rise, fall))


CONTROLLERS = (_thermostat, _relief)
