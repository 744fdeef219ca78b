"""The origin of a result: the model as it was translated, for reports about the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from saltus.core.diagnostics import Diagnostic
from saltus.core.source import Span
from saltus.ir.flat import FlatModel
from saltus.ir.hybrid import HybridModel
from saltus.ir.structure import Structure


@dataclass(frozen=True, eq=False)
class Provenance:
    """`place` is that of the class in its file, `seconds` are those of each step of the translation, and
    `warnings` those that it has given."""

    place: Span
    flat: FlatModel
    hybrid: HybridModel
    structure: Structure
    seconds: Mapping[str, float]
    warnings: tuple[Diagnostic, ...]
