"""Settings for all tests."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Matrices of tests are small. With threads of its own in every worker process the linear algebra of NumPy and
# SciPy waits for processors: `expm` of five rows takes ten times as long. They read this when they are
# imported, which tests, and processes that tests start, do after this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Machines differ in speed and have other work: how long one example takes says nothing. Examples are the
# same in every run, so that what passed once passes again; `pytest --hypothesis-profile=search` looks for
# new ones.
settings.register_profile(
    "saltus", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", settings.get_profile("saltus"), derandomize=False, max_examples=1000)
settings.load_profile("saltus")


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Tests neither use nor fill the user's cache. Processes that share the work share a cache of their own:
    what one of them has parsed and compiled the others need not."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    folder.mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SALTUS_CACHE", str(folder))
        yield folder


@pytest.fixture(autouse=True, scope="session")
def terminal() -> Iterator[None]:
    """What is printed does not depend on the terminal from which the tests were started, if there is one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        patch.setenv("TERM", "xterm")
        for colours in ("NO_COLOR", "FORCE_COLOR"):
            patch.delenv(colours, raising=False)
        yield


@pytest.fixture(autouse=True, scope="module")
def garbage() -> Iterator[None]:
    """What a file of tests leaves is kept for others (`translated_models`) or is garbage. Python would look
    through all of it again and again, for seconds where hundreds of models are kept: it need not."""
    yield
    gc.collect()
    gc.freeze()


def folders(path: Path) -> tuple[str, ...]:
    """The folders of tests that a file is in, and its name."""
    return path.relative_to(Path(__file__).parent).parts


#: Folders of tests whose models are compiled with the care that those of users get.
AS_FOR_USERS = frozenset({"docs", "emit", "examples", "export", "gallery", "tools"})


@pytest.fixture(autouse=True, scope="module")
def machine_code(request: pytest.FixtureRequest) -> Iterator[None]:
    """Most models of tests run for a moment, and to compile them with care would take as long as all else.
    Their machine code is made at once, and gives the same bits (`tests/examples/test_backends.py`)."""
    from saltus.emit.llvm.modules import Hurry

    with pytest.MonkeyPatch.context() as patch:
        if not AS_FOR_USERS.intersection(folders(request.path)):
            patch.setattr("saltus.emit.llvm.modules._least", Hurry.GREAT)
        yield


#: Folders of tests whose runs are compared with the relations in force, row by row. Others make runs on
#: purpose in which nobody can see an event (what a function does inside, between two rows).
OBEYING = frozenset({"examples", "gallery", "library", "reported"})


@pytest.fixture(autouse=True, scope="module")
def rows_that_disobey(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """In `OBEYING` every row of every run in Python, also of those that fail in the end, is compared with the
    relations in force (`tools.obedience`): what has been found and not been told yet."""
    found: list[str] = []
    if not OBEYING.intersection(folders(request.path)):
        yield found
        return
    from tools.obedience.judge import judged

    from saltus.core.diagnostics import RunError
    from saltus.model import Model
    from saltus.run.schedule.settings import Settings

    run = Model._simulated

    def watched(model: Model, asked: Any, *others: Any, **named: Any) -> Any:
        def look(result: Any) -> None:
            tolerance = Settings.of(model.experiment, **asked).tolerance
            found.extend(f"{model.name}, {v}" for v in judged(result, tolerance).violations)

        try:
            result = run(model, asked, *others, **named)
        except RunError as error:
            if error.partial is not None:
                look(error.partial)
            raise
        look(result)
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Model, "_simulated", watched)
        yield found


@pytest.fixture(autouse=True)
def every_row_obeys(rows_that_disobey: list[str]) -> Iterator[None]:
    """Whatever these tests look at, every row of their runs obeys."""
    yield
    found = rows_that_disobey.copy()
    rows_that_disobey.clear()
    assert not found, f"{len(found)} rows contradict relations that are in force: {found[:5]}"
