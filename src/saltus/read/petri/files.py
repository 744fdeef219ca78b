"""Nets from disk, and what lowering asks of a reader."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from saltus.core.source import Source
from saltus.ir import ast
from saltus.ir.automata.net import Net
from saltus.read.lines.logged import logged
from saltus.read.lines.stored import checked, experiments, stored
from saltus.read.lines.texts import source_from, source_of
from saltus.read.petri.checks import check
from saltus.read.petri.lowering import to_class
from saltus.read.petri.parser import parse

SUFFIX = ".pn"


def read_file(path: Path) -> tuple[Source, ast.StoredDefinition]:
    """The text of a file, and the classes of its nets."""
    return _stored(source_of(path))


def read_text(text: str, name: str) -> tuple[Source, ast.StoredDefinition]:
    """The classes of the nets of a text; `name` stands for the file in messages."""
    return _stored(source_from(text, name))


def _stored(source: Source) -> tuple[Source, ast.StoredDefinition]:
    return stored(source, nets(source), to_class)


def nets(source: Source) -> tuple[Net, ...]:
    """The nets of a text, checked. Raises `ModelError` with what is wrong with any of them."""
    return checked(parse(source), check, source)


def annotation(source: Source, offsets: ast.Offsets) -> ast.Modification:
    """The annotations: how the net is run, and how the log reports changes."""
    return _annotations(source).get(offsets, ast.Modification(*offsets, ()))


@lru_cache(maxsize=8)
def _annotations(source: Source) -> dict[ast.Offsets, ast.Modification]:
    """All of them, by their places: that of an experiment, of the word `net`, of the name of a place."""
    found: dict[ast.Offsets, ast.Modification] = {}
    for net in parse(source):
        word = net.start, net.start + len("net")
        found[word] = logged(
            word, f"Net {net.name} is in a deadlock at time = %time: no transition has its tokens"
        )
        for place in net.places:
            found[place.named] = logged(place.named, "Place %name holds %new (%old before)")
        for node in _silent(net):
            found[node.start, node.end] = logged((node.start, node.end), "")
    return found | experiments(parse(source))


def _silent(net: Net) -> Iterator[ast.Node]:
    """Nodes of which lowering makes variables that no user has written."""
    for transition in net.transitions:
        yield from transition.arcs
        if transition.condition is not None:
            yield transition.condition
    yield from net.settable
