"""Class entries and where they come from: the given file, folders of packages, MODELICAPATH.

A `ClassEntry` is one class definition in an environment: its lexical parent, and what modifications from
outside say about its elements. Its own classes are entries too, made when asked for. So the text of a class
may have several entries: a package with another medium, a model as the base of a class that redeclares
something in it. `lookup` asks them what a name means. Files are read through the `Reader` given by the
pipeline, so this stage does not know the parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from saltus.core.diagnostics import model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.instance import NO_CLASSES, UNANSWERED, Change, ClassEntry, Instance, Library, Question

#: Kinds of classes that can be simulated.
MODEL_KINDS = frozenset({"model", "block", "class"})

Arguments: TypeAlias = tuple[ast.ElementModification | ast.ElementRedeclaration, ...]

_INSIDE: Question[Arguments] = Question("what an argument says about the elements of its element")
_ENVIRONMENT: Question[ClassEntry] = Question("the class in another environment")


# ---------------------------------------------------------------- modifications


def changing_arguments(modification: ast.Modification | None) -> Arguments:
    """The arguments of a modification that say something about elements."""
    arguments = (modification.arguments or ()) if modification is not None else ()
    return tuple(a for a in arguments if not isinstance(a, ast.InheritanceBreak))


def changes_inside(change: Change) -> tuple[Change, ...]:
    """What it says about the elements of the element: `a.b(c = 1)` says `b(c = 1)` about a."""
    argument, lexical = change.argument, change.lexical
    if isinstance(argument, ast.ElementRedeclaration):
        return ()
    key = id(argument)
    inside = _INSIDE.known(lexical, key)
    if inside is UNANSWERED:
        if len(argument.name) > 1:
            inside = _INSIDE.keep(lexical, (replace(argument, name=argument.name[1:]),), key)
        else:
            inside = _INSIDE.keep(lexical, changing_arguments(argument.modification), key)
    return tuple(Change(a, lexical, change.site) for a in inside)


# ---------------------------------------------------------------- classes in classes


def own_class(cls: ClassEntry, name: str) -> ClassEntry | None:
    """A class declared in this one (not inherited)."""
    if cls.origin is not cls:
        return _own_class_here(cls, name)
    if cls.own is None:
        cls.own = {}
        for element in cls.elements:
            if isinstance(element, ast.ClassDefinition):
                if element.name in cls.own:
                    raise model_error(
                        "E202",
                        f"class `{element.name}` is declared twice in `{cls.full_name}`",
                        cls.at(element),
                    )
                cls.own[element.name] = ClassEntry(element, cls.source, cls, cls.library)
    found = cls.own.get(name)
    if found is None and cls.folder is not None:
        found = _from_folder(cls, name)
        if found is not None:
            cls.own[name] = found
    return found


def _own_class_here(cls: ClassEntry, name: str) -> ClassEntry | None:
    """The class of the text, in this environment."""
    own = cls.own = cls.own if cls.own is not None else {}
    if name not in own:
        text = own_class(cls.origin, name)
        if text is None:
            return None
        own[name] = ClassEntry(
            text.definition, text.source, cls, cls.library, text.folder, origin=text.origin
        )
    return own[name]


def in_environment(
    cls: ClassEntry,
    *,
    changes: tuple[Change, ...] = (),
    derived: ClassEntry | None = None,
    site: Instance | None = None,
    inners: Mapping[str, ClassEntry] = NO_CLASSES,
) -> ClassEntry:
    """A class with more said about its elements, as a base of `derived`, or at an instance."""
    key = (tuple(c.key for c in changes), derived, site, *inners.items())
    known = _ENVIRONMENT.known(cls, key)
    if known is not UNANSWERED:
        return known
    made = ClassEntry(
        cls.definition,
        cls.source,
        cls.parent,
        cls.library,
        cls.folder,
        origin=cls.origin,
        changes=(*cls.changes, *changes),
        derived=derived or cls.derived,
        constraints=cls.constraints,
        site=site if site is not None else cls.site,
        inners=inners or cls.inners,
    )
    return _ENVIRONMENT.keep(cls, made, key)


def own_class_names(cls: ClassEntry) -> list[str]:
    """The names of the classes declared in a class, those in files of its folder included."""
    if cls.origin is not cls:
        return own_class_names(cls.origin)
    own_class(cls, "")
    assert cls.own is not None
    return [*cls.own, *(n for n in _folder_files(cls) if n not in cls.own)]


def _folder_files(cls: ClassEntry) -> dict[str, Path]:
    if cls.folder is None:
        return {}
    if cls.files is None:
        cls.files = cls.library.reader.entries(cls.folder)
    return cls.files


def _from_folder(cls: ClassEntry, name: str) -> ClassEntry | None:
    path = _folder_files(cls).get(name)
    return read_member(cls.library, path, name, cls) if path is not None else None


# ---------------------------------------------------------------- top-level classes


def add_classes(library: Library, source: Source, stored: ast.StoredDefinition) -> None:
    """Adds the classes of a text to the top level."""
    for definition in stored.classes:
        if library.tops.get(definition.name) is not None:
            raise model_error(
                "E202",
                f"class `{definition.name}` is declared twice",
                Span(source, definition.start, definition.start + 1),
            )
        entry = ClassEntry(definition, source, None, library)
        library.tops[definition.name] = entry
        library.own.append(entry)


def top_class(library: Library, name: str) -> ClassEntry | None:
    """A top-level class by name, read from the folders when needed."""
    if name not in library.tops:
        library.tops[name] = _find(library, name)
    return library.tops[name]


def top_names(library: Library) -> list[str]:
    """The names of the top-level classes that were found so far."""
    return [name for name, entry in library.tops.items() if entry is not None]


def class_named(library: Library, dotted: str) -> ClassEntry | None:
    """A class by its full name, through own classes only (not inherited ones)."""
    first, *rest = split_name(dotted)
    entry = top_class(library, first)
    for part in rest:
        if entry is None:
            return None
        entry = own_class(entry, part)
    return entry


def read_member(library: Library, path: Path, name: str, parent: ClassEntry | None) -> ClassEntry:
    """The class stored in a file, or in the package.mo of a folder."""
    folder = path if path.is_dir() else None
    source, stored = library.reader.read(path / "package.mo" if folder else path)
    for definition in stored.classes:
        if definition.name == name:
            return ClassEntry(definition, source, parent, library, folder)
    span = Span(source, 0, 0)
    raise model_error("E103", f"this file should define the class `{name}`", span)


def _find(library: Library, name: str) -> ClassEntry | None:
    for folder in library.folders:
        own = folder / "package.mo"
        if own.is_file():  # the package's own folder was given
            _, stored = library.reader.read(own)
            if any(d.name == name for d in stored.classes):
                return read_member(library, folder, name, None)
            continue  # what else is in it belongs to the package
        for candidate in _candidates(folder, name):
            return read_member(library, candidate, name, None)
        other = library.reader.elsewhere(folder, name)
        if other is not None:
            return read_member(library, other, name, None)
    other = library.reader.elsewhere(library.beside, name) if library.beside is not None else None
    return read_member(library, other, name, None) if other is not None else None


#: What may be part of a file's name; a quoted identifier may be longer, or almost anything else.
LONGEST_NAME = 200


def _candidates(folder: Path, name: str) -> Sequence[Path]:
    """`name.mo`, `name/package.mo`, or the newest `name VERSION/package.mo` in a folder."""
    if not folder.is_dir() or len(name.encode()) > LONGEST_NAME:
        return ()
    file = folder / f"{name}.mo"
    if file.is_file():
        return (file,)
    if (folder / name / "package.mo").is_file():
        return (folder / name,)
    versions = [p for p in folder.iterdir() if p.name.startswith(name + " ") and (p / "package.mo").is_file()]
    return sorted(versions, key=lambda p: _version(p.name), reverse=True)[:1]


def _version(name: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", name.split(" ", 1)[-1]))


def split_name(dotted: str) -> list[str]:
    """Parts of a dotted class name as a user types it; quoted identifiers may contain dots."""
    return re.findall(r"'(?:[^'\\]|\\.)*'|[^.]+", dotted)
