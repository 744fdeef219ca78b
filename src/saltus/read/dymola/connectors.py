"""Cuts as connectors of Modelica.

The variables of cuts meet by position, those of connectors by name. So all cuts with as many variables of the
same types are one connector, with `across` and `through`, or `across1`, `across2` and so on. The usual one is
`Dymola1993.Cut`, of one across and one through variable. Its annotation says that connectors of other
classes, such as pins, meet it by position, too (`lower/connections/compatibility.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from saltus.ir import ast
from saltus.ir.dymola import BOOLEAN, REAL, Cut, CutVariable

Signature: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
ACROSS, THROUGH = "across", "through"
_USUAL: Signature = ((REAL,), (REAL,))


def connector_name(signature: Signature) -> str | None:
    """What the connector is called; None for that of the library."""
    if signature == _USUAL:
        return None
    across, through = signature
    if BOOLEAN in (*across, *through):
        letters = ("".join(t[0] for t in side) for side in signature)
        return "Cut" + "_".join(letters)
    return f"Cut{len(across)}_{len(through)}"


def member(side: str, index: int, count: int) -> str:
    """The name of a variable of a connector."""
    return side if count == 1 else f"{side}{index + 1}"


def connector_class(cut: Cut, signature: Signature) -> ast.ClassDefinition:
    """The connector, at the place of a cut; its annotation stands there, too."""
    name = connector_name(signature)
    assert name is not None
    elements = []
    for side, types in ((ACROSS, signature[0]), (THROUGH, signature[1])):
        for k, kind in enumerate(types):
            type_name = ast.Reference(cut.start, cut.end, ((kind, ()),))
            declaration = ast.Declaration(cut.start, cut.end, member(side, k, len(types)))
            flow = "flow" if side == THROUGH else ""
            elements.append(
                ast.ComponentClause(cut.start, cut.end, type_name, (), (declaration,), connection=flow)
            )
    body = ast.LongBody(cut.start, cut.end, tuple(elements), ())
    return ast.ClassDefinition(cut.start, cut.end, name, "connector", body, annotation=(cut.start, cut.end))


def cut_equations(cut: Cut) -> Iterator[ast.SimpleEquation]:
    """What the variables of the model have to do with those of the connector."""
    for side, variables in ((ACROSS, cut.across), (THROUGH, cut.through)):
        for k, variable in enumerate(variables):
            if variable.name:
                yield _equation(cut, variable, member(side, k, len(variables)))


def _equation(cut: Cut, variable: CutVariable, name: str) -> ast.SimpleEquation:
    start, end = variable.start, variable.end
    own: ast.Expression = ast.Reference(start, end, ((variable.name, ()),))
    if variable.negative:
        own = ast.Unary(start, end, "-", own)
    outer = ast.Reference(start, end, ((cut.name, ()), (name, ())))
    return ast.SimpleEquation(start, end, outer, own)
