"""Files in one language as text in another.

all languages       ->  Modelica     every model, as the reader lowers it
Modelica, Dymola    ->  Dymola       what fits (`read/dymola/from_modelica.py`)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from saltus.bonds import modelica_text
from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.source import Source
from saltus.finding import BOND_GRAPH, DYMOLA, MODELICA, language_of, read_definitions
from saltus.ir import ast
from saltus.ir.dymola import Comment, Model
from saltus.ir.instance import Library
from saltus.read.bondgraph.files import graphs
from saltus.read.dymola import files as dymola
from saltus.read.dymola.from_modelica import to_models
from saltus.read.dymola.text.writer import dymola_text
from saltus.read.modelica.printer import to_text

#: What `--to` may say.
TARGETS = ("modelica", "dymola")


def convert(path: str | Path, to: str, libraries: Sequence[str | Path] | str | Path = ()) -> str:
    """The text of a file in another language. Raises `ModelError` with what has no counterpart there.

    text = saltus.convert("Rectifier.dym", "modelica")
    """
    path = Path(path)
    if to not in TARGETS:
        hint = f"languages are {' and '.join(f'`{t}`' for t in TARGETS)}"
        raise UsageError(Diagnostic("E501", f"there is no language `{to}`", hint=hint))
    library, source, stored = read_definitions(path, libraries)
    language = language_of(path)
    if to == "dymola":
        if language is BOND_GRAPH:
            hint = "convert it to Modelica first"
            raise UsageError(Diagnostic("E501", "a bond graph is not converted to Dymola", hint=hint))
        if language is DYMOLA:
            models = dymola.models(source)
            told = [_settings(library, source, m.experiment) for m in models]
        else:
            models = to_models(source, stored)
            classes = {c.name: c for c in stored.classes}
            told = [_settings(library, source, classes[m.name].annotation) for m in models]
        return dymola_text(models, told)
    if language is MODELICA:
        return source.text
    if language is BOND_GRAPH:
        return "\n".join(modelica_text(graph, source) for graph in graphs(source))
    if language is DYMOLA:
        return dymola_as_modelica(source, stored.classes)
    return "\n".join(_as_it_is_read(library, source, definition) for definition in stored.classes)


def _as_it_is_read(library: Library, source: Source, definition: ast.ClassDefinition) -> str:
    """A class as its reader has made it, with how it is run."""
    text = to_text(replace(definition, annotation=None))
    if definition.annotation is None:
        return text + "\n"
    told = to_text(library.reader.annotation(source, definition.annotation))
    body, _, last = text.rpartition("\n")
    return f"{body}\n  annotation{told};\n{last}\n"


def _settings(library: Library, source: Source, annotation: ast.Offsets | None) -> str:
    """An experiment as Dymola models tell it."""
    if annotation is None:
        return ""
    modification = library.reader.annotation(source, annotation)
    names = {long: short for short, long in dymola.EXPERIMENT.items()}
    told = []
    for entry in modification.arguments or ():
        if isinstance(entry, ast.ElementModification) and entry.name == ("experiment",):
            for each in (entry.modification.arguments or ()) if entry.modification is not None else ():
                if isinstance(each, ast.ElementModification) and each.name[0] in names and each.modification:
                    told.append(f"{names[each.name[0]]} = {_value(each.modification.value)}")
    return ", ".join(told)


def _value(value: ast.Expression | None) -> str:
    return "" if value is None else to_text(value)


# ---------------------------------------------------------------- Dymola as Modelica


def dymola_as_modelica(source: Source, definitions: Sequence[ast.ClassDefinition]) -> str:
    """Classes that were read from Dymola, with the comments of the text. Connectors come first, once each."""
    models = {m.name: m for m in dymola.models(source)}
    connectors: dict[str, str] = {}
    classes: list[str] = []
    inside = [e for d in definitions for e in _long(d).elements]
    bases = {e.type_name.text for e in inside if isinstance(e, ast.Extends)}
    used = {e.type_name.text for e in inside if isinstance(e, ast.ComponentClause)}
    for definition in definitions:
        for element in _long(definition).elements:
            if isinstance(element, ast.ClassDefinition):
                connectors[element.name] = _connector_text(element)
        # The last class stays one that can be run: without `--model` it is meant, here as there.
        is_last = definition is definitions[-1]
        is_base = definition.name in bases - used and models[definition.name].is_class and not is_last
        classes.append(_class_text(source, definition, models[definition.name], is_base))
    return "\n".join([*connectors.values(), *classes])


def _long(definition: ast.ClassDefinition) -> ast.LongBody:
    assert isinstance(definition.body, ast.LongBody)
    return definition.body


def _connector_text(connector: ast.ClassDefinition) -> str:
    annotation = "annotation(__Saltus(Cut = true))"
    marked = replace(connector, annotation=(0, len(annotation)))
    return to_text(marked, Source("", annotation)) + "\n"


def _class_text(source: Source, definition: ast.ClassDefinition, model: Model, is_base: bool) -> str:
    body = _long(definition)
    comments = [item for item in model.items if isinstance(item, Comment)]
    head = replace(definition, body=replace(body, elements=(), sections=()), annotation=None, partial=is_base)
    first, *_, last = to_text(head).split("\n")
    lines = [first]

    def put(node: ast.Node, text: str) -> None:
        while comments and model.start <= node.start and comments[0].start < node.start:
            lines.append(f"  // {comments.pop(0).text}")
        lines.extend(f"  {line}" for line in text.split("\n"))

    for element in body.elements:
        if not isinstance(element, ast.ClassDefinition):
            put(element, to_text(_named_apart(element)))
    for section in body.sections:
        lines.append("initial equation" if section.initial else "equation")
        for item in section.items:
            put(item, to_text(item))
    lines += [f"  // {comment.text}" for comment in comments]
    if definition.annotation is not None:
        lines.append(f"  annotation{to_text(dymola.annotation(source, definition.annotation))};")
    return "\n".join([*lines, last, ""])


def _named_apart(element: ast.Element) -> ast.Element:
    """A component that is named like its class hides it; with a dot the class is sought at the top."""
    if isinstance(element, ast.ComponentClause):
        name = element.type_name
        hides = any(d.name == name.parts[0][0] for d in element.declarations)
        return replace(element, type_name=replace(name, absolute=hides))
    if isinstance(element, ast.Extends):
        return replace(element, type_name=replace(element.type_name, absolute=False))
    return element
