"""What the commands about one model, or about all models of a package, do: `simulate`, `check`, `flat`,
`explain`, `describe`, `draw`. Each returns the exit status. Results go to standard output,
everything about them to standard error.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, cast

from saltus.core.diagnostics import Diagnostic, RunError, SaltusError
from saltus.core.option import options, usage_error
from saltus.core.render import render
from saltus.core.wording import number
from saltus.options import Arguments
from saltus.run.schedule.settings import Settings
from saltus.run.schedule.stepping import FIXED_STEP
from saltus.tools.ending import (
    CANCELLED,
    REFUSED,
    WRONG_USAGE,
    RunCrash,
    ending,
    model_warnings,
    run_warnings,
    tell,
    warn,
)
from saltus.tools.loading import loaded, source_of
from saltus.tools.outputs import (
    check_outputs,
    check_plot_variables,
    check_writable,
    checkpoint_of,
    files_of,
    finish_checkpoint,
    growing_files,
    outlet_of,
    write_results,
)
from saltus.tools.progress import Progress, Tally
from saltus.tools.timings import RUN, RunWatch, timings_text

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.result.exchange.outlets import FileOutlet
    from saltus.result.result import Result
    from saltus.run.resume.checkpoint import Checkpoint
    from saltus.tools.check_jobs import Origin

#: The step of a command in which the model runs, for the stopwatch.

#: Rows whose writing takes so long that a message about it is printed after Ctrl-C.
_MANY_ROWS = 20_000


# ---------------------------------------------------------------- what the compiler has made


def _dump(model: Model, arguments: Arguments) -> bool:
    """Prints the intermediate forms that were asked for. Whether there were any."""
    texts = [model.dump(name) for name in (arguments.dump, arguments.dump_after) if name is not None]
    texts += [model.passes()] if arguments.list_passes else []
    for text in texts:
        print(text, flush=True)
    return bool(texts)


# ---------------------------------------------------------------- simulate


def simulate(arguments: Arguments) -> int:
    """Simulate a model and write its trajectories, events and plots."""
    check_outputs(arguments)
    model = loaded(arguments)
    check_plot_variables(model, arguments)
    _dump(model, arguments)
    warn(model_warnings(model, arguments), arguments)

    growing = growing_files(arguments)
    checkpoint, outlet = checkpoint_of(arguments, growing), outlet_of(arguments)
    watch = RunWatch(model)
    failure: RunError | None = None
    result: Result | None
    try:
        with watch.step(RUN):
            result = run_model(model, arguments, checkpoint, outlet)
    except RunError as error:
        failure, result = error, partial_of(error)

    problems: list[Diagnostic] = []
    written = outlet is not None and outlet.has_begun
    if result is not None:
        result = result.whole if written else result
        warn(run_warnings(model, result), arguments)
        if result.interrupted and len(result.time) > _MANY_ROWS:
            tell("cancelled: writing what was computed")
        with watch.step("files"):
            problems = write_results(result, arguments, growing, written=written)
        if failure is None and _wants_summary(arguments):
            print(_summary(model, result, watch))
    if arguments.timings:
        tell(timings_text(watch.timings))
    tell(render(problems))
    status = ending(result, failure, files_of(arguments)) or (WRONG_USAGE if problems else 0)
    if checkpoint is not None:
        finish_checkpoint(checkpoint, status, arguments)
    return status


def run_model(
    model: Model,
    arguments: Arguments,
    checkpoint: Checkpoint | None = None,
    outlet: FileOutlet | None = None,
) -> Result:
    """Runs the model as the arguments ask, with a progress bar."""
    settings = Settings.of(model.experiment, **arguments.run)
    settings.verify()
    try:
        with Progress(settings.start_time, settings.stop_time) as progress:
            return model.simulate(
                **arguments.run,
                progress=progress if progress.enabled and not arguments.quiet else None,
                checkpoint=checkpoint,
                output=outlet,
            )
    except SaltusError:
        raise
    except Exception as error:
        raise RunCrash from error


def partial_of(error: RunError) -> Result | None:
    """What the run had computed; `core`, where the error is declared, does not know results."""
    return cast("Result | None", error.partial)


def _wants_summary(arguments: Arguments) -> bool:
    """When nothing else was asked for, the user should still see something."""
    others = (arguments.output, arguments.dump, arguments.dump_after, arguments.log_events or None)
    return not arguments.quiet and all(other is None for other in others)


def _summary(model: Model, result: Result, watch: RunWatch) -> str:
    from saltus.result.events.events import readable
    from saltus.show.plots.choice import default_names

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
    translated, run = sum(model.timings.values()), watch.timings[RUN]
    lines.append(f"translated in {translated:.3g} s, simulated in {run:.3g} s")
    return "\n".join(lines)


# ---------------------------------------------------------------- check


def check(arguments: Arguments) -> int:
    """Check a model, or every model of a package.

    A model is translated, and its variables and equations are counted. The models of a package are flattened,
    and their structure is analysed; a table shows which are refused and why. The status is 0 if none is.
    """
    if (origin := _package_named(arguments)) is not None:
        return _check_package(origin, arguments)
    for flag, given in (("--json", arguments.json), ("--jobs", arguments.jobs)):
        if given is not None:
            raise usage_error(f"{flag} makes sense only for a package")
    model = loaded(arguments)
    dumped = _dump(model, arguments)
    counts = model.check()
    more = (*(model.unit_warnings() if arguments.units else ()), *model.causality_warnings())
    warn((*model_warnings(model, arguments), *more), arguments)
    if not arguments.quiet and not dumped:
        print(f"{model.name}: " + ", ".join(number(n, _singular(what)) for what, n in counts.items()))
        print("ok")
    if arguments.timings:
        tell(timings_text(model.timings))
    return 0


def _package_named(arguments: Arguments) -> Origin | None:
    """The package to check, if it is one that was named. Otherwise `load` reports what is wrong."""
    from saltus.tools.check_jobs import Origin

    source = arguments.source
    origin = Origin(Path(source) if Path(source).exists() else source, arguments.model, arguments.library)
    return origin if origin.package() is not None else None


def _check_package(origin: Origin, arguments: Arguments) -> int:
    """Checks all models of a package. After Ctrl-C, the results so far are printed."""
    from saltus.tools.check_jobs import Checks
    from saltus.tools.checking import OK, WIDTH, as_json, models_of, table, totals

    dumps = ("--dump", arguments.dump), ("--dump-after", arguments.dump_after)
    for flag, given in (*dumps, ("--list-passes", arguments.list_passes)):
        if given:
            raise usage_error(f"{flag} prints one model; this is a package")
    if arguments.json is not None and arguments.json != "-":
        check_writable(Path(arguments.json))
    package = origin.package()
    assert package is not None
    models = list(models_of(package))
    began = perf_counter()
    cancelled = False
    with Tally(len(models)) as tally:
        checks = Checks(models, tally if not arguments.quiet else lambda done, refused: None)
        try:
            checks.run_here() if (arguments.jobs or 1) == 1 else checks.run_in(arguments.jobs or 1, origin)
        except KeyboardInterrupt:
            cancelled = True
    verdicts = checks.verdicts
    if arguments.json is not None:
        text = as_json(package.full_name, verdicts, len(models))
        if arguments.json == "-":
            print(text, end="", flush=True)
        else:
            Path(arguments.json).write_text(text, encoding="utf-8")
    if arguments.json != "-":
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
        print("\n".join(totals(verdicts)) if arguments.quiet else table(verdicts, width), flush=True)
    if arguments.timings:
        tell(timings_text({"check": perf_counter() - began}))
    if cancelled:
        tell(f"cancelled: {len(verdicts)} of {len(models)} models were checked")
        return CANCELLED
    return 0 if all(v.verdict == OK for v in verdicts) else REFUSED


def _singular(plural: str) -> str:
    """`variable` of `variables`, `alias` of `aliases`."""
    return plural.removesuffix("es" if plural.endswith("ses") else "s")


# ---------------------------------------------------------------- flat, explain and draw


def flat(arguments: Arguments) -> int:
    """Print the flat model as Modelica text."""
    from saltus.compiler import load_flat
    from saltus.show.listings.flat import flat_text

    began = perf_counter()
    # Also for a model that a later stage refuses: this is where one looks for the reason.
    flat = load_flat(source_of(arguments), model=arguments.model, libraries=arguments.library)
    print(flat_text(flat), end="")
    if arguments.timings:
        tell(timings_text({"flatten": perf_counter() - began}))
    return 0


def explain(arguments: Arguments) -> int:
    """Print the sorted equations, or all events, or modes, or sizes.

    The unknown of each equation stands in brackets; algebraic loops are marked. With --events the relations,
    clocks and when-clauses are listed instead; the model is run, and they are counted. With --modes the model
    is run, and each mode that it visits is listed: its guards, what had to be fixed, states and equations.
    With --modes --code-per-mode the equations are those of code for each mode alone; it is counted how many
    unknowns are solved together, with trivial equations and without, torn, with --freeze, and in such code.
    With --events --relations it is listed how each relation is watched, with its numbers after each event.
    With --sizes the model is run, and it is listed how large each variable was taken to be, and why.
    With --inline, or a method with fixed steps, its formulas are listed, and what is computed with them.
    With --clocks clock partitions are listed, with base clocks, rates and solver methods.
    With --solved the equations are listed as they are computed, small linear loops as formulas.
    With --causality the bonds of a bond graph are listed, and how its storages are computed.
    With --reachable the markings are listed to which a Petri net can come, with bounds and deadlocks.
    """
    if arguments.causality:
        return _explain_causality(arguments)
    if arguments.reachable:
        return _explain_reachable(arguments)
    listings = {
        "--events": arguments.list_events,
        "--modes": arguments.list_modes,
        "--clocks": arguments.list_clocks,
        "--sizes": arguments.list_sizes,
        "--solved": arguments.list_solved,
    }
    asked = [flag for flag, given in listings.items() if given]
    if len(asked) > 1:
        raise usage_error(f"{' and '.join(asked[:2])} are two listings", hint="request one after the other")
    if arguments.code_per_mode and not arguments.list_modes:
        raise usage_error("--code-per-mode makes sense only together with --modes")
    if arguments.list_relations and not arguments.list_events:
        raise usage_error("--relations makes sense only together with --events")
    if arguments.list_sizes:
        return _explain_sizes(arguments)
    if arguments.list_modes:
        return _explain_modes(arguments)
    if arguments.list_events:
        return _explain_events(arguments)
    if arguments.run.get("inline") or arguments.run.get("method") in FIXED_STEP:
        return _explain_inlined(arguments)
    _refuse_run_options(arguments)
    from saltus.show.listings.counts import counts_text
    from saltus.show.listings.sorted import solved_equations, sorted_equations
    from saltus.show.listings.switching import clocks_text
    from saltus.show.pictures.matrix import write_matrix

    if arguments.matrix is not None:
        check_writable(Path(arguments.matrix))
    model = loaded(arguments)
    if arguments.matrix is not None:
        write_matrix(model.structure, arguments.matrix)
    if arguments.list_clocks:
        print(clocks_text(model.hybrid), end="")
    elif arguments.list_solved:
        print(solved_equations(model.structure), end="")
    else:
        if not arguments.quiet:
            print(counts_text(model.flat, model.hybrid, model.structure))
        print(sorted_equations(model.structure).rstrip("\n"))
    warn(model_warnings(model, arguments), arguments)
    if arguments.timings:
        tell(timings_text(model.timings))
    return 0


def _explain_inlined(arguments: Arguments) -> int:
    """The formulas of fixed steps, and the equations that are computed with them."""
    from saltus.show.listings.sorted import solved_equations

    model = loaded(arguments)
    method = arguments.run.get("method", "inline:implicit-euler")
    structure = model.inlined(arguments.run.get("inline", ()), method=method)
    if structure.model.inlining is None:
        print(f"{method} inlines no state of {model.name}\n")
    print(solved_equations(structure), end="")
    warn(model_warnings(model, arguments), arguments)
    return 0


def _explain_reachable(arguments: Arguments) -> int:
    """Lists the states that an automaton can reach. Nothing is run, or even translated."""
    from saltus.automata import reachable_of
    from saltus.finding import find_class

    listings = {
        "--causality": arguments.causality,
        "--events": arguments.list_events,
        "--modes": arguments.list_modes,
        "--clocks": arguments.list_clocks,
        "--sizes": arguments.list_sizes,
        "--solved": arguments.list_solved,
    }
    for flag, given in listings.items():
        if given:
            hint = "request one after the other"
            raise usage_error(f"{flag} and --reachable are two listings", hint=hint)
    _refuse_run_options(arguments)
    cls = find_class(source_of(arguments), arguments.model, arguments.library)
    print(reachable_of(cls), end="")
    return 0


def _explain_causality(arguments: Arguments) -> int:
    """Lists the causality of each bond. Nothing is run, or even translated."""
    from saltus.bonds import explained
    from saltus.finding import find_class

    for flag, given in (("--events", arguments.list_events), ("--sizes", arguments.list_sizes)):
        if given:
            hint = "request one after the other"
            raise usage_error(f"{flag} and --causality are two listings", hint=hint)
    _refuse_run_options(arguments)
    cls = find_class(source_of(arguments), arguments.model, arguments.library)
    print(explained(cls, all_modes=arguments.list_modes), end="")
    return 0


def _explain_sizes(arguments: Arguments) -> int:
    """Lists the sizes by which bands and tolerances are measured."""
    from saltus.show.listings.sizes import sizes_text

    if arguments.no_run:
        raise usage_error("--no-run makes sense only together with --events")
    model = loaded(arguments)
    warn(model_warnings(model, arguments), arguments)
    arguments = replace(arguments, run={**arguments.run, "scale": "found"})
    return _run_and_print(model, arguments, lambda result: "" if result is None else sizes_text(result))


def _explain_events(arguments: Arguments) -> int:
    """Lists what makes events. A run that fails is counted as far as it came, which often shows why."""
    from saltus.show.listings.events import events_text
    from saltus.show.listings.relations import relations_text

    text = relations_text if arguments.list_relations else events_text
    model = loaded(arguments)
    warn(model_warnings(model, arguments), arguments)
    if arguments.no_run:
        print(text(model.structure), end="")
        return 0
    return _run_and_print(
        model,
        arguments,
        lambda result: text(model.structure if result is None else result.general, result),
    )


def _explain_modes(arguments: Arguments) -> int:
    """Lists the modes of a run; of one that fails, as far as it came."""
    from saltus.show.listings.visited import modes_text

    if arguments.no_run:
        raise usage_error("--no-run makes sense only together with --events")
    model = loaded(arguments)
    warn(model_warnings(model, arguments), arguments)
    if arguments.code_per_mode:
        return _explain_own_code(model, arguments)
    return _run_and_print(model, arguments, lambda result: "" if result is None else modes_text(result))


def _explain_own_code(model: Model, arguments: Arguments) -> int:
    """Runs the model, and once more with code for each mode that it has visited, which is listed."""
    from saltus.show.listings.counts import loops_text
    from saltus.show.listings.visited import modes_text

    run = {keyword: value for keyword, value in arguments.run.items() if keyword != "freeze"}
    first = run_model(model, replace(arguments, run=run))

    def text(result: Result | None) -> str:
        if result is None:
            return ""
        own = [part.structure for part in result.recording.parts if part.structure.mode.fixed]
        constant = result.general if "freeze" in arguments.run else None
        return f"{loops_text(first.general, constant, own)}\n{modes_text(result)}"

    return _run_and_print(model, replace(arguments, run={**arguments.run, "modes": first.modes}), text)


def _run_and_print(model: Model, arguments: Arguments, text: Callable[[Result | None], str]) -> int:
    """Runs the model and prints the text about its result, which is None if the run did not start."""
    watch = RunWatch(model)
    failure: RunError | None = None
    try:
        with watch.step(RUN):
            result: Result | None = run_model(model, arguments)
    except RunError as error:
        failure, result = error, partial_of(error)
    has_begun = result is not None and len(result.time) > 0
    print(text(result if has_begun else None), end="", flush=True)
    if has_begun and result is not None:
        warn(run_warnings(model, result), arguments)
    if arguments.timings:
        tell(timings_text(watch.timings))
    return ending(result, failure, files_of(arguments))


def _refuse_run_options(arguments: Arguments) -> None:
    """Options that would have no effect."""
    for entry in options(Settings):
        if entry.keyword in arguments.run:
            raise usage_error(f"{entry.flag} makes sense only together with --events or --modes")
    if arguments.no_run:
        raise usage_error("--no-run makes sense only together with --events")


def describe(arguments: Arguments) -> int:
    """List the parameters and variables of a model.

    They have their values, units, limits, descriptions and places with them. With a word, only those that
    have it in name or description; with a full name, all about that one. `*` and `?` stand for any text and
    any letter of a name.
    """
    model = loaded(arguments)
    print(model.describe(arguments.word))
    warn(model_warnings(model, arguments), arguments)
    if arguments.timings:
        tell(timings_text(model.timings))
    return 0


def draw(arguments: Arguments) -> int:
    """Draw the diagram of a class, or its icon, as SVG.

    Components and connections are where their annotations place them; the others are placed automatically.
    """
    from saltus.tools.drawing_command import draw_to_file

    told, problems, seconds = draw_to_file(arguments, source_of(arguments))
    warn(problems, arguments)
    if not arguments.quiet or arguments.drawing == "-":
        print(told, flush=True)
    if arguments.timings:
        tell(timings_text({"draw": seconds}))
    return 0
