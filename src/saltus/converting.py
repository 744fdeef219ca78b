"""Files in one language as text in another.

all languages       ->  modelica     every model, as the reader lowers it
Modelica, Dymola    ->  dymola       what fits (`read/dymola/from_modelica.py`)
state machine       ->  flat         without states in states (`transform/flattening.py`)
state machine       ->  equations    Boolean equations in Modelica, by the rule of paper 000
state machine       ->  net          a Petri net with one token (`transform/to_net.py`)
machine, Petri net  ->  split        a net whose conditions are single relations (`transform/splitting.py`)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from saltus.bonds import modelica_text
from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.source import Source
from saltus.core.wording import listed
from saltus.finding import (
    BOND_GRAPH,
    DYMOLA,
    MODELICA,
    PETRI_NET,
    STATE_MACHINE,
    language_of,
    read_definitions,
)
from saltus.ir import ast
from saltus.ir.automata.machine import Machine
from saltus.ir.dymola import Comment, Model
from saltus.ir.instance import Library
from saltus.known_classes import DymolaFiles, KnownClasses
from saltus.read.bondgraph.files import graphs
from saltus.read.dymola import files as dymola
from saltus.read.dymola.from_modelica import to_models
from saltus.read.dymola.text.writer import dymola_text
from saltus.read.modelica.printer import to_text
from saltus.read.petri.files import nets
from saltus.read.petri.writer import net_text
from saltus.read.statechart.boolean_equations import boolean_equations
from saltus.read.statechart.files import machines
from saltus.read.statechart.writer import machine_text
from saltus.transform.flattening import flattened
from saltus.transform.splitting import split
from saltus.transform.to_net import to_net

#: What `--to` may say.
TARGETS = ("modelica", "dymola", "flat", "equations", "net", "split")
#: What automata are converted to.
_OF_AUTOMATA = frozenset({"flat", "equations", "net", "split"})


def convert(path: str | Path, to: str, libraries: Sequence[str | Path] | str | Path = ()) -> str:
    """The text of a file in another language: `saltus.convert("Rectifier.dym", "modelica")`. Raises
    `ModelError` with what has no counterpart there."""
    path = Path(path)
    if to not in TARGETS:
        hint = f"there are {listed(TARGETS, len(TARGETS))}"
        raise UsageError(Diagnostic("E501", f"there is no language `{to}`", hint=hint))
    library, source, stored = read_definitions(path, libraries)
    language = language_of(path)
    if to in _OF_AUTOMATA:
        return _automata(source, to)
    if to == "dymola":
        if language not in (MODELICA, DYMOLA):
            hint = "convert it to Modelica first"
            message = f"a file {language.suffix} is not converted to Dymola"
            raise UsageError(Diagnostic("E501", message, hint=hint))
        if language is DYMOLA:
            models = dymola.models(source)
            told = [_settings(library, source, m.experiment) for m in models]
        else:
            models = to_models(source, stored, KnownClasses(library, DymolaFiles(), path.parent))
            classes = {c.name: c for c in stored.classes}
            told = [_settings(library, source, classes[m.name].annotation) for m in models]
        return dymola_text(models, told)
    if language is MODELICA:
        return source.text
    if language is BOND_GRAPH:
        return "\n".join(modelica_text(graph, source) for graph in graphs(source))
    if language is DYMOLA:
        return dymola_as_modelica(source, stored.classes)
    if language in (PETRI_NET, STATE_MACHINE):
        return "\n".join(_as_modelica(source, c, language.annotation) for c in stored.classes)
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
    """An experiment in the syntax of Dymola models."""
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


# ---------------------------------------------------------------- automata


def _automata(source: Source, to: str) -> str:
    """The nets and machines of a text in another form."""
    language = language_of(source.path)
    if language is STATE_MACHINE:
        return "\n".join(_machine(machine, to) for machine in machines(source))
    if language is PETRI_NET and to == "split":
        return "\n".join(net_text(split(net)) for net in nets(source))
    what = "of a state machine or a Petri net" if to == "split" else "of a state machine"
    hint = "state machines are in files that end with .sm"
    raise UsageError(Diagnostic("E501", f"`{to}` is made {what}", hint=hint))


def _machine(machine: Machine, to: str) -> str:
    simple = machine if all(not s.states for s in machine.states) else flattened(machine)
    match to:
        case "flat":
            return machine_text(simple)
        case "equations":
            return equations_text(simple)
        case "net":
            return net_text(to_net(simple))
    return net_text(split(to_net(simple)))


def equations_text(machine: Machine) -> str:
    """Boolean equations of a machine without hierarchy, as Modelica text. Its log is that of any model."""
    text = Source("<machine>.sm", machine_text(machine))
    (read,) = machines(text)
    return _as_modelica(text, boolean_equations(read), STATE_MACHINE.annotation, logged=False)


def _as_modelica(
    source: Source,
    definition: ast.ClassDefinition,
    annotation: Callable[[Source, ast.Offsets], ast.Modification],
    *,
    logged: bool = True,
) -> str:
    """A class that a reader has made. The printer copies annotations from the text: here they are written."""
    written = ""

    def place(offsets: ast.Offsets | None) -> ast.Offsets | None:
        nonlocal written
        said = to_text(annotation(source, offsets)) if offsets is not None else ""
        if said in ("", "()") or ("__Saltus" in said and not logged):
            return None
        start = len(written)
        written += f"annotation{said}"
        return start, len(written)

    body = definition.body
    assert isinstance(body, ast.LongBody)
    elements = tuple(
        replace(e, declarations=tuple(replace(d, annotation=place(d.annotation)) for d in e.declarations))
        if isinstance(e, ast.ComponentClause)
        else e
        for e in body.elements
    )
    made = replace(definition, body=replace(body, elements=elements), annotation=place(definition.annotation))
    text = to_text(made, Source(source.path, written))
    return text.replace(" .Saltus.", " Saltus.") + "\n"
