"""The models that are shipped and can be simulated: examples, those of the library, and the gallery."""

from __future__ import annotations

import re
from pathlib import Path

from saltus.finding import SHIPPED

EXAMPLES = Path(__file__).parents[2] / "examples"


def shipped_models() -> list[str]:
    """Paths of the examples, then full names of the models of the library that say how long they run."""
    top = SHIPPED / "Saltus" / "Examples"
    files = [p for p in top.rglob("*.mo") if re.search(r"\bexperiment\s*\(", p.read_text(encoding="utf-8"))]
    names = sorted(".".join(p.relative_to(SHIPPED).with_suffix("").parts) for p in files)
    return [*map(str, sorted(EXAMPLES.glob("*.mo"))), *names]
