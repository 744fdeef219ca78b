"""What texts declare besides places and states, as components and equations of a class of Modelica."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from saltus.ir import ast
from saltus.ir.automata.lines import (
    Connection,
    Continuous,
    Declared,
    Equation,
    Experiment,
    Input,
    Memory,
    Parameter,
    Part,
    Signal,
    Variable,
)
from saltus.read.lines.pieces import called, declared, modifier, path, truth
from saltus.read.lines.types import is_boolean

#: What names mean in an expression of the text.
Meaning: TypeAlias = Callable[[ast.Expression], ast.Expression]


@dataclass
class Body:
    """The contents of a class that is being made."""

    elements: list[ast.Element] = field(default_factory=list)
    items: list[ast.Item] = field(default_factory=list)

    def equation(self, node: ast.Node, left: ast.Expression, right: ast.Expression) -> None:
        """Adds `left = right`, with the place of a node."""
        self.items.append(ast.SimpleEquation(node.start, node.end, left, right))

    def hidden(self, node: ast.Node, name: str, type_name: str, value: ast.Expression) -> ast.Reference:
        """Adds a variable that no text can name by accident, and of which the log says nothing."""
        quoted, silent = f"'{name}'", (node.start, node.end)
        self.elements.append(
            declared(node, quoted, type_name, value, annotation=silent, protected=True, description="")
        )
        return path(node, quoted)

    def kept(
        self, node: ast.Node, name: str, type_name: str, first: ast.Expression, variability: str = ""
    ) -> None:
        """Adds one that is kept from round to round; an equation has to say what it is after each."""
        clause = declared(
            node,
            name,
            type_name,
            variability=variability,
            modification=started(node, first),
            annotation=(node.start, node.end),
            protected=True,
            description="",
        )
        self.elements.append(clause)

    def rises(self, condition: ast.Expression, owner: str) -> ast.Expression:
        """Whether the condition of a transition becomes true: `edge(condition)`, by a variable of its own."""
        return called(
            condition, "edge", self.hidden(condition, f"condition of {owner}", "Boolean", condition)
        )


def types(items: Iterable[object], more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The type of each variable that is declared: as the text says, or by its value."""
    valued = [i for i in items if isinstance(i, Parameter | Signal | Memory)]
    found = dict(more or {})
    found |= {i.name: i.type_name for i in valued if i.type_name}
    known = {i.name: i.value for i in valued if not i.type_name}

    def is_known(reference: ast.Reference) -> bool:
        return found.get(reference.text) == "Boolean"

    for item in valued:
        if not item.type_name:
            found[item.name] = "Boolean" if is_boolean(item.value, known, is_known) else "Real"
    return found


def declare(body: Body, item: Declared, type_names: Mapping[str, str], meaning: Meaning) -> None:
    """Adds what an item declares."""
    match item:
        case Parameter():
            body.elements.append(
                declared(item, item.name, type_names[item.name], item.value, variability="parameter")
            )
        case Signal():
            body.elements.append(declared(item, item.name, type_names[item.name], meaning(item.value)))
        case Memory():
            discrete = "discrete" if type_names[item.name] == "Real" else ""
            body.elements.append(_started(item, type_names[item.name], discrete))
        case Continuous():
            body.elements.append(_started(item, "Real"))
        case Variable():
            body.elements.append(declared(item, item.name, item.type_name or "Real"))
        case Input():
            declaration = ast.Declaration(item.start, item.end, item.name, description=item.description)
            type_name = path(item, item.type_name)
            body.elements.append(
                ast.ComponentClause(item.start, item.end, type_name, (), (declaration,), causality="input")
            )
        case Part():
            given = tuple(modifier(a, (a.name,), meaning(a.value)) for a in item.arguments)
            modification = ast.Modification(item.start, item.end, given) if given else None
            declaration = ast.Declaration(
                item.start, item.end, item.name, modification=modification, description=item.description
            )
            body.elements.append(
                ast.ComponentClause(item.start, item.end, item.type_name, (), (declaration,))
            )
        case Equation():
            body.equation(item, meaning(item.left), meaning(item.right))
        case Connection():
            body.items.append(ast.Connect(item.start, item.end, item.left, item.right))
        case Experiment():
            pass


def _started(item: Memory | Continuous, type_name: str, variability: str = "") -> ast.ComponentClause:
    begins = started(item, item.value)
    return declared(item, item.name, type_name, variability=variability, modification=begins)


def started(node: ast.Node, value: ast.Expression) -> ast.Modification:
    """`(start = value, fixed = true)`"""
    given = (modifier(node, ("start",), value), modifier(node, ("fixed",), truth(node, True)))
    return ast.Modification(node.start, node.end, given)
