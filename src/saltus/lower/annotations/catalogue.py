"""What a library offers, read from its classes without giving values to anything.

A part is a model or block that can be used in others; examples, connectors, icons and partial classes are no
parts. The models of the gallery say by an annotation `__Saltus(Gallery(...))` which passage of which paper
they stand for, and the package of a paper by `__Saltus(Omitted(...))` what of it is not shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from textwrap import dedent
from typing import Any

from saltus.core.diagnostics import ModelError, model_error
from saltus.ir import ast
from saltus.ir.catalogue import Exhibit, Member, Part, PartDescription, Wing
from saltus.ir.instance import ClassEntry, Element
from saltus.lower.annotations.literals import NotLiteral, Record, entry_of, place_of, value_of
from saltus.lower.classes.classes import own_class, own_class_names
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import resolve_class

#: Packages whose classes are no parts.
_APART = frozenset({"Examples", "Interfaces", "Icons"})

_PART_KINDS = ("model", "block")


def classes_below(package: ClassEntry) -> Iterator[ClassEntry]:
    """All classes of a package and of those in it; what is inside a model belongs to the model. Classes that
    cannot be read are left out: a catalogue is no check."""
    for name in own_class_names(package):
        try:
            inner = own_class(package, name)
        except ModelError:
            continue
        if inner is None:
            continue
        yield inner
        if inner.kind == "package":
            yield from classes_below(inner)


def parts_of(package: ClassEntry) -> list[ClassEntry]:
    """The parts of a library."""
    return [
        cls
        for cls in classes_below(package)
        if cls.kind in _PART_KINDS
        and not cls.definition.partial
        and not _APART & set(cls.full_name.split("."))
        and _experiment(cls) is None
    ]


def part_of(cls: ClassEntry) -> Part:
    """The entry of a class in a list."""
    return Part(cls.full_name, cls.kind, cls.definition.description)


def described(cls: ClassEntry, examples: ClassEntry | None) -> PartDescription:
    """Everything about a part, including the examples of a package that use it."""
    layouts = Layouts()
    layout = layouts.of(cls)
    parameters: list[Member] = []
    connectors: list[Member] = []
    variables: list[Member] = []
    components: list[Member] = []
    for element in layout.elements.values():
        type_ = resolve_class(element.clause.type_name, element.lexical)
        kind = type_.kind if isinstance(type_, ClassEntry) else "type"
        entry = _member(element, layouts)
        if element.clause.variability in ("parameter", "constant"):
            settable = not element.protected and not _is_final(element)
            if settable and element.clause.variability == "parameter":
                parameters.append(entry)
        elif kind == "connector":
            connectors.append(entry)
        elif kind in ("type", "record"):
            variables.append(entry)
        else:
            components.append(entry)
    equations = tuple(
        _equation(item, section, lexical) for section, lexical in layout.sections for item in section.items
    )
    return PartDescription(
        part_of(cls),
        documentation(cls),
        tuple(parameters),
        tuple(connectors),
        tuple(variables),
        tuple(components),
        equations,
        tuple(_uses(cls, examples, layouts)) if examples is not None else (),
    )


def gallery_of(package: ClassEntry) -> list[Wing]:
    """The gallery in a package: one wing for each of its packages. Raises `ModelError` if an annotation is
    not what it should be."""
    wings = []
    for name in own_class_names(package):
        paper = own_class(package, name)
        if paper is None or paper.kind != "package":
            continue
        exhibits = [found for cls in classes_below(paper) if (found := _exhibit(cls)) is not None]
        omitted = _own(paper, "Omitted")
        items = _texts(paper, omitted, "items") if omitted is not None else ()
        wings.append(Wing(paper.full_name, paper.definition.description, tuple(exhibits), items))
    return wings


# ---------------------------------------------------------------- parts


def _is_final(element: Element) -> bool:
    """Whether nobody who uses the part may give the element another value."""
    changes = (change.argument for change in element.modifications)
    return element.clause.prefixes.final or any(getattr(argument, "final", False) for argument in changes)


def _member(element: Element, layouts: Layouts) -> Member:
    clause, declaration, lexical = element.clause, element.declaration, element.lexical
    type_ = resolve_class(clause.type_name, lexical)
    name = type_.full_name if isinstance(type_, ClassEntry) else clause.type_name.text
    value, unit = "", ""
    if isinstance(type_, ClassEntry):
        for change in layouts.of(type_).type_modifications:
            unit = _unit(change.argument) or unit
    for modification, where in (
        (declaration.modification, lexical),
        *((getattr(c.argument, "modification", None), c.lexical) for c in reversed(element.modifications)),
    ):
        if modification is None:
            continue
        for argument in modification.arguments or ():
            unit = _unit(argument) or unit
        if modification.value is not None:
            value = _one_line(where.at(modification.value).text)
    subscripts = [lexical.at(s).text for s in (*declaration.subscripts, *clause.subscripts)]
    size = f"[{', '.join(subscripts)}]" if subscripts else ""
    return Member(element.name + size, name, value, unit, declaration.description)


def _unit(argument: object) -> str:
    """The unit that a modification gives, if it does."""
    if isinstance(argument, ast.ElementModification) and argument.name == ("unit",):
        said = argument.modification
        if said is not None and isinstance(said.value, ast.String):
            return said.value.value
    return ""


def _equation(item: ast.Node, section: ast.Section, lexical: ClassEntry) -> str:
    """An equation as it is written, without its annotation."""
    span = lexical.at(item)
    lead = span.source.text.rfind("\n", 0, span.start) + 1
    indented = " " * (span.start - lead) + span.text
    text = dedent(without_annotations(indented)).rstrip().rstrip(";")
    return f"initial: {text}" if section.initial else text


def _uses(cls: ClassEntry, examples: ClassEntry, layouts: Layouts) -> Iterator[str]:
    """Examples that have the part as a component."""
    for example in classes_below(examples):
        if example.kind not in _PART_KINDS or example.definition.partial or _experiment(example) is None:
            continue
        try:
            elements = layouts.of(example).elements.values()
            used = {resolve_class(e.clause.type_name, e.lexical) for e in elements}
        except ModelError:
            continue
        if any(isinstance(u, ClassEntry) and u.full_name == cls.full_name for u in used):
            yield example.full_name


def _experiment(cls: ClassEntry) -> ast.Modification | None:
    return entry_of(cls, cls.definition.annotation, "experiment")


def documentation(cls: ClassEntry) -> tuple[str, ...]:
    """The documentation as plain text."""
    try:
        found = value_of(entry_of(cls, cls.definition.annotation, "Documentation"))
    except NotLiteral:
        return ()
    info = found.fields.get("info") if isinstance(found, Record) else None
    if not isinstance(info, str):
        return ()
    blocks = re.split(r"</?(?:p|html|ul|ol|li|pre|h\d|br|table|tr|div)\b[^>]*>", info)
    texts = (_one_line(unescape(re.sub(r"<[^>]*>", "", block))) for block in blocks)
    return tuple(text for text in texts if text)


def without_annotations(text: str) -> str:
    """Modelica text without annotations; the semicolon of an annotation of a class goes with it."""
    kept: list[str] = []
    at = depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if depth:
            depth += (token == "(") - (token == ")")
            if not depth:
                at = match.end()
                if "".join(kept).rstrip().endswith((";", "equation", "algorithm", "public", "protected")):
                    at += len(text[at:]) - len(text[at:].lstrip("; "))
        elif token.startswith("annotation"):
            kept.append(text[at : match.start()].rstrip())
            depth = 1
    return "".join([*kept, text[at:]])


#: Strings and comments are stepped over as a whole.
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|\bannotation\s*\(|[()]', re.DOTALL)


def _one_line(text: str) -> str:
    return " ".join(text.split())


# ---------------------------------------------------------------- the gallery


def _own(cls: ClassEntry, name: str) -> Record | None:
    """An entry of the annotation `__Saltus` of a class."""
    try:
        found = value_of(entry_of(cls, cls.definition.annotation, "__Saltus"))
    except NotLiteral as error:
        raise model_error("E207", str(error), place_of(cls, error.node)) from None
    inner = found.fields.get(name) if isinstance(found, Record) else None
    return inner if isinstance(inner, Record) else None


def _exhibit(cls: ClassEntry) -> Exhibit | None:
    found = _own(cls, "Gallery")
    if found is None:
        return None
    words = {name: _text(cls, found, name) for name in ("paper", "place", "passage", "look")}
    return Exhibit(
        cls.full_name,
        cls.definition.description,
        **words,
        plot=_texts(cls, found, "plot"),
        modes=found.fields.get("modes") is True,
        log=found.fields.get("log") is True,
        text=_source(cls),
    )


def _source(cls: ClassEntry) -> str:
    """The text of a class; of its annotations, the experiment only."""
    span = cls.at(cls.definition)
    start = span.source.text.rfind("\n", 0, span.start) + 1
    text = dedent(without_annotations(span.source.text[start : span.end]).rstrip().rstrip(";"))
    body, end = text.rstrip().rsplit("\n", 1)
    experiment = entry_of(cls, cls.definition.annotation, "experiment")
    shown = (
        f"  annotation(experiment{_one_line(cls.at(experiment).text)});\n" if experiment is not None else ""
    )
    return f"{body.rstrip()}\n{shown}{end};"


def _text(cls: ClassEntry, record: Record, name: str) -> str:
    value: Any = record.fields.get(name)
    if not isinstance(value, str):
        raise model_error("E207", f"the gallery needs a text `{name}`", place_of(cls, record.node))
    return _one_line(value)


def _texts(cls: ClassEntry, record: Record, name: str) -> tuple[str, ...]:
    value: Any = record.fields.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise model_error("E207", f"the gallery needs a list of texts `{name}`", place_of(cls, record.node))
    return tuple(map(_one_line, value))
