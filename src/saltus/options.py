"""One table of options: the command line, the documentation and the checks are made from it.

`OPTIONS` is the table. `tools.cli` builds its commands from the rows, `options_table` prints them as
Markdown for the documentation, and each row carries the check of its value. What is left for
`check_times` are the conditions between options. A value that is wrong raises `UsageError`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from saltus.analyse.passes import PASSES
from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.run.schedule.settings import LINEAR_SOLVERS, METHODS, ZENO

#: The intermediate representations that `--dump` can print, in the order of the compiler. Between the hybrid
#: DAE and its structure it prints what the passes of the analysis have made, by their names.
STAGES = ("ast", "instance", "flat", "hybrid", *PASSES, "structure", "program", "python", "llvm")

#: The commands, in the order in which a user meets them.
COMMANDS = ("simulate", "check", "flat", "explain", "draw")

#: What a parameter can be set to. Enumeration literals are text.
Value: TypeAlias = float | int | bool | str


def usage_error(message: str, *, code: str = "E501", hint: str | None = None) -> UsageError:
    """A refusal of the command or call, with one diagnostic."""
    return UsageError(Diagnostic(code, message, hint=hint))


# ---------------------------------------------------------------- checks of one value


def _finite(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise usage_error(f"{name} must be a finite number, not {value}")


def _positive(name: str, value: float) -> None:
    _finite(name, value)
    if value <= 0:
        raise usage_error(f"{name} must be greater than zero, not {value:g}")


def _not_negative(name: str, value: float) -> None:
    """Zero is left to `check_times`: a run that ends where it starts has no use for a distance."""
    if value:
        _positive(name, value)


def _tolerance(name: str, value: float) -> None:
    _positive(name, value)
    if value >= 1:
        raise usage_error(f"{name} must be less than one, not {value:g}", hint="it is a relative error")


def _stage(name: str, value: str) -> None:
    if value not in STAGES:
        raise usage_error(f"{name} knows no stage {value!r}", hint="the stages are " + ", ".join(STAGES))


def _pass(name: str, value: str) -> None:
    if value not in PASSES:
        raise usage_error(f"{name} knows no pass {value!r}", hint="the passes are " + ", ".join(PASSES))


def _method(name: str, value: str) -> None:
    if value not in METHODS:
        raise usage_error(f"{name} knows no method {value!r}", hint="the methods are " + ", ".join(METHODS))


def _linear_solver(name: str, value: str) -> None:
    if value not in LINEAR_SOLVERS:
        raise usage_error(f"{name} knows no {value!r}", hint="choose one of " + ", ".join(LINEAR_SOLVERS))


def _zeno(name: str, value: str) -> None:
    if value not in ZENO:
        raise usage_error(f"{name} knows no {value!r}", hint="choose one of " + ", ".join(ZENO))


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


def _drawing_or_output(name: str, value: str) -> None:
    if value != "-":
        _drawing(name, value)


# ---------------------------------------------------------------- the table


@dataclass(frozen=True)
class Option:
    """One row. `name` is the Python name; on the command line underscores are hyphens.

    `type` is that of one value: `bool` makes a flag. `repeatable` options give a tuple. A `default` of
    None means that something else decides, and `otherwise` says what.
    """

    name: str
    type: type[Any]
    help: str
    commands: tuple[str, ...] = COMMANDS
    metavar: str | None = None
    default: Any = None
    otherwise: str = ""
    repeatable: bool = False
    check: Callable[[str, Any], None] | None = None
    written: str = ""  # where two commands mean different things by one name

    @property
    def flag(self) -> str:
        """The option as it is written on the command line."""
        return "--" + (self.written or self.name).replace("_", "-")


_SIMULATE = ("simulate",)
#: `explain --events` and `explain --modes` run the model, too.
_RUN = ("simulate", "explain")

OPTIONS: tuple[Option, ...] = (
    Option(
        "model", str, "Class to translate, where the file holds several.",
        metavar="NAME", otherwise="the last model in the file",
    ),
    Option(
        "library", str, "Folder in which packages are looked up; repeatable. MODELICAPATH comes after.",
        metavar="DIR", default=(), otherwise="none", repeatable=True, check=_folders,
    ),
    Option(
        "start_time", float, "Time at which the simulation starts.", _RUN,
        metavar="T", otherwise="experiment annotation, else 0", check=_finite,
    ),
    Option(
        "stop_time", float, "Time at which the simulation ends.", _RUN,
        metavar="T", otherwise="experiment annotation, else 1", check=_finite,
    ),
    Option(
        "tolerance", float, "Relative tolerance of the integration.", _RUN,
        metavar="R", otherwise="experiment annotation, else 1e-6", check=_tolerance,
    ),
    Option(
        "method", str, "Integration method: " + ", ".join(METHODS) + ".", _RUN,
        metavar="NAME", otherwise="bdf", check=_method,
    ),
    Option(
        "max_step", float, "Largest step of the integration.", _RUN,
        metavar="H", otherwise="the integrator decides", check=_positive,
    ),
    Option(
        "event_resolution", float, "No excursion of a residue that is longer than this is missed.", _RUN,
        metavar="H", otherwise="what docs/events.md promises", check=_positive,
    ),
    Option(
        "interval", float, "Distance of the output points.", _RUN,
        metavar="H", otherwise="experiment annotation, else a 500th of the whole", check=_not_negative,
    ),
    Option(
        "set", str, "Value of a parameter; repeatable.", _RUN,
        metavar="NAME=VALUE", default=(), otherwise="as the model has it", repeatable=True,
    ),
    Option(
        "linear_solver", str, "Linear algebra of the integrator: " + ", ".join(LINEAR_SOLVERS) + ".",
        _RUN, metavar="NAME", otherwise="auto: what is quicker", check=_linear_solver,
    ),
    Option(
        "zeno", str, "What to do where infinitely many events accumulate: " + ", ".join(ZENO) + ".",
        _RUN, metavar="WHAT", otherwise="stop", check=_zeno,
    ),
    Option(
        "output", str, "Write the trajectories as CSV to this file; '-' is standard output.", _SIMULATE,
        metavar="OUT.csv", otherwise="a short summary is printed", check=_not_empty,
    ),
    Option(
        "events", str, "Write the events, one JSON object a line, to this file.", _SIMULATE,
        metavar="EVENTS.jsonl", otherwise="not written", check=_not_empty,
    ),
    Option(
        "checkpoint", str, "Save the run now and then in this file; a killed run goes on from it.", _SIMULATE,
        metavar="FILE", otherwise="not written", check=_not_empty,
    ),
    Option(
        "plot", str, "Write a plot to this file (png, svg, pdf, ...), or 'show' it in a window.", _SIMULATE,
        metavar="FILE|show", otherwise="not drawn", check=_not_empty,
    ),
    Option(
        "plot_modes", str, "Write a plot of modes, Booleans, Integers and enumerations as bars to this file.",
        _SIMULATE, metavar="FILE|show", otherwise="not drawn", check=_not_empty,
    ),
    Option(
        "plot_variables", str, "Names to plot, separated by commas, '*' and '?' allowed; repeatable.",
        _SIMULATE, metavar="A,B", default=(), otherwise="up to 8 states and discrete variables",
        repeatable=True,
    ),
    Option("shade_modes", bool, "With --plot: shade the modes behind the curves.", _SIMULATE, default=False),
    Option("log_events", bool, "Print what happened at every event.", _SIMULATE, default=False),
    Option(
        "dump", str, "Print an intermediate form: " + ", ".join(STAGES) + ".", ("simulate", "check"),
        metavar="STAGE", otherwise="none", check=_stage,
    ),
    Option(
        "dump_after", str, "Print the equations after a pass of the analysis; --list-passes names them.",
        ("simulate", "check"), metavar="PASS", otherwise="none", check=_pass,
    ),
    Option(
        "list_passes", bool, "List the passes of the analysis and what each has made of the model.",
        ("check",), default=False,
    ),
    Option(
        "jobs", int, "Check the models of a package in so many processes.", ("check",),
        metavar="N", otherwise="1", check=_at_least_one,
    ),
    Option(
        "json", str, "Write the verdicts on the models of a package as JSON; '-' is standard output.",
        ("check",), metavar="OUT.json", otherwise="a table is printed", check=_not_empty,
    ),
    Option(
        "matrix", str, "Draw the incidence matrix in block lower triangular form to this file.", ("explain",),
        metavar="FILE.svg", otherwise="not drawn", check=_drawing,
    ),
    Option(
        "drawing", str, "Write the drawing to this file; '-' is standard output.", ("draw",),
        metavar="FILE.svg", otherwise="the name of the class, with .svg", check=_drawing_or_output,
        written="output",
    ),
    Option("icon", bool, "Draw the icon, not the diagram.", ("draw",), default=False),
    Option(
        "list_events", bool, "List relations, clocks and when-clauses, and run the model to count.",
        ("explain",), default=False, written="events",
    ),
    Option(
        "list_modes", bool, "Run the model and list the modes it visits, with the equations of each.",
        ("explain",), default=False, written="modes",
    ),
    Option("no_run", bool, "With --events: do not run the model, only list.", ("explain",), default=False),
    Option("units", bool, "Warn of units that do not match.", ("check",), default=False),
    Option(
        "pedantic", bool, "Warn of what goes beyond Modelica.", ("simulate", "check", "explain"),
        default=False,
    ),
    Option("timings", bool, "Say on standard error where the time went.", default=False),
    Option("quiet", bool, "No summary, no warnings, no progress bar; errors are still shown.", default=False),
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """Values of the options: one field a row, and the argument that says what to translate."""

    source: str
    model: str | None = None
    library: tuple[str, ...] = ()
    start_time: float | None = None
    stop_time: float | None = None
    tolerance: float | None = None
    method: str | None = None
    max_step: float | None = None
    event_resolution: float | None = None
    interval: float | None = None
    set: tuple[str, ...] = ()
    linear_solver: str | None = None
    zeno: str | None = None
    output: str | None = None
    events: str | None = None
    checkpoint: str | None = None
    plot: str | None = None
    plot_modes: str | None = None
    plot_variables: tuple[str, ...] = ()
    shade_modes: bool = False
    log_events: bool = False
    dump: str | None = None
    dump_after: str | None = None
    list_passes: bool = False
    jobs: int | None = None
    json: str | None = None
    matrix: str | None = None
    drawing: str | None = None
    icon: bool = False
    list_events: bool = False
    list_modes: bool = False
    no_run: bool = False
    units: bool = False
    pedantic: bool = False
    timings: bool = False
    quiet: bool = False


def options_of(command: str) -> tuple[Option, ...]:
    """The rows that a command takes."""
    return tuple(row for row in OPTIONS if command in row.commands)


def settings_from(values: Mapping[str, Any]) -> Settings:
    """Checked settings from the values that the command line (or a test) gives by name."""
    given = dict(values)
    for row in OPTIONS:
        if row.repeatable and row.name in given:
            given[row.name] = tuple(given[row.name] or ())
        value = given.get(row.name)
        if value is not None and row.check is not None:
            row.check(row.flag, value)
    settings = Settings(**given)
    if settings.start_time is not None and settings.stop_time is not None:
        check_times(settings.start_time, settings.stop_time)
    _check_standard_output(settings)
    return settings


def check_times(
    start_time: float, stop_time: float, tolerance: float | None = None, interval: float | None = None
) -> None:
    """Refuses what no simulation can do; for the values in force, wherever they come from."""
    _finite("start time", start_time)
    _finite("stop time", stop_time)
    if stop_time < start_time:
        raise usage_error(f"stop time {stop_time:g} is before start time {start_time:g}")
    if tolerance is not None:
        _tolerance("tolerance", tolerance)
    if interval is not None and (interval or stop_time > start_time):
        _positive("interval", interval)


def _check_standard_output(settings: Settings) -> None:
    if settings.output != "-":
        return
    dumps = (("--dump", settings.dump is not None), ("--dump-after", settings.dump_after is not None))
    for row, used in (("--log-events", settings.log_events), *dumps):
        if used:
            raise usage_error(f"'--output -' and {row} would both write to standard output")


# ---------------------------------------------------------------- --set

# A quoted identifier may hold an equals sign: 'a=b'.x=3.
_SETTING = re.compile(r"\s*((?:'(?:[^'\\]|\\.)*'|[^'=])+?)\s*=\s*(.*?)\s*", re.DOTALL)
_INTEGER = re.compile(r"[+-]?\d+")
_REAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_LITERAL = re.compile(r"(?:\.?(?:[A-Za-z_]\w*|'(?:[^'\\]|\\.)*'))+")


def parse_settings(texts: Iterable[str]) -> dict[str, Any]:
    """`name=value` texts as values by name. Enumeration literals stay text; `{1, 2}` gives a list."""
    values: dict[str, Any] = {}
    for text in texts:
        match = _SETTING.fullmatch(text)
        if match is None or not match[2]:
            raise usage_error(f"--set {text}: not of the form name=value", hint="for example --set m=2.5")
        name = match[1]
        if name in values:
            raise usage_error(f"--set gives {name} twice")
        values[name] = _parse_value(text, match[2])
    return values


def _parse_value(setting: str, text: str) -> Any:
    if text.startswith("{") and text.endswith("}") and text[1:-1].strip():
        return [_parse_value(setting, part) for part in _elements(text[1:-1])]
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    if _REAL.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise usage_error(f"--set {setting}: the number is too large")
        return number
    if quoted := _STRING.fullmatch(text):
        return re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL)
    if text.lower() not in ("nan", "inf", "infinity") and _LITERAL.fullmatch(text):
        return text
    raise usage_error(
        f"--set {setting}: {text} is not a value",
        hint='a value is a number, true, false, an enumeration literal, a "string" or an array {1, 2}',
    )


def _elements(text: str) -> list[str]:
    """The parts between commas that stand outside braces and strings."""
    parts, depth, quoted = [""], 0, False
    for c in text:
        if c == '"':
            quoted = not quoted
        elif not quoted:
            depth += (c == "{") - (c == "}")
        if c == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


# ---------------------------------------------------------------- documentation


def options_table() -> str:
    """The table as Markdown, for the documentation."""
    lines = ["| option | commands | meaning | without it |", "| --- | --- | --- | --- |"]
    for row in OPTIONS:
        flag = row.flag if row.metavar is None else f"{row.flag} {row.metavar}"
        commands = "all" if row.commands == COMMANDS else ", ".join(row.commands)
        without = row.otherwise or ("off" if row.default is False else str(row.default))
        # A bar inside a cell would end it.
        cells = (f"`{flag}`", commands, row.help, without)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"
