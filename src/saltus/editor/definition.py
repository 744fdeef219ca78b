"""Where the name at a place is declared, where else it is named, and what changes if it is called otherwise.

To rename is more than to replace a word: the same word may mean something else in the same text, and another
file of the package may name what is declared here. What is declared in other files is renamed there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from saltus.core.source import Span
from saltus.editor.cursor import Expected, cursor_at
from saltus.editor.document import Document
from saltus.editor.elements import elements_of
from saltus.editor.meaning import Literal, Meaning, inside, meaning_at, meaning_of
from saltus.editor.predefined import PREDEFINED_FUNCTIONS, PREDEFINED_TYPES, PREDEFINED_VARIABLES
from saltus.editor.workspace import Workspace
from saltus.ir.instance import ClassEntry
from saltus.read.modelica.lexer import KEYWORDS, NAME

_PREDEFINED = {*PREDEFINED_FUNCTIONS, *PREDEFINED_VARIABLES, *PREDEFINED_TYPES}
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|'[^'\\\n]+'")


class CannotRename(Exception):
    """Why a name stays as it is, in a sentence."""


def meant_at(workspace: Workspace, document: Document, offset: int) -> tuple[Meaning, Span] | None:
    """What the name at a place means, and the stretch of that name."""
    cursor = cursor_at(document, offset) if document.is_modelica else None
    if cursor is None or cursor.start == cursor.end:
        return None
    scope = workspace.view(document).class_at(cursor.start)
    meaning = meaning_at(cursor, scope) if scope is not None else None
    if (
        scope is not None
        and cursor.expected is Expected.ARGUMENT
        and _is_name_of_argument(document, cursor.end)
    ):
        meaning = inside(meaning_of(cursor.calls[-1][0], scope), cursor.names[0]) if cursor.calls else None
    return (meaning, Span(document.source, cursor.start, cursor.end)) if meaning is not None else None


def definition(workspace: Workspace, document: Document, offset: int) -> Span | None:
    """The name in the declaration of what is meant at a place; None of what is predefined."""
    found = meant_at(workspace, document, offset)
    return found[0].place if found is not None else None


def references(workspace: Workspace, document: Document, offset: int) -> list[Span]:
    """The places of a document in which what is meant at a place is named, its declaration among them."""
    found = meant_at(workspace, document, offset)
    declared = found[0].place if found is not None else None
    if found is None or declared is None:
        return []
    return list(_named(workspace, document, found[1].text, declared))


def renamable(workspace: Workspace, document: Document, offset: int) -> Span:
    """The name at a place, if it may be changed. Raises `CannotRename`."""
    return _own(workspace, document, offset)[0]


def renaming(workspace: Workspace, document: Document, offset: int, name: str) -> list[Span]:
    """The places that hold another name if what is meant at a place is called so. Raises `CannotRename`."""
    old, declared = _own(workspace, document, offset)
    if _IDENTIFIER.fullmatch(name) is None or name in KEYWORDS:
        raise CannotRename(f"`{name}` is no name: letters, digits and `_`, not a digit first, and no keyword")
    if name in _PREDEFINED:
        raise CannotRename(f"`{name}` is predefined in Modelica")
    if name == old.text:
        return []
    family = [document, *_others(workspace, document, old.text)]
    places = [(other, span) for other in family for span in _named(workspace, other, old.text, declared)]
    taken = next(_clashes(workspace, document, name, declared, places), None)
    if taken is not None:
        place = f"line {taken.line} of {Path(taken.source.path).name}"
        raise CannotRename(f"`{name}` would be confused with another `{name}` in {place}")
    return [span for _, span in places]


def _own(workspace: Workspace, document: Document, offset: int) -> tuple[Span, Span]:
    """A name and its declaration, if that is in the document itself."""
    found = meant_at(workspace, document, offset)
    if found is None:
        raise CannotRename("there is no name here whose meaning is known")
    meaning, name = found
    declared = meaning.place
    if declared is None:
        raise CannotRename(f"`{name.text}` is predefined in Modelica")
    file = Path(declared.source.path)
    if file.resolve() != document.path.resolve():
        raise CannotRename(f"`{name.text}` is declared in {file.name}; it is renamed there")
    if isinstance(meaning, Literal):
        raise CannotRename(f"`{name.text}` is a literal of an enumeration; those are not renamed")
    if document.path.stem == declared.text and (document.path.parent / "package.mo").exists():
        raise CannotRename(f"the file is called `{document.path.name}` as its class is; rename both by hand")
    return name, declared


def _named(workspace: Workspace, document: Document, name: str, declared: Span) -> Iterator[Span]:
    """Where a document names what is declared somewhere."""
    for start, _ in _words(document, name):
        other = meant_at(workspace, document, start)
        if other is not None and _is_same(other[0].place, declared):
            yield other[1]


def _clashes(
    workspace: Workspace, document: Document, name: str, declared: Span, places: list[tuple[Document, Span]]
) -> Iterator[Span]:
    """Where a new name stands for something else already: in the class of the declaration, or where what is
    renamed is named."""
    scope = workspace.view(document).class_at(declared.start)
    for start in _simple(document, name):
        if _is_in(scope, start) and not _is_inner(workspace, document, start, scope):
            yield Span(document.source, start, start + len(name))
    if scope is not None and name in elements_of(scope):
        yield declared
    simple = {other.path: set(_simple(other, declared.text)) for other, _ in places}
    for other, span in places:
        here = workspace.view(other).class_at(span.start)
        if here is not None and span.start in simple[other.path] and meaning_of((name,), here):
            yield span


def _is_in(scope: ClassEntry | None, place: int) -> bool:
    return scope is None or scope.definition.start <= place <= scope.definition.end


def _is_inner(workspace: Workspace, document: Document, start: int, scope: ClassEntry | None) -> bool:
    """Whether a name means what a class within this one declares for itself, where it hides other names."""
    found = meant_at(workspace, document, start)
    place = found[0].place if found is not None else None
    if place is None or place.source.path != document.source.path or not _is_in(scope, place.start):
        return False
    around = workspace.view(document).class_at(place.start)
    return around is not None and scope is not None and around.definition is not scope.definition


def _simple(document: Document, name: str) -> list[int]:
    """Where a name stands for itself: not behind a dot, and neither as what a modification is about nor as
    the name of an argument, which are looked up in another class."""
    found: list[int] = []
    for start, after_dot in _words(document, name):
        cursor = None if after_dot else cursor_at(document, start)
        if cursor is None or cursor.expected is Expected.MODIFIER:
            continue
        if cursor.expected is not Expected.ARGUMENT or not _is_name_of_argument(document, cursor.end):
            found.append(start)
    return found


def _words(document: Document, name: str) -> Iterator[tuple[int, bool]]:
    """Where a name stands in a text, and whether a dot is before it."""
    tokens = document.tokens
    before = ""
    for kind, text, start in zip(tokens.kinds, tokens.texts, tokens.starts, strict=True):
        if kind == NAME and text == name:
            yield start, before == "."
        before = text


def _others(workspace: Workspace, document: Document, name: str) -> Iterator[Document]:
    """The other texts with a name: those that are open, and the files of the document's package."""
    known = {document.path.resolve()}
    for other in workspace.documents:
        if other.is_modelica and other.path.resolve() not in known:
            known.add(other.path.resolve())
            yield other
    root = document.path.parent
    if not (root / "package.mo").exists():
        return
    while (root.parent / "package.mo").exists():
        root = root.parent
    for path in sorted(root.rglob("*.mo")):
        if path.resolve() in known:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if name in text:
            yield Document(path.as_uri(), path, 0, text)


def _is_name_of_argument(document: Document, end: int) -> bool:
    """Whether an equals sign follows, as behind the names of arguments."""
    return document.source.text[end:].lstrip()[:1] == "=" and document.source.text[end:].lstrip()[:2] != "=="


def _is_same(one: Span | None, other: Span) -> bool:
    return one is not None and (one.source.path, one.start) == (other.source.path, other.start)
