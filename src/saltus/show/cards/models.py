"""A model as a notebook shows it: what it consists of, its drawing, its own parameters, warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from saltus.core.message import Diagnostic
from saltus.core.wording import number
from saltus.ir.declared import Declarations, value_text
from saltus.show.cards.card import card, folded, line, table
from saltus.show.cards.told import box

#: Parameters that are listed.
LISTED = 24

#: Of what is counted, where an "s" is not all of the plural.
_SINGULAR = {"aliases": "alias"}


def model_card(
    name: str,
    description: str,
    counts: Mapping[str, int],
    drawing: str,
    parameters: Declarations,
    warnings: Sequence[Diagnostic],
) -> str:
    """`counts` are those of `Model.check`, `drawing` is SVG, or empty."""
    return card(f"Model {name}", description, _parts(counts, drawing, parameters, warnings))


def _parts(
    counts: Mapping[str, int], drawing: str, parameters: Declarations, warnings: Sequence[Diagnostic]
) -> Iterator[str]:
    yield line(", ".join(number(n, _SINGULAR.get(what, what[:-1])) for what, n in counts.items() if n))
    yield box(warnings)
    if drawing:
        yield folded("drawing", f'<div class="saltus-drawing">{drawing}</div>', is_open=True)
    rows = sorted(parameters.values(), key=lambda row: row.name.count("."))
    if rows:
        cells = [(r.name, value_text(r.value), r.unit, r.description) for r in rows[:LISTED]]
        shown = table(("name", "value", "unit", "description"), cells, len(rows) - LISTED)
        yield folded(number(len(rows), "parameter"), shown, is_open=not drawing)
