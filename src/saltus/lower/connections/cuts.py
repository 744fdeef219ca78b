"""Cuts: connectors whose variables meet by position (Elmqvist 1978), marked by `__Saltus(Cut = true)`.

A cut may have any number of across and through variables, also more of one kind than of the other: models
that use it are balanced as a whole, not each by itself. It meets connectors of any class with as many.
"""

from __future__ import annotations

from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Instance, Node, Scalar
from saltus.lower.annotations.literals import entry_of, fields_of


def is_cut(cls: ClassEntry) -> bool:
    """Whether the annotation of a connector says so."""
    said = fields_of(entry_of(cls, cls.definition.annotation, "__Saltus")).get("Cut")
    return said is not None and isinstance(said.value, ast.Boolean) and said.value.value


def by_position(a: Instance, b: Instance) -> list[tuple[Node, Node]] | None:
    """The variables of two connectors that belong together; None if there are not as many."""
    sides = list(zip(_sides(a), _sides(b), strict=True))
    if any(len(one) != len(other) for one, other in sides):
        return None
    return [pair for one, other in sides for pair in zip(one, other, strict=True)]


def _sides(connector: Instance) -> tuple[list[Node], list[Node]]:
    """Across and through variables."""
    across: list[Node] = []
    through: list[Node] = []
    for child in connector.children.values():
        if child is not None:
            is_flow = isinstance(child, Scalar) and child.flow
            (through if is_flow else across).append(child)
    return across, through
