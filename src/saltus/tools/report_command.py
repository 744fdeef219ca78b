"""The command `report`: a run as a page for a browser, once or whenever the model is saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from saltus.core.diagnostics import Diagnostic, RunError, SaltusError, UsageError
from saltus.core.render import render
from saltus.core.wording import number
from saltus.options import Arguments
from saltus.tools.ending import ending, internal_error_text, model_warnings, run_warnings, tell, warn
from saltus.tools.loading import loaded
from saltus.tools.model_commands import partial_of, run_model
from saltus.tools.outputs import check_writable, names_in
from saltus.tools.timings import RUN, RunWatch, timings_text

if TYPE_CHECKING:
    from saltus.result.result import Result
    from saltus.tools.page_server import PageServer


class _Made(NamedTuple):
    """A page, and the run that it shows; of a run that has failed, as far as it came."""

    page: str
    result: Result
    failure: RunError | None
    watch: RunWatch


def report(arguments: Arguments) -> int:
    """Run a model and write a report, a page for the browser.

    It is a single file that works offline, with curves (zoom, cursor) and a time line of modes and events:
    select one to see what happened, why, and which line caused it. Parameters, structure, times and warnings
    are there, too. With --watch the model is run again whenever it is saved, and the page in the browser
    follows.
    """
    from saltus.show.report.library import plotting_library

    plotting_library()  # where it is missing, this is said before a long run
    if arguments.report_file is not None:
        check_writable(Path(arguments.report_file))
    return _watch(arguments) if arguments.watch else _once(arguments)


def _once(arguments: Arguments) -> int:
    made = _made(arguments)
    path = arguments.report_file or f"{made.result.model.rpartition('.')[2]}.html"
    _write(made.page, path)
    if made.failure is None:
        _tell_summary(made, arguments, path)
    if arguments.timings:
        tell(timings_text(made.watch.timings))
    return ending(made.result, made.failure, [path])


def _made(arguments: Arguments) -> _Made:
    """Translates and runs the model, and makes the page."""
    from saltus.show.report.page import report_html

    model = loaded(arguments)
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
        page = report_html(result, names_in(arguments.plot_variables), told)
    return _Made(page, result, failure, watch)


def _write(page: str, path: str) -> None:
    try:
        Path(path).write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error


def _tell_summary(made: _Made, arguments: Arguments, what: str) -> None:
    if not arguments.quiet:
        result = made.result
        events, size = number(result.events.totals().events, "event"), len(made.page) / 1e6
        span = f"time {result.time[0]:g} to {result.time[-1]:g}"
        print(f"{what}: {result.model}, {span}, {events}, {size:.1f} MB", flush=True)


# ---------------------------------------------------------------- again and again


def _watch(arguments: Arguments) -> int:
    """Runs the model, and again whenever one of its files is saved. Ctrl-C is how this is meant to end."""
    from saltus.tools.page_server import PageServer
    from saltus.tools.watching import files_of_model, files_of_problems, given_files, stamps, wait_for_change

    given = files = given_files(arguments)
    try:
        with PageServer(Path(arguments.source).name) as server:
            print(f"{server.address} shows the report of {arguments.source}; Ctrl-C ends", flush=True)
            while True:
                before = stamps(files)
                try:
                    made = _made(arguments)
                except SaltusError as error:
                    files = files | files_of_problems(error.diagnostics)
                    if not files:
                        raise  # there is nothing that could be saved to mend it
                    _tell_problem(server, render(error.diagnostics))
                except Exception as error:
                    _tell_problem(server, internal_error_text(error.__cause__ or error))
                else:
                    if made.result.interrupted:
                        return 0
                    _show(server, made, arguments)
                    if made.result.provenance is not None:
                        files = given | files_of_model(made.result.provenance)
                # What was saved while the model ran is seen at once.
                wait_for_change({**stamps(files), **{f: s for f, s in before.items() if f in files}})
    except KeyboardInterrupt:
        return 0


def _show(server: PageServer, made: _Made, arguments: Arguments) -> None:
    if arguments.report_file is not None:
        _write(made.page, arguments.report_file)
    server.show(made.page)
    if made.failure is not None:
        tell(render(made.failure.diagnostics))
    else:
        _tell_summary(made, arguments, arguments.report_file or server.address)


def _tell_problem(server: PageServer, text: str) -> None:
    tell(text)
    server.tell_problem(text)
