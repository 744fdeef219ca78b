"""Parts that come with Saltus, for hints about a name that was not found."""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.diagnostics import ModelError
from saltus.core.wording import there_are
from saltus.ir.instance import ClassEntry, Library
from saltus.lower.classes.classes import own_class, own_class_names, top_class

SHIPPED = "Saltus"

#: Packages of classes that are used inside of the library, or that show it.
_APART = frozenset({"Examples", "Interfaces", "Icons"})

#: More places of one name than this are not helpful.
_TOLD = 3


def shipped_hint(name: str, library: Library) -> str | None:
    """Where the library that comes with Saltus has a class of this name."""
    found = sorted(cls.full_name for cls in _classes(library) if cls.name == name)
    return there_are(found[:_TOLD], "Saltus") if found else None


def _classes(library: Library) -> Iterator[ClassEntry]:
    try:
        package = top_class(library, SHIPPED)
    except ModelError:
        return
    if package is not None:
        yield from _below(package)


def _below(package: ClassEntry) -> Iterator[ClassEntry]:
    for name in own_class_names(package):
        if name in _APART:
            continue
        inner = own_class(package, name)
        if inner is not None and inner.kind == "package":
            yield from _below(inner)
        elif inner is not None:
            yield inner
