"""Fixtures of the emit tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from emit_models import Model, Runner

from saltus.emit.llvm.jit import native_machine
from saltus.emit.python.python import python_machine


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture(params=["python", "native"])
def machine(request: pytest.FixtureRequest) -> Callable[[Model], Runner]:
    """Compiles with each back end in turn."""

    def make(model: Model) -> Runner:
        program = model.program()
        return Runner(python_machine(program) if request.param == "python" else native_machine(program))

    return make
