"""Classes that a model in Dymola uses and its own text has not: found, and described as it sees them.

They stand in `.dym` files beside it, in those of the library folders, among the packages of Modelica, or in
`Dymola1993`, which comes with the program. Only the text of a `.dym` file is read, so that two files may use
each other.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from saltus.core.diagnostics import SaltusError
from saltus.ir import ast
from saltus.ir.dymola import BOOLEAN, CONSTANT, INTEGER, LOCAL, PARAMETER, REAL, Interface, Port, Seen
from saltus.ir.instance import ClassEntry, Library, Predefined
from saltus.lower.classes.classes import class_named, own_class, split_name, top_class
from saltus.lower.classes.lookup import bases, resolve_class
from saltus.read.dymola import files as dymola
from saltus.read.dymola.scope import called

#: The package of what is known without any file.
PREDEFINED = "Dymola1993"
#: How deeply a Modelica class is examined.
_DEEPEST = 20


class DymolaFiles:
    """Which `.dym` file of a folder defines which model. Each folder is read once."""

    def __init__(self) -> None:
        self._folders: dict[Path, dict[str, Path]] = {}

    def of(self, folder: Path) -> dict[str, Path]:
        """The files by the names of their models; a file of the name comes first."""
        if folder not in self._folders:
            found: dict[str, Path] = {}
            try:
                paths = sorted(p for p in folder.iterdir() if p.suffix.lower() == dymola.SUFFIX)
            except OSError:
                paths = []
            for path in paths:
                for name in dymola.model_names(path):
                    if name not in found or path.stem == name:
                        found[name] = path
            self._folders[folder] = found
        return self._folders[folder]


class KnownClasses:
    """What is known of classes, by the names that a text in a folder uses."""

    def __init__(self, library: Library, files: DymolaFiles, folder: Path | None) -> None:
        self.library = library
        self.files = files
        self.folder = folder
        self._known: dict[str, Interface | None] = {}
        self._conditional: set[str] = set()

    def __call__(self, name: str) -> Interface | None:
        if name not in self._known:
            self._known[name] = None  # a class that is sought again while it is sought is none
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> Interface | None:
        folders = [self.folder] if self.folder is not None else []
        if "." not in name:
            for folder in (*folders, *self.library.folders):
                found = self._in_file(folder, name)
                if found is not None:
                    return found
        for full in (*(f"{package}.{name}" for package in self._packages()), name):
            known = self._named(full)
            if isinstance(known, Path):
                return self._of_file(known, split_name(full)[-1])
            if known is not None:
                return self._of_entry(known)
        return None if "." in name else self._predefined(name)

    def _in_file(self, folder: Path, name: str) -> Interface | None:
        path = self.files.of(folder).get(name)
        return None if path is None else self._of_file(path, name)

    def _of_file(self, path: Path, name: str) -> Interface | None:
        source = dymola.source_of(path)
        return dymola.interface(source, name, KnownClasses(self.library, self.files, path.parent))

    def _predefined(self, name: str) -> Interface | None:
        entry = class_named(self.library, PREDEFINED)
        if entry is None or entry.folder is None or self.folder == entry.folder:
            return None
        found = self._in_file(entry.folder, name)
        return None if found is None else replace(found, full_name=f"{PREDEFINED}.{name}")

    # ------------------------------------------------------------ classes of Modelica

    def _named(self, dotted: str) -> ClassEntry | Path | None:
        """A class along the libraries by its full name. Of a model in a `.dym` file the file: that may be the
        one which is being read, and is looked at as text. It has no classes inside."""
        first, *rest = split_name(dotted)
        folders = [*([self.folder] if self.folder is not None else []), *self.library.folders]
        package = any((f / first).is_dir() or (f / f"{first}.mo").is_file() for f in folders)
        if rest and not package and any(first in self.files.of(f) for f in folders):
            return None
        entry = top_class(self.library, first)
        for k, part in enumerate(rest):
            if entry is None:
                return None
            if entry.folder is not None and not (entry.folder / f"{part}.mo").is_file():
                path = self.files.of(entry.folder).get(part)
                if path is not None:
                    return path if k == len(rest) - 1 else None
            entry = own_class(entry, part)
        return entry

    def _packages(self) -> list[str]:
        """The packages around the folder, the innermost first."""
        names: list[str] = []
        folder = self.folder.resolve() if self.folder is not None else None
        while folder is not None and (folder / "package.mo").is_file():
            names = [folder.name, *names]
            folder = folder.parent
        return [".".join(names[:k]) for k in range(len(names), 0, -1)]

    def _of_entry(self, entry: ClassEntry) -> Interface | None:
        path = Path(entry.source.path)
        if path.suffix.lower() == dymola.SUFFIX:
            if path.is_file():
                return self._of_file(path, entry.name)
            return dymola.interface(entry.source, entry.name, self)
        if entry.kind not in ("model", "block", "class"):
            return None
        ports: dict[str, Port] = {}
        variables: dict[str, Seen] = {}
        parts: dict[str, str] = {}
        self._conditional.clear()
        self._members(entry, ports, variables, parts, 0)
        # The language of the class has no paths: two connectors are one, and so are those called p and n.
        always = [name for name in ports if name not in self._conditional]
        ends = always if len(always) == 2 else [name for name in ("p", "n") if name in ports]
        paths = {"P": (ends[0], ends[1])} if len(ends) == 2 else {}
        main_cut = always[0] if len(always) == 1 else None
        return Interface(entry.name, ports, main_cut, paths, "P" if paths else None, variables, parts)

    def _members(
        self,
        entry: ClassEntry,
        ports: dict[str, Port],
        variables: dict[str, Seen],
        parts: dict[str, str],
        depth: int,
    ) -> None:
        """What a class of Modelica declares or inherits."""
        if depth < _DEEPEST:
            for base in bases(entry):
                self._members(base, ports, variables, parts, depth + 1)
        body = entry.definition.body
        whole = (body.elements, body.sections) if isinstance(body, ast.LongBody) else ()
        states = {reference.text for reference in called(whole, "der")}
        for name in states & variables.keys():
            variables[name] = replace(variables[name], is_state=True)
        for element in entry.elements:
            if not isinstance(element, ast.ComponentClause):
                continue
            found = self._class_of(element, entry)
            for declaration in element.declarations:
                name = declaration.name
                if isinstance(found, ClassEntry) and found.kind == "connector" and not _is_signal(found):
                    ports[name] = Port(name)
                    if declaration.condition is not None:
                        self._conditional.add(name)
                elif isinstance(found, ClassEntry) and found.kind in ("model", "block"):
                    parts[name] = found.full_name
                else:
                    kind = element.variability if element.variability in (PARAMETER, CONSTANT) else LOCAL
                    known = _type_of(found)
                    variables[name] = Seen(name, kind, entry.full_name, known, is_state=name in states)

    def _class_of(self, element: ast.ComponentClause, entry: ClassEntry) -> ClassEntry | Predefined | None:
        try:
            return resolve_class(element.type_name, entry)
        except SaltusError:
            return None


def _is_signal(connector: ClassEntry) -> bool:
    """A connector that is one variable: `connector RealInput = input Real`."""
    return connector.is_short


def _type_of(found: ClassEntry | Predefined | None) -> str | None:
    for _ in range(_DEEPEST):
        if isinstance(found, Predefined):
            return found.name if found.name in (REAL, BOOLEAN, INTEGER) else None
        if found is None or not bases(found):
            break
        found = bases(found)[0]
    if isinstance(found, ClassEntry) and isinstance(found.definition.body, ast.ShortBody):
        name = found.definition.body.type_name.text
        return name if name in (REAL, BOOLEAN, INTEGER) else None
    return None
