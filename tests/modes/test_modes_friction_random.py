"""Stacks of two and three blocks with random masses, pushes, friction and velocities, against the reference.

Only trajectories are compared: two events may be so close that their order is a matter of rounding.
"""

from __future__ import annotations

import numpy as np
import pytest
from friction_cases import stacked
from friction_elements import STACKED, stuck, with_law
from friction_reference import integrate

import saltus

STOP = 6.0
LOADED: dict[str, saltus.Model] = {}


def model(law: str, name: str) -> saltus.Model:
    """Each is translated once: the values are those of parameters."""
    if law + name not in LOADED:
        LOADED[law + name] = saltus.load(with_law(law, STACKED), model=name)
    return LOADED[law + name]


@pytest.mark.parametrize("seed", range(24))
def test_random_stacks(seed: int, law: str = "Friction") -> None:
    random = np.random.default_rng(seed)
    n = 2 + seed % 2
    values = {
        "m": random.uniform(0.2, 2.0, n),
        "amplitude": random.uniform(0.2, 3.0, n),
        "omega": random.uniform(0.5, 4.0, n),
        "f0": random.uniform(0.1, 1.5, n),
        "f1": random.uniform(0.0, 0.5, n),
        # Some blocks start at rest on what they lie on, some slide.
        "velocity": np.cumsum(random.choice([0.0, 0.0, 1.0], n) * random.uniform(-1, 1, n)),
    }
    settings = {f"{name}[{i + 1}]": float(v) for name, column in values.items() for i, v in enumerate(column)}
    result = model(law, "TwoBlocks" if n == 2 else "ThreeBlocks").simulate(
        set=settings, stop_time=STOP, tolerance=1e-10
    )
    contacts = stacked(*(values[name].tolist() for name in ("m", "amplitude", "omega", "f0", "f1")))
    motion = integrate(contacts, np.zeros(n), values["velocity"], STOP)
    expected = motion.at(np.asarray(result.time))
    for i in range(n):
        np.testing.assert_allclose(result[f"body[{i + 1}].v"], expected[:, n + i], atol=1e-6)
        np.testing.assert_allclose(result[f"body[{i + 1}].x"], expected[:, i], atol=1e-6)
        apart = np.asarray(result[f"friction[{i + 1}].v"])[stuck(result, f"friction[{i + 1}]")]
        assert np.abs(apart).max(initial=0.0) < 1e-12
