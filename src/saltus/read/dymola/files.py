"""Models of Dymola from disk, and what lowering asks of a reader."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from saltus.core.diagnostics import model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.dymola import Interface, Model
from saltus.read.dymola.lowering import classes
from saltus.read.dymola.scope import Known, Text, nothing_known
from saltus.read.dymola.text.parser import parse, too_deep
from saltus.read.dymola.types import types_of
from saltus.read.modelica.lexer import NUMBER, tokenise

SUFFIX = ".dym"
#: How a run is asked for, in a comment: `{experiment stop = 0.06, tolerance = 1e-8}`.
EXPERIMENT = {"start": "StartTime", "stop": "StopTime", "tolerance": "Tolerance", "interval": "Interval"}
_MODEL = re.compile(
    r"^[ \t]*model\b(?:\s+class\b|\s+type\b)?\s*(?:\([^()\n]*\))?\s*([A-Za-z_]\w*)", re.MULTILINE
)
_SETTING = re.compile(r"([A-Za-z_]\w*)\s*=\s*([^,}]*)")


def source_of(path: Path) -> Source:
    """The text of a file. E102 if it cannot be read or is not UTF-8."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise model_error("E102", f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8"
        raise model_error("E102", f"{path} is not UTF-8 text (byte {error.start})", hint=hint) from None
    return Source(str(path), _lines(text))


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_file(path: Path, known: Known = nothing_known) -> tuple[Source, ast.StoredDefinition]:
    """The text of a file, and the classes of its models."""
    source = source_of(path)
    return source, _stored(source, known)


def read_text(text: str, name: str, known: Known = nothing_known) -> tuple[Source, ast.StoredDefinition]:
    """The classes of the models of a text; `name` stands for the file in messages."""
    source = Source(name, _lines(text))
    return source, _stored(source, known)


def _stored(source: Source, known: Known) -> ast.StoredDefinition:
    try:
        return ast.StoredDefinition(0, len(source.text), None, classes(Text(source, models(source), known)))
    except RecursionError:
        raise too_deep(source) from None


@lru_cache(maxsize=64)
def models(source: Source) -> tuple[Model, ...]:
    """The models of a text."""
    return parse(source)


def model_names(path: Path) -> list[str]:
    """The models that a file defines, without reading more of it than their heads."""
    try:
        text = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return []
    return _MODEL.findall(re.sub(r"\{[^{}]*\}", " ", text))


def interface(source: Source, name: str, known: Known) -> Interface | None:
    """What is seen of a model of a text."""
    text = Text(source, models(source), known)
    if text.model(name) is None:
        return None
    text.types = types_of(text)
    text.forget()
    return text.interface(name)


def annotation(source: Source, offsets: ast.Offsets) -> ast.Modification:
    """What a class says in its annotation: how a model is run, in the comment that says so, or that a
    connector is a cut."""
    start, end = offsets
    if source.text[start] != "{":
        return _entry(offsets, "__Saltus", _modifier(offsets, "Cut", ast.Boolean(start, end, True)))
    given = []
    for match in _SETTING.finditer(source.text, start, end):
        name, value = match[1], match[2].strip()
        if name not in EXPERIMENT:
            span = Span(source, match.start(1), match.end(1))
            hint = f"an experiment has {', '.join(EXPERIMENT)}"
            raise model_error("E207", f"an experiment has no `{name}`", span, hint=hint)
        given.append(_modifier(offsets, EXPERIMENT[name], _number(source, value, match.start(2))))
    return _entry(offsets, "experiment", *given)


def _number(source: Source, value: str, at: int) -> ast.Number:
    tokens = tokenise(Source(source.path, value)) if re.fullmatch(r"[\d.eE+-]+", value) else None
    if tokens is None or tokens.kinds[0] != NUMBER or len(tokens.kinds) != 2:
        span = Span(source, at, at + max(1, len(value)))
        raise model_error("E207", f"`{value}` is no number", span, hint="write `stop = 10`")
    return ast.Number(at, at + len(value), float(value))


def _modifier(offsets: ast.Offsets, name: str, value: ast.Expression) -> ast.ElementModification:
    return ast.ElementModification(*offsets, (name,), ast.Modification(*offsets, None, value))


def _entry(offsets: ast.Offsets, name: str, *inside: ast.ElementModification) -> ast.Modification:
    entry = ast.ElementModification(*offsets, (name,), ast.Modification(*offsets, inside))
    return ast.Modification(*offsets, (entry,))
