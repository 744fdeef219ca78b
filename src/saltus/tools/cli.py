"""The command line: the commands and their options are made from the table in `saltus.options`.

What those about a model do is in `model_commands`, what those around the library do in `library_commands`,
what those about results do in `result_commands`, and how each of them ends in `ending`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand

from saltus.analyse.passes import PASSES
from saltus.core.option import Option
from saltus.options import Arguments, arguments_from, options_of
from saltus.run.schedule.quantities import QuantityError, quantity
from saltus.run.schedule.settings import Settings
from saltus.tools import library_commands, result_commands
from saltus.tools.ending import guarded
from saltus.tools.export_command import export
from saltus.tools.linear_commands import linearise, steady
from saltus.tools.model_commands import check, describe, draw, explain, flat, simulate
from saltus.tools.realtime_command import realtime
from saltus.tools.report_command import report

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


# ---------------------------------------------------------------- options of other commands

#: What typer raises for a command line that is not understood.
_NotUnderstood: Any = typer.BadParameter.__base__


class _Command(TyperCommand):
    """A command that says which other one has an option that it lacks."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As ever, but for that."""
        try:
            return super().parse_args(ctx, args)
        except _NotUnderstood as error:
            others = _commands_with(getattr(error, "option_name", ""), ctx.parent.command.commands)
            if others:
                error.message += f"; {others} it"
                error.possibilities = None
            raise


def _commands_with(flag: str, commands: Mapping[str, TyperCommand]) -> str:
    """The commands with an option and what they do: as the beginning of a sentence."""
    names = [f"`saltus {name}`" for name, command in commands.items() if flag and _has(command, flag)]
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and others have"
    return " and ".join(names) + (" has" if len(names) == 1 else " have") if names else ""


def _has(command: TyperCommand, flag: str) -> bool:
    return any(flag in parameter.opts for parameter in command.params)


# ---------------------------------------------------------------- from the table to typer


def _annotation(entry: Option) -> Any:
    flag = entry.type is bool
    kind: Any = entry.type
    if entry.repeatable:
        kind = list[entry.type]  # type: ignore[name-defined]  # a type made at run time
    elif not flag:
        kind = entry.type | None
    without = False if flag else entry.without
    reader = partial(_counted, entry) if entry.unit else None
    flags = (entry.flag, f"-{entry.short}") if entry.short else (entry.flag,)
    option = typer.Option(
        *flags, help=entry.help, metavar=entry.metavar, show_default=without, parser=reader
    )
    return Annotated[kind, option]


def _counted(entry: Option, text: str) -> float:
    """A number that may have a unit."""
    try:
        return quantity(text).counted_in(entry.unit)
    except QuantityError as error:
        raise typer.BadParameter(str(error)) from None


def _not_given(entry: Option) -> Any:
    """The value that stands for an option which is not there. The default of the table comes later: the
    experiment annotation of the model may know better."""
    return [] if entry.repeatable else False if entry.type is bool else None


_SOURCE = Annotated[
    str,
    typer.Argument(
        help="File to read, or a class along --library and MODELICAPATH.", metavar="FILE.mo|CLASS"
    ),
]


_WORD = Annotated[
    str | None,
    typer.Argument(help="A word from names and descriptions, or a full name.", metavar="[WORD]"),
]


_LANGUAGE = Annotated[str, typer.Argument(help="The language to export to: c.", metavar="c")]

#: Arguments besides the model: those before it, and those after.
_FIRST: dict[str, dict[str, Any]] = {"export": {"language": _LANGUAGE}}
_THEN: dict[str, dict[str, Any]] = {"describe": {"word": _WORD}}


def register(
    app: typer.Typer, name: str, work: Callable[[Arguments], int], settings: type[Settings] = Settings
) -> None:
    """Adds a command that takes the options which name it in the tables."""

    def command(**values: Any) -> None:
        raise typer.Exit(guarded(lambda: work(arguments_from(values, settings))))

    entries = options_of(name, settings)
    first, words = _FIRST.get(name, {}), _THEN.get(name, {})
    given = {entry.name: _annotation(entry) for entry in entries}
    annotations = {**first, "source": _SOURCE, **words, **given}
    defaults = {**dict.fromkeys(words), **{entry.name: _not_given(entry) for entry in entries}}
    keyword = inspect.Parameter.KEYWORD_ONLY
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # typer reads it
        [
            inspect.Parameter(p, keyword, default=defaults.get(p, inspect.Parameter.empty), annotation=a)
            for p, a in annotations.items()
        ]
    )
    command.__annotations__ = annotations
    command.__doc__ = work.__doc__
    app.command(name, cls=_Command)(command)


for _name, _work in (
    ("simulate", simulate),
    ("report", report),
    ("check", check),
    ("flat", flat),
    ("explain", explain),
    ("describe", describe),
    ("steady", steady),
    ("linearise", linearise),
    ("realtime", realtime),
    ("export", export),
    ("draw", draw),
):
    register(app, _name, _work)
for commands in (library_commands, result_commands):
    commands.add_commands(app, guarded)


@app.callback(invoke_without_command=True)
def _options(
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    list_passes: Annotated[
        bool, typer.Option("--list-passes", help="List the passes that rewrite a model.")
    ] = False,
) -> None:
    if show_version:
        from importlib.metadata import version

        print(f"saltus {version('saltus')}")
        raise typer.Exit(0)
    if list_passes:
        width = max(map(len, PASSES))
        for name, job in PASSES.items():
            print(f"{name:<{width}}  {job}")
        raise typer.Exit(0)


if __name__ == "__main__":
    main()
