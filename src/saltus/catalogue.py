"""The parts of libraries and the gallery as users ask for them: found by a word or a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import nearest
from saltus.finding import find_package
from saltus.ir.catalogue import Exhibit, Part, PartDescription, Wing
from saltus.ir.instance import ClassEntry
from saltus.lower.annotations.catalogue import classes_below, described, gallery_of, part_of, parts_of
from saltus.lower.classes.classes import class_named, own_class

#: The library that is searched.
LIBRARY = "Saltus"


def components(
    word: str | None = None, library: str = LIBRARY, folders: Sequence[str | Path] = ()
) -> list[Part] | PartDescription:
    """The parts of a library with a word in their names or descriptions, all of them without a word. If the
    word is the name of one class, whatever its kind, all about that. Raises `UsageError` if there is none."""
    package = _package(library, folders)
    if word is None:
        return [part_of(cls) for cls in parts_of(package)]
    named = _named(package, word)
    if named is not None:
        examples = own_class(package, "Examples")
        return described(named, examples)
    sought = word.lower()
    found = [
        part
        for part in map(part_of, parts_of(package))
        if sought in part.name.lower() or sought in part.description.lower()
    ]
    if not found:
        names = {cls.name: cls for cls in parts_of(package)}
        near = nearest(word, list(names), count=3)
        hint = "did you mean " + ", ".join(f"`{name}`" for name in near) + "?" if near else None
        raise UsageError(Diagnostic("E501", f"no part of {library} has to do with {word!r}", hint=hint))
    return found


def gallery() -> list[Wing]:
    """The gallery of the papers."""
    examples = own_class(_package(LIBRARY, ()), "Examples")
    papers = own_class(examples, "Papers") if examples is not None else None
    assert papers is not None  # it is shipped with the program
    return gallery_of(papers)


def exhibit(name: str, wings: Iterable[Wing] | None = None) -> Exhibit:
    """The model of the gallery that a name means: its full name, the end of it, or a part of it, if only one
    has it. Who asks for several gives the `wings`, so that the library is not read for each of them. Raises
    `UsageError`."""
    exhibits = [found for wing in (gallery() if wings is None else wings) for found in wing.exhibits]
    sought = name.lower()
    for matches in (
        [e for e in exhibits if e.name.lower() == sought or e.short.lower() == sought],
        [e for e in exhibits if e.name.lower().endswith(f".{sought}")],
        [e for e in exhibits if sought in e.short.lower()],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            several = ", ".join(e.short for e in matches[:6])
            more = f" and {len(matches) - 6} more" if len(matches) > 6 else ""
            raise UsageError(Diagnostic("E501", f"{name!r} may be {several}{more}"))
    near = nearest(name, [e.short for e in exhibits] + [e.short.split(".")[1] for e in exhibits], count=3)
    hint = "did you mean " + ", ".join(near) + "?" if near else "`saltus gallery` lists them"
    raise UsageError(Diagnostic("E501", f"the gallery has no {name!r}", hint=hint))


def _package(name: str, folders: Sequence[str | Path]) -> ClassEntry:
    package = find_package(name, None, list(folders))
    if package is None:
        raise UsageError(Diagnostic("E501", f"there is no package {name!r}"))
    return package


def _named(package: ClassEntry, word: str) -> ClassEntry | None:
    """The class with this name, from the top or the end of it; None if several have it. A part comes before
    what is no part."""
    full = class_named(package.library, word) if word.split(".")[0] == package.name and "." in word else None
    if full is not None and full.kind != "package":
        return full
    sought = "." + word.lower()
    for group in (parts_of(package), list(classes_below(package))):
        found = [cls for cls in group if cls.full_name.lower().endswith(sought) and cls.kind != "package"]
        if len(found) == 1:
            return found[0]
        if found:
            return None
    return None
