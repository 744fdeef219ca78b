"""Annotations as plain values: numbers, texts, lists, and records with their fields.

Graphical annotations are literals (section 18.6), so nothing has to be looked up: enumeration literals such
as `FillPattern.Solid` become their last word. What is not a literal raises `NotLiteral`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from saltus.core.source import Span
from saltus.ir import ast
from saltus.ir.instance import ClassEntry


class NotLiteral(Exception):
    """An expression that needs a run or the model to be evaluated."""

    def __init__(self, node: ast.Node) -> None:
        self.node = node
        super().__init__("this is not a literal")


@dataclass(frozen=True)
class Record:
    """`Line(points = ..., color = ...)`."""

    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    node: ast.Node | None = None


def annotation_of(cls: ClassEntry, offsets: ast.Offsets | None) -> Mapping[str, ast.Modification | None]:
    """The entries of an annotation by name; they are evaluated when asked for, since most never are."""
    if offsets is None:
        return {}
    modification = cls.library.reader.annotation(cls.source, offsets)
    return {name: entry for name, entry, _ in _entries(modification)}


def entry_of(cls: ClassEntry, offsets: ast.Offsets | None, name: str) -> ast.Modification | None:
    """One entry of an annotation."""
    return annotation_of(cls, offsets).get(name)


def fields_of(modification: ast.Modification | None) -> Mapping[str, ast.Modification]:
    """`(a = 1, b(c = 2))` by name."""
    entries = _entries(modification) if modification is not None else ()
    return {name: entry for name, entry, _ in entries if entry is not None}


def _entries(
    modification: ast.Modification,
) -> Iterator[tuple[str, ast.Modification | None, ast.ElementModification]]:
    for argument in modification.arguments or ():
        if isinstance(argument, ast.ElementModification):
            yield argument.name[0], argument.modification, argument


def value_of(modification: ast.Modification | None) -> Any:
    """The value of `name = value`; of `name(a = 1)`, a record."""
    if modification is None:
        return None
    if modification.value is not None:
        return literal(modification.value)
    fields = {name: value_of(entry) for name, entry in fields_of(modification).items()}
    return Record("", fields, modification)


def literal(node: ast.Expression) -> Any:
    """The value of a literal expression."""
    match node:
        case ast.Number() | ast.String() | ast.Boolean():
            return node.value
        case ast.Parenthesis():
            return literal(node.inner)
        case ast.Unary(operator="-" | "+" as operator):
            number = literal(node.operand)
            if isinstance(number, int | float) and not isinstance(number, bool):
                return -number if operator == "-" else number
        case ast.ArrayConstructor(iterators=()):
            return [literal(element) for element in node.elements]
        case ast.Reference():
            if all(not subscripts for _, subscripts in node.parts):
                return node.parts[-1][0]
        case ast.Call(iterators=()):
            if node.function.text == "DynamicSelect" and node.args:
                return literal(node.args[0])  # as it is before a run
            if not node.args:
                fields = {name: literal(value) for name, value in node.named}
                return Record(node.function.parts[-1][0], fields, node)
    raise NotLiteral(node)


def place_of(cls: ClassEntry, node: ast.Node | None) -> Span:
    return cls.span if node is None else cls.at(node)
