"""Models that say `new` of what a base declares: they take the equations of that base for themselves.

In `model class (Switch) Diode` with `new(OpenSwitch) = ...`, the equation `0 = if OpenSwitch then i else u`
of the base means the value before the instant. As a switch it does not. So a diode in Modelica does not
extend a switch: it has its declarations and equations, and extends what the switch extends.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from saltus.core.diagnostics import model_error
from saltus.ir import ast
from saltus.ir.dymola import Comment, Model, When
from saltus.read.dymola.prior import rebuilt
from saltus.read.dymola.scope import Text, declared, differentiated, equations, renewed, walk


def merged(text: Text, model: Model) -> Model:
    """The model, with the bases that would mean something else by what it renews."""
    chain = _chain(text, model)
    own = replace(model, items=_at_instants(model))
    depth = _depth(text, model, [own, *(replace(m, items=_at_instants(m)) for m in chain)])
    items = own.items
    base = model.base
    for each in chain[:depth]:
        inner = _at_instants(each)
        if text.model(each.name) is not each and model.base is not None:
            inner = moved(inner, model.base)
        items = (*inner, *items)
        base = each.base
        if base is not None and text.model(each.name) is not each and model.base is not None:
            base = moved(base, model.base)
    return replace(model, items=items, base=base)


def _chain(text: Text, model: Model) -> list[Model]:
    """All bases that are written in Dymola, the nearest first."""
    own = list(text.bases(model))
    outside = text.outside_base(model)
    return [*own, *(outside.written if outside is not None else ())]


def _depth(text: Text, model: Model, chain: list[Model]) -> int:
    """How many of the bases have to be taken in."""
    states = set().union(*(differentiated(m) for m in chain))
    depth = 0
    known = text.interface(model.name)
    for name, place in renewed(chain[0]).items():
        if name in states:
            continue
        for k, base in enumerate(chain[1:], 1):
            if name not in renewed(base) and _mentions(base, name):
                depth = max(depth, k)
        seen = known.variables.get(name) if known is not None else None
        if seen is not None and not any(name in {v.name for v in declared(m)} for m in chain):
            hint = "declare it in this model, or write the class in Dymola"
            message = f"`new({name})` of a variable that a class of Modelica declares"
            raise model_error("E204", message, text.at(place), hint=hint)
    return depth


def _mentions(model: Model, name: str) -> bool:
    """Whether the value of a variable is used in equations of a model."""
    whens = [item.condition for item in model.of(When)]
    sides = [side for e in equations(model) for side in (e.left, e.right)]
    return any(
        isinstance(node, ast.Reference) and node.text == name
        for side in (*sides, *whens)
        for node in walk(side)
    )


def _at_instants(model: Model) -> tuple[Any, ...]:
    """The items of a model, in which `init(x)` inside of a `when` has become `new(x)`."""

    def change(node: ast.Node) -> ast.Node | None:
        if isinstance(node, ast.Call) and node.function.text == "init":
            function = ast.Reference(node.function.start, node.function.end, (("new", ()),))
            return replace(node, function=function)
        return None

    return tuple(
        replace(item, items=rebuilt(item.items, change)) if isinstance(item, When) else item
        for item in model.items
        if not isinstance(item, Comment)
    )


def moved(node: Any, place: ast.Node) -> Any:
    """A tree of another text, with everything at one place of this one."""
    if isinstance(node, tuple):
        return tuple(moved(item, place) for item in node)
    if not isinstance(node, ast.Node):
        return node
    values: dict[str, Any] = {e.name: moved(getattr(node, e.name), place) for e in fields(node)}
    return replace(node, **{**values, "start": place.start, "end": place.end})
