"""The page: one file of HTML that needs nothing else, no network either."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.result.result import Result
from saltus.show.report.curves import curves
from saltus.show.report.happenings import events, modes
from saltus.show.report.library import plotting_library
from saltus.show.report.making import making
from saltus.show.report.packing import script_json
from saltus.show.report.run import counts, parameters, problems, seconds
from saltus.show.report.texts import Texts

#: The scripts of the page, each a job; in this order they are one program.
SCRIPTS = (
    "data", "view", "plots", "choice", "timeline", "events", "texts", "tables", "matrix", "keys", "memory",
    "begin",
)  # fmt: skip

_BLANK = re.compile(r"\{\{(\w+)\}\}")


def write_report(
    result: Result,
    path: str | Path,
    names: Sequence[str] | None = None,
    failure: Sequence[Diagnostic] = (),
) -> None:
    """Writes the report of a run. `names` are the variables that are drawn at first, `failure` says why the
    run has not come to its end."""
    text = report_html(result, names, failure)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(Diagnostic("E503", f"{path}: {error.strerror or error}")) from error


def report_html(
    result: Result, names: Sequence[str] | None = None, failure: Sequence[Diagnostic] = ()
) -> str:
    """The report of a run as text."""
    library = plotting_library()
    return _filled(
        _file("report.html"),
        title=escape(result.model),
        style=library.style + _file("report.css"),
        data=script_json(report_data(result, names, failure)),
        library=library.script,
        script="\n".join(_file(f"{name}.js") for name in SCRIPTS),
    )


def waiting_html(title: str) -> str:
    """What is shown before there is a report."""
    return _filled(_file("waiting.html"), title=escape(title), style=_file("report.css"))


def watched_html(page: str, version: int) -> str:
    """A page that listens to changes; it is loaded anew when there is another version."""
    script = _filled(_file("watch.js"), version=str(version))
    return page.replace("</body>", f"<script>\n(() => {{\n{script}}})();\n</script>\n</body>")


def report_data(
    result: Result, names: Sequence[str] | None = None, failure: Sequence[Diagnostic] = ()
) -> dict[str, Any]:
    """What the page shows."""
    texts, provenance = Texts(), result.provenance
    place = None if provenance is None else texts.want(provenance.place)
    warnings = [*(() if provenance is None else provenance.warnings), *result.warnings]
    time = result.time
    return {
        "model": result.model,
        "about": "" if provenance is None else provenance.flat.description,
        "version": version("saltus"),
        "interrupted": result.interrupted,
        "span": [float(time[0]), float(time[-1])] if len(time) else [0.0, 0.0],
        "place": place,
        "curves": curves(result, names),
        "events": events(result, texts),
        "modes": modes(result, texts),
        "parameters": parameters(result, texts),
        "making": None if provenance is None else making(provenance),
        "seconds": seconds(result, provenance),
        "counts": counts(result),
        "problems": problems([*failure, *dict.fromkeys(warnings)], texts),
        "texts": texts.told(),
    }


def _file(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def _filled(template: str, **texts: str) -> str:
    """A template with texts in the place of its names; what looks like one in the texts is left alone."""
    return _BLANK.sub(lambda blank: texts[blank[1]], template)
