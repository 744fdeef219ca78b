"""Damaged graphs are refused with a place, or mean something: they never end in a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.read.damage import damaged

from saltus.bonds import causality_of
from saltus.core.diagnostics import ModelError
from saltus.core.source import Source
from saltus.read.bondgraph.files import classes, graphs
from saltus.read.bondgraph.parser import parse
from saltus.read.bondgraph.writer import graph_text

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "bondgraphs").glob("*.bg"))
ODD = ["'", '"', "(", ")", "end", "->", "pre(", "/*", "#", "\n", "=", "integral(", "\\", "é", "'x y'"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_damaged_graphs(path: Path) -> None:
    chance = random.Random(path.stem)
    text = path.read_text(encoding="utf-8")
    refused = 0
    for _ in range(60):
        source = Source("damaged.bg", damaged(text, chance, ODD))
        try:
            classes(source)
        except ModelError as error:
            refused += 1
            assert all(d.span is not None and d.span.source is source for d in error.diagnostics), str(error)
            continue
        for graph in graphs(source):
            assert len(parse(Source("again.bg", graph_text(graph)))) == 1
            causality_of(graph, all_modes=True)
    assert 0 < refused < 60
