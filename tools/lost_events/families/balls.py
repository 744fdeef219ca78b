"""Balls that bounce: on a floor, and on a table that vibrates."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from tools.lost_events.cases import Case, Draw, Instants, model_text
from tools.lost_events.courses import PHASE, instants
from tools.lost_events.truth import Vector, next_fall

GRAVITY = 9.81

#: Hops that become ever shorter are no matter of this tool, as long as the run goes on.
ZENO = {"zeno": "continue"}


def _floor(draw: Draw) -> Case:
    height, bounce = draw.decades(1e-2, 1e2), draw.uniform(0.3, 0.999)
    speed = math.sqrt(2 * GRAVITY * height)
    first = speed / GRAVITY
    # Hops lower than what the tolerance can tell are left to the tests of accumulating events.
    most = math.log(1e-6 / height) / (2 * math.log(bounce))
    count = draw.whole(1, max(min(int(most), 300), 1))
    lowest = height * bounce ** (2 * count)
    text = model_text(
        "Floor", "e h0",
        "Real h(start = h0, fixed = true);\nReal v(start = 0, fixed = true);\n"
        "Boolean flip(start = false, fixed = true);",
        f"""der(h) = v;
        der(v) = -{GRAVITY};
        when h <= 0 then
          reinit(v, -e*pre(v));
          flip = not pre(flip);
        end when;""",
        ["flip"],
    )  # fmt: skip

    def course(disturbance: float) -> list[float]:
        times, upward = [first + disturbance / speed], speed
        for _ in range(count):
            upward = bounce * upward + disturbance
            if upward <= abs(disturbance):
                break
            times.append(times[-1] + 2 * upward / GRAVITY + disturbance / upward)
        return times

    exact = course(0.0)
    stop = draw.uniform(exact[-2], exact[-1])
    shortest = exact[-1] - exact[-2]
    size = 1 + max(height, speed)

    def truth(tolerance: float) -> list[Instants]:
        return [
            instants(lambda d: [t for t in course(d) if t < stop], PHASE * tolerance * size, shortest, stop)
        ]

    loosest = min(1e-4, 1e-3 * lowest / size)
    return Case("floor", text, {"e": bounce, "h0": height}, stop, instants=truth, loosest=loosest,
                fastest=shortest, settings=ZENO)  # fmt: skip


def _gap(w: float, p: float, size: float, start: float, height: float, speed: float, t: Vector) -> Vector:
    s = t - start
    return height + speed * s - GRAVITY / 2 * s**2 - size * np.sin(w * t + p)


def _table(draw: Draw) -> Case:
    """The table goes to and fro many times while the ball flies once, or the other way round."""
    w, p = 2 * math.pi * draw.decades(0.1, 100.0), draw.phase()
    size = draw.decades(1e-3, 0.3)
    height, bounce = size + draw.decades(1e-2, 10.0), draw.uniform(0.3, 0.9)
    period = 2 * math.pi / w
    flight = math.sqrt(2 * height / GRAVITY)
    stop = draw.stop(flight, 30.0)
    scale = min(period, flight)
    text = model_text(
        "Table", "w p a e h0",
        "Real h(start = h0, fixed = true);\nReal v(start = 0, fixed = true);\nReal floor;\n"
        "Boolean flip(start = false, fixed = true);",
        f"""der(h) = v;
        der(v) = -{GRAVITY};
        floor = a*sin(w*time + p);
        when h <= floor then
          reinit(v, (1 + e)*a*w*cos(w*time + p) - e*pre(v));
          flip = not pre(flip);
        end when;""",
        ["flip"],
    )  # fmt: skip

    def course(disturbance: float) -> list[float]:
        times, time, now, speed = list[float](), 0.0, height, disturbance * (1 + abs(height))
        while len(times) < 200:
            end = next_fall(partial(_gap, w, p, size, time, now, speed), time, stop, scale)
            if end is None:
                return times
            falling = speed - GRAVITY * (end - time)
            moving = size * w * math.cos(w * end + p)
            time, now, speed = end, size * math.sin(w * end + p), (1 + bounce) * moving - bounce * falling
            times.append(time)
            if speed - moving < 1e-3 * GRAVITY * scale:
                times.append(time)  # it hardly leaves the table: nothing is known from here on
                return times
            speed += disturbance * (1 + abs(speed))
            now += disturbance
        return times

    def truth(tolerance: float) -> list[Instants]:
        known = instants(course, PHASE * tolerance, scale, stop)
        return [_before_rest(known, scale)]

    parameters = {"w": w, "p": p, "a": size, "e": bounce, "h0": height}
    return Case("table", text, parameters, stop, instants=truth, loosest=1e-6, fastest=scale, settings=ZENO)


def _before_rest(known: Instants, scale: float) -> Instants:
    """Up to the first hop that is too short to be told from rest."""
    short = np.flatnonzero(np.diff(known.times, prepend=-1.0) < 1e-3 * scale)
    if not len(short):
        return known
    end = max(short[0] - 1, 0)
    until = float(known.times[end] - known.errors[end])
    return Instants(known.first, known.times[:end], known.errors[:end], known.scale, until)


BALLS = (_floor, _table)
