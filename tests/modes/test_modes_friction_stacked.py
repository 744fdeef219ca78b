"""Two and three blocks on top of each other (paper 000, Fig. 7), with declarative friction between them.

Truth: an integration event by event that tries all assignments of sticking and sliding, itself compared with
a steep smooth law. Some events change two contacts at once: the lower block turns without resting while the
upper one is shaken off.

Tolerances: 1e-10 per step and about 3000 steps of a contracting system; velocities meet zero with slopes of
at least 0.1: times to 1e-6, velocities to 1e-6.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from friction_cases import THREE, TWO
from friction_elements import STACKED, changes, stuck, with_law
from friction_reference import Contacts, Motion, integrate

import saltus
from translated_models import translated

TOLERANCE = 1e-6
CASES = {"TwoBlocks": (TWO, 20.0), "ThreeBlocks": (THREE, 12.0)}
LAWS = ("Friction", "BranchFriction", "FactorFriction")


@cache
def reference(case: str) -> Motion:
    contacts, stop = CASES[case]
    n = len(contacts.masses)
    return integrate(contacts, np.zeros(n), np.zeros(n), stop)


@cache
def run(law: str, case: str) -> saltus.Result:
    return translated(with_law(law, STACKED), model=case).simulate(tolerance=1e-10)


def contacts_of(case: str) -> Contacts:
    return CASES[case][0]


def elements(case: str) -> list[str]:
    return [f"friction[{i + 1}]" for i in range(len(contacts_of(case).masses))]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("law", LAWS)
def test_modes_and_their_times(law: str, case: str) -> None:
    found, expected = changes(run(law, case), *elements(case)), reference(case).changes
    assert [modes for _, modes in found] == [modes for _, modes in expected]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], atol=TOLERANCE)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("law", LAWS)
def test_motion(law: str, case: str) -> None:
    result, n = run(law, case), len(contacts_of(case).masses)
    expected = reference(case).at(np.asarray(result.time))
    for i in range(n):
        np.testing.assert_allclose(result[f"body[{i + 1}].v"], expected[:, n + i], atol=TOLERANCE)
        np.testing.assert_allclose(result[f"body[{i + 1}].x"], expected[:, i], atol=3 * TOLERANCE)
        lost = result[f"friction[{i + 1}].lost"]
        np.testing.assert_allclose(lost, expected[:, 2 * n + i], atol=3 * TOLERANCE)


@pytest.mark.parametrize("case", CASES)
def test_velocities_are_equal_while_blocks_stick(case: str) -> None:
    result = run("Friction", case)
    for element in elements(case):
        rests = stuck(result, element)
        assert np.count_nonzero(rests) > 10
        assert np.abs(np.asarray(result[f"{element}.v"])[rests]).max() < 1e-12
        assert np.abs(np.asarray(result[f"{element}.s"])[rests]).max() < 1 + 1e-9


@pytest.mark.parametrize("case", CASES)
def test_books(case: str) -> None:
    """Work of the pushes = kinetic energy + heat, at every point."""
    result, masses = run("Friction", case), contacts_of(case).masses
    kinetic = sum(m * np.asarray(result[f"body[{i + 1}].v"]) ** 2 / 2 for i, m in enumerate(masses))
    heat = sum(np.asarray(result[f"{element}.lost"]) for element in elements(case))
    np.testing.assert_allclose(kinetic + heat, result["work"], atol=3 * TOLERANCE)


@pytest.mark.parametrize("case", CASES)
def test_events_and_programs(case: str) -> None:
    """No events but changes of modes; at most as many programs as there are sets of sticking contacts, and
    the one that the run began with."""
    result = run("Friction", case)
    assert len([e for e in result.events if e.kind == "state"]) == len(reference(case).changes)
    visited = {modes for _, modes in reference(case).changes} | {(0,) * len(elements(case))}
    assert result.statistics["programs"] <= len(visited) + 1


def test_two_contacts_change_at_once() -> None:
    """The reference has such events, so the comparison above covers them."""
    changed = reference("TwoBlocks").changes
    both = [b for (_, a), (_, b) in pairwise(changed) if a[0] != b[0] and a[1] != b[1]]
    assert len(both) >= 3


@pytest.mark.parametrize("case", CASES)
def test_timeline_of_modes(case: str) -> None:
    """Each block that sticks takes one state away; positions, heat and work are always states."""
    result, n = run("Friction", case), len(elements(case))
    changed = reference(case).changes
    stays = list(result.modes)
    assert len(stays) == len(changed) + 1
    starts = [0.0, *(t for t, _ in changed)]
    np.testing.assert_allclose([stay.start for stay in stays], starts, atol=TOLERANCE)
    for stay, modes in zip(stays, [(0,) * n, *(modes for _, modes in changed)], strict=True):
        assert len(stay.mode.states) == 3 * n + 1 - modes.count(0)
        assert stay.mode.index == (2 if 0 in modes else 0)


@pytest.mark.parametrize("case", CASES)
def test_nothing_jumps(case: str) -> None:
    """Blocks stick when their velocities have met: what an error of event location leaves is no impulse."""
    assert len(run("Friction", case).impulses) == 0
