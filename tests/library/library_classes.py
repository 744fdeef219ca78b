"""Which classes the library has: parts, examples, and everything else. The tests of the whole library start
from here, so that a new class is tested without being listed anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from saltus.finding import SHIPPED, find_package
from saltus.ir import ast
from saltus.ir.instance import ClassEntry
from saltus.lower.classes.classes import own_class, own_class_names

MODEL_KINDS = ("model", "block")


@cache
def library() -> ClassEntry:
    """The package Saltus."""
    found = find_package("Saltus")
    assert found is not None
    return found


def classes(package: ClassEntry | None = None) -> Iterator[ClassEntry]:
    """All classes at and below a package, those inside of models too."""
    package = package or library()
    yield package
    for name in own_class_names(package):
        inner = own_class(package, name)
        assert inner is not None
        yield from classes(inner)


def words(cls: ClassEntry) -> list[str]:
    return cls.full_name.split(".")


def is_model(cls: ClassEntry) -> bool:
    return cls.kind in MODEL_KINDS and not cls.definition.partial


def annotation(cls: ClassEntry, offsets: ast.Offsets | None) -> dict[str, ast.Modification | None]:
    """The entries of an annotation by name."""
    if offsets is None:
        return {}
    modification = cls.library.reader.annotation(cls.source, offsets)
    return {
        ".".join(argument.name): argument.modification
        for argument in modification.arguments or ()
        if isinstance(argument, ast.ElementModification)
    }


def has_experiment(cls: ClassEntry) -> bool:
    return "experiment" in annotation(cls, cls.definition.annotation)


def example_names() -> list[str]:
    """Full names of all examples, by their files alone: to be called while tests are collected."""
    top = SHIPPED / "Saltus" / "Examples"
    files = [p for p in top.rglob("*.mo") if re.search(r"\bexperiment\s*\(", p.read_text(encoding="utf-8"))]
    return sorted(".".join(p.relative_to(SHIPPED).with_suffix("").parts) for p in files)


def is_exhibit(name: str) -> bool:
    """Whether the gallery shows an example, by its file alone."""
    file = SHIPPED.joinpath(*name.split(".")).with_suffix(".mo")
    return "__Saltus(Gallery(" in file.read_text(encoding="utf-8")


def short(name: str) -> str:
    """Of an example, for the names of tests."""
    return name.removeprefix("Saltus.Examples.")


@cache
def examples() -> list[str]:
    """Full names of all models below Saltus.Examples that can be simulated: they say for how long."""
    top = own_class(library(), "Examples")
    assert top is not None
    return sorted(c.full_name for c in classes(top) if is_model(c) and has_experiment(c))


@cache
def parts() -> list[str]:
    """Full names of all parts that can be connected: models and blocks outside of Examples, Interfaces and
    Icons."""
    apart = {"Examples", "Interfaces", "Icons"}
    return sorted(c.full_name for c in classes() if is_model(c) and not apart & set(words(c)))
