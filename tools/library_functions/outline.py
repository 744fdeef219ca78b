"""Which classes a library has: read from its files, without giving meaning to anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.modelica.parser import parse


@dataclass(frozen=True)
class Found:
    """A class of the library, by its full name."""

    name: str
    definition: ast.ClassDefinition


def classes(library: Path, package: str) -> Iterator[Found]:
    """All classes inside a package that is a folder of the library, in the order of the files."""
    folder = library.joinpath(*package.split("."))
    for path in sorted(folder.rglob("*.mo")):
        stored = parse(Source(str(path), path.read_text(encoding="utf-8-sig")))
        for definition in stored.classes:
            within = ".".join(stored.within or ())
            yield from _inside(f"{within}.{definition.name}" if within else definition.name, definition)


def _inside(name: str, definition: ast.ClassDefinition) -> Iterator[Found]:
    yield Found(name, definition)
    if isinstance(definition.body, ast.LongBody):
        for element in definition.body.elements:
            if isinstance(element, ast.ClassDefinition):
                yield from _inside(f"{name}.{element.name}", element)
