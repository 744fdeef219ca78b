"""What the tests need to run a model with each integrator."""

from __future__ import annotations

from typing import Any, Protocol

import saltus


class Simulate(Protocol):
    """Runs a model with the integrator under test; options as those of `Model.simulate`."""

    def __call__(self, model: saltus.Model, **options: Any) -> saltus.Result: ...
