"""The options of all commands about a model: the command line and the documentation are made from them.

Each option is an entry of one of two tables (`saltus.core.option`): what a run can be asked for is in
`saltus.run.schedule.settings`, what only commands know, such as the files to write, in `Arguments` here.
`table` has both in the order of the help texts. `tools.cli` builds its commands from it, `arguments_from`
checks what they were given, and `options_table` prints it as Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from saltus.analyse.passes import PASSES
from saltus.core.option import Option, not_negative, one_of, option, options, positive, usage_error
from saltus.result.exchange.where import IN_ROWS, WHERE
from saltus.run.schedule.settings import Settings
from saltus.run.schedule.stepping import check_times
from saltus.run.schedule.value_files import values_from

#: The intermediate representations that `--dump` can print, in the order of the compiler. Between the hybrid
#: DAE and its structure it prints what the passes of the analysis have made, by their names.
STAGES = ("ast", "instance", "flat", "hybrid", *PASSES, "structure", "program", "python", "llvm")

#: The commands, in the order in which a user meets them.
COMMANDS = (
    "simulate", "report", "check", "flat", "explain", "describe", "steady", "linearise", "realtime", "export",
    "draw",
)  # fmt: skip

#: Those that run the model, as `explain --events`, `--modes` and `--sizes` do, and take the options of a run.
RUN = ("simulate", "report", "explain", "steady", "linearise", "realtime", "export")

_SIMULATE = ("simulate",)

#: What curves can be drawn over beside variables: the time, or the numbers of steps.
TIME, STEPS = "time", "k"


# ---------------------------------------------------------------- checks of one value


def _folders(name: str, value: tuple[str, ...]) -> None:
    for folder in value:
        if not Path(folder).is_dir():
            raise usage_error(f"{name}: there is no folder {folder!r}")


def _not_empty(name: str, value: str) -> None:
    if not value:
        raise usage_error(f"{name} needs a file name")


def _at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise usage_error(f"{name} must be at least one, not {value}")


def _drawing(name: str, value: str) -> None:
    if Path(value).suffix.lower() != ".svg":
        raise usage_error(f"{name} draws SVG, and {value!r} does not end with .svg")


def _port(name: str, value: int) -> None:
    if not 0 <= value <= 65_535:
        raise usage_error(f"{name} must be a port from 1 to 65535 (0 for any that is free), not {value}")


def _drawing_or_output(name: str, value: str) -> None:
    if value != "-":
        _drawing(name, value)


def _page(name: str, value: str) -> None:
    if Path(value).suffix.lower() not in (".html", ".htm"):
        raise usage_error(f"{name} is a page for a browser, and {value!r} does not end with .html")


# ---------------------------------------------------------------- the table


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """The table of the options that only commands have; an instance is what one command was given.

    `source` says what to translate, `word` what to look for. `run` has the options of the run that were
    given, by keyword; their place among the others is that of the field.
    """

    # fmt: off
    source: str
    word: str | None = None  # of `describe`
    language: str = "c"  # of `export`
    model: str | None = option(
        "Class to translate, if the file has several.", commands=COMMANDS,
        metavar="NAME", default=None, otherwise="the last model in the file",
    )
    library: tuple[str, ...] = option(
        "Folder in which packages are looked up, before MODELICAPATH; repeatable.", commands=COMMANDS,
        metavar="DIR", default=(), otherwise="none", check=_folders,
    )
    run: Mapping[str, Any] = field(default_factory=dict)
    values: tuple[str, ...] = option(
        "Read values as for --set from this file (.toml, .json, .csv); repeatable; --set overrides them.",
        commands=RUN, metavar="FILE", default=(), otherwise="none",
    )
    output: str | None = option(
        "Write the trajectories to this file (csv, mat, nc, h5, parquet); '-' is standard output, as CSV.",
        commands=_SIMULATE, metavar="OUT.csv", default=None, otherwise="a short summary is printed",
        check=_not_empty,
    )
    store: tuple[str, ...] = option(
        "With --output: write only these variables, separated by commas; '*' and '?' allowed; repeatable.",
        commands=_SIMULATE, metavar="A,B", default=(), otherwise="all variables and parameters",
    )
    parameters: str = option(
        "With --output: write parameters in all rows of a CSV file, in its first row only, or not at all.",
        commands=_SIMULATE, metavar="rows|once|none", default=IN_ROWS, check=one_of(WHERE),
    )
    events: str | None = option(
        "Write the events, one JSON object a line, to this file.", commands=_SIMULATE,
        metavar="EVENTS.jsonl", default=None, otherwise="not written", check=_not_empty,
    )
    steps: str | None = option(
        "Write the steps as CSV: numbered rows, including every mode that events pass through, with their "
        "kinds.",
        commands=_SIMULATE, metavar="STEPS.csv", default=None, otherwise="not written", check=_not_empty,
    )
    record_modes: str | None = option(
        "Write the modes that the run visits to this file, for --modes.", commands=("simulate", "realtime"),
        metavar="FILE.json", default=None, otherwise="not written", check=_not_empty,
    )
    checkpoint: str | None = option(
        "Save the run in this file at intervals; a killed run resumes from it.", commands=_SIMULATE,
        metavar="FILE", default=None, otherwise="not written", check=_not_empty,
    )
    plot: str | None = option(
        "Write a plot to this file (png, svg, pdf, ...), or 'show' it in a window.", commands=_SIMULATE,
        metavar="FILE|show", default=None, otherwise="not drawn", check=_not_empty,
    )
    plot_modes: str | None = option(
        "Write a plot of modes, Booleans, Integers and enumerations as bars to this file.",
        commands=_SIMULATE, metavar="FILE|show", default=None, otherwise="not drawn", check=_not_empty,
    )
    plot_variables: tuple[str, ...] = option(
        "Variables to plot, separated by commas; '*' and '?' allowed; repeatable.",
        commands=("simulate", "report"),
        metavar="A,B", default=(), otherwise="up to 8 outputs, states and switching variables",
    )
    plot_against: str = option(
        "With --plot: draw the curves over time, over the numbers k of the steps, or over a variable.",
        commands=_SIMULATE, metavar="time|k|NAME", default=TIME, check=_not_empty,
    )
    shade_modes: bool = option(
        "With --plot: shade the modes behind the curves.", commands=_SIMULATE, default=False
    )
    log_events: bool = option("Print what happened at every event.", commands=_SIMULATE, default=False)
    dump: str | None = option(
        "Print an intermediate form: " + ", ".join(STAGES) + ".", commands=("simulate", "check"),
        metavar="STAGE", default=None, otherwise="none", check=one_of(STAGES, "stage"),
    )
    dump_after: str | None = option(
        "Print the equations after a pass of the analysis; --list-passes names them.",
        commands=("simulate", "check"), metavar="PASS", default=None, otherwise="none",
        check=one_of(tuple(PASSES), "pass"),
    )
    list_passes: bool = option(
        "List the passes of the analysis and the effect of each on the model.", commands=("check",),
        default=False,
    )
    jobs: int | None = option(
        "Check the models of a package in this many processes.", commands=("check",),
        metavar="N", default=None, otherwise="1", check=_at_least_one,
    )
    json: str | None = option(
        "Write the verdicts on the models of a package as JSON; '-' is standard output.", commands=("check",),
        metavar="OUT.json", default=None, otherwise="a table is printed", check=_not_empty,
    )
    matrix: str | None = option(
        "Draw the incidence matrix in block lower triangular form to this file.", commands=("explain",),
        metavar="FILE.svg", default=None, otherwise="not drawn", check=_drawing,
    )
    inputs: tuple[str, ...] = option(
        "Inputs of the model (with linearise, parameters) to use as inputs, separated by commas; repeatable.",
        commands=("linearise", "realtime"), metavar="A,B", default=(),
        otherwise="none; with --udp all open inputs",
    )
    outputs: tuple[str, ...] = option(
        "Variables to use as outputs, separated by commas; repeatable.",
        commands=("linearise", "realtime"), metavar="A,B", default=(),
        otherwise="the outputs that the model declares",
    )
    linear_system: str | None = option(
        "Write the matrices to this file: .json, or .npz for NumPy.", commands=("linearise",),
        written="output", metavar="FILE", default=None, otherwise="they are printed", check=_not_empty,
    )
    at_rest: bool = option(
        "Linearise at a steady state (`saltus steady`) instead of --stop-time.", commands=("linearise",),
        written="steady", default=False,
    )
    free: tuple[str, ...] = option(
        "States that may keep changing where everything else is at rest, such as the angle of a shaft; "
        "separated by commas; '*' and '?' allowed; repeatable.",
        commands=("steady", "linearise"), metavar="A,B", default=(), otherwise="none",
    )
    steady_state: str | None = option(
        "Write the steady state to this result file, for --start-from, or as .json.", commands=("steady",),
        written="output", metavar="FILE", default=None, otherwise="it is printed", check=_not_empty,
    )
    speed: float | None = option(
        "Run at this multiple of real time; 0 for as fast as possible.", commands=("realtime",),
        metavar="FACTOR", default=None, otherwise="1", check=not_negative,
    )
    udp: int | None = option(
        "Exchange inputs and outputs with a process on this machine through UDP datagrams to this port.",
        commands=("realtime",), metavar="PORT", default=None, otherwise="nothing is exchanged", check=_port,
    )
    every: float | None = option(
        "With --udp: time between two exchanges.", commands=("realtime",), metavar="H", default=None,
        otherwise="the step", check=positive, unit="s",
    )
    wait: float = option(
        "With --udp: seconds to wait for a datagram at each exchange.", commands=("realtime",),
        metavar="S", default=0.0, check=not_negative, unit="s",
    )
    # `written`: another command means something else by that name.
    folder: str | None = option(
        "Write the files to this folder, which is created if necessary.", commands=("export",),
        written="output", short="o", metavar="DIR", default=None, otherwise="the name of the class",
        check=_not_empty,
    )
    drawing: str | None = option(
        "Write the drawing to this file; '-' is standard output.", commands=("draw",), written="output",
        metavar="FILE.svg", default=None, otherwise="the name of the class, with .svg",
        check=_drawing_or_output,
    )
    report_file: str | None = option(
        "Write the report to this file.", commands=("report",), written="output", short="o",
        metavar="FILE.html", default=None, otherwise="the name of the model, with .html", check=_page,
    )
    watch: bool = option(
        "Run the model again whenever it is saved, and show the report in the browser; Ctrl-C ends.",
        commands=("report",), default=False,
    )
    icon: bool = option("Draw the icon, not the diagram.", commands=("draw",), default=False)
    write_places: bool = option(
        "Add missing placements of parts and lines of connections to the file of the class.",
        commands=("draw",), written="write", default=False,
    )
    list_events: bool = option(
        "List relations, clocks and when-clauses, and run the model to count.", commands=("explain",),
        written="events", default=False,
    )
    list_modes: bool = option(
        "Run the model and list the modes it visits, with the equations of each. When drawing a bond "
        "graph: one picture for each mode; a net or a machine: one for each instant at which it changes.",
        commands=("explain", "draw"), written="modes", default=False,
    )
    code_per_mode: bool = option(
        "With --modes: list the equations of code for each mode alone, and how few unknowns it solves "
        "together.", commands=("explain",), default=False,
    )
    causality: bool = option(
        "For a bond graph: list the causality of its bonds; with --modes, in all modes.",
        commands=("explain",), default=False,
    )
    reachable: bool = option(
        "For a net or a machine: list reachable states, bounds and deadlocks.",
        commands=("explain",), default=False,
    )
    list_clocks: bool = option(
        "List clock partitions: base clocks, rates, solver methods, and the content of each.",
        commands=("explain",), written="clocks", default=False,
    )
    list_sizes: bool = option(
        "Run the model and list the size assumed for each variable, and why.", commands=("explain",),
        written="sizes", default=False,
    )
    list_solved: bool = option(
        "List the solved equations, small linear loops as formulas.", commands=("explain",),
        written="solved", default=False,
    )
    list_relations: bool = option(
        "With --events: list how each relation is monitored, QRel, QM, Qp, Qn, QZp, QZn and QL, and their "
        "values after each event.", commands=("explain",), written="relations", default=False,
    )
    no_run: bool = option(
        "With --events: list without running the model.", commands=("explain",), default=False
    )
    units: bool = option("Warn about units that do not match.", commands=("check",), default=False)
    pedantic: bool = option(
        "Warn about extensions of Modelica.", commands=("simulate", "report", "check", "explain"),
        default=False,
    )
    timings: bool = option("Report on standard error where the time went.", commands=COMMANDS, default=False)
    quiet: bool = option(
        "No summary, no warnings, no progress bar; errors are still shown.", commands=COMMANDS, default=False
    )
    # fmt: on


def table(settings: type[Settings] = Settings) -> tuple[Option, ...]:
    """All options, in the order of the help texts; those of a run with the commands that run models."""
    found: dict[str, tuple[Option, ...]] = {entry.name: (entry,) for entry in options(Arguments)}
    of_run = (entry for entry in options(settings) if not entry.implied)
    found["run"] = tuple(replace(entry, commands=entry.commands or RUN) for entry in of_run)
    return tuple(entry for f in fields(Arguments) for entry in found.get(f.name, ()))


def options_of(command: str, settings: type[Settings] = Settings) -> tuple[Option, ...]:
    """The options that a command takes."""
    return tuple(entry for entry in table(settings) if command in entry.commands)


# ---------------------------------------------------------------- what was given


def arguments_from(values: Mapping[str, Any], settings: type[Settings] = Settings) -> Arguments:
    """Checked arguments from the values that the command line gives by the names of fields; what is None, or
    an empty list, was not given."""
    given: dict[str, Any] = {}
    for name, value in values.items():
        if value is not None and value != []:
            given[name] = tuple(value) if isinstance(value, list) else value
    for entry in table(settings):
        if entry.name in given and entry.check is not None:
            entry.check(entry.flag, given[entry.name])
    asked = [entry for entry in options(settings) if not entry.implied]
    of_run = {entry.keyword: given.pop(entry.name) for entry in asked if entry.name in given}
    of_run = {keyword: value for keyword, value in of_run.items() if value is not False}  # a flag without it
    if "start_time" in of_run and "stop_time" in of_run:
        check_times(of_run["start_time"], of_run["stop_time"])
    arguments = Arguments(**given)
    _check_standard_output(arguments)
    if arguments.shade_modes and arguments.plot_against != TIME:
        raise usage_error(f"--shade-modes needs --plot-against {TIME}")
    for entry in asked:
        if entry.parse is not None and entry.keyword in of_run:
            of_run[entry.keyword] = entry.parse(of_run[entry.keyword])
    if arguments.values:
        files = [values_from(file) for file in arguments.values]
        of_run["set"] = {k: v for values in (*files, of_run.get("set", {})) for k, v in values.items()}
    if arguments.steps is not None or (arguments.plot is not None and arguments.plot_against == STEPS):
        of_run["steps"] = True
    return replace(arguments, run=of_run)


def _check_standard_output(arguments: Arguments) -> None:
    if arguments.output != "-":
        return
    dumps = ("--dump", arguments.dump is not None), ("--dump-after", arguments.dump_after is not None)
    for flag, used in (("--log-events", arguments.log_events), *dumps):
        if used:
            raise usage_error(f"'--output -' and {flag} would both write to standard output")


# ---------------------------------------------------------------- documentation


#: Commands that have much in common, in the documentation.
_NAMED = {COMMANDS: "all", RUN: "runs"}


def options_table(settings: type[Settings] = Settings) -> str:
    """The options as a table in Markdown, for the documentation."""
    lines = ["| option | commands | meaning | without it |", "| --- | --- | --- | --- |"]
    for entry in table(settings):
        flag = entry.flag if entry.metavar is None else f"{entry.flag} {entry.metavar}"
        commands = _NAMED.get(entry.commands) or ", ".join(entry.commands)
        # A bar inside a cell would end it.
        cells = (f"`{flag}`", commands, entry.help, entry.without)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"
