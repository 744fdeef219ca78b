"""A body on a rope, throw by throw: parabolas while it is slack, a pendulum while it is taut.

Thrown, the body follows its parabola until it is as far from the pivot as the rope is long; then it loses the
radial part of its velocity. On the circle, the angle has phi'' = -g sin(phi)/L until the tension
m (L phi'^2 + g cos(phi)) is used up. The angle is measured from the lowest point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Flight:
    """A parabola from `start` to `end`."""

    start: float
    end: float
    position: Vector
    velocity: Vector
    gravity: float

    def at(self, t: float) -> Vector:
        """Position and velocity."""
        since = t - self.start
        pull = np.array([0.0, -self.gravity])
        position = self.position + self.velocity * since + pull * since**2 / 2
        return np.concatenate([position, self.velocity + pull * since])


@dataclass(frozen=True)
class Swing:
    """On the circle from `start` to `end`; `impulse` is what the rope took at its start."""

    start: float
    end: float
    impulse: float
    lost: float
    length: float
    solution: object

    def at(self, t: float) -> Vector:
        """Position and velocity."""
        angle, rate = self.solution(t)  # type: ignore[operator]
        outwards = np.array([math.sin(angle), -math.cos(angle)])
        along = np.array([math.cos(angle), math.sin(angle)])
        return np.concatenate([self.length * outwards, self.length * rate * along])


def throws(start: Vector, stop: float, length: float, gravity: float) -> list[Flight | Swing]:
    """All flights and swings of a body of mass 1 that begins within the circle, up to a time."""
    found: list[Flight | Swing] = []
    t, now = 0.0, np.array(start, dtype=float)
    while t < stop:
        flight = Flight(t, stop, now[:2], now[2:], gravity)
        end = _leaves_circle(flight, stop, length)
        found.append(Flight(t, end, now[:2], now[2:], gravity))
        if end >= stop:
            break
        arrived = flight.at(end)
        outwards = arrived[:2] / length
        along = np.array([-outwards[1], outwards[0]])
        radial, speed = float(arrived[2:] @ outwards), float(arrived[2:] @ along)
        angle = math.atan2(outwards[0], -outwards[1])
        swing = _swing(end, angle, speed / length, stop, length, gravity, radial)
        found.append(swing)
        t, now = swing.end, swing.at(swing.end)
    return found


def _leaves_circle(flight: Flight, stop: float, length: float) -> float:
    """When the rope is taut. A flight that begins on the circle begins with a distance that falls."""

    def gap(t: float) -> float:
        return length - math.hypot(*flight.at(t)[:2])

    step = 1e-3
    t = flight.start + step
    while gap(t) > 0:
        t += step
        if t > stop:
            return stop
    return float(brentq(gap, t - step, t, xtol=1e-15))


def _swing(
    t: float, angle: float, rate: float, stop: float, length: float, gravity: float, radial: float
) -> Swing:
    def rhs(_: float, y: Vector) -> list[float]:
        return [y[1], -gravity / length * math.sin(y[0])]

    def tension(_: float, y: Vector) -> float:
        return float(length * y[1] ** 2 + gravity * math.cos(y[0]))

    tension.terminal, tension.direction = True, -1  # type: ignore[attr-defined]
    lost = radial**2 / 2
    if tension(t, np.array([angle, rate])) <= 0:  # the impact is all there is of the swing
        return Swing(t, t, radial, lost, length, lambda _: (angle, rate))
    precise = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12}
    run = solve_ivp(rhs, (t, stop), [angle, rate], dense_output=True, events=tension, **precise)
    return Swing(t, float(run.t[-1]), radial, lost, length, run.sol)
