"""What a text in the Dymola language has to stand, besides ending without a traceback: nothing of it is lost,
and it means the same in whichever language it is written.

A text that is accepted is written again; all its names and numbers must be there, and what is written must
be read as the same. Its classes are written in Modelica; the flat model of those must be that of the text. A
word that a parser passes over, or that one of the two ways takes for something else, shows in one of these.
`run` also runs the model, that in Modelica, and what comes back from there as Dymola: all three are one.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

import saltus
from saltus.analyse.analysis import Analysis
from saltus.compiler import load_flat
from saltus.converting import convert
from saltus.core.diagnostics import ModelError, RunError, SaltusError
from saltus.core.source import Source
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.read.dymola.files import models
from saltus.read.dymola.text.tokens import tokens_of
from saltus.read.dymola.text.writer import dymola_text
from saltus.read.modelica.lexer import NAME, NUMBER
from saltus.result.result import Result
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


def run(text: str) -> None:
    """The same, and half a second of the model in three forms. Not all that Modelica can say has a
    counterpart in Dymola, so that the way back may be refused."""
    translate(text)
    in_modelica = convert(_FILE, "modelica")
    other = _FILE.parent / "other" / "Other.mo"
    other.parent.mkdir(exist_ok=True)
    other.write_text(in_modelica, encoding="utf-8")
    first = _ran(saltus.load(_FILE))
    _compared(first, _ran(saltus.load(in_modelica)))
    try:
        back = convert(other, "dymola")
    except ModelError:
        return
    _compared(first, _ran(saltus.load(back)))


def _ran(model: saltus.Model) -> Result | str:
    """The result, or the code of what the run ended with."""
    try:
        return model.simulate(stop_time=0.5, interval=0.01, tolerance=1e-7)
    except RunError as error:
        return error.diagnostics[0].code


def _compared(one: Result | str, other: Result | str) -> None:
    if isinstance(one, str) or isinstance(other, str):
        if not (isinstance(one, str) and isinstance(other, str) and one == other):
            raise Dishonest("one of the forms runs, another does not")
        return
    for name in one.variables:
        if name not in other.variables or len(one.time) != len(other.time):
            raise Dishonest("the forms have other variables or events")
        if not np.allclose(one[name], other[name], rtol=1e-9, atol=1e-9, equal_nan=True):
            raise Dishonest("the forms give other values")


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
