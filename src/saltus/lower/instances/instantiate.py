"""Classes to the instance tree.

Components are made when first asked for, with their modifiers applied and arrays written out.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from saltus.core.diagnostics import Diagnostic, ModelError, Note, model_error
from saltus.core.nearest import known_hint
from saltus.core.wording import there_are
from saltus.expr.nodes import Symbol, Type
from saltus.ir import ast
from saltus.ir.flat import Causality, Variability
from saltus.ir.instance import ArrayNode, ClassEntry, Element, Instance, Layout, Node, Predefined, Scalar
from saltus.lower.annotations.literals import entry_of
from saltus.lower.annotations.log_words import log_words
from saltus.lower.classes.classes import in_environment
from saltus.lower.classes.connector_classes import has_equality_constraint, is_expandable, is_sizeless
from saltus.lower.classes.layout import in_place_of, modifiable_hint
from saltus.lower.classes.lookup import (
    class_names,
    component_names,
    member_class,
    outer_class_names,
    resolve_class,
)
from saltus.lower.classes.prefixes import check_component
from saltus.lower.classes.record_types import record_of
from saltus.lower.classes.redeclarations import check_classes, check_components, check_constraint
from saltus.lower.classes.subtypes import difference
from saltus.lower.instances.attributes import ATTRIBUTES, TYPES, Attributes, check_attributes
from saltus.lower.instances.dimensions import dimension, index_types, shape_of_component
from saltus.lower.instances.modifiers import (
    NOTHING,
    Modifier,
    Selection,
    from_argument,
    from_modification,
    is_plain,
    merge,
    said_about,
    say_about,
)
from saltus.lower.scope.chain import located
from saltus.lower.scope.context import Context, Scope, Table
from saltus.lower.scope.limits import refuse_components, refuse_variables
from saltus.lower.scope.values import index_tuples

_VARIABILITIES = {
    "constant": Variability.CONSTANT,
    "parameter": Variability.PARAMETER,
    "discrete": Variability.DISCRETE,
    "": Variability.CONTINUOUS,
}

#: How often a class may occur inside itself, each time in another environment.
DEEPEST_NESTING = 30

#: Classes of which components may be made.
COMPONENT_KINDS = frozenset({"class", "model", "block", "connector", "record", "type"})


def instantiate(context: Context, cls: ClassEntry) -> Instance:
    """The whole tree of a model; errors of different components are reported together."""
    layout = context.layouts.of(cls)
    check_classes(context.layouts, cls)
    root = Instance("", cls, layout, cls.span, None, Variability.CONTINUOUS)
    _force(context, root)
    return root


def _force(context: Context, instance: Instance) -> None:
    stack = [instance]
    done: set[Instance] = set()
    while stack:
        current = stack.pop()
        done.add(current)
        found: list[Node] = []
        for name in current.layout.elements:
            try:
                node = child(context, current, name)
            except ModelError as error:
                context.absorb(error, current)
                context.components.failed.add((current, name))
                current.children[name] = None
                continue
            if node is not None and name not in current.outers:
                found.append(node)
        # Children keep the declaration order whatever order they were first needed in. Those that are
        # not declared (see `_missing_inner`) are the last.
        declared = {n: current.children[n] for n in current.layout.elements if n in current.children}
        current.children = {**declared, **current.children}
        for node in reversed(found):
            stack += reversed(_instances_in(node))
        if not stack:  # components that were made for want of an `inner` one are complete only now
            late = [n for name, n in instance.children.items() if name not in instance.layout.elements]
            stack += [i for n in late if n is not None for i in _instances_in(n) if i not in done]


def _instances_in(node: Node) -> list[Instance]:
    if isinstance(node, Instance):
        return [node]
    if isinstance(node, ArrayNode):
        return [i for item in node.items for i in _instances_in(item)]
    return []


def child(context: Context, instance: Instance, name: str) -> Node | None:
    """The component `name` of an instance; None if its condition removed it."""
    if name in instance.children:
        if (instance, name) in context.components.failed:
            raise ModelError(())  # all there is to say has been said
        return instance.children[name]
    if name in instance.outers:
        return instance.outers[name]
    element = instance.layout.elements[name]
    if (instance, name) in context.components.making:
        chain = [
            i.member_path(n)
            for i, n in context.components.making[context.components.making.index((instance, name)) :]
        ]
        raise model_error(
            "E213",
            "a size or condition depends on itself: " + " -> ".join(f"`{n}`" for n in (*chain, chain[0])),
            element.span,
        )
    context.components.making.append((instance, name))
    try:
        prefixes = element.clause.prefixes
        if prefixes.outer and (not prefixes.inner or element.clause.causality == "output"):
            # An `inner outer output` is what states hand on to states in states (section 17.3.5).
            instance.outers[name] = inner = inner_component(context, instance, element)
            return inner
        node = _make_component(context, instance, element)
        if prefixes.outer and node is not None and instance.parent is not None:
            # In the class itself the name means the one around. If it is not declared, it is created now:
            # later the tree must not change.
            inner_component(context, instance, element)
    except ModelError as error:
        raise located(error, instance) from None
    finally:
        context.components.making.pop()
    instance.children[name] = node
    return node


def inner_component(context: Context, instance: Instance, element: Element) -> Node:
    """The component that an `outer` declaration means: the nearest one of this name declared `inner` in the
    instances around (section 5.4)."""
    if not element.clause.prefixes.inner:
        _refuse_modified_outer(context, instance, element)
    place = instance.parent
    root = instance
    while place is not None:
        root = place
        declared = place.layout.elements.get(element.name)
        if declared is not None and declared.clause.prefixes.inner:
            node = child(context, place, element.name)
            if node is not None:
                _check_outer(context, instance, element, node)
                return node
        place = place.parent
    made = root.children.get(element.name) if element.name not in root.layout.elements else None
    return made if made is not None else _missing_inner(context, root, element)


def _check_outer(context: Context, instance: Instance, element: Element, inner: Node) -> None:
    """The `inner` component must have the type that the `outer` one is declared with, or a subtype of it."""
    cls = resolve_class(element.clause.type_name, element.lexical)
    layout = context.layouts.of(cls)
    subscripts = [(s, element.lexical) for s in (*element.declaration.subscripts, *element.clause.subscripts)]
    subscripts += [(s, lexical) for own, lexical in layout.dimensions for s in own]
    shape = inner.shape if isinstance(inner, ArrayNode) else ()
    fits = len(shape) == len(subscripts)
    for size, (subscript, lexical) in zip(shape, subscripts, strict=False):
        if fits and not isinstance(subscript, ast.Colon):
            scope = Scope(lexical.site or instance, lexical)
            fits = dimension(context, subscript, scope, element.name) == size
    if not fits:
        raise model_error(
            "E206",
            f"the `inner` component `{inner.path}` has other sizes than this `outer` one",
            element.span,
            notes=(Note("the `inner` one", inner.span),),
        )
    while isinstance(inner, ArrayNode):
        if not inner.items:
            return
        inner = inner.items[0]
    reason = None
    if isinstance(inner, Instance):
        reason = difference(context.layouts, inner.cls, cls)
    elif layout.predefined is None or TYPES[layout.predefined] is not inner.symbol.type:
        reason = f"it is {inner.symbol.type.value}"
    elif layout.enumeration and layout.enumeration != inner.symbol.enumeration:
        reason = f"it is no `{layout.enumeration.name}`"
    if reason is not None:
        raise model_error(
            "E205",
            f"the `inner` component `{inner.path}` does not fit the type of this `outer` one: {reason}",
            element.span,
            notes=(Note("the `inner` one", inner.span),),
        )


def _refuse_modified_outer(context: Context, instance: Instance, element: Element) -> None:
    """An `outer` component is what the `inner` one is: nothing can be said about it here (section 5.4)."""
    modification = element.declaration.modification
    span = None
    if modification is not None and (modification.arguments or modification.value is not None):
        span = element.span
    else:
        given = said_about(context, instance).parts.get(element.name)
        span = given.span if given is not None else None
    if span is not None:
        raise model_error(
            "E207",
            f"`{element.name}` is an outer component and cannot be modified",
            span,
            hint="modify the `inner` one",
        )


def _missing_inner(context: Context, root: Instance, element: Element) -> Node:
    """The `inner` component is not declared: one with default values is added to the model, with a
    warning."""
    if element.name in root.layout.elements or root.parent is not None:
        raise _no_inner(element)
    declaration = replace(element.declaration, modification=None, condition=None)
    clause = replace(element.clause, prefixes=replace(element.clause.prefixes, outer=False, inner=True))
    try:
        node = _make_component(context, root, replace(element, clause=clause, declaration=declaration))
    except ModelError as error:
        raise ModelError((*_no_inner(element).diagnostics, *error.diagnostics)) from None
    if node is None:
        raise _no_inner(element)
    root.children[element.name] = node
    type_name = element.clause.type_name.text
    context.reporter.report(
        Diagnostic(
            "W204",
            f"no `inner` component `{element.name}` is declared around this `outer` one: one with "
            "default values is added to the model",
            element.span,
            hint=f"declare `inner {type_name} {element.name};` in the model",
        )
    )
    return node


def _no_inner(element: Element) -> ModelError:
    hint = f"declare `inner {element.clause.type_name.text} {element.name};` in the model around it"
    return model_error(
        "E201",
        f"there is no `inner` component `{element.name}` for this `outer` one",
        element.span,
        hint=_missing_inner_message(element) or hint,
    )


def _missing_inner_message(element: Element) -> str | None:
    """What the class of an `outer` component says where there is no `inner` one (section 18.8)."""
    found = resolve_class(element.clause.type_name, element.lexical)
    if not isinstance(found, ClassEntry) or found.definition.annotation is None:
        return None
    said = entry_of(found, found.definition.annotation, "missingInnerMessage")
    return said.value.value if said is not None and isinstance(said.value, ast.String) else None


def _instead_of_component(cls: ClassEntry | Predefined, element: Element) -> str | None:
    """What to write in place of a declaration whose type is no class for components."""
    written = element.clause.type_name.text
    if cls.kind == "function":
        return f"call it: `{written}(...)`"
    if cls.kind == "package" and isinstance(cls, ClassEntry):
        known = class_names(cls)
        return f"choose a class in it: {there_are(known, f'`{written}`')}" if known else None
    return None


def package_instance(context: Context, cls: ClassEntry) -> Instance:
    """A package seen as an instance, for its constants."""
    found = context.components.packages.get(cls)
    if found is None:
        layout = context.layouts.of(cls)
        found = Instance(cls.full_name, cls, layout, cls.span, None, Variability.CONTINUOUS)
        context.components.packages[cls] = found
    return found


def _make_component(context: Context, instance: Instance, element: Element) -> Node | None:
    scope = Scope(instance, element.lexical)
    condition = element.declaration.condition
    if condition is not None and not context.boolean(condition, scope, f"the condition of `{element.name}`"):
        return None
    said = said_about(context, instance)
    if element.protected and element.name in said.parts:
        raise model_error(
            "E207",
            f"`{element.name}` is protected in `{instance.cls.full_name}` and cannot be modified here",
            said.parts[element.name].span,
            notes=(Note("declared here", element.span),),
        )
    changes = (*element.modifications, *said.part(element.name).said)
    check_components(context.layouts, element, changes)
    element, merged = _modified_element(instance, element, said)
    scope = Scope(instance, element.lexical)
    declaration = element.declaration
    cls = resolve_class(element.clause.type_name, element.lexical)
    if cls.kind not in COMPONENT_KINDS:
        raise model_error(
            "E209",
            f"`{cls.full_name}` is a {cls.kind}; a component cannot be made of it",
            element.lexical.at(element.clause.type_name),
            hint=_instead_of_component(cls, element),
        )
    if cls.kind == "connector" and element.clause.variability in ("parameter", "constant"):
        raise model_error(
            "E210",
            f"`{element.name}` is a connector and cannot be a {element.clause.variability}",
            element.span,
            hint="let a connector have parameters, or use a record",
        )
    if isinstance(cls, ClassEntry):
        cls = with_inner_classes(_in_environment(cls, merged), instance)
    _refuse_recursion(instance, cls, element)
    layout = context.layouts.of(cls)
    check_component(context.layouts, element, cls, layout, instance.cls)
    check_constraint(context.layouts, element, cls)
    if isinstance(cls, ClassEntry):
        check_classes(context.layouts, cls)

    dimensions = [(s, scope) for s in (*declaration.subscripts, *element.clause.subscripts)]
    for subscripts, lexical in layout.dimensions:
        dimensions += [(s, Scope(lexical.site or instance, lexical)) for s in subscripts]
    builder = _Builder(context, instance, element, cls, layout)
    path = instance.member_path(element.name)
    if not dimensions:
        return builder.known_type(builder.make(path, merged))
    if is_expandable(instance.cls) and is_sizeless(element) and merged.value is None:
        return None  # there is none until connections say how many
    shape = shape_of_component(context, dimensions, element, merged)
    brought = sum(len(subscripts) for subscripts, _ in layout.dimensions)
    items = tuple(
        builder.make(
            f"{path}[{','.join(map(str, indices))}]",
            merged.at(indices, shape),
            Selection(indices[-brought:], shape[-brought:]) if brought else None,
        )
        for indices in index_tuples(shape)
    )
    if not items and merged.value is not None:
        merged.value.check_shape(context, shape)  # no element looks at the value
    known = record_of(cls) if not items else None
    record = known.full_name if known is not None else ""
    array = ArrayNode(path, shape, items, element.span, record, index_types(context.layouts, dimensions))
    return builder.known_type(array) if layout.dimensions else array


def _modified_element(instance: Instance, element: Element, said: Modifier) -> tuple[Element, Modifier]:
    """The declaration that counts after redeclarations, and all that is said about it; `said` is what is said
    about the components of the instance."""
    scope = Scope(instance, element.lexical)
    declaration = element.declaration
    given = said.part(element.name)
    settled = declaration.modification is not None and declaration.modification.value is not None
    settled = settled and (element.clause.prefixes.final or element.clause.variability == "constant")
    if settled and element.name not in said.parts:
        given = NOTHING  # the value of a whole record leaves its constants and final fields as they are
    merged = given
    for change in reversed(element.modifications):
        merged = merge(merged, from_argument(change.argument, Scope.of(change, instance))[1])
    own = from_modification(declaration.modification, scope)
    if element.clause.prefixes.final:
        own = Modifier(own.value, own.parts, final=True, span=element.span)
    redeclaration = merged.redeclaration
    if redeclaration is None:
        merged = merge(merged, own)
    else:
        if element.clause.prefixes.final:
            merge(merged, own)  # which refuses it
        argument = redeclaration.argument
        assert isinstance(argument, ast.ElementRedeclaration)
        if not isinstance(argument.element, ast.ComponentClause):
            raise model_error(
                "E207",
                f"`{element.name}` is a component and cannot be redeclared as a class",
                redeclaration.span,
                notes=(Note("declared here", element.span),),
            )
        new = argument.element
        declared = Element(element.name, new, new.declarations[0], redeclaration.lexical, element.protected)
        element = in_place_of(element, declared)
        merged = replace(merged, redeclaration=None)
    for modification, lexical in element.constraints:
        merged = merge(merged, from_modification(modification, Scope(instance, lexical)))
    constraint = element.clause.constraint
    if constraint is not None and redeclaration is None:
        merged = merge(merged, from_modification(constraint.modification, scope))
    return element, merged


def _in_environment(cls: ClassEntry, modifier: Modifier) -> ClassEntry:
    """The class with the classes in it that a modifier redeclares or modifies."""
    names = component_names(cls) if modifier.parts else ()
    said = tuple(
        change
        for name, part in modifier.parts.items()
        if name not in names and member_class(cls, name) is not None
        for change in part.said
    )
    return in_environment(cls, changes=said) if said else cls


def with_inner_classes(cls: ClassEntry, instance: Instance) -> ClassEntry:
    """The class of a component of `instance`: what is declared `outer` in it (a function, a type) means the
    nearest class of this name that is declared `inner` around it (section 5.4.1)."""
    inners: dict[str, ClassEntry] = {}
    for name in sorted(outer_class_names(cls)):
        place: Instance | None = instance
        while place is not None and name not in inners:
            found = member_class(place.cls, name)
            if found is not None and found.definition.prefixes.inner:
                inners[name] = found
            place = place.parent
        if name not in inners:
            outer = member_class(cls, name)
            raise model_error(
                "E201",
                f"there is no `inner` class `{name}` for this `outer` one",
                outer.span if outer is not None else cls.span,
                hint=f"declare a class `{name}` as `inner` in a model around it",
            )
    return in_environment(cls, inners=inners) if inners else cls


def _refuse_recursion(instance: Instance, cls: ClassEntry | Predefined, element: Element) -> None:
    """A class may occur inside itself with other classes redeclared in it, but not for ever."""
    place: Instance | None = instance
    depth = 0
    while place is not None:
        if isinstance(cls, ClassEntry) and place.cls.origin is cls.origin:
            depth += 1
        if place.cls is cls or depth >= DEEPEST_NESTING:
            raise model_error(
                "E213",
                f"`{cls.full_name}` contains a component of its own class and would never end",
                element.span,
            )
        place = place.parent


_SAID_OF_TYPE: Table[Layout, Modifier] = Table("the attributes that types give their variables")


def _said_of_type(context: Context, layout: Layout, instance: Instance) -> Modifier:
    """The attributes that a type gives its variables. If they are plain values they are the same for all of
    them, and are lowered once."""
    known = _SAID_OF_TYPE.of(context).get(layout)
    if known is not None:
        return known
    merged = NOTHING
    for change in reversed(layout.type_modifications):
        name, part = from_argument(change.argument, Scope.of(change, instance))
        merged = merge(merged, Modifier(parts={name: part}))
    if all(is_plain(change.argument) for change in layout.type_modifications):
        _SAID_OF_TYPE.of(context)[layout] = merged
    return merged


class _Builder:
    """Makes the elements of one component; an array component makes many with the same class."""

    def __init__(
        self,
        context: Context,
        instance: Instance,
        element: Element,
        cls: ClassEntry | Predefined,
        layout: Layout,
    ) -> None:
        self.context = context
        self.instance = instance
        self.element = element
        self.cls = cls
        self.layout = layout
        clause = element.clause
        self.variability = min(_VARIABILITIES[clause.variability], instance.variability)
        self.causality = Causality(clause.causality or layout.causality or instance.causality.value)
        self.protected = element.protected or instance.protected
        self.flow = clause.connection == "flow" or instance.flow
        self.stream = clause.connection == "stream" or instance.stream
        self.in_connector = cls.kind == "connector" or instance.in_connector

    def make(self, path: str, modifier: Modifier, own: Selection | None = None) -> Node:
        """One element; `own` is its place in the dimensions that its type brings."""
        if self.layout.predefined is not None:
            return self._scalar(path, modifier, own)
        if modifier.value is not None and record_of(self.cls) is None:
            raise model_error(
                "E207",
                f"`{path}` is a {self.cls.kind} and cannot be given a value",
                modifier.value.span,
                hint="modify its parameters in parentheses",
            )
        assert isinstance(self.cls, ClassEntry)
        self.context.components.count += 1
        refuse_components(self.context.components.count, self.element.span)
        self._check_names(path, modifier, self.layout.elements, self.cls)
        if self.layout.partial:
            raise model_error(
                "E209",
                f"`{self.cls.full_name}` is partial; `{path}` cannot be made of it",
                self.element.span,
                hint="use a class that extends it",
            )
        made = Instance(
            path,
            self.cls,
            self.layout,
            self.element.span,
            self.instance,
            self.variability,
            self.protected,
            self.causality,
            self.flow,
            self.stream,
            self.in_connector,
        )
        say_about(self.context, made, modifier)
        return made

    def known_type(self, node: Node) -> Node:
        """Keeps the class of an overdetermined variable of a connector: it has an equalityConstraint."""
        if self.in_connector and isinstance(self.cls, ClassEntry) and has_equality_constraint(self.cls):
            self.context.components.types[node] = self.cls
        return node

    def _check_names(
        self, path: str, modifier: Modifier, known: Collection[str], cls: ClassEntry | None = None
    ) -> None:
        for name, part in modifier.parts.items():
            if name not in known and (cls is None or member_class(cls, name) is None):
                raise model_error(
                    "E201",
                    f"`{name}` is not an element of `{path}` (of class `{self.cls.full_name}`)",
                    part.span,
                    hint=known_hint(name, known, f"`{path}`", "attribute")
                    if cls is None
                    else modifiable_hint(name, self.layout),
                )

    def _scalar(self, path: str, modifier: Modifier, own: Selection | None) -> Scalar:
        if self.layout.type_modifications:
            of_type = _said_of_type(self.context, self.layout, self.instance)
            if own is not None:  # `type T = Integer[3](min = {1, 1, 1})`, or one value for all of them
                of_type = of_type.for_each().at(own.indices, own.shape)
            modifier = merge(modifier, of_type)
        self._check_names(path, modifier, ATTRIBUTES)
        check_attributes(self.layout, modifier)
        assert self.layout.predefined is not None
        kind = TYPES[self.layout.predefined]
        variability = self.variability
        if kind is not Type.REAL:
            variability = min(variability, Variability.DISCRETE)
        if kind is Type.OBJECT:
            variability = min(variability, Variability.PARAMETER)  # made once, before the run
        symbol = Symbol(path, kind, (), self.layout.enumeration)
        override = self.context.components.overrides.get(path)
        attributes = Attributes(self.context, symbol, modifier, override, self.element.span)
        is_told = variability is Variability.DISCRETE or kind is Type.REAL
        scalar = Scalar(
            symbol,
            variability,
            self.element.span,
            attributes,
            self.causality,
            flow=self.flow,
            stream=self.stream,
            protected=self.protected,
            final=modifier.final or variability is Variability.CONSTANT or kind is Type.OBJECT,
            in_connector=self.in_connector,
            enumeration=self.layout.enumeration,
            description=self.element.declaration.description,
            log=log_words(self.element, path) if is_told else None,
        )
        self.context.components.scalars[symbol] = scalar
        refuse_variables(len(self.context.components.scalars), self.element.span)
        if self.stream:
            self.context.connections.stream_holders[symbol] = self.instance
        return scalar
