"""Where the time of a command went.

Much of a short command is Python itself and the modules that it imports. What they had taken when this one
was imported, as the first of those of a command, is known from the processor's time of the process.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from time import process_time
from typing import TYPE_CHECKING

from saltus.core.stopwatch import Stopwatch

if TYPE_CHECKING:
    from saltus.model import Model

IMPORTS = "imports"
RUN = "run"

#: Of this process, in which no module is imported twice.
_IMPORTS = Stopwatch({IMPORTS: process_time()})


def importing() -> AbstractContextManager[None]:
    """Modules are imported meanwhile."""
    return _IMPORTS.step(IMPORTS)


def timings_text(seconds: Mapping[str, float]) -> str:
    """One line a step: seconds and share of the whole. Imports come first."""
    imports = _IMPORTS.seconds[IMPORTS] + seconds.get(IMPORTS, 0.0)
    told = {IMPORTS: imports, **{step: value for step, value in seconds.items() if step != IMPORTS}}
    total = sum(told.values())
    width = max(map(len, told))
    lines = [f"{step:<{width}} {value:9.4f} s {100 * value / total:5.1f} %" for step, value in told.items()]
    return "\n".join([*lines, f"{'total':<{width}} {total:9.4f} s"])


class RunWatch(Stopwatch):
    """The times of a model and its run: translation during the run is not counted as run."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model
        self._translated = sum(model.timings.values())

    @property
    def timings(self) -> dict[str, float]:
        """Seconds of each step, those of the translation first."""
        found = {**self._model.timings, **self.seconds}
        if RUN in found:
            found[RUN] -= sum(self._model.timings.values()) - self._translated
        return found
