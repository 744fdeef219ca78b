"""Bond graphs from disk, and what lowering asks of a reader."""

from __future__ import annotations

from pathlib import Path

from saltus.core.source import Source
from saltus.ir import ast
from saltus.ir.bonds.graph import Graph
from saltus.read.bondgraph.checks import check
from saltus.read.bondgraph.lowering import to_class
from saltus.read.bondgraph.parser import parse
from saltus.read.lines.stored import checked, experiments, stored
from saltus.read.lines.texts import source_from, source_of

SUFFIX = ".bg"


def read_file(path: Path) -> tuple[Source, ast.StoredDefinition]:
    """The text of a file, and the classes of its graphs."""
    return _stored(source_of(path))


def read_text(text: str, name: str) -> tuple[Source, ast.StoredDefinition]:
    """The classes of the graphs of a text; `name` stands for the file in messages, and ends with the
    suffix."""
    return _stored(source_from(text, name))


def _stored(source: Source) -> tuple[Source, ast.StoredDefinition]:
    return stored(source, graphs(source), lambda graph: to_class(graph, source))


def classes(source: Source) -> tuple[ast.ClassDefinition, ...]:
    """The models of all graphs of a text."""
    return _stored(source)[1].classes


def graphs(source: Source) -> tuple[Graph, ...]:
    """The graphs of a text, checked. Raises `ModelError` with what is wrong with any of them."""
    return checked(parse(source), check, source)


def annotation(source: Source, offsets: ast.Offsets) -> ast.Modification:
    """What a class says in its annotation: the experiment of the graph that has one there."""
    return experiments(parse(source)).get(offsets, ast.Modification(*offsets, ()))
