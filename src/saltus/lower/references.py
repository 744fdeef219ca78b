"""Component references: from a dotted, subscripted name to the nodes it means, and to their value."""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.nodes import TIME, Expr, Op, Type, const, if_, ref, relation
from saltus.ir import ast
from saltus.ir.flat import Variability
from saltus.ir.instance import ArrayNode, Instance, Node, Scalar
from saltus.lower.classes import ClassEntry
from saltus.lower.context import Context, Scope
from saltus.lower.instantiate import child, package_instance
from saltus.lower.lookup import (
    Predefined,
    class_names,
    component_names,
    find_class,
    import_of_constant,
    member_class,
    missing_library_hint,
    nearest,
)
from saltus.lower.values import ArrayValue, RecordValue, Value, array_of, describe_shape, shape_of

#: A subscript that was looked at: one index, several, or an expression known only during the run.
Subscript = int | list[int] | Expr


def lower_reference(context: Context, reference: ast.Reference, scope: Scope) -> Value:
    """The value of a reference."""
    first, subscripts = reference.parts[0]
    if not reference.absolute:
        local = scope.locals.get(first)
        if local is not None:
            if isinstance(local, (Expr, ArrayValue, RecordValue)):
                return _local_value(context, local, reference, scope)
            return local.value(context, reference, scope)
        if first == "time" and len(reference.parts) == 1 and not subscripts:
            return TIME
    literal = _enumeration_literal(context, reference, scope)
    if literal is not None:
        return literal
    return node_value(context, find_node(context, reference, scope), scope.at(reference), scope)


def _local_value(context: Context, local: Value, reference: ast.Reference, scope: Scope) -> Value:
    value = select_value(context, local, reference.parts[0][1], scope, scope.at(reference))
    for name, subscripts in reference.parts[1:]:
        if not isinstance(value, RecordValue) or name not in value.fields:
            raise model_error("E201", f"there is no `{name}` in `{reference.text}`", scope.at(reference))
        value = select_value(context, value.fields[name], subscripts, scope, scope.at(reference))
    return value


# ---------------------------------------------------------------- nodes


def find_node(context: Context, reference: ast.Reference, scope: Scope) -> Node | Dynamic:
    """The component a reference means. Only its last array may have subscripts known at run time."""
    span = scope.at(reference)
    first, subscripts = reference.parts[0]
    node, rest = _first_node(context, reference, scope)
    if rest == len(reference.parts):
        # The reference named classes and then a constant: its subscripts are those of the last part.
        subscripts = reference.parts[-1][1]
        first = reference.parts[-1][0]
    current: Node | Dynamic = _select(context, node, subscripts, scope, span)
    path = first
    for name, subscripts in reference.parts[rest:]:
        if isinstance(current, Dynamic):
            raise model_error("E204", "a component chosen by a varying index is not supported yet", span)
        current = _member(context, current, name, path, span)
        current = _select(context, current, subscripts, scope, span)
        path += "." + name
    return current


def _first_node(context: Context, reference: ast.Reference, scope: Scope) -> tuple[Node, int]:
    """The node the beginning of a reference means, and how many parts that took."""
    span = scope.at(reference)
    names = [name for name, _ in reference.parts]
    if not reference.absolute:
        instance = scope.instance
        if instance is not None and names[0] in instance.layout.elements:
            return _existing(context, instance, names[0], span), 1
        found = _lexical(context, names[0], scope)
    else:
        found = scope.lexical.library.top(names[0])
    if found is None:
        raise _unknown(names[0], scope, span)
    taken = 1
    while isinstance(found, ClassEntry):
        if taken == len(names):
            raise model_error(
                "E209", f"`{reference.text}` is a {found.kind}, but a value is needed here", span
            )
        name = names[taken]
        taken += 1
        inner: Node | ClassEntry | None = None
        if name in component_names(found):
            inner = _constant(context, found, name, span)
        else:
            inner = member_class(found, name)
        if inner is None:
            near = nearest(name, component_names(found) + class_names(found))
            raise model_error(
                "E201",
                f"there is no `{name}` in `{found.full_name}`",
                span,
                hint=f"did you mean `{near}`?" if near else None,
            )
        found = inner
    return found, taken


def _existing(context: Context, instance: Instance, name: str, span: Span) -> Node:
    node = child(context, instance, name)
    if node is None:
        raise model_error(
            "E209",
            f"`{instance.member_path(name)}` does not exist here: its condition is false",
            span,
        )
    return node


def _constant(context: Context, package: ClassEntry, name: str, span: Span) -> Node:
    node = _existing(context, package_instance(context, package), name, span)
    if isinstance(node, Scalar) and node.variability > Variability.PARAMETER:
        raise model_error(
            "E209", f"`{package.full_name}.{name}` is not a constant and cannot be used from outside", span
        )
    return node


def _lexical(context: Context, name: str, scope: Scope) -> Node | ClassEntry | None:
    """A simple name in the enclosing classes: a constant or a class."""
    place: ClassEntry | None = scope.lexical
    span = scope.lexical.span
    while place is not None:
        if not (place is scope.lexical and scope.instance is not None) and name in component_names(place):
            return _constant(context, place, name, span)
        found = member_class(place, name)
        if found is not None:
            return found
        constant = import_of_constant(place, name)
        if constant is not None:
            return _constant(context, *constant, span)
        if place.definition.encapsulated:
            break
        place = place.parent
    outer = find_class(name, scope.lexical, scope.lexical)
    return None if isinstance(outer, Predefined) else outer


def _unknown(name: str, scope: Scope, span: Span) -> ModelError:
    known = [*scope.locals, "time"]
    if scope.instance is not None:
        known += scope.instance.layout.elements
    place: ClassEntry | None = scope.lexical
    while place is not None:
        known += component_names(place) + class_names(place)
        place = place.parent
    near = nearest(name, [k for k in known if not k.startswith("$")])
    hint = f"did you mean `{near}`?" if near else None
    if hint is None and name[:1].isupper():
        hint = missing_library_hint(name)
    return model_error("E201", f"the name `{name}` cannot be found", span, hint=hint)


def _member(context: Context, node: Node, name: str, path: str, span: Span) -> Node:
    if isinstance(node, ArrayNode):
        parts = [_member(context, item, name, path, span) for item in node.items]
        if parts and all(isinstance(p, ArrayNode) for p in parts):
            arrays = [p for p in parts if isinstance(p, ArrayNode)]
            if any(a.shape != arrays[0].shape for a in arrays):
                raise model_error("E206", f"`{path}.{name}` has elements of different sizes", span)
            shape = (*node.shape, *arrays[0].shape)
            return ArrayNode(f"{node.path}.{name}", shape, tuple(i for a in arrays for i in a.items), span)
        return ArrayNode(f"{node.path}.{name}", node.shape, tuple(parts), span)
    if isinstance(node, Scalar):
        raise model_error("E201", f"`{node.path}` is a variable and has no part `{name}`", span)
    if name not in node.layout.elements:
        near = nearest(name, list(node.layout.elements))
        raise model_error(
            "E201",
            f"there is no `{name}` in `{node.path}` (of class `{node.cls.full_name}`)",
            span,
            hint=f"did you mean `{near}`?" if near else None,
        )
    return _existing(context, node, name, span)


# ---------------------------------------------------------------- subscripts


class Dynamic:
    """An array with a subscript that varies during the run."""

    def __init__(self, array: ArrayNode, subscripts: list[Subscript]) -> None:
        self.array = array
        self.subscripts = subscripts


def subscripts_of(
    context: Context, subscripts: Sequence[ast.Expression], shape: tuple[int, ...], scope: Scope, span: Span
) -> list[Subscript]:
    """Subscripts with `end` and `:` resolved for an array of a shape; indices known now are checked."""
    if len(subscripts) > len(shape):
        raise model_error(
            "E206",
            f"{len(subscripts)} subscripts for {describe_shape(shape)}",
            span,
        )
    found: list[Subscript] = []
    for size, subscript in zip(shape, subscripts, strict=False):
        if isinstance(subscript, ast.Colon):
            found.append(list(range(1, size + 1)))
            continue
        value = context.lower(context, subscript, scope.with_locals({"end": const(size)}))
        where = scope.at(subscript)
        if isinstance(value, RecordValue) or len(shape_of(value)) > 1:
            raise model_error("E205", "a subscript must be an Integer or a vector of Integers", where)
        items = [value] if isinstance(value, Expr) else list(value.items)
        known: list[int] = []
        for item in items:
            assert isinstance(item, Expr)
            if item.type is Type.REAL or item.type is Type.STRING:
                raise model_error("E205", f"a subscript must be an Integer, this is {item.type.value}", where)
            if item.op is not Op.CONST and not context.is_constant(item):
                break
            index = context.constant(item, where, "a subscript")
            index = int(index) + 1 if isinstance(index, bool) else int(index)
            if not 1 <= index <= size:
                raise model_error("E206", f"the subscript {index} is outside 1:{size}", where)
            known.append(index)
        if isinstance(value, Expr):
            found.append(known[0] if known else value)
        elif len(known) < len(items):
            raise model_error("E204", "a vector of varying subscripts is not supported yet", where)
        else:
            found.append(known)
    return found


def _select(
    context: Context, node: Node, subscripts: Sequence[ast.Expression], scope: Scope, span: Span
) -> Node | Dynamic:
    if not subscripts:
        return node
    if not isinstance(node, ArrayNode):
        raise model_error("E206", f"`{node.path}` is a scalar and takes no subscripts", span)
    chosen = subscripts_of(context, subscripts, node.shape, scope, span)
    if any(isinstance(s, Expr) for s in chosen):
        return Dynamic(node, chosen)
    shape, offsets = _offsets(node.shape, chosen)
    items = tuple(node.items[o] for o in offsets)
    return items[0] if not shape else ArrayNode(node.path, shape, items, span)


def _offsets(shape: tuple[int, ...], chosen: Sequence[Subscript]) -> tuple[tuple[int, ...], list[int]]:
    """Shape of a selection and the row-major offsets of its elements."""
    full: list[Subscript] = [*chosen, *([list(range(1, n + 1)) for n in shape[len(chosen) :]])]
    result: list[int] = []
    offsets = [0]
    for size, s in zip(shape, full, strict=True):
        if isinstance(s, int):
            offsets = [o * size + s - 1 for o in offsets]
        else:
            assert isinstance(s, list)
            result.append(len(s))
            offsets = [o * size + i - 1 for o in offsets for i in s]
    return tuple(result), offsets


def select_value(
    context: Context, value: Value, subscripts: Sequence[ast.Expression], scope: Scope, span: Span
) -> Value:
    """Subscripts applied to a value."""
    if not subscripts:
        return value
    if not isinstance(value, ArrayValue):
        raise model_error("E206", "a scalar takes no subscripts", span)
    chosen = subscripts_of(context, subscripts, value.shape, scope, span)
    if any(isinstance(s, Expr) for s in chosen):
        return _chosen_at_run_time(value, chosen)
    shape, offsets = _offsets(value.shape, chosen)
    items = tuple(value.items[o] for o in offsets)
    return items[0] if not shape else ArrayValue(shape, items)


def _chosen_at_run_time(value: ArrayValue, chosen: list[Subscript]) -> Value:
    """An element whose index varies: a chain of comparisons over the possible indices."""
    position = next(k for k, s in enumerate(chosen) if isinstance(s, Expr))
    subscript = chosen[position]
    assert isinstance(subscript, Expr)
    result: Value | None = None
    for index in range(value.shape[position], 0, -1):
        fixed: list[Subscript] = [*chosen[:position], index, *chosen[position + 1 :]]
        if any(isinstance(s, Expr) for s in fixed):
            candidate = _chosen_at_run_time(value, fixed)
        else:
            shape, offsets = _offsets(value.shape, fixed)
            items = tuple(value.items[o] for o in offsets)
            candidate = items[0] if not shape else ArrayValue(shape, items)
        if result is None:
            result = candidate
        else:
            result = choose(relation(Op.EQ, subscript, const(index)), candidate, result)
    assert result is not None
    return result


def choose(condition: Expr, a: Value, b: Value) -> Value:
    """`if condition then a else b` for values of one shape."""
    if isinstance(a, Expr) and isinstance(b, Expr):
        return if_(condition, a, b)
    if isinstance(a, ArrayValue) and isinstance(b, ArrayValue) and a.shape == b.shape:
        items = [choose(condition, x, y) for x, y in zip(a.items, b.items, strict=True)]
        return ArrayValue(a.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
    if isinstance(a, RecordValue) and isinstance(b, RecordValue) and a.fields.keys() == b.fields.keys():
        fields = {name: choose(condition, a.fields[name], b.fields[name]) for name in a.fields}
        return RecordValue(a.type_name, fields)
    raise ValueError("branches of different shapes")


# ---------------------------------------------------------------- values of nodes


def node_value(context: Context, node: Node | Dynamic, span: Span, scope: Scope) -> Value:
    """The value of a component: of a record all its fields."""
    match node:
        case Scalar():
            return scalar_value(context, node, span)
        case ArrayNode():
            if not node.items:
                return ArrayValue(node.shape, ())
            values = [node_value(context, item, span, scope) for item in node.items]
            return ArrayValue(node.shape, array_of(values).items)
        case Dynamic():
            whole = node_value(context, node.array, span, scope)
            assert isinstance(whole, ArrayValue)
            return _chosen_at_run_time(whole, node.subscripts)
        case Instance():
            if node.kind != "record":
                raise model_error("E209", f"`{node.path}` is a {node.kind}, but a value is needed here", span)
            fields: dict[str, Value] = {}
            for name in node.layout.elements:
                part = child(context, node, name)
                if part is not None:
                    fields[name] = node_value(context, part, span, scope)
            return RecordValue(node.cls.full_name, fields)


def scalar_value(context: Context, scalar: Scalar, span: Span) -> Expr:
    """A reference to the scalar's symbol; a constant is its value."""
    if scalar.variability is Variability.CONSTANT:
        e = ref(scalar.symbol)
        return const(context.constant(e, span, f"the constant `{scalar.path}`"))
    return ref(scalar.symbol)


def _enumeration_literal(context: Context, reference: ast.Reference, scope: Scope) -> Expr | None:
    """`Colour.red` as its number."""
    if len(reference.parts) < 2 or any(s for _, s in reference.parts):
        return None
    names = [name for name, _ in reference.parts]
    instance = scope.instance
    if instance is not None and names[0] in instance.layout.elements:
        return None
    predefined = _PREDEFINED_ENUMERATIONS.get(names[0])
    if predefined is not None and len(names) == 2 and names[1] in predefined:
        return const(predefined.index(names[1]) + 1)
    found = (
        scope.lexical.library.top(names[0])
        if reference.absolute
        else find_class(names[0], scope.lexical, scope.lexical)
    )
    for name in names[1:-1]:
        if not isinstance(found, ClassEntry):
            return None
        found = member_class(found, name)
    if not isinstance(found, ClassEntry) or found.kind != "type":
        return None
    literals = context.layouts.of(found).enumeration
    if literals is None:
        return None
    if names[-1] not in literals:
        near = nearest(names[-1], list(literals))
        raise model_error(
            "E201",
            f"`{names[-1]}` is not a literal of the enumeration `{found.full_name}`",
            scope.at(reference),
            hint=f"did you mean `{near}`?" if near else f"its literals are {', '.join(literals)}",
        )
    return const(literals.index(names[-1]) + 1)


STATE_SELECT = ("never", "avoid", "default", "prefer", "always")
_PREDEFINED_ENUMERATIONS = {"StateSelect": STATE_SELECT, "AssertionLevel": ("warning", "error")}
