"""The tables of options, and what follows from them: the command line, the keywords of Python, the checks,
the identity of a checkpoint and the guide."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

import saltus
from saltus.core.diagnostics import UsageError
from saltus.core.option import Option, option, options, positive
from saltus.ir.flat import Experiment
from saltus.options import COMMANDS, RUN, Arguments, arguments_from, options_of, options_table, table
from saltus.result.result import Result
from saltus.run.resume.checkpoint import Checkpoint, Saved
from saltus.run.schedule.settings import Settings
from saltus.run.schedule.stepping import check_times
from saltus.tools.cli import register
from tools import options_page

#: Keywords of `Model.simulate` that are no options: they are about the call, not about the run.
OF_THE_CALL = {"progress", "checkpoint", "store", "output", "exchange"}

RUN_OPTIONS = [pytest.param(entry, id=entry.name) for entry in options(Settings)]

#: Those that commands have; other options of commands ask for the rest.
WRITTEN = [p for p in RUN_OPTIONS if not cast(Option, p.values[0]).implied]

DECAY = "model M Real x(start = 2, fixed = true); equation der(x) = -x; end M;"


def refused(**values: object) -> str:
    return refusal(lambda: arguments_from({"source": "A.mo", **values}))[0]


def refusal(call: Callable[[], object]) -> tuple[str, str | None]:
    """The message and the hint of a refused call."""
    with pytest.raises(UsageError) as caught:
        call()
    assert caught.value.exit_status == 2
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.message, diagnostic.hint


# ---------------------------------------------------------------- the tables


def test_every_field_is_an_entry() -> None:
    assert [entry.name for entry in options(Settings)] == [f.name for f in fields(Settings)]
    others = {"source", "word", "language", "run"}
    assert [e.name for e in options(Arguments)] == [f.name for f in fields(Arguments) if f.name not in others]


def test_names_are_unique_and_commands_known() -> None:
    assert len({entry.name for entry in table()}) == len(table())
    assert all(entry.commands and set(entry.commands) <= set(COMMANDS) for entry in table())
    for command in COMMANDS:
        flags = [entry.flag for entry in options_of(command)]
        assert len(set(flags)) == len(flags)


def test_what_is_told_about_every_option() -> None:
    assert all((entry.metavar is None) == (entry.type is bool) for entry in table())
    assert all(entry.help.endswith(".") and entry.without not in ("", "None") for entry in table())


def test_the_standing_contract_is_in_the_table() -> None:
    flags = {entry.flag for entry in options_of("simulate")}
    contract = "model library start-time stop-time tolerance interval set output events"
    assert {f"--{name}" for name in contract.split()} <= flags


def test_labels_of_the_identity_are_unique() -> None:
    assert len(Settings().identity()) == sum(entry.in_identity for entry in options(Settings))


def disagreements(settings: type[Settings]) -> list[str]:
    """Options of a run whose keyword in `Model.simulate` is not there, or has another type or place."""
    parameters = inspect.signature(saltus.Model.simulate).parameters
    hints, fields_of = get_type_hints(saltus.Model.simulate), get_type_hints(settings)
    found = []
    for entry in options(settings):
        # What `set` takes is made into `overrides` with the help of the model, and a run begins in more than
        # what a file can hold.
        kind = hints.get(entry.keyword) if entry.parse is not None else fields_of[entry.name] | None
        parameter = parameters.get(entry.keyword)
        more = entry.keyword == "start_from" and {*get_args(kind)} < {*get_args(hints[entry.keyword])}
        if parameter is None or parameter.default is not None or not (more or hints[entry.keyword] == kind):
            found.append(entry.keyword)
    return found


def test_python_has_a_keyword_for_every_option() -> None:
    assert disagreements(Settings) == []
    keywords = [name for name in inspect.signature(saltus.Model.simulate).parameters if name != "self"]
    of_run = [entry.keyword for entry in options(Settings)]
    assert [name for name in keywords if name not in OF_THE_CALL] == of_run


def test_the_documentation_of_python_names_every_keyword() -> None:
    text = inspect.getdoc(saltus.Model.simulate) or ""
    keywords = [name for name in inspect.signature(saltus.Model.simulate).parameters if name != "self"]
    assert [name for name in keywords if f"`{name}" not in text] == []


# ---------------------------------------------------------------- what follows, for every option of a run


def other_value(entry: Option) -> Any:
    """One that is neither the default nor wrong for its type."""
    return {"k": 3.0} if entry.parse is not None else 0.25 if entry.type is float else "another"


def wrong_value(entry: Option) -> Any:
    return math.nan if entry.type is float else "nonsense"


@pytest.mark.parametrize("entry", WRITTEN)
def test_the_commands_that_run_a_model_take_it(entry: Option) -> None:
    takers = entry.commands or RUN  # some have a meaning for some of them only
    assert set(takers) <= set(RUN)
    for command in COMMANDS:
        assert (entry.name in {e.name for e in options_of(command)}) == (command in takers)


@pytest.mark.parametrize("entry", [p for p in RUN_OPTIONS if cast(Option, p.values[0]).check is not None])
def test_a_wrong_value_is_refused_alike_everywhere(entry: Option) -> None:
    wrong = wrong_value(entry)
    model = saltus.load(DECAY)
    message, hint = refusal(lambda: arguments_from({"source": "A.mo", entry.name: wrong}))
    in_python = refusal(lambda: model.simulate(**{entry.keyword: wrong}))
    assert message.startswith(entry.flag + " ")
    assert in_python == (message.replace(entry.flag, entry.words, 1), hint)
    assert refusal(replace(Settings(), **{entry.name: wrong}).verify) == in_python


@pytest.mark.parametrize("entry", RUN_OPTIONS)
def test_the_value_in_force(entry: Option) -> None:
    """What is given, then the annotation, then the default."""
    annotation = Experiment(start_time=0.5, stop_time=1.5, tolerance=1e-5, interval=0.125)
    value = other_value(entry)
    assert getattr(Settings.of(annotation, **{entry.keyword: value}), entry.name) == value
    expected = getattr(annotation, entry.name) if entry.annotated else entry.default
    assert getattr(Settings.of(annotation, **{entry.keyword: None}), entry.name) == expected
    assert getattr(Settings(), entry.name) == entry.default


@pytest.mark.parametrize("entry", RUN_OPTIONS)
def test_a_checkpoint_is_for_one_value(entry: Option) -> None:
    changed = replace(Settings(), **{entry.name: other_value(entry)})
    assert (changed.identity() != Settings().identity()) == entry.in_identity


@pytest.mark.parametrize("asking", [{"steps": "a.csv"}, {"plot": "a.png", "plot_against": "k"}])
def test_what_needs_steps_asks_the_run_for_them(asking: dict[str, str]) -> None:
    assert arguments_from({"source": "A.mo", **asking}).run == {"steps": True}
    for without in ({}, {"plot": "a.png"}, {"plot_against": "k"}, {"plot": "a.png", "plot_against": "time"}):
        assert arguments_from({"source": "A.mo", **without}).run == {}


# ---------------------------------------------------------------- an option that is not there


@dataclass(frozen=True, kw_only=True)
class Patient(Settings):
    """The options of a run and one more: all that adding it takes."""

    patience: float = option("Seconds to wait.", metavar="S", default=2.5, check=positive)
    colour: str | None = option(
        "Makes no difference.", metavar="NAME", default=None, otherwise="none", in_identity=False
    )


def command_line(*arguments: str) -> tuple[int, str, Arguments | None]:
    """Status and output of a command that takes the options of `Patient`, and the arguments it was given."""
    found: list[Arguments] = []
    app = typer.Typer(rich_markup_mode=None)
    app.callback()(lambda: None)  # with a single command, its name would be none of the arguments

    def work(given: Arguments) -> int:
        """Work."""
        found.append(given)
        return 0

    register(app, "simulate", work, Patient)
    ended = CliRunner().invoke(app, ["simulate", "A.mo", *arguments])
    return ended.exit_code, ended.output, found[0] if found else None


def test_a_new_option_is_on_the_command_line() -> None:
    status, text, _ = command_line("--help")
    text = " ".join(text.split())
    assert status == 0 and "--patience S Seconds to wait. [default: (2.5)]" in text
    assert text.index("--zeno") < text.index("--patience") < text.index("--output")
    status, _, given = command_line("--patience", "4", "--stop-time", "2", "--set", "k=3")
    assert status == 0 and given is not None
    assert given.run == {"patience": 4.0, "stop_time": 2.0, "set": {"k": 3}}
    settings = Patient.of(Experiment(), **given.run)
    assert (settings.patience, settings.stop_time, settings.overrides) == (4.0, 2.0, {"k": 3})
    assert Patient.of(Experiment()).patience == 2.5


def test_a_new_option_is_checked() -> None:
    status, text, given = command_line("--patience", "-1")
    assert status == 2 and given is None
    assert "--patience must be greater than zero, not -1" in text
    assert refusal(Patient(patience=-1.0).verify)[0] == "patience must be greater than zero, not -1"


def test_a_new_option_is_part_of_a_checkpoint(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "saved")
    checkpoint.write(Patient(patience=5.0).identity(), Saved({"now": 0.0}, {}), cast(Result, None))
    assert checkpoint.read(Patient(patience=5.0, colour="red").identity()) is not None
    message, _ = refusal(lambda: checkpoint.read(Patient().identity()))
    assert message.endswith("is of another run: its patience is 5.0, not 2.5")


def test_a_new_option_is_in_the_page_of_options() -> None:
    page = options_page.PAGE.read_text(encoding="utf-8")
    lines = options_page.page(page, Patient).splitlines()
    assert [line for line in lines if line not in page.splitlines()] == [
        "| `--patience S` | runs | Seconds to wait. | 2.5 |",
        "| `--colour NAME` | runs | Makes no difference. | none |",
    ]


def test_a_new_option_without_a_keyword_is_noticed() -> None:
    assert disagreements(Patient) == ["patience", "colour"]


# ---------------------------------------------------------------- checks


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", ["start_time", "stop_time", "tolerance", "interval"])
def test_numbers_must_be_finite(name: str, value: float) -> None:
    assert "--" + name.replace("_", "-") in refused(**{name: value})


@pytest.mark.parametrize(("name", "value"), [("tolerance", 0.0), ("tolerance", -1e-3), ("interval", -1e-3)])
def test_tolerance_and_interval_are_positive(name: str, value: float) -> None:
    assert "greater than zero" in refused(**{name: value})


def test_no_interval_where_the_run_has_no_length() -> None:
    check_times(0.0, 0.0, 0.0)
    with pytest.raises(UsageError, match="interval must be greater than zero"):
        check_times(0.0, 1e-9, 0.0)
    model = saltus.load(DECAY)
    result = model.simulate(stop_time=0.0, interval=0.0)
    assert result.time.tolist() == [0.0] and result["x"].tolist() == [2.0]
    with pytest.raises(UsageError, match="interval must be greater than zero"):
        model.simulate(stop_time=1.0, interval=0.0)


def test_stop_before_start() -> None:
    assert "before" in refused(start_time=2.0, stop_time=1.0)
    given = arguments_from({"source": "A.mo", "start_time": 2.0, "stop_time": 2.0})
    assert given.run == {"start_time": 2.0, "stop_time": 2.0}


def test_the_values_in_force_are_checked() -> None:
    """Wherever they come from."""
    Settings.of(Experiment(0.0, 1.0, 1e-6, 0.1)).verify()
    for bad in ((1.0, 0.0), (0.0, math.nan), (0.0, 1.0, 0.0), (0.0, 1.0, 1e-6, -1.0), (0.0, 1.0, 2.0)):
        with pytest.raises(UsageError):
            Settings.of(Experiment(*bad)).verify()


def test_other_refusals(tmp_path: object) -> None:
    assert "llvm" in refused_hint(dump="nonsense")
    assert "sparse" in refused_hint(linear_solver="quick")
    assert "nowhere" in refused(library=[f"{tmp_path}/nowhere"])
    assert "standard output" in refused(output="-", log_events=True)
    assert "standard output" in refused(output="-", dump="flat")
    assert "--output" in refused(output="")
    assert "--shade-modes" in refused(plot="a.png", plot_against="k", shade_modes=True)
    assert "--plot-against" in refused(plot_against="")


def refused_hint(**values: object) -> str:
    return str(refusal(lambda: arguments_from({"source": "A.mo", **values}))[1])


def test_the_documentation_table_has_a_line_for_every_option() -> None:
    head, rule, *lines = options_table().splitlines()
    for entry, line in zip(table(), lines, strict=True):
        assert line.startswith(f"| `{entry.flag}")
        # Bars inside cells are escaped: every line has the columns of the head.
        assert line.replace("\\|", "").count("|") == head.count("|") == rule.count("|")
