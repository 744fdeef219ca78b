"""The list of all parts in docs/library.md, made from the library.

Usage: `python tools/library_page.py` writes it anew; a test compares it with the library.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from saltus.catalogue import LIBRARY, components
from saltus.ir.catalogue import Part

PAGE = Path(__file__).parents[1] / "docs" / "library.md"
HEADING = "## All parts\n"


def listing() -> str:
    """A table for each package."""
    parts = components()
    assert isinstance(parts, list)
    found: list[str] = [f"{len(parts)} parts in {LIBRARY}."]
    for package, group in groupby(sorted(parts, key=_package), key=_package):
        found += ["", f"### {package}", "", "| part | what it is |", "| --- | --- |", *map(_row, group)]
    return "\n".join(found) + "\n"


def _package(part: Part) -> str:
    return part.package


def _row(part: Part) -> str:
    return f"| `{part.short}` | {part.description} |".replace("*", r"\*")


def page(text: str) -> str:
    """The page with the list of today."""
    head, _, _ = text.partition(HEADING)
    return f"{head}{HEADING}\n{listing()}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
