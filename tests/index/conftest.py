"""Every model here runs with each integrator."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from integrators import Simulate

import saltus

_SELECTABLE = "method" in inspect.signature(saltus.Model.simulate).parameters


@pytest.fixture(params=["bdf", "ida"], scope="session")
def method(request: pytest.FixtureRequest) -> str:
    """The integrator: BDF of CVODE on the explicit form, IDA on the implicit one."""
    if request.param != "bdf" and not _SELECTABLE:
        pytest.skip("Model.simulate has no choice of integrators")
    return str(request.param)


@pytest.fixture(scope="session")
def simulate(method: str) -> Simulate:
    """`simulate(model, **options)`: each test that uses it runs once with each integrator."""
    chosen = {"method": method} if _SELECTABLE else {}

    def run(model: saltus.Model, **options: Any) -> saltus.Result:
        return model.simulate(**chosen, **options)

    return run
