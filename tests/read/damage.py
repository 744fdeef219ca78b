"""Damaged texts, and mistakes in whole ones: what all languages are tested with."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import saltus
from saltus.core.diagnostics import ModelError

WORDS = re.compile(r"\w+|[^\w\s]|\s+")


def damaged(text: str, chance: random.Random, odd: Sequence[str]) -> str:
    """A few words left out, doubled, exchanged or replaced, by `odd` ones too."""
    for _ in range(chance.randint(1, 4)):
        words = WORDS.findall(text)
        at, other, what = chance.randrange(len(words)), chance.randrange(len(words)), chance.random()
        if what < 0.35:
            del words[at]
        elif what < 0.8:
            words[at] = chance.choice([*odd, words[at] + " " + words[other], words[other]])
        else:
            words[at], words[other] = words[other], words[at]
        text = "".join(words)
    return text


def assert_told(file: Path, text: str, code: str, place: str, words: str) -> None:
    """A mistake is told with its code, at its place in the text, in these words."""
    file.write_text(text + "\n")
    with pytest.raises(ModelError) as caught:
        saltus.load(file)
    first = caught.value.diagnostics[0]
    said = " ".join([first.message, *(n.message for n in first.notes), first.hint or ""])
    assert first.code == code, said
    assert first.span is not None
    assert first.span.text == place, (first.span.text, said)
    assert words in said
