"""Where a URI leads: `modelica://Package.Sub/Resources/file` is a file of a package (section 13.5)."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from saltus.functions.external.objects import ExternalError
from saltus.ir.instance import ClassEntry, Library
from saltus.lower.classes.classes import class_named


def located(library: Library, name: str) -> str:
    """The file that a URI means; any other name means itself."""
    scheme, separator, rest = name.partition("://")
    if not separator:
        return name
    if scheme.lower() == "file":
        return unquote(rest)
    if scheme.lower() != "modelica":
        raise ExternalError(f"a URI begins with `modelica://` or `file://`, not `{scheme}://`")
    package, _, path = unquote(rest).partition("/")
    entry = class_named(library, package) if package else None
    if entry is None:
        raise ExternalError(f"there is no package `{package}`, to which `{name}` leads")
    folders = _folders(entry)
    found = next((f / path for f in folders if (f / path).exists()), folders[0] / path)
    return str(found)


def _folders(entry: ClassEntry) -> list[Path]:
    """The folders of a class, from its own to that of its outermost package; a class that is part of a file
    has that of the file."""
    folders: list[Path] = []
    place: ClassEntry | None = entry
    while place is not None:
        folder = place.folder or Path(place.source.path).parent
        if folder not in folders:
            folders.append(folder)
        place = place.parent
    return folders
