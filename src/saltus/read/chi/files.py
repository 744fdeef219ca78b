"""Processes from disk, and what lowering asks of a reader."""

from __future__ import annotations

import re
from pathlib import Path

from saltus.core.diagnostics import model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.read.chi.lowering import classes
from saltus.read.chi.parsing.parser import parse
from saltus.read.chi.pieces import modifier

SUFFIX = ".chi"
#: How a run is asked for, in a comment: `// experiment stop = 30, tolerance = 1e-8`.
EXPERIMENT = {"start": "StartTime", "stop": "StopTime", "tolerance": "Tolerance", "interval": "Interval"}
_EXPERIMENT = re.compile(r"//[ \t]*experiment[ \t]+(?=[^\n]*=)[^\n]*")
_HEADING = re.compile(r"\b(?:proc|syst|xper)\s+([A-Za-z_]\w*)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SETTING = re.compile(r"([A-Za-z_]\w*)\s*=\s*([^,\n]*)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def read_file(path: Path) -> tuple[Source, ast.StoredDefinition]:
    """The text of a file, and the classes of its processes."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise model_error("E102", f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8"
        raise model_error("E102", f"{path} is not UTF-8 text (byte {error.start})", hint=hint) from None
    return read_text(text, str(path))


def headings(text: str) -> list[str]:
    """The processes and systems that a text defines, without reading more of it than their headings."""
    return _HEADING.findall(_COMMENT.sub(" ", text))


def read_text(text: str, name: str) -> tuple[Source, ast.StoredDefinition]:
    """The classes of the processes of a text; `name` stands for the file in messages."""
    source = Source(name, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    asked = _EXPERIMENT.search(source.text)
    try:
        found = classes(parse(source), source, None if asked is None else asked.span())
    except RecursionError:
        hint = "give parts of long expressions names, and parts of processes processes of their own"
        raise model_error("E101", "nested too deeply", Span(source, 0, 0), hint=hint) from None
    return source, ast.StoredDefinition(0, len(source.text), None, found)


def annotation(source: Source, offsets: ast.Offsets) -> ast.Modification:
    """How the processes of a text are run, from the comment that says so."""
    start, end = offsets
    node = ast.Node(start, end)
    given = []
    for match in _SETTING.finditer(source.text, start + len("//"), end):
        name, value = match[1], match[2].strip()
        if name == "experiment":
            continue
        if name not in EXPERIMENT:
            span = Span(source, match.start(1), match.end(1))
            hint = f"an experiment has {', '.join(EXPERIMENT)}"
            raise model_error("E207", f"an experiment has no `{name}`", span, hint=hint)
        if _NUMBER.fullmatch(value) is None:
            span = Span(source, match.start(2), max(match.end(2), match.start(2) + 1))
            raise model_error("E207", f"`{value}` is no number", span, hint="write `stop = 10`")
        number = ast.Number(match.start(2), match.end(2), float(value))
        given.append(modifier(node, EXPERIMENT[name], number))
    return ast.Modification(start, end, (modifier(node, "experiment", None, tuple(given)),))
