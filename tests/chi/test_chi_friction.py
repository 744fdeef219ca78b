"""The friction processes of van Beek and Rooda 1998 from their own language.

While the body slides, v' = (A sin(w t) -+ mu m g)/m has a closed form, and so has x. The body breaks away
where the drive exceeds mu0 m g; the process with the state TRY does so when v has become epsilon, some
milliseconds later. A slide ends at the zero of a function of one variable.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from chi_examples import example
from scipy.optimize import brentq

import saltus

MU, MU0, EPS, G = 0.1, 0.18, 1e-5, 10.0
W = 0.25 * math.pi
STOP = 10.0


def gained(t: float, t0: float, force: float) -> float:
    """Velocity gained from t0 on against a constant force; the mass is 1."""
    return -2 / W * (math.cos(W * t) - math.cos(W * t0)) - force * (t - t0)


def moved(t: float, t0: float, force: float, v0: float) -> float:
    """The way since t0, at which the velocity was v0."""
    d = t - t0
    sine = 2 / W * math.cos(W * t0) * d - 2 / W**2 * (math.sin(W * t) - math.sin(W * t0))
    return sine - force * d * d / 2 + v0 * d


def break_away(half: int) -> float:
    """When the drive exceeds mu0 F_N in a half period."""
    return (math.asin(MU0 * G / 2) + half * math.pi) / W


def tried(half: int) -> float:
    """When the velocity has become epsilon against the largest friction at rest."""
    sign, start = (-1) ** half, break_away(half)
    return float(
        brentq(lambda t: sign * gained(t, start, sign * MU0 * G) - EPS, start, start + 0.1, xtol=1e-15)
    )


def slides(starts: list[float]) -> list[tuple[float, float, int]]:
    """(start, end, direction) of slides that begin with the velocity epsilon."""
    found = []
    for half, start in enumerate(starts):
        sign = (-1) ** half
        fastest = (math.pi - math.asin(MU * G / 2) + half * math.pi) / W
        end = brentq(
            lambda t, t0=start, s=sign: s * (gained(t, t0, s * MU * G) + s * EPS),
            fastest, fastest + math.pi / W, xtol=1e-15,
        )  # fmt: skip
        found.append((start, end, sign))
    return [slide for slide in found if slide[0] < STOP]


def states(result: saltus.Result) -> list[tuple[float, str]]:
    """When the state changes, and to what."""
    names = {1: "NEG", 2: "STOP", 3: "POS"}
    values = np.asarray(result["s"], dtype=float)
    if values.max() > 3:
        names = {1: "NEG", 2: "STOP", 3: "TRY", 4: "POS"}
    rows = np.flatnonzero(np.diff(values)) + 1
    return [(float(result.time[row]), names[int(values[row])]) for row in rows]


def compared(result: saltus.Result, expected: list[tuple[float, str]]) -> None:
    found = states(result)
    assert [name for _, name in found] == [name for _, name in expected]
    # v falls with 0.5 m/s2 and more where it becomes zero.
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], atol=2e-6)


@pytest.mark.parametrize("name", ["Friction1", "Friction2"])
def test_the_printed_drive_moves_nothing(name: str) -> None:
    result = saltus.load(example(name), model="Printed").simulate()
    assert set(np.asarray(result["x"])) == {-2.0} and set(np.asarray(result["s"])) == {2.0}
    assert result.time[-1] == STOP


def test_three_states() -> None:
    result = saltus.load(example("Friction1")).simulate()
    all_slides = slides([break_away(half) for half in range(3)])
    assert f"{all_slides[0][0]:.3f}" == "1.426" and len(all_slides) == 3
    expected = [
        (t, name)
        for start, end, sign in all_slides
        for t, name in ((start, "POS" if sign > 0 else "NEG"), (end, "STOP"))
        if t < STOP
    ]
    compared(result, expected)

    def position(t: float) -> float:
        inside = [s for s in all_slides if s[0] < t]
        return -2 + sum(moved(min(t, end), t0, s * MU * G, s * EPS) for t0, end, s in inside)

    np.testing.assert_allclose(result["x"], [position(t) for t in result.time], atol=3e-6)
    rest = np.asarray(result["s"]) == 2
    np.testing.assert_array_equal(np.asarray(result["F_f"])[rest], np.asarray(result["F_d"])[rest])


def test_both_side_by_side() -> None:
    """Figure 4: the curves lie upon each other. They differ by 14 mm at most, in a motion of metres."""
    result = saltus.load(example("Fig4")).simulate()
    first, second = (slides([start(half) for half in range(3)]) for start in (break_away, tried))

    def position(t: float, all_slides: list[tuple[float, float, int]]) -> float:
        inside = [s for s in all_slides if s[0] < t]
        return -2 + sum(moved(min(t, end), t0, s * MU * G, s * EPS) for t0, end, s in inside)

    for name, all_slides in (("Friction1", first), ("Friction2", second)):
        exact = [position(t, all_slides) for t in result.time]
        # While the body breaks away in the state TRY it moves by less than a tenth of a micrometre.
        np.testing.assert_allclose(result[f"{name}.x"], exact, atol=3e-6)
    difference = np.abs(np.asarray(result["Friction2.x"]) - np.asarray(result["Friction1.x"]))
    exact = [abs(position(t, second) - position(t, first)) for t in result.time]
    assert difference.max() == pytest.approx(max(exact), abs=6e-6)
    assert 0 < difference.max() < 0.01 * np.ptp(result["Friction1.x"])


def test_four_states() -> None:
    result = saltus.load(example("Friction2")).simulate()
    all_slides = slides([tried(half) for half in range(3)])
    later = all_slides[0][0] - break_away(0)
    assert f"{1e3 * later:.1f}" == "5.4"
    expected = [
        (t, name)
        for half, (start, end, sign) in enumerate(all_slides)
        for t, name in ((break_away(half), "TRY"), (start, "POS" if sign > 0 else "NEG"), (end, "STOP"))
        if t < STOP
    ]
    # The velocity epsilon is reached slowly: it grows with 4 mm/s2 there, and is integrated with errors of
    # 1e-8.
    found = states(result)
    assert [name for _, name in found] == [name for _, name in expected]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], atol=5e-6)
