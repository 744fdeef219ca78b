"""The command line: `saltus simulate`, `check`, `flat`, `explain`, `draw`.

The commands and their options are made from the table in `saltus.options`; those around the library are in
`library_commands`. This file says what each command does and how it ends:

    0    all is well
    1    the model is refused
    2    wrong usage (an unwritable output counts as that, and is found before the run)
    3    the model was translated but its run failed; what was computed is still written
    130  cancelled with Ctrl-C; what was computed is still written

Results go to standard output, everything about them to standard error. Nothing ends in a traceback,
unless SALTUS_DEBUG=1 asks for it.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import typer

from saltus.core.diagnostics import Diagnostic, RunError, SaltusError, UsageError
from saltus.core.render import SCREEN, render
from saltus.core.wording import number
from saltus.ir.flat import Variability
from saltus.options import (
    Option,
    Settings,
    check_times,
    options_of,
    parse_settings,
    settings_from,
    usage_error,
)
from saltus.tools.library_commands import add_commands
from saltus.tools.progress import Progress, Tally

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.result.growing import GrowingFile
    from saltus.result.result import Result
    from saltus.run.checkpoint import Checkpoint
    from saltus.tools.check_jobs import Origin

#: Rows whose writing takes so long that somebody who pressed Ctrl-C wants to hear about it.
_MANY_ROWS = 20_000

REFUSED, WRONG_USAGE, FAILED, CANCELLED = 1, 2, 3, 130

app = typer.Typer(
    name="saltus",
    help="Compile and simulate hybrid physical models written in Modelica.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # usage errors stay three plain lines
)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Entry point of the `saltus` command; always ends with SystemExit."""
    app(args=arguments, prog_name="saltus")
    raise SystemExit(0)  # not reached: typer ends the program itself


# ---------------------------------------------------------------- the commands


def _simulate(settings: Settings) -> int:
    """Simulate a model and write its trajectories, events and plots."""
    values = parse_settings(settings.set)
    _check_outputs(settings)
    model = _load(settings)
    _check_plot_variables(model, settings)
    if settings.dump is not None:
        print(model.dump(settings.dump), flush=True)
    _warn(_model_warnings(model, settings), settings)

    growing = _growing_files(settings)
    checkpoint = _checkpoint(settings, growing)
    began = perf_counter()
    failure: RunError | None = None
    result: Result | None
    try:
        result = _run(model, settings, values, checkpoint)
    except RunError as error:
        failure, result = error, _partial(error)
    duration = perf_counter() - began

    problems: list[Diagnostic] = []
    if result is not None:
        _warn(_run_warnings(model, result), settings)
        if result.interrupted and len(result.time) > _MANY_ROWS:
            _tell("cancelled: writing what was computed")
        problems = _write(result, settings, growing)
        if failure is None and _wants_summary(settings):
            print(_summary(model, result, duration))
    if settings.timings:
        _tell(_timings({**model.timings, "run": duration}))
    _tell(render(problems))
    status = _ending(settings, result, failure) or (WRONG_USAGE if problems else 0)
    if checkpoint is not None:
        _finish(checkpoint, status, settings)
    return status


def _check(settings: Settings) -> int:
    """Check a model, or every model of a package.

    A model is translated, and what it consists of is counted. The models of a package are flattened, and
    their structure is analysed; a table tells which are refused and why. The status is 0 if none is.
    """
    if (origin := _package_named(settings)) is not None:
        return _check_package(origin, settings)
    for flag, given in (("--json", settings.json), ("--jobs", settings.jobs)):
        if given is not None:
            raise usage_error(f"{flag} has a meaning only for a package")
    model = _load(settings)
    if settings.dump is not None:
        print(model.dump(settings.dump), flush=True)
    counts = model.check()
    _warn((*_model_warnings(model, settings), *(model.unit_warnings() if settings.units else ())), settings)
    if not settings.quiet and settings.dump is None:
        print(f"{model.name}: " + ", ".join(number(n, _singular(what)) for what, n in counts.items()))
        print("ok")
    if settings.timings:
        _tell(_timings(model.timings))
    return 0


def _package_named(settings: Settings) -> Origin | None:
    """The package to check, if it is one that was named. What is wrong otherwise is told by `load`."""
    from saltus.tools.check_jobs import Origin

    source = settings.source
    origin = Origin(Path(source) if Path(source).exists() else source, settings.model, settings.library)
    return origin if origin.package() is not None else None


def _check_package(origin: Origin, settings: Settings) -> int:
    """Checks all models of a package. After Ctrl-C, what is done is told."""
    from saltus.tools.check_jobs import Checks
    from saltus.tools.checking import OK, WIDTH, as_json, models_of, table, totals

    if settings.dump is not None:
        raise usage_error("--dump prints one model; this is a package")
    if settings.json is not None and settings.json != "-":
        _check_writable(Path(settings.json))
    package = origin.package()
    assert package is not None
    models = list(models_of(package))
    began = perf_counter()
    cancelled = False
    with Tally(len(models)) as tally:
        checks = Checks(models, tally if not settings.quiet else lambda done, refused: None)
        try:
            checks.run_here() if (settings.jobs or 1) == 1 else checks.run_in(settings.jobs or 1, origin)
        except KeyboardInterrupt:
            cancelled = True
    verdicts = checks.verdicts
    if settings.json is not None:
        text = as_json(package.full_name, verdicts, len(models))
        if settings.json == "-":
            print(text, end="", flush=True)
        else:
            Path(settings.json).write_text(text, encoding="utf-8")
    if settings.json != "-":
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
        print("\n".join(totals(verdicts)) if settings.quiet else table(verdicts, width), flush=True)
    if settings.timings:
        _tell(_timings({"check": perf_counter() - began}))
    if cancelled:
        _tell(f"cancelled: {len(verdicts)} of {len(models)} models were checked")
        return CANCELLED
    return 0 if all(v.verdict == OK for v in verdicts) else REFUSED


def _flat(settings: Settings) -> int:
    """Print the flat model as Modelica text."""
    from saltus.front import load_flat
    from saltus.show.flat import flat_text

    began = perf_counter()
    # Also for a model that a later stage refuses: this is where one looks for the reason.
    flat = load_flat(_source(settings), model=settings.model, libraries=settings.library)
    print(flat_text(flat), end="")
    if settings.timings:
        _tell(_timings({"flatten": perf_counter() - began}))
    return 0


def _explain(settings: Settings) -> int:
    """Print the sorted equations, or all events, or modes.

    The unknown of each equation stands in brackets; algebraic loops are marked. With --events the relations,
    clocks and when-clauses are listed instead; the model is run, and they are counted. With --modes the model
    is run, and each mode that it visits is listed: its guards, what had to be fixed, states and equations.
    """
    if settings.list_events and settings.list_modes:
        raise usage_error("--events and --modes are two listings", hint="ask for one after the other")
    if settings.list_modes:
        return _explain_modes(settings)
    if settings.list_events:
        return _explain_events(settings)
    _refuse_run_options(settings)
    from saltus.show.counts import counts_text
    from saltus.show.matrix import write_matrix
    from saltus.show.sorted import sorted_equations

    if settings.matrix is not None:
        _check_writable(Path(settings.matrix))
    model = _load(settings)
    if settings.matrix is not None:
        write_matrix(model.structure, settings.matrix)
    if not settings.quiet:
        print(counts_text(model.flat, model.hybrid, model.structure))
    print(sorted_equations(model.structure).rstrip("\n"))
    _warn(_model_warnings(model, settings), settings)
    if settings.timings:
        _tell(_timings(model.timings))
    return 0


def _explain_events(settings: Settings) -> int:
    """Lists what makes events. A run that fails is counted as far as it came: often that tells why."""
    from saltus.show.events import events_text

    values = parse_settings(settings.set)
    model = _load(settings)
    _warn(_model_warnings(model, settings), settings)
    if settings.no_run:
        print(events_text(model.structure), end="")
        return 0
    return _run_and_print(
        model,
        settings,
        values,
        lambda result: events_text(model.structure if result is None else result.general, result),
    )


def _explain_modes(settings: Settings) -> int:
    """Lists the modes of a run; of one that fails, as far as it came."""
    from saltus.show.visited import modes_text

    if settings.no_run:
        raise usage_error("--no-run has a meaning only together with --events")
    values = parse_settings(settings.set)
    model = _load(settings)
    _warn(_model_warnings(model, settings), settings)
    return _run_and_print(
        model, settings, values, lambda result: "" if result is None else modes_text(result)
    )


def _run_and_print(
    model: Model, settings: Settings, values: dict[str, Any], text: Callable[[Result | None], str]
) -> int:
    """Runs the model and prints what is told about its result; None if the run did not start."""
    began = perf_counter()
    failure: RunError | None = None
    try:
        result: Result | None = _run(model, settings, values)
    except RunError as error:
        failure, result = error, _partial(error)
    duration = perf_counter() - began
    has_begun = result is not None and len(result.time) > 0
    print(text(result if has_begun else None), end="", flush=True)
    if has_begun and result is not None:
        _warn(_run_warnings(model, result), settings)
    if settings.timings:
        _tell(_timings({**model.timings, "run": duration}))
    return _ending(settings, result, failure)


def _refuse_run_options(settings: Settings) -> None:
    """Options that would have no effect."""
    for row in options_of("explain"):
        of_runs = row.name == "no_run" or ("simulate" in row.commands and "check" not in row.commands)
        if of_runs and getattr(settings, row.name) != row.default:
            together = "--events" if row.name == "no_run" else "--events or --modes"
            raise usage_error(f"{row.flag} has a meaning only together with {together}")


def _draw(settings: Settings) -> int:
    """Draw the diagram of a class, or its icon, as SVG.

    Components and connections are where their annotations place them.
    """
    from saltus.tools.drawing_command import draw_to_file

    told, problems, seconds = draw_to_file(settings, _source(settings))
    _warn(problems, settings)
    if not settings.quiet or settings.drawing == "-":
        print(told, flush=True)
    if settings.timings:
        _tell(_timings({"draw": seconds}))
    return 0


# ---------------------------------------------------------------- from the table to typer


def _annotation(row: Option) -> Any:
    kind: Any = row.type
    if row.repeatable:
        kind = list[row.type]  # type: ignore[name-defined]  # a type made at run time
    elif row.default is None:
        kind = row.type | None
    option = typer.Option(row.flag, help=row.help, metavar=row.metavar, show_default=row.otherwise or False)
    return Annotated[kind, option]


_SOURCE = Annotated[
    str,
    typer.Argument(
        help="File to read, or a class along --library and MODELICAPATH.", metavar="FILE.mo|CLASS"
    ),
]


def _register(name: str, work: Callable[[Settings], int]) -> None:
    """Adds a command whose parameters are the rows of the table that name it."""

    def command(**values: Any) -> None:
        raise typer.Exit(_guarded(lambda: work(settings_from(values))))

    rows = options_of(name)
    annotations = {"source": _SOURCE, **{row.name: _annotation(row) for row in rows}}
    defaults = {row.name: list(row.default) if row.repeatable else row.default for row in rows}
    keyword = inspect.Parameter.KEYWORD_ONLY
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # typer reads it
        [
            inspect.Parameter(p, keyword, default=defaults.get(p, inspect.Parameter.empty), annotation=a)
            for p, a in annotations.items()
        ]
    )
    command.__annotations__ = annotations
    command.__doc__ = work.__doc__
    app.command(name)(command)


for _name, _work in (
    ("simulate", _simulate),
    ("check", _check),
    ("flat", _flat),
    ("explain", _explain),
    ("draw", _draw),
):
    _register(_name, _work)
add_commands(app, lambda work: _guarded(work))


@app.callback(invoke_without_command=True)
def _options(
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if show_version:
        print(f"saltus {version('saltus')}")
        raise typer.Exit(0)


# ---------------------------------------------------------------- errors and their exit status


class _RunCrash(Exception):
    """An unexpected exception in the run, to tell it from one in the translation."""


def _guarded(work: Callable[[], int]) -> int:
    try:
        return work()
    except SaltusError as error:
        _tell(render(error.diagnostics))
        return error.exit_status
    except KeyboardInterrupt:
        _tell("cancelled")
        return CANCELLED
    except BrokenPipeError:
        # The reader (`| head`) has what it wanted. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except _RunCrash as crash:
        return _internal_error(crash.__cause__ or crash, FAILED)
    except Exception as error:
        return _internal_error(error, REFUSED)


def _internal_error(error: BaseException, status: int) -> int:
    """A short message in place of a traceback: what happened and where, in at most three lines."""
    if os.environ.get("SALTUS_DEBUG") == "1":
        traceback.print_exception(error)
        return status
    words = str(error).strip().splitlines()
    _tell(f"internal error: {type(error).__name__}" + (f": {words[0][:200]}" if words else ""))
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        last = frames[-1]
        _tell(f"  in {last.name}, {Path(last.filename).name}:{last.lineno}")
    _tell("This is a bug in Saltus, please report it; SALTUS_DEBUG=1 shows the traceback.")
    return status


def _tell(text: str) -> None:
    """To the person, on standard error."""
    if text:
        print(text, file=sys.stderr, flush=True)


def _warn(warnings: Iterable[Diagnostic], settings: Settings) -> None:
    if not settings.quiet:
        _tell(render(warnings))


def _model_warnings(model: Model, settings: Settings) -> tuple[Diagnostic, ...]:
    """Those of the translation; of extensions if that is asked for."""
    return (*model.warnings, *(model.extensions if settings.pedantic else ()))


def _run_warnings(model: Model, result: Result) -> list[Diagnostic]:
    """Those of the run itself; that it was cancelled is said at the end, with where the results are."""
    return [
        w
        for w in result.warnings
        if w not in model.warnings and not (result.interrupted and w.code == "W402")
    ]


def _ending(settings: Settings, result: Result | None, failure: RunError | None) -> int:
    """The last message, and the exit status."""
    if failure is None and (result is None or not result.interrupted):
        return 0
    kept = _kept(result, _files(settings))
    if failure is not None:
        _tell(render(failure.diagnostics, limit=SCREEN - 1))
        _tell(kept)
        return FAILED
    _tell("cancelled: " + kept)
    return CANCELLED


def _kept(result: Result | None, files: list[str]) -> str:
    if result is None or len(result.time) == 0:
        return "the run did not start, nothing was computed"
    reached = f"the run ended at time {float(result.time[-1]):.9g}"
    if not files:
        return reached
    return f"{reached}; what was computed until then is in {', '.join(files)}"


def _partial(error: RunError) -> Result | None:
    """What the run had computed; `core`, where the error is declared, does not know results."""
    return cast("Result | None", error.partial)


# ---------------------------------------------------------------- before the run

_CLASS_NAME = re.compile(r"\.?(?:[A-Za-z_]\w*|'[^']*')(?:\.(?:[A-Za-z_]\w*|'[^']*'))*")


def _load(settings: Settings) -> Model:
    import saltus

    return saltus.load(_source(settings), model=settings.model, libraries=settings.library)


def _source(settings: Settings) -> str | Path:
    """A file or a class name. `load` also takes Modelica text; an argument of the command is never that."""
    source = settings.source
    named = _CLASS_NAME.fullmatch(source) is not None
    # `load` says what is wrong with a folder; one that could be a class is first looked for as that.
    if source.endswith(".mo") or Path(source).is_file() or (Path(source).is_dir() and not named):
        return Path(source)
    if not named:
        raise usage_error(
            f"{source!r} is neither a file nor the name of a class", hint="a file's name ends with .mo"
        )
    return source


def _files(settings: Settings) -> list[str]:
    """The files that the run will write."""
    plots = [None if f == "show" else f for f in (settings.plot, settings.plot_modes)]
    return [f for f in (settings.output, settings.events, *plots) if f is not None and f != "-"]


def _check_outputs(settings: Settings) -> None:
    """A long run must not be lost because its file cannot be written: try that first."""
    files = _files(settings) + ([settings.checkpoint] if settings.checkpoint is not None else [])
    for index, name in enumerate(files):
        if Path(name).resolve() in {Path(other).resolve() for other in files[:index]}:
            raise usage_error(f"two outputs would go to the same file {name}")
        # An empty file in the place of a checkpoint would be taken for a damaged one.
        _check_writable(Path(name + ".new" if name == settings.checkpoint else name))
    for figure in (settings.plot, settings.plot_modes):
        if figure is not None:
            from saltus.show.plot import check_display, check_format

            check_display() if figure == "show" else check_format(figure)


def _check_writable(path: Path) -> None:
    existed = path.exists()
    if existed and not path.is_file() and not path.is_dir():
        return  # a pipe or device: opening it could block
    try:
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise usage_error(f"{path}: {error.strerror or error}", code="E503") from error


def _plot_names(settings: Settings) -> list[str] | None:
    names = [name.strip() for text in settings.plot_variables for name in _split(text)]
    return [name for name in names if name] or None


def _split(text: str) -> list[str]:
    """At commas outside brackets: `a,b[1,2]` names two variables."""
    return re.split(r",(?![^\[]*\])", text)


def _check_plot_variables(model: Model, settings: Settings) -> None:
    names = _plot_names(settings)
    if settings.plot is not None and names is not None:
        from saltus.show.plot import select_names

        variables = model.flat.variables
        changing = [v.name for v in variables if v.variability > Variability.PARAMETER]
        fixed = [v.name for v in variables if v.variability <= Variability.PARAMETER]
        # Which variables are states is not known here; the plot itself will check derivatives.
        select_names(changing, names, ["time", *fixed, *(f"der({name})" for name in changing)])


# ---------------------------------------------------------------- the run and its results


def _growing_files(settings: Settings) -> dict[str, GrowingFile]:
    """The files that are brought up to date with each checkpoint, by name."""
    from saltus.result.growing import growing_csv, growing_events

    found = ((settings.output, growing_csv), (settings.events, growing_events))
    return {
        name: make(name)
        for name, make in found
        if settings.checkpoint is not None and name not in (None, "-")
        # A pipe or device cannot be replaced: it is written to at the end.
        if not Path(name).exists() or Path(name).is_file()
    }


def _checkpoint(settings: Settings, growing: dict[str, GrowingFile]) -> Checkpoint | None:
    if settings.checkpoint is None:
        return None
    from saltus.run.checkpoint import Checkpoint

    def tell(time: float) -> None:
        if not settings.quiet:
            _tell(f"resumed at time {time:.9g} from {settings.checkpoint}")

    return Checkpoint(settings.checkpoint, list(growing.values()), on_resume=tell)


def _finish(checkpoint: Checkpoint, status: int, settings: Settings) -> None:
    """A checkpoint has done its duty when all is written; otherwise the next run goes on from it."""
    if status == 0:
        checkpoint.remove()
    elif status == CANCELLED and checkpoint.path.exists():
        _tell(f"the same command goes on from {settings.checkpoint}")


def _run(
    model: Model, settings: Settings, values: dict[str, Any], checkpoint: Checkpoint | None = None
) -> Result:
    experiment = model.experiment
    start = experiment.start_time if settings.start_time is None else settings.start_time
    stop = experiment.stop_time if settings.stop_time is None else settings.stop_time
    check_times(start, stop, interval=settings.interval)
    try:
        with Progress(start, stop) as progress:
            return model.simulate(
                start_time=settings.start_time,
                stop_time=settings.stop_time,
                tolerance=settings.tolerance,
                method=settings.method,
                max_step=settings.max_step,
                interval=settings.interval,
                set=values or None,
                linear_solver=settings.linear_solver,
                zeno=settings.zeno,
                progress=progress if progress.enabled and not settings.quiet else None,
                checkpoint=checkpoint,
            )
    except SaltusError:
        raise
    except Exception as error:
        raise _RunCrash from error


def _write(result: Result, settings: Settings, growing: dict[str, GrowingFile]) -> list[Diagnostic]:
    """Writes all that was asked for, files first; returns what could not be written.

    One full disk or lost folder must not cost the user the other results.
    """
    from saltus.result.eventlog import event_lines, write_events

    problems: list[Diagnostic] = []
    for name, write in (
        (None if settings.output == "-" else settings.output, result.to_csv),
        (settings.events, partial(write_events, result)),
        (settings.plot, partial(_plot, result, settings)),
        (settings.plot_modes, partial(_plot_modes, result)),
    ):
        if name is not None:
            try:
                growing[name].update(result) if name in growing else write(name)
            except UsageError as error:
                problems += error.diagnostics
    if settings.output == "-":
        _print_csv(result)
    if settings.log_events:
        for line in event_lines(result):
            print(line)
    return problems


def _print_csv(result: Result) -> None:
    """A result writes itself to files only; the copy costs little beside making the text."""
    with TemporaryDirectory(prefix="saltus-") as folder:
        path = Path(folder) / "result.csv"
        result.to_csv(path)
        with path.open(encoding="utf-8") as text:
            shutil.copyfileobj(text, sys.stdout)
    sys.stdout.flush()


def _plot(result: Result, settings: Settings, path: str) -> None:
    from saltus.show.plot import plot

    names, modes = _plot_names(settings), settings.shade_modes
    if path == "show":
        plot(result, names, show=True, modes=modes)
    else:
        plot(result, names, path=path, modes=modes)


def _plot_modes(result: Result, path: str) -> None:
    from saltus.show.modes import plot_modes

    plot_modes(result, show=True) if path == "show" else plot_modes(result, path=path)


# ---------------------------------------------------------------- texts


def _wants_summary(settings: Settings) -> bool:
    """When nothing else was asked for, the user should still see something."""
    others = (settings.output, settings.dump, settings.log_events or None)
    return not settings.quiet and all(other is None for other in others)


def _summary(model: Model, result: Result, duration: float) -> str:
    from saltus.result.events import readable
    from saltus.show.plot import default_names

    events = result.events.totals().events
    lines = [
        f"{model.name}: time {result.time[0]:g} to {result.time[-1]:g}, "
        f"{number(events, 'event')}, {len(result.time)} points"
    ]
    names = default_names(result)
    width = max((len(name) for name in names), default=0)
    for name in names:
        value = readable(result.variables[name], float(result[name][-1]))
        # Reals with nine digits; Integers, Booleans and enumeration literals as the model writes them.
        text = f"{value:.9g}" if isinstance(value, float) else "no value" if value is None else str(value)
        lines.append(f"  {name:<{width}} = {text.lower() if isinstance(value, bool) else text}")
    total = sum(model.timings.values())
    lines.append(f"translated in {total:.3g} s, simulated in {duration:.3g} s")
    return "\n".join(lines)


def _timings(seconds: dict[str, float]) -> str:
    """One line a stage: seconds and share of the whole."""
    total = sum(seconds.values())
    width = max(len(stage) for stage in (*seconds, "total"))
    lines = [
        f"{stage:<{width}} {value:9.4f} s {100 * value / total if total > 0 else 0:5.1f} %"
        for stage, value in seconds.items()
    ]
    return "\n".join([*lines, f"{'total':<{width}} {total:9.4f} s"])


def _singular(plural: str) -> str:
    """`variable` of `variables`, `alias` of `aliases`."""
    return plural.removesuffix("es" if plural.endswith("ses") else "s")


if __name__ == "__main__":
    main()
