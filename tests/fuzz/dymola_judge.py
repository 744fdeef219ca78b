"""What a text in the Dymola language has to stand, besides ending without a traceback: nothing of it is lost,
and it means the same in whichever language it is written.

A text that is accepted is written again; all its names and numbers must be there, and what is written must
be read as the same. Its classes are written in Modelica; the flat model of those must be that of the text. A
word that a parser passes over, or that one of the two ways takes for something else, shows in one of these.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from saltus.analyse.analysis import Analysis
from saltus.compiler import load_flat
from saltus.converting import convert
from saltus.core.diagnostics import SaltusError
from saltus.core.source import Source
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.read.dymola.files import models
from saltus.read.dymola.text.tokens import tokens_of
from saltus.read.dymola.text.writer import dymola_text
from saltus.read.modelica.lexer import NAME, NUMBER
from saltus.show.listings.flat import flat_text

_FOLDER = tempfile.TemporaryDirectory()
_FILE = Path(_FOLDER.name) / "Damaged.dym"


class Dishonest(Exception):
    """A text is accepted, and something of it was lost or changed."""


def translate(text: str) -> None:
    """All of a text, as `saltus check` and `saltus convert` do it."""
    _FILE.write_text(text, encoding="utf-8", newline="")
    flat = load_flat(_FILE)
    source = Source("", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    written = dymola_text(models(source))
    again = Source("", written)
    lost = _said(source) - _said(again)
    if lost:
        raise Dishonest(f"lost: {', '.join(lost)[:60]}")
    if dymola_text(models(again)) != written:
        raise Dishonest("what is written is not read as the same")
    listing = flat_text(flat)
    try:
        other = flat_text(load_flat(convert(_FILE, "modelica")))
    except SaltusError as error:
        raise Dishonest(f"refused as Modelica: {error.diagnostics[0].message[:60]}") from None
    if other != listing:
        raise Dishonest("means something else in Modelica")
    Analysis(to_hybrid(flat)).structure.verify()


def _said(source: Source) -> Counter[str]:
    """Names and numbers, but for the name behind an `end`. A submodel that is named like its class is written
    with one name."""
    tokens, _ = tokens_of(source)
    found: Counter[str] = Counter()
    for k, (kind, text) in enumerate(zip(tokens.kinds, tokens.texts, strict=True)):
        if kind == NUMBER:
            found[str(float(text))] += 1
        elif kind == NAME and tokens.kinds[k - 1] != "end":
            short = tokens.kinds[k - 1 : k + 1] == ["submodel", NAME]
            found[text.strip("'")] += 2 if short else 1
    return found
