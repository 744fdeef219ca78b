"""The commands about results that are there already: `saltus compare`, `saltus plot`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from saltus.tools.outputs import split_names

#: Runs a command; errors become messages and an exit status.
Guard = Callable[[Callable[[], int]], int]

#: The status of a comparison that has found a difference, as of every program that compares.
DIFFERENT = 1

_First = Annotated[str, typer.Argument(help="The result to compare with.", metavar="FIRST")]
_Second = Annotated[str, typer.Argument(help="The result to look at.", metavar="SECOND")]
_Tolerance = Annotated[
    float | None,
    typer.Option(
        "--tolerance", help="Difference that counts as equal.", metavar="R", show_default="1e-3 of the size"
    ),
]
_Tube = Annotated[bool, typer.Option("--tube", help="Allow for events that are slightly earlier or later.")]
_Width = Annotated[
    float | None,
    typer.Option(
        "--tube-width", help="Half width of the tube.", metavar="R", show_default="2e-3 of the time"
    ),
]
_Variables = Annotated[
    list[str] | None,
    typer.Option("--variables", help="Variables to compare; '*' and '?' allowed; repeatable.", metavar="A,B"),
]
_Files = Annotated[list[str], typer.Argument(help="Results to draw.", metavar="FILE...")]
_Drawn = Annotated[
    list[str] | None,
    typer.Option("--variables", help="Variables to draw; '*' and '?' allowed; repeatable.", metavar="A,B"),
]
_Against = Annotated[
    str, typer.Option("--against", help="Draw over time, or over a variable.", metavar="time|NAME")
]
_Differences = Annotated[bool, typer.Option("--differences", help="Draw each result minus the first one.")]
_Raw = Annotated[bool, typer.Option("--si", help="Draw values as computed, not in display units.")]
_Target = Annotated[
    str, typer.Option("--output", help="Write the figure to this file, or show it.", metavar="FILE|show")
]
_Plot = Annotated[
    str | None, typer.Option("--plot", help="Draw the worst variables of both.", metavar="FILE|show")
]


def add_commands(app: typer.Typer, guarded: Guard) -> None:
    """Adds them to the program."""

    @app.command("compare")
    def _compare_command(
        first: _First,
        second: _Second,
        tolerance: _Tolerance = None,
        tube: _Tube = False,
        width: _Width = None,
        variables: _Variables = None,
        plot: _Plot = None,
    ) -> None:
        """Compare two results, files in any of the formats.

        Differences are measured in sizes of each variable: half of the range that it goes through in the
        first result. The status is 0 if all agree, and 1 if not.
        """
        raise typer.Exit(
            guarded(
                lambda: _compare(
                    first, second, tolerance, width if width is not None else tube, variables, plot
                )
            )
        )

    @app.command("plot")
    def _plot_command(
        files: _Files,
        variables: _Drawn = None,
        against: _Against = "time",
        differences: _Differences = False,
        raw: _Raw = False,
        target: _Target = "show",
    ) -> None:
        """Draw results, files in any of the formats, over one another.

        Without names the variables that vary are drawn, up to eight of them.
        """
        raise typer.Exit(guarded(lambda: _plot(files, variables, against, differences, raw, target)))


def _plot(
    files: list[str],
    variables: list[str] | None,
    against: str,
    differences: bool,
    raw: bool,
    target: str,
) -> int:
    from saltus.show.plots.plot import plot

    plot(
        files if len(files) > 1 else files[0],
        [name for text in variables or () for name in split_names(text)] or None,
        against=against,
        differences=differences,
        display_units=not raw,
        path=None if target == "show" else target,
        show=target == "show",
    )
    return 0


def _compare(
    first: str,
    second: str,
    tolerance: float | None,
    tube: float | bool,
    variables: list[str] | None,
    plot: str | None,
) -> int:
    from saltus.result.exchange.compare import TOLERANCE, compare

    names = [name for text in variables or () for name in split_names(text)] or None
    if plot is not None:
        from saltus.show.plots.plot import check_display, check_format

        check_display() if plot == "show" else check_format(plot)
    found = compare(
        Path(first),
        Path(second),
        tolerance=TOLERANCE if tolerance is None else tolerance,
        tube=tube,
        names=names,
    )
    print(found.text())
    if plot is not None:
        from saltus.show.plots.compared import plot_comparison

        plot_comparison(found, path=None if plot == "show" else plot, show=plot == "show")
    return 0 if found.same else DIFFERENT
