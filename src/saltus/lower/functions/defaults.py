"""Default values of function inputs and record fields, and record constructors (section 12.6).

A default comes from the declaration or from a modification on the way to the class that is called
(`function g = f(k = 3)`, `record D extends B(x = 5)`). It may use the other inputs or fields, in any
order: each is computed when first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.core.wording import number, there_are
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element, Instance, Layout
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import nearest, resolve_class
from saltus.lower.functions.function_arguments import function_argument, function_type
from saltus.lower.functions.function_locals import LocalFunction
from saltus.lower.instances.attributes import TYPES
from saltus.lower.instances.modifiers import NOTHING, Modifier, from_argument, from_modification, merge
from saltus.lower.names.references import find_node, local_value
from saltus.lower.scope.context import Context, ReferenceTarget, Scope
from saltus.lower.scope.types import check_assignable
from saltus.lower.scope.values import RecordValue, Value, scalars_of


def causality_of(layouts: Layouts, element: Element) -> str:
    """input, output or neither: by its own prefix or by that of its type (`type In = input Real`)."""
    if element.clause.causality:
        return element.clause.causality
    return layouts.of(resolve_class(element.clause.type_name, element.lexical)).causality


def function_inputs(layouts: Layouts, layout: Layout) -> list[Element]:
    """The inputs of a function, in order."""
    return [e for e in layout.elements.values() if causality_of(layouts, e) == "input"]


class Arguments:
    """The inputs of a function, or the fields of a record, being given values for one call."""

    def __init__(self, context: Context, what: str, elements: list[Element], span: Span, note: Note) -> None:
        self.context = context
        self.what = what
        self.span = span
        self.note = note
        self.elements = {e.name: e for e in elements}
        self.outer: dict[str, Modifier] = {}
        self.given: dict[str, Value] = {}
        self.functions: dict[str, LocalFunction] = {}
        self._computing: list[str] = []

    def bind(self, call: ast.Call, scope: Scope, names: list[str]) -> None:
        """Takes the arguments of a call for the inputs `names`: by position, by name."""
        self._check_count(len(call.args), names)
        for name, argument in zip(names, call.args, strict=False):
            self._take(name, argument, scope)
        for name, argument in call.named:
            self._check_name(name, names)
            self._take(name, argument, scope)
        self._take_default_functions(names)

    def give(self, args: Sequence[Value], named: Mapping[str, Value], names: list[str]) -> None:
        """Takes arguments that are values already for the inputs `names`: by position, by name."""
        self._check_count(len(args), names)
        self.given |= dict(zip(names, args, strict=False))
        for name, value in named.items():
            self._check_name(name, names)
            self.given[name] = value
        self._take_default_functions(names)

    def _check_count(self, count: int, names: list[str]) -> None:
        if count > len(names):
            raise model_error(
                "E212",
                f"`{self.what}` takes {number(len(names), 'argument')} "
                f"({', '.join(names)}), but {count} are given",
                self.span,
                notes=(self.note,),
            )

    def _check_name(self, name: str, names: list[str]) -> None:
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean `{near}`?" if near else f"its inputs are {', '.join(names)}"
            raise model_error("E212", f"`{self.what}` has no input `{name}`", self.span, hint=hint)
        if name in self.given or name in self.functions:
            raise model_error("E212", f"the input `{name}` is given twice", self.span)

    def _take(self, name: str, argument: ast.Expression, scope: Scope) -> None:
        wanted = function_type(self.elements[name])
        if wanted is None:
            self.given[name] = self.context.lower(self.context, argument, scope)
        else:
            self.functions[name] = function_argument(self.context, argument, scope, name, wanted)

    def _take_default_functions(self, names: list[str]) -> None:
        """Inputs that are functions may have defaults too."""
        for name in names:
            element = self.elements[name]
            wanted = function_type(element)
            if wanted is None or name in self.functions:
                continue
            modification = element.declaration.modification
            if modification is None or modification.value is None:
                raise self._missing(element)
            scope = Scope(None, element.lexical)
            self.functions[name] = function_argument(self.context, modification.value, scope, name, wanted)

    def values(self) -> dict[str, Value]:
        """All values in the order of declaration."""
        return {name: self.of(name) for name in self.elements}

    def of(self, name: str) -> Value:
        """The value given, or the default."""
        if name not in self.given:
            if name in self._computing:
                chain = " -> ".join(f"`{n}`" for n in (*self._computing, name))
                message = f"defaults of `{self.what}` depend on each other: {chain}"
                raise model_error("E213", message, self.span)
            self._computing.append(name)
            try:
                self.given[name] = self._default(self.elements[name])
            finally:
                self._computing.pop()
        return self.given[name]

    def _default(self, element: Element) -> Value:
        locals_: dict[str, Value | ReferenceTarget] = {name: _Lazy(self, name) for name in self.elements}
        modifier = element_modifier(element, locals_, self.outer.get(element.name, NOTHING))
        value = default_value(self.context, element, modifier, self.span)
        if value is None:
            raise self._missing(element)
        return value

    def _missing(self, element: Element) -> ModelError:
        return model_error(
            "E212",
            f"the input `{element.name}` of `{self.what}` is not given and has no default",
            self.span,
            notes=(Note("declared here", element.span),),
            hint=there_are(list(self.elements), f"`{self.what}`", "input"),
        )


class _Lazy:
    """Another input or field, as a default sees it."""

    def __init__(self, arguments: Arguments, name: str) -> None:
        self.arguments = arguments
        self.name = name

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        return local_value(context, self.arguments.of(self.name), reference, scope)


def element_modifier(
    element: Element,
    names: Mapping[str, Value | ReferenceTarget],
    outer: Modifier = NOTHING,
    in_function: bool = False,
) -> Modifier:
    """What a declaration and the extends clauses above it say; `names` are what its expressions see."""
    merged = outer
    for change in reversed(element.modifications):
        # The text of a short class is not part of the function.
        seen = {} if change.lexical.is_short or change.site is not None else names
        scope = Scope(change.site, change.lexical, seen, in_function and change.site is None)
        merged = merge(merged, from_argument(change.argument, scope)[1])
    own = Scope(None, element.lexical, names, in_function)
    return merge(merged, from_modification(element.declaration.modification, own))


def default_value(context: Context, element: Element, modifier: Modifier, span: Span) -> Value | None:
    """The value a modifier gives; of a record without one, that of its fields' defaults. None if there is
    none."""
    if modifier.value is not None:
        return modifier.value.value(context)
    cls = resolve_class(element.clause.type_name, element.lexical)
    layout = context.layouts.of(cls)
    if cls.kind != "record" or (
        *layout.dimensions,
        *element.declaration.subscripts,
        *element.clause.subscripts,
    ):
        return None
    fields = Arguments(context, cls.full_name, list(layout.elements.values()), span, Note("declared here"))
    fields.outer = {name: modifier.part(name) for name in layout.elements}
    return RecordValue(cls.full_name, fields.values())


def _is_settled(element: Element) -> bool:
    """A constant or final field with a value: no input of the constructor."""
    modification = element.declaration.modification
    has_value = bool(element.modifications) or (modification is not None and modification.value is not None)
    return has_value and (element.clause.variability == "constant" or element.clause.prefixes.final)


def construct_record(
    context: Context, cls: ClassEntry, layout: Layout, call: ast.Call, scope: Scope
) -> RecordValue:
    """`R(1, b = 2)`: its fields are the inputs; constants and final fields keep their values."""
    span = scope.at(call)
    if cls.definition.partial:
        raise model_error("E209", f"the record `{cls.full_name}` is partial", span)
    elements = list(layout.elements.values())
    inputs = [e.name for e in elements if not _is_settled(e)]
    fields = Arguments(context, cls.full_name, elements, span, Note("declared here", cls.span))
    fields.bind(_cast(context, call, scope, inputs), scope, inputs)
    values = fields.values()
    for element in elements:
        declared = context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
        if declared.predefined is None:
            continue
        for scalar in scalars_of(values[element.name]):
            wanted = TYPES[declared.predefined]
            check_assignable(wanted, scalar, f"the field `{element.name}`", span, declared.enumeration)
    return RecordValue(cls.full_name, values)


def _cast(context: Context, call: ast.Call, scope: Scope, fields: Sequence[str]) -> ast.Call:
    """`R(m)`, where m is a model or connector, means `R(a = m.a, b = m.b)` (section 12.6.1); any other call
    means itself."""
    given = call.args[0] if len(call.args) == 1 and not call.named else None
    if not isinstance(given, ast.Reference) or given.parts[0][0] in scope.locals:
        return call
    try:
        node = find_node(context, given, scope)
    except ModelError:
        return call  # which says what is wrong with it
    if not isinstance(node, Instance) or node.kind == "record":
        return call
    seen = [n for n in fields if n in node.layout.elements and not node.layout.elements[n].protected]
    named = tuple((n, replace(given, parts=(*given.parts, (n, ())))) for n in seen)
    return replace(call, args=(), named=named)
