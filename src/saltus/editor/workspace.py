"""The documents that are open, and the classes that names in them mean.

Classes are found as lowering finds them, in the same folders, but with the texts of the editor; a damaged
text contributes its undamaged parts (`Document.syntax`). Each version of a document has a library of its own,
created on first use; files that are not being edited are read once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from saltus.core.diagnostics import ModelError, SaltusError
from saltus.core.source import Source
from saltus.editor.document import Document, Syntax
from saltus.finding import MODELICA, Reader, classes_in, find_package, is_source_file, language_of
from saltus.ir import ast
from saltus.ir.catalogue import Part
from saltus.ir.instance import ClassEntry, Library
from saltus.lower.annotations.catalogue import part_of, parts_of
from saltus.lower.classes.classes import own_class
from saltus.lower.classes.shipped import SHIPPED
from saltus.read.lines.texts import source_of
from saltus.read.modelica.recovery import recovered


@dataclass(frozen=True)
class _Kept:
    """A file as it was when it was read."""

    stamp: tuple[int, int]
    source: Source
    tree: ast.StoredDefinition


class Workspace:
    """What is open, and where libraries are."""

    def __init__(self, libraries: Sequence[str] = ()) -> None:
        self._libraries = tuple(libraries)
        self._documents: dict[str, Document] = {}
        self._files: dict[Path, _Kept] = {}
        self._views: dict[tuple[str, str], View] = {}
        #: The parts that are proposed by their full names, once they are known (`library_parts`).
        self.parts: tuple[Part, ...] = ()

    # ------------------------------------------------------------ what is open

    @property
    def documents(self) -> tuple[Document, ...]:
        return tuple(self._documents.values())

    @property
    def libraries(self) -> tuple[str, ...]:
        """The folders of libraries that exist."""
        return tuple(folder for folder in self._libraries if Path(folder).is_dir())

    @libraries.setter
    def libraries(self, folders: Sequence[str]) -> None:
        self._libraries = tuple(folders)
        self._views.clear()

    def open(self, uri: str, path: Path, text: str, version: int) -> Document:
        """A document is open from now on."""
        return self._put(Document(uri, path, version, text))

    def change(self, uri: str, text: str, version: int) -> Document:
        """A document has another text."""
        return self._put(self._documents[uri].changed(text, version))

    def close(self, uri: str) -> None:
        """A document is not open any more: what is on the disk counts."""
        self._documents.pop(uri, None)
        self._views.clear()

    def __getitem__(self, uri: str) -> Document:
        return self._documents[uri]

    def get(self, uri: str) -> Document | None:
        """A document, if it is open."""
        return self._documents.get(uri)

    def __contains__(self, uri: object) -> bool:
        return uri in self._documents

    def _put(self, document: Document) -> Document:
        self._documents[document.uri] = document
        self._views.clear()
        return document

    @property
    def edited(self) -> dict[Path, str]:
        """The texts of open documents by their resolved paths, as `Reader` takes them."""
        return {d.path.resolve(): d.text for d in self.documents if is_source_file(d.path.name)}

    # ------------------------------------------------------------ what it means

    def view(self, document: Document) -> View:
        """The classes of a document."""
        key = document.uri, document.text
        if key not in self._views:
            self._views[key] = View(document, _LenientReader(self, document), self.libraries)
        return self._views[key]

    def kept(self, path: Path) -> _Kept | None:
        """A file that was read before and is as it was then."""
        kept = self._files.get(path)
        return kept if kept is not None and kept.stamp == _stamp(path) else None

    def keep(self, path: Path, source: Source, tree: ast.StoredDefinition) -> None:
        """Remembers a file."""
        self._files[path] = _Kept(_stamp(path), source, tree)


def library_parts() -> tuple[Part, ...]:
    """The parts of the library that comes with Saltus. All of its files are read for that."""
    package = find_package(SHIPPED)
    return tuple(map(part_of, parts_of(package))) if package is not None else ()


class View:
    """The classes of one version of a document: its own, and those that they name."""

    def __init__(self, document: Document, reader: _LenientReader, libraries: Sequence[str]) -> None:
        self.document = document
        try:
            self.classes = classes_in(document.path, reader, libraries)
        except (SaltusError, RecursionError):
            self.classes = []
        if not self.classes and document.is_modelica:
            # Two classes of one name, or a file that is not where its package is.
            assert reader.library is not None
            source = document.syntax.source
            found = [
                ClassEntry(definition, source, None, reader.library)
                for definition in document.syntax.tree.classes
            ]
            reader.library.tops |= {entry.name: entry for entry in found}
            self.classes = found

    @property
    def library(self) -> Library | None:
        return self.classes[0].library if self.classes else None

    def class_at(self, offset: int) -> ClassEntry | None:
        """The innermost class whose text a place of the document is in. Behind the last class, that one: its
        `end` may not be written yet."""
        at = self.document.in_tree(offset)
        found: ClassEntry | None = None
        for entry in self.classes:
            if entry.definition.start <= at:
                found = entry
        while found is not None:
            inner = next((e for e in _inner(found) if e.definition.start <= at <= e.definition.end), None)
            if inner is None:
                return found
            found = inner
        return None


def _inner(cls: ClassEntry) -> Iterator[ClassEntry]:
    """The classes that stand in the text of a class."""
    for element in cls.elements:
        if isinstance(element, ast.ClassDefinition):
            try:
                found = own_class(cls, element.name)
            except SaltusError:  # two of one name: of them the text alone is known
                found = ClassEntry(element, cls.source, cls, cls.library)
            if found is not None and found.definition is element:
                yield found


class _LenientReader(Reader):
    """Reads files as far as they can be read, and each of them once."""

    def __init__(self, workspace: Workspace, document: Document) -> None:
        super().__init__(workspace.edited | {document.path.resolve(): document.text})
        self._workspace = workspace
        open_ones = {d.path.resolve(): d for d in workspace.documents}
        self._open = open_ones | {document.path.resolve(): document}

    def read(self, path: Path) -> tuple[Source, ast.StoredDefinition]:
        document = self._open.get(path.resolve())
        if document is not None and document.is_modelica:
            syntax: Syntax = document.syntax
            return syntax.source, syntax.tree
        if document is not None:
            return super().read(path)
        kept = self._workspace.kept(path)
        if kept is None:
            source, tree = self._from_disk(path)
            self._workspace.keep(path, source, tree)
            return source, tree
        return kept.source, kept.tree

    def _from_disk(self, path: Path) -> tuple[Source, ast.StoredDefinition]:
        try:
            return super().read(path)
        except ModelError:
            if language_of(path) is not MODELICA:
                raise
            source = source_of(path)
            return source, recovered(source).tree


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
