"""The examples in the Dymola language, by name."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "papers"
ALL = sorted(EXAMPLES.glob("*.dym"))


def example(name: str) -> Path:
    """The file of an example."""
    return EXAMPLES / f"{name}.dym"
