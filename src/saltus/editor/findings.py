"""What `saltus check` says about a document: refusals and warnings of every model that it defines.

A model with open connectors is a part for use in others; as in a checked package, only its equations are
counted. For partial classes and classes that are not models, only the declarations are checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from saltus.automata import tell_in_automata
from saltus.bonds import conflict_warnings, tell_in_bonds, warnings_of
from saltus.compiler import unit_warnings
from saltus.core.diagnostics import Diagnostic, SaltusError, Severity
from saltus.core.source import Source, Span
from saltus.editor.elements import elements_of, type_of
from saltus.editor.text import Encoding, Position, Range, range_of
from saltus.finding import DYMOLA, Reader, classes_in, language_of
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element
from saltus.lower.classes.classes import MODEL_KINDS, own_class
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import resolve_class
from saltus.tools.checking import is_external_object, warnings_about

#: What a fault of Saltus has in place of a code.
INTERNAL = "internal"

#: Codes of what the equations lack, or have too much.
_OF_STRUCTURE = frozenset(["E301", "E302", "E303", "E306", "E308"])
_PART_OF_DYMOLA = re.compile(r"model\s+(?:class|type)\b|model\s*\(")


@dataclass(frozen=True)
class Place:
    """A stretch of a file."""

    path: str
    range: Range


@dataclass(frozen=True)
class Finding:
    """A diagnostic as an editor shows it, without the text that it is about. `related` are remarks with
    places: notes, and the diagnostic itself where it is about another file."""

    code: str
    message: str
    is_error: bool
    range: Range
    related: tuple[tuple[str, Place], ...] = ()


@dataclass(frozen=True)
class Job:
    """A document to be checked: its path, the texts of all that are open, and where libraries are."""

    path: Path
    edited: Mapping[Path, str]
    libraries: Sequence[str] = field(default=())
    units: bool = False
    encoding: Encoding = "utf-16"


def findings(job: Job) -> tuple[Finding, ...]:
    """Everything that there is to say about a document, in the order of its text. Never raises."""
    told: dict[tuple[object, ...], Finding] = {}
    try:
        for diagnostic, cls in _diagnostics(job):
            words = diagnostic.code, diagnostic.message, diagnostic.span
            told.setdefault(words, _finding(diagnostic, cls, job))
    except RecursionError:
        told[INTERNAL,] = _fault("something in this file is nested too deeply")
    except Exception as error:  # a fault of ours must not end the work on what is typed next
        said = " ".join(str(error).split())[:200]
        told[INTERNAL,] = _fault(f"{type(error).__name__}: {said}; this is a bug in Saltus, please report it")
    return tuple(sorted(told.values(), key=lambda finding: (finding.range.start, finding.code)))


def _fault(words: str) -> Finding:
    start = Position(0, 0)
    return Finding(INTERNAL, f"internal error: {words}", True, Range(start, start))


# ---------------------------------------------------------------- what is said


def _diagnostics(job: Job) -> Iterator[tuple[Diagnostic, ClassEntry | None]]:
    """Diagnostics, each with the class that was looked at."""
    try:
        classes = classes_in(job.path, Reader(job.edited), job.libraries)
    except SaltusError as error:
        for diagnostic in error.diagnostics:
            yield diagnostic, None
        return
    for top in classes:
        for cls in _with_inner(top):
            for diagnostic in _about(cls, units=job.units):
                yield diagnostic, cls


def _with_inner(cls: ClassEntry) -> Iterator[ClassEntry]:
    """A class and those in the text of a package; a class inside of a model belongs to that model."""
    yield cls
    for element in cls.elements if cls.kind == "package" else ():
        if isinstance(element, ast.ClassDefinition):
            try:
                inner = own_class(cls, element.name)
            except SaltusError:
                continue  # it is said of the package
            if inner is not None:
                yield from _with_inner(inner)


def _about(cls: ClassEntry, *, units: bool) -> Iterator[Diagnostic]:
    try:
        if cls.kind not in MODEL_KINDS or cls.definition.partial or is_external_object(cls):
            _look_at_declarations(cls)
            return
        warnings = (*warnings_of(cls), *warnings_about(cls))
        yield from warnings
        yield from conflict_warnings(cls)
        if units:
            yield from unit_warnings(cls)
    except SaltusError as error:
        tell_in_automata(cls, error)
        tell_in_bonds(cls, error)
        yield from (d for d in error.diagnostics if not _is_left_to_others(d, cls))


def _is_left_to_others(diagnostic: Diagnostic, cls: ClassEntry) -> bool:
    """Whether the models in which a part stands decide it: how many connections an array of connectors has,
    what an `outer` component means, what a `model class` of the Dymola language is connected to. A model of
    Modelica that is in no package is taken for one to be run."""
    if cls.parent is None and language_of(cls.source.path) is not DYMOLA:
        return False
    elements = elements_of(cls).values()
    outer = [element.span for element in elements if element.clause.prefixes.outer]
    span = diagnostic.span
    if span is not None and any(span.source is o.source and o.start <= span.start <= o.end for o in outer):
        return True
    if diagnostic.code not in _OF_STRUCTURE:
        return False
    if language_of(cls.source.path) is DYMOLA:
        return _PART_OF_DYMOLA.match(cls.source.text, cls.definition.start) is not None
    return bool(outer) or any(_is_array_of_connectors(element) for element in elements)


def _is_array_of_connectors(element: Element) -> bool:
    type_ = type_of(element)
    is_connector = isinstance(type_, ClassEntry) and type_.kind == "connector"
    return is_connector and bool(element.declaration.subscripts or element.clause.subscripts)


def _look_at_declarations(cls: ClassEntry) -> None:
    """Raises what is wrong with the bases and the types of components of a class."""
    layout = Layouts().of(cls)
    for element in layout.elements.values():
        if element.lexical is cls:
            resolve_class(element.clause.type_name, cls)


# ---------------------------------------------------------------- as an editor shows it


def _finding(diagnostic: Diagnostic, cls: ClassEntry | None, job: Job) -> Finding:
    here = _is_of(diagnostic.span, job)
    span = diagnostic.span if here else _instead(diagnostic, cls, job)
    words = [f"{diagnostic.title}: {diagnostic.message}"]
    words += [f"note: {note.message}" for note in diagnostic.notes if note.span is None]
    words += diagnostic.within
    if diagnostic.advice:
        words.append(f"hint: {diagnostic.advice}")
    spans = [(note.message, note.span) for note in diagnostic.notes]
    if not here:
        spans.insert(0, (diagnostic.message, diagnostic.span))
    return Finding(
        diagnostic.code,
        "\n".join(words),
        diagnostic.severity is Severity.ERROR,
        range_of(span, job.encoding) if span is not None else Range(Position(0, 0), Position(0, 0)),
        tuple((message, _place(at, job)) for message, at in spans if at is not None),
    )


def _is_of(span: Span | None, job: Job) -> bool:
    return span is not None and _is_path_of(span.source, job)


def _is_path_of(source: Source, job: Job) -> bool:
    return source.path == str(job.path) or Path(source.path).resolve() == job.path.resolve()


def _instead(diagnostic: Diagnostic, cls: ClassEntry | None, job: Job) -> Span | None:
    """The place in the document from which one in another file was come to: the component that led there, a
    note, or the heading of the model."""
    notes = [note.span for note in diagnostic.notes if note.span is not None]
    places = [*diagnostic.declared, *notes, *([cls.span] if cls is not None else [])]
    return next((span for span in places if _is_of(span, job)), None)


def _place(span: Span, job: Job) -> Place:
    return Place(span.source.path, range_of(span, job.encoding))
