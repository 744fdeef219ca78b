"""State machines from disk, and what lowering asks of a reader."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from saltus.core.source import Source
from saltus.ir import ast
from saltus.ir.automata.machine import Machine
from saltus.read.lines.logged import logged
from saltus.read.lines.stored import checked, experiments, stored
from saltus.read.lines.texts import source_from, source_of
from saltus.read.statechart.checks import check
from saltus.read.statechart.lowering import to_class
from saltus.read.statechart.parser import parse

SUFFIX = ".sm"


def read_file(path: Path) -> tuple[Source, ast.StoredDefinition]:
    """The text of a file, and the classes of its machines."""
    return _stored(source_of(path))


def read_text(text: str, name: str) -> tuple[Source, ast.StoredDefinition]:
    """The classes of the machines of a text; `name` stands for the file in messages."""
    return _stored(source_from(text, name))


def _stored(source: Source) -> tuple[Source, ast.StoredDefinition]:
    return stored(source, machines(source), to_class)


def machines(source: Source) -> tuple[Machine, ...]:
    """The machines of a text, checked. Raises `ModelError` with what is wrong with any of them."""
    return checked(parse(source), check, source)


def annotation(source: Source, offsets: ast.Offsets) -> ast.Modification:
    """The annotations: how the machine is run, and how the log reports changes."""
    return _annotations(source).get(offsets, ast.Modification(*offsets, ()))


@lru_cache(maxsize=8)
def _annotations(source: Source) -> dict[ast.Offsets, ast.Modification]:
    """All annotations by their places: that of an experiment, of the name of a state, of variables not in the
    log."""
    found: dict[ast.Offsets, ast.Modification] = {}
    for machine in parse(source):
        for node in _silent(machine):
            found[node.start, node.end] = logged((node.start, node.end), "")
        for state in machine.states:
            found[state.named] = logged(state.named, "State %name is entered at time = %time")
    return found | experiments(parse(source))


def _silent(machine: Machine) -> Iterator[ast.Node]:
    """Nodes of which lowering makes variables that no user has written."""
    yield machine
    yield from machine.states
    for transition in machine.transitions:
        yield from transition.actions
        if transition.condition is not None:
            yield transition.condition
    yield from machine.settable
