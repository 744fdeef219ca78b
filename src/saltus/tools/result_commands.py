"""The commands about results that are there already: `saltus compare`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

#: Runs a command; errors become messages and an exit status.
Guard = Callable[[Callable[[], int]], int]

#: The status of a comparison that has found a difference, as of every program that compares.
DIFFERENT = 1

_First = Annotated[str, typer.Argument(help="The result to compare with.", metavar="FIRST")]
_Second = Annotated[str, typer.Argument(help="The result to look at.", metavar="SECOND")]
_Tolerance = Annotated[
    float | None,
    typer.Option(
        "--tolerance", help="Difference that counts as none.", metavar="R", show_default="1e-3 of the size"
    ),
]
_Tube = Annotated[bool, typer.Option("--tube", help="Allow for events that are a little earlier or later.")]
_Width = Annotated[
    float | None,
    typer.Option(
        "--tube-width", help="Half width of the tube.", metavar="R", show_default="2e-3 of the time"
    ),
]
_Variables = Annotated[
    list[str] | None,
    typer.Option("--variables", help="Names to compare, '*' and '?' allowed; repeatable.", metavar="A,B"),
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


def _compare(
    first: str,
    second: str,
    tolerance: float | None,
    tube: float | bool,
    variables: list[str] | None,
    plot: str | None,
) -> int:
    from saltus.result.exchange.compare import TOLERANCE, compare

    names = [name for text in variables or () for name in text.split(",")] or None
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
