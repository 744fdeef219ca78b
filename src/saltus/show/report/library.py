"""The plotting library of the page, uPlot, as the package `uplot-python` ships it. It is not imported: only
its files are read, so that nothing of what it needs for its own purposes is loaded."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from saltus.core.option import usage_error

PACKAGE = "uplot-python"

_SCRIPT, _STYLE = "uplot/static/uPlot.iife.js", "uplot/static/uPlot.min.css"


class Library(NamedTuple):
    """What is put into the page."""

    script: str
    style: str


def plotting_library() -> Library:
    """The library, from where it is installed."""
    try:
        found = distribution(PACKAGE)
        files = [Path(str(found.locate_file(name))) for name in (_SCRIPT, _STYLE)]
        script, style = (file.read_text(encoding="utf-8") for file in files)
    except (PackageNotFoundError, OSError):
        raise usage_error(
            "a report needs the plotting library of the package `uplot-python`",
            hint="pip install saltus[report]",
        ) from None
    return Library(script, style)
