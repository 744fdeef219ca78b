"""The commands around the library: `saltus components`, `gallery` and `new`; `convert`, from one language to
another; and `lsp`, for editors.

They are declared here, and not in the table of options, since they translate nothing that the user names.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from saltus.core.render import render

#: Runs a command; errors become messages and an exit status.
Guard = Callable[[Callable[[], int]], int]

_Word = Annotated[str | None, typer.Argument(help="A word, or the name of a part.", metavar="[WORD]")]
_Library = Annotated[
    list[str] | None,
    typer.Option("--library", help="Folder in which packages are found; repeatable.", metavar="DIR"),
]
_Package = Annotated[str, typer.Option("--package", help="The library to search.", metavar="NAME")]
_Name = Annotated[str | None, typer.Argument(help="A model of the gallery, or a part of its name.")]
_Plot = Annotated[
    str | None,
    typer.Option("--plot", help="File for the plot; NAME.png by default.", metavar="FILE|show"),
]
_Output = Annotated[
    str | None, typer.Option("--output", help="Write the trajectories as CSV.", metavar="OUT.csv")
]
_Whole = Annotated[bool, typer.Option("--all", help="Show the whole log and all modes.")]
_Text = Annotated[bool, typer.Option("--text", help="Print the model; do not run it.")]
_File = Annotated[str, typer.Argument(help="File to write.", metavar="FILE.mo")]
_Source = Annotated[str, typer.Argument(help="File to convert.", metavar="FILE")]
_To = Annotated[
    str,
    typer.Option(
        "--to", help="modelica or dymola; of automata also flat, equations, net, split.", metavar="LANGUAGE"
    ),
]
_Written = Annotated[
    str | None,
    typer.Option("--output", help="Write the text to this file instead of printing it.", metavar="FILE"),
]
_Kind = Annotated[
    str | None,
    typer.Option("--kind", help="What to start with: circuit, drive or heating.", metavar="KIND"),
]


def add_commands(app: typer.Typer, guarded: Guard) -> None:
    """Adds them to the program."""

    @app.command("components")
    def _components_command(
        word: _Word = None, library: _Library = None, package: _Package = "Saltus"
    ) -> None:
        """Search the library, or describe one of its parts. Without a word all parts are listed; with one,
        those that have it in name or description. The name of a part shows its parameters, connectors,
        equations and examples.
        """
        raise typer.Exit(guarded(lambda: _components(word, package, library or [])))

    @app.command("gallery")
    def _gallery_command(
        name: _Name = None,
        plot: _Plot = None,
        output: _Output = None,
        whole: _Whole = False,
        text: _Text = False,
    ) -> None:
        """List the models of the papers, or run one of them.

        Shown are the plot, the log, the modes, and what the paper says at the place it stands for.
        """
        raise typer.Exit(guarded(lambda: _gallery(name, plot, output, whole, text)))

    @app.command("lsp")
    def _lsp_command(library: _Library = None) -> None:
        """Serve an editor by the Language Server Protocol.

        It is spoken on standard input and output. Editors start it; docs/editor.md has their settings.
        """
        raise typer.Exit(guarded(lambda: _lsp(library or [])))

    @app.command("new")
    def _new_command(file: _File, kind: _Kind = None) -> None:
        """Write a commented model to begin with."""
        raise typer.Exit(guarded(lambda: _new(file, kind)))

    @app.command("convert")
    def _convert_command(file: _Source, to: _To, output: _Written = None, library: _Library = None) -> None:
        """Write the models of a file in another language.

        Bond graphs (.bg) and models in Dymola (.dym) become Modelica, with their names, comments and
        connections; the part of Modelica that fits becomes Dymola.
        """
        raise typer.Exit(guarded(lambda: _convert(file, to, output, library or [])))


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 110


def _components(word: str | None, package: str, folders: list[str]) -> int:
    from saltus.catalogue import components
    from saltus.ir.catalogue import PartDescription
    from saltus.show.listings.catalogue import description_text, parts_text

    found = components(word, package, folders)
    if isinstance(found, PartDescription):
        print(description_text(found, _width()))
    else:
        print(parts_text(found))
    return 0


def _gallery(name: str | None, plot: str | None, output: str | None, whole: bool, text: bool) -> int:
    from saltus.catalogue import exhibit, gallery
    from saltus.show.listings.catalogue import exhibit_text, gallery_text

    if name is None:
        print(gallery_text(gallery()))
        return 0
    from saltus.show.plots.plot import check_display, check_format
    from saltus.tools.gallery_tour import Tour

    shown = exhibit(name)
    if text:
        print(shown.text)
        return 0
    path = plot or f"{shown.short.split('.')[-1]}.png"
    check_display() if path == "show" else check_format(path)
    print(exhibit_text(shown, _width()), flush=True)
    tour = Tour.of(shown)
    most = {} if not whole else {"most": None}
    for heading, lines in (("Modes", tour.modes(**most)), ("Events", tour.log(**most))):
        if lines and (heading == "Events" or shown.modes):
            print(f"\n{heading}", *lines, sep="\n")
    tour.plot(path)
    if path != "show":
        print(f"\nplot of {', '.join(shown.plot)}: {path}")
    if output is not None:
        tour.result.to_csv(output)
    if tour.failure is not None:
        print(render(tour.failure.diagnostics), file=sys.stderr)
        return tour.failure.exit_status
    return 0


def _lsp(folders: list[str]) -> int:
    from saltus.tools.editor_command import lsp

    return lsp(folders)


def _convert(file: str, to: str, output: str | None, folders: list[str]) -> int:
    from saltus.converting import convert
    from saltus.tools.outputs import check_writable

    text = convert(Path(file), to, folders)
    if output is None:
        print(text, end="")
        return 0
    check_writable(Path(output))
    Path(output).write_text(text, encoding="utf-8")
    print(f"{output} has the models of {file}")
    return 0


def _new(file: str, kind: str | None) -> int:
    from saltus.tools.starting_model import write_starter

    name, kind, part = write_starter(file, kind)
    picture = Path(file).with_suffix(".png").name
    print(f"{file} has the model {name}: a {kind} to begin with. Next:")
    print(f"  saltus simulate {file} --plot {picture}")
    for word, told in (("", "the parts that can be connected"), (part, "all about one of them")):
        print(f"  {f'saltus components {word}':<32}{told}")
    return 0
