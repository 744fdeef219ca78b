"""The references of the friction tests, checked against closed forms and against each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from friction_cases import ON_BELT_PEAK, THREE, TWO, one_block, slide_times
from friction_reference import Contacts, integrate, regularised


@pytest.mark.parametrize("f1", [0.0, 0.5, 2.0])
def test_one_block_by_closed_form(f1: float) -> None:
    found = integrate(one_block(f1), np.zeros(1), np.zeros(1), 4 * math.pi).changes
    expected = slide_times(f1, 4 * math.pi)
    np.testing.assert_allclose([t for t, _ in found], expected, atol=1e-10)
    sticks = f1 > 0
    assert sticks == (0 in {mode for _, (mode,) in found})


def test_design_says_when_the_block_breaks_away_and_sticks() -> None:
    breaks, sticks = slide_times(0.5)[:2]
    assert breaks == pytest.approx(0.5236, abs=5e-5)
    assert sticks == pytest.approx(3.4328, abs=5e-5)


@pytest.mark.parametrize("contacts", [TWO, THREE], ids=["two", "three"])
def test_stacked_blocks_by_a_steep_law(contacts: Contacts) -> None:
    """A law of width 1e-6 creeps with at most 1e-6 where it should stick, and turns that much too late."""
    n = len(contacts.masses)
    times = np.linspace(0.0, 8.0, 161)
    exact = integrate(contacts, np.zeros(n), np.zeros(n), 8.0)
    steep = regularised(contacts, np.zeros(n), np.zeros(n), times)
    np.testing.assert_allclose(steep, exact.at(times)[:, : 2 * n], atol=3e-5)
    assert len(exact.changes) > 10


def test_energy_is_lost_in_the_contacts_only() -> None:
    """What the belt brings in, its velocity times the force, is kinetic or elastic energy, or lost."""
    motion = integrate(ON_BELT_PEAK, np.zeros(1), np.zeros(1), 20.0)
    times = np.linspace(0.0, 20.0, 2001)
    x, v, lost = motion.at(times).T
    momentum_from_belt = v + np.concatenate([[0.0], np.cumsum((x[1:] + x[:-1]) / 2 * np.diff(times))])
    np.testing.assert_allclose(v**2 / 2 + x**2 / 2 + lost, 0.5 * momentum_from_belt, atol=1e-4)  # trapezia
    assert lost[-1] > 5
