"""The command `report`: a run as a page for a browser, once or whenever the model is saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from saltus.core.diagnostics import Diagnostic, RunError
from saltus.core.wording import number
from saltus.options import Arguments
from saltus.tools.ending import ending, model_warnings, run_warnings, tell, warn
from saltus.tools.loading import loaded
from saltus.tools.model_commands import partial_of, run_model
from saltus.tools.outputs import check_writable, names_in
from saltus.tools.timings import RUN, RunWatch, timings_text

if TYPE_CHECKING:
    from saltus.model import Model


def report(arguments: Arguments) -> int:
    """Run a model and write a report: one page for a browser, which needs no network.

    It has the curves, with zoom and cursor, and a time line of modes and events: choose one, and it is told
    what happened, why, and in which line. Parameters, structure, times and warnings are there, too.
    """
    from saltus.show.report.library import plotting_library

    plotting_library()  # where it is missing, this is said before a long run
    if arguments.report_file is not None:
        check_writable(Path(arguments.report_file))
    model = loaded(arguments)
    return _written(model, arguments)


def _written(model: Model, arguments: Arguments) -> int:
    """Runs the model and writes the page; of a run that fails, as far as it came."""
    from saltus.show.report.page import write_report

    path = arguments.report_file or f"{model.name.rpartition('.')[2]}.html"
    watch = RunWatch(model)
    failure: RunError | None = None
    try:
        with watch.step(RUN):
            result = run_model(model, arguments)
    except RunError as error:
        failure, partial = error, partial_of(error)
        if partial is None or not len(partial):
            raise
        result = partial
    warn((*model_warnings(model, arguments), *run_warnings(model, result)), arguments)
    told: tuple[Diagnostic, ...] = () if failure is None else failure.diagnostics
    with watch.step("report"):
        write_report(result, path, names_in(arguments.plot_variables), told)
    if not arguments.quiet and failure is None:
        size = Path(path).stat().st_size / 1e6
        events = number(result.events.totals().events, "event")
        print(
            f"{path}: {model.name}, time {result.time[0]:g} to {result.time[-1]:g}, {events}, {size:.1f} MB"
        )
    if arguments.timings:
        tell(timings_text(watch.timings))
    return ending(result, failure, [path])
