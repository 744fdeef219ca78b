"""`saltus gallery NAME`: a model of the papers, run: what the paper says, the plot, the log, the modes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from saltus.catalogue import exhibit
from saltus.core.diagnostics import RunError
from saltus.ir.catalogue import Exhibit
from saltus.tools.progress import Progress

if TYPE_CHECKING:
    from saltus.result.result import Result

#: Lines of a log, and of a table of modes, that are shown without being asked for.
FEW_LINES = 24


@dataclass(frozen=True)
class Tour:
    """A run of an exhibit. A run that fails has a `failure`, and the result as far as it came."""

    exhibit: Exhibit
    result: Result
    failure: RunError | None = None

    @classmethod
    def of(cls, shown: Exhibit) -> Tour:
        """Simulates an exhibit as its annotation says. Raises `SaltusError` if the run does not begin."""
        import saltus

        model = saltus.load(shown.name)
        experiment = model.experiment
        try:
            with Progress(experiment.start_time, experiment.stop_time) as progress:
                result = model.simulate(progress=progress if progress.enabled else None)
        except RunError as error:
            if error.partial is None:
                raise
            return cls(shown, error.partial, error)  # type: ignore[arg-type]  # `core` knows no results
        return cls(shown, result)

    def plot(self, path: str | Path) -> None:
        """Draws the variables that the exhibit is about; `show` opens a window."""
        names, modes = self.exhibit.plot, self.exhibit.modes
        if path == "show":
            self.result.plot(*names, show=True, modes=modes)
        else:
            self.result.plot(*names, path=path, modes=modes)

    def log(self, most: int | None = FEW_LINES) -> list[str]:
        """The log of the events, up to a number of lines; the last event is complete."""
        from saltus.result.files.eventlog import event_lines

        lines = list(event_lines(self.result))
        if most is None or len(lines) <= most:
            return lines
        whole = max(
            (k for k, line in enumerate(lines[:most], 1) if line.startswith("Continuing")), default=most
        )
        return [*lines[:whole], f"... {len(lines) - whole} more lines"]

    def modes(self, most: int | None = FEW_LINES) -> list[str]:
        """The timeline of the modes, up to a number of lines; empty if there is one mode only."""
        if len(self.result.modes.visited) < 2:
            return []
        lines = f"{self.result.modes}".splitlines()
        if most is None or len(lines) <= most:
            return lines
        return [*lines[:most], f"... {len(lines) - most} more lines"]


def tour(name: str) -> Tour:
    """Runs the exhibit that a name means."""
    return Tour.of(exhibit(name))
