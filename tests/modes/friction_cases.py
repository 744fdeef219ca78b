"""The rigs of `friction_elements` as the reference sees them: the same numbers, written a second time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from friction_reference import Contacts, Vector
from scipy.optimize import brentq


def one_block(f1: float = 0.0, amplitude: float = 2.0, peak: float = 1.0, mass: float = 1.0) -> Contacts:
    """A block on a table, pushed by amplitude*sin(t)."""

    def force(t: float, x: Vector, v: Vector) -> Vector:
        return np.array([amplitude * np.sin(t)])

    one = np.ones(1)
    return Contacts(mass * one, force, np.eye(1), one, f1 * one, peak * one, np.zeros(1))


def stacked(
    masses: Sequence[float],
    amplitudes: Sequence[float],
    omegas: Sequence[float],
    f0: Sequence[float],
    f1: Sequence[float],
    peak: Sequence[float] | None = None,
) -> Contacts:
    """Each block lies on the one before, the first on a table."""
    n = len(masses)
    amplitude, omega = np.array(amplitudes), np.array(omegas)

    def force(t: float, x: Vector, v: Vector) -> Vector:
        return np.asarray(amplitude * np.sin(omega * t))

    between = np.eye(n) - np.eye(n, k=-1)
    peaks = np.ones(n) if peak is None else np.array(peak)
    return Contacts(np.array(masses), force, between, np.array(f0), np.array(f1), peaks, np.zeros(n))


TWO = stacked([1, 0.5], [2.2, 1.3], [1, 2.3], [1, 0.6], [0.3, 0.1])
THREE = stacked([1, 0.5, 0.3], [2.2, 1.3, 0.7], [1, 2.3, 1.7], [1, 0.6, 0.25], [0.3, 0.1, 0.05])


def on_belt(velocity: float = 0.5, f1: float = 0.0, peak: float = 1.0) -> Contacts:
    """A block of mass 1 on a belt, held by a spring of stiffness 1."""

    def force(t: float, x: Vector, v: Vector) -> Vector:
        return -x

    one = np.ones(1)
    return Contacts(one, force, np.eye(1), one, f1 * one, peak * one, velocity * one)


ON_BELT_PEAK = on_belt(peak=1.5)


def slide_velocity(t: float, start: float, sign: int, f1: float) -> float:
    """Closed form for the one block of mass 1 that begins to slide at `start`: v' = 2 sin t - sign - f1 v."""
    if f1 == 0:
        return 2 * (math.cos(start) - math.cos(t)) - sign * (t - start)

    def forced(time: float) -> float:
        return (2 * f1 * math.sin(time) - 2 * math.cos(time)) / (1 + f1 * f1) - sign / f1

    return forced(t) - forced(start) * math.exp(-f1 * (t - start))


def slide_times(f1: float, stop: float = 4 * math.pi) -> list[float]:
    """When the block pushed by 2 sin t changes its mode: it breaks away at arcsin(1/2), and so on."""
    found, start, sign = [], math.asin(0.5), 1
    while start < stop:
        found.append(start)
        fastest = start + 1.0
        end = brentq(slide_velocity, fastest, start + 5.0, (start, sign, f1), xtol=1e-15)
        sign = -sign
        if abs(2 * math.sin(end)) > 1:  # it turns without resting
            start = end
        else:
            found.append(end)
            start = math.asin(0.5) + math.pi * math.ceil((end - math.asin(0.5)) / math.pi)
    return [t for t in found if t < stop]
