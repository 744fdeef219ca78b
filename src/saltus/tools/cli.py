"""The command line: the commands and their options are made from the table in `saltus.options`.

What those about a model do is in `model_commands`, what those around the library do in `library_commands`,
and how each of them ends in `ending`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any, NoReturn

import typer

from saltus.analyse.passes import PASSES
from saltus.options import Option, Settings, options_of, settings_from
from saltus.tools.ending import guarded
from saltus.tools.library_commands import add_commands
from saltus.tools.model_commands import check, draw, explain, flat, simulate

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
        raise typer.Exit(guarded(lambda: work(settings_from(values))))

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
    ("simulate", simulate),
    ("check", check),
    ("flat", flat),
    ("explain", explain),
    ("draw", draw),
):
    _register(_name, _work)
add_commands(app, guarded)


@app.callback(invoke_without_command=True)
def _options(
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    list_passes: Annotated[
        bool, typer.Option("--list-passes", help="List the passes that rewrite a model.")
    ] = False,
) -> None:
    if show_version:
        print(f"saltus {version('saltus')}")
        raise typer.Exit(0)
    if list_passes:
        width = max(map(len, PASSES))
        for name, job in PASSES.items():
            print(f"{name:<{width}}  {job}")
        raise typer.Exit(0)


if __name__ == "__main__":
    main()
