"""What is known of the name at a place, as Markdown: its declaration, its unit, its equations."""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.diagnostics import SaltusError
from saltus.core.source import Span
from saltus.editor.definition import meant_at
from saltus.editor.document import Document
from saltus.editor.elements import (
    Chain,
    attribute_of,
    elements_of,
    literals_of,
    predefined_of,
    references,
    type_of,
    unit_of,
    value_of,
    with_bases,
)
from saltus.editor.meaning import Attribute, Component, Literal, Meaning, Named, Word, inside
from saltus.editor.predefined import ATTRIBUTES, PREDEFINED_FUNCTIONS, PREDEFINED_TYPES, PREDEFINED_VARIABLES
from saltus.editor.workspace import Workspace
from saltus.ir import ast
from saltus.ir.instance import ClassEntry
from saltus.lower.annotations.catalogue import documentation, without_annotations

#: More equations than that are counted.
_SHOWN = 8
#: Parameters and connectors of a class.
_LISTED = 12
#: Letters of a modification.
_LONGEST = 200

_ATTRIBUTES = ("start", "fixed", "min", "max", "nominal", "displayUnit", "stateSelect")


def hover(workspace: Workspace, document: Document, offset: int) -> tuple[str, Span] | None:
    """What is known of the name at a place, and the stretch of that name."""
    found = meant_at(workspace, document, offset)
    return (described(found[0]), found[1]) if found is not None else None


def described(meaning: Meaning) -> str:
    """Markdown about it."""
    match meaning:
        case Component():
            return "\n\n".join(_component(meaning))
        case Named(cls=ClassEntry() as cls):
            return "\n\n".join(_class(cls))
        case Named():
            words = PREDEFINED_TYPES.get(meaning.cls.name, "Predefined")
            literals = ", ".join(f"`{name}`" for name in literals_of(meaning.cls))
            return "\n\n".join(filter(None, (f"**{meaning.cls.name}**: {words}.", literals)))
        case Literal():
            description = literals_of(meaning.cls).get(meaning.name, "")
            return f"`{meaning.cls.full_name}.{meaning.name}`" + (f"\n\n{description}" if description else "")
        case Attribute():
            return f"`{meaning.name}` of `{meaning.type}`: {ATTRIBUTES[meaning.type][meaning.name]}."
        case Word():
            function = PREDEFINED_FUNCTIONS.get(meaning.name)
            if function is None:
                return _code("Real time") + f"\n\n{PREDEFINED_VARIABLES[meaning.name]}, unit `s`"
            call = f"{meaning.name}({', '.join(function.arguments)})"
            return _code(call) + f"\n\n{function.description}."


# ---------------------------------------------------------------- components


def _component(component: Component) -> Iterator[str]:
    chain = component.chain
    element = chain[-1]
    clause, declaration = element.clause, element.declaration
    type_ = type_of(element)
    words = [clause.connection, clause.variability, clause.causality]
    type_name = type_.full_name if type_ is not None else clause.type_name.text
    subscripts = [element.lexical.at(s).text for s in (*declaration.subscripts, *clause.subscripts)]
    size = f"[{', '.join(subscripts)}]" if subscripts else ""
    value = value_of(chain)
    name = ".".join(component.names)
    line = " ".join(filter(None, (*words, type_name, name + size)))
    if value is not None:
        line += f" = {value.text}"
    elif declaration.modification is not None:
        line += _shortened(" ".join(element.lexical.at(declaration.modification).text.split()))
    yield _code(line)
    descriptions = [declaration.description]
    if isinstance(type_, ClassEntry) and not predefined_of(type_):
        descriptions.append(type_.definition.description)
    yield from filter(None, descriptions)
    facts = []
    unit = unit_of(chain)
    if unit:
        facts.append(f"unit `{unit}`")
    for attribute in _ATTRIBUTES:
        said = attribute_of(chain, attribute)
        if said is not None:
            facts.append(f"{attribute} `{said.text}`")
    if facts:
        yield ", ".join(facts)
    where = f"Declared in `{element.lexical.full_name}`"
    if value is not None and value.lexical is not element.lexical:
        where += f"; its value is given in `{value.lexical.full_name}`"
    yield where
    equations = list(_equations(component))
    if equations:
        yield "**Equations**\n" + _code("\n".join(dict.fromkeys(text for text, _ in equations[:_SHOWN])))
        if len(equations) > _SHOWN:
            yield f"and {len(equations) - _SHOWN} more"
        units: dict[str, str] = {}
        for _, more in equations[:_SHOWN]:
            units |= more
        told = [f"`{known}` in `{unit}`" for known, unit in units.items() if unit]
        if told:
            yield "Units: " + ", ".join(told)


def _equations(component: Component) -> Iterator[tuple[str, dict[str, str]]]:
    """The equations with a variable in them, each with the units of its variables: those of the class in
    which it is seen, and those of the class that declares it."""
    names = component.names
    for k in range(len(names)):
        owner = component.context if k == 0 else type_of(component.chain[k - 1])
        if isinstance(owner, ClassEntry):
            yield from equations_with(owner, names[k:], component.chain[:k])


def equations_with(
    owner: ClassEntry, names: tuple[str, ...], chain: Chain = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """The equations of a class and its bases with a variable in them."""
    for cls in with_bases(owner):
        body = cls.definition.body
        for section in body.sections if isinstance(body, ast.LongBody) else ():
            for item in _simple(section.items):
                used = list(references(item))
                if not any(_names(reference)[: len(names)] == names for reference in used):
                    continue
                text = without_annotations(cls.at(item).text).strip().rstrip(";")
                lead = "initial: " if section.initial else ""
                units = {reference.text: _unit(reference, owner, chain) for reference in used}
                yield lead + " ".join(text.split()), units


def _simple(items: tuple[ast.Item, ...]) -> Iterator[ast.Item]:
    """Equations and statements without those that hold others."""
    for item in items:
        match item:
            case ast.IfEquation() | ast.WhenEquation():
                for _, inner in item.branches:
                    yield from _simple(inner)
            case ast.ForEquation() | ast.WhileStatement():
                yield from _simple(item.items)
            case _:
                yield item


def _names(reference: ast.Reference) -> tuple[str, ...]:
    return tuple(name for name, _ in reference.parts)


def _unit(reference: ast.Reference, owner: ClassEntry, chain: Chain) -> str:
    element = elements_of(owner).get(reference.parts[0][0])
    found: Meaning | None = Component((*chain, element), owner) if element is not None else None
    for name, _ in reference.parts[1:]:
        found = inside(found, name)
    return unit_of(found.chain) if isinstance(found, Component) else ""


# ---------------------------------------------------------------- classes


def _class(cls: ClassEntry) -> Iterator[str]:
    definition = cls.definition
    words = ["partial" if definition.partial else "", definition.kind, cls.full_name]
    yield _code(" ".join(filter(None, words)))
    if definition.description:
        yield definition.description
    try:
        paragraphs = documentation(cls)
    except SaltusError:
        paragraphs = ()
    if paragraphs:
        yield paragraphs[0]
    literals = literals_of(cls)
    if literals:
        yield ", ".join(f"`{name}`" for name in literals)
    elif predefined_of(cls):
        yield f"A type of `{predefined_of(cls)}`"
    parameters, connectors = [], []
    for element in elements_of(cls).values():
        type_ = type_of(element)
        if element.clause.variability == "parameter" and not element.protected:
            value, unit = value_of((element,)), unit_of((element,))
            text = f"`{element.name}" + (f" = {value.text}`" if value is not None else "`")
            text += f" [{unit}]" if unit else ""
            description = element.declaration.description
            parameters.append(text + (f": {description}" if description else ""))
        elif isinstance(type_, ClassEntry) and type_.kind == "connector" and not element.protected:
            connectors.append(f"`{element.name}`: {type_.full_name}")
    for heading, rows in (("Parameters", parameters), ("Connectors", connectors)):
        if rows:
            more = [f"- and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else []
            yield "\n".join([f"**{heading}**", "", *(f"- {row}" for row in rows[:_LISTED]), *more])


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _code(text: str) -> str:
    return f"```modelica\n{text}\n```"
