"""Damaged models are refused with a place, or mean something: they never end in a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.read.damage import damaged

from saltus.core.diagnostics import ModelError
from saltus.core.source import Source
from saltus.finding import find_class
from saltus.read.dymola.files import models
from saltus.read.dymola.text.writer import dymola_text

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "papers").glob("*.dym"))
ODD = [
    "'",
    '"',
    "(",
    ")",
    "end",
    "->",
    "new(",
    "/*",
    "{",
    "}",
    "\n",
    "=",
    "when",
    "endwhen",
    "//",
    "\\",
    "é",
    ".",
]


def judged(text: str, folder: Path) -> bool:
    """Whether a text is refused. What is told has a place; what is not refused can be written."""
    file = folder / "damaged.dym"
    file.write_text(text, encoding="utf-8")
    try:
        find_class(file)
    except ModelError as error:
        assert all(d.span is not None or d.code in ("E102", "E201", "E209") for d in error.diagnostics), str(
            error
        )
        return True
    source = Source("damaged.dym", text)
    written = dymola_text(models(source))
    assert dymola_text(models(Source("again.dym", written))) == written
    return False


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_damaged_models(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.stem)
    text = path.read_text(encoding="utf-8")
    refused = sum(judged(damaged(text, chance, ODD), tmp_path) for _ in range(40))
    assert 0 < refused < 40
