"""Variables that are set by actions: what they get in a round, as equations.

An Integer or Boolean has an equation. A Real, whose value comes from what varies continuously, is set in a
`when` that comes true with each round in which there is something to set; since two of them may follow each
other in one instant without a pause, a Boolean that changes with each of them is what it waits for.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.ir import ast
from saltus.ir.automata.lines import Continuous, Memory
from saltus.read.lines.declared import Body
from saltus.read.lines.pieces import called, declared, joined, modifier, negated, path, truth


def assign(
    body: Body,
    target: Memory | Continuous,
    type_name: str,
    ways: Sequence[tuple[ast.Expression, ast.Expression]],
) -> None:
    """Conditions and values; the first one that holds counts, and without any the value is kept."""
    own = path(target, target.name)
    kept = called(target, "pre", own) if isinstance(target, Memory) else own
    if not ways:
        if isinstance(target, Memory):
            body.equation(target, own, kept)
        return
    value = ast.IfExpression(target.start, target.end, tuple(ways), kept)
    if isinstance(target, Memory) and type_name != "Real":
        body.equation(target, own, value)
        return
    set_: ast.Item = ast.SimpleEquation(target.start, target.end, own, value)
    if isinstance(target, Continuous):
        set_ = ast.CallEquation(target.start, target.end, called(target, "reinit", own, value))
    condition = each_round(body, target, target.name, joined("or", [condition for condition, _ in ways]))
    body.items.append(ast.WhenEquation(target.start, target.end, ((condition, (set_,)),)))


def each_round(body: Body, node: ast.Node, what: str, condition: ast.Expression) -> ast.Expression:
    """What becomes true with every round in which a condition holds."""
    name = f"'{what} set again'"
    again, silent = path(node, name), (node.start, node.end)
    given = (modifier(node, ("start",), truth(node, False)), modifier(node, ("fixed",), truth(node, True)))
    modification = ast.Modification(node.start, node.end, given)
    body.elements.append(
        declared(
            node,
            name,
            "Boolean",
            modification=modification,
            annotation=silent,
            protected=True,
            description="",
        )
    )
    before = called(node, "pre", again)
    flipped = ast.IfExpression(node.start, node.end, ((condition, negated(before)),), before)
    body.equation(node, again, flipped)
    return ast.ArrayConstructor(node.start, node.end, (again, negated(again)))
