"""How the model was run, for the page: parameters, seconds, what the solver has done, warnings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from saltus.core.diagnostics import Diagnostic
from saltus.core.render import render_one
from saltus.result.provenance import Provenance
from saltus.result.result import Result
from saltus.show.report.packing import plain
from saltus.show.report.texts import Texts

#: Parameters that are listed.
LISTED = 3000


def parameters(result: Result, texts: Texts) -> dict[str, Any]:
    """The parameters with the values that they had."""
    known = [v for v in result.structure.model.parameters if v.name in result.parameters]
    return {
        "list": [
            [v.name, _written(result.parameters[v.name]), v.unit, v.description, texts.place(v.span)]
            for v in known[:LISTED]
        ],
        "left_out": max(0, len(known) - LISTED),
    }


def _written(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else plain(value)


def seconds(result: Result, provenance: Provenance | None) -> list[list[Any]]:
    """Where the time went."""
    found = [] if provenance is None else [[step, plain(s)] for step, s in provenance.seconds.items()]
    return [*found, ["run", plain(float(result.statistics.get("seconds", 0.0)))]]


def counts(result: Result) -> list[list[Any]]:
    """What the solver has counted."""
    return [
        [name.replace("_", " "), plain(value)]
        for name, value in result.statistics.items()
        if name != "seconds"
    ]


def problems(diagnostics: Iterable[Diagnostic], texts: Texts) -> list[dict[str, Any]]:
    """Warnings and errors as the command prints them, with their places."""
    return [
        {"severity": d.severity.value, "text": render_one(d), "place": texts.place(d.span)}
        for d in diagnostics
    ]
