"""What the compiler has made of the model, for the page: counts, which unknown is in which equation, and the
equations in their order."""

from __future__ import annotations

from typing import Any

from saltus.ir.structure import Structure
from saltus.result.provenance import Provenance
from saltus.show.listings.counts import counts_text
from saltus.show.listings.sorted import sorted_only
from saltus.show.pictures.matrix import incidence, labels
from saltus.show.report.packing import packed

#: Equations of which the incidence is drawn, and lines of the listing.
DRAWN, LISTED = 1500, 4000


def making(provenance: Provenance) -> dict[str, Any]:
    """Everything about the structure."""
    structure = provenance.structure
    lines = sorted_only(structure)
    return {
        "counts": counts_text(provenance.flat, provenance.hybrid, structure),
        "equations": "\n".join(lines[:LISTED]),
        "left_out": max(0, len(lines) - LISTED),
        "matrix": _matrix(structure),
    }


def _matrix(structure: Structure) -> dict[str, Any] | None:
    """Rows and columns in order of evaluation, with names; none where they are too many to be seen."""
    found = incidence(structure)
    if not found.rows or len(found.rows) > DRAWN:
        return None
    equations, unknowns = labels(structure)
    return {
        "counts": packed([len(row) for row in found.rows], "u4"),
        "columns": packed([column for row in found.rows for column in row], "u4"),
        "blocks": [[b.start, b.size, b.kind] for b in found.blocks],
        "equations": equations,
        "unknowns": unknowns,
    }
