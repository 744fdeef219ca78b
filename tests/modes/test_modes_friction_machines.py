"""The papers' hand-made friction state machines against an integration event by event, and with closed forms.

They have no varying structure: an acceleration is constrained in place of a velocity, so velocities drift a
little while they stick. The declarative law is compared with the same references in the other files.

Tolerances: runs have 1e-9 per step and some thousand steps of a contracting system; an event time is the zero
of a velocity that falls with at least 0.1: 1e-6.
"""

from __future__ import annotations

import numpy as np
import pytest
from friction_cases import ON_BELT_PEAK, THREE, TWO, one_block
from friction_elements import BELT, ONE_BLOCK, STACKED, changes, with_law
from friction_reference import Contacts, integrate

import saltus
from translated_models import translated

MACHINES = ("FourStates", "SixStates")
TOLERANCE = 1e-6


def agrees(result: saltus.Result, contacts: Contacts, bodies: tuple[str, ...]) -> None:
    time = np.asarray(result.time)
    n = len(bodies)
    expected = integrate(contacts, np.zeros(n), np.zeros(n), float(time[-1])).at(time)
    for i, body in enumerate(bodies):
        np.testing.assert_allclose(result[f"{body}.x"], expected[:, i], atol=3 * TOLERANCE)
        np.testing.assert_allclose(result[f"{body}.v"], expected[:, n + i], atol=TOLERANCE)


@pytest.mark.parametrize("law", MACHINES)
@pytest.mark.parametrize("f1", [0.0, 0.5])
def test_one_block(law: str, f1: float) -> None:
    result = translated(with_law(law, ONE_BLOCK)).simulate(set={"f1": f1})
    agrees(result, one_block(f1), ("body",))
    expected = integrate(one_block(f1), np.zeros(1), np.zeros(1), 4 * np.pi).changes
    found = changes(result, "friction")
    assert [modes for _, modes in found] == [modes for _, modes in expected]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], atol=TOLERANCE)


@pytest.mark.parametrize("law", MACHINES)
@pytest.mark.parametrize(("model", "contacts"), [("TwoBlocks", TWO), ("ThreeBlocks", THREE)])
def test_stacked_blocks(law: str, model: str, contacts: Contacts) -> None:
    n = len(contacts.masses)
    result = translated(with_law(law, STACKED), model=model).simulate()
    agrees(result, contacts, tuple(f"body[{i + 1}]" for i in range(n)))


@pytest.mark.parametrize("law", MACHINES)
def test_peak_on_a_belt(law: str) -> None:
    result = translated(with_law(law, BELT)).simulate(set={"peak": 1.5})
    expected = integrate(ON_BELT_PEAK, np.zeros(1), np.zeros(1), 30.0).changes
    found = changes(result, "friction")
    assert [modes for _, modes in found] == [modes for _, modes in expected]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], atol=TOLERANCE)


@pytest.mark.parametrize("law", [*MACHINES, "PeakFriction"])
@pytest.mark.parametrize(("mass", "peak"), [(0.4, 1.3), (3.0, 1.8)])
def test_peak_on_a_table(law: str, mass: float, peak: float) -> None:
    """The acceleration leaps at break-away, by more than peak - 1 or by less."""
    result = translated(with_law(law, ONE_BLOCK)).simulate(set={"peak": peak, "f1": 0.5, "m": mass})
    motion = integrate(one_block(0.5, peak=peak, mass=mass), np.zeros(1), np.zeros(1), 4 * np.pi)
    found = changes(result, "friction")
    assert [modes for _, modes in found] == [modes for _, modes in motion.changes]
    assert len(found) >= 6
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in motion.changes], atol=TOLERANCE)
