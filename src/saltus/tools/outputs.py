"""The files of a run: checked before it, kept up to date with checkpoints, written after it."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.option import usage_error
from saltus.expr.helpers import derivative_name
from saltus.ir.flat import Variability
from saltus.options import STEPS, TIME, Arguments
from saltus.result.exchange.where import IN_ROWS
from saltus.tools.ending import CANCELLED, tell

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.result.exchange.outlets import FileOutlet
    from saltus.result.files.growing import GrowingFile
    from saltus.result.result import Result
    from saltus.run.resume.checkpoint import Checkpoint

# ---------------------------------------------------------------- before the run


def files_of(arguments: Arguments) -> list[str]:
    """The files that the run will write."""
    plots = [None if f == "show" else f for f in (arguments.plot, arguments.plot_modes)]
    files = (arguments.output, arguments.events, arguments.steps, arguments.record_modes, *plots)
    return [f for f in files if f is not None and f != "-"]


def check_outputs(arguments: Arguments) -> None:
    """A long run must not be lost because its file cannot be written: try that first."""
    files = files_of(arguments) + ([arguments.checkpoint] if arguments.checkpoint is not None else [])
    for index, name in enumerate(files):
        if Path(name).resolve() in {Path(other).resolve() for other in files[:index]}:
            raise usage_error(f"two outputs would be written to the same file {name}")
        if name == arguments.output:
            _check_format(Path(name), arguments)
        # An empty file in the place of a checkpoint would be taken for a damaged one.
        check_writable(Path(name + ".new" if name == arguments.checkpoint else name))
    for figure in (arguments.plot, arguments.plot_modes):
        if figure is not None:
            from saltus.show.plots.plot import check_display, check_format

            check_display() if figure == "show" else check_format(figure)


def _check_format(path: Path, arguments: Arguments) -> None:
    """A suffix that is unknown is refused. Without one it is CSV, as is what goes to a device."""
    if not path.suffix or (path.exists() and not path.is_file()):
        return
    from saltus.result.exchange.formats import format_of

    format_of(path)
    some = arguments.store or arguments.parameters != IN_ROWS
    if arguments.checkpoint is not None and (path.suffix.lower() != ".csv" or some):
        raise usage_error(
            "with --checkpoint results are written as whole CSV files",
            hint="omit --store and --parameters, and let --output end with .csv",
        )


def check_writable(path: Path) -> None:
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


def check_plot_variables(model: Model, arguments: Arguments) -> None:
    names = [*(_plot_names(arguments) or ()), *({arguments.plot_against} - {TIME, STEPS})]
    if arguments.plot is not None and names:
        from saltus.show.plots.choice import select_names

        variables = model.shown
        changing = [v.name for v in variables if v.variability > Variability.PARAMETER]
        fixed = [v.name for v in variables if v.variability <= Variability.PARAMETER]
        # Which variables are states is not known here; the plot itself will check derivatives.
        select_names(changing, names, ["time", *fixed, *map(derivative_name, changing)])


def _plot_names(arguments: Arguments) -> list[str] | None:
    return names_in(arguments.plot_variables)


def names_in(texts: Sequence[str]) -> list[str] | None:
    """Names separated by commas, or patterns; None if there are none."""
    return [name for text in texts for name in split_names(text)] or None


def split_names(text: str) -> list[str]:
    """At commas outside brackets: `a,b[1,2]` names two variables."""
    return [name for part in re.split(r",(?![^\[]*\])", text) if (name := part.strip())]


# ---------------------------------------------------------------- during the run


def outlet_of(arguments: Arguments) -> FileOutlet | None:
    """Where a long run writes its rows while it lasts; None if it needs all of them for something else, such
    as a plot, or has no file for them."""
    others = (
        arguments.plot, arguments.plot_modes, arguments.steps, arguments.record_modes, arguments.checkpoint
    )  # fmt: skip
    if arguments.output is None or any(other is not None for other in others):
        return None
    from saltus.result.exchange.formats import FORMATS
    from saltus.result.exchange.outlets import FileOutlet

    path = Path(arguments.output)
    if path.suffix.lower() not in FORMATS or (path.exists() and not path.is_file()):
        return None
    return FileOutlet(path, names_in(arguments.store), arguments.parameters)


# ---------------------------------------------------------------- checkpoints


def growing_files(arguments: Arguments) -> dict[str, GrowingFile]:
    """The files that are brought up to date with each checkpoint, by name."""
    from saltus.result.files.growing import growing_csv, growing_events

    found = ((arguments.output, growing_csv), (arguments.events, growing_events))
    return {
        name: make(name)
        for name, make in found
        if arguments.checkpoint is not None and name not in (None, "-")
        # A pipe or device cannot be replaced: it is written to at the end.
        if not Path(name).exists() or Path(name).is_file()
    }


def checkpoint_of(arguments: Arguments, growing: dict[str, GrowingFile]) -> Checkpoint | None:
    """The requested checkpoint, if any; a run that resumes from it says so."""
    if arguments.checkpoint is None:
        return None
    from saltus.run.resume.checkpoint import Checkpoint

    def resumed(time: float) -> None:
        if not arguments.quiet:
            tell(f"resumed at time {time:.9g} from {arguments.checkpoint}")

    return Checkpoint(arguments.checkpoint, list(growing.values()), on_resume=resumed)


def finish_checkpoint(checkpoint: Checkpoint, status: int, arguments: Arguments) -> None:
    """A checkpoint is removed when everything is written; otherwise the next run resumes from it."""
    if status == 0:
        checkpoint.remove()
    elif status == CANCELLED and checkpoint.path.exists():
        tell(f"the same command resumes from {arguments.checkpoint}")


# ---------------------------------------------------------------- after the run


def write_results(
    result: Result, arguments: Arguments, growing: dict[str, GrowingFile], *, written: bool = False
) -> list[Diagnostic]:
    """Writes all that was asked for, files first; returns what could not be written. The trajectories may be
    `written` already.

    One full disk or lost folder must not cost the user the other results.
    """
    from saltus.result.files.eventlog import event_lines, write_events

    problems: list[Diagnostic] = []
    outputs: tuple[tuple[str | None, Callable[[str], None]], ...] = (
        (
            None if arguments.output == "-" or written else arguments.output,
            partial(_write, result, arguments),
        ),
        (arguments.events, partial(write_events, result)),
        (arguments.steps, lambda name: result.steps.to_csv(name)),
        (arguments.record_modes, partial(write_modes, result)),
        (arguments.plot, partial(_plot, result, arguments)),
        (arguments.plot_modes, partial(_plot_modes, result)),
    )
    for name, write in outputs:
        if name is not None:
            try:
                growing[name].update(result) if name in growing else write(name)
            except UsageError as error:
                problems += error.diagnostics
    if arguments.output == "-":
        _print_csv(result, arguments)
    if arguments.log_events:
        for line in event_lines(result):
            print(line)
    return problems


def write_modes(result: Result, path: str) -> None:
    """The modes that a run has visited, for another run to have code for them."""
    from saltus.result.modes.recorded import write_recorded

    write_recorded(result.modes, path)


def _write(result: Result, arguments: Arguments, path: str) -> None:
    """The file of results, in the format of its suffix; CSV if it has none."""
    from saltus.result.exchange.formats import FORMATS

    suffix = Path(path).suffix.lower()
    result.save(
        path,
        names_in(arguments.store),
        parameters=arguments.parameters,
        suffix=suffix if suffix in FORMATS else ".csv",
    )


def _print_csv(result: Result, arguments: Arguments) -> None:
    """A result writes itself to files only; the copy costs little beside making the text."""
    with TemporaryDirectory(prefix="saltus-") as folder:
        path = Path(folder) / "result.csv"
        _write(result, arguments, str(path))
        with path.open(encoding="utf-8") as text:
            shutil.copyfileobj(text, sys.stdout)
    sys.stdout.flush()


def _plot(result: Result, arguments: Arguments, path: str) -> None:
    from saltus.show.plots.plot import plot

    names, modes, against = _plot_names(arguments), arguments.shade_modes, arguments.plot_against
    if path == "show":
        plot(result, names, show=True, modes=modes, against=against)
    else:
        plot(result, names, path=path, modes=modes, against=against)


def _plot_modes(result: Result, path: str) -> None:
    from saltus.show.plots.modes import plot_modes

    plot_modes(result, show=True) if path == "show" else plot_modes(result, path=path)
