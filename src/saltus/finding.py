"""What users name, found: a file, a folder, a text or the name of a class becomes a class entry.

In which language a file is written, its suffix says (`LANGUAGES`); a text says it by how it begins. All of
them become classes of Modelica, so that from here on there is no difference.

Files of packages are recognised by their `within`, and found through the package's folder, so that a model
of a library can be named by its file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType, ModuleType

from saltus.core.diagnostics import Diagnostic, ModelError, SaltusError, UsageError, model_error
from saltus.core.nearest import nearest
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Library
from saltus.known_classes import DymolaFiles, KnownClasses
from saltus.lower.classes.classes import add_classes, class_named, top_class
from saltus.lower.flat.flatten import find_model, last_package
from saltus.read.bondgraph import files as bondgraph
from saltus.read.chi import files as chi
from saltus.read.dymola import files as dymola
from saltus.read.dymola.scope import Known
from saltus.read.lines.texts import defined_in
from saltus.read.modelica.files import PACKAGE_FILE, package_entries, read_file, read_text
from saltus.read.modelica.parser import parse_annotation
from saltus.read.petri import files as petri
from saltus.read.statechart import files as statechart

#: Where the package `Saltus` is, the library that comes with the program.
SHIPPED = Path(__file__).parent / "library"


@dataclass(frozen=True)
class Language:
    """How texts of a language are read, and how one that is in no file is recognised."""

    suffix: str
    read_file: Callable[[Path, Known], tuple[Source, ast.StoredDefinition]]
    read_text: Callable[[str, str, Known], tuple[Source, ast.StoredDefinition]]
    annotation: Callable[[Source, ast.Offsets], ast.Modification]
    beginning: re.Pattern[str] | None = None
    #: The names of what a text defines, found without reading more of it than its headings.
    headings: Callable[[str], list[str]] | None = None


def _of_statements(module: ModuleType, word: str) -> Language:
    """A language with a statement a line, in which a definition begins with a word: `net NAME`."""
    return Language(
        module.SUFFIX,
        lambda path, _: module.read_file(path),
        lambda text, name, _: module.read_text(text, name),
        module.annotation,
        re.compile(rf"\A\ufeff?(?:\s|#[^\n]*\n|//[^\n]*\n)*{word}\s+[A-Za-z_']"),
        re.compile(rf"^\ufeff?[ \t]*{word}[ \t]+([A-Za-z_]\w*|'[^'\n]+')", re.MULTILINE).findall,
    )


MODELICA = Language(
    ".mo", lambda path, _: read_file(path), lambda text, name, _: read_text(text, name), parse_annotation
)
BOND_GRAPH = _of_statements(bondgraph, "graph")
#: `model class` and `model (Base)` are not Modelica; nor is a model without any `;` that has a word of
#: Dymola, or an `end` without a name.
DYMOLA = Language(
    dymola.SUFFIX,
    dymola.read_file,
    dymola.read_text,
    dymola.annotation,
    re.compile(
        r"""\A\ufeff?(?:\s|\{[^{}]*\})*model
            (?:\s+class\b|\s+type\b|\s*\(
              |\s(?=[^;]*\Z)[^;]*?^[ \t]*
               (?:(?:submodel|terminal|local|cut|main|path|node)\b|end\s*\Z))""",
        re.MULTILINE | re.VERBOSE,
    ),
)
PETRI_NET = _of_statements(petri, "net")
STATE_MACHINE = _of_statements(statechart, "machine")
CHI = Language(
    chi.SUFFIX,
    lambda path, _: chi.read_file(path),
    lambda text, name, _: chi.read_text(text, name),
    chi.annotation,
    re.compile(r"\A\ufeff?(?:\s|//[^\n]*\n|/\*.*?\*/)*(?:proc|xper|const|syst)\s+\w", re.DOTALL),
    chi.headings,
)
LANGUAGES = {
    language.suffix: language for language in (MODELICA, BOND_GRAPH, DYMOLA, CHI, PETRI_NET, STATE_MACHINE)
}
#: What a text that is in no file is called in messages.
TEXT = "<text>"


@lru_cache(maxsize=64)  # runs ask, too, and paths take long to be taken apart
def language_of(path: str | Path) -> Language:
    """By the suffix; Modelica, if it says nothing."""
    return LANGUAGES.get(Path(path).suffix.lower(), MODELICA)


def language_of_text(text: str) -> Language:
    """The language of a text without a file, recognised by its beginning."""
    begun = (each for each in LANGUAGES.values() if each.beginning is not None and each.beginning.match(text))
    return next(begun, MODELICA)


def is_source_file(name: str) -> bool:
    """Whether a name is that of a file in one of the languages, by its suffix."""
    return Path(name).suffix.lower() in LANGUAGES


#: Nothing is being edited.
NOTHING_EDITED: Mapping[Path, str] = MappingProxyType({})


class Reader:
    """What lowering needs of the reading stage. Some languages have to know what classes there are. `edited`
    are texts of files, by their resolved paths, that an editor has and that are not on the disk yet."""

    def __init__(self, edited: Mapping[Path, str] = NOTHING_EDITED) -> None:
        self.library: Library | None = None
        self.files = DymolaFiles()
        self.defined: dict[Path, dict[str, Path]] = {}
        self.edited = edited

    def read(self, path: Path) -> tuple[Source, ast.StoredDefinition]:
        language = language_of(path)
        text = self.edited_text(path)
        if text is not None:
            return language.read_text(text, str(path), self._known(path.parent))
        return language.read_file(path, self._known(path.parent))

    def edited_text(self, path: Path) -> str | None:
        """The text of a file in the editor, if it is open there."""
        return self.edited.get(path.resolve()) if self.edited else None

    def read_text(self, text: str) -> tuple[Source, ast.StoredDefinition]:
        """A text that is in no file, in the language that it begins like."""
        language = language_of_text(text)
        name = TEXT if language is MODELICA else TEXT + language.suffix
        return language.read_text(text, name, self._known(None))

    def _known(self, folder: Path | None) -> Known:
        assert self.library is not None
        return KnownClasses(self.library, self.files, folder)

    def entries(self, folder: Path) -> dict[str, Path]:
        found = {(p.name if p.is_dir() else p.stem): p for p in package_entries(folder)}
        for name, path in self._others(folder).items():
            found.setdefault(name, path)
        return found

    def elsewhere(self, folder: Path, name: str) -> Path | None:
        return self._others(folder).get(name)

    def _others(self, folder: Path) -> dict[str, Path]:
        """Files of other languages than Modelica by the classes in them."""
        if folder not in self.defined:
            found: dict[str, Path] = {}
            for language in LANGUAGES.values():
                if language.headings is not None:
                    found |= defined_in(folder, language.suffix, language.headings)
            self.defined[folder] = found
        return {**self.defined[folder], **self.files.of(folder)}

    def annotation(self, source: Source, offsets: ast.Offsets) -> ast.Modification:
        return language_of(source.path).annotation(source, offsets)


def find_class(
    path_or_text: str | Path, model: str | None = None, libraries: Sequence[str | Path] | str | Path = ()
) -> ClassEntry:
    """The class that a file, a text or a name means. Raises `ModelError` or `UsageError`."""
    return _find(_library(libraries), path_or_text, model)


def find_package(
    path_or_text: str | Path, model: str | None = None, libraries: Sequence[str | Path] | str | Path = ()
) -> ClassEntry | None:
    """The package that is named: by its name, its folder, its `package.mo`, or a file that holds no model
    outside of a package. None if it is no package that is named, or nothing that can be found."""
    library = _library(libraries)
    path = Path(path_or_text)
    try:
        if (path / PACKAGE_FILE).is_file():
            path = path / PACKAGE_FILE
        found: ClassEntry | None
        if path.name == PACKAGE_FILE and path.is_file():
            found = _from_package(library, path, *read_file(path), model)
        elif path.is_file() and model is None:
            source, stored = library.reader.read(path)
            if stored.within:
                found = _find(library, path, None)
            else:
                add_classes(library, source, stored)
                found = last_package(library)
        else:
            found = _find(library, path_or_text, model)
    except SaltusError:
        return None
    return found if found is not None and found.kind == "package" else None


def classes_in(path: Path, reader: Reader, libraries: Sequence[str | Path] = ()) -> list[ClassEntry]:
    """All classes that stand on the top level of a file, each where it belongs: those of a file of a package
    in the package. Raises `ModelError` or `UsageError`."""
    library = _library(libraries, reader)
    source, stored = _read(library, path)
    if not stored.within and path.name != PACKAGE_FILE:
        add_classes(library, source, stored)
        return library.own
    inside = _around(library, path, source, stored)
    names = (".".join((*(stored.within or ()), definition.name)) for definition in stored.classes)
    return [found for name in names if (found := class_named(inside, name)) is not None]


def _library(libraries: Sequence[str | Path] | str | Path, reader: Reader | None = None) -> Library:
    reader = reader or Reader()
    reader.library = Library(reader, _folders(libraries))
    return reader.library


def _folders(libraries: Sequence[str | Path] | str | Path) -> list[Path]:
    given = [Path(f) for f in ([libraries] if isinstance(libraries, str | Path) else libraries)]
    for folder in given:
        if not folder.is_dir():
            raise UsageError(
                Diagnostic("E501", f"the library folder `{folder}` does not exist or is not a folder")
            )
    inherited = os.environ.get("MODELICAPATH", "").split(os.pathsep)
    # Last, so that another version of the library that comes with Saltus can be put before it.
    return [*given, *(Path(folder) for folder in inherited if folder and Path(folder).is_dir()), SHIPPED]


def _find(library: Library, path_or_text: str | Path, model: str | None) -> ClassEntry:
    if not isinstance(path_or_text, str | Path) or not str(path_or_text).strip():
        raise UsageError(
            Diagnostic("E501", f"a file, a text or a class name is needed, not {path_or_text!r}")
        )
    text = str(path_or_text)
    if isinstance(path_or_text, Path) or (is_source_file(text) and "\n" not in text):
        return _from_file(library, Path(path_or_text), model)
    if any(c in text for c in "\n; ="):
        source, stored = library.reader.read_text(text)
        add_classes(library, source, stored)
        return find_model(library, model, Span(source, 0, 0))
    if model is not None:
        raise UsageError(Diagnostic("E501", f"`{text}` is a class name; the model is chosen by it already"))
    try:
        return find_model(library, text, None)
    except ModelError as error:
        raise _or_file(error, text) from None


def _or_file(error: ModelError, name: str) -> SaltusError:
    """A class that cannot be found may be meant as a folder or as a file."""
    if Path(name).is_dir():
        return _is_folder(Path(name))
    if "/" in name or os.sep in name:
        hint = f"its name ends with {' or '.join(LANGUAGES)}"
        return UsageError(Diagnostic("E102", f"there is no file `{name}`", hint=hint))
    first = error.diagnostics[0]
    if first.code == "E201":
        for suffix in LANGUAGES:
            if Path(f"{name}{suffix}").is_file():
                return ModelError(replace(first, hint=f"did you mean the file `{name}{suffix}`?"))
    return error


def _is_folder(path: Path) -> UsageError:
    if (path / PACKAGE_FILE).is_file():
        name = path.resolve().name
        hint = f"name a class of the package: `{name}.Model` with the library folder `{path.parent}`"
    else:
        hint = "name a file in it"
    return UsageError(Diagnostic("E102", f"`{path}` is a folder", hint=hint))


def read_definitions(
    path: Path, libraries: Sequence[str | Path] | str | Path = ()
) -> tuple[Library, Source, ast.StoredDefinition]:
    """All classes that a file defines, whether or not there is one to run. Raises `ModelError` or
    `UsageError`."""
    library = _library(libraries)
    return library, *_read(library, path)


def _read(library: Library, path: Path) -> tuple[Source, ast.StoredDefinition]:
    if path.is_dir():
        raise _is_folder(path)
    if not path.is_file() and library.reader.edited_text(path) is None:
        files = [p.name for suffix in LANGUAGES for p in path.parent.glob(f"*{suffix}")]
        near = nearest(path.name, files, count=1)
        hint = f"did you mean `{path.parent / near[0]}`?" if near else None
        raise UsageError(Diagnostic("E102", f"there is no file `{path}`", hint=hint))
    if language_of(path) is MODELICA:
        library.beside = path.parent
    else:
        # They use models of files beside them: the languages have nothing like a package.
        library.folders = [*library.folders[:-1], path.parent, *library.folders[-1:]]
    return library.reader.read(path)


def _from_file(library: Library, path: Path, model: str | None) -> ClassEntry:
    source, stored = _read(library, path)
    if not stored.classes:
        hint = "a file holds a class, such as `model M ... end M;`"
        raise model_error("E209", "this file defines no class", Span(source, 0, 0), hint=hint)
    is_package = path.name == PACKAGE_FILE
    place = Span(source, 0, 0)
    if not stored.within and not (is_package and model is not None):
        add_classes(library, source, stored)
        try:
            return find_model(library, model, place)
        except ModelError as error:
            raise _or_member(error, path, stored.classes[-1].name) if is_package else error from None
    return _from_package(library, path, source, stored, model)


def _from_package(
    library: Library, path: Path, source: Source, stored: ast.StoredDefinition, model: str | None
) -> ClassEntry:
    """The file is part of a package: the class is found through the package's folder."""
    is_package = path.name == PACKAGE_FILE
    inside = _around(library, path, source, stored)
    return find_model(inside, _full_name(stored, model, is_package=is_package), None)


def _around(library: Library, path: Path, source: Source, stored: ast.StoredDefinition) -> Library:
    """The library, preceded by the folder of the outermost package around a file."""
    parents, depth = path.resolve().parents, len(stored.within or ()) + (path.name == PACKAGE_FILE)
    folder = parents[min(depth, len(parents) - 1)]
    inside = Library(library.reader, [folder, *library.folders])
    if stored.within and top_class(inside, stored.within[0]) is None:
        start, package = source.text.index("within"), ".".join(stored.within)
        raise model_error(
            "E103",
            f"this file declares that it belongs to the package `{package}`, but it is not inside that "
            f"package",
            Span(source, start, start + len("within")),
            hint=f"remove `within {package};`, or move the file into the folder of the package",
        )
    return inside


def _full_name(stored: ast.StoredDefinition, model: str | None, *, is_package: bool) -> str:
    """The class that `model` means in a file of a package: its name from the top, or from the file on."""
    last, within = stored.classes[-1].name, stored.within or ()
    if model is None:
        return ".".join((*within, last))
    around = (*within, last) if is_package else within
    return model if model.split(".")[0] == around[0] else ".".join((*around, model))


def _or_member(error: ModelError, path: Path, package: str) -> ModelError:
    """A package file without a model in it: the models may be in files beside it."""
    first = error.diagnostics[0]
    beside = sorted(p.stem for p in path.parent.glob("*.mo") if p.name != path.name)
    if first.hint is not None or not beside:
        return error
    return ModelError(replace(first, hint=f"choose one with --model, such as `{package}.{beside[0]}`"))
