"""The declarative friction element as papers 001 and 003 write it: one block, pushed by 2 sin t.

Truth: closed forms of the sliding phases. Tolerances: the runs have 1e-10 per step and some hundred steps in
a contracting system; a velocity reaches zero with a slope of at least 0.4: times to 1e-7.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from friction_cases import one_block, slide_times, slide_velocity
from friction_elements import ONE_BLOCK, changes, stuck, with_law
from friction_reference import integrate

import saltus

SPELLINGS = ("Friction", "ForceFriction", "BranchFriction", "FactorFriction", "PeakFriction")
STOP = 4 * math.pi
TIME_TOLERANCE = 1e-7
TOLERANCE = 1e-7


@pytest.fixture(scope="module", params=SPELLINGS)
def model(request: pytest.FixtureRequest) -> saltus.Model:
    return saltus.load(with_law(request.param, ONE_BLOCK))


def run(model: saltus.Model, **values: float) -> saltus.Result:
    return model.simulate(tolerance=1e-10, set=values)


def modes(result: saltus.Result) -> list[int]:
    return [mode for _, (mode,) in changes(result, "friction")]


def times(result: saltus.Result) -> list[float]:
    return [t for t, _ in changes(result, "friction")]


def test_breaks_away_slides_and_sticks(model: saltus.Model) -> None:
    result = run(model, f1=0.5)
    assert modes(result) == [1, 0, -1, 0, 1, 0, -1]
    np.testing.assert_allclose(times(result), slide_times(0.5, STOP), atol=TIME_TOLERANCE)


def test_velocity_is_the_closed_form_and_rests_exactly(model: saltus.Model) -> None:
    result = run(model, f1=0.5)
    time, v = np.asarray(result.time), np.asarray(result["body.v"])
    edges = [*slide_times(0.5, STOP), STOP + 1]
    expected = np.zeros_like(v)
    for k, (start, end) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
        sliding = (time >= start) & (time <= end)
        expected[sliding] = [slide_velocity(t, start, 1 - 2 * (k % 2), 0.5) for t in time[sliding]]
    np.testing.assert_allclose(v, expected, atol=TOLERANCE)
    rests = stuck(result, "friction")
    assert np.count_nonzero(rests) > 20
    assert np.abs(v[rests]).max() < 1e-12
    f = np.asarray(result["friction.f"])
    np.testing.assert_allclose(f[rests], 2 * np.sin(time[rests]), rtol=0, atol=1e-12)


def test_turns_without_resting(model: saltus.Model) -> None:
    """Without a viscous part the block comes to rest when the push exceeds the friction."""
    result = run(model, f1=0.0)
    assert modes(result) == [1, -1, 1, -1]
    np.testing.assert_allclose(times(result), slide_times(0.0, STOP), atol=TIME_TOLERANCE)


def test_books_of_energy(model: saltus.Model) -> None:
    """What the push gave is kinetic energy or heat; the heat is that of the reference."""
    result = run(model, f1=0.5)
    lost, v = np.asarray(result["friction.lost"]), np.asarray(result["body.v"])
    np.testing.assert_allclose(v**2 / 2 + lost, result["work"], atol=TOLERANCE)
    expected = integrate(one_block(0.5), np.zeros(1), np.zeros(1), STOP).at(np.asarray(result.time))
    np.testing.assert_allclose(lost, expected[:, 2], atol=TOLERANCE)
    assert np.all(np.diff(lost) > -1e-12)


def test_sticks_from_the_start_and_for_ever(model: saltus.Model) -> None:
    result = run(model, amplitude=0.9)
    assert not changes(result, "friction")
    assert not np.asarray(result["body.v"]).any()
    assert not np.asarray(result["body.x"]).any()
    np.testing.assert_allclose(result["friction.f"], 0.9 * np.sin(np.asarray(result.time)), atol=1e-12)
    assert [e.kind for e in result.events if e.kind == "state"] == []


@pytest.mark.parametrize("velocity", [1.0, -1.0])
def test_slides_from_the_start(model: saltus.Model, velocity: float) -> None:
    result = run(model, velocity=velocity, f1=0.5)
    first = result["friction.forward" if velocity > 0 else "friction.backward"]
    assert first[0]
    motion = integrate(one_block(0.5), np.zeros(1), np.array([velocity]), STOP)
    assert modes(result) == [mode for _, (mode,) in motion.changes]
    np.testing.assert_allclose(times(result), [t for t, _ in motion.changes], atol=TIME_TOLERANCE)
    expected = motion.at(np.asarray(result.time))
    np.testing.assert_allclose(result["body.v"], expected[:, 1], atol=TOLERANCE)
    np.testing.assert_allclose(result["body.x"], expected[:, 0], atol=TOLERANCE)


def test_events_and_programs_are_few(model: saltus.Model) -> None:
    """One event for each change of mode, no more; one program for each of the three structures at most."""
    result = run(model, f1=0.5)
    assert len([e for e in result.events if e.kind == "state"]) == 7
    assert 2 <= result.statistics["programs"] <= 4


def test_event_log_tells_what_happened(model: saltus.Model) -> None:
    text = str(run(model, f1=0.5).events)
    assert "friction.forward: false -> true" in text
    assert "friction.forward: true -> false" in text


def test_peak() -> None:
    """Sticking holds 1.5 times the sliding force: break-away at arcsin(0.75), with a leap of the force."""
    result = run(saltus.load(with_law("PeakFriction", ONE_BLOCK)), f1=0.5, peak=1.5)
    motion = integrate(one_block(0.5, peak=1.5), np.zeros(1), np.zeros(1), STOP)
    assert times(result)[0] == pytest.approx(math.asin(0.75), abs=1e-9)
    assert modes(result) == [mode for _, (mode,) in motion.changes]
    np.testing.assert_allclose(times(result), [t for t, _ in motion.changes], atol=TIME_TOLERANCE)
    row = int(np.searchsorted(result.time, times(result)[0], side="right")) - 1
    f = np.asarray(result["friction.f"])
    assert f[row - 1] == pytest.approx(1.5, abs=1e-7)
    assert f[row] == pytest.approx(1.0, abs=1e-7)
