"""Stick-slip: a block on a moving belt, held by a spring, with declarative friction.

Closed forms, mass and stiffness 1, belt velocity V, sliding force 1, largest sticking force p:

- while it slides behind the belt, x = 1 + A sin(t) + B cos(t);
- while it sticks, x grows with V until the spring pulls with p;
- the cycle repeats: from x = p the slide is 1 + (p - 1) cos(u) + V sin(u), which has the velocity V again at
  u = 2 pi - 2 arctan((p - 1)/V), with x = 2 - p; then it sticks for 2 (p - 1)/V.

With a falling characteristic (f1 < 0) the plain element, without peak, has a limit cycle too.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from friction_cases import on_belt
from friction_elements import BELT, changes, stuck, with_law
from friction_reference import integrate

import saltus

V, PEAK, STOP = 0.5, 1.5, 30.0


def stick_slip_times() -> list[float]:
    """Start at rest: x = 1 - cos(t) reaches the belt's velocity at sin(t) = V."""
    caught = math.asin(V)
    times = [caught, caught + (PEAK - (1 - math.cos(caught))) / V]
    while times[-1] < STOP:
        slip = 2 * math.pi - 2 * math.atan((PEAK - 1) / V)
        times += [times[-1] + slip, times[-1] + slip + 2 * (PEAK - 1) / V]
    return [t for t in times if t < STOP]


@pytest.fixture(scope="module")
def peak() -> saltus.Result:
    model = saltus.load(with_law("PeakFriction", BELT))
    return model.simulate(set={"peak": PEAK}, tolerance=1e-10)


def test_times_of_sticking_and_slipping(peak: saltus.Result) -> None:
    found, expected = changes(peak, "friction"), stick_slip_times()
    assert len(expected) == 9
    assert [mode for _, (mode,) in found] == [0, -1, 0, -1, 0, -1, 0, -1, 0]
    np.testing.assert_allclose([t for t, _ in found], expected, atol=1e-7)


def test_position_in_closed_form(peak: saltus.Result) -> None:
    edges = stick_slip_times()
    time = np.asarray(peak.time)
    expected = np.where(time <= edges[0], 1 - np.cos(time), 0.0)
    for i, start in enumerate(edges):
        end = edges[i + 1] if i + 1 < len(edges) else STOP
        part, u = (time > start) & (time <= end), time - start
        if i % 2:
            slides = 1 + (PEAK - 1) * np.cos(u) + V * np.sin(u)
        else:
            slides = (1 - math.cos(start) if i == 0 else 2 - PEAK) + V * u
        expected[part] = slides[part]
    np.testing.assert_allclose(peak["body.x"], expected, atol=1e-7)
    np.testing.assert_array_equal(np.asarray(peak["body.x"]), peak["spring.l"])


def test_moves_with_the_belt_while_it_sticks(peak: saltus.Result) -> None:
    rests = stuck(peak, "friction")
    assert not np.any(peak["friction.forward"])
    assert np.abs(np.asarray(peak["friction.v"])[rests]).max() < 1e-12
    f, x = np.asarray(peak["friction.f"]), np.asarray(peak["body.x"])
    np.testing.assert_allclose(f[rests], -x[rests], rtol=0, atol=1e-12)


def test_books_of_energy(peak: saltus.Result) -> None:
    """What the belt brings in, its velocity times the force, is kinetic or elastic energy, or lost."""
    x, v = np.asarray(peak["body.x"]), np.asarray(peak["body.v"])
    time, lost = np.asarray(peak.time), np.asarray(peak["friction.lost"])
    edges = [t for t, _ in changes(peak, "friction")]
    for left, right in zip(edges[1::2], edges[2::2], strict=False):
        # One slip: the force is 1 throughout, so the belt brings in V times its duration.
        i, j = (int(np.searchsorted(time, t, side="right")) - 1 for t in (left, right))
        energy = [(v[row] ** 2 + x[row] ** 2) / 2 + lost[row] for row in (i, j)]
        assert energy[1] - energy[0] == pytest.approx(V * (right - left), abs=1e-6)


def test_limit_cycle_of_a_falling_characteristic() -> None:
    model = saltus.load(with_law("Friction", BELT))
    result = model.simulate(set={"f1": -0.3}, tolerance=1e-10)
    motion = integrate(on_belt(V, f1=-0.3), np.zeros(1), np.zeros(1), STOP)
    found = changes(result, "friction")
    assert [modes for _, modes in found] == [modes for _, modes in motion.changes]
    assert len(found) > 4
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in motion.changes], atol=1e-6)
    np.testing.assert_allclose(result["body.x"], motion.at(np.asarray(result.time))[:, 0], atol=1e-6)


def test_rests_in_equilibrium_when_the_belt_stands_still() -> None:
    """The spring is tensioned less than the friction holds: nothing moves, though nothing says that v = 0 but
    the element."""
    model = saltus.load(with_law("Friction", BELT))
    result = model.simulate(set={"velocity": 0.0, "stretch": 0.8}, stop_time=5)
    assert not changes(result, "friction")
    np.testing.assert_array_equal(np.asarray(result["spring.l"]), 0.8)
    np.testing.assert_allclose(result["friction.f"], -0.8, rtol=0, atol=1e-12)
