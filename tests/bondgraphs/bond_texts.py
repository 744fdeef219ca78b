"""The bond graphs of `examples/bondgraphs`, translated once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import saltus

EXAMPLES = Path(__file__).parents[2] / "examples" / "bondgraphs"


@cache
def example(name: str) -> saltus.Model:
    return saltus.load(EXAMPLES / f"{name}.bg")


@cache
def run(name: str) -> saltus.Result:
    """As its experiment says."""
    return example(name).simulate()
