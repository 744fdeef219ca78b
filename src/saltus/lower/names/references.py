"""Component references: from a dotted, subscripted name to the nodes it means, and to their value."""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.diagnostics import Diagnostic, ModelError, Note, model_error
from saltus.core.nearest import known_hint, writable
from saltus.core.source import Span
from saltus.expr.nodes import TIME, Expr, Literal, const, ref
from saltus.ir import ast
from saltus.ir.flat import Variability
from saltus.ir.instance import ArrayNode, ClassEntry, Instance, Node, Predefined, Scalar
from saltus.lower.classes.classes import in_environment, top_class
from saltus.lower.classes.connector_classes import is_expandable
from saltus.lower.classes.foreign import value_hint
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import (
    check_class_access,
    class_names,
    component_names,
    component_place,
    find_class,
    is_protected,
    member_class,
    missing_library_hint,
    most_derived,
    nearest,
    resolve_class,
)
from saltus.lower.classes.record_types import record_of
from saltus.lower.instances.enumerations import enumeration_literal
from saltus.lower.instances.instantiate import child, inner_component, package_instance
from saltus.lower.names.subscripts import (
    Dynamic,
    chosen_at_run_time,
    select_node,
    select_value,
    subscripts_of,
    whole,
)
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.hints import component_hint, literal_hint, with_hint
from saltus.lower.scope.values import ArrayValue, RecordValue, Value, array_of, describe_shape


class Removed(ModelError):
    """A component that is named was removed by its condition. Only connect may name it."""


class NoValue(ModelError):
    """A component that is named has no value, being of a class of this kind."""

    def __init__(self, diagnostic: Diagnostic, kind: str) -> None:
        super().__init__(diagnostic)
        self.kind = kind


def lower_reference(context: Context, reference: ast.Reference, scope: Scope) -> Value:
    """The value of a reference."""
    first, subscripts = reference.parts[0]
    if not reference.absolute:
        local = scope.locals.get(first)
        if local is not None:
            if isinstance(local, (Expr, ArrayValue, RecordValue)):
                return local_value(context, local, reference, scope)
            return local.value(context, reference, scope)
        is_time = first == "time" and len(reference.parts) == 1 and not subscripts
        if is_time and component_place(first, scope.lexical) is None:
            if scope.in_function:
                raise model_error(
                    "E209",
                    "`time` is not known in a function",
                    scope.at(reference),
                    hint="give it to the function as an argument",
                )
            return TIME
    literal = enumeration_literal(context.layouts, reference, scope)
    if literal is not None:
        return literal
    node = find_node(context, reference, scope)
    refuse_conditional(reference, scope)
    return node_value(context, node, scope.at(reference), scope)


def refuse_conditional(reference: ast.Reference, scope: Scope) -> None:
    """A component with a condition may be absent, so only connect-equations may name it (section 4.4.5)."""
    current: Node | None = scope.instance
    place = component_place(reference.parts[0][0], scope.lexical)
    if place is None or scope.instance is None or place[0] not in scope.instance.layout.lexicals:
        return
    for name, _ in reference.parts:
        while isinstance(current, ArrayNode) and current.items:
            current = current.items[0]
        element = current.layout.elements.get(name) if isinstance(current, Instance) else None
        if element is None or not isinstance(current, Instance):
            return
        if element.declaration.condition is not None:
            raise model_error(
                "E209",
                f"`{name}` has a condition, so it can only be connected and modified",
                scope.at(reference),
                notes=(Note("declared here", element.span),),
            )
        current = current.children.get(name)


def local_value(context: Context, local: Value, reference: ast.Reference, scope: Scope) -> Value:
    """A reference that starts with a name bound to a value: its subscripts and fields."""
    value = select_value(context, local, reference.parts[0][1], scope, scope.at(reference))
    for name, subscripts in reference.parts[1:]:
        value = _field(context, value, name, subscripts, reference, scope)
    return value


def _field(
    context: Context,
    value: Value,
    name: str,
    subscripts: Sequence[ast.Expression],
    reference: ast.Reference,
    scope: Scope,
) -> Value:
    """A field of a record; of an array of records, that of each."""
    if isinstance(value, ArrayValue):
        parts = [_field(context, item, name, subscripts, reference, scope) for item in value.items]
        whole = array_of(parts)
        return ArrayValue((*value.shape, *whole.shape[1:]), whole.items)
    if not isinstance(value, RecordValue) or name not in value.fields:
        raise no_field(name, value, reference, scope)
    return select_value(context, value.fields[name], subscripts, scope, scope.at(reference))


def no_field(name: str, value: Value, reference: ast.Reference, scope: Scope) -> ModelError:
    """The refusal of a field that a value does not have."""
    parts = [part for part, _ in reference.parts]
    owner = ".".join(parts[: parts.index(name)]) if name in parts[1:] else reference.text
    known = value.fields if isinstance(value, RecordValue) else ()
    hint = known_hint(name, known, f"`{owner}`")
    return model_error("E201", f"there is no `{name}` in `{owner}`", scope.at(reference), hint=hint)


# ---------------------------------------------------------------- functions


def find_function(context: Context, reference: ast.Reference, scope: Scope) -> ClassEntry | Predefined:
    """The class that is called by a name. `world.gravity(r)` calls a function of a component; where that is
    declared as `function gravity = f(g = g0)`, its inputs see the component."""
    names = [name for name, _ in reference.parts]
    component = None
    if not reference.absolute and len(names) > 1:
        component = component_place(names[0], scope.lexical)
    if component is not None:
        taken = _component_parts(context, reference, scope)
        owner = ast.Reference(reference.start, reference.end, reference.parts[:taken], False)
        node = find_node(context, owner, scope)
        refuse_conditional(owner, scope)
        if isinstance(node, ArrayNode):
            raise model_error(
                "E209",
                f"`{owner.text}` is an array, and has no functions to be called",
                scope.at(reference),
                hint="choose one of its components by a subscript",
            )
        found = node.cls if isinstance(node, Instance) else None
        for name in names[taken:]:
            holder, found = found, member_class(found, name) if found is not None else None
            if holder is not None and found is not None and is_protected(holder, name):
                what = f"the class `{name}` is protected in `{owner.text}`"
                raise model_error("E209", what, scope.at(reference))
        if found is None:
            _refuse_no_function(context, reference, scope)
        assert isinstance(node, Instance) and found is not None
        return _at_instance(found, node)
    cls = resolve_class(reference, scope.lexical, "function")
    instance = scope.instance
    if isinstance(cls, ClassEntry) and instance is not None and cls.parent in instance.layout.lexicals:
        return _at_instance(cls, instance)
    return cls


def _component_parts(context: Context, reference: ast.Reference, scope: Scope) -> int:
    """How many names at the beginning of a function's name are those of components; classes follow them."""
    for taken in range(1, len(reference.parts) - 1):
        parts = reference.parts[:taken]
        node = find_node(context, ast.Reference(reference.start, reference.end, parts, False), scope)
        name = reference.parts[taken][0]
        if isinstance(node, Instance) and name not in node.layout.elements:
            return taken if member_class(node.cls, name) is not None else len(reference.parts) - 1
    return len(reference.parts) - 1


def _refuse_no_function(context: Context, reference: ast.Reference, scope: Scope) -> None:
    """`m.u(3)`, where m has a variable u, or nothing of this name."""
    value = lower_reference(context, reference, scope)  # which says what is missing
    name = scope.at(reference).text
    hint = f"a product is written `{name}*(...)`" if isinstance(value, Expr) else None
    raise model_error("E212", f"`{name}` is a variable, not a function", scope.at(reference), hint=hint)


def _at_instance(cls: ClassEntry, instance: Instance) -> ClassEntry:
    body = cls.definition.body
    said = isinstance(body, ast.ShortBody) and body.modification is not None and body.modification.arguments
    return in_environment(cls, site=instance) if said and cls.site is None else cls


# ---------------------------------------------------------------- nodes


def find_node(context: Context, reference: ast.Reference, scope: Scope) -> Node | Dynamic:
    """The component a reference means, or what has to be chosen from during the run."""
    span = scope.at(reference)
    node, taken = _first_node(context, reference, scope)
    path, subscripts = reference.parts[taken - 1]
    current: Node | Dynamic = select_node(context, node, subscripts, scope, span)
    for name, subscripts in reference.parts[taken:]:
        if isinstance(current, Dynamic):
            current = _part_of_chosen(context, current, name, subscripts, path, scope, span)
        else:
            current = _part(context, current, name, subscripts, path, scope, span)
        path += "." + name
    return current


def _first_node(context: Context, reference: ast.Reference, scope: Scope) -> tuple[Node, int]:
    """The node the beginning of a reference means, and how many parts that took."""
    span = scope.at(reference)
    first = reference.parts[0][0]
    found: Node | ClassEntry | None
    if reference.absolute:
        found = top_class(scope.lexical.library, first)
    else:
        found = _lexical(context, first, scope, span)
    if found is None:
        raise _unknown(first, scope, span, dotted=len(reference.parts) > 1)
    taken = 1
    while isinstance(found, ClassEntry):
        if taken == len(reference.parts):
            raise model_error(
                "E209",
                f"`{reference.text}` is a {found.kind}, but a value is needed here",
                span,
                hint=literal_hint(first, scope.lexical) if taken == 1 else None,
            )
        name = reference.parts[taken][0]
        taken += 1
        inner: Node | ClassEntry | None
        if name in component_names(found):
            try:
                _check_access(context.layouts, found, name, span)
                inner = _constant(context, found, name, span)
            except ModelError as error:
                rest = ".".join(part for part, _ in reference.parts[taken - 1 :])
                hint = component_hint(found, rest, scope)
                raise (with_hint(error, hint, ("E209",)) if hint is not None else error) from None
        else:
            inner = member_class(found, name)
            if inner is not None:
                check_class_access(found, name, span)
        if inner is None:
            known = [*component_names(found), *class_names(found)]
            raise model_error(
                "E201",
                f"there is no `{name}` in `{found.full_name}`",
                span,
                hint=known_hint(name, known, f"`{found.full_name}`"),
            )
        found = inner
    return found, taken


def _existing(context: Context, instance: Instance, name: str, span: Span) -> Node:
    node = child(context, instance, name)
    if node is None:
        raise Removed(_absence(instance, name, span))
    return node


def _absence(instance: Instance, name: str, span: Span) -> Diagnostic:
    """Why a component that is declared is not there."""
    path = instance.member_path(name)
    element = instance.layout.elements.get(name)
    if is_expandable(instance.cls) and element is not None and element.declaration.condition is None:
        return Diagnostic(
            "E210",
            f"`{path}` is declared in an expandable connector, but no connection makes it present",
            span,
            hint=f"connect something to `{path}`",
        )
    notes: tuple[Note, ...] = ()
    hint = None
    if element is not None and element.declaration.condition is not None:
        notes = (Note("declared here", element.span),)
        condition = element.lexical.at(element.declaration.condition).text
        hint = f"it exists `if {condition}`: where it does not, only connections may name it"
    return Diagnostic("E209", f"`{path}` does not exist here: its condition is false", span, notes, hint)


def _check_access(layouts: Layouts, cls: ClassEntry, name: str, span: Span) -> None:
    """Refuses a component of a class in a composite name if it is protected, or the class is partial
    (section 5.3.2)."""
    element = layouts.of(most_derived(cls)).elements.get(name)
    if element is not None and element.protected:
        raise model_error(
            "E209",
            f"`{name}` is protected in `{cls.full_name}`",
            span,
            notes=(Note("declared here", element.span),),
            hint="protected elements are visible only in their class and in classes that extend it",
        )
    if most_derived(cls).definition.partial:
        raise model_error(
            "E209",
            f"`{cls.full_name}` is partial, and what it contains cannot be used in a simulation",
            span,
            hint="use a class that extends it",
        )


def _constant(context: Context, package: ClassEntry, name: str, span: Span) -> Node:
    """A component of a class that is not an instance here: it must be a constant (section 5.3.1)."""
    holder = package_instance(context, most_derived(package))
    if name in holder.layout.elements and holder.layout.elements[name].clause.variability != "constant":
        raise model_error(
            "E209",
            f"`{package.full_name}.{name}` is not a constant and cannot be used here",
            span,
            notes=(Note("declared here", holder.layout.elements[name].span),),
            hint="pass its value by a parameter",
        )
    return _existing(context, holder, name, span)


def _lexical(context: Context, name: str, scope: Scope, span: Span) -> Node | ClassEntry | None:
    """A simple name: a component of the instance, a constant of a class around it, or a class."""
    component = component_place(name, scope.lexical)
    if component is None:
        cls = find_class(name, scope.lexical, scope.lexical)
        return None if isinstance(cls, Predefined) else cls
    place, member = component
    instance = scope.instance
    while instance is not None:
        if place in instance.layout.lexicals:
            prefixes = instance.layout.elements[member].clause.prefixes
            if prefixes.inner and prefixes.outer:  # what is below sees the one, the text here the other
                return inner_component(context, instance, instance.layout.elements[member])
            return _existing(context, instance, member, span)
        # The text of a short class is that of the class around it, whose instance is further up.
        instance = instance.parent if scope.lexical.is_short else None
    return _constant(context, place, member, span)


def _unknown(name: str, scope: Scope, span: Span, *, dotted: bool) -> ModelError:
    """The refusal of a name; more follows a `dotted` one, so it may be that of a library."""
    known = [*scope.locals, "time"]
    if scope.instance is not None:
        known += scope.instance.layout.elements
    place: ClassEntry | None = scope.lexical
    while place is not None:
        known += [*component_names(place), *class_names(place)]
        place = place.parent
    near = nearest(name, writable(known))
    hint = None if dotted else value_hint(name) or literal_hint(name, scope.lexical)
    if name.startswith("'"):
        hint = f'a text stands in double quotes: `"{name[1:-1]}"`'
    if hint is None and near is not None:
        hint = f"did you mean `{near}`?"
    if hint is None and dotted and name[:1].isupper():
        hint = missing_library_hint(name)
    return model_error("E201", f"the name `{name}` cannot be found", span, hint=hint)


def _part(
    context: Context,
    node: Node,
    name: str,
    subscripts: Sequence[ast.Expression],
    path: str,
    scope: Scope,
    span: Span,
) -> Node | Dynamic:
    """`node.name[subscripts]`; of an array of components, that of each (section 10.6.9)."""
    if not isinstance(node, ArrayNode):
        return select_node(context, _member(context, node, name, span), subscripts, scope, span)
    parts: list[Node] = []
    for item in node.items:
        part = _part(context, item, name, subscripts, path, scope, span)
        if isinstance(part, Dynamic):
            everything = Dynamic(node, whole(node.shape))
            return _part_of_chosen(context, everything, name, subscripts, path, scope, span)
        parts.append(part)
    inner = {p.shape if isinstance(p, ArrayNode) else () for p in parts}
    if len(inner) > 1:
        raise model_error("E206", f"`{path}.{name}` has elements of different sizes", span)
    shape = (*node.shape, *(inner.pop() if inner else ()))
    items = tuple(i for p in parts for i in (p.items if isinstance(p, ArrayNode) else (p,)))
    return ArrayNode(f"{node.path}.{name}", shape, items, span)


def _part_of_chosen(
    context: Context,
    chosen: Dynamic,
    name: str,
    subscripts: Sequence[ast.Expression],
    path: str,
    scope: Scope,
    span: Span,
) -> Dynamic:
    """`c[i].name[subscripts]`: what is chosen from are the parts of all components."""
    parts = _part(context, chosen.array, name, (), path, scope, span)
    assert isinstance(parts, ArrayNode)
    inner = parts.shape[len(chosen.array.shape) :]
    if len(subscripts) > len(inner):
        what = describe_shape(inner)
        raise model_error("E206", f"{len(subscripts)} subscripts for `{name}`, which is {what}", span)
    own = subscripts_of(context, subscripts, inner, scope, span)
    return Dynamic(parts, [*chosen.subscripts, *own, *whole(inner[len(own) :])])


def _member(context: Context, node: Scalar | Instance, name: str, span: Span) -> Node:
    if isinstance(node, Scalar):
        hint = f"use `{node.path}` itself: it is one value"
        raise model_error("E201", f"`{node.path}` is a variable and has no part `{name}`", span, hint=hint)
    if name not in node.layout.elements:
        public = [e.name for e in node.layout.elements.values() if not e.protected]
        raise model_error(
            "E201",
            f"there is no `{name}` in `{node.path}` (of class `{node.cls.full_name}`)",
            span,
            hint=known_hint(name, public, f"`{node.path}`"),
        )
    if node.layout.elements[name].protected:
        raise model_error(
            "E209",
            f"`{name}` is protected in `{node.path}` (of class `{node.cls.full_name}`)",
            span,
            notes=(Note("declared here", node.layout.elements[name].span),),
            hint="protected elements are visible only in their class and in classes that extend it",
        )
    return _existing(context, node, name, span)


# ---------------------------------------------------------------- values of nodes


def node_value(context: Context, node: Node | Dynamic, span: Span, scope: Scope) -> Value:
    """The value of a component: of a record all its fields."""
    match node:
        case Scalar():
            return scalar_value(context, node, span)
        case ArrayNode():
            if not node.items:
                return ArrayValue(node.shape, (), node.record)
            values = [node_value(context, item, span, scope) for item in node.items]
            return ArrayValue(node.shape, array_of(values).items)
        case Dynamic():
            whole = node_value(context, node.array, span, scope)
            assert isinstance(whole, ArrayValue)
            return chosen_at_run_time(context.requirements, whole, node.subscripts, scope, span)
        case Instance():
            record = record_of(node.cls)
            if record is None:
                message = f"`{node.path}` is a {node.kind}, but a value is needed here"
                raise NoValue(Diagnostic("E209", message, span), node.kind)
            fields: dict[str, Value] = {}
            for name in node.layout.elements:
                part = child(context, node, name)
                if part is not None:
                    fields[name] = node_value(context, part, span, scope)
            return RecordValue(record.full_name, fields)


def scalar_value(context: Context, scalar: Scalar, span: Span) -> Expr:
    """A reference to the scalar's symbol; a constant is its value, unless its unit is wanted."""
    if scalar.variability is Variability.CONSTANT:
        e = ref(scalar.symbol)
        in_model = not context.functions.lowering  # bodies of functions are not looked into for units
        if context.functions.units is not None and in_model and scalar.attribute("unit") is not None:
            return e
        value = context.evaluation.constant(e, span, f"the constant `{scalar.path}`")
        if scalar.symbol.enumeration is not None and isinstance(value, int):
            value = Literal(value, scalar.symbol.enumeration)  # that a function computed
        return const(value)
    return ref(scalar.symbol)
