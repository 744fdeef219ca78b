"""What the tests need to run a model with each integrator."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import saltus


class Simulate(Protocol):
    """Runs a model with the integrator under test; options as those of `Model.simulate`."""

    def __call__(self, model: saltus.Model, **options: Any) -> saltus.Result: ...


@cache
def translated(text: str) -> saltus.Model:
    """As `saltus.load`; but a model of so many equations is translated once for all integrators."""
    return saltus.load(text)
