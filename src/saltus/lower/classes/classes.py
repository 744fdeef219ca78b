"""Class entries and where they come from: the given file, folders of packages, MODELICAPATH.

A `ClassEntry` is one class definition in an environment: its lexical parent, and what modifications from
outside say about its elements. Its own classes are entries too, made when asked for. So the text of a class
may have several entries: a package with another medium, a model as the base of a class that redeclares
something in it. `lookup` asks them what a name means. Files are read through the `Reader` given by the
pipeline, so this stage does not know the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from saltus.core.diagnostics import model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.instance import Instance

#: Kinds of classes that can be simulated.
MODEL_KINDS = frozenset({"model", "block", "class"})


class Reader(Protocol):
    """What lowering needs of the reading stage."""

    def read(self, path: Path) -> tuple[Source, ast.StoredDefinition]: ...

    def entries(self, folder: Path) -> list[Path]: ...

    def annotation(self, source: Source, offsets: ast.Offsets) -> ast.Modification: ...


@dataclass(frozen=True, eq=False)
class Change:
    """What a modification says about one element of a class: the argument, the class whose text it stands
    in, and the instance whose components that text sees (None where it is a class that says it)."""

    argument: ast.ElementModification | ast.ElementRedeclaration
    lexical: ClassEntry
    site: Instance | None = None

    @property
    def name(self) -> str:
        """The element it is about."""
        return changed_name(self.argument)

    @property
    def key(self) -> tuple[int, ClassEntry, Instance | None]:
        return id(self.argument), self.lexical, self.site

    @property
    def span(self) -> Span:
        return self.lexical.at(self.argument)

    @property
    def new_class(self) -> ast.ClassDefinition | None:
        """The class that the element is redeclared to be, if this is what is said."""
        redeclared = isinstance(self.argument, ast.ElementRedeclaration)
        element = self.argument.element if redeclared else None  # type: ignore[union-attr]
        return element if isinstance(element, ast.ClassDefinition) else None

    def inside(self) -> tuple[Change, ...]:
        """What it says about the elements of the element: `a.b(c = 1)` says `b(c = 1)` about a."""
        argument = self.argument
        if isinstance(argument, ast.ElementRedeclaration):
            return ()
        memo = self.lexical.memo
        key = ("inside", id(argument))
        if key not in memo:
            if len(argument.name) > 1:
                memo[key] = (replace(argument, name=argument.name[1:]),)
            else:
                memo[key] = changing_arguments(argument.modification)
        return tuple(Change(a, self.lexical, self.site) for a in memo[key])


def changing_arguments(
    modification: ast.Modification | None,
) -> tuple[ast.ElementModification | ast.ElementRedeclaration, ...]:
    """The arguments of a modification that say something about elements."""
    arguments = (modification.arguments or ()) if modification is not None else ()
    return tuple(a for a in arguments if not isinstance(a, ast.InheritanceBreak))


def changed_name(argument: ast.ElementModification | ast.ElementRedeclaration) -> str:
    """The element that an argument is about."""
    if isinstance(argument, ast.ElementModification):
        return argument.name[0]
    if isinstance(argument.element, ast.ClassDefinition):
        return argument.element.name
    return argument.element.declarations[0].name


#: There are seldom outer classes.
NO_CLASSES: Mapping[str, ClassEntry] = MappingProxyType({})


class ClassEntry:
    """One class in one environment. `folder` is set for a package that is a folder: its members are files
    there.

    origin       the entry of the text alone, which is in no other environment than that of its file
    changes      what is said about its elements from outside, innermost first
    derived      the class that this is a base of: what is redeclared there is redeclared here
    constraints  what the constraining clause of the element it replaces says about it
    site         the instance whose components the text of this short class sees
    inners       the classes that its outer classes mean at the place of an instance
    """

    def __init__(
        self,
        definition: ast.ClassDefinition,
        source: Source,
        parent: ClassEntry | None,
        library: Library,
        folder: Path | None = None,
        *,
        origin: ClassEntry | None = None,
        changes: tuple[Change, ...] = (),
        derived: ClassEntry | None = None,
        constraints: tuple[Change, ...] = (),
        site: Instance | None = None,
        inners: Mapping[str, ClassEntry] = NO_CLASSES,
    ) -> None:
        self.inners = inners
        self.origin: ClassEntry = origin or self
        self.changes = changes
        self.derived = derived
        self.constraints = constraints
        self.site = site
        self.definition = definition
        self.source = source
        self.parent = parent
        self.library = library
        self.folder = folder
        self.name: str = definition.name
        self.full_name: str = f"{parent.full_name}.{definition.name}" if parent else definition.name
        self._own: dict[str, ClassEntry] | None = None
        self._files: dict[str, Path] | None = None
        #: Answers of `lookup`, which depend on the class only: its bases, its components, classes by name.
        self.memo: dict[object, Any] = {}

    @property
    def kind(self) -> str:
        return self.definition.kind

    @property
    def span(self) -> Span:
        """The class's head line."""
        text = self.source.text
        end = text.find("\n", self.definition.start)
        return Span(
            self.source, self.definition.start, min(self.definition.end, end if end > 0 else len(text))
        )

    def at(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    @property
    def elements(self) -> tuple[ast.Element, ...]:
        body = self.definition.body
        return body.elements if isinstance(body, ast.LongBody) else ()

    def own_class(self, name: str) -> ClassEntry | None:
        """A class declared in this one (not inherited)."""
        if self.origin is not self:
            return self._own_class_here(name)
        if self._own is None:
            self._own = {}
            for element in self.elements:
                if isinstance(element, ast.ClassDefinition):
                    if element.name in self._own:
                        raise model_error(
                            "E202",
                            f"class `{element.name}` is declared twice in `{self.full_name}`",
                            self.at(element),
                        )
                    self._own[element.name] = ClassEntry(element, self.source, self, self.library)
        found = self._own.get(name)
        if found is None and self.folder is not None:
            found = self._from_folder(name)
            if found is not None:
                self._own[name] = found
        return found

    def _own_class_here(self, name: str) -> ClassEntry | None:
        """The class of the text, in this environment."""
        own = self._own = self._own if self._own is not None else {}
        if name not in own:
            text = self.origin.own_class(name)
            if text is None:
                return None
            own[name] = ClassEntry(
                text.definition, text.source, self, self.library, text.folder, origin=text.origin
            )
        return own[name]

    def in_environment(
        self,
        *,
        changes: tuple[Change, ...] = (),
        derived: ClassEntry | None = None,
        site: Instance | None = None,
        inners: Mapping[str, ClassEntry] = NO_CLASSES,
    ) -> ClassEntry:
        """This class with more said about its elements, as a base of `derived`, or at an instance."""
        key = ("environment", tuple(c.key for c in changes), derived, site, *inners.items())
        if key not in self.memo:
            self.memo[key] = ClassEntry(
                self.definition,
                self.source,
                self.parent,
                self.library,
                self.folder,
                origin=self.origin,
                changes=(*self.changes, *changes),
                derived=derived or self.derived,
                constraints=self.constraints,
                site=site if site is not None else self.site,
                inners=inners or self.inners,
            )
        found: ClassEntry = self.memo[key]
        return found

    @property
    def is_short(self) -> bool:
        """A short class has no scope of its own: its text is that of the class around it."""
        return isinstance(self.definition.body, ast.ShortBody)

    def own_class_names(self) -> list[str]:
        if self.origin is not self:
            return self.origin.own_class_names()
        self.own_class("")
        assert self._own is not None
        return [*self._own, *(n for n in self._folder_files() if n not in self._own)]

    def _folder_files(self) -> dict[str, Path]:
        if self.folder is None:
            return {}
        if self._files is None:
            self._files = {
                (p.name if p.is_dir() else p.stem): p for p in self.library.reader.entries(self.folder)
            }
        return self._files

    def _from_folder(self, name: str) -> ClassEntry | None:
        path = self._folder_files().get(name)
        if path is None:
            return None
        return self.library.read_member(path, name, self)

    def __repr__(self) -> str:
        return f"ClassEntry({self.full_name})"


class Library:
    """Top-level classes: those of the files given, then those found along the library folders."""

    def __init__(self, reader: Reader, folders: Iterable[Path]) -> None:
        self.reader = reader
        self.folders = tuple(folders)
        self._top: dict[str, ClassEntry | None] = {}
        self.seeking_bases = 0  # how many classes are having their bases looked up (see `lookup.bases`)
        self.own: list[ClassEntry] = []  # classes of the file that was given, in order

    def add(self, source: Source, stored: ast.StoredDefinition) -> None:
        """Adds the classes of a text to the top level."""
        for definition in stored.classes:
            if definition.name in self._top and self._top[definition.name] is not None:
                raise model_error(
                    "E202",
                    f"class `{definition.name}` is declared twice",
                    Span(source, definition.start, definition.start + 1),
                )
            entry = ClassEntry(definition, source, None, self)
            self._top[definition.name] = entry
            self.own.append(entry)

    def top(self, name: str) -> ClassEntry | None:
        """A top-level class by name, read from the folders when needed."""
        if name not in self._top:
            self._top[name] = self._find(name)
        return self._top[name]

    def top_names(self) -> list[str]:
        return [name for name, entry in self._top.items() if entry is not None]

    def class_named(self, dotted: str) -> ClassEntry | None:
        """A class by its full name, through own classes only (not inherited ones)."""
        first, *rest = split_name(dotted)
        entry = self.top(first)
        for part in rest:
            if entry is None:
                return None
            entry = entry.own_class(part)
        return entry

    def read_member(self, path: Path, name: str, parent: ClassEntry | None) -> ClassEntry:
        """The class stored in a file, or in the package.mo of a folder."""
        folder = path if path.is_dir() else None
        source, stored = self.reader.read(path / "package.mo" if folder else path)
        for definition in stored.classes:
            if definition.name == name:
                return ClassEntry(definition, source, parent, self, folder)
        span = Span(source, 0, 0)
        raise model_error("E103", f"this file should define the class `{name}`", span)

    def _find(self, name: str) -> ClassEntry | None:
        for folder in self.folders:
            own = folder / "package.mo"
            if own.is_file():  # the package's own folder was given
                _, stored = self.reader.read(own)
                if any(d.name == name for d in stored.classes):
                    return self.read_member(folder, name, None)
                continue  # what else is in it belongs to the package
            for candidate in _candidates(folder, name):
                return self.read_member(candidate, name, None)
        return None


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
